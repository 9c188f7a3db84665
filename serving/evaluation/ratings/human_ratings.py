"""Files of human ratings: a folder for each rated system, in it a CSV file for each rater (LittleMu 4.2.1).

Belongs here: the ratings as records, and reading them with what is wrong in them. A defect is told with file and line,
and what it spoils is left out: a cell, or a file that lacks a column. Nothing here stops for one bad file or row.
"""

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from knowledge_graph.lake.problems import Problem
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.files import decode_with_warnings, read_bytes
from serving.feedback import rating_forms

ASPECTS = tuple(item.name for item in rating_forms.ASPECTS.items)
VALUES = tuple(int(choice.value) for choice in rating_forms.ASPECTS.choices)

_NAMES: Mapping[str, tuple[str, ...]] = {
    "coherence": ("coherence", "coherent", "一致性", "连贯性"),
    "informativeness": ("informativeness", "informative", "信息性", "信息量"),
    "hallucination": ("hallucination", "幻觉性", "幻觉", "事实正确性"),
    "humanness": ("humanness", "humanlike", "humanlikeness", "人格性", "拟人性"),
    "helpfulness": ("helpfulness", "helpful", "有效性", "有用性"),
    "instructiveness": ("instructiveness", "instructive", "启发性"),
    "category": ("category", "类别", "课程类别"),
    "course": ("course", "课程", "课程名称"),
    "question": ("query", "question", "问题"),
    "answer": ("answer", "response", "回答", "回复"),
}
_TEXTS = ("category", "course", "question", "answer")
_QUOTED = 40
_LEAVE_OUT = "Mend the rating, or leave it out: only the line that is held against a paper's means counts it."


@dataclass(frozen=True)
class RatedRow:
    """What one rater gave one answer. `scores` are 0, 1, 2 or `None`, in the order of `ASPECTS`.

    `written` are the numbers as the file has them, possible or not: a published mean may have counted a "12".
    `conversation` is what rows are not independent within: here the course, as the files name no conversations.
    """

    conversation: str
    category: str
    course: str
    question: str
    answer: str
    scores: tuple[int | None, ...]
    written: tuple[float | None, ...]


@dataclass(frozen=True)
class RatedFile:
    """One rater's rows. `part` is the group of answers that raters share ("general", "specific", or "" for all)."""

    name: str
    part: str
    rater: str
    content: str
    """SHA-256 of its bytes: a copy of another rater's file has the same."""
    rows: tuple[RatedRow, ...]


@dataclass(frozen=True)
class RatedSystem:
    """One system's ratings, its files sorted by part and rater. `name` is its folder's."""

    name: str
    files: tuple[RatedFile, ...]

    def parts(self) -> dict[str, list[RatedFile]]:
        """The files of each part, sorted by rater."""
        found: dict[str, list[RatedFile]] = {}
        for file in self.files:
            found.setdefault(file.part, []).append(file)
        return found

    def scores(self, aspect: int) -> list[int]:
        """Every possible rating of an aspect, by place in `ASPECTS`."""
        return [score for row in self._rows() if (score := row.scores[aspect]) is not None]

    def numbers_of(self, aspect: int) -> list[float]:
        """Every number in an aspect's columns as it stands, impossible ones too."""
        return [number for row in self._rows() if (number := row.written[aspect]) is not None]

    def _rows(self) -> Iterator[RatedRow]:
        return (row for file in self.files for row in file.rows)


@dataclass(frozen=True)
class HumanRatings:
    """What a folder holds, systems by name, and what is wrong with it."""

    systems: tuple[RatedSystem, ...]
    problems: tuple[Problem, ...] = ()


def read_human_ratings(folder: Path) -> HumanRatings:
    """Read `<folder>/<system>/**/*.csv`. Files are named `X_1.csv`, `X_2.csv`, or by part, `X_general_1.csv`.

    Columns in English, in any case, or in Chinese: the six aspects must be there; course, question (or query) and
    answer tell which answer is meant. UTF-8, UTF-16 or GBK. A folder that is not there is a problem, not an error.
    """
    log = BoundedTold(file=str(folder))
    systems = []
    if not folder.is_dir():
        log.error(None, "Expected a folder with one folder for each system; found none.", "Set COTEACH_EVAL_RATINGS.")
        return HumanRatings((), tuple(log.problems))
    for place in sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")):
        paths = _csv_files(place)
        files = [file for path in paths if (file := _read_file(path, place, log)) is not None]
        if not paths:
            _tell_nothing(place.name, "in the folder of a system", log)
        kept = _one_each(sorted(files, key=lambda file: (file.part, file.rater, file.name)), log)
        _tell_row_counts(kept, log)
        if kept:
            systems.append(RatedSystem(place.name, tuple(kept)))
    if not systems and not log.problems:
        _tell_nothing(str(folder), "in a folder of its system", log)
    return HumanRatings(tuple(systems), tuple(log.problems))


