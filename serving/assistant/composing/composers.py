"""`compose`: one composer for each kind of question, the order in which they are tried, and what is said where none has
anything. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from knowledge_graph.text.segmenter import chinese_word_class
from knowledge_graph.text.sentences import split_sentences
from serving.assistant.composing.approved import compose_approved
from serving.assistant.composing.calculation import compose_calculation, formula_for
from serving.assistant.composing.catalogue import compose_catalogue
from serving.assistant.composing.comparison import compose_comparison, compose_each
from serving.assistant.composing.composed import Composed, ComposedStatement, body_of
from serving.assistant.composing.course_kinds import OF_LECTURES
from serving.assistant.composing.course_map import compose_map
from serving.assistant.composing.definition import compose_definition
from serving.assistant.composing.document_answers import document_fact
from serving.assistant.composing.exam_scope import compose_exam_scope
from serving.assistant.composing.expected_replies import find_expected_pattern
from serving.assistant.composing.explain import LIKELY, UNLIKELY, compose_explanation
from serving.assistant.composing.found_units import kinds_not_taught, list_found_texts, strange_names
from serving.assistant.composing.grades import compose_grade
from serving.assistant.composing.kinds import compose_list
from serving.assistant.composing.leading_cases import compose_leading_case
from serving.assistant.composing.lecture_list import count_lectures, list_lectures
from serving.assistant.composing.logistics import (
    compose_logistics,
    compose_nearest_rule,
    compose_price_or_date,
    is_about_the_course,
    lacks_a_price,
    lacks_the_reply,
)
from serving.assistant.composing.missing import find_missing_thing
from serving.assistant.composing.needed_amounts import compose_needed_amount
from serving.assistant.composing.people import compose_people
from serving.assistant.composing.premise import deny_premise
from serving.assistant.composing.recorded import compose_recorded, compose_reviews
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.compose import compose_plan
from serving.assistant.composing.semester.eligibility import compose_eligibility
from serving.assistant.composing.semester.hours import compose_hours
from serving.assistant.composing.semester.progress import compose_progress
from serving.assistant.composing.semester.sections import compose_sections
from serving.assistant.composing.semester.way import compose_way
from serving.assistant.composing.small_talk import compose_small_talk
from serving.assistant.composing.stored import (
    ASKED_ALIKE,
    compose_close,
    compose_naming,
    compose_stored,
    leads,
    nearest_questions,
    with_related,
)
from serving.assistant.composing.stored_replies import compose_stored_reply
from serving.assistant.composing.study_after import compose_after
from serving.assistant.composing.study_before import compose_before
from serving.assistant.composing.sufficiency import FULL
from serving.assistant.composing.summary import compose_summary
from serving.assistant.composing.task import compose_task
from serving.assistant.composing.teachers import WHO_TEACHES, compose_lectures_of_teachers, compose_named_teacher
from serving.assistant.composing.terms import (
    QuestionUnit,
    coverage,
    is_of_concept,
    known,
    phrases,
    stands_as_verb,
    terms_of,
    with_adjoining,
    with_articles,
)
from serving.assistant.composing.titled_examples import compose_aspect
from serving.assistant.composing.where import compose_where
from serving.assistant.composing.wording import find_name_in, wording
from serving.assistant.composing.yes_no import ASKS_LEAVE, OF_OPINION, add_verdict, compose_yes_no
from serving.assistant.understanding.question_kind import QuestionKind, question_kind
from serving.index.analysis import terms

Compose = Callable[[Request], Composed | None]


def compose_other(request: Request) -> Composed | None:
    """An explanation; under a doubt where the question names nothing, for then anything is near."""
    if (who := _WHO_WAS.match(request.question)) is not None and not _tells_of(who[1], request):
        return None
    found = compose_leading_case(request) or compose_explanation(request)
    if found is None or request.units or found.coverage == "full":
        return found
    said = wording(request.spoken)
    return replace(found, note=said.not_direct, after=said.hand_off, score=UNLIKELY)


_WHO_WAS = re.compile(
    r"^\W*(?:so |and |but )?who (?:was|is|were) ([A-Za-z][\w'’-]{2,})(?: actually| exactly| really)?\W*$", re.IGNORECASE
)
"""What asks for a person by one name."""
_OF_A_PERSON = r"(?:was|is|lived|found|invented|discovered|proved|published|who)"


def _tells_of(name: str, request: Request) -> bool:
    """Whether a sentence that was found says something of a person, and not of what is called after them."""
    said = re.compile(rf"\b{re.escape(name)}(?!['’]s\b)\b[^.]{{0,30}}?\b{_OF_A_PERSON}\b", re.IGNORECASE)
    return any(said.search(line.text) for piece in request.pieces for line in piece.lines)


def compose_compared(request: Request) -> Composed | None:
    """A comparison, with "No." before it where a sentence says that the one is not the other: "isn't X just Y"."""
    found = compose_comparison(request)
    return found if found is None else add_verdict(found, request)


COMPOSERS: Mapping[QuestionKind, Compose] = {
    "definition": compose_definition,
    "comparison": compose_compared,
    "why": compose_explanation,
    "how": compose_explanation,
    "list": compose_list,
    "aspect": compose_aspect,
    "yes_no": compose_yes_no,
    "where": compose_where,
    "before": compose_before,
    "after": compose_after,
    "summary": compose_summary,
    "people": compose_people,
    "task": compose_task,
    "calculation": compose_calculation,
    "plan": compose_plan,
    "logistics": compose_logistics,
    "catalogue": compose_explanation,
    "small_talk": compose_small_talk,
    "other": compose_other,
}
"""One composer a kind. Each gives `None` when the material has nothing for it."""

NEVER_STORED = ASKED_ALIKE | {"small_talk", "task", "plan"}
"""Kinds that no FAQ entry that is only near answers as well as their own composer."""

_RECORDED = frozenset({"definition", "comparison", "why", "how", "list", "aspect", "people", "calculation", "other"})
"""Kinds that a record from outside the course may answer, where the course does not."""

_WORKED_OUT = _RECORDED | {"yes_no", "after", "logistics"}
"""Kinds, by wording, of questions that give the numbers of a formula."""


def compose(request: Request) -> Composed:
    """The answer of the question's kind, a stored one or the lack of one; under a doubt where the question asks for an
    opinion of the course (how hard the exam is) and what is shown first gives none."""
    found = _say_what_is_missing(_compose(request), request)
    may_ask = request.kind in ("yes_no", "logistics") and not is_of_concept(request.units)
    is_opinion = may_ask and OF_OPINION.search(request.question) is not None
    is_given = any(_gives_opinion(one, request) for one in found.statements[:1])
    if not is_opinion or is_given or found.coverage != "partial":
        return found
    if all(OF_OPINION.search(unit.label) for unit in request.units):
        return nothing(request)  # of a course as a whole anything is near
    if found.note:
        return found
    said = wording(request.spoken)
    return replace(found, note=said.not_direct, after=said.hand_off, score=UNLIKELY)


def _say_what_is_missing(found: Composed, request: Request) -> Composed:
    """What was found, below the word that what is asked for is not in the material, where nothing better is said."""
    said = wording(request.spoken)
    if found.coverage != "partial" or found.note not in ("", said.not_direct, said.probably, said.faq_noted):
        return found
    if not (what := find_missing_thing(request)):
        return found
    return replace(found, note=said.none_such.format(what=what), after=said.hand_off, score=UNLIKELY)


def _gives_opinion(said: ComposedStatement, request: Request) -> bool:
    """Whether a sentence says how hard or good something is, of the course itself where that is asked about."""
    sentences = split_sentences(said.text, request.lang)
    return any(OF_OPINION.search(one) and (request.units or _OF_THE_COURSE.search(one)) for one in sentences)


_OF_THE_COURSE = re.compile(
    r"\b(?:course|class|material|topics?|exercises|assignments|lectures|exams?|midterm|quiz(?:zes)?)\b|课|作业|考试",
    re.IGNORECASE,
)


def _compose(request: Request) -> Composed:
    """What a TA approved for this question in other words, a formula with the question's numbers, how many lectures
    there are, a stored answer that covers the question, what the kind's composer makes, or the lack of an answer."""
    if (approved := compose_approved(request)) is not None:
        return approved
    if request.kind in _WORKED_OUT and formula_for(request) is not None and (worked := compose_calculation(request)):
        return worked
    for composer in _COMPUTED:
        if (computed := composer(request)) is not None:
            return computed
    stored = None if request.kind in NEVER_STORED - ASKED_ALIKE else compose_stored(request)
    stored = stored or compose_stored_reply(request)
    if stored is not None and not lacks_a_price(request, stored):
        return stored
    told = compose_price_or_date(request) or (deny_premise(request) if request.kind != "plan" else None)
    told = told or compose_needed_amount(request)
    if told is not None:
        return told
    of_records = compose_reviews(request) or compose_catalogue(request)
    if (
        of_records is None
        and request.kind in _OF_FACTS
        and (stated := document_fact(request, find_expected_pattern(request.question))) is not None
    ):
        return stated
    each = compose_each(request) if of_records is None and request.kind == "definition" else None
    found = of_records or each or (None if _is_in_no_record(request) else COMPOSERS[request.kind](request))
    asks_leave = request.kind == "yes_no" and ASKS_LEAVE.search(request.question) is not None
    is_first = request.kind == "logistics" or not leads(request)
    is_likely = found is not None and found.score >= LIKELY and not asks_leave and is_first
    if found is not None and (found.coverage == "full" or is_likely):
        return found if request.kind in NEVER_STORED else with_related(found, request)
    is_recorded = request.kind in _RECORDED and not WHO_TEACHES.search(request.question)
    if is_recorded and not _speaks_of_all(found, request) and (recorded := compose_recorded(request)):
        return recorded
    return _nearest(found, request)


