"""Stage `evaluation`: questions as students ask them, answered without a language model and marked."""

import asyncio
from typing import TYPE_CHECKING

import dagster as dg

from assets.embeddings import embeddings
from assets.graph import graph
from assets.search_index import search_index
from knowledge_graph.lake.evaluation_schemas import STUDENT_MARKS
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, write_table
from knowledge_graph.sources.folders import find_courses
from orchestration.building.courses import ANSWERING, files_key
from orchestration.reporting.publishing import Made, publish
from orchestration.resources import Inputs

if TYPE_CHECKING:
    from pathlib import Path

    from serving.evaluation.students.questions import Split
    from serving.evaluation.students.running import MarkedAnswer


@dg.asset(
    deps=[search_index, embeddings, graph, ANSWERING, files_key("gold")],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="3",
)
def student_questions(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Right, right and cited, misleading, by kind of question, beside the nearest passages as they stand."""
    from serving.evaluation.students.running import question_files  # noqa: PLC0415  as below
    from serving.evaluation.students.table import student_marks, student_table  # noqa: PLC0415

    files = question_files(find_courses(inputs.courses))
    made_of = {f"{path.parent.parent.name}/{path.name}": digest(path) for path in files}
    answered = asyncio.run(_answer_questions(context, data_dir, files)) if files else []
    write_table(data_dir.student_marks, student_marks(answered), STUDENT_MARKS)
    return publish(context, Made(student_table(answered), made_of), data_dir=data_dir, inputs=inputs)


async def _answer_questions(
    context: dg.AssetExecutionContext, data_dir: DataDir, files: "dict[Path, Split]"
) -> "list[MarkedAnswer]":
    from serving.evaluation.students.answering import Baseline  # noqa: PLC0415
    from serving.evaluation.students.running import answer_all, read_all  # noqa: PLC0415
    from serving.gateway.knowledge import load_knowledge  # noqa: PLC0415  opens ONNX Runtime and jieba
    from serving.settings import Settings  # noqa: PLC0415

    knowledge = load_knowledge(Settings(home=data_dir.root), None)
    known = set(knowledge.course_ids)
    questions = [one for one in read_all(files) if one.course_id in known]
    baseline = Baseline(knowledge.index, knowledge.dense)
    found = []
    async for one in answer_all(questions, knowledge.assistant, baseline):
        found.append(one)
        if len(found) % 50 == 0:
            context.log.info(f"{len(found)} of {len(questions)} questions answered")
    return found
