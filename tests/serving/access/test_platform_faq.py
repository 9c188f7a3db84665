"""The FAQ of the platform, a course with `platform: true`, answers in every course, below the course's own."""

from functools import partial
from pathlib import Path
from typing import Any

import course_rows as rows
import pytest
from gateways import Gateway, Use, bearer

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CourseCard
from knowledge_graph.sources.course import read_course_card
from knowledge_graph.sources.folders import CourseFolder
from serving.desk.approved_answers import Approved, ApprovedWording, Decisions
from serving.desk.overlay import Overlay
from serving.gateway.errors import GatewayError
from serving.gateway.service import Service
from serving.gateway.sources import open_address
from serving.index.analysis import content_terms
from serving.index.build import build_index
from serving.index.search import SearchIndex
from serving.store.caller import Caller

PLATFORM = [
    rows.pair("p1", "faq", "How do I switch captions on?", "Press CC.", course_id="platform", origin_id="faq#1"),
    rows.pair("p2", "faq", "Where is homework handed in?", "On each course's page.", course_id="platform"),
    rows.pair("p3", "document", "Captions", "Rules of the platform.", course_id="platform", locator=rows.AT_ARTICLE),
]
ASKED = "How do I switch captions on?"
OF_DS = Caller("somebody", courses=frozenset({"ds"}))


def add_platform(home: Path, *, is_platform: bool = True, shares_with: list[str] | None = None) -> None:
    """A third course in the home, with a FAQ and a document."""
    data_dir = DataDir(home)
    more = {"course_id": "platform", "title": "Platform", "is_platform": is_platform, "shares_with": shares_with}
    tables.write_table(data_dir.graph_courses, [*rows.COURSES, rows.COURSES[0] | more], schemas.GRAPH_COURSES)
    entries = [
        {name: None for name in schemas.FAQ.names}
        | {"course_id": "platform", "origin_id": "faq#1", "question": ASKED, "answer": "Press CC.", "lang": "en"}
    ]
    tables.write_table(data_dir.table("faq", "platform"), entries, schemas.FAQ)
    build_index(rows.tables(home.parent / "more", qa=[*rows.QA, *PLATFORM]), data_dir.index)


def reply_to(use: Use, question: str, *, course: str = "ds", courses: list[str] | None = None) -> dict[str, Any]:
    """What whoever may see these courses is answered in one of them."""

    async def work(gateway: Gateway) -> dict[str, Any]:
        body = {"model": f"coteach:{course}", "messages": [{"role": "user", "content": question}]}
        reply = await gateway.client.post(
            "/v1/chat/completions", json=body, headers=bearer(gateway.key(courses=courses))
        )
        assert reply.status_code == 200
        said: dict[str, Any] = reply.json()
        return said

    found: dict[str, Any] = use(work, access="keys")
    return found


def text_of(reply: dict[str, Any]) -> str:
    return str(reply["choices"][0]["message"]["content"])


@pytest.mark.parametrize("courses", [None, ["ds"]])
def test_the_platforms_faq_answers_in_a_course_and_says_whose_it_is(
    use: Use, home: Path, courses: list[str] | None
) -> None:
    add_platform(home)
    reply = reply_to(use, ASKED, courses=courses)
    assert "the platform's FAQ" in text_of(reply)
    assert "Press CC." in text_of(reply)
    (reference,) = reply["coteach"]["references"]
    assert (reference["course_id"], reference["label"].startswith("Platform FAQ: ")) == ("platform", True)


@pytest.mark.parametrize(
    ("is_platform", "shares_with", "answers"),
    [(False, None, False), (True, None, True), (True, ["ds"], True), (True, ["sjjg"], False), (True, [], False)],
)
def test_only_the_faq_of_a_platform_answers_elsewhere_and_only_where_it_is_shared(
    use: Use, home: Path, is_platform: bool, shares_with: list[str] | None, answers: bool
) -> None:
    add_platform(home, is_platform=is_platform, shares_with=shares_with)
    assert ("Press CC." in text_of(reply_to(use, ASKED))) is answers


def test_the_courses_own_entry_stands_before_the_platforms(use: Use, home: Path) -> None:
    add_platform(home)
    said = text_of(reply_to(use, "Where is homework handed in?"))
    assert "under Tasks" in said
    assert "platform" not in said


