"""Stage `qa_pairs`: every source in one QA-pair form, by dbt on DuckDB."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import dagster as dg
import pyarrow.parquet as pq
from dagster_dbt import DagsterDbtTranslator, DbtCliResource, DbtProject, dbt_assets

from knowledge_graph.home import DataDir
from knowledge_graph.lake import QA_PAIRS, write_atomic
from orchestration.automation import fan_in
from orchestration.resources import DBT_PROJECT, dbt_resource

dbt_project = DbtProject(project_dir=DBT_PROJECT, profiles_dir=DBT_PROJECT)


def _parse_if_older(project: DbtProject) -> None:
    """Let dbt parse its project when the manifest is missing or older than a file of the project.

    The one thing done at import: Dagster needs the manifest to know the models. Its own `prepare_if_dev` acts only
    below `dg` and needs dbt on the PATH.
    """
    sources = [path for kind in ("*.sql", "*.yml") for path in DBT_PROJECT.rglob(kind) if "target" not in path.parts]
    manifest = project.manifest_path
    if not manifest.exists() or manifest.stat().st_mtime < max(path.stat().st_mtime for path in sources):
        dbt_resource().cli(["parse", "--quiet"], target_path=manifest.parent).wait()


_parse_if_older(dbt_project)


class _Translator(DagsterDbtTranslator):
    """How dbt models look in Dagster's catalogue."""

    def get_asset_spec(self, manifest: Mapping[str, Any], unique_id: str, project: DbtProject | None) -> dg.AssetSpec:
        spec = super().get_asset_spec(manifest, unique_id, project)
        if not unique_id.startswith("model."):
            return spec
        return spec.replace_attributes(
            group_name="qa_pairs",
            owners=["team:pipeline"],
            automation_condition=fan_in,
            code_version=manifest["nodes"][unique_id]["checksum"]["checksum"],
        )


@dbt_assets(manifest=dbt_project.manifest_path, project=dbt_project, dagster_dbt_translator=_Translator())
def dbt_models(
    context: dg.AssetExecutionContext, dbt: DbtCliResource, data_dir: dg.ResourceParam[DataDir]
) -> Iterator[Any]:
    """Staging models and the unified `qa_pairs`, with their data tests; published when every test passed."""
    data_dir.dbt_output.mkdir(parents=True, exist_ok=True)
    arguments = ["build", "--vars", json.dumps({"home": str(data_dir.root)})]
    yield from dbt.cli(arguments, context=context).stream()
    publish_qa_pairs(data_dir)


def publish_qa_pairs(data_dir: DataDir) -> None:
    """Move what dbt made to where readers look: explicit schema, sorted, in one rename, so same rows, same bytes."""
    made = pq.ParquetFile(data_dir.dbt_output / "qa_pairs.parquet").read()
    write_atomic(data_dir.qa_pairs, made.select(QA_PAIRS.names).cast(QA_PAIRS).sort_by("qa_id"))
