"""The web client against a real server: what it sends, keeps, waits for, tries again and gives up on."""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from loopback_server import Closes, Endless, Hangs, Loopback, Said, StillClock, html, loopback, web_client, zipped

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.web.errors import (
    WebCacheUnusable,
    WebError,
    WebNotAsked,
    WebNotFollowed,
    WebRefused,
    WebTimeout,
    WebTooLarge,
    WebUnexpected,
    WebUnreachable,
)
from knowledge_graph.sources.web.fetching import WebPage
from knowledge_graph.sources.web.settings import WebSettings, WebSettingsWrong

DAY = timedelta(days=1)
BUSY = Said(b"slow down", 429, {"Content-Type": "text/plain", "Retry-After": "7"})
BROKEN = Said(b"<h1>oops</h1>", 500, {"Content-Type": "text/html"})


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as server:
        yield server


@pytest.fixture
def time() -> StillClock:
    return StillClock()


def test_a_page_says_where_and_when_it_came_from(server: Loopback, time: StillClock) -> None:
    server.says("/old", Said(b"", 302, {"Location": "/new"}))
    server.says("/new", html("<p>Bäume</p>"))
    with web_client(time, mailto="ta@example.edu") as client:
        page = client.get(f"{server.url}/old#part", {"q": "a b"})
    assert page == WebPage(
        f"{server.url}/new", 200, "text/html; charset=utf-8", "<p>Bäume</p>".encode(), "2026-03-01T12:00:00+00:00",
        from_cache=False, changed=True,
    )  # fmt: skip
    assert (page.text, page.media_type) == ("<p>Bäume</p>", "text/html")
    assert server.asked[0].query == {"q": "a b"}
    assert server.asked[0].headers["user-agent"].startswith("coteach/")
    assert "mailto:ta@example.edu" in server.asked[0].headers["user-agent"]


def test_a_page_young_enough_is_not_asked_for_again(server: Loopback, time: StillClock, tmp_path: Path) -> None:
    server.says("/a", html("one"), html("two"))
    with web_client(time, tmp_path) as client:
        client.get(f"{server.url}/a", max_age=DAY)
    time.passes(86_399)
    with web_client(time, tmp_path) as client:
        again = client.get(f"{server.url}/a", max_age=DAY)
        assert (again.text, again.from_cache, again.changed) == ("one", True, False)
        time.passes(1)
        later = client.get(f"{server.url}/a", max_age=DAY)
    assert (later.text, later.from_cache, later.changed) == ("two", False, True)
    assert later.fetched_at == "2026-03-02T12:00:00+00:00"


@pytest.mark.parametrize("headers", [{"ETag": '"v1"'}, {}], ids=["304", "same bytes"])
def test_unchanged_content_keeps_the_time_it_was_first_seen(
    server: Loopback, time: StillClock, tmp_path: Path, headers: dict[str, str]
) -> None:
    server.says("/a", html("same", **headers))
    with web_client(time, tmp_path) as client:
        first = client.get(f"{server.url}/a")
        time.passes(1e6)
        second = client.get(f"{server.url}/a")
        time.passes(60)
        third = client.get(f"{server.url}/a", max_age=timedelta(minutes=2))
    assert len(server.asked) == 2
    assert second.from_cache == bool(headers)
    assert first.fetched_at == second.fetched_at == third.fetched_at
    assert (first.changed, second.changed, third.changed) == (True, False, False)
    assert first.content_type == second.content_type == third.content_type
    assert server.asked[1].headers.get("if-none-match") == headers.get("ETag")


def test_last_modified_is_sent_back(server: Loopback, time: StillClock, tmp_path: Path) -> None:
    server.says("/a", html("x", Last_Modified="Sun, 01 Mar 2026 00:00:00 GMT"))
    with web_client(time, tmp_path) as client:
        client.get(f"{server.url}/a")
        client.get(f"{server.url}/a")
    assert server.asked[1].headers["if-modified-since"] == "Sun, 01 Mar 2026 00:00:00 GMT"


def test_429_waits_as_long_as_the_server_asks_and_then_succeeds(server: Loopback, time: StillClock) -> None:
    server.says("/a", BUSY, html("fine"))
    with web_client(time) as client:
        assert client.get(f"{server.url}/a").text == "fine"
    assert time.slept == [7.0]


