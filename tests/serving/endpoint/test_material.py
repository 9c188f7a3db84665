"""The material as data: typed in OpenAPI, and no caller learns of a course that is not theirs."""

import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import course_rows as rows
import pytest
from gateways import Gateway, bearer

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Cue, from_row
from knowledge_graph.lake.schemas import CUES, LECTURE_SENTENCES
from knowledge_graph.lake.tables import write_table
from knowledge_graph.sources.videos import title_of
from knowledge_graph.transcripts.sentences import lecture_sentences
from serving.gateway.lookups import sort_named_first
from serving.index.engine import Hit
from serving.index.schema import Entry

ROUTES = (
    ("post", "/v1/search"),
    ("post", "/v1/path"),
    ("post", "/v1/classify"),
    ("post", "/v1/grade"),
    ("post", "/v1/teach"),
    ("get", "/v1/traces/{trace_id}/teaching"),
    ("get", "/v1/responses/{response_id}"),
    ("delete", "/v1/responses/{response_id}"),
    ("get", "/v1/concept"),
    ("get", "/v1/courses"),
    ("get", "/v1/courses/{course_id}/concepts"),
    ("get", "/v1/courses/{course_id}/lectures"),
    ("get", "/v1/source"),
    ("post", "/v1/embeddings"),
    ("post", "/v1/responses"),
    ("post", "/v1/chat/completions"),
)


@pytest.fixture
def got(use: Any) -> Any:
    """What one request after the other gets, with a key for all courses or for those named."""

    def replies(*asked: tuple[str, str, dict[str, Any]], courses: list[str] | None = None) -> list[Any]:
        async def work(gateway: Gateway) -> list[Any]:
            headers = bearer(gateway.key(courses=courses))
            found = []
            for method, path, sent in asked:
                more: dict[str, Any] = {"json": sent} if method == "post" else {"params": sent}
                found.append(await gateway.client.request(method, path, headers=headers, **more))
            return found

        answered: list[Any] = use(work, requests_per_minute=0)
        return answered

    return replies


def test_every_reply_is_described_with_its_fields(use: Any) -> None:
    async def work(gateway: Gateway) -> Any:
        return (await gateway.client.get("/openapi.json")).json()

    described = use(work)
    for method, path in ROUTES:
        schema = described["paths"][path][method]["responses"]["200"]["content"]["application/json"]["schema"]
        named = schema["$ref"].rpartition("/")[2]
        assert described["components"]["schemas"][named]["properties"], path


def test_search_finds_stored_answers_and_passages_with_where_they_open(got: Any) -> None:
    stored, passages, faq = got(
        ("post", "/v1/search", {"query": "what is a stack", "course": "ds"}),
        ("post", "/v1/search", {"query": "plate on the stack", "course": "ds", "kind": "passage"}),
        ("post", "/v1/search", {"query": "homework", "course": "ds", "sources": ["faq"], "k": 1}),
    )
    first = stored.json()["data"][0]
    assert (first["text"], first["source"], first["course"]) == (rows.STACK, "concept", "ds")
    assert first["url"].endswith("/courses/ds/videos/02%20stacks?t=192")
    assert passages.json()["data"][0]["id"] == "p1"
    assert [one["source"] for one in faq.json()["data"]] == ["faq"]


def test_what_is_called_just_so_is_found_first_then_concepts_by_name() -> None:
    titles = ("Stacks in exams", "call stack", "Stack", "stack frame")
    hits = [Hit(Entry(one, "qa", "concept", "ds", "en", one, ""), 1.0) for one in titles]
    faq = Hit(Entry("faq", "qa", "faq", "ds", "en", titles[0], ""), 1.0)
    asked = [one.entry.title for one in sort_named_first([faq, *hits[1:]], "stack?")]
    assert asked == ["Stack", "stack frame", "call stack", "Stacks in exams"]
    assert sort_named_first(hits, "trees") == hits


