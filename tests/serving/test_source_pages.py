"""The pages that references open: what stands on them, in which language, for whom, and what a browser may do there."""

import asyncio
import base64
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pyarrow.parquet as pq
import pytest

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from knowledge_graph.sources.videos import title_of
from knowledge_graph.text.time_code import PARAGRAPH, paragraph_start
from serving.gateway.app import create_app
from serving.gateway.source_pages.sections import catalog_page, document
from serving.gateway.source_pages.transcript import current_cue, transcript
from serving.settings import Settings
from serving.store.database import open_store
from serving.store.tables.review import ReviewedAnswer

LECTURE = "/courses/ds/videos/02%20stacks"
SLASHES = "week 1/../第1讲 <栈>?&#"


def cue(video_id: str, index: int, start_ms: int, text: str, *, video_index: int = 1) -> dict[str, Any]:
    times = {"start_ms": start_ms, "end_ms": start_ms + 4_000}
    place = {"video_id": video_id, "video_title": f"Title of {video_id}", "video_index": video_index}
    return {"course_id": "ds", "cue_index": index, "text": text, "lang": "en", **place, **times}


CUES = [
    cue("01 intro", 0, 0, "welcome", video_index=0),
    cue("02 stacks", 0, 190_400, "a stack is last in"),
    cue("02 stacks", 1, 194_400, "first out"),
    cue(SLASHES, 0, 0, "unicode <and> slashes", video_index=2),
]
HEAPS = [
    {**cue("03 heaps", number, 0, text, video_index=3), "start_ms": start, "end_ms": start + PARAGRAPH // 2 - 1}
    for number, (start, text) in enumerate(
        [
            (paragraph_start(1), "Welcome back."),
            (paragraph_start(1) + PARAGRAPH // 2, "Heaps are next."),
            (paragraph_start(2), "A heap is a tree."),
        ]
    )
]
"""A lecture without times: two paragraphs."""
CARD: dict[str, Any] = {
    "course_id": "ds",
    "title": "Data <structures>",
    "lang": "en",
    "subject": None,
    "domains": [],
    "instructors": [],
    "shares_with": None,
    "is_platform": False,
    "policy": None,
    "support": None,
    "video_order": [],
    "concepts": "merged",
    "videos": {"02 stacks.srt": "https://media.example.org/stacks.mp4"},
    "video_url": "https://tube.example.org/watch?v={video}&t={seconds}",
}
SECTION: dict[str, Any] = {"course_id": "ds", "document": "documents/rules.pdf", "title": "Rules", "lang": "en"}
SECTIONS: list[dict[str, Any]] = [
    {
        **SECTION,
        "section_index": 1,
        "section_key": "5.1",
        "page": 3,
        "article": "5.1",
        "heading": "Late",
        "text": "No.",
    },
    {**SECTION, "section_index": 0, "section_key": "1", "page": 1, "article": "1", "heading": None, "text": "Scope."},
    {
        **SECTION,
        "section_index": 2,
        "section_key": "5.2",
        "page": 3,
        "article": "5.2",
        "heading": "Ill",
        "text": "Yes.",
    },
]
ENTRY: dict[str, Any] = {
    "course_id": "ds",
    "origin_id": "due/1",
    "section": "Homework",
    "question": "When is it due?",
    "answer": "On Sunday.\nAt noon.",
    "author": "Bo",
    "reviewer": "Ada <TA>",
    "updated_at": "2026-01-12",
    "file": "faq.csv",
    "row": 1,
    "lang": "en",
}


@pytest.fixture
def told(home: Path) -> Path:
    data_dir = DataDir(home)
    tables.write_table(data_dir.table("cues", "ds"), [*CUES, *HEAPS], schemas.CUES)
    tables.write_table(data_dir.table("course_cards", "ds"), [CARD], schemas.COURSE_CARDS)
    tables.write_table(data_dir.table("documents", "ds"), SECTIONS, schemas.DOCUMENTS)
    tables.write_table(data_dir.table("faq", "ds"), [ENTRY], schemas.FAQ)
    return home


def get(home: Path, path: str, **headers: str) -> httpx.Response:
    return get_all(home, [path], **headers)[0]


def get_all(home: Path, paths: Sequence[str], **headers: str) -> list[httpx.Response]:
    """What one gateway, which takes two seconds to start, says of each."""

    async def run() -> list[httpx.Response]:
        app = create_app(Settings(home=home))
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://coteach.test") as client,
        ):
            return [await client.get(path, headers=headers) for path in paths]

    return asyncio.run(run())


def test_a_lecture_is_shown_whole_with_its_cue_focused_its_neighbours_and_its_course(told: Path) -> None:
    page = get(told, f"{LECTURE}?t=190").text
    assert "Data &lt;structures&gt;" in page
    assert "<h1>Title of 02 stacks</h1>" in page
    assert "Lecture 2 of 4" in page
    assert 'id="now" class="now" tabindex="-1" autofocus' in page
    assert "<mark>a stack is last in</mark>" in page
    assert "first out" in page
    assert 'rel="prev" href="/courses/ds/videos/01%20intro"' in page
    assert f'rel="next" href="/courses/ds/videos/{quote(SLASHES, safe="")}"' in page
    assert f'href="{LECTURE}?t=194#now">03:14</a>' in page


def test_lectures_of_one_title_are_told_apart_on_their_pages_and_in_the_links_between_them(told: Path) -> None:
    ids = ("Graphs/Introduction", "Sorting/Introduction", "03 - Overview", "04 - Overview")
    cues = [{**cue(one, 0, 0, "Hello.", video_index=at), "video_title": title_of(one)} for at, one in enumerate(ids)]
    tables.write_table(DataDir(told).table("cues", "ds"), cues, schemas.CUES)
    second, third = get_all(told, [f"/courses/ds/videos/{quote(one, safe='')}" for one in ids[1:3]])
    assert "Introduction (Sorting)</h1>" in second.text
    assert "Introduction (Graphs)" in second.text
    assert "Overview (1/2)" in second.text
    assert "Overview (1/2)</h1>" in third.text
    assert "Overview (2/2)" in third.text
    as_json = get(told, "/courses/ds/videos/04%20-%20Overview", accept="application/json")
    assert as_json.json()["title"] == "Overview (2/2)"


def test_a_lecture_opened_without_a_second_marks_nothing(told: Path) -> None:
    page = get(told, LECTURE).text
    assert "<mark>" not in page
    assert "autofocus" not in page


def test_the_second_of_a_reference_means_the_cue_that_begins_within_it() -> None:
    stacks = CUES[1:3]
    assert current_cue(stacks, 190_000)["text"] == "a stack is last in"
    assert current_cue(stacks, 194_000)["text"] == "first out"
    assert current_cue(stacks, 193_000)["text"] == "a stack is last in"
    assert current_cue(stacks, 0)["text"] == "a stack is last in"
    assert current_cue(stacks, 10**8)["text"] == "first out"


UNTIMED = "/courses/ds/videos/03%20heaps"


def test_a_lecture_without_times_is_shown_by_paragraph_and_opens_at_one(told: Path) -> None:
    english, chinese = get_all(told, [f"{UNTIMED}?paragraph=2"]), get(told, UNTIMED, **{"accept-language": "zh"}).text
    page = english[0].text
    assert '<a class="time" href="/courses/ds/videos/03%20heaps?paragraph=1#now">¶1</a>' in page
    assert "Welcome back. Heaps are next." in page
    assert '<li id="now" class="now" tabindex="-1" autofocus>' in page
    assert "<mark>A heap is a tree.</mark>" in page
    assert "Referred to at ¶2" in page
    assert "This transcript has no times; ¶ is the number of a paragraph." in page
    assert "此文字记录没有时间；¶ 表示段落编号。" in chinese
    assert not re.search(r"\d:\d\d", re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL))


