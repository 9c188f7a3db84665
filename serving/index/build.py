"""Makes one version of the search index from the tables and makes it current.

The version is a digest of the rows, so the same rows are never indexed twice. Few changes in a large index are written
as an update of the last full version; its hits and scores are those of a full one. Where the rows are kept is the
engine's (`engine.IndexWriter`); what was published, and which version is current, the home says for every engine.
"""

import json
import shutil
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import structlog

from knowledge_graph.lake.changes import Changes
from knowledge_graph.lake.tables import digest, move_lastingly, write_text_atomic
from serving.index.calibration import Beta, calibrate_beta, read_beta, write_beta
from serving.index.engine import IndexMissing, IndexPlace, IndexWriter, Manifest, UpdateUnfit
from serving.index.lineage import FILE as LINEAGE
from serving.index.lineage import IndexLineage, keep_lineage, write_lineage
from serving.index.schema import Entry, Kind
from serving.index.search import SearchIndex
from serving.index.tables import Rows, Tables, open_tables
from serving.index.writing import TantivyWriter

UPDATE_FROM = 20_000
"""Entries from which a version is updated: fewer are indexed again in a second or two."""
UPDATE_SHARE = 0.05
"""Largest share of entries that an update may touch; beyond it removed documents weigh on size and speed."""

IN_THE_HOME = IndexPlace()

log = structlog.get_logger(__name__)

_DRAFT = ".building-"
NEAREST = 5
CALIBRATED_ON = 200
"""FAQ entries that beta is found on: enough to know an error rate of .05 to .015 (one standard error)."""
_THREADS = 2


@dataclass(frozen=True)
class IndexReport:
    """What a build did.

    `counts` holds entries per kind ("qa", "passage") and source; `changes` what differs from the version that was
    current before; `written` is False when this version was there already, `updated` is True when only changes were.
    """

    version: str
    counts: dict[Kind, dict[str, int]]
    beta: Beta
    changes: dict[Kind, Changes]
    written: bool
    updated: bool


def build_index(
    tables: Tables,
    folder: Path,
    *,
    place: IndexPlace = IN_THE_HOME,
    keep: int = 2,
    update_from: int = UPDATE_FROM,
) -> IndexReport:
    """Index the tables into `folder/<version>/` and swap `folder/CURRENT` to it; the `keep` newest versions stay.

    With LanceDB the rows go to `place`, and `folder/<version>/` says where they are. Raises `ValueError` when two
    entries of a kind share an id, `IndexUnreachable` when the place cannot be written.
    """
    engine = _writer(place, folder)
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f"{_DRAFT}*"):
        shutil.rmtree(left)  # of a build that was killed
    with open_tables(tables) as rows:
        if repeated := rows.find_repeated_ids():
            raise ValueError(f"Entry ids must be unique; found twice or more: {repeated}.")
        version = rows.version(engine.index_format())
        target = folder / version
        before = read_manifest(folder)
        changes = rows.changes(_comparable(folder, before["version"] if before else None, engine))
        written = not (is_whole(target) and engine.holds(target))
        if written:
            _write_version(engine, rows, target, _base(engine, rows, folder, before, update_from))
        counts = rows.counts()
    (target / "manifest.json").touch()
    write_text_atomic(folder / "CURRENT", version + "\n")
    _remove_old(engine, folder, keep=keep)
    made = _manifest(target)
    updated = made is not None and made["base"] != version
    return IndexReport(version, counts, read_beta(target), changes, written, updated and written)