def test_retry_after_may_be_a_date(server: Loopback, time: StillClock) -> None:
    server.says("/a", Said(b"", 503, {"Retry-After": "Sun, 01 Mar 2026 12:00:30 GMT"}), html("fine"))
    with web_client(time) as client:
        client.get(f"{server.url}/a")
    assert time.slept == [30.0]


def test_a_pause_longer_than_we_wait_is_told_instead_of_waited_for(server: Loopback, time: StillClock) -> None:
    server.says("/a", Said(b"", 429, {"Retry-After": "3600"}))
    with web_client(time) as client, pytest.raises(WebRefused, match="asks for a pause of 3600 s"):
        client.get(f"{server.url}/a")
    assert (len(server.asked), time.slept) == (1, [])


@pytest.mark.parametrize("fault", [BROKEN, Closes()])
def test_passing_faults_are_tried_again_with_growing_pauses(
    server: Loopback, time: StillClock, fault: Said | Closes
) -> None:
    server.says("/a", fault, fault, fault, html("fine"))
    with web_client(time) as client:
        assert client.get(f"{server.url}/a").text == "fine"
    assert time.slept == [1.0, 2.0, 4.0]


def test_a_server_that_stays_broken_is_refused_with_its_status(server: Loopback, time: StillClock) -> None:
    server.says("/a", BROKEN)
    with web_client(time, attempts=3) as client, pytest.raises(WebRefused) as caught:
        client.get(f"{server.url}/a")
    assert str(caught.value) == (
        f"{server.url}/a: Expected a page (200), found 500 Internal Server Error. Try again later."
    )
    assert (caught.value.status, len(server.asked)) == (500, 3)


def test_a_missing_page_is_asked_for_once_and_its_host_stays_in_favour(server: Loopback, time: StillClock) -> None:
    server.says("/there", html("fine"))
    with web_client(time, max_failures=1) as client:
        with pytest.raises(WebRefused, match=r"found 404 Not Found \(nothing here\)"):
            client.get(f"{server.url}/gone")
        assert client.get(f"{server.url}/there").text == "fine"
    assert server.paths() == ["/gone", "/there"]


def test_a_host_that_keeps_failing_is_left_alone(server: Loopback, time: StillClock) -> None:
    server.says("/a", BROKEN)
    with web_client(time, attempts=1, max_failures=2) as client:
        for _ in range(2):
            with pytest.raises(WebRefused):
                client.get(f"{server.url}/a")
        with pytest.raises(WebNotAsked, match="2 failures in a row"):
            client.get(f"{server.url}/b")
    assert server.paths() == ["/a", "/a"]


def test_nobody_listening_is_unreachable(time: StillClock) -> None:
    with loopback() as server:
        url = server.url
    with web_client(time, attempts=2) as client, pytest.raises(WebUnreachable, match="Check the address"):
        client.get(f"{url}/a")


def test_a_server_that_says_nothing_is_a_time_out(server: Loopback, time: StillClock) -> None:
    server.says("/a", Hangs())
    with web_client(time, attempts=2, read_seconds=0.05) as client, pytest.raises(WebTimeout, match="silence"):
        client.get(f"{server.url}/a")
    assert len(server.asked) == 2


def test_a_body_that_never_ends_stops_at_the_limit_of_bytes(server: Loopback, time: StillClock) -> None:
    server.says("/a", Endless())
    with web_client(time, max_bytes=1_000_000) as client, pytest.raises(WebTooLarge, match="at most 1,000,000 bytes"):
        client.get(f"{server.url}/a")
    assert len(server.asked) == 1


def test_a_body_that_trickles_stops_at_the_limit_of_time(server: Loopback, time: StillClock) -> None:
    server.says("/a", Endless(b"x"))
    time.tick = 20.0
    with web_client(time, attempts=1) as client, pytest.raises(WebTimeout, match="the whole reply within 60 s"):
        client.get(f"{server.url}/a")


def test_a_small_reply_that_unpacks_to_a_huge_one_is_too_large(server: Loopback, time: StillClock) -> None:
    server.says("/a", zipped(bytes(5_000_000)))
    with web_client(time, max_bytes=1_000_000) as client, pytest.raises(WebTooLarge):
        client.get(f"{server.url}/a")


@pytest.mark.parametrize("location", ["ftp://127.0.0.1/x", "file:///etc/passwd", "http://127.0.0.1:port/", "/loop"])
def test_redirects_lead_to_pages_or_to_an_error(server: Loopback, time: StillClock, location: str) -> None:
    server.says("/loop", Said(b"", 302, {"Location": location}))
    with web_client(time) as client, pytest.raises(WebUnexpected):
        client.get(f"{server.url}/loop")
    assert len(server.asked) == (6 if location == "/loop" else 1)


