"""Stage `ta_answers`: what students asked and TAs approved, as entries of the FAQ."""

from sqlalchemy.orm import Session

from knowledge_graph.lake.expectations import LONGEST_ASKED, TA_ANSWER_EXPECTATIONS
from knowledge_graph.lake.records import LANGS, Lang, TaAnswer
from knowledge_graph.lake.schemas import TA_ANSWERS
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.fields import LONGEST_TEXT, ProblemLog, excess
from knowledge_graph.text.sentences import language_of
from orchestration.building.decisions import REVIEWED_ANSWERS
from orchestration.reporting.course_source import Read, course_source, of_store
from serving.store.for_builds import read_approved_answers
from serving.store.tables.review import ReviewedAnswer


def read_ta_answers(db: Session, course_id: str) -> Read:
    """The approved answers of a course, oldest first, and those that cannot be used."""
    log = BoundedTold("console")
    answers = [answer for row in read_approved_answers(db, course_id) if (answer := _answer(row, log))]
    log.close()
    return Read(answers, log.problems, {"replaced": sum(answer.replaces is not None for answer in answers)})


def _answer(row: ReviewedAnswer, log: ProblemLog) -> TaAnswer | None:
    question, answer = row.question.strip(), row.answer.strip()
    wrong = "it is empty" if not question or not answer else None
    wrong = wrong or excess("question", question, LONGEST_ASKED) or excess("answer", answer, LONGEST_TEXT)
    if wrong:
        log.error(None, f"'{question[:60]}' by {row.reviewer} was left out: {wrong}.", "Edit it in the console.")
        return None
    known = next((lang for lang in LANGS if lang == row.lang), None)
    lang: Lang = known or language_of(question)
    at = row.updated_at.isoformat(timespec="seconds")
    return TaAnswer(
        row.course_id, f"ta-{row.answer_id}", row.replaces or None, question, answer, row.reviewer, at, lang
    )


ta_answers = course_source(
    "ta_answers",
    group="faq",
    description="Answers to students' questions that a TA approved, with the TA's name, from the gateway's store.",
    read=of_store("ta_answers", TaAnswer, read_ta_answers),
    schema=TA_ANSWERS,
    expectations=TA_ANSWER_EXPECTATIONS,
    deps=[REVIEWED_ANSWERS],
    code_version="1",
)