def test_its_video_opens_at_the_beginning_for_nobody_knows_where_a_paragraph_is_spoken(told: Path) -> None:
    page = get(told, f"{UNTIMED}?paragraph=2").text
    assert 'href="https://tube.example.org/watch?v=03%20heaps&amp;t=0"' in page
    assert "Watch from" not in page


@pytest.mark.parametrize("place", ["t=190", "paragraph=0", "paragraph=-7", "paragraph=99999999", ""])
def test_a_place_that_it_does_not_have_opens_the_page(told: Path, place: str) -> None:
    reply = get(told, f"{UNTIMED}?{place}")
    assert reply.status_code == 200
    assert ("autofocus" in reply.text) == place.startswith("paragraph")


def test_json_tells_the_paragraph_and_no_time(told: Path) -> None:
    rows = get(told, f"{UNTIMED}?paragraph=2", accept="application/json").json()["rows"]
    assert [(row["text"], row["paragraph"], row["start_ms"], row["end_ms"]) for row in rows][-1] == (
        "A heap is a tree.",
        2,
        None,
        None,
    )
    assert all(row["start_ms"] is None for row in rows)


def test_a_paragraph_of_a_lecture_with_times_means_nothing(told: Path) -> None:
    assert "autofocus" not in get(told, f"{LECTURE}?paragraph=1").text


