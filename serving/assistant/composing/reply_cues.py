"""Questions that a lecturer asks, and how sentences begin that reply to them: with a yes, a no or a "because". Pure."""

from serving.assistant.composing.cues import make_cue

REPLIES = make_cue(
    r"^(?=[^，,。！]{0,6}[，,。！])(?!.?那么)[^，,。！]{0,4}[不没是会能有对可应要行]"
    r"|^(?:well,? |actually,? )?(?:yes|yeah|no|nope|not (?:necessarily|always|really|quite))\b[^?]*$"
)
"""What begins with a yes or a no: "不一定。", "也有。", "No, it isn't"."""


ASKS_WHETHER = make_cue(
    r"(?:吗|(?P<verb>\w{1,2})[不没](?P=verb).{0,30})[?？]$|是否.{1,30}[?？]$"
    r"|^(?:(?:so|and|but|now|well),? )?(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have)"
    r"(?:n['’]t)?\b[^?]*\?$"
)
"""A question that a yes or a no answers."""


ASKS_WHY = make_cue(r"(?:为什么|为何|为啥)[^？]{0,60}[?？]$|\bwhy\b[^?]{0,200}\?$")

_BARE_WHY = make_cue(
    r"^(?:(?:那么?|这是|可是|但是?)?(?:为什么|为何)(?:会?这样)?呢?"
    r"|(?:(?:so|and|but),? )?why(?: (?:is|was) (?:that|this|it))?)[?？]$"
)

GIVES_REASON = make_cue(
    r"^(?:这|那)?就?是?(?:因为(?!.*所以)|由于)|^(?:(?:well|so),? |it['’]?s |that['’]?s )?(?:because|since)\b"
)
"""What begins as the reply to a why."""


def asks_why_of_something(text: str) -> bool:
    """Whether a question asks for a reason and names what of: a bare "Why?" asks of what is said before it."""
    return ASKS_WHY.search(text) is not None and _BARE_WHY.search(text) is None


def replies_to_why(text: str) -> bool:
    """Whether a question for a reason stands in one line with its "because"."""
    asked, mark, reply = text.replace("？", "?").partition("?")
    return bool(mark) and asks_why_of_something(f"{asked}?") and GIVES_REASON.search(reply.strip()) is not None


def is_bare_why(text: str) -> bool:
    """Whether a question is "Why?" and no more."""
    return _BARE_WHY.search(text) is not None
