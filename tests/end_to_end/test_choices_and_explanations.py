"""Multiple-choice questions and explanations of stored answers, written by the real model."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from running import coteach

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, read_rows
from orchestration.cli.evaluate_command import evaluate_choices, read_answers
from serving.index.search import SearchIndex

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

QUESTIONS = [
    {
        "id": "queue",
        "question": "Which structure removes the element that was added first?",
        "options": {"A": "A stack", "B": "A queue", "C": "A hash table"},
        "answer": "B",
    },
    {
        "id": "height",
        "question": "What is the height of a balanced binary tree with n nodes?",
        "options": {"A": "O(1)", "B": "O(log n)", "C": "O(n)", "D": "O(n log n)"},
        "answer": "B",
    },
]


def test_every_answer_names_an_option_and_says_something_of_each(
    llm_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTEACH_LLM_URL", llm_url)
    monkeypatch.setenv("COTEACH_HOME", str(tmp_path / "home"))
    questions, out = tmp_path / "questions.json", tmp_path / "out.jsonl"
    questions.write_text(json.dumps(QUESTIONS))
    printed = io.StringIO()
    assert evaluate_choices(Console(file=printed), questions, out=out, limit=None, track=False, as_json=True) == 0
    found = json.loads(printed.getvalue())
    assert found["names_an_option"]["value"] == found["explains_every_option"]["value"] == 1.0
    for answer in read_answers(out):
        assert sum(answer.probabilities.values()) == pytest.approx(1, abs=1e-4)
        assert max(answer.probabilities, key=lambda label: answer.probabilities[label]) == answer.named
        assert all(answer.explanations.values())


def test_stored_answers_are_explained_and_the_index_shows_it(home: DataDir, llm_url: str) -> None:
    before = digest(home.qa_pairs)
    found = coteach("explain", "--limit", "3", home=home.root, COTEACH_LLM_URL=llm_url)
    assert found.returncode == 0, f"{found.stdout}\n{found.stderr}"
    rows = read_rows(home.explanations)
    assert len(rows) == 3
    made = {row["qa_id"]: row["explanation"] for row in rows if row["status"] == "made"}
    entries = SearchIndex.open(home.index).entries("qa", sorted(made))
    assert {entry.entry_id: entry.explanation for entry in entries} == made
    assert {entry.explanation_kind for entry in entries} <= {"ai"}
    assert all(row["reason"] for row in rows if row["status"] == "rejected")
    assert digest(home.qa_pairs) == before
