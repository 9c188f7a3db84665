"""Is it so: the sentence that speaks of it, with a yes or no before it only where the wording settles it. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.cues import wording_of
from serving.assistant.composing.explain import LIKELY, SHOWN, compose_explanation, find_windows
from serving.assistant.composing.material import MaterialLine
from serving.assistant.composing.missing import is_what_another_is_compared_with
from serving.assistant.composing.opposites import says_opposite
from serving.assistant.composing.plain_verdicts import find_verdict
from serving.assistant.composing.reply_cues import (
    denies_what_is_said,
    is_taken_back,
    part_reply,
    tells_what_others_held,
)
from serving.assistant.composing.request import Request
from serving.assistant.composing.sufficiency import sufficient
from serving.assistant.composing.terms import as_asked, coverage, terms_of
from serving.assistant.composing.window import Window
from serving.assistant.composing.wording import wording
from serving.assistant.grounding.negation import count_negations, is_negated

SETTLES = 0.85
"""Share of the question that one sentence must speak of to say yes or no to it. A choice."""

SUBJECT = re.compile(r"^(.*?)\b(?:is|are|was|were|can|cannot|will|does|do|has|have)\b", re.IGNORECASE)
"""What an English sentence says something of: of heapify, not of a heap."""

TOLD_APART = 2
"""Things of a question from which a sentence that names them may settle something; of one it may say anything: of
1,920 questions whether and why one concept is needed, hard or important, 49 had a verdict before this and what goes
with it, and few of these were right (`benchmarks/verdicts.py`). A choice."""

OF_OPINION = re.compile(
    r"\b(?:important|useful|hard(?!ware)\w*|difficult\w*|easy|easier|easily|tough|tricky|challenging|boring|fun|interesting"
    r"|worth(?:while)?)\b|重要|有用|难|容易|值得|有趣|有意思|枯燥|好玩",
    re.IGNORECASE,
)
"""What asks how good or hard something is: a sentence with the word says it of something else more often than not."""

_HEDGED = re.compile(
    r"\b(?:if|unless|sometimes|may(?! not)|might|usually|often|depends?|except|only|could|would|almost|in general|when"
    r"|suppose|assume|whether|to (?:make|be|become|get|keep|have))\b|如果|除非|有时|可能|通常|取决于|一般|假设|是否",
    re.IGNORECASE,
)


def compose_yes_no(request: Request) -> Composed | None:
    """As an explanation; with "Yes." or "No." before it, and what settles it first, where one sentence settles the
    question. `None` for one that names nothing: anything is near it."""
    found = compose_explanation(request) if request.units or request.aspects else None
    if found is None:
        return None
    found = replace(found, statements=_without_compared(found.statements, request))
    settled = _settle(request, find_windows(request, most=SHOWN))
    if settled is None:
        return add_verdict(found, request)
    verdict, window = settled
    in_context = (one for one in found.statements if _plain(window.text) in _plain(one.text))
    statement = next(in_context, window.statement)
    others = tuple(one for one in found.statements if one.text != statement.text)
    said = wording(request.spoken)
    note = said.yes if verdict else said.no
    return replace(found, statements=(statement, *others), note=note, after="", score=LIKELY)


def add_verdict(found: Composed, request: Request) -> Composed:
    """What was found, below the sentence that says yes or no to the question, where one says just that."""
    if (told := find_verdict(request)) is None:
        return found
    verdict, statement = told
    said, marked = wording(request.spoken), _MARKED.findall(statement.text)[0]
    others = tuple(one for one in found.statements if marked not in _plain(one.text))
    note = said.yes if verdict else said.no
    return replace(found, statements=(statement, *others[: SHOWN - 1]), note=note, after="", score=LIKELY)


def _without_compared(said: tuple[ComposedStatement, ...], request: Request) -> tuple[ComposedStatement, ...]:
    """What is said without what is marked as the answer and said of another thing, where anything else is: "slower than
    quicksort, and it isn't stable". A question that compares itself is answered by what does."""
    if " than " in request.question.lower():
        return said
    kept = tuple(
        one
        for one in said
        if not any(is_what_another_is_compared_with(request, marked) for marked in _MARKED.findall(one.text))
    )
    return kept or said