def test_a_concept_says_where_it_is_taught_and_what_comes_before(got: Any) -> None:
    concept, path, known, listed = got(
        ("get", "/v1/concept", {"name": "LIFO list", "course": "ds"}),
        ("post", "/v1/path", {"concept": "stack"}),
        ("post", "/v1/path", {"concept": "stack", "known": ["list"]}),
        ("get", "/v1/courses/ds/concepts", {"begins": "Q"}),
    )
    found = concept.json()
    assert (found["name"], found["definition"]) == ("stack", rows.STACK)
    assert [one["name"] for one in found["prerequisites"]] == ["list"]
    assert found["taught_at"][0]["text"] == rows.STACK
    assert [one["name"] for one in path.json()["steps"]] == ["list"]
    assert known.json()["steps"] == []
    assert listed.json() == {"total": 1, "data": [{"concept_id": "en:queue", "name": "queue"}]}


def test_an_unknown_concept_is_404_with_what_is_called_alike(got: Any) -> None:
    (reply,) = got(("get", "/v1/concept", {"name": "stak"}))
    assert (reply.status_code, reply.json()["error"]["code"]) == (404, "concept_not_found")
    assert "'stack'" in reply.json()["error"]["message"]


def test_the_source_of_a_reference_is_read_by_its_address(got: Any) -> None:
    (found,) = got(("post", "/v1/search", {"query": "what is a stack", "course": "ds"}))
    url = found.json()["data"][0]["url"]
    source, nowhere, strange = got(
        ("get", "/v1/source", {"url": url}),
        ("get", "/v1/source", {"url": "/courses/ds/videos/nope"}),
        ("get", "/v1/source", {"url": "https://example.org/"}),
    )
    brackets = got(("get", "/v1/source", {"url": "http://[courses/ds/videos/1"}))[0]
    assert brackets.status_code == 400
    assert source.json()["title"] == "Stacks and queues"
    assert rows.CUES[0]["text"] in source.json()["text"]
    assert (nowhere.status_code, strange.status_code) == (404, 400)


def test_lectures_and_courses_are_listed_with_how_to_ask_them(got: Any) -> None:
    courses, lectures = got(("get", "/v1/courses", {}), ("get", "/v1/courses/ds/lectures", {}))
    assert [one["model"] for one in courses.json()["data"]] == ["coteach:ds", "coteach:sjjg"]
    assert lectures.json()["data"][0]["title"] == "Stacks and queues"


def test_lectures_of_one_title_are_listed_with_what_tells_them_apart(got: Any, home: Path) -> None:
    ids = ("Graphs/Introduction", "Sorting/Introduction", "Heaps")
    cues = [
        {**rows.CUES[0], "video_id": one, "video_title": title_of(one), "video_index": at} for at, one in enumerate(ids)
    ]
    write_table(DataDir(home).table("cues", "ds"), cues, CUES)
    url = "/courses/ds/videos/Sorting%2FIntroduction?t=0"
    lectures, source = got(("get", "/v1/courses/ds/lectures", {}), ("get", "/v1/source", {"url": url}))
    assert [(one["video"], one["number"], one["title"]) for one in lectures.json()["data"]] == [
        ("Graphs/Introduction", 1, "Introduction (Graphs)"),
        ("Sorting/Introduction", 2, "Introduction (Sorting)"),
        ("Heaps", 3, "Heaps"),
    ]
    assert source.json()["title"] == "Introduction (Sorting)"


def test_references_of_an_answer_call_lectures_as_their_course_lists_them(got: Any, home: Path) -> None:
    first = from_row(Cue, rows.CUES[0])
    cues = [first, replace(first, video_id="09 stacks", video_index=9)]
    sentences = [asdict(one) for one in lecture_sentences(cues, "ds")]
    write_table(DataDir(home).table("lecture_sentences", "ds"), sentences, LECTURE_SENTENCES)
    asked = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}
    (answer,) = got(("post", "/v1/chat/completions", asked))
    labels = [one["label"] for one in answer.json()["coteach"]["references"]]
    assert "Stacks and queues (1/2) @ 03:12" in labels
    assert "Stacks and queues @ 03:12" not in labels


