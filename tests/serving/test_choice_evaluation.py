"""Multiple-choice questions with known answers: reading them, answering them, and the figures."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scripted_model import ScriptedModel

from serving.evaluation.choice_answers import KnownAnswer, answer_known
from serving.evaluation.choice_questions import (
    KnownQuestion,
    QuestionsUnusable,
    known_question,
    read_known_questions,
)
from serving.evaluation.choice_scores import score_choices
from serving.llm.language_model import ChoiceProbabilities, LlmRejected

OWN = {"id": "s1", "question": "Which is first in, first out?", "options": {"A": "stack", "B": "queue"}, "answer": "B"}
STACK = KnownQuestion("s1", "Which is first in, first out?", {"A": "stack", "B": "queue"}, "B", "all")
CS = {
    "ID": 7,
    "Domain": "Networks",
    "Format": "Multiple-choice",
    "Question": "Which layer routes?",
    "A": "Link",
    "B": "Network",
    "C": "Session",
    "D": "Physical",
    "Answer": "B",
}
MATHS = {"question": "What is 2 + 2?", "options": ["A)3", "B)4", "C)5"], "correct": "B", "rationale": "Count."}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (OWN, STACK),
        (
            CS,
            KnownQuestion(
                "7",
                "Which layer routes?",
                {"A": "Link", "B": "Network", "C": "Session", "D": "Physical"},
                "B",
                "Networks",
            ),
        ),
        (MATHS, KnownQuestion("9", "What is 2 + 2?", {"A": "3", "B": "4", "C": "5"}, "B", "all")),
        (OWN | {"answer": "C"}, None),
        (OWN | {"options": {"A": "stack"}}, None),
        (OWN | {"options": {"A": "stack", "B": ""}}, None),
        (MATHS | {"options": ["A)3", "4"]}, None),
        ({"question": "Heaps are trees.", "Answer": "True"}, None),
    ],
)
def test_a_row_of_each_format_is_read(row: dict[str, Any], expected: KnownQuestion | None) -> None:
    assert known_question(row, "9") == expected


def test_an_array_and_lines_hold_the_same_and_what_is_no_choice_is_counted(tmp_path: Path) -> None:
    rows = [CS, {"ID": 8, "Format": "Assertion", "Question": "Heaps are trees.", "Answer": "True"}, OWN, {"id": 3}]
    array, lines = tmp_path / "a.json", tmp_path / "l.jsonl"
    array.write_text(json.dumps(rows))
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = read_known_questions(array)
    assert found == read_known_questions(lines)
    assert ([one.question_id for one in found.questions], found.other, found.broken) == (["7", "s1"], 1, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "not json",
            r"q\.json:1: expected one JSON object on the line, found 'not json' \(Expecting value\)\. Mend or",
        ),
        (
            f"{json.dumps(OWN)}\n\n{json.dumps(OWN)[:-9]}\n{json.dumps(OWN)}\n",
            r"q\.json:3: expected one JSON object on the line, found '\{",
        ),
        ("[1,\n2,\n}", r"q\.json begins as a JSON array, and is none: .*line 3 column 1"),
        ("[]", "holds no multiple-choice question"),
        (json.dumps([OWN, OWN]), "1 questions have an id that another one has"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "q.json"
    path.write_text(text)
    with pytest.raises(QuestionsUnusable, match=message):
        read_known_questions(path)


def test_a_separator_of_lines_within_a_string_does_not_end_the_line(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps(OWN | {"question": "first\u2028second"}, ensure_ascii=False) + "\r\n")
    assert [one.stem for one in read_known_questions(path).questions] == ["first\u2028second"]


def answers(model: ScriptedModel, *questions: KnownQuestion) -> list[KnownAnswer]:
    found: list[KnownAnswer] = []
    asyncio.run(answer_known(model, questions, model="m", done=found.append))
    return found


def test_a_question_goes_the_way_of_a_students() -> None:
    assert STACK.as_sent == "Which is first in, first out?\nA. stack\nB. queue"
    model = ScriptedModel(
        lambda _: "People are served by arrival time.", ChoiceProbabilities("B", {"A": 0.25, "B": 0.75})
    )
    (found,) = answers(model, STACK)
    assert (found.named, found.is_right, found.is_explained_by_model) == ("B", True, True)
    assert found.explained == {"A": "model", "B": "model"}
    assert found.probabilities == {"A": 0.25, "B": 0.75}


def test_what_is_not_read_as_a_choice_is_an_unanswered_question_and_not_left_out() -> None:
    (found,) = answers(ScriptedModel(lambda _: ""), replace(STACK, stem="Prove that:", options={"A": "x?", "B": "y?"}))
    assert (found.named, found.names_an_option, found.is_right) == (None, False, False)
    assert (found.failed or "").startswith("read as ")


def test_a_question_that_the_server_refuses_is_unanswered() -> None:
    (found,) = answers(ScriptedModel(lambda _: "", LlmRejected("too long")), STACK)
    assert (found.named, found.failed) == (None, "LlmRejected: too long")


def test_the_figures_of_four_answers() -> None:
    right = KnownAnswer("1", "os", 4, "A", "A", "model", {}, dict.fromkeys("ABCD", "model"), {}, {}, 1.0, "m")
    rows = [
        right,
        replace(right, id="2", named="B", subject="db"),
        replace(right, id="3", options=2, named="B", explained={"A": "model", "B": "coteach"}),
        replace(right, id="4", named=None, explained={}),
    ]
    scores = score_choices(rows)
    assert scores.accuracy.value == 0.25
    assert (round(scores.accuracy.low, 4), round(scores.accuracy.high, 4)) == (0.0456, 0.6994)
    assert scores.chance == (0.25 + 0.25 + 0.5 + 0.25) / 4
    assert scores.names_an_option.value == 0.75
    assert scores.explains_every_option.value == 0.75
    assert scores.explained_by_model.value == 0.5
    assert {name: (share.value, share.of) for name, share in scores.subjects.items()} == {
        "db": (0.0, 1),
        "os": (1 / 3, 3),
    }


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(ValueError, match="No answers to score"):
        score_choices([])
