"""Courses as Dagster sees them: which are registered, and which version of their files was last reported.

One plain function decides; the sensor (daemon) and the command line both act on what it returns.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

import dagster as dg

import serving
from knowledge_graph.lake import digest
from knowledge_graph.sources.folders import CourseFolder, InputKind, input_digest
from knowledge_graph.sources.web.settings import WebSettings
from orchestration.decisions import Place, Tally, look
from orchestration.partitions import courses
from orchestration.resources import EvaluationPaths, Inputs
from orchestration.staleness import TALLY
from serving.experiments import FIELDS
from serving.settings import Settings
from serving.store.for_builds import NOTHING

INPUT_KINDS: tuple[InputKind, ...] = get_args(InputKind)
DATA_VERSION = "dagster/data_version"


def files_key(kind: str) -> dg.AssetKey:
    """The external asset that stands for one kind of input files."""
    return dg.AssetKey(["course_files", kind])


LABEL_FILES = dg.AssetKey("label_files")
EVALUATION_FILES = dg.AssetKey("evaluation_files")
"""Public or own data to evaluate on, wherever the settings say it lies; none by default."""
SEARCH_SERVICES = dg.AssetKey("search_services")
"""The search engine and the academic search that are asked, none by default."""
EMBEDDER_SOURCE = dg.AssetKey("embedder_source")
"""The model that embeds texts, and how many it may."""

ANSWERING = dg.AssetKey("answering")
"""The code and the settings that answer students: what a system of the evaluation is."""
_SERVING = Path(serving.__file__).parent
_ANSWERS_NOBODY = ("desk", "evaluation", "gateway", "insights", "lineage", "pages", "store")
"""Folders of `serving/` that have no part in what an answer says."""
_OF_THE_MACHINE = ("llm_url", "llm_model")
"""Settings that a system's answers name by themselves."""


@dataclass(frozen=True)
class InputChange:
    """A kind of input whose bytes differ from what was last reported."""

    key: dg.AssetKey
    partition: str | None
    version: str
    tally: Tally = field(default_factory=dict)

    def event(self) -> dg.AssetMaterialization:
        """What tells Dagster. Not an observation: an external asset that was only observed counts as missing in
        Dagster 1.13, and no automation condition below it would ever fire."""
        metadata = {TALLY: dict(self.tally)} if self.tally else {}
        return dg.AssetMaterialization(
            self.key, partition=self.partition, metadata=metadata, tags={DATA_VERSION: self.version}
        )


@dataclass(frozen=True)
class Outside:
    """The version of everything that comes from outside; `None` for what cannot be seen now, `trouble` says why."""

    versions: Mapping[Place, str | None]
    tallies: Mapping[Place, Tally] = field(default_factory=dict)
    trouble: str | None = None


def input_versions(folders: Iterable[CourseFolder]) -> dict[Place, str]:
    """The version of every input of every course, by content."""
    return {
        (files_key(kind), course.course_id): input_digest(course, kind) for course in folders for kind in INPUT_KINDS
    }


def label_versions(folder: Path) -> dict[Place, str]:
    """The version of the label files, by content."""
    return {(LABEL_FILES, None): digest(folder)} if folder.is_dir() else {}


def evaluation_versions(paths: EvaluationPaths) -> dict[Place, str]:
    """The version of what is evaluated on beside the courses' own sets, by content; one for all of it."""
    named = sorted((name, path) for name, path in vars(paths).items() if path is not None)
    told = json.dumps([[name, digest(path) if path.exists() else "missing"] for name, path in named])
    return {(EVALUATION_FILES, None): hashlib.sha256(told.encode()).hexdigest()}


def answering_versions() -> dict[Place, str]:
    """Another version whenever the answering code or a setting of it is another one."""
    found = hashlib.sha256()
    for path in sorted(_SERVING.rglob("*.py")):
        if path.relative_to(_SERVING).parts[0] not in _ANSWERS_NOBODY:
            found.update(f"{path.relative_to(_SERVING).as_posix()} {digest(path)}\n".encode())
    settings = Settings().model_dump(mode="json", include=set(FIELDS), exclude=set(_OF_THE_MACHINE))
    found.update(json.dumps(settings, sort_keys=True).encode())
    return {(ANSWERING, None): found.hexdigest()}


def service_versions(web: WebSettings) -> dict[Place, str]:
    """Another version whenever another service is asked, or may be asked something else."""
    asked = json.dumps([web.search_url, web.scholar_url, web.send_questions, web.max_queries])
    return {(SEARCH_SERVICES, None): hashlib.sha256(asked.encode()).hexdigest()}


def embedder_versions(inputs: Inputs) -> dict[Place, str]:
    """Another version whenever another model is to embed, or more or fewer texts may be."""
    told = f"{inputs.embedder.version()} {inputs.embed_limit}"
    return {(EMBEDDER_SOURCE, None): hashlib.sha256(told.encode()).hexdigest()}


def look_outside(inputs: Inputs) -> Outside:
    """Files, services and the store as they are."""
    files = input_versions(inputs.found())
    decided = look(inputs.store_url, sorted({course_id for _, course_id in files if course_id}))
    others = label_versions(inputs.labels) | service_versions(inputs.web) | embedder_versions(inputs)
    evaluated = evaluation_versions(inputs.evaluation) | answering_versions()
    return Outside({**files, **others, **evaluated, **decided.versions}, decided.tallies, decided.trouble)


def changes(
    current: Mapping[Place, str | None],
    observed: Mapping[Place, str | None],
    tallies: Mapping[Place, Tally] | None = None,
) -> list[InputChange]:
    """What is new or different; pure. What cannot be seen now has not changed; it is told once, as holding nothing."""
    found = []
    for place, version in sorted(current.items(), key=lambda item: (item[0][1] or "", item[0][0])):
        if observed.get(place) is None or version not in (None, observed[place]):
            found.append(InputChange(*place, version or NOTHING, (tallies or {}).get(place, {})))
    return found


def observed_versions(instance: dg.DagsterInstance, places: Iterable[Place]) -> dict[Place, str | None]:
    """The version each place had when it was last reported; None when it never was."""
    return {place: _last_reported(instance, *place) for place in places}


def _last_reported(instance: dg.DagsterInstance, key: dg.AssetKey, partition: str | None) -> str | None:
    wanted = dg.AssetRecordsFilter(key, asset_partitions=[partition] if partition else None)
    records = instance.fetch_materializations(wanted, limit=1).records
    reported = records[0].asset_materialization if records else None
    return (reported.tags or {}).get(DATA_VERSION) if reported else None


def new_course_ids(current: Mapping[Place, str | None], registered: Iterable[str]) -> list[str]:
    """Courses that have a folder and no partition yet, sorted."""
    return sorted({partition for _, partition in current if partition} - set(registered))


def register(
    instance: dg.DagsterInstance,
    current: Mapping[Place, str | None],
    tallies: Mapping[Place, Tally] | None = None,
) -> list[str]:
    """Register new courses and report what changed, for runs without a daemon. Returns the new course ids."""
    new = new_course_ids(current, instance.get_dynamic_partitions(courses.name or "courses"))
    if new:
        instance.add_dynamic_partitions(courses.name or "courses", new)
    for change in changes(current, observed_versions(instance, current), tallies):
        instance.report_runless_asset_event(change.event())
    return new
