"""What a browser is shown in the place of a page that there is not, or that one must log in for."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from accessible import look_at
from playwright.sync_api import Page, expect
from served import Served, serving
from visitors import Visitors

pytestmark = pytest.mark.slow

LONG = "a" * 300
SHOWN = {
    "no-such-page": ("/nope", 404, "There is no such page"),
    "no-such-long-page": (f"/{LONG}", 404, "There is no such page"),
    "source-without-login": ("/courses/ds/videos/02%20stacks?t=192", 401, "A key is needed here"),
    "source-with-an-ended-link": ("/courses/ds/videos/02%20stacks?t=192&s=1.x.y", 401, "A key is needed here"),
}
"""By what it is: the address, its status, and what is told."""


@pytest.fixture(scope="module")
def gateway(small: Path) -> Iterator[Served]:
    """The gateway where everybody needs a key."""
    with serving(small, settings={"access": "keys"}) as one:
        yield one


def told(visitor: Visitors, name: str) -> Page:
    path, status, title = SHOWN[name]
    page = visitor.comes()
    reply = page.goto(path)
    assert reply is not None
    assert reply.status == status
    expect(page.get_by_role("heading", level=1)).to_contain_text(title)
    visitor.errors.clear()  # the browser's own complaint of the status
    return page


@pytest.mark.parametrize("name", SHOWN)
def test_an_error_can_be_read_by_everybody_at_every_size_and_in_both_colours(visitor: Visitors, name: str) -> None:
    look_at(told(visitor, name), name)


def test_an_error_is_told_in_two_languages_each_under_its_own_name(visitor: Visitors) -> None:
    page = told(visitor, "no-such-page")
    assert page.evaluate("document.documentElement.lang") == "en"
    expect(page.locator("h1 [lang=zh-Hans]")).to_have_text("页面不存在")
    page.get_by_role("link", name="coteach").click()
    expect(page.get_by_label("Key", exact=True)).to_be_visible()
