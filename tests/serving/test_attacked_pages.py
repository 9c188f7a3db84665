"""The gateway's pages with every attack in them: text, and nothing else."""

import asyncio
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import course_rows as rows
import httpx
import pytest
from attacks import ATTACKS

from knowledge_graph.graph.concept_map.drawing import draw_concept_map
from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Concept, Locator
from serving.assistant.references import Reference
from serving.gateway.app import create_app
from serving.gateway.links import reference_path
from serving.settings import Settings

TEXTS = [attack.text for attack in ATTACKS]


class Page(HTMLParser):
    """Which elements and attributes a page has, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.comments = 0
        self.links: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        self.comments += 1


@pytest.fixture
def attacked(home: Path) -> Path:
    """A home in which every text, title and heading is an attack."""
    data_dir = DataDir(home)
    numbered = list(enumerate(TEXTS))
    cue = {**rows.CUES[0], "video_title": TEXTS[1]}
    cues = [{**cue, "cue_index": place, "start_ms": 1000 * place, "text": text} for place, text in numbered]
    same: dict[str, Any] = {"course_id": "ds", "lang": "en"}
    section = {**same, "document": "a.md", "title": TEXTS[2], "page": 1, "article": "1"}
    sections = [
        {**section, "section_index": place, "section_key": str(place), "heading": text, "text": text}
        for place, text in numbered
    ]
    entry = {**same, "section": None, "author": None, "reviewer": None, "updated_at": None, "file": "faq.csv", "row": 1}
    faq = [{**entry, "origin_id": str(place), "question": text, "answer": text} for place, text in numbered]
    record = {**same, "mode": "class", "topic": None, "page": "x.html", "url": None, "fetched_at": None}
    catalog = [
        {**record, "record_id": str(place), "code": "C1", "title": text, "text": text} for place, text in numbered
    ]
    tables.write_table(data_dir.table("cues", "ds"), cues, schemas.CUES)
    tables.write_table(data_dir.table("documents", "ds"), sections, schemas.DOCUMENTS)
    tables.write_table(data_dir.table("faq", "ds"), faq, schemas.FAQ)
    tables.write_table(data_dir.table("catalog_pages", "ds"), catalog, schemas.CATALOG_PAGES)
    return home


def pages(home: Path, paths: list[str]) -> list[httpx.Response]:
    async def run() -> list[httpx.Response]:
        app = create_app(Settings(home=home))
        transport = httpx.ASGITransport(app=app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://coteach.test") as client,
        ):
            return [await client.get(path) for path in paths]

    return asyncio.run(run())


ELEMENTS = {"html", "head", "meta", "title", "style", "body", "main", "header", "h1", "h2", "p", "span", "section"}
ATTRIBUTES = {"lang", "data-theme", "charset", "name", "content", "class", "id", "tabindex", "autofocus", "href"}


def test_every_page_shows_the_attacks_as_text(attacked: Path) -> None:
    paths = [
        "/courses/ds/videos/02%20stacks?t=20",
        "/courses/ds/documents/a.md?article=1",
        "/courses/ds/catalog/x.html",
    ]
    for reply in pages(attacked, paths):
        page = Page(reply.text)
        assert reply.status_code == 200
        assert page.elements <= ELEMENTS | {"ol", "li", "a", "mark"}
        assert page.attributes <= ATTRIBUTES
        assert page.comments == 0
        assert all(link.startswith(("/courses/ds/videos/", "#now")) for link in page.links)
        assert all(" ".join(text.split()) in " ".join(page.text.split()) for text in TEXTS)


def test_every_faq_entry_shows_its_attack_as_text(attacked: Path) -> None:
    replies = pages(attacked, [f"/courses/ds/faq/{place}" for place in range(len(TEXTS))])
    for reply, text in zip(replies, TEXTS, strict=True):
        page = Page(reply.text)
        assert page.elements <= ELEMENTS
        assert page.attributes <= ATTRIBUTES
        assert page.text.count(text) == 3


def test_json_is_sent_as_json(attacked: Path) -> None:
    async def run() -> httpx.Response:
        app = create_app(Settings(home=attacked))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://coteach.test") as client,
        ):
            return await client.get("/courses/ds/documents/a.md", headers={"accept": "application/json"})

    assert asyncio.run(run()).headers["content-type"] == "application/json"


def test_the_concept_map_has_the_same_elements_whatever_its_concepts_are_called() -> None:
    def drawn(names: list[str], title: str) -> Page:
        concepts = [
            Concept("ds", f"en:{place}", name, (name,), "en", place, 0.5, name, "subtitle", None, (), 1, (), {})
            for place, name in enumerate(names)
        ]
        return Page(draw_concept_map(concepts, [], title=title))

    attacked, harmless = drawn(TEXTS, TEXTS[0]), drawn(["tree"] * len(TEXTS), "Trees")
    assert attacked.elements == harmless.elements
    assert attacked.attributes == harmless.attributes


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", " javascript:x", "JaVaScRiPt:x", "//e.example"]
)
def test_a_reference_never_opens_what_is_no_web_page(url: str) -> None:
    reference = Reference(1, "x", "x", "search", None, "e", Locator(url=url))
    assert reference_path(reference) is None
