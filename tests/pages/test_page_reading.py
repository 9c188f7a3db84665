"""What pages read of the lake and tell of errors, and who may open them how often; without a browser."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import Response

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CourseCard, Lang, Span
from serving.desk.queue import NAMELESS
from serving.desk.refusals import NotFit
from serving.gateway.app import create_app
from serving.gateway.errors import GatewayError
from serving.pages.chat_start import EXAMPLES, MOST_LOOKED_AT, examples_of
from serving.pages.console_reading import faq_rows
from serving.pages.errors import say_error
from serving.pages.graph_reading import evidence_of, read_view
from serving.pages.provenance import display_name
from serving.pages.visits import GATEWAY, page_caller
from serving.pages.words import words
from serving.pages.working import reason_of
from serving.settings import Settings
from serving.store.database_errors import CommitUnknown, StoreOverloaded

SECRET = "The store postgresql://db.internal/coteach is full."


def write_faq(data_dir: DataDir, questions: list[str], *, at: int) -> None:
    written = [
        {
            "course_id": "ds",
            "origin_id": f"faq-{place}",
            "section": None,
            "question": question,
            "answer": "Yes.",
            "reviewer": None,
            "updated_at": None,
            "lang": "en",
            "author": None,
            "file": "faq.csv",
            "row": place,
        }
        for place, question in enumerate(questions, start=1)
    ]
    path = data_dir.table("faq", "ds")
    tables.write_table(path, written, schemas.FAQ)
    os.utime(path, ns=(at, at))


def test_the_faq_is_searched_by_every_word_and_read_again_once_it_is_built_anew(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    write_faq(data_dir, ["Is there an exam?", "Is there homework?"], at=1_000)
    assert [one.question for one in faq_rows(data_dir, ["ds", "not-built"], "THERE exam")] == ["Is there an exam?"]
    assert len(faq_rows(data_dir, ["ds"], limit=1)) == 1
    write_faq(data_dir, ["Is there a book?"], at=2_000)
    assert [(one.question, one.reviewer) for one in faq_rows(data_dir, ["ds"])] == [("Is there a book?", "")]


def test_examples_are_of_the_first_entries_of_the_faq_and_follow_a_new_build(tmp_path: Path) -> None:
    data_dir, course = DataDir(tmp_path), CourseCard("ds", "Data structures", "en")
    long = "long " * 40
    write_faq(data_dir, [long, *(f"Question {n}?" for n in range(2 * MOST_LOOKED_AT))], at=1_000)
    assert examples_of(course, data_dir) == [f"Question {n}?" for n in range(EXAMPLES)]
    write_faq(data_dir, ["Another?"], at=2_000)
    assert examples_of(course, data_dir) == ["Another?"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_where_the_store_is_stays_with_whoever_runs_it(lang: Lang) -> None:
    say = words("working", lang)
    assert reason_of(StoreOverloaded(SECRET), say) == say("refused_StoreUnavailable")
    assert reason_of(CommitUnknown(SECRET), say) == say("refused_CommitUnknown")


def test_what_a_ta_can_mend_is_told_as_it_is() -> None:
    assert reason_of(NotFit("An answer needs a text."), words("working", "en")) == "An answer needs a text."


def test_the_graph_page_calls_lectures_of_one_title_as_their_course_does(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    cue = {"course_id": "ds", "cue_index": 0, "start_ms": 0, "end_ms": 900, "text": "Hello.", "lang": "en"}
    ids = ("Graphs/Introduction", "Sorting/Introduction")
    cues = [{**cue, "video_id": one, "video_title": "Introduction", "video_index": at} for at, one in enumerate(ids)]
    tables.write_table(data_dir.table("cues", "ds"), cues, schemas.CUES)
    titles = read_view(data_dir, "ds").titles
    shown = evidence_of("ds", [Span(ids[1], 8_000, 9_000, "A sort.")], titles)
    assert [one.label for one in shown] == ["Introduction (Sorting) @ 00:08"]


@pytest.mark.parametrize("name", [None, "", NAMELESS, "TA"])
def test_a_ta_without_a_name_is_called_one_in_the_language_of_the_page(name: str | None) -> None:
    assert display_name(name, words("console", "zh")("another_ta")) == "另一位助教"
    assert display_name("Ada Berg", "助教") == "Ada Berg"


def test_pages_count_as_requests_and_the_refusal_says_when_to_come_back(tmp_path: Path) -> None:
    app = create_app(Settings(home=tmp_path / "home", access="open", requests_per_minute=1))

    async def refused() -> Response:
        for _ in range(10):
            await page_caller(look(app))
        with pytest.raises(GatewayError) as error:
            await page_caller(look(app))
        return await say_error(look(app), error.value)

    with ThreadPoolExecutor(1) as thread:  # where there is no browser's event loop
        page = thread.submit(lambda: asyncio.run(refused())).result()
    app.state.service.store.close()
    assert (page.status_code, "retry-after" in page.headers) == (429, True)
    assert words("errors", "en")("rate_limit_exceeded") in bytes(page.body).decode()


def look(app: FastAPI) -> Request:
    """A browser's request for the chat page."""
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [], "path_params": {}}
    return Request({**scope, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "app": app, GATEWAY: app})
