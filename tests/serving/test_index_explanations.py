"""Explanations that were made of stored pairs reach the index, and what a student reads, marked as made by AI."""

import asyncio
from dataclasses import replace
from pathlib import Path

import course_rows as rows

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.schemas import EXPLANATIONS
from knowledge_graph.lake.tables import write_table
from serving.assistant.assistant import Assistant
from serving.assistant.generation.direct import direct_text
from serving.feedback.experiments import Variant, check_variants
from serving.index.build import build_index
from serving.index.search import SearchIndex
from serving.index.tables import Tables
from serving.settings import Settings


def made(qa_id: str, **more: object) -> rows.Row:
    row = {
        **dict.fromkeys(EXPLANATIONS.names),
        "qa_id": qa_id,
        "status": "made",
        "explanation": f"Why {qa_id} is so.",
        "explanation_kind": "ai",
        "content_hash": f"hash of {qa_id}",
    }
    return {**row, **more}


def tables(folder: Path, *explanations: rows.Row) -> Tables:
    write_table(folder / "explanations.parquet", explanations, EXPLANATIONS)
    return replace(rows.tables(folder), explanations=folder / "explanations.parquet")


def explained(folder: Path) -> dict[str, tuple[str | None, str | None]]:
    entries = SearchIndex.open(folder).entries("qa", ["f1", "f2", "c1"])
    return {entry.entry_id: (entry.explanation, entry.explanation_kind) for entry in entries}


def test_an_explanation_stands_with_the_pair_it_was_made_of(tmp_path: Path) -> None:
    build_index(tables(tmp_path, made("f1")), tmp_path / "index")
    assert explained(tmp_path / "index") == {"f1": ("Why f1 is so.", "ai"), "f2": (None, None), "c1": (None, None)}


def test_rejected_ones_and_those_of_an_older_answer_do_not(tmp_path: Path) -> None:
    rejected = made("f1", status="rejected", explanation=None, explanation_kind=None, reason="it denies the answer")
    build_index(tables(tmp_path, rejected, made("f2", content_hash="older")), tmp_path / "index")
    assert set(explained(tmp_path / "index").values()) == {(None, None)}


def test_a_new_explanation_makes_a_new_version_and_touches_its_pair_alone(tmp_path: Path) -> None:
    before = build_index(rows.tables(tmp_path), tmp_path / "index")
    after = build_index(tables(tmp_path, made("f1")), tmp_path / "index", update_from=0)
    assert after.version != before.version
    assert (after.changes["qa"].changed, after.changes["qa"].added, after.changes["qa"].removed) == (1, 0, 0)
    assert after.counts == before.counts


def test_an_explanation_of_the_source_itself_is_kept(tmp_path: Path) -> None:
    own = [{**row, "explanation": "By a teacher.", "explanation_kind": "person"} for row in rows.QA]
    found = replace(rows.tables(tmp_path, own), explanations=tables(tmp_path / "made", made("f1")).explanations)
    build_index(found, tmp_path / "index")
    assert explained(tmp_path / "index")["f1"] == ("By a teacher.", "person")


def test_a_missing_file_is_the_same_as_no_explanations(tmp_path: Path) -> None:
    plain = rows.tables(tmp_path)
    without = build_index(plain, tmp_path / "a").version
    assert build_index(replace(plain, explanations=tmp_path / "none.parquet"), tmp_path / "b").version == without


def test_the_student_is_told_what_ai_wrote(tmp_path: Path) -> None:
    build_index(tables(tmp_path, made("f1"), made("z2")), tmp_path / "index")
    english, chinese = SearchIndex.open(tmp_path / "index").entries("qa", ["f1", "z2"])
    assert direct_text(english) == ("Sunday at 23:59.\n\nStep-by-step explanation, written by AI:\nWhy f1 is so.")
    assert direct_text(chinese) == "每周日晚上。\n\n分步解释（由 AI 生成）：\nWhy z2 is so."
    assert direct_text(replace(english, explanation_kind="person")) == "Sunday at 23:59.\n\nWhy f1 is so."


def test_a_variant_without_explanations_gives_the_stored_answer_alone(tmp_path: Path, graph: ConceptGraph) -> None:
    build_index(tables(tmp_path, made("f1")), tmp_path / "index")
    index = SearchIndex.open(tmp_path / "index")

    def said(question: str, **changed: object) -> str:
        settings = Settings(home=tmp_path).model_copy(update=changed)
        assistant = Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings)
        return asyncio.run(assistant.answer(question, course_id="ds")).text

    asked = "When is the deadline of homework 3?"  # word for word, and in other words
    for question in (asked, "the deadline of homework 3"):
        for changed in ({"model_admission": "exam"}, {"model_admission": "always"}):
            assert "Why f1 is so." in said(question, **changed)
            alone = said(question, explanations=False, **changed)
            assert "Sunday at 23:59." in alone
            assert "Why f1 is so." not in alone
    variants = (Variant("answer", 210, {"explanations": False}), Variant("explained", 96, {}))
    assert check_variants(variants, Settings(home=tmp_path)) == variants
