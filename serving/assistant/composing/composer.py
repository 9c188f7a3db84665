"""`Composer`: from an understood question to a composed answer; which composer does it, and what stands in for it.

The table `COMPOSERS` names one composer for each kind of question. Everything is looked up once, here, before any of
them is asked.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, partial

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import Mention
from knowledge_graph.lake.records import Lang, Mode
from knowledge_graph.text.sentences import has_cjk
from serving.assistant.composing.arithmetic import named, work_out
from serving.assistant.composing.calculation import compose_calculation, formula_for
from serving.assistant.composing.catalogue import compose_catalogue
from serving.assistant.composing.comparison import compose_comparison
from serving.assistant.composing.composed import Composed, ComposedStatement, body_of, within
from serving.assistant.composing.cues import defines
from serving.assistant.composing.definition import compose_definition
from serving.assistant.composing.document_answers import document_fact
from serving.assistant.composing.explain import LIKELY, compose_explanation
from serving.assistant.composing.grades import compose_grade
from serving.assistant.composing.kinds import compose_list
from serving.assistant.composing.lectures import CourseLectureIndex, CourseLectures
from serving.assistant.composing.logistics import (
    WHO_TEACHES,
    compose_logistics,
    compose_nearest_rule,
    count_lectures,
    expected_in,
    is_about_the_course,
)
from serving.assistant.composing.material import CourseMaterialIndex, MaterialPiece
from serving.assistant.composing.nearby import add_nearby
from serving.assistant.composing.people import compose_people
from serving.assistant.composing.premise import deny_premise
from serving.assistant.composing.recorded import compose_recorded
from serving.assistant.composing.request import FindPieces, Request
from serving.assistant.composing.semester.compose import compose_plan
from serving.assistant.composing.semester.hours import compose_hours
from serving.assistant.composing.semester.names import cut_short
from serving.assistant.composing.semester.offers import Catalogues
from serving.assistant.composing.semester.progress import compose_progress
from serving.assistant.composing.semester.sections import compose_sections
from serving.assistant.composing.semester.way import compose_way
from serving.assistant.composing.small_talk import compose_small_talk, occasion_of
from serving.assistant.composing.stored import compose_close, compose_stored, leads, stored_matches
from serving.assistant.composing.study_order import compose_after, compose_before
from serving.assistant.composing.sufficiency import FULL
from serving.assistant.composing.summary import compose_summary
from serving.assistant.composing.task import compose_task
from serving.assistant.composing.terms import (
    NEVER,
    OF_KINDS,
    OF_QUESTIONS,
    OF_QUESTIONS_ZH,
    WORDS,
    QuestionUnit,
    coverage,
    is_spelled_in,
    known,
    owned_by_any,
    phrases,
    says_in_order,
    spelling_pattern,
    spellings,
    stands_as_verb,
    terms_of,
    unit_of,
    units_of,
    whole_name,
)
from serving.assistant.composing.where import compose_where, homes_of
from serving.assistant.composing.wording import wording
from serving.assistant.composing.yes_no import ASKS_LEAVE, compose_yes_no
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved
from serving.assistant.retrieval.lookup import Dense
from serving.assistant.understanding.aspects import Aspect, asked_aspects
from serving.assistant.understanding.focus import Position
from serving.assistant.understanding.question_kind import QuestionKind, question_kind
from serving.assistant.understanding.spelling import SpellingCorrection, correct, is_foreign
from serving.assistant.understanding.translation import is_of_course_life, synonyms_in, translate
from serving.assistant.understanding.understand import Understanding
from serving.assistant.understanding.wishes import Wish
from serving.index.analysis import content_terms, normalized_question, terms
from serving.index.evidence import MAX_CITED
from serving.index.schema import KINDS
from serving.index.search import SearchIndex
from serving.llm.messages import Message

Compose = Callable[[Request], Composed | None]

COMPOSERS: Mapping[QuestionKind, Compose] = {
    "definition": compose_definition,
    "comparison": compose_comparison,
    "why": compose_explanation,
    "how": compose_explanation,
    "list": compose_list,
    "aspect": compose_explanation,
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
    "other": compose_explanation,
}
"""One composer a kind. Each gives `None` when the material has nothing for it."""

LANGUAGES: Mapping[Lang, Mapping[Lang, str]] = {
    "en": {"en": "English", "zh": "Chinese"},
    "zh": {"en": "英语", "zh": "中文"},
}
"""What one language calls the other."""

ASKS_SOMETHING = re.compile(
    r"[?？]|\b(?:what|why|how|explain|when|where|which|can (?:you|i|we)|do (?:i|we|they))\b"
    r"|什么|啥|怎么|为什么|干嘛|如何|哪|吗",
    re.IGNORECASE,
)

_NEVER_STORED = frozenset({"where", "summary", "small_talk", "before", "after", "task", "plan"})
"""Kinds that no FAQ entry answers as well as their own composer."""

_OF_THE_COURSE = _NEVER_STORED - {"small_talk"} | {"logistics", "catalogue"}
"""Kinds that a message is by what only courses have: no small talk, whatever the intent model says."""

_RECORDED = frozenset({"definition", "comparison", "why", "how", "list", "aspect", "people", "calculation", "other"})
"""Kinds that a record from outside the course may answer, where the course does not."""

_WORKED_OUT = _RECORDED | {"yes_no", "after", "logistics"}
"""Kinds, by wording, of questions that give the numbers of a formula."""

_ASPECT_KINDS = frozenset({"definition", "other", "list", "calculation", "how"})
"""Kinds by wording that are about one aspect where the question names one: "what is the complexity of X"."""


SAME_WORDS = 5
"""Entries that are looked at for one whose question has the very words: it is first by BM25, or nearly. A choice."""
LONGEST_STORED = 600
"""Characters of a question beyond which no entry is looked for that asks it word for word. A choice."""


@dataclass(frozen=True)
class ComposerInput:
    """One question on its way to a composer: as it was `asked`, as it was `sought` (the same, or put into the course's
    language), and what was retrieved for it."""

    asked: Understanding
    sought: Understanding
    retrieved: Retrieved
    course_id: str | None
    history: Sequence[Message] = ()
    position: Position | None = None
    mode: Mode | None = None
    wish: Wish = ""


class Composer:
    """Composes answers over one graph, one index version and the lectures of a home. Asks no model."""

    def __init__(
        self,
        graph: ConceptGraph,
        index: SearchIndex,
        *,
        dense: Dense | None = None,
        lectures: CourseLectureIndex | None = None,
        catalogues: Catalogues | None = None,
        today: Callable[[], date] = date.today,
    ) -> None:
        """`today` tells the day, by which the next semester is meant."""
        self._graph, self._index, self._dense = graph, index, dense
        self._lectures = lectures or CourseLectureIndex()
        self._catalogues = catalogues or Catalogues()
        self._today = today

    def compose(self, question: ComposerInput) -> Composed:
        """The answer of the question's kind; the nearest stored one or the honest lack of one where it has none."""
        request = self.request(question)
        is_stuck = occasion_of(question.asked.question) == "frustrated" and _is_in_the_faq(request)
        if is_small_talk(question.asked) and not is_stuck:
            return compose_small_talk(request)
        if is_foreign(question.asked.question, self._lectures.of(question.course_id).words):
            return other_language(request)
        found = add_nearby(compose(request), request)
        found = replace(found, statements=within(found.statements, MAX_CITED))
        if (
            found.coverage != "full"
            and found.score < LIKELY
            and (found.stored is None or (question.asked.is_emotional and not _is_in_the_faq(request)))
            and request.kind not in _NEVER_STORED
            and _chats(question, request)
        ):
            return compose_small_talk(request, is_sad=question.asked.is_emotional)
        return self._said_in(found, question)

    def stored_word_for_word(self, question: str, course_id: str | None) -> PairCandidate | None:
        """The entry of the course's FAQ whose own question this is, but for case, blanks and end marks."""
        if course_id is None or len(question) > LONGEST_STORED:
            return None
        wanted = normalized_question(question)
        hits = self._index.search(question, course_id=course_id, sources=("faq",), k=SAME_WORDS)
        own = (hit for hit in hits if hit.entry.course_id == course_id)
        found = next((hit for hit in own if normalized_question(hit.entry.title) == wanted), None)
        return PairCandidate(found.entry, found.score, match=1.0) if found is not None else None

    def corrected(self, asked: Understanding, course_id: str | None) -> SpellingCorrection | None:
        """The question with mistyped words, and names that no text has, put as the material has them; `None` when
        there are none."""
        text, words = asked.question, []
        kind = question_kind(text)
        if kind in ("task", "plan") or named(text) is not None:
            return None
        for start, end, names in () if kind in _OF_THE_COURSE or is_about_the_course(text) else synonyms_in(text):
            if OF_QUESTIONS_ZH.fullmatch(text[start:end]) or OF_QUESTIONS.issuperset(terms(text[start:end])):
                continue
            if (
                is_of_course_life(text[start:end])
                or self._says(text[start:end].lower(), course_id)
                or self._graph.mentions(text[start:end])
            ):
                continue
            if (name := next((one for one in names if self._says(one, course_id)), None)) is not None:
                text = f"{text[:start]}{name}{text[end:]}"
                words.append(name)
        typed = (
            correct(
                text,
                self._lectures.of(course_id).words,
                knows=self._knows,
                says=lambda name: self._says(name, course_id),
            )
            if asked.lang == "en"
            else None
        )
        if typed is not None:
            return SpellingCorrection(typed.text, tuple(dict.fromkeys((*words[::-1], *typed.words))))
        return SpellingCorrection(text, tuple(dict.fromkeys(words[::-1]))) if words else None

    def with_class_codes(self, text: str, course_id: str | None) -> str:
        """A text with the code behind each title of a class, where the course is a catalogue: what "it" may be."""
        catalogue = self._catalogues.of(course_id)
        titles = {key: one.title for key, one in catalogue.classes.items()}
        for key, (_, end) in sorted(cut_short(text, titles).items(), key=lambda one: -one[1][1]):
            code = catalogue.classes[key].code
            text = text if code in text else f"{text[:end]} ({code}){text[end:]}"
        return text

    def _says(self, name: str, course_id: str | None) -> bool:
        """Whether the course's material has a name word for word, in what it is found in first."""
        hits = (hit for kind in KINDS for hit in self._index.search(name, kind=kind, course_id=course_id, k=3))
        return any(name in f"{hit.entry.title}\n{hit.entry.text}".lower() for hit in hits)

    def _knows(self, text: str) -> bool:
        """Whether the index holds every term of a text."""
        unseen = self._index.idf(NEVER)
        return all(self._index.idf(term) < unseen for term in terms(text))

    def in_course_language(self, asked: Understanding, course_id: str | None) -> str | None:
        """The question in the language of the course; `None` when it is in it, or cannot be put into it."""
        card = self._graph.course(course_id) if course_id else None
        if card is None or card.lang == asked.lang:
            return None
        return translate(asked.question, card.lang)

    def _said_in(self, found: Composed, question: ComposerInput) -> Composed:
        """With a word on what was looked up, where the question was put into another language."""
        if question.asked is question.sought or found.coverage == "none" or found.kind == "plan":
            return found
        said = wording(question.asked.lang)
        language = LANGUAGES[question.asked.lang][question.sought.lang]
        note = said.other_language.format(language=language, query=question.sought.question)
        return replace(found, note="\n\n".join(part for part in (note, found.note) if part))

    def request(self, asked: ComposerInput) -> Request:
        """Everything that is known of a question, looked up."""
        understood, course_id = asked.sought, asked.course_id
        card = self._graph.course(course_id) if course_id else None
        lang: Lang = card.lang if card is not None else understood.lang
        question = understood.question
        kind, aspects = kind_of(asked.asked.question, names_concept=bool(understood.concepts))
        if asked.asked is not understood:
            aspects = aspects or asked_aspects(question)
        mentions = [one for one in self._graph.mentions(question) if self._is_own(one.concept_id, course_id)]
        if asked.asked is understood and is_named_by(aspects, question, mentions):
            kind, aspects = "definition", ()
        thing = thing_named(question, aspects) if kind == "aspect" and asked.asked is understood else ""
        if thing:
            kind, aspects = "definition", ()
        blanked = [found.group() for aspect in aspects for found in aspect.asked.finditer(question)]
        ignore = frozenset(term for text in blanked for term in terms(text))
        mentions = [one for one in mentions if not ignore.issuperset(terms(one.surface))]
        if kind == "people":
            ignore |= of_making("zh" if has_cjk(question) else "en")
        keep = OF_RULES if kind == "logistics" else ()
        units = units_of(question, mentions, self._graph.concept, self._index.idf, ignore=ignore, keep=keep)
        if thing and not units:
            units = (unit_of(thing, self._index.idf),)
        if kind == "comparison" and not units:  # what is compared are aspects: the worst case with the average case
            aspects, units = (), units_of(question, (), self._graph.concept, self._index.idf)
        material = CourseMaterialIndex(self._index, self._dense, self._lectures.of(course_id), course_id)
        homes = homes_of(units, material.lectures)
        literals = [pattern for unit in units if (pattern := spelling_pattern(unit)) is not None]
        vector = (
            asked.retrieved.vector if understood.lang == lang else None
        )  # of another language it compares with nothing

        @cache
        def find_pieces() -> tuple[MaterialPiece, ...]:
            found = material.pieces(question, vector, lang=lang, mode=asked.mode)
            if literals:
                found = [one for one in found if all(map(partial(_spells, one), literals))]
            return tuple(replace(piece, home=_home(piece, homes)) for piece in found)

        units = tuple(_as_named(unit, find_pieces, material.lectures) for unit in units)
        if kind == "definition":
            name = whole_name(question, mentions)
            whole = unit_of(name, self._index.idf) if name else None
            units = _to_be_defined(owned_by_any(question, units), whole, find_pieces, material.lectures)
        spelled = partial(_as_it_is_spelled, units, find_pieces)
        shown = "\n".join(turn.content for turn in asked.history if turn.role == "assistant")
        return Request(
            question=question,
            kind=kind,
            lang=lang,
            spoken=asked.asked.lang,
            units=units,
            aspects=aspects,
            concepts=understood.concepts,
            stored=asked.retrieved.ranked,
            find_pieces=cache(spelled) if kind == "definition" else find_pieces,
            material=material,
            graph=self._graph,
            card=card,
            position=asked.position,
            wish=asked.wish,
            asked=asked.asked.question,
            catalogue=self._catalogues.of(course_id),
            today=self._today() if kind == "plan" else None,
            is_compared=vector is not None and self._dense is not None,
            seen=shown if asked.wish == "more" else "",
        )

    def _is_own(self, concept_id: str, course_id: str | None) -> bool:
        return course_id is None or course_id in self._graph.concept(concept_id).course_ids


