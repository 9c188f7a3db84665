"""Whether an evaluation question was seen before: in a prompt, a demonstration, a training label or an example. Pure.

A question that stands word for word, or nearly, where the system learnt or copies from measures memory, not teaching
(LittleMu 4.1 uses its labelled questions for testing only).
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from knowledge_graph.text.sentences import has_cjk
from models.intent.labels.question_text import question_key
from serving.assistant.generation.demonstrations import Demonstration
from serving.assistant.generation.template import Template

GRAM = 3
"""Characters of one piece that two texts are compared by. A choice."""

ALIKE = 0.9
"""Share of pieces (Jaccard, 0..1) from which on two texts are the same question. A choice: one letter of 60 differs."""

LEAST_QUOTED = 16
"""Letters from which on a question that stands inside a longer prompt was quoted there, a Chinese character counting
as two. A choice: a shorter one, such as a concept's name, stands there by chance."""


@dataclass(frozen=True)
class EvaluationText:
    """A text that is evaluated on, by its set and id."""

    set: str
    question_id: str
    text: str


@dataclass(frozen=True)
class KnownText:
    """A text that the system knows, and `where` from, in words for a person. `quotes`: others may stand inside it."""

    where: str
    text: str
    quotes: bool = False


@dataclass(frozen=True)
class Leak:
    """A question that was seen before. `likeness` is 1 for the same text but for case and punctuation."""

    set: str
    question_id: str
    question: str
    where: str
    text: str
    likeness: float

    def description(self) -> str:
        """One line about it."""
        return f"{self.set}: {self.question!r} stands in {self.where} ({self.likeness:.2f}): {self.text[:120]!r}"


def texts_of_prompts(templates: Iterable[Template]) -> Iterator[KnownText]:
    """Instructions and shown turns of templates, each turn as a whole and line by line."""
    for template in templates:
        turns = [text for shown in template.shown for text in shown]
        for text in (template.system, template.text, *turns):
            yield KnownText(f"prompt {template.label}", text, quotes=True)
        yield from (KnownText(f"prompt {template.label}", line) for text in turns for line in text.splitlines())


def texts_of_demonstrations(demonstrations: Iterable[Demonstration]) -> Iterator[KnownText]:
    """The questions that Chain of Teach shows."""
    return (KnownText(f"demonstration {one.id}", one.question) for one in demonstrations)


def find_leaks(asked: Sequence[EvaluationText], seen: Iterable[KnownText], *, alike: float = ALIKE) -> tuple[Leak, ...]:
    """Every question that was seen, with the place where it is most alike, in the order of the questions.

    Two texts are alike by the Jaccard index of their pieces of `GRAM` characters, punctuation and case left out; texts
    with fewer characters must be equal.
    """
    known = _Known(seen, alike)
    found = (known.like(one) for one in asked)
    return tuple(leak for leak in found if leak is not None)


class _Known:
    """Texts to compare with, by a few of their pieces: alike texts share one of the first 1 - `alike` (prefix filter,
    Chaudhuri, Ganti and Kaushik 2006), so that not every pair is looked at."""

    def __init__(self, seen: Iterable[KnownText], alike: float) -> None:
        self._alike = alike
        self._quoting: list[tuple[KnownText, str]] = []
        self._texts: list[tuple[KnownText, frozenset[str]]] = []
        self._by_piece: dict[str, list[int]] = defaultdict(list)
        for one in seen:
            if one.quotes:
                self._quoting.append((one, _key(one.text)))
                continue
            pieces = _pieces(_key(one.text))
            for piece in self._first(pieces):
                self._by_piece[piece].append(len(self._texts))
            self._texts.append((one, pieces))

    def like(self, asked: EvaluationText) -> Leak | None:
        key = _key(asked.text)
        pieces = _pieces(key)
        near = {place for piece in self._first(pieces) for place in self._by_piece.get(piece, ())}
        likeness = [(_jaccard(pieces, self._texts[place][1]), self._texts[place][0]) for place in sorted(near)]
        if _length(key) >= LEAST_QUOTED:
            likeness += [(1.0, one) for one, text in self._quoting if key in text]
        best = max(likeness, key=lambda pair: pair[0], default=None)
        if best is None or best[0] < self._alike:
            return None
        return Leak(asked.set, asked.question_id, asked.text, best[1].where, best[1].text, best[0])

    def _first(self, pieces: frozenset[str]) -> list[str]:
        return sorted(pieces)[: len(pieces) - ceil(self._alike * len(pieces)) + 1]


def _key(text: str) -> str:
    return question_key(unicodedata.normalize("NFKC", text))


def _pieces(key: str) -> frozenset[str]:
    """Runs of `GRAM` characters; of a shorter text, the text itself."""
    return frozenset(key[start : start + GRAM] for start in range(max(1, len(key) - GRAM + 1)))


def _jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / len(left | right)


def _length(key: str) -> int:
    return sum(2 if has_cjk(letter) else 1 for letter in key)
