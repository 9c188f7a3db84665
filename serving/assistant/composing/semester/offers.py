"""`Catalogue`: the classes of one catalogue with what they need, and the sections that its schedule offers."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import structlog

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CatalogRecord, CourseCard, Locator, Mode, Offering, from_row
from knowledge_graph.lake.source_kinds import CourseTable
from knowledge_graph.lake.tables import TableDamaged, read_rows
from knowledge_graph.sources.catalog.needs import CODE, Needs, code_key, credits_of, needs_of
from knowledge_graph.sources.passages import catalog_passages
from serving.assistant.composing.semester.calendar import AcademicTerm, terms_in
from serving.index.evidence import Evidence

log = structlog.get_logger(__name__)

MOST_CATALOGUES = 8
"""Catalogues that are kept in memory, the latest asked."""
_SUBJECT = re.compile(r"[^\d]*")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Class:
    """One class by its record. `credits` is `None` where the record names none, or a range."""

    key: str
    code: str
    title: str
    credits: float | None
    needs: Needs
    evidence: Evidence

    @property
    def name(self) -> str:
        return f"{self.code} {self.title}"

    @property
    def subject(self) -> str:
        found = _SUBJECT.match(self.key)
        return found.group() if found is not None else ""

    @property
    def level(self) -> int:
        """The first figure of its number: 3 of COMP 3300; 0 without a number."""
        found = _NUMBER.search(self.key)
        return int(found.group()[0]) if found is not None else 0


@dataclass(frozen=True)
class ProgramClasses:
    """What a program's pages name: its title, and the classes in its text."""

    title: str
    classes: frozenset[str]
    evidence: Evidence


@dataclass(frozen=True)
class Catalogue:
    """Nothing of a course without a catalogue; no offerings of a catalogue without a schedule."""

    classes: Mapping[str, Class] = field(default_factory=dict)
    programs: tuple[ProgramClasses, ...] = ()
    program_pages: Mapping[str, tuple[Evidence, ...]] = field(default_factory=dict)
    """The records of every program by title, of those that name no class too."""
    beside: tuple[Class, ...] = ()
    """Classes that a page names without a record of their own: placements, special topics."""
    offerings: tuple[Offering, ...] = ()

    def of_mode(self, mode: Mode | None) -> "Catalogue":
        """What one expert knows of it: the one on classes no programs, the one on programs no classes."""
        if mode == "class":
            return replace(self, programs=(), program_pages={})
        return self if mode is None else replace(self, classes={}, beside=(), offerings=())

    @cached_property
    def terms(self) -> tuple[AcademicTerm, ...]:
        return terms_in(one.term for one in self.offerings)

    @cached_property
    def opens(self) -> Mapping[str, frozenset[str]]:
        """By class, those that need it: in every way to meet their prerequisite, or in one of a few."""
        found: dict[str, set[str]] = defaultdict(set)
        for one in self.classes.values():
            for way in one.needs.before:
                for key in way:
                    found[key].add(one.key)
        return {key: frozenset(needing) for key, needing in found.items()}

    def offerings_in(self, term: AcademicTerm) -> Mapping[str, tuple[Offering, ...]]:
        """The sections of each class that has a record, in a term."""
        found: dict[str, list[Offering]] = defaultdict(list)
        for one in self.offerings:
            if one.term == term.label and code_key(one.code) in self.classes:
                found[code_key(one.code)].append(one)
        return {key: tuple(found[key]) for key in sorted(found)}

    def add_implied(self, passed: frozenset[str]) -> frozenset[str]:
        """What who passed these must have passed before, as far as there was only one way."""
        found = set(passed)
        while True:
            more = {
                key
                for one in found & self.classes.keys()
                if len(self.classes[one].needs.before) == 1
                for key in self.classes[one].needs.before[0] - self.classes[one].needs.with_
            } - found
            if not more:
                return frozenset(found)
            found |= more

    def schedule(self, term: AcademicTerm) -> Evidence | None:
        """The schedule of a term as a place that opens."""
        rows = [one for one in self.offerings if one.term == term.label]
        if not rows:
            return None
        first = rows[0]
        return Evidence(
            number=0,
            evidence_id=f"{first.course_id}/{first.file}",
            source="catalog",
            course_id=first.course_id,
            title=f"{first.file}: {term.label}",
            text="\n".join(dict.fromkeys(one.code for one in rows)),
            locator=Locator(document=first.file),
        )