_MARKED = re.compile(r"\*\*(.+?)\*\*")


def _plain(text: str) -> str:
    return text.replace("**", "")


def _settle(request: Request, windows: Sequence[Window]) -> tuple[bool, Window] | None:
    """What the first sentence that settles the question says, and its window: the one that a sufficient answer begins
    around, its key, or any shown that denies what means the same. What lectures do is no leave for a student."""
    if not windows or OF_OPINION.search(request.question) or _ALTERNATIVES.search(request.question):
        return None
    first = windows[0]
    is_lecture = first.piece.entry.locator is not None and first.piece.entry.locator.video_id is not None
    if sufficient(first, request) == "full" and not (is_lecture and ASKS_LEAVE.search(request.question)):
        places = [one for one in (first.anchor, first.key) if one >= 0 and not first.piece.wordings[one][2]]
        lines = [first.piece.lines[one] for one in places]
        found = (settles(request, line.text) for line in lines if not is_lecture or line.meaning >= SAYS_JUST_THAT)
        if (verdict := next((one for one in found if one is not None), None)) is not None:
            return None if _is_settled_otherwise(request, is_so=not verdict) else (verdict, first)
    if request.lang != "en":  # 不 is in too many sentences that deny nothing
        return None
    denying = next((one for one in windows if any(_denies_the_same(request, line) for line in one.lines)), None)
    return None if denying is None else (is_negated(_without_tag(request.question)), denying)


def _is_settled_otherwise(request: Request, *, is_so: bool) -> bool:
    """Whether a sentence that means what is asked settles it the other way: of two that differ neither is believed."""
    lines = (line for piece in request.pieces for line in piece.lines if line.meaning >= DENIES_THE_SAME)
    return any(settles(request, line.text) is is_so for line in lines)


def _denies_the_same(request: Request, line: MaterialLine) -> bool:
    """Whether a sentence that means what is asked denies it, and nothing else besides; not in its reason: "it will
    converge to the optimum, because there are no others"."""
    parts = _PARTS.split(_CONCEDES.sub("", without_rejected(line.text, request)))
    told = max(parts, key=lambda part: coverage(request.units, terms_of(part)))
    return (
        line.meaning >= DENIES_THE_SAME
        and is_negated(line.text)
        and is_negated(told)
        and not _claims_nothing(line.text)
        and count_named(line.text, request) >= TOLD_APART
        and _is_said_of_them(request, line.text)
        and len(line.text) >= SHORTEST_DENIAL
        and not wording_of(line.text)[2]
        and not _OF_AN_EXAMPLE.search(line.text)
        and not _DENIED_ASIDE.search(line.text)
        and not _HEDGED.search(line.text)
        and not is_what_another_is_compared_with(request, line.text)
        and not says_opposite(request.question, line.text)
        and not denies_what_follows(request.question, line.text)
        and coverage(request.units, terms_of(line.text)) >= LEAST_NAMED
        and not is_affirmed_as_nearly(request, line)
    )


_CONCEDES = re.compile(r"^\W*(?:although|though|even though|even if|while)\b[^,]*,", re.IGNORECASE)
"""What a sentence grants before it says its own: "although we have not called it so, it is one"."""
_RELATIVE_DENIAL = re.compile(
    r"(?<=[a-z])(?<!\band)(?<!\bbut)(?<!\bso)(?<!\bsay)(?<!\bmeans) (?:that|which|who)"
    r"(?:['’]s not| (?:is|are|was|were|has|have|had|do|does|did|can|will)(?:n['’]t| not)| cannot| never)\b[^,;.]*"
    r"|(?<=[^不]是)(?:一[种个类])?[^，。不没无]{0,8}[不没无][^，。]{1,12}的(?=[\u4e00-\u9fff])",
    re.IGNORECASE,
)
"""What a clause behind a noun, or a Chinese one before it, denies of that: "carbohydrate that's not digested"."""