@pytest.mark.parametrize("second", ["-5", "0", "999999999999999999999"])
def test_any_second_opens_the_page(told: Path, second: str) -> None:
    assert get(told, f"{LECTURE}?t={second}").status_code == 200


def test_an_id_with_slashes_dots_and_chinese_is_found_by_the_link_to_it(told: Path) -> None:
    reply = get(told, f"/courses/ds/videos/{quote(SLASHES, safe='')}?t=0")
    assert reply.status_code == 200
    assert "unicode &lt;and&gt; slashes" in reply.text
    assert "<h1>Title of week 1/../第1讲 &lt;栈&gt;?&amp;#</h1>" in reply.text


@pytest.mark.parametrize("path", ["../../../etc/passwd", "..%2f..%2fsecret", "%00", "02%20stacks/", "%F0%9F%98%80"])
def test_an_id_that_is_none_is_404(told: Path, path: str) -> None:
    named = [f"/courses/ds/{kind}/{path}" for kind in ("videos", "documents", "faq", "catalog")]
    found = get_all(told, [*named, f"/courses/{path}/videos/x"])
    assert {reply.status_code for reply in found} == {404}


def test_a_media_file_plays_on_the_page_from_the_second_and_only_its_host_is_let_in(told: Path) -> None:
    reply = get(told, f"{LECTURE}?t=190")
    assert 'src="https://media.example.org/stacks.mp4#t=190"' in reply.text
    policy = reply.headers["content-security-policy"]
    assert "media-src https://media.example.org;" in policy
    assert "media-src 'none'" in get(told, "/courses/ds/faq/due%2F1").headers["content-security-policy"]


def test_a_page_of_a_video_is_a_link_that_opens_at_the_second(told: Path) -> None:
    reply = get(told, "/courses/ds/videos/01%20intro?t=2")
    assert 'href="https://tube.example.org/watch?v=01%20intro&amp;t=2" target="_blank" rel="noopener' in reply.text
    assert "Watch from 00:02" in reply.text
    assert "<video" not in reply.text
    assert "media-src 'none'" in reply.headers["content-security-policy"]


def test_a_course_that_says_nothing_of_videos_and_a_card_of_an_older_program_have_none(told: Path) -> None:
    path = DataDir(told).table("course_cards", "ds")
    old = pq.read_table(path).drop_columns(["videos", "video_url"])
    tables.write_atomic(path, old)
    reply = get(told, f"{LECTURE}?t=190")
    assert reply.status_code == 200
    assert "example.org" not in reply.text


def test_no_script_runs_and_only_our_own_pages_may_frame_it(told: Path) -> None:
    reply = get(told, f"{LECTURE}?t=190")
    policy = reply.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "frame-ancestors 'self'" in policy
    assert reply.headers["x-frame-options"] == "SAMEORIGIN"
    assert "<script" not in reply.text
    assert not re.search(r"\sstyle=|\son\w+=", reply.text)


