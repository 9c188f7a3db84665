"""Where what is quoted begins and ends: with what it answers, and not before what it announces."""

from dataclasses import replace

import pytest
from asked_rows import PLACE, asking, spoken
from spoken_rows import one_lecture

from knowledge_graph.definitions.cleaning import clean_spoken
from serving.assistant.composing.announcements import announces_more
from serving.assistant.composing.continuation import read_announced
from serving.assistant.composing.cues import wording_of
from serving.assistant.composing.fragments import is_fragment
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.missing import pieces_on_property
from serving.assistant.composing.terms import QuestionUnit
from serving.assistant.composing.window import Window, join_neighbours, with_context
from serving.assistant.composing.window_starts import begin_with_premise
from serving.assistant.composing.windows import _whole, best_windows
from serving.assistant.understanding.aspects import find_aspects
from serving.index.schema import Entry, Locator

SORT = QuestionUnit("quicksort", (frozenset({"quicksort"}),), 1.0, "en:quicksort")
STABLE = QuestionUnit("stable", (frozenset({"stabl"}),), 1.0)
HEAP = QuestionUnit("heap", (frozenset({"heap"}),), 1.0, "en:heap")
INSERT = QuestionUnit("inserting", (frozenset({"insert"}),), 1.0)


def whole(piece: MaterialPiece) -> Window:
    return Window(piece, 0, len(piece.lines), 0, 1.0, 1.0, 1.0, True, True)


SAID = (
    "An array that grows by one is copied each time.",
    "So the challenge is to copy it less often.",
    "A well known technique doubles it.",
    "Then a copy is rare.",
    "See you next time in the next lecture.",
)


def taught(*said: str) -> tuple[Window, CourseLectures]:
    """The first two sentences of a lecture as a window, and the lecture."""
    lecture = one_lecture(*said)
    piece = spoken(*((one, 0.9) for one in said[:2]))
    place = replace(PLACE, video_id=lecture.video_id)
    return whole(replace(piece, entry=replace(piece.entry, locator=place))), CourseLectures((lecture,))


def test_what_is_announced_is_read_beyond_the_passage_until_the_talk_turns_away() -> None:
    window, lectures = taught(*SAID)
    assert read_announced(window, lectures).text == " ".join(SAID[:4])
    plain, _ = taught("An array that grows by one is copied each time.", "That is slow.", *SAID[2:])
    assert read_announced(plain, lectures) == plain


def test_of_two_windows_of_a_passage_the_one_read_on_gives_the_sentences() -> None:
    window, lectures = taught(*SAID)
    first = replace(window, stop=1)
    (joined,) = join_neighbours([first, read_announced(replace(window, start=1), lectures)])
    assert joined.text == " ".join(SAID[:4])


@pytest.mark.parametrize(
    ("text", "announces"),
    [
        ("Here are some disadvantages of the method.", True),
        ("The question here is how to find it.", True),
        ("Let's think through a simple example, like before.", True),
        ("它有以下几个特点。", True),
        ("Here are the keys.", False),
        ("The question was easy.", False),
    ],
)
def test_what_says_that_something_follows_announces_it(text: str, announces: bool) -> None:
    assert announces_more(text) is announces


@pytest.mark.parametrize(
    ("text", "leans"),
    [
        ("因为它不需要额外的空间。", True),
        ("因为数组满了，所以要扩容。", False),
        ("不同的是，它只有一端。", True),
        ("之后某个时候，它会被覆盖。", True),
        ("之后的内容很多。", False),
        ("那为什么大家用得这么多呢？", False),
        ("那它为什么快呢？", True),
    ],
)
def test_a_reason_or_a_contrast_without_what_it_answers_leans_on_that(text: str, leans: bool) -> None:
    assert wording_of(text)[0] is leans


def test_the_reason_for_something_else_is_neither_first_nor_marked() -> None:
    piece = spoken(
        ("Then why is quicksort used so much?", 0.9),
        ("Because quicksort works within the array, and that is kind to a small memory.", 0.95),
        ("Still, quicksort puts equal keys anywhere.", 0.7),
        ("Quicksort swaps keys that are far apart and so it may put equal ones out of order.", 0.9),
    )
    (window,) = best_windows([piece], [SORT, STABLE], kind="why", asked="why is quicksort not stable")
    assert not (window.marked and window.piece.lines[window.key].text.startswith("Because"))
    assert not window.lines[0].text.startswith("Because")
    (meant,) = best_windows([piece], [SORT], kind="why", asked="why is quicksort used")
    assert meant.marked
    assert meant.piece.lines[meant.key].text.startswith("Because")


