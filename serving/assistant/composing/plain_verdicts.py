"""Yes or no by one sentence that says just that: what one has to do, what a thing is not, what not all have. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from serving.assistant.composing.composed import ComposedStatement
from serving.assistant.composing.cues import NOT_ALL, OF_ALL
from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.reply_cues import part_reply, tells_what_others_held
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import ALL_OF_IT, QuestionUnit, coverage, terms_of

Verdict = tuple[bool, ComposedStatement]
"""Yes or no, and the sentences that say so."""

BEFORE = 2
"""Sentences before one that begins with "it" in which that thing is named. A choice."""


def find_verdict(request: Request) -> Verdict | None:
    """What a sentence of what was found says to the question, first come; `None` where none says just that."""
    for asked in (_say_duty, _say_not_all, _say_it_is_not):
        for piece in request.pieces:
            for told in asked(request, piece):
                return told.is_so, _quote(piece, told)
    return None


@dataclass(frozen=True)
class ToldLine:
    """The line `at` which a piece says yes or no, and the `first` that it leans on, itself where on none."""

    at: int
    first: int
    is_so: bool


def _quote(piece: MaterialPiece, told: ToldLine) -> ComposedStatement:
    """The sentence, marked, with those before it that it leans on and the one behind it."""
    lines = piece.lines[told.first : told.at + 2]
    said = [f"**{line.text}**" if line is piece.lines[told.at] else line.text for line in lines]
    return ComposedStatement(" ".join(said), piece.evidence(lines))


def _say_duty(request: Request, piece: MaterialPiece) -> Iterator[ToldLine]:
    """Where a piece says that one has to do what is asked, or does not have to."""
    asked = _ASKS_A_DUTY.match(request.question)
    if asked is None:
        return
    what, _, condition = _CONDITION.sub("\n", asked["what"], count=1).partition("\n")
    doing = what.split()[0].lower()
    things = [unit for unit in _find_named(request.units, what) if unit.label.lower() != doing]
    things = [unit for unit in things if not _BY_ONESELF.fullmatch(unit.label)]
    case = _find_named(request.units, condition)
    if not things or not _is_of_the_case(case, piece, request):
        return
    for at, line in enumerate(piece.lines):
        none, duty = _NO_DUTY.search(line.text), _DUTY.search(line.text)
        told = none or duty
        if told is None or _leaves_open(line.text, case):
            continue
        done = told["done"] or " ".join(told["needless"].split()[-2:])
        first = at - 1 if at > 0 and _OF_IT.search(done) else at
        said = " ".join(one.text for one in piece.lines[first : at + 1])
        is_done = any(_is_same_doing(doing, one) for one in ([done] if told["done"] else done.split()))
        if is_done and coverage(things, terms_of(said)) >= ALL_OF_IT:
            yield ToldLine(at, first, is_so=none is None)


def _is_of_the_case(case: Sequence[QuestionUnit], piece: MaterialPiece, request: Request) -> bool:
    """Whether a passage, or the lecture that it is of, speaks of the case that a question is on: "if I use fminunc"."""
    at = piece.entry.locator.video_id if piece.entry.locator is not None else None
    said = terms_of(piece.entry.text)
    return all(
        unit.measure_coverage(said) == 1.0 or at in request.material.lectures.naming([unit.names]) for unit in case
    )


def _leaves_open(text: str, case: Sequence[QuestionUnit]) -> bool:
    """Whether a sentence asks, is taken back or told of others, excepts something, or is on another case than the
    question's own."""
    if part_reply(text)[1] or tells_what_others_held(text):
        return True
    is_its_own = bool(case) and coverage(case, terms_of(text)) >= ALL_OF_IT
    return text.rstrip().endswith("?") or _EXCEPTS.search(_IF.sub(" ", text) if is_its_own else text) is not None


_ASKS_A_DUTY = re.compile(
    r"^\W*(?:(?:so|and|but|ok|okay|hi|then|wait)\b[, ]*)*(?:(?:do|will|would) (?:i|we|you|students|one) "
    r"(?:(?:still|really|even|also|always|actually|ever) )*(?:have|need) to|must (?:i|we|students|one)) "
    r"(?:(?:still|really|also|always|actually) )*(?P<what>\w.*)$",
    re.IGNORECASE,
)
_CONDITION = re.compile(r" (?:if|when|while|once|after|before|in order to|for|in|with)\b", re.IGNORECASE)
_BY_ONESELF = re.compile(r"(?:my|our|your)sel(?:f|ves)|manually", re.IGNORECASE)
_NO_DUTY = re.compile(
    r"\b(?:(?:do|does|did|will|would)(?:n['’]t| not)(?: \w+)? (?:have|need) to|no need to|need(?:n['’]t| not)) "
    r"(?P<done>.{2,80})"
    r"|\b(?P<needless>(?:[\w'’-]{1,24} ){1,4})(?:is|are)(?:n['’]t| not) (?:necessary|needed|required)\b",
    re.IGNORECASE,
)
_DUTY = re.compile(
    r"\b(?<!n['’]t )(?<!not )(?:have to|must(?! not)|need to(?! not)|you should be able to) (?P<done>.{2,80})",
    re.IGNORECASE,
)
_EXCEPTS = re.compile(r"\b(?:unless|except|but|however|might|may|if)\b", re.IGNORECASE)
_IF = re.compile(r"\bif\b", re.IGNORECASE)
_OF_IT = re.compile(r"\b(?:it|them|that|this)\b", re.IGNORECASE)
_SAME = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:memori[sz](?:e|ing|ation)|remember(?:ing)?|by heart)\b",
        r"\b(?:pick(?:ing)?|choos(?:e|ing)|select(?:ing)?|set(?:ting)?|tun(?:e|ing))\b",
        r"\b(?:buy|purchase|pay)\b",
        r"\b(?:install|download)\b",
    )
)
"""Words that say one thing of what is to be done."""