_COMPUTED: tuple[Compose, ...] = (
    compose_map,
    compose_exam_scope,
    count_lectures,
    list_lectures,
    compose_named_teacher,
    compose_lectures_of_teachers,
    compose_grade,
    compose_progress,
    compose_eligibility,
    compose_sections,
    compose_hours,
    compose_way,
)
"""What is told by the records of a course or worked out from them, whatever the kind of the question."""


def _nearest(found: Composed | None, request: Request) -> Composed:
    """What was found and is not sure, the FAQ's entry or the rule that is nearest, or the lack of an answer."""
    is_unanswered = found is None or found.coverage == "none"
    if is_unanswered and (stored := _compose_stored_at_last(request)) is not None:
        return stored
    name = find_name_in(found.note, wording(request.spoken).hardly_named) if found is not None else ""
    if found is not None and name and (named := compose_naming(request, name)) is not None:
        return _put_above(named, found)
    return (
        _with_close(found, request)
        or compose_nearest_rule(request)
        or _close_rule(request)
        or _explain_beside_life(request)
        or nothing(request)
    )


def _compose_stored_at_last(request: Request) -> Composed | None:
    """An entry of the FAQ for a question whose kind seldom has one, and whose composer has nothing: a file that is
    missing after an installation is not what is taught after it. What asks for a lecture is not answered by it."""
    is_of_lectures = request.kind in ("where", "summary") and OF_LECTURES.search(request.question) is not None
    if request.kind not in _AT_LAST or is_of_lectures or is_of_concept(request.units) or kinds_not_taught(request):
        return None
    return compose_stored(request, is_alike=False) or compose_close(request, is_alike=False)


