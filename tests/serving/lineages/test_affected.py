"""Exactly the answers that rest on a source are found, and whether it still says what it said."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import course_rows as rows
import pytest
from answered import Asking

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Cue
from knowledge_graph.lake.schemas import LECTURE_SENTENCES
from knowledge_graph.lake.tables import write_table
from knowledge_graph.text.time_code import paragraph_start
from knowledge_graph.transcripts.sentences import lecture_sentences
from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.desk.lineage.affected_answers import AffectedAnswer, find_affected
from serving.desk.lineage.material import IndexedMaterial, read_reviewed_texts
from serving.desk.lineage.places import (
    ConceptNamed,
    CueAt,
    DocumentPart,
    FaqPlace,
    IndexVersion,
    ModelNamed,
    PlaceUnreadable,
    PromptNamed,
    cue_at,
    read_moment,
)
from serving.desk.lineage.quotable_texts import text_digest
from serving.gateway.turn_record import rests_on_rows
from serving.index.build import build_index
from serving.index.search import SearchIndex
from serving.settings import Settings
from serving.store.database import Store, sqlite_url
from serving.store.tables.conversation import Feedback, RestsOn, TurnRow
from serving.store.tables.review import ReviewedAnswer

STACK = "What is a stack?"
QUEUE = "What is a queue?"
DEADLINE = "When is the deadline of homework 3?"
LATE = "Late submission"
CHAT = "Hello, how are you?"

Open = Callable[[list[rows.Row], list[rows.Row]], Asking]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(sqlite_url(tmp_path / "store.db"))
    yield opened
    opened.close()


@pytest.fixture
def opened(tmp_path: Path, store: Store) -> Open:
    """An assistant over pairs and concepts, all in one index folder."""

    def open_over(qa: list[rows.Row], concepts: list[rows.Row]) -> Asking:
        build_index(rows.tables(tmp_path / "tables", qa=qa), tmp_path / "home" / "index")
        graph = ConceptGraph.from_rows(concepts, rows.PREREQUISITES, rows.COURSES)
        index = SearchIndex.open(tmp_path / "home" / "index")
        settings = Settings(home=tmp_path / "home")
        return Asking(
            store,
            IndexedMaterial(index, graph),
            Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings),
        )

    return open_over


@pytest.fixture
def asking(opened: Open) -> Asking:
    asking = opened(rows.QA, rows.CONCEPTS)
    asyncio.run(asking.all_told([STACK, QUEUE, DEADLINE, LATE, CHAT]))
    return asking


def questions(found: list[AffectedAnswer]) -> list[str]:
    return [one.question for one in found]


def test_a_cue_leads_to_the_answers_made_of_the_stretch_that_holds_it(asking: Asking) -> None:
    found = asking.store.read(lambda db: find_affected(db, CueAt("02 stacks", 192_000), course_id="ds"))
    assert questions(found) == [STACK]
    assert asking.store.read(lambda db: find_affected(db, CueAt("02 stacks", 192_000), course_id="sjjg")) == []
    assert asking.store.read(lambda db: find_affected(db, CueAt("02 stacks", 191_000), course_id="ds")) == []


def test_a_faq_entry_leads_to_its_answers_and_to_no_others(asking: Asking) -> None:
    assert questions(asking.store.read(lambda db: find_affected(db, FaqPlace("faq#1"), course_id="ds"))) == [DEADLINE]
    assert asking.store.read(lambda db: find_affected(db, FaqPlace("faq#1"), course_id="sjjg")) == []


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (DocumentPart("documents/regulations.pdf"), [LATE]),
        (DocumentPart("documents/regulations.pdf", article="5.1.1"), [LATE]),
        (DocumentPart("documents/regulations.pdf", page=3), [LATE]),
        (DocumentPart("documents/regulations.pdf", article="5.1"), []),
        (DocumentPart("documents/regulations.pdf", page=4), []),
        (DocumentPart("documents/regulations%"), []),
    ],
)
def test_a_document_is_asked_for_whole_or_by_article_or_page(
    asking: Asking, part: DocumentPart, expected: list[str]
) -> None:
    assert questions(asking.store.read(lambda db: find_affected(db, part))) == expected


def test_a_concept_leads_to_the_answers_given_from_its_definition(asking: Asking) -> None:
    assert questions(asking.store.read(lambda db: find_affected(db, ConceptNamed("en:queue")))) == [QUEUE]


def test_a_version_of_the_index_leads_to_all_answers_over_it(asking: Asking) -> None:
    found = asking.store.read(lambda db: find_affected(db, IndexVersion(asking.index.version)))
    assert questions(found) == [STACK, QUEUE, DEADLINE, LATE, CHAT]
    assert asking.store.read(lambda db: find_affected(db, IndexVersion("another"))) == []


def test_models_and_prompts_are_found_by_name_or_the_beginning_of_a_digest(asking: Asking) -> None:
    def taught(db: object) -> None:
        turn = db.query(TurnRow).filter_by(question=STACK).one()  # type: ignore[attr-defined]
        turn.model, turn.template, turn.prompt_sha256 = "smollm2", "context/2", "ab12" * 16

    asking.store.write(taught)
    for place in (ModelNamed("smollm2"), PromptNamed("context/2"), PromptNamed("AB12AB12"), PromptNamed("ab12" * 16)):
        assert questions(asking.store.read(lambda db, place=place: find_affected(db, place))) == [STACK]  # type: ignore[misc]
    for place in (ModelNamed("smol"), PromptNamed("context"), PromptNamed("ab12"), PromptNamed("%" * 8)):
        assert asking.store.read(lambda db, place=place: find_affected(db, place)) == []  # type: ignore[misc]


def test_only_answers_since_a_time_are_given(asking: Asking) -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    assert asking.store.read(lambda db: find_affected(db, FaqPlace("faq#1"), since=tomorrow)) == []
    earlier = tomorrow - timedelta(days=2)
    assert questions(asking.store.read(lambda db: find_affected(db, FaqPlace("faq#1"), since=earlier))) == [DEADLINE]


def test_the_students_thumb_is_told(asking: Asking) -> None:
    found = asking.store.read(lambda db: find_affected(db, FaqPlace("faq#1")))[0]
    thumb = Feedback(trace_id=found.trace_id, person_id=found.person_id, thumb=-1)
    asking.store.write(lambda db: db.add(thumb))
    assert asking.store.read(lambda db: find_affected(db, FaqPlace("faq#1")))[0].thumb == -1


def test_one_wrong_cue_is_found_by_its_answers_mended_and_asked_again(opened: Open) -> None:
    """P9: inject one wrong cue; the list is exactly the affected answers; mended, the answer is right again."""
    wrong = "A stack is a list where the first element added is the first removed."
    before = opened(rows.QA, rows.CONCEPTS)
    asyncio.run(before.all_told([STACK, DEADLINE]))

    wrong_pairs = [row | {"answer": wrong, "content_hash": "wrong"} if row["qa_id"] == "c1" else row for row in rows.QA]
    wrong_concepts = [row | {"definition": wrong} if row["concept_id"] == "en:stack" else row for row in rows.CONCEPTS]
    while_wrong = opened(wrong_pairs, wrong_concepts)
    told = asyncio.run(while_wrong.all_told([STACK, QUEUE, "What is a LIFO list?", DEADLINE, LATE, CHAT]))
    expected = {one.answer.trace.trace_id for one in told if wrong in one.answer.text}
    assert len(expected) == 2

    mended = opened(rows.QA, rows.CONCEPTS)
    cue = CueAt("02 stacks", 192_000)
    found = mended.store.read(lambda db: find_affected(db, cue, course_id="ds", material=mended.material))
    assert {one.trace_id for one in found if one.source == "changed"} == expected
    assert [one.source for one in found if one.trace_id not in expected] == ["same"]
    again = asyncio.run(mended.told(next(one.question for one in found if one.source == "changed")))
    assert rows.STACK in again.answer.text
    assert wrong not in again.answer.text


def piece(entry_id: str, text: str, **more: object) -> RestsOn:
    return RestsOn(trace_id="t", entry_id=entry_id, source="faq", text_sha256=text_digest(text), **more)  # type: ignore[arg-type]


def test_approved_answers_are_read_by_the_ids_of_their_entries(asking: Asking) -> None:
    said: dict[str, Any] = {"course_id": "ds", "lang": "en", "question": "When?", "reviewer_id": "a", "reviewer": "Ada"}
    asking.store.write(lambda db: db.add(ReviewedAnswer(answer_id="1", answer="On Monday.", **said)))
    gone = ReviewedAnswer(answer_id="2", answer="On Sunday.", state="withdrawn", **said)
    asking.store.write(lambda db: db.add(gone))
    assert asking.store.read(read_reviewed_texts) == {"ta-1": "On Monday."}


def test_a_source_is_the_same_changed_or_gone(asking: Asking) -> None:
    material = asking.material
    assert material.state(piece("f1", "Sunday at 23:59.")) == "same"
    assert material.state(piece("f1", "Monday.")) == "changed"
    assert material.state(piece("f9", "Monday.")) == "gone"
    assert material.state(piece("en:list", rows.LIST)) == "same"
    assert material.state(piece("p1", rows.PASSAGES[0]["text"])) == "same"
    assert material.state(piece("p1", rows.PASSAGES[0]["text"][:20])) == "same"  # some words of what is there
    assert material.state(piece("p0", rows.PASSAGES[0]["text"][:20])) == "gone"
    assert material.state(piece("en:stack@02 stacks:192000", rows.STACK, **moment(192_000))) == "same"
    assert material.state(piece("en:stack@02 stacks:5000", rows.STACK, **moment(5_000))) == "gone"


SAID = ("A heap is a tree.", "Its root is the smallest.", "That is all.")


def test_what_is_quoted_from_a_lecture_is_the_same_until_the_lecture_says_something_else(
    asking: Asking, tmp_path: Path
) -> None:
    data_dir = DataDir(tmp_path / "lectures")

    def state(said: Sequence[str], quoted: str) -> str:
        cues = [
            Cue("ds", "05 heaps", "Heaps", 0, n, 5_000 * n, 5_000 * n + 5_000, one, "en") for n, one in enumerate(said)
        ]
        sentences = lecture_sentences(cues, "ds")
        write_table(data_dir.table("lecture_sentences", "ds"), [asdict(one) for one in sentences], LECTURE_SENTENCES)
        material = IndexedMaterial(asking.index, asking.material.graph, lectures=CourseLectureIndex(data_dir))
        where = {"course_id": "ds", "video_id": "05 heaps", "start_ms": 0}
        return material.state(piece("05 heaps@0", quoted, **where))

    assert state(SAID, SAID[0]) == "same"
    assert state(SAID, " ".join(SAID[:2])) == "same"
    assert state(["A heap is a list.", *SAID[1:]], " ".join(SAID[:2])) == "changed"
    assert state([SAID[0], "Its root is the largest.", SAID[2]], SAID[0]) == "same"
    assert state([SAID[0], "Its root is the largest.", SAID[2]], " ".join(SAID[:2])) == "changed"


SUMMARY = "What is the lecture Binary heaps about?"
HEAPS = (
    "A heap is a complete binary tree in which no node is smaller than its parent.",
    "The smallest key of a heap is therefore always found at the root of the tree.",
    "We store the nodes of the tree level by level in an array without any pointers.",
    "The children of the node at place i stand at the places two i and two i plus one.",
    "A new key is put at the end of the array and sifts up past every larger parent.",
    "Removing the smallest key moves the last key to the root and sifts it down again.",
    "Both operations follow one path of the tree and take logarithmic time in the worst case.",
    "Building a heap from an array bottom up takes linear time, which is a surprise to many.",
    "Heapsort builds such a heap and then removes the keys one after the other in order.",
    "A priority queue is a queue from which the most urgent element leaves before all others.",
    "Dijkstra's algorithm keeps the vertices that it has seen in such a priority queue.",
    "Event simulations keep their coming events in a priority queue sorted by their time.",
    "The heaps of computer memory have the same name and nothing else to do with these.",
    "Next week we will see balanced search trees, which also keep their keys in order.",
)


@dataclass(frozen=True)
class Summarised:
    """A lecture whose summary was asked for, and stored with what it rests on."""

    asking: Asking
    folder: Path
    answer: Answer

    def found(self, said: Sequence[str], cue: int, title: str = "Binary heaps") -> list[AffectedAnswer]:
        """The answers that rest on one of the lecture's cues, now that it says this."""
        lectures = heaps(self.folder, said, title)
        material = IndexedMaterial(self.asking.index, self.asking.material.graph, lectures=lectures)
        place = CueAt("05 heaps", 6_000 * cue + 3_000)
        return self.asking.store.read(lambda db: find_affected(db, place, course_id="ds", material=material))


