"""`Composer`: from an understood question to a composed answer.

Everything is looked up once, here, before a composer is asked; which one is in `composers.py`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache, partial

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Lang, Mode
from knowledge_graph.text.segmenter import stands_as_words
from knowledge_graph.text.sentences import has_cjk
from serving.assistant.composing.arithmetic import find_named_value
from serving.assistant.composing.called_names import set_apart_called
from serving.assistant.composing.composed import Composed, within
from serving.assistant.composing.composers import NEVER_STORED, other_language
from serving.assistant.composing.course_kinds import find_defined_thing, is_bare_name, is_named_by, kind_of
from serving.assistant.composing.expected_replies import LENGTH_OF
from serving.assistant.composing.explain import LIKELY
from serving.assistant.composing.follow_up_answers import (
    compose_unseen,
    drop_context,
    find_last_answer,
    note_repetition,
    weaken_context,
)
from serving.assistant.composing.found_units import (
    home_of,
    kinds_of_concepts,
    list_found_texts,
    pieces_as_spelled,
    spells,
    unit_as_named,
    units_to_define,
)
from serving.assistant.composing.lecture_places import homes_of
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.composing.lettered_names import set_apart_lettered
from serving.assistant.composing.lettered_passages import keep_told_of, units_as_lettered
from serving.assistant.composing.logistics import is_about_the_course
from serving.assistant.composing.material import CourseMaterialIndex, MaterialPiece, Vector
from serving.assistant.composing.nearby import add_nearby
from serving.assistant.composing.other_names import join_other_names
from serving.assistant.composing.remedies import compose_remedy
from serving.assistant.composing.request import Request
from serving.assistant.composing.same_question import are_told_apart
from serving.assistant.composing.semester.names import cut_short
from serving.assistant.composing.semester.offers import Catalogues
from serving.assistant.composing.small_talk import compose_small_talk, occasion_of
from serving.assistant.composing.stored import ASKS, find_stored_matches
from serving.assistant.composing.terms import (
    NEVER,
    OF_QUESTIONS,
    OF_QUESTIONS_ZH,
    QuestionUnit,
    coverage,
    drop_general_owner,
    is_of_concept,
    known,
    spelling_pattern,
    terms_of,
    unit_of,
    units_of,
)
from serving.assistant.composing.told_first import weaken_told
from serving.assistant.composing.whole_names import whole_name
from serving.assistant.composing.wording import wording
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved
from serving.assistant.retrieval.lookup import Dense
from serving.assistant.study_progress import NO_PROGRESS, StudyProgress
from serving.assistant.understanding.aspects import find_aspects
from serving.assistant.understanding.chinese_spelling import Sound, correct_by_sound, names_by_sound
from serving.assistant.understanding.focus import Position
from serving.assistant.understanding.greek_letters import write_greek_letters
from serving.assistant.understanding.initials import expand_initials, names_by_initials
from serving.assistant.understanding.misspelled_names import WordPairs, correct_names
from serving.assistant.understanding.question_kind import QuestionKind, question_kind
from serving.assistant.understanding.spelling import SpellingCorrection, correct, is_english, is_foreign
from serving.assistant.understanding.translation import (
    english_names_in,
    is_of_capitals,
    is_of_course_life,
    is_term,
    synonyms_in,
    translate,
)
from serving.assistant.understanding.understand import Understanding
from serving.assistant.understanding.wishes import Wish
from serving.assistant.understanding.written_forms import write_as_said
from serving.index.analysis import normalize_question, terms
from serving.index.evidence import MAP, MAX_CITED
from serving.index.schema import KINDS, Entry, Kind
from serving.index.search import SearchIndex
from serving.llm.messages import Message

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


_OF_THE_COURSE = NEVER_STORED - {"small_talk"} | {"logistics", "catalogue"}
"""Kinds that a message is by what only courses have: no small talk, whatever the intent model says."""


def _is_answered(entry: Entry) -> bool:
    """Whether a pair is a question that somebody of the course answered: no definition, whose title is a name, and no
    search result."""
    return entry.source not in ("search", "scholar") and ASKS.search(entry.title) is not None


SAME_WORDS = 10
"""Entries that are looked at for one whose question has the very words: it is first by BM25, or nearly. A choice."""

LONGEST_STORED = 600
"""Characters of a question beyond which no entry is looked for that asks it word for word. A choice."""

REMEMBERED = 1 << 12
"""Names of which is remembered whether the material of a course has them: one question asks several times."""


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
    progress: StudyProgress = NO_PROGRESS
    leans: bool = False
    """Whether the brackets at its end hold only what the turn before was about."""


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
        self._sounds: dict[str | None, Mapping[Sound, str]] = {}
        self._pairs: dict[str | None, WordPairs] = {}
        self._initials: dict[str | None, dict[str, str]] = {}
        self._says = lru_cache(maxsize=REMEMBERED)(self._find_in_material)

    def compose(self, question: ComposerInput) -> Composed:
        """The answer of the question's kind; the nearest stored one or the honest lack of one where it has none."""
        request = self.request(question)
        is_stuck = occasion_of(question.asked.question) == "frustrated" and _is_in_the_faq(request)
        if is_small_talk(question.asked) and not is_stuck:
            return compose_small_talk(request)
        if is_foreign(question.asked.question, self._lectures.of(question.course_id).words):
            return other_language(request)
        told = compose_remedy(request, find_last_answer(question.history)) if question.wish == "remedy" else None
        found = add_nearby(told or compose_unseen(request), request)
        found = replace(found, statements=within(found.statements, MAX_CITED))
        if (
            found.coverage != "full"
            and found.score < LIKELY
            and (found.stored is None or (question.asked.is_emotional and not _is_in_the_faq(request)))
            and request.kind not in NEVER_STORED
            and _chats(question, request)
        ):
            return compose_small_talk(request, is_sad=question.asked.is_emotional)
        found = note_repetition(found, request, question.history) if question.leans else found
        return self._add_language_note(found, question)

    def find_same_question(self, question: str, course_id: str | None) -> PairCandidate | None:
        """The entry of the course's FAQ whose own question this is, but for case, blanks and end marks; or that of
        another source of questions people answered, a forum's."""
        if course_id is None or len(question) > LONGEST_STORED:
            return None
        wanted = normalize_question(question)
        hits = self._index.search(question, course_id=course_id, k=SAME_WORDS)
        same = [
            hit
            for hit in hits
            if hit.entry.course_id == course_id
            and normalize_question(hit.entry.title) == wanted
            and (hit.entry.source == "faq" or _is_answered(hit.entry))
        ]
        found = min(same, key=lambda hit: hit.entry.source != "faq", default=None)
        return PairCandidate(found.entry, found.score, match=1.0) if found is not None else None

    def correct_spelling(self, asked: Understanding, course_id: str | None) -> SpellingCorrection | None:
        """The question with mistyped words, and names that no text has, put as the material has them; `None` when
        there are none."""
        text, words = asked.question, []
        kind = question_kind(text)
        if kind in ("task", "plan") or find_named_value(text) is not None:
            return None
        for start, end, names in english_names_in(text):
            if (name := self._chinese_name(text[start:end], names, course_id)) is not None:
                text = f"{text[:start]}{name}{text[end:]}"
                words.append(name)
        for start, end, names in () if kind in _OF_THE_COURSE or is_about_the_course(text) else synonyms_in(text):
            if OF_QUESTIONS_ZH.fullmatch(text[start:end]) or OF_QUESTIONS.issuperset(terms(text[start:end])):
                continue
            if (
                is_of_course_life(text[start:end])
                or self._says(text[start:end].lower(), course_id)
                or self._says_word(text[start:end].lower(), course_id)
                or self._graph.mentions(text[start:end])
            ):
                continue
            others = [one for one in names if terms(one) != terms(text[start:end])]
            if (name := self._find_said(others, text[start:end], course_id)) is not None:
                words += [] if _is_written_so(text[start:end], name) else [name]
                text = f"{text[:start]}{name}{text[end:]}"
        text = _SPELLED_SIGN.sub("A*", text)
        text = write_greek_letters(text, lambda name: self._says(name, course_id))
        text, formulas = write_as_said(text, lambda name: self._says_as_words(name, course_id))
        words += formulas
        if course_id not in self._initials:
            self._initials[course_id] = names_by_initials(self._graph.names_of(course_id))
        text, named = expand_initials(
            text, self._initials[course_id], is_unknown=lambda typed: self._is_unknown(typed, course_id)
        )
        words += named
        typed = self._correct_typing(text, asked.lang, course_id)
        if typed is not None:
            return SpellingCorrection(typed.text, tuple(dict.fromkeys((*words[::-1], *typed.words))))
        return SpellingCorrection(text, tuple(dict.fromkeys(words[::-1]))) if text != asked.question else None

    def _is_unknown(self, letters: str, course_id: str | None) -> bool:
        """Whether letters in lower case are no English word, no name of the glossary and nothing the course says."""
        return not (is_english(letters) or is_term(letters) or self._says_as_words(letters, course_id))

    def _find_said(self, others: Sequence[str], name: str, course_id: str | None) -> str | None:
        """The first of the other names of a thing that a course says. An abbreviation may be said of something else,
        as CNN is: it counts where it is a concept, or each word of the name is said as well."""
        for one in others:
            is_short = len(one) <= LONGEST_ABBREVIATION and one.isascii() and " " not in one and " " in name
            is_of_it = (
                not is_short
                or self._graph.mentions(one)
                or all(self._says(word, course_id) for word in name.lower().split())
            )
            if self._says(one, course_id) and is_of_it:
                return one
        return None

    def _correct_typing(self, text: str, lang: Lang, course_id: str | None) -> SpellingCorrection | None:
        """The question with mistyped words put right: English ones by their letters, Chinese ones by their sound."""
        if lang == "zh":
            if course_id not in self._sounds:
                self._sounds[course_id] = names_by_sound(self._graph.names_of(course_id))
            return correct_by_sound(text, self._sounds[course_id], says=lambda typed: self._says(typed, course_id))
        words = self._lectures.of(course_id).words
        typed = correct(text, words, knows=self.knows, says=lambda name: self._writes_apart(name, course_id))
        if course_id not in self._pairs:
            self._pairs[course_id] = WordPairs.of(self._graph.names_of(course_id))
        named = correct_names(
            typed.text if typed is not None else text,
            self._pairs[course_id],
            words.counts,
            says=lambda name: self._says(name, course_id),
        )
        if typed is None or named is None:
            return typed or named
        return SpellingCorrection(named.text, (*typed.words, *named.words))

    def _writes_apart(self, name: str, course_id: str | None) -> bool:
        """Whether the course writes a name as several words, never as one, and its graph knows no other thing by it."""
        joined = name.replace(" ", "")
        another = {one.concept_id for one in self._graph.mentions(joined)}
        another -= {one.concept_id for one in self._graph.mentions(name)}
        return not another and self._says(name, course_id) and not self._says(joined, course_id)

    def _chinese_name(self, typed: str, names: Sequence[str], course_id: str | None) -> str | None:
        """By which of its Chinese names the course speaks of a thing that was typed in English; `None` where it knows
        the English name, or none of the Chinese ones."""
        if self._is_concept(typed, course_id):
            return None
        is_said = self._says(typed.lower(), course_id)
        if is_said and is_of_capitals(typed):
            return None
        others = (one for one in names if not (is_said and typed.lower() in one.lower()))
        said = [one for one in others if self._says(one, course_id)]
        taught = (one for one in said if self._is_concept(one, course_id) or self._says(one, course_id, ("passage",)))
        return next(taught, said[0] if said else None)

    def _is_concept(self, name: str, course_id: str | None) -> bool:
        """Whether a name is, or holds, that of a concept of the course."""
        return any(self._is_own(mention.concept_id, course_id) for mention in self._graph.mentions(name))

    def with_class_codes(self, text: str, course_id: str | None) -> str:
        """A text with the code before each title of a class, where the course is a catalogue, and the title in
        brackets: what "it" may be, and where its name ends."""
        catalogue = self._catalogues.of(course_id)
        titles = {key: one.title for key, one in catalogue.classes.items()}
        for key, (start, end) in sorted(cut_short(text, titles).items(), key=lambda one: -one[1][1]):
            code = catalogue.classes[key].code
            text = text if code in text else f"{text[:start]}{code} ({text[start:end]}){text[end:]}"
        return text

    def _find_in_material(self, name: str, course_id: str | None, kinds: tuple[Kind, ...] = KINDS) -> bool:
        """Whether the course's material has a name word for word, in what it is found in first."""
        hits = (hit for kind in kinds for hit in self._index.search(name, kind=kind, course_id=course_id, k=3))
        texts = (f"{hit.entry.title}\n{hit.entry.text}".lower() for hit in hits)
        return any(stands_as_words(text, name) if has_cjk(name) else name in text for text in texts)

    def _says_word(self, word: str, course_id: str | None) -> bool:
        """Whether the course's lectures have an English word, or its singular, which passages found first may lack."""
        counts = self._lectures.of(course_id).words.counts
        return word in counts or (word.endswith("s") and word[:-1] in counts)

    def _says_as_words(self, name: str, course_id: str | None) -> bool:
        """Whether the course's material has a name in lower case that stands apart from other words there."""
        if has_cjk(name):
            return self._says(name, course_id)
        hits = (hit for kind in KINDS for hit in self._index.search(name, kind=kind, course_id=course_id, k=3))
        apart = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        return any(apart.search(f"{hit.entry.title}\n{hit.entry.text}") for hit in hits)

    def knows(self, text: str) -> bool:
        """Whether the index holds every term of a text."""
        unseen = self._index.idf(NEVER)
        return all(self._index.idf(term) < unseen for term in terms(text))

    def in_course_language(self, asked: Understanding, course_id: str | None) -> str | None:
        """The question in the language of the course; `None` when it is in it, or cannot be put into it."""
        card = self._graph.course(course_id) if course_id else None
        if card is None or card.lang == asked.lang:
            return None
        return translate(asked.question, card.lang, says=lambda name: self._says_as_words(name, course_id))

    def _add_language_note(self, found: Composed, question: ComposerInput) -> Composed:
        """With a word on what was looked up, where the question was put into another language."""
        is_shown = any(one.evidence is not None and one.evidence.source == MAP for one in found.statements)
        if question.asked is question.sought or found.coverage == "none" or found.kind == "plan" or is_shown:
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
        said = asked.asked.question
        kind, aspects = kind_of(drop_context(said) if asked.leans else said, names_concept=bool(understood.concepts))
        if asked.asked is not understood:
            aspects = aspects or find_aspects(question)
        mentions = [one for one in self._graph.mentions(question) if self._is_own(one.concept_id, course_id)]
        lectures = self._lectures.of(course_id)
        called, mentions = set_apart_called(question, mentions, lectures.called_names)
        lettered, called, mentions = set_apart_lettered(question, called, mentions, lectures.lettered_kinds)
        is_own = asked.asked is understood
        if is_own and (
            is_named_by(aspects, question, mentions) or (kind == "other" and is_bare_name(question, mentions))
        ):
            kind, aspects = "definition", ()
        thing = find_defined_thing(question, aspects) if kind == "aspect" and is_own else ""
        if thing:
            kind, aspects = "definition", ()
        wordings = (found.group() for aspect in aspects for found in aspect.asked.finditer(question))
        ignore = frozenset(term for text in wordings for term in terms(without_thing(text)))
        mentions = [one for one in mentions if not ignore.issuperset(terms(one.surface))]
        ignore |= _ignore_by_kind(kind, question)
        keep = OF_RULES if kind == "logistics" else ()
        units = units_of(
            question, mentions, self._graph.concept, self._index.idf, ignore=ignore, keep=keep, called=called
        )
        units = weaken_context(units, question) if asked.leans else join_other_names(units, question)
        units = weaken_told(units, question, kind)
        if thing and not units:
            units = (unit_of(thing, self._index.idf),)
        if kind == "comparison" and not units:  # what is compared are aspects: the worst case with the average case
            aspects, units = (), units_of(question, (), self._graph.concept, self._index.idf)
        material = CourseMaterialIndex(self._index, self._dense, lectures, course_id, mode=asked.mode)
        homes = homes_of(units, material.lectures)
        literals = [pattern for unit in units if (pattern := spelling_pattern(unit)) is not None]
        words = _REJECTED.sub("", question) if kind == "why" else _SIGN.sub(r"\g<0> star", question)
        vector = _vector_of(words, asked, lang, material)

        @cache
        def find_pieces() -> tuple[MaterialPiece, ...]:
            found = material.pieces(words, vector, lang=lang)
            if literals:
                found = [one for one in found if all(map(partial(spells, one), literals))]
            found = keep_told_of(found, lettered)
            return tuple(replace(piece, home=home_of(piece, homes)) for piece in found)

        stored = self._without_others(asked.retrieved.ranked, question)

        find_texts = cache(lambda: list_found_texts(find_pieces(), stored))
        units = tuple(unit_as_named(unit, find_texts, material.lectures) for unit in units)
        units = units_as_lettered(units, lettered, find_pieces)
        units = kinds_of_concepts(units, question, find_texts, material.lectures)
        units = weaken_rejected(units, question) if kind == "why" else units
        units = weaken_claimed(units) if kind == "yes_no" and is_of_concept(units) else units
        if kind == "definition":
            name = whole_name(question, mentions)
            whole = unit_of(name, self._index.idf) if name else None
            units = units_to_define(drop_general_owner(question, units), whole, find_texts, material.lectures)
        spelled = partial(pieces_as_spelled, units, find_pieces)
        shown = "\n".join(turn.content for turn in asked.history if turn.role == "assistant")
        return Request(
            question=question,
            kind=kind,
            lang=lang,
            spoken=asked.asked.lang,
            units=units,
            aspects=aspects,
            concepts=understood.concepts,
            stored=stored,
            find_pieces=cache(spelled) if kind == "definition" else find_pieces,
            material=material,
            graph=self._graph,
            card=card,
            position=asked.position,
            wish=asked.wish,
            asked=asked.asked.question,
            catalogue=self._catalogues.of(course_id).of_mode(asked.mode),
            today=self._today() if kind == "plan" else None,
            is_compared=vector is not None and self._dense is not None,
            seen=shown.replace("**", "") if asked.wish not in ("", "remedy") else "",
            progress=asked.progress,
        )

    def _without_others(self, ranked: Sequence[PairCandidate], question: str) -> tuple[PairCandidate, ...]:
        """The pairs that were found without what a TA approved for another question."""
        return tuple(one for one in ranked if not self._is_another(question, one))

    def _is_another(self, question: str, stored: PairCandidate) -> bool:
        """Whether an answer that a TA approved is to another question than the one asked, by what its words tell."""
        return bool(stored.asked_as) and are_told_apart(question, stored.asked_as, self._graph)

    def _is_own(self, concept_id: str, course_id: str | None) -> bool:
        return course_id is None or course_id in self._graph.concept(concept_id).course_ids


