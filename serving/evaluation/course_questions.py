"""Questions about the concepts of a home's courses, by templates: many, different, in need of a model. Pure."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from knowledge_graph.graph.records import GraphConcept

_OF_TWO = (
    "What is the difference between {a} and {b}?",
    "Compare {a} with {b}.",
    "How is {a} related to {b}?",
    "Why would you use {a} instead of {b}?",
    "Which is better, {a} or {b}?",
)
_OF_ONE = (
    "Why is {a} useful?",
    "How does {a} work?",
    "Give me an example of {a}.",
    "Why do we need {a}?",
    "How do I get better at using {a}?",
)


@dataclass(frozen=True)
class CourseQuestion:
    """One question, asked in a course. `question_id` is its number in the list."""

    question_id: str
    course_id: str
    question: str


def course_questions(concepts: Sequence[GraphConcept], *, lang: str, count: int, seed: int) -> list[CourseQuestion]:
    """`count` different questions about concepts of one language with a definition, or as many as there are."""
    known = {one.concept_id: one for one in concepts if one.definition and one.lang == lang}
    possible = list(dict.fromkeys(_possible([known[key] for key in sorted(known)])))
    random.Random(seed).shuffle(possible)
    return [
        CourseQuestion(str(number), course_id, question)
        for number, (course_id, question) in enumerate(possible[:count])
    ]


def _possible(concepts: Sequence[GraphConcept]) -> Iterator[tuple[str, str]]:
    for one in concepts:
        for template in _OF_ONE:
            yield one.course_ids[0], template.format(a=one.name)
    for left, right in permutations(concepts, 2):
        if left.course_ids[0] in right.course_ids:
            for template in _OF_TWO:
                yield left.course_ids[0], template.format(a=left.name, b=right.name)
