"""Where Dagster keeps its record of a home: the folder inside the home, and the database that it names.

The record is SQLite's, beside that folder's `dagster.yaml`, unless COTEACH_DAGSTER_URL names a PostgreSQL database:
then pages, daemon, code location and commands on several machines share it. Changing from one to the other begins a
new record, and a new record knows nothing of what was built.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import dagster as dg
from dagster._core.definitions.repository_definition import SINGLETON_REPOSITORY_NAME
from dagster._core.remote_origin import RegisteredCodeLocationOrigin, RemoteJobOrigin, RemoteRepositoryOrigin
from sqlalchemy.exc import SQLAlchemyError

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import write_text_atomic
from orchestration.building.up_to_date import HAS_STORAGE

CODE_LOCATION = "coteach"
"""The name of the code location in `workspace.yaml`, for `dg` and in deployments."""
_OWN = Path(__file__).with_name("dagster.yaml")
_EARLIER = frozenset(
    (
        "dd43001a5e2557201dd9fc818b66023377aa9e6d6e1d357a97ae0372cd60d74e",  # before there were pools
        "e137387551e9dae0319b0b0e366d285cd09a3be1db997b45cb34a0911865f001",  # before runs left the queue each second
        "b538b31ad1d771aa9407289979f4ee5baffc0d61f6abd742c125e8c7df6f48b0",  # before runs waited for a code server
    )
)
"""SHA-256 of what earlier versions wrote into homes."""
IN_POSTGRES = """
storage:
  postgres:
    postgres_url:
      env: COTEACH_DAGSTER_URL
"""
"""What is added to `dagster.yaml` where a database is set. The file holds no password."""
_REASON = 200
"""Characters of what a library says."""


class RecordElsewhere(CoteachError):
    """A setting, and a `dagster.yaml` that somebody changed, which name two places for the record."""


class RecordUnreachable(CoteachError):
    """The database of the record cannot be asked."""


def prepare_instance_folder(folder: Path, *, in_postgres: bool = False) -> Path:
    """Dagster's own folder inside the home, whose `dagster.yaml` says where the record is.

    A file that a person wrote or changed is left alone, one that coteach wrote is brought up to date. Raises
    `RecordElsewhere` when a person's names no storage and a database is set.
    """
    folder.mkdir(parents=True, exist_ok=True)
    settings, own = folder / "dagster.yaml", _OWN.read_bytes()
    shared = own + IN_POSTGRES.encode()
    wanted = shared if in_postgres else own
    there = settings.read_bytes() if settings.exists() else wanted
    if there in (own, shared) or hashlib.sha256(there).hexdigest() in _EARLIER:
        if not settings.exists() or there != wanted:
            write_text_atomic(settings, wanted.decode())
    elif in_postgres and not HAS_STORAGE.search(there):
        raise RecordElsewhere(
            f"COTEACH_DAGSTER_URL is set, and {settings}, which somebody changed, names no storage. Add to it:\n"
            f"{IN_POSTGRES}"
        )
    return folder


def name_code_location(instance: dg.DagsterInstance, run_id: str) -> None:
    """Note in the record of a run that a process of its own executed where its job is defined.

    Dagster's pages look there when a person presses *Re-execute*, and refuse a run that does not say it. Call it when
    the run is over, or what happens meanwhile may be overwritten; a run that is not there is left alone.
    """
    run = instance.get_run_by_id(run_id)
    if run is not None and run.remote_job_origin is None:
        repository = RemoteRepositoryOrigin(RegisteredCodeLocationOrigin(CODE_LOCATION), SINGLETON_REPOSITORY_NAME)
        instance.run_storage.replace_job_origin(run, RemoteJobOrigin(repository, run.job_name))


@contextmanager
def open_record(folder: Path, url: str | None) -> Iterator[dg.DagsterInstance]:
    """The instance of a prepared folder, which DAGSTER_HOME names; `url` is of its database, if it has one.

    Raises `RecordUnreachable` when that database cannot be asked, with its host and nothing else of the address.
    """
    if url is None:
        with dg.DagsterInstance.get() as instance:
            yield instance
        return
    if find_spec("dagster_postgres") is None:
        raise RecordUnreachable("COTEACH_DAGSTER_URL needs another package: `pip install 'coteach[postgres]'`.")
    from dagster_postgres.utils import DagsterPostgresException  # noqa: PLC0415  of an extra

    try:
        with dg.DagsterInstance.get() as instance:
            yield instance
    except (SQLAlchemyError, DagsterPostgresException) as error:
        reason = (str(error.__cause__ or error).splitlines() or [""])[0][:_REASON]
        raise RecordUnreachable(
            f"Dagster's record, in the database of COTEACH_DAGSTER_URL on {urlsplit(url).hostname or folder}, cannot "
            f"be used: {reason}. See that it runs and that the login is right; nothing of the home is lost."
        ) from error
