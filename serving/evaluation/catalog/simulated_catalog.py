"""A catalogue that is made up, as large as the paper's: for what a small one cannot show. Seeded; nothing else is true.

Tulane's had "over 400 files" of programs with "a hearty amount of text" each and "over a thousand very small class
files" (2.I). What its texts are like is not known; lengths and words here are choices.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import CatalogRecord, Mode
from knowledge_graph.lake.schemas import GRAPH_COURSES
from serving.assistant.retrieval.question_sets import LabelledQuestion
from serving.evaluation.catalog.catalogs import CatalogQuestion

COURSE = "simulated-catalogue"
SEED = 20240501

SUBJECTS, CLASSES = 100, 1_000
"""Each subject has a major and a minor with two topics each: 400 pages of programs."""

_MEDIAN, _SPREAD = 6_000, 0.4
"""Median and spread of the lengths of program pages, log-normal, in characters. Fitted to the paper: 9 to 13 whole
pages in 16,000 tokens of four characters are pages of 4,900 to 7,100. There are more pieces than pages."""
_SHORTEST, _LONGEST = 200, 40_000
_CLASS_WORDS = (25, 80)
_VOCABULARY = 4_000
_SYLLABLES = (
    "ba",
    "cor",
    "den",
    "fil",
    "gra",
    "hol",
    "jun",
    "kel",
    "lim",
    "mor",
    "nar",
    "pol",
    "rin",
    "sal",
    "tev",
    "vul",
)
_OF_PROGRAMS = ("credits", "courses", "requirements", "major", "minor", "degree", "students", "department", "elective")
_SAID_OFTEN = 0.12
"""Share of a page's words that speak of its subject or of programs."""


@dataclass(frozen=True)
class SimulatedCatalog:
    """Records of both modes, and one question for each subject and mode."""

    records: tuple[CatalogRecord, ...]
    asked: tuple[CatalogQuestion, ...]

    def graph(self) -> ConceptGraph:
        """A graph that knows the course and no concept."""
        course = {"course_id": COURSE, "title": "Simulated catalogue", "lang": "en", "domains": []}
        return ConceptGraph.from_rows(courses=[{**dict.fromkeys(GRAPH_COURSES.names), **course}])


def simulate_catalog(*, subjects: int = SUBJECTS, classes: int = CLASSES, seed: int = SEED) -> SimulatedCatalog:
    """`4 * subjects` pages of programs and `classes` classes; the same for the same numbers."""
    chance = random.Random(seed)
    names = _words(chance, subjects, syllables=4)
    vocabulary = _words(chance, _VOCABULARY, syllables=3)
    records = [
        _program(chance, name, kind, topic, vocabulary) for name in names for kind in _KINDS for topic in _TOPICS
    ]
    records += [_class(chance, names[number % subjects], number, vocabulary) for number in range(classes)]
    asked = [
        _question(f"what are the required classes for the {name} major", _requirements_page(name)) for name in names
    ]
    codes = [_code(names[number % subjects], number) for number in range(min(subjects, classes))]
    asked += [_question(f"give the description of class {code}", f"class:{code}") for code in codes]
    return SimulatedCatalog(tuple(records), tuple(asked))


_KINDS = ("Major", "Minor")
_TOPICS = ("home", "requirements")


def _program(chance: random.Random, name: str, kind: str, topic: str, vocabulary: Sequence[str]) -> CatalogRecord:
    title = f"{name.title()} {kind}"
    length = min(max(chance.lognormvariate(0, _SPREAD) * _MEDIAN, _SHORTEST), _LONGEST)
    text = _text(chance, int(length), (name, *_OF_PROGRAMS), vocabulary)
    return _record("program", f"program:{name}-{kind.lower()}#{topic}", None, title, topic, text)


def _class(chance: random.Random, name: str, number: int, vocabulary: Sequence[str]) -> CatalogRecord:
    words = chance.randint(*_CLASS_WORDS)
    title = " ".join(chance.choices(vocabulary, k=3)).title()
    code = _code(name, number)
    text = _text(chance, words * 7, (name, "prerequisite", "credits"), vocabulary)
    return _record("class", f"class:{code}", code, title, None, text)


def _record(mode: Mode, key: str, code: str | None, title: str, topic: str | None, text: str) -> CatalogRecord:
    return CatalogRecord(COURSE, mode, key, code, title, topic, text, "simulated", None, None, "en")


def _question(question: str, gold: str) -> CatalogQuestion:
    mode: Mode = "class" if gold.startswith("class:") else "program"
    return CatalogQuestion(LabelledQuestion(question, COURSE, frozenset({gold})), mode)


def _requirements_page(name: str) -> str:
    return f"program:{name}-major#requirements"


def _code(name: str, number: int) -> str:
    return f"{name[:4].upper()} {1000 + number}"


def _text(chance: random.Random, length: int, often: Sequence[str], vocabulary: Sequence[str]) -> str:
    """Words until there are `length` characters; rare words are rare as in a language (Zipf)."""
    words: list[str] = []
    written = 0
    while written < length:
        is_often = chance.random() < _SAID_OFTEN
        word = chance.choice(often) if is_often else vocabulary[int(len(vocabulary) ** chance.random()) - 1]
        words.append(word)
        written += len(word) + 1
    return " ".join(words)


def _words(chance: random.Random, count: int, *, syllables: int) -> list[str]:
    """Different made-up words."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(chance.choices(_SYLLABLES, k=chance.randint(2, syllables)))] = None
    return list(found)
