"""robots.txt as sites write it, and as they fail to."""

from collections.abc import Iterator

import pytest
from loopback_server import Closes, Loopback, Said, Scripted, StillClock, html, loopback, web_client

from knowledge_graph.sources.web.robots import Robots


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as server:
        yield server


def test_a_page_is_read_only_where_the_site_allows_it(server: Loopback) -> None:
    rules = "User-agent: *\nDisallow: /private\n\nUser-agent: coteach\nDisallow: /catalog/old\nCrawl-delay: 5\n"
    server.says("/robots.txt", html(rules))
    server.says("/catalog", html("fine"))
    time = StillClock()
    with web_client(time) as client:
        robots = Robots(client)
        assert robots.allows(f"{server.url}/catalog?page=2")
        assert robots.allows(f"{server.url}/private")
        assert not robots.allows(f"{server.url}/catalog/old/1")
        assert robots.crawl_delay(f"{server.url}/catalog") == 5.0
        client.get(f"{server.url}/catalog")
        client.get(f"{server.url}/catalog")
    assert server.paths() == ["/robots.txt", "/catalog", "/catalog"]
    assert time.slept == [5.0, 5.0]


def test_a_delay_of_hours_becomes_a_minute(server: Loopback) -> None:
    server.says("/robots.txt", html("User-agent: *\nCrawl-delay: 7200"))
    with web_client(StillClock()) as client:
        assert Robots(client).crawl_delay(server.url) == 60.0


@pytest.mark.parametrize(
    ("reply", "allowed"),
    [
        (Said(b"", 404), True),
        (Said(b"", 403), True),
        (html("<html><body>Not found</body></html>"), True),
        (html(""), True),
        (Said(b"", 503), False),
        (Said(b"", 429), False),
        (Closes(), False),
    ],
)
def test_a_missing_file_allows_everything_and_a_broken_site_nothing(
    server: Loopback, reply: Scripted, allowed: bool
) -> None:
    server.says("/robots.txt", reply)
    with web_client(StillClock(), attempts=1) as client:
        robots = Robots(client)
        assert robots.allows(f"{server.url}/catalog") is allowed
        assert robots.allows(f"{server.url}/other") is allowed
    assert bool(robots.unreachable) is not allowed
    assert len(server.asked) == 1
