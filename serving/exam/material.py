"""`CourseMaterial`: what the exam of a course is made from. Belongs here: records, and what their words tell apart."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256

from knowledge_graph.lake.records import Concept, Lang, Locator
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.index.analysis import content_terms, content_words

KEY_WORDS = 4
"""Words of a definition or reason that a right answer is looked for. A choice."""

MOST_CLASSES = 60
"""Classes of a catalogue that are asked about: pairs of them are compared, and a catalogue may have thousands."""


@dataclass(frozen=True)
class Rule:
    """A sentence of a FAQ, a document or a catalogue that people stand behind, with all that it stands in."""

    rule_id: str
    source: str
    title: str
    text: str
    locator: Locator | None = None


@dataclass(frozen=True)
class ExamSubject:
    """What "What is X?" is asked of: a concept with its definition, or a class of a catalogue with its entry.

    `said` is the part of `text` that answers; the rest of an entry are credits and prerequisites."""

    subject_id: str
    source: str
    name: str
    text: str
    said: str
    rank: int
    locator: Locator | None = None

    @property
    def is_class(self) -> bool:
        return self.source == "catalog"


@dataclass(frozen=True)
class CourseMaterial:
    """Concepts with definitions fit to be shown, best first; sentences of lectures in order; FAQ answers, articles of
    documents and pages of a catalogue; the classes among these."""

    course_id: str
    lang: Lang
    concepts: tuple[Concept, ...] = ()
    sentences: tuple[LectureSentence, ...] = ()
    rules: tuple[Rule, ...] = ()
    classes: tuple[Rule, ...] = ()

    @cached_property
    def subjects(self) -> tuple[ExamSubject, ...]:
        """Concepts, best first, and then classes, some of many, the same each time."""
        defined = [one for one in self.concepts if one.definition and one.lang == self.lang]
        dealt = sorted(self.classes, key=lambda one: sha256(one.rule_id.encode()).hexdigest())[:MOST_CLASSES]
        return (
            *(
                ExamSubject(
                    one.concept_id,
                    "concept",
                    one.name,
                    one.definition or "",
                    one.definition or "",
                    one.rank,
                    one.definition_locator,
                )
                for one in defined
            ),
            *(
                ExamSubject(one.rule_id, one.source, one.title, one.text, _description(one.text), rank, one.locator)
                for rank, one in enumerate(sorted(dealt, key=lambda one: (one.title, one.rule_id)), 1)
            ),
        )

    @cached_property
    def spread(self) -> Counter[str]:
        """In how many texts of the course each word stands: the fewer, the more it tells."""
        texts = (*(one.text for one in self.subjects), *(one.text for one in self.rules))
        texts += tuple(one.text for one in self.sentences)
        cut = content_words if self.lang == "zh" else partial(content_terms, strict=True)
        return Counter(term for text in texts for term in set(cut(text)))

    def telling(self, text: str, *, without: str = "", most: int = KEY_WORDS) -> tuple[tuple[str, ...], ...]:
        """The rarest words of a text, in its order, those of `without` left out."""
        cut = content_words if self.lang == "zh" else partial(content_terms, strict=True)
        known = set(cut(without))
        found = [term for term in cut(text) if term not in known and len(term) > 1]
        kept = sorted(found, key=lambda term: (self.spread[term], term))[:most]
        return tuple((term,) for term in found if term in kept)


def _description(text: str) -> str:
    """What an entry of a catalogue says of its class first: credits, prerequisites and notes come behind."""
    first = text.strip().partition("\n")[0]
    return re.split(r"(?<=[.!?])\s|(?<=[。！？])", first)[0]
