"""The sets that are evaluated on: their forms, what is wrong in files, and the sample courses' own."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from knowledge_graph.lake.evaluation_schemas import EVALUATION_CHOICES, EVALUATION_GROUNDEDNESS, EVALUATION_QUESTIONS
from knowledge_graph.lake.tables import digest, write_table
from knowledge_graph.sources.folders import CourseFolder, find_courses
from serving.assistant.generation.demonstrations import load_demonstrations
from serving.assistant.generation.prompts import TEMPLATES
from serving.assistant.references.labelled import read_labelled
from serving.evaluation.sets.evaluation_sets import (
    EvaluationOption,
    EvaluationQuestion,
    read_choices,
    read_groundedness,
    read_questions,
    rows_of,
)
from serving.evaluation.sets.leakage import (
    EvaluationText,
    KnownText,
    find_leaks,
    texts_of_demonstrations,
    texts_of_prompts,
)
from serving.evaluation.sets.set_table import flat, name_sets, set_table, slug
from serving.evaluation.sets.sets_of_files import Sets, read_sets
from serving.feedback.rating_forms import RELEVANCE

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTIONS = (
    '{"question": "stack?", "gold": ["en:stack", "a-faq"], "answer": "Last in, first out."}\n'
    '{"question": "栈和队列的区别", "gold": "zh:栈", "kind": "complex"}\n'
)
CHOICES = (
    '{"id": "1", "question": "Which is LIFO?", "options": {"A": "stack", "B": "queue"}, "answer": "A", '
    '"explanation": "Last in, first out."}\n'
)
PAIRS = '{"id": "g1", "question": "LIFO?", "knowledge": ["A stack.", "A pile."], "answer": "Yes.", "grounded": true}\n'
PUBLIC = "id,question,session_id,category,answer\n1,什么是栈,1,简单问题,后进先出的表\n2,你好,1,其他闲聊,你好呀\n"


def written(folder: Path, **files: str) -> CourseFolder:
    (folder / "gold").mkdir(parents=True)
    for name, text in files.items():
        (folder / "gold" / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return CourseFolder(folder.name, folder)


def test_a_course_s_questions_keep_their_order_with_sorted_sources(tmp_path: Path) -> None:
    found = read_sets([written(tmp_path / "ds", questions=QUESTIONS)], answers=None)
    first, second = found.questions
    assert first == EvaluationQuestion(
        "ds",
        first.question_id,
        "ds",
        "en",
        "stack?",
        "simple",
        ("a-faq", "en:stack"),
        "Last in, first out.",
        "course",
    )
    assert (second.lang, second.kind, second.gold, second.reference) == ("zh", "complex", ("zh:栈",), "")
    assert found.problems == ()


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    course = written(tmp_path / "ds", questions=QUESTIONS, choices=CHOICES, groundedness=PAIRS)
    found = read_sets([course], answers=None)
    for name, entries, schema in (
        ("q", rows_of(found.questions), EVALUATION_QUESTIONS),
        ("c", rows_of(found.choices), EVALUATION_CHOICES),
        ("g", rows_of(found.groundedness), EVALUATION_GROUNDEDNESS),
    ):
        write_table(tmp_path / name, entries, schema)
    assert read_questions(tmp_path / "q") == found.questions
    assert read_choices(tmp_path / "c") == found.choices
    assert read_groundedness(tmp_path / "g") == found.groundedness
    (choice,), (pair,) = found.choices, found.groundedness
    assert choice.options == (EvaluationOption("A", "stack"), EvaluationOption("B", "queue"))
    assert (choice.question_id, choice.answer, choice.explanation) == ("ds/1", "A", "Last in, first out.")
    assert (pair.id, pair.evidence, pair.grounded) == ("ds/g1", "A stack.\n\nA pile.", True)


def test_public_questions_have_answers_and_no_sources_and_chat_is_not_asked(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text(PUBLIC, encoding="utf-8")
    (only,) = read_sets([], answers=path).questions
    assert (only.set, only.section, only.course_id, only.gold) == ("answers", "public", None, ())
    assert (only.question, only.reference, only.kind, only.lang) == ("什么是栈", "后进先出的表", "simple", "zh")


def test_one_bad_file_leaves_the_others_alone_and_is_told_with_its_line(tmp_path: Path) -> None:
    bad = written(tmp_path / "bad", questions='{"question": "stack?"}\n', choices=CHOICES)
    good = written(tmp_path / "good", questions=QUESTIONS, groundedness=PAIRS.replace("true", '"yes"'))
    found = read_sets([bad, good], answers=tmp_path / "nowhere.csv")
    assert [one.set for one in found.questions] == ["good", "good"]
    assert len(found.choices) == 1
    assert sorted(found.files) == ["bad/gold/choices.jsonl", "good/gold/questions.jsonl"]
    told = [str(problem) for problem in found.problems]
    assert told[0].startswith("bad/gold/questions.jsonl: questions.jsonl:1: Expected")
    assert told[1].startswith("good/gold/groundedness.jsonl: groundedness.jsonl:1: Expected")
    assert told[2].startswith("nowhere.csv: nowhere.csv cannot be read")


def test_of_a_question_that_stands_twice_the_first_counts(tmp_path: Path) -> None:
    twice = QUESTIONS + '{"question": "stack?", "gold": ["other"]}\n'
    found = read_sets([written(tmp_path / "ds", questions=twice)], answers=None)
    assert [one.gold for one in found.questions] == [("a-faq", "en:stack"), ("zh:栈",)]
    assert "stands there twice" in found.problems[0].message


def test_two_graded_answers_with_one_id_are_told(tmp_path: Path) -> None:
    found = read_sets([written(tmp_path / "ds", groundedness=PAIRS + PAIRS)], answers=None)
    assert found.groundedness == ()
    assert "The id 'g1' is that of line 1" in found.problems[0].message


def test_the_table_counts_every_set(tmp_path: Path) -> None:
    course = written(tmp_path / "数据", questions=QUESTIONS, choices=CHOICES, groundedness=PAIRS)
    table = set_table(read_sets([course], answers=None))
    assert [row[0] for row in table.rows] == ["questions, 数据", "choices", "groundedness", "questions"]
    metrics = table.metrics()
    assert metrics["questions/entries"] == 2
    assert metrics["questions/answers"] == 1
    assert metrics["questions/complex"] == 1
    assert metrics[f"questions.{slug('数据')}/chinese"] == 1
    assert metrics["groundedness/grounded"] == 1
    assert "COTEACH_EVAL_ANSWERS" in table.notes[1].format_text()


def test_without_any_set_the_table_says_so(tmp_path: Path) -> None:
    table = set_table(read_sets([], answers=None))
    assert table.metrics()["questions/entries"] == 0


def test_a_set_s_digest_is_that_of_its_rows(tmp_path: Path) -> None:
    first = read_sets([written(tmp_path / "ds", questions=QUESTIONS)], answers=None)
    other = read_sets([written(tmp_path / "2" / "ds", questions=QUESTIONS.replace("Last", "last"))], answers=None)
    assert name_sets(first)[0].digest == name_sets(first)[0].digest
    assert name_sets(first)[0].digest != name_sets(other)[0].digest


def test_a_row_for_mlflow_has_no_lists() -> None:
    row = {"gold": ("a", "b"), "options": [{"label": "A", "text": "stack"}], "lang": "en"}
    assert flat(row) == {"gold": "a\nb", "options": "A. stack", "lang": "en"}


@pytest.mark.parametrize(("name", "expected"), [("data-structures", "data_structures"), ("cs101", "cs101")])
def test_a_plain_name_is_readable_in_metrics(name: str, expected: str) -> None:
    assert slug(name) == expected


def test_two_odd_names_stay_apart_in_metrics() -> None:
    assert len({slug(name) for name in ("数据", "结构", "a_b", "a-b", "A b")}) == 5


@pytest.fixture(scope="module")
def samples() -> Sets:
    return read_sets(find_courses(EXAMPLES / "courses"), answers=None)


def test_the_sample_sets_are_whole(samples: Sets) -> None:
    assert samples.problems == ()
    languages = Counter(one.lang for one in samples.questions)
    assert languages["en"] >= 120
    assert languages["zh"] >= 60
    assert all(one.reference and one.gold for one in samples.questions)
    for lang in ("en", "zh"):
        kinds = Counter(one.kind for one in samples.questions if one.lang == lang)
        assert 0.15 <= kinds["complex"] / languages[lang] <= 0.3


def test_the_sample_choices_and_graded_answers_are_enough(samples: Sets) -> None:
    choices = Counter(one.lang for one in samples.choices)
    assert (choices["en"] >= 15, choices["zh"] >= 8) == (True, True)
    assert all(one.explanation and one.answer in {option.label for option in one.options} for one in samples.choices)
    verdicts = Counter((str(one.lang), one.grounded) for one in samples.groundedness)
    assert len(samples.groundedness) >= 30
    assert min(verdicts[lang, grounded] for lang in ("en", "zh") for grounded in (True, False)) >= 5


def test_no_sample_question_was_seen_before(samples: Sets) -> None:
    asked = [EvaluationText(one.set, one.question_id, one.question) for one in samples.questions]
    asked += [EvaluationText(one.course_id, one.question_id, one.stem) for one in samples.choices]
    leaks = find_leaks(asked, [*texts_of_prompts(TEMPLATES), *texts_of_demonstrations(load_demonstrations()), *known()])
    assert [leak.description() for leak in leaks] == []


def known() -> list[KnownText]:
    """What the samples teach with: labels, FAQs and labelled references."""
    seen = []
    for path in sorted((EXAMPLES / "labels" / "intents").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            seen += [KnownText(f"{path.name} {row['id']}", row["question"]) for row in csv.DictReader(stream)]
    with (EXAMPLES / "courses/data-structures/faq.csv").open(encoding="utf-8", newline="") as stream:
        seen += [KnownText("FAQ", row["question"]) for row in csv.DictReader(stream)]
    faq = (EXAMPLES / "courses/shujujiegou/faq.jsonl").read_text(encoding="utf-8").splitlines()
    seen += [KnownText("FAQ", json.loads(line)["question"]) for line in faq]
    for course in find_courses(EXAMPLES / "courses"):
        seen += [KnownText("labelled reference", one.question) for one in read_labelled(course.path)]
    assert len(seen) > 1_000
    return seen


def test_the_sample_reviews_rate_passages_of_known_questions_by_the_seven_codes(samples: Sets) -> None:
    codes = {choice.value for choice in RELEVANCE.choices}
    asked = {(one.set, one.question) for one in samples.questions}
    rows = [
        (path.parent.parent.name, row)
        for path in sorted(EXAMPLES.glob("courses/*/gold/reference_reviews.csv"))
        for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    ]
    assert len(rows) >= 60
    assert all((course, row["question"]) in asked and row["rating"] in codes for course, row in rows)
    assert {row["reviewer"] for _, row in rows} == {"project author 1 (AI-assisted)"}


def test_the_same_files_are_the_same_bytes(tmp_path: Path, samples: Sets) -> None:
    for name in ("one", "two"):
        write_table(tmp_path / name, rows_of(samples.questions), EVALUATION_QUESTIONS)
    assert digest(tmp_path / "one") == digest(tmp_path / "two")