def heaps(folder: Path, said: Sequence[str], title: str = "Binary heaps") -> CourseLectureIndex:
    data_dir = DataDir(folder)
    cues = [Cue("ds", "05 heaps", title, 0, n, 6_000 * n, 6_000 * n + 6_000, one, "en") for n, one in enumerate(said)]
    table = [asdict(one) for one in lecture_sentences(cues, "ds")]
    write_table(data_dir.table("lecture_sentences", "ds"), table, LECTURE_SENTENCES)
    return CourseLectureIndex(data_dir)


@pytest.fixture
def summarised(asking: Asking, tmp_path: Path) -> Summarised:
    folder = tmp_path / "lectures"
    assistant = Assistant(
        graph=asking.material.graph,
        index=asking.index,
        intent=None,
        llm=None,
        settings=Settings(home=tmp_path),
        lectures=heaps(folder, HEAPS),
    )
    told = asyncio.run(Asking(asking.store, asking.material, assistant).told(SUMMARY))
    assert 1 < sum(one in told.answer.text for one in HEAPS) < len(HEAPS)  # no stretch of neighbouring sentences
    return Summarised(asking, folder, told.answer)


def test_every_cue_of_a_lecture_leads_to_its_summary_which_is_the_same_whatever_its_title(
    summarised: Summarised,
) -> None:
    for title in ("Binary heaps", "Heaps in an array"):
        for cue in range(len(HEAPS)):
            found = summarised.found(HEAPS, cue, title)
            assert [(one.question, one.source) for one in found] == [(SUMMARY, "same")]


