"""What `Planner` puts into prompts: whole catalogue pages within the budget, stored pairs as examples."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import course_rows as rows
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import CourseCard
from serving.assistant.generation.chain_of_teach import SNIPPET_CHARACTERS, estimate_tokens
from serving.assistant.generation.prompt_budget import room_for_material
from serving.assistant.plan import Plan
from serving.assistant.planner import Planner, videos_in_order
from serving.assistant.references import ReferenceChooser
from serving.assistant.retrieval.candidates import Retrieved
from serving.assistant.retrieval.catalog_expert import CatalogExpert
from serving.assistant.retrieval.concept_aware import ConceptAware
from serving.assistant.turn import Turn
from serving.assistant.understanding.follow_up_question import Resolved
from serving.assistant.understanding.understand import understand
from serving.index.build import build_index
from serving.index.search import SearchIndex
from serving.settings import Settings

Count = Callable[[str], int]

LONG = "Students visit rooms & halls, <measure> echoes and write reports about everything they heard there. " * 8
PAGES = [
    *(rows.pair(f"c{place}", "catalog", f"COMP {place} Acoustics", f"{LONG}{place}") for place in range(6)),
    *(rows.pair(f"s{place}", "catalog", f"COMP 9{place} Sound", "Acoustics of sound " * place) for place in range(4)),
    rows.pair("f1", "faq", "Which acoustics hall has heating?", "The acoustics hall in the north."),
    rows.pair("f2", "faq", "Which acoustics hall has a piano?", "The acoustics hall in the south."),
    rows.pair("f3", "faq", "声学 acoustics hall 在哪里？", "在北边。", lang="zh"),
]
QUESTION = "Which acoustics courses visit rooms"


def words(text: str) -> int:
    return len(text.split())


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> SearchIndex:
    folder = tmp_path_factory.mktemp("catalogue")
    build_index(rows.tables(folder / "tables", PAGES, []), folder / "index")
    return SearchIndex.open(folder / "index")


def told(**values: object) -> Settings:
    return Settings(home=Path("home")).model_copy(update=values)


def turn_of(question: str) -> Turn:
    return Turn(question, "ds", (), None, live=False, deadline_s=60, resolved=Resolved(question))


def plan(
    graph: ConceptGraph, index: SearchIndex, question: str, *, expert: bool, count: Count, **values: object
) -> tuple[Plan, Retrieved]:
    """The plan, and what it was made from; without direct answers."""
    chosen = told(**values)
    asked = understand(question, graph=graph, intent=None, course_id="ds")

    def room(asked_for: object, course_id: str | None) -> int:
        return room_for_material(asked, course_id, graph=graph, budget=chosen.context_tokens, count=count)

    strategy = CatalogExpert(index, chosen.context_tokens, count, room=room) if expert else ConceptAware(index, top_k=5)
    retrieved = asyncio.run(strategy.retrieve(asked, course_id="ds", domains=()))
    planner = Planner(graph, index, chosen, beta=1.0, count=count, chooser=ReferenceChooser(index))
    return planner.plan(asked, retrieved, turn_of(question)), retrieved


@given(
    budget=st.integers(200, 4000),
    count=st.sampled_from([estimate_tokens, words]),
    prompt=st.sampled_from(["context", "teach"]),
    question=st.sampled_from([QUESTION, "Why do acoustics courses visit rooms?", "Why does a stack need acoustics?"]),
)
@settings(max_examples=40, deadline=None)
def test_catalogue_pages_reach_the_model_whole_and_within_the_context(
    graph: ConceptGraph, catalogue: SearchIndex, budget: int, count: Count, prompt: str, question: str
) -> None:
    made, retrieved = plan(
        graph, catalogue, question, expert=True, count=count, context_tokens=budget, simple_prompt=prompt
    )
    assert sum(count(message.content) for message in made.messages) <= budget
    texts = {one.evidence_id: one.text for one in made.evidence}
    if made.messages:
        assert {one.entry.entry_id: one.entry.text for one in retrieved.ranked}.items() <= texts.items()


def test_a_large_context_is_filled_with_pages_longer_than_a_snippet(
    graph: ConceptGraph, catalogue: SearchIndex
) -> None:
    made, _ = plan(graph, catalogue, QUESTION, expert=True, count=estimate_tokens, context_tokens=3000)
    assert sum(len(one.text) > SNIPPET_CHARACTERS for one in made.evidence) == 6
    assert made.messages[-1].content.count("everything they heard there") == 6 * 8


def test_other_strategies_show_the_beginning_of_a_page(graph: ConceptGraph, catalogue: SearchIndex) -> None:
    question = "Do students visit rooms and write reports"
    made, _ = plan(graph, catalogue, question, expert=False, count=estimate_tokens, context_tokens=3000)
    assert made.evidence
    assert max(len(one.text) for one in made.evidence) <= SNIPPET_CHARACTERS


def test_a_context_that_is_full_already_has_no_room(graph: ConceptGraph) -> None:
    asked = understand(QUESTION + " and halls" * 400, graph=graph, intent=None, course_id="ds")
    assert room_for_material(asked, "ds", graph=graph, budget=200, count=estimate_tokens) == 0
    assert room_for_material(asked, None, graph=graph, budget=9000, count=estimate_tokens) > 1000


def test_stored_pairs_are_examples_where_the_setting_asks_for_them(graph: ConceptGraph, catalogue: SearchIndex) -> None:
    question = "Which acoustics hall has a piano"
    without, _ = plan(graph, catalogue, question, expert=True, count=estimate_tokens, context_tokens=4000)
    assert "<example>" not in without.messages[-1].content
    shown, _ = plan(
        graph, catalogue, question, expert=False, count=estimate_tokens, context_tokens=4000, few_shot=2, max_snippets=0
    )
    assert shown.messages == ()  # nothing to answer from: examples alone are no evidence
    shown, _ = plan(
        graph, catalogue, question, expert=False, count=estimate_tokens, context_tokens=4000, few_shot=2, max_snippets=1
    )
    (evidence,) = shown.evidence
    assert evidence.evidence_id == "f2"
    assert shown.examples == ("The acoustics hall in the north.",)  # not the evidence, not in another language
    assert "<asked>" in shown.messages[-1].content


@pytest.mark.parametrize(
    ("chosen", "template"), [("context", "context"), ("tutor", "frq-answer"), ("teach", "think-notes")]
)
def test_a_simple_question_gets_the_prompt_that_the_setting_names(
    graph: ConceptGraph, catalogue: SearchIndex, chosen: str, template: str
) -> None:
    found, _ = plan(
        graph,
        catalogue,
        "Which acoustics hall has a piano",
        expert=False,
        count=estimate_tokens,
        context_tokens=4000,
        simple_prompt=chosen,
    )
    assert (found.template or "").partition("@")[0] == template
    assert "The acoustics hall in the south." in found.messages[-1].content


def test_the_order_of_a_card_is_that_of_its_videos() -> None:
    card = CourseCard("ds", "Data", "en", video_order=("subtitles/02 heaps.srt", "01 lists"))
    assert list(videos_in_order(card)) == ["02 heaps", "01 lists"]
    assert videos_in_order(replace(card, video_order=())) == {}
