"""Sentences that define, by their wording."""

import pytest

from serving.assistant.composing.announcements import announces_reasons
from serving.assistant.composing.cues import amount_asked_for, find_counted_thing, is_of_another_size
from serving.assistant.composing.defining_cues import defines


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("A stack is a list where the last goes first.", "stack"),
        ("So overfitting means that the model fits noise.", "overfitting"),
        ("The idea of recursion is that a function calls itself.", "recursion"),
        ("GDP, gross domestic product, is the value of all that is made in a year.", "GDP"),
        ("LED (light-emitting diode) is the lamp of today.", "LED"),
        ("The Doppler effect is a change of pitch.", "Doppler"),
        ("A sentinel node is a node without a value.", "sentinel"),
        ("The GDP then is the value of all that is made in a year.", "GDP"),
        ("That's confounding: a third thing that goes with both.", "confounding"),
        ("This is called glazing, a thin coat of sugar.", "glazing"),
        ("继电器是：用电控制的机械开关", "继电器"),
        ("这种树叫作“平衡树”。", "平衡树"),
    ],
)
def test_a_sentence_that_says_what_it_is_defines(text: str, label: str) -> None:
    assert defines(text, [label])


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("We use a stack here.", "stack"),
        ("There is no harm in overfitting a little.", "overfitting"),
        ("That's confounding.", "confounding"),
        ("A GDP deflator is a measure of prices.", "GDP"),
        ("来替代继电器", "继电器"),
        ("A heap is a tree.", "stack"),
    ],
)
def test_a_sentence_that_only_names_it_does_not(text: str, label: str) -> None:
    assert not defines(text, [label])


@pytest.mark.parametrize(
    ("question", "text", "gives"),
    [
        ("how many rotations does it need", "It needs at most two rotations after an insertion.", True),
        ("how many rotations does it need", "The path is at most twice as long.", False),
        ("how many quadratic features do you get out of 100 inputs", "You have only 100 such features then.", False),
        ("how many quadratic features do you get out of 100 inputs", "You get about five thousand features.", True),
        ("how does it rotate", None, False),
    ],
)
def test_an_amount_is_one_of_what_the_question_counts(question: str, text: str | None, gives: bool) -> None:
    amount = amount_asked_for(question)
    assert (amount is None) is (text is None)
    assert (amount is not None and amount.search(text or "") is not None) is gives


@pytest.mark.parametrize(
    ("said", "announces"),
    [
        ("In practice it is not used that much for a couple of reasons.", True),
        ("它很少用，主要有两个原因。", True),
        ("One of the reasons is that it is slow.", False),
        ("That is the reason.", False),
    ],
)
def test_reasons_are_announced_in_the_plural(said: str, announces: bool) -> None:
    assert announces_reasons(said) is announces


@pytest.mark.parametrize(
    ("question", "said", "is_another"),
    [
        ("formula for the determinant of a 3x3 matrix", "For a 2x2 matrix it is ad minus bc.", True),
        ("formula for the determinant of a 2 by 2", "For a 2x2 matrix it is ad minus bc.", False),
        ("formula for the determinant", "For a 2x2 matrix it is ad minus bc.", False),
        ("what does a 3x2 matrix do", "It squishes the plane.", False),
    ],
)
def test_a_sentence_on_one_size_does_not_answer_for_another(question: str, said: str, is_another: bool) -> None:
    assert is_of_another_size(question, said) is is_another


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("How many questions will the midterm have", "question"),
        ("how many quizzes are there", "quizze"),
        ("how many is it", None),
    ],
)
def test_what_a_question_counts_is_its_noun(question: str, thing: str | None) -> None:
    assert find_counted_thing(question) == thing
