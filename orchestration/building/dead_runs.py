"""Runs whose process died: Dagster's log says they still run, so what they left undone would never be planned again."""

import json
import socket
import time

import dagster as dg
from dagster._core.storage.tags import GRPC_INFO_TAG

from knowledge_graph.lake.home import DataDir
from orchestration.building.dagster_record import name_code_location
from orchestration.building.home_lock import life_of

_LONGEST_START_S = 600.0
"""For a run that something else than this project's code server or command line executes, from its start until it
asks for the home."""

_LONGEST_TO_BEGIN_S = 60.0
"""A run is queued, or begun by the process that made it, as soon as it was made. A command that was killed in between
leaves one that nobody begins; Dagster's monitoring gives it up after five minutes, and nothing starts before."""

_LONGEST_TO_NAME_S = 20.0
"""From *starting* to the name of the server that is asked to start the run: one look into the workspace. A daemon that
was killed in between leaves a run that no server knows of."""

_LONGEST_TO_FORK_S = 90.0
"""From *starting* to a process. Dagster waits sixty seconds for its server, and says then that the run failed; a daemon
that was killed while it waited says nothing."""

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
            name_code_location(instance, run.run_id)
            data_dir.run_alive(run.run_id).unlink(missing_ok=True)
            dead.append(run.run_id)
    return dead


def _is_dead(data_dir: DataDir, record: dg.RunRecord) -> bool:
    """A run that is said to have failed and begins after all ends at once: Dagster asks its record first."""
    run, now = record.dagster_run, time.time()
    is_alive = life_of(data_dir, run.run_id)
    if is_alive is not None:
        return not is_alive
    unchanged_s = now - record.update_timestamp.timestamp()
    if run.status == _NOT_BEGUN:
        return now - record.create_timestamp.timestamp() > _LONGEST_TO_BEGIN_S
    if run.status == _STARTING:
        server = run.tags.get(GRPC_INFO_TAG)
        return is_server_gone(server) or unchanged_s > (_LONGEST_TO_FORK_S if server else _LONGEST_TO_NAME_S)
    return record.start_time is not None and now - record.start_time > _LONGEST_START_S


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
