"""A home that was copied or moved keeps its MLflow records: the places of artifacts follow the database.

MLflow writes absolute places. In a copy they would still lie in the original, which the copy would then write to and
delete from; of a home that was moved they would lead nowhere. Nothing of MLflow moves them.
"""

import sqlite3
from contextlib import closing

from knowledge_graph.lake.home import DataDir

_PLACES = (
    ("experiments", "artifact_location"),
    ("runs", "artifact_uri"),
    ("model_versions", "source"),
    ("model_versions", "storage_location"),
    ("logged_models", "artifact_location"),
    ("trace_tags", "value"),
)
"""Where MLflow 3.17 keeps such places."""


def relocate(data_dir: DataDir) -> int:
    """Let every artifact's place be under this home; returns how many were elsewhere. Safe to repeat."""
    if not data_dir.mlflow_db.is_file():
        return 0
    here = data_dir.mlflow_artifacts.resolve().as_uri()
    with closing(sqlite3.connect(data_dir.mlflow_db, timeout=30)) as db, db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'experiments'").fetchone():
            return 0
        ending = f"/{data_dir.mlflow_artifacts.name}"
        told = [row[0] for row in db.execute("SELECT DISTINCT artifact_location FROM experiments") if row[0]]
        roots = {place[: place.rindex(ending) + len(ending)] for place in told if f"{ending}/" in f"{place}/"}
        return sum(_move(db, root, here) for root in sorted(roots - {here}))


def _move(db: sqlite3.Connection, old: str, new: str) -> int:
    moved = 0
    for table, column in _PLACES:
        moved += db.execute(
            f"UPDATE {table} SET {column} = ? || substr({column}, ?) WHERE {column} = ? OR substr({column}, 1, ?) = ?",
            (new, len(old) + 1, old, len(old) + 1, f"{old}/"),
        ).rowcount
    moved += db.execute(
        "UPDATE datasets SET dataset_source = replace(dataset_source, ?, ?) WHERE instr(dataset_source, ?)",
        (f"{old}/", f"{new}/", f"{old}/"),
    ).rowcount
    return moved
