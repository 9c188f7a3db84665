"""The chat beside the video player of another site's page, in a real browser: `player.js`, frames, messages and all.

The page with the player is at `localhost`, the gateway at `127.0.0.1`: two sites for a browser.
"""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal

import pytest
from accessible import PICTURES, SIZES, look_at
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect
from served import Served, serving, small_home
from sqlalchemy import select
from stand_in import StandIn
from visitors import PATIENCE_MS, Visitors, empty

from serving.store.tables.conversation import TraceRow, TurnRow
from serving.store.tables.identity import Person
from serving.store.tables.study import LectureProgress

pytestmark = pytest.mark.slow

LESSON = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Week 2</title>
<meta name="viewport" content="width=device-width"><style>
body { margin: 0; font: 16px system-ui; display: flex; flex-wrap: wrap; gap: 1rem; padding: 1rem }
main, iframe { flex: 1 1 320px; min-width: 0 } iframe { height: 80vh; border: 1px solid gray }
audio { width: 100% }
</style><main><h1>Stacks and queues</h1><audio data-coteach-lecture="02 stacks" controls></audio></main>
<iframe name="chat" title="Ask about this course" src="GATEWAY/?course=ds"></iframe>
<script async src="GATEWAY/player.js" data-course="ds"></script>
<script>
const bytes = new Uint8Array(44 + 3000 * 600).fill(128), head = new DataView(bytes.buffer); // ten silent minutes
bytes.set([..."RIFF"].map((c) => c.charCodeAt(0)), 0); bytes.set([..."WAVEfmt "].map((c) => c.charCodeAt(0)), 8);
bytes.set([..."data"].map((c) => c.charCodeAt(0)), 36);
head.setUint32(4, bytes.length - 8, true); head.setUint32(16, 16, true); head.setUint16(20, 1, true);
head.setUint16(22, 1, true); head.setUint32(24, 3000, true); head.setUint32(28, 3000, true);
head.setUint16(32, 1, true); head.setUint16(34, 8, true); head.setUint32(40, bytes.length - 44, true);
document.querySelector("audio").src = URL.createObjectURL(new Blob([bytes], { type: "audio/wav" }));
</script></html>"""


class LessonPages(BaseHTTPRequestHandler):
    """Gives the same page at every address."""

    gateway = ""

    def do_GET(self) -> None:
        body = LESSON.replace("GATEWAY", type(self).gateway).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture(scope="module")
def lessons() -> Iterator[str]:
    """The address of the page with a player."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), LessonPages)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory, shared_model: StandIn, lessons: str) -> Iterator[Served]:
    """A gateway that listens to the player of that page."""
    home = small_home(tmp_path_factory, "player")
    with serving(home, shared_model.url, {"player_origins": lessons}) as one:
        LessonPages.gateway = one.url
        yield one


@pytest.fixture(scope="module")
def context(browser: Browser) -> BrowserContext:
    made = browser.new_context(locale="en-GB", color_scheme="light", viewport=SIZES["desk"])
    made.set_default_timeout(PATIENCE_MS)
    return made


@pytest.fixture
def page(context: BrowserContext, gateway: Served) -> Iterator[Page]:
    """The page of somebody new, who may take over what the one before has left empty."""
    yield context.new_page()
    empty(context, gateway.url)


def opened(page: Page, lessons: str) -> FrameLocator:
    page.goto(lessons)
    chat = page.frame_locator("iframe[name=chat]")
    expect(chat.locator("#ask")).to_be_visible()
    expect(chat.locator(".place")).to_have_text("You are in: Stacks and queues")
    return chat


def seek(page: Page, second: int) -> None:
    page.evaluate("second => { document.querySelector('audio').currentTime = second }", second)


def ask(chat: FrameLocator, question: str) -> None:
    before = chat.locator(".turn .tools").count()
    chat.get_by_label("Your question").fill(question)
    chat.get_by_role("button", name="Send").click()
    expect(chat.locator(".turn .tools")).to_have_count(before + 1)


