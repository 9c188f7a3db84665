"""The page `/files` in a real browser, over course folders that the real pipeline built and builds again from there."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import httpx
import pytest
from built_homes import copied
from playwright.sync_api import Browser, Page, expect
from served import Served, serving
from small_courses import FAQ, Place, write_two_courses
from visitors import Visitors

from models.versions import current_version
from serving.store.keys import make_key

pytestmark = pytest.mark.slow

COURSE, OTHER = "structures", "sorting"
BUILD_MS = 240_000
SERVED_SECONDS = 60
NO_QUESTION = "question,answer\nWhen is the homework due?,On Sunday at noon.\nWhere do I get help?,\n"
BROKEN = "<script>alert(1)</script>.srt"


@dataclass(frozen=True)
class Room:
    """The course folders and the gateway over their home."""

    place: Place
    gateway: Served
    teacher: str
    admin: str

    def path(self, name: str) -> Path:
        return self.place.courses / COURSE / name


def wait_until_served(room: Room) -> None:
    """A gateway looks for what was built every few seconds, and loads it: on a busy machine the build ends before."""
    until = time.monotonic() + SERVED_SECONDS
    while httpx.get(f"{room.gateway.url}/healthz").json()["index_version"] != current_version(
        room.place.data_dir.index
    ):
        assert time.monotonic() < until, "the gateway does not serve what was built"
        time.sleep(0.2)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    place = copied(tmp_path_factory, write_two_courses, "files")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("COTEACH_INTENT_TRAINING", "false")  # of the builds that the page starts
        settings = {"courses": str(place.courses), "access": "keys", "max_upload_bytes": str(2**20)}
        with serving(place.data_dir.root, settings=settings) as gateway:
            teacher = gateway.store.write(lambda db: make_key(db, role="teacher", name="Ines", courses=[COURSE]))
            yield Room(place, gateway, teacher, gateway.key("admin", "Ada"))


@pytest.fixture
def people(browser: Browser, room: Room) -> Iterator[Visitors]:
    visitors = Visitors(browser, room.gateway.url)
    yield visitors
    visitors.leave()


def record(page: Page, name: str) -> object:
    return page.locator(".files-list .record").filter(has_text=name)


def upload(page: Page, *paths: Path) -> None:
    page.get_by_label("Files", exact=True).set_input_files(list(paths))
    page.locator("section").filter(has=page.get_by_role("heading", name="Add files")).get_by_role(
        "button", name="Upload"
    ).click()


def test_a_teacher_adds_files_builds_them_mends_what_is_told_and_takes_it_back(
    people: Visitors, room: Room, tmp_path: Path
) -> None:
    """The whole way, with nothing but the page."""
    page = people.comes(key=room.teacher)
    page.goto("/files")
    expect(page.locator("#course option")).to_have_count(1)
    expect(record(page, "faq.csv")).to_contain_text("rows read: 3")
    expect(record(page, "subtitles/01 - Stacks.srt").get_by_text("read", exact=True)).to_be_visible()

    (tmp_path / "faq.csv").write_text(NO_QUESTION)
    (tmp_path / "guide.md").write_text("# Guide\n\n## Parking\n\nBicycles stand behind the boathouse.\n")
    upload(page, tmp_path / "faq.csv")
    expect(page.get_by_role("alert")).to_contain_text("There is a file 'faq.csv' already")
    people.errors.clear()  # a browser's console tells of the 409
    page.get_by_role("link", name="Back to the files").click()
    page.get_by_label("Replace files of the same name").check()
    (tmp_path / "scan.pdf").write_text("no PDF")
    upload(page, tmp_path / "faq.csv", tmp_path / "guide.md", tmp_path / "scan.pdf")
    expect(page.locator(".files-news")).to_contain_text(
        "added or replaced: faq.csv, documents/guide.md, documents/scan.pdf"
    )
    expect(record(page, "faq.csv")).to_contain_text("changed since it was read")
    expect(record(page, "documents/guide.md")).to_contain_text("waits for a build")

    page.get_by_role("button", name="Start the build").click()
    status = page.locator(".files-build [role=status]")
    expect(status).to_contain_text("running")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    expect(status.locator(".chip")).to_have_text("done", timeout=BUILD_MS)
    expect(page.locator(".files-build pre")).to_contain_text("Built in")
    assert OTHER not in (page.locator(".files-build").text_content() or "")
    page.get_by_role("link", name="Show what was read").click()
    expect(record(page, "documents/guide.md").get_by_text("read", exact=True)).to_be_visible()
    expect(record(page, "faq.csv")).to_contain_text("1 left out")
    expect(record(page, "faq.csv")).to_contain_text("line 3")
    expect(record(page, "documents/scan.pdf").locator(".chip").last).to_have_text("nothing could be read")

    page.get_by_role("link", name="faq.csv").click()
    expect(page.locator(".problems")).to_contain_text("line 3")
    text = page.get_by_label("Text of the file")
    expect(text).to_have_value(NO_QUESTION)
    text.fill(NO_QUESTION.replace("help?,", "help?,In the forum."))
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".files-one")).to_contain_text("changed since it was read")
    assert room.path("faq.csv").read_text().endswith("In the forum.\n")

    page.get_by_role("button", name="Remove this file").click()
    expect(record(page, "faq.csv")).to_have_count(0)
    page.locator(".files-edits .record").first.get_by_role("button", name="Undo").click()
    expect(record(page, "faq.csv")).to_have_count(1)
    assert room.path("faq.csv").read_text().endswith("In the forum.\n")
    wait_until_served(room)
    page.goto("/")
    page.get_by_label("Your question").fill("Where do bicycles stand?")
    page.keyboard.press("Enter")
    expect(page.locator(".turn .answer").last).to_contain_text("boathouse")


def test_what_is_too_large_is_told_before_it_is_sent(people: Visitors, room: Room, tmp_path: Path) -> None:
    page = people.comes(key=room.teacher)
    page.goto("/files")
    (tmp_path / "half.md").write_bytes(b"#" * (2**19 + 1))
    (tmp_path / "other.md").write_bytes(b"#" * (2**19 + 1))
    upload(page, tmp_path / "half.md", tmp_path / "other.md")
    told = page.get_by_label("Files", exact=True).evaluate("field => field.validationMessage")
    assert told == "Together that is more than 1 MB, the most that is taken at once."
    assert not room.path("documents/half.md").exists()
    page.get_by_label("Files", exact=True).set_input_files(tmp_path / "half.md")
    assert page.get_by_label("Files", exact=True).evaluate("field => field.validity.valid")


def test_a_build_is_stopped_in_the_page_and_what_was_built_is_kept(people: Visitors, room: Room) -> None:
    page = people.comes(key=room.admin)
    page.goto(f"/files?course={COURSE}")
    room.path("faq.csv").write_text(FAQ + "new,Is there a new one?,There is.\n")
    page.get_by_role("button", name="Start the build").click()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator(".files-build [role=status] .chip")).to_have_text("stopped", timeout=BUILD_MS)
    expect(page.get_by_role("button", name="Start the build")).to_be_visible()


def test_a_teacher_makes_a_course_by_keyboard_alone(people: Visitors, room: Room) -> None:
    limited = people.comes(key=room.teacher)
    limited.goto("/files")
    expect(limited.locator("#course option")).to_have_count(1)
    expect(limited.locator("form[action='/files/new']")).to_have_count(0)
    page = people.comes(key=room.gateway.key("teacher", "Theo"))
    page.goto("/files")
    page.locator(".files-form summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("ml")
    page.keyboard.press("Tab")
    page.keyboard.type("机器学习")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/files?course=ml")
    expect(record(page, "course.yaml")).to_contain_text("waits for a build")
    assert (room.place.courses / "ml" / "course.yaml").read_text() == "title: 机器学习\n"


def test_what_files_and_problems_are_called_is_text_and_no_markup(people: Visitors, room: Room) -> None:
    room.path("subtitles").joinpath(BROKEN.replace("/", "\u2215")).write_text("no times")
    page = people.comes(key=room.teacher, locale="zh-CN")
    page.goto("/files")
    expect(page.get_by_role("heading", level=1)).to_have_text("课程文件")
    expect(page.locator(".files-list")).to_contain_text("<script>alert(1)")
    assert page.locator(".files-list script").count() == 0


@pytest.mark.parametrize("role", ["student", "ta"])
def test_students_and_tas_find_no_way_there(people: Visitors, room: Room, role: str) -> None:
    page = people.comes(key=room.gateway.key(role, "Tara" if role == "ta" else None))  # type: ignore[arg-type]
    page.goto("/")
    expect(page.locator("#main")).to_be_visible()
    expect(page.locator("a[href='/files']")).to_have_count(0)
    page.goto("/files")
    page.wait_for_url("**/login?*")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_no_wider_than_the_window(people: Visitors, room: Room, scheme: Literal["light", "dark"]) -> None:
    page = people.comes(key=room.admin, color_scheme=scheme)
    for address in (f"/files?course={COURSE}", f"/files?course={COURSE}&file=faq.csv"):
        page.goto(address)
        expect(page.locator("#main")).to_be_visible()
        for width, height in ((1280, 860), (360, 740)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