def _is_written_so(typed: str, name: str) -> bool:
    """Whether a name is the typed one with its signs written out, or begins it: "a-star" for "A* search"."""
    spelled = typed.lower().replace("*", "star").replace("+", "plus")
    return re.sub(r"\W", "", spelled).startswith(re.sub(r"\W", "", name.lower()))


def _ignore_by_kind(kind: QuestionKind, question: str) -> frozenset[str]:
    """The terms of a question that say what its kind says already."""
    if kind == "people":
        return of_making("zh" if has_cjk(question) else "en")
    return terms_of(" ".join(LENGTH_OF.findall(question))) if kind == "logistics" else frozenset()


def _vector_of(words: str, asked: ComposerInput, lang: Lang, material: CourseMaterialIndex) -> Vector | None:
    """What the sentences are compared with: the question, in Chinese without what it only sets the thing apart from,
    which in English loses more than it finds; `None` for one of another language, which compares with nothing."""
    own = asked.retrieved.vector if asked.sought.lang == lang else None
    is_whole = own is None or lang == "en" or words == asked.sought.question
    return own if is_whole else material.vector_of(words)


def weaken_rejected(units: Sequence[QuestionUnit], question: str) -> tuple[QuestionUnit, ...]:
    """Units of which what a question only sets the thing apart from weighs less: why binary, and not decimal, is asked
    of binary."""
    found = _REJECTED.search(question)
    if found is None:
        return tuple(units)
    rejected = next(filter(None, found.groups())).lower()
    return tuple(
        replace(unit, weight=OF_REJECTED * unit.weight) if unit.label.lower() in rejected else unit for unit in units
    )


