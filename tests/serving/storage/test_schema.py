"""The schema of a database: made, upgraded, refused; the migrations and the tables say the same."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect, text

from serving.store import schema
from serving.store.database import Store
from serving.store.database_errors import StoreForeign
from serving.store.engines import open_engines, parse_url
from serving.store.tables.base import Base


def test_the_migrations_make_what_the_tables_say(store: Store) -> None:
    with store._engines.reader.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []


def test_every_constraint_has_a_name_that_a_later_migration_can_use(store: Store) -> None:
    with store._engines.reader.connect() as connection:
        found = inspect(connection)
        named = [
            key["name"]
            for table in Base.metadata.tables
            for key in (*found.get_foreign_keys(table), *found.get_unique_constraints(table))
        ]
    assert None not in named
    assert "fk_turns_session_id_sessions" in named


def test_a_database_knows_its_version_and_opening_it_again_changes_nothing(empty_url: str) -> None:
    engines = open_engines(parse_url(empty_url))
    assert schema.bring_to_head(engines) is None
    assert schema.bring_to_head(engines) == schema.head()
    engines.dispose()


def test_a_database_of_a_newer_coteach_is_refused(store_url: str) -> None:
    store = Store.open(store_url)
    store.write(lambda db: db.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    store.close()
    with pytest.raises(StoreForeign, match=r"has schema 9999; this coteach knows .* upgrade this one"):
        Store.open(store_url)


def test_a_database_of_another_program_is_left_alone(empty_url: str) -> None:
    engine = open_engines(parse_url(empty_url)).writer
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE people (name text)"))
    with pytest.raises(StoreForeign, match="holds tables called people, but no schema version"):
        Store.open(empty_url)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["people"]
    engine.dispose()


def test_a_step_that_fails_leaves_the_database_as_it_was(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def upgrade_halfway(config: object, revision: str) -> None:
        connection = config.attributes["connection"]  # type: ignore[attr-defined]
        connection.execute(text("CREATE TABLE half (name text)"))
        raise RuntimeError("power cut")

    engines = open_engines(parse_url(empty_url))
    with monkeypatch.context() as patch:
        patch.setattr(schema.command, "upgrade", upgrade_halfway)
        with pytest.raises(RuntimeError, match="power cut"):
            schema.bring_to_head(engines)
    with engines.reader.connect() as connection:
        assert inspect(connection).get_table_names() == []
    assert schema.bring_to_head(engines) is None
    engines.dispose()


def test_the_migrations_lie_in_packages_and_so_are_installed() -> None:
    assert (schema.MIGRATIONS / "__init__.py").is_file()
    assert (schema.MIGRATIONS / "versions" / "__init__.py").is_file()
    numbered = sorted(path.name[:4] for path in (schema.MIGRATIONS / "versions").glob("0*.py"))
    assert numbered == sorted(schema.revisions())
    assert numbered == [f"{number:04}" for number in range(1, len(numbered) + 1)]


def test_a_percent_sign_in_the_path_of_the_program_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / "100% ours"
    odd.symlink_to(schema.MIGRATIONS, target_is_directory=True)
    monkeypatch.setattr(schema, "MIGRATIONS", odd)
    Store.open(f"sqlite:///{tmp_path / 'store.db'}").close()
    engine = create_engine(f"sqlite:///{tmp_path / 'store.db'}")
    assert "turns" in inspect(engine).get_table_names()
    engine.dispose()
