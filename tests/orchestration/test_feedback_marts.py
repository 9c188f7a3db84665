"""What dbt counts in the logs: as the store counts it, with serving's intervals, and nothing at all without trouble.

One home has a store with every kind of turn and small simulated logs; another has no store.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow.parquet as pq
import pytest
from asked_store import LISTED, add_everything
from sqlalchemy import select

from assets.evaluation.answer_experiments import answer_experiments
from assets.evaluation.feedback_marts import feedback_marts, simulated_marts
from assets.evaluation.logs import simulated_logs, store_logs
from assets.evaluation.use_over_time import use_over_time
from assets.evaluation.votes_by_form import votes_by_form
from assets.qa_pairs import dbt_models
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.log_schemas import LOGS, MARTS
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.sources.web.settings import WebSettings
from models.statistics.intervals import wilson
from orchestration.reporting.publishing import PublishedTable, read_shown
from orchestration.resources import EvaluationPaths, Inputs, dbt_resource
from serving.evaluation.logs.answer_experiments import own_results
from serving.store.answered_questions import is_answered_in_full, is_question
from serving.store.database import Store, sqlite_url
from serving.store.experiments import read_results
from serving.store.tables.conversation import Feedback, TurnRow

pytestmark = pytest.mark.slow

COUNTED = {
    "thumbs_by_answer": lambda row: (row["up"], row["up"] + row["down"]),
    "thumbs_over_time": lambda row: (row["up"], row["up"] + row["down"]),
    "vote_reasons": lambda row: (row["given"], row["votes"]),
    "coverage_over_time": lambda row: (row["answered"], row["asked"]),
    "satisfaction_over_time": lambda row: (row["satisfying"], row["answers"]),
}


@dataclass(frozen=True)
class Home:
    data_dir: DataDir
    inputs: Inputs

    def make(self, *assets: Any, config: dict[str, Any] | None = None) -> dg.ExecuteInProcessResult:
        """Only these; what they read was made before."""
        known = {"data_dir": self.data_dir, "inputs": self.inputs, "dbt": dbt_resource()}
        with dg.DagsterInstance.ephemeral() as instance:
            return dg.materialize(list(assets), resources=known, run_config={"ops": config or {}}, instance=instance)

    def mart(self, name: str, *, simulated: bool = False) -> list[dict[str, Any]]:
        return read_rows(self.data_dir.mart(name, simulated=simulated))

    def table(self, name: str) -> PublishedTable:
        return read_shown(self.data_dir.evaluation_tables / f"{name}.json")


def home_at(root: Path, releases: Path | None = None) -> Home:
    paths = EvaluationPaths(releases=releases)
    url = sqlite_url(root / "store.db")
    return Home(DataDir(root), Inputs(root, root, None, "http://mlflow", "", WebSettings(), url, evaluation=paths))


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Home:
    root = tmp_path_factory.mktemp("asked")
    (root / "releases.yaml").write_text("- {at: 2026-03-01, name: new prompts}\n")
    home = home_at(root, root / "releases.yaml")
    store = Store.open(home.inputs.store_url)
    store.write(add_everything)
    store.close()
    simulated = {"simulated_logs": {"config": {"courses": 5, "turns": 6000, "seed": 1}}}
    assert home.make(store_logs, simulated_logs, feedback_marts, simulated_marts, config=simulated).success
    return home


@pytest.fixture(scope="module")
def store(asked: Home) -> Iterator[Store]:
    store = Store.open(asked.inputs.store_url)
    yield store
    store.close()


@pytest.fixture(scope="module")
def unasked(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Without a store, and with simulated logs that nobody took part in."""
    home = home_at(tmp_path_factory.mktemp("unasked"))
    none = {"simulated_logs": {"config": {"turns": 0}}}
    assert home.make(store_logs, simulated_logs, feedback_marts, simulated_marts, config=none).success
    return home


def monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def test_logs_hold_every_row_and_no_name(asked: Home, store: Store) -> None:
    turns = read_rows(asked.data_dir.logs_table("turns"))
    assert len(turns) == len(store.read(lambda db: db.scalars(select(TurnRow)).all()))
    told = str([read_rows(asked.data_dir.logs_table(name)) for name in LOGS])
    assert [word for word in ("person-", "session-", "expert-", "Ming", "A tree.") if word in told] == []


def test_a_multiple_choice_question_says_whether_its_options_were_given(asked: Home) -> None:
    turns = read_rows(asked.data_dir.logs_table("turns"))
    assert all((row["has_options"] is None) == (row["form"] != "mcq") for row in turns)
    assert all(row["has_options"] == (row["question"] == LISTED) for row in turns if row["form"] == "mcq")


def test_coverage_is_counted_by_the_rule_of_the_gateways_alert(asked: Home, store: Store) -> None:
    query = select(TurnRow.course_id, TurnRow.asked_at, is_question(), is_answered_in_full())
    expected: Counter[tuple[str | None, date, str]] = Counter()
    for course_id, at, asks, answers in store.read(lambda db: db.execute(query).all()):
        expected[course_id, monday(at.date()), "asked"] += bool(asks)
        expected[course_id, monday(at.date()), "answered"] += bool(asks and answers)
    found = {
        (row["course_id"], row["begins"], what): row[what]
        for row in asked.mart("coverage_over_time")
        if row["period"] == "week"
        for what in ("asked", "answered")
    }
    assert found == dict(expected)