_DENIED_ASIDE = re.compile(
    r"(?<!\bsay )(?<!\bsays )(?<!\bsaid )(?<!\bknow )(?<!\bmeans )(?<!\bmean )(?<!\bshow )(?<!\bshows )(?<!\bthink )"
    r"(?<!\bsee )(?<!\bnote )(?<!\bsure )(?<!\bfact )(?<!\btrue )"
    r"\b(?:that|which|who|whom)(?: (?:the|a|an|your|our|my))?(?: \w+){1,2} (?:has|have|had|is|are|do|does|did)"
    r"(?:n['’]t| not)"
    rf"|{_RELATIVE_DENIAL.pattern}"
    r"|(?:^|[-–—,;:] ?)don['’]t (?:judge|worry|confuse|forget|be|take|let|ask)\b",
    re.IGNORECASE,
)
"""What is denied of a part, "films that the user has not seen", and what one is told not to do."""


def _claims_nothing(text: str) -> bool:
    """Whether a sentence denies something and is taken back, or only tells what others hold."""
    told, reply = part_reply(text)
    return is_negated(told) if is_taken_back(text) else not reply and tells_what_others_held(text)


def denies_what_follows(question: str, sentence: str) -> bool:
    """Whether a sentence only denies that one thing means another, which the question does not ask: what need not be so
    can be so."""
    return _NO_CONSEQUENCE.search(sentence) is not None and _CONSEQUENCE.search(question) is None


_FOLLOWS = r"(?:mean|imply|guarantee|ensure|prove|make (?:it|them|him|her)|say (?:that|anything))"
_NO_CONSEQUENCE = re.compile(
    rf"\b(?:(?:do|does|did)(?:n['’]t| not)|need(?:n['’]t| not)|not) (?:(?:\w+ly|always|yet|have to) )?{_FOLLOWS}\b"
    r"|不(?:一定|必然?|总是?)?(?:意味|代表|等于说|说明|保证)",
    re.IGNORECASE,
)
_CONSEQUENCE = re.compile(
    rf"\b(?:{_FOLLOWS}|means|implies|guarantees?d?|ensures?|proves?)\b|意味|代表|说明|保证", re.IGNORECASE
)


def is_affirmed_as_nearly(request: Request, denial: MaterialLine) -> bool:
    """Whether another sentence says just what is asked, as near in meaning and with as much of the question as the one
    that denies it: of two on the same thing the nearer one is believed. Of all things of a kind none says so."""
    if _OF_ALL.search(request.question):
        return False
    asked, is_hedged = is_negated(_without_tag(request.question)), _HEDGED.search(request.question) is not None
    least = max(SETTLES, coverage(request.units, terms_of(denial.text)))
    return any(
        line.meaning >= denial.meaning
        and line.text != denial.text
        and is_negated(line.text) == asked
        and coverage(request.units, terms_of(line.text)) >= least
        and not (_NO_CLAIM.search(line.text) or is_taken_back(line.text))
        and (is_hedged or not _HEDGED.search(line.text))
        for piece in request.pieces
        for line in piece.lines
    )


_NO_CLAIM = re.compile(
    r"[?？]\W*$|\b(?:people|someone|somebody|many|you) (?:\w+ )?(?:think|believe|say|assume|expect|try|tend)\w*\b"
    r"|\b(?:bad|wrong|misuse|mistake|myth|misconception)\b|有(?:的|些)?人|误(?:以为|解|用)|以为|错误",
    re.IGNORECASE,
)
"""What asks, or tells what others hold or do wrongly, and claims nothing itself."""


def without_rejected(sentence: str, request: Request) -> str:
    """A sentence without what it only sets its own statement apart from, where that statement has something that is
    asked about: "latches are not laid side by side but in a grid" denies nothing of a grid."""
    rejected = _SET_APART.search(sentence)
    if rejected is None or coverage(request.units, terms_of(sentence[rejected.end() :])) == 0.0:
        return sentence
    return f"{sentence[: rejected.start()]} {sentence[rejected.end() :]}"


_SET_APART = re.compile(
    r"\bnot (?:[\w'’-]+,? ){1,8}?but (?:rather |instead |just |simply )?"
    r"|并?不是?[^，。不而]{1,16}[，,]? ?而(?:是|要|用|应)?",
    re.IGNORECASE,
)
"""The rejected half of "not A but B"."""


