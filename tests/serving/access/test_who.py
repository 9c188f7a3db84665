"""Who a request comes from: keys, cookies, services' students, strangers, other sites' pages."""

import time
from pathlib import Path
from typing import Any

import pytest
from gateways import Gateway, Use, bearer
from starlette.requests import Request

from serving.gateway.access import OpenToAll, course_for, identify, refuse_unsafe
from serving.gateway.errors import GatewayError
from serving.gateway.login import safe_path
from serving.gateway.request_claims import is_same_site
from serving.settings import Settings
from serving.store.caller import Caller
from serving.store.keys import read_key, revoke_key
from serving.store.logins import log_in_without_key

ASK = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}
MODELS = "/v1/models"


async def who(gateway: Gateway, *, cookies: str = "", **headers: str) -> Caller:
    """The caller behind a GET of a page with these headers."""
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": "/", "path_params": {}, "client": ("127.0.0.1", 1), "state": {}}
    raw += [(b"cookie", cookies.encode())] if cookies else []
    return (await identify(Request({**scope, "headers": raw, "app": gateway.app}))).caller


def test_a_key_says_who_somebody_is_and_what_they_may_ask(use: Use) -> None:
    async def work(gateway: Gateway) -> Caller:
        key = gateway.key("ta", name="Ada", courses=["ds"])
        return await who(gateway, authorization=f"bearer {key}")

    caller = use(work)
    assert (caller.role, caller.name, caller.courses) == ("ta", "Ada", frozenset({"ds"}))


def test_an_open_gateway_takes_any_text_that_is_not_one_of_its_keys_for_none(use: Use) -> None:
    async def work(gateway: Gateway) -> list[Any]:
        texts = ["none", "sk-123", "EMPTY"]
        return [(await gateway.client.get(MODELS, headers=bearer(text))).status_code for text in texts]

    assert use(work) == [200, 200, 200]


@pytest.mark.parametrize("access", ["open", "keys"])
def test_a_wrong_key_is_refused_everywhere(use: Use, access: str) -> None:
    async def work(gateway: Gateway) -> Any:
        shown = read_key(gateway.key())
        assert shown is not None
        wrong = [f"ct-{shown.key_id}-{'0' * 64}", "ct-nope-nope", f"ct-{shown.key_id}-"]
        return [await gateway.client.get(MODELS, headers=bearer(text)) for text in wrong]

    for reply in use(work, access=access)[:2]:
        assert reply.status_code == 401
        assert reply.json()["error"]["code"] == "invalid_api_key"
        assert reply.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("place", ["?api_key={key}", "?key={key}", "?access_token={key}"])
def test_a_key_in_an_address_is_not_read(use: Use, place: str) -> None:
    async def work(gateway: Gateway) -> int:
        return (await gateway.client.get(MODELS + place.format(key=gateway.key()))).status_code

    assert use(work, access="keys") == 401


def test_a_key_that_another_process_revokes_ends_within_two_seconds(use: Use) -> None:
    async def work(gateway: Gateway) -> float:
        """Seconds between the end of a key and the start of the last request it opened anything for."""
        key = gateway.key()
        shown = read_key(key)
        assert shown is not None
        assert (await gateway.client.get(MODELS, headers=bearer(key))).status_code == 200
        login = await gateway.client.post("/login", json={"key": key})
        assert login.status_code == 200
        revoked = time.monotonic()
        await gateway.store.writing(lambda db: revoke_key(db, shown.key_id))
        last = revoked
        for headers in (bearer(key), {}):
            asked = time.monotonic()
            while (await gateway.client.get(MODELS, headers=headers)).status_code == 200:
                last, asked = asked, time.monotonic()
                assert last - revoked < 2
        return last - revoked

    assert use(work, access="keys", requests_per_minute=0) < 2


def test_a_login_is_a_cookie_that_scripts_and_other_sites_cannot_use(use: Use) -> None:
    async def work(gateway: Gateway) -> Any:
        reply = await gateway.client.post("/login", json={"key": gateway.key("teacher", name="Grace")})
        after = await gateway.client.get(MODELS)
        over_tls = await gateway.client.post("https://coteach.test/login", json={"key": gateway.key()})
        return reply, after, over_tls

    reply, after, over_tls = use(work, access="keys")
    assert reply.json() == {"role": "teacher", "name": "Grace", "courses": None}
    cookie = reply.headers["set-cookie"]
    assert ("HttpOnly" in cookie, "SameSite=lax" in cookie, "Secure" in cookie) == (True, True, False)
    assert "Secure" in over_tls.headers["set-cookie"]
    assert after.status_code == 200


