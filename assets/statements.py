"""Stage `statements`: what people and datasets say of a course's graph."""

from knowledge_graph.expectations import STATEMENT_EXPECTATIONS
from knowledge_graph.home import DataDir
from knowledge_graph.lake import STATEMENTS, read_rows
from knowledge_graph.records import Statement, from_row
from knowledge_graph.sources.statements import read_statements
from orchestration.sources import course_source, of_files

statements = course_source(
    "statements",
    group="knowledge_graph",
    description="Seeds, a dataset's concepts and pairs, a teacher's edits: what counts before the machine's opinion.",
    read=of_files(read_statements),
    schema=STATEMENTS,
    expectations=STATEMENT_EXPECTATIONS,
)


def read_given(data_dir: DataDir, course_id: str) -> list[Statement]:
    """The statements as `statements` wrote them, in order of file and row."""
    return [from_row(Statement, row) for row in read_rows(data_dir.table("statements", course_id))]
