"""The labelling functions: each looks at an ordered pair and says 1 (`a` before `b`), -1 (not so) or 0 (cannot say).

Belongs here: small plain functions, one linguistic reason each, and how far each is believed before the label model has
seen a vote. Those on direction vote on the reverse pair the other way round; those on kinship vote alike on both.
"""

from collections.abc import Mapping

from knowledge_graph.labelling.functions import LabellingFunction, Vote, labelling_functions
from knowledge_graph.prerequisites.pairs import PairContext

_CLEAR = 0.5
"""Rank: differences above the course's median one."""
_CLOSE, _VERY_CLOSE, _DISTANT = 0.75, 0.9, 0.25


def reference_distance(pair: PairContext) -> Vote:
    """What is taught around B refers to A more than what is taught around A refers to B (RefD, Liang et al. 2015)."""
    return _sign(pair.reference_rank, _CLEAR)


def embedding_asymmetry(pair: PairContext) -> Vote:
    """The concepts closest to B in meaning keep A beside them more than those closest to A keep B."""
    return _sign(pair.embedded_reference_rank, _CLEAR)


def definition_order(pair: PairContext) -> Vote:
    """Lecturers explain a prerequisite first: A's definition, or first mention where it has none, comes earlier."""
    return _sign(pair.explained, 0)


def lecture_order(pair: PairContext) -> Vote:
    """A has been mentioned in an earlier lecture than B."""
    return _sign(pair.first, 0)


def title_order(pair: PairContext) -> Vote:
    """Both have lectures of their own, and A's comes first."""
    return _sign(pair.titled, 0)


def known_when_introduced(pair: PairContext) -> Vote:
    """A is known from before and used when B is introduced, and not the other way round."""
    return _sign(pair.known, 0)


def introduced_with(pair: PairContext) -> Vote:
    """B's introduction needs A's name more often than A's introduction needs B's."""
    return _sign(pair.introduced_with, 0)


def mention_in_definition(pair: PairContext) -> Vote:
    """Who must know A to understand what B is must know A before B."""
    return _sign(pair.explains, 0)


def cue_phrase(pair: PairContext) -> Vote:
    """A is called back to mind ("recall that …", "我们先复习") while B is taught."""
    return _sign(pair.recalled, 0)


def name_containment(pair: PairContext) -> Vote:
    """A compound names a special case of its part: "tree" before "binary tree"."""
    return _sign(pair.contained, 0)


def name_kernel(pair: PairContext) -> Vote:
    """What is particular in A's name comes back inflected in B's: "sorting problem" before "merge sort"."""
    return _sign(pair.kernel, 0)


def spread(pair: PairContext) -> Vote:
    """Basic concepts come back all over the course, what is built on them stays in its chapter (entropy)."""
    return _sign(pair.spread_rank, _CLEAR)


def used_in_passing(pair: PairContext) -> Vote:
    """A is used in passing where it comes up, B is dwelt on: tools are mentioned once, topics again and again."""
    return _sign(pair.dwelling_rank, _CLEAR)


def together_in_time(pair: PairContext) -> Vote:
    """Taught in the same lectures they may need each other; taught apart they hardly do."""
    return _near(pair.time_closeness)


def close_in_meaning(pair: PairContext) -> Vote:
    """The same words surround them, so they belong to one topic; different words, to different topics."""
    return _near(pair.meaning_closeness)


def closest_in_meaning(pair: PairContext) -> Vote:
    """Hardly any pair of the course shares as many words around it."""
    return 1 if pair.meaning_closeness >= _VERY_CLOSE else 0


def shared_word(pair: PairContext) -> Vote:
    """Names that share a word belong to one family; most prerequisites do, most other pairs do not."""
    return 1 if pair.shares_word else -1


FUNCTIONS: tuple[LabellingFunction[PairContext], ...] = labelling_functions(
    reference_distance,
    embedding_asymmetry,
    definition_order,
    lecture_order,
    title_order,
    known_when_introduced,
    introduced_with,
    mention_in_definition,
    cue_phrase,
    name_containment,
    name_kernel,
    spread,
    used_in_passing,
    together_in_time,
    close_in_meaning,
    closest_in_meaning,
    shared_word,
)

USUAL_BELIEF = 0.6
BELIEFS: Mapping[str, float] = {each.name: USUAL_BELIEF for each in FUNCTIONS} | {
    "mention_in_definition": 0.8,
    "name_containment": 0.9,
    "name_kernel": 0.9,
    "closest_in_meaning": 0.7,
    "cue_phrase": 0.55,
    "embedding_asymmetry": 0.55,
}
"""Accuracies stated before learning: right three times of five; names and definitions say more, mere wording less."""


def _sign(difference: float, margin: float) -> Vote:
    if difference > margin:
        return 1
    return -1 if difference < -margin else 0


def _near(closeness: float) -> Vote:
    if closeness >= _CLOSE:
        return 1
    return -1 if closeness < _DISTANT else 0
