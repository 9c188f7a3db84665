"""Approved answers over what the index finds: at once, in other words too, in their own course, until the index has
them; and never what was withdrawn or replaced.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import course_rows as rows
import pytest
from desk_rows import ADA, BEN, OTHER, STUDENT, turn
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.orm import Session

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Locator
from serving.assistant.retrieval.candidates import Retrieved
from serving.assistant.retrieval.concept_aware import retrieve
from serving.assistant.retrieval.direct import direct_answer, match
from serving.assistant.understanding.understand import Understanding, understand
from serving.desk.approved_answers import NONE, Approved, ApprovedWording, Decisions, entry_id, read_decisions, stamp
from serving.desk.decisions import approve, edit, edit_faq, return_to_queue, withdraw
from serving.desk.material_units import MaterialUnit, UnitChange
from serving.desk.overlay import SHOWN_FROM, Overlay, OverlayHolder
from serving.desk.queue_entry import put_in_queue
from serving.index.analysis import content_terms
from serving.index.build import build_index
from serving.index.schema import Entry
from serving.index.search import SearchIndex
from serving.index.tables import Tables
from serving.store.database import Store
from serving.store.tables.review import ReviewedSource

BETA = 0.7
QUESTION = "May I bring a calculator to the exam?"
ANSWER = "Yes, one without a network."


def asked(question: str, graph: ConceptGraph, course_id: str | None = "ds") -> Understanding:
    return understand(question, graph=graph, intent=None, course_id=course_id)


def look_up(question: str, graph: ConceptGraph, index: SearchIndex, course_id: str | None = "ds") -> Retrieved:
    return retrieve(asked(question, graph, course_id), index, course_id=course_id, domains=(), top_k=5)


def served(
    overlay: Overlay, question: str, graph: ConceptGraph, index: SearchIndex, course_id: str | None = "ds"
) -> Entry | None:
    """What a student gets as it stands."""
    found = look_up(question, graph, index, course_id)
    over = overlay.over(found, asked(question, graph, course_id), course_id=course_id, index=index)
    best = direct_answer(over, BETA)
    return best.entry if best is not None else None


def reviewed(key: str, question: str, answer: str = ANSWER, course_id: str = "ds", *also: str) -> Approved:
    origin_id = f"ta-{key}"
    entry = Entry(
        entry_id(course_id, origin_id),
        "qa",
        "faq",
        course_id,
        "en",
        question,
        answer,
        origin_id=origin_id,
        reviewer="Ada",
    )
    return Approved(entry, tuple(ApprovedWording(text, tuple(content_terms(text))) for text in (question, *also)))


def overlay_of(*approved: Approved, **more: Any) -> Overlay:
    known = {(one.entry.origin_id or "").removeprefix("ta-"): one for one in approved}
    return Overlay.of(Decisions(known, **more))


@pytest.mark.parametrize(
    "question",
    [QUESTION, "may i bring a calculator to the exam", "Can I bring my calculator to the exams?"],
    ids=["same", "other case", "other words"],
)
def test_the_next_student_gets_the_approved_answer(question: str, graph: ConceptGraph, index: SearchIndex) -> None:
    found = served(overlay_of(reviewed("1", QUESTION)), question, graph, index)
    assert found is not None
    assert (found.text, found.reviewer, found.source) == (ANSWER, "Ada", "faq")


def test_another_question_gets_it_not(graph: ConceptGraph, index: SearchIndex) -> None:
    assert served(overlay_of(reviewed("1", QUESTION)), "When does the exam begin?", graph, index) is None


def test_the_students_own_wording_finds_what_the_ta_worded_anew(graph: ConceptGraph, index: SearchIndex) -> None:
    overlay = overlay_of(reviewed("1", "Aids allowed in the final test", ANSWER, "ds", QUESTION))
    found = served(overlay, QUESTION, graph, index)
    assert found is not None
    assert found.title == "Aids allowed in the final test"


def test_the_match_is_that_of_the_index(graph: ConceptGraph, index: SearchIndex) -> None:
    one, question = reviewed("1", QUESTION), "May I bring a pocket calculator?"
    over = overlay_of(one).over(look_up(question, graph, index), asked(question, graph), course_id="ds", index=index)
    assert over.best is not None
    assert over.best.match == match(asked(question, graph), one.entry, index)
    (near,) = overlay_of(one).near(question, course_id="ds", index=index)
    assert near.overlap == pytest.approx(over.best.match)


def test_an_answer_of_another_course_is_not_served(graph: ConceptGraph, index: SearchIndex) -> None:
    overlay = overlay_of(reviewed("1", QUESTION, course_id="sjjg"))
    assert served(overlay, QUESTION, graph, index, "ds") is None
    assert served(overlay, QUESTION, graph, index, "sjjg") is not None
    assert served(overlay, QUESTION, graph, index, None) is not None


WORDS = ["stack", "queue", "exam", "calculator", "deadline", "grade", "when", "where", "how"]
QUESTIONS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


@given(
    stored=st.lists(st.tuples(st.sampled_from(["ds", "sjjg", "ml"]), QUESTIONS), max_size=8),
    question=QUESTIONS,
    course_id=st.sampled_from(["ds", "sjjg"]),
)
@settings(max_examples=80, deadline=None)
def test_whatever_is_approved_only_that_of_the_course_is_laid_over(
    stored: Sequence[tuple[str, str]], question: str, course_id: str, graph: ConceptGraph, index: SearchIndex
) -> None:
    overlay = overlay_of(*(reviewed(str(n), text, course_id=course) for n, (course, text) in enumerate(stored)))
    found = look_up(question, graph, index, course_id)
    over = overlay.over(found, asked(question, graph, course_id), course_id=course_id, index=index)
    shown = [*over.ranked, *([over.best] if over.best else [])]
    assert {one.entry.course_id for one in shown if (one.entry.origin_id or "").startswith("ta-")} <= {course_id}
    expected = {
        entry_id(course_id, f"ta-{n}")
        for n, (course, text) in enumerate(stored)
        if course == course_id and index.match(question, replace(rows.entry(rows.QA[0]), title=text)) >= SHOWN_FROM
    }
    near = overlay.near(question, course_id=course_id, index=index, most=99)
    assert {one.approved.entry.entry_id for one in near} == expected


def test_a_replaced_entry_of_the_faq_is_hidden(graph: ConceptGraph, index: SearchIndex) -> None:
    question = "When is the deadline of homework 3?"
    assert (served(Overlay(), question, graph, index) or rows.entry(rows.QA[0])).text == "Sunday at 23:59."
    corrected = reviewed("1", question, "Monday at noon.")
    found = served(overlay_of(corrected, replaced=frozenset({("ds", "faq#1")})), question, graph, index)
    assert (found or rows.entry(rows.QA[0])).text == "Monday at noon."
    reworded = reviewed("1", "Deadlines", "Monday at noon.")
    over = overlay_of(reworded, replaced=frozenset({("ds", "faq#1")})).over(
        look_up(question, graph, index), asked(question, graph), course_id="ds", index=index
    )
    assert "Sunday at 23:59." not in [one.entry.text for one in over.ranked]
    assert over.best is None or over.best.entry.text != "Sunday at 23:59."


def index_with(tmp_path: Path, *answers: Approved) -> SearchIndex:
    pairs = [
        rows.pair(
            one.entry.entry_id,
            "faq",
            one.entry.title,
            one.entry.text,
            origin_id=one.entry.origin_id,
            reviewer=one.entry.reviewer,
            explanation="Because it is quiet.",
        )
        for one in answers
    ]
    tables: Tables = rows.tables(tmp_path, qa=[*rows.QA, *pairs])
    build_index(tables, tmp_path / "index")
    return SearchIndex.open(tmp_path / "index")


def test_what_the_index_has_in_the_same_words_is_the_indexs(graph: ConceptGraph, tmp_path: Path) -> None:
    one = reviewed("1", QUESTION)
    index = index_with(tmp_path, one)
    over = overlay_of(one).over(look_up(QUESTION, graph, index), asked(QUESTION, graph), course_id="ds", index=index)
    assert over == look_up(QUESTION, graph, index)
    found = served(overlay_of(one), QUESTION, graph, index)
    assert found is not None
    assert found.explanation == "Because it is quiet."


def test_an_edit_is_served_before_the_index_has_it(graph: ConceptGraph, tmp_path: Path) -> None:
    index = index_with(tmp_path, reviewed("1", QUESTION))
    overlay = overlay_of(reviewed("1", QUESTION, "No."))
    found = overlay.over(look_up(QUESTION, graph, index), asked(QUESTION, graph), course_id="ds", index=index)
    assert [one.entry.text for one in found.ranked if one.entry.origin_id == "ta-1"] == ["No."]
    assert found.best is not None
    assert found.best.entry.text == "No."


def test_a_withdrawn_answer_is_not_served_though_the_index_has_it(graph: ConceptGraph, tmp_path: Path) -> None:
    index = index_with(tmp_path, reviewed("1", QUESTION), reviewed("2", "May I bring a calculator?", "Perhaps."))
    overlay = overlay_of(withdrawn=frozenset({("ds", "ta-1")}))
    over = overlay.over(look_up(QUESTION, graph, index), asked(QUESTION, graph), course_id="ds", index=index)
    assert over.best is not None
    assert over.best.entry.text == "Perhaps."
    assert ANSWER not in [one.entry.text for one in over.ranked]


def test_a_catalogue_expert_gets_none_of_the_approved_answers(graph: ConceptGraph, index: SearchIndex) -> None:
    found = look_up(QUESTION, graph, index)
    over = overlay_of(reviewed("1", QUESTION)).over(
        found, asked(QUESTION, graph), course_id="ds", index=index, mode="class"
    )
    assert over == found


def test_a_complex_question_is_not_answered_by_one_that_leaves_a_concept_out(
    graph: ConceptGraph, index: SearchIndex
) -> None:
    overlay = overlay_of(reviewed("1", "Why use a stack instead of a list?"))
    assert served(overlay, "Why use a stack instead of a queue?", graph, index) is None


def test_an_answer_from_older_material_says_so_in_both_languages() -> None:
    one = reviewed("1", QUESTION)
    overlay = overlay_of(one, stale=frozenset({("ds", "ta-1")}))
    assert "older material" in overlay.note(one.entry, "en")
    assert "较早的资料" in overlay.note(one.entry, "zh")
    assert overlay.note(reviewed("2", QUESTION).entry, "en") == ""


def test_nothing_decided_changes_nothing(graph: ConceptGraph, index: SearchIndex) -> None:
    found = look_up(QUESTION, graph, index)
    assert Overlay().over(found, asked(QUESTION, graph), course_id="ds", index=index) is found


def decide(db: Session) -> str:
    put_in_queue(db, turn(db, "Is a calculator OK??", by=OTHER), "asked")
    question = put_in_queue(db, turn(db, "is a calculator ok", by=STUDENT), "asked")
    rests = [MaterialUnit("faq:x", "faq", "ds", "FAQ", "old", Locator())]
    question_id = question.question_id
    return approve(db, question_id, question=QUESTION, answer=ANSWER, rests=rests, by=ADA).answer_id


def test_every_decision_is_noticed(desk: Store) -> None:
    """By another stamp each time, which is all that a follower reads."""
    seen = [desk.read(stamp)]
    answer_id = desk.write(decide)
    seen.append(desk.read(stamp))
    desk.write(lambda db: edit(db, answer_id, question=QUESTION, answer="No.", rests=(), by=BEN))
    seen.append(desk.read(stamp))
    desk.write(lambda db: withdraw(db, answer_id, by=BEN))
    seen.append(desk.read(stamp))
    desk.write(lambda db: edit_faq(db, "ds", "faq#1", "When?", "Now.", ADA))
    seen.append(desk.read(stamp))
    assert len(set(seen)) == len(seen)


def test_a_returned_answer_is_noticed_and_stale(desk: Store) -> None:
    answer_id = desk.write(decide)
    before = desk.read(stamp)
    desk.write(lambda db: return_to_queue(db, answer_id, [UnitChange(answer_id, "faq:x", "old", "new")]))
    assert desk.read(stamp) != before
    assert desk.read(read_decisions).stale == {("ds", f"ta-{answer_id}")}


def test_decisions_are_read_with_the_wordings_of_those_who_asked(desk: Store) -> None:
    answer_id = desk.write(decide)
    found = desk.read(read_decisions)
    one = found.approved[answer_id]
    assert one.entry.entry_id == entry_id("ds", f"ta-{answer_id}")
    assert [wording.text for wording in one.wordings] == [QUESTION, "Is a calculator OK??"]
    again = desk.read(lambda db: read_decisions(db, found))
    assert again.approved[answer_id] is one


def test_the_holder_takes_up_what_is_decided_elsewhere(small_desk: Store, index: SearchIndex) -> None:
    async def work() -> tuple[Decisions, set[str], bool]:
        holder = OverlayHolder()
        await holder.refresh(small_desk)
        before = holder.current.decisions
        following = asyncio.create_task(holder.follow(small_desk, seconds=0.01))
        answer_id = await small_desk.writing(decide)
        while answer_id not in holder.current.decisions.approved:
            await asyncio.sleep(0.01)
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
        current = holder.current
        return before, set(current.decisions.approved) - {answer_id}, await holder.refresh(small_desk, index) is current

    before, others, is_kept = asyncio.run(work())
    assert (before.approved, others, is_kept) == (NONE.approved, set(), True)


def test_the_id_is_that_of_the_pair_that_the_pipeline_makes() -> None:
    """`md5(concat_ws('|', source, course_id, origin_id))` of dbt's qa_pairs."""
    assert entry_id("ds", "ta-1") == "9ac38f9dd3a5d78ca1a6d28694355504"


