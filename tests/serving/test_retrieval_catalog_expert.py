"""TF-IDF worked by hand and beside scikit-learn's, title words, and modes that keep their documents apart."""

import asyncio
import math
from pathlib import Path

import course_rows as rows
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Mode
from serving.assistant.retrieval.candidates import Retrieved
from serving.assistant.retrieval.catalog_expert import CatalogExpert, Spaces, space_terms, title_score
from serving.assistant.retrieval.tf_idf import TfIdf
from serving.assistant.understanding.understand import understand
from serving.gateway.knowledge import load_knowledge
from serving.index.build import build_index
from serving.index.search import SearchIndex
from serving.settings import Settings

DOCUMENTS = [["tree", "tree", "heap"], ["heap"], ["stack", "queue", "stack", "heap"], []]


def page(key: str, mode: Mode, title: str, text: str) -> rows.Row:
    return rows.pair(key, "catalog", title, text, mode=mode)


PAGES = [
    page("c1", "class", "COMP 1 Trees", "Balanced trees and heaps, step by step."),
    page("c2", "class", "COMP 2 Music", "Sound, and how trees became violins."),
    page("c3", "class", "COMP 3 Rooms", "Sound in rooms."),
    page("p1", "program", "Forestry", "Trees, trees and more trees."),
]


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> SearchIndex:
    folder = tmp_path_factory.mktemp("catalogue")
    build_index(rows.tables(folder / "tables", PAGES, []), folder / "index")
    return SearchIndex.open(folder / "index")


def ask(expert: CatalogExpert, question: str, graph: ConceptGraph, mode: Mode | None = None) -> Retrieved:
    asked = understand(question, graph=graph, intent=None, course_id="ds")
    return asyncio.run(expert.retrieve(asked, course_id="ds", domains=(), mode=mode))


def keys(retrieved: Retrieved) -> list[str]:
    return [one.entry.entry_id for one in retrieved.ranked]


def test_cosines_worked_by_hand() -> None:
    idf_tree, idf_heap = math.log(5 / 2) + 1, math.log(5 / 4) + 1  # 4 documents: "tree" in one of them, "heap" in three
    tree, heap = 2 / 3 * idf_tree, 1 / 3 * idf_heap  # tf = f / sum of f
    cosines = TfIdf(DOCUMENTS).cosines(["tree", "unknown"])
    assert cosines.tolist() == pytest.approx([tree / math.hypot(tree, heap), 0.0, 0.0, 0.0])


def test_cosines_equal_those_of_scikit_learn() -> None:
    vectorizer = TfidfVectorizer(analyzer=lambda terms: terms)
    matrix = vectorizer.fit_transform(DOCUMENTS)
    for question in (["heap"], ["tree", "heap", "heap"], ["stack", "nothing"], ["queue", "tree"]):
        expected = (matrix @ vectorizer.transform([question]).T).toarray().ravel()
        assert TfIdf(DOCUMENTS).cosines(question) == pytest.approx(expected)


def test_nothing_known_in_the_question_is_like_nothing() -> None:
    assert TfIdf(DOCUMENTS).cosines(["unknown"]).tolist() == [0.0] * 4
    assert TfIdf([]).cosines(["tree"]).tolist() == []


def test_the_title_score_is_the_share_of_the_questions_words() -> None:
    assert title_score(["data", "structur", "class"], {"data", "structur", "comp"}) == 2 / 3
    assert title_score([], {"data"}) == 0.0


def test_terms_are_content_words_with_repeats_and_pairs() -> None:
    assert [term for term in space_terms("The tree of the trees") if not term.endswith(" pair")] == ["tree", "tree"]
    assert sum(term.endswith(" pair") for term in space_terms("operating systems")) == 1


def test_a_word_in_the_title_outranks_the_same_word_in_the_text(catalogue: SearchIndex, graph: ConceptGraph) -> None:
    found = ask(CatalogExpert(catalogue, 500, len), "music", graph)
    assert keys(found) == ["c2"]
    found = ask(CatalogExpert(catalogue, 500, len), "trees", graph)
    assert keys(found)[0] == "c1"
    assert found.ranked[0].parts["title"] == 1.0
    assert found.ranked[0].score == pytest.approx(found.ranked[0].parts["cosine"] + 1.0)


def test_without_title_words_the_cosine_decides(catalogue: SearchIndex, graph: ConceptGraph) -> None:
    assert keys(ask(CatalogExpert(catalogue, 500, len, title_weight=0.0), "trees", graph))[0] == "p1"


def test_a_mode_knows_its_own_documents_alone(catalogue: SearchIndex, graph: ConceptGraph) -> None:
    expert = CatalogExpert(catalogue, 500, len)
    assert keys(ask(expert, "trees", graph, "program")) == ["p1"]
    assert set(keys(ask(expert, "trees", graph, "class"))) == {"c1", "c2"}
    programs = expert.spaces.of("ds", "program")
    assert programs is not None
    assert programs.vectors.size == 1  # so the other mode's pages weigh no word either


def test_the_budget_alone_says_how_many(catalogue: SearchIndex, graph: ConceptGraph) -> None:
    best = '<document number="1" title="COMP 1 Trees">\nBalanced trees and heaps, step by step.\n</document>'
    assert keys(ask(CatalogExpert(catalogue, len(best) + 2, len), "trees", graph)) == ["c1"]
    assert len(keys(ask(CatalogExpert(catalogue, 10_000, len), "trees", graph))) == 3
    cramped = CatalogExpert(catalogue, 10_000, len, room=lambda asked, course_id: len(best) + 2)
    assert keys(ask(cramped, "trees", graph)) == ["c1"]


def test_spaces_are_made_once_and_only_so_many_are_kept(catalogue: SearchIndex) -> None:
    spaces = Spaces(catalogue)
    assert spaces.of("ds", "class") is spaces.of("ds", "class")
    for number in range(20):
        spaces.of(f"course {number}", None)
    assert len(spaces._kept) == 8


def test_spaces_are_there_before_the_first_question(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(home=home).model_copy(update={"strategy": "catalog_expert"})
    knowledge = load_knowledge(settings, None)
    monkeypatch.setattr(Spaces, "_make_space", lambda *_: pytest.fail("A space was made at a question."))
    answer = asyncio.run(knowledge.assistant.answer("until when is homework 3 due?", course_id="ds"))
    assert answer.trace.strategy == "catalog_expert"
    assert answer.evidence


def test_a_course_without_records_of_a_mode_takes_no_place_of_one_that_has_them(catalogue: SearchIndex) -> None:
    spaces = Spaces(catalogue)
    spaces.prepare(["ds", *(f"course {number}" for number in range(3))])
    assert {("ds", "class"), ("ds", "program"), ("ds", None)} <= spaces._kept.keys()
    assert ("course 1", "class") not in spaces._kept


def test_too_many_documents_are_ranked_as_concept_aware_does_and_it_says_so(
    catalogue: SearchIndex, graph: ConceptGraph
) -> None:
    expert = CatalogExpert(catalogue, 500, len)
    expert.spaces._most = 3
    found = ask(expert, "violins", graph)
    assert keys(found) == ["c2"]
    assert "concept_aware" in found.notes[0]


def test_an_empty_catalogue_finds_nothing(tmp_path: Path, graph: ConceptGraph) -> None:
    build_index(rows.tables(tmp_path / "tables", [], []), tmp_path / "index")
    found = ask(CatalogExpert(SearchIndex.open(tmp_path / "index"), 500, len), "trees", graph)
    assert (found.ranked, found.best, found.notes) == ((), None, ())
