"""Where boxes and arrows go: nothing overlaps, everything points down."""

from itertools import combinations, pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.graph.concept_map.layer_order import LayerLinks, Layers, few_crossings
from knowledge_graph.graph.concept_map.layout import MOST_IN_LAYER, Box, Drawing, lay_out

SIZE = (150.0, 40.0)
EDGES = st.sets(st.tuples(st.integers(0, 29), st.integers(0, 29)).filter(lambda pair: pair[0] < pair[1]), max_size=70)


def drawn(edges: set[tuple[int, int]]) -> Drawing:
    named = [(f"{a:02}", f"{b:02}") for a, b in edges]
    return lay_out({key: SIZE for edge in named for key in edge}, named, width=1000)


def overlap(one: Box, other: Box) -> bool:
    beside = one.x + one.width <= other.x or other.x + other.width <= one.x
    above = one.y + one.height <= other.y or other.y + other.height <= one.y
    return not (beside or above)


@given(EDGES)
def test_no_two_boxes_overlap_and_all_lie_on_the_drawing(edges: set[tuple[int, int]]) -> None:
    drawing = drawn(edges)
    for one, other in combinations(drawing.boxes.values(), 2):
        assert not overlap(one, other)
    for box in drawing.boxes.values():
        assert box.x >= -0.01
        assert box.x + box.width <= drawing.width + 0.01
        assert 0 <= box.y <= box.y + box.height <= drawing.height + 0.01


@given(EDGES)
def test_what_is_needed_stands_above_what_needs_it(edges: set[tuple[int, int]]) -> None:
    drawing = drawn(edges)
    for (before, after), route in drawing.routes.items():
        upper, lower = drawing.boxes[before], drawing.boxes[after]
        assert upper.y + upper.height < lower.y
        assert route[0][1] == pytest.approx(upper.y + upper.height)
        assert route[-1][1] == pytest.approx(lower.y)
        assert upper.x <= route[0][0] <= upper.x + upper.width
        assert lower.x <= route[-1][0] <= lower.x + lower.width


@given(EDGES)
def test_an_arrow_passes_between_the_boxes_of_a_layer_not_through_them(edges: set[tuple[int, int]]) -> None:
    drawing = drawn(edges)
    for route in drawing.routes.values():
        assert len(route) % 2 == 0
        for (x, top), (below_x, bottom) in list(pairwise(route))[1::2]:
            assert x == below_x
            for box in drawing.boxes.values():
                beside = x < box.x or x > box.x + box.width
                assert beside or bottom <= box.y + 0.01 or top >= box.y + box.height - 0.01


def test_a_layer_holds_no_more_than_fits_the_page() -> None:
    drawing = drawn({(0, number) for number in range(1, 30)})
    rows = [box.y for box in drawing.boxes.values()]
    assert max(rows.count(row) for row in rows) == MOST_IN_LAYER


def test_a_chain_is_a_straight_column() -> None:
    drawing = drawn({(0, 1), (1, 2), (2, 3)})
    assert len({round(box.x, 3) for box in drawing.boxes.values()}) == 1


def test_parts_that_nothing_connects_stand_side_by_side() -> None:
    drawing = drawn({(0, 1), (2, 3)})
    assert drawing.boxes["00"].y == drawing.boxes["02"].y
    assert not overlap(drawing.boxes["00"], drawing.boxes["02"])


def test_edges_in_a_circle_have_no_layers() -> None:
    with pytest.raises(nx.NetworkXUnfeasible):
        lay_out({"a": SIZE, "b": SIZE}, [("a", "b"), ("b", "a")], width=100)


def test_an_order_without_crossings_is_found_where_there_is_one() -> None:
    links = LayerLinks([("a", "z"), ("b", "y"), ("c", "x")])
    layers: Layers = [["a", "b", "c"], ["x", "y", "z"]]
    above, below = few_crossings(layers, links)
    assert [links.below[node][0] for node in above] == below


def test_the_same_graph_gives_the_same_drawing() -> None:
    edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("a", "d")]
    sizes = {key: SIZE for key in "abcd"}
    assert lay_out(sizes, edges, width=500) == lay_out(dict(reversed(sizes.items())), edges[::-1], width=500)
