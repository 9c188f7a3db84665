"""The life of the course: dates, grades, rules and people, from the FAQ, the documents and the course's card. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from serving.assistant.composing.card import card_evidence
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.course_parts import is_of_another_part, is_part
from serving.assistant.composing.cues import find_counted_thing
from serving.assistant.composing.expected_replies import (
    ASKS_A_PRICE,
    ASKS_A_ROOM,
    HOW_OFTEN,
    PRICE,
    find_expected_pattern,
)
from serving.assistant.composing.explain import LIKELY, compose_explanation
from serving.assistant.composing.lecture_list import HOW_MANY
from serving.assistant.composing.material import MaterialPiece, join_material_lines, safe, stretch_cosine
from serving.assistant.composing.request import Request
from serving.assistant.composing.rule_topics import (
    BACKGROUND,
    CONTACT,
    WEIGHTS,
    RuleTopic,
    is_of_another_skill,
    is_rule,
    names_skill_of,
    topics_in,
)
from serving.assistant.composing.stored import NEAREST_SCORE, compose_close, give_stored, leads, with_faq_of_topics
from serving.assistant.composing.stored_match import tells_apart
from serving.assistant.composing.study_before import compose_background
from serving.assistant.composing.sufficiency import sufficient
from serving.assistant.composing.teachers import TEACHERS, asks_for_teachers, compose_teachers
from serving.assistant.composing.terms import coverage, is_of_concept, known, terms_of
from serving.assistant.composing.timetable import compose_timetable
from serving.assistant.composing.window import Window, is_slide, not_overlapping
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.wording import wording
from serving.assistant.composing.yes_no import forbids
from serving.assistant.understanding.question_kind import QuestionKind, question_kind
from serving.index.analysis import terms
from serving.index.schema import Entry

_ABOUT_LIFE = re.compile(
    r"\b(?:exams?|midterms?|finals?|final exam|quiz(?:z?es)?|(?<!single )assignments?|homeworks?|hand(?:ing)? in"
    r"|hand-?ins?"
    r"|deadlines?|due|late days?|late|extensions?|grades?|grading|graded|marks?|points(?![- ]to\b)|"
    r"pass(?:ing|ed)? (?:the|this) (?:course|class)|pass mark|certificates?|credits?"
    r"|regist(?:er|ers|ered|ering)(?! (?:alloc|file|mach|promot|spill)\w*)\b"
    r"|registration"
    r"|enrol\w*|resits?|retake|repeat the|office hours|forum|discussion board|attendance|attend"
    r"|come to (?:class|lectures?)|syllabus|"
    r"schedule|calendar|timetable|plagiaris\w*|cheat\w*|collaborat\w*|copilot|chatgpt|chat gpt|gpt|ai tools?"
    r"|cop(?:y|ied|ying) (?:\w+ ){0,2}?(?:code|homework|answers?|solutions?|work)|hours? (?:a|per|each) week"
    r"|textbooks?|how many weeks"
    r"|how long (?:is|are|does|do|will) (?:the|this|each|a) (?:course|class|lectures?|videos?)"
    r"|(?:term|semester|quarter|course|class|classes|lectures) (?:starts?|begins?|ends?|finish(?:es)?)"
    r"|refund|appeal|regrade|submit\w*|submission\w*|instructors?|professors?|lecturers?|"
    r"teaching assistants?|tas?|office|email|contact|missed|ill|sick|absen\w*|internet went|connection (?:broke"
    r"|went|dropped)|laptop|cheat ?sheet|open[- ]book|closed[- ]book|proctor\w*|transcript|recordings?|slides"
    r"|subtitles|download)\b"
    r"|\b(?:what|which) (?:programming )?languages? (?:do|does|is|are|can|should|will) (?:we|i|you|it|the course"
    r"|this course"
    r"|used)\b|(?:用|学)(?:的是)?(?:什么|哪[种门])(?:编程|程序)?语言"
    r"|考试|期中|期末|测验|作业|截止|迟交|延期|成绩|评分|分数|及格|证书|学分|报名|注册|补考|重修|答疑|论坛|出勤"
    r"|考勤|教学大纲|大纲|抄袭|作弊|合作|教材|退课|申诉|(?<!组)(?<!段)(?<!事务)(?<!的)提交|交作业|老师|讲师|助教"
    r"|办公室|邮箱|请假|生病|缺考|开卷|闭卷|课件|录像|字幕|下载"
    r"|每(?:周|星期|礼拜)[^。？！]{0,8}(?:花|投入|多少|几个?小时)"
    r"|听得懂|跟得上|学得会|学得了|零基础|[高初]中(?:数学)?水平|基础(?:不好|很?差|薄弱|不够)",
    re.IGNORECASE | re.ASCII,  # a Latin name ends where Chinese begins: 用chatgpt写作业
)


def compose_price_or_date(request: Request) -> Composed | None:
    """When something is due by a table's rows, or that the material names no price, or no date, where one is asked for
    of which nothing that was found says any in one line with it."""
    said = wording(request.spoken)
    if ASKS_A_PRICE.search(request.question):
        rules = [one for one in request.pieces if one.entry.source in ("document", "catalog")]
        lack = "" if _names(PRICE, rules, request) else said.no_price
        if lack and (refund := _REFUND.search(request.question)) is not None:
            return _without_refund(request, "refunds" if refund.group().isascii() else refund.group())
    elif _asks_when_due(request.question) and (date := find_expected_pattern(request.question)) is not None:
        if (dated := compose_timetable(request)) is not None:
            return dated
        lack = "" if _names(date, request.pieces, request) else said.no_date
    else:
        return None
    return Composed(request.kind, "none", (ComposedStatement(lack),), after=said.ask_ta) if lack else None


def lacks_a_price(request: Request, found: Composed) -> bool:
    """Whether a price is asked for, and an answer neither names one nor is to such a question."""
    lines = [line for one in found.statements for line in one.text.splitlines()]
    return ASKS_A_PRICE.search(request.question) is not None and not any(
        PRICE.search(line) or ASKS_A_PRICE.search(line) for line in lines
    )


def lacks_the_reply(request: Request, found: Composed) -> bool:
    """Whether a price, a room or a share of the grade is asked for, and an answer has none."""
    wanted = None if ASKS_A_PRICE.search(request.question) else _find_needed_reply(request.question)
    is_without = wanted is not None and not any(wanted.search(one.text) for one in found.statements)
    return is_without or lacks_a_price(request, found)


def _find_needed_reply(question: str) -> re.Pattern[str] | None:
    """What an answer must hold where a price, a room or a share of the grade is asked for."""
    if WEIGHTS in topics_in(question):
        return WEIGHTS.said
    return find_expected_pattern(question) if (ASKS_A_PRICE.search(question) or ASKS_A_ROOM.search(question)) else None


_REFUND = re.compile(r"\b(?:refunds?|money back)\b|退款|退费|退钱", re.IGNORECASE)


def _without_refund(request: Request, name: str) -> Composed:
    """That the material says nothing of a refund, with the rules for the situation in which it is asked for."""
    said = wording(request.spoken)
    topical = tuple(one.statement for one in _of_topics(request))
    if topical:
        note = said.nothing_of_part.format(names=name)
        return Composed("logistics", "partial", topical, note=note, after=said.hand_off, score=LIKELY, is_whole=True)
    nothing = ComposedStatement(said.nothing_of.format(names=name))
    return Composed(request.kind, "none", (nothing,), after=said.ask_ta)


def _asks_when_due(question: str) -> bool:
    """Whether a date is asked for, and not when something is due to something else, or the final layer is used."""
    return _DUE.search(_FINAL.sub(" ", question)) is not None


def _names(wanted: re.Pattern[str], pieces: Sequence[MaterialPiece], request: Request) -> bool:
    """Whether some line or entry of the FAQ has what is asked for and speaks of what it is asked of: the midterm's date
    is not the final's."""
    parts = [unit for unit in request.units if tells_apart(unit)]
    lines = [f"{one.entry.title} {line.text}" for one in pieces for line in one.lines]
    lines += [f"{one.entry.title} {one.entry.text}" for one in request.stored]
    return any(wanted.search(one) and coverage(parts, terms_of(one)) >= HALF for one in lines)


