"""Where the boxes and arrows of a picture of a DAG go: what comes before stands above.

Belongs here: geometry alone, in pixels, y downwards. What is in the boxes and how they look is in `drawing.py`. The
steps are those of Sugiyama, Tagawa and Toda (1981): layers by longest path, bends where arrows pass a layer, an order
in each layer with few crossings (in `layer_order.py`), places near those of the neighbours. Long arrows from one box
share their line until they part, and parts that nothing connects are laid out by themselves and put side by side.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import networkx as nx

from knowledge_graph.graph.acyclic import Edge
from knowledge_graph.graph.concept_map.layer_order import Bend, LayerLinks, Layers, Node, few_crossings

MOST_IN_LAYER = 6
"""Boxes side by side: six of 150 pixels, with the lines between them, fit a laptop's screen and a sheet of paper."""
GAP = 20.0
"""Between the boxes of a layer."""
LAYER_GAP = 66.0
"""Between layers: room for arrows to change sides."""
PART_GAP = 40.0
_BEND_WIDTH, _BEND_GAP = 4.0, 9.0
_PORT_GAP = 14.0  # between arrows that end at one box
_SWEEPS = 30
_INWARDS = 0.3  # pull of the middle, against 1 of a link: keeps a picture from spreading
_STRAIGHT = {0: 1.0, 1: 2.0, 2: 8.0}
"""How much a link wants to be vertical, by how many of its ends are bends (Gansner et al. 1993, section 4)."""

Point = tuple[float, float]
Size = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle by its left upper corner."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Drawing:
    """Boxes by key, and for each edge the points its arrow goes through, downwards, two for each gap between layers.

    Between the points of a gap an arrow may change sides; from gap to gap, past a layer, it goes straight down.
    """

    boxes: Mapping[str, Box]
    routes: Mapping[Edge, tuple[Point, ...]]
    width: float
    height: float


def lay_out(sizes: Mapping[str, Size], edges: Iterable[Edge], *, width: float) -> Drawing:
    """A drawing of boxes of at least the given sizes (width, height); parts stand side by side up to `width`.

    Boxes of one layer are made equally high. The edges must form a DAG over the keys of `sizes`, else
    `networkx.NetworkXUnfeasible` or `KeyError` is raised.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(sorted(sizes))
    graph.add_edges_from(sorted(edges))
    parts = sorted(nx.weakly_connected_components(graph), key=lambda part: (-len(part), min(part)))
    drawn = [_part(graph.subgraph(part), sizes) for part in parts]
    return _side_by_side(drawn, max([width, *(part.width for part in drawn)]))


def _part(graph: "nx.DiGraph[str]", sizes: Mapping[str, Size]) -> Drawing:
    level = _levels(graph)
    chains = {(source, target): _chain(source, target, level) for source, target in sorted(graph.edges)}
    links = LayerLinks([link for chain in chains.values() for link in pairwise(chain)])
    layers: Layers = [[] for _ in range(max(level.values()) + 1)]
    for node in nx.dfs_preorder_nodes(graph.to_undirected()):
        layers[level[node]].append(node)
    for chain in chains.values():
        for bend in chain:
            if isinstance(bend, tuple) and bend not in layers[bend[1]]:
                layers[bend[1]].append(bend)
    layers = few_crossings(layers, links)
    widths = {node: _BEND_WIDTH if isinstance(node, tuple) else sizes[node][0] for layer in layers for node in layer}
    centres = _centres(layers, links, widths)
    heights = [max([0.0, *(sizes[node][1] for node in layer if isinstance(node, str))]) for layer in layers]
    tops = list(accumulate((height + LAYER_GAP for height in heights[:-1]), initial=0.0))
    boxes = {
        node: Box(centres[node] - widths[node] / 2, tops[at], widths[node], heights[at]) for node, at in level.items()
    }
    bands = {node: (tops[at], tops[at] + heights[at]) for at, layer in enumerate(layers) for node in layer}
    ports = _ports(links.below, centres, widths), _ports(links.above, centres, widths)
    return _from_origin(boxes, _routes(chains, ports, bands))


def _levels(graph: "nx.DiGraph[str]") -> dict[str, int]:
    """Layers by longest path, drawn down towards what needs them, no more than `MOST_IN_LAYER` to a layer."""
    order = list(nx.lexicographical_topological_sort(graph))
    longest: dict[str, int] = {}
    for node in order:
        longest[node] = max((longest[before] + 1 for before in graph.predecessors(node)), default=0)
    ahead: dict[str, int] = {}
    for node in reversed(order):
        ahead[node] = max((ahead[after] + 1 for after in graph.successors(node)), default=0)
        if graph.out_degree(node) > graph.in_degree(node):
            longest[node] = min(longest[after] for after in graph.successors(node)) - 1
    level: dict[str, int] = {}
    filled: Counter[int] = Counter()
    for node in sorted(order, key=lambda node: (longest[node], -ahead[node], node)):
        level[node] = max([longest[node], *(level[before] + 1 for before in graph.predecessors(node))])
        while filled[level[node]] == MOST_IN_LAYER:
            level[node] += 1
        filled[level[node]] += 1
    used = {layer: at for at, layer in enumerate(sorted(filled))}
    return {node: used[layer] for node, layer in level.items()}


def _chain(source: str, target: str, level: Mapping[str, int]) -> list[Node]:
    bends: list[Bend] = [(source, layer) for layer in range(level[source] + 1, level[target])]
    return [source, *bends, target]


def _centres(layers: Layers, links: LayerLinks, widths: Mapping[Node, float]) -> dict[Node, float]:
    """Where the middle of each box and bend is: the links together as nearly vertical as the order allows.

    One layer after the other is put where the sum of squares of its links is least while the others stay, down and up.
    """
    gaps = [[(widths[a] + widths[b]) / 2 + _gap(a, b) for a, b in pairwise(layer)] for layer in layers]
    centres: dict[Node, float] = {}
    for layer, between in zip(layers, gaps, strict=True):
        places = list(accumulate(between, initial=-sum(between) / 2))
        centres.update(zip(layer, places, strict=True))
    for sweep in range(_SWEEPS):
        downwards = list(zip(layers, gaps, strict=True))
        for layer, between in downwards if sweep % 2 == 0 else downwards[::-1]:
            wanted = [_target(node, links, centres) for node in layer]
            centres.update(zip(layer, _apart(wanted, between), strict=True))
    return centres


def _gap(left: Node, right: Node) -> float:
    return GAP if isinstance(left, str) and isinstance(right, str) else _BEND_GAP


def _target(node: Node, links: LayerLinks, centres: Mapping[Node, float]) -> tuple[float, float]:
    """The mean place of a node's neighbours and, a little, the middle of the picture; and how much they pull."""
    near = [
        (centres[other], _STRAIGHT[sum(isinstance(end, tuple) for end in (node, other))]) for other in links.of(node)
    ]
    pull = _INWARDS + sum(weight for _, weight in near)
    return sum(place * weight for place, weight in near) / pull, pull


