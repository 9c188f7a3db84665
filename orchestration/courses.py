"""Courses as Dagster sees them: which are registered, and which version of their files was last reported.

One plain function decides; the sensor (daemon) and the command line both act on what it returns.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import dagster as dg

from knowledge_graph.lake import digest
from knowledge_graph.sources.folders import InputKind, find_courses, input_digest
from knowledge_graph.sources.web.settings import WebSettings
from orchestration.partitions import courses
from orchestration.resources import Inputs

INPUT_KINDS: tuple[InputKind, ...] = get_args(InputKind)
DATA_VERSION = "dagster/data_version"


def files_key(kind: str) -> dg.AssetKey:
    """The external asset that stands for one kind of input files."""
    return dg.AssetKey(["course_files", kind])


LABEL_FILES = dg.AssetKey("label_files")
SEARCH_SERVICES = dg.AssetKey("search_services")
"""The search engine and the academic search that are asked, none by default."""
EMBEDDER_SOURCE = dg.AssetKey("embedder_source")
"""The model that embeds texts, and how many it may."""


@dataclass(frozen=True)
class InputChange:
    """A kind of input whose bytes differ from what was last reported."""

    key: dg.AssetKey
    partition: str | None
    version: str

    def event(self) -> dg.AssetMaterialization:
        """What tells Dagster. Not an observation: an external asset that was only observed counts as missing in
        Dagster 1.13, and no automation condition below it would ever fire."""
        return dg.AssetMaterialization(self.key, partition=self.partition, tags={DATA_VERSION: self.version})


Place = tuple[dg.AssetKey, str | None]


def input_versions(folder: Path) -> dict[Place, str]:
    """The version of every input of every course in `folder`, by content."""
    return {
        (files_key(kind), course.course_id): input_digest(course, kind)
        for course in find_courses(folder)
        for kind in INPUT_KINDS
    }


def label_versions(folder: Path) -> dict[Place, str]:
    """The version of the label files, by content."""
    return {(LABEL_FILES, None): digest(folder)} if folder.is_dir() else {}


def service_versions(web: WebSettings) -> dict[Place, str]:
    """Another version whenever another service is asked, or may be asked something else."""
    asked = json.dumps([web.search_url, web.scholar_url, web.send_questions, web.max_queries])
    return {(SEARCH_SERVICES, None): hashlib.sha256(asked.encode()).hexdigest()}


def embedder_versions(inputs: Inputs) -> dict[Place, str]:
    """Another version whenever another model is to embed, or more or fewer texts may be."""
    told = f"{inputs.embedder.version()} {inputs.embed_limit}"
    return {(EMBEDDER_SOURCE, None): hashlib.sha256(told.encode()).hexdigest()}


def outside_versions(inputs: Inputs) -> dict[Place, str]:
    """The version of everything that comes from outside."""
    files = input_versions(inputs.courses) | label_versions(inputs.labels)
    return files | service_versions(inputs.web) | embedder_versions(inputs)


def changes(current: Mapping[Place, str], observed: Mapping[Place, str | None]) -> list[InputChange]:
    """What is new or different; pure."""
    return [
        InputChange(key, partition, version)
        for (key, partition), version in sorted(current.items(), key=lambda item: (item[0][1] or "", item[0][0]))
        if observed.get((key, partition)) != version
    ]


def observed_versions(instance: dg.DagsterInstance, places: Iterable[Place]) -> dict[Place, str | None]:
    """The version each place had when it was last reported; None when it never was."""
    return {place: _last_reported(instance, *place) for place in places}


def _last_reported(instance: dg.DagsterInstance, key: dg.AssetKey, partition: str | None) -> str | None:
    wanted = dg.AssetRecordsFilter(key, asset_partitions=[partition] if partition else None)
    records = instance.fetch_materializations(wanted, limit=1).records
    reported = records[0].asset_materialization if records else None
    return (reported.tags or {}).get(DATA_VERSION) if reported else None


def new_course_ids(current: Mapping[Place, str], registered: Iterable[str]) -> list[str]:
    """Courses that have a folder and no partition yet, sorted."""
    return sorted({partition for _, partition in current if partition} - set(registered))


def register(instance: dg.DagsterInstance, current: Mapping[Place, str]) -> list[str]:
    """Register new courses and report what changed, for runs without a daemon. Returns the new course ids."""
    new = new_course_ids(current, instance.get_dynamic_partitions(courses.name or "courses"))
    if new:
        instance.add_dynamic_partitions(courses.name or "courses", new)
    for change in changes(current, observed_versions(instance, current)):
        instance.report_runless_asset_event(change.event())
    return new
