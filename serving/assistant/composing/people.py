"""Who invented something and who works on it now: the lectures' names, then scholarly records and the web. Pure."""

import re
from collections.abc import Iterator, Sequence, Set
from re import Pattern

from knowledge_graph.text.sentences import has_cjk
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import LIKELY, UNLIKELY, doubt
from serving.assistant.composing.lecture_places import lecture_evidence
from serving.assistant.composing.lectures import SpokenLecture
from serving.assistant.composing.material import join_material_lines, line_of, safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import ALL_OF_IT, QuestionUnit, coverage, is_name, known, phrases, terms_of
from serving.assistant.composing.whole_names import says_in_order
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.wording import wording
from serving.index.evidence import from_entry

_YEAR_ZH = r"(?:\d{4}|[一二][〇零○一二三四五六七八九]{3}|[二三四五六七八九][〇零○一二三四五六七八九]) ?年代?"
_NOBODY_ZH = r"(?!我|你|大家|有人?|人们|这|那|就|才|又|开始|后来有)"
_DID_ZH = r"(?:做|写|设计|提出?|发表|总结|创[立办建]|建[立造了]|[搞弄想]出)"
_DATED_ZH = (
    rf"(?:^|(?<=[，。；：！？、\s])){_NOBODY_ZH}[\u4e00-\u9fff·]{{2,12}}?，?[在于]? ?{_YEAR_ZH}"
    rf"[^。；？！]{{0,6}}?{_DID_ZH}"
    rf"|{_YEAR_ZH}，?{_NOBODY_ZH}[\u4e00-\u9fff·]{{2,8}}?{_DID_ZH}|[\u4e00-\u9fff·]{{2,12}}[在于] ?\d{{4}} ?年"
    rf"|(?<![A-Za-z])[A-Z][A-Za-z]{{1,30}}(?:[和与][A-Z][A-Za-z]{{1,30}}|他们|等人)?，?[在于]? ?{_YEAR_ZH}"
    rf"[^。；？！]{{0,10}}?{_DID_ZH}"
    rf"|是{_NOBODY_ZH}(?!怎|什么|谁|为)[\u4e00-\u9fff·]{{2,8}}?(?:说|{_DID_ZH}|发现|发明)的"
)
"""A name with what was done, as Chinese lecturers say it: 某某一九六〇年做了, 一九五六年某某写了, 是某某说的."""
_NAME = re.compile(
    r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+(?: (?:[A-Z]\.|[a-z]{2,3}|[A-Z][a-z]+))* [A-Z][a-z]+"
    r"|(?<![.!?] )(?<!^)\b[A-Z][a-z]{2,}\b|[\u4e00-\u9fff]{2,4}·[\u4e00-\u9fff]{1,4}"
    rf"|[\u4e00-\u9fff·]{{2,12}}(?<!谁)(?<!谁先)(?<!最早)(?:发明|提出|发现)|{_DATED_ZH}"
)
_MADE = re.compile(
    r"\b(?:invent\w*|discover\w*|developed|created|proposed|introduced|devised|designed|published|coined"
    r"|came up with|named after|named for|pioneer\w*|due to"
    r"|built|wrote|so (?:it is|it's|they are|they're) called)\b|发明|提出|发现|创造|设计(?![师时])"
    r"|命名|之父|开发(?![者人])|制造(?!商)|建造",
    re.IGNORECASE,
)
_YEAR = (
    r"(?:(?:fif|six|seven|eigh|nine)teen (?:hundred|[a-z]+ty|o['’]|oh |[a-z]+teen|ten|eleven|twelve)"
    r"|1[4-9]\d\d\b|20\d\d\b)"
)
_DATED = re.compile(
    r"\b(?!(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)"
    rf"[A-Z][a-z]+(?:,| in|, in) {_YEAR}"
    r"|\b(?:(?:found|described|observed|seen|measured|shown|formulated|isolated|solved|worked out|thought up|painted"
    r"|composed|founded|drafted) (?:first )?by"
    r"|first (?:found|described|observed|saw|measured|showed|formulated|isolated)"
    r"|(?:worked|figured) (?:it|this|that|them) out|thought of (?:it|this|that)|had the idea)\b"
    rf"|\b(?:worked out|found|derived) (?:the|an?) [^.,;:]{{3,40}},? in {_YEAR}"
    rf"|{_DATED_ZH}"
)
"""What says less plainly who was the first: a name with a year, who found, described or worked out something."""
_INVENTED = re.compile(
    r"\b(?:invent(?:ed|or)|discovered|discoverer|came up with|named (?:after|for)|coined|devised|due to"
    r"|(?:created|proposed) by)\b|发明|提出|发现|命名|之父",
    re.IGNORECASE,
)
"""What says it plainly, and comes before what says only that somebody worked on something."""
_NOW = re.compile(
    r"\b(?:recent|latest|current|today|new|newest|modern|trends?|research\w*|papers?|scholars?|experts?|works? on"
    r"|working on|state of the art|literature|advances|field|hot)\b|最新|最近|近年|前沿|研究|学者|论文|趋势|热点|进展",
    re.IGNORECASE,
)


