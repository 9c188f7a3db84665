"""Whether what was found covers what was asked: of a sentence of the material and of a stored answer. Pure.

Belongs here: the decision and its cuts. They were chosen by `benchmarks/sufficiency.py` on the development half of the
student questions.
"""

import math
import operator
import re
from collections.abc import Mapping, Sequence

from knowledge_graph.text.segmenter import chinese_word_class
from knowledge_graph.text.sentences import has_cjk
from serving.assistant.composing.asked_aloud import find_question_of_reason
from serving.assistant.composing.composed import Coverage
from serving.assistant.composing.cues import (
    AMOUNT,
    ASKS_FOR_A_NAME,
    COUNTS_NOTHING,
    HOW_MANY,
    NAMES,
    PLAIN_CUES,
    amount_asked_for,
    turns,
)
from serving.assistant.composing.material import MaterialLine
from serving.assistant.composing.missing import is_what_another_is_compared_with
from serving.assistant.composing.opposites import says_opposite
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import (
    ALL_OF_IT,
    QuestionUnit,
    as_asked,
    coverage,
    is_name,
    is_of_concept,
    known,
    phrases,
    terms_of,
)
from serving.assistant.composing.window import Window
from serving.assistant.grounding.negation import is_negated
from serving.assistant.understanding.quantities import tells_amount
from serving.assistant.understanding.question_kind import QuestionKind

FULL = 0.8
"""Share of the question, by weight, that a window must speak of to answer it."""


NEAREST = 0.2
"""Share from which a window is worth being shown as nearest to the question."""


MEANS_NEARLY = 0.4
"""Meaning (stretched cosine) that makes up for words that are missing, for what is shown as nearest."""


FEATURES = ("covers", "own", "meaning", "line", "cued", "aspect", "names", "known", "words", "nearest")


def features_of(window: Window, request: Request) -> list[float]:
    """What is known of a window beside a question, in the order of `FEATURES`, each 0..1.

    The share of the question that it and its title speak of, and that its best sentence does; how near in meaning the
    piece and that sentence are; whether it has the wording of an answer and the aspect; whether it names every
    concept by its own name; the share of the question that any text of the course speaks of; how well words found it;
    how near in meaning its nearest sentence is.
    """
    said = _window_terms(window)
    return [
        coverage(request.units, said),
        window.own,
        window.piece.meaning,
        window.piece.lines[window.anchor].meaning,
        float(window.is_cued),
        float(window.has_aspect),
        float(_names_all(window, request)),
        coverage(
            request.units, frozenset(term for unit in known(request.units) for name in unit.names for term in name)
        ),
        window.piece.words,
        max(line.meaning for line in window.piece.lines[window.start : window.stop]),
    ]


LIKELIHOOD = (1.65, -0.29, 0.48, 0.87, 0.18, 0.10, 0.30, 0.18, 0.57, 1.54)


LIKELIHOOD_OF: Mapping[QuestionKind, float] = {
    "definition": -0.12,
    "comparison": -0.43,
    "why": 0.52,
    "how": -0.11,
    "list": 0.12,
    "aspect": 0.05,
    "yes_no": 0.50,
    "other": -0.12,
    "logistics": -0.30,
}


LIKELIHOOD_INTERCEPT = -3.53
"""Logistic regression of whether the windows that are shown say all that a right answer must, on 1,558 development
questions of seven courses (`benchmarks/sufficiency.py`): AUC .73 with each course left out in turn, too little for a
promise, enough to say which answers need a doubt."""


SURE, PROBABLE = 0.68, 0.5
"""From which an answer stands without a doubt (702 of those, .77 right, each course judged by weights fitted without
it), and from which it is called probable. Of 967 that sentences did answer 505 stand so, .82 of them right; rules by
hand had let 428 stand, .79 of them right."""


def likelihood(window: Window, request: Request) -> float:
    """How likely a window says what a right answer must, 0..1."""
    weighed = sum(map(operator.mul, LIKELIHOOD, features_of(window, request)))
    return 1.0 / (1.0 + math.exp(-LIKELIHOOD_INTERCEPT - LIKELIHOOD_OF.get(request.kind, 0.0) - weighed))