def _spells(piece: MaterialPiece, literal: re.Pattern[str]) -> bool:
    return any(literal.search(text) for text in (piece.entry.title, *(line.text for line in piece.lines)))


def _as_it_is_spelled(units: Sequence[QuestionUnit], find_pieces: FindPieces) -> tuple[MaterialPiece, ...]:
    """The passages that spell the one word to be defined, where any does: a transform is no transformer."""
    found = find_pieces()
    if len(units) != 1:
        return found
    kept = tuple(one for one in found if is_spelled_in(units[0], f"{one.entry.title} {one.entry.text}"))
    return kept or found


def _home(piece: MaterialPiece, homes: Mapping[str, float]) -> float:
    at = piece.entry.locator
    return homes.get(at.video_id, 0.0) if at is not None and at.video_id is not None else 0.0


def _as_named(unit: QuestionUnit, find_pieces: FindPieces, lectures: CourseLectures) -> QuestionUnit:
    """A name of several words that no sentence has is not known, though the course uses each of its words."""
    if unit.concept_id is not None or not unit.is_known or all(len(name) == 1 for name in unit.names):
        return unit
    if (literal := spelling_pattern(unit)) is not None:
        texts = [one.text for said in lectures.naming([unit.names]).values() for one in said]
        texts += [line.text for piece in find_pieces() for line in piece.lines]
        return unit if any(literal.search(text) for text in texts) else replace(unit, is_known=False)
    if lectures.naming([unit.names]):
        return unit
    said = any(name <= terms_of(line.text) for piece in find_pieces() for line in piece.lines for name in unit.names)
    return unit if said else replace(unit, is_known=False)