def compose_people(request: Request) -> Composed | None:
    """The sentence that names who made it; for research of today the scholarly records, marked as such."""
    if _NOW.search(request.question) and (found := _find_recorded(request, ("scholar",))) is not None:
        return found
    told: list[Composed] = []
    for said_so in (_INVENTED, _MADE, _DATED):
        told += [
            one for one in (_find_maker(request, said_so), _find_maker_nearby(request, said_so)) if one is not None
        ]
        if told and max(one.score for one in told) >= LIKELY:
            return max(told, key=lambda one: one.score)
    return told[0] if told else _find_recorded(request, ("scholar", "search")) or _unknown(request)


def _about(request: Request) -> frozenset[str]:
    """The terms of what is asked about."""
    return frozenset[str]().union(*(name for unit in request.units for name in unit.names))


def _names_somebody(text: str, about: Set[str], namesakes: Set[str] = frozenset()) -> bool:
    """Whether a text has a name beside that of the thing that is asked `about`: "Quicksort" made nothing; and none of
    the `namesakes`."""
    names = (terms_of(found.group()) for found in _NAME.finditer(text))
    return any(not name <= about and namesakes.isdisjoint(name) for name in names)


def _find_namesakes(said: Sequence[LectureSentence], place: int, about: Set[str]) -> frozenset[str]:
    """The terms of those after whom a sentence near names another version of the thing that is asked `about`: of
    "Brook's lamp" Brook is no maker of the lamp."""
    near = " ".join(one.text for one in said[max(0, place - NAMED_BEFORE) : place + 1])
    owned = ((terms_of(found["who"]), terms_of(found["what"])) for found in _OWNED.finditer(near))
    return frozenset[str]().union(*(who - about for who, what in owned if not about.isdisjoint(what)))


_OWNED = re.compile(r"\b(?P<who>[A-Z][a-z]+)['’]s (?P<what>[\w-]+(?: [\w-]+)?)")
BEFORE = 3
NAMED_BEFORE = 5
"""Sentences before that of a name with a year in which a version of the thing is named after it. A choice."""


def _says_who(text: str, said_so: Pattern[str], about: Set[str]) -> bool:
    """Whether a sentence says that somebody made what is asked `about`, or does not say what: what "has been designed
    using" it has no maker of it, but where it goes on with "by"; nor has what is not named where it 是某某说的."""
    return any(
        _PASSIVE.search(text[: found.start()]) is None or _BY.search(text, found.start()) is not None
        for found in said_so.finditer(text)
        if not _is_of_another(text[found.start() :], about)
        if not found.group().startswith("是") or not about or not about.isdisjoint(terms_of(text))
    )


def _is_of_another(text: str, about: Set[str]) -> bool:
    """Whether a text begins with what somebody made and that is named, and not as what is asked `about`."""
    made = _MADE_WHAT_ZH.match(text)
    named = terms_of(made["thing"]) if made is not None and about else frozenset[str]()
    return not (named <= about or about <= named)


_MADE_WHAT_ZH = re.compile(
    r"(?:发明|提出|发现|创造|设计)了?(?P<thing>(?:(?![这那个种了])[\u4e00-\u9fff]){2,10})(?<![的了])(?=[，。：；！？]|$)"
)
"""What somebody made, by its name alone: "a machine that computes" may be any."""


_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|being|be)(?: \w+ly| first| also)? $", re.IGNORECASE)
_BY = re.compile(r"\bby\b|\bnamed (?:after|for)\b|\bdue to\b", re.IGNORECASE)


def _find_maker(request: Request, said_so: Pattern[str]) -> Composed | None:
    about, told = _about(request), list[Composed]()
    for window in best_windows(request.pieces, request.units, kind="people", cue=said_so, most=4):
        anchor = window.piece.lines[window.anchor].text
        naming = [one.text for one in window.lines if one.text == anchor or not about.isdisjoint(terms_of(one.text))]
        is_named = any(_names_somebody(line, about) and _says_who(line, said_so, about) for line in naming)
        if is_named and coverage(request.units, terms_of(window.text)) >= 0.8:
            told.append(_give_statement(request, window.statement, 0.7))
    return max(told, key=lambda one: one.score, default=None)


