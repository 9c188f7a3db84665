"""Sentences that define, by their wording."""

import pytest

from serving.assistant.composing.cues import defines


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("A stack is a list where the last goes first.", "stack"),
        ("So overfitting means that the model fits noise.", "overfitting"),
        ("The idea of recursion is that a function calls itself.", "recursion"),
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
        ("来替代继电器", "继电器"),
        ("A heap is a tree.", "stack"),
    ],
)
def test_a_sentence_that_only_names_it_does_not(text: str, label: str) -> None:
    assert not defines(text, [label])
