"""gzip both ways."""

import gzip
import json
import zlib
from typing import Any

import pytest
from gateways import Gateway

ASKED = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}
PATH = "/v1/chat/completions"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def got(use: Any) -> Any:
    """What one request after the other gets: headers and body."""

    def replies(*asked: tuple[dict[str, str], bytes], **settings: Any) -> list[Any]:
        async def work(gateway: Gateway) -> list[Any]:
            return [await gateway.client.post(PATH, content=body, headers=JSON | more) for more, body in asked]

        found: list[Any] = use(work, **settings)
        return found

    return replies


def packed(body: Any) -> bytes:
    return gzip.compress(json.dumps(body).encode())


def test_an_answer_is_packed_for_whoever_accepts_it_and_for_nobody_else(got: Any) -> None:
    asked = json.dumps(ASKED).encode()
    small, plain = got(({"Accept-Encoding": "gzip"}, asked), ({"Accept-Encoding": "identity"}, asked))
    assert (small.headers["content-encoding"], "Accept-Encoding" in small.headers["vary"]) == ("gzip", True)
    assert "content-encoding" not in plain.headers
    assert int(small.headers["content-length"]) < 0.6 * int(plain.headers["content-length"])
    assert small.json()["choices"] == plain.json()["choices"]


def test_a_stream_is_not_packed_so_that_each_word_comes_at_once(got: Any) -> None:
    (reply,) = got(({"Accept-Encoding": "gzip"}, json.dumps(ASKED | {"stream": True}).encode()))
    assert "content-encoding" not in reply.headers
    assert reply.text.endswith("data: [DONE]\n\n")


def test_a_packed_question_is_answered_as_an_unpacked_one(got: Any) -> None:
    plain, small, again = got(
        ({}, json.dumps(ASKED).encode()),
        ({"Content-Encoding": "gzip"}, packed(ASKED)),
        ({"Content-Encoding": "identity"}, json.dumps(ASKED).encode()),
    )
    assert [one.status_code for one in (plain, small, again)] == [200, 200, 200]
    assert small.json()["choices"] == plain.json()["choices"]


def test_an_encoding_that_is_not_read_is_415_and_names_the_one_that_is(got: Any) -> None:
    (reply,) = got(({"Content-Encoding": "br"}, b"x"))
    assert (reply.status_code, reply.headers["accept-encoding"]) == (415, "gzip")
    assert "'br' is not read" in reply.json()["error"]["message"]


def test_what_is_damaged_or_grows_beyond_the_longest_body_is_refused_without_being_unpacked(got: Any) -> None:
    bomb = gzip.compress(b" " * 50_000_000)
    assert len(bomb) < 60_000
    whole = packed(ASKED)
    wrong = [bomb, whole[:-9], whole + whole, b"not gzip", zlib.compress(json.dumps(ASKED).encode())]
    replies = got(*(({"Content-Encoding": "gzip"}, one) for one in wrong))
    assert [one.status_code for one in replies] == [413, 400, 400, 400, 400]
    assert "unpacked" in replies[0].json()["error"]["message"]


def test_what_is_no_text_is_found_in_a_packed_body_too(got: Any) -> None:
    nul = json.dumps(ASKED).replace("stack", "\\u0000").encode()
    (reply,) = got(({"Content-Encoding": "gzip"}, gzip.compress(nul)))
    assert (reply.status_code, "NUL" in reply.json()["error"]["message"]) == (400, True)
