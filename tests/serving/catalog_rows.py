"""The sample catalogue as a small home: its records, the pairs made of them, an index and a graph without concepts."""

from dataclasses import asdict
from pathlib import Path

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CatalogRecord, CourseCard
from knowledge_graph.lake.schemas import (
    CATALOG_PAGES,
    GRAPH_CONCEPTS,
    GRAPH_COURSES,
    GRAPH_PREREQUISITES,
    PASSAGES,
    QA_PAIRS,
)
from knowledge_graph.lake.tables import write_table
from knowledge_graph.sources.catalog.reading import read_catalog
from knowledge_graph.sources.course import read_course_card
from knowledge_graph.sources.folders import CourseFolder
from knowledge_graph.sources.passages import catalog_passages
from serving.evaluation.catalog.catalogs import whole_pages
from serving.index.build import build_index
from serving.index.tables import Tables

COURSES = Path(__file__).parents[2] / "examples" / "courses"
SAMPLE = "university-catalog"


def sample_records() -> tuple[CatalogRecord, ...]:
    folder = CourseFolder(SAMPLE, COURSES / SAMPLE)
    return read_catalog(folder, read_course_card(folder)[0], client=None).records


def sample_home(root: Path) -> DataDir:
    """What a build makes of the sample catalogue, as far as the evaluation of catalogues looks at it."""
    data_dir, records = DataDir(root), sample_records()
    passages = data_dir.table("passages", SAMPLE)
    write_table(data_dir.table("catalog_pages", SAMPLE), [asdict(record) for record in records], CATALOG_PAGES)
    write_table(
        passages, [asdict(one) for one in catalog_passages(records, CourseCard(SAMPLE, SAMPLE, "en"))], PASSAGES
    )
    write_table(data_dir.qa_pairs, whole_pages(records), QA_PAIRS)
    write_graph(data_dir, SAMPLE)
    build_index(Tables(data_dir.qa_pairs, (passages,)), data_dir.index)
    return data_dir


def write_graph(data_dir: DataDir, *course_ids: str) -> None:
    """A graph that knows these courses and no concept."""
    told: dict[str, object] = {**dict.fromkeys(GRAPH_COURSES.names), "lang": "en", "domains": []}
    courses = [{**told, "course_id": each, "title": each} for each in course_ids]
    write_table(data_dir.graph_courses, courses, GRAPH_COURSES)
    write_table(data_dir.graph_concepts, [], GRAPH_CONCEPTS)
    write_table(data_dir.graph_prerequisites, [], GRAPH_PREREQUISITES)


def graph_of(data_dir: DataDir) -> ConceptGraph:
    return ConceptGraph.load(data_dir)