def _to_be_defined(
    units: Sequence[QuestionUnit], whole: QuestionUnit | None, find_pieces: FindPieces, lectures: CourseLectures
) -> tuple[QuestionUnit, ...]:
    """The units of a thing to be defined, whose `whole` name may say more than they do; the name alone, as unknown,
    where no text has it: a confusion matrix is no matrix, and who learns to transfer does no transfer learning. Of a
    concept's own thing that is defined without its name, that thing: an AVL tree rotation is a rotation."""
    units = tuple(_as_spelled(unit, find_pieces, lectures) for unit in units)
    if whole is None:
        return units
    name = frozenset(content_terms(whole.label)) or whole.names[0]
    texts = [one.text for each in lectures.naming([name]).values() for one in each]
    for piece in find_pieces():
        texts += [piece.entry.title, *(line.text for line in piece.lines)]
    said = [text for text in texts if name <= terms_of(text)]
    if any(says_in_order(text, whole.label) for text in said):
        return units
    if (head := _head_of(whole.label, units)) is not None and any(defines(text, [head.label]) for text in texts):
        return (head,)
    if whole.label.lower().split()[0] in OF_KINDS:
        return (replace(whole, is_known=False),)
    is_in_units = name <= {term for unit in units for each in unit.names for term in each}
    return units if said and is_in_units else (replace(whole, is_known=False),)


