"""An entry of the FAQ that is asked word for word is the answer, whatever kind of question it is."""

import asyncio
from pathlib import Path
from typing import Any

import course_rows as rows
import pytest
from no_vectors import NoVectors

from knowledge_graph.graph.concept_graph import ConceptGraph
from models.embedding.embedder import EmbeddingFailed
from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.assistant.retrieval.hybrid import Hybrid
from serving.assistant.retrieval.lookup import Dense, Lookup
from serving.desk.approved_answers import Decisions
from serving.desk.overlay import Overlay
from serving.index.build import build_index
from serving.index.search import SearchIndex
from serving.settings import Settings

HAND_IN = "Where do I hand in homework?"
HANDED_IN = "On the course page, under Tasks."


class NoEmbedder:
    """Fails whoever asks it, and counts them."""

    name, languages, dimensions = "none", frozenset({"en", "zh"}), 3

    def __init__(self) -> None:
        self.asked = 0

    def encode(self, texts: Any) -> Any:
        self.asked += 1
        raise EmbeddingFailed("Nobody should ask.")


@pytest.fixture
def embedder() -> NoEmbedder:
    return NoEmbedder()


@pytest.fixture
def make(graph: ConceptGraph, index: SearchIndex, embedder: NoEmbedder, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.delenv("COTEACH_HOME", raising=False)

    def made(overlay: Overlay | None = None) -> Assistant:
        reviewed = overlay or Overlay()
        dense = Dense(embedder, NoVectors())
        return Assistant(
            graph=graph,
            index=index,
            intent=None,
            llm=None,
            settings=Settings(model_admission="exam"),
            strategy=Hybrid(Lookup(index, dense), 5),
            reviewed=lambda: reviewed,
        )

    return made


def ask(assistant: Assistant, question: str, course_id: str | None = "ds", **session: Any) -> Answer:
    return asyncio.run(assistant.answer(question, course_id=course_id, **session))


@pytest.mark.parametrize("question", [HAND_IN, "where do i hand in homework", f"  {HAND_IN}  "])
def test_a_stored_question_gets_its_stored_answer(make: Any, question: str) -> None:
    answer = ask(make(), question)
    assert HANDED_IN in answer.text
    assert HAND_IN in answer.text  # under its own question
    assert answer.coverage == "full"
    assert [one.evidence_id for one in answer.evidence] == ["f2"]
    assert answer.trace.strategy == "word_for_word"


def test_a_stored_question_of_a_kind_with_a_composer_of_its_own_gets_its_stored_answer(
    graph: ConceptGraph, tmp_path: Path
) -> None:
    """Which lecture covers stacks is looked up in the lectures, unless somebody wrote down what to watch."""
    stored = rows.pair(
        "f9", "faq", "Which lecture covers stacks?", "The second, and the lab's video.", origin_id="faq#9"
    )
    tables = rows.tables(tmp_path, qa=[*rows.QA, stored])
    build_index(tables, tmp_path / "index")
    index = SearchIndex.open(tmp_path / "index")
    assistant = Assistant(graph=graph, index=index, intent=None, llm=None, settings=Settings(model_admission="exam"))
    answer = ask(assistant, "which lecture covers stacks")
    assert answer.kind == "where"
    assert "the lab's video" in answer.text


def test_nothing_else_is_looked_up_for_it(make: Any, embedder: NoEmbedder) -> None:
    ask(make(), HAND_IN)
    assert embedder.asked == 0
    ask(make(), "Where can homework be handed in, please?")
    assert embedder.asked == 1


def test_other_words_another_course_and_all_courses_are_looked_up(make: Any) -> None:
    assert ask(make(), f"{HAND_IN} And why?").trace.strategy != "word_for_word"
    assert ask(make(), HAND_IN, course_id="sjjg").trace.strategy != "word_for_word"
    assert ask(make(), HAND_IN, course_id=None).trace.strategy != "word_for_word"
    assert ask(make(), HAND_IN, mode="class").trace.strategy != "word_for_word"


def test_an_entry_that_a_ta_withdrew_is_not_given(make: Any) -> None:
    withdrawn = Overlay.of(Decisions({}, withdrawn=frozenset({("ds", "faq#2")})))
    answer = ask(make(withdrawn), HAND_IN)
    assert HANDED_IN not in answer.text
    assert answer.trace.strategy != "word_for_word"


def test_a_chinese_question_is_known_by_its_characters(make: Any) -> None:
    assert "每周日晚上。" in ask(make(), "作业什么时候截止", course_id="sjjg").text
