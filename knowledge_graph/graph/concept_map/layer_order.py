"""The order of boxes and bends in the layers of a picture, so that few arrows cross.

Belongs here: order alone. Places are in `layout.py`.
"""

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

Bend = tuple[str, int]
"""Where the arrows from a box pass a layer: all together, as one line, on their way to what lies below it."""
Node = str | Bend
Layers = list[list[Node]]

_SWEEPS = 24
"""Down and up over all layers; Gansner et al. (1993, section 3) find no gain beyond."""


class LayerLinks:
    """What is linked to what in the layer above and below. A link joins neighbouring layers only."""

    def __init__(self, links: Iterable[tuple[Node, Node]]) -> None:
        self.above: defaultdict[Node, list[Node]] = defaultdict(list)
        self.below: defaultdict[Node, list[Node]] = defaultdict(list)
        for upper, lower in dict.fromkeys(links):
            self.below[upper].append(lower)
            self.above[lower].append(upper)

    def of(self, node: Node) -> list[Node]:
        return [*self.above.get(node, ()), *self.below.get(node, ())]


def few_crossings(layers: Layers, links: LayerLinks) -> Layers:
    """The layers in the best order found: barycentres of the layer above or below, then swaps of neighbours."""
    best, fewest = layers, _crossings(layers, links)
    current = layers
    for sweep in range(_SWEEPS):
        current = _swap(_swept(current, links, downwards=sweep % 2 == 0), links)
        crossings = _crossings(current, links)
        if crossings < fewest:
            best, fewest = current, crossings
    return best


def _swept(layers: Layers, links: LayerLinks, *, downwards: bool) -> Layers:
    """Each layer by the mean place of its neighbours in the layer before; those without keep their place."""
    swept = [list(layer) for layer in layers]
    order = range(1, len(layers)) if downwards else range(len(layers) - 2, -1, -1)
    near = links.above if downwards else links.below
    for at in order:
        places = _places(swept[at - 1 if downwards else at + 1])
        own = {node: place / len(swept[at]) for place, node in enumerate(swept[at])}
        centres = {node: _centre(near.get(node, ()), places, otherwise=own[node]) for node in swept[at]}
        swept[at].sort(key=centres.__getitem__)
    return swept


def _centre(beside: Sequence[Node], places: Mapping[Node, int], *, otherwise: float) -> float:
    """The mean place of the neighbours as a share of their layer, 0..1."""
    return sum(places[other] for other in beside) / len(beside) / len(places) if beside else otherwise


def _swap(layers: Layers, links: LayerLinks) -> Layers:
    """Neighbours change places wherever that alone removes crossings."""
    swapped = [list(layer) for layer in layers]
    for at, layer in enumerate(swapped):
        sides = []
        if at > 0:
            sides.append((_places(swapped[at - 1]), links.above))
        if at + 1 < len(swapped):
            sides.append((_places(swapped[at + 1]), links.below))
        for left in range(len(layer) - 1):
            a, b = layer[left], layer[left + 1]
            gain = 0
            for places, near in sides:
                of_a, of_b = ([places[other] for other in near.get(node, ())] for node in (a, b))
                gain += sum((p > q) - (p < q) for p in of_a for q in of_b)
            if gain > 0:
                layer[left], layer[left + 1] = b, a
    return swapped


def _crossings(layers: Layers, links: LayerLinks) -> int:
    return sum(_crossing_pairs(upper, _places(lower), links) for upper, lower in pairwise(layers))


def _crossing_pairs(upper: Sequence[Node], places: Mapping[Node, int], links: LayerLinks) -> int:
    """Pairs of links in the wrong order, counted from left to right."""
    seen: list[int] = []
    crossings = 0
    for node in upper:
        targets = sorted(places[other] for other in links.below.get(node, ()))
        crossings += sum(len(seen) - bisect_right(seen, target) for target in targets)
        for target in targets:
            insort(seen, target)
    return crossings


def _places(layer: Sequence[Node]) -> dict[Node, int]:
    return {node: place for place, node in enumerate(layer)}
