"""Dagster's record in a real PostgreSQL: a home that is built by it, and what is told when it cannot be asked."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import psycopg
import pytest
from postgres import PASSWORD, Postgres, running_postgres
from small_courses import Place, write_two_courses

from orchestration.building.dagster_record import (
    IN_POSTGRES,
    RecordElsewhere,
    RecordUnreachable,
    open_record,
    prepare_instance_folder,
)
from orchestration.cli.build_command import open_instance
from orchestration.resources import PipelineSettings


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture
def url(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The setting, with a database of its own."""
    name = postgres.new_database()
    told = postgres.url(name).replace("postgresql:", "postgresql+psycopg2:")
    monkeypatch.setenv("COTEACH_DAGSTER_URL", told)
    yield told
    postgres.drop(name)


def settings(home: Path) -> PipelineSettings:
    return PipelineSettings(home=home)


@pytest.mark.slow
def test_a_home_is_built_by_a_record_in_postgresql_and_found_up_to_date_by_it(
    url: str, postgres: Postgres, tmp_path: Path
) -> None:
    place = Place(tmp_path)
    write_two_courses(place.courses)
    code, printed = place.build()
    assert code == 0, printed
    code, printed = place.build()
    assert code == 0
    assert "Everything is up to date" in printed
    folder = place.data_dir.dagster
    assert not (folder / "history").exists()
    assert PASSWORD not in (folder / "dagster.yaml").read_text()
    with psycopg.connect(url.replace("+psycopg2", "")) as connection:
        runs = connection.execute("SELECT status, count(*) FROM runs GROUP BY status").fetchall()
    assert [status for status, _ in runs] == ["SUCCESS"]


def test_another_home_of_the_same_database_has_the_same_record(url: str, tmp_path: Path) -> None:
    with open_instance(settings(tmp_path / "one")) as instance:
        instance.add_dynamic_partitions("courses", ["ds"])
    with open_instance(settings(tmp_path / "two")) as instance:
        assert instance.get_dynamic_partitions("courses") == ["ds"]


def test_a_database_that_is_not_there_is_told_with_its_host_and_without_the_password(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COTEACH_DAGSTER_URL", f"postgresql+psycopg2://coteach:{PASSWORD}@127.0.0.1:1/dagster")
    there = settings(tmp_path)
    with (
        pytest.raises(RecordUnreachable, match=r"127\.0\.0\.1.*nothing of the home is lost") as told,
        open_instance(there),
    ):
        pass
    assert PASSWORD not in str(told.value)


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("orchestration.building.dagster_record.find_spec", lambda name: None)
    url = "postgresql+psycopg2://there/dagster"
    with pytest.raises(RecordUnreachable, match=r"coteach\[postgres\]"), open_record(tmp_path, url):
        pass


def test_an_address_without_the_driver_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COTEACH_DAGSTER_URL", "postgresql://coteach@there/dagster")
    with pytest.raises(ValueError, match="dagster_url"):
        settings(tmp_path)


def test_the_folder_follows_the_setting_and_leaves_what_a_person_changed(tmp_path: Path) -> None:
    of_sqlite = (prepare_instance_folder(tmp_path) / "dagster.yaml").read_text()
    shared = (prepare_instance_folder(tmp_path, in_postgres=True) / "dagster.yaml").read_text()
    assert shared == of_sqlite + IN_POSTGRES
    assert (prepare_instance_folder(tmp_path) / "dagster.yaml").read_text() == of_sqlite
    (tmp_path / "dagster.yaml").write_text("telemetry:\n  enabled: false\n")
    with pytest.raises(RecordElsewhere, match="names no storage"):
        prepare_instance_folder(tmp_path, in_postgres=True)
    (tmp_path / "dagster.yaml").write_text(f"telemetry:\n  enabled: false\n{IN_POSTGRES}")
    kept = prepare_instance_folder(tmp_path, in_postgres=True) / "dagster.yaml"
    assert kept.read_text().startswith("telemetry")


def test_what_dagster_reads_of_such_a_folder_is_a_storage_in_postgresql(url: str, tmp_path: Path) -> None:
    with dg.DagsterInstance.from_config(str(prepare_instance_folder(tmp_path, in_postgres=True))) as instance:
        stores = (instance.event_log_storage, instance.run_storage, instance.schedule_storage)
        assert [type(one).__name__[:8] for one in stores] == ["Postgres"] * 3
        assert instance.run_monitoring_enabled