NOTHING = Catalogue()


def catalogue_of(records: Sequence[CatalogRecord], offerings: Sequence[Offering], card: CourseCard) -> Catalogue:
    """Records and schedule of one catalogue, read for planning; pure."""
    titles = {code_key(one.code): one.title for one in records if one.code}
    classes = {
        code_key(one.code): Class(
            key=code_key(one.code),
            code=one.code,
            title=one.title,
            credits=credits_of(one.text),
            needs=needs_of(one.text, titles),
            evidence=_evidence(one, card),
        )
        for one in records
        if one.code
    }
    programs = tuple(
        ProgramClasses(one.title, named, _evidence(one, card))
        for one in records
        if one.mode == "program" and (named := _find_codes(one.text) & classes.keys())
    )
    pages: dict[str, tuple[Evidence, ...]] = {}
    for one in records:
        if one.mode == "program":
            pages[one.title] = (*pages.get(one.title, ()), _evidence(one, card))
    beside = {each.key: each for one in records if one.mode is None for each in _read_classes_beside(one, card)}
    others = tuple(one for key, one in beside.items() if key not in classes)
    return Catalogue(classes, programs, pages, others, tuple(offerings))


_BESIDE = re.compile(
    rf"^{CODE.pattern}[ \u00a0:]{{1,3}}(?P<title>[A-Z][^.:\n]{{2,60}})\.(?=\s|$)(?P<rest>.*)", re.MULTILINE
)


def _read_classes_beside(record: CatalogRecord, card: CourseCard) -> Iterator[Class]:
    """The classes of a text that is no record of one: its lines "COMP 3900 Summer Placement. …"."""
    for found in _BESIDE.finditer(record.text):
        code, evidence = f"{found[1].upper()} {found[2]}", _evidence(record, card)
        rest = found["rest"]
        yield Class(code_key(code), code, found["title"], credits_of(rest), needs_of(rest, {}), evidence)


def _find_codes(text: str) -> frozenset[str]:
    return frozenset(code_key(found.group()) for found in CODE.finditer(text))


def _evidence(record: CatalogRecord, card: CourseCard) -> Evidence:
    """The record as the index has it: its own first passage."""
    passage = catalog_passages([record], card)[0]
    return Evidence(
        number=0,
        evidence_id=passage.passage_id,
        source="catalog",
        course_id=passage.course_id,
        title=passage.title,
        text=passage.text,
        locator=passage.locator,
    )


@dataclass(frozen=True)
class Catalogues:
    """Over one home; `None` where there is none, as in a test of something else."""

    data_dir: DataDir | None = None
    _known: dict[str, tuple[tuple[int, ...], Catalogue]] = field(default_factory=dict, repr=False)

    def of(self, course_id: str | None) -> Catalogue:
        """The catalogue of a course, read again when a build has replaced it; `NOTHING` where it has none."""
        if self.data_dir is None or course_id is None:
            return NOTHING
        tables: tuple[CourseTable, ...] = ("course_cards", "catalog_pages", "schedule")
        paths = [self.data_dir.table(table, course_id) for table in tables]
        stamps = tuple(_stamp(path) for path in paths)
        if 0 in stamps[:2]:
            return NOTHING
        known = self._known.pop(course_id, None)
        if known is None or known[0] != stamps:
            known = (stamps, _read(paths, has_schedule=stamps[2] > 0))
        self._known[course_id] = known
        while len(self._known) > MOST_CATALOGUES:
            self._known.pop(next(iter(self._known)))
        return known[1]


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _read(paths: Sequence[Path], *, has_schedule: bool) -> Catalogue:
    """The catalogue of its tables; none, and a line in the log, where one is damaged."""
    try:
        card = from_row(CourseCard, read_rows(paths[0])[0])
        records = [from_row(CatalogRecord, row) for row in read_rows(paths[1])]
        offerings = [from_row(Offering, row) for row in read_rows(paths[2])] if has_schedule else []
    except (TableDamaged, OSError, KeyError, IndexError) as error:
        log.warning(
            "catalogue_not_read", paths=[str(path) for path in paths], reason=str(error), remedy="coteach build"
        )
        return NOTHING
    return catalogue_of(records, offerings, card)