def _window_terms(window: Window) -> frozenset[str]:
    return terms_of(f"{window.piece.entry.title} {window.piece.entry.section or ''} {window.text}")


def sufficient(window: Window, request: Request) -> Coverage:
    """How well a window answers: `full` where it likely does and has the aspect that is asked for, of what is written,
    which was the lesser part of what the score was fitted to, where it names all that is asked about; `none` where it
    is about something else."""
    units, said = request.units, _window_terms(window)
    is_spoken = window.piece.entry.source == "subtitle"
    is_cued = window.has_aspect or _tells_amount(window, request)
    is_counted = _gives_the_count(window, request)
    is_told_so = is_counted or _gives_the_formula(window, request) or works_it_out(window, request)
    is_likely = is_told_so or (is_cued and likelihood(window, request) >= SURE)
    is_told = is_spoken or (coverage(units, said) >= FULL and _gives_a_reason(window, request))
    is_opposite = not (is_counted or is_choice(request)) and is_said_opposite(window, request)
    is_wanting = (
        is_opposite
        or coverage(units, said) < LEAST_OF_SURE
        or _lacks_a_size(request)
        or _lacks_an_amount(window, request)
        or lacks_a_number(window, request)
        or _is_of_other_numbers(window, request)
        or _lacks_a_denial(window, request)
        or lacks_what_is_doubted(window, request)
        or lacks_what_is_done(window, request)
        or _lacks_one_of_two(window, request)
        or _answers_another_why(window, request)
        or _lacks_a_name(window, request)
    )
    if (is_likely and is_told and not is_wanting) or _tells_of_a_name(window, request):
        return "full"
    if _is_astray(window, coverage(units, said), is_compared=request.is_compared):
        return "none"
    near = coverage(known(units), said) if known(units) else 0.0
    return "partial" if near >= NEAREST or window.piece.meaning >= MEANS_NEARLY else "none"


def _tells_amount(window: Window, request: Request) -> bool:
    """Whether one sentence names all that is asked about and has an amount, with its unit, of what is asked of it."""
    return any(
        tells_amount(request.question, line.text) and coverage(request.units, terms_of(line.text)) >= FULL
        for line in window.own_lines
    )


def _gives_the_count(window: Window, request: Request) -> bool:
    """Whether a sentence has a number of the very things that are counted, and the sentences that lead to it name all
    else that is asked about: speech says whose it is before it says how many."""
    counted = amount_asked_for(request.question)
    lines = window.piece.lines
    return counted is not None and any(
        counted.search(lines[at].text) is not None
        and coverage(request.units, _terms_of_lines(lines[max(0, at - LEADING) : at + 1])) >= ALL_OF_IT
        for at in range(window.start, window.stop)
    )


def works_it_out(window: Window, request: Request) -> bool:
    """Whether a window begins where the lecturer says that what is to be calculated is worked out."""
    return request.kind == "calculation" and window.is_announced


def _terms_of_lines(lines: Sequence[MaterialLine]) -> frozenset[str]:
    return frozenset[str]().union(*(terms_of(line.text) for line in lines))


LEADING = 4
"""Sentences before one with a number that may name what it is of. A choice."""


def _gives_the_formula(window: Window, request: Request) -> bool:
    """Whether the formula of one thing is asked for, and a sentence of it says what it equals: "X is A divided by
    B"; one with its value in an example does not."""
    names = phrases([unit.label for unit in request.units], request.question)
    if [one.key for one in request.aspects] != ["formula"] or len(names) != 1:
        return False
    begins = _EQUALS.format(name=re.escape(names[0]))
    told = (line.text for line in window.lines if re.search(begins, line.text, re.IGNORECASE))
    return any(_OPERATION.search(text) for text in told)


_EQUALS = (
    r"^(?:(?:所以|那么|也就是说)，?|(?:so|and|the|an?),? ){{0,3}}{name}s?(?: equals| is|就?是|就?等于| ?=)(?! ?\d)"
)


