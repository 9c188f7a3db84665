"""References that open: below an address that nobody can choose by a header, for students without a key too."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from gateways import Gateway, bearer

from serving.gateway.signed_links import LinkSigner, read_secret

ASKED = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}


async def first_link(gateway: Gateway, key: str | None = None, **headers: str) -> str:
    named = headers | (bearer(key) if key else {})
    reply = await gateway.client.post("/v1/chat/completions", json=ASKED, headers=named)
    link: str = reply.json()["choices"][0]["message"]["annotations"][0]["url_citation"]["url"]
    return link


def test_links_are_below_the_public_address_and_never_follow_the_host_header(use: Any) -> None:
    async def work(gateway: Gateway) -> str:
        return await first_link(gateway, host="evil.example")

    assert use(work, public_url="https://ta.example.edu/coteach").startswith("https://ta.example.edu/coteach/courses/")
    assert "evil" not in use(work)


def test_a_student_without_a_key_opens_what_an_answer_given_through_a_keyed_service_refers_to(use: Any) -> None:
    async def work(gateway: Gateway) -> list[int]:
        link = await first_link(gateway, gateway.key(), host="x")
        place = urlsplit(link)
        asked = [
            f"{place.path}?{place.query}",
            place.path,
            f"{place.path.replace('/ds/', '/sjjg/')}?{place.query}",
            f"/courses/ds/map?{place.query}",
            f"{place.path}?{place.query[:-3]}",
        ]
        return [(await gateway.client.get(one)).status_code for one in asked]

    assert use(work, access="keys") == [200, 401, 401, 401, 401]


def test_a_link_ends_with_its_time_and_with_its_key(use: Any) -> None:
    async def work(gateway: Gateway) -> list[int]:
        from serving.store.keys import read_key, revoke_key

        key = gateway.key()
        place = urlsplit(await first_link(gateway, key))
        shown = read_key(key)
        assert shown is not None
        gateway.store.write(lambda db: revoke_key(db, shown.key_id))
        gateway.app.state.identities._keys.forget(shown.key_id)
        return [(await gateway.client.get(f"{place.path}?{place.query}")).status_code]

    assert use(work, access="keys") == [401]
    signer = LinkSigner(b"x" * 32, seconds=60)
    query = signer.query("/courses/ds/faq/1", "k1", at=1000.0).removeprefix("s=")
    assert signer.read("/courses/ds/faq/1", query, at=1059.0) == "k1"
    assert signer.read("/courses/ds/faq/1", query, at=1061.0) is None
    assert signer.read("/courses/ds/faq/2", query, at=1001.0) is None


@pytest.mark.parametrize("shown", ["", ".", "x.y.z", "zz", "1.-.é", "ffffffffff.-.", "f" * 5000])
def test_what_is_no_signature_opens_nothing(shown: str) -> None:
    assert LinkSigner(b"x" * 32, seconds=60).read("/courses/ds/faq/1", shown) is None


def test_public_sources_open_for_everybody_and_nothing_else_does(use: Any) -> None:
    async def work(gateway: Gateway) -> list[int]:
        place = urlsplit(await first_link(gateway, gateway.key()))
        assert "s=" not in place.query
        return [(await gateway.client.get(one)).status_code for one in (place.path, "/v1/models")]

    assert use(work, access="keys", sources="public") == [200, 401]


def test_the_secret_of_links_is_made_once_and_readable_by_its_owner_alone(tmp_path: Any) -> None:
    made = read_secret(tmp_path / "home")
    assert read_secret(tmp_path / "home") == made
    assert (tmp_path / "home" / "link_secret").stat().st_mode & 0o777 == 0o600


def test_footnotes_stand_in_the_text_unless_a_request_or_the_setting_says_otherwise(ask: Any) -> None:
    def text(**more: Any) -> str:
        said: str = ask(**more).json()["choices"][0]["message"]["content"]
        return said

    never = {"metadata": {"footnotes": "never"}}
    assert "[1] Stacks" in text()
    assert "[1] Stacks" not in text(**never)
    assert "[1] Stacks" in text(**never, settings={"footnotes": "always"})
    assert "[1] Stacks" not in text(settings={"footnotes": "never"})


def test_threads_that_make_the_secret_at_once_have_one(tmp_path: Path) -> None:
    started = threading.Barrier(8)

    def read(_: int) -> bytes:
        started.wait()
        return read_secret(tmp_path / "home")

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(read, range(8)))) == 1
    assert [one.name for one in (tmp_path / "home").iterdir()] == ["link_secret"]
