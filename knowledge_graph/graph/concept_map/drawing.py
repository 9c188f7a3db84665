"""A picture of a course's concepts and what comes before what: one HTML page that needs nothing beside it.

Belongs here: what is shown and the drawing of it as SVG. Where things stand is in `layout.py`; the page around
the picture, with its style and the list for those who do not see the picture, is in `page.py`.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import networkx as nx

from knowledge_graph.graph.acyclic import Edge, weakest_of_cycles
from knowledge_graph.graph.concept_map.layout import Box, Drawing, Point, Size, lay_out
from knowledge_graph.graph.concept_map.page import definition_line, page, phrases
from knowledge_graph.graph.showing import concept_as_shown, edges_as_shown
from knowledge_graph.graph.study_path import LEAST_NEED
from knowledge_graph.lake.records import Concept, Lang, Prerequisite

_WIDTH, _BOX = 1180.0, 150.0
_FONT, _LINE, _PADDING = 14.0, 18.0, 8.0
_LINES = 3
_MARGIN = 8.0
_LEAST = 0.78  # of its size, so that labels of 14 pixels stay readable on a small screen
_ARROWS = 3
"""Drawn into one concept: more than three lines to a box are not followed by eye."""
_COLOURS = 6
_TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" '
    'markerHeight="9" orient="auto"><path d="M0 0.5 8 4 0 7.5z"/></marker></defs>'
)
_PIECE = re.compile(r"[\u2e80-\uffef]|[^\s\u2e80-\uffef]+|\s+")
_NARROW = frozenset("fijlrtI.,;:!|'()[]- ")
_BROAD = frozenset("mwMW@%&")


@dataclass(frozen=True)
class Map:
    """What a map shows: concepts in teaching order, every edge between them, and which of those are drawn as arrows."""

    concepts: Mapping[str, Concept]
    edges: Mapping[Edge, Prerequisite]
    arrows: frozenset[Edge]
    """Neither those that follow from others, nor more than the strongest few into one concept."""

    @property
    def alone(self) -> tuple[Concept, ...]:
        """Those that no arrow touches."""
        touched = {key for edge in self.arrows for key in edge}
        return tuple(concept for key, concept in self.concepts.items() if key not in touched)


def draw_concept_map(
    concepts: Sequence[Concept],
    prerequisites: Iterable[Prerequisite],
    *,
    title: str,
    names: Mapping[str, str] | None = None,
    most: int = 60,
    least: float = LEAST_NEED,
) -> str:
    """The HTML page of a course's concept map: a concept stands below those that should be known before it.

    The `most` best-ranked concepts are shown and the prerequisites between them that are sure enough to be shown and
    whose probability is at least `least`, as on study paths. Arrows are the strongest of those that do not follow from
    others; all are in the list below the picture, which quotes their evidence. Concepts that no arrow touches stand
    apart. `names` are what the course's lectures are called, by id; without them they have their files' titles. The
    same input gives the same bytes.
    """
    concepts = [concept_as_shown(one) for one in concepts]
    shown = select(concepts, (one for one in edges_as_shown(prerequisites) if one.probability >= least), most=most)
    return page(
        title=title,
        lang=_language(concepts),
        picture=_picture(shown, _language(concepts), names or {}),
        concepts=list(shown.concepts.values()),
        edges=list(shown.edges.values()),
        arrows=shown.arrows,
        alone=shown.alone,
        known=len(concepts),
        names=names or {},
    )


def select(concepts: Sequence[Concept], prerequisites: Iterable[Prerequisite], *, most: int) -> Map:
    """What is shown of a course: without cycles even where the edges given have some."""
    best = {
        concept.concept_id: concept for concept in sorted(concepts, key=lambda one: (one.rank, one.concept_id))[:most]
    }
    edges: dict[Edge, Prerequisite] = {}
    for one in sorted(prerequisites, key=lambda one: one.probability):
        if one.accepted and one.prerequisite_id in best and one.concept_id in best:
            edges[one.prerequisite_id, one.concept_id] = one
    cyclic = weakest_of_cycles({edge: one.probability for edge, one in edges.items()})
    edges = {edge: edges[edge] for edge in sorted(edges) if edge not in cyclic}
    graph: nx.DiGraph[str] = nx.DiGraph(list(edges))
    graph.add_nodes_from(best)
    ranks = {key: place for place, key in enumerate(best)}
    order = nx.lexicographical_topological_sort(graph, key=lambda key: ranks[key])
    arrows = _strongest(nx.transitive_reduction(graph).edges, edges)
    return Map({key: best[key] for key in order}, edges, arrows)


def _strongest(direct: Iterable[Edge], edges: Mapping[Edge, Prerequisite]) -> frozenset[Edge]:
    """The few most probable of the edges into each concept, and one from every concept that would stand alone else."""
    into: defaultdict[str, list[Edge]] = defaultdict(list)
    for edge in sorted(direct, key=lambda edge: (-edges[edge].probability, edge)):
        into[edge[1]].append(edge)
    arrows = [edge for own in into.values() for edge in own[:_ARROWS]]
    touched = {key for edge in arrows for key in edge}
    weak = (edge for own in into.values() for edge in own[_ARROWS:])
    for edge in sorted(weak, key=lambda edge: (-edges[edge].probability, edge)):
        if edge[0] not in touched:
            arrows.append(edge)
            touched.add(edge[0])
    return frozenset(arrows)


def wrap_label(label: str, width: float = _BOX - 2 * _PADDING) -> tuple[str, ...]:
    """A label in at most three lines of `width` pixels by estimate, cut with "…" where that is not enough."""
    lines, current = [], ""
    for piece in _pieces(" ".join(label.split()), width):
        if current and _length(current + piece.rstrip()) > width:
            lines.append(current.rstrip())
            current = piece.lstrip()
        else:
            current += piece
    lines = [line for line in (*lines, current.rstrip()) if line]
    if len(lines) > _LINES:
        last = lines[_LINES - 1]
        while _length(last + "…") > width:
            last = last[:-1]
        lines = [*lines[: _LINES - 1], last + "…"]
    return tuple(lines)


def drawing_of(shown: Map) -> tuple[Drawing, Mapping[str, tuple[str, ...]]]:
    """Where the connected concepts stand, and the lines of their labels."""
    labels = {key: wrap_label(shown.concepts[key].name) for edge in sorted(shown.arrows) for key in edge}
    sizes: dict[str, Size] = {key: (_BOX, len(lines) * _LINE + 2 * _PADDING) for key, lines in labels.items()}
    return lay_out(sizes, shown.arrows, width=_WIDTH), labels


def _picture(shown: Map, lang: Lang, names: Mapping[str, str]) -> str:
    if not shown.arrows:
        return ""
    drawing, labels = drawing_of(shown)
    numbers = {key: number for number, key in enumerate(shown.concepts)}
    graph: nx.DiGraph[str] = nx.DiGraph(list(shown.edges))
    arrows = [_arrow(edge, drawing.routes[edge], shown.edges[edge], numbers) for edge in sorted(shown.arrows)]
    boxes = [
        _box(concept, drawing.boxes[key], labels[key], numbers, nx.ancestors(graph, key), lang, names)
        for key, concept in shown.concepts.items()
        if key in labels
    ]
    width, height = drawing.width + 2 * _MARGIN, drawing.height + 2 * _MARGIN
    view = f"{-_MARGIN:g} {-_MARGIN:g} {width:.0f} {height:.0f}"
    words = phrases(lang)
    return (
        f'<svg viewBox="{view}" width="{width:.0f}" height="{height:.0f}" style="min-width: {_LEAST * width:.0f}px" '
        f'role="group" aria-label="{words.picture}">\n'
        f"{_TIP}\n"
        f'<g aria-hidden="true">\n{"".join(arrows)}</g>\n{"".join(boxes)}</svg>'
    )


def _arrow(edge: Edge, route: Sequence[Point], given: Prerequisite, numbers: Mapping[str, int]) -> str:
    before, after = (numbers[key] for key in edge)
    width = 1 + 1.5 * min(max(given.probability, 0.0), 1.0)
    tip = f"{escape(given.prerequisite)} → {escape(given.concept)}: {given.probability:.2f}"
    return (
        f'<path class="arrow c{before % _COLOURS}" data-from="{before}" data-to="{after}" '
        f'stroke-width="{width:.1f}" d="{_path(route)}">'
        f"<title>{tip}</title></path>\n"
    )


def _path(route: Sequence[Point]) -> str:
    """Curves between layers, straight lines past them."""
    x, y = route[0]
    parts = [f"M{x:.1f} {y:.1f}"]
    for at, (to_x, to_y) in enumerate(route[1:]):
        if at % 2:
            parts.append(f"V{to_y:.1f}")
        else:
            middle = (y + to_y) / 2
            parts.append(f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
    return "".join(parts)


def _box(
    concept: Concept,
    box: Box,
    lines: Sequence[str],
    numbers: Mapping[str, int],
    before: Iterable[str],
    lang: Lang,
    names: Mapping[str, str],
) -> str:
    number = numbers[concept.concept_id]
    middle = box.x + box.width / 2
    first = box.y + box.height / 2 - (len(lines) - 1) * _LINE / 2
    text = "".join(
        f'<tspan x="{middle:.1f}" y="{first + at * _LINE:.1f}">{escape(line)}</tspan>' for at, line in enumerate(lines)
    )
    ancestors = " ".join(str(numbers[key]) for key in sorted(before, key=numbers.__getitem__))
    tip = escape("\n".join(line for line in (concept.name, definition_line(concept, lang, names)) if line))
    return (
        f'<a class="box c{number % _COLOURS}" href="#concept-{number}" data-key="{number}" data-before="{ancestors}" '
        f'aria-label="{escape(concept.name)}"><title>{tip}</title>'
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="7"/>'
        f"<text>{text}</text></a>\n"
    )


def _pieces(label: str, width: float) -> Iterable[str]:
    """What a line may be broken between: words and Chinese characters; a word longer than a line in parts."""
    for piece in _PIECE.findall(label):
        part = ""
        for sign in piece:
            if _length(part + sign) > width:
                yield part
                part = ""
            part += sign
        yield part


def _length(text: str) -> float:
    """Width in pixels, by the usual proportions of a sans-serif font; rather too wide than too narrow."""
    return _FONT * sum(map(_share, text))


def _share(sign: str) -> float:
    if unicodedata.east_asian_width(sign) in "WF" or sign in _BROAD:
        return 1.0
    if sign in _NARROW:
        return 0.38
    return 0.74 if sign.isupper() else 0.6


def _language(concepts: Sequence[Concept]) -> Lang:
    return "zh" if sum(concept.lang == "zh" for concept in concepts) * 2 > len(concepts) else "en"
