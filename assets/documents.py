"""Stage `documents`: citable sections of regulations, syllabuses and other documents."""

from knowledge_graph.expectations import DOCUMENT_EXPECTATIONS
from knowledge_graph.home import DataDir
from knowledge_graph.lake import DOCUMENTS, read_rows
from knowledge_graph.records import Section, from_row
from knowledge_graph.sources.documents import read_documents
from orchestration.sources import course_source, of_files

documents = course_source(
    "documents",
    group="documents",
    description="A course's documents, split at articles, pages or headings.",
    read=of_files(read_documents),
    schema=DOCUMENTS,
    expectations=DOCUMENT_EXPECTATIONS,
)


def read_sections(data_dir: DataDir, course_id: str) -> list[Section]:
    """The sections as `documents` wrote them."""
    return [from_row(Section, row) for row in read_rows(data_dir.table("documents", course_id))]
