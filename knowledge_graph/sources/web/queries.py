"""Which queries are sent for a course: what its own material does not answer. Pure, and the one place that decides it.

Concepts leave the house, students' words only when the setting says so, and never those that may name a person.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowledge_graph.graph.showing import definition_to_show
from knowledge_graph.lake.records import Concept, CourseCard, SearchQuery
from knowledge_graph.sources.language import lang_of
from knowledge_graph.text.sentences import normal_form

LONGEST_QUERY = 300
"""Characters; a longer question is a text with a story in it."""
_PERSONAL = re.compile(
    r"""
    (?<![\w.+-])[\w.+-]++@[\w-]+                     # e-mail addresses and handles
    | (?:\d[\s().+-]*){7,}                           # phone, identity and student numbers
    | \b[a-z]{1,3}\d{5,}\b                           # student numbers with letters before them
    | \b(?:my\ name\ is|student\ (?:id|no|number)|whats\ ?app|we\ ?chat|telegram|password|passcode)\b
    | 我叫|我的名字|我是[^不]{0,6}(?:班|级)|学号|姓名|身份证|手机|电话|微信|邮箱|密码|qq
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True)
class QueryPlan:
    """`withheld` questions may name a person, or are too long to be a query; `left_out` ones are beyond the limit."""

    queries: tuple[SearchQuery, ...]
    withheld: int
    left_out: int


def plan_queries(
    card: CourseCard,
    concepts: Iterable[Concept],
    unanswered: Iterable[tuple[str, int]],
    *,
    max_queries: int,
    send_questions: bool,
) -> QueryPlan:
    """Concepts the course does not define, best rank first, then `unanswered` questions, the most asked first.

    Questions come with how often each was asked. Of queries with one normal form the first is sent. Questions get up
    to half of the places, concepts the others.
    """
    asked = sorted(unanswered, key=lambda pair: (-pair[1], pair[0])) if send_questions else []
    questions = [" ".join(question.split()) for question, _ in asked]
    sendable = [question for question in questions if question and is_sendable(question)]
    known: set[str] = set()
    of_concepts = _each_once(_concept_queries(card, concepts), known)
    of_questions = _each_once([_question_query(card, question) for question in sendable], known)
    kept = of_questions[: max(max_queries // 2, max_queries - len(of_concepts))]
    chosen = (*of_concepts[: max_queries - len(kept)], *kept)
    left_out = len(of_concepts) + len(of_questions) - len(chosen)
    return QueryPlan(chosen, sum(bool(question) for question in questions) - len(sendable), left_out)


def is_sendable(question: str) -> bool:
    """Whether a student's question may be shown to a search engine: nothing in it looks like a person's data."""
    folded = unicodedata.normalize("NFKC", question)
    return len(folded) <= LONGEST_QUERY and _PERSONAL.search(folded) is None


def query_key(query: str) -> str:
    """Under which two queries are the same."""
    return normal_form(query.strip().rstrip("?？.。!！ "), lang_of(query))


def _concept_queries(card: CourseCard, concepts: Iterable[Concept]) -> list[SearchQuery]:
    # One that an earlier search defined is asked for again: its reply would be gone from the next build otherwise.
    undefined = [each for each in concepts if definition_to_show(each) is None or each.definition_kind == "search"]
    ordered = sorted(undefined, key=lambda concept: (concept.rank, concept.concept_id))
    return [
        SearchQuery(card.course_id, _in_context(concept, card), "concept", concept.concept_id, concept.lang)
        for concept in ordered
    ]


def _in_context(concept: Concept, card: CourseCard) -> str:
    """The name; with the subject when it is so short that it means other things elsewhere: `stack`, `tree`, `栈`."""
    name = " ".join(concept.name.split())
    is_short = len(name) <= 2 if concept.lang == "zh" else " " not in name and name.islower()
    subject = card.subject or next(iter(card.domains), "")
    return f"{name} {subject}" if is_short and subject else name


def _question_query(card: CourseCard, question: str) -> SearchQuery:
    return SearchQuery(card.course_id, question, "unanswered", None, lang_of(question, card.lang))


def _each_once(queries: Sequence[SearchQuery], known: set[str]) -> list[SearchQuery]:
    found = []
    for query in queries:
        key = query_key(query.query)
        if key and key not in known:
            known.add(key)
            found.append(query)
    return found