_SURELY = re.compile(
    r"\b(?:exams?|midterms?|final exam|quiz(?:z?es)?|(?<!single )assignments?|homeworks?|deadlines?|due"
    r"|late days?|certificates?|hand(?:ed|ing)? (?:\w+ ){0,4}?in|(?:have|need) to attend"
    r"|resits?|office hours|syllabus|plagiaris\w*|chatgpt|copilot|instructors?"
    r"|(?:code|answers?|solutions?) (?:from|off|on) (?:github|stack ?overflow))\b"
    r"|考试|期中|期末|测验|作业|截止|迟交|证书|补考|教学大纲|抄袭|老师|助教",
    re.IGNORECASE | re.ASCII,
)
"""Words that a question about a concept does not have by chance, as it may have grades or points."""


def is_about_the_course(question: str, *, names_concept: bool = False) -> bool:
    """Whether it asks about the course's life rather than its subject, by its words; surely so beside a concept."""
    if names_concept and not _SURELY.search(question):
        return False
    return any(one.search(question) for one in (_ABOUT_LIFE, TEACHERS, HOW_MANY, ASKS_A_PRICE)) or bool(
        topics_in(question)
    )


def compose_logistics(request: Request) -> Composed | None:
    """Who teaches it by the card; else the rule that speaks of all that is asked; else the nearest, said to be that."""
    if (taught := compose_teachers(request)) is not None:
        return taught
    topical = _of_topics(request)
    if not topical and (dated := compose_timetable(request)) is not None:
        return dated
    if asks_for_teachers(request.question) and not request.material.lectures.lectures:
        return _close(request)  # no document names one: what it says of other people is no answer
    if not topical and BACKGROUND in topics_in(request.question):
        return _close(request) or _quote_on_skill(request) or compose_background(request)
    return _compose_rules(request, topical) or _quote_on_topic(request)