def test_a_course_with_small_talk_alone_has_no_share(asked: Home) -> None:
    (row,) = [
        row for row in asked.mart("coverage_over_time") if row["course_id"] == "quiet" and row["period"] == "week"
    ]
    assert (row["asked"], row["answered"], row["share"], row["low"], row["high"]) == (0, 0, None, None, None)


@pytest.mark.parametrize("simulated", [False, True])
@pytest.mark.parametrize("name", COUNTED)
def test_shares_have_the_intervals_of_serving(asked: Home, name: str, *, simulated: bool) -> None:
    rows = asked.mart(name, simulated=simulated)
    assert rows
    for row in rows:
        expected = wilson(*COUNTED[name](row))
        found = (row["share"], row["low"], row["high"])
        assert found == pytest.approx((expected.value, expected.low, expected.high), abs=1e-9)


def test_thumbs_are_told_by_route_form_options_and_source(asked: Home, store: Store) -> None:
    query = select(TurnRow.route, TurnRow.source, Feedback.thumb).join(Feedback, Feedback.trace_id == TurnRow.trace_id)
    expected = Counter(
        (route, source, thumb) for route, source, thumb in store.read(lambda db: db.execute(query).all())
    )
    found: Counter[tuple[str | None, str | None, int]] = Counter()
    for row in asked.mart("thumbs_by_answer"):
        found[row["route"], row["source"], 1] += row["up"]
        found[row["route"], row["source"], -1] += row["down"]
    assert +found == expected
    assert {row["has_options"] for row in asked.mart("thumbs_by_answer") if row["form"] == "mcq"} == {True, False}


def test_a_thumb_with_two_reasons_counts_for_both(asked: Home) -> None:
    ups = {row["reason"]: (row["given"], row["votes"]) for row in asked.mart("vote_reasons") if row["thumb"] == 1}
    assert ups["correct"] == ups["fast"]
    given = ups["correct"][0] + ups["thorough_explanation"][0]
    assert given == ups["fast"][1], "every thumb up has a reason here"


def test_answers_that_two_experts_see_otherwise_satisfy_by_half(asked: Home) -> None:
    ratings = [row for row in read_rows(asked.data_dir.logs_table("ratings")) if row["form"] == "satisfaction"]
    by_answer: dict[str, list[int]] = {}
    for row in ratings:
        by_answer.setdefault(row["trace_id"], []).append(int(row["value"]))
    weeks = [row for row in asked.mart("satisfaction_over_time") if row["period"] == "week"]
    assert sum(row["answers"] for row in weeks) == len(by_answer)
    expected = sum(sum(values) / len(values) for values in by_answer.values())
    assert sum(row["satisfying"] for row in weeks) == pytest.approx(expected)
    assert 0.5 in {sum(values) / len(values) for values in by_answer.values()}


def test_experiments_come_to_what_the_gateway_shows(asked: Home, store: Store) -> None:
    found = own_results(asked.mart("experiment_buckets"))["prompts"]
    assert found == store.read(lambda db: read_results(db, "prompts"))
    assert found.variants[2].coverage.rate.value is None, "nobody met it"


def test_marts_have_their_columns_and_types(asked: Home, unasked: Home) -> None:
    for home in (asked, unasked):
        assert {name: pq.read_schema(home.data_dir.mart(name)) for name in MARTS} == MARTS


def test_without_a_store_there_are_empty_logs_and_marts(unasked: Home) -> None:
    assert [read_rows(unasked.data_dir.logs_table(name)) for name in LOGS] == [[]] * len(LOGS)
    assert [unasked.mart(name) for name in MARTS] == [[]] * len(MARTS)
    assert not unasked.data_dir.store.exists()


def test_an_experiment_that_nobody_met_has_buckets_of_nothing(unasked: Home) -> None:
    rows = unasked.mart("experiment_buckets", simulated=True)
    assert len(rows) == 6
    assert {row[name] for row in rows for name in ("exposed", "people", "x", "y", "xx", "xy", "yy")} == {0}
    assert own_results(rows)["answering models"].sample_ratio is None


def test_the_build_of_pairs_leaves_these_models_alone() -> None:
    names = {key.path[-1] for key in dbt_models.keys}
    assert "qa_pairs" in names
    assert not names & {*MARTS, "stg_turns", "stg_votes"}


def test_tables_are_made_of_the_stores_rows_where_there_are_some(asked: Home) -> None:
    assert asked.make(use_over_time, votes_by_form, answer_experiments).success
    use, votes, experiments = (asked.table(name) for name in ("use_over_time", "votes_by_form", "answer_experiments"))
    assert [row[0] for row in use.table.rows] == ["2026-02", "2026-03", "before new prompts", "from new prompts on"]
    assert set(use.made_of) == {"sessions_over_time", "satisfaction_over_time", "releases"}
    metrics = votes.table.metrics()
    assert {"simulated/options_lift", "store/frq"} <= set(metrics)
    assert "own_0/sample_ratio" in experiments.table.metrics()
    assert experiments.table.metrics()["explanations/thumbs_up/explained_answer"] == pytest.approx(0.75, abs=0.1)


def test_without_rows_use_over_time_is_of_simulated_logs_and_says_so(unasked: Home) -> None:
    assert unasked.make(use_over_time, votes_by_form).success
    use = unasked.table("use_over_time")
    assert use.table.notes[0].text.startswith("Simulated")
    assert use.pictures["use_over_time.png"].startswith("Simulated logs.")
    assert unasked.table("votes_by_form").table.metrics() == {"simulated/votes": 0.0}
