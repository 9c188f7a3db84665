"""Runs whose process died: Dagster's log says they still run, so what they left undone would never be planned again."""

import json
import socket
import time

import dagster as dg
from dagster._core.storage.tags import GRPC_INFO_TAG

from knowledge_graph.lake.home import DataDir
from orchestration.building.home_lock import life_of

_LONGEST_START_S = 600.0
"""A run that has started takes the home's lock within seconds; on a machine under load within minutes."""

_LONGEST_TO_BEGIN_S = 60.0
"""A run is queued, or begun by the process that made it, as soon as it was made. A command that was killed in between
leaves one that nobody begins; Dagster's monitoring gives it up after five minutes, and nothing starts before."""

_TO_ANSWER_S = 2.0
"""For a server on this machine to take a connection; one that is slower than that is busy, and there."""

_NOT_BEGUN = dg.DagsterRunStatus.NOT_STARTED
_STARTING = dg.DagsterRunStatus.STARTING
_UNDER_WAY = [_NOT_BEGUN, _STARTING, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING]


def fail_dead_runs(instance: dg.DagsterInstance, data_dir: DataDir) -> list[str]:
    """Mark runs as failed whose process is gone; return their ids. What they left undone is planned again then."""
    dead = []
    for record in instance.get_run_records(dg.RunsFilter(statuses=_UNDER_WAY)):
        run = record.dagster_run
        if _is_dead(data_dir, record):
            instance.report_run_failed(run, "The process of this run ended without a word; it is planned again.")
            data_dir.run_alive(run.run_id).unlink(missing_ok=True)
            dead.append(run.run_id)
    return dead


def _is_dead(data_dir: DataDir, record: dg.RunRecord) -> bool:
    if record.dagster_run.status == _NOT_BEGUN:
        return time.time() - record.create_timestamp.timestamp() > _LONGEST_TO_BEGIN_S
    if record.dagster_run.status == _STARTING:
        return is_server_gone(record.dagster_run.tags.get(GRPC_INFO_TAG))
    is_alive = life_of(data_dir, record.dagster_run.run_id)
    if is_alive is None:  # it never took the home's lock
        return record.start_time is not None and time.time() - record.start_time > _LONGEST_START_S
    return not is_alive


def is_server_gone(told: str | None) -> bool:
    """Whether nobody listens where the server was that was to start a run, by the tag that Dagster gives the run.

    A server that lives starts its runs or says that it could not. One that was killed with the daemon leaves them as
    they were; Dagster's monitoring gives them up after five minutes, and nothing starts before.
    """
    place = json.loads(told) if told else {}
    try:
        if "socket" in place:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(_TO_ANSWER_S)
                client.connect(place["socket"])
        elif "port" in place:
            socket.create_connection((place["host"], place["port"]), timeout=_TO_ANSWER_S).close()
    except (FileNotFoundError, ConnectionRefusedError):
        return True
    except OSError:
        return False
    return False