def _quote_on_topic(request: Request) -> Composed | None:
    """The entry of the FAQ whose answer speaks of the situation that is asked about, under a doubt: 闭卷 for 小抄."""
    parts = [unit for unit in request.units if is_part(unit)]
    for topic in topics_in(request.question):
        for entry in (one.entry for one in request.stored if one.entry.source == "faq"):
            text = f"{entry.title}\n{entry.text}"
            if topic.said.search(entry.text) and not is_of_another_part(text, parts):
                return _give_in_doubt(entry, request)
    return None


def _give_in_doubt(entry: Entry, request: Request) -> Composed:
    """An entry of the FAQ as one that is only near."""
    said = wording(request.spoken)
    given = give_stored(entry, kind=request.kind, spoken=request.spoken, score=NEAREST_SCORE)
    return replace(given, coverage="partial", note=said.faq_noted, after=said.hand_off)


def _quote_on_skill(request: Request) -> Composed | None:
    """The entry of the FAQ that says how much is needed of the skill that is asked about, under a doubt."""
    entries = (one.entry for one in request.stored if one.entry.source == "faq")
    entry = next((one for one in entries if _says_of_skill(f"{one.title}\n{one.text}", request)), None)
    return None if entry is None else _give_in_doubt(entry, request)


def _says_of_skill(text: str, request: Request) -> bool:
    return BACKGROUND.said.search(text) is not None and names_skill_of(request.question, text)


def _compose_rules(request: Request, topical: Sequence[Window]) -> Composed | None:
    """The rule that speaks of all that is asked; else the nearest, said to be that: those for its situation first."""
    rules = tuple(piece for piece in request.pieces if piece.entry.source == "document")
    windows = not_overlapping((*topical, *_best_rules(request, rules)), MOST_RULES)
    close = _close(request)
    beside = close.statements if close is not None else ()
    told = (one for one in topical or windows if _covers_all(one, request))
    if (whole := next(told, next((one for one in windows if forbids(one, request)), None))) is not None:
        return Composed("logistics", "partial", (whole.statement, *beside), score=0.7)
    named = [unit for unit in request.units if unit.concept_id is not None]
    if named and not topical and close is None and not any(coverage(named, terms_of(one.text)) for one in windows):
        return compose_explanation(request)
    date = find_expected_pattern(request.question) if _asks_when_due(request.question) else None
    wanted = date or _find_needed_reply(request.question)
    windows = [one for one in windows if wanted is None or wanted.search(one.text)]
    windows = [one for one in windows if not is_slide(one.piece.entry) or _is_of_course_life(one.text)]
    if (told_so := _on_this(request, topical, windows, close)) is not None:
        return told_so
    if close is None and request.units and not known(request.units):
        return None  # no text has a word of what is asked
    if not topical and close is None and _asks_for_unknown(request, windows):
        return None
    near = tuple(one.statement for one in windows if one in topical or sufficient(one, request) != "none")
    if near or close is not None:
        return _nearest(request, near, windows, close)
    return _quote_in_passing(request, find_expected_pattern(request.question))