LONGEST_ABBREVIATION = 5
"""Letters of a short form of a name of several words. A choice."""


def weaken_claimed(units: Sequence[QuestionUnit]) -> tuple[QuestionUnit, ...]:
    """Units of which how a cost grows weighs less: whether insertion sort is linear on average is told by what its
    average is, and not by what else is linear."""
    return tuple(
        replace(unit, weight=OF_REJECTED * unit.weight)
        if unit.concept_id is None and _GROWTH.fullmatch(unit.label)
        else unit
        for unit in units
    )


_SPELLED_SIGN = re.compile(r"\b[Aa][ -][Ss]tar\b(?= (?:algorithm|search)\b)")
_SIGN = re.compile(r"\bA\*(?![A-Za-z0-9(.])")
"""A sign in a name that texts spell as a word as often: "A-star"."""

_GROWTH = re.compile(
    r"(?:linear|quadratic|logarithmic|linearithmic|constant|exponential|cubic)(?: time)?|线性|常数|平方|对数|指数", re.I
)

_REJECTED = re.compile(
    r"\b(?:rather than|instead of|and not|but not) (?P<thing>[^?？,，]{2,40})"
    r"|而不(?:是|用|采用|使用|选)?(?P<other>[^？?，。]{1,12})"
    r"|不(?:是|用|采用|使用|选|拿)(?P<first>[^？?，。不]{1,12}?)[，,]?(?:而|却|反而|偏偏|一定)?(?:要|用|是)",
    re.IGNORECASE,
)
OF_REJECTED = 0.3
"""How much of its weight a thing keeps that is only set apart. A choice."""