def _head_of(name: str, units: Sequence[QuestionUnit]) -> QuestionUnit | None:
    """The unit that ends a name which begins with a concept."""
    concepts = [one.label.lower() for one in units if one.concept_id is not None]
    rest = next((name[len(one) :].strip() for one in concepts if name.lower().startswith(f"{one} ")), "")
    return next((one for one in units if one.label.lower() == rest.lower()), None)


def _as_spelled(unit: QuestionUnit, find_pieces: FindPieces, lectures: CourseLectures) -> QuestionUnit:
    """A word to be defined that nothing found spells so is not known: a transformer is no log transform."""
    spelled = spellings(unit)
    if not spelled or not unit.is_known:
        return unit
    if spelled & lectures.words.counts.keys() or len(unit.names) > 1:
        return unit
    said = " ".join(f"{piece.entry.title} {piece.entry.text}" for piece in find_pieces()).lower()
    return unit if spelled & set(WORDS.findall(said)) else replace(unit, is_known=False)


def is_named_by(aspects: Sequence[Aspect], question: str, mentions: Sequence[Mention]) -> bool:
    """Whether what looks like an aspect is a part of the one name that is asked about: "the normal equation"."""
    if not aspects or len(mentions) != 1 or question_kind(question) != "definition":
        return False
    name = mentions[0]
    beside = f"{question[: name.start]} {question[name.end :]}"
    return not asked_aspects(beside) and OF_QUESTIONS.issuperset(content_terms(beside, strict=True))


