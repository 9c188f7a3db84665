"""Engines that Dagster's SQLite event logs share."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import sqlalchemy as db
from alembic.runtime.migration import MigrationContext
from alembic.script import Script, ScriptDirectory
from dagster._core.storage.event_log.sqlite import sqlite_event_log
from dagster._core.utils import make_new_run_id
from sqlalchemy.pool import NullPool, QueuePool

from knowledge_graph.lake.home import DataDir
from orchestration.building import kept_engines
from orchestration.building.kept_engines import create_engine, held, keep_engines
from orchestration.resources import HomeResource


def test_an_instance_makes_one_engine_for_each_database_and_its_log_survives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def counted(url: str, **options: Any) -> db.Engine:
        made.append(url)
        return real(url, **options)

    real = db.create_engine
    monkeypatch.setattr(db, "create_engine", counted)
    kept_engines._engine.cache_clear()
    keep_engines()
    key = dg.AssetKey("faq")
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        for _ in range(20):
            instance.report_runless_asset_event(dg.AssetMaterialization(key))
    logs = [url for url in made if "/history/runs/" in url]
    assert logs
    assert len(logs) == len(set(logs))
    with dg.DagsterInstance.local_temp(str(tmp_path)) as again:
        assert len(again.fetch_materializations(key, limit=100).records) == 20


def test_a_removed_database_is_made_anew(tmp_path: Path) -> None:
    keep_engines()
    place = tmp_path / "instance"
    for _ in range(2):
        place.mkdir()
        with dg.DagsterInstance.local_temp(str(place)) as instance:
            instance.report_runless_asset_event(dg.AssetMaterialization("faq"))
            assert len(instance.fetch_materializations(dg.AssetKey("faq"), limit=9).records) == 1
        shutil.rmtree(place)


def test_a_build_checkpoints_its_event_log_at_the_end_and_not_at_each_statement(tmp_path: Path) -> None:
    keep_engines()
    written_ahead = tmp_path / "history" / "runs" / "index.db-wal"
    with held(), held(), dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        instance.report_runless_asset_event(dg.AssetMaterialization("faq"))
        assert written_ahead.stat().st_size > 0
    assert not written_ahead.exists()
    with dg.DagsterInstance.local_temp(str(tmp_path)) as outside:
        outside.report_runless_asset_event(dg.AssetMaterialization("faq"))
        assert not written_ahead.exists()
        assert len(outside.fetch_materializations(dg.AssetKey("faq"), limit=9).records) == 2


def test_a_run_that_writes_in_a_home_keeps_its_event_log_open_as_a_command_does(tmp_path: Path) -> None:
    keep_engines()
    kept = list[bool]()

    @dg.op
    def write(context: dg.OpExecutionContext, data_dir: dg.ResourceParam[DataDir]) -> None:
        context.log.info("one statement")
        kept.append((tmp_path / "history" / "runs" / f"{context.run_id}.db-wal").exists())

    @dg.graph
    def build() -> None:
        write()

    job = build.to_job(resource_defs={"data_dir": HomeResource(root=str(tmp_path / "home"))})
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        assert job.execute_in_process(instance=instance).success
        assert kept == [True], "it would be gone after each statement"
        assert kept_engines._held is None, "and is closed when the run ends"


def test_a_commit_of_the_event_log_waits_for_no_disk(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'log.db'}", poolclass=NullPool)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 1  # NORMAL


def test_alembic_reads_dagsters_revisions_once_for_all_databases_and_they_say_their_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(scripts: ScriptDirectory) -> Iterator[Script]:
        read.append(scripts.dir)
        return real(scripts)

    real = ScriptDirectory._load_revisions
    monkeypatch.setattr(ScriptDirectory, "_load_revisions", counted)
    kept_engines._revisions_of_dagster.cache_clear()
    keep_engines()
    run = make_new_run_id()
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        instance.report_engine_event("begun", run_id=run, job_name="build")
    assert len(read) == 1
    written = [db.create_engine(f"sqlite:///{tmp_path / 'history' / 'runs' / name}.db") for name in ("index", run)]
    revisions = [_revision(each) for each in written]
    assert revisions == [ScriptDirectory(read[0]).get_current_head()] * 2


def _revision(database: db.Engine) -> str | None:
    with database.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def test_an_engine_that_keeps_connections_is_refused() -> None:
    with pytest.raises(ValueError, match="keeps connections"):
        create_engine("sqlite://", poolclass=QueuePool)


def test_databases_have_engines_of_their_own() -> None:
    one, other = (create_engine(f"sqlite:///{name}.db", poolclass=NullPool) for name in "ab")
    assert one is not other
    assert vars(sqlite_event_log)["create_engine"] is create_engine
