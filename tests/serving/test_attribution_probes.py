"""Hand-written probes of the kind "A hash table takes O(log n)" against evidence that says O(1), in two languages."""

import json
from functools import cache
from pathlib import Path

import pytest

from serving.assistant.grounding.attribution import check_sentence
from serving.assistant.grounding.grading import grade_grounding
from serving.index.evidence import Evidence

GOLD = Path(__file__).parent / "gold" / "attribution_probes.jsonl"
LEAST_CAUGHT = LEAST_LEFT_ALONE = 0.9
"""Of the wrong sentences at least so many are caught, of the right ones so many may stand."""


@cache
def rows() -> tuple[dict[str, str], ...]:
    """The probes; the first lines of each language name its concepts."""
    read = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    return tuple(row for row in read if "sentence" in row)


@cache
def concepts() -> tuple[str, ...]:
    read = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    return tuple(name for row in read for name in row.get("concepts", ()))


def evidence(row: dict[str, str]) -> tuple[Evidence, ...]:
    return (Evidence(1, "e", "faq", None, "", row["evidence"]),)


def test_there_are_two_hundred_probes_in_two_languages() -> None:
    assert len(rows()) >= 200
    assert {row["lang"] for row in rows()} == {"en", "zh"}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_wrong_sentences_are_caught_and_right_ones_left_alone(lang: str) -> None:
    stands = {
        (row["id"], bool(row["wrong"])): check_sentence(row["sentence"], evidence(row), concepts=concepts()).may_stand
        for row in rows()
        if row["lang"] == lang
    }
    wrong = [not stood for (_, is_wrong), stood in stands.items() if is_wrong]
    right = [stood for (_, is_wrong), stood in stands.items() if not is_wrong]
    assert sum(wrong) / len(wrong) >= LEAST_CAUGHT
    assert sum(right) / len(right) >= LEAST_LEFT_ALONE


def test_none_that_is_wrong_is_certainly_grounded() -> None:
    sure = []
    for row in rows():
        found = grade_grounding("", row["sentence"], evidence(row), concepts=concepts())
        if row["wrong"] and found.certain and found.grounded:
            sure.append(row["id"])
    assert sure == []
