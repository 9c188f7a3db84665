"""Stage `evaluation`: what the catalogue expert finds, as the paper shows it: a projection and a score chart.

scikit-learn and matplotlib are imported inside the assets, for the reason that albert_pretrained.py gives.
"""

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import dagster as dg

from assets.catalog_pages import catalog_pages
from assets.graph import graph
from assets.search_index import search_index
from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from orchestration.reporting.publishing import Made, Picture, publish
from orchestration.resources import Inputs
from serving.index.search import SearchIndex

if TYPE_CHECKING:
    from serving.evaluation.catalog.catalogs import LabelledCatalog
    from serving.evaluation.catalog.score_chart import Looked


@dg.asset(
    deps=[catalog_pages, search_index, graph],
    group_name="evaluation",
    kinds={"sklearn", "mlflow"},
    owners=["team:ml"],
    code_version="1",
)
def catalog_projection(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """The paper's two questions asked of every catalogue: pages with their scores, projection and score chart."""
    from serving.evaluation.catalog.catalogs import read_catalogs  # noqa: PLC0415
    from serving.evaluation.catalog.score_chart import projection_table  # noqa: PLC0415

    catalogs = read_catalogs(data_dir, inputs.find_folders())
    index = SearchIndex.open(data_dir.index) if catalogs else None
    looked: list[Looked] = []
    pictures: dict[str, Picture] = {}
    for catalog in catalogs:
        assert index is not None
        found, drawn = _look(catalog, index, ConceptGraph.load(data_dir))
        looked.append(found)
        pictures |= drawn
    made_of = {"search_index": index.version} if index else {}
    return publish(context, Made(projection_table(looked), made_of, pictures), data_dir=data_dir, inputs=inputs)


def _look(
    catalog: "LabelledCatalog", index: SearchIndex, concepts: ConceptGraph
) -> "tuple[Looked, dict[str, Picture]]":
    """Ask both questions of the expert on programs, and draw what it finds."""
    from serving.assistant.retrieval.comparison import ask  # noqa: PLC0415
    from serving.evaluation.catalog.catalog_ablation import expert_of  # noqa: PLC0415
    from serving.evaluation.catalog.projection import paint_projection, project  # noqa: PLC0415
    from serving.evaluation.catalog.score_chart import CHARTED, PROJECTED, Looked, paint_scores, score_pages  # noqa: PLC0415
    from serving.evaluation.figures import draw  # noqa: PLC0415

    expert = expert_of(index)
    charted, projected = (
        score_pages(asyncio.run(ask(expert, question, catalog.course_id, concepts, mode="program")))
        for question in (CHARTED, PROJECTED)
    )
    space = expert.spaces.of(catalog.course_id, "program")
    entries = space.entries if space else ()
    projection = project(entries, PROJECTED)
    pictures: dict[str, Picture] = {}
    if projection is not None:
        ids = [page.entry_id for page in projected]
        paint = partial(paint_projection, found=projection, entries=entries, retrieved=ids, question=PROJECTED)
        said = (
            f"{catalog.course_id}: pages of programs in three dimensions, with “{PROJECTED}” and what is found for it."
        )
        pictures[f"tulane_projection_{catalog.name}.png"] = Picture(said, draw(paint, width=7.2, height=6.0))
    if charted:
        said = f"{catalog.course_id}: scores of the best pages for “{CHARTED}”."
        chart = draw(partial(paint_scores, pages=charted, question=CHARTED))
        pictures[f"tulane_scores_{catalog.name}.png"] = Picture(said, chart)
    return Looked(catalog, charted, projected, projection, len(entries)), pictures