def without_others(sentence: str, request: Request) -> str:
    """A sentence without what a clause of it says of another thing, that the question does not name: of the first "the
    first was a bargain, and the second was an office" says the bargain alone."""
    first, *clauses = _CLAUSES.split(sentence)
    return " ".join([first, *(clause for clause in clauses if not _is_of_another(clause, request))])


def _is_of_another(clause: str, request: Request) -> bool:
    subject = _OF_A_CLAUSE.match(clause)
    return subject is not None and coverage(request.units, terms_of(subject.group())) == 0.0


_CLAUSES = re.compile(r"(?:[,;] |;|, )(?=(?:and|but|while|whereas|the)\b)|[，；]")
_JOINS = r"(?:(?:and|but|while|whereas) )?"
_OF_A_CLAUSE = re.compile(
    rf"{_JOINS}(?!{_JOINS}(?:it|its|they|their|this|that|these|those|he|she|so|then|you|we|i|one|there|which|is|are|was"
    r"|were|has|have|does|do|can|will)\b)[^,;]{1,40}?(?:, [^,;]{1,20},)? "
    r"(?=(?:is|are|was|were|has|have|does|can|will)(?:n['’]t)?\b|cannot\b)"
    r"|(?:但是?|而|可是)?(?![它他她其这那此所因也就都又还且但而可])[^，。不没是有能会]{1,12}?(?:则|却|才)?"
    r"(?=不?是|没?有|不?能|不?会)",
    re.IGNORECASE,
)
"""The subject with which a clause begins, unless it goes on with the one before it."""


def _is_said_of_them(request: Request, sentence: str) -> bool:
    """Whether a sentence may say what is asked of the things that are named: it has a word of what is doubted of them;
    of concepts alone it says whether one is the other, as what is asked of them else is in no unit ("does X use Y"). An
    example denies what is asked of all."""
    question = request.question.lower()
    if _OF_ALL.search(question) and is_negated(sentence):
        what = as_asked(request.units, question)[1:]
        return any(coverage(what, terms_of(behind)) > 0.0 for behind in _DENIAL.split(sentence)[1:])
    if doubted := [unit for unit in request.units if unit.concept_id is None]:
        said = terms_of(sentence)
        return any(unit.measure_coverage(said) > 0.0 for unit in doubted)
    names = [re.escape(unit.label) for unit in as_asked(request.units, question)]
    if len(names) < TOLD_APART:
        return False
    is_asked = re.search(_IS_IT_A.format(*names), question, re.IGNORECASE) is not None
    return is_asked and re.search(_IS_A.format(*names), sentence, re.IGNORECASE) is not None


_DENIAL = re.compile(r"\b(?:not|no|never|cannot|without)\b|n['’]t\b|[不没无非]", re.IGNORECASE)
"""What a sentence denies stands behind it: not every matrix is said to be that of which one "isn't sure"."""

_IS_IT_A = r"\b(?:is|are)(?: an?| the)? {0} (?:an?|the) {1}|{0}(?:一定|都|也|必然)?是(?:不是)?{1}"
_IS_A = r"\b{0}s?,? (?:is|are)(?:n['’]t| not)?(?: \w+)?(?: an?| the)? {1}|{0}(?:一定|都|也|必然)?不?是{1}"
"""How a question asks, and a sentence says, whether the first thing is the second."""

_OF_ALL = re.compile(r"\b(?:every|all|each|always)\b")
"""What asks whether something is so of all things of a kind."""


def count_named(text: str, request: Request) -> int:
    """How many of the things that a question names a text speaks of."""
    said = terms_of(text)
    return sum(unit.measure_coverage(said) > 0.0 for unit in request.units)


_OF_AN_EXAMPLE = re.compile(
    r"^\W*(?:(?:so|and|but|now),? )?(?:this|that|these|those)(?: one)? "
    r"(?:is|are|was|were|does|do|has|have|can|will)(?:n['’]t| not)\b",
    re.IGNORECASE,
)
"""What is said of the one thing that stands before: that one rotation has no eigenvector says nothing of others."""

