"""Deep linking: what a teacher may link, and the answer that the LMS verifies by our keys."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from jwt import PyJWK, decode, get_unverified_header
from lms import DEEP_LINKING, LTI, Lms
from lti_gateway import OWN_FORM, Tool, Use, connected, hidden, place_of, told
from sqlalchemy import select

from serving.store.audit import acts
from serving.store.invitations import invite
from serving.store.platforms import PlatformGrant, connect_context, find_platforms, remove_platform
from serving.store.tables.lti import LtiContext, LtiKey

BOTH = PlatformGrant("Simulator", ("ds", "sjjg"))


async def answer_of(tool: Tool, page: httpx.Response) -> dict[str, Any]:
    """What the LMS reads of the answer that a browser posts: verified by the key set that we publish."""
    assert page.status_code == 200, page.text
    keys = (await tool.gateway.client.get("/lti/jwks")).json()
    token = hidden(page.text, "JWT")
    kid = get_unverified_header(token)["kid"]
    (key,) = [PyJWK(one).key for one in keys["keys"] if one["kid"] == kid]
    return decode(token, key, algorithms=["RS256"], audience=tool.lms.base, issuer=tool.lms.client_id)


def contexts(tool: Tool) -> list[tuple[str, str]]:
    rows = tool.gateway.store.read(lambda db: list(db.scalars(select(LtiContext).order_by(LtiContext.context_id))))
    return [(one.context_id, one.course_id) for one in rows]


def test_a_teacher_links_a_lecture_at_a_time_and_the_course_is_connected(use: Use, lms: Lms) -> None:
    async def work(tool: Tool) -> tuple[Any, ...]:
        page = await tool.asked_for_content()
        sent = await tool.choose(page, "ds/02 stacks", "3:12")
        claims = await answer_of(tool, sent)
        rows = [(row.act, row.details) for row in tool.gateway.store.read(acts)]
        (item,) = claims[f"{DEEP_LINKING}content_items"]
        lms.custom = item["custom"]
        return page, sent, claims, contexts(tool), rows, await tool.launch("student")

    page, sent, claims, connected_now, rows, launched = use(work, grant=BOTH, course=None)
    assert "connects “Data structures, autumn” of your LMS" in page.text
    assert connected_now == [("course-42", "ds")]
    assert ("lti.context.connect", {"context": "course-42", "course": "ds"}) in rows
    assert claims[f"{LTI}message_type"] == "LtiDeepLinkingResponse"
    assert (claims[f"{LTI}deployment_id"], claims[f"{DEEP_LINKING}data"]) == ("1", "opaque-17")
    (item,) = claims[f"{DEEP_LINKING}content_items"]
    assert item["custom"] == {"coteach_course": "ds", "coteach_lecture": "02 stacks", "coteach_second": "192"}
    assert (item["url"], item["title"]) == (
        f"{lms.tool}/lti/launch",
        "Ask about Data structures: Stacks and queues, 03:12",
    )
    assert f"form-action {lms.base};" in sent.headers["content-security-policy"] + ";"
    assert f'action="{lms.base}/links"' in sent.text
    assert place_of(launched) == {"course": "ds", "lecture": "02 stacks", "second": "192"}


def test_a_course_that_is_connected_is_the_only_one_to_link(use: Use) -> None:
    async def work(tool: Tool) -> tuple[httpx.Response, httpx.Response]:
        page = await tool.asked_for_content()
        return page, await tool.choose(page, "sjjg")

    page, foreign = use(work, grant=BOTH)
    assert ('optgroup label="Data structures"' in page.text, page.text.count("<optgroup")) == (True, 1)
    assert "“Data structures, autumn”" not in page.text
    assert (foreign.status_code, "cannot be chosen" in told(foreign)) == (400, True)


def test_what_was_not_offered_or_cannot_be_read_is_refused_and_connects_nothing(use: Use) -> None:
    wrong = [
        ("", ""),
        ("nope", ""),
        ("ds/nope", ""),
        ("sjjg", ""),
        ("ds/02 stacks/x", ""),
        ("../ds", ""),
        ("ds", "soon"),
    ]

    async def work(tool: Tool) -> tuple[list[int], Any]:
        page = await tool.asked_for_content()
        return [(await tool.choose(page, item, at)).status_code for item, at in wrong], contexts(tool)

    assert use(work, course=None) == ([400] * len(wrong), [])


@pytest.mark.parametrize("hint", ["student", "ta"])
def test_only_a_teacher_of_the_course_chooses(use: Use, hint: str) -> None:
    async def work(tool: Tool) -> httpx.Response:
        return await tool.asked_for_content(hint)

    reply = use(work, course=None)
    assert (reply.status_code, "Only a teacher" in told(reply)) == (403, True)


def test_a_teacher_whom_the_admin_allows_less_chooses_nothing(use: Use) -> None:
    reply = use(lambda tool: tool.asked_for_content(), grant=PlatformGrant("Simulator", ("ds",), "ta"), course=None)
    assert (reply.status_code, "Only a teacher" in told(reply)) == (403, True)


def test_a_course_that_another_course_of_an_lms_has_is_not_to_be_had(use: Use, lms: Lms) -> None:
    """Whoever teaches pottery does not become a teacher of data structures by choosing it."""

    async def work(tool: Tool) -> tuple[httpx.Response, Any]:
        lms.context_id, lms.context_title = "pottery", "Pottery"
        return await tool.asked_for_content(), contexts(tool)

    reply, found = use(work)
    assert (reply.status_code, found) == (403, [("course-42", "ds")])
    assert "coteach lti connect" in told(reply)


def test_a_choice_that_somebody_else_made_meanwhile_is_refused(use: Use, lms: Lms) -> None:
    async def work(tool: Tool) -> tuple[int, Any]:
        lms.context_id = "pottery"
        page = await tool.asked_for_content()

        def connect(db: Any) -> None:
            connect_context(db, tool.platform, "1", "course-42", course_id="ds", by="test")

        tool.gateway.store.write(connect)
        return (await tool.choose(page, "ds")).status_code, contexts(tool)

    assert use(work, course=None) == (403, [("course-42", "ds")])


def test_where_admins_connect_a_teacher_cannot(use: Use) -> None:
    reply = use(
        lambda tool: tool.asked_for_content(),
        grant=PlatformGrant("Simulator", None, teachers_choose=False),
        course=None,
    )
    assert (reply.status_code, "coteach lti connect" in told(reply)) == (403, True)


@pytest.mark.parametrize(
    "settings",
    [
        {"deep_link_return_url": "http://lms.example.edu/links", "accept_types": ["ltiResourceLink"]},
        {"deep_link_return_url": "javascript:alert(1)", "accept_types": ["ltiResourceLink"]},
        {"deep_link_return_url": "https://lms.example.edu/links", "accept_types": ["file"]},
        {},
    ],
)
def test_a_choice_that_could_not_be_sent_safely_is_not_asked_for(use: Use, lms: Lms, settings: dict[str, Any]) -> None:
    lms.twist = lambda claims: claims | {f"{DEEP_LINKING}deep_linking_settings": settings}
    reply = use(lambda tool: tool.asked_for_content())
    assert (reply.status_code, "does not say where" in told(reply)) == (400, True)


def test_a_choice_is_sealed_and_is_not_taken_from_another_sites_page_or_for_an_lms_that_is_gone(use: Use) -> None:
    async def work(tool: Tool) -> list[int]:
        page = await tool.asked_for_content()
        client, asked = tool.gateway.client, hidden(page.text, "asked")
        found = []
        for value, headers in (
            (
                asked[:-9] + ("a" if asked[-9] != "a" else "b") + asked[-8:],
                OWN_FORM,
            ),  # the last letters hold unused bits
            (asked, OWN_FORM | {"Sec-Fetch-Site": "cross-site"}),
        ):
            fields = {"asked": value, "item": "ds", "at": ""}
            found.append((await client.post("/lti/choose", data=fields, headers=headers)).status_code)
        tool.gateway.store.write(lambda db: remove_platform(db, tool.platform.platform_id))
        found.append((await tool.choose(page, "ds")).status_code)
        return found

    assert use(work) == [403, 403, 404]


def test_titles_of_an_lms_and_of_lectures_are_shown_as_text(use: Use, lms: Lms) -> None:
    lms.context_title = "<script>alert(1)</script>"
    page = use(lambda tool: tool.asked_for_content(), course=None)
    assert ("<script>alert" in page.text, "&lt;script&gt;alert" in page.text) == (False, True)


# Registration


TOKEN = {"registration_token": "reg-token"}


async def registered(tool: Tool, link: str, **changed: str) -> httpx.Response:
    """An admin opens the link in the LMS, reads the page and presses its button."""
    fields = {"openid_configuration": f"{tool.lms.base}/openid-configuration"} | TOKEN | changed
    page = await tool.gateway.client.get(link, params=fields, headers=OWN_FORM)
    assert page.status_code in (200, 400, 404), page.text
    return await tool.gateway.client.post(link, data=fields, headers=OWN_FORM)


def invited(tool: Tool, **options: Any) -> str:
    grant = options.pop("grant", PlatformGrant("University", ("ds",), "ta"))
    token = tool.gateway.store.write(lambda db: invite(db, grant, **({"hours": 1} | options)))
    return f"/lti/register/{token}"


@pytest.fixture
def alone(home: Path, lms: Lms) -> Callable[..., Any]:
    """As `use`, with nothing registered yet."""

    def run(work: Callable[[Tool], Awaitable[Any]]) -> Any:
        async def whole() -> Any:
            async with connected(home, lms) as tool:
                tool.gateway.store.write(lambda db: remove_platform(db, tool.platform.platform_id))
                await tool.gateway.app.state.lti.refresh()
                return await work(tool)

        return asyncio.run(whole())

    return run


def test_an_lms_registers_itself_once_with_what_the_admin_allowed_and_launches(alone: Use, lms: Lms) -> None:
    async def work(tool: Tool) -> tuple[Any, ...]:
        link = invited(tool)
        before = await tool.begin("student")
        done = await registered(tool, link)
        (platform,) = tool.gateway.store.read(lambda db: find_platforms(db, lms.base))
        again = await registered(tool, link)
        unknown = await tool.launch("teacher")
        tool.gateway.store.write(
            lambda db: connect_context(db, platform, lms.deployment_id, lms.context_id, course_id="ds", by="test")
        )
        launched = await tool.launch("teacher")
        return before, done, platform, again, unknown, launched

    before, done, platform, again, unknown, launched = alone(work)
    assert "not registered here" in told(before)
    assert (done.status_code, "data-registered" in done.text, "deployment id" in done.text) == (200, True, False)
    assert f"frame-ancestors 'self' {lms.base}" in done.headers["content-security-policy"]
    assert (platform.courses, platform.highest_role, platform.client_id) == (["ds"], "ta", lms.client_id)
    assert platform.origins == [lms.base]
    assert again.status_code == 404
    assert "not connected" in told(unknown)
    assert place_of(launched) == {"course": "ds"}
    (said,) = lms.registrations
    assert (said["redirect_uris"], said["initiate_login_uri"]) == ([f"{lms.tool}/lti/launch"], f"{lms.tool}/lti/login")
    assert (said["jwks_uri"], said["token_endpoint_auth_method"]) == (f"{lms.tool}/lti/jwks", "private_key_jwt")


def test_looking_at_the_page_uses_nothing_up_and_says_what_will_be_allowed(alone: Use, lms: Lms) -> None:
    async def work(tool: Tool) -> list[httpx.Response]:
        link = invited(tool)
        query = {"openid_configuration": f"{lms.base}/openid-configuration"}
        return [await tool.gateway.client.get(link, params=query, headers=OWN_FORM) for _ in range(2)]

    pages = alone(work)
    assert [one.status_code for one in pages] == [200, 200]
    assert "may open: ds. The most its word makes of somebody here: Teaching assistant." in pages[1].text
    assert lms.registrations == []


@pytest.mark.parametrize("hours", [-1, 0])
def test_a_link_that_is_over_or_made_up_registers_nothing(alone: Use, lms: Lms, hours: float) -> None:
    async def work(tool: Tool) -> list[int]:
        link = invited(tool, hours=hours)
        invited(tool)  # another one, so that LTI is in use
        return [(await registered(tool, one)).status_code for one in (link, "/lti/register/made-up")]

    assert alone(work) == [404, 404]
    assert lms.registrations == []


def test_when_the_lms_fails_the_link_can_be_used_again(alone: Use, lms: Lms) -> None:
    async def work(tool: Tool) -> list[int]:
        link = invited(tool)
        refused = await registered(tool, link, registration_token="wrong")
        assert "status 401" in told(refused)
        return [refused.status_code, (await registered(tool, link)).status_code]

    assert alone(work) == [502, 200]


def test_of_two_that_use_a_link_at_once_one_is_registered(alone: Use, lms: Lms) -> None:
    async def work(tool: Tool) -> list[int]:
        link = invited(tool)
        return sorted(one.status_code for one in await asyncio.gather(*(registered(tool, link) for _ in range(3))))

    assert alone(work) == [200, 404, 404]
    assert len(lms.registrations) == 1


@pytest.mark.parametrize(
    "address",
    [
        "http://169.254.169.254/latest",
        "http://lms.example.edu/c",
        "file:///etc/passwd",
        "https://user:pw@lms.example.edu/c",
    ],
)
def test_a_configuration_is_fetched_by_https_alone(alone: Use, address: str) -> None:
    async def work(tool: Tool) -> int:
        return (await registered(tool, invited(tool), openid_configuration=address)).status_code

    assert alone(work) == 502


def test_nobody_registers_in_anothers_name(alone: Use, lms: Lms) -> None:
    """The issuer has the host of the configuration, unless the admin named it."""

    async def work(tool: Tool) -> list[tuple[int, bool]]:
        elsewhere = f"{lms.base.replace('localhost', '127.0.0.1')}/openid-configuration"
        found = []
        for link in (invited(tool), invited(tool, issuer="https://other.example"), invited(tool, issuer=lms.base)):
            reply = await registered(tool, link, openid_configuration=elsewhere)
            found.append((reply.status_code, "calls itself" in reply.text))
        return found

    assert alone(work) == [(502, True), (502, True), (200, False)]


# Our keys


def test_our_private_keys_are_never_shown_and_are_kept_encrypted(use: Use, home: Path) -> None:
    async def work(tool: Tool) -> tuple[dict[str, Any], str]:
        keys = (await tool.gateway.client.get("/lti/jwks")).json()
        row = tool.gateway.store.read(lambda db: db.scalars(select(LtiKey)).one())
        return keys, row.private_pem + repr(row)

    keys, kept = use(work)
    (key,) = keys["keys"]
    assert set(key) == {"kty", "use", "alg", "kid", "n", "e"}
    assert kept.startswith("-----BEGIN ENCRYPTED PRIVATE KEY-----")
    assert "BEGIN" not in kept[kept.index("LtiKey(") :]
    assert (home / "link_secret").stat().st_mode & 0o777 == 0o600