def _asks_for_unknown(request: Request, windows: Sequence[Window]) -> bool:
    """Whether a thing is to be brought, used or needed of which no text has a word, and no rule says half of it."""
    unknown = (one.label for one in request.units if not one.is_known)
    wanted = any(re.search(rf"{_HAVING}{re.escape(label)}", request.question, re.IGNORECASE) for label in unknown)
    return wanted and max((coverage(request.units, terms_of(one.text)) for one in windows), default=0.0) < HALF


_HAVING = r"(?:\b(?:bring|take|use|have|need|wear|borrow|rent) (?:(?:my|an?|the|any|some|our) )?(?:\w+ )?|[带用要戴借])"
"""How a question begins to name what may or must be had."""


def _quote_in_passing(request: Request, wanted: re.Pattern[str] | None) -> Composed | None:
    """What lectures say of the life of the course, under a doubt: what one happens to say of exams is no rule."""
    told = compose_explanation(request)
    if told is not None and (on_this := [one for one in told.statements if _is_rule_on_this(one, request)]):
        note = wording(request.spoken).rules_on_this
        return replace(told, statements=tuple(on_this), coverage="partial", note=note, score=LIKELY, is_whole=True)
    if told is None or not any(_speaks_of_the_course(one, request) for one in told.statements):
        return None
    parts = [one for one in _PARTS_OF_A_COURSE if one.search(request.question)]
    is_spoken = all(one.evidence is None or one.evidence.source == "subtitle" for one in told.statements)
    if parts and is_spoken and not any(part.search(one.text) for part in parts for one in told.statements):
        return None
    if wanted is not None and not any(wanted.search(one.text) for one in told.statements):
        return None
    said = wording(request.spoken)
    note = said.not_direct if told.note in ("", said.probably) else told.note
    note = said.told_in if _is_told_of_topic(told.statements[0], request) else note
    return replace(told, coverage="partial", note=note, after=said.hand_off, score=0.4)


def _is_rule_on_this(said: ComposedStatement, request: Request) -> bool:
    """Whether a page of a catalogue says something of the situation that a question tells of."""
    is_page = said.evidence is not None and said.evidence.source == "catalog"
    return is_page and any(topic.said.search(said.text) for topic in topics_in(request.question))


def _is_told_of_topic(said: ComposedStatement, request: Request) -> bool:
    """Whether a lecture speaks of the situation that a question tells of, means what is asked and says most of it."""
    is_of_topic = any(topic.said.search(said.text) for topic in topics_in(request.question))
    return is_of_topic and coverage(request.units, terms_of(said.text)) >= HALF and _meaning_of(said, request) >= MEANT


_PARTS_OF_A_COURSE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:exams?|mid-?terms?|finals)\b|考试|期中|期末",
        r"\b(?:quiz(?:zes)?)\b|测验",
        r"\b(?:assignments?|homeworks?|problem sets?)\b|作业",
        r"\b(?:final |course |my )grades?\b|\bgrading\b|成绩|评分",
        r"\bcertificates?\b|证书",
    )
)
"""What a lecture has to name by its own words to tell of it: a test set is no exam."""