def test_a_form_is_sent_on_to_the_page_wanted_and_back_to_the_login_when_the_key_is_wrong(use: Use) -> None:
    async def work(gateway: Gateway) -> Any:
        right = await gateway.client.post("/login", data={"key": gateway.key(), "next": "/queue?a=1"})
        wrong = await gateway.client.post("/login", data={"key": "ct-a-b", "next": "//evil.example"})
        return right, wrong

    right, wrong = use(work)
    assert (right.status_code, right.headers["location"]) == (303, "/queue?a=1")
    assert (wrong.status_code, wrong.headers["location"]) == (303, "/login?next=%2F&error=wrong")
    assert "set-cookie" not in wrong.headers


@pytest.mark.parametrize(
    "wanted", ["//evil.example", "/\\evil.example", "https://evil.example", "", None, "/a\nb", "x"]
)
def test_a_login_never_leads_to_another_site(wanted: object) -> None:
    assert safe_path(wanted) == "/"


def test_a_logout_ends_the_login_at_once(use: Use) -> None:
    async def work(gateway: Gateway) -> list[int]:
        await gateway.client.post("/login", json={"key": gateway.key()})
        cookie = {"Cookie": f"coteach_login={gateway.client.cookies['coteach_login']}"}
        before = (await gateway.client.get(MODELS, headers=cookie)).status_code
        out = (await gateway.client.post("/logout")).status_code
        gateway.client.cookies.clear()
        return [before, out, (await gateway.client.get(MODELS, headers=cookie)).status_code]

    assert use(work, access="keys") == [200, 200, 401]


def test_an_expired_login_is_refused(use: Use) -> None:
    async def work(gateway: Gateway) -> int:
        token = await gateway.store.writing(lambda db: log_in_without_key(db, days=-0.001))
        return (await gateway.client.get(MODELS, headers={"Cookie": f"coteach_login={token}"})).status_code

    assert use(work, access="keys") == 401


def test_a_browser_in_an_open_gateway_is_the_same_stranger_again(use: Use) -> None:
    async def work(gateway: Gateway) -> Any:
        gateway.app.add_api_route("/a/page", lambda: "a page")
        html = {"Accept": "text/html,*/*"}
        page, again = [await gateway.client.get("/a/page", headers=html) for _ in range(2)]
        machine = await gateway.client.get("/a/page", headers={"Accept": "*/*", "Cookie": ""})
        token = gateway.client.cookies["coteach_login"]
        return page, again, machine, [await who(gateway, cookies=f"coteach_login={token}") for _ in range(2)]

    page, again, machine, (first, second) = use(work)
    assert ["set-cookie" in one.headers for one in (page, again, machine)] == [True, False, False]
    assert (first, first.role, first.key_id) == (second, "student", None)


def test_a_services_students_are_told_apart_by_what_it_calls_them(use: Use) -> None:
    async def work(gateway: Gateway) -> list[Caller]:
        key = gateway.key()
        names = [{"x-coteach-user": "s1"}, {"x-coteach-user": "s2"}, {"x-openwebui-user-id": "s1"}, {}]
        return [await who(gateway, authorization=f"Bearer {key}", **named) for named in names]

    first, second, same, service = use(work)
    assert first.person_id == same.person_id
    assert len({first.person_id, second.person_id, service.person_id}) == 3
    assert {first.key_id, second.key_id} == {service.key_id}


def test_a_tas_key_is_its_tas_whatever_name_is_sent_along(use: Use) -> None:
    async def work(gateway: Gateway) -> list[Caller]:
        key = f"Bearer {gateway.key('ta')}"
        return [
            await who(gateway, authorization=key, **{"x-coteach-user": "s1"}),
            await who(gateway, authorization=key),
        ]

    named, plain = use(work)
    assert named == plain


