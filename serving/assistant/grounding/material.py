"""`GroundingMaterial`: the evidence of one turn and its question, read once for all graders."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import chain, pairwise
from math import fsum, log

from serving.assistant.grounding.numbers import SpokenNumber, numbers
from serving.assistant.grounding.quotes import normalize_text
from serving.assistant.grounding.sentences import readable, split, split_evidence, subject_terms
from serving.index.analysis import content_terms, terms
from serving.index.evidence import Evidence


@dataclass(frozen=True)
class EvidenceSentence:
    """One sentence of the evidence: its terms in order, stop words too, and once each those that carry the subject."""

    evidence_id: str
    text: str
    terms: tuple[str, ...]
    listed: tuple[str, ...]

    @classmethod
    def of(cls, evidence_id: str, text: str) -> "EvidenceSentence":
        return cls(evidence_id, text, tuple(terms(text)), tuple(content_terms(text, strict=True)))

    @cached_property
    def content(self) -> frozenset[str]:
        return frozenset(self.listed)


@dataclass(frozen=True)
class GroundingMaterial:
    """What an answer may rest on (`sentences` of the `evidence`) and what was asked; questions support nothing."""

    question: str
    sentences: tuple[EvidenceSentence, ...]
    evidence: tuple[Evidence, ...] = ()
    _runs: dict[int, frozenset[tuple[str, ...]]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, question: str, evidence: Sequence[Evidence]) -> "GroundingMaterial":
        """The sentences of the evidence, the titles first, in the order of the evidence."""
        said = [
            EvidenceSentence.of(one.evidence_id, text)
            for one in evidence
            for text in (*filter(None, [readable(one.title).strip()]), *split_evidence(readable(one.text)))
        ]
        return cls(readable(question), tuple(said), tuple(evidence))

    @cached_property
    def question_terms(self) -> frozenset[str]:
        """The content terms of the question."""
        return frozenset(subject_terms(self.question))

    @cached_property
    def ids_asked_about(self) -> frozenset[str]:
        """The ids of the evidence that the question is about: whose title it names, or else what holds most of it, the
        rarer words counting more and those of titles twice."""
        titles = [frozenset(content_terms(readable(one.title), strict=True)) for one in self.evidence]
        texts = [
            title | frozenset(content_terms(readable(one.text), strict=True))
            for title, one in zip(titles, self.evidence, strict=True)
        ]
        named = {
            one.evidence_id
            for one, title in zip(self.evidence, titles, strict=True)
            if title and title <= self.question_terms
        }
        if named:
            return frozenset(named)
        weights = {
            term: log(1 + (1 + len(texts)) / (1 + sum(term in text for text in texts))) for term in self.question_terms
        }
        held = [
            fsum(weights[term] for term in self.question_terms & title)
            + fsum(weights[term] for term in self.question_terms & text)
            for title, text in zip(titles, texts, strict=True)
        ]
        most = max(held, default=0.0) - 1e-9
        return frozenset(one.evidence_id for one, much in zip(self.evidence, held, strict=True) if much >= most)

    @cached_property
    def content(self) -> frozenset[str]:
        """The content terms of all evidence."""
        return frozenset(chain.from_iterable(each.content for each in self.sentences))

    def holding(self, wanted: Iterable[str]) -> frozenset[str]:
        """Those of the terms that the evidence says, a number also in other digits or in words."""
        return frozenset(
            term for term in wanted if term in self.content or (term.isdecimal() and Decimal(term) in self.numbers)
        )

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """All terms of all evidence, stop words too."""
        return frozenset(chain.from_iterable(each.terms for each in self.sentences))

    @cached_property
    def text(self) -> str:
        """All evidence as quotes are compared."""
        return normalize_text("\n".join(each.text for each in self.sentences))

    @cached_property
    def question_text(self) -> str:
        return normalize_text(self.question)

    @cached_property
    def numbers(self) -> dict[Decimal, tuple[SpokenNumber, ...]]:
        """The numbers of evidence and question by their value."""
        found: dict[Decimal, list[SpokenNumber]] = defaultdict(list)
        for text in (*(each.text for each in self.sentences), self.question):
            for number in numbers(text):
                found[number.value].append(number)
        return {value: tuple(listed) for value, listed in found.items()}

    def runs(self, length: int) -> frozenset[tuple[str, ...]]:
        """Every run of so many terms, stop words too, within one sentence of the evidence."""
        if length not in self._runs:
            rows = (zip(*(each.terms[n:] for n in range(length)), strict=False) for each in self.sentences)
            self._runs[length] = frozenset(chain.from_iterable(rows))
        return self._runs[length]

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Neighbours among the content terms of each evidence sentence that are not in the question.

        Read twice: with repeats, for words apart, and each term once, as the terms of Chinese are listed.
        """
        told: list[list[str]] = []
        for each in self.sentences:
            new = each.content - self.question_terms
            told += [term for term in each.terms if term in new], [term for term in each.listed if term in new]
        return frozenset(chain.from_iterable(map(pairwise, told)))

    @cached_property
    def triples(self) -> Counter[tuple[str, ...]]:
        """How often each three terms follow each other within a sentence of the evidence."""
        return Counter(chain.from_iterable(triples(each.terms) for each in self.sentences))

    @cached_property
    def initials(self) -> str:
        """The first letters of all words of the evidence and the question, sentence after sentence."""
        asked = (terms(piece.text) for piece in split(self.question))
        lines = (*(each.terms for each in self.sentences), *asked)
        return " ".join("".join(term[0] for term in line) for line in lines)


def triples(said: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """Every three terms in a row."""
    return zip(said, said[1:], said[2:], strict=False)
