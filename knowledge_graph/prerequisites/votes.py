"""The labelling functions: each looks at an ordered pair and says 1 (`a` before `b`), -1 (not so) or 0 (cannot say).

Belongs here: small plain functions, one linguistic reason each. How much a vote counts is in `combine.py`.
"""

from collections.abc import Callable
from typing import Literal

from knowledge_graph.prerequisites.pairs import PairContext, contains

Vote = Literal[1, 0, -1]

_DISTANCE = 0.04  # difference of shares; Liang et al. use 0.02 on Wikipedia links, speech mentions more
_SPREAD = 2.5  # times as many videos
_RARELY = 0.05  # share of mentions


def reference_distance(pair: PairContext) -> Vote:
    """Teaching B needs A's name more often than teaching A needs B's (RefD, Liang et al. 2015, eq. 3, on speech)."""
    return _sign(pair.a_near_b - pair.b_near_a, _DISTANCE)


def definition_order(pair: PairContext) -> Vote:
    """Lecturers explain a prerequisite first: A's definition, or else first mention, comes clearly earlier."""
    a = pair.a.first if pair.a.defined is None else pair.a.defined
    b = pair.b.first if pair.b.defined is None else pair.b.defined
    return _sign(b - a, max(5, pair.length // 50))


def title_order(pair: PairContext) -> Vote:
    """Both have videos of their own, and A's comes first."""
    if pair.a.titled is None or pair.b.titled is None:
        return 0
    return _sign(pair.b.titled - pair.a.titled, 0)


def mention_in_definition(pair: PairContext) -> Vote:
    """Who must know A to read B's definition must know A before B."""
    a_explains = pair.a.concept.concept_id in pair.b.in_definition
    b_explains = pair.b.concept.concept_id in pair.a.in_definition
    return _sign(int(a_explains) - int(b_explains), 0)


def name_containment(pair: PairContext) -> Vote:
    """A compound names a special case of its part: "tree" before "binary tree"."""
    return _sign(int(contains(pair.b, pair.a)) - int(contains(pair.a, pair.b)), 0)


def cue_phrase(pair: PairContext) -> Vote:
    """A is called back to mind ("recall that …", "我们先复习") while B is taught."""
    return _sign(pair.a_recalled_near_b - pair.b_recalled_near_a, 0)


def spread(pair: PairContext) -> Vote:
    """Basic concepts come back all over the course, what is built on them stays in its chapter."""
    if pair.a.video_count >= _SPREAD * pair.b.video_count:
        return 1
    return -1 if pair.b.video_count >= _SPREAD * pair.a.video_count else 0


def far_apart(pair: PairContext) -> Vote:
    """Concepts that are hardly ever mentioned together do not need each other; silent otherwise."""
    return -1 if max(pair.a_near_b, pair.b_near_a) < _RARELY else 0


LABELLING_FUNCTIONS: tuple[Callable[[PairContext], Vote], ...] = (
    reference_distance,
    definition_order,
    title_order,
    mention_in_definition,
    name_containment,
    cue_phrase,
    spread,
    far_apart,
)


def votes_on(pair: PairContext) -> dict[str, int]:
    """Every function's vote by its name."""
    return {function.__name__: function(pair) for function in LABELLING_FUNCTIONS}


def _sign(difference: float, margin: float) -> Vote:
    if difference > margin:
        return 1
    return -1 if difference < -margin else 0
