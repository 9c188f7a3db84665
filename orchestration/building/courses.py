"""Courses as Dagster sees them: which are registered, and which version of their files was last reported.

One plain function decides; the sensor (daemon) and the command line both act on what it returns.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import dagster as dg

import serving
from knowledge_graph.lake.source_kinds import INPUT_KINDS, InputKind
from knowledge_graph.lake.tables import digest
from knowledge_graph.sources.course import detect_lang
from knowledge_graph.sources.folders import CourseFolder, input_digests
from knowledge_graph.sources.known_digests import KnownDigests
from knowledge_graph.sources.web.settings import WebSettings
from models.intent.settings_file import FILE, SettingsUnusable, encoder_asked_for
from orchestration.building.decisions import Place, Tally, look
from orchestration.building.event_log import TALLY, newest_of_partitions, newest_of_whole
from orchestration.partitions import courses
from orchestration.resources import EvaluationPaths, Inputs
from serving.feedback.experiments import FIELDS
from serving.settings import Settings
from serving.store.for_builds import NOTHING

DATA_VERSION = "dagster/data_version"


def files_key(kind: str) -> dg.AssetKey:
    """The external asset that stands for one kind of input files."""
    return dg.AssetKey(["course_files", kind])


LANGUAGE = files_key("language")
"""The language that a course's texts are in: its card reads that, and not every word of them."""
LABEL_FILES = dg.AssetKey("label_files")
EVALUATION_FILES = dg.AssetKey("evaluation_files")
"""Public or own data to evaluate on, wherever the settings say it lies; none by default."""
INTENT_SETTINGS = dg.AssetKey("intent_settings")
"""How the intent model is fine-tuned, and from which encoder."""
SEARCH_SERVICES = dg.AssetKey("search_services")
"""The search engine and the academic search that are asked, none by default."""
EMBEDDER_SOURCE = dg.AssetKey("embedder_source")
"""The model that embeds texts, and how many it may."""
INDEX_PLACE = dg.AssetKey("index_place")
"""The engine of the search index, and where it keeps it."""

ANSWERING = dg.AssetKey("answering")
"""The code and the settings that answer students: what a system of the evaluation is."""
_SERVING = Path(serving.__file__).parent
_ANSWERS = ("assistant", "exam", "index", "llm")
"""Folders of `serving/` that decide what an answer says."""
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
        Dagster 1.13."""
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


def input_versions(folders: Iterable[CourseFolder], known: KnownDigests | None = None) -> dict[Place, str]:
    """The version of every input of every course, by content."""
    found: dict[Place, str] = {}
    for course in folders:
        found |= {
            (files_key(kind), course.course_id): version for kind, version in input_digests(course, known).items()
        }
        found[LANGUAGE, course.course_id] = detect_lang(course)
    return found


def label_versions(folder: Path) -> dict[Place, str]:
    """The version of the label files, by content."""
    return {(LABEL_FILES, None): digest(folder)} if folder.is_dir() else {}


def intent_versions(inputs: Inputs) -> dict[Place, str]:
    """Another version whenever `intent.yaml` or the encoder is another one, as far as names, sizes and times tell."""
    file = inputs.labels / FILE
    asked = _encoder(inputs)
    encoder = Path(asked) if asked else None
    files = sorted(path for path in encoder.rglob("*") if path.is_file()) if encoder and encoder.is_dir() else []
    stats = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    told = json.dumps([digest(file) if file.is_file() else "", asked or "", stats])
    return {(INTENT_SETTINGS, None): hashlib.sha256(told.encode()).hexdigest()}


def _encoder(inputs: Inputs) -> str | None:
    """The encoder that is asked for; that of the environment where settings cannot be read."""
    try:
        return encoder_asked_for(inputs.labels, inputs.albert)
    except SettingsUnusable:
        return inputs.albert


def evaluation_versions(paths: EvaluationPaths) -> dict[Place, str]:
    """The version of what is evaluated on beside the courses' own sets, by content; one for all of it."""
    named = sorted((name, path) for name, path in vars(paths).items() if path is not None)
    told = json.dumps([[name, digest(path) if path.exists() else "missing"] for name, path in named])
    return {(EVALUATION_FILES, None): hashlib.sha256(told.encode()).hexdigest()}


