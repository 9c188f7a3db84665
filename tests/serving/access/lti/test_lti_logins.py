"""A launch by LTI 1.3 ends a login that began here, in the same browser, a moment ago, and once.

Both databases where SQL decides.
"""

import asyncio
import time
from collections.abc import Callable

import httpx
import jwt
import pytest
from lms import Lms
from lti_gateway import IN_FRAME, Tool, Use, refuse, told
from sqlalchemy import select

from serving.gateway.access import LAUNCH_COOKIE
from serving.gateway.lti.cookies import BROWSER_COOKIE
from serving.store.tables.lti import LtiNonce


def test_a_launch_that_is_sent_again_is_refused(use: Use, database: str) -> None:
    async def work(tool: Tool) -> tuple[httpx.Response, httpx.Response, int]:
        fields = await tool.form("student")
        first, again = await tool.post(fields), await tool.post(fields)
        spent = tool.gateway.store.read(lambda db: len(db.scalars(select(LtiNonce)).all()))
        return first, again, spent

    first, again, spent = use(work, store_url=database)
    assert (first.status_code, again.status_code, spent) == (303, 403, 1)
    assert "used already" in told(again)


def test_of_two_that_send_a_launch_at_once_one_is_let_in(use: Use, database: str) -> None:
    async def work(tool: Tool) -> list[int]:
        fields = await tool.form("student")
        return sorted(one.status_code for one in await asyncio.gather(*(tool.post(fields) for _ in range(4))))

    assert use(work, store_url=database) == [303, 403, 403, 403]


def test_a_new_token_for_a_state_that_was_used_is_refused(use: Use) -> None:
    async def work(tool: Tool) -> httpx.Response:
        fields = await tool.form("student")
        await tool.post(fields)
        tool.gateway.client.cookies.delete(LAUNCH_COOKIE)
        claims = jwt.decode(fields["id_token"], options={"verify_signature": False})
        return await tool.post(fields | {"id_token": tool.lms.sign(claims | {"iat": int(time.time())})})

    assert "used already" in told(use(work))


def test_a_token_of_one_login_does_not_open_another(use: Use) -> None:
    async def work(tool: Tool) -> httpx.Response:
        first, second = await tool.form("student"), await tool.form("teacher")
        return await tool.post({"state": first["state"], "id_token": second["id_token"]})

    refuse(use, work, "another login")


def test_a_state_of_another_browser_is_refused(use: Use) -> None:
    """Somebody has a victim's browser send their own launch, to have them ask as somebody else."""

    async def work(tool: Tool) -> httpx.Response:
        fields = await tool.form("student")
        tool.gateway.client.cookies.clear()
        await tool.begin("teacher")  # the victim's own
        return await tool.post(fields)

    refuse(use, work, "in another browser")


@pytest.mark.parametrize("change", [lambda state: state[:-2] + "xx", lambda state: "", lambda state: "x" * 20_000])
def test_a_state_that_was_not_made_here_is_refused(use: Use, change: Callable[[str], str]) -> None:
    async def work(tool: Tool) -> httpx.Response:
        fields = await tool.form("student")
        return await tool.post(fields | {"state": change(fields["state"])})

    refuse(use, work, "too long ago, or not here")


def test_a_state_that_is_too_old_is_refused(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(tool: Tool) -> httpx.Response:
        fields = await tool.form("student")
        later = time.time() + 700
        monkeypatch.setattr("itsdangerous.timed.time.time", lambda: later)
        return await tool.post(fields)

    refuse(use, work, "too long ago, or not here")


def test_a_browser_that_keeps_no_cookie_is_shown_a_window_of_its_own(use: Use, lms: Lms) -> None:
    async def work(tool: Tool) -> tuple[httpx.Response, httpx.Response]:
        fields = await tool.form("student")
        tool.gateway.client.cookies.clear()
        framed = await tool.post(fields)
        beside = await tool.gateway.client.post(
            "/lti/launch", data=fields, headers=IN_FRAME | {"Sec-Fetch-Dest": "document"}
        )
        return framed, beside

    framed, beside = use(work)
    assert (framed.status_code, LAUNCH_COOKIE in framed.cookies) == (403, False)
    assert 'target="_blank"' in framed.text
    assert "http://127.0.0.1:8080/lti/login?iss=" in framed.text
    assert "Allow cookies of this site" in told(beside)


def test_what_the_lms_says_instead_of_a_login_is_told_as_text(use: Use) -> None:
    async def work(tool: Tool) -> httpx.Response:
        fields = await tool.form("student")
        return await tool.post({"state": fields["state"], "error": "login_required", "error_description": "<b>Log in"})

    refuse(use, work, "<b>Log in")


def test_an_unknown_lms_an_unknown_client_and_a_foreign_target_are_refused_before_anybody_is_sent_anywhere(
    use: Use,
) -> None:
    async def work(tool: Tool) -> list[httpx.Response]:
        changes = (
            {"iss": "https://lms.evil.example"},
            {"client_id": "another"},
            {"target_link_uri": "https://evil.example/lti/launch"},
            {"login_hint": ""},
            {"lti_message_hint": "x" * 5000},
        )
        return [await tool.begin("student", **change) for change in changes]

    replies = use(work)
    assert [one.status_code for one in replies] == [403, 403, 403, 400, 400]
    assert all("location" not in one.headers and BROWSER_COOKIE not in one.cookies for one in replies)
    assert "not registered here" in told(replies[0])


def test_refusals_of_one_address_are_limited(use: Use) -> None:
    async def work(tool: Tool) -> list[int]:
        tool.gateway.stop_the_clock()
        return [(await tool.post({"state": "made up"})).status_code for _ in range(4)]

    assert use(work, settings={"logins_per_minute": 3}) == [403, 403, 403, 429]
