"""`coteach report` over a small course: the document, what a second run makes, and questions that leaked."""

import json

import pytest
from small_courses import FAQ, STACKS, Place, srt, write_course

from serving.evaluation.report import from_json

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

QUESTIONS = (
    ("What does a stack push and pop?", "en:stack", "Items at one end."),
    ("Until when may I send my exercises?", "due", "Until Sunday at noon."),
    ("My exercises will come a day late, is that fine?", "late", "Two days late is fine."),
    ("Whom can I ask when I am stuck?", "help", "Ask in the forum."),
)


def gold(*questions: tuple[str, str, str]) -> str:
    lines = [{"question": question, "gold": [source], "answer": answer} for question, source, answer in questions]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    found = Place(tmp_path_factory.mktemp("report"))
    files = {"01 - Stacks.srt": srt(STACKS), "faq.csv": FAQ, "gold/questions.jsonl": gold(*QUESTIONS)}
    write_course(found.courses / "structures", {"course.yaml": "title: Data Structures\nlang: en\n", **files})
    return found


@pytest.fixture(scope="module")
def first(place: Place) -> tuple[int, str]:
    return place.report(place.root / "docs")


def test_the_report_has_every_table_with_the_run_behind_each_number(place: Place, first: tuple[int, str]) -> None:
    code, printed = first
    assert code == 0, printed
    report = from_json(json.loads((place.root / "docs" / "results.json").read_text()))
    assert {"littlemu_4", "system_comparison", "human_ratings", "release_candidate"} <= {
        entry.table.name for entry in report.entries
    }
    assert [entry.list_untracked() for entry in report.entries if entry.list_untracked()] == []
    text = (place.root / "docs" / "results.md").read_text()
    assert "| retrieval_only | all of the courses | 4 |" in text
    assert "chain_of_teach | not run" in text
    assert "Systems side by side in MLflow: http://127.0.0.1:5000/#/compare-runs?runs=" in printed


def test_a_second_report_reads_the_store_and_makes_nothing_else(place: Place, first: tuple[int, str]) -> None:
    assert first[0] == 0
    code, printed = place.report(place.root / "again")
    assert code == 0
    assert "store_logs" in printed
    assert "Made 1 things again" in printed
    assert (place.root / "again" / "results.md").read_bytes() == (place.root / "docs" / "results.md").read_bytes()


def test_nothing_is_measured_on_a_question_that_leaked(place: Place, first: tuple[int, str]) -> None:
    assert first[0] == 0
    leaked = ("When is the homework due?", "due", "On Sunday at noon.")
    questions = place.courses / "structures" / "gold" / "questions.jsonl"
    before, answers = questions.read_text(), place.data_dir.system_answers("retrieval_only").read_bytes()
    questions.write_text(gold(*QUESTIONS, leaked))
    try:
        code, printed = place.report(place.root / "leaked")
    finally:
        questions.write_text(before)
    assert code == 1
    assert "Not made, all or in part: evaluation_sets" in printed
    assert place.data_dir.system_answers("retrieval_only").read_bytes() == answers