_OPERATION = re.compile(
    r"除以|乘|减|加|之[比和积差]|的平方|[*/+]"
    r"|\b(?:divided by|times|minus|plus|over|ratio of|product of|sum of|squared)\b",
    re.IGNORECASE,
)


LEAST_OF_SURE = 0.45
"""Share of the question that a window must speak of to stand without a doubt, however likely it is to answer. With .60,
73 development answers from there to .45 were doubted, of which .92 were right: as many as of those that were not."""


def _answers_another_why(window: Window, request: Request) -> bool:
    """Whether a question for a reason is met by the reason for something else: why a sort is used so much, asked in the
    lecture right before that, does not say why it is unstable; nor does what says of another that it is stable."""
    others = [unit for unit in known(request.units) if unit.concept_id is None]
    if request.kind != "why" or not others:
        return False
    is_denied = is_negated(request.question) and coverage(others, terms_of(window.text)) > 0.0
    if is_denied and is_of_concept(request.units) and not _is_said_of_it(window, request, others):
        return True
    for place in range(window.start, window.stop):
        asked = find_question_of_reason(window.piece, place)
        if asked is not None and asked >= window.start:
            said = terms_of(f"{window.piece.lines[asked].text} {window.piece.lines[place].text}")
            return not any(unit.measure_coverage(said) for unit in others)
    return False


def is_said_opposite(window: Window, request: Request) -> bool:
    """Whether what is shown says only the opposite of a word that is asked about, and does not turn from it after that:
    "then it is fast, but …"."""
    asked, lines = request.question, window.lines
    if not says_opposite(asked, window.text):
        return False
    last = max((at for at, line in enumerate(lines) if says_opposite(asked, line.text)), default=len(lines))
    return not any(turns(line.continued or line.text) for line in lines[last + 1 :])


def _tells_of_a_name(window: Window, request: Request) -> bool:
    """Whether it is asked where a name comes from, and a sentence that names it says so."""
    if not ASKS_FOR_A_NAME.search(request.question):
        return False
    units = [unit for unit in request.units if not _WORD_FOR_NAMES.fullmatch(unit.label)]
    origins = (line.text for line in window.lines if NAMES.search(line.text))
    return bool(units) and any(coverage(units, terms_of(text)) >= FULL for text in origins)


_WORD_FOR_NAMES = re.compile(r"words?|terms?|names?|called|come|from|单?词|名字|术语|名称|来源|由来", re.IGNORECASE)


def _lacks_a_denial(window: Window, request: Request) -> bool:
    """Whether a question is about what is not so, or done without, and nothing that is shown denies or fails: how to
    invert a matrix says nothing of one that can't be inverted."""
    if _ASKS_WHY_NOT.search(request.question) or not _IS_NOT_SO.search(request.question):
        return False
    own = frozenset(term for unit in request.units for name in unit.names for term in name)
    return not any(_IS_NOT_SO.search(line.text) and terms_of(line.text) & own for line in window.lines)


_ASKS_WHY_NOT = re.compile(
    r"^\W*(?:(?:but|and|so|ok),? )?(?:why|how come|(?:is|are|was|does|do|did|can|should|would|have|has)n['’]?t)\b"
    r"|,? (?:is|are|does|do|can|wo|has)n['’]t (?:it|that|they|he|she|this|there)\W*$|\bor not\b"
    r"|为什么|为何|为啥|是不是|能不能|会不会|要不要|可不可以|有没有|不就是|不都?是",
    re.IGNORECASE,
)
"""What denies only by its wording: a why, a tag, a question that expects a yes."""


_IS_NOT_SO = re.compile(
    r"\b(?:not|never|no|none|nothing|cannot|without|unable|fail\w*|non-?[a-z]{3,}|instead|impossible|lacks?|missing)\b"
    r"|n['’]t\b|不|没|无法|未|失败|非(?!常)",
    re.IGNORECASE,
)


def _lacks_one_of_two(window: Window, request: Request) -> bool:
    """Whether it is asked if one concept is, has or does another, and one of them is named by nothing that is shown."""
    concepts = [unit for unit in request.units if unit.concept_id is not None]
    said = _window_terms(window)
    return request.kind == "yes_no" and len(concepts) > 1 and any(one.measure_coverage(said) < 1.0 for one in concepts)