def _give_statement(request: Request, statement: ComposedStatement, score: float) -> Composed:
    """The sentence, under a doubt where the first of its kind is asked for and it does not say that it is of that."""
    if _OF_THE_FIRST.search(request.question) is None or _FIRST.search(statement.text) is not None:
        return Composed("people", "partial", (statement,), score=score)
    said = wording(request.spoken)
    return Composed("people", "partial", (statement,), note=said.not_direct, after=said.hand_off, score=UNLIKELY)


_OF_THE_FIRST = re.compile(
    r"\b(?:the (?:very )?(?:first|earliest|oldest)|world's first)\b|第一[个台门款种位名部]|首[个台款]|最早的",
    re.IGNORECASE,
)
"""What asks of the first of a kind; who first named something is whoever named it."""
_FIRST = re.compile(r"\b(?:first|earliest|oldest|invented)\b|第一|最早|最先|首[个次位]|发明", re.IGNORECASE)


def _find_maker_nearby(request: Request, said_so: Pattern[str]) -> Composed | None:
    """The sentence that names who made it nearest to one that names the thing: lecturers say it once, in passing."""
    lectures = request.material.lectures
    wanted = _find_named_units(request)
    nearest: tuple[int, Composed] | None = None
    about = _about(request)
    for video_id, spoken in lectures.naming([unit.names for unit in wanted]).items():
        lecture = lectures.by_id[video_id]
        for at, near in _find_places(lecture, [lecture.places[named.position] for named in spoken], wanted):
            if is_answered_at(lecture.sentences, near, wanted):
                return _as_said(request, lecture.sentences[near : near + 2])
            first = maker_at(lecture.sentences, near, about, said_so)
            if first is None or _is_of_another_kind(request, lecture.sentences[near].text, wanted):
                continue
            if nearest is None or abs(near - at) < nearest[0]:
                begin = _begin_before_pronoun(lecture.sentences, min(at, first))
                shown = lecture.sentences[begin : max(at, near) + 1]
                nearest = abs(near - at), _as_said(request, shown)
    return nearest[1] if nearest is not None else None


def _find_places(
    lecture: SpokenLecture, naming: Sequence[int], wanted: Sequence[QuestionUnit]
) -> Iterator[tuple[int, int]]:
    """Where sentences stand that name the thing, each with where its maker may be named: in the sentence before, in
    itself, and in a few behind it; in a lecture on it alone, also wherever somebody "came up with this"."""
    for at in naming:
        yield from ((at, near) for near in range(max(0, at - BEFORE), min(at + 1 + NEARBY, len(lecture.sentences))))
    if coverage(wanted, terms_of(lecture.title)) >= ALL_OF_IT and not _OF_SEVERAL.search(lecture.title):
        yield from ((at, at) for at, one in enumerate(lecture.sentences) if _MADE_THIS.search(one.text))


_OF_SEVERAL = re.compile(r"[,/&+、和与及]|\band\b", re.IGNORECASE)
"""What stands in the title of a lecture on more than one thing."""
_MADE_THIS = re.compile(
    r"\b(?:came up with|invented|introduced|proposed|developed|devised|discovered|thought of|worked out) (?:this|it)\b"
    r"|(?:发明|提出|发现|创造|想出)了?(?:这个?|它)",
    re.IGNORECASE,
)


def _is_of_another_kind(request: Request, text: str, wanted: Sequence[QuestionUnit]) -> bool:
    """Whether a sentence names, in place of the thing that is asked about, another one of its kind: who made the
    three-way valve did not make the valve."""
    named = request.graph.mentions(text, request.lang)
    if coverage(wanted, terms_of(text)) >= ALL_OF_IT:
        return False
    heads = {unit.label.split()[-1].lower() for unit in wanted}
    own = {unit.concept_id for unit in wanted}
    return any(one.concept_id not in own and one.surface.split()[-1].lower() in heads for one in named)


def _begin_before_pronoun(said: Sequence[LectureSentence], place: int) -> int:
    """Where the sentence stands that names whom a sentence and those before it speak of: "he had a name for it"."""
    for before in range(place, max(-1, place - 1 - NEARBY), -1):
        if not _PRONOUN.match(said[before].text):
            return before
    return place


def _find_named_units(request: Request) -> list[QuestionUnit]:
    """What a sentence has to name: the whole name of which a concept is a part, where one does (the cliff experiment is
    no experiment of somebody else); else the concepts, or the word that tells more than they do."""
    asked = request.units
    concepts = [unit for unit in asked if unit.concept_id is not None]
    if not concepts:
        return list(known(asked))
    names = [name.lower() for name in phrases([unit.label for unit in asked], request.question)]
    whole = [name for name in names if concepts[0].label.lower() in name]
    of_name = [one for one in asked if any(one.label.lower() in name for name in whole)]
    named = request.material.lectures.naming([unit.names for unit in of_name]).values()
    if len(of_name) > 1 and any(says_in_order(one.text, name) for name in whole for said in named for one in said):
        return of_name
    of_name = [one for one in of_name if one in concepts or has_cjk(one.label) or is_name(one.label)]
    if any(request.material.lectures.naming([unit.names for unit in of_name]).values()):
        return of_name
    telling = max(of_name, key=lambda unit: unit.weight, default=concepts[0])
    return concepts if telling.concept_id is not None else [telling]