def test_a_question_is_classified_as_it_would_be_taken(got: Any) -> None:
    plain, choice, chat = got(
        ("post", "/v1/classify", {"question": "What is a stack?", "course": "ds"}),
        ("post", "/v1/classify", {"question": "Which one is last in, first out?\nA) a stack\nB) a queue"}),
        ("post", "/v1/classify", {"question": "hello"}),
    )
    assert (plain.json()["concepts"], plain.json()["form"]) == (["stack"], "frq")
    assert [one["text"] for one in choice.json()["options"]] == ["a stack", "a queue"]
    assert chat.json()["is_chat"]


def test_an_answer_is_graded_against_the_knowledge_beside_it(got: Any) -> None:
    asked = {"question": "What is a stack?", "knowledge": [rows.STACK]}
    right, wrong = got(
        ("post", "/v1/grade", asked | {"answer": rows.STACK}),
        ("post", "/v1/grade", asked | {"answer": "The stack was sold to 42 bakeries in Paris in 1789."}),
    )
    assert right.json()["grounded"]
    assert not wrong.json()["grounded"]
    assert right.json()["sentences"][0]["evidence"] == 1
    assert "1789" in wrong.json()["sentences"][0]["missing"]


def test_no_more_knowledge_is_graded_than_takes_some_seconds(got: Any) -> None:
    asked = {"question": "What?", "answer": "A list."}
    many, long = got(
        ("post", "/v1/grade", asked | {"knowledge": ["1 " * 5_000] * 5}),
        ("post", "/v1/grade", asked | {"answer": "1 " * 5_000, "knowledge": ["A list."]}),
    )
    assert (many.status_code, long.status_code) == (400, 400)
    assert "50000 characters together; at most 40000 are read" in many.json()["error"]["message"]


def test_whoever_may_see_one_course_learns_nothing_of_the_other(got: Any) -> None:
    asked: list[tuple[str, str, dict[str, Any]]] = [
        ("post", "/v1/search", {"query": "what is a stack"}),
        ("get", "/v1/concept", {"name": "stack"}),
        ("post", "/v1/path", {"concept": "stack"}),
        ("get", "/v1/courses", {}),
        ("get", "/v1/source", {"url": "/courses/ds/videos/02 stacks?t=192"}),
        ("post", "/v1/classify", {"question": "What is a stack?"}),
    ]
    for reply in got(*asked, courses=["sjjg"]):
        assert "02 stacks" not in reply.text
        assert rows.STACK not in reply.text
        assert '"ds"' not in reply.text
        assert '["stack"]' not in reply.text


def test_agents_are_told_every_route_for_them_with_a_way_into_the_whole_description(use: Any) -> None:
    async def work(gateway: Gateway) -> tuple[Any, Any]:
        return await gateway.client.get("/llms.txt"), (await gateway.client.get("/openapi.json")).json()

    said, whole = use(work)
    assert said.headers["content-type"] == "text/markdown; charset=utf-8"
    lines = said.text.splitlines()
    assert lines[0] == "# coteach"
    assert [one for one in lines if one.startswith("> ")], "llmstxt.org: a summary as a quotation"
    pointers = re.findall(r"openapi\.json#(/paths/\S+)\)", said.text)
    assert {"/paths/~1v1~1chat~1completions/post", "/paths/~1v1~1path/post"} <= set(pointers)
    for pointer in pointers:
        _, _, path, method = unquote(pointer).split("/")
        assert method in whole["paths"][path.replace("~1", "/")]
    assert not any(line.endswith(": ") for line in lines), "a route without a sentence"
    assert "Stacks" not in said.text
