"""An OpenAlex on loopback: its objects as question and answer pairs, in both languages, and its ways to fail."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback_server import Loopback, Said, StillClock, as_json, html, loopback, web_client

from knowledge_graph.lake.records import Lang, ScholarRecord, SearchQuery
from knowledge_graph.sources.web.engine import EngineReply
from knowledge_graph.sources.web.errors import WebNotAsked, WebRefused, WebUnexpected
from knowledge_graph.sources.web.openalex import OpenAlex, person_in
from knowledge_graph.sources.web.scholarly import CourseQuery, SearchResults, abstract_of, papers

CONCEPT = SearchQuery("trees", "bloom filter", "concept", "en:bloom filter", "en")
NOON = "2026-03-01T12:00:00+00:00"

WORK = {
    "id": "https://openalex.org/W1",
    "doi": "https://doi.org/10.1000/filters",
    "display_name": "Filters <i>in</i> hash coding",
    "publication_year": 1970,
    "authorships": [
        {"author_position": "first", "author": {"id": "https://openalex.org/A7", "display_name": "Ada Quill"}},
        {"author_position": "last", "author": {"id": "https://openalex.org/A8", "display_name": "Ben Oak"}},
    ],
    "primary_location": {"source": {"display_name": "Letters on Structures"}},
    "abstract_inverted_index": {"sets": [1, 4], "Small": [0], "stand": [2], "for": [3], "&amp;": [5], "maps.": [6]},
}
AUTHOR = {
    "id": "https://openalex.org/A7",
    "display_name": "Ada Quill",
    "last_known_institutions": [{"display_name": "Example University"}],
    "works_count": 42,
    "cited_by_count": 12345,
    "topics": [
        {"display_name": "Hashing"},
        {"display_name": "Caching"},
        {"display_name": "Sets"},
        {"display_name": "X"},
    ],
}
TOPIC = {
    "id": "https://openalex.org/T5",
    "display_name": "Caching and Content Delivery",
    "description": "This cluster of papers is about caches.",
    "keywords": ["Web Caching", "Bloom Filters"],
}
YEARS = [
    {"key": "2025", "key_display_name": "2025", "count": 1500},
    {"key": "2026", "key_display_name": "2026", "count": 90},
    {"key": "2024", "key_display_name": "2024", "count": 1400},
    {"key": "2031", "key_display_name": "2031", "count": 2},
    {"key": "1970", "key_display_name": "1970", "count": 1},
]


def results(*items: object) -> Said:
    return as_json({"meta": {"count": len(items)}, "results": list(items), "group_by": []})


def years(*groups: object) -> Said:
    return as_json({"meta": {"count": 1}, "results": [], "group_by": list(groups)})


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as server:
        server.says("/works", results(WORK), years(*YEARS))
        server.says("/authors", results(AUTHOR))
        server.says("/topics", results(TOPIC))
        yield server


def ask(server: Loopback, query: SearchQuery, lang: Lang = "en", **settings: object) -> EngineReply[ScholarRecord]:
    with web_client(StillClock(), **settings) as client:
        return OpenAlex(client, server.url, lang).ask(query)


def test_a_concept_gives_papers_the_people_behind_them_and_the_trend(server: Loopback) -> None:
    reply = ask(server, CONCEPT)
    assert reply.error is None
    paper, scholar, trend = reply.records
    assert paper == ScholarRecord(
        course_id="trees",
        kind="paper",
        record_id="W1",
        query="bloom filter",
        position=1,
        question="Filters in hash coding",
        answer="By Ada Quill, Ben Oak, 1970, in Letters on Structures. Abstract: Small sets stand for sets & maps. "
        "DOI: 10.1000/filters",
        url="https://doi.org/10.1000/filters",
        fetched_at=NOON,
        lang="en",
    )
    assert (scholar.kind, scholar.record_id, scholar.position) == ("scholar", "A7", 2)
    assert (scholar.question, scholar.url) == ("Who is Ada Quill?", "https://openalex.org/A7")
    assert scholar.answer == (
        "Ada Quill is a researcher at Example University. Works counted by OpenAlex: 42. Cited 12,345 times. "
        "Main topics: Hashing; Caching; Sets."
    )
    assert (trend.kind, trend.record_id, trend.position) == ("trend", "T5", 3)
    assert trend.question == "Research trend: Caching and Content Delivery"
    assert trend.answer == (
        "Works on Caching and Content Delivery by year, as OpenAlex counts them: 2024: 1,400, 2025: 1,500, 2026: 90. "
        "2026 is not over yet. This cluster of papers is about caches."
    )


def test_what_is_asked_is_what_the_service_documents(server: Loopback) -> None:
    ask(server, CONCEPT, mailto="ta@example.edu", scholar_key="k3y")
    own = {"mailto": "ta@example.edu", "api_key": "k3y"}
    asked = [
        (each.path, {name: value for name, value in each.query.items() if name != "select"}) for each in server.asked
    ]
    assert asked == [
        ("/works", {"search": "bloom filter", "per_page": "5", **own}),
        ("/authors", {"filter": "ids.openalex:A7", "per_page": "3", **own}),
        ("/topics", {"search": "bloom filter", "per_page": "5", **own}),
        ("/works", {"filter": "topics.id:T5", "group_by": "publication_year", **own}),
    ]


def test_a_course_in_chinese_is_answered_in_chinese(server: Loopback) -> None:
    paper, scholar, trend = ask(server, CONCEPT, "zh").records
    assert paper.question == "Filters in hash coding"
    assert paper.answer.startswith(
        "作者：Ada Quill、Ben Oak；年份：1970；发表于：Letters on Structures。摘要：Small sets"
    )
    assert (scholar.question, scholar.lang) == ("Ada Quill是谁？", "zh")
    assert scholar.answer == (
        "Ada Quill，所属机构：Example University。OpenAlex 收录成果 42 项。被引 12,345 次。"
        "主要研究主题：Hashing；Caching；Sets。"
    )
    assert trend.question == "研究趋势：Caching and Content Delivery"
    assert "2024 年 1,400 项，2025 年 1,500 项，2026 年 90 项。2026 年尚未结束。" in trend.answer


def test_a_question_for_a_person_asks_for_authors_only(server: Loopback) -> None:
    namesake = {**AUTHOR, "id": "https://openalex.org/A9", "works_count": 1}
    server.says("/authors", results(AUTHOR, namesake))
    reply = ask(server, SearchQuery("trees", "Who is Ada Quill?", "unanswered", None, "en"))
    assert [record.record_id for record in reply.records] == ["A7"]
    assert [(each.path, each.query["search"]) for each in server.asked] == [("/authors", "Ada Quill")]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("who was Edsger W. Dijkstra ?", "Edsger W. Dijkstra"),
        ("高德纳是谁？", "高德纳"),
        ("谁是图灵", "图灵"),
        ("Who is the inventor of the B-tree?", None),
        ("红黑树的发明者是谁？", None),
        ("what is who", None),
        ("bloom filter", None),
    ],
)
def test_a_name_is_found_in_a_question_for_a_person(question: str, name: str | None) -> None:
    assert person_in(question) == name


def test_a_question_that_is_no_concept_asks_for_papers_only(server: Loopback) -> None:
    query = SearchQuery("trees", 'Do "bloom filters" AND tries (radix*) work?', "unanswered", None, "en")
    assert [record.kind for record in ask(server, query).records] == ["paper"]
    assert [each.query["search"] for each in server.asked] == ["Do bloom filters tries radix work"]


def test_no_topic_of_that_name_is_no_trend(server: Loopback) -> None:
    server.says("/topics", results({**TOPIC, "keywords": ["Filters in Bloom"]}))
    assert [record.kind for record in ask(server, CONCEPT).records] == ["paper", "scholar"]
    assert len(server.asked) == 3


def test_a_work_of_which_only_the_title_is_known_is_no_record(server: Loopback) -> None:
    server.says("/works", results({"id": "https://openalex.org/W1", "display_name": "Alone"}, {"id": None}, {}))
    assert ask(server, CONCEPT).records == ()


def test_of_many_authors_six_are_named() -> None:
    work = {**WORK, "authorships": [{"author": {"display_name": f"A{number}"}} for number in range(9)], "doi": None}
    works = SearchResults([work], NOON)
    assert papers(CourseQuery(CONCEPT, "en"), works)[0].answer.startswith(
        "By A0, A1, A2, A3, A4, A5 and 3 others, 1970, in "
    )
    assert papers(CourseQuery(CONCEPT, "zh"), works)[0].answer.startswith("作者：A0、A1、A2、A3、A4、A5等 9 人；")
    assert papers(CourseQuery(CONCEPT, "en"), works)[0].url == "https://openalex.org/W1"


@given(st.text(st.characters(exclude_categories=["Cs", "Z", "C"], exclude_characters="<>&"), min_size=1), st.data())
def test_an_abstract_is_read_in_the_order_it_was_written(text: str, data: st.DataObject) -> None:
    words = data.draw(st.lists(st.sampled_from([text, "a", "tree"]), min_size=1, max_size=30))
    index: dict[str, list[str]] = {}
    for place, word in enumerate(words):
        index.setdefault(word, []).append(str(place))
    assert abstract_of({"abstract_inverted_index": index}) == " ".join(words)


@pytest.mark.parametrize("index", [None, [], {"a": None}, {"a": [None, "-1", "x", True]}, "text"])
def test_a_broken_abstract_is_none(index: object) -> None:
    assert abstract_of({"abstract_inverted_index": index}) == ""


def test_a_long_abstract_ends_at_a_word() -> None:
    index = {"word": [str(place) for place in range(1_000)]}
    assert abstract_of({"abstract_inverted_index": index}).endswith("word word …")
    assert len(abstract_of({"abstract_inverted_index": index})) <= 3_002


def test_without_a_key_the_refusal_says_where_to_get_one(server: Loopback) -> None:
    refused = as_json({"error": "Rate limit exceeded", "message": "Insufficient budget"}, 429, Retry_After="40000")
    server.says("/works", refused)
    with pytest.raises(WebRefused, match=r"Insufficient budget.*openalex\.org/settings/api"):
        ask(server, CONCEPT)


def test_another_site_at_that_address_is_told(server: Loopback) -> None:
    server.says("/works", html("<title>Welcome</title>"))
    with pytest.raises(
        WebUnexpected, match=r"Expected JSON, found text/html\. Check that the address is an OpenAlex API"
    ):
        ask(server, CONCEPT)


def test_what_could_be_had_is_given_with_what_failed(server: Loopback) -> None:
    server.says("/topics", Said(b"", 500))
    reply = ask(server, CONCEPT, attempts=1)
    assert [record.kind for record in reply.records] == ["paper", "scholar"]
    assert isinstance(reply.error, WebRefused)


def test_a_broken_service_is_left_alone_within_one_query(server: Loopback) -> None:
    for path in ("/works", "/authors", "/topics"):
        server.says(path, Said(b"", 503))
    with web_client(StillClock(), attempts=1, max_failures=2) as client:
        with pytest.raises(WebRefused):
            OpenAlex(client, server.url, "en").ask(CONCEPT)
        with pytest.raises(WebNotAsked):
            OpenAlex(client, server.url, "en").ask(CONCEPT)
    assert server.paths() == ["/works", "/topics"]


def test_asked_again_within_the_month_nothing_is_sent(server: Loopback, tmp_path: Path) -> None:
    time = StillClock()
    with web_client(time, tmp_path) as client:
        first = OpenAlex(client, server.url, "en").ask(CONCEPT)
    time.passes(86_400)
    with web_client(time, tmp_path) as client:
        assert OpenAlex(client, server.url, "en").ask(CONCEPT) == first
    assert len(server.asked) == 4


ODD = st.recursive(
    st.none() | st.text(max_size=8) | st.sampled_from([WORK, AUTHOR, TOPIC]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(sorted({*WORK, *AUTHOR, "author", "source"})), inner, max_size=5)
    ),
    max_leaves=15,
)


@given(st.dictionaries(st.sampled_from(sorted(WORK)), ODD))
def test_odd_works_never_break_the_reading(work: Mapping[str, object]) -> None:
    for record in papers(CourseQuery(CONCEPT, "en"), SearchResults([work], NOON)):
        assert record.question
        assert record.answer
        assert record.record_id