def test_a_summary_is_changed_by_another_wording_of_each_sentence_that_it_shows(summarised: Summarised) -> None:
    shown = [n for n, one in enumerate(HEAPS) if one in summarised.answer.text]
    for cue in shown:
        said = [f"{one[:-1]}, as we have seen." if n == cue else one for n, one in enumerate(HEAPS)]
        assert [one.source for one in summarised.found(said, cue)] == ["changed"]


def test_a_summary_is_changed_by_a_sentence_that_would_stand_in_it_now_and_by_no_aside(summarised: Summarised) -> None:
    hidden = next(n for n, one in enumerate(HEAPS) if one not in summarised.answer.text)
    aside = [f"{one[:-1]}, of course." if n == hidden else one for n, one in enumerate(HEAPS)]
    assert [one.source for one in summarised.found(aside, hidden)] == ["same"]
    weighty = "A heap keeps the smallest key of the tree at the root and each larger key below its parent in the array."
    said = [weighty if n == hidden else one for n, one in enumerate(HEAPS)]
    assert [one.source for one in summarised.found(said, hidden)] == ["changed"]


@pytest.mark.parametrize(
    ("question", "said"), [("Who teaches this course?", "Ines and Theo"), ("谁教这门课？", "Ines、Theo")]
)
def test_what_is_quoted_of_the_card_is_the_same_until_the_card_is_another(
    asking: Asking, tmp_path: Path, question: str, said: str
) -> None:
    def graph_with(*names: str) -> ConceptGraph:
        cards = [one | {"instructors": list(names)} for one in rows.COURSES]
        return ConceptGraph.from_rows(rows.CONCEPTS, rows.PREREQUISITES, cards)

    graph = graph_with("Ines", "Theo")
    assistant = Assistant(graph=graph, index=asking.index, intent=None, llm=None, settings=Settings(home=tmp_path))
    answer = asyncio.run(assistant.answer(question, course_id="ds"))
    assert said in answer.text
    (kept,) = rests_on_rows(answer)
    assert IndexedMaterial(asking.index, graph).state(kept) == "same"
    assert IndexedMaterial(asking.index, graph_with("Ines")).state(kept) == "changed"


