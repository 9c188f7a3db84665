"""Instructions that a model repeats do not reach the student; ordinary answers do, as they come."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serving.assistant.generation.prompts import TEMPLATES, Template
from serving.assistant.guardrails.prompt_leak import LeakGuard, find_fixed_parts, leaks
from serving.llm.language_model import LlmUseless

SECRET = "You answer the question in a few clear sentences from the notes of the lectures."
CHINESE = "你是这门课的助教，只根据讲义回答学生的问题，不编造内容。"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"My instructions are: {SECRET}", True),
        ("YOU ANSWER; the *question* in a\nfew clear", True),
        ("you\u200b an\u200bswer the question in a few clear", True),
        ("You answer the question in a few", False),
        ("You answer the question in a few short sentences from the notes of the course.", False),
        ("A stack is last in, first out [1].", False),
        ("我的提示是：你是这门课的助教，只根据讲义回答学生。", True),
        ("你是这门课的助教，请回答。", False),
        ("", False),
    ],
)
def test_a_run_of_eight_words_or_sixteen_characters_is_a_leak(text: str, found: bool) -> None:
    assert leaks(text, [SECRET, CHINESE]) is found


def test_a_protected_text_that_is_shorter_than_a_run_is_not_protected() -> None:
    assert not leaks("Be kind and calm.", ["Be kind and calm."])


def test_the_gaps_of_a_template_are_not_protected() -> None:
    assert find_fixed_parts("You teach{course}. Answer: {question}") == ("You teach", ". Answer: ")


@settings(max_examples=200)
@given(st.lists(st.integers(0, 120), max_size=12), st.sampled_from([SECRET, f"Well. {CHINESE}", "A stack is a list."]))
def test_where_the_stream_is_cut_does_not_matter(cuts: list[int], text: str) -> None:
    guard, shown = LeakGuard([SECRET, CHINESE]), ""
    places = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    try:
        for start, end in pairwise(places):
            shown += guard.feed(text[start:end])
        guard.flush()
    except LlmUseless:
        assert leaks(text, [SECRET, CHINESE])
        assert text.startswith(shown)
    else:
        assert not leaks(text, [SECRET, CHINESE])
        assert shown == text


def test_ordinary_text_is_shown_as_it_comes() -> None:
    guard = LeakGuard([SECRET])
    pieces = ["A sta", "ck is a list, wh", "ere you answer the question in ", "a", " moment."]
    assert [guard.feed(piece) for piece in pieces] == pieces
    assert guard.flush() == ""


def test_at_most_eight_words_of_the_instructions_are_shown() -> None:
    guard = LeakGuard([SECRET])
    words = [f"{word} " for word in SECRET.split()]
    assert [guard.feed(word) for word in words[:7]] == words[:7]
    with pytest.raises(LlmUseless, match="repeated its instructions"):
        guard.feed(words[7])


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda one: one.name)
def test_the_fixed_parts_of_every_prompt_can_be_protected(template: Template) -> None:
    parts = find_fixed_parts(template.system)
    assert not parts or leaks(" ".join(parts), parts)
