"""MLflow for the concept graph: a run for each build of a course, with its labelling functions and its scores.

Belongs here: what such a run holds. A course is a tag, so that an ML engineer compares one course's builds in a chart.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields

import pandas as pd

from knowledge_graph.labelling.analysis import FunctionReport
from knowledge_graph.lake.home import DataDir
from knowledge_graph.sources.gold import Gold
from models.tracking.recording import DataSet, RunContent, TrackedExperiment, TrackedRun, log_run

EXPERIMENT = "concept graph"
_EXPERIMENT = TrackedExperiment(
    EXPERIMENT,
    "One run for each build of a course's concepts and prerequisites. The tables hold what the label model learnt of "
    "each labelling function; figures against gold are there for courses that bring a gold list.",
)

_NO_GOLD = Gold()


@dataclass(frozen=True)
class GraphRun:
    """What one build of a course's graph leaves in MLflow.

    `functions` are keyed by what they vote on: "concepts", "prerequisites". `metrics` by a name MLflow accepts. `gold`
    is logged as the run's data.
    """

    course_id: str
    params: Mapping[str, str | int]
    metrics: Mapping[str, float]
    functions: Mapping[str, tuple[FunctionReport, ...]]
    gold: Gold = _NO_GOLD


def log_graph_run(run: GraphRun, *, data_dir: DataDir) -> TrackedRun:
    """Log one build as a run of the experiment `concept graph`."""
    content = RunContent(
        run.metrics,
        run.params,
        {"course": run.course_id},
        data_sets=tuple(_data_sets(run.gold)),
        tables={f"{name}_functions.json": _table(reports) for name, reports in run.functions.items()},
    )
    return log_run(_EXPERIMENT, run.course_id, content, data_dir=data_dir)


def _data_sets(gold: Gold) -> Iterator[DataSet]:
    """What people labelled, row by row, each list with the digest of its file."""
    concepts = pd.DataFrame({"names": ["; ".join(names) for names in gold.concepts]})
    pairs = pd.DataFrame([asdict(pair) for pair in gold.pairs])
    for name, rows, digest in (
        ("gold_concepts", concepts, gold.concepts_digest),
        ("gold_prerequisites", pairs, gold.pairs_digest),
    ):
        if digest is not None and len(rows):
            yield DataSet(name, digest, rows)


def _table(reports: Sequence[FunctionReport]) -> dict[str, list[object]]:
    names = [field.name for field in fields(FunctionReport)]
    return {name: [getattr(one, name) for one in reports] for name in names}
