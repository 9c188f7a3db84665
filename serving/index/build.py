"""Builds one version of the search index from rows of the lake and makes it current.

The version is a digest of the input, so the same rows are never indexed twice.
"""

import hashlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import tantivy

from knowledge_graph.lake import write_text_atomic
from serving.index.analysis import ANALYSIS_VERSION
from serving.index.calibration import Beta, calibrate_beta, read_beta, write_beta
from serving.index.schema import Entry, Kind, build_schema, from_passage_row, from_qa_row, to_document
from serving.index.search import SearchIndex

FORMAT_VERSION = "1"
WRITER_BYTES = 128_000_000
NEAREST = 5


@dataclass(frozen=True)
class IndexReport:
    """What a build did. `counts` holds entries per kind ("qa", "passage") and source."""

    version: str
    counts: dict[str, dict[str, int]]
    beta: Beta
    rebuilt: bool


def build_index(
    qa_rows: Iterable[Mapping[str, Any]],
    passage_rows: Iterable[Mapping[str, Any]],
    folder: Path,
    *,
    keep: int = 2,
) -> IndexReport:
    """Index the rows into `folder/<version>/` and swap `folder/CURRENT` to it; the `keep` newest versions stay.

    Raises `ValueError` when two entries of a kind share an id.
    """
    entries: dict[Kind, list[Entry]] = {
        "qa": _sorted([from_qa_row(row) for row in qa_rows]),
        "passage": _sorted([from_passage_row(row) for row in passage_rows]),
    }
    version = _version(entries)
    target = folder / version
    rebuilt = not (target / "manifest.json").is_file()
    if rebuilt:
        _write_version(entries, target)
    (target / "manifest.json").touch()
    write_text_atomic(folder / "CURRENT", version + "\n")
    _remove_old(folder, keep=keep)
    return IndexReport(version, _counts(entries), read_beta(target), rebuilt)


def _sorted(entries: list[Entry]) -> list[Entry]:
    repeated = sorted(key for key, count in Counter(entry.entry_id for entry in entries).items() if count > 1)
    if repeated:
        raise ValueError(f"Entry ids must be unique; found twice or more: {repeated[:10]}.")
    return sorted(entries, key=lambda entry: entry.entry_id)


def _version(entries: Mapping[Kind, Sequence[Entry]]) -> str:
    found = hashlib.sha256(f"{FORMAT_VERSION}\0{ANALYSIS_VERSION}\0{metadata.version('tantivy')}\n".encode())
    for kind in sorted(entries):
        for entry in entries[kind]:
            found.update(json.dumps(asdict(entry), sort_keys=True, default=str).encode() + b"\n")
    return found.hexdigest()[:16]


def _counts(entries: Mapping[Kind, Sequence[Entry]]) -> dict[str, dict[str, int]]:
    return {kind: dict(sorted(Counter(entry.source for entry in found).items())) for kind, found in entries.items()}


def _write_version(entries: Mapping[Kind, Sequence[Entry]], target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".building-") as name:
        draft = Path(name) / target.name
        for kind, found in entries.items():
            _write_entries(found, draft / kind)
        write_beta(draft, _calibrate(entries["qa"], SearchIndex(draft)))
        manifest = {"version": target.name, "counts": _counts(entries)}
        write_text_atomic(draft / "manifest.json", json.dumps(manifest, indent=2, sort_keys=True) + "\n")
        if target.exists():
            shutil.rmtree(target)
        draft.rename(target)


def _write_entries(entries: Sequence[Entry], folder: Path) -> None:
    folder.mkdir(parents=True)
    index = tantivy.Index(build_schema(), path=str(folder))
    writer = index.writer(WRITER_BYTES, 1)
    for entry in entries:
        writer.add_document(to_document(entry))
    writer.commit()
    writer.wait_merging_threads()


def _calibrate(qa: Sequence[Entry], index: SearchIndex) -> Beta:
    def nearest(entry: Entry) -> list[tuple[Entry, float]]:
        hits = index.search(entry.title, course_id=entry.course_id, sources=["faq"], k=NEAREST)
        return [(hit.entry, index.match(entry.title, hit.entry)) for hit in hits]

    return calibrate_beta([entry for entry in qa if entry.source == "faq"], nearest)


def _remove_old(folder: Path, *, keep: int) -> None:
    versions = [path.parent for path in folder.glob("*/manifest.json")]
    newest_first = sorted(versions, key=lambda path: ((path / "manifest.json").stat().st_mtime_ns, path.name))[::-1]
    for old in newest_first[keep:]:
        shutil.rmtree(old)
