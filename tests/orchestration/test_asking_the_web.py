"""Search engines, an academic search and a catalogue's site, all on loopback, asked as a build asks them.

One home goes from recorded replies to live ones and through a refresh; in a small one the engines fail.
"""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from loopback_server import Closes, Loopback, Said, Scripted, as_json, html, loopback
from small_courses import CLASSES, STACKS, Pairs, Place, replies, srt, write_course

from knowledge_graph.lake.tables import read_rows
from knowledge_graph.sources.web.settings import WebSettings
from orchestration import resources
from orchestration.building.build import RunOutcome
from orchestration.reporting.tables import CLEAN_INPUT
from orchestration.resources import PipelineSettings
from serving.store.tables.conversation import ChatSession, TurnRow
from serving.store.tables.identity import Person

QUESTION = "Why does my pointer dangle?"
PRIVATE = "My name is Ada, why was I failed?"
LIVE = {"title": "Recursion, live", "content": "A function that calls itself.", "url": "https://x.example/live"}
WORK = {
    "id": "https://openalex.org/W7",
    "display_name": "On recursion",
    "publication_year": 1960,
    "authorships": [{"author": {"id": "https://openalex.org/A7", "display_name": "Ada Quill"}}],
}
AUTHOR = {"id": "https://openalex.org/A7", "display_name": "Ada Quill", "works_count": 42, "cited_by_count": 7}


def snippet(name: str) -> dict[str, str]:
    return {"headline": f"Recorded {name}", "text": f"What was said of {name}.", "url": f"https://x.example/{name}"}


def paper(name: str) -> dict[str, str]:
    return {"kind": "paper", "id": name, "question": f"Paper on {name}", "answer": "By Ben Oak, 1970."}


def hand_to_a_ta(place: Place, *questions: str) -> None:
    """Questions of students that were handed on, in the store."""
    turns = [
        TurnRow(
            session_id="s",
            person_id="p",
            position=position,
            question=question,
            answer="A TA will answer.",
            outcome="answered",
            route="ask_ta",
            course_id="structures",
        )
        for position, question in enumerate(questions)
    ]
    with place.store() as store:
        store.write(lambda db: db.add(Person(person_id="p")))
        store.write(lambda db: db.add(ChatSession(session_id="s", person_id="p")))
        store.write(lambda db: db.add_all(turns))


def answer(server: Loopback) -> None:
    """Both services answer whatever they are asked."""
    server.says("/search", as_json({"results": [LIVE]}))
    server.says("/works", as_json({"meta": {}, "results": [WORK], "group_by": []}))
    server.says("/authors", as_json({"meta": {}, "results": [AUTHOR], "group_by": []}))
    server.says("/topics", as_json({"meta": {}, "results": [], "group_by": []}))


def hurried(**changes: Any) -> Callable[[PipelineSettings], WebSettings]:
    """What the settings say, without a pause anywhere."""
    return lambda settings: replace(
        _web_settings(settings), **{"delay_seconds": 0.0, "backoff_seconds": 0.0, "attempts": 2, **changes}
    )


_web_settings = resources.web_settings


