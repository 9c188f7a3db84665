"""What stands on every test of the pages: each visitor is somebody new."""

import pytest
from playwright.sync_api import Browser, Page, expect
from served import Served
from visitors import Visitors

pytestmark = pytest.mark.slow

KEEP = "document.cookie = 'kept=1'; localStorage.kept = '1'; sessionStorage.kept = '1'"
KEPT = "[document.cookie, {...localStorage}, sessionStorage.kept ?? null]"


def comes_and_asks(visitors: Visitors) -> Page:
    page = visitors.comes()
    page.goto("/?course=ds")
    expect(page.locator("#ask")).to_be_visible()
    return page


def test_who_comes_next_finds_nothing_of_who_left(browser: Browser, gateway: Served) -> None:
    first = Visitors(browser, gateway.url)
    page = comes_and_asks(first)
    page.context.route("**/nowhere", lambda route: route.fulfill(body="somewhere"))
    page.get_by_label("Your question").fill("What is a stack?")
    page.keyboard.press("Enter")
    expect(page.locator("nav li")).to_have_count(1)
    page.evaluate(KEEP)
    assert page.evaluate(KEPT)[0].count("kept=1") == 1
    page.context.set_offline(True)
    context, cookies = page.context, page.context.cookies()
    first.leave()
    second = Visitors(browser, gateway.url)
    page = comes_and_asks(second)
    assert page.context is context
    assert page.evaluate(KEPT) == ["", {}, None]
    expect(page.locator("nav li")).to_have_count(0)
    assert not {one["value"] for one in page.context.cookies()} & {one["value"] for one in cookies}
    assert page.request.get("/nowhere").status == 404
    second.leave()
