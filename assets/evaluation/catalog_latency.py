"""Stage `evaluation`: how long the catalogue expert takes. Measured when the asset is made, and only then."""

import dagster as dg

from assets.catalog_pages import catalog_pages
from assets.graph import graph
from assets.search_index import search_index
from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from orchestration.building.courses import files_key
from orchestration.reporting.publishing import Made, publish
from orchestration.resources import Inputs
from serving.index.search import SearchIndex


@dg.asset(
    deps=[catalog_pages, search_index, graph, files_key("gold")],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="1",
)
def catalog_latency(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Retrieval time by stage, on every catalogue with labelled questions and on a made-up one of the paper's size."""
    from serving.evaluation.catalog.catalogs import read_catalogs, temporary_index, whole_pages  # noqa: PLC0415
    from serving.evaluation.catalog.simulated_catalog import simulate_catalog  # noqa: PLC0415
    from serving.evaluation.catalog.stage_latency import latency_table, measure_stages  # noqa: PLC0415

    catalogs = [one for one in read_catalogs(data_dir, inputs.find_folders()) if one.questions_of_one_mode()]
    measured, made_of = [], {}
    if catalogs:
        index, concepts = SearchIndex.open(data_dir.index), ConceptGraph.load(data_dir)
        made_of["search_index"] = index.version
        for one in catalogs:
            measured.append(
                measure_stages(index, one.questions_of_one_mode(), concepts, where=one.course_id, name=one.name)
            )
            made_of |= dict(one.made_of)
    simulated = simulate_catalog()
    with temporary_index(whole_pages(simulated.records)) as index:
        context.log.info(f"A made-up catalogue of {len(simulated.records)} records")
        measured.append(measure_stages(index, simulated.asked, simulated.graph(), where="simulated", name="simulated"))
    return publish(context, Made(latency_table(measured), made_of), data_dir=data_dir, inputs=inputs)