def is_choice(request: Request) -> bool:
    """Whether it is asked which of several things is more so: what says that the other is less so answers as well."""
    return _ASKS_WHICH_OF_TWO.search(request.question) is not None


_ASKS_WHICH_OF_TWO = re.compile(
    r"\b(?:which|who|what)(?: one)?(?: of (?:them|these|the two))? (?:is|are)\b.*\bor\b"
    r"|\bor\b.{2,40}\b(?:which|what)(?: one)? (?:is|are|has|have|gets?|does)\b|还是|哪一?个更",
    re.IGNORECASE,
)


def _lacks_a_name(window: Window, request: Request) -> bool:
    """Whether a question has a name that nothing that is shown has: what a binary heap takes says nothing of
    Dijkstra's algorithm with one."""
    said = _window_terms(window)
    return any(unit.measure_coverage(said) == 0.0 for unit in known(request.units) if is_name(unit.label))


def _lacks_a_size(request: Request) -> bool:
    """Whether a size or a number is asked about that no text of the course has: a 4x4 matrix, where it has 2x2."""
    return any(not unit.is_known and any(map(str.isdigit, unit.label)) for unit in request.units)


def _lacks_an_amount(window: Window, request: Request) -> bool:
    """Whether it is asked how many or how much, and no sentence that is shown has a number or a word for one."""
    if not HOW_MANY.search(request.question):
        return False
    return not any(AMOUNT.search(COUNTS_NOTHING.sub("", line.text)) for line in window.lines)


def lacks_a_number(window: Window, request: Request) -> bool:
    """Whether it is asked how often something happened, how many there were or when it was, and no sentence shown has
    that number."""
    is_counted = _COUNTS.search(request.question) is not None and HOW_MANY.search(request.question) is not None
    return (is_counted and not _counts_it(window, request)) or _lacks_a_date(window, request)


_OF_A_LIMIT = re.compile(r"\b(?:word|page|character) (?:limit|count)\b", re.IGNORECASE)
_COUNTS = re.compile(rf"\bhow many\b|{_OF_A_LIMIT.pattern}|(?:多少|几)[次人名场]", re.IGNORECASE)


def _counts_it(window: Window, request: Request) -> bool:
    """Whether a sentence has the number of what is counted, or a number, which is no date and none of a limit, with
    what is asked beside the concepts; and is of who did it."""
    told = [unit for unit in known(request.units) if unit.concept_id is None]
    things, is_limit = amount_asked_for(request.question), _OF_A_LIMIT.search(request.question) is not None
    for place, line in enumerate(window.lines):
        text = _DATES.sub("", COUNTS_NOTHING.sub("", line.text))
        counts_things = things is not None and things.search(text) is not None
        is_told = not told or coverage(told, terms_of(text)) > 0.0
        counts_more = not is_limit and is_told and AMOUNT.search(text) is not None
        if (counts_things or counts_more) and _is_of_the_doer(window, place, request):
            return True
    return False


def _is_of_the_doer(window: Window, place: int, request: Request) -> bool:
    """Whether a sentence names who did what is asked of the past, or says "he" behind one that does, or "they" right
    behind it: how many legions one man kept is not how many another had. Of any other question, always."""
    did = _DID.search(request.question)
    doers = [unit for unit in known(request.units) if did is not None and unit.label.lower() in did["who"].lower()]
    if not doers:
        return True
    points = _POINTS_AT.search(window.lines[place].text)
    first = place if points is None else 0 if points["one"] else max(0, place - 2)
    return any(coverage(doers, terms_of(line.text)) > 0.0 for line in window.lines[first : place + 1])


_DID = re.compile(r"\bdid (?P<who>[\w'’-]+(?: [\w'’-]+)?) [a-z]", re.IGNORECASE)
_POINTS_AT = re.compile(r"\b(?:(?P<one>he|she|his|her|him)|they|their|them|it|we|i)\b", re.IGNORECASE)


