"""Nothing is looked up twice for one question: every search that reaches the index, text that is embedded and name that
is looked for in the graph is so once, with a model that writes and without one."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asker import Asker
from no_vectors import NoVectors

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.text.matching import TermMatcher
from serving.assistant.assistant import Assistant
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.retrieval.hybrid import Hybrid
from serving.assistant.retrieval.lookup import Dense, Lookup
from serving.index.search import SearchIndex
from serving.settings import Settings

QUESTIONS = (
    "stack?",
    "what is a stack?",
    "What is the difference between a stack and a queue?",
    "Why is a stack used?",
    "which lecture covers stacks?",
    "What should I know before queues?",
    "COMP 3300 vs COMP 5400?",
    "Who teaches this course, and when is the exam?",
    "hello",
)


class CountedSearcher:
    """Tantivy's searcher, which notes what is searched for, and how many are wanted."""

    def __init__(self, searcher: Any, seen: Counter[str]) -> None:
        self._searcher, self._seen = searcher, seen

    def search(self, query: Any, **how: Any) -> Any:
        self._seen[f"{query!r} {how}"] += 1
        return self._searcher.search(query, **how)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._searcher, name)


class CountedEmbedder:
    """Vectors of letters, and what was embedded."""

    name, dimension, languages = "letters", 26, ("en",)

    def __init__(self, seen: Counter[str]) -> None:
        self._seen = seen

    def encode(self, texts: Sequence[str]) -> Any:
        self._seen.update(f"embedded {text}" for text in texts)
        counts = [[1.0 + text.lower().count(chr(97 + place)) for place in range(26)] for text in texts]
        found = np.array(counts, dtype=np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


@pytest.fixture
def seen(index: SearchIndex, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What was looked up since it was cleared last."""
    found: Counter[str] = Counter()
    counted = {kind: CountedSearcher(one, found) for kind, one in index.reader._searchers.items()}
    monkeypatch.setattr(index.reader, "_searchers", counted)
    find = TermMatcher.find

    def noted(self: TermMatcher, text: str) -> Any:
        found[f"named in {text} by {id(self)}"] += bool(text.strip())
        return find(self, text)

    monkeypatch.setattr(TermMatcher, "find", noted)
    return found


def test_a_stored_answer_looks_for_no_passages(composed_by: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    search = SearchIndex.search

    def noted(self: SearchIndex, query: Any, **how: Any) -> Any:
        looked.append(how.get("kind", "qa"))
        return search(self, query, **how)

    monkeypatch.setattr(SearchIndex, "search", noted)
    assert "Homework 40 %" in composed_by("How is the grade made up?").text
    assert set(looked) == {"qa"}


def test_a_question_in_another_language_is_compared_with_no_passage(
    tmp_path: Path, graph: ConceptGraph, index: SearchIndex, composed_by: Asker
) -> None:
    seen: list[str] = []

    class Noting(NoVectors):
        def search(self, *given: Any, **how: Any) -> list[tuple[str, float]]:
            seen.append(how["kind"])
            return []

    embedder = CountedEmbedder(Counter())
    embedder.languages = ("en", "zh")  # type: ignore[assignment]
    dense = Dense(embedder, Noting())
    settings, lectures = Settings(home=tmp_path, model_admission="exam"), CourseLectureIndex(DataDir(tmp_path))
    for question, kinds in (("海市蜃楼", {"qa"}), ("Why is a stack used?", {"qa", "passage"})):
        seen.clear()
        strategy = Hybrid(Lookup(index, dense), top_k=5)
        assistant = Assistant(
            graph=graph, index=index, intent=None, llm=None, settings=settings, strategy=strategy, dense=dense,
            lectures=lectures,
        )  # fmt: skip
        asyncio.run(assistant.answer(question, course_id="ds"))
        assert set(seen) == kinds


@pytest.mark.parametrize("admission", ["exam", "always"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_no_search_is_made_twice(
    tmp_path: Path, graph: ConceptGraph, index: SearchIndex, composed_by: Asker, seen: Counter[str],
    admission: str, question: str,
) -> None:  # fmt: skip
    dense = Dense(CountedEmbedder(seen), NoVectors())
    assistant = Assistant(
        graph=graph,
        index=index,
        intent=None,
        llm=None,
        settings=Settings(home=tmp_path, model_admission=admission),
        strategy=Hybrid(Lookup(index, dense), top_k=5),
        dense=dense,
        lectures=CourseLectureIndex(DataDir(tmp_path)),
    )
    seen.clear()
    asyncio.run(assistant.answer(question, course_id="ds"))
    assert {what: count for what, count in seen.items() if count > 1} == {}
    assert seen or question == "hello"
