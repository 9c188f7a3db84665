"""What people say of a course's graph, out of every file that says some of it, as one table.

`seeds.txt` names concepts, `concepts.jsonl` and `prerequisites.jsonl` are a dataset's, `graph.yaml` is the teacher's
(see `edits.py`). What becomes of it is for `knowledge_graph/statements/`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.records import CourseCard, Statement, StatementKind
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.contradictions import consistent
from knowledge_graph.sources.edits import LARGEST_EDITS, edits_of
from knowledge_graph.sources.fields import Fields, ProblemLog, lower_keys, tell_nan, text_of
from knowledge_graph.sources.files import open_text, read_text
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.importing.mooccubex_files import concept_name
from knowledge_graph.sources.json_objects import json_objects
from knowledge_graph.sources.terms import definition_of, name_of, read_named_concepts

MOST_STATEMENTS = 100_000
"""Statements of one file. The largest public set of concepts has some thousands for a subject."""

_CONCEPT_NAMES: Fields = {
    "name": ("name", "concept", "term", "名称", "概念"),
    "id": ("id",),
    "aliases": ("aliases", "alias", "别名"),
    "definition": ("definition", "context", "explanation", "description", "定义", "解释"),
}
_PAIR_NAMES: Fields = {
    "prerequisite": ("prerequisite", "c1", "先修概念"),
    "concept": ("concept", "c2", "概念"),
    "label": ("label", "ground_truth", "标签"),
}
_LABELS: Mapping[str, StatementKind] = {
    "1": "prerequisite", "1.0": "prerequisite", "true": "prerequisite",
    "0": "no_prerequisite", "0.0": "no_prerequisite", "false": "no_prerequisite",
}  # fmt: skip
_CONCEPT_FORM = 'Write one a line: {"id": "...", "name": "...", "definition": "..."}.'
_PAIR_FORM = 'Write one a line: {"prerequisite": "...", "concept": "...", "label": 1}; label 0 says that it is none.'
_DATASET_FILES = ("concepts.jsonl", "prerequisites.jsonl")


def read_statements(folder: CourseFolder, card: CourseCard) -> tuple[tuple[Statement, ...], tuple[Problem, ...]]:
    """Every statement, file by file, in the order of their lines; `row` is the line.

    If statements of one file contradict each other, the first counts and the others are reported; between files none is
    left out here. A dataset's files are not read when the card says that concepts are extracted.
    """
    statements: list[Statement] = []
    log = BoundedTold()
    edits: str | None = None
    for path in input_files(folder, "statements"):
        log.file = display_path(path, folder.path)
        name = path.name.lower()
        if name in _DATASET_FILES and card.concepts == "extracted":
            continue
        if name.startswith("graph."):
            if edits:
                log.warning(None, f"Not read: {edits} exists too.", "Keep one of them.")
                continue
            edits = log.file
        statements += consistent(_limit(_statements(path, name, card.course_id, log), log), log)
        log.close()
    return tuple(statements), tuple(log.problems)


def _statements(path: Path, name: str, course_id: str, log: ProblemLog) -> Iterator[Statement]:
    if name == "seeds.txt":
        return _seeds(path, course_id, log)
    if name == "concepts.jsonl":
        return _concepts(path, course_id, log)
    if name == "prerequisites.jsonl":
        return _pairs(path, course_id, log)
    decoded = read_text(path, log, LARGEST_EDITS)
    return edits_of(decoded.text if decoded else "", course_id, log)


def _limit(statements: Iterator[Statement], log: ProblemLog) -> Iterator[Statement]:
    for number, statement in enumerate(statements):
        if number == MOST_STATEMENTS:
            message = f"Only the first {MOST_STATEMENTS:,} names or pairs were read."
            log.error(statement.row, message, "Keep those of this course.")
            return
        yield statement


def _seeds(path: Path, course_id: str, log: ProblemLog) -> Iterator[Statement]:
    for line, names in read_named_concepts(path, log):
        for place, name in enumerate(names):
            kind: StatementKind = "alias" if place else "concept"
            yield Statement(course_id, kind, "seed", names[0], name if place else None, None, log.file, line)


def _concepts(path: Path, course_id: str, log: ProblemLog) -> Iterator[Statement]:
    """A dataset's concepts as `coteach import` writes them, or as MOOCCubeX publishes them in `concept.json`."""
    for line, fields in _rows(path, _CONCEPT_FORM, log):
        values = {name: text_of(fields, known) for name, known in _CONCEPT_NAMES.items()}
        tell_nan(fields, {"definition": _CONCEPT_NAMES["definition"]}, line, log)
        written = values["name"] or concept_name(values["id"] or "")
        if not written:
            log.error(line, "The concept has no name; it was left out.", _CONCEPT_FORM)
        elif name := name_of(written, line, log):
            definition = definition_of(values["definition"], line, log)
            yield Statement(course_id, "concept", "dataset", name, None, definition, log.file, line)
            for other in dict.fromkeys((values["aliases"] or "").split("\n")):
                if other.strip() and (alias := name_of(other, line, log)) and alias != name:
                    yield Statement(course_id, "alias", "dataset", name, alias, None, log.file, line)


def _pairs(path: Path, course_id: str, log: ProblemLog) -> Iterator[Statement]:
    """A dataset's labelled pairs as `coteach import` writes them, or as MOOCCubeX publishes them."""
    for line, fields in _rows(path, _PAIR_FORM, log):
        values = {name: text_of(_spell_out(fields), known) for name, known in _PAIR_NAMES.items()}
        first, second, label = values["prerequisite"], values["concept"], values["label"]
        if not first or not second:
            log.error(line, f"The pair has no {'concept' if first else 'prerequisite'}; it was left out.", _PAIR_FORM)
            continue
        if (kind := _LABELS.get((label or "").lower())) is None:
            said = f"its label is '{label[:60]}'" if label else "it has no label"
            log.error(line, f"The pair '{first[:60]}', '{second[:60]}' was left out: {said}.", "Label it 1 or 0.")
            continue
        subject, object_ = (name_of(concept_name(each), line, log) for each in (first, second))
        if subject and object_:
            yield Statement(course_id, kind, "dataset", subject, object_, None, log.file, line)


def _rows(path: Path, form: str, log: ProblemLog) -> Iterator[tuple[int, Mapping[str, object]]]:
    stream = open_text(path, log)
    if stream is None:
        return
    with stream:
        for row in json_objects(stream):
            if row.defect:
                log.error(row.line, row.defect, form)
            else:
                yield row.line, lower_keys(dict[object, object](row.fields.items()))


def _spell_out(fields: Mapping[str, object]) -> Mapping[str, object]:
    return {name: str(value) if isinstance(value, bool) else value for name, value in fields.items()}
