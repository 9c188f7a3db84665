"""Which files of a home a gateway reads: what is published for gateways that have no home of their own."""

import json
from collections.abc import Iterator
from pathlib import Path

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.seals import POINTER
from knowledge_graph.lake.source_kinds import COURSE_TABLES, CourseTable
from models.intent.classifier import embedder_folder
from models.intent.thresholds import thresholds_path
from models.versions import current_version
from serving.assistant.references.calibration import FILE as CALIBRATION
from serving.index.build import read_manifest
from serving.index.lance_vectors import POINTER as VECTORS_POINTER
from serving.index.lineage import FILE as LINEAGE
from serving.index.lineage import PAST

UNREAD: frozenset[CourseTable] = frozenset({"concept_functions", "prerequisite_functions", "search_queries"})
"""Tables of courses that builds alone read; the last holds students' own words."""


class HomeUnfit(CoteachError):
    """A home that cannot be published: something a gateway needs is missing, or bound to this machine."""


def find_served_files(data_dir: DataDir) -> dict[str, Path]:
    """The files by their names in the home, sorted. Raises `HomeUnfit`."""
    found = {path.relative_to(data_dir.root).as_posix(): path for path in _paths(data_dir) if path.is_file()}
    needed = (data_dir.graph_concepts, data_dir.graph_prerequisites, data_dir.graph_courses, data_dir.index / POINTER)
    names = [path.relative_to(data_dir.root).as_posix() for path in needed]
    if missing := [name for name in names if name not in found]:
        raise HomeUnfit(f"{data_dir.root} has no {', '.join(missing)} to publish. Run `coteach build` first.")
    return dict(sorted(found.items()))


def _paths(data_dir: DataDir) -> Iterator[Path]:
    yield from (data_dir.graph_concepts, data_dir.graph_prerequisites, data_dir.graph_courses)
    yield from (data_dir.embeddings, data_dir.reviewed_sources, data_dir.gone_courses)
    for table in COURSE_TABLES:
        if table not in UNREAD:
            yield from data_dir.tables(table)
    yield from data_dir.concept_map("any").parent.glob("*.html")
    yield data_dir.references / CALIBRATION
    yield from _index(data_dir)
    yield from _models(data_dir)


def _index(data_dir: DataDir) -> Iterator[Path]:
    """The version in use whole, and of the others what they were made from, which old answers name."""
    manifest = read_manifest(data_dir.index)
    if manifest is None:
        return
    facts = manifest.get("engine")
    if facts is not None and facts["url"] is None:
        raise HomeUnfit(
            f"The index of {data_dir.root} is LanceDB's tables in this home, which name this machine's paths. Set "
            "COTEACH_INDEX_URL to an object store or a shared folder and build, or use COTEACH_INDEX=tantivy."
        )
    version = data_dir.index / manifest["version"]
    yield data_dir.index / POINTER
    yield data_dir.index / VECTORS_POINTER
    yield from (path for path in version.rglob("*") if not path.name.startswith(".") and path.suffix != ".lock")
    yield from data_dir.index.glob(f"*/{LINEAGE}")
    yield from (data_dir.index / PAST).glob("*.json")


def _models(data_dir: DataDir) -> Iterator[Path]:
    """The intent model in use with its thresholds, the embedder in use, and the one that the intent model reads."""
    embedders = set[Path]()
    if (intent := current_version(data_dir.intent)) is not None:
        folder = data_dir.intent / intent
        yield data_dir.intent / POINTER
        yield thresholds_path(folder)
        yield from folder.rglob("*")
        embedders.update(_embedder_of(folder))
    if (embedder := current_version(data_dir.embedder)) is not None:
        yield data_dir.embedder / POINTER
        embedders.add(data_dir.embedder / embedder)
    for folder in sorted(embedders):
        yield from folder.rglob("*")


def _embedder_of(intent: Path) -> list[Path]:
    try:
        return [embedder_folder(intent, json.loads((intent / "labels.json").read_text(encoding="utf-8")))]
    except (OSError, ValueError, KeyError, TypeError):
        return []  # it reads none, or is damaged: then a gateway does without it, as here
