"""Many queries to one engine: failures told, counted and survived; live replies joined with recorded ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from course_files import WriteCourse
from loopback_server import Loopback, Said, StillClock, as_json, loopback, web_client

from knowledge_graph.lake.records import CourseCard, SearchQuery, Snippet
from knowledge_graph.sources.snippets import read_snippets, record_snippets
from knowledge_graph.sources.web.replies import fetch_replies, with_live
from knowledge_graph.sources.web.searxng import SearXNG

CARD = CourseCard("trees", "Trees", "en")
BROKEN = Said(b"", 500)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as server:
        yield server


def query(text: str) -> SearchQuery:
    return SearchQuery("trees", text, "concept", f"en:{text}", "en")


def found(text: str) -> Said:
    return as_json({"results": [{"title": text, "content": f"About {text}.", "url": f"https://x.org/{text}"}]})


def snippet(text: str, headline: str = "h", position: int = 1) -> Snippet:
    return Snippet("trees", text, position, headline, "words", None, None, "en")


def test_one_query_that_fails_is_one_problem_and_the_others_are_answered(server: Loopback) -> None:
    server.says("/search", found("a"), BROKEN, found("c"))
    with web_client(StillClock(), attempts=1) as client:
        snippets, problems = fetch_replies([query("a"), query("b"), query("c")], SearXNG(client, server.url))
    assert [each.query for each in snippets] == ["a", "c"]
    assert [str(problem) for problem in problems] == [
        f"web search: 'b' was not answered. {server.url}/search?q=b&format=json&language=en&pageno=1: Expected a page "
        "(200), found 500 Internal Server Error. Try again later."
    ]
    assert problems[0].severity == "error"


def test_after_some_failures_in_a_row_nothing_is_sent_and_the_rest_is_counted(server: Loopback) -> None:
    server.says("/search", found("q0"), BROKEN)
    with web_client(StillClock(), attempts=2, max_failures=3) as client:
        queries = [query(f"q{number}") for number in range(20)]
        snippets, problems = fetch_replies(queries, SearXNG(client, server.url))
    assert len(snippets) == 1
    assert len(server.asked) == 1 + 3 * 2
    assert len(problems) == 4
    assert problems[-1].message == "16 further queries were not sent, as too many had failed in a row."


def test_replies_that_are_kept_survive_an_engine_that_is_down(server: Loopback, tmp_path: Path) -> None:
    queries = [query("a"), query("b"), query("c"), query("d")]
    server.says("/search", *[found(each.query) for each in queries], BROKEN)
    time = StillClock()
    with web_client(time, tmp_path) as client:
        before, _ = fetch_replies(queries, SearXNG(client, server.url))
    time.passes(40 * 86_400)
    with web_client(time, tmp_path, attempts=1, max_failures=2) as client:
        after, problems = fetch_replies(queries, SearXNG(client, server.url))
    assert after == before
    assert [problem.severity for problem in problems] == ["warning", "warning", "error"]
    assert "was not answered in full; what is known of it is used" in problems[0].message


def test_a_live_reply_replaces_the_recorded_one_of_the_same_query() -> None:
    recorded = (snippet("Red-black tree", "old"), snippet("Red-black tree", "older", 2), snippet("treap"))
    live = (snippet("red black trees?", "new"), snippet("heap"))
    assert with_live(recorded, live) == (snippet("treap"), *live)
    assert with_live(recorded, ()) == recorded
    assert with_live((), live) == live


def test_live_replies_can_be_recorded_and_are_replayed_as_they_were(
    server: Loopback, write_course: WriteCourse
) -> None:
    results = [
        {"title": "红黑树 “平衡”", "content": "一种自平衡二叉查找树。", "url": "https://x.org/a"},
        {"title": "Line\u2028break & <T>", "content": "Two \\ words", "url": None},
    ]
    server.says("/search", as_json({"results": results}), found("b"))
    with web_client(StillClock()) as client:
        live, problems = fetch_replies([query("a"), query("b")], SearXNG(client, server.url))
    assert problems == ()
    assert len(live) == 3
    text = record_snippets(live)
    assert "红黑树" in text
    assert len(text.splitlines()) == text.count("\n") == 2
    assert read_snippets(write_course({"snippets.jsonl": text}), CARD) == (live, ())
