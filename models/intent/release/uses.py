"""Which intent model was put in use when, by whom and why: one line each, the newest last.

`CURRENT` names the version that answers students; this is the record of how it came there.
"""

import os
from dataclasses import dataclass
from datetime import UTC, datetime

from pydantic import TypeAdapter

from knowledge_graph.lake.home import DataDir
from models.versions import current_version, use_version

_RECORD = "uses.jsonl"

BUILD = "coteach build"
"""Who put a model in use that a build decided on."""


@dataclass(frozen=True)
class VersionUse:
    """One change of the model that answers students."""

    at: datetime
    version: str
    before: str | None
    """The version in use until then."""
    who: str
    why: str
    known_run: str | None
    """MLflow run of the newest training at that time, whose decision was carried out or overruled by this."""


_USE = TypeAdapter(VersionUse)


def record_use(version: str, *, who: str, why: str, known_run: str | None, data_dir: DataDir) -> VersionUse:
    """Make a published version the one in use, and say so in the record, which comes first: a crash between both
    leaves a record that `CURRENT` contradicts, and that is found."""
    use = VersionUse(datetime.now(UTC), version, current_version(data_dir.intent), who, why, known_run)
    with (data_dir.intent / _RECORD).open("ab") as stream:
        stream.write(_USE.dump_json(use) + b"\n")
        stream.flush()
        os.fsync(stream.fileno())
    use_version(data_dir.intent, version)
    return use


def read_uses(data_dir: DataDir) -> tuple[VersionUse, ...]:
    """Every use, the newest last; none in homes of before there was a record."""
    path = data_dir.intent / _RECORD
    lines = path.read_bytes().splitlines() if path.is_file() else []
    return tuple(_USE.validate_json(line) for line in lines if line.strip())
