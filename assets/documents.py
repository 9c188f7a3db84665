"""Stage `documents`: citable sections of regulations, syllabuses and other documents."""

from knowledge_graph.expectations import DOCUMENT_EXPECTATIONS
from knowledge_graph.lake import DOCUMENTS
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
