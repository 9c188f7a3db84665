"""Simulated logs: the schema of real ones, the same rows from the same seed, and the effects that were put in."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from knowledge_graph.lake.log_schemas import LOGS
from models.statistics.intervals import difference, wilson
from serving.evaluation.logs.log_design import LogDesign, VoteDesign
from serving.evaluation.logs.log_rows import has_options, log_row
from serving.evaluation.logs.simulated_logs import simulate_logs

DESIGN = LogDesign(courses=7, turns=40_000, seed=3)


@pytest.fixture(scope="module")
def logs() -> dict[str, pa.Table]:
    return simulate_logs(DESIGN)


def rows(logs: dict[str, pa.Table], name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = logs[name].to_pylist()
    return found


def test_every_log_has_the_schema_of_the_stores(logs: dict[str, pa.Table]) -> None:
    assert {name: table.schema for name, table in logs.items()} == LOGS


def test_the_same_seed_gives_the_same_rows_and_another_gives_others() -> None:
    small = replace(DESIGN, turns=300)
    assert all(simulate_logs(small)[name].equals(simulate_logs(small)[name]) for name in LOGS)
    assert not simulate_logs(small)["turns"].equals(simulate_logs(replace(small, seed=4))["turns"])


def test_there_are_as_many_questions_and_courses_as_asked_for_in_order_of_time(logs: dict[str, pa.Table]) -> None:
    turns = rows(logs, "turns")
    assert len(turns) == 40_000
    assert len({row["course_id"] for row in turns}) == 7
    assert [row["asked_at"] for row in turns] == sorted(row["asked_at"] for row in turns)


def test_no_question_is_no_trouble() -> None:
    empty = simulate_logs(replace(DESIGN, turns=0))
    assert [empty[name].num_rows for name in ("turns", "feedback", "ratings", "exposures")] == [0, 0, 0, 0]


def test_a_design_without_a_course_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 course and 0 turns; found 0 and 10"):
        simulate_logs(LogDesign(courses=0, turns=10))


def test_rounds_of_a_session_follow_each_other(logs: dict[str, pa.Table]) -> None:
    places: dict[str, list[int]] = {}
    for row in rows(logs, "turns"):
        places.setdefault(row["session"], []).append(row["position"])
    assert all(found == list(range(len(found))) for found in places.values())


def test_sessions_are_as_long_as_designed_before_and_after_the_release(logs: dict[str, pa.Table]) -> None:
    lengths: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    released = datetime(DESIGN.released.year, DESIGN.released.month, DESIGN.released.day)  # noqa: DTZ001
    began: dict[str, bool] = {}
    for row in rows(logs, "turns"):
        late = began.setdefault(row["session"], row["asked_at"] >= released)
        lengths[late][row["session"]] += 1
    for late, design in zip((False, True), DESIGN.sessions, strict=True):
        found = list(lengths[late].values())
        assert sum(found) / len(found) == pytest.approx(design.mean_rounds, rel=0.05)
        assert found.count(1) / len(found) == pytest.approx(design.single, abs=0.03)


def test_a_vote_design_holds_the_effects_of_the_paper() -> None:
    votes = VoteDesign()
    multiple_choice = 0.6 * votes.with_options_up + 0.4 * votes.without_options_up
    assert multiple_choice / votes.free_response == pytest.approx(1 - 0.21)
    assert votes.with_options_up / votes.without_options_up == pytest.approx(1.9)
    before = (1 - 0.435) * 0.6 + 0.435 * multiple_choice
    after = ((1 - 0.435) * 0.6 + 0.435 * 0.6 * votes.with_options_up) / (1 - 0.435 * 0.4)
    assert after - before == pytest.approx(0.05, abs=0.001)


def test_thumbs_show_the_forms_effect_within_its_interval(logs: dict[str, pa.Table]) -> None:
    asked = {row["trace_id"]: row for row in rows(logs, "turns")}
    up: Counter[bool | None] = Counter()
    n: Counter[bool | None] = Counter()
    for vote in rows(logs, "feedback"):
        with_options = asked[vote["trace_id"]]["has_options"]
        n[with_options] += 1
        up[with_options] += vote["thumb"] > 0
    apart = difference(wilson(up[True], n[True]), wilson(up[False], n[False]))
    designed = DESIGN.votes.with_options_up - DESIGN.votes.without_options_up
    assert apart.low is not None
    assert apart.high is not None
    assert apart.low < designed < apart.high


def test_only_answers_get_thumbs_and_each_person_is_in_one_bucket(logs: dict[str, pa.Table]) -> None:
    turns = rows(logs, "turns")
    answers = {row["trace_id"] for row in turns if row["route"] in ("direct", "teach", "explain")}
    assert {row["trace_id"] for row in rows(logs, "feedback")} <= answers
    buckets = {(row["person"], row["variant"]) for row in turns if row["variant"]}
    assert len(buckets) == len({person for person, _ in buckets})
    assert buckets == {(row["person"], row["variant"]) for row in rows(logs, "exposures")}


def test_a_question_of_the_store_says_whether_it_had_options() -> None:
    listed = "Which of these is a tree?\nA. a ring\nB. a heap\nC. a row"
    assert has_options(listed)
    assert not has_options("Which of the following is a tree?")
    asked = {"question": listed, "form": "mcq", "asked_at": datetime(2026, 3, 1, 12, tzinfo=UTC)}
    assert log_row(asked)["has_options"] is True
    assert log_row(asked)["asked_at"].tzinfo is None
    assert log_row({**asked, "form": "frq"})["has_options"] is None
