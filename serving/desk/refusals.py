"""Why something cannot be done at the desk. Each says what was found and what to do; edges turn them into replies."""

from knowledge_graph.lake.problems import CoteachError


class NotAtTheDesk(CoteachError):
    """There is no such question or answer, or it is none of the caller's business: the same words for both."""


class AlreadyDecided(CoteachError):
    """Somebody else was first; the message says who."""


class NotFit(CoteachError):
    """What was written cannot be accepted."""
