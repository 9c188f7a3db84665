"""Stage `statements`: what people and datasets say of a course's graph."""

from assets.teacher_edits import read_corrections
from knowledge_graph.lake.expectations import STATEMENT_EXPECTATIONS
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Statement, from_row
from knowledge_graph.lake.schemas import STATEMENTS
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.sources.corrections import add_corrections
from knowledge_graph.sources.statements import read_statements
from orchestration.reporting.course_source import Read, Reading, course_source


def read_said(reading: Reading) -> Read:
    """What files say, and what teachers said in the console."""
    of_files, problems = read_statements(reading.folder, reading.card)
    found = add_corrections(of_files, read_corrections(reading.data_dir, reading.course_id))
    facts = {"corrections": len(found.statements) - len(of_files), "superseded": found.superseded}
    return Read(found.statements, (*problems, *found.problems), facts)


statements = course_source(
    "statements",
    group="knowledge_graph",
    description="Seeds, a dataset's concepts and pairs, a teacher's edits: what counts before the machine's opinion.",
    read=read_said,
    schema=STATEMENTS,
    expectations=STATEMENT_EXPECTATIONS,
    deps=["teacher_edits"],
    code_version="4",
)


def read_given(data_dir: DataDir, course_id: str) -> list[Statement]:
    """The statements as `statements` wrote them, in order of file and row, corrections behind them, newest first."""
    return [from_row(Statement, row) for row in read_rows(data_dir.table("statements", course_id))]
