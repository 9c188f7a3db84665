"""A conversation that is opened again says which of its answers rest on material that was edited since."""

import re
import time
from pathlib import Path

import course_rows as rows
import pytest
from accessible import look_at
from playwright.sync_api import Page, expect
from served import Served
from sqlalchemy import select
from visitors import Visitors

from knowledge_graph.lake.home import DataDir
from serving.index.build import build_index
from serving.store.tables.conversation import ChangedAnswer

pytestmark = pytest.mark.slow

DEADLINE, STACK, CHANGED = "When is the deadline of homework 3?", "What is a stack?", ".choices.changed"

SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries()
    .filter((one) => !one.hadRecentInput).map((one) => one.value))).observe({ type: "layout-shift", buffered: true });
}"""


def ask(page: Page, question: str, field: str = "Your question") -> None:
    page.get_by_label(field).fill(question)
    page.keyboard.press("Enter")
    expect(page.locator(".turn").filter(has_text=question).last.locator(".tools")).to_be_visible()
    expect(page.locator("body:not(.is-writing)")).to_have_count(1)


def edit(home: Path, gateway: Served, answer: str) -> None:
    """Build the index anew with another answer to the deadline; wait until the gateway has compared its answers."""
    pairs = [{**row, "answer": answer, "content_hash": answer} if row["qa_id"] == "f1" else row for row in rows.QA]
    version = build_index(rows.tables(home.parent / "edited", pairs), DataDir(home).index).version
    found = select(ChangedAnswer).where(ChangedAnswer.index_version == version)
    until = time.monotonic() + 20
    while not gateway.store.read(lambda db: db.scalars(found).all()):
        assert time.monotonic() < until, "The gateway found no answer that rests on the edit."
        time.sleep(0.1)


def test_an_old_answer_says_that_its_material_has_changed_and_is_asked_again(
    visitor: Visitors, gateway: Served, small: Path
) -> None:
    page = visitor.comes()
    page.goto("/?course=ds")
    ask(page, DEADLINE)
    ask(page, STACK)
    expect(page).to_have_url(re.compile(r"session=[0-9a-f]{32}$"))
    address = page.url
    edit(small, gateway, "Monday at noon.")
    expect(page.locator(CHANGED)).to_have_count(0)  # nothing appears where somebody reads
    page.add_init_script(f"({SHIFTS})()")
    page.goto(address)
    turns = page.locator(".turn")
    told = turns.first.locator(CHANGED)
    expect(told).to_contain_text("The course material that this answer rests on has changed since.")
    expect(turns.nth(1).locator(CHANGED)).to_have_count(0)
    look_at(page, "changed-answer")
    assert page.evaluate("window.shifts.reduce((sum, one) => sum + one, 0)") < 0.1
    page.set_viewport_size({"width": 1280, "height": 860})
    button = told.get_by_role("button", name="Ask again")
    button.focus()
    page.keyboard.press("Enter")
    expect(turns).to_have_count(3)
    expect(turns.last.locator(".question")).to_have_text(DEADLINE)
    expect(turns.last).to_contain_text("Monday at noon.", timeout=20_000)
    page.reload()
    expect(page.locator(CHANGED)).to_have_count(1)  # the new answer rests on what is said now


def test_it_is_said_in_chinese_to_who_reads_chinese(visitor: Visitors, gateway: Served, small: Path) -> None:
    page = visitor.comes(locale="zh-CN")
    page.goto("/?course=ds")
    ask(page, DEADLINE, "你的问题")
    expect(page).to_have_url(re.compile(r"session=[0-9a-f]{32}$"))
    edit(small, gateway, "Tuesday at noon.")
    page.reload()
    expect(page.locator(CHANGED)).to_contain_text("此回答所依据的课程资料此后已有变动。")
    expect(page.locator(f"{CHANGED} button")).to_have_text("再次提问")
