"""The entry of the FAQ that answers a situation which students put in many words: to come to class, how much of the
grade something is, how long the exam takes, handing in late, reaching somebody. Pure."""

import re
from dataclasses import replace
from re import Pattern

from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import split_sentences
from serving.assistant.composing.composed import Composed
from serving.assistant.composing.cues import find_counted_thing
from serving.assistant.composing.expected_replies import find_expected_pattern
from serving.assistant.composing.request import Request
from serving.assistant.composing.rule_topics import ATTENDANCE, CONTACT, EXAM_FORM, LATE, WEIGHTS, RuleTopic, topics_in
from serving.assistant.composing.stored import give_stored
from serving.assistant.composing.terms import ALL_OF_IT, QuestionUnit, coverage, terms_of
from serving.index.analysis import terms
from serving.index.schema import Entry

_REPLIED = (ATTENDANCE, WEIGHTS, EXAM_FORM, LATE, CONTACT)
"""The situations of which a sentence plainly says what holds in them."""
_OF_THEM = frozenset(
    terms(
        "attend attendance compulsory mandatory obligatory required count counts weigh contribute grade percent "
        "percentage reach contact office long last late hand submit happen skip miss penalty day hour minute"
    )
)
_OF_THEM_ZH = re.compile(r"必须|出勤|考勤|缺课|旷课|占|百分之几|多长|多久|迟交|晚交|答疑|总评|成绩|比例|[分天]$")
"""Their own words, which a reply puts in others; of what it is asked it has to name everything else."""
SURE = 0.7
"""How sure such an entry is. A choice, as of a rule that speaks of all that is asked."""


def compose_stored_reply(request: Request) -> Composed | None:
    """The entry of the course's FAQ that says what holds in the situation that is asked about, of all that the question
    names beside it: the report is no exercise sheet; `None` without one, or with several on an exam."""
    topic = next((one for one in topics_in(request.question) if one in _REPLIED), None)
    if topic is None:
        return None
    entries = [one.entry for one in request.stored if one.entry.source == "faq" and not one.entry.is_platform]
    found = [one for one in entries if _replies(one, topic, request)]
    if not found or (topic is EXAM_FORM and len(found) > 1):
        return None
    given = give_stored(found[0], kind=request.kind, spoken=request.spoken, score=SURE)
    return replace(given, coverage="partial", is_whole=True)


def _replies(entry: Entry, topic: RuleTopic, request: Request) -> bool:
    """Whether a sentence of an entry gives what is asked for, and names it, itself or under its question."""
    is_titled = (topic.asked.search(entry.title) or topic.said.search(entry.title)) is not None
    units = [one for one in request.units if not _is_of_the_situation(one)]
    if not units and not is_titled:
        return False
    lang: Lang = "zh" if entry.lang == "zh" else "en"
    wanted, counted = find_expected_pattern(request.question), find_counted_thing(request.question)
    return any(
        (is_titled or topic.said.search(one) is not None)
        and coverage(units, terms_of(f"{entry.title} {one}" if is_titled else one)) >= ALL_OF_IT
        and _gives(entry.text if is_titled else one, wanted, counted)
        for one in split_sentences(entry.text, lang)
    )


def _gives(text: str, wanted: Pattern[str] | None, counted: str | None) -> bool:
    is_given = wanted is None or wanted.search(text) is not None
    return is_given and (counted is None or frozenset(terms(counted)) <= terms_of(text))


def _is_of_the_situation(unit: QuestionUnit) -> bool:
    """Whether a reply need not repeat it: a word of the situation, or a number: who misses three misses "more than
    two"."""
    return (
        unit.label.isdigit()
        or _OF_THEM_ZH.match(unit.label) is not None
        or any(name <= _OF_THEM for name in unit.names)
    )
