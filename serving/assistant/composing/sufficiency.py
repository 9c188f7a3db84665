"""Whether what was found covers what was asked: of a sentence of the material and of a stored answer. Pure.

Belongs here: the decision and its cuts. They were chosen by `benchmarks/sufficiency.py` on the development half of the
student questions.
"""

import math
import operator
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from knowledge_graph.text.sentences import has_cjk
from serving.assistant.composing.composed import Coverage
from serving.assistant.composing.cues import (
    AMOUNT,
    ASKS_FOR_A_NAME,
    COUNTS_NOTHING,
    HOW_MANY,
    NAMES,
    says_opposite,
    turns,
)
from serving.assistant.composing.missing import is_what_another_is_compared_with
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import (
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
from serving.assistant.composing.windows import question_of_reason
from serving.assistant.grounding.negation import is_negated
from serving.assistant.retrieval.candidates import PairCandidate
from serving.assistant.understanding.aspects import Aspect
from serving.assistant.understanding.measures import tells_amount
from serving.assistant.understanding.question_kind import QuestionKind
from serving.index.analysis import content_terms, terms
from serving.index.confidence import Weigh, share

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
    is_likely = (is_cued and likelihood(window, request) >= SURE) or _gives_the_formula(window, request)
    is_told = is_spoken or (coverage(units, said) >= FULL and _gives_a_reason(window, request))
    is_opposite = is_said_opposite(window, request) and not is_choice(request)
    is_wanting = (
        is_opposite
        or coverage(units, said) < LEAST_OF_SURE
        or _lacks_a_size(request)
        or _lacks_an_amount(window, request)
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


LEAST_OF_SURE = 0.6
"""Share of the question that a window must speak of to stand without a doubt, however near it is in meaning. Of 380
answers that strict readers judged, 12 of those without a doubt spoke of less: 3 were wrong, 6 badly put."""


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
        asked = question_of_reason(window.piece, place)
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
    r"\b(?:which|who|what)(?: one)?(?: of (?:them|these|the two))? (?:is|are)\b.*\bor\b|还是|哪一?个更", re.I
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


@dataclass(frozen=True)
class StoredMatch:
    """A stored pair beside the question: the share of the question that its own question, and that the whole entry,
    speaks of; the share of its question that was asked; the cosine, 0..1, `None` where meaning was not compared; its
    lead over the next pair in the look-up's score, in Chinese in cosine; whether it speaks of everything that tells
    such pairs apart; and whether meaning alone tells: Chinese said in other words shares few characters.

    `is_narrower` where it asks for more than a concept that is asked about: why a hash table's length is a prime, not
    why there are any; `is_of_concept` where one is asked about at all; `is_plain` where so little is (`PLAIN`) that any
    answer may happen to speak of it.
    """

    candidate: PairCandidate
    by_title: float
    by_entry: float
    back: float
    meaning: float | None
    lead: float
    is_same: bool
    is_by_meaning: bool = False
    is_narrower: bool = False
    is_of_concept: bool = False
    is_plain: bool = False

    @property
    def score(self) -> float:
        """How likely the entry is the one that was meant, 0..1; by words alone where meaning was not compared."""
        if self.is_by_words:
            return (0.3 * self.by_title + 0.2 * self.by_entry + 0.2 * self.back) / 0.7
        if self.is_by_meaning:
            return 1.0 / (1.0 + math.exp(-CHINESE[0] * (self.meaning or 0.0) - CHINESE[1] * self.lead - CHINESE[2]))
        return 1.0 / (1.0 + math.exp(-STORED_INTERCEPT - sum(map(operator.mul, STORED_WEIGHTS, self.facts))))

    @property
    def is_by_words(self) -> bool:
        """Whether words alone tell: meaning was not compared, or says too little of a Chinese question."""
        return self.meaning is None or (self.candidate.entry.lang == "zh" and not self.is_by_meaning)

    @property
    def facts(self) -> tuple[float, ...]:
        """What the fitted score goes by, in the order of `STORED_WEIGHTS`."""
        return (
            self.by_title,
            self.by_entry,
            self.back,
            self.meaning or 0.0,
            self.candidate.score,
            self.lead,
            self.candidate.match,
        )


STORED_WEIGHTS = (-0.54, 1.57, 0.16, 0.66, 6.60, 5.22, 0.21)
STORED_INTERCEPT = -8.14
"""Logistic regression on half of 700 questions to 947 course FAQs, each with its entry and with that entry removed
(`benchmarks/stored_answers.py`): AUC .966 on the other half."""

CHINESE = (1.8, 8.85, -1.18)
"""Weights of meaning and lead, and the intercept, for Chinese questions. Logistic regression on 34 questions to a FAQ
of 30, 8 of them without an entry: of the entries with the best cosine 24 of 26 were the right ones."""
STORED_FULL_CHINESE = 0.8
"""12 of those 34 are above it, all by the right entry; too few to promise more."""
LEAST_SAID_CHINESE = 0.5
"""Share of a Chinese question that an entry must speak of to be sure: one that stands out by meaning from few others
may be about another thing (假溢出 is no 栈溢出). A choice, after three wrong ones of 26 fresh questions."""
STORED_NEAR_CHINESE = 0.65
"""From which an entry is shown as the nearest: 18 of the 26 get theirs, 3 of the 8 without one get another."""
UNRELATED = 0.2
"""Cosine from which two texts have anything in common."""
MOST_LEAD = 0.3
"""What more of a lead says nothing: a FAQ of which one entry was found has no next one. A choice."""
STORED_FULL = 0.7
"""On the other half of those questions: 66% are answered as sure, 99.6% of them by the right entry (230 of 231); with
their entry removed 2.3% are (8 of 350). So where a fifth of the questions have no entry, 1.3% of the sure answers are
wrong, at most 3.6% with 90% confidence."""
STORED_FULL_BY_WORDS = 0.72
STORED_NEAR = 0.45
"""From which an entry is shown as the nearest. Choices."""

APART = frozenset(
    terms(
        "midterm final quiz quizzes assignment homework project exam lab lecture certificate grade resit late early "
        "first second third last online offline before after team group alone "
        "negative positive zero directed undirected weighted unweighted minimum maximum "
        "insert insertion delete deletion remove search traverse traversal rotate rotation push pop reverse"
    )
)
"""Words by which entries of a FAQ differ that are alike in all others: the midterm is not the final."""
APART_ZH = (
    "期中",
    "期末",
    "测验",
    "作业",
    "考试",
    "项目",
    "实验",
    "证书",
    "成绩",
    "补考",
    "报名",
    "讲座",
    "第一",
    "第二",
    "最后",
    "插入",
    "删除",
    "查找",
    "遍历",
    "旋转",
)


def match_stored(
    candidate: PairCandidate,
    units: Sequence[QuestionUnit],
    question: str,
    weigh: Weigh,
    *,
    lead: float,
    by_meaning: bool = False,
) -> StoredMatch:
    """How one stored pair fits a question; `lead` is that of its score over the next one's; of its cosine
    where meaning alone tells (`by_meaning`)."""
    entry = candidate.entry
    text = f"{entry.title}\n{entry.text}\n{entry.section or ''}"
    title, whole = terms_of(entry.title), terms_of(text)
    cosine = candidate.parts.get("cosine")
    back = share(content_terms(entry.title), terms(question), weigh)
    return StoredMatch(
        candidate,
        by_title=coverage(units, title),
        by_entry=coverage(units, whole),
        back=back,
        meaning=None if cosine is None else max(0.0, min(1.0, (cosine - UNRELATED) / 0.6)),
        lead=min(lead, MOST_LEAD),
        is_same=all(unit.measure_coverage(whole) == 1.0 for unit in units if tells_apart(unit))
        and all(one.search(text) for one in COUNTS if one.search(question))
        and not _leaves_out_a_word(units, whole, entry.lang),
        is_by_meaning=by_meaning,
        is_narrower=_is_narrower(units, title, back),
        is_of_concept=is_of_concept(units),
        is_plain=len(units) <= PLAIN,
    )


def _leaves_out_a_word(units: Sequence[QuestionUnit], whole: Set[str], lang: str) -> bool:
    """Whether a Chinese question of hardly any words has one that the course uses and the entry does not: where to
    download the code is not where the slides are, near as both are in meaning."""
    return (
        lang == "zh"
        and len(units) <= PLAIN
        and any(unit.is_known and not unit.measure_coverage(whole) for unit in units)
    )


def _is_narrower(units: Sequence[QuestionUnit], title: Set[str], back: float) -> bool:
    """Whether a stored question leaves more than half of itself unasked by one on a concept, unless that names another
    thing besides and the stored one both."""
    if back >= HALF or not is_of_concept(units):
        return False
    return len(units) == 1 or coverage(units, title) < FULL


COUNTS = (
    re.compile(r"\b(?:2|two|twice|both|second)\b|两|二|2", re.IGNORECASE),
    re.compile(r"\b(?:3|three|third)\b|三|3", re.IGNORECASE),
    re.compile(r"\b(?:at once|at the same time|simultaneously|in parallel)\b|同时", re.IGNORECASE),
)
"""Counts, of which an entry must speak when the question does: two runs of a course at once are not a past run."""


def tells_apart(unit: QuestionUnit) -> bool:
    """Whether an entry that does not speak of this answers another question: numbers, and what `APART` names."""
    if any(char.isdigit() for char in unit.label) or unit.concept_id is not None:
        return True
    return any(name & APART for name in unit.names) or any(word in unit.label for word in APART_ZH)


def is_answer(match: StoredMatch, aspects: Sequence[Aspect] = ()) -> bool:
    """Whether an entry answers the question: nothing that tells entries apart is missing in it, nor the aspect."""
    entry = match.candidate.entry
    if not match.is_same or not all(one.asked.search(f"{entry.title}\n{entry.text}") for one in aspects):
        return False
    if match.is_by_words:
        return match.score >= STORED_FULL_BY_WORDS and match.by_entry >= 0.99
    if match.is_by_meaning:
        return match.score >= STORED_FULL_CHINESE and match.by_entry >= LEAST_SAID_CHINESE
    return match.score >= STORED_FULL and not _is_half_apart(match)


def _is_half_apart(match: StoredMatch) -> bool:
    """Whether each question leaves out more than half of the other, and the answer does not make up for it: it does
    where it speaks of the many things that are asked, not of a GPU alone, and of a concept never: of a heap one asks
    the height, one how it is built, and each answer speaks of both."""
    if match.by_entry >= FULL and not match.is_of_concept and not match.is_plain:
        return False
    return match.by_title < HALF and match.back < HALF


PLAIN = 2
"""Units of a question that leave nothing to be put in other words. A choice: of 14 questions on a concept whose nearest
entry seemed to ask something else, nine of them of the development half, it answered none of the shorter ones and most
others."""
HALF = 0.5
"""Share of a question that is spoken of in the other. A choice."""


def is_near(match: StoredMatch) -> bool:
    """Whether an entry is near enough to be shown, said to be only that."""
    return match.score >= (STORED_NEAR_CHINESE if match.is_by_meaning else STORED_NEAR)
