"""Whether the model that answers students is the one that MLflow calls champion. In a home it is read without MLflow.

`CURRENT` and the alias `champion` are moved together by builds and by `coteach model use`; hands may move only one, and
may change the files of either.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from models.intent.classifier import SERVED
from models.intent.release.uses import read_uses
from models.intent.thresholds import thresholds_path
from models.tracking.place import place_of
from models.versions import current_version

_ALIASES = """
    SELECT aliases.alias, tags.value FROM registered_model_aliases AS aliases
    JOIN model_version_tags AS tags ON tags.name = aliases.name AND tags.version = aliases.version
    WHERE aliases.name = 'coteach-intent' AND tags.key = 'coteach.version'
"""
"""MLflow's own tables: importing MLflow takes 4 s, which `coteach status` should not wait
for."""


_CHAMPIONS_PLACE = """
    SELECT versions.storage_location FROM registered_model_aliases AS aliases
    JOIN model_versions AS versions ON versions.name = aliases.name AND versions.version = aliases.version
    WHERE aliases.name = 'coteach-intent' AND aliases.alias = 'champion'
"""

_COMPARED = (SERVED, "labels.json", "tokenizer.json")
"""Files that decide on what a model answers; its thresholds are compared beside them."""


def aliases_of(data_dir: DataDir) -> Mapping[str, str]:
    """The published version behind each alias of the registered model; nothing where nothing was registered. On a
    server, of the versions of this home. Raises `MlflowUnusable`."""
    if place_of(data_dir).server is not None:
        from models.tracking.runs import find_aliases  # noqa: PLC0415  MLflow takes 4 s

        return find_aliases(data_dir)
    return {alias: version for alias, version in _query(_ALIASES, data_dir)}


def _query(query: str, data_dir: DataDir) -> list[tuple[str, ...]]:
    if not data_dir.mlflow_db.is_file():
        return []
    try:
        with closing(sqlite3.connect(f"{data_dir.mlflow_db.resolve().as_uri()}?mode=ro", uri=True)) as db:
            return db.execute(query).fetchall()
    except sqlite3.OperationalError:  # tables of a database that MLflow has only begun
        return []


def files_that_differ(data_dir: DataDir, version: str) -> list[str]:
    """The files of MLflow's champion, which is `version`, that are not those that the gateway reads; by name.

    Nothing where the artifact is not in this home: `coteach` moves the places of a copied home when it next writes, and
    from a server nothing is fetched to compare.
    """
    if place_of(data_dir).server is not None:
        return []
    for (place,) in _query(_CHAMPIONS_PLACE, data_dir):
        logged, folder = Path(url2pathname(urlsplit(place or "").path)) / "data" / version, data_dir.intent / version
        if not logged.is_relative_to(data_dir.mlflow_artifacts.resolve()):
            return []
        pairs = [(logged / name, folder / name) for name in _COMPARED]
        found = thresholds_path(folder)
        pairs.append((logged / "thresholds.json", found if found.is_file() else folder / "thresholds.json"))
        return [one.name for one, served in pairs if _digest(one) != _digest(served)]
    return []


def _digest(path: Path) -> str | None:
    return digest(path) if path.is_file() else None


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
    if champion is not None and (differing := files_that_differ(data_dir, current)):
        return (
            f"{current} answers students and is MLflow's champion, but their {' and '.join(differing)} differ. Put "
            "back the one that was changed, or train again: materialize `intent_model`."
        )
    return None
