"""The rules of a course in the console, as its TAs read them in a browser."""

import re
from collections.abc import Iterator

import pytest
from accessible import SIZES, look_at
from keyboard import walk
from playwright.sync_api import Locator, Page, expect
from served import Served, serving, small_home
from visitors import Visitors

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import GradedItem, to_row
from serving.desk.queue import ask
from serving.pages.console_rules import MOST_ITEMS_SHOWN
from serving.store.people import add_person

pytestmark = pytest.mark.slow

ESSAY = "Write an essay of a thousand words on punched cards. <b>Name</b> three looms."
LONG_AGO = ("2020-01-01T08:00:00+00:00", "2020-02-01T23:59:00+00:00")
QUESTION = "Who invented the loom?"
ITEMS = [
    *(GradedItem("ds", "Essay", n, ESSAY, "en", "hints", None, "2999-01-31T22:59:00+00:00") for n in (1, 2)),
    *(
        GradedItem("ds", "Sheet 1", n, f"Draw a loom, number {n}.", "en", "closed", *LONG_AGO)
        for n in range(1, MOST_ITEMS_SHOWN + 3)
    ),
    GradedItem("ds", "Project", 1, "Build a loom that weaves your name.", "en", "references", None, None),
]


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The gateway where everybody needs a key; one of its two courses has graded work."""
    home = small_home(tmp_path_factory, "ruled")
    tables.write_table(DataDir(home).table("graded_items", "ds"), map(to_row, ITEMS), schemas.GRADED_ITEMS)
    with serving(home, settings={"access": "keys"}) as one:
        yield one


def open_rules(page: Page, course: str, *, tab: str = "Rules", label: str = "Course") -> None:
    page.goto("/queue")
    expect(page.get_by_role("tab", name=tab)).to_be_in_viewport(ratio=1)
    expect(page.locator(".q-tabs__arrow:visible")).to_have_count(0)
    page.get_by_role("tab", name=tab).click()
    expect(page.locator(".rule")).to_have_count(0)
    page.get_by_label(label, exact=True).click()
    page.get_by_role("option", name=course).click()


def rule(page: Page, name: str) -> Locator:
    return page.locator(".rule").filter(has=page.locator(".name", has_text=name))


def test_a_ta_reads_which_rules_about_graded_work_hold_and_over_what(visitor: Visitors, gateway: Served) -> None:
    page = visitor.comes(key=gateway.key("ta", "Ada Berg"))
    open_rules(page, "Data structures")
    expect(page.locator(".rule .name")).to_have_text(["Essay", "Sheet 1", "Project"])
    essay, sheet = rule(page, "Essay"), rule(page, "Sheet 1")
    for told in ("in force", "Hints only, never the solution.", "Until 31 January 2999, 22:59 UTC", "Items: 2"):
        expect(essay).to_contain_text(told)
    expect(sheet).to_contain_text("over")
    expect(sheet).to_contain_text("From 1 January 2020, 08:00 UTC until 1 February 2020, 23:59 UTC")
    expect(rule(page, "Project")).to_contain_text("Places to read only, without their text.Always")
    expect(essay.get_by_text(ESSAY).first).to_be_hidden()
    essay.get_by_text("Items: 2").click()
    expect(essay.locator("li")).to_have_text([ESSAY, ESSAY])
    sheet.get_by_text(f"Items: {MOST_ITEMS_SHOWN + 2}").click()
    expect(sheet.locator("li")).to_have_count(MOST_ITEMS_SHOWN)
    expect(sheet).to_contain_text("2 more are in course.yaml")
    look_at(page, "rules")


def test_a_course_without_rules_says_so_and_none_is_shown_of_another(visitor: Visitors, gateway: Served) -> None:
    page = visitor.comes(key=gateway.key("ta", "Ada Berg"))
    open_rules(page, "数据结构")
    expect(page.get_by_text("every question is answered")).to_be_visible()
    expect(page.get_by_text("The course has no policy.")).to_be_visible()
    expect(page.locator(".rule")).to_have_count(0)


def test_the_rules_are_told_in_chinese(visitor: Visitors, gateway: Served) -> None:
    page = visitor.comes(key=gateway.key("ta", "Ada Berg"), locale="zh-CN")
    open_rules(page, "Data structures", tab="规定", label="课程")
    for told in ("生效中", "只给提示，不给解答。", "至2999年1月31日22:59（UTC）", "题目：2"):
        expect(rule(page, "Essay")).to_contain_text(told)
    expect(rule(page, "Sheet 1")).to_contain_text("2020年1月1日08:00（UTC）至2020年2月1日23:59（UTC）")


def test_the_rules_stand_beside_a_question_of_the_course(visitor: Visitors, gateway: Served) -> None:
    gateway.store.write(
        lambda db: ask(db, add_person(db, role="student").person_id, QUESTION, course_id="ds", lang="en", note="")
    )
    page = visitor.comes(key=gateway.key("ta", "Ada Berg"))
    page.goto("/queue")
    page.get_by_role("button", name=re.compile(re.escape(QUESTION))).click()
    page.get_by_text("Graded work: 2 of 3 rules in force").click()
    expect(page.locator(".pane .rule .name")).to_have_text(["Essay", "Sheet 1", "Project"])
    look_at(page, "rules-beside-a-question")


@pytest.mark.parametrize("size", SIZES)
def test_the_rules_are_reached_by_keys_alone(visitor: Visitors, gateway: Served, size: str) -> None:
    key = gateway.key("ta", "Ada Berg")
    page = visitor.comes(key=key, viewport=SIZES[size], reduced_motion="reduce")
    open_rules(page, "Data structures")
    expect(page.locator(".rule")).to_have_count(3)
    walked = walk(page, "Tab")
    assert (walked.covered, walked.ringless, walked.missed) == ([], [], [])
    assert any(one.startswith("Items: 2") for one in walked.stops)
