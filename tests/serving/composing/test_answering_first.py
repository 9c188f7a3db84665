"""What answers is said first, without a needless doubt, and only what the material settles is told yes or no."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import course_rows as rows
import pytest
from asked_rows import IN_PLACE, MERGE_SORT, asking, spoken
from asker import Asker
from course_rows import concept

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import Mention
from serving.assistant.composing.comparison import (
    _ANNOUNCES,
    _contrasts,
    _contrasts_plainly,
    _is_named,
    _is_parallel,
)
from serving.assistant.composing.composed import ComposedStatement
from serving.assistant.composing.cues import PROMISES, says_opposite, wording_of
from serving.assistant.composing.definition import naming_pattern
from serving.assistant.composing.explain import _is_of_what_is_not_there
from serving.assistant.composing.found_units import strange_names
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialLine
from serving.assistant.composing.people import _told
from serving.assistant.composing.premise import _HOW_TO, _denies_nothing, deny_premise
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.sections import _CLASH
from serving.assistant.composing.small_talk import occasion_of
from serving.assistant.composing.sufficiency import _lacks_what_is_doubted, is_silent, names_longer
from serving.assistant.composing.terms import QuestionUnit, speaks_of_its_names, stands_as_noun
from serving.assistant.composing.window import Window
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.yes_no import ASKS_LEAVE, _denies_the_same, settles
from serving.assistant.understanding.aspects import asked_aspects
from serving.assistant.understanding.question_kind import question_kind
from serving.index.analysis import terms
from serving.index.schema import Locator


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


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("does merge sort work in place or not", False),
        ("does merge sort work in place or outside", None),
        ("is merge sort in place or does it need an array", None),
    ],
)
def test_a_choice_between_two_things_is_answered_by_neither_yes_nor_no(question: str, verdict: bool | None) -> None:
    request = asking(question, MERGE_SORT, IN_PLACE)
    assert settles(request, "Merge sort may not run in place.") is verdict


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("满二叉树一定是完全二叉树，反过来就不一定。", True),
        ("满二叉树不是完全二叉树。", False),
        ("满二叉树一定是完全二叉树。", True),
    ],
)
def test_what_is_said_of_the_converse_denies_nothing(sentence: str, verdict: bool) -> None:
    full = QuestionUnit("满二叉树", (frozenset(terms("满二叉树")),), 1.0, "zh:满二叉树")
    complete = QuestionUnit("完全二叉树", (frozenset(terms("完全二叉树")),), 1.0, "zh:完全二叉树")
    assert settles(asking("满二叉树一定是完全二叉树吗？反过来呢？", full, complete), sentence) is verdict


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
    ("asked", "text", "is_opposite"),
    [
        ("alpha big", "If alpha's too small, it is slow.", True),
        ("alpha big", "If alpha is too large, it overshoots; a small one is slow.", False),
        ("advantages", "One disadvantage is that you need another array.", True),
        ("insert heap", "To delete the root, move the last item there.", True),
        ("heap", "To delete the root, move the last item there.", False),
        ("链表 插入", "删除结点要先找到前一个。", True),
    ],
)
def test_the_opposite_of_what_is_asked_is_known(asked: str, text: str, is_opposite: bool) -> None:
    assert says_opposite(asked, text) is is_opposite


@pytest.mark.parametrize(
    ("text", "near", "denies"),
    [
        ("Merge sort does not work in place at all.", 0.93, True),
        ("Merge sort does not work in place at all.", 0.7, False),
        ("If you start at zero, merge sort does not work.", 0.95, False),
        ("Does merge sort not work in place?", 0.95, False),
        ("Merge sort works in place.", 0.95, False),
        ("Heapsort is slower than merge sort, and it isn't in place.", 0.95, False),
        ("This does not let a merge sort work in place.", 0.95, False),
        ("That is why a merge sort does not work in place.", 0.95, True),
        ("Merge sort is a sort in place, because there are no other lists.", 0.95, False),
    ],
)
def test_only_a_plain_denial_of_just_that_says_no(text: str, near: float, denies: bool) -> None:
    request = asking("is merge sort in place", MERGE_SORT, IN_PLACE)
    assert _denies_the_same(request, MaterialLine(text, meaning=near)) is denies


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
    assert _lacks_what_is_doubted(window, asking("is merge sort in place", MERGE_SORT, IN_PLACE)) is lacks


def test_a_sentence_on_another_thing_says_neither_yes_nor_no() -> None:
    request = asking("is a merge sort in place", MERGE_SORT, IN_PLACE)
    assert settles(request, "Heapify is a way to turn a merge sort into a place.") is None
    assert settles(request, "Merge sort may not run in place.") is False


def test_leave_is_given_by_rules_and_the_faq_and_by_no_lecture() -> None:
    assert ASKS_LEAVE.search("can i use java")
    assert ASKS_LEAVE.search("is it ok to work in pairs")
    assert ASKS_LEAVE.search("我可以用Java吗")
    assert not ASKS_LEAVE.search("can k-means get stuck")
    assert not ASKS_LEAVE.search("二分查找可以用在链表上吗")


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


def test_who_does_not_understand_claims_nothing_that_could_be_denied() -> None:
    assert deny_premise(asking("i dont understand stacks and queues, explain", kind="other")) is None


@pytest.mark.parametrize(
    ("question", "asks_for_a_clash"),
    [
        ("does COMP 3300 clash with COMP 1200", True),
        ("can i take both without a clash", False),
        ("do they fit together", False),
        ("COMP 3300和COMP 1200会冲突吗", True),
        ("这两门课不冲突吧", False),
    ],
)
def test_a_clash_is_the_opposite_of_a_fit(question: str, asks_for_a_clash: bool) -> None:
    assert (_CLASH.search(question) is not None) is asks_for_a_clash


def test_a_word_alone_is_defined_where_it_is_named_as_a_word() -> None:
    pattern = naming_pattern({"rank"})
    assert pattern.search("So the word rank means the number of dimensions in the output.")
    assert not pattern.search("Rank two is the best that it can be.")


def test_who_can_take_a_class_asks_for_no_teacher(composed_by: Asker) -> None:
    text = composed_by("who can take COMP 3300").text
    assert "Prerequisites: COMP 1200" in text
    assert "teacher" not in text


def test_a_definition_in_bold_among_others_counts_as_said(composed_by: Asker) -> None:
    assert rows.STACK.split(",")[0] in composed_by("what is a stack?").text.replace("**", "")


@pytest.mark.parametrize(
    "question",
    [
        "why is there a 1/2m and not just 1/m",
        "why learn cramers rule if elimination is faster",
        "why is my merge sort in a strange place",
        "why does merge sort make little sense in place",
        "why is merge sort hardly ever in place",
        "归并排序都稳定了，还要快排干嘛",
        "有了归并排序为什么还要插入排序",
        "why do we still need merge sort in place",
    ],
)
def test_a_why_that_grants_something_is_not_told_that_the_material_denies_it(question: str) -> None:
    assert deny_premise(asking(question, MERGE_SORT, IN_PLACE, kind="why")) is None


@pytest.mark.parametrize(
    ("said", "denies"),
    [
        ("Merge sort on a linked list makes no place.", False),
        ("Merge sort does not work in place.", True),
        ("归并排序不怎么需要原地。", False),
        ("Merge sort may not work in place.", False),
        ("Take a merge sort without place.", False),
        ("Merge sort isn't perfect - it is slow, it took the place of others.", False),
        ("Merge sort isn't what works in place - it is slow.", True),
    ],
)
def test_what_is_said_of_a_case_or_of_something_else_denies_no_premise(said: str, denies: bool) -> None:
    listed = ConceptGraph.from_rows(
        [concept("en:merge sort", "merge sort", None), concept("en:linked list", "linked list", None)], [], []
    )
    piece = spoken((said, 0.95))
    request = asking(
        "why does merge sort work in place",
        MERGE_SORT,
        IN_PLACE,
        kind="why",
        spoken="en",
        graph=listed,
        pieces=(piece,),
        material=SimpleNamespace(lectures=CourseLectures()),
    )
    assert (deny_premise(request) is not None) is denies


def test_a_fragment_that_names_one_thing_denies_nothing() -> None:
    request = asking(
        "is a merge sort commutative", MERGE_SORT, QuestionUnit("commutative", (frozenset({"commut"}),), 1.0)
    )
    assert not _denies_the_same(request, MaterialLine("No merge sort necessary.", meaning=1.0))


def test_what_to_watch_before_is_no_question_for_a_place() -> None:
    assert question_kind("what video should i see before the eigenvectors one") == "before"


@pytest.mark.parametrize(
    ("question", "kind"), [("what happens if merge sort is in place", "how"), ("merge sort stable or not", "other")]
)
def test_what_supposes_or_asks_for_either_claims_nothing(question: str, kind: str) -> None:
    assert deny_premise(asking(question, MERGE_SORT, IN_PLACE, kind=kind)) is None


def test_how_two_things_are_related_claims_nothing() -> None:
    assert _HOW_TO.search("how is the dot product related to projection")
    assert not _HOW_TO.search("how is PCA the best way to prevent overfitting")


def test_what_does_not_matter_denies_nothing() -> None:
    assert _denies_nothing("It shouldn't matter which one is computed first.")
    assert _denies_nothing("Imagine that you don't already know that merge sort works in place.")
    assert not _denies_nothing("Merge sort does not work in place.")


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


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("深度优先用栈，广度优先用队列。", True),
        ("A stack is last in, first out; a queue is first in, first out.", None),
        ("深度优先和广度优先都是遍历，这里不展开。", False),
    ],
)
def test_a_clause_for_each_thing_contrasts_them(line: str, is_one: bool | None) -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("深度优先", "广度优先"))
    assert _is_parallel(line, sides) is bool(is_one)


@pytest.mark.parametrize(
    ("line", "is_plain"),
    [
        ("Unlike recall, precision looks at what was predicted.", True),
        ("Precision is higher than recall here.", True),
        ("Precision is greater than 0.5, and so is recall.", False),
        ("Precision is the same under both readings.", False),
        ("Recall is better than nothing.", False),
    ],
)
def test_a_contrast_is_plain_where_it_is_one_of_what_is_compared(line: str, is_plain: bool) -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("precision", "recall"))
    window = cast("Window", SimpleNamespace(lines=(MaterialLine(line),)))
    assert _contrasts_plainly(window, sides) is is_plain


@pytest.mark.parametrize(
    ("named", "is_another"),
    [
        (["binary search tree"], True),
        (["binary search tree", "binary search"], False),
        (["binary search algorithm"], False),
        (["randomised binary search"], False),
        ([], False),
    ],
)
def test_a_name_that_goes_on_is_of_another_thing(named: list[str], is_another: bool) -> None:
    graph = SimpleNamespace(
        mentions=lambda text, lang: [Mention(f"en:{one}", one, one, 0, len(one)) for one in named],
        concept=lambda key: SimpleNamespace(name=key.removeprefix("en:")),
    )
    search = QuestionUnit("binary search", (frozenset({"binari", "search"}),), 1.0, "en:binary search")
    (window,) = best_windows([spoken(("It takes few steps.", 1.0))], [], kind="other")
    assert names_longer(window, asking("binary search cost", search, graph=graph)) is is_another


def test_a_contrast_in_something_else_is_none_of_what_is_asked() -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("quicksort", "mergesort"))
    speed = spoken(("Quicksort is faster than mergesort, because it does little for each compare.", 1.0))
    memory = spoken(("Mergesort takes more memory than quicksort, for it merges into another array.", 0.5))
    pieces = (speed, replace(memory, entry=replace(memory.entry, entry_id="q", locator=Locator(video_id="w"))))
    request = asking("which uses more memory", *(unit for side in sides for unit in side), pieces=pieces)
    assert len(_contrasts(request, sides)) == 2
    asked = cast("Request", SimpleNamespace(**vars(request) | {"aspects": asked_aspects("which uses more memory")}))
    (window,) = _contrasts(asked, sides)
    assert "another array" in window.text


@pytest.mark.parametrize("text", ["我们比较一下深度优先和广度优先。", "Now let's compare the two."])
def test_what_announces_a_comparison_is_none(text: str) -> None:
    assert _ANNOUNCES.search(text)


@pytest.mark.parametrize(
    ("label", "question", "names_a_thing"),
    [
        ("textbook", "which textbook does Calculus I use", True),
        ("rust", "does COMP 1200 use rust", True),
        ("gpa", "what gpa do i need", True),
        ("foreign", "do history students need a foreign language", False),
        ("till", "i work till 5", False),
        ("lowest", "what is the lowest grade that is accepted", False),
    ],
)
def test_only_a_noun_is_told_to_be_missing(label: str, question: str, names_a_thing: bool) -> None:
    assert stands_as_noun(label, question) is names_a_thing


@pytest.mark.parametrize(
    ("nearest", "with_concept", "is_declined"),
    [(0.6, False, True), (0.75, False, False), (0.6, True, True), (0.67, True, False), (0.0, False, False)],
)
def test_what_is_near_to_a_thing_that_no_text_names_is_about_something_else(
    nearest: float, with_concept: bool, is_declined: bool
) -> None:
    relu = QuestionUnit("relu", (frozenset({"relu"}),), 1.0, is_known=False)
    units = (relu, MERGE_SORT) if with_concept else (relu, IN_PLACE)
    asked = asking("how does relu work", *units, kind="how", asked="", catalogue=SimpleNamespace(classes={}))
    assert strange_names(asked) == ["relu"]
    piece = spoken(("Merge sort needs a place.", nearest))
    window = Window(piece, 0, 1, 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
    assert _is_of_what_is_not_there([window], asked) is is_declined


def test_a_line_of_code_names_no_thing() -> None:
    arr = QuestionUnit("arr", (frozenset({"arr"}),), 1.0, is_known=False)
    assert strange_names(asking("why is reading arr[i] fast", arr, kind="why", asked="")) == []


def test_what_it_takes_to_make_it_so_is_no_yes() -> None:
    stable = QuestionUnit("stable", (frozenset({"stabl"}),), 1.0)
    asked = asking("is merge sort stable", MERGE_SORT, stable)
    assert settles(asked, "So it's a little more work to make merge sort stable.") is None
    assert settles(asked, "Merge sort is not stable because an exchange might put one over another.") is False
    assert settles(asked, "Equal items never move past each other so therefore merge sort is stable.") is True
    assert settles(asked, "Merge sort might not be stable.") is None


def test_a_name_tells_what_is_defined_from_others() -> None:
    algorithm = QuestionUnit("algorithm", (frozenset({"algorithm"}),), 1.0, "en:algorithm")
    kruskal = QuestionUnit("kruskal's", (frozenset({"kruskal"}),), 6.0)
    assert speaks_of_its_names([algorithm, kruskal], "Kruskal's algorithm uses union-find.")
    assert not speaks_of_its_names([algorithm, kruskal], "Algorithms are all around us.")
    assert speaks_of_its_names([algorithm, IN_PLACE], "Algorithms are all around us.")  # "place" is any word


@pytest.mark.parametrize(
    ("question", "text", "is_doubted"),
    [
        ("第一个编程语言是谁发明的", "委员会开发一种通用编程语言，Grace Hopper 担任顾问。", True),
        ("who invented the first stack", "The first stack was built by Ada King.", False),
        ("软件工程这说法最早是谁叫起来的", "这个词由工程师玛格丽特·汉密尔顿创造。", False),
        ("who invented the stack", "The stack was invented by Ada King.", False),
    ],
)
def test_who_made_a_thing_did_not_make_the_first_of_its_kind(question: str, text: str, is_doubted: bool) -> None:
    asked = asking(question, spoken="en", kind="people")
    assert bool(_told(asked, ComposedStatement(text), 0.7).note) is is_doubted


def test_a_prefix_makes_another_thing_of_what_is_compared() -> None:
    side = (QuestionUnit("batch training", (frozenset(terms("batch training")),), 1.0),)
    assert _is_named(side, "Batch training reads everything.")
    assert _is_named(side, "Unlike mini-batch training, batch training reads everything.")
    assert not _is_named(side, "Mini-batch training reads some of it.")


def test_what_is_better_than_both_contrasts_neither_with_the_other() -> None:
    sides = tuple((QuestionUnit(name, (frozenset(terms(name)),), 1.0),) for name in ("quicksort", "mergesort"))
    third = spoken(("Radix sort can be faster than both quicksort and faster than mergesort.", 1.0))
    pair = spoken(("In contrast to quicksort, what mergesort does is to merge.", 0.5))
    pieces = (third, replace(pair, entry=replace(pair.entry, entry_id="q", locator=Locator(video_id="w"))))
    request = asking("difference between them", *(unit for side in sides for unit in side), pieces=pieces)
    assert [window.text for window in _contrasts(request, sides)] == [pair.lines[0].text]
