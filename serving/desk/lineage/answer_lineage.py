"""`AnswerLineage`: everything one stored answer came from, and whether it still says the same. Pure but for files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

from knowledge_graph.lake.records import Locator
from serving.desk.lineage.material import IndexedMaterial, State
from serving.desk.lineage.quotable_texts import text_digest
from serving.index.lineage import IndexBuild, IndexLineage, Materialization, ModelUsed, read_lineage
from serving.store.tables.conversation import RestsOn, TraceRow, TurnRow

SETTINGS = ("strategy", "alpha", "beta", "policy", "h", "form", "kind")
"""What of a trace decided how an answer was made."""


@dataclass(frozen=True)
class SourceThen:
    """One piece of material of an answer: the SHA-256 of its text when it was used and now, `None` when it is gone."""

    entry_id: str
    source: str
    course_id: str | None
    origin_id: str | None
    locator: Locator
    is_reference: bool
    then: str
    now: str | None
    state: State | None


@dataclass(frozen=True)
class IndexThen:
    """The index version an answer was given over. `built_at` is UTC; `None` when the build is not known."""

    version: str | None
    built_at: str | None
    is_current: bool
    is_there: bool


@dataclass(frozen=True)
class PromptThen:
    """The template and the SHA-256 of the whole prompt; all `None` when no model was asked."""

    template: str | None
    sha256: str | None
    policy: str | None


@dataclass(frozen=True)
class AnswerLineage:
    """Lineage of one answer. `unknown` says in plain words what was not recorded or no longer exists."""

    trace_id: str
    asked_at: str
    outcome: str
    route: str | None
    index: IndexThen
    sources: tuple[SourceThen, ...]
    materializations: tuple[Materialization, ...]
    model: str | None
    prompt: PromptThen
    models: tuple[ModelUsed, ...]
    settings: Mapping[str, object]
    experiment: str | None
    variant: str | None
    program: str | None
    unknown: tuple[str, ...]


def answer_lineage(
    turn: TurnRow,
    trace: TraceRow | None,
    rests_on: Sequence[RestsOn],
    index_folder: Path,
    *,
    material: IndexedMaterial | None,
) -> AnswerLineage:
    """The same as `lineage_of`, with what lies beside the index; `material` is the current one, `None` without."""
    version = turn.index_version or ""
    is_there = bool(version) and version == Path(version).name and (index_folder / version).is_dir()
    recorded = read_lineage(index_folder, version)
    return lineage_of(turn, trace, rests_on, recorded=recorded, is_there=is_there, material=material)


def lineage_of(
    turn: TurnRow,
    trace: TraceRow | None,
    rests_on: Sequence[RestsOn],
    *,
    recorded: IndexLineage | None,
    is_there: bool,
    material: IndexedMaterial | None,
) -> AnswerLineage:
    """What an answer came from, out of its rows and the lineage recorded of its index version."""
    record: Mapping[str, Any] = trace.record if trace is not None else {}
    at = turn.asked_at.astimezone(UTC).isoformat(timespec="milliseconds")
    build = recorded.at(at) if recorded is not None else None
    versions: Mapping[str, str] = record.get("versions") or {}
    is_current = material is not None and material.index.version == turn.index_version
    return AnswerLineage(
        trace_id=turn.trace_id,
        asked_at=at,
        outcome=turn.outcome,
        route=turn.route,
        index=IndexThen(turn.index_version, build.at if build else None, is_current=is_current, is_there=is_there),
        sources=tuple(_source(piece, material) for piece in rests_on),
        materializations=build.materializations if build else (),
        model=turn.model,
        prompt=PromptThen(turn.template, turn.prompt_sha256, record.get("policy")),
        models=_models(versions, build),
        settings={name: record[name] for name in SETTINGS if name in record},
        experiment=turn.experiment,
        variant=turn.variant,
        program=versions.get("coteach"),
        unknown=_unknown(turn, record, build, is_there=is_there, material=material),
    )


def _source(piece: RestsOn, material: IndexedMaterial | None) -> SourceThen:
    text = material.text_of(piece) if material is not None else None
    state = material.state(piece) if material is not None else None
    return SourceThen(
        entry_id=piece.entry_id,
        source=piece.source,
        course_id=piece.course_id,
        origin_id=piece.origin_id,
        locator=Locator(
            url=piece.url,
            video_id=piece.video_id,
            start_ms=piece.start_ms,
            end_ms=piece.end_ms,
            document=piece.document,
            page=piece.page,
            article=piece.article,
        ),
        is_reference=piece.is_reference,
        then=piece.text_sha256,
        now=piece.text_sha256 if state == "same" else text_digest(text) if text is not None else None,
        state=state,
    )


def _models(versions: Mapping[str, str], build: IndexBuild | None) -> tuple[ModelUsed, ...]:
    """The models that the trace names; what the build knows of the same version is added. Without a trace's own word
    those in use when the index was built.
    """
    known = {one.what: one for one in build.models} if build else {}
    named = {what: versions[what] for what in ("intent", "embedder") if what in versions}
    if not named:
        return tuple(known.values())
    return tuple(
        known[what]
        if what in known and version in (known[what].version, known[what].name)
        else ModelUsed(what, version)
        for what, version in named.items()
    )


def _unknown(
    turn: TurnRow,
    record: Mapping[str, Any],
    build: IndexBuild | None,
    *,
    is_there: bool,
    material: IndexedMaterial | None,
) -> tuple[str, ...]:
    missing = []
    if not record:
        missing.append("The trace: the answer was stopped or failed before there was one.")
    if turn.index_version and not is_there:
        missing.append(f"The index version {turn.index_version}: it was removed after newer ones were built.")
    if turn.index_version and build is None:
        missing.append("The Dagster materializations: none were recorded with this index version.")
    if record and not record.get("versions"):
        missing.append("The versions of the program, the intent model and the embedder at the time of the answer.")
    if material is None:
        missing.append("What the sources say now: nothing is built.")
    return tuple(missing)