def _csv_files(folder: Path) -> list[Path]:
    """Those of folders inside too: the published data has `general` and `specific` in the folder of a system."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() == ".csv" and path.is_file())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def _tell_nothing(file: str, where: str, log: BoundedTold) -> None:
    log.file = file
    log.warning(None, f"Expected a CSV file for each rater {where}; found none.", "Put X/X_1.csv and X/X_2.csv there.")
    log.close()


def part_and_rater(stem: str, system: str) -> tuple[str, str]:
    """What a file's name says: `GLM-130B_general_2` of GLM-130B is the second rater of "general"."""
    match = re.fullmatch(r"(.+)[ _-](\d+)", stem)
    before, rater = (match[1], match[2]) if match else (stem, "1")
    for part in ("general", "specific"):
        if part in before.lower():
            return part, rater
    rest = fold_name(before)
    return rest.removeprefix(fold_name(system)), rater


def fold_name(name: str) -> str:
    """A name without case, blanks, hyphens and underscores."""
    return "".join(filter(str.isalnum, name.casefold()))


def _read_file(path: Path, place: Path, log: BoundedTold) -> RatedFile | None:
    log.file = str(path.relative_to(place.parent))
    try:
        data = read_bytes(path, log)
        if data is None:
            return None
        rows = _rows(decode_with_warnings(data, log).text, log)
        part, rater = part_and_rater(path.stem, place.name)
        return None if rows is None else RatedFile(log.file, part, rater, sha256(data).hexdigest(), tuple(rows))
    finally:
        log.close()


def _rows(text: str, log: BoundedTold) -> list[RatedRow] | None:
    """`None` when a column is missing."""
    cells = csv.reader(io.StringIO(text, newline=""))
    rows = []
    try:
        header = next(cells, [])
        places = _places(header)
        if missing := [aspect for aspect in ASPECTS if aspect not in places]:
            shown = ", ".join(name[:_QUOTED] for name in header) or "nothing"
            log.error(
                1,
                f"Expected the columns {', '.join(ASPECTS)}; {', '.join(missing)} missing. Found: {shown}.",
                "Add the column; until then the file is left out.",
            )
            return None
        line = cells.line_num + 1
        for row in cells:
            if any(cell.strip() for cell in row):
                rows.append(_row({name: row[at].strip() for name, at in places.items() if at < len(row)}, line, log))
            line = cells.line_num + 1
    except csv.Error as error:
        log.error(cells.line_num, f"Expected a row of CSV; found {error}.", "Mend it: no row after it was read.")
    return rows


def _places(header: Sequence[str]) -> dict[str, int]:
    known = {name: ours for ours, names in _NAMES.items() for name in names}
    return {known[name]: at for at, cell in reversed(list(enumerate(header))) if (name := fold_name(cell)) in known}


def _row(cells: Mapping[str, str], line: int, log: BoundedTold) -> RatedRow:
    written = tuple(_number(cells.get(aspect, "")) for aspect in ASPECTS)
    scores = tuple(int(number) if number in VALUES else None for number in written)
    bad = [aspect for aspect, score in zip(ASPECTS, scores, strict=True) if score is None]
    if bad:
        found = ", ".join(f"{aspect} {cells.get(aspect, '')[:_QUOTED] or 'empty'}" for aspect in bad)
        log.error(line, f"Expected 0, 1 or 2; found {found}.", _LEAVE_OUT)
    texts = {name: " ".join(cells.get(name, "").split()) for name in _TEXTS}
    return RatedRow(conversation=texts["course"], scores=scores, written=written, **texts)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _one_each(files: Sequence[RatedFile], log: BoundedTold) -> list[RatedFile]:
    """One file for each part and rater; the second of the same name is told and left out."""
    kept: dict[tuple[str, str], RatedFile] = {}
    for file in files:
        first = kept.setdefault((file.part, file.rater), file)
        if first is not file:
            log.file = file.name
            message = f"Expected one file of rater {file.rater}; found {first.name} too."
            log.error(None, message, "Name the files X_1.csv, X_2.csv; until then this one is left out.")
    return list(kept.values())


def _tell_row_counts(files: Sequence[RatedFile], log: BoundedTold) -> None:
    for part in sorted({file.part for file in files}):
        of_part = [file for file in files if file.part == part]
        usual = Counter(len(file.rows) for file in of_part).most_common()
        if len(usual) > 1:
            log.file = of_part[-1].name
            found = ", ".join(f"{file.name} has {len(file.rows):,}" for file in of_part)
            message = f"Expected as many rows from every rater; found: {found}."
            log.warning(None, message, "Answers that one rater alone rated say nothing of agreement.")
