"""A SearXNG instance on loopback: its replies flattened to snippets, and its ways to fail."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback_server import Closes, Loopback, Said, StillClock, as_json, html, loopback, web_client

from knowledge_graph.lake.records import SearchQuery, Snippet
from knowledge_graph.sources.fields import LONGEST_TEXT
from knowledge_graph.sources.web.errors import WebError, WebRefused, WebUnexpected, WebUnreachable
from knowledge_graph.sources.web.searxng import RESULTS_KEPT, SearXNG, flatten

QUERY = SearchQuery("trees", "B-tree", "concept", "en:b tree", "en")
NOON = "2026-03-01T12:00:00+00:00"


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as server:
        yield server


def result(title: str, content: str, url: str = "https://x.org/1", **more: object) -> dict[str, object]:
    return {"title": title, "content": content, "url": url, "engine": "one", "score": 1.5, **more}


def test_a_query_becomes_snippets_in_the_engines_order(server: Loopback) -> None:
    results = [result("B-tree", "A tree for disks.", publishedDate=None), result("B+", "Leaves.", "https://x.org/2")]
    server.says("/search", as_json({"query": "B-tree", "number_of_results": 0, "results": results, "answers": []}))
    with web_client(StillClock()) as client:
        reply = SearXNG(client, f"{server.url}/").ask(QUERY)
    assert reply.error is None
    assert reply.records == (
        Snippet("trees", "B-tree", 1, "B-tree", "A tree for disks.", "https://x.org/1", NOON, "en"),
        Snippet("trees", "B-tree", 2, "B+", "Leaves.", "https://x.org/2", NOON, "en"),
    )
    assert server.asked[0].query == {"q": "B-tree", "format": "json", "language": "en", "pageno": "1"}


def test_an_instance_may_lie_below_a_path_and_be_given_with_search(server: Loopback) -> None:
    server.says("/sx/search", as_json({"results": []}))
    with web_client(StillClock()) as client:
        assert SearXNG(client, f"{server.url}/sx").ask(QUERY).records == ()
        assert SearXNG(client, f"{server.url}/sx/search").ask(QUERY).records == ()


def test_a_word_cannot_choose_the_engine(server: Loopback) -> None:
    server.says("/search", as_json({"results": []}))
    with web_client(StillClock()) as client:
        SearXNG(client, server.url).ask(SearchQuery("trees", "!!g :de what is x != y", "unanswered", None, "en"))
    assert server.asked[0].query["q"] == "g de what is x = y"


def test_flatten_leaves_out_what_is_no_snippet_and_cleans_the_others() -> None:
    results = [
        result("", "no headline"),
        result("no text", " "),
        {"title": "none at all", "content": None},
        "not an object",
        result("<b>Bloom</b> filter&nbsp;&amp; more", "if a &lt; b, vector<int> v<br>next <span class='h'>line</span>"),
        result("again", "the same address", "https://x.org/1#part"),
        result("again", "the same address", "https://x.org/1/"),
        result("link", "of another kind", "magnet:?xt=1"),
        result("long", "x" * (LONGEST_TEXT + 1), "https://x.org/long"),
        result("half \ud83c", "a\0character", "https://x.org/half"),
    ]
    assert [
        (each.position, each.headline, each.text, each.url) for each in flatten({"results": results}, QUERY, NOON)
    ] == [
        (1, "Bloom filter & more", "if a < b, vector<int> v next line", "https://x.org/1"),
        (2, "link", "of another kind", None),
        (3, "half \N{REPLACEMENT CHARACTER}", "acharacter", "https://x.org/half"),
    ]


def test_only_the_first_results_are_kept() -> None:
    results = [result("h", "t", f"https://x.org/{number}") for number in range(40)]
    assert [each.position for each in flatten({"results": results}, QUERY, NOON)] == list(range(1, RESULTS_KEPT + 1))


FIELDS = st.sampled_from(["results", "title", "content", "url"])
JSON = st.recursive(
    st.none() | st.booleans() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_flatten_never_fails_whatever_the_results_are(results: object) -> None:
    for number, snippet in enumerate(flatten({"results": results}, QUERY, NOON), start=1):
        assert snippet.headline.strip() == snippet.headline != ""
        assert snippet.text.strip() == snippet.text != ""
        assert snippet.position == number


@pytest.mark.parametrize(
    "reply", [Said(b"Forbidden", 403, {"Content-Type": "text/html"}), html("<!doctype html><title>SearXNG</title>")]
)
def test_an_instance_without_json_is_told_with_how_to_switch_it_on(server: Loopback, reply: Said) -> None:
    server.says("/search", reply)
    with web_client(StillClock()) as client, pytest.raises(WebError, match=r"Add 'json' to search\.formats"):
        SearXNG(client, server.url).ask(QUERY)
    assert len(server.asked) == 1


def test_a_limited_instance_is_told_with_the_way_around(server: Loopback) -> None:
    server.says("/search", Said(b"Too Many", 429, {"Retry-After": "600"}))
    with (
        web_client(StillClock()) as client,
        pytest.raises(WebRefused, match=r"found 429 Too Many Requests.*limiter: false"),
    ):
        SearXNG(client, server.url).ask(QUERY)


@pytest.mark.parametrize("body", [b"", b"[]", b'{"error": 1}', b'{"results": {}}', b'{"results": [', b"[" * 100_000])
def test_json_of_another_kind_is_unexpected(server: Loopback, body: bytes) -> None:
    server.says("/search", Said(body, headers={"Content-Type": "application/json"}))
    with web_client(StillClock()) as client, pytest.raises(WebUnexpected):
        SearXNG(client, server.url).ask(QUERY)


def test_nothing_found_because_the_engines_failed_is_an_error_and_asked_again(server: Loopback, tmp_path: Path) -> None:
    failed = as_json({"results": [], "unresponsive_engines": [["duckduckgo", "CAPTCHA"], ["bing", "timeout"]]})
    server.says("/search", failed, as_json({"results": [result("B-tree", "A tree.")], "unresponsive_engines": []}))
    with web_client(StillClock(), tmp_path) as client:
        engine = SearXNG(client, server.url)
        with pytest.raises(WebUnexpected, match=r"engines failed \(bing: timeout; duckduckgo: CAPTCHA\)"):
            engine.ask(QUERY)
        assert len(engine.ask(QUERY).records) == 1


def test_when_the_instance_is_down_the_reply_kept_is_used_and_said_to_be_old(server: Loopback, tmp_path: Path) -> None:
    server.says("/search", as_json({"results": [result("B-tree", "A tree.")]}), Closes())
    time = StillClock()
    with web_client(time, tmp_path, attempts=1) as client:
        engine = SearXNG(client, server.url)
        fresh = engine.ask(QUERY)
        time.passes(29 * 86_400)
        assert engine.ask(QUERY) == fresh
        time.passes(2 * 86_400)
        stale = engine.ask(QUERY)
    assert stale.records == fresh.records
    assert isinstance(stale.error, WebUnreachable)
    assert len(server.asked) == 2
