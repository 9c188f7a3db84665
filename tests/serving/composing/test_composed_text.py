"""How a composed answer becomes text: marks, lists, notes; the golden form of each."""

from knowledge_graph.lake.records import Locator
from serving.assistant.composing.composed import Composed, ComposedStatement, within, without_shown
from serving.assistant.composing.joined_answers import join
from serving.index.evidence import MAX_CITED, Evidence


def evidence(name: str, at_ms: int = 0) -> Evidence:
    return Evidence(0, name, "subtitle", "ds", "Stacks", "text", Locator(video_id="v", start_ms=at_ms))


def test_neighbouring_sentences_of_one_place_share_its_mark() -> None:
    one, other = evidence("a"), evidence("b")
    composed = Composed(
        "why", "full", (ComposedStatement("A.", one), ComposedStatement("B.", one), ComposedStatement("C.", other))
    )
    assert composed.text == "A.\nB. [1]\n\nC. [2]"
    assert [piece.number for piece in composed.evidence] == [1, 2]


def test_what_was_shown_for_the_most_part_is_not_said_again_but_items_of_lists_are() -> None:
    shown = "A heap is a tree. Its root is the largest. [1]\n\n- a heap"
    again = ComposedStatement("**A heap is a tree.** Its root is the largest. And more.", evidence("a"))
    new = ComposedStatement("A heap is a tree. We insert at the end and let the new key rise.", evidence("b"))
    item = ComposedStatement("a heap", evidence("c"), is_item=True)
    assert without_shown((again, new, item), shown) == (new, item)


def test_two_moments_of_one_lecture_are_two_places() -> None:
    composed = Composed(
        "why", "full", (ComposedStatement("A.", evidence("a", 0)), ComposedStatement("B.", evidence("a", 60_000)))
    )
    assert composed.text == "A. [1]\n\nB. [2]"


def test_items_stand_on_lines_of_their_own_with_the_note_above_and_the_way_on_below() -> None:
    items = (
        ComposedStatement("first", evidence("a"), is_item=True),
        ComposedStatement("second", evidence("b"), is_item=True),
    )
    composed = Composed("before", "full", (ComposedStatement("Learn:"), *items), note="Note.", after="After.")
    assert composed.text == "Note.\n\nLearn:\n\n- first [1]\n- second [2]\n\nAfter."


def test_only_as_many_places_are_cited_by_number_as_are_referred_to() -> None:
    said = tuple(ComposedStatement(f"S{number}.", evidence(str(number))) for number in range(9))
    text = Composed("list", "full", said).text
    assert f"[{MAX_CITED}]" in text
    assert f"[{MAX_CITED + 1}]" not in text


def test_what_could_not_be_cited_is_not_said_but_items_are_which_name_their_place() -> None:
    said = tuple(ComposedStatement(f"S{number}.", evidence(str(number))) for number in range(3))
    items = tuple(ComposedStatement(f"I{number}", evidence(str(10 + number)), is_item=True) for number in range(2))
    assert [one.text for one in within((ComposedStatement("Lead:"), *said, *items), 2)] == [
        "Lead:",
        "S0.",
        "S1.",
        "I0",
        "I1",
    ]


def test_several_questions_share_what_can_be_cited() -> None:
    said = tuple(ComposedStatement(f"S{number}.", evidence(str(number))) for number in range(5))
    others = tuple(ComposedStatement(f"T{number}.", evidence(f"t{number}")) for number in range(5))
    text = join([("A?", Composed("why", "partial", said)), ("B?", Composed("why", "partial", others))], "en").text
    assert "S2. [3]" in text
    assert "S3" not in text
    assert "T2. [6]" in text
    assert "T3" not in text


def test_answers_to_several_questions_are_covered_as_their_worst() -> None:
    sure, unsure = (
        Composed("why", "full", (ComposedStatement("A."),)),
        Composed("why", "none", (ComposedStatement("B."),), after="Ask."),
    )
    joined = join([("Why?", sure), ("Who?", unsure)], "en")
    assert joined.coverage == "partial"
    assert "**1. Why?**" in joined.text
    assert joined.text.endswith("Ask.")