ASKS_LEAVE = re.compile(
    r"\b(?:can|may|could|am|are|should) (?:i|we|you|students?|one)\b|\bis it (?:ok(?:ay)?|allowed|permitted|fine)\b"
    r"|\ballowed to\b|我们?(?:可不可以|能不能|可以|能)|允许|准许",
    re.IGNORECASE,
)
"""Questions for leave, which the rules and the FAQ give and no lecture."""


def forbids(window: Window, request: Request) -> bool:
    """Whether a sentence of a rule denies what leave is asked for: "there are no late days for quizzes"."""
    leave = ASKS_LEAVE.search(request.question)
    if leave is None:
        return False
    wanted = [one for one in request.units if one.label in request.question[leave.end() :]]
    denials = (terms_of(line.text) for line in window.lines if is_negated(_CONDITION.sub(" ", line.text)))
    return any(
        coverage(wanted, said) >= MOST_OF_IT
        and sum(unit.measure_coverage(said) == 1.0 for unit in request.units) >= TOLD_APART
        for said in denials
    )


_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|provided|as long as)\b[^,;.]*|(?:如果|只要|除非|若)[^，。；]*", re.IGNORECASE
)
"""What only says under which condition a rule holds: it denies nothing of what it holds for."""


MOST_OF_IT = 0.7
"""Share of what leave is asked for that the sentence of a rule must name to forbid it. A choice."""


SAYS_JUST_THAT = 0.97
"""How near in meaning a sentence of a lecture must be to say yes or no by its words: what speaks of all that is asked
about may say something else of it ("heapify turns an array into a heap …" of *is a heap sorted*). A choice: without it
one of six yeses was right."""

SHORTEST_DENIAL = 15
"""Characters of a sentence that can deny something; "No need." cannot. A choice."""

DENIES_THE_SAME, LEAST_NAMED = 0.88, 0.3
"""How near in meaning a negated sentence must be, and what share of the question it must name, to say no to it.
Choices: of the development questions of five courses four are told yes or no
so, all rightly."""


def settles(request: Request, sentence: str) -> bool | None:
    """Whether a sentence says yes (`True`) or no to the question; `None` where it does not settle it."""
    if _ALTERNATIVES.search(request.question):
        return None
    told, reply = part_reply(sentence)
    if reply:
        return _settle_by_reply(request, told, reply)
    return None if tells_what_others_held(told) else _settle_by_claim(request, told)


def _settle_by_claim(request: Request, sentence: str) -> bool | None:
    if not _is_said_of_them(request, sentence):
        return None
    sentence = _SAYS_IT_FIRST.sub("", without_others(without_rejected(sentence, request), request))
    parts = _REASON.split(sentence)
    sentence = next((one for one in parts if coverage(request.units, terms_of(one)) >= SETTLES), sentence)
    if coverage(request.units, terms_of(sentence)) < SETTLES or _HEDGED.search(sentence):
        return None
    if (subject := SUBJECT.match(sentence)) is not None and coverage(request.units, terms_of(subject[1])) == 0.0:
        return None
    if is_what_another_is_compared_with(request, sentence):
        return None
    if denies_what_follows(request.question, sentence):
        return None
    if subject is None and request.lang == "en" and says_opposite(request.question, sentence):
        return None  # a word of captions that may have been "and stable"
    if _RESTRICTS.search(sentence) and not is_negated(sentence):
        return None
    clause = _find_own_clause(request, sentence)
    if clause is None:
        return None
    said, asked = (_CONVERSE.sub("", text) for text in (clause, _without_tag(request.question)))
    is_so = (is_negated(said) != is_negated(asked)) == says_opposite(asked, said)
    if is_so and _ALWAYS.search(asked) is not None and _ALWAYS.search(said) is None:
        return None
    return is_so


def _settle_by_reply(request: Request, told: str, reply: str) -> bool | None:
    """What a question that the lecturer asks, or a sentence that a few words take back, says with its reply, where that
    is a plain yes or no: what is doubted, or "not necessarily" so, settles nothing."""
    is_yes, is_no = _SAYS_YES.match(reply) is not None, _SAYS_NO.match(reply) is not None or denies_what_is_said(reply)
    if is_yes == is_no or _HEDGED.search(reply) or _RESTRICTS.search(reply):
        return None
    is_asked = told.endswith(("?", "？"))
    if not is_asked and is_negated(told):
        return None
    is_so = _settle_by_claim(request, _ASKS_IT.sub("", told).rstrip("?？") if is_asked else told)
    return None if is_so is None else is_so == is_yes