def _lacks_a_date(window: Window, request: Request) -> bool:
    """Whether spoken words are asked when something was, and no sentence that has most of what happened, or stands
    beside one, has a date; a year, where that is asked for."""
    asks = _ASKS_WHEN.search(request.question)
    if asks is None or window.piece.entry.source != "subtitle":
        return False
    date = _A_YEAR if asks["year"] or asks["zh"] else _A_DATE
    named = [unit for unit in known(request.units) if unit.concept_id is not None]
    happened = [one for one in known(request.units) if one not in named and _TIMES.fullmatch(one.label) is None]
    texts = _say_beside(window, happened, named) if happened else [line.text for line in window.lines]
    return not any(date.search(text) for text in texts)


def _say_beside(window: Window, happened: Sequence[QuestionUnit], named: Sequence[QuestionUnit] = ()) -> list[str]:
    """The sentences that have most of what happened, of what is named if anything is or of whom they call "he", and
    those beside them."""
    said = [
        coverage(happened, found) if not named or coverage(named, found) > 0.0 or _POINTS_AT.search(line.text) else 0.0
        for line in window.lines
        for found in [terms_of(line.text)]
    ]
    near = {at + step for at, most in enumerate(said) if most == max(said) > 0.0 for step in (-1, 0, 1)}
    return [line.text for at, line in enumerate(window.lines) if at in near]


_TIMES = re.compile(r"years?|dates?|days?|年份?", re.IGNORECASE)
_ASKS_WHEN = re.compile(
    r"\b(?:(?P<year>(?:which|what) year)|when|(?:which|what) (?:date|day|century)) (?:did|was|were)\b"
    r"|(?P<zh>(?:哪|何)一?年)",
    re.IGNORECASE,
)
_WORDS_OF_YEARS = r"\b(?:seventeen|eighteen|nineteen|twenty) ?-?(?:hundred|ten|\w+teen|\w+ty)"
_A_YEAR = re.compile(
    rf"(?<![\d.,])\d{{2,4}}(?![\d.,%]\d|%)|{_WORDS_OF_YEARS}|[一二三四五六七八九〇零]{{2,4}}年", re.IGNORECASE
)


_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATES = re.compile(
    rf"\b[\w-]{{1,20}} of {_MONTH}\b(?:,? \d{{1,4}}\b)?|\b{_MONTH},? \d{{1,4}}\b(?:,? \d{{4}}\b)?"
    r"|\b\d{1,4} (?:BCE?|AD|CE)\b|\bAD \d{1,4}\b"
    r"|\b(?:in|since|until|till|of|from|to|by) (?:the year )?\d{2,4}(?=[,.;:?!]|$| (?:he|she|they|and|when|the)\b)"
    r"|公元前?\d{1,4}年?|\d{3,4}年|\d{1,2}月\d{1,2}[日号]"
)
"""When something happened, which is not how many times."""
_A_DATE = re.compile(
    rf"{_A_YEAR.pattern}|\b{_MONTH}\b|\b(?:century|centuries|decades?|years?|months?|weeks?|days?|night|summer|winter"
    r"|autumn|morning|evening|ago|\d0s|when|while|after|before|during)\b|世纪|年|月|天|时",
    re.IGNORECASE,
)


def _is_of_other_numbers(window: Window, request: Request) -> bool:
    """Whether a question has the coordinates of a point or vector that no sentence shown has: what becomes of (1, 3)
    is not what becomes of (-1, 2)."""
    asked = (found.groups() for found in _COORDINATES.finditer(request.question))
    return any(not re.search(rf"(?<!\d){one}\s*,\s*{other}(?!\d)", window.text) for one, other in asked)


_COORDINATES = re.compile(r"\(\s*(-?\d+)\s*[,，]\s*(-?\d+)\s*\)")


def _gives_a_reason(window: Window, request: Request) -> bool:
    """Whether written lines that are asked why say so, or mean it under a title that names what is asked about: a slide
    that lists what a thing is used for names it alone. Of any other question, always."""
    if request.kind != "why" or window.is_cued or not request.is_compared:
        return True
    is_meant = max(line.meaning for line in window.lines) >= FAR_FROM_ALL
    return is_meant and (window.piece.entry.source != "document" or _is_titled(window, request))


