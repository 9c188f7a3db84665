"""How evaluation assets hand out their tables: files for people, a run in MLflow, and what Dagster's pages show.

Every number of a table is a metric of its run, and `<table>.json` keeps the run beside the digests of what the table
was made of: so that a report can say where each number comes from, and whether it is still true.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import replacing, write_text_atomic
from orchestration.reporting.tables import facts_of_files
from orchestration.resources import Inputs
from serving.evaluation.tables import Table, from_json, markdown, page, to_json

_FORMAT = 1


@dataclass(frozen=True)
class PublishedTable:
    """A table as it was published. `made_of` are digests by the name of what went in; `pictures` captions by file."""

    table: Table
    made_of: Mapping[str, str]
    pictures: Mapping[str, str]
    run_id: str
    code_version: str


@dataclass(frozen=True)
class Picture:
    """A PNG with the sentence below it."""

    caption: str
    content: bytes


@dataclass(frozen=True)
class Made:
    """What one asset shows: a table and what it was made of, with pictures by file name (`littlemu_3a.png`)."""

    table: Table
    made_of: Mapping[str, str]
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)
    data_sets: Sequence[Any] = ()
    """`models.tracking.recording.DataSet`s; not imported here, for MLflow takes 4 s to load."""


def publish(
    context: dg.AssetExecutionContext, made: Made, *, data_dir: DataDir, inputs: Inputs
) -> dg.MaterializeResult:
    """Log the table as a run, write `<table>.json`, `.md`, `.html` and its pictures, and tell Dagster.

    The data version is that of the table and its pictures: the same figures are the same version.
    """
    from models.tracking.evaluation import EvaluationRun, log_evaluation  # noqa: PLC0415  MLflow takes 4 s

    table, code_version = made.table, str(context.assets_def.code_versions_by_key[context.asset_key])
    pictures = {name: one.content for name, one in made.pictures.items()}
    run = log_evaluation(
        EvaluationRun(
            kind="tables",
            name=table.name,
            metrics=table.metrics(),
            params={f"made_of.{name}": digest for name, digest in made.made_of.items()} | dict(made.params),
            tags={"coteach.table": table.name, "coteach.source": table.source},
            texts={f"{table.name}.md": markdown(table), f"{table.name}.html": page(table)},
            pictures=pictures,
            data_sets=made.data_sets,
        ),
        data_dir=data_dir,
    )
    captions = {name: one.caption for name, one in made.pictures.items()}
    _write(data_dir, PublishedTable(table, made.made_of, captions, run.run_id, code_version), pictures)
    return dg.MaterializeResult(
        metadata={
            "table": dg.MetadataValue.md(markdown(table)),
            "mlflow_run": dg.MetadataValue.url(f"{inputs.mlflow_url.rstrip('/')}/{run.url_path}"),
            **facts_of_files(data_dir.evaluation_tables / f"{table.name}.json"),
        },
        data_version=dg.DataVersion(_version(table, pictures)),
    )


def rating_sets(name: str, rows: Sequence[Mapping[str, Any]], made_of: Mapping[str, str]) -> Sequence[Any]:
    """What people rated as a data set for MLflow, with a digest over all of its files; none without ratings."""
    import pandas as pd  # noqa: PLC0415

    from models.tracking.recording import DataSet  # noqa: PLC0415  MLflow takes 4 s

    whole = hashlib.sha256(json.dumps(dict(made_of), sort_keys=True).encode()).hexdigest()
    return [DataSet(name, whole, pd.DataFrame(rows))] if rows else []


def read_shown(path: Path) -> PublishedTable:
    """A table that `publish` wrote. Raises `ValueError` or `KeyError` for another file."""
    fields = json.loads(path.read_text(encoding="utf-8"))
    return PublishedTable(
        from_json(fields["table"]), fields["made_of"], fields["pictures"], fields["run_id"], fields["code_version"]
    )


def table_to_json(shown: PublishedTable) -> dict[str, Any]:
    """As the file has it."""
    return {
        "format": _FORMAT,
        "table": to_json(shown.table),
        "made_of": dict(sorted(shown.made_of.items())),
        "pictures": dict(shown.pictures),
        "run_id": shown.run_id,
        "code_version": shown.code_version,
    }


def _write(data_dir: DataDir, shown: PublishedTable, pictures: Mapping[str, bytes]) -> None:
    folder, name = data_dir.evaluation_tables, shown.table.name
    for file, content in pictures.items():
        with replacing(folder / file) as temporary:
            temporary.write_bytes(content)
    write_text_atomic(folder / f"{name}.md", f"# {shown.table.title}\n\n{markdown(shown.table)}")
    write_text_atomic(folder / f"{name}.html", page(shown.table))
    write_text_atomic(folder / f"{name}.json", json.dumps(table_to_json(shown), ensure_ascii=False, indent=1))


def _version(table: Table, pictures: Mapping[str, bytes]) -> str:
    found = hashlib.sha256(json.dumps(to_json(table), sort_keys=True, ensure_ascii=False).encode())
    for name, content in sorted(pictures.items()):
        found.update(name.encode() + content)
    return found.hexdigest()
