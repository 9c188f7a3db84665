"""`docs/results.md` as it is committed: made by code from what `results.json` holds, and not older than its sources."""

import json

import pytest

from assets.evaluation.evaluation_report import DOCUMENT, PICTURES, RECORD, folder_digest
from orchestration.definitions import defs
from orchestration.resources import PROJECT
from serving.evaluation.report import EvaluationReport, document, from_json

DOCS = PROJECT / "docs"
AGAIN = "docs/results.md is older than what it was made of. Run `make report` and commit what it writes."


@pytest.fixture(scope="module")
def report() -> EvaluationReport:
    return from_json(json.loads((DOCS / RECORD).read_text(encoding="utf-8")))


def test_the_document_is_what_its_record_says(report: EvaluationReport) -> None:
    assert (DOCS / DOCUMENT).read_text(encoding="utf-8") == document(report, folder=PICTURES, json_name=RECORD)


def test_every_number_is_a_metric_of_the_run_below_its_table(report: EvaluationReport) -> None:
    assert report.entries
    assert all(entry.run_id for entry in report.entries)
    assert {entry.table.name: names for entry in report.entries if (names := entry.list_untracked())} == {}


def test_it_was_made_from_the_sample_courses_and_labels_as_they_are(report: EvaluationReport) -> None:
    samples = {"courses": folder_digest(PROJECT / "examples" / "courses")}
    samples["labels"] = folder_digest(PROJECT / "examples" / "labels")
    assert dict(report.inputs) == samples, AGAIN


def test_it_was_made_by_the_code_as_it_is(report: EvaluationReport) -> None:
    specs = {spec.key.to_user_string(): spec.code_version for spec in defs().resolve_all_asset_specs()}
    assert {name: version for name, version in report.versions.items() if specs.get(name) != version} == {}, AGAIN
    assert {"search_index", "system_answers", "rouge_table"} <= report.versions.keys()


def test_every_picture_that_it_shows_lies_beside_it(report: EvaluationReport) -> None:
    shown = {file for entry in report.entries for file in entry.pictures}
    assert shown == {path.name for path in (DOCS / PICTURES).iterdir()}
