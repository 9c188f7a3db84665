"""Facts of a text that its evidence must hold: numbers, names, quotes. `missing` says which it does not hold."""

from dataclasses import dataclass, replace
from typing import Literal

from serving.assistant.grounding.material import GroundingMaterial
from serving.assistant.grounding.names import SpokenName, names
from serving.assistant.grounding.numbers import numbers
from serving.assistant.grounding.quotes import Quote, holds, quotes

FactKind = Literal["number", "name", "quote"]


@dataclass(frozen=True)
class Fact:
    """A number, name or quote: `text[start:end]` of the text it was found in."""

    start: int
    end: int
    text: str
    kind: FactKind

    def move(self, by: int) -> "Fact":
        """The same fact in a text that begins `by` characters earlier."""
        return replace(self, start=self.start + by, end=self.end + by)


def missing(text: str, material: GroundingMaterial) -> tuple[Fact, ...]:
    """The numbers, names and quotes of a text that stand in no evidence and not in the question, in order.

    A number is known when its value is said, however it is written. A name is known when all its words are; an acronym
    also when its letters begin words in a row. Quotes and titles must stand word for word.
    """
    said = quotes(text)
    lost = [Fact(quote.start, quote.end, quote.text, "quote") for quote in said if not _has_quote(quote, material)]
    free = _without(text, said)
    for number in numbers(free):
        if not any(number.agrees(known) for known in material.numbers.get(number.value, ())):
            lost.append(Fact(number.start, number.end, number.text, "number"))
    for name in names(free):
        if not _has_name(name, material):
            lost.append(Fact(name.start, name.end, name.text, "name"))
    return tuple(sorted(_apart(lost), key=lambda fact: fact.start))


def _without(text: str, said: list[Quote]) -> str:
    """The text with its quotes blanked; code stays, as what it names may be known though the span is not."""
    for quote in said:
        if quote.kind != "code":
            text = text[: quote.start] + " " * (quote.end - quote.start) + text[quote.end :]
    return text


def _apart(lost: list[Fact]) -> list[Fact]:
    """Each place once: a number inside a lost name is told with the name."""
    taken = {place for fact in lost if fact.kind != "number" for place in range(fact.start, fact.end)}
    return [fact for fact in lost if fact.kind != "number" or fact.start not in taken]


def _has_quote(quote: Quote, material: GroundingMaterial) -> bool:
    return quote.kind == "code" or holds(material.text, quote.text) or holds(material.question_text, quote.text)


def _has_name(name: SpokenName, material: GroundingMaterial) -> bool:
    if all(word in material.vocabulary or word in material.question_terms for word in name.words):
        return True
    if holds(material.text, name.text) or holds(material.question_text, name.text):
        return True
    return name.is_acronym and name.text.lower() in material.initials