def _writer(place: IndexPlace, folder: Path) -> IndexWriter:
    if place.engine == "tantivy":
        return TantivyWriter()
    from serving.index.lance_writer import LanceWriter  # noqa: PLC0415  an extra, and a second to import

    return LanceWriter(place.url, folder)


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of the current version; `None` when there is no whole one."""
    current = folder / "CURRENT"
    version = current.read_text(encoding="utf-8", errors="replace").strip() if current.is_file() else ""
    return _manifest(folder / version) if version and version == Path(version).name else None


def _manifest(version: Path) -> Manifest | None:
    """`None` when it is missing or damaged."""
    try:
        found: Manifest = json.loads((version / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if {"version", "base", "made_with", "counts"} <= found.keys() else None


def is_whole(version: Path) -> bool:
    """Whether a version is there with every file as it was written."""
    manifest = _manifest(version)
    if manifest is None:
        return False
    return all(
        (version / name).is_file() and digest(version / name) == content
        for name, content in manifest.get("files", {}).items()
    )


def _comparable(folder: Path, version: str | None, engine: IndexWriter) -> Path | None:
    """The fingerprints of a version; `None` when it is gone or another program or engine made it."""
    manifest = _manifest(folder / version) if version else None
    if manifest is None or version is None or manifest["made_with"] != engine.index_format():
        return None
    return folder / version / "entries.parquet"


def _base(engine: IndexWriter, rows: Rows, folder: Path, before: Manifest | None, update_from: int) -> Path | None:
    """The full version to update, `None` when everything is to be indexed."""
    fingerprints = _comparable(folder, before.get("base") if before else None, engine)
    entries = sum(sum(each.values()) for each in rows.counts().values())
    if fingerprints is None or entries < update_from or not is_whole(fingerprints.parent):
        return None
    if not (engine.holds(fingerprints.parent) and engine.may_update(fingerprints.parent)):
        return None
    touched = sum(each.added + each.changed + each.removed for each in rows.changes(fingerprints).values())
    return fingerprints.parent if touched <= UPDATE_SHARE * entries else None


def _write_version(engine: IndexWriter, rows: Rows, target: Path, base: Path | None) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=_DRAFT) as name:
        try:
            draft = _draft(engine, rows, Path(name) / target.name, base)
        except UpdateUnfit:
            draft = _draft(engine, rows, Path(name) / "full" / target.name, None)
        if target.exists():
            shutil.rmtree(target)
        move_lastingly(draft, target)


def _draft(engine: IndexWriter, rows: Rows, draft: Path, base: Path | None) -> Path:
    """A whole version in a folder of its own."""
    engine.write(rows, draft, base)
    rows.write_fingerprints(draft / "entries.parquet")
    write_beta(draft, _calibrate(engine, rows, draft))
    write_lineage(draft / LINEAGE, IndexLineage(draft.name))
    _write_manifest(engine, draft, rows.counts(), base.name if base else draft.name)
    return draft


def _write_manifest(engine: IndexWriter, draft: Path, counts: Mapping[Kind, Mapping[str, int]], base: str) -> None:
    files = {path.relative_to(draft).as_posix(): digest(path) for path in _search_files(draft)}
    manifest: dict[str, object] = {
        "version": draft.name,
        "base": base,
        "made_with": engine.index_format(),
        "counts": counts,
        "files": files,
    }
    if (facts := engine.facts()) is not None:
        manifest["engine"] = facts
    write_text_atomic(draft / "manifest.json", json.dumps(manifest, indent=2, sort_keys=True) + "\n")


def _search_files(draft: Path) -> list[Path]:
    """The files that never change once they are written: neither lineage nor Tantivy's locks."""
    found = sorted(path for path in draft.rglob("*") if path.is_file() and not path.name.startswith("."))
    return [path for path in found if path.name != LINEAGE and path.suffix != ".lock"]


def _calibrate(engine: IndexWriter, rows: Rows, draft: Path) -> Beta:
    index = SearchIndex(draft, engine.open(draft))

    def nearest(entry: Entry) -> list[tuple[Entry, float]]:
        hits = index.search(entry.title, course_id=entry.course_id, sources=["faq"], k=NEAREST)
        return [(hit.entry, index.match(entry.title, hit.entry)) for hit in hits]

    faq = index.entries("qa", rows.faq_sample(CALIBRATED_ON))
    with ThreadPoolExecutor(_THREADS) as pool:
        return calibrate_beta(faq, list(pool.map(nearest, faq)))


def _remove_old(engine: IndexWriter, folder: Path, *, keep: int) -> None:
    """Keep the `keep` newest versions with their bases, and those that were current within the engine's grace."""
    versions = {path.parent: _manifest(path.parent) for path in folder.glob("*/manifest.json")}
    newest_first = sorted(versions, key=lambda path: (_publish_time_ns(path), path.name))[::-1]
    since = time.time_ns() - int(engine.grace_s * 1e9)
    recent = sum(engine.grace_s > 0 and _publish_time_ns(path) > since for path in newest_first)
    newest = [manifest for path in newest_first if (manifest := versions[path]) is not None][: max(keep, recent + 1)]
    kept = {name for manifest in newest for name in (manifest["version"], manifest["base"])}
    gone = [path for path in newest_first if path.name not in kept]
    keep_lineage(folder, (path.name for path in gone))
    for old in gone:
        try:
            _writer_of(versions[old], folder).remove(old.name)
        except IndexMissing as error:  # what stays is removed by a later build
            log.warning("old_index_not_removed", version=old.name, reason=str(error))
        else:
            shutil.rmtree(old)


def _writer_of(manifest: Manifest | None, folder: Path) -> IndexWriter:
    """The engine that wrote a version, which may be another one than now."""
    facts = manifest.get("engine") if manifest else None
    return _writer(IndexPlace() if facts is None else IndexPlace(facts["name"], facts["url"]), folder)


def _publish_time_ns(version: Path) -> int:
    """When a version was made current last."""
    return (version / "manifest.json").stat().st_mtime_ns
