"""LTI end to end in a real browser: an LMS's page of another site with the tool in a frame, cookies and all.

The LMS is at `localhost`, the gateway at `127.0.0.1`: two sites for a browser, both of which it lets have secure
cookies. `tests/support/lms.py` checks what the tool sends; here, what a person sees.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import httpx
import pytest
from lms import LEARNER, Lms, running_lms
from lti_gateway import addresses_of
from pictures import path_of
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, Route, expect
from served import Served, launched, serving, small_home
from sqlalchemy import select
from stand_in import StandIn
from visitors import DESK, PATIENCE_MS, empty

from serving.store.platforms import PlatformGrant, add_platform, connect_context
from serving.store.tables.conversation import TraceRow, TurnRow
from serving.store.tables.lti import LtiContext, LtiPlatform

pytestmark = pytest.mark.slow


FRAMED_SECONDS = 20


@pytest.fixture
def lms() -> Iterator[Lms]:
    with running_lms() as one:
        yield one


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory, shared_model: StandIn) -> Iterator[Served]:
    """A gateway that nobody may ask without being known."""
    with serving(small_home(tmp_path_factory, "lti"), shared_model.url, {"access": "keys"}) as one:
        yield one


@pytest.fixture
def platform(keyed: Served, lms: Lms) -> LtiPlatform:
    """The LMS of this test, registered, its course not connected yet."""
    lms.tool = keyed.url
    return keyed.store.write(lambda db: add_platform(db, addresses_of(lms), PlatformGrant("LMS", None), ["1"]))


@pytest.fixture
def connected(keyed: Served, lms: Lms, platform: LtiPlatform) -> LtiPlatform:
    keyed.store.write(
        lambda db: connect_context(db, platform, "1", lms.context_id, course_id="ds", by="the admin of this test")
    )
    return platform


@pytest.fixture(scope="module")
def context(browser: Browser) -> BrowserContext:
    made = browser.new_context(locale="en-GB", color_scheme="light", viewport=DESK)
    made.set_default_timeout(PATIENCE_MS)
    return made


@pytest.fixture
def page(context: BrowserContext, keyed: Served) -> Iterator[Page]:
    """The page of somebody new, who may take over what the one before has left empty."""
    yield context.new_page()
    empty(context, keyed.url)


def opened(page: Page, lms: Lms, who: str = "student", message: str = "resource") -> FrameLocator:
    """The frame of the tool in the course's page. A gateway takes up to two seconds to let a new LMS frame it."""
    until = time.monotonic() + FRAMED_SECONDS
    while lms.base not in httpx.get(f"{lms.tool}/lti/jwks").headers["Content-Security-Policy"]:
        assert time.monotonic() < until, "the gateway lets the LMS frame nothing"
        page.wait_for_timeout(50)
    page.goto(f"{lms.base}/course?as={who}&message={message}")
    return page.frame_locator("iframe[name=tool]")


def test_a_student_asks_in_the_frame_of_the_lms_and_the_answer_knows_where_they_are(
    page: Page, lms: Lms, keyed: Served, connected: LtiPlatform
) -> None:
    lms.custom = {"coteach_lecture": "02 stacks", "coteach_second": "192"}
    tool = opened(page, lms)
    expect(tool.locator(".place")).to_have_text("You are in: Stacks and queues, 03:12")
    expect(tool.locator(".only-course, #course")).to_contain_text("Data structures")
    tool.get_by_label("Your question").fill("What is this?")
    tool.get_by_role("button", name="Send").click()
    expect(tool.locator(".turn .tools")).to_be_visible()
    expect(tool.locator(".turn .answer")).to_contain_text("stack")
    (turn,) = keyed.store.read(lambda db: list(db.scalars(select(TurnRow).where(TurnRow.question == "What is this?"))))
    record = keyed.store.read(lambda db: db.get_one(TraceRow, turn.trace_id).record)
    assert turn.course_id == "ds"
    assert "stack" in record["resolved"], "what is spoken at that second is what is meant"


def test_a_source_opens_beside_the_conversation_inside_the_frame(page: Page, lms: Lms, connected: LtiPlatform) -> None:
    lms.custom = {"coteach_lecture": "02 stacks", "coteach_second": "192"}
    tool = opened(page, lms)
    tool.locator(".place a").click()
    expect(tool.frame_locator("#panel-frame").locator("body")).to_contain_text("a stack is")


def test_a_ta_reaches_the_queue_and_the_language_is_kept_inside_the_frame(
    page: Page, lms: Lms, connected: LtiPlatform
) -> None:
    tool = opened(page, lms, "ta")
    tool.get_by_role("button", name="中文").click()
    expect(tool.get_by_role("link", name="待答问题")).to_be_visible()
    tool.get_by_role("link", name="待答问题").click()
    expect(tool.locator("#main")).to_be_visible()
    tool.locator("details.account summary").click()
    expect(tool.locator("details.account")).to_contain_text("Tara Helper")


