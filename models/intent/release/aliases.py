"""Whether the model that answers students is the one that MLflow calls champion. Read without MLflow.

`CURRENT` and the alias `champion` are moved together by builds and by `coteach model use`; hands may move only one.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing

from knowledge_graph.lake.home import DataDir
from models.intent.release.uses import read_uses
from models.versions import current_version

_ALIASES = """
    SELECT aliases.alias, tags.value FROM registered_model_aliases AS aliases
    JOIN model_version_tags AS tags ON tags.name = aliases.name AND tags.version = aliases.version
    WHERE aliases.name = 'coteach-intent' AND tags.key = 'coteach.version'
"""
"""MLflow's own tables: importing MLflow takes 4 s, which `coteach status` should not wait
for."""


def aliases_of(data_dir: DataDir) -> Mapping[str, str]:
    """The published version behind each alias of the registered model; nothing where nothing was registered."""
    if not data_dir.mlflow_db.is_file():
        return {}
    try:
        with closing(sqlite3.connect(f"{data_dir.mlflow_db.resolve().as_uri()}?mode=ro", uri=True)) as db:
            return dict(db.execute(_ALIASES).fetchall())
    except sqlite3.OperationalError:  # tables of a database that MLflow has only begun
        return {}


def disagreement(data_dir: DataDir) -> str | None:
    """How the model in use, MLflow's champion and the record of uses differ, in words; None when they agree."""
    current, champion = current_version(data_dir.intent), aliases_of(data_dir).get("champion")
    if current is None:
        return None
    remedy = f"`coteach model use {current}` settles it, as does `coteach build`."
    if champion is not None and champion != current:
        return f"{current} answers students, but MLflow's champion is {champion}. {remedy}"
    uses = read_uses(data_dir)
    if uses and uses[-1].version != current:
        return f"{current} answers students, but the last one put in use was {uses[-1].version}. {remedy}"
    return None