OF_RULES = frozenset(terms("sick ill illness miss missed"))
"""Words of a student's story that the rules of a course speak of."""

_MAKING = "develop build write publish name"
_CHINESE_MAKING = "发明 提出 发现 创造 设计 开发 命名 制造 建造 出来"


@cache
def of_making(lang: Lang) -> frozenset[str]:
    """What somebody did to a thing, which is no part of it: made when asked for, as Chinese takes its dictionary."""
    return frozenset(terms(f"{_MAKING} {_CHINESE_MAKING}" if lang == "zh" else _MAKING))


OF_LECTURES = re.compile(
    r"\b(?:lectures?|videos?|lessons?|episodes?|chapters?|units?|clips?|taught|explain\w*|cover\w*|discuss\w*"
    r"|mention\w*)\b|[讲节集章]|视频|提到",
    re.IGNORECASE,
)
"""What asks for a place in the lectures rather than in the rules."""


_EXAMS = re.compile(r"\b(?:mid-?terms?|finals?|exams?|quiz(?:zes)?|tests?)\b|期中|期末|考试|测验", re.IGNORECASE)
_TOLD = re.compile(r"\b(?:explain|mention|discuss|talk|say|said|told|announce)\w*|[讲说提]", re.IGNORECASE)
"""Which lectures an exam covers is a rule of the course; which of them speaks of it is a place in the lectures."""


def thing_named(question: str, aspects: Sequence[Aspect]) -> str:
    """What looks like an aspect and is all whose definition is asked: "what is big O"; empty where more is asked."""
    found = next((at for one in aspects if (at := one.asked.search(question))), None)
    if found is None or question_kind(question) != "definition":
        return ""
    start = found.start() - len(of.group()) if (of := _OF_WHAT.search(question[: found.start()])) else found.start()
    beside = OF_QUESTIONS_ZH.sub(" ", f"{question[:start]} {question[found.end() :]}")
    return question[start : found.end()].strip() if OF_QUESTIONS.issuperset(content_terms(beside, strict=True)) else ""