def test_a_question_is_understood_of_where_the_player_is_and_the_place_is_kept(
    page: Page, lessons: str, gateway: Served
) -> None:
    chat = opened(page, lessons)
    seek(page, 192)
    expect(chat.locator(".place")).to_have_text("You are in: Stacks and queues, 03:12")
    ask(chat, "What is this?")
    (turn,) = gateway.store.read(
        lambda db: list(db.scalars(select(TurnRow).where(TurnRow.question == "What is this?")))
    )
    record = gateway.store.read(lambda db: db.get_one(TraceRow, turn.trace_id).record)
    assert "stack" in record["resolved"], "what is spoken at that second is what is meant"
    seek(page, 400)
    expect(chat.locator(".place")).to_have_text("You are in: Stacks and queues, 06:40")
    seek(page, 60)
    expect(chat.locator(".place")).to_have_text("You are in: Stacks and queues, 01:00")
    ask(chat, "What is a queue?")
    (kept,) = gateway.store.read(
        lambda db: list(db.scalars(select(LectureProgress).where(LectureProgress.person_id == turn.person_id)))
    )
    assert (kept.video_id, kept.at_ms // 1000, kept.furthest_ms // 1000) == ("02 stacks", 60, 400)


def test_a_reference_opens_in_the_player_of_the_page_and_beside_the_chat_where_there_is_none(
    page: Page, lessons: str
) -> None:
    chat = opened(page, lessons)
    ask(chat, "What is a stack?")
    link = chat.locator(".turn a[data-panel][href*='/videos/']").first
    expect(link).to_be_visible()
    link.click()
    page.wait_for_function("document.querySelector('audio').currentTime >= 192")
    expect(chat.locator(".place")).to_contain_text("03:1")
    expect(chat.locator("#panel")).to_be_hidden()
    page.evaluate("document.querySelector('audio').dataset.coteachLecture = 'another'")
    link.click()
    expect(chat.locator("#panel")).to_be_visible()
    expect(chat.frame_locator("#panel-frame").locator("body")).to_contain_text("a stack is")


def test_another_frame_of_the_page_and_another_course_are_not_listened_to(page: Page, lessons: str) -> None:
    chat = opened(page, lessons)
    page.evaluate(
        """() => {
          const told = { type: "coteach.position", course: "ds", lecture: "02 stacks", second: 77, isSettled: true };
          const other = document.createElement("iframe");
          other.srcdoc = `<script>parent.frames.chat.postMessage(${JSON.stringify(told)}, "*")</` + "script>";
          document.body.append(other);
          frames.chat.postMessage({ ...told, course: "sjjg", second: 78 }, "*");
          frames.chat.postMessage({ ...told, lecture: "no", second: 79 }, "*");
          frames.chat.postMessage({ ...told, second: "80" }, "*");
          frames.chat.postMessage(null, "*");
        }"""
    )
    seek(page, 30)
    expect(chat.locator(".place")).to_have_text("You are in: Stacks and queues, 00:30")
    page.wait_for_timeout(1000)
    expect(chat.locator(".place")).to_have_text("You are in: Stacks and queues, 00:30")


def test_a_page_of_another_origin_shows_no_chat(page: Page, lessons: str, gateway: Served) -> None:
    with page.expect_console_message(lambda one: "frame-ancestors" in one.text):
        page.goto(lessons.replace("localhost", "127.0.0.1"))


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_picture_of_the_chat_beside_a_player(
    browser: Browser, gateway: Served, lessons: str, tmp_path: Path, colours: Literal["light", "dark"]
) -> None:
    context = browser.new_context(locale="en-GB", color_scheme=colours, viewport=SIZES["desk"])
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    chat = opened(page, lessons)
    seek(page, 192)
    ask(chat, "What is this?")
    folder = Path(PICTURES) if PICTURES else tmp_path
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        assert chat.locator("html").evaluate("one => one.scrollWidth - one.clientWidth") == 0, size
        picture = page.screenshot(path=folder / f"player-{size}-{colours}.png", full_page=True, animations="disabled")
        assert len(picture) > 10_000, size
    context.close()


def test_where_one_was_is_seen_and_forgotten_on_my_data_by_keyboard(browser: Browser, gateway: Served) -> None:
    visitors = Visitors(browser, gateway.url)
    page = visitors.comes()
    page.goto("/?course=ds")
    page.get_by_role("textbox").fill("What is a stack, said heron?")
    page.keyboard.press("Enter")
    expect(page.locator(".turn .tools button").first).to_be_visible()
    asked = select(TurnRow.person_id).where(TurnRow.question.contains("heron"))
    person_id = gateway.store.read(lambda db: db.scalars(asked).one())
    place = {"course_id": "ds", "video_id": "02 stacks", "at_ms": 60_000, "furthest_ms": 192_000}
    gateway.store.write(lambda db: db.add(LectureProgress(person_id=person_id, **place)))
    page.get_by_role("link", name="My data").click()
    expect(page.get_by_text("02 stacks, at 01:00; the furthest you were is 03:12")).to_be_visible()
    look_at(page, "places")
    page.get_by_role("button", name="Forget where I am").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Forget where I am")).to_have_count(0)
    of_them = select(LectureProgress).where(LectureProgress.person_id == person_id)
    assert gateway.store.read(lambda db: list(db.scalars(of_them))) == []
    assert gateway.store.read(lambda db: db.get(Person, person_id)) is not None
    visitors.leave()