_AT_LAST = NEVER_STORED - {"small_talk", "task"}
"""Kinds that the FAQ may answer where their own composer has nothing; graded work is never among them."""


def _close_rule(request: Request) -> Composed | None:
    """The close entry of the FAQ for a question on the course's life that no rule answers."""
    if request.kind != "logistics" or is_of_concept(request.units):
        return None
    close = compose_close(request, is_alike=False)
    return None if close is not None and lacks_the_reply(request, close) else close


def _explain_beside_life(request: Request) -> Composed | None:
    """What the lectures say of the subject, where a question that sounds like one on the course's life names it in
    words that one sentence has, two at least: whether cramming all night helps before the exam."""
    if request.kind != "logistics":
        return None
    units = tuple(one for one in known(request.units) if not is_about_the_course(one.label) and not _says_when(one))
    is_much = len(units) > 1 or any(one.label in request.material.lectures.called_names for one in units)
    if not is_much or not any(request.material.lectures.naming([one.names for one in units]).values()):
        return None
    kind = question_kind(request.question)
    found = compose_explanation(replace(request, kind=kind, units=units))
    said = wording(request.spoken)
    return found and replace(found, note=found.note or said.probably, after=said.hand_off, score=UNLIKELY)


def _says_when(unit: QuestionUnit) -> bool:
    """Whether a Chinese word only says when: 明天, 前."""
    return chinese_word_class(unit.label)[:1] in ("t", "f")


