"""The figures of the intent model in README and documentation are those that `benchmarks/intent_systems.py` wrote."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from knowledge_graph.lake.tables import digest
from models.statistics.paired import LEVEL

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from intent_systems import ASKED, ahead_of, rows_of  # noqa: E402  a benchmark, not of a package

BASELINE = ASKED[0]
SERVED = "ALBERT and bag, turn before, with sentence embeddings"


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    written: dict[str, Any] = json.loads((ROOT / "docs" / "intent_systems.json").read_text(encoding="utf-8"))
    return written


def short(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def test_the_table_for_ml_engineers_is_the_one_that_was_written(found: dict[str, Any]) -> None:
    text = (ROOT / "docs" / "for-ml-engineers.md").read_text(encoding="utf-8")
    assert [row for row in rows_of(found) if row not in text] == []


@pytest.mark.parametrize("name", ["vta", "labels"])
def test_the_readme_says_how_far_what_serves_is_ahead(found: dict[str, Any], name: str) -> None:
    of_set = found["sets"][name]
    served, baseline = of_set["systems"][SERVED], of_set["systems"][BASELINE]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if ahead_of(served) in line]
    for figure in (
        *(served[one] for one in ("macro_f1", "chat_auc")),
        *(baseline[one] for one in ("macro_f1", "chat_auc")),
    ):
        assert short(figure) in line
    assert f"{of_set['questions']:,}" in line


@pytest.mark.parametrize("name", ["vta", "labels"])
def test_what_serves_reaches_the_aim_and_is_what_the_rule_chooses(found: dict[str, Any], name: str) -> None:
    systems = found["sets"][name]["systems"]
    served, baseline = systems[SERVED], systems[BASELINE]
    assert served["ahead"][0] >= 0.05
    assert served["ahead"][1] > 0
    assert served["chat_auc"] >= baseline["chat_auc"]
    assert served["chat_f1"] >= baseline["chat_f1"]
    assert served["by_the_rule"] == ["best", "chosen"]
    assert all(one["p"] <= LEVEL for system, one in systems.items() if system != SERVED)


def test_the_packaged_labels_are_those_that_the_figures_are_of(found: dict[str, Any]) -> None:
    assert found["sets"]["labels"]["digest"] == digest(ROOT / "examples" / "labels"), (
        "The labels are others now: run benchmarks/intent_systems.py again, as its first lines say."
    )
