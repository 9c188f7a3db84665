"""Stage `search_index`: what the gateway searches."""

from dataclasses import asdict

import dagster as dg

from assets.passages import passages
from knowledge_graph.home import DataDir
from knowledge_graph.lake import read_rows
from orchestration.automation import fan_in
from orchestration.staleness import ALSO_WRITTEN
from serving.index.build import build_index
from serving.index.search import SearchIndex


@dg.asset(
    deps=["qa_pairs", passages],
    group_name="search_index",
    kinds={"tantivy"},
    owners=["team:serving"],
    automation_condition=fan_in,
    code_version="1",
)
def search_index(data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """A Tantivy index of QA pairs and passages; a running gateway follows it without dropping a request."""
    pairs = read_rows(data_dir.qa_pairs)
    pieces = [row for path in data_dir.tables("passages") for row in read_rows(path)]
    report = build_index(pairs, pieces, data_dir.index)
    return dg.MaterializeResult(
        metadata={
            "dagster/uri": str(data_dir.index / report.version),
            ALSO_WRITTEN: [str(data_dir.index / "CURRENT")],
            "dagster/row_count": len(pairs) + len(pieces),
            "version": report.version,
            "counts": report.counts,
            "beta": asdict(report.beta),
        },
        data_version=dg.DataVersion(report.version),
    )


@dg.asset_check(asset=search_index, blocking=True)
def index_counts_equal_the_tables(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """Per source, the index holds as many entries as the tables it was built from."""
    expected: dict[str, dict[str, int]] = {"qa": {}, "passage": {}}
    for row in read_rows(data_dir.qa_pairs):
        expected["qa"][row["source"]] = expected["qa"].get(row["source"], 0) + 1
    for path in data_dir.tables("passages"):
        for row in read_rows(path):
            expected["passage"][row["source"]] = expected["passage"].get(row["source"], 0) + 1
    found = SearchIndex.open(data_dir.index).counts()
    return dg.AssetCheckResult(passed=found == expected, metadata={"tables": expected, "index": found})
