"""A copied database of MLflow is what its migrations give."""

import sqlite3
from contextlib import closing
from pathlib import Path

from migrated_mlflow import migrated_once
from mlflow.store.db import utils
from sqlalchemy import create_engine


def test_a_copied_database_of_mlflow_is_the_migrated_one(tmp_path: Path) -> None:
    with migrated_once(tmp_path / "template.db"):
        for name in ("first", "second"):
            engine = create_engine(f"sqlite:///{tmp_path / name}")
            utils._initialize_tables(engine)  # type: ignore[no-untyped-call]
            utils._verify_schema(engine)  # type: ignore[no-untyped-call]
            engine.dispose()
    dumps = []
    for name in ("first", "second"):
        with closing(sqlite3.connect(tmp_path / name)) as database:
            dumps.append([*database.iterdump()])
    assert dumps[0] == dumps[1]
    assert len(dumps[0]) > 30
