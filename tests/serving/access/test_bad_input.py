"""What a gateway may be sent and must survive: clear errors in OpenAI's shape, never a stack trace."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import Request
from fastapi.responses import StreamingResponse
from gateways import Gateway, Use, bearer
from sqlalchemy.exc import OperationalError

from serving.gateway.security import Guard, is_trusted
from serving.llm.load import AT_WORK

CHAT = "/v1/chat/completions"
JSON = {"Content-Type": "application/json"}
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"


def question(text: str = "What is a stack?", **more: Any) -> dict[str, Any]:
    return {"model": "coteach:ds", "messages": [{"role": "user", "content": text}], **more}


def sent(
    use: Use, body: bytes | AsyncIterator[bytes], headers: dict[str, str] | None = None, **settings: Any
) -> httpx.Response:
    async def work(gateway: Gateway) -> httpx.Response:
        return await gateway.client.post(CHAT, content=body, headers=JSON | (headers or {}))

    reply: httpx.Response = use(work, **settings)
    return reply


def is_openai_error(reply: httpx.Response) -> bool:
    error = reply.json()["error"]
    return (
        set(error) == {"message", "type", "param", "code"} and bool(error["message"]) and "Traceback" not in reply.text
    )


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"NaN",
        b'"text"',
        b"{" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b"\xff\xfe{}",
        b'{"model": "coteach:ds", "messages": [{"role": "user", "content": "\xff"}]}',
        b'{"model": "coteach:ds", "messages": [{"role": "user", "content": "\\ud800"}]}',
        b'{"model": "coteach:ds", "messages": [{"role": "user", "content": "a\\u0000b"}]}',
        b'{"model": "coteach:ds", "messages": [{"role": "user", "content": NaN}]}',
        b'{"model": "\\ud800", "messages": [{"role": "user", "content": "a"}]}',
        b'{"model": "coteach:\\ud800", "messages": [{"role": "user", "content": "a"}]}',
        b'{"model": "coteach:ds", "messages": [{"role": "user", "content": "a"}], "metadata": {"\\ud800": "\\ud800"}}',
        b'{"model": "coteach:ds", "messages": [], "stream": 1e400}',
        b'{"model": ' + b"9" * 5000 + b"}",
    ],
    ids=range(19),
)
def test_what_is_no_request_is_400_or_404_in_openais_shape(use: Use, body: bytes) -> None:
    reply = sent(use, body)
    assert reply.status_code in (400, 404)
    assert is_openai_error(reply)


def test_an_escaped_backslash_before_u0000_and_a_whole_pair_are_text(use: Use) -> None:
    for text in ("What does \\u0000 mean in C?", "What is a stack? 😀"):
        assert sent(use, json.dumps(question(text)).encode()).status_code == 200


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)
def test_another_content_type_is_400(use: Use, kind: str) -> None:
    reply = sent(use, json.dumps(question()).encode(), {"Content-Type": kind})
    assert (reply.status_code, is_openai_error(reply)) == (400, True)


def test_ten_megabytes_are_refused_by_what_they_announce(use: Use) -> None:
    reply = sent(use, b"x" * 10_000_000)
    assert (reply.status_code, is_openai_error(reply), reply.headers["connection"]) == (413, True, "close")
    assert "1000000 bytes" in reply.json()["error"]["message"]


def test_ten_megabytes_in_parts_are_refused_while_they_come(use: Use) -> None:
    read = 0

    async def parts() -> AsyncIterator[bytes]:
        nonlocal read
        for _ in range(100):
            read += 100_000
            yield b"x" * 100_000

    assert sent(use, parts()).status_code == 413
    assert read < 2_000_000


def test_a_body_that_does_not_come_is_408(use: Use) -> None:
    async def parts() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(30)

    reply = sent(use, parts(), body_seconds=0.05)
    assert (reply.status_code, is_openai_error(reply)) == (408, True)


def test_bodies_that_do_not_come_take_nobodys_place(use: Use) -> None:
    """Ten slow senders held all places until they were timed out, and then made every question look slow."""

    async def parts() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(300)

    async def work(gateway: Gateway) -> list[int]:
        slow = [
            asyncio.create_task(gateway.client.post(CHAT, content=parts(), headers=JSON)) for _ in range(AT_WORK + 2)
        ]
        await asyncio.sleep(1)  # of this every question would be thought to take as long
        try:
            async with asyncio.timeout(60):
                return [(await gateway.client.post(CHAT, json=question())).status_code for _ in range(5)]
        finally:
            for task in slow:
                task.cancel()
            await asyncio.gather(*slow, return_exceptions=True)

    assert use(work, body_seconds=280) == [200] * 5


def test_scripts_come_back_as_text(use: Use) -> None:
    async def work(gateway: Gateway) -> list[httpx.Response]:
        paths = [f"/courses/{SCRIPT}/videos/a", f"/courses/ds/videos/{SCRIPT}", f"/v1/models/{SCRIPT}", f"/{SCRIPT}"]
        pages = [await gateway.client.get(path, headers={"Accept": "text/html"}) for path in paths]
        asked = [question(SCRIPT), question(model=SCRIPT), question(metadata={"course": SCRIPT})]
        asked += [
            question(user=SCRIPT),
            question(metadata={"session": SCRIPT[:60]}),
            question(metadata={"mode": SCRIPT}),
        ]
        posts = [await gateway.client.post(CHAT, json=body) for body in asked]
        return [*pages, *posts, await gateway.client.post("/login", data={"key": SCRIPT, "next": SCRIPT})]

    for reply in use(work):
        assert reply.status_code < 500
        assert reply.headers["x-content-type-options"] == "nosniff"
        is_page = reply.headers.get("content-type", "").startswith("text/html")
        assert not (is_page and "<script>alert" in reply.text)


def test_strange_headers_do_not_hurt(use: Use) -> None:
    strange = [
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer " + "x" * 7000},
        {"Authorization": b"Bearer ct-\xff-\xff"},
        {"Authorization": "Basic eDp5"},
        {"Cookie": "coteach_login=" + "x" * 7000},
        {"Cookie": b"coteach_login=\xff\xfe; \xff"},
        {"X-Coteach-User": b"\xff" * 100},
        {"X-Coteach-Session": b"\xff\x80"},
        {"Origin": "http://[::bad", "Host": "x"},
        {"Content-Length": "x"},
        {"Content-Length": "-5"},
    ]

    async def work(gateway: Gateway) -> list[int]:
        return [(await gateway.client.post(CHAT, json=question(), headers=one)).status_code for one in strange]  # type: ignore[arg-type]

    assert all(status < 500 for status in use(work))


@pytest.mark.slow
def test_a_thousand_logins_at_once_end_soon_without_a_server_error(use: Use) -> None:
    async def work(gateway: Gateway) -> list[int]:
        gateway.stop_the_clock()
        key = gateway.key()
        posts = (gateway.client.post("/login", json={"key": key if n % 2 else f"ct-x{n}-y"}) for n in range(1000))
        async with asyncio.timeout(60):
            return [reply.status_code for reply in await asyncio.gather(*posts)]

    statuses = use(work)
    assert set(statuses) == {200, 401, 429}
    assert statuses.count(200) + statuses.count(401) == 60
    unlimited = use(work, logins_per_minute=0)
    assert (unlimited.count(200), unlimited.count(401)) == (500, 500)


def test_wrong_keys_of_an_address_are_limited_and_right_ones_are_not(use: Use) -> None:
    async def work(gateway: Gateway) -> list[int]:
        gateway.stop_the_clock()
        key = bearer(gateway.key())
        found = [(await gateway.client.get("/v1/models", headers=key)).status_code]
        for number in range(5):
            reply = await gateway.client.get("/v1/models", headers=bearer(f"ct-{number}-y"))
            found.append(reply.status_code)
        return [*found, (await gateway.client.get("/v1/models", headers=key)).status_code]

    assert use(work, logins_per_minute=3) == [200, 401, 401, 401, 429, 429, 200]


def test_too_many_questions_are_429_and_every_answer_says_what_is_left(use: Use) -> None:
    async def work(gateway: Gateway) -> list[httpx.Response]:
        gateway.stop_the_clock()
        return [await gateway.client.post(CHAT, json=question()) for _ in range(3)]

    first, second, third = use(work, requests_per_minute=2)
    assert [first.headers["x-ratelimit-remaining-requests"], second.headers["x-ratelimit-remaining-requests"]] == [
        "1",
        "0",
    ]
    assert (third.status_code, int(third.headers["retry-after"]) >= 1) == (429, True)
    error = third.json()["error"]
    assert (error["code"], error["type"]) == ("rate_limit_exceeded", "requests")


def test_what_nobody_foresaw_is_a_500_without_a_stack_trace_and_with_the_requests_id(
    use: Use, capsys: pytest.CaptureFixture[str]
) -> None:
    async def work(gateway: Gateway) -> list[httpx.Response]:
        async def fails() -> None:
            raise RuntimeError("a secret in the program")

        gateway.app.add_api_route("/fails", fails)
        accepts = ("*/*", "text/html")
        return [await gateway.client.get("/fails", headers={"Accept": accept}) for accept in accepts]

    plain, page = use(work)
    assert (plain.status_code, page.status_code, is_openai_error(plain)) == (500, 500, True)
    assert plain.json()["error"]["type"] == "server_error"
    assert plain.headers["x-request-id"] in plain.json()["error"]["message"]
    assert page.text.startswith("<!doctype html>")
    assert not any("secret" in one.text or "Traceback" in one.text for one in (plain, page))
    written = capsys.readouterr()
    assert plain.headers["x-request-id"] in written.out + written.err


def test_a_store_that_fails_is_a_503_that_says_to_try_again(use: Use) -> None:
    async def work(gateway: Gateway) -> httpx.Response:
        async def fails() -> None:
            raise OperationalError("INSERT INTO turns VALUES (?)", ("What is a stack?",), Exception("disk I/O error"))

        gateway.app.add_api_route("/fails", fails)
        return await gateway.client.get("/fails")

    reply = use(work)
    assert (reply.status_code, reply.json()["error"]["code"]) == (503, "store_unavailable")
    assert reply.headers["retry-after"] == "5"


def test_a_browser_gets_a_page_for_a_page_that_is_not_there_and_a_program_json(use: Use) -> None:
    async def work(gateway: Gateway) -> list[httpx.Response]:
        accepts = ("text/html,application/xhtml+xml", "application/json", "*/*")
        return [await gateway.client.get("/nothing/here", headers={"Accept": accept}) for accept in accepts]

    page, *rest = use(work)
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert all(is_openai_error(one) for one in rest)


def test_a_stream_is_not_held_back_and_leaving_it_ends_it(use: Use) -> None:
    ended = asyncio.Event()

    async def work(gateway: Gateway) -> bool:
        async def tokens() -> AsyncIterator[str]:
            try:
                for _ in range(1000):
                    yield "data: x\n\n"
                    await asyncio.sleep(0.001)
            finally:
                ended.set()

        async def stream(request: Request) -> StreamingResponse:
            return StreamingResponse(tokens(), media_type="text/event-stream")

        gateway.app.add_api_route("/stream", stream, methods=["POST"])
        return await _leaves_after_three(gateway)

    assert use(work)
    assert ended.is_set()


async def _leaves_after_three(gateway: Gateway) -> bool:
    """Whether three parts arrived one by one before the client left."""
    arrived: list[bytes] = []
    left = asyncio.Event()
    told = [{"type": "http.request", "body": b"{}", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if told:
            return told.pop()
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body" and message.get("body"):
            arrived.append(message["body"])
            if len(arrived) == 3:
                left.set()

    scope = {"type": "http", "method": "POST", "path": "/stream", "raw_path": b"/stream", "query_string": b""}
    scope |= {"headers": [(b"host", b"x")], "client": ("127.0.0.1", 1), "server": ("x", 80), "scheme": "http"}
    scope |= {"http_version": "1.1", "root_path": "", "asgi": {"version": "3.0", "spec_version": "2.3"}}
    async with asyncio.timeout(10):
        await gateway.app(scope, receive, send)
    return arrived[:3] == [b"data: x\n\n"] * 3 and len(arrived) < 1000


def test_every_answer_carries_the_security_headers(use: Use) -> None:
    async def work(gateway: Gateway) -> list[httpx.Response]:
        paths = ("/livez", "/nothing", "/v1/models")
        return [
            *[await gateway.client.get(path) for path in paths],
            await gateway.client.post(CHAT, content=b"x" * 2_000_000),
        ]

    for reply in use(work):
        policy = reply.headers["content-security-policy"]
        assert ("default-src 'self'" in policy, "frame-ancestors 'none'" in policy) == (True, True)
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "same-origin"
        assert (len(reply.headers["x-request-id"]), reply.headers["cache-control"]) == (16, "no-store")


@pytest.mark.parametrize(
    ("host", "is_one"),
    [
        ("t.example.edu", True),
        ("T.example.edu:8080", True),
        ("a.lms.example.edu", True),
        ("lms.example.edu", False),
        ("evil.example", False),
        ("t.example.edu.evil.example", False),
        ("[::1]:8080", True),
        ("", False),
    ],
)
def test_only_hosts_that_are_named_are_answered(host: str, is_one: bool) -> None:
    assert is_trusted(host, {"t.example.edu", "*.lms.example.edu", "::1"}) is is_one


def test_a_strange_host_is_400(use: Use) -> None:
    async def work(gateway: Gateway) -> list[int]:
        return [
            (await gateway.client.get(f"http://{host}/livez")).status_code for host in ("t.example", "evil.example")
        ]

    assert use(work, trusted_hosts="t.example") == [200, 400]


@pytest.mark.parametrize(("host", "is_open"), [("t.example", True), ("evil.example", False)])
def test_a_socket_to_a_strange_host_is_closed(host: str, is_open: bool) -> None:
    """Which a name that was made to point here (DNS rebinding) would be: its origin is its host."""
    opened: list[str] = []
    sent: list[Any] = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        opened.append(scope["type"])

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    headers = [(b"host", host.encode()), (b"origin", f"http://{host}".encode())]
    asyncio.run(Guard(inner, hosts=("t.example",))({"type": "websocket", "headers": headers}, receive, send))
    assert (opened, [one["type"] for one in sent]) == ((["websocket"], []) if is_open else ([], ["websocket.close"]))


REPEATED = (
    *(
        "[a](  ",
        "(",
        "*",
        "`",
        "<a ",
        " a",
        "\na",
        "A",
        "1. ",
        "| ",
        "&a",
        "\u200ba",
        "$",
        "\\[",
        "“",
        "栈",
        "是",
        "和",
        "你",
    ),
    *("平均", "啊", "一", "by ", "is it ", "asymptotic ", " , monday", "so-called ", "and ", "or ", "hw ", "what is "),
)
"""What patterns took seconds to read before they were mended, said again and again."""


def test_no_question_holds_the_loop_whatever_it_repeats(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is counted is processor time of the thread that answers everybody, `/livez` too."""
    held = dict.fromkeys(REPEATED, 0.0)
    run, unit = asyncio.Handle._run, REPEATED[0]

    def measured(self: asyncio.Handle) -> None:
        began = time.thread_time()
        run(self)
        held[unit] = max(held[unit], time.thread_time() - began)

    async def work(gateway: Gateway) -> None:
        nonlocal unit
        await gateway.client.post(CHAT, json=question("What is a stack?"))  # loads what is loaded once
        monkeypatch.setattr(asyncio.Handle, "_run", measured)
        for unit in REPEATED:
            text = (unit * 4000)[:3900]
            said = [{"role": "user", "content": text}, {"role": "assistant", "content": text}]
            body = {"model": "coteach:ds", "messages": [*said, {"role": "user", "content": f"{text} and it?"}]}
            status = (await gateway.client.post(CHAT, json=body)).status_code
            assert status in (200, 400)

    use(work, requests_per_minute=0)
    assert {unit: seconds for unit, seconds in held.items() if seconds >= 0.1} == {}