def without_thing(wording: str) -> str:
    """What asks for an aspect, without the thing that it stands around: "how long does Dijkstra's algorithm take"."""
    around = _AROUND_A_THING.match(wording)
    return f"{around[1]} {around[2]}" if around is not None else wording


_AROUND_A_THING = re.compile(r"((?:how|why|when) \w+) .+ (\w+)$", re.IGNORECASE)


OF_RULES = frozenset(terms("sick ill illness miss missed"))
"""Words of a student's story that the rules of a course speak of."""

_MAKING = "develop build write publish name"


_CHINESE_MAKING = "发明 提出 发现 创造 设计 开发 命名 制造 建造 出来"


@cache
def of_making(lang: Lang) -> frozenset[str]:
    """What somebody did to a thing, which is no part of it: made when asked for, as Chinese takes its dictionary."""
    return frozenset(terms(f"{_MAKING} {_CHINESE_MAKING}" if lang == "zh" else _MAKING))


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
    return any(one.score >= LIKELY and max(one.by_title, one.back) > 0 for one in find_stored_matches(request))


def is_small_talk(asked: Understanding) -> bool:
    """Whether a message is small talk by its wording; what also asks about a concept or the course is not."""
    occasion = occasion_of(asked.question)
    if occasion is None:
        return False
    if occasion == "frustrated":
        return not ASKS_SOMETHING.search(asked.question) and question_kind(asked.question) in ("other", "definition")
    return True