def moment(start_ms: int) -> dict[str, object]:
    return {"origin_id": "en:stack", "video_id": "02 stacks", "start_ms": start_ms}


def test_an_approved_answer_that_no_index_has_yet_is_compared_with_the_store(asking: Asking) -> None:
    material = IndexedMaterial(asking.index, asking.material.graph, {"ta-1": "On Monday."})
    assert material.state(piece("overlay", "On Monday.", origin_id="ta-1")) == "same"
    assert material.state(piece("overlay", "On Sunday.", origin_id="ta-1")) == "changed"


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("03 - Stacks@03:12", ("03 - Stacks", 192_000)),
        ("03 - Stacks@192", ("03 - Stacks", 192_000)),
        ("第3讲 栈@1:03:12", ("第3讲 栈", 3_792_000)),
        ("a@b/c@0.5", ("a@b/c", 500)),
        ("05 - Heaps@¶12", ("05 - Heaps", paragraph_start(12))),
    ],
)
def test_a_moment_is_a_video_and_a_time(named: str, expected: tuple[str, int]) -> None:
    assert read_moment(named) == expected


@pytest.mark.parametrize(
    "named", ["", "video", "@3:12", "video@", "video@soon", "video@-3", "video@1:2:3:4", "video@99:99"]
)
def test_what_is_no_moment_is_told(named: str) -> None:
    with pytest.raises(PlaceUnreadable, match="A cue is named by its video and time, such as"):
        read_moment(named)


def cue(index: int, start_ms: int, end_ms: int) -> dict[str, object]:
    return {"video_id": "v", "cue_index": index, "start_ms": start_ms, "end_ms": end_ms, "text": f"cue {index}"}


def test_a_second_means_the_last_cue_that_begins_in_it() -> None:
    cues = [cue(0, 0, 4_200), cue(1, 4_200, 8_000), cue(2, 20_000, 21_000)]
    assert cue_at("v", 4_000, cues) == (CueAt("v", 6_100), "cue 1")
    assert cue_at("v", 4_100, cues) == (CueAt("v", 2_100), "cue 0")
    assert cue_at("v", 12_000, cues) == (CueAt("v", 12_000), None)
    assert cue_at("gone", 4_000, cues) == (CueAt("gone", 4_000), None)
