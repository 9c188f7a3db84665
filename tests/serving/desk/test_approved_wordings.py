"""A TA's answer stands above the answer that it corrects: for the same words at once, for other wordings, and for
nothing that only looks like the question."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import course_rows as rows
import numpy as np
import pytest
from desk_rows import ADA, OTHER, STUDENT
from no_vectors import NoVectors
from numpy.typing import NDArray

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from models.embedding.embedder import EmbeddingFailed
from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.retrieval.hybrid import Hybrid
from serving.assistant.retrieval.lookup import Dense, Lookup
from serving.desk import meanings
from serving.desk.approved_answers import Approved, ApprovedWording
from serving.desk.decisions import approve, withdraw
from serving.desk.meanings import WordingVectors
from serving.desk.overlay import OverlayHolder
from serving.desk.queue import ask
from serving.index.search import SearchIndex
from serving.settings import Settings
from serving.store.database import Store

QUESTION = "Why is a stack bad for a fair waiting line of 3 people?"
CORRECTED = "Because whoever came last would be served first: take a queue for them."
REWORDED = (
    "what is the reason that a stack is unsuitable for a waiting line of 3 persons?",
    "How come a stack is the wrong waiting line for 3 people?",
)
OTHERS = (
    "Why is a stack bad for a fair waiting line of 4 people?",
    "Why is a queue bad for a fair waiting line of 3 people?",
    "Why is a stack not bad for a fair waiting line of 3 people?",
    "What is a stack?",
)
WAITS = ("wait", "line", "served", "persons", "people")


class ByWaiting:
    """Texts that speak of waiting mean the same, all others something else."""

    name, dimension, languages = "by waiting", 2, ("en",)

    def __init__(self) -> None:
        self.encoded: list[str] = []
        self.fails = False

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.fails:
            raise EmbeddingFailed("no vectors today")
        self.encoded += texts
        vectors = [[1.0, 0.0] if any(word in text for word in WAITS) else [0.0, 1.0] for text in texts]
        return np.array(vectors, dtype=np.float32)


@pytest.fixture
def embedder() -> ByWaiting:
    return ByWaiting()


@pytest.fixture
def holder(embedder: ByWaiting) -> OverlayHolder:
    holder = OverlayHolder()
    holder.compare_by(embedder)
    return holder


Told = Callable[[str], Answer]


@pytest.fixture
def told(tmp_path: Path, graph: ConceptGraph, index: SearchIndex, embedder: ByWaiting, holder: OverlayHolder) -> Told:
    """Answers a question as a gateway over the small courses does, with what TAs decided."""
    dense = Dense(embedder, NoVectors())
    assistant = Assistant(
        graph=graph,
        index=index,
        intent=None,
        llm=None,
        settings=Settings(home=tmp_path, model_admission="never"),
        strategy=Hybrid(Lookup(index, dense), top_k=5),
        reviewed=lambda: holder.current,
        lectures=CourseLectureIndex(DataDir(tmp_path)),
    )
    return lambda question: asyncio.run(assistant.answer(question, course_id="ds"))


@pytest.fixture
def corrected(small_desk: Store, holder: OverlayHolder, told: Told) -> str:
    """The id of the approved answer, after a student was told something else."""
    assert CORRECTED not in told(QUESTION).text
    asked = small_desk.write(lambda db: ask(db, STUDENT.person_id, QUESTION, course_id="ds", lang="en").question_id)
    answer_id = small_desk.write(
        lambda db: approve(db, asked, question=QUESTION, answer=CORRECTED, rests=[], by=ADA).answer_id
    )
    asyncio.run(holder.refresh(small_desk))
    return answer_id


def said_first(answer: Answer) -> str:
    """What stands under the heading of an answer."""
    return answer.text.splitlines()[1] if "\n" in answer.text else ""


@pytest.mark.parametrize("question", [QUESTION, QUESTION.lower(), *REWORDED])
def test_the_tas_answer_stands_above_what_it_corrects_for_these_words_and_for_others(
    corrected: str, told: Told, question: str
) -> None:
    answer = told(question)
    assert said_first(answer).startswith(CORRECTED)
    assert rows.STACK not in answer.text
    assert [one.reviewer for one in answer.evidence] == ["Ada"]


@pytest.mark.parametrize("question", OTHERS)
def test_what_only_looks_like_the_question_does_not_get_it(corrected: str, told: Told, question: str) -> None:
    assert CORRECTED not in told(question).text


def test_a_withdrawn_answer_is_given_in_no_words(
    corrected: str, told: Told, small_desk: Store, holder: OverlayHolder
) -> None:
    small_desk.write(lambda db: withdraw(db, corrected, by=ADA))
    asyncio.run(holder.refresh(small_desk))
    assert all(CORRECTED not in told(question).text for question in (QUESTION, *REWORDED))


def test_while_nothing_is_embedded_words_alone_lead_to_it(
    small_desk: Store, holder: OverlayHolder, embedder: ByWaiting, told: Told
) -> None:
    embedder.fails = True
    asked = small_desk.write(lambda db: ask(db, OTHER.person_id, QUESTION, course_id="ds", lang="en").question_id)
    small_desk.write(lambda db: approve(db, asked, question=QUESTION, answer=CORRECTED, rests=[], by=ADA))
    asyncio.run(holder.refresh(small_desk))
    assert said_first(told(QUESTION)).startswith(CORRECTED)
    assert not said_first(told(REWORDED[0])).startswith(CORRECTED)
    embedder.fails = False
    asyncio.run(holder.refresh(small_desk))
    assert said_first(told(REWORDED[0])).startswith(CORRECTED)


def test_a_wording_is_embedded_once_and_few_at_a_time(
    corrected: str, holder: OverlayHolder, embedder: ByWaiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meanings, "AT_ONCE", 1)
    (one,) = holder.current.decisions.approved.values()
    listed: list[Approved] = [one, *(Approved(one.entry, (_reworded(one, text),)) for text in REWORDED)]
    vectors, before = WordingVectors(), len(embedder.encoded)
    vectors.use(embedder)
    assert [vectors.add(listed) for _ in range(4)] == [True, True, True, False]
    assert embedder.encoded[before:] == [QUESTION, *REWORDED]


def _reworded(one: Approved, text: str) -> ApprovedWording:
    return ApprovedWording(text, one.wordings[0].terms)
