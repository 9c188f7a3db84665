"""What `coteach compare` does and prints: two systems that answered the evaluation questions, by paired tests.

The figures are printed, kept as a page in the home, and are a run of MLflow.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import digest, write_text_atomic
from orchestration.resources import PipelineSettings, check_home
from serving.evaluation.systems.answered_systems import AnsweredSystem, read_systems
from serving.evaluation.systems.two_systems import compare_systems, comparison_tables
from serving.evaluation.tables import Table, markdown, metric_name, page, to_json


class NotComparable(CoteachError):
    """Two systems that cannot be compared; the message says what there is."""


def compare(console: Console, first: str, second: str, *, examples: int, as_json: bool) -> int:
    """Compare two systems of the home, or files of answers from anywhere."""
    settings = PipelineSettings()
    data_dir = DataDir(check_home(settings))
    paths = _path(first, data_dir), _path(second, data_dir)
    try:
        found = compare_systems(_read_answers(paths[0]), _read_answers(paths[1]), names=(first, second), shown=examples)
    except ValueError as error:
        raise NotComparable(str(error)) from error
    measures, differing = comparison_tables(found)
    name = f"{metric_name(first)}-{metric_name(second)}"
    kept = data_dir.evaluation / "comparisons" / f"{name}.html"
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_text_atomic(kept, page(measures, differing))
    run = _track(name, (measures, differing), found.asked, paths, data_dir)
    if as_json:
        console.print_json(json.dumps(to_json(measures), ensure_ascii=False))
        return 0
    console.print(Markdown(markdown(measures)))
    console.print(
        f"With {len(differing.rows)} questions on which they differ most: {kept}", highlight=False, soft_wrap=True
    )
    console.print(f"In MLflow: {settings.mlflow_pages}/{run}", highlight=False, soft_wrap=True)
    return 0


def _path(named: str, data_dir: DataDir) -> Path:
    """The answers of a system of the home, or a file of them."""
    path = Path(named)
    if path.suffix == ".parquet" and path.is_file():
        return path
    known = {one.stem: one for one in data_dir.systems_answered}
    if named not in known:
        there = ", ".join(known) or "none; `coteach report` asks them"
        raise NotComparable(
            f"No system {named!r} has answered in {data_dir.root}, and no such .parquet file. There are: {there}."
        )
    return known[named]


def _read_answers(path: Path) -> AnsweredSystem:
    found = read_systems([path])
    if not found:
        raise NotComparable(f"{path} holds no answers of a system. Files of answers are evaluation/systems/*.parquet.")
    return found[0]


def _track(
    name: str,
    tables: tuple[Table, Table],
    asked: Sequence[Mapping[str, object]],
    paths: tuple[Path, Path],
    data_dir: DataDir,
) -> str:
    from models.tracking.evaluation import EvaluationRun, log_evaluation  # noqa: PLC0415  MLflow takes 4 s
    from models.tracking.recording import DataSet  # noqa: PLC0415

    measures, differing = tables
    run = log_evaluation(
        EvaluationRun(
            kind="comparisons",
            name=name,
            metrics=measures.metrics(),
            params={side: digest(path) for side, path in zip(("first", "second"), paths, strict=True)},
            data_sets=[DataSet.of_rows("questions", asked)],
            texts={"comparison.md": markdown(measures), "comparison.html": page(measures, differing)},
        ),
        data_dir=data_dir,
    )
    return run.url_path
