"""The picture of a course's concepts: what it shows, what it says, and that nothing gets out of its place."""

import re
import xml.etree.ElementTree as ElementTree
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.graph.concept_map.drawing import draw_concept_map, drawing_of, select, wrap_label
from knowledge_graph.lake.records import Concept, Lang, Locator, Prerequisite, Span


def concept(name: str, rank: int = 1, *, lang: Lang = "en", definition: str | None = None) -> Concept:
    at = (
        Locator(video_id="w1/02 - Trees", video_title="Trees", start_ms=192_000, end_ms=245_000) if definition else None
    )
    kind = "subtitle" if definition else "none"
    return Concept("ds", f"en:{name}", name, (), lang, rank, 0.5, definition, kind, at, (), 1, (), {})


def edge(before: str, after: str, probability: float = 0.8, *, accepted: bool = True, said: str = "") -> Prerequisite:
    evidence = (Span("w1/02 - Trees", 1_000, 4_000, said),) if said else ()
    ends = (f"en:{before}", f"en:{after}", before, after)
    return Prerequisite("ds", *ends, probability, accepted, None, {}, evidence)


TREE = concept("tree", 1, definition="A tree is a graph without cycles.")
CONCEPTS = [TREE, concept("binary tree", 2), concept("heap", 3), concept("music", 4)]
EDGES = [
    edge("tree", "binary tree", 0.9, said="A binary tree is a tree with two children."),
    edge("binary tree", "heap", 0.8),
    edge("tree", "heap", 0.7, said="A heap is a kind of tree."),
    edge("music", "heap", 0.2, accepted=False),
]
PAGE = draw_concept_map(CONCEPTS, EDGES, title="Data structures")


def picture(page: str) -> ElementTree.Element:
    found = re.search(r"<svg.*</svg>", page, re.DOTALL)
    assert found
    return ElementTree.fromstring(found.group())


def test_only_direct_edges_are_arrows_and_all_are_listed_with_their_evidence() -> None:
    shown = select(CONCEPTS, EDGES, most=60)
    assert shown.arrows == {("en:tree", "en:binary tree"), ("en:binary tree", "en:heap")}
    assert len(re.findall('class="arrow', PAGE)) == 2
    assert "A heap is a kind of tree." in PAGE
    assert "(probability 0.70; not drawn: weaker than others, or follows from them)" in PAGE
    assert "00:01–00:04, Trees" in PAGE


def test_places_call_a_lecture_as_its_course_does() -> None:
    page = draw_concept_map(CONCEPTS, EDGES, title="t", names={"w1/02 - Trees": "Trees (2/2)"})
    assert "00:01–00:04, Trees (2/2)" in page
    assert "A tree is a graph without cycles. (03:12–04:05, Trees (2/2))" in page


def test_what_is_needed_stands_above_and_the_list_goes_in_teaching_order() -> None:
    shown = select(CONCEPTS, EDGES, most=60)
    boxes = drawing_of(shown)[0].boxes
    assert boxes["en:tree"].y < boxes["en:binary tree"].y < boxes["en:heap"].y
    assert list(shown.concepts) == ["en:tree", "en:binary tree", "en:heap", "en:music"]


def test_concepts_without_any_prerequisite_stand_apart_and_are_said_to() -> None:
    assert [one.name for one in select(CONCEPTS, EDGES, most=60).alone] == ["music"]
    assert "Not connected to the others by a known prerequisite: 1" in PAGE
    assert "music" not in ElementTree.tostring(picture(PAGE), encoding="unicode")


def test_a_box_tells_its_definition_its_time_and_what_comes_before_it() -> None:
    heap = next(box for box in picture(PAGE).iter("a") if box.get("aria-label") == "heap")
    assert heap.get("data-before") == "0 1"
    tree = next(box for box in picture(PAGE).iter("a") if box.get("aria-label") == "tree")
    assert tree.findtext("title") == "tree\nA tree is a graph without cycles. (03:12–04:05, Trees)"
    assert f'<li id="{str(tree.get("href"))[1:]}"><h3>tree</h3>' in PAGE


def test_the_best_ranked_concepts_are_shown_up_to_the_limit() -> None:
    shown = select(CONCEPTS, EDGES, most=2)
    assert list(shown.concepts) == ["en:tree", "en:binary tree"]
    assert "2 of 4 concepts; prerequisites among them: 1." in draw_concept_map(CONCEPTS, EDGES, title="t", most=2)


