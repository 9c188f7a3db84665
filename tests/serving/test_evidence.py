"""Where evidence says it is from: a definition of a web page is the web's, however it is found."""

import course_rows as rows
import pytest

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.lake.records import Locator
from serving.assistant.generation.direct import provenance
from serving.assistant.generation.phrases import CHINESE, ENGLISH
from serving.assistant.guardrails.filters import sanitize_plan_text
from serving.assistant.plan import plan_direct
from serving.assistant.references import label
from serving.assistant.retrieval.candidates import PairCandidate
from serving.assistant.understanding.understand import understand
from serving.index.evidence import from_definition, from_entry, source_of
from serving.index.schema import Entry

WEB = {**rows.NOWHERE, "url": "https://example.org/heap"}
HEAP = "A heap is a tree; see https://evil.example/pay for more."


def concept(kind: str, locator: rows.Row | None) -> GraphConcept:
    row = rows.concept("en:heap", "heap", HEAP, definition_kind=kind, definition_locator=locator)
    return ConceptGraph.from_rows([row], [], rows.COURSES).concept("en:heap")


def stored(source: str, locator: rows.Row | None) -> Entry:
    return rows.entry(rows.pair("k", source, "heap", HEAP, locator=locator))


def test_a_definition_of_the_web_is_evidence_of_the_web() -> None:
    evidence = from_definition(1, concept("search", WEB))
    assert (evidence.source, label(evidence, "en")) == ("search", "https://example.org/heap")
    assert from_definition(1, concept("search", None)).source == "search"


@pytest.mark.parametrize(("kind", "locator"), [("subtitle", rows.AT_STACKS), ("teacher", None), ("dataset", None)])
def test_a_definition_of_the_course_is_the_courses(kind: str, locator: rows.Row | None) -> None:
    assert from_definition(1, concept(kind, locator)).source == "concept"


def test_a_stored_definition_with_an_address_and_no_place_in_the_course_is_the_webs() -> None:
    found = stored("concept", WEB)
    assert (source_of(found), from_entry(1, found).source) == ("search", "search")
    assert provenance(found, "en") == ENGLISH.from_source["search"]
    assert provenance(found, "zh") == CHINESE.from_source["search"]


@pytest.mark.parametrize(
    ("source", "locator"),
    [
        ("concept", rows.AT_STACKS),
        ("concept", None),
        ("concept", {**WEB, "video_id": "02 stacks"}),
        ("concept", {**WEB, "document": "notes.pdf"}),
        ("document", WEB),
        ("catalog", WEB),
    ],
)
def test_other_entries_are_what_they_were_stored_as(source: str, locator: rows.Row | None) -> None:
    assert source_of(stored(source, locator)) == source


def test_a_direct_answer_from_the_web_opens_no_address_of_its_own(graph: ConceptGraph) -> None:
    asked = understand("What is a heap?", graph=graph, intent=None, course_id="ds")

    def shown(locator: rows.Row | None) -> str:
        return sanitize_plan_text(plan_direct(asked, PairCandidate(stored("concept", locator), 1.0, 1.0)))

    assert "https://evil.example" not in shown(WEB)
    assert "https://evil.example" in shown(rows.AT_STACKS)
    assert from_entry(1, stored("concept", WEB)).locator == Locator(url="https://example.org/heap")
