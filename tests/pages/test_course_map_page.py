"""The course's concept map beside the conversation, in a real browser: by its button and by asking for it."""

from collections.abc import Iterator
from pathlib import Path

import graph_rows as rows
import pytest
from accessible import PICTURES, SIZES, look_at, serious_findings
from playwright.sync_api import Page, expect
from served import Served, serving, small_home
from visitors import Visitors

from knowledge_graph.graph.concept_map.drawing import draw_concept_map
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Concept, Lang, Prerequisite
from knowledge_graph.lake.schemas import CONCEPTS
from knowledge_graph.lake.tables import write_table
from serving.pages.chat_composer import map_html
from serving.pages.chat_start import Start
from serving.pages.words import words

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The gateway without a model, over two courses of which the first has a map, and the second an empty one."""
    home = small_home(tmp_path_factory, "map")
    data_dir = DataDir(home)
    named = [rows.concept("list"), rows.concept("stack", definition="A stack is a list."), rows.concept("queue")]
    edges = [rows.edge("list", "stack", 0.9), rows.edge("list", "queue", 0.8)]
    write_table(data_dir.table("concepts", "ds"), named, CONCEPTS)
    data_dir.concept_map("ds").parent.mkdir(parents=True)
    drawn = draw_concept_map(
        [Concept(**one) for one in named], [Prerequisite(**{**one, "evidence": ()}) for one in edges], title="Map of ds"
    )
    data_dir.concept_map("ds").write_text(drawn)
    data_dir.concept_map("sjjg").write_text(draw_concept_map([], [], title="Map of sjjg"))
    with serving(home) as one:
        yield one


def opened_by(page: Page, name: str) -> None:
    """The map in the panel, opened by a key from the link of this name and closed by another, back to the link."""
    link = page.get_by_role("link", name=name)
    link.press("Enter")
    shown = page.frame_locator("#panel-frame")
    expect(shown.get_by_role("heading", name="Map of ds")).to_be_visible()
    expect(shown.locator("svg .box")).to_have_count(3)
    assert serious_findings(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).not_to_be_visible()
    expect(link).to_be_focused()


@pytest.mark.parametrize("size", SIZES)
def test_the_map_opens_beside_the_conversation_by_keys(visitor: Visitors, size: str) -> None:
    page = visitor.comes(viewport=SIZES[size], reduced_motion="reduce")
    page.goto("/?course=ds")
    opened_by(page, "Map")
    look_at(page, "chat-with-map")
    page.set_viewport_size(SIZES[size])
    if PICTURES:
        page.get_by_role("link", name="Map").click()
        expect(page.frame_locator("#panel-frame").locator("svg .box")).to_have_count(3)
        page.screenshot(path=Path(PICTURES) / f"map-open-{size}.png")


@pytest.mark.parametrize(("locale", "wish", "card"), [("en-GB", "concept map", "Map"), ("zh-CN", "概念图", "概念图")])
def test_who_asks_for_the_map_opens_it_from_the_answer(visitor: Visitors, locale: str, wish: str, card: str) -> None:
    page = visitor.comes(locale=locale, viewport=SIZES["phone"], reduced_motion="reduce")
    page.goto("/?course=ds")
    expect(page.get_by_role("link", name=card, exact=True)).to_be_visible()
    page.get_by_role("textbox").fill(wish)
    page.keyboard.press("Enter")
    shown = page.locator(".turn .refs a.ref")
    expect(shown).to_have_count(1)
    expect(page.locator(".turn .label.doubt")).to_have_count(0)
    look_at(page, f"map-answer-{locale}")
    page.set_viewport_size(SIZES["phone"])
    shown.press("Enter")
    expect(page.frame_locator("#panel-frame").get_by_role("heading", name="Map of ds")).to_be_visible()
    page.keyboard.press("Escape")
    expect(shown).to_be_focused()


def test_the_map_is_in_the_colours_that_were_chosen_and_shows_its_first_concept_on_a_phone(visitor: Visitors) -> None:
    page = visitor.comes(viewport=SIZES["phone"], reduced_motion="reduce")
    page.goto("/?course=ds")
    for _ in range(2):  # from the browser's to light, and to dark
        page.locator("[data-set-theme]:visible").click()
    page.get_by_role("link", name="Map", exact=True).click()
    shown = page.frame_locator("#panel-frame")
    expect(shown.locator("body")).to_have_css("background-color", "rgb(20, 24, 31)")
    expect(shown.locator("svg .box").first).to_be_in_viewport(ratio=1)


def test_the_button_is_there_only_of_a_course_with_a_map(visitor: Visitors) -> None:
    page = visitor.comes()
    page.goto("/?course=ds")
    expect(page.get_by_role("link", name="Map", exact=True)).to_have_attribute("href", "/courses/ds/map")
    page.get_by_label("Course").select_option("sjjg")
    expect(page.get_by_role("link", name="Quiz me")).to_have_attribute("href", "/quiz/sjjg")
    expect(page.get_by_role("link", name="Map", exact=True)).to_have_count(0)


def test_the_button_names_the_course_in_both_languages() -> None:
    start = Start("d s", "<Data>", has_catalogue=False, examples=(), has_map=True)
    langs: list[tuple[Lang, str, str]] = [
        ("en", "Map", "Concept map: &lt;Data&gt;"),
        ("zh", "概念图", "概念图：&lt;Data&gt;"),
    ]
    for lang, told, course in langs:
        html = map_html(start, words("chat", lang))
        assert f'href="/courses/d%20s/map" data-panel="{course}"' in html
        assert html.endswith(f">{told}</a>")
