"""What a run over the evaluation questions has answered so far, so that one that was killed is gone on with."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from knowledge_graph.lake.records import from_row
from serving.evaluation.systems.system_answers import SystemAnswer


def fingerprint(parts: Mapping[str, object]) -> str:
    """A digest of everything an answer depends on: two runs with the same one may share answers."""
    return hashlib.sha256(json.dumps(dict(parts), sort_keys=True, default=str).encode()).hexdigest()


class UnfinishedRun:
    """Rows of a run, a line for each in a file, so that a run that was killed is gone on with.

    What another state of things answered (`fingerprint`) is dropped.
    """

    def __init__(self, path: Path, known_as: str) -> None:
        self._path = path
        self.rows = {one.question_id: one for one in _rows_of(path, known_as)}
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps({"fingerprint": known_as}), *map(_line, self.rows.values())]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def keep(self, row: SystemAnswer) -> None:
        """One more row; none of a question that has to be asked again."""
        if not row.was_asked:
            return
        self.rows[row.question_id] = row
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(f"{_line(row)}\n")


def _line(row: SystemAnswer) -> str:
    return json.dumps(asdict(row), ensure_ascii=False)


def _rows_of(path: Path, known_as: str) -> list[SystemAnswer]:
    """A line that a kill cut off, and all of another fingerprint, is left out."""
    lines = path.read_text(encoding="utf-8").split("\n") if path.is_file() else []
    if not lines or _read(lines[0]) != {"fingerprint": known_as}:
        return []
    names = {one.name for one in fields(SystemAnswer)}
    found = [row for line in lines[1:] if set(row := _read(line)) == names]
    return [from_row(SystemAnswer, row) for row in found]


def _read(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