def _apart(wanted: Sequence[tuple[float, float]], gaps: Sequence[float]) -> list[float]:
    """The places nearest to the wanted ones (weighted squares) that keep the gaps: isotonic regression by pooling."""
    offsets = list(accumulate(gaps, initial=0.0))
    pools: list[tuple[float, float, int]] = []  # mean, weight, members
    for (place, weight), offset in zip(wanted, offsets, strict=True):
        mean, members = place - offset, 1
        while pools and pools[-1][0] >= mean:
            before, heavier, more = pools.pop()
            mean = (before * heavier + mean * weight) / (heavier + weight)
            weight, members = heavier + weight, members + more
        pools.append((mean, weight, members))
    means = [mean for mean, _, members in pools for _ in range(members)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def _routes(
    chains: Mapping[Edge, Sequence[Node]],
    ports: tuple[Mapping[tuple[Node, Node], float], Mapping[tuple[Node, Node], float]],
    bands: Mapping[Node, tuple[float, float]],
) -> dict[Edge, tuple[Point, ...]]:
    leaving, entering = ports
    routes: dict[Edge, tuple[Point, ...]] = {}
    for edge, chain in chains.items():
        points: list[Point] = []
        for upper, lower in pairwise(chain):
            points += [(leaving[upper, lower], bands[upper][1]), (entering[lower, upper], bands[lower][0])]
        routes[edge] = tuple(points)
    return routes


def _ports(
    near: Mapping[Node, Sequence[Node]], centres: Mapping[Node, float], widths: Mapping[Node, float]
) -> dict[tuple[Node, Node], float]:
    """Where along its box each arrow ends: side by side in the order of where they come from, so that none cross."""
    ports = {}
    for node, others in near.items():
        gap = 0.0 if isinstance(node, tuple) else min(_PORT_GAP, widths[node] * 0.8 / len(others))
        for at, other in enumerate(sorted(others, key=centres.__getitem__)):
            ports[node, other] = centres[node] + (at - (len(others) - 1) / 2) * gap
    return ports


def _from_origin(boxes: Mapping[str, Box], routes: Mapping[Edge, tuple[Point, ...]]) -> Drawing:
    lefts = [box.x for box in boxes.values()] + [x for route in routes.values() for x, _ in route]
    rights = [box.x + box.width for box in boxes.values()] + [x for route in routes.values() for x, _ in route]
    bottom = max(box.y + box.height for box in boxes.values())
    return _move(Drawing(boxes, routes, max(rights) - min(lefts), bottom), -min(lefts), 0.0)


def _move(drawing: Drawing, right: float, down: float) -> Drawing:
    boxes = {key: Box(box.x + right, box.y + down, box.width, box.height) for key, box in drawing.boxes.items()}
    routes = {edge: tuple((x + right, y + down) for x, y in route) for edge, route in drawing.routes.items()}
    return Drawing(boxes, routes, drawing.width, drawing.height)


def _side_by_side(parts: Sequence[Drawing], width: float) -> Drawing:
    """The parts in rows of at most `width`, the largest first, each row in the middle."""
    rows: list[list[Drawing]] = []
    for part in parts:
        if rows and sum(one.width + PART_GAP for one in rows[-1]) + part.width <= width:
            rows[-1].append(part)
        else:
            rows.append([part])
    boxes: dict[str, Box] = {}
    routes: dict[Edge, tuple[Point, ...]] = {}
    top = 0.0
    for row in rows:
        left = (width - sum(part.width for part in row) - PART_GAP * (len(row) - 1)) / 2
        for part in row:
            placed = _move(part, left, top)
            boxes.update(placed.boxes)
            routes.update(placed.routes)
            left += part.width + PART_GAP
        top += max(part.height for part in row) + PART_GAP
    return Drawing(boxes, routes, width, max(0.0, top - PART_GAP))