def test_the_style_on_the_page_is_the_one_that_the_policy_lets_in(told: Path) -> None:
    reply = get(told, LECTURE)
    style = reply.text.split("<style>")[1].split("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in reply.headers["content-security-policy"]


def test_a_document_is_shown_in_order_with_the_article_marked_among_its_neighbours(told: Path) -> None:
    page = get(told, "/courses/ds/documents/documents%2Frules.pdf?article=5.1&page=3").text
    assert page.index("Scope.") < page.index("No.") < page.index("Yes.")
    assert page.count('class="now"') == 1
    assert '<section id="now" class="now" tabindex="-1" autofocus lang="en">' in page
    assert page.count("page 3") == 1


def test_the_articles_of_a_page_are_all_marked_and_the_first_is_focused() -> None:
    paper = document(SECTIONS, article=None, page=3)
    assert [(part.label, part.is_wanted, part.is_first) for part in paper.parts] == [
        ("1", False, False),
        ("5.1", True, True),
        ("5.2", True, False),
    ]
    assert not any(part.is_wanted for part in document(SECTIONS, article=None, page=None).parts)
    assert not any(part.is_wanted for part in document(SECTIONS, article="9", page=None).parts)


def test_json_has_the_sections_meant_alone(told: Path) -> None:
    path = "/courses/ds/documents/documents%2Frules.pdf?article=5.1"
    assert [row["article"] for row in get(told, path, accept="application/json").json()["rows"]] == ["5.1"]


def test_a_faq_entry_names_its_reviewer_and_date(told: Path) -> None:
    page = get(told, "/courses/ds/faq/due%2F1").text
    assert "<h1>When is it due?</h1>" in page
    assert "Reviewed by Ada &lt;TA&gt;" in page
    assert "as of 2026-01-12" in page
    assert "Homework" in page
    assert "Written by" not in page


def reviewed(state: str = "approved", course_id: str = "ds") -> ReviewedAnswer:
    said: dict[str, Any] = {
        "question": "May I bring notes?",
        "answer": "Two pages.",
        "reviewer": "Ada",
        "reviewer_id": "a",
    }
    return ReviewedAnswer(answer_id="7", course_id=course_id, lang="en", state=state, **said)


@pytest.mark.parametrize(
    ("answer", "status"), [(reviewed(), 200), (reviewed(state="withdrawn"), 404), (reviewed(course_id="sjjg"), 404)]
)
def test_an_answer_that_a_ta_approved_opens_before_any_build(told: Path, answer: ReviewedAnswer, status: int) -> None:
    store = open_store(Settings(home=told))
    store.write(lambda db: db.merge(answer))
    store.close()
    reply = get(told, "/courses/ds/faq/ta-7")
    assert reply.status_code == status
    assert ("Two pages." in reply.text) == (status == 200)


def record(code: str | None, title: str, topic: str | None, **more: Any) -> dict[str, Any]:
    place = {"course_id": "ds", "mode": "class" if code else "program", "record_id": "r", "page": "p.html"}
    return (
        place
        | {"code": code, "title": title, "topic": topic, "text": "text", "url": None, "fetched_at": None}
        | {
            "lang": "en",
            **more,
        }
    )


def test_a_catalogue_page_is_a_class_classes_or_the_topics_of_a_program() -> None:
    one = catalog_page([record("C 1", "Loops", None, url="https://u.example.org/c1", fetched_at="2026-02-03T04:05:06")])
    assert (one.title, one.parts[0].heading, one.url, one.date) == (
        "C 1 Loops",
        "",
        "https://u.example.org/c1",
        "2026-02-03",
    )
    many = catalog_page([record("C 1", "Loops", None), record("C 2", "Trees", None)])
    assert (many.title, [part.label for part in many.parts]) == ("p.html", ["C 1", "C 2"])
    program = catalog_page([record(None, "Ethics", "home"), record(None, "Ethics", "requirements")])
    assert (program.title, [part.heading for part in program.parts]) == ("Ethics", ["home", "requirements"])
    assert catalog_page([record("C 1", "Loops", None, url="javascript:alert(1)")]).url is None


@pytest.mark.parametrize(
    ("headers", "lang", "kind"),
    [
        ({}, "en", "Lecture transcript"),
        ({"accept-language": "zh-CN,zh;q=0.9"}, "zh-Hans", "讲座文字记录"),
        ({"accept-language": "zh-CN", "cookie": "coteach_lang=en"}, "en", "Lecture transcript"),
    ],
)
def test_the_page_speaks_the_readers_language(told: Path, headers: dict[str, str], lang: str, kind: str) -> None:
    page = get(told, LECTURE, **headers).text
    assert f'<html lang="{lang}"' in page
    assert kind in page


def test_without_a_wish_the_page_speaks_the_language_of_its_course(told: Path) -> None:
    card = CARD | {"course_id": "sjjg", "title": "数据结构", "lang": "zh"}
    tables.write_table(DataDir(told).table("course_cards", "sjjg"), [card], schemas.COURSE_CARDS)
    entry = ENTRY | {"course_id": "sjjg", "lang": "zh"}
    tables.write_table(DataDir(told).table("faq", "sjjg"), [entry], schemas.FAQ)
    app_reply = get(told, "/courses/sjjg/faq/due%2F1", **{"accept-language": ""})
    assert "常见问题" in app_reply.text
    assert "由Ada &lt;TA&gt;审核" in app_reply.text


def test_the_colours_chosen_before_are_kept(told: Path) -> None:
    assert 'data-theme="dark"' in get(told, LECTURE, cookie="coteach_theme=dark").text
    assert 'data-theme="auto"' in get(told, LECTURE, cookie="coteach_theme=<x>").text


@pytest.mark.parametrize(
    ("said", "lit"),
    [
        (["A heap is a tree", "whose root is the least.", "It is fast."], 2),
        (["堆是一棵树，", "根最小。", "很快。"], 2),
        (["A heap is a tree."], 1),
        (["and then we go", "on and on"], 1),  # no sentence ends: captions without punctuation
    ],
)
def test_the_whole_sentence_that_a_reference_means_is_lit(said: list[str], lit: int) -> None:
    cues = [cue("a", place, 4_000 * place, text) for place, text in enumerate(said)]
    page = transcript(cues, {"a": "A"}, place=0, video=None)
    assert [line.is_lit for line in page.lines] == [place < lit for place in range(len(said))]
    assert [line.is_current for line in page.lines].count(True) == 1


def test_lectures_stand_in_teaching_order() -> None:
    lectures = {"b": "B", "a": "a"}
    page = transcript([cue("a", 0, 0, "x")], lectures, place=None, video=None)
    assert (page.number, page.count, page.following) == (2, 2, None)
    assert page.previous is not None
    assert (page.previous.title, page.previous.url) == ("B", "/courses/ds/videos/b")


def test_a_schedule_is_a_section_for_each_term_and_a_line_for_each_class(told: Path) -> None:
    row: dict[str, Any] = {"course_id": "ds", "code": "C 2", "title": None, "section": "1", "credits": 4.0, "seats": 8}
    row |= {"instructor": None, "room": "<12>", "file": "schedule.csv", "row": 2, "lang": "en"}
    mondays = [{"day": 1, "start": 600, "end": 675}, {"day": 3, "start": 600, "end": 675}]
    rows = [
        {**row, "offering_id": term, "term": term, "meetings": meetings}
        for term, meetings in (("Fall 2027", []), ("Spring 2027", mondays))
    ]
    tables.write_table(DataDir(told).table("schedule", "ds"), rows, schemas.SCHEDULE)
    english = get(told, "/courses/ds/catalog/schedule.csv", **{"accept-language": "en"}).text
    assert english.index("Spring 2027") < english.index("Fall 2027")
    assert "C 2 section 1 · Mon Wed 10:00–11:15 · 4 credits · 8 seats free · &lt;12&gt;" in english
    assert "C 2 section 1 · no fixed time" in english
    chinese = get(told, "/courses/ds/catalog/schedule.csv", **{"accept-language": "zh"}).text
    assert "周一 周三 10:00–11:15" in chinese
    assert get(told, "/courses/ds/catalog/schedule.tsv").status_code == 404