def test_a_conclusion_is_read_with_its_premise() -> None:
    said = ("Only the entry is removed.", "之后，块还在原处。", "数据可以恢复。")
    piece = spoken(*((one, 0.9) for one in said))
    lines = (*piece.lines[:2], replace(piece.lines[2], continued="所以数据可以恢复。"))
    assert begin_with_premise(replace(piece, lines=lines), 2) == 0
    assert begin_with_premise(piece, 2) == 2


def test_a_heading_that_is_said_aloud_is_not_led_to_by_the_sentence_before_it() -> None:
    piece = spoken(("The parent is found by arithmetic.", 0.5), ("Insert.", 0.5), ("Put the item at the end.", 0.9))
    window = replace(whole(piece), start=1, anchor=1)
    assert with_context(window).lines[0].text == "Insert."


def test_what_ends_a_sentence_before_it_is_shown_behind_that() -> None:
    said = ("He hung two balls from a thin wire.", "A torsion balance.", "The force is that of a grain on a scale.")
    piece = spoken(*((one, 0.9) for one in said))
    window = replace(whole(piece), start=1, anchor=1)
    assert with_context(window).lines[0].text == said[0]
    assert with_context(replace(window, start=2, anchor=2)).lines[0].text == said[0]
    (found,) = best_windows(
        [spoken((said[0], 0.0), ("Twice a sort.", 0.0), ("A wide sort now.", 0.9))], [SORT], kind="why"
    )
    assert found.lines[0].text == "Twice a sort."


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("A torsion balance.", True),
        ("Two tides a day.", True),
        ("Not the same thing.", True),
        ("r F sine theta.", True),
        ("Mass and weight.", False),
        ("The lever arm.", False),
        ("A heap is a tree.", False),
        ("Insert.", False),
        ("Two lists are one too many to be read here.", False),
        ("这是不同的。", False),
    ],
)
def test_what_adds_to_the_sentence_before_it_is_a_fragment(text: str, is_one: bool) -> None:
    assert is_fragment(text) is is_one


def test_a_sum_that_is_withdrawn_is_read_on_to_where_it_is_done_again() -> None:
    said = ("A block swings up.", "Two times ten is twelve.", "That can't be.", "Wait.", "Two times ten is twenty.")
    piece = spoken(*((one, 0.9) for one in said))
    (cut,) = join_neighbours([replace(whole(piece), stop=2)])
    assert cut.lines[-1].text == said[-1]
    (plain,) = join_neighbours([replace(whole(piece), stop=1)])
    assert plain.lines[-1].text == said[0]


def test_what_many_take_one_by_one_does_not_answer_what_one_takes() -> None:
    many = spoken(("You could insert them into the heap one by one, that is O of n log n altogether.", 0.91))
    one = spoken(("Inserting into the heap climbs one path, and so it takes O of log n.", 0.9))
    pieces = [many, replace(one, entry=replace(one.entry, entry_id="q", locator=Locator(video_id="w")))]
    for asked, first in (
        ("what is the complexity of inserting into a heap", one),
        ("how long do n inserts take", many),
    ):
        found = best_windows(pieces, [HEAP, INSERT], kind="aspect", aspects=find_aspects(asked), asked=asked, most=2)
        assert found[0].text == first.lines[0].text
        assert found[0].marked or asked.startswith("how"), "the one that is asked about"
    assert not found[-1].marked or found[-1].text == one.lines[0].text


def test_a_short_slide_is_shown_whole() -> None:
    lines = tuple(MaterialLine(text) for text in ("⇒ it takes N times M", "x" * 500, "In general there are N and M"))
    entry = Entry("s", "passage", "document", "co", "en", "Chains", "", locator=Locator(document="slides.pptx"))
    assert _whole(MaterialPiece(entry, lines)) == (0, 3)
    assert _whole(MaterialPiece(replace(entry, locator=Locator(document="notes.pdf")), lines)) is None


def test_moreover_is_not_cut_in_half() -> None:
    assert clean_spoken("而且，它更小更快。", "zh") == "它更小更快。"


def test_whether_a_thing_is_so_is_sought_where_nothing_says_that_it_is_so_in_another_way() -> None:
    of_order = spoken(("Does it matter in which order two matrices are multiplied?", 0.8))
    sister = spoken(("This proves that the product is associative.", 0.9))
    product = QuestionUnit("product", (frozenset({"product"}),), 1.0, "en:product")
    unknown = QuestionUnit("commutative", (frozenset({"commut"}),), 1.0, is_known=False)
    asked = asking("Is the product commutative?", product, unknown, pieces=(sister, of_order))
    assert pieces_on_property(asked) == [of_order]
    known = asking("Is the product commutative?", product, replace(unknown, is_known=True), pieces=(sister, of_order))
    assert pieces_on_property(known) == (sister, of_order)