_SAYS_YES = re.compile(
    r"\W*(?:(?:well|actually),? )?(?:yes|yeah)\b|(?:是|会|能|有|对|可以|要)的?[，,。！!]", re.IGNORECASE
)
_SAYS_NO = re.compile(
    r"\W*(?:(?:well|actually),? )?(?:no|nope)(?=\W*$|[,.!] (?!not (?:necessarily|always|really|quite)))"
    r"|(?:不[是会能对用]?|没有?)[，,。！!]",
    re.IGNORECASE,
)
_ASKS_IT = re.compile(
    r"^\W*(?:(?:so|and|but|or|now|well),? )?(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have)\b ?",
    re.IGNORECASE,
)
"""How an English question begins that a yes or a no answers."""


def _find_own_clause(request: Request, sentence: str) -> str | None:
    """The part of a sentence that says what is asked, by whose negations it is settled: what is denied of a part, "that
    is not digested", and another clause deny nothing else. `None` where it is not plain which of several counts."""
    main = _RELATIVE_DENIAL.sub("", sentence)
    for part in (*_OWN_CLAUSES.split(main), main):
        if coverage(request.units, terms_of(part)) >= SETTLES:
            return part if count_negations(part) < TWICE else None
    is_of_part = main != sentence and SUBJECT.match(main) is None
    return None if is_of_part or count_negations(sentence) >= TWICE else sentence


TWICE = 2
"""Negations of one clause of which it is not plain what they deny together."""
_OWN_CLAUSES = re.compile(r"[,;] |[，；]")
_SAYS_IT_FIRST = re.compile(r"^\W*(?:no|yes|nope|yeah),? (?=\w)", re.IGNORECASE)
"""The lecturer's own word before a sentence that says it again: "no, no object is"."""
_ALWAYS = re.compile(r"\balways\b", re.IGNORECASE)
"""What is asked of every case, and said of one."""

_RESTRICTS = re.compile(r"\b(?:but|however|although|though|so far)\b|但是?|不过", re.IGNORECASE)
"""What a yes is restricted by: what "requires a subscription, but is free to teachers" is not simply free."""

_REASON = re.compile(
    r",? (?:because|cuz|cause|since|so that|as it|(?:and )?so(?: therefore)?|therefore|thus|hence)\b"
    r"|，?(?:因为|由于|所以|因此)",
    re.IGNORECASE,
)
"""What leads from or to the reason, whose "might" and "never" are none of what is said."""
_PARTS = re.compile(rf"{_REASON.pattern}|,? but\b", re.IGNORECASE)
"""What parts a sentence into what it says: "I don't go into details, but it has two functions for that"."""

_CONVERSE = re.compile(
    r"[,;]? (?:but |and )?(?:not )?(?:the other way (?:a?round)|vice versa|conversely|the converse)\b.*"
    r"|[，；,;。？?]?\s?(?:但|而)?(?:反过来|反之).*",
    re.IGNORECASE,
)
"""What is said, or asked, of the converse: "every full tree is complete, but not the other way round" denies nothing of
full trees."""


_ALTERNATIVES = re.compile(
    r"\b(?!(?:one|two|more|and|yes|right|true|wrong)\b)\w+ or (?!not\b|no\b|more\b|so\b)\w+|还是", re.IGNORECASE
)
"""A choice between two things, which no yes answers: "is it used for classification or regression?"."""


def _without_tag(question: str) -> str:
    """The question without "isn't it?", "or not", "是不是" and "不就是", whose negation denies nothing."""
    tag = (
        r",? or not\W*$|,? (?:isn't|doesn't|don't|aren't|can't|won't)(?: \w+)?\W*$"
        r"|^\W*(?:isn't|doesn't|don't|aren't|can't|won't)\b|(?:难道)?不(?:就|也|都)?是(?=.*吗)|难道不|是不是|能不能|可不可以|会不会|有没有|对不对|要不要|是否"
    )
    return re.sub(tag, "", question, flags=re.IGNORECASE)
