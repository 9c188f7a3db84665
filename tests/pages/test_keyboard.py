"""Every page by keys alone, at the size of a desk and of a phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from accessible import SIZES
from keyboard import walk
from playwright.sync_api import Page, expect
from served import Served, serving
from stand_in import StandIn
from visitors import Visitors

pytestmark = pytest.mark.slow

QUESTIONS = ("What is a stack?", "What is a queue?", "When is the deadline of homework 3?")
PAGES = ("/me", "/login", "/queue", "/rate", "/insights", "/models", "/graph?course=ds", "/files", "/spending")


@pytest.fixture(scope="module")
def gateway(small: Path, shared_model: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The gateway with a mail server, and a course whose files are there."""
    course = tmp_path_factory.mktemp("courses") / "ds"
    course.mkdir(parents=True)
    (course / "course.yaml").write_text("title: Data structures\nlang: en\n")
    settings = {"courses": str(course.parent), "smtp_host": "127.0.0.1", "smtp_port": "9"}
    with serving(small, shared_model.url, settings) as one:
        yield one


def comes(visitor: Visitors, size: str, key: str | None = None) -> Page:
    return visitor.comes(viewport=SIZES[size], reduced_motion="reduce", key=key)


def talk(page: Page) -> None:
    """A conversation that is longer than the window."""
    page.goto("/?course=ds")
    for number, question in enumerate(QUESTIONS):
        page.get_by_label("Your question").fill(question)
        page.keyboard.press("Enter")
        expect(page.locator(".turn .tools")).to_have_count(number + 1)
        expect(page.locator("body:not(.is-writing)")).to_have_count(1)


@pytest.mark.parametrize("size", SIZES)
def test_a_conversation_is_walked_both_ways_and_nothing_covers_what_has_the_focus(visitor: Visitors, size: str) -> None:
    page = comes(visitor, size)
    talk(page)
    for key in ("Tab", "Shift+Tab"):
        walked = walk(page, key)
        assert len(walked.stops) > 20, key
        assert (walked.covered, walked.ringless, walked.missed) == ([], [], []), key


@pytest.mark.parametrize("path", PAGES)
def test_a_page_of_the_staff_is_walked_from_its_top_to_its_end_at_both_sizes(
    visitor: Visitors, gateway: Served, path: str
) -> None:
    page = comes(visitor, "desk", key=gateway.key("admin", "Ines"))
    page.goto(path)
    expect(page.locator("#main")).to_be_visible()
    page.wait_for_load_state("networkidle")
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        walked = walk(page)
        assert len(walked.stops) > 5, size
        assert (walked.covered, walked.ringless, walked.missed) == ([], [], []), size


def test_a_form_that_is_left_gives_the_focus_back_to_what_opened_it(visitor: Visitors) -> None:
    page = comes(visitor, "desk")
    talk(page)
    for button in ("Not helpful", "Ask a TA"):
        opener = page.locator(".turn").last.get_by_role("button", name=button)
        opener.press("Enter")
        expect(page.locator(".form:not([hidden])")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".form:not([hidden])")).to_have_count(0)
        expect(opener).to_be_focused()


def test_earlier_conversations_on_a_phone_take_the_focus_and_nothing_below_them_does(visitor: Visitors) -> None:
    page = comes(visitor, "phone")
    talk(page)
    opener = page.get_by_role("button", name="Show your conversations")
    opener.press("Enter")
    expect(page.get_by_role("link", name="New conversation")).to_be_focused()
    for _ in range(6):  # a redraw may take the focus for a moment before it is given back
        page.wait_for_function("!document.activeElement.closest('.talk, header')")
        page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
