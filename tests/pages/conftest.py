"""Fixtures of the pages' tests: a browser, a gateway with its pages over a small home, and a stand-in for the model.

`gateway` is one process for a module; every test gets a browser of its own (`page`), which the gateway meets as
somebody new. Nothing that a page loads may come from another host: `page` fails the test when something does.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from served import PACKAGES, Served, browser_path, launched, serving, small_home
from stand_in import StandIn
from stand_in_thread import standing_in
from visitors import PATIENCE_MS, Visitors

expect.set_options(timeout=PATIENCE_MS)


def pytest_runtestloop(session: pytest.Session) -> None:
    """Without a browser nothing runs: better known at once than after twenty minutes of other tests."""
    path, here = browser_path(), Path(__file__).parent
    is_there = path is not None and Path(path).is_file()
    needed = not session.config.option.collectonly and any(item.path.is_relative_to(here) for item in session.items)
    if needed and not is_there:
        pytest.exit(f"The tests of the pages need a browser and found none. {PACKAGES}", returncode=3)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium. It ends with the file: no event loop can be run beside playwright's own."""
    with sync_playwright() as playwright:
        opened = launched(playwright.chromium)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_home(tmp_path_factory, "pages")


@pytest.fixture(scope="module")
def shared_model() -> Iterator[StandIn]:
    with standing_in() as model:
        yield model


@pytest.fixture
def model(shared_model: StandIn) -> Iterator[StandIn]:
    """The model server that `gateway` asks. What a test makes it do ends with the test."""
    behaviour, words = shared_model.behaviour, shared_model.words
    yield shared_model
    shared_model.behaviour, shared_model.words = behaviour, words


@pytest.fixture(scope="module")
def gateway(small: Path, shared_model: StandIn) -> Iterator[Served]:
    """The gateway, open to all, with its model server."""
    with serving(small, shared_model.url) as one:
        yield one


@pytest.fixture
def visitor(browser: Browser, gateway: Served) -> Iterator[Visitors]:
    """Opens pages as somebody new, in the language and colours asked for."""
    visitors = Visitors(browser, gateway.url)
    yield visitors
    visitors.leave()


@pytest.fixture
def page(visitor: Visitors) -> Page:
    """The page of one new visitor, wide, light and in English."""
    return visitor.comes()