def _as_said(request: Request, shown: Sequence[LectureSentence]) -> Composed:
    text = join_material_lines([line_of(one) for one in shown], shown[0].lang)
    evidence = lecture_evidence(shown[0], request.course_id, text)
    return _give_statement(request, ComposedStatement(text, evidence), LIKELY)


def maker_at(
    said: Sequence[LectureSentence], place: int, about: Set[str] = frozenset(), said_so: Pattern[str] = _MADE
) -> int | None:
    """Where the words begin that say who made it: a sentence that names a person, who is not the thing that is asked
    `about`, or the one before a sentence that begins with what was done, or with "he"."""
    text = said[place].text
    if text.endswith(("?", "？")) or not _says_who(text, said_so, about):
        return None
    namesakes = _find_namesakes(said, place, about) if said_so is _DATED else frozenset[str]()
    before = _begin_before_pronoun(said, place) if _PRONOUN.match(text) else place - 1 if said_so.match(text) else place
    if 0 <= before < place and _names_somebody(said[before].text, about, namesakes):
        return before
    return place if _names_somebody(text, about, namesakes) else None


def is_answered_at(said: Sequence[LectureSentence], place: int, wanted: Sequence[QuestionUnit]) -> bool:
    """Whether a sentence is the lecturer's own question for who made what is `wanted`, and the next one names
    somebody."""
    text = said[place].text
    asks = _ASKS_WHO_MADE.search(text) is not None and coverage(wanted, terms_of(text)) >= ALL_OF_IT
    return asks and place + 1 < len(said) and _names_somebody(f"； {said[place + 1].text}", terms_of(text))


_ASKS_WHO_MADE = re.compile(
    r"(?:\bwho\b.{1,60}(?:invent|discover|came up|propose|thought of|devise|introduce|found|design)\w*.{0,80}"
    r"|谁(?:最早|首先|第一个)?(?:发明|提出|发现|设计|创造|[搞弄想做]出).{0,10})[?？]$",
    re.IGNORECASE,
)

_PRONOUN = re.compile(r"(?:and |so )?(?:he|she|they)\b|[他她]们?", re.IGNORECASE)
"""The beginning of a sentence that says of somebody named before what they did."""


NEARBY = 3
"""Sentences after the name of a thing in which its maker is looked for. A choice."""


def _find_recorded(request: Request, sources: tuple[str, ...]) -> Composed | None:
    said = wording(request.spoken)
    for candidate in request.stored:
        entry = candidate.entry
        whole = terms_of(f"{entry.title} {entry.text} {entry.section or ''}")
        if entry.source in sources and coverage(request.units, whole) >= 0.8:
            note = said.from_scholar if entry.source == "scholar" else said.from_web
            if entry.source == "search" and not _MADE.search(entry.text):
                continue
            return Composed(
                "people",
                "partial",
                (ComposedStatement(safe(entry.text), from_entry(0, entry)),),
                note=note,
                score=LIKELY,
            )
    return None


_PERSONS = re.compile(
    rf"\b[A-Z][a-z]+ and [A-Z][a-z]+\b(?! [A-Z])|\b[A-Z][a-z]+ [A-Z][a-z]+,? (?:in )?{_YEAR}|{_DATED_ZH}"
    r"|[\u4e00-\u9fff]{1,8}(?:发明|提出|发现|总结)出?了?(?![\u4e00-\u9fff]{0,4}问题)"
)
"""What names persons, whatever they did: where they stand, it is not said that nobody is found."""

WHOLE = 0.95
"""Share of a question that a document's sentence must speak of to be shown beside an unknown maker. A choice."""


def _unknown(request: Request) -> Composed | None:
    if not known(request.units):
        return None
    windows = best_windows(request.pieces, request.units, kind="definition", most=1)
    is_written = bool(windows) and windows[0].piece.entry.source == "document"
    if not windows or windows[0].own < (WHOLE if is_written else 0.5):
        return None
    said = wording(request.spoken)
    if _PERSONS.search(windows[0].text) is not None:
        note = said.probably
    else:
        note = said.no_maker.format(names=request.names) if request.names else doubt(request, windows[0])
    return Composed("people", "partial", (windows[0].statement,), note=note, after=said.hand_off, score=0.3)
