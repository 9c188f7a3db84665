"""Stage `documents`: citable sections of regulations, syllabuses and other documents."""

from knowledge_graph.lake.expectations import DOCUMENT_EXPECTATIONS
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import DocumentSection, from_row
from knowledge_graph.lake.schemas import DOCUMENTS
from knowledge_graph.lake.tables import read_rows
from orchestration.reporting.course_source import Read, Reading, course_source


def _read(reading: Reading) -> Read:
    from knowledge_graph.sources.documents import read_documents  # noqa: PLC0415  readers of six formats: 0.4 s

    return Read(*read_documents(reading.folder, reading.card))


documents = course_source(
    "documents",
    group="documents",
    description="A course's documents, split at articles, pages or headings.",
    read=_read,
    schema=DOCUMENTS,
    expectations=DOCUMENT_EXPECTATIONS,
    code_version="6",
)


def read_sections(data_dir: DataDir, course_id: str) -> list[DocumentSection]:
    """The sections as `documents` wrote them."""
    return [from_row(DocumentSection, row) for row in read_rows(data_dir.table("documents", course_id))]