def _with_close(found: Composed | None, request: Request) -> Composed | None:
    """What was found, if anything, and the entry of the FAQ that is close to the question, if any."""
    may_be_close = request.kind not in NEVER_STORED and request.kind != "logistics" and not kinds_not_taught(request)
    close = compose_close(request, is_alike=found is not None) if may_be_close else None
    if found is not None and close is not None:
        return _beside(found, close, request)
    return with_related(found, request) if found is not None and may_be_close else found or close


def _beside(found: Composed, close: Composed, request: Request) -> Composed:
    """What was found and the close entry of the FAQ, which stands above where it is near enough to lead."""
    if leads(request):
        return _put_above(close, found)
    others = [one for one in found.statements if not _is_within(one, close.statements)]
    return replace(found, statements=(*others[:3], *close.statements), choices=found.choices or close.choices)


def _put_above(close: Composed, found: Composed) -> Composed:
    """The entry of the FAQ, and the first of what else was found."""
    others = [one for one in found.statements if not _is_within(one, close.statements)]
    return replace(close, statements=(*close.statements, *others[:2]), after=found.after)


def _is_within(one: ComposedStatement, shown: Sequence[ComposedStatement]) -> bool:
    """Whether what is said below a heading is shown already."""
    return any(body_of(one.text) in other.text for other in shown)


_OF_FACTS = frozenset({"logistics", "calculation", "other", "definition", "how"})
"""Kinds, by wording, of questions for a date or an amount: "how much is the report worth" is no calculation."""


def _is_in_no_record(request: Request) -> bool:
    """Whether a catalogue is asked about something that none of its records has a word of."""
    is_strange = bool(request.units) and not known(request.units)
    return is_strange and bool(request.catalogue.classes) and request.kind not in NEVER_STORED


def other_language(request: Request) -> Composed:
    """That the message is in no language that is read here."""
    said = wording(request.spoken)
    return Composed(request.kind, "none", (ComposedStatement(said.foreign),), after=said.ask_ta)


def nothing(request: Request) -> Composed:
    """That the material does not say it, naming what it never speaks of; the questions of the FAQ that may have been
    meant, and the way to a person."""
    said = wording(request.spoken)
    is_short = len(request.units) <= MOST_NAMED
    may_be_strange = [unit for unit in request.units if unit.concept_id is None and (is_short or not unit.is_known)]
    strange = [unit.label for unit in may_be_strange if len(unit.label) > 2]
    known = frozenset(term for text in list_found_texts(request.pieces, request.stored) for term in terms(text))
    wholes = [unit.label for unit in request.units if not unit.is_known and " " in unit.label]
    never = [label for label in strange if label in wholes or not terms_of(label) & known]
    asked = request.asked or request.question
    never = [label for label in never if not stands_as_verb(label, asked)]
    named = phrases(with_adjoining(never, request.units, asked), asked) if 0 < len(never) <= MOST_NAMED else []
    if request.kind == "where" and request.names and request.material.lectures.lectures:
        text = said.not_taught.format(names=said.join(named) or request.names)
    elif request.kind == "people" and request.names:
        text = said.no_maker.format(names=request.names)
    elif named and request.kind in _NAMES_A_THING:
        text = said.nothing_of.format(names=said.join(with_articles(named, asked)))
    elif request.kind not in ("people", "where") and (names := strange_names(request)):
        text = said.nothing_of.format(names=said.join(with_articles(names, asked)))
    else:
        text = said.nothing
    choices = nearest_questions(request)
    return Composed(request.kind, "none", (ComposedStatement(text),), after=said.ask_ta, choices=choices)


def _speaks_of_all(found: Composed | None, request: Request) -> bool:
    """Whether the first that the course itself says of it speaks of everything that was asked."""
    if found is None or not found.statements or found.note == wording(request.spoken).each_alone:
        return False
    return coverage(request.units, terms_of(found.statements[0].text)) >= FULL


_NAMES_A_THING: frozenset[QuestionKind] = frozenset({"definition", "aspect", "comparison", "people", "where"})
"""Kinds whose words name things; of another question a word that no text has may be any word of its story."""

MOST_NAMED = 3
"""Words that are named as never spoken of; more of them are the student's story. A choice."""
