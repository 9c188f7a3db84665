"""Stage `evaluation`: chunks, modes, title words and embeddings, each with and without, on the catalogues' questions.

scipy.stats is imported inside the asset: it takes a second.
"""

from typing import TYPE_CHECKING

import dagster as dg

from assets.catalog_pages import catalog_pages
from assets.embeddings import embeddings
from assets.graph import graph
from assets.search_index import search_index
from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from orchestration.building.courses import files_key
from orchestration.reporting.publishing import Made, publish
from orchestration.resources import Inputs
from serving.assistant.retrieval.dense import find_dense
from serving.index.search import SearchIndex

if TYPE_CHECKING:
    from serving.assistant.retrieval.lookup import Dense
    from serving.evaluation.catalog.catalog_ablation import CatalogAblation
    from serving.evaluation.catalog.catalogs import LabelledCatalog


@dg.asset(
    deps=[catalog_pages, search_index, embeddings, graph, files_key("gold")],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="1",
)
def catalog_ablations(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """The catalogue expert with and without each of its parts, on `gold/questions.jsonl` of every catalogue."""
    from serving.evaluation.catalog.catalog_ablation import chunking  # noqa: PLC0415
    from serving.evaluation.catalog.catalog_ablation_table import ablation_table, notes_on  # noqa: PLC0415
    from serving.evaluation.catalog.catalogs import read_catalogs  # noqa: PLC0415
    from serving.evaluation.catalog.simulated_catalog import simulate_catalog  # noqa: PLC0415

    catalogs = [one for one in read_catalogs(data_dir, inputs.find_folders()) if one.questions_of_one_mode()]
    found: list[CatalogAblation] = []
    made_of: dict[str, str] = {}
    dense, why_none = find_dense(data_dir) if catalogs else (None, "")
    if catalogs:
        index, concepts = SearchIndex.open(data_dir.index), ConceptGraph.load(data_dir)
        made_of |= {"search_index": index.version}
        made_of |= {"embeddings": digest(data_dir.embeddings)} if dense is not None else {}
        for one in catalogs:
            context.log.info(f"{one.course_id}: {len(one.questions_of_one_mode())} questions")
            found += _ablations(one, index, concepts, dense)
            made_of |= dict(one.made_of)
    simulated = simulate_catalog()
    found.append(chunking("simulated", "simulated", simulated.records, simulated.asked, simulated.graph()))
    table = ablation_table(found, notes=notes_on(catalogs, why_no_embeddings=why_none))
    params = {"embedder": dense.embedder.name if dense else "none"}
    return publish(context, Made(table, made_of, params=params), data_dir=data_dir, inputs=inputs)


def _ablations(
    catalog: "LabelledCatalog", index: SearchIndex, concepts: ConceptGraph, dense: "Dense | None"
) -> "list[CatalogAblation]":
    from serving.evaluation.catalog.catalog_ablation import chunking, modes, scoring  # noqa: PLC0415

    where, name, asked = catalog.course_id, catalog.name, catalog.questions_of_one_mode()
    return [
        chunking(where, name, catalog.records, asked, concepts),
        modes(where, name, index, asked, concepts),
        scoring(where, name, index, asked, concepts, dense),
    ]