@pytest.mark.parametrize(
    ("method", "headers", "is_same"),
    [
        ("GET", {"sec-fetch-site": "cross-site", "origin": "https://evil.example"}, True),
        ("POST", {"sec-fetch-site": "same-origin", "origin": "https://t.example", "host": "t.example"}, True),
        ("POST", {"sec-fetch-site": "none"}, True),
        ("POST", {"sec-fetch-site": "same-site"}, False),
        ("POST", {"sec-fetch-site": "cross-site"}, False),
        ("POST", {"origin": "https://t.example", "host": "t.example"}, True),
        ("POST", {"origin": "https://evil.example", "host": "t.example"}, False),
        ("POST", {"origin": "null", "host": "t.example"}, False),
        ("DELETE", {"origin": "https://evil.example", "host": "t.example"}, False),
        ("POST", {"host": "t.example"}, True),
        ("POST", {"sec-fetch-site": "cross-site", "origin": "https://ok.example"}, True),
    ],
)
def test_another_sites_page_changes_nothing(method: str, headers: dict[str, str], is_same: bool) -> None:
    assert is_same_site(method, headers, ("https://ok.example",)) is is_same


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/login", "/logout"])
def test_a_request_that_another_site_makes_a_browser_send_is_refused(use: Use, path: str) -> None:
    async def work(gateway: Gateway) -> Any:
        await gateway.client.post("/login", json={"key": gateway.key()})
        return await gateway.client.post(path, json=ASK, headers={"Sec-Fetch-Site": "cross-site"})

    reply = use(work)
    assert (reply.status_code, reply.json()["error"]["code"]) == (403, "cross_site_request")


def test_other_sites_pages_may_ask_only_where_they_are_named(use: Use) -> None:
    asked = {"Origin": "https://lms.example.edu", "Access-Control-Request-Method": "POST"}

    async def work(gateway: Gateway) -> Any:
        return await gateway.client.options("/v1/chat/completions", headers=asked)

    assert "access-control-allow-origin" not in use(work).headers
    named = use(work, cors_origins="https://lms.example.edu").headers
    assert named["access-control-allow-origin"] == "https://lms.example.edu"
    assert "access-control-allow-credentials" not in named


def test_a_key_for_one_course_sees_no_other(use: Use) -> None:
    async def work(gateway: Gateway) -> list[Any]:
        key = bearer(gateway.key(courses=["ds"]))
        asked = [ASK, ASK | {"model": "coteach:sjjg"}, ASK | {"model": "coteach", "metadata": {"course": "sjjg"}}]
        replies = [await gateway.client.post("/v1/chat/completions", json=one, headers=key) for one in asked]
        listed = await gateway.client.get(MODELS, headers=key)
        unnamed = await gateway.client.post("/v1/chat/completions", json=ASK | {"model": "coteach"}, headers=key)
        return [[one.status_code for one in replies], listed.json(), unnamed.json()]

    statuses, listed, unnamed = use(work)
    assert statuses == [200, 404, 404]
    assert "coteach:sjjg" not in {one["id"] for one in listed["data"]}
    assert unnamed["coteach"]["course"] == "ds"


def test_without_a_name_a_course_limited_key_means_its_only_course() -> None:
    limited, two, free = Caller("p", courses=frozenset({"ds"})), Caller("p", courses=frozenset({"a", "b"})), Caller("p")
    ids = ["a", "b", "ds"]
    assert [course_for(limited, None, ids), course_for(free, None, ids), course_for(free, None, ["a"])] == [
        "ds",
        None,
        "a",
    ]
    assert course_for(two, "b", ids) == "b"
    with pytest.raises(GatewayError) as unnamed:
        course_for(two, None, ids)
    with pytest.raises(GatewayError) as other:
        course_for(limited, "a", ids)
    assert (unnamed.value.status, other.value.status) == (400, 404)
    assert "coteach:a" not in other.value.message


@pytest.mark.parametrize(
    ("host", "is_refused"),
    [("127.0.0.1", False), ("::1", False), ("localhost", False), ("0.0.0.0", True), ("10.1.2.3", True)],
)
def test_an_open_gateway_beyond_this_machine_has_to_be_meant(home: Path, host: str, is_refused: bool) -> None:
    for chosen in ({"access": "open"}, {"access": "keys"}):
        refuse_unsafe(Settings(home=home, host=host, **chosen))  # type: ignore[arg-type]
    if not is_refused:
        refuse_unsafe(Settings(home=home, host=host))
        return
    with pytest.raises(OpenToAll, match="COTEACH_ACCESS=keys"):
        refuse_unsafe(Settings(home=home, host=host))


def test_a_gateway_that_uvicorn_bound_elsewhere_answers_nobody_until_that_is_meant(use: Use) -> None:
    async def work(gateway: Gateway) -> list[int]:
        found = []
        for server in ("10.1.2.3", "127.0.0.1"):
            reply = await gateway.client.get(f"http://{server}{MODELS}")
            found.append(reply.status_code)
        return found

    assert use(work) == [403, 200]
    assert use(work, access="open") == [200, 200]
