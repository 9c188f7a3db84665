"""272 hand-written probes in two languages: a fact, and what becomes of it with another subject, number or denial."""

import csv
from collections import Counter

import pytest

from serving.assistant.grounding.grading import Grounding, Record, grade_record
from serving.evaluation.sets.groundedness_pairs import PROBES

Probe = dict[str, str]


@pytest.fixture(scope="module")
def graded() -> list[tuple[Probe, Grounding]]:
    with PROBES.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    return [
        (row, grade_record(Record(number, "", (row["evidence"],), row["answer"]))) for number, row in enumerate(rows)
    ]


def test_there_are_as_many_of_each_kind_in_both_languages(graded: list[tuple[Probe, Grounding]]) -> None:
    counts = Counter((row["lang"], row["kind"]) for row, _ in graded)
    assert set(counts.values()) == {34}
    assert len(counts) == 8


def test_a_swapped_subject_number_or_denial_is_never_certainly_grounded(graded: list[tuple[Probe, Grounding]]) -> None:
    sure = [row["answer"] for row, found in graded if row["kind"] != "right" and found.grounded and found.certain]
    assert sure == []


def test_what_the_evidence_says_is_certainly_grounded(graded: list[tuple[Probe, Grounding]]) -> None:
    unsure = [
        row["answer"] for row, found in graded if row["kind"] == "right" and not (found.grounded and found.certain)
    ]
    assert unsure == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_most_other_numbers_and_denials_are_certainly_not_grounded(
    graded: list[tuple[Probe, Grounding]], lang: str
) -> None:
    found = [one for row, one in graded if row["lang"] == lang and row["kind"] in ("number", "negation")]
    assert sum(one.certain and not one.grounded for one in found) >= 0.8 * len(found)
