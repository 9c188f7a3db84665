"""`Golden`: a labelled question with what rewriting it by rules needs to know. How it is rewritten is `reshaping`'s."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Lang
from serving.evaluation.release.shortening import key_terms
from serving.evaluation.sets.evaluation_sets import EvaluationQuestion
from serving.index.analysis import content_terms

Titles = Mapping[tuple[str | None, str], Collection[str]]
"""Questions or titles of entries, by course and by entry or origin id."""


_AS_RARE = 2
"""A choice."""


@dataclass(frozen=True)
class Golden:
    """A labelled question. `keys` are the rarest of `shortening.key_terms`, `names` where concepts are named in it."""

    question_id: str
    course_id: str | None
    lang: Lang
    question: str
    gold: frozenset[str]
    keys: frozenset[str]
    names: tuple[tuple[int, int], ...] = ()


def golden_questions(
    questions: Iterable[EvaluationQuestion], *, titles: Titles, graph: ConceptGraph
) -> tuple[Golden, ...]:
    """The courses' questions that something answers, in their order."""
    asked = [one for one in questions if one.section == "course" and one.gold]
    counts = {course: _counts(course, titles) for course in {one.course_id for one in asked}}
    return tuple(_make_golden(one, titles, counts[one.course_id], graph) for one in asked)


def titles_of(rows: Iterable[Mapping[str, str]]) -> Titles:
    """By the ids that gold sets know pairs by. Rows have `course_id`, `qa_id`, `origin_id` and `question`."""
    found: dict[tuple[str | None, str], list[str]] = {}
    for row in rows:
        for name in ("origin_id", "qa_id"):
            found.setdefault((row["course_id"], row[name]), []).append(row["question"])
    return found


def _counts(course_id: str | None, titles: Titles) -> Counter[str]:
    """In how many titles of a course each term is."""
    listed = {title for (course, _), some in titles.items() if course == course_id for title in some}
    return Counter(term for title in listed for term in content_terms(title))


def _make_golden(one: EvaluationQuestion, titles: Titles, counts: Counter[str], graph: ConceptGraph) -> Golden:
    names = tuple(_apart(graph, one.question))
    answering = [title for key in one.gold for title in titles.get((one.course_id, key), ())]
    keys = _rarest(key_terms(one.question, answering, names), counts)
    return Golden(one.question_id, one.course_id, one.lang, one.question, frozenset(one.gold), keys, names)


def _rarest(keys: frozenset[str], counts: Counter[str]) -> frozenset[str]:
    """The keys that tell this question from others of its course: in at most `_AS_RARE` times the fewest titles."""
    most = _AS_RARE * min((counts[key] for key in keys), default=0)
    return frozenset(key for key in keys if counts[key] <= most)


def _apart(graph: ConceptGraph, question: str) -> Iterator[tuple[int, int]]:
    """Where concepts are named; of two that overlap, the first."""
    reached = 0
    for mention in sorted(graph.mentions(question), key=lambda one: (one.start, -one.end)):
        if mention.start >= reached:
            yield mention.start, mention.end
            reached = mention.end
