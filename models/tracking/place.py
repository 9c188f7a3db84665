"""Where MLflow keeps the runs, data sets and models of a home: in the home, or on a server that several homes share.

Decided here alone, by COTEACH_MLFLOW_SERVER, in whatever process asks. Free of MLflow, which takes 4 s to import,
and of all else that is heavy: settings are read with it.
"""

import fcntl
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator

from knowledge_graph.lake.home import DataDir

SETTING = "COTEACH_MLFLOW_SERVER"
HOME_TAG = "coteach.home"
"""Of runs and registered versions on a server: the home that they are of."""


def require_address(told: str) -> str:
    """The setting, if it is an address that may be shown. Raises `ValueError`, which shows no password."""
    parts = urlsplit(told)
    if "@" in parts.netloc or parts.query:
        raise ValueError(
            "it holds a user, a password or a query, and links and messages would show it. Leave them out: MLflow "
            "reads MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD, or MLFLOW_TRACKING_TOKEN"
        )
    if parts.scheme not in ("http", "https"):
        raise ValueError(
            "expected the address of an MLflow server, which begins with http:// or https://; found one of "
            f"{parts.scheme or told!r}. A database is the server's own setting (--backend-store-uri)"
        )
    if not parts.hostname or parts.port == 0:  # `port` raises for one that is no number or too large
        raise ValueError(
            f"expected a host and, if it is not the usual one, a port, as http://mlflow:5000; found {told!r}"
        )
    return told


ServerAddress = Annotated[str, AfterValidator(require_address)]


@dataclass(frozen=True)
class MlflowPlace:
    """Where the records of a home are; `server` is an address, None where they are in the home."""

    home: DataDir
    server: str | None

    @property
    def uri(self) -> str:
        """The address for MLflow's clients."""
        return self.server or f"sqlite:///{self.home.mlflow_db.resolve()}"

    @property
    def artifacts(self) -> str | None:
        """Where a new experiment keeps its files; None where the server decides."""
        return None if self.server else self.home.mlflow_artifacts.resolve().as_uri()

    @property
    def may_have_records(self) -> bool:
        """Whether anything can have been recorded: false in a home in which MLflow never was."""
        return self.server is not None or self.home.mlflow_db.is_file()

    @property
    def own_tags(self) -> Mapping[str, str]:
        """What tells this home's runs and versions from those of others; nothing where there are no others."""
        return {HOME_TAG: _name_home(self.home)} if self.server else {}

    def own(self, *conditions: str) -> str:
        """The conditions as MLflow's searches have them, for what is of this home."""
        return " and ".join([*conditions, *(f"tags.`{tag}` = '{name}'" for tag, name in self.own_tags.items())])


def place_of(home: DataDir) -> MlflowPlace:
    """The place as the environment has it."""
    return MlflowPlace(home, os.environ.get(SETTING, "").strip().rstrip("/") or None)


def _name_home(home: DataDir) -> str:
    """The name of a home among others: its folder's, with a number that is drawn once and kept with its path. A home
    that was copied or moved has a new one, so that a copy deletes nothing of the original's."""
    from knowledge_graph.lake.tables import write_text_atomic  # noqa: PLC0415  not for who only reads settings

    home.mlflow_lock.parent.mkdir(parents=True, exist_ok=True)
    with home.mlflow_lock.open("a") as lock:  # closing it lets the next one in
        fcntl.flock(lock, fcntl.LOCK_EX)
        path, kept = str(home.root.resolve()), home.mlflow_name
        told = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
        if told.get("path") != path:
            folder = home.root.resolve().name.replace("'", "")  # which would end the condition that it stands in
            told = {"name": f"{folder}-{secrets.token_hex(4)}", "path": path}
            write_text_atomic(kept, json.dumps(told, ensure_ascii=False) + "\n")
        return str(told["name"])