def test_a_teacher_links_a_lecture_at_a_time_and_a_student_comes_to_it(
    page: Page, lms: Lms, keyed: Served, platform: LtiPlatform, browser: Browser
) -> None:
    """The whole way: choose, signed answer verified by the LMS, the course connected, a launch by the link."""
    keyed.store.write(lambda db: [db.delete(one) for one in db.scalars(select(LtiContext))])
    tool = opened(page, lms, "teacher", "content")
    expect(tool.get_by_role("heading")).to_have_text("What should the link open?")
    tool.get_by_label("Course or lecture").select_option(label="Stacks and queues")
    tool.get_by_label("Time in the lecture").fill("3:12")
    tool.get_by_role("button", name="Make the link").click()
    expect(tool.get_by_role("listitem")).to_have_text("Ask about Data structures: Stacks and queues, 03:12")
    (link,) = lms.links
    lms.custom = link["custom"]
    student = browser.new_context(locale="en-GB").new_page()
    expect(opened(student, lms).locator(".place")).to_have_text("You are in: Stacks and queues, 03:12")
    student.context.close()


def test_a_browser_that_keeps_no_cookies_in_frames_gets_there_in_a_window_of_its_own(
    page: Page, lms: Lms, connected: LtiPlatform
) -> None:
    is_first = True

    def forget(route: Route) -> None:
        """As if the browser had kept nothing when the LMS sent it back to the tool."""
        nonlocal is_first
        if is_first:
            page.context.clear_cookies()
            is_first = False
        route.continue_()

    page.context.route(f"{lms.tool}/lti/launch", forget)
    tool = opened(page, lms)
    expect(tool.get_by_role("heading")).to_have_text("Open coteach in a window of its own")
    with page.context.expect_page() as beside:
        tool.get_by_role("link", name="Open in a new window").click()
    expect(beside.value.locator("#ask")).to_be_visible()
    assert beside.value.url.startswith(f"{lms.tool}/?course=ds")


def test_a_refusal_is_read_in_the_frame(page: Page, lms: Lms, platform: LtiPlatform) -> None:
    lms.context_id = "another"
    lms.people["student"].roles = [LEARNER]
    tool = opened(page, lms)
    expect(tool.get_by_role("alert")).to_contain_text("Tell your teacher, who can connect it.")


def test_the_page_of_somebody_whom_no_lms_sent_is_framed_by_nobody(
    page: Page, lms: Lms, keyed: Served, connected: LtiPlatform
) -> None:
    """The LMS frames what it launches and nothing else; another site frames not even that."""
    expect(opened(page, lms).locator("#ask")).to_be_visible()
    with running_lms() as other:
        page.goto(f"{other.base}/nothing")
        with page.expect_console_message(lambda one: "frame-ancestors" in one.text or "X-Frame-Options" in one.text):
            page.set_content(f"<iframe src='{keyed.url}/?course=ds'></iframe>")


def test_with_cookies_of_other_sites_blocked_a_partitioned_one_still_opens_the_frame(
    lms: Lms, connected: LtiPlatform, browser: Browser
) -> None:
    """As browsers do that phase third-party cookies out. Another browser: the choice is made when it starts."""
    started = launched(browser.browser_type, "--test-third-party-cookie-phaseout")
    page = started.new_page()
    page.set_default_timeout(PATIENCE_MS)
    expect(opened(page, lms).locator("#ask")).to_be_visible()
    started.close()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_picture_of_the_chat_inside_an_lms(
    lms: Lms, connected: LtiPlatform, browser: Browser, tmp_path: Path, colours: Literal["light", "dark"]
) -> None:
    """Nothing runs over the frame's side; with `COTEACH_WRITE_SCREENSHOTS=1` the picture goes to the documentation."""
    lms.custom = {"coteach_lecture": "02 stacks", "coteach_second": "192"}
    context = browser.new_context(locale="en-GB", color_scheme=colours)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    tool = opened(page, lms)
    expect(tool.locator(".place")).to_be_visible()
    tool.get_by_label("Your question").fill("When is the deadline of homework 3?")
    tool.get_by_role("button", name="Send").click()
    expect(tool.locator(".turn .tools")).to_be_visible()
    for size, width, height in (("wide", 1280, 860), ("narrow", 390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert tool.locator("html").evaluate("one => one.scrollWidth - one.clientWidth") == 0, size
        picture = page.screenshot(path=path_of(f"lti-{colours}-{size}.png", tmp_path), animations="disabled")
        assert len(picture) > 10_000, size
    context.close()
