"""MLflow's empty database, migrated once for each process of tests and copied from then on.

MLflow makes every new database as its first version had it and brings it through all its migrations: two seconds and
more of each home that a test builds.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine


@contextmanager
def migrated_once(template: Path) -> Iterator[None]:
    """Let MLflow keep the first empty SQLite database that it makes in this process as `template`, and copy it."""
    from mlflow.store.db import utils

    migrate = utils._initialize_tables

    def initialize(engine: Engine) -> None:
        made = engine.url.database if engine.url.get_backend_name() == "sqlite" else None
        if not made or made == ":memory:" or not utils._is_empty_database(engine):
            migrate(engine)
        elif template.exists():
            copy(template, Path(made))
        else:
            migrate(engine)
            copy(Path(made), template)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(utils, "_initialize_tables", initialize)
        yield


def copy(of: Path, to: Path) -> None:
    """As SQLite copies, whoever has either open."""
    with closing(sqlite3.connect(of)) as read, closing(sqlite3.connect(to)) as written:
        read.backup(written)