@pytest.mark.parametrize(
    "url", ["ftp://example.org/x", "file:///etc/passwd", "example.org", "http://", "http://[::1", ""]
)
def test_only_whole_http_addresses_are_asked(time: StillClock, url: str) -> None:
    with web_client(time) as client, pytest.raises(WebUnexpected):
        client.get(url)


def test_a_redirect_to_where_the_caller_does_not_go_is_refused_before_it_is_asked(
    server: Loopback, time: StillClock
) -> None:
    server.says("/a", Said(b"", 302, {"Location": "/b"}))
    server.says("/b", Said(b"", 302, {"Location": "/private?api_key=s3cret#part"}))
    server.says("/private", html("secret"))
    asked: list[str] = []

    def may_follow(address: str) -> bool:
        asked.append(address)
        return not address.startswith(f"{server.url}/private")

    with web_client(time, max_failures=1) as client:
        for _ in range(2):
            with pytest.raises(WebNotFollowed, match=r"a redirect to http.*/private, which is not followed") as caught:
                client.get(f"{server.url}/a", private={"api_key": "s3cret"}, may_follow=may_follow)
    assert (caught.value.url, caught.value.target) == (f"{server.url}/a", f"{server.url}/private")
    assert asked == [f"{server.url}/b", f"{server.url}/private"] * 2
    assert server.paths() == ["/a", "/b"] * 2


def test_the_body_of_a_redirect_is_not_read(server: Loopback, time: StillClock) -> None:
    server.says("/a", Endless(headers={"Location": "/b"}, status=302))
    server.says("/b", html("fine"))
    with web_client(time) as client:
        assert client.get(f"{server.url}/a").text == "fine"


def test_waiting_for_a_turn_does_not_count_as_time_of_the_reply(server: Loopback, time: StillClock) -> None:
    server.says("/a", html("x" * 500_000))
    with web_client(time, delay_seconds=600.0, attempts=1) as client:
        client.get(f"{server.url}/a")
        assert len(client.get(f"{server.url}/a").body) == 500_000
    assert time.slept == [600.0]


def test_requests_to_one_host_keep_their_distance(server: Loopback, time: StillClock) -> None:
    server.says("/a", Said(b"", 302, {"Location": "/b"}))
    server.says("/b", html("fine"))
    with web_client(time, delay_seconds=2.0) as client:
        client.get(f"{server.url}/a")
        time.passes(0.5)
        client.get(f"{server.url}/b")
        client.keep_apart(server.url, 10.0)
        client.get(f"{server.url}/b")
    assert time.slept == pytest.approx([2.0, 1.5, 10.0])