def lacks_a_motive(window: Window, request: Request) -> bool:
    """Whether spoken words are asked why somebody did something, or something was done, and no sentence that has most
    of what happened, or stands beside one, is worded as a reason: stories tell of much with a name."""
    is_story = window.piece.entry.source == "subtitle" and request.kind == "why" and not window.is_cued
    if not is_story or not _asks_of_a_deed(request):
        return False
    happened = [unit for unit in known(request.units) if unit.concept_id is None] or request.units
    return not any(_MOTIVE.search(text) for text in _say_beside(window, happened))


def _asks_of_a_deed(request: Request) -> bool:
    """Whether it is asked why something happened once: by the past tense in English, by the name of a person in
    Chinese."""
    names = (unit.label for unit in request.units if has_cjk(unit.label))
    return _ASKS_OF_THE_PAST.search(request.question) is not None or any(
        chinese_word_class(one).startswith("nr") for one in names
    )


_ASKS_OF_THE_PAST = re.compile(
    r"\bwhy (?:(?:exactly|then) )?(?:did|was|were|had)(?:n['’]?t)?\b(?!.*\b(?:always|usually|generally|often|have)\b)",
    re.IGNORECASE,
)


_MOTIVE = re.compile(
    rf"{PLAIN_CUES['why'].pattern}|\b(?:in order to|so as (?:not )?to|for (?:that|this|fear)|out of|therefore|hence"
    r"|(?:want|hope|tr(?:y|i)|need)(?:s|ed|ing|es)? to|must(?:n['’]t)?|pretext|motive|why)\b"
    r"|想要?|希望|企图|打算|担心|害怕|生怕|借口|动机|为的是|为什么",
    re.IGNORECASE,
)


def _is_titled(window: Window, request: Request) -> bool:
    return coverage(request.units, terms_of(f"{window.piece.entry.title} {window.piece.entry.section or ''}")) > 0.0


def lacks_what_is_doubted(window: Window, request: Request) -> bool:
    """Whether a window has the concept of a yes or no question and nothing of what is doubted of it, in its words or in
    its meaning: how heapsort works does not say whether it is stable. By its meaning no sentence says a term that the
    course does not have: that a product is associative says nothing of commutative."""
    named = _find_things(request)
    doubted = [unit for unit in request.units if unit not in named]
    if request.kind != "yes_no" or not doubted or not named:
        return False
    said = terms_of(window.text)
    if any(not unit.is_known and has_cjk(unit.label) and len(unit.label) > 1 for unit in doubted):
        return True
    if any(unit.measure_coverage(said) for unit in doubted):
        return not _is_said_of_it(window, request, doubted)
    may_be_meant = request.lang == "en" and all(unit.is_known for unit in doubted)
    return not (may_be_meant and max(line.meaning for line in window.lines) >= MEANS_IT)


def _find_things(request: Request) -> list[QuestionUnit]:
    """The concepts that a question names; where it names none, what it names first, if that is a name: an SSD."""
    concepts = [unit for unit in request.units if unit.concept_id is not None]
    first = as_asked(request.units, request.question)[:1]
    return concepts or [unit for unit in first if unit.is_known and is_name(unit.label)]


def lacks_what_is_done(window: Window, request: Request) -> bool:
    """Whether it is asked how something is deleted, inserted or turned round, and nothing that is shown says so of
    anything: that a tree is searched as any other says nothing of deleting."""
    if request.kind != "how":
        return False
    words = [unit.label for unit in request.units if unit.concept_id is None]
    said = f"{window.piece.entry.title} {window.piece.entry.section or ''} {window.text}"
    return any(any(map(one.search, words)) and not one.search(said) for one in _OPERATIONS)


_OPERATIONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:delet\w+|remov\w+|eras\w+|tak\w+ (?:it )?out)\b|删除|删掉|去掉|移除|取出|删",
        r"\b(?:insert\w*|add(?:s|ed|ing)?|put\w*)\b|插入|添加|加入|放进|插",
        r"\b(?:revers\w+|backwards?)\b|反转|逆置|逆转|倒",
    )
)


