"""The report as a document: nothing is left out, and it says what is not tracked."""

import json

from serving.evaluation.report import EvaluationReport, ReportEntry, document, from_json, to_json
from serving.evaluation.tables import MeasuredNumber, Table


def entry(
    name: str, value: float, *, tracked: float | None = None, pictures: dict[str, str] | None = None
) -> ReportEntry:
    table = Table(name, name.title(), "LittleMu, Table 9", ("a", "b"), (("ours", MeasuredNumber("ours", value)),))
    metrics = {"ours": value if tracked is None else tracked}
    return ReportEntry(table, metrics, {"questions": "d" * 64}, pictures or {}, "run1", "3")


REPORT = EvaluationReport(
    (entry("surprise", 0.25), entry("human_ratings", 1.5, pictures={"bars.png": "Ratings by category."})),
    inputs={"courses": "c" * 64},
    versions={"graph": "2"},
)


def test_every_table_is_in_the_document_in_the_order_of_its_sections() -> None:
    text = document(REPORT, folder="results", json_name="results.json")
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == ["# Results", "## What people said", "### Human_Ratings", "## More", "### Surprise"]
    assert "![Ratings by category.](results/bars.png)" in text


def test_every_table_names_its_run_and_what_it_was_made_of() -> None:
    text = document(REPORT, folder="results", json_name="results.json")
    assert text.count("MLflow run `run1`") == 2
    assert "code version 3; made of questions `dddddddddddd`" in text


def test_a_number_that_its_run_does_not_hold_is_named() -> None:
    assert entry("t", 0.5).list_untracked() == []
    assert entry("t", 0.5, tracked=0.51).list_untracked() == ["ours"]


def test_a_report_comes_back_from_json_and_makes_the_same_document() -> None:
    again = from_json(json.loads(json.dumps(to_json(REPORT))))
    assert document(again, folder="r", json_name="j") == document(REPORT, folder="r", json_name="j")
