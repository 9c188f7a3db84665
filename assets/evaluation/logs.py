"""Stage `evaluation`: what was asked and said, without names, and logs of the same form that nobody wrote."""

import dagster as dg
from pydantic import Field
from sqlalchemy.orm import Session

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.log_schemas import LOGS
from knowledge_graph.lake.tables import digest, write_atomic, write_batches
from orchestration.building.decisions import TURNS, existing_store
from orchestration.reporting.tables import facts_of_files
from orchestration.resources import Inputs
from serving.evaluation.logs.log_design import LogDesign
from serving.evaluation.logs.log_rows import log_batches
from serving.evaluation.logs.simulated_logs import simulate_logs


class SimulatedLogs(dg.Config):
    """How much is simulated. With the same seed the same rows."""

    courses: int = Field(LogDesign.courses, ge=1)
    turns: int = Field(LogDesign.turns, ge=0)
    seed: int = LogDesign.seed


@dg.asset(deps=[TURNS], group_name="evaluation", kinds={"parquet"}, owners=["team:ml"], code_version="1")
def store_logs(data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]) -> dg.MaterializeResult:
    """Questions, thumbs, ratings and experiments of the store, without names; empty tables where there is no store."""
    with existing_store(inputs.store_url) as store:
        if store is None:
            rows = {name: write_batches(data_dir.logs_table(name), (), schema) for name, schema in LOGS.items()}
        else:
            rows = store.read(lambda db: _write(db, data_dir))
    return _report_rows(data_dir, rows, simulated=False)


@dg.asset(group_name="evaluation", kinds={"parquet"}, owners=["team:ml"], code_version="1")
def simulated_logs(config: SimulatedLogs, data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """Logs that were drawn by design and seed, to show that the tables find the effects that were put in."""
    design = LogDesign(courses=config.courses, turns=config.turns, seed=config.seed)
    tables = simulate_logs(design)
    for name, table in tables.items():
        write_atomic(data_dir.logs_table(name, simulated=True), table)
    return _report_rows(data_dir, {name: table.num_rows for name, table in tables.items()}, simulated=True)


def _write(db: Session, data_dir: DataDir) -> dict[str, int]:
    """All logs from one moment, so that they can be joined."""
    return {
        name: write_batches(data_dir.logs_table(name), log_batches(db, name), schema) for name, schema in LOGS.items()
    }


def _report_rows(data_dir: DataDir, rows: dict[str, int], *, simulated: bool) -> dg.MaterializeResult:
    folder = data_dir.logs_table("turns", simulated=simulated).parent
    counts = {f"rows_{name}": number for name, number in rows.items()}
    return dg.MaterializeResult(
        metadata={"dagster/row_count": rows["turns"], **facts_of_files(folder), **counts},
        data_version=dg.DataVersion(digest(folder)),
    )
