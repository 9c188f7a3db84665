"""What an approved answer rests on: units of material that are found again after a rebuild, and whether they changed.

A unit of a lecture is a stretch of time, `cues:<video>:<start_ms>-<end_ms>`, and holds the cues whose middle lies in
it: so neighbouring stretches share no cue, and a file that is timed a little otherwise keeps its units. The others are
named by what the source calls them: `faq:<origin_id>`, `document:<document>:<section_key>`, `catalog:<record_id>`.
White space is no change; nor is a sentence cut into other cues at other places.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, cast

from knowledge_graph.lake.records import Locator
from knowledge_graph.text.time_code import time_code
from serving.desk.course_tables import CourseTables, Row
from serving.desk.refusals import NotFit
from serving.index.schema import Entry
from serving.store.tables.review import ReviewedSource

UnitKind = Literal["cues", "faq", "document", "catalog"]

_STRETCH = re.compile(r"cues:(?P<video>.+):(?P<start>\d+)-(?P<end>\d+)", re.DOTALL)
_SPACE_IN_CHINESE = re.compile(r"(?<=[\u2e80-\u9fff\uff00-\uffef]) | (?=[\u2e80-\u9fff\uff00-\uffef])")


@dataclass(frozen=True)
class MaterialUnit:
    """A piece of a course's material with its text as it is now. `label` is for people, `locator` opens it."""

    unit: str
    kind: UnitKind
    course_id: str
    label: str
    text: str
    locator: Locator


@dataclass(frozen=True)
class UnitChange:
    """A unit whose text is another one than when the answer was approved; `now` is empty for what is gone."""

    answer_id: str
    unit: str
    was: str
    now: str


class Stretch(NamedTuple):
    """From `start_ms` up to `end_ms` of a video."""

    video_id: str
    start_ms: int
    end_ms: int

    def holds(self, cue: Row) -> bool:
        """Whether the middle of the cue lies in it, its end left out; at its very start it does."""
        middle = (cue["start_ms"] + cue["end_ms"]) / 2
        return bool(self.start_ms <= middle < self.end_ms or self.start_ms == middle)


def plain(text: str) -> str:
    """The text normalised for comparison: single spaces, none beside Chinese characters."""
    return _SPACE_IN_CHINESE.sub("", " ".join(text.split()))


def digest(text: str) -> str:
    """SHA-256 of the normalised text."""
    return hashlib.sha256(plain(text).encode()).hexdigest()


def units_of(entries: Sequence[Entry], tables: CourseTables) -> list[MaterialUnit]:
    """The units that these entries are made of, each once, in their order.

    Web pages and scholarly records are none: they are not the course's, and change when they are fetched again.
    """
    found = {(unit.course_id, unit.unit): unit for entry in entries for unit in _units(entry, tables)}
    return list(found.values())


def find_units(names: Sequence[str], course_id: str, tables: CourseTables) -> list[MaterialUnit]:
    """The units of a course by their names, with their text now. Raises `NotFit` for one that is not there."""
    read = _texts(course_id, names, tables)
    if lost := sorted(name for name in set(names) if name not in read):
        raise NotFit(f"The course '{course_id}' has no such material: {', '.join(lost)[:500]}. Choose it again.")
    return [read[name] for name in dict.fromkeys(names)]


def units_there(names: Sequence[str], course_id: str, tables: CourseTables) -> list[MaterialUnit]:
    """As `find_units`; what is gone since is left out."""
    read = _texts(course_id, names, tables)
    return [read[name] for name in dict.fromkeys(names) if name in read]


def find_changes(rests: Sequence[ReviewedSource], tables: CourseTables) -> list[UnitChange]:
    """The units whose text is another one now, in the order of `rests`; exactly those."""
    names: dict[str, set[str]] = defaultdict(set)
    for rest in rests:
        names[rest.course_id].add(rest.unit)
    now = {course_id: _texts(course_id, sorted(units), tables) for course_id, units in names.items()}
    found = []
    for rest in rests:
        unit = now[rest.course_id].get(rest.unit)
        text = unit.text if unit is not None else ""
        if plain(text) != plain(rest.text):
            found.append(UnitChange(rest.answer_id, rest.unit, rest.text, text))
    return found


def _units(entry: Entry, tables: CourseTables) -> list[MaterialUnit]:
    where, course_id = entry.locator, entry.course_id
    if course_id is None:
        return []
    if where is not None and where.video_id is not None and where.start_ms is not None:
        return _stretch_at(course_id, where, tables)
    if entry.source == "faq" and entry.origin_id is not None:
        return [_faq(course_id, row) for row in tables.faq(course_id, [entry.origin_id])]
    if entry.source == "catalog":
        return [_catalog(course_id, row) for row in _records(entry, course_id, where, tables)]
    if where is not None and where.document is not None and entry.source in ("document", "concept"):
        return [_section(course_id, row) for row in _sections(entry, course_id, where, tables)]
    return []


def _stretch_at(course_id: str, where: Locator, tables: CourseTables) -> list[MaterialUnit]:
    """The cues of a stretch of a lecture; for a place without an end, the one cue spoken there."""
    cues = tables.cues(course_id, [cast(str, where.video_id)])
    start = cast(int, where.start_ms)
    spoken = [cue["end_ms"] for cue in cues if cue["start_ms"] <= start < cue["end_ms"]]
    end = where.end_ms if where.end_ms is not None else max(spoken, default=start)
    unit = _lecture(course_id, Stretch(cast(str, where.video_id), start, end), cues, tables.lecture_names(course_id))
    return [unit] if unit is not None else []