def _on_this(
    request: Request, topical: Sequence[Window], windows: Sequence[Window], close: Composed | None
) -> Composed | None:
    """The rules for the situation that is told, and whom to turn to; `None` where there are none, or the FAQ has an
    entry for it."""
    shown = (*_reach(request), *(one.statement for one in topical))
    if not shown or (close is not None and _comes_first(close, windows, request)):
        return None
    said = wording(request.spoken)
    expected = find_expected_pattern(request.question) if not _HOW_MUCH_OF_IT.search(request.question) else None
    counted = frozenset(terms(find_counted_thing(request.question) or ""))
    lacks = expected is not None and not any(
        expected.search(one.text) and counted <= terms_of(one.text) for one in shown
    )
    note = said.not_direct if lacks else said.rules_on_this if any(map(is_rule, shown)) else said.told_in
    return Composed("logistics", "partial", shown, note=note, after=said.hand_off, score=LIKELY, is_whole=True)


_HOW_MUCH_OF_IT = re.compile(r"\bhow much \w+ (?:do|does|should|must|will)\b", re.IGNORECASE)
"""What is answered by words as well as by a number: "how much math do I need"."""


def _nearest(
    request: Request, near: tuple[ComposedStatement, ...], windows: Sequence[Window], close: Composed | None
) -> Composed:
    """The nearest rules and entry of the FAQ, under a doubt."""
    said = wording(request.spoken)
    if close is None:
        return Composed("logistics", "partial", near, note=said.not_direct, after=said.hand_off, score=0.4)
    is_first = _comes_first(close, windows, request)
    note = close.note if is_first or not near else said.not_direct
    shown = (*close.statements, *near) if is_first else (*near, *close.statements)
    return Composed("logistics", "partial", shown, note=note, after=said.hand_off, choices=close.choices, score=0.4)


_DUE = re.compile(
    r"^\W*(?:so |and )?when (?:is|are|was|do|does)\b.*\b(?:due(?! to\b)|deadline|submitted|hand\w* in|exams?|mid-?term"
    r"|final)\b"
    r"|(?:考试|期中|期末|截止|交).{0,6}(?:什么时候|何时|几号|哪一?天)|(?:什么时候|何时|几号|哪一?天).{0,6}(?:考|期中|期末|截止|交)",
    re.IGNORECASE,
)
"""What asks for a date, which no text without one answers: a slide on static single assignment says nothing of it."""
_FINAL = re.compile(
    r"\bfinally\b|\bfinal (?!exams?\b|is\b|will\b|has\b|covers\b|counts\b|and\b|on\b|in\b)(?=[a-z])", re.I
)
"""Where "final" is no exam: "the final evaluation on the test set"."""


def _is_of_course_life(text: str) -> bool:
    """Whether a slide speaks of the life of the course: of an assignment and its deadline, and not of an assignment
    alone, which a compiler has as well."""
    return _ABOUT_LIFE.search(_ASSIGNMENT.sub(" ", text)) is not None


_ASSIGNMENT = re.compile(r"\bassignments?\b", re.IGNORECASE)


def _speaks_of_the_course(said: ComposedStatement, request: Request) -> bool:
    """Whether a statement may answer: one of a lecture must speak of half of what is asked, and an English one mean it,
    or of some of it and of the life of the course, unless the question names a concept."""
    at = said.evidence.locator if said.evidence is not None else None
    if said.evidence is not None and is_slide(said.evidence) and not _is_of_course_life(said.text):
        return False
    if at is None or at.video_id is None or is_of_concept(request.units):
        return True
    text = _FINAL.sub(" ", said.text)
    covered = coverage(request.units, terms_of(text)) if request.units else 0.0
    if _ABOUT_LIFE.search(text) is not None:
        return covered > 0.0
    is_meant = not request.is_compared or request.lang != "en" or _meaning_of(said, request) >= MEANT
    return covered >= HALF and is_meant


def _meaning_of(said: ComposedStatement, request: Request) -> float:
    """How near in meaning the nearest sentence of a statement is to the question."""
    text = said.evidence.text if said.evidence is not None else said.text
    near = (line.meaning for piece in request.pieces for line in piece.lines if line.text in text)
    return max(near, default=0.0)


MEANT = 0.6
"""Meaning (stretched cosine) of a lecture's sentence on the life of the course: a friend who works on it is none to
work with, and what kind of e-mail is filtered is nobody's address. A choice."""
HALF = 0.5
"""Share of the question that a sentence of a lecture speaks of, whatever else it is about. A choice."""


