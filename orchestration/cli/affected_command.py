"""What `coteach affected` does and prints: the stored answers that rest on a source, and what is answered now."""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import read_rows
from orchestration.cli.ask_command import ModelOnDemand
from orchestration.cli.services import counting, ending_cleanly
from serving.assistant.answer import Answer
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.desk.lineage.affected_answers import AffectedAnswer, find_affected
from serving.desk.lineage.material import IndexedMaterial, read_reviewed_texts
from serving.desk.lineage.places import (
    ConceptNamed,
    DocumentPart,
    FaqPlace,
    IndexVersion,
    ModelNamed,
    Place,
    PromptNamed,
    cue_at,
    read_moment,
)
from serving.desk.lineage.reasking import Repeat, ask_again, repeats
from serving.gateway.knowledge import load_knowledge, missing_artefacts
from serving.index.engine import IndexMissing
from serving.index.search import SearchIndex
from serving.settings import ModelServerSettings, Settings
from serving.store.database import Store, open_store

_THUMBS = {1: "up", -1: "down", None: ""}


class NothingNamed(CoteachError):
    """No source was named, or more than one, or a course that is needed to find it was not."""


@dataclass(frozen=True)
class NamedSource:
    """What a person named on the command line; one of them. `article` and `page` narrow a document."""

    cue: str | None = None
    faq: str | None = None
    document: str | None = None
    article: str | None = None
    page: int | None = None
    concept: str | None = None
    model: str | None = None
    prompt: str | None = None
    index: str | None = None


@dataclass(frozen=True)
class AnswerFilters:
    """Which of the answers are wanted: of a course's material, from a day on, with a source that has changed since (or
    has not)."""

    course: str | None = None
    since: datetime | None = None
    changed: bool | None = None


@dataclass(frozen=True)
class AffectedReport:
    """The answers found; `cue` is the text of the cue that was meant; `again` what is answered now, when asked."""

    found: tuple[AffectedAnswer, ...]
    cue: str | None = None
    again: tuple[tuple[Repeat, Answer], ...] = field(default=())


def list_affected(
    console: Console, named: NamedSource, filters: AnswerFilters, *, reask: bool = False, as_json: bool = False
) -> int:
    """Print the answers that rest on what is named. Returns the exit code: 0, also when there are none."""
    settings = Settings()
    place, cue = place_of(named, filters.course, settings.data_dir)
    found, asked = _search(settings, place, filters)
    again = _ask_again(settings, asked) if reask and asked else ()
    report = AffectedReport(tuple(found), cue, again)
    if as_json:
        console.print_json(json.dumps(report_facts(report), ensure_ascii=False))
    else:
        if named.cue is not None and cue is None:
            console.print(Text(f"There is no cue at '{named.cue}' now; listed are answers from when there was one."))
        print_report(console, report)
    return 0


def place_of(named: NamedSource, course: str | None, data_dir: DataDir) -> tuple[Place, str | None]:
    """What is meant, and of a cue its text now. Raises `NothingNamed`, or `PlaceUnreadable` for a cue without time."""
    given = {name: value for name, value in asdict(named).items() if value is not None}
    narrowing = {name: given.pop(name) for name in ("article", "page") if name in given}
    if len(given) != 1 or (narrowing and "document" not in given):
        raise NothingNamed(
            "Name one source: --cue, --faq, --document (with --article or --page), --concept, --model, --prompt or "
            f"--index. Found: {', '.join(f'--{name}' for name in (*given, *narrowing)) or 'none'}."
        )
    (kind, value), *_ = given.items()
    if kind == "cue":
        video, at_ms = read_moment(value)
        return cue_at(video, at_ms, _cues(data_dir, course, video))
    if kind == "document":
        return DocumentPart(value, named.article, named.page), None
    kinds: dict[str, Callable[[str], Place]] = {
        "faq": FaqPlace,
        "concept": ConceptNamed,
        "model": ModelNamed,
        "prompt": PromptNamed,
        "index": IndexVersion,
    }
    return kinds[kind](value), None


def _cues(data_dir: DataDir, course: str | None, video: str) -> list[dict[str, object]]:
    """The cues of a video. Raises `NothingNamed` when several courses have a video of that id and none is named."""
    known = (
        {row["course_id"] for row in read_rows(data_dir.graph_courses)} if data_dir.graph_courses.exists() else set()
    )
    if course is not None and course not in known:
        built = ", ".join(sorted(known)) or "none"
        raise NothingNamed(f"No course '{course}' is built in {data_dir.root}; there are: {built}.")
    paths = [path for path in data_dir.tables("cues") if course in (None, path.stem)]
    of_courses = {path.stem: [row for row in read_rows(path) if row["video_id"] == video] for path in paths}
    having = {name: rows for name, rows in of_courses.items() if rows}
    if len(having) > 1:
        raise NothingNamed(f"The courses {', '.join(sorted(having))} have a video '{video}'; name one with --course.")
    return next(iter(having.values()), [])


