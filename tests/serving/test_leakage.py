"""Whether an evaluation question was seen before."""

import random

from serving.assistant.generation.demonstrations import Demonstration
from serving.assistant.generation.template import Template
from serving.evaluation.sets.leakage import (
    EvaluationText,
    KnownText,
    Leak,
    _jaccard,
    _key,
    _pieces,
    find_leaks,
    texts_of_demonstrations,
    texts_of_prompts,
)

REWORD = Template(
    "reword",
    1,
    "Ask this otherwise: {question}",
    "You write questions.",
    (("Ask this otherwise: How can I reset my password?", "Where do I get a new password?\nHow is it changed?"),),
)


def leaks(question: str, *seen: KnownText) -> tuple[Leak, ...]:
    return find_leaks([EvaluationText("ds", "q1", question)], seen)


def test_the_same_text_is_found_whatever_its_case_and_punctuation() -> None:
    (leak,) = leaks("Is  Merge-sort STABLE", KnownText("FAQ ds/stable", "Is merge sort stable?"))
    assert leak == Leak("ds", "q1", "Is  Merge-sort STABLE", "FAQ ds/stable", "Is merge sort stable?", 1.0)
    assert "stands in FAQ ds/stable" in leak.description()


def test_full_width_letters_are_the_same_letters() -> None:
    assert leaks("ＡＶＬ树", KnownText("label", "AVL树"))


def test_a_question_with_one_letter_changed_is_found() -> None:
    seen = KnownText("label", "Why does a dynamic array double its capacity when it is full, and not add ten cells?")
    (leak,) = leaks("Why does a dynamic array double its capacity when it is full, and not add tin cells?", seen)
    assert 0.9 <= leak.likeness < 1


def test_another_question_on_the_same_thing_is_no_leak() -> None:
    assert not leaks("how do I reset a password", KnownText("FAQ", "How can I get a new password for the forum?"))
    assert not leaks("栈", KnownText("label", "什么是栈"))


def test_a_short_question_leaks_only_when_it_is_the_same() -> None:
    assert leaks("栈？", KnownText("label", "栈"))
    assert not leaks("heap", KnownText("label", "heaps"))


def test_what_a_prompt_shows_is_seen_whole_and_line_by_line() -> None:
    seen = list(texts_of_prompts([REWORD]))
    assert leaks("how is it changed", *seen)
    (quoted,) = leaks("How can I reset my password?", *seen)
    assert quoted.where == "prompt reword@1"


def test_a_concept_s_name_inside_an_instruction_is_no_leak() -> None:
    assert not leaks("questions", KnownText("prompt teach@1", "You write questions about lists.", quotes=True))


def test_demonstrations_are_seen() -> None:
    shown = Demonstration("en-1", "en", "reason", "Why is the sky blue?", "Light scatters.", "Air.", "us", "2026-11-21")
    (leak,) = leaks("why is the sky blue", *texts_of_demonstrations([shown]))
    assert leak.where == "demonstration en-1"


def test_the_place_that_is_most_alike_is_told() -> None:
    text = "which data structure does a breadth first search use to keep the vertices"
    near, same = KnownText("near", text + "s"), KnownText("same", text)
    assert leaks(text, near, same)[0].where == "same"


def test_the_filter_misses_no_pair_that_comparing_all_would_find() -> None:
    rng = random.Random(3)
    words = ["stack", "queue", "tree", "heap", "sort", "list", "graph", "hash"]
    texts = [" ".join(rng.choices(words, k=rng.randint(1, 12))) for _ in range(150)]
    texts += [text[:-1] for text in texts] + [text + "s" for text in texts]
    pieces = [_pieces(_key(text)) for text in texts]
    for text, own in zip(texts[:60], pieces, strict=False):
        best = max(_jaccard(own, other) for place, other in enumerate(pieces) if texts[place] != text)
        others = [KnownText("other", other) for other in texts if other != text]
        found = find_leaks([EvaluationText("ds", "q", text)], others)
        assert [leak.likeness for leak in found] == ([best] if best >= 0.9 else [])


def test_nothing_asked_and_nothing_seen_are_no_leak() -> None:
    assert find_leaks([], [KnownText("label", "stack")]) == ()
    assert leaks("stack") == ()
