"""A picture of every page, wide and narrow, light and dark; and what must be seen on each for the picture to be one.

The pictures go to a temporary folder; with `COTEACH_WRITE_SCREENSHOTS=1` those that the documentation shows go into
`docs/screenshots/`. The courses are the samples, and the people and what they said are those of `seed.py`. The chat is
answered as by default, from the material; what a model would write, on the pages called `written`, is `WRITTEN`: no
model runs here.
"""

import io
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from accessible import serious_findings
from pictures import PICTURES, PROJECT, is_shown, path_of
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect
from seed import Seeded, seed
from served import Served, serving
from small_courses import Place
from stand_in_thread import standing_in
from visitors import Visitors

from serving.store.database import Store, sqlite_url

pytestmark = pytest.mark.slow

SAMPLES = PROJECT / "examples" / "courses"
COURSE = "data-structures"

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
SIZES: dict[str, ViewportSize] = {"wide": {"width": 1280, "height": 860}, "narrow": {"width": 390, "height": 844}}
LARGEST_BYTES = 150_000
"""So that all of them together stay a few megabytes. A choice."""

LATE = "How many late days do I have?"
COLLISION = "What happens on a collision in a hash table?"
COMPARISON = "Compare AVL trees and hash tables for looking up keys."
WRITTEN = (
    "An **AVL tree** is a binary search tree in which the heights of the two subtrees of every node differ by at most ",
    "one [1]. A **hash table** stores key-value pairs in an array at positions computed by a hash function [2].\n\n",
    "- Use the tree when you need the keys in order, or a guaranteed $O(\\log n)$ per operation [3].\n",
    "- For plain lookups a hash table is usually faster [3].\n",
)


@dataclass(frozen=True)
class Class:
    """A class in its fifth week: the gateway, who is who, and the conversation of the student whose page is shown."""

    gateway: Served
    by_default: str
    """Where the same home is served without a model server."""
    seeded: Seeded
    signed_in: dict[str, Any]
    """By who it is, the cookies of their browser."""
    conversation: str
    why: str
    source: str
    """Addresses: the conversation, why its last answer is as it is, the first lecture that it refers to."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample courses, built by the pipeline without training a model, with a month of questions in the store."""
    place = Place(tmp_path_factory.mktemp("pictures"))
    for course in (COURSE, "shujujiegou"):
        shutil.copytree(SAMPLES / course, place.courses / course)
    code, printed = place.build()
    assert code == 0, printed
    return place.data_dir.root


@pytest.fixture(scope="module")
def classroom(home: Path, browser: Browser) -> Iterator[Class]:
    with (
        standing_in(words=WRITTEN) as model,
        serving(home, model.url) as gateway,
        serving(home) as by_default,
    ):
        store = Store.open(sqlite_url(gateway.data_dir.store))
        seeded = seed(store, gateway.data_dir)
        store.close()
        visitors = Visitors(browser, gateway.url)
        signed_in = {name: visitors.comes(key=key).context.cookies() for name, key in seeded.keys.items()}
        page = visitors.comes()
        turn = converse(page)
        source = turn.locator("a.ref").first.get_attribute("href") or ""
        why = turn.get_by_role("link", name="Why this answer").get_attribute("href") or ""
        signed_in["student"] = page.context.cookies()
        yield Class(gateway, by_default.url, seeded, signed_in, page.url, why, source)
        visitors.leave()


def converse(page: Page) -> Locator:
    """Two conversations of one student; the last turn of the second."""
    for question, *more in (("What is a heap?",), (LATE, COMPARISON)):
        page.goto(f"/?course={COURSE}")
        for one in (question, *more):
            turn = ask(page, one)
    return turn


def ask(page: Page, question: str) -> Locator:
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    turn = page.locator(".turn").filter(has_text=question).last
    expect(turn.locator(".tools")).to_be_visible()
    expect(page.locator("body:not(.is-writing)")).to_have_count(1)
    return turn


