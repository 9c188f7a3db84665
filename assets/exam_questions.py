"""Stage `model_exam`: what a language model is asked about a course before it may write to students."""

from collections import Counter

import dagster as dg

from assets.concepts import concepts, read_concepts
from assets.course_card import course_card
from assets.faq import faq
from assets.lecture_sentences import lecture_sentences
from assets.passages import passages
from knowledge_graph.graph.showing import concept_as_shown
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import FaqEntry, Passage, from_row, to_row
from knowledge_graph.lake.schemas import EXAM_QUESTIONS
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.transcripts.sentences import LectureSentence
from orchestration.building.courses import files_key
from orchestration.building.kept_results import unless_unchanged
from orchestration.partitions import HOME_POOL, courses
from orchestration.reporting.column_lineage import declare_lineage
from orchestration.reporting.course_source import read_card
from orchestration.reporting.tables import clean_input_spec, write_and_report
from orchestration.resources import Inputs
from serving.exam.items import exam_items
from serving.exam.material import CourseMaterial, Rule
from serving.exam.own_items import own_items

_RULES = "faq.answer passages.text"
_NAMES = "concepts.name passages.title"
_SAID = "concepts.definition lecture_sentences.text passages.text"
_MADE_OF = {
    **{name: f"course_card.{name}" for name in ("course_id", "lang")},
    "question": f"{_NAMES} concepts.definition lecture_sentences.text {_RULES}",
    "evidence": f"concepts.concept_id {_NAMES} {_SAID} concepts.definition_locator lecture_sentences.sentence_id "
    "lecture_sentences.video_title faq.origin_id faq.question faq.answer passages.passage_id passages.source "
    "passages.locator",
    "subjects": _NAMES,
    "must_say": _SAID,
    "history": f"{_NAMES} concepts.definition passages.text",
}
"""Of the questions that are made; those of `gold` are as people wrote them."""


@dg.asset(
    deps=[course_card, concepts, lecture_sentences, faq, passages, files_key("gold")],
    check_specs=[clean_input_spec("exam_questions", courses)],
    partitions_def=courses,
    group_name="model_exam",
    kinds={"parquet"},
    owners=["team:ml"],
    pool=HOME_POOL,
    code_version="3",
)
@unless_unchanged
def exam_questions(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Questions whose right answers the material gives, with what a right answer must say and must not say."""
    course_id = context.partition_key
    material = read_material(data_dir, course_id)
    own, problems = own_items(inputs.course(course_id).path, course_id, material.lang)
    items = exam_items(material, own)
    counts = Counter(item.kind for item in items)
    return write_and_report(
        data_dir.table("exam_questions", course_id),
        [to_row(item) for item in items],
        EXAM_QUESTIONS,
        metadata={
            **declare_lineage(_MADE_OF),
            "own": len(own),
            **{f"of_kind_{kind}": count for kind, count in sorted(counts.items())},
        },
        problems=problems,
    )


def read_material(data_dir: DataDir, course_id: str) -> CourseMaterial:
    """What the exam of a course is made from, as the pipeline left it."""
    said = [from_row(LectureSentence, row) for row in read_rows(data_dir.table("lecture_sentences", course_id))]
    entries = [from_row(FaqEntry, row) for row in read_rows(data_dir.table("faq", course_id))]
    pieces = [from_row(Passage, row) for row in read_rows(data_dir.table("passages", course_id))]
    cited = [Rule(one.passage_id, one.source, one.title, one.text, one.locator) for one in pieces if _is_rule(one)]
    classes = {one.passage_id for one in pieces if one.source == "catalog" and one.mode == "class"}
    return CourseMaterial(
        course_id,
        read_card(data_dir, course_id).lang,
        tuple(concept_as_shown(one) for one in read_concepts(data_dir, course_id)),
        tuple(said),
        (*(Rule(one.origin_id, "faq", one.question, one.answer) for one in entries), *cited),
        tuple(one for one in cited if one.rule_id in classes),
    )


def _is_rule(passage: Passage) -> bool:
    return passage.source in ("document", "catalog")
