"""*Re-execute from failure*, as Dagster's own pages ask for it over GraphQL: of a run of a command, and of the daemon.

The pages name the failed run and a strategy, nothing else (`launchRunReexecution`).
"""

import time
from collections.abc import Iterator
from typing import Any

import dagster as dg
import httpx
import pytest
from small_courses import FAQ, Place, write_course

from knowledge_graph.lake.tables import read_rows
from orchestration.cli.services import dagster_spec, start_service
from serving.llm.processes import free_port

pytestmark = [pytest.mark.slow, pytest.mark.timeout(420)]

REFUSED = "faq:\n  - {type: expect_column_values_to_not_match_regex, kwargs: {column: answer, regex: forum}}\n"
RETRY = """mutation ($run: String!) {
  launchRunReexecution(reexecutionParams: {parentRunId: $run, strategy: FROM_FAILURE}) {
    __typename
    ... on LaunchRunSuccess { run { runId } }
    ... on PythonError { message }
  }
}"""
PATIENCE_S = 180.0
OVER = (dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED)


class Pages:
    """Dagster's webserver, with its daemon, over a home."""

    def __init__(self, url: str, instance: dg.DagsterInstance) -> None:
        self._url, self.instance = url, instance

    def retry(self, run_id: str) -> dg.DagsterRun:
        """Press *Re-execute from failure*, and wait for the run that starts."""
        reply = httpx.post(f"{self._url}/graphql", json={"query": RETRY, "variables": {"run": run_id}}, timeout=60)
        told: dict[str, Any] = reply.json()
        assert not told.get("errors"), told["errors"][0]["message"]
        launched = told["data"]["launchRunReexecution"]
        assert launched["__typename"] == "LaunchRunSuccess", launched
        return self.wait(launched["run"]["runId"])

    def wait(self, run_id: str) -> dg.DagsterRun:
        """A run, once it is over."""
        deadline = time.monotonic() + PATIENCE_S
        while (run := self.instance.get_run_by_id(run_id)) is None or run.status not in OVER:
            assert time.monotonic() < deadline, run
            time.sleep(0.5)
        return run

    def failed_by_the_daemon(self, *others: str) -> dg.DagsterRun:
        """The first run that failed and that the daemon started."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            failed = self.instance.get_runs(dg.RunsFilter(statuses=[dg.DagsterRunStatus.FAILURE]))
            if found := [run for run in failed if run.run_id not in others]:
                return found[-1]
            assert time.monotonic() < deadline, [run.status for run in self.instance.get_runs()]
            time.sleep(0.5)

    def steps(self, run: dg.DagsterRun) -> set[str]:
        """The steps that succeeded in a run."""
        wanted = dg.DagsterEventType.STEP_SUCCESS
        records = self.instance.get_records_for_run(run.run_id, of_type=wanted).records
        events = [record.event_log_entry.dagster_event for record in records]
        return {event.step_key or "" for event in events if event}


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = Place(tmp_path_factory.mktemp("retried"))
    write_course(place.courses / "trees", {"faq.csv": FAQ, "expectations.yaml": REFUSED})
    return place


@pytest.fixture
def pages(place: Place) -> Iterator[Pages]:
    port = free_port(0)
    with place.instance() as instance, start_service(dagster_spec(place.data_dir, port)) as server:
        server.wait_ready()
        yield Pages(f"http://127.0.0.1:{port}", instance)


def test_a_run_that_a_check_stopped_goes_on_where_it_failed_whoever_started_it(
    place: Place, request: pytest.FixtureRequest
) -> None:
    of_command = place.make("trees", "course_card", "faq")
    assert not of_command.succeeded
    pages: Pages = request.getfixturevalue("pages")
    of_daemon = pages.failed_by_the_daemon(of_command.run_id)
    (place.courses / "trees" / "expectations.yaml").unlink()
    for run_id in (of_command.run_id, of_daemon.run_id):
        made = pages.steps(pages.wait(run_id))
        again = pages.retry(run_id)
        assert again.status == dg.DagsterRunStatus.SUCCESS
        assert again.parent_run_id == run_id
        assert "faq" in pages.steps(again)
        assert not made & pages.steps(again), "only what failed, and what waited for it"
    assert len(read_rows(place.data_dir.table("faq", "trees"))) == 3
