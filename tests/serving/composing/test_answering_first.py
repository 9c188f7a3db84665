"""What answers is said first, without a needless doubt: where a window begins, and what is left out of it."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import course_rows as rows
import pytest
from asked_rows import IN_PLACE, MERGE_SORT, asking, spoken
from asker import Asker

from serving.assistant.composing.cues import PROMISES, wording_of
from serving.assistant.composing.material import MaterialLine
from serving.assistant.composing.small_talk import occasion_of
from serving.assistant.composing.sufficiency import is_silent, lacks_what_is_doubted
from serving.assistant.composing.terms import QuestionUnit
from serving.assistant.composing.window import Window
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.yes_no import settles
from serving.assistant.understanding.question_kind import question_kind


def test_a_window_begins_where_it_answers_and_marks_the_sentence_that_does() -> None:
    piece = spoken(
        ("Trust me, pictures are a better way into all of this.", 0.1),
        ("Some people like to draw them on paper before they write a line.", 0.1),
        ("Merge sort does not work in place, because merging needs a second array.", 1.0),
        ("The second array is as long as the first.", 0.5),
        ("That is the price for being stable.", 0.4),
    )
    window = best_windows([piece], [MERGE_SORT, IN_PLACE], kind="other")[0]
    assert window.text.startswith("Merge sort does not work in place")
    assert window.statement.text.startswith(
        "**Merge sort does not work in place, because merging needs a second array.**"
    )
    assert "**" not in window.statement.evidence.text  # what is cited is what was said


def test_what_something_else_is_compared_with_is_not_told_of_itself() -> None:
    fast = QuestionUnit("fast", (frozenset({"fast"}), frozenset({"practic"})), 1.0)
    asked = asking("is merge sort fast in practice", MERGE_SORT, fast)
    assert settles(asked, "In practice heapsort is slower than merge sort.") is None
    assert settles(asked, "In practice merge sort is slower than quicksort.") is False


def test_what_replies_to_the_question_asked_aloud_wins() -> None:
    near = spoken(("Merge sort has a place in every course, and merge sort is in it.", 0.8), ("We go on.", 0.2))
    reply = spoken(
        ("Why does merge sort not work in place?", 1.0),
        ("Because the two halves are merged into a second array.", 0.5),
    )
    window = best_windows([near, replace(reply, entry=replace(reply.entry, entry_id="q"))], [MERGE_SORT], kind="why")[0]
    assert "second array" in window.text


def test_a_sentence_that_answers_is_shown_though_it_points_at_another_video() -> None:
    piece = spoken(
        ("How many hidden layers should you use.", 0.9),
        ("As in the previous video, a single hidden layer is a reasonable default for merge sort.", 1.0),
        ("You can also try two or three of them.", 0.6),
    )
    window = best_windows([piece], [MERGE_SORT], kind="other")[0]
    assert "a single hidden layer is a reasonable default" in window.text


@pytest.mark.parametrize(
    "promise",
    [
        "Let's delve deeper, and in this video, get better intuition about what merge sort is doing.",
        "In this video we'll talk about merge sort and how it works.",
        "So what I'd like to do is tell you about merge sort.",
        "今天我们来讲归并排序。",
    ],
)
def test_what_only_says_what_will_be_said_begins_no_answer(promise: str) -> None:
    assert PROMISES.search(promise)
    piece = spoken(
        (promise, 1.0),
        ("Merge sort halves the list until each half has one entry.", 0.7),
        ("The halves are merged, the smaller of their first entries before the other.", 0.6),
        ("So the number of levels is the logarithm of the length.", 0.4),
    )
    window = best_windows([piece], [MERGE_SORT], kind="how")[0]
    assert window.text.replace("**", "").startswith("Merge sort halves the list")


def test_what_stands_to_the_left_of_something_points_at_nothing() -> None:
    assert not wording_of("We write functions on the left of variables.")[1]
    assert not wording_of("Smaller keys are on the left side of the root.")[1]
    assert wording_of("The curve on the left is the cost.")[1]


def test_a_question_stays_before_what_follows_it_and_goes_where_nothing_does() -> None:
    piece = spoken(
        ("Merge sort keeps the smallest one at the front of each half.", 0.9),
        ("And if the halves are of other lengths, what do you think that means?", 0.4),
        ("The longer one is copied over at the end.", 0.3),
        ("So why does all of this matter to us?", 0.3),
    )
    window = Window(piece, 0, 4, 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
    assert window.text.endswith("what do you think that means? The longer one is copied over at the end.")


def test_a_sentence_about_the_lecture_is_left_out_and_where_it_stood_is_shown() -> None:
    piece = spoken(
        ("Merge sort keeps the smallest one at the front of each half.", 0.9),
        ("In the next video, I'll show you how quicksort does without.", 0.9),
        ("We're assuming that people who take this course know how to program in Java.", 0.9),
        ("What I'm going to do is compare the first entries of both halves.", 0.3),
    )
    window = Window(piece, 0, 4, 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
    assert "next video" not in window.text
    assert "each half. … We're assuming that people who take this course know how to program" in window.text
    assert window.text.endswith("compare the first entries of both halves.")


def test_the_question_that_a_lecturer_asks_is_not_marked_as_the_answer() -> None:
    after = ("Each half is sorted by itself.", "Then both are joined.", "That takes another array.")
    asked = "Does merge sort work in place, and does the order of its halves matter?"
    for said, is_marked in ((asked, False), (asked.replace("Does", "So").replace("?", "."), True)):
        piece = spoken(("Some people like to draw them.", 0.4), (said, 1.0), *((text, 0.3) for text in after))
        window = best_windows([piece], [MERGE_SORT, IN_PLACE], kind="other", cue=re.compile("in place"))[0]
        assert (f"**{said}**" in window.statement.text) is is_marked


def test_what_ends_a_sentence_that_captions_cut_is_not_left_out_of_it() -> None:
    piece = spoken(
        ("Merge sort keeps the smallest one at the front of each half.", 0.9),
        ("If you are fitting a model of too low an order to merge sort's times", 0.4),
        ("So this end of the picture over here is high bias.", 0.3),
    )
    window = Window(piece, 0, 3, 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
    assert "high bias" in window.text
    assert wording_of("So this end of the picture over here is high bias.")[1]


@pytest.mark.parametrize(
    "text",
    [
        "So, hopefully, that gives you a little bit of intuition about what it is doing.",
        "So that's the understanding of determinants in two dimensions.",
        "The next and final video of this series is going to be on vector spaces.",
    ],
)
def test_a_remark_on_the_lecture_is_no_part_of_an_answer(text: str) -> None:
    assert wording_of(text)[1]


def test_a_question_without_its_mark_is_still_one() -> None:
    assert wording_of("Where should you use gradient descent and when should you use the normal equation.")[2]
    assert not wording_of("When the list is sorted, the middle element tells where to go on.")[2]


@pytest.mark.parametrize(
    ("text", "near", "lacks"),
    [
        ("Merge sort splits the list and merges the halves.", 0.6, True),
        ("Merge sort works in place.", 0.6, False),
        ("Merge sort needs no other array.", 0.92, False),
    ],
)
def test_a_passage_that_says_nothing_of_what_is_doubted_is_not_sure(text: str, near: float, lacks: bool) -> None:
    window = cast(Window, SimpleNamespace(text=text, lines=(MaterialLine(text, meaning=near),)))
    assert lacks_what_is_doubted(window, asking("is merge sort in place", MERGE_SORT, IN_PLACE)) is lacks


def test_the_material_is_silent_where_nothing_shown_means_what_is_asked() -> None:
    far = Window(
        spoken(("A list of merge points is kept.", 0.4)), 0, 1, 0, 1.0, 0.5, 0.5, is_cued=True, has_aspect=True
    )
    near = replace(far, piece=spoken(("Skip lists keep several levels of pointers.", 0.8)))
    request = asking("how do skip lists work", IN_PLACE, kind="how")
    assert is_silent([far], request)
    assert not is_silent([far, near], request)
    assert not is_silent([far], asking("what is the fee", IN_PLACE, kind="logistics"))


def test_english_that_only_has_the_words_of_the_question_is_silent_on_it() -> None:
    """Whoever tries to merge says nothing of tries; Chinese sentences are too far from their questions to tell."""
    tries = QuestionUnit("tries", (frozenset({"tri"}),), 1.0)
    far = Window(spoken(("Everybody tries to do that.", 0.1)), 0, 1, 0, 1.0, 0.5, 0.5, is_cued=True, has_aspect=True)
    for kind in ("how", "aspect"):
        assert is_silent([far], asking("what are tries good for", tries, kind=kind))
        assert not is_silent([far], asking("what are tries good for", tries, kind=kind, lang="zh"))


@pytest.mark.parametrize(
    ("message", "occasion"),
    [
        ("thx that helped", "thanks"),
        ("hi, im new here, where should i start?", "greeting"),
        ("where do i start", "greeting"),
        ("where do i start the server", None),
        ("?", None),
    ],
)
def test_small_talk_in_more_words(message: str, occasion: str | None) -> None:
    assert occasion_of(message) == occasion


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("i dont get basis vectors at all, can u explain it simply", "definition"),
        ("我看不懂分治，能不能简单说说", "definition"),
        ("i don't get why we square", "why"),
        ("do i need eigenvalues before abstract vector spaces", "before"),
    ],
)
def test_who_does_not_understand_asks_for_an_explanation(question: str, kind: str) -> None:
    assert question_kind(question) == kind


def test_who_can_take_a_class_asks_for_no_teacher(composed_by: Asker) -> None:
    text = composed_by("who can take COMP 3300").text
    assert "Prerequisites: COMP 1200" in text
    assert "teacher" not in text


def test_a_definition_in_bold_among_others_counts_as_said(composed_by: Asker) -> None:
    assert rows.STACK.split(",")[0] in composed_by("what is a stack?").text.replace("**", "")


def test_what_to_watch_before_is_no_question_for_a_place() -> None:
    assert question_kind("what video should i see before the eigenvectors one") == "before"


def test_a_heading_that_is_said_aloud_begins_how_it_is_done() -> None:
    piece = spoken(
        ("You could put them in place one by one, which takes longer for merge sort.", 0.6),
        ("In place.", 0.3),
        ("Swap the two halves until every item is where it belongs.", 0.3),
        ("It climbs one path at a time.", 0.2),
    )
    piece = replace(piece, entry=replace(piece.entry, title="Merge sort"))
    assert best_windows([piece], [MERGE_SORT, IN_PLACE], kind="how")[0].text.startswith("In place. Swap")
    assert not best_windows([piece], [MERGE_SORT, IN_PLACE], kind="why")[0].text.startswith("In place. Swap")
