"""`Template`: a versioned prompt with gaps, which makes every value harmless as it is filled in. No texts here."""

import hashlib
from dataclasses import dataclass

from serving.assistant.guardrails.escaping import Xml, neutralise, xml_text
from serving.llm.messages import Message, Role


@dataclass(frozen=True)
class Template:
    """A prompt with named gaps: instructions in `system`, what changes in `text`.

    Between them stand the turns `shown`, questions and replies in the form that is wanted; they have no gaps.

    Every value is made harmless as it is filled in: escaped where the template has tags, neutralised where it has none.
    Only `Xml`, which was escaped before, goes in as it is.
    """

    name: str
    version: int
    text: str
    system: str = ""
    shown: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """`teach@1`, for the trace of every answer made with it."""
        return f"{self.name}@{self.version}"

    @property
    def digest(self) -> str:
        """The first 16 hex digits of the SHA-256 of all its parts."""
        parts = [self.system, *(part for turns in self.shown for part in turns), self.text]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    def fill(self, **values: str) -> str:
        """The changing part. Raises `KeyError` for a gap without a value; values without a gap are skipped."""
        return _fill(self.text, values)

    def fill_system(self, **values: str) -> str:
        """The instructions, in the same way."""
        return _fill(self.system, values)

    def messages(self, **values: str) -> tuple[Message, ...]:
        """The system's message, the turns shown, and the user's message."""
        turns = (Message(role, text) for asked, reply in self.shown for role, text in _dialogue(asked, reply))
        return Message("system", self.fill_system(**values)), *turns, Message("user", self.fill(**values))


def _dialogue(asked: str, reply: str) -> tuple[tuple[Role, str], tuple[Role, str]]:
    return ("user", asked), ("assistant", reply)


def _fill(text: str, values: dict[str, str]) -> str:
    harmless = xml_text if "</" in text else neutralise
    return text.format(**{key: one if isinstance(one, Xml) else harmless(one) for key, one in values.items()})
