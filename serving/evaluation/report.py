"""The report: every table that was made, in the order a reader wants, with the run behind each. Pure.

A report is a list of `ReportEntry`; `document` writes it as Markdown, `to_json` and `from_json` keep it beside that.
The document is made of nothing else, so that whoever has the JSON can tell whether the document still says what was
found.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from serving.evaluation import tables
from serving.evaluation.tables import Table

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "What is asked",
        ("evaluation_sets", "question_components", "data_statistics", "traffic_shape", "traffic_retrieval"),
    ),
    ("The intent model", ("intent_systems",)),
    ("Students", ("student_questions",)),
    ("Answers", ("littlemu_4", "system_comparison", "system_ablations", "groundedness_grades")),
    ("What people said", ("human_ratings", "ratings_by_category", "rater_reliability")),
    ("References", ("reference_review", "reference_subjects", "reference_threshold")),
    ("A catalogue", ("catalog_projection", "catalog_latency", "catalog_ablations")),
    ("In use", ("use_over_time", "answer_experiments", "votes_by_form")),
    ("Release", ("release_candidate",)),
)
"""Headings and the tables below them. A table of no section comes last, under "More"."""

_INTRODUCTION = """\
Written by `coteach report`; do not edit. Figures in italics are those of the papers; every other figure was measured
by the run of MLflow that is named below its table (or put in, where a column says so). `{json}` has the same figures
with the digests of what they were made of. Intervals are at 95 %. The sample courses and their evaluation sets are
small and were written for this project with the help of AI: they show that everything works, not how good coteach is
on your courses.
"""


@dataclass(frozen=True)
class ReportEntry:
    """One table as it was published. `metrics` are what its run in MLflow holds; `pictures` are captions by file."""

    table: Table
    metrics: Mapping[str, float]
    made_of: Mapping[str, str]
    pictures: Mapping[str, str]
    run_id: str
    code_version: str

    def list_untracked(self) -> list[str]:
        """Names of the table's numbers that its run does not hold with the same value."""
        return sorted(name for name, value in self.table.metrics().items() if self.metrics.get(name) != value)


@dataclass(frozen=True)
class EvaluationReport:
    """All tables; `inputs` are digests of what the whole report rests on, by name, and `versions` those of its code."""

    entries: tuple[ReportEntry, ...]
    inputs: Mapping[str, str]
    versions: Mapping[str, str]


def document(report: EvaluationReport, *, folder: str, json_name: str) -> str:
    """The whole as Markdown. `folder` is where its pictures lie, beside the document."""
    blocks = ["# Results", _INTRODUCTION.format(json=json_name).strip()]
    for heading, entries in _sections(report.entries):
        blocks.append(f"## {heading}")
        blocks += [_block(entry, folder) for entry in entries]
    return "\n\n".join(blocks) + "\n"


def to_json(report: EvaluationReport) -> dict[str, Any]:
    """As JSON keeps it."""
    entries = [
        {
            "table": tables.to_json(entry.table),
            "metrics": dict(sorted(entry.metrics.items())),
            "made_of": dict(sorted(entry.made_of.items())),
            "pictures": dict(entry.pictures),
            "run_id": entry.run_id,
            "code_version": entry.code_version,
        }
        for entry in report.entries
    ]
    return {
        "inputs": dict(sorted(report.inputs.items())),
        "versions": dict(sorted(report.versions.items())),
        "entries": entries,
    }


def from_json(fields: Mapping[str, Any]) -> EvaluationReport:
    """A report that `to_json` wrote. Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    entries = tuple(ReportEntry(**{**one, "table": tables.from_json(one["table"])}) for one in fields["entries"])
    return EvaluationReport(entries, fields["inputs"], fields["versions"])


def _sections(entries: Sequence[ReportEntry]) -> Iterator[tuple[str, list[ReportEntry]]]:
    """Headings that have tables, with these."""
    by_name = {entry.table.name: entry for entry in entries}
    for heading, names in SECTIONS:
        if found := [by_name.pop(name) for name in names if name in by_name]:
            yield heading, found
    if by_name:
        yield "More", list(by_name.values())


def _block(entry: ReportEntry, folder: str) -> str:
    """One table with its heading, pictures and the run behind it."""
    pictures = "".join(f"\n![{caption}]({folder}/{file})\n" for file, caption in entry.pictures.items())
    made_of = ", ".join(f"{name} `{digest[:12]}`" for name, digest in sorted(entry.made_of.items()))
    run = f"MLflow run `{entry.run_id}` (experiment `tables`), code version {entry.code_version}"
    trace = f"<sub>{run}{f'; made of {made_of}' if made_of else ''}.</sub>"
    heading = f"### {entry.table.title}\n\n{entry.table.source}"
    return f"{heading}\n\n{tables.markdown(entry.table)}{pictures}\n{trace}"