def _records(entry: Entry, course_id: str, where: Locator | None, tables: CourseTables) -> list[Row]:
    """A pair names its record; a passage its page, and its title the record on it."""
    if entry.origin_id is not None:
        return tables.catalog(course_id, [entry.origin_id])
    place = (where.url or where.document) if where is not None else None
    on_page = tables.catalog_of(course_id, place) if place else []
    return [row for row in on_page if _catalog_title(row) == entry.title]


def _sections(entry: Entry, course_id: str, where: Locator, tables: CourseTables) -> list[Row]:
    """A pair names its section; of a passage it is the one that holds its words, of a definition too."""
    of_document = tables.sections(course_id, [cast(str, where.document)])
    if entry.source == "document" and entry.origin_id is not None:
        return [row for row in of_document if f"{row['document']}#{row['section_key']}" == entry.origin_id]
    here = [row for row in of_document if (row["page"], row["article"]) == (where.page, where.article)]
    holding = [row for row in here if plain(entry.text) in plain(row["text"])]
    return holding[:1] or here[:1]


def _texts(course_id: str, names: Iterable[str], tables: CourseTables) -> dict[str, MaterialUnit]:
    """The units with these names that there are, by name. Each table is read once."""
    asked: dict[str, list[str]] = defaultdict(list)
    for name in names:
        asked[name.partition(":")[0]].append(name)
    found = _lectures(course_id, asked["cues"], tables)
    found += [_faq(course_id, row) for row in tables.faq(course_id, [_rest(name) for name in asked["faq"]])]
    found += [_catalog(course_id, row) for row in tables.catalog(course_id, [_rest(name) for name in asked["catalog"]])]
    documents = {_rest(name).rpartition(":")[0] for name in asked["document"]}
    found += [_section(course_id, row) for row in tables.sections(course_id, documents)]
    wanted = {name for each in asked.values() for name in each}
    return {unit.unit: unit for unit in found if unit.unit in wanted}


def _lectures(course_id: str, names: Sequence[str], tables: CourseTables) -> list[MaterialUnit]:
    stretches = [
        Stretch(match["video"], int(match["start"]), int(match["end"]))
        for name in names
        if (match := _STRETCH.fullmatch(name))
    ]
    cues: dict[str, list[Row]] = defaultdict(list)
    for cue in tables.cues(course_id, {stretch.video_id for stretch in stretches}):
        cues[cue["video_id"]].append(cue)
    called = tables.lecture_names(course_id) if stretches else {}
    units = (_lecture(course_id, stretch, cues[stretch.video_id], called) for stretch in stretches)
    return [unit for unit in units if unit is not None]


def _lecture(course_id: str, stretch: Stretch, cues: Sequence[Row], called: Mapping[str, str]) -> MaterialUnit | None:
    inside = [cue for cue in cues if stretch.holds(cue)]
    if not inside:
        return None
    video_id, start, end = stretch
    title = inside[0]["video_title"] or video_id
    return MaterialUnit(
        unit=f"cues:{video_id}:{start}-{end}",
        kind="cues",
        course_id=course_id,
        label=f"{called.get(video_id, title)} @ {time_code(start)}",
        text="\n".join(cue["text"] for cue in inside),
        locator=Locator(video_id=video_id, video_title=title, start_ms=start, end_ms=end),
    )


def _faq(course_id: str, row: Row) -> MaterialUnit:
    text = f"{row['question']}\n{row['answer']}"
    return MaterialUnit(f"faq:{row['origin_id']}", "faq", course_id, f"FAQ: {row['question']}", text, Locator())


def _section(course_id: str, row: Row) -> MaterialUnit:
    named = " ".join(part for part in (row["article"], row["heading"]) if part)
    return MaterialUnit(
        unit=f"document:{row['document']}:{row['section_key']}",
        kind="document",
        course_id=course_id,
        label=f"{row['title']} — {named}" if named else row["title"],
        text="\n".join(part for part in (row["heading"], row["text"]) if part),
        locator=Locator(document=row["document"], page=row["page"], article=row["article"]),
    )


def _catalog(course_id: str, row: Row) -> MaterialUnit:
    locator = Locator(url=row["url"]) if row["url"] else Locator(document=row["page"])
    title = _catalog_title(row)
    return MaterialUnit(f"catalog:{row['record_id']}", "catalog", course_id, title, f"{title}\n{row['text']}", locator)


def _catalog_title(row: Row) -> str:
    title = " ".join(part for part in (row["code"], row["title"]) if part)
    return f"{title} — {row['topic']}" if row["topic"] else title


def _rest(name: str) -> str:
    return name.partition(":")[2]


def make_reviewed_sources(units: Iterable[MaterialUnit], answer_id: str) -> list[ReviewedSource]:
    """The rows that keep what an answer rests on, each unit once."""
    return [
        ReviewedSource(
            answer_id=answer_id,
            unit=unit.unit,
            kind=unit.kind,
            course_id=unit.course_id,
            label=unit.label,
            text=unit.text,
            text_sha256=digest(unit.text),
            locator=_fields(unit.locator),
        )
        for unit in {unit.unit: unit for unit in units}.values()
    ]


def _fields(locator: Locator) -> dict[str, Any]:
    return {name: value for name, value in asdict(locator).items() if value is not None}