def test_the_three_strongest_arrows_lead_into_a_box() -> None:
    concepts = [concept(name, rank) for rank, name in enumerate("abcdef")]
    into_e = [edge(name, "e", 0.9 - at / 10) for at, name in enumerate("abcd")]
    shown = select(concepts, [*into_e, edge("d", "f")], most=60)
    assert shown.arrows == {("en:a", "en:e"), ("en:b", "en:e"), ("en:c", "en:e"), ("en:d", "en:f")}


def test_a_concept_that_would_stand_alone_keeps_its_strongest_arrow() -> None:
    concepts = [concept(name, rank) for rank, name in enumerate("abcde")]
    shown = select(concepts, [edge(name, "e", 0.9 - at / 10) for at, name in enumerate("abcd")], most=60)
    assert ("en:d", "en:e") in shown.arrows
    assert not shown.alone


def test_edges_in_a_circle_lose_the_weakest() -> None:
    shown = select(CONCEPTS, [edge("tree", "heap", 0.9), edge("heap", "tree", 0.6)], most=60)
    assert shown.arrows == {("en:tree", "en:heap")}


@pytest.mark.parametrize(
    "page", [PAGE, draw_concept_map([], [], title="empty"), draw_concept_map([TREE], [], title="one")]
)
def test_a_page_needs_nothing_from_elsewhere(page: str) -> None:
    assert not re.findall(r"""(?:src|href)\s*=\s*["'](?!#)|@import|url\((?!#)|https?://""", page)


def test_a_course_without_edges_has_no_picture_but_a_list() -> None:
    page = draw_concept_map([TREE], [], title="one")
    assert "<svg" not in page
    assert "A tree is a graph without cycles." in page


def test_a_chinese_course_has_a_chinese_page() -> None:
    page = draw_concept_map(
        [concept("树", 1, lang="zh"), concept("二叉树", 2, lang="zh")], [edge("树", "二叉树")], title="数据结构"
    )
    assert '<html lang="zh">' in page
    assert "先学：" in page


def test_hostile_names_are_text_and_nothing_else() -> None:
    names = ["<script>alert(1)</script>", '" onmouseover="alert(1)', "a&b", "🎄" * 40, "(.*)+[", "</style>"]
    concepts = [concept(name, rank) for rank, name in enumerate(names)]
    edges = [edge(names[at], names[at + 1], said=f"<img src=x> {names[at]}") for at in range(5)]
    page = draw_concept_map(concepts, edges, title="<b>")
    assert page.count("<script>") == page.count("</style>") == 1
    assert "<img" not in page
    assert "<b>" not in page
    labels = {box.get("aria-label") for box in picture(page).iter("a")}
    assert labels == set(names)
    assert not [key for one in picture(page).iter() for key in one.attrib if key.startswith("on")]


def test_the_same_course_gives_the_same_bytes() -> None:
    assert draw_concept_map(CONCEPTS[::-1], EDGES[::-1], title="Data structures") == PAGE


def test_boxes_of_sixty_concepts_do_not_overlap() -> None:
    names = [f"concept number {number} {'of the longer kind ' * (number % 3)}" for number in range(60)]
    edges = [edge(names[a], names[b], 0.5 + b / 200) for b in range(60) for a in (b // 2, b // 3, b - 7) if 0 <= a < b]
    concepts = [concept(name, rank) for rank, name in enumerate(names)]
    boxes = drawing_of(select(concepts, edges, most=60))[0].boxes
    assert len(boxes) == 60
    for one, other in combinations(boxes.values(), 2):
        apart_x = one.x + one.width <= other.x or other.x + other.width <= one.x
        assert apart_x or one.y + one.height <= other.y or other.y + other.height <= one.y


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        ("heap", ("heap",)),
        ("multivariate gaussian distribution", ("multivariate", "gaussian", "distribution")),
        ("非常长的一个关于数据结构的概念名称", ("非常长的一个关于数", "据结构的概念名称")),
        ("", ()),
    ],
)
def test_labels_are_broken_between_words_and_chinese_characters(label: str, lines: tuple[str, ...]) -> None:
    assert wrap_label(label) == lines


@given(st.text(max_size=200))
def test_a_label_has_at_most_three_lines_that_fit_its_box(label: str) -> None:
    lines = wrap_label(label)
    assert len(lines) <= 3
    assert all(line for line in lines)
    assert all(len(line) <= 134 / (14 * 0.38) for line in lines)


def test_a_hostile_definition_of_a_concept_that_stands_alone_is_text() -> None:
    page = draw_concept_map([concept("heap", definition='"><script>alert(1)</script>')], [], title="t")
    assert page.count("<script>") == 1
    assert "alert(1)" in page