def compose_nearest_rule(request: Request) -> Composed | None:
    """The entry of the FAQ or the rule that is far nearer in meaning than the next of its kind, under a doubt: for a
    question in quite other words of which nothing else was found. `None` for one about a concept or a catalogue."""
    if request.kind not in _MAY_BE_RULED or request.catalogue.classes or is_of_concept(request.units):
        return None
    said = wording(request.spoken)
    wanted = _find_needed_reply(request.question)
    stored = (one for one in request.stored if one.entry.source == "faq" and _holds(one.entry, wanted))
    entries = [(stretch_cosine(one.parts.get("cosine")), one) for one in stored]
    entries.sort(key=lambda found: -found[0])
    if _stands_out([meaning for meaning, _ in entries]):
        return _give_in_doubt(entries[0][1].entry, request)
    written = (one for one in request.pieces if one.entry.source == "document" and _holds(one.entry, wanted))
    rules = sorted((one for one in written if _may_rule(one.entry)), key=lambda one: -one.meaning)
    is_worded = bool(rules) and rules[0].words >= WORDED and rules[0].meaning >= LEAST_MEANING
    if not is_worded and not _stands_out([one.meaning for one in rules]):
        return None
    statement = ComposedStatement(join_material_lines(rules[0].lines, rules[0].lang), rules[0].evidence(rules[0].lines))
    return Composed(request.kind, "partial", (statement,), note=said.not_direct, after=said.hand_off, score=0.3)


def _holds(entry: Entry, wanted: re.Pattern[str] | None) -> bool:
    return wanted is None or wanted.search(entry.text) is not None


def _stands_out(meanings: Sequence[float]) -> bool:
    return len(meanings) > 1 and meanings[0] >= LEAST_MEANING and meanings[0] - meanings[1] >= LEAST_LEAD


_MAY_BE_RULED = frozenset[QuestionKind](("logistics", "other", "aspect", "yes_no"))
LEAST_MEANING, LEAST_LEAD, WORDED = 0.4, 0.2, 0.8
"""Meaning (stretched cosine) of a rule that may be meant, its lead over the next one, and how well words found it where
they make up for that lead. Of 46 development questions that were declined these answer four of the 17 that have an
answer, and show something under a doubt to none of the others. Choices."""


def _of_topics(request: Request) -> list[Window]:
    """The rules for the situations that the question tells of, in whatever words: those found best by the words that
    such rules have, which say something of it."""
    found: list[Window] = []
    parts = [unit for unit in request.units if is_part(unit)]
    for topic in topics_in(request.question):
        query = f"{topic.query[request.lang]} {request.question}"
        sought = request.material.pieces(query, None, lang=request.lang, sources=("document",))
        rules = [one for one in sought if one.words >= BEST_FOUND and _says(topic, one) and _may_rule(one.entry)]
        rules = [one for one in rules if not is_of_another_part(one.entry.text, parts)]  # the midterm is not the final
        if topic is BACKGROUND:
            rules = [one for one in rules if not is_of_another_skill(request.question, one.entry.text)]
        wanted = request.units if question_kind(request.question) == "yes_no" else parts
        rules.sort(key=lambda one: -coverage(wanted, terms_of(one.entry.text)))
        for rule in rules[:MOST_OF_TOPIC]:
            found += best_windows([rule], (), kind="logistics", cue=topic.said)
    return not_overlapping(found, MOST_RULES)


def _may_rule(entry: Entry) -> bool:
    """Whether a part of a document may hold a rule: a slide on pointers in C++ says nothing of homework in C++."""
    return not is_slide(entry) or _is_of_course_life(entry.text)


def _says(topic: RuleTopic, rule: MaterialPiece) -> bool:
    return any(topic.said.search(line.text) for line in rule.lines)


BEST_FOUND, MOST_OF_TOPIC = 0.4, 3
"""How well words must have found a rule for a situation, 0..1 with the best at 1, and how many are shown. Choices."""