@pytest.fixture(scope="module")
def patience() -> Iterator[pytest.MonkeyPatch]:
    """No request of this file waits for the one before it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resources, "web_settings", hurried())
        yield patch


@pytest.fixture(scope="module")
def engine(patience: pytest.MonkeyPatch) -> Iterator[Loopback]:
    with loopback() as server:
        answer(server)
        yield server


@pytest.fixture(scope="module")
def site() -> Iterator[Loopback]:
    with loopback() as server:
        server.says("/classes/", html('<a href="comp.html">Computing</a> <a href="math.html">Mathematics</a>'))
        server.says("/classes/comp.html", html(CLASSES, ETag='"first"'))
        server.says("/classes/math.html", html("<h3>MATH 1300 Proofs</h3><p>Logic, sets and induction.</p>"))
        yield server


def republish(site: Loopback) -> None:
    """One class says something else, one page is gone, one is new."""
    site.says("/classes/", html('<a href="comp.html">Computing</a> <a href="hist.html">History</a>'))
    site.says("/classes/comp.html", html(CLASSES.replace("in spring", "in autumn"), ETag='"second"'))
    site.says("/classes/math.html", Said(b"gone", 404))
    site.says("/classes/hist.html", html("<h3>HIST 1010 Harbours</h3><p>Ships and those who sailed them.</p>"))


@dataclass(frozen=True)
class Look:
    """What a build did: its runs, the classes and the pairs afterwards, and what the two servers were asked for."""

    outcomes: list[RunOutcome]
    catalog: dict[str, str]
    pairs: Pairs
    asked: list[str]
    crawled: list[str]
    facts: dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Story:
    """A course before any service was set, asked live, built again, refreshed when its site had changed, and again."""

    quiet: Look
    live: Look
    second: Look
    refreshed: Look
    unchanged: Look


class Teller:
    """Builds and looks."""

    def __init__(self, place: Place, engine: Loopback, site: Loopback) -> None:
        self.place, self._engine, self._site = place, engine, site

    def look(self, *, refresh: bool = False, courses_only: bool = False) -> Look:
        before = len(self._engine.asked), len(self._site.asked)
        outcomes = []
        with self.place.builder() as builder:
            for plan in builder.plans(builder.prepare(), refresh=refresh):
                if courses_only and plan.partition is None:
                    break
                outcomes.append(builder.run(plan))
        assert all(one.succeeded for one in outcomes)
        names = ("search_queries", "web_snippets", "scholar_records", "catalog_pages")
        facts = {
            name: {key: value.value for key, value in self.place.metadata(name, "structures").items()} for name in names
        }
        pairs = {} if courses_only else self.place.pairs()
        classes = read_rows(self.place.data_dir.table("catalog_pages", "structures"))
        asked, crawled = self._engine.paths()[before[0] :], self._site.paths()[before[1] :]
        return Look(outcomes, {row["code"]: row["text"] for row in classes}, pairs, asked, crawled, facts)


@pytest.fixture(scope="module")
def story(
    tmp_path_factory: pytest.TempPathFactory, patience: pytest.MonkeyPatch, engine: Loopback, site: Loopback
) -> Story:
    place = Place(tmp_path_factory.mktemp("web"))
    write_course(
        place.courses / "structures",
        {
            "course.yaml": "title: Data Structures\nlang: en\nsubject: computer science\n",
            "subtitles/01 - Stacks.srt": srt(STACKS),
            "snippets.jsonl": replies(
                ("recursion computer science", [snippet("replaced")]),
                ("Pointer computer science?", [snippet("alike")]),
                ("gardening", [snippet("kept")]),
            ),
            "scholar.jsonl": replies(
                ("recursion computer science", [paper("replaced")]),
                ("Pointer computer science?", [paper("alike")]),
                ("gardening", [paper("kept")]),
            ),
            "catalog.yaml": f"classes: {site.url}/classes/\ndelay_seconds: 0\n",
        },
    )
    hand_to_a_ta(place, QUESTION)
    teller = Teller(place, engine, site)
    quiet = teller.look(courses_only=True)
    patience.setenv("COTEACH_SEARCH_URL", engine.url)
    patience.setenv("COTEACH_SCHOLAR_URL", engine.url)
    live = teller.look(courses_only=True)
    second = teller.look(courses_only=True)
    republish(site)
    told = Story(quiet, live, second, teller.look(refresh=True), teller.look(refresh=True))
    patience.delenv("COTEACH_SEARCH_URL")
    patience.delenv("COTEACH_SCHOLAR_URL")
    return told


def of(look: Look, source: str) -> dict[str, str]:
    """Origin -> question of one source."""
    return {origin: row["question"] for (kind, origin), row in look.pairs.items() if kind == source}


@pytest.mark.slow
def test_nothing_is_asked_of_an_engine_unless_one_is_set(story: Story) -> None:
    assert story.quiet.asked == []
    assert story.quiet.facts["web_snippets"]["engine"] == "none: recorded replies only"
    assert story.quiet.facts["scholar_records"]["service"] == "none: recorded replies only"
    assert "live" not in story.quiet.facts["web_snippets"]


@pytest.mark.slow
def test_an_engine_that_is_set_is_asked_for_what_the_course_does_not_define(story: Story) -> None:
    queries = story.live.facts["search_queries"]["for_concept"]
    assert queries > 1
    assert story.live.asked.count("/search") == queries
    assert set(story.live.asked) == {"/search", "/works", "/authors", "/topics"}
    assert story.live.facts["web_snippets"]["queries"] == queries
    assert "for_unanswered" not in story.live.facts["search_queries"]


@pytest.mark.slow
def test_live_replies_become_pairs_with_the_time_of_fetching(story: Story) -> None:
    assert of(story.refreshed, "search")["https://x.example/live"] == "Recursion, live"
    assert {"W7": "On recursion", "A7": "Who is Ada Quill?"}.items() <= of(story.refreshed, "scholar").items()
    live = [story.refreshed.pairs[key] for key in (("search", "https://x.example/live"), ("scholar", "W7"))]
    assert all(row["updated_at"] and row["locator"]["url"] for row in live)


@pytest.mark.slow
def test_a_live_reply_stands_for_the_recorded_one_to_the_same_query(story: Story) -> None:
    assert set(of(story.refreshed, "scholar")) == {"W7", "A7", "kept"}
    searched = set(of(story.refreshed, "search"))
    assert "https://x.example/kept" in searched
    assert "https://x.example/replaced" not in searched


@pytest.mark.slow
def test_two_wordings_of_one_query_are_one_for_recorded_replies_too(story: Story) -> None:
    assert "https://x.example/alike" not in of(story.refreshed, "search")


@pytest.mark.slow
def test_a_second_build_asks_nothing(story: Story) -> None:
    assert story.second.outcomes == []
    assert story.second.asked == story.second.crawled == []


@pytest.mark.slow
def test_a_refresh_takes_young_replies_from_the_cache_and_looks_at_the_site_again(story: Story) -> None:
    assert {key.path[-1] for key in story.refreshed.outcomes[0].plan.assets} >= {
        "search_queries",
        "web_snippets",
        "scholar_records",
        "catalog_pages",
    }
    assert story.refreshed.asked == []
    assert {"/classes/", "/classes/comp.html", "/classes/hist.html"} <= set(story.refreshed.crawled)


@pytest.mark.slow
def test_the_pairs_follow_a_site_whose_pages_come_change_and_go(story: Story) -> None:
    assert story.live.catalog.keys() == {"COMP 1100", "COMP 1200", "MATH 1300"}
    assert story.live.catalog["COMP 1200"].startswith("Trees and their leaves, in spring.")
    assert of(story.refreshed, "catalog") == {
        "class:COMP 1100": "COMP 1100 Loops",
        "class:COMP 1200": "COMP 1200 Trees",
        "class:HIST 1010": "HIST 1010 Harbours",
    }
    trees = story.refreshed.pairs["catalog", "class:COMP 1200"]
    assert trees["answer"].startswith("Trees and their leaves, in autumn.")
    changes = {name: ids["first"] for name, ids in story.refreshed.facts["catalog_pages"]["changes"].items()}
    assert changes == {"new": ["class:HIST 1010"], "changed": ["class:COMP 1200"], "gone": ["class:MATH 1300"]}


@pytest.mark.slow
def test_a_refresh_that_finds_nothing_new_makes_nothing_of_all_courses(story: Story) -> None:
    assert [one.plan.partition for one in story.unchanged.outcomes] == ["structures"]
    assert story.unchanged.asked == []
    assert story.unchanged.pairs == story.refreshed.pairs


@pytest.fixture(scope="module")
def small(
    tmp_path_factory: pytest.TempPathFactory, patience: pytest.MonkeyPatch, engine: Loopback
) -> Iterator[tuple[Place, pytest.MonkeyPatch]]:
    """A course that asks for two unanswered questions, one of which names a person; what is set for it ends with it."""
    place = Place(tmp_path_factory.mktemp("small"))
    recorded = {
        "snippets.jsonl": replies(("gardening", [snippet("kept")])),
        "scholar.jsonl": replies((QUESTION, [paper("kept")])),
        "faq.csv": "id,question,answer\na,Where?,Here.\n",
    }
    write_course(place.courses / "structures", recorded)
    hand_to_a_ta(place, QUESTION, PRIVATE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COTEACH_SEARCH_URL", engine.url)
        patch.setenv("COTEACH_SCHOLAR_URL", engine.url)
        read = ("course_card", "subtitles", "faq", "search_snippets", "documents", "teacher_edits", "statements")
        assert place.make("structures", *read, "concepts").succeeded
        yield place, patch


ASKING = ("search_queries", "web_snippets", "scholar_records")


@pytest.mark.slow
def test_questions_of_students_leave_only_when_that_is_allowed_and_names_never(
    small: tuple[Place, pytest.MonkeyPatch], engine: Loopback
) -> None:
    """Runs first of those with the small course: the others ask its question again."""
    place, patch = small
    before = len(engine.asked)
    assert place.make("structures", *ASKING).succeeded
    assert engine.asked[before:] == []
    patch.setenv("COTEACH_SEARCH_QUESTIONS", "true")
    assert place.make("structures", *ASKING).succeeded
    asked = [each.query.get("q") or each.query.get("search") for each in engine.asked[before:]]
    assert sorted(map(str, asked)) == sorted([QUESTION, QUESTION.rstrip("?")])
    assert place.metadata("search_queries", "structures")["withheld"].value == 1
    assert [row["query"] for row in read_rows(place.data_dir.table("web_snippets", "structures"))] == [
        "gardening",
        QUESTION,
    ]


FAULTS: dict[str, tuple[Scripted, str]] = {
    "429": (Said(b"slow down", 429, {"Content-Type": "text/plain", "Retry-After": "0"}), "429"),
    "500": (Said(b"", 500), "500"),
    "html": (html("<h1>Welcome</h1>"), "HTML"),
    "nothing": (Closes(), "a connection that holds"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_an_engine_that_fails_is_named_and_recorded_replies_stay(
    small: tuple[Place, pytest.MonkeyPatch], engine: Loopback, fault: str
) -> None:
    place, patch = small
    patch.setenv("COTEACH_SEARCH_QUESTIONS", "true")
    shutil.rmtree(place.data_dir.web_cache, ignore_errors=True)
    reply, word = FAULTS[fault]
    for path in ("/search", "/works"):
        engine.says(path, reply)
    try:
        assert place.make("structures", *ASKING).succeeded
    finally:
        answer(engine)
    for asset, name in (("web_snippets", "web search"), ("scholar_records", "academic search")):
        check = place.check(asset, CLEAN_INPUT, "structures")
        assert not check.passed
        assert f"{name}: '{QUESTION}' was not answered. {engine.url}" in (check.description or "")
        assert word.lower() in (check.description or "").lower()
    assert [row["query"] for row in read_rows(place.data_dir.table("web_snippets", "structures"))] == ["gardening"]
    assert [row["record_id"] for row in read_rows(place.data_dir.table("scholar_records", "structures"))] == ["kept"]
    assert len(read_rows(place.data_dir.table("search_snippets", "structures"))) == 1


@pytest.mark.slow
def test_an_old_reply_stands_when_the_engine_fails_later(
    small: tuple[Place, pytest.MonkeyPatch], engine: Loopback
) -> None:
    place, patch = small
    patch.setenv("COTEACH_SEARCH_QUESTIONS", "true")
    patch.setattr(resources, "web_settings", hurried(max_age_days=0.0))
    assert place.make("structures", *ASKING).succeeded
    before = {table: place.data_dir.table(table, "structures").read_bytes() for table in ASKING[1:]}
    for path in ("/search", "/works"):
        engine.says(path, Said(b"", 500))
    try:
        assert place.make("structures", *ASKING).succeeded
    finally:
        answer(engine)
    assert {table: place.data_dir.table(table, "structures").read_bytes() for table in ASKING[1:]} == before
    check = place.check("web_snippets", CLEAN_INPUT, "structures")
    assert "was not answered in full; what is known of it is used." in (check.description or "")


@pytest.mark.slow
def test_without_the_engine_the_recorded_replies_are_there_again(small: tuple[Place, pytest.MonkeyPatch]) -> None:
    """Runs last: the services are no longer set."""
    place, patch = small
    patch.delenv("COTEACH_SEARCH_URL")
    patch.delenv("COTEACH_SCHOLAR_URL")
    assert place.make("structures", *ASKING).succeeded
    assert [row["query"] for row in read_rows(place.data_dir.table("web_snippets", "structures"))] == ["gardening"]
    assert [row["record_id"] for row in read_rows(place.data_dir.table("scholar_records", "structures"))] == ["kept"]
