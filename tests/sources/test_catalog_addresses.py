"""Which addresses are one page, and which lie below a start link."""

import pytest

from knowledge_graph.sources.catalog.addresses import address_of_saved, is_within, may_be_page, page_address, place_of


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/p/",
        "https://A.example:443/p/index.html",
        "https://a.example/p/#requirements",
        "https://a.example/p/Default.aspx",
    ],
)
def test_a_page_has_one_address(url: str) -> None:
    assert page_address(url) == "https://a.example/p/"


def test_a_query_names_another_page() -> None:
    assert page_address("https://a.example/show.php?id=7") == "https://a.example/show.php?id=7"


@pytest.mark.parametrize(
    ("url", "start", "inside"),
    [
        ("https://a.example/p/art/", "https://a.example/p/", True),
        ("http://a.example/p/art/", "https://a.example/p/index.html", True),
        ("https://a.example/p", "https://a.example/p", True),
        ("https://a.example/p/art", "https://a.example/p", True),
        ("https://a.example/past", "https://a.example/p", False),
        ("https://a.example/q/", "https://a.example/p/", False),
        ("https://a.example:8443/p/", "https://a.example/p/", False),
        ("https://b.example/p/", "https://a.example/p/", False),
        ("https://a.example/show.php?id=7", "https://a.example/list.php", True),
        ("https://a.example:port/p/", "https://a.example/p/", False),
    ],
)
def test_pages_in_and_below_the_folder_of_a_start_are_followed(url: str, start: str, inside: bool) -> None:
    assert is_within(url, (start,)) is inside


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("https://a.example/p/", True),
        ("https://a.example/p/handbook.PDF", False),
        ("mailto:dean@a.example", False),
        ("https://a.example/" + "x" * 2_000, False),
    ],
)
def test_only_what_may_be_a_page_is_asked_for(url: str, asked: bool) -> None:
    assert may_be_page(url) is asked


def test_a_page_is_named_alike_on_the_web_and_saved() -> None:
    assert place_of(page_address("https://a.example/p/art/index.html")) == place_of(
        address_of_saved("p/art/index.html")
    )
    assert place_of(address_of_saved("p/Café & Sea.html")) == "p/Café & Sea"
    assert place_of("https://a.example/show.php?id=7") == "show?id=7"


def test_a_host_that_is_a_number_keeps_its_brackets() -> None:
    assert page_address("http://[::1]:8080/p/index.html") == "http://[::1]:8080/p/"