def _is_same_doing(asked: str, done: str) -> bool:
    """Whether what a sentence says is to be done begins with what is asked, but for a word of how it is done
    ("manually pick alpha"), or says the same in other words."""
    first = _HOW_DONE.sub("", done).split()[:1]
    if terms_of(asked) & terms_of(" ".join(first)):
        return True
    done = _BREAKS_OFF.split(done)[0]
    return any(same.search(asked) and same.search(done) for same in _SAME)


_BREAKS_OFF = re.compile(r"[,;]|\bnot\b", re.IGNORECASE)
_HOW_DONE = re.compile(r"^\W*(?:(?:\w+ly|just|also|even|actually) )+", re.IGNORECASE)


def _find_named(units: Sequence[QuestionUnit], text: str) -> list[QuestionUnit]:
    return [unit for unit in units if unit.label.lower() in text.lower()]


def _say_not_all(request: Request, piece: MaterialPiece) -> Iterator[ToldLine]:
    """Where a piece says that not all of a kind have what is asked of all: "a matrix doesn't have to have one"."""
    if OF_ALL.search(request.question) is None or len(request.units) < len(("thing", "what it has")):
        return
    kind, *others = sorted(request.units, key=lambda unit: request.question.lower().find(unit.label.lower()))
    for at, line in enumerate(piece.lines):
        denied = NOT_ALL.search(line.text)
        if denied is None or line.text.rstrip().endswith("?"):
            continue
        behind = line.text[denied.end() :]
        of = line.text[: denied.start()] if denied["all"] is None else " ".join(behind.split()[:MOST_OF_A_NAME])
        if terms_of(kind.label.split()[-1]) & terms_of(of) and coverage(others, terms_of(behind)) >= ALL_OF_IT:
            yield ToldLine(at, at, is_so=False)


MOST_OF_A_NAME = 3
"""Words behind "not all" in which the kind is named of which it is said. A choice."""


def _say_it_is_not(request: Request, piece: MaterialPiece) -> Iterator[ToldLine]:
    """Where a piece says of the thing that it is not what the question takes it for: "It's not really a law at all"."""
    asked = _IS_IT_JUST.match(request.question)
    if asked is None:
        return
    things = _find_named(request.units, asked["thing"])
    names = "|".join(map(re.escape, (asked["kind"], asked["kind"].split()[-1])))
    denies = re.compile(_IS_NOT.format(names), re.IGNORECASE)
    for at, line in enumerate(piece.lines):
        denied = denies.search(line.text)
        if not things or denied is None:
            continue
        first = _find_first(things, piece.lines, at, denied.start(), request)
        if first is not None:
            yield ToldLine(at, first, is_so=False)


def _find_first(
    things: Sequence[QuestionUnit], lines: Sequence[MaterialLine], at: int, start: int, request: Request
) -> int | None:
    """The sentence that names the thing of which another says something from a place on: that itself, or where it
    begins with "it" one before it, with no other concept named between them; `None` where it is said of another."""
    text = lines[at].text
    if coverage(things, terms_of(text[:start])) >= ALL_OF_IT:
        return at
    if not _BEGINS_WITH_IT.match(text):
        return None
    asked = {unit.concept_id for unit in things}
    for place in range(at - 1, max(-1, at - 1 - BEFORE), -1):
        before = lines[place].text
        if coverage(things, terms_of(before)) >= ALL_OF_IT:
            return place
        if any(one.concept_id not in asked for one in request.graph.mentions(before, request.lang)):
            return None
    return None


_BEGINS_WITH_IT = re.compile(r"\W*(?:it|they)\b", re.IGNORECASE)
_IS_IT_JUST = re.compile(
    r"^\W*(?:(?:so|and|but|ok|okay|wait)\b[, ]*)*(?:is|are)n['’]?t (?P<thing>.{2,60}?) (?:(?:really|actually) )?"
    r"(?:just|simply|basically|only) (?:(?:an?|the|another|some) )?"
    r"(?:(?:normal|ordinary|plain|regular|simple|fancy|glorified) )?"
    r"(?P<kind>[\w'’-]+(?: (?!(?:of|in|with|for)\b)[\w'’-]+){0,3})"
    r"(?: (?:of|in|with|for)\b.*)?\W*$",
    re.IGNORECASE,
)
_IS_NOT = (
    r"(?:\b(?:is|are|was)|['’]s|['’]re)(?:n['’]t| not)"
    r"(?: (?:really|actually|just|exactly|quite))?(?: an?| the)? (?:{0})s?"
    r"(?= at all\b|[,.;!]| (?:but|really|any)\b|$)"
)