def chat_empty(page: Page, room: Class) -> None:
    page.goto(f"/?course={COURSE}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".choice")).not_to_have_count(0)
    expect(page.get_by_label("Your question")).to_be_in_viewport()


def chat(page: Page, room: Class) -> None:
    """A question that the FAQ answers and one that a lecture does, by which the page is opened."""
    page.goto(f"/?course={COURSE}")
    ask(page, LATE)
    turn = ask(page, COLLISION)
    expect(turn.locator("strong").first).to_contain_text("A collision is the situation")
    expect(turn.locator("details.nearby[open]")).to_have_count(0)
    expect(turn.locator("a.ref").first).to_contain_text("Hash tables @ ")
    page.locator(".turn").first.scroll_into_view_if_needed()
    expect(turn.locator("strong").first).to_be_in_viewport()


def chat_written(page: Page, room: Class) -> None:
    page.goto(room.conversation)
    expect(page.locator(".turn .question")).to_have_text([LATE, COMPARISON])
    expect(page.locator(".turn .label.reviewed")).to_contain_text("reviewed by")
    expect(page.locator(".turn .label.ai")).to_be_visible()
    expect(page.locator(".turn math").first).to_be_visible()
    expect(last(page).locator("a.ref").first).to_contain_text("@")


def last(page: Page) -> Locator:
    return page.locator(".turn").last


def chat_written_source(page: Page, room: Class) -> None:
    chat_written(page, room)
    last(page).locator("a.ref").first.click()
    expect_uncovered(page.frame_locator("#panel-frame").locator("#now"))


def why(page: Page, room: Class) -> None:
    page.goto(room.why)
    expect(page.get_by_role("heading", name=COMPARISON)).to_be_visible()
    expect(page.locator(".names span")).to_contain_text(["avl tree", "hash table"])
    expect(page.get_by_role("heading", name="What was found")).to_be_attached()


def source(page: Page, room: Class) -> None:
    page.goto(room.source)
    expect_uncovered(page.locator("#now"))
    expect(page.locator("#now")).to_contain_text(re.compile("AVL|hash"))


def expect_uncovered(element: Locator) -> None:
    """In sight, and nothing lies over its middle."""
    expect(element).to_be_in_viewport(ratio=0.9)
    assert element.evaluate(
        """one => {
          const { left, top, width, height } = one.getBoundingClientRect();
          return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }"""
    )


def queue(page: Page, room: Class) -> None:
    open_item(page, "What does amortised constant time mean")
    expect(page.get_by_text("sometimes the whole array is copied")).to_be_visible()
    expect(page.get_by_role("checkbox", name="My answer rests on this")).not_to_have_count(0)
    expect(page.get_by_role("button", name="Approve", exact=True)).to_be_in_viewport()


def queue_changed(page: Page, room: Class) -> None:
    open_item(page, "Why does a binary search tree get slow")
    expect(page.locator(".text-was del")).not_to_have_count(0)
    expect(page.locator(".text-now ins")).not_to_have_count(0)
    expect(page.get_by_role("button", name="Still right")).to_be_visible()
    expect(page.locator(".preview")).to_contain_text("reviewed by")


def open_item(page: Page, question: str) -> None:
    page.goto("/queue")
    page.get_by_role("button", name=question).click()
    expect(page.locator("h1")).to_contain_text(question)
    expect(page.get_by_text("Looking for material")).to_be_hidden()


def rate(page: Page, room: Class) -> None:
    page.goto("/rate")
    page.locator("article").filter(has_text="Six aspects, June").get_by_role("button", name="Rate (").click()
    expect(page.get_by_text("Save and next")).to_be_attached()
    page.keyboard.press("2")
    page.keyboard.press("1")
    expect(page.locator("[aria-pressed=true]")).to_have_count(2)


def graph(page: Page, room: Class) -> None:
    page.goto(f"/graph?course={COURSE}")
    page.get_by_role("tab", name="Prerequisites").click()
    expect(page.get_by_role("button", name="Reject: ").first).to_be_visible()
    expect(page.locator(".meter").first).to_be_visible()


def insights(page: Page, room: Class) -> None:
    page.goto(f"/insights?course={COURSE}")
    expect(page.locator(".tile")).to_have_count(6)
    expect(page.locator(".chart svg")).to_have_count(2)
    expect(page.locator(".chart svg path").first).to_be_attached()


def login(page: Page, room: Class) -> None:
    page.goto("/queue")
    expect(page.get_by_label("Key", exact=True)).to_be_in_viewport()
    expect(page.get_by_role("status")).to_contain_text("Teaching assistant")


TA, TEACHER = "Priya Lindgren", "Ines Calloway"
SHOWN: dict[str, tuple[str, Callable[[Page, Class], None]]] = {
    "chat-empty": ("student", chat_empty),
    "chat": ("nobody", chat),
    "chat-written": ("student", chat_written),
    "chat-written-source": ("student", chat_written_source),
    "why": ("student", why),
    "source": ("student", source),
    "queue": (TA, queue),
    "queue-changed": (TA, queue_changed),
    "rate": (TA, rate),
    "graph": (TEACHER, graph),
    "insights": (TEACHER, insights),
    "login": ("nobody", login),
}
"""By the name of its pictures who sees a page, and how it is opened and looked at."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SHOWN)
def test_a_page_shows_what_it_is_for_at_every_size_and_in_both_colours(
    classroom: Class, browser: Browser, tmp_path: Path, name: str, size: str
) -> None:
    """It is opened and looked at once in each size; then the visitor's system turns dark before their eyes."""
    who, shows = SHOWN[name]
    visitors = Visitors(browser, classroom.by_default if shows is chat else classroom.gateway.url)
    cookies = classroom.signed_in.get(who, ())
    page = visitors.comes(viewport=SIZES[size], reduced_motion="reduce", cookies=cookies)
    shows(page, classroom)
    seen = {theme: compressed(in_colours(page, theme)) for theme in THEMES}
    assert len(set(seen.values())) == len(THEMES)
    assert max(map(len, seen.values())) <= LARGEST_BYTES
    for theme, picture in seen.items():
        path_of(f"{name}-{theme}-{size}.png", tmp_path).write_bytes(picture)
    visitors.leave()


def test_no_picture_lies_in_the_documentation_that_it_does_not_show() -> None:
    assert [one.name for one in PICTURES.iterdir() if not is_shown(one.name)] == []


def in_colours(page: Page, theme: Theme) -> bytes:
    """The window as it looks in these colours, no wider than it is, with nothing that axe-core finds serious."""
    page.emulate_media(color_scheme=theme)
    # A page without scripts follows by its styles alone, and always says `auto`.
    expect(page.locator(f":root:is([data-theme={theme}], [data-theme=auto])")).to_be_attached()
    picture = settled(page)
    assert page.viewport_size is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    assert serious_findings(page) == []
    return picture


def settled(page: Page) -> bytes:
    """The window once nothing moves in it any more, without a blinking caret, the mouse out of the way."""
    page.mouse.move(2, page.viewport_size["height"] - 2 if page.viewport_size else 0)
    expect(page.locator(".q-notification")).to_have_count(0)
    page.evaluate("document.fonts.ready")
    last, now = b"", page.screenshot(animations="disabled")
    while last != now:
        page.wait_for_timeout(150)
        last, now = now, page.screenshot(animations="disabled")
    return now


def compressed(png: bytes) -> bytes:
    """The picture in 256 colours."""
    smaller = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(smaller, "PNG", optimize=True)
    return smaller.getvalue()