_OF_WHAT = re.compile(
    r"(?:\b(?:time|space|running|memory|computational|asymptotic) ){1,8}$|(?:时间|空间)$", re.IGNORECASE
)

_PERCENT = re.compile(r"\d ?% of \d")


def kind_of(question: str, *, names_concept: bool = False) -> tuple[QuestionKind, tuple[Aspect, ...]]:
    """The kind of a question and the aspects it asks for: by its wording, and by whether it is about the course."""
    if named(question) is not None or (_PERCENT.search(question) and work_out(question) is not None):
        return "calculation", ()
    kind, aspects = question_kind(question), asked_aspects(question)
    if kind == "where" and not names_concept and is_about_the_course(question):
        is_examined = _EXAMS.search(question) and not _TOLD.search(question)
        if is_examined or not OF_LECTURES.search(question):
            return "logistics", ()
    if kind not in ("task", "plan", "where", "summary", "before", "after") and is_about_the_course(
        question, names_concept=names_concept
    ):
        return "logistics", ()
    if kind == "definition" and all(one.key == "property" for one in aspects):
        return kind, ()
    if kind == "why":
        return kind, tuple(one for one in aspects if one.key in _COMPARED)
    if kind in _ASPECT_KINDS and aspects:
        return "aspect", aspects
    if kind in ("people", "comparison", "yes_no"):
        return kind, tuple(one for one in aspects if one.key in _COMPARED)
    return kind, ()


_COMPARED = frozenset({"complexity", "space", "worst_case", "best_case", "average_case"})
"""Aspects in which things are compared, and of which it is asked whether they are so."""


def compose(request: Request) -> Composed:
    """A formula with the question's numbers, how many lectures there are, a stored answer that covers the question,
    what the kind's composer makes, or the lack of an answer."""
    if request.kind in _WORKED_OUT and formula_for(request) is not None and (worked := compose_calculation(request)):
        return worked
    if (counted := count_lectures(request)) is not None:
        return counted
    for composer in (compose_grade, compose_progress, compose_sections, compose_hours, compose_way):
        if (computed := composer(request)) is not None:
            return computed
    if request.kind not in _NEVER_STORED and (stored := compose_stored(request)) is not None:
        return stored
    denied = deny_premise(request) if request.kind != "plan" else None
    if denied is not None:
        return denied
    of_records = compose_catalogue(request)
    if (
        of_records is None
        and request.kind in _OF_FACTS
        and (stated := document_fact(request, expected_in(request.question))) is not None
    ):
        return stated
    found = of_records or (None if _is_in_no_record(request) else COMPOSERS[request.kind](request))
    asks_leave = request.kind == "yes_no" and ASKS_LEAVE.search(request.question) is not None
    if found is not None and (found.coverage == "full" or (found.score >= LIKELY and not asks_leave)):
        return found
    is_recorded = request.kind in _RECORDED and not WHO_TEACHES.search(request.question)
    if is_recorded and not _speaks_of_all(found, request) and (recorded := compose_recorded(request)):
        return recorded
    close = compose_close(request) if request.kind not in _NEVER_STORED and request.kind != "logistics" else None
    return (
        _beside(found, close, request)
        if found is not None and close is not None
        else found or close or compose_nearest_rule(request) or nothing(request)
    )


def _beside(found: Composed, close: Composed, request: Request) -> Composed:
    """What was found and the close entry of the FAQ, which stands above where it is near enough to lead."""
    others = [one for one in found.statements if not _is_within(one, close.statements)]
    if leads(request):
        return replace(close, statements=(*close.statements, *others[:2]), after=found.after)
    return replace(found, statements=(*others[:3], *close.statements), choices=found.choices or close.choices)


def _is_within(one: ComposedStatement, shown: Sequence[ComposedStatement]) -> bool:
    """Whether what is said below a heading is shown already."""
    return any(body_of(one.text) in other.text for other in shown)


_OF_FACTS = frozenset({"logistics", "calculation", "other", "definition", "how"})
"""Kinds, by wording, of questions for a date or an amount: "how much is the report worth" is no calculation."""


