"""Stage `evaluation_report`: every table in one document, with the run behind each number."""

import hashlib
import json
import shutil
from pathlib import Path

import dagster as dg

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, write_text_atomic
from orchestration.jobs import TABLE_ASSETS
from orchestration.reporting.publishing import PublishedTable, read_shown
from orchestration.reporting.tables import facts_of_files
from orchestration.resources import Inputs
from serving.evaluation.report import EvaluationReport, ReportEntry, document, from_json, to_json

DOCUMENT, RECORD, PICTURES = "results.md", "results.json", "results"
"""Names in the report's folder: the document, what it was made of, and the folder of its pictures."""


@dg.asset(
    deps=[dg.AssetKey(name) for name in TABLE_ASSETS],
    group_name="evaluation",
    kinds={"markdown"},
    owners=["team:ml"],
    code_version="3",
)
def evaluation_report(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """`results.md` with its pictures, made of the tables that there are; `coteach report` copies it to `docs/`."""
    from models.tracking.evaluation import metrics_of  # noqa: PLC0415  MLflow takes 4 s

    shown = [read_shown(path) for path in sorted(data_dir.evaluation_tables.glob("*.json"))]
    if not shown:
        raise dg.Failure("No table was made yet. `coteach report` makes them all.")
    entries = tuple(_entry(one, metrics_of(one.run_id, data_dir=data_dir) or {}) for one in shown)
    report = EvaluationReport(entries, inputs=input_digests(inputs), versions=_versions(context))
    folder = data_dir.evaluation_report
    _copy_pictures(data_dir, folder / PICTURES, shown)
    write_text_atomic(folder / RECORD, json.dumps(to_json(report), ensure_ascii=False, indent=1) + "\n")
    write_text_atomic(folder / DOCUMENT, document(report, folder=PICTURES, json_name=RECORD))
    numbers = sum(len(entry.table.metrics()) for entry in entries)
    return dg.MaterializeResult(
        metadata={**facts_of_files(folder / DOCUMENT), "tables": len(entries), "numbers": numbers},
        data_version=dg.DataVersion(digest(folder / DOCUMENT)),
    )


@dg.asset_check(asset=evaluation_report)
def every_number_is_tracked(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """Every number of the report is a metric, with the same value, of the run that is named below its table."""
    report = from_json(json.loads((data_dir.evaluation_report / RECORD).read_text(encoding="utf-8")))
    missing = {entry.table.name: names for entry in report.entries if (names := entry.list_untracked())}
    return dg.AssetCheckResult(
        passed=not missing,
        description="; ".join(f"{name}: {', '.join(names[:5])}" for name, names in missing.items()) or None,
        metadata={"tables": len(report.entries), "not_tracked": sum(map(len, missing.values()))},
    )


def input_digests(inputs: Inputs) -> dict[str, str]:
    """One digest for the course folders and one for the labels: names and bytes of every file."""
    return {"courses": folder_digest(inputs.courses), "labels": folder_digest(inputs.labels)}


def folder_digest(folder: Path) -> str:
    """SHA-256 over the names and bytes of a folder's files, in order of name; hidden files do not count."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and not any(part.startswith(".") for part in name.parts):
            found.update(f"{name.as_posix()}\n{digest(path)}\n".encode())
    return found.hexdigest()


def _versions(context: dg.AssetExecutionContext) -> dict[str, str]:
    """The code version of everything that this home was built by, as of its last run; not that of the report itself."""
    keys = [key for key in context.instance.get_asset_keys() if key != context.asset_key]
    found = context.instance.get_latest_materialization_code_versions(keys)
    return {key.to_user_string(): version for key, version in sorted(found.items()) if version is not None}


def _entry(shown: PublishedTable, metrics: dict[str, float]) -> ReportEntry:
    return ReportEntry(shown.table, metrics, shown.made_of, shown.pictures, shown.run_id, shown.code_version)


def _copy_pictures(data_dir: DataDir, folder: Path, shown: list[PublishedTable]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {file for one in shown for file in one.pictures}
    for path in folder.iterdir():
        if path.name not in wanted:
            path.unlink()
    for file in sorted(wanted):
        shutil.copyfile(data_dir.evaluation_tables / file, folder / file)