def answering_versions() -> dict[Place, str]:
    """Another version whenever the answering code or a setting of it is another one."""
    found = hashlib.sha256()
    for path in sorted(_SERVING.rglob("*.py")):
        if path.relative_to(_SERVING).parts[0] in _ANSWERS:
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


def index_versions(inputs: Inputs) -> dict[Place, str]:
    """Another version whenever another engine is to keep the index, elsewhere or in another form."""
    return {(INDEX_PLACE, None): hashlib.sha256(inputs.index.version().encode()).hexdigest()}


def look_outside(
    inputs: Inputs, *, verify: bool = False, on_line: Callable[[str], None] = lambda line: None
) -> Outside:
    """Files, services and the store as they are. Files of courses that did not change are not read again, unless
    `verify` asks for it; `on_line` takes lines of progress."""
    known = KnownDigests.load(inputs.known_digests, trusted=not verify, on_line=on_line)
    files = input_versions(inputs.find_folders(), known)
    known.save()
    decided = look(inputs.store_url, sorted({course_id for _, course_id in files if course_id}))
    others = label_versions(inputs.labels) | service_versions(inputs.web) | embedder_versions(inputs)
    others |= intent_versions(inputs) | index_versions(inputs)
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


def read_observed_versions(instance: dg.DagsterInstance, places: Iterable[Place]) -> dict[Place, str | None]:
    """The version each place had when it was last reported; None when it never was."""
    wanted = list(places)
    found: dict[Place, str | None] = dict.fromkeys(wanted)
    for key, record in newest_of_whole(instance, {key for key, partition in wanted if partition is None}):
        found[key, None] = record.tags.get(DATA_VERSION)
    for key in {key for key, partition in wanted if partition is not None}:
        for partition, record in newest_of_partitions(instance, key):
            found[key, partition] = record.tags.get(DATA_VERSION)
    return {place: found[place] for place in wanted}


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
    for change in changes(current, read_observed_versions(instance, current), tallies):
        instance.report_runless_asset_event(change.event())
    return new


_SAYS_NOTHING = hashlib.sha256().hexdigest()
"""Version of a kind of input of which a course has no file."""


def gone_courses(instance: dg.DagsterInstance, found: Iterable[str]) -> dict[str, str | None]:
    """Courses that were built and have no folder, each with the course that has the same files now, if one has."""
    found = sorted(found)
    gone = sorted(set(instance.get_dynamic_partitions(courses.name or "courses")) - set(found))
    if not gone:
        return {}
    courses_seen = (*gone, *found)
    versions = read_observed_versions(
        instance, [(files_key(kind), each) for kind in INPUT_KINDS for each in courses_seen]
    )
    contents = {each: {kind: versions[files_key(kind), each] for kind in INPUT_KINDS} for each in courses_seen}
    return {each: next((one for one in found if is_the_same(contents[each], contents[one])), None) for each in gone}


def is_the_same(one: Mapping[InputKind, str | None], other: Mapping[InputKind, str | None]) -> bool:
    """Whether two courses have the same files, so that one is the other renamed; pure. Cards may differ."""
    told = {kind for kind, version in one.items() if version not in (None, _SAYS_NOTHING)} - {"card"}
    return bool(told) and all(one[kind] == other[kind] for kind in one if kind != "card")


def describe_gone(gone: Mapping[str, str | None]) -> str | None:
    """What to tell a person of courses without a folder, and what to do; None when there are none."""
    lines = [
        f"{each} is {new} now, and served twice" if new else f"{each} is still served" for each, new in gone.items()
    ]
    remedy = "; ".join(f"coteach forget {each}" for each in gone)
    return f"Built earlier, without a folder now: {'; '.join(lines)}. To take them out: {remedy}" if gone else None