def test_an_entry_of_the_platform_opens_for_who_is_shown_it_and_nothing_else_of_it(use: Use, home: Path) -> None:
    add_platform(home)

    async def opened(gateway: Gateway) -> str:
        service: Service = gateway.app.state.service
        return (await open_address(service, OF_DS, "https://x/courses/platform/faq/faq%231")).text

    async def refused(gateway: Gateway, place: str) -> int:
        service: Service = gateway.app.state.service
        with pytest.raises(GatewayError, match="no course 'platform'") as raised:
            await open_address(service, OF_DS, f"https://x/courses/platform/{place}")
        return raised.value.status

    async def follow(gateway: Gateway) -> int:
        body = {"model": "coteach:ds", "messages": [{"role": "user", "content": ASKED}]}
        headers = bearer(gateway.key(courses=["ds"]))
        reply = (await gateway.client.post("/v1/chat/completions", json=body, headers=headers)).json()
        return (await gateway.client.get(reply["coteach"]["references"][0]["url"])).status_code

    assert use(opened) == "Press CC."
    assert use(follow, access="keys") == 200
    assert use(partial(refused, place="documents/x.pdf")) == 404
    add_platform(home, shares_with=["sjjg"])
    assert use(partial(refused, place="faq/faq%231")) == 404


def test_the_index_finds_the_platforms_faq_in_other_courses_and_its_documents_in_none(tmp_path: Path) -> None:
    build_index(rows.tables(tmp_path / "tables", qa=[*rows.QA, *PLATFORM]), tmp_path / "index")
    plain = SearchIndex.open(tmp_path / "index")
    index = plain.with_platforms(["platform"])

    def found(one: SearchIndex, course_id: str | None) -> dict[str, bool]:
        return {hit.entry.entry_id: hit.entry.is_platform for hit in one.search("captions", course_id=course_id)}

    assert (found(plain, "ds"), found(index, "ds")) == ({}, {"p1": True})
    assert found(index.within({"ds"}, None), "ds") == {"p1": True}
    assert found(index.within({"ds"}, None), None) == {"p1": True}
    assert found(index, "platform") == found(index, None) == {"p1": True, "p3": False}
    shared = index.within({"ds"}, lambda owner, asked: owner != "platform" or asked == "sjjg")
    assert (shared.platforms_for("ds"), shared.platforms_for("sjjg"), shared.platforms_for(None)) == (
        (),
        ("platform",),
        (),
    )
    assert [one.entry_id for one in index.within({"ds"}, None).entries("qa", ["p1", "p3"])] == ["p1"]


def test_an_answer_that_a_ta_of_the_platform_approved_is_found_in_every_course(tmp_path: Path) -> None:
    build_index(rows.tables(tmp_path / "tables"), tmp_path / "index")
    index = SearchIndex.open(tmp_path / "index")
    said = rows.entry(rows.pair("t1", "faq", "Can I watch offline?", "Yes.", course_id="platform", origin_id="ta-1"))
    wording = ApprovedWording(said.title, tuple(content_terms(said.title)))
    overlay = Overlay.of(Decisions({"1": Approved(said, (wording,))}))
    assert not overlay.near("Can I watch offline?", course_id="ds", index=index)
    (found,) = overlay.near("Can I watch offline?", course_id="ds", index=index.with_platforms(["platform"]))
    assert found.approved.entry.entry_id == "t1"


@pytest.mark.parametrize(
    ("line", "is_platform", "problems"),
    [
        ("platform: true", True, 0),
        ("platform: 'Yes'", True, 0),
        ("platform: false", False, 0),
        ("platform:", False, 0),
        ("platform: maybe", False, 1),
        ("platform: [a]", False, 1),
    ],
)
def test_a_card_says_whether_it_is_the_platforms(tmp_path: Path, line: str, is_platform: bool, problems: int) -> None:
    (tmp_path / "course.yaml").write_text(f"title: T\nlang: en\n{line}\n", encoding="utf-8")
    card, told = read_course_card(CourseFolder("x", tmp_path))
    assert isinstance(card, CourseCard)
    assert (card.is_platform, len(told)) == (is_platform, problems)
    assert all("platform" in one.message for one in told)
