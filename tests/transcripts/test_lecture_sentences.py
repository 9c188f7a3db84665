"""Sentences of lectures: cleaned, timed, in chapters, and said once."""

from itertools import pairwise

import pytest

from knowledge_graph.lake.records import Cue, Lang
from knowledge_graph.transcripts.chapters import chapters
from knowledge_graph.transcripts.sentences import lecture_sentences, without_repeats


def cues(*texts: str, lang: Lang = "en", seconds: int = 5) -> list[Cue]:
    return [
        Cue("ds", "01", "Stacks", 0, place, 1000 * seconds * place, 1000 * seconds * (place + 1), text, lang)
        for place, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("lang", "shown", "said"),
    [
        ("zh", ["于是出现了射程表，", "于是出现了射程表，", "炮手可以查"], ["于是出现了射程表，", "炮手可以查"]),
        ("zh", ["排列成正确的顺序", "排列成正确的顺序 整理后", "整理后"], ["排列成正确的顺序", "整理后", "整理后"]),
        (
            "en",
            ["a stack is a list", "a stack is a list where the last goes first"],
            ["a stack is a list", "where the last goes first"],
        ),
        ("en", ["we push the plate on", "the plate on the pile"], ["we push the plate on", "the pile"]),
    ],
)
def test_what_rolling_captions_show_again_is_said_once(lang: Lang, shown: list[str], said: list[str]) -> None:
    assert [cue.text for cue in without_repeats(cues(*shown, lang=lang))] == said


@pytest.mark.parametrize(
    "said",
    [
        ["no, no.", "no, no. Not that."],
        ["it counts instances", "stances differ"],
        ["the heap is a tree", "the tree is a heap"],
    ],
)
def test_short_repeats_and_parts_of_words_stay(said: list[str]) -> None:
    assert [cue.text for cue in without_repeats(cues(*said))] == said


def test_times_are_those_of_the_cues_and_grow() -> None:
    found = lecture_sentences(
        cues("A stack is a list.", "The last one in", "is the first one out.", "Uh, so that is it."), "ds"
    )
    assert [one.text for one in found][:2] == ["A stack is a list.", "The last one in is the first one out."]
    assert [(one.start_ms, one.end_ms) for one in found][:2] == [(0, 5000), (5000, 15000)]
    assert all(one.start_ms <= other.start_ms for one, other in pairwise(found))
    assert [one.position for one in found] == list(range(len(found)))
    assert all(0.0 <= one.weight <= 1.0 for one in found)


def test_a_chapter_begins_where_the_words_change() -> None:
    stacks = ["The stack pushes plates and pops plates.", "Plates on a stack are pushed and popped."] * 12
    graphs = ["A graph joins vertices by edges.", "Edges of the graph connect two vertices."] * 12
    ends = [6_000 * (place + 1) for place in range(len(stacks) + len(graphs))]
    numbers = chapters([*stacks, *graphs], ends, "en")
    assert numbers == sorted(numbers)
    assert numbers[0] == 0
    changes = [place for place, (one, other) in enumerate(pairwise(numbers), 1) if one != other]
    assert changes, "one chapter for two topics"
    assert any(abs(place - len(stacks)) <= 4 for place in changes)


def test_a_lecture_that_says_nothing_has_no_sentence() -> None:
    assert lecture_sentences(cues("[Music]"), "ds") == []
    assert lecture_sentences([], "ds") == []