def test_passwords_and_private_parameters_are_sent_but_never_shown_nor_kept(
    server: Loopback, time: StillClock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.says("/a", html("fine", ETag='"1"'))
    server.says("/b", Said(b"bad key s3cret", 403, {"Content-Type": "text/plain"}))
    address = server.url.replace("http://", "http://ada:pa55@")
    with caplog.at_level(logging.DEBUG), web_client(time, tmp_path) as client:
        page = client.get(f"{address}/a", {"q": "x"}, private={"api_key": "s3cret"})
        with pytest.raises(WebRefused) as caught:
            client.get(f"{address}/b", private={"api_key": "s3cret"})
    assert server.asked[0].query == {"q": "x", "api_key": "s3cret"}
    assert server.asked[0].headers["authorization"].startswith("Basic ")
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for text in (page.url, str(caught.value), caplog.text, kept.decode("latin-1")):
        assert "s3cret" not in text
        assert "pa55" not in text
    assert page.url == f"{server.url}/a?q=x"


def test_what_the_caller_does_not_accept_is_not_kept(server: Loopback, time: StillClock, tmp_path: Path) -> None:
    def check(page: WebPage) -> None:
        if "good" not in page.text:
            raise WebUnexpected(page.url, expected="good", found="bad", remedy="Wait.")

    server.says("/a", html("bad"), html("good"))
    with web_client(time, tmp_path) as client:
        with pytest.raises(WebUnexpected):
            client.get(f"{server.url}/a", max_age=DAY, check=check)
        assert client.get(f"{server.url}/a", max_age=DAY, check=check).text == "good"


def test_a_kept_page_stands_for_an_error_when_that_is_wanted(
    server: Loopback, time: StillClock, tmp_path: Path
) -> None:
    server.says("/a", html("old"), BROKEN)
    with web_client(time, tmp_path, attempts=1) as client:
        first = client.get(f"{server.url}/a")
        stale = client.get(f"{server.url}/a", stale_if_error=True)
        assert (stale.text, stale.fetched_at, stale.from_cache) == ("old", first.fetched_at, True)
        assert isinstance(stale.stale_because, WebRefused)
        with pytest.raises(WebRefused):
            client.get(f"{server.url}/a")


@pytest.mark.parametrize(
    ("content_type", "body", "text"),
    [
        ("text/html; charset=gbk", "数据结构".encode("gbk"), "数据结构"),
        ("text/html; charset=utf-8", "Café crème déjà".encode("latin-1"), "Café crème déjà"),
        ("text/html; charset=no-such", "Bäume".encode(), "Bäume"),
        ("text/html; charset=ascii", "Bäume".encode(), "Bäume"),
        ("", b"plain", "plain"),
    ],
)
def test_text_is_read_by_the_charset_that_fits(
    server: Loopback, time: StillClock, content_type: str, body: bytes, text: str
) -> None:
    server.says("/a", Said(body, headers={"Content-Type": content_type}))
    with web_client(time) as client:
        assert client.get(f"{server.url}/a").text == text


def test_a_broken_packing_is_no_page(server: Loopback, time: StillClock) -> None:
    server.says("/a", Said(b"not gzip at all", headers={"Content-Encoding": "gzip"}))
    with web_client(time) as client, pytest.raises(WebUnexpected, match="can be unpacked"):
        client.get(f"{server.url}/a")


def test_a_cache_that_is_no_database_is_begun_anew(server: Loopback, time: StillClock, tmp_path: Path) -> None:
    (tmp_path / "pages.sqlite").write_bytes(b"this is no database, and long enough to be noticed as none" * 20)
    server.says("/a", html("fine"))
    with web_client(time, tmp_path) as client:
        assert client.get(f"{server.url}/a", max_age=DAY).text == "fine"
        assert client.get(f"{server.url}/a", max_age=DAY).from_cache


def test_a_cache_that_cannot_be_written_says_so(server: Loopback, time: StillClock, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with (
        web_client(time, tmp_path / "file" / "cache") as client,
        pytest.raises(WebCacheUnusable, match="may be deleted"),
    ):
        client.get(f"{server.url}/a")


def test_threads_and_clients_may_share_one_cache(server: Loopback, time: StillClock, tmp_path: Path) -> None:
    server.says("/a", html("fine"))
    addresses = [f"{server.url}/a?n={number % 5}" for number in range(40)]
    with web_client(time, tmp_path) as one, web_client(time, tmp_path) as other, ThreadPoolExecutor(4) as threads:
        pages = list(threads.map(lambda url: one.get(url, max_age=DAY), addresses))
        pages += threads.map(lambda url: other.get(url, max_age=DAY), addresses)
    assert {page.text for page in pages} == {"fine"}
    assert all(page.from_cache for page in pages[40:])


def test_every_error_is_a_web_error_and_for_people() -> None:
    kinds = (WebUnreachable, WebTimeout, WebNotAsked, WebRefused, WebTooLarge, WebUnexpected, WebCacheUnusable)
    assert all(issubclass(kind, WebError) for kind in kinds)
    assert issubclass(WebError, CoteachError)


@pytest.mark.parametrize(
    "wrong",
    [
        {"search_url": "localhost:8888"},
        {"scholar_url": "ftp://x"},
        {"mailto": "ada at example"},
        {"mailto": "ada@example.edu\r\nX: y"},
        {"attempts": 0},
        {"delay_seconds": -1.0},
    ],
)
def test_settings_that_cannot_be_meant_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(WebSettingsWrong, match=next(iter(wrong))):
        WebSettings(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("url", ["http://me:hunter2@a.example:x/", "ftp://me:hunter2@a.example/", "me:hunter2@a"])
def test_an_address_that_cannot_be_asked_is_told_without_its_password(url: str) -> None:
    with web_client(StillClock()) as client, pytest.raises(WebUnexpected) as caught:
        client.get(url)
    assert "hunter2" not in str(caught.value)


def test_a_setting_that_is_no_address_is_told_without_its_password() -> None:
    with pytest.raises(WebSettingsWrong, match="search_url") as caught:
        WebSettings(search_url="htp://me:hunter2@a.example/")
    assert "hunter2" not in str(caught.value)