def _is_said_of_it(window: Window, request: Request, doubted: Sequence[QuestionUnit]) -> bool:
    """Whether a sentence has what is doubted, and is on the concept: it names it, or no other and follows one that
    does. That merge sort is stable says nothing of quicksort, though both are spoken of."""
    concepts = _find_things(request)
    compares, before = " than " in request.question.lower(), False
    for line in window.lines:
        said = terms_of(line.text)
        is_named = any(unit.measure_coverage(said) == 1.0 for unit in concepts)
        names_it = is_named and (compares or not is_what_another_is_compared_with(request, line.text))
        is_on_it = names_it or (before and not request.graph.mentions(line.text, request.lang))
        if is_on_it and any(unit.measure_coverage(said) for unit in doubted):
            return True
        before = is_on_it
    return False


MEANS_IT = 0.88
"""Meaning (stretched cosine) of an English sentence that may say in other words what is doubted; Chinese ones are all
near. A choice: of ten development questions without its words nine have a sentence at .9 or more, and their answer."""


FAR_FROM_ALL = 0.5
"""Meaning (stretched cosine) that no sentence shown reaches where the material is silent on what something is, why or
how it is so. Of 322 development questions four are declined by it: three that could not be answered, and one whose
answer was wrong. A choice."""


UNRELATED_TO_ALL = 0.25
"""The same of English that has the words of the question, and of an aspect: who tries a thing says nothing of tries."""


_TOLD: frozenset[QuestionKind] = frozenset({"definition", "why", "how", "yes_no", "comparison"})
"""Kinds whose answer is a sentence that means nearly what was asked; a rule or an example may be put otherwise."""


def is_silent(windows: Sequence[Window], request: Request) -> bool:
    """Whether nothing that was found means what was asked, though it shares words with it."""
    first = windows[0]
    if not request.is_compared or request.kind not in (*_TOLD, "aspect") or first.piece.entry.source == "catalog":
        return False
    nearest = max((line.meaning for window in windows for line in window.lines), default=0.0)
    is_said = request.kind == "aspect" or coverage(request.units, _window_terms(first)) >= FULL
    if is_said:
        return request.lang == "en" and 0.0 < nearest < UNRELATED_TO_ALL
    return 0.0 < nearest < FAR_FROM_ALL


ASTRAY, ASTRAY_LINE = 0.3, 0.5
"""Meaning (stretched cosine) of a piece and of its nearest sentence below which words in common are an accident, unless
they are nearly all that was asked. Choices: 70 messages about nothing of a course, 201 answerable questions."""


def _is_astray(window: Window, covers: float, *, is_compared: bool) -> bool:
    """Whether a window is far from the question in meaning, though it shares words with it."""
    nearest = max(line.meaning for line in window.piece.lines)
    if (nearest == 0.0 and not is_compared) or window.piece.entry.source == "catalog":
        return False
    return covers < FULL and window.piece.meaning < ASTRAY and nearest < ASTRAY_LINE


def names_longer(window: Window, request: Request) -> bool:
    """Whether a window names in place of a concept that is asked about one that goes on behind its name: a binary
    search tree is no binary search, as stochastic gradient descent is a gradient descent."""
    asked = {unit.concept_id for unit in request.units if unit.concept_id is not None}
    text = f"{window.piece.entry.title}. {window.text}"
    named = {mention.concept_id: mention.name.lower() for mention in request.graph.mentions(text, request.lang)}
    lacking = [re.escape(request.graph.concept(key).name.lower()) for key in asked - named.keys()]
    return any(re.search(rf"{own} {_ANOTHER}", name) for own in lacking for name in named.values())


_ANOTHER = r"(?!(?:algorithm|method|technique|procedure|model|classifier|problem|step)s?\b)"
"""What makes another thing of a name that stands before it: any word but these."""


def _names_all(window: Window, request: Request) -> bool:
    wanted = {unit.concept_id for unit in request.units if unit.concept_id is not None}
    if not wanted:
        return True
    text = f"{window.piece.entry.title}. {window.text}"
    return wanted <= {mention.concept_id for mention in request.graph.mentions(text, request.lang)}