def _search(settings: Settings, place: Place, filters: AnswerFilters) -> tuple[list[AffectedAnswer], list[Repeat]]:
    """The answers that are wanted, and the distinct questions among them; none where nothing was ever stored."""
    if settings.store_url is None and not settings.data_dir.store.exists():
        return [], []
    store = open_store(settings)
    try:
        material = current_material(settings.data_dir, store)
        found = store.read(
            lambda db: find_affected(db, place, course_id=filters.course, since=filters.since, material=material)
        )
        wanted = [one for one in found if filters.changed is None or _has_changed(one) == filters.changed]
        return wanted, store.read(lambda db: repeats(db, wanted))
    finally:
        store.close()


def current_material(data_dir: DataDir, store: Store) -> IndexedMaterial | None:
    """The material as it is built now; `None` when nothing is."""
    try:
        index, graph = SearchIndex.open(data_dir.index), ConceptGraph.load(data_dir)
    except (IndexMissing, FileNotFoundError):
        return None
    return IndexedMaterial(index, graph, store.read(read_reviewed_texts), CourseLectureIndex(data_dir))


def _has_changed(one: AffectedAnswer) -> bool:
    return one.source in ("changed", "gone")


def _ask_again(settings: Settings, asked: Sequence[Repeat]) -> tuple[tuple[Repeat, Answer], ...]:
    if missing := missing_artefacts(settings.data_dir):
        raise CoteachError(f"Nothing to answer from: {', '.join(missing)} missing. Run `coteach build`.")
    chosen = ModelServerSettings()
    with ending_cleanly(), ExitStack() as stack:
        model = ModelOnDemand(settings, chosen, stack, Console(stderr=True))
        return asyncio.run(_answers(model, counting(settings, chosen), asked))


async def _answers(
    model: ModelOnDemand, settings: Settings, asked: Sequence[Repeat]
) -> tuple[tuple[Repeat, Answer], ...]:
    try:
        assistant = load_knowledge(settings, model).assistant
        return tuple([(repeat, await ask_again(assistant, repeat)) for repeat in asked])
    finally:
        await model.aclose()


def report_facts(report: AffectedReport) -> dict[str, object]:
    """The report as a script reads it. It names no student."""
    return {
        "cue": report.cue,
        "answers": [
            {
                "trace_id": one.trace_id,
                "asked_at": one.asked_at.astimezone(UTC).isoformat(timespec="seconds"),
                "course": one.course_id,
                "question": one.question,
                "answer": one.answer,
                "route": one.route,
                "thumb": one.thumb,
                "is_reference": one.is_reference,
                "source": one.source,
            }
            for one in report.found
        ],
        "asked_again": [
            {
                "question": repeat.question,
                "course": repeat.course_id,
                "trace_ids": list(repeat.trace_ids),
                "old": repeat.old,
                "new": answer.text,
                "same": repeat.old == answer.text,
                "route": answer.route,
                "degraded": answer.degraded,
            }
            for repeat, answer in report.again
        ],
    }


def print_report(console: Console, report: AffectedReport) -> None:
    """The report as a person reads it. Texts of students are printed as they are, never as markup."""
    if report.cue is not None:
        console.print(Text(f"The cue says now: {report.cue}"))
    if not report.found:
        console.print("No stored answer rests on it.")
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("answer", "asked (UTC)", "course", "question", "route", "thumb", "source"):
        table.add_column(heading, overflow="fold")
    for one in report.found:
        asked = one.asked_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
        cells = (one.trace_id[:8], asked, one.course_id, one.question, one.route, _THUMBS.get(one.thumb), one.source)
        table.add_row(*(Text(cell or "") for cell in cells))
    console.print(table)
    changed = sum(_has_changed(one) for one in report.found)
    console.print(f"Answers: {len(report.found):,}. Their source has changed since: {changed:,}.", highlight=False)
    for repeat, answer in report.again:
        _print_again(console, repeat, answer)


def _print_again(console: Console, repeat: Repeat, answer: Answer) -> None:
    table = Table(show_edge=False, expand=True)
    table.add_column("then", ratio=1, overflow="fold")
    table.add_column("now", ratio=1, overflow="fold")
    table.add_row(Text(repeat.old.strip()), Text(answer.text.strip()))
    console.print()
    console.print(Text(f"{repeat.question} (asked: {len(repeat.trace_ids)})"), style="bold")
    console.print(table)
