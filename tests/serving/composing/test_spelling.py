"""What is mistyped is put right by the course's words, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.assistant.understanding.misspelled_names import WordPairs, correct_names
from serving.assistant.understanding.spelling import Vocabulary, correct

COURSE = Vocabulary.of(
    [
        "The normal equation solves for theta. " * 3,
        "Quicksort picks a pivot and quicksort is fast. " * 3,
        "Bias and variance. " * 3,
        "A tree has a root. " * 3,
    ],
    names=["normal equation", "Dijkstra's algorithm", "quicksort", "gradient descent"],
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("what is the normal eqation", "what is the normal equation"),
        ("qiucksort worst case", "quicksort worst case"),
        ("explain djikstra", "explain dijkstra"),
        ("how does gradiant decsent work", "how does gradient descent work"),
        ("high varience", "high variance"),
        ("what is dijsktra's algorithm", "what is dijkstra's algorithm"),
    ],
)
def test_a_mistyped_word_becomes_the_courses(typed: str, meant: str) -> None:
    corrected = correct(typed, COURSE)
    assert corrected is not None
    assert corrected.text == meant


def test_a_word_of_studying_is_no_slip() -> None:
    assert correct("is there wifi in the library", Vocabulary.of(["Her wife. The wife of the buyer."])) is None


@pytest.mark.parametrize(
    "typed",
    [
        "what is the normal equation",
        "what does it explain",
        "COMP1200 prerequisites",
        "who invented it",
        "什么是快速排序",
        "bias",
        "see https://example.org/eqation",
        "zebra crossings",
        "what is a trie",  # another thing than a tree, though the course says nothing of it
        "what prize did bias win",  # one letter from nothing here, yet a word
        "a basis of normals",
    ],
)
def test_what_is_right_or_strange_to_the_course_stays(typed: str) -> None:
    assert correct(typed, COURSE) is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("the optimisation of loops", "the optimization of loops"), ("what is color", "what is colour")],
)
def test_british_and_american_spelling_are_the_same_and_nothing_is_said_of_it(typed: str, meant: str) -> None:
    corrected = correct(typed, Vocabulary.of(["Optimization is hard.", "A colour is a number."]))
    assert corrected is not None
    assert (corrected.text, corrected.words) == (meant, ())


def test_a_word_that_is_formed_of_the_courses_is_looked_up_as_that_and_nothing_is_said_of_it() -> None:
    vocabulary = Vocabulary.of(["The variance is small. " * 3, "A tree has a root, at a loss. " * 3])
    for typed, text, words in (
        ("isn't it lossy", "isn't it loss", ()),
        ("the varience of it", "the variance of it", ("variance",)),
    ):
        corrected = correct(typed, vocabulary)
        assert corrected is not None
        assert (corrected.text, corrected.words) == (text, words)


def test_of_a_mistyped_word_that_is_none_of_the_subject_nothing_is_said() -> None:
    vocabulary = Vocabulary.of(["You should check the pivot. " * 3])
    corrected = correct("what shoud i check in the pibot", vocabulary)
    assert corrected is not None
    assert (corrected.text, corrected.words) == ("what should i check in the pivot", ("pivot",))


def test_a_word_that_the_course_writes_as_several_is_written_so_and_nothing_is_said_of_it() -> None:
    said = "Honey pot projects collect spam. The step size is small. A set of test data. A binary search tree is one."
    vocabulary = Vocabulary.of([said])

    def says(name: str) -> bool:
        return name in {"honey pot", "step size", "binary search tree"}

    corrected = correct("what's a 'honeypot' and a stepsize, and a binarysearchtree", vocabulary, says=says)
    assert corrected is not None
    assert (corrected.text, corrected.words) == ("what's a 'honey pot' and a step size, and a binary search tree", ())
    assert correct("what is " + "binary" * 9, vocabulary, says=says) is None
    assert correct("what is a testset", vocabulary, says=says) is None


@given(st.lists(st.sampled_from(sorted(COURSE.counts)), min_size=1, max_size=8))
def test_the_courses_own_words_are_never_changed(words: list[str]) -> None:
    assert correct(" ".join(words), COURSE) is None


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz ", max_size=60))
def test_what_was_put_right_is_right(text: str) -> None:
    corrected = correct(text, COURSE)
    if corrected is not None:
        again = correct(corrected.text, COURSE)
        assert again is None or again.text == corrected.text


def test_a_slip_of_the_course_itself_is_put_right() -> None:
    words = Vocabulary.of(["Overfitting is bad. " * 5, "Overfiting is seen."])
    corrected = correct("what is overfiting", words)
    assert corrected is not None
    assert corrected.text == "what is overfitting"


def test_of_words_as_near_the_one_that_begins_alike_was_meant() -> None:
    words = Vocabulary.of(["The location of a file. " * 9, "Register allocation. " * 3])
    corrected = correct("who invented register alocation", words)
    assert corrected is not None
    assert corrected.text == "who invented register allocation"


def test_what_the_course_itself_misspells_once_is_put_right() -> None:
    course = Vocabulary.of(["Constant propagation is sound. " * 4, "Constant propogation."], names=[])
    corrected = correct("what is constant propogation", course, knows=lambda word: True)
    assert corrected is not None
    assert corrected.text == "what is constant propagation"


def test_a_rare_word_of_the_course_is_no_slip_of_a_common_one() -> None:
    course = Vocabulary.of(["The logic is plain. " * 9, "The logit is a log of odds."], names=[])
    assert correct("what is a logit", course, knows=lambda word: True) is None


def test_whose_it_is_is_no_slip() -> None:
    course = Vocabulary.of(["What Jennifer means is ours. " * 9, "In jennifers language."], names=[])
    assert correct("how do i get it in jennifers", course, knows=lambda word: True) is None


NAMES = WordPairs.of(["gradient descent", "linear regression", "merge sort", "supervised learning"])


@pytest.mark.parametrize(
    ("typed", "meant", "told"),
    [
        ("what is gradient decent?", "what is gradient descent?", ("gradient descent",)),
        ("batch Gradient Decent", "batch gradient descent", ("gradient descent",)),
        ("explain liner regression", "explain linear regression", ("linear regression",)),
        ("how does quick sort work", "how does quicksort work", ()),
        ("a quick-sort", "a quicksort", ()),
    ],
)
def test_a_name_in_right_words_that_are_not_the_courses_is_put_right(
    typed: str, meant: str, told: tuple[str, ...]
) -> None:
    corrected = correct_names(typed, NAMES, COURSE.counts, says=lambda _: False)
    assert corrected is not None
    assert (corrected.text, corrected.words) == (meant, told)


@pytest.mark.parametrize(
    "typed",
    [
        "what is gradient descent",
        "how do merge sorts differ",  # the same word with an ending
        "unsupervised learning",  # another thing
        "every one does that",
        "the merge fort",  # too short a word
    ],
)
def test_a_name_that_may_be_meant_as_it_stands_is_left(typed: str) -> None:
    assert correct_names(typed, NAMES, COURSE.counts, says=lambda _: False) is None


def test_what_the_course_says_beside_each_other_is_left() -> None:
    assert correct_names("a decent gradient decent quick sort", NAMES, COURSE.counts, says=lambda _: True) is None
