"""What is quoted of a lecture begins where it is understood and ends behind what it announces."""

from dataclasses import replace

import pytest
from asked_rows import PLACE, spoken
from spoken_rows import one_lecture

from serving.assistant.composing.fragments import is_topic
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.quote_edges import complete_quotes, find_edges
from serving.assistant.composing.window import Window


def begin(*said: str, start: int = -1, key: int = -1) -> int:
    at = start % len(said)
    return find_edges(said, at, len(said), "en", key=key)[0]


@pytest.mark.parametrize(
    "said",
    [
        ("Soft means that it bends.", "Hard means that it does not."),
        ("k is the height of the step.", "w is the width."),
        ("Do two ranges that cross mean the same? No, not always.", "If they do not cross, then yes."),
        ("Does every bird sing?", "It does not.", "Robins and wrens do, and the owl calls."),
        ("This is called copying.", "Forging is with another name, please don't mix them up."),
        ("Rickets bends the bones.", "Scurvy on the other hand is bleeding."),
        ("单利的意思是只算本金。", "复利的意思是利上加利。"),
        ("甲很快。", "乙则很慢。"),
    ],
)
def test_a_sentence_that_needs_the_one_before_it_is_quoted_with_it(said: tuple[str, ...]) -> None:
    assert begin(*said) == 0


@pytest.mark.parametrize(
    "said",
    [
        ("The wall is high.", "A step is the way up."),
        ("A wall is a barrier.", "A step is a way up."),
        ("Bread is baked.", "If you want it dark, wait."),
        ("It rained.", "What robins do, wrens do better."),
        ("墙很高。", "面包是一种食物。"),
    ],
)
def test_one_that_is_understood_alone_is_quoted_alone(said: tuple[str, ...]) -> None:
    assert begin(*said) == len(said) - 1


def test_a_sentence_of_a_story_is_quoted_with_what_opens_the_story() -> None:
    story = ("That was that.", "Hill v Field, 1901.", "A wall is built.", "In 1905 the wall is down.")
    assert begin(*story) == 1
    assert begin(*story[:2], "The builder paid for it.") == 1
    assert begin(*story[:2], "The rule is that a wall belongs to both.") == 2
    assert begin("Ada Brook came to Leeds in nineteen twelve.", "She sold hats.") == 0
    assert begin("Calcium.", "There is much of it in bone.", "The rest keeps the heart beating.") == 0
    assert begin("Calcium.", "Calcium is a metal.", key=1) == 1


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Calcium.", True),
        ("Rule two.", True),
        ("The glycaemic index.", True),
        ("Nothing.", False),
        ("Second question.", False),
        ("The bone pays.", False),
        ("The neighbour won.", False),
        ("Not at all.", False),
        ("Strongly.", False),
        ("O of log n.", False),
        ("Go right.", False),
        ("Bread, butter.", False),
    ],
)
def test_a_topic_only_names_what_is_spoken_of_next(text: str, is_one: bool) -> None:
    assert is_topic(text) is is_one


@pytest.mark.parametrize(
    ("said", "stop", "end"),
    [
        (
            ("That is pressure.", "How do we test it?", "Judge Reed did so in Hill v Field.", "It leaves no choice."),
            3,
            4,
        ),
        (("That is pressure.", "How do we test it?", "It leaves no choice.", "Now the leaf."), 3, 3),
        (("It has three parts.", "One is the root.", "Another is the stem.", "Now the leaf."), 1, 3),
        (("He put it like this.", "A wall belongs to both.", "So neither may break it.", "Fences."), 1, 3),
        (("They were the same.", "The difference is salt: a little, and it keeps.", "Then the sea."), 1, 2),
        (("Both eat and move less.", "We call that a confounder.", "You may adjust."), 1, 2),
        (("A wall belongs to both.", "A hedge does so too.", "And a ditch."), 1, 1),
        (("两者一样。", "区别在于盐。", "再看海。"), 1, 2),
    ],
)
def test_a_quote_ends_behind_what_it_announces(said: tuple[str, ...], stop: int, end: int) -> None:
    assert find_edges(said, 0, stop, "en")[1] == end


def test_a_quote_is_completed_beyond_its_passage() -> None:
    said = ("Fine.", "Hill v Field, 1901.", "The builder paid.", "The neighbour won.", "How so?", "Hedges.")
    lecture = one_lecture(*said)
    piece = spoken(*((one, 0.9) for one in said[2:]))
    lines = tuple(replace(line, start_ms=2000 + (line.start_ms or 0)) for line in piece.lines[:4])
    entry = replace(piece.entry, locator=replace(PLACE, video_id=lecture.video_id))
    window = Window(replace(piece, entry=entry, lines=lines), 0, 4, 0, 1.0, 1.0, 1.0, True, True, key=1)
    (whole,) = complete_quotes([window], CourseLectures((lecture,)))
    assert whole.text == " ".join(said[1:4])
    assert whole.piece.lines[whole.key].text == said[3]
    assert complete_quotes([replace(window, is_announced=True)], CourseLectures((lecture,)))[0].text == window.text[:36]


def test_what_one_quote_is_completed_with_is_cut_from_the_next() -> None:
    said = ("Step one, weigh the flour.", "Step two, beat the eggs.", "Step three, stir.")
    said += ("The dough is soft.", "Wait an hour.", "Hard bread is old bread.")
    lecture = one_lecture(*said)
    piece = spoken(*((one, 0.9) for one in said))
    piece = replace(piece, entry=replace(piece.entry, locator=replace(PLACE, video_id=lecture.video_id)))
    second, first = (Window(piece, *at, 1.0, 1.0, 1.0, True, True, key=at[2]) for at in ((2, 6, 5), (0, 2, 0)))
    best, rest = complete_quotes([first, second], CourseLectures((lecture,)), whole_runs=True)
    assert (best.text, rest.text) == (" ".join(said[:5]), said[5])
    written = replace(piece, entry=replace(piece.entry, source="catalog", locator=None))
    records = [Window(written, 0, 4, 0, 1.0, 1.0, 1.0, True, True)] * 2
    assert complete_quotes(records, CourseLectures((lecture,)), whole_runs=True) == records
