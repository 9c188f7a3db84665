"""Who may see one course is shown nothing of another: no definition, no snippet; and courses share as they say."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import course_rows as rows
from gateways import Gateway, Use, bearer

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from serving.index.build import build_index
from serving.index.search import SearchIndex

HEAP = "A heap is a tree that the secret course defines in its own words."
SECRET = [
    rows.pair("x1", "concept", "heap", HEAP, course_id="secret", origin_id="en:heap"),
    rows.pair("x2", "search", "heap in real life", "The secret course found a heap of sand.", course_id="secret"),
    rows.pair("x3", "scholar", "heap scholars", "The secret course knows who studies the heap.", course_id="secret"),
]
CONCEPT = rows.concept("en:heap", "heap", HEAP, course_ids=["secret"], definition_course_id="secret")
BOTH = rows.concept("en:stack", "stack", "Said in secret.", course_ids=["ds", "secret"], definition_course_id="secret")


def spoiled(home: Path, *, shares_with: list[str] | None = None) -> None:
    """The home with a third course that has what the others have not."""
    data_dir = DataDir(home)
    card = {**rows.COURSES[0], "course_id": "secret", "title": "Secret", "shares_with": shares_with}
    tables.write_table(data_dir.graph_courses, [*rows.COURSES, card], schemas.GRAPH_COURSES)
    tables.write_table(data_dir.graph_concepts, [*rows.CONCEPTS, CONCEPT], schemas.GRAPH_CONCEPTS)
    build_index(rows.tables(home.parent / "more", qa=[*rows.QA, *SECRET]), data_dir.index)


def told(use: Use, courses: frozenset[str] | None) -> str:
    """Everything that a reply to who may see these courses says."""

    async def work(gateway: Gateway) -> str:
        key = gateway.key(courses=None if courses is None else sorted(courses))
        said = ""
        for question in ("What is a heap?", "heap in real life", "Who are heap scholars?"):
            body = {"model": "coteach:ds", "messages": [{"role": "user", "content": question}]}
            reply = await gateway.client.post("/v1/chat/completions", json=body, headers=bearer(key))
            assert reply.status_code == 200
            shown: dict[str, Any] = reply.json()
            shown["coteach"].pop("resolved")
            said += json.dumps(shown)
        return said

    return str(use(work, access="keys"))


def test_who_may_see_both_courses_is_told_what_both_say(use: Use, home: Path) -> None:
    spoiled(home)
    assert "secret" in told(use, None)


def test_a_key_for_one_course_is_told_nothing_of_another(use: Use, home: Path) -> None:
    spoiled(home)
    assert "secret" not in told(use, frozenset({"ds"}))


def test_a_course_that_shares_with_nobody_answers_nobody_elses_question(use: Use, home: Path) -> None:
    spoiled(home, shares_with=[])
    assert "secret" not in told(use, None)


def test_a_graph_within_a_course_keeps_a_name_and_not_what_others_say_of_it() -> None:
    courses = [*rows.COURSES, {**rows.COURSES[0], "course_id": "secret"}]
    graph = ConceptGraph.from_rows([BOTH, CONCEPT, *rows.CONCEPTS[1:]], rows.PREREQUISITES, courses).within({"ds"})
    assert "en:heap" not in graph
    assert graph.definition("en:stack") is None
    assert graph.concept("en:stack").course_ids == ("ds",)
    assert [card.course_id for card in graph.courses] == ["ds"]


def test_what_a_course_shares_is_looked_up_where_it_is_shared(tmp_path: Path) -> None:
    build_index(rows.tables(tmp_path / "tables", qa=[*rows.QA, *SECRET]), tmp_path / "index")
    index = SearchIndex.open(tmp_path / "index")

    def found(one: SearchIndex, course_id: str) -> set[str | None]:
        return {hit.entry.course_id for hit in one.search("heap", course_id=course_id)}

    only_ml = index.within(None, lambda owner, asked: owner != "secret" or asked in ("secret", "ml"))
    assert found(index, "ds") == {"secret"}
    assert found(index.within({"ds"}, None), "ds") == set()
    assert (found(only_ml, "ds"), found(only_ml, "ml")) == (set(), {"secret"})
    assert not index.within({"ds"}, None).entries("qa", ["x1"])
    assert dataclasses.is_dataclass(index.entries("qa", ["x1"])[0])
