"""A tutor model learns what the exam would pass, and is never examined in what it has learnt."""

import asyncio
from dataclasses import replace
from pathlib import Path

import exam_material
import exam_rows
import pytest
from test_admission import planned

from knowledge_graph.lake.home import DataDir
from models.tutor.lessons import TutorCard, TutorLesson, may_learn
from serving.exam.exam_files import Papers
from serving.exam.item import ExamItem
from serving.exam.items import exam_items
from serving.exam.marks import all_marks, judge
from serving.exam.own_items import own_items
from serving.exam.tutor_lessons import ApprovedPair, LessonBoard, lessons_of_items, lessons_of_pairs, word_answer

BOARD = LessonBoard(planned, lambda course_id: ())


async def _all(found: object) -> list[TutorLesson]:
    return [one async for one in found]  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def items() -> list[ExamItem]:
    return list(exam_items(exam_material.big()))


@pytest.fixture(scope="module")
def lessons(items: list[ExamItem]) -> list[TutorLesson]:
    return asyncio.run(_all(lessons_of_items(items, BOARD)))


def test_every_kind_of_item_is_learnt(lessons: list[TutorLesson], items: list[ExamItem]) -> None:
    assert {one.kind for one in lessons} == {one.kind for one in items}
    assert len(lessons) > 40


def test_no_lesson_rests_on_what_is_left_for_the_exam(lessons: list[TutorLesson], items: list[ExamItem]) -> None:
    assert all(may_learn(evidence_id) for one in lessons for evidence_id in one.learnt)
    learnt = frozenset(evidence_id for one in lessons for evidence_id in one.learnt)
    left = Papers(Path("/nonexistent"), "tutor", learnt).keep_unseen(items)
    assert {one.kind for one in left} == {one.kind for one in items}
    assert not {one.lesson_id for one in lessons} & {one.item_id for one in left}


def test_every_answer_that_is_learnt_would_pass_the_exam(items: list[ExamItem]) -> None:
    for kind in {one.kind for one in items}:
        item = next(one for one in items if one.kind == kind)
        said = word_answer(item)
        asked = "" if item.kind == "regulation" else item.question
        sentences = judge(said, item.evidence, question=asked)
        marks = all_marks(said, item, evidence=item.evidence, sentences=sentences)
        assert [mark.name for mark in marks if not mark.passed] == [], (kind, said)


@pytest.mark.parametrize(
    ("lang", "kind", "begins"),
    [
        ("en", "unanswerable", "The notes do not say that."),
        ("en", "regulation", "No. "),
        ("zh", "unanswerable", "材料没有说明这一点。"),
        ("zh", "regulation", "不是这样。"),
    ],
)
def test_what_the_material_does_not_say_is_declined_and_a_wrong_claim_denied(lang: str, kind: str, begins: str) -> None:
    items = exam_items(exam_rows.material(lang))  # type: ignore[arg-type]
    assert word_answer(next(one for one in items if one.kind == kind)).startswith(begins)


def test_a_hidden_instruction_is_never_learnt(items: list[ExamItem]) -> None:
    assert all("PINEAPPLE" not in word_answer(one) for one in items if one.kind == "injection")


def test_a_teachers_own_item_is_never_learnt(tmp_path: Path) -> None:
    (tmp_path / "gold").mkdir()
    row = '{"kind": "definition", "question": "What is item %d?", "evidence": ["Item %d is a thing of the course."]}'
    (tmp_path / "gold" / "exam.jsonl").write_text("\n".join(row % (n, n) for n in range(12)), encoding="utf-8")
    own, problems = own_items(tmp_path, "ds", "en")
    assert (len(own), problems) == (12, [])
    assert asyncio.run(_all(lessons_of_items(own, BOARD))) == []


def test_an_approved_answer_is_learnt_among_those_most_like_it() -> None:
    told = ["You have five late days in all.", "Late days are of no use for quizzes.", "The forum is read every day."]
    pairs = [ApprovedPair(f"p{n}", "ds", "en", "faq", f"What about matter {n}?", told[n % 3]) for n in range(12)]
    found = asyncio.run(_all(lessons_of_pairs(pairs, BOARD)))
    assert 0 < len(found) < len(pairs)
    assert all(one.answer in "\n".join(text for _, text in one.prompt) for one in found)
    rambling = [replace(one, answer=f"{one.answer} " * 5) for one in pairs]
    assert asyncio.run(_all(lessons_of_pairs(rambling, BOARD))) == []


def test_a_model_is_known_by_its_folder_and_by_the_folders_name_elsewhere(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    folder = data_dir.tutor / "abc"
    folder.mkdir(parents=True)
    TutorCard("base", 3, "digest", ("e1", "e2")).write(folder)
    assert Papers.of(data_dir, str(folder), "http://a/v1").learnt == {"e1", "e2"}
    assert Papers.of(data_dir, "/models/abc", "http://gpu/v1").learnt == {"e1", "e2"}
    assert Papers.of(data_dir, "/models/other", "http://gpu/v1").learnt == frozenset()
