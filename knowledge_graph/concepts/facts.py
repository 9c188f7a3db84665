"""`Facts`: all measures of one term, which the labelling functions look at.

Belongs here: putting them together. The formulas are in `features.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge_graph.concepts.aliases import MergedTerm
from knowledge_graph.concepts.course_words import Course
from knowledge_graph.concepts.features import (
    TermShapes,
    absorption,
    association,
    c_value,
    clumping,
    extends,
    gradability,
    head,
    keyness,
    length,
    looseness,
    rarest,
    verbal,
)
from knowledge_graph.concepts.stopwords import NOT_ALONE_EN, NOT_ALONE_ZH
from knowledge_graph.text.sentences import normal_form

_GENERIC_HEADS = frozenset(
    "example implementation process situation step system task thing 过程 步骤 情况 系统".split()
)


@dataclass(frozen=True)
class Facts:
    """The measures of one term; what the labelling functions look at."""

    term: MergedTerm
    words: float
    """Its length: words of an English term, half the characters of a Chinese one."""
    c_value: float
    alone: float
    """Share of occurrences that are the whole noun phrase."""
    absorbed: float
    """How far it lives inside one longer term, 0 to 1."""
    rarest: float
    """Zipf frequency of its rarest word in general language: "thing" 5.7, "matrix" 4.1, "centroid" 2.9."""
    keyness: float
    """Mean over its words of log10(frequency here / frequency in general language)."""
    association: float
    """How much tighter its words hang together than chance, -1 to 1; 1 for a single word."""
    clumping: float
    spoken: float
    """Share of occurrences in lectures; 1 when the course has documents alone."""
    spread: int
    """Blocks it occurs in, of `blocks`."""
    blocks: int
    titled: bool
    asked: bool
    graded: float
    """How readily its first word is graded ("very large"), 0 to 1."""
    looseness: float
    """If its first word is an everyday adjective: different terms that begin with it, per occurrence of one of them."""
    generic_head: bool
    generic_alone: bool
    named: int
    subject: int
    proper: float
    """Share of occurrences tagged as a proper name throughout."""
    cut_off: float
    """Share of whole noun phrases that follow a letter, number or hyphen."""
    counted: float
    """Share of whole noun phrases that follow a number."""
    kin: int
    """Other candidates with the same last word."""
    extends: bool
    """It adds a word to a commoner term of several words: "gradient descent update"."""
    verbal: bool
    """Its first word opens phrases and ends none: 求解最大团问题 says what is done with 最大团问题."""
    defined: bool = False
    seed: bool = False
    introduced: bool = False
    """A sentence introduces it in so many words."""
    closeness: float | None = None
    """Nearness to what the course is surely about, as a percentile 0 to 1 of the pool; `None` when nothing is sure."""
    kin_of_anchors: int = 0
    """Seeds, or terms that titles name, with the same last word."""
    listed: int = 0
    """Times it stands beside one of them in a list."""


def measure(terms: Sequence[MergedTerm], course: Course) -> list[Facts]:
    """The facts on each term, in order, all but those that later steps add."""
    shapes = TermShapes.of([term.candidate for term in terms])
    return [_facts(term, course, shapes) for term in terms]


def _facts(term: MergedTerm, course: Course, shapes: TermShapes) -> Facts:
    one = term.candidate
    names = {(one.lang, one.normal), *((one.lang, normal_form(name, one.lang)) for name in term.names)}
    single = len(one.words) == 1
    return Facts(
        term,
        words=length(one),
        c_value=c_value(one),
        alone=one.alone / one.count,
        absorbed=absorption(one),
        rarest=rarest(one, course),
        keyness=keyness(one, course),
        association=min(1.0, association(one, course)),
        clumping=clumping(one, course.blocks),
        spoken=one.spoken / one.count if course.spoken else 1.0,
        spread=len(one.blocks),
        blocks=course.blocks,
        titled=not names.isdisjoint(course.titled),
        asked=not names.isdisjoint(course.asked),
        graded=gradability(one, course.use),
        looseness=looseness(one, shapes),
        generic_head=not single and one.words[-1] in _GENERIC_HEADS,
        generic_alone=single and (one.normal in NOT_ALONE_EN or one.normal in NOT_ALONE_ZH),
        named=one.named,
        subject=one.subject,
        proper=one.proper / one.count,
        cut_off=one.cut_off / max(1, one.alone),
        counted=one.counted / max(1, one.alone),
        kin=shapes.heads[head(one)] - 1,
        extends=extends(one, shapes),
        verbal=verbal(one, shapes),
    )