def test_one_answer_that_becomes_stale_while_another_becomes_whole_is_noticed(desk: Store) -> None:
    first, second = (
        desk.write(decide),
        desk.write(lambda db: edit_faq(db, "ds", "faq#1", "When?", "Now.", ADA).answer_id),
    )

    def rests(db: Session) -> None:
        for answer_id in (first, second):
            unit = {"unit": "u", "kind": "document", "label": "02", "text": "old", "text_sha256": "0" * 64}
            db.merge(ReviewedSource(answer_id=answer_id, course_id="ds", **unit))

    def changed(answer_id: str) -> Callable[[Session], None]:
        others = {first: second, second: first}

        def work(db: Session) -> None:
            return_to_queue(db, others[answer_id], [])
            return_to_queue(db, answer_id, [UnitChange(answer_id, "u", "old", "new")])

        return work

    desk.write(rests)
    desk.write(changed(first))
    before = desk.read(stamp)
    desk.write(changed(second))
    assert desk.read(stamp) != before


def test_a_look_that_goes_wrong_is_not_the_last_one(small_desk: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    def fails_first(db: Session) -> tuple[object, ...]:
        looks.append(1)
        if len(looks) == 1:
            raise KeyError("a mistake in the program")
        return ()

    monkeypatch.setattr("serving.desk.overlay.stamp", fails_first)

    async def work() -> None:
        following = asyncio.create_task(OverlayHolder().follow(small_desk, seconds=0.01))
        while len(looks) < 2 and not following.done():
            await asyncio.sleep(0.01)
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)

    asyncio.run(asyncio.wait_for(work(), 10))
    assert len(looks) >= 2
