"""`StoredMatch`: how well a stored question and its answer fit the one that is asked. Pure.

Belongs here: the score and its cuts, which were chosen by `benchmarks/stored_answers.py`.
"""

import math
import operator
import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from serving.assistant.composing.sufficiency import FULL
from serving.assistant.composing.terms import (
    QuestionUnit,
    coverage,
    is_of_concept,
    terms_of,
)
from serving.assistant.retrieval.candidates import PairCandidate
from serving.assistant.understanding.aspects import Aspect
from serving.index.analysis import content_terms, terms
from serving.index.confidence import Weigh, share


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
        "report sheet essay presentation "
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
    leave = _LEAVE if _ASKS_LEAVE.search(entry.title) else frozenset()
    title, whole = terms_of(entry.title) | leave, terms_of(text) | leave
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


_LEAVE = frozenset(terms("allowed permitted ok okay"))
_ASKS_LEAVE = re.compile(r"^\W*(?:can|may|could) (?:i|we|students)\b", re.IGNORECASE)
"""How an entry asks whether something is allowed, without the word."""


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