def _reach(request: Request) -> tuple[ComposedStatement, ...]:
    """Whom the course names to turn to, where that is asked."""
    if request.card is None or not request.card.support or CONTACT not in topics_in(request.question):
        return ()
    text = wording(request.spoken).support.format(contact=safe(request.card.support))
    return (ComposedStatement(text, card_evidence(request.card, text)),)


MOST_RULES = 4
"""Rules that are shown at most. A choice."""


def _comes_first(close: Composed, rules: Sequence[Window], request: Request) -> bool:
    """Whether the nearest entry of the FAQ stands before the rules: where it speaks of the situation that is asked
    about, if the question tells of one; else where it leads and no rule speaks of more."""
    if topics := topics_in(request.question):
        return any(topic.said.search(one.text) for topic in topics for one in close.statements)
    return leads(request) and not _says_more(rules, close, request)


def _says_more(rules: Sequence[Window], close: Composed, request: Request) -> bool:
    """Whether a rule speaks of more of the question than the nearest entry of the FAQ."""
    said = terms_of("\n".join(one.text for one in close.statements))
    best = max((coverage(request.units, terms_of(one.text)) for one in rules), default=0.0)
    return best > coverage(request.units, said)


def _close(request: Request) -> Composed | None:
    """The nearest entry of the FAQ, unless it speaks of another part of the course than is asked about (the midterm is
    not the final), or holds nothing of what is asked for."""
    close, expected = compose_close(with_faq_of_topics(request)), find_expected_pattern(request.question)
    if close is None:
        return None
    text = "\n".join(one.text for one in close.statements)
    said = terms_of(text)
    if any(unit.measure_coverage(said) < 1.0 for unit in request.units if is_part(unit)):
        return None
    return close if expected is None or expected.search(text) else None


def _best_rules(request: Request, rules: tuple[MaterialPiece, ...]) -> list[Window]:
    """The two rules that fit best, and the one nearest in meaning where that is another."""
    expected = find_expected_pattern(request.question)
    windows = best_windows(rules, request.units, kind="logistics", aspects=request.aspects, cue=expected, most=3)
    nearest = sorted(rules, key=lambda piece: -piece.meaning)[:1]
    if nearest and nearest[0].meaning > 0.0 and not any(window.piece in nearest for window in windows):
        windows += best_windows(nearest, request.units, kind="logistics", aspects=request.aspects)
    return windows


_OF_TIMES = frozenset(terms("attempts tries goes chances"))
"""How often something may be done: "twice" says it without a word for the times."""
_OF_ROOMS = frozenset(terms("room hall place location building held"))
"""Where something is held: "Hall B" says it without the word."""
_OF_ALL = frozenset(terms("each every"))
"""What a rule need not repeat: one for a quiz is one for each."""

ALL = 0.95
"""Share of the question that a rule must speak of: one that leaves a condition out is another rule."""


def _covers_all(window: Window, request: Request) -> bool:
    said = terms_of(f"{window.piece.entry.title} {window.text}")
    expected = find_expected_pattern(request.question)
    lacks = expected is not None and not expected.search(window.text)
    is_of_times = HOW_OFTEN.search(request.question) is not None
    if not is_of_times and not frozenset(terms(find_counted_thing(request.question) or "")) <= said:
        return False
    if lacks or (not request.units and not _says_of_what(request.question, window.text)):
        return False
    beside = _OF_ALL | (_OF_TIMES if is_of_times else frozenset())
    beside |= _OF_ROOMS if ASKS_A_ROOM.search(request.question) else frozenset()
    units = [one for one in request.units if not any(name <= beside for name in one.names)]
    return (window.is_cued or is_of_times) and coverage(units, said) >= ALL


_OF_WHAT = re.compile(r"\b(video|lecture|lesson|slide|episode|class)(?:e?s)?\b|视频|课件|讲座", re.IGNORECASE)
"""Of what something is asked whose words are in every question: how long a video is, the length of an exam is not."""


def _says_of_what(question: str, text: str) -> bool:
    asked = _OF_WHAT.search(question)
    if asked is None:
        return True
    return re.search(rf"\b{asked[1]}(?:e?s)?\b" if asked[1] else asked[0], text, re.IGNORECASE) is not None