def _is_in_no_record(request: Request) -> bool:
    """Whether a catalogue is asked about something that none of its records has a word of."""
    is_strange = bool(request.units) and not known(request.units)
    return is_strange and bool(request.catalogue.classes) and request.kind not in _NEVER_STORED


def other_language(request: Request) -> Composed:
    """That the message is in no language that is read here."""
    said = wording(request.spoken)
    return Composed(request.kind, "none", (ComposedStatement(said.foreign),), after=said.ask_ta)


def nothing(request: Request) -> Composed:
    """That the material does not say it, naming what it never speaks of, and the way to a person."""
    said = wording(request.spoken)
    strange = [unit.label for unit in request.units if unit.concept_id is None and len(unit.label) > 2]
    known = frozenset(term for piece in request.pieces for line in piece.lines for term in terms(line.text))
    wholes = [unit.label for unit in request.units if not unit.is_known and " " in unit.label]
    never = [label for label in strange if label in wholes or not terms_of(label) & known]
    never = [label for label in never if not stands_as_verb(label, request.asked or request.question)]
    if request.kind == "where" and request.names:
        text = said.not_taught.format(names=request.names)
    elif request.kind == "people" and request.names:
        text = said.no_maker.format(names=request.names)
    elif never and len(never) <= MOST_NAMED and request.kind in _NAMES_A_THING:
        named = phrases(never, request.asked or request.question)
        text = said.nothing_of.format(names=("、" if request.spoken == "zh" else ", ").join(named))
    else:
        text = said.nothing
    return Composed(request.kind, "none", (ComposedStatement(text),), after=said.ask_ta)


def _speaks_of_all(found: Composed | None, request: Request) -> bool:
    """Whether the first that the course itself says of it speaks of everything that was asked."""
    if found is None or not found.statements or found.note == wording(request.spoken).each_alone:
        return False
    return coverage(request.units, terms_of(found.statements[0].text)) >= FULL


_NAMES_A_THING = frozenset({"definition", "aspect", "comparison", "people", "where"})
"""Kinds whose words name things; of another question a word that no text has may be any word of its story."""

MOST_NAMED = 3
"""Words that are named as never spoken of; more of them are the student's story. A choice."""


CHAT_NEAR = 0.5
"""Meaning (stretched cosine) from which a passage is near enough for small talk to be a question after all. Of 201
answerable questions of the development half one counts as small talk by the intent model, and none by this."""


def _chats(question: ComposerInput, request: Request) -> bool:
    """Whether the intent model takes a message for small talk, in both languages, and no passage is near to it."""
    if request.kind in _OF_THE_COURSE or not (question.asked.is_chat and question.sought.is_chat):
        return False
    if request.catalogue.classes and _OF_CLASSES.search(request.question):
        return False
    if ASKS_SOMETHING.search(question.asked.question) and _is_about_the_material(request):
        return False
    return question.asked.is_emotional or all(piece.meaning < CHAT_NEAR for piece in request.pieces)


_OF_CLASSES = re.compile(
    r"\b(?:courses?|class(?:es)?|credits?|electives?|majors?|minors?|degrees?)\b|课|学分|专业", re.IGNORECASE
)
"""What students of a university ask its catalogue for."""

MUCH = 0.4
"""Share of a message, by weight, from which a passage makes it a question after all. A choice."""


def _is_about_the_material(request: Request) -> bool:
    """Whether a passage speaks of much of what is asked: distress is no reason to leave a question unanswered."""
    units = known(request.units)
    texts = (f"{one.entry.title} {one.entry.text}" for one in request.pieces)
    return bool(units) and any(coverage(units, terms_of(text)) >= MUCH for text in texts)


def _is_in_the_faq(request: Request) -> bool:
    """Whether the FAQ speaks of what sounds like despair, in some of its words: a video that is stuck."""
    return any(one.score >= LIKELY and max(one.by_title, one.back) > 0 for one in stored_matches(request))


def is_small_talk(asked: Understanding) -> bool:
    """Whether a message is small talk by its wording; what also asks about a concept or the course is not."""
    occasion = occasion_of(asked.question)
    if occasion is None:
        return False
    if occasion == "frustrated":
        return not ASKS_SOMETHING.search(asked.question) and question_kind(asked.question) in ("other", "definition")
    return True
