"""Which few sentences are shown first, by what is known of each beside its words."""

from dataclasses import replace

import pytest

from serving.assistant.composing.cues import NOT_ALL, is_of_another_number, wording_of
from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.terms import QuestionUnit
from serving.assistant.composing.window import (
    Window,
    join_neighbours,
    not_overlapping,
    with_announced_first,
    with_context,
)
from serving.assistant.composing.window_starts import (
    begin_before_other_reasons,
)
from serving.assistant.composing.windows import (
    BY_MEANING,
    BY_TOKENS,
    BY_WORDS,
    SAID_OF_IT,
    best_windows,
    weights_for,
)
from serving.assistant.understanding.aspects import find_aspects
from serving.assistant.understanding.question_kind import QuestionKind
from serving.index.schema import Entry, Locator

STACK = QuestionUnit("stack", (frozenset({"stack"}),), 1.0, "en:stack")
PLACE = Locator(video_id="v", start_ms=0, end_ms=60_000)


def spoken(entry_id: str, start_ms: int, text: str, *token_cosines: float) -> MaterialPiece:
    entry = Entry(entry_id, "passage", "subtitle", "ds", "en", "Stacks", text, locator=PLACE)
    return MaterialPiece(entry, (MaterialLine(text, start_ms, start_ms + 900, 0.6, token_cosines),), 1.0, 0.6)


NEAR = spoken("b", 9000, "A stack gives back what was put on it last.", 0.9, 0.8, 0.7)
FAR = spoken("a", 0, "A stack is what we draw on this slide today.", 0.9, 0.2, 0.1)


def test_of_two_sentences_alike_the_one_that_is_near_to_each_word_of_the_question_comes_first() -> None:
    found = best_windows([FAR, NEAR], [STACK], kind="why", most=2)
    assert [one.piece.entry.entry_id for one in found] == ["b", "a"]
    assert abs(found[0].facts[-1] - (0.9 + 0.8 + 0.7) / 3) < 1e-6


def test_a_window_is_as_near_to_a_word_as_the_nearest_of_its_sentences() -> None:
    second = replace(FAR.lines[0], text="It answers the last first.", token_cosines=(0.1, 0.6, 0.4), start_ms=900)
    (found,) = best_windows([replace(FAR, lines=(*FAR.lines, second))], [STACK], kind="why")
    assert abs(found.facts[-1] - (0.9 + 0.6 + 0.4) / 3) < 1e-6


def test_what_stands_under_a_title_of_what_is_asked_comes_before_a_mention_elsewhere() -> None:
    mentioned = replace(NEAR, entry=replace(NEAR.entry, title="Undo in editors"))
    taught = spoken("t", 0, "It gives back what was put on it last.", 0.8, 0.8, 0.65)
    (found,) = best_windows([mentioned, taught], [STACK], kind="why")
    assert found.piece.entry.entry_id == "t"


def test_where_tokens_are_not_compared_the_weights_are_those_without() -> None:
    plain = replace(FAR, lines=(replace(FAR.lines[0], token_cosines=()),))
    (found,) = best_windows([plain], [STACK], kind="why")
    assert found.facts[-1] == 0.0
    assert weights_for("en", found.facts) == BY_MEANING["en"]
    assert weights_for("en", (*found.facts[:-1], 0.5)) == BY_TOKENS["en"]
    assert weights_for("en", (*found.facts[:-3], 0.0, 0.0, 0.0)) == BY_WORDS
    assert len({len(each) for each in (*BY_MEANING.values(), *BY_TOKENS.values(), BY_WORDS, found.facts)}) == 1


def test_the_first_quote_of_a_lecture_is_read_with_what_stands_at_its_edges() -> None:
    said = ("Arrays are copied.", "A stack grows by doubling.", "So copying is rare.", "It is paid for.", *SAID[4:6])
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900) for at, text in enumerate(said))
    window = best_windows([replace(NEAR, lines=lines)], [STACK], kind="why")[0]
    window = replace(window, start=1, stop=2, anchor=1)
    assert with_context(window).text == " ".join(said[:5])
    ending = replace(window.piece, lines=(*lines[:3], replace(lines[3], text="今天就到这里，请大家完成课后的练习。")))
    assert with_context(replace(window, piece=ending)).text == " ".join(said[:3])
    leaning = replace(window.piece, lines=(replace(lines[0], text="And this is copied."), *lines[1:]))
    assert with_context(replace(window, piece=leaning)).text == " ".join(said[1:5])
    record = replace(window.piece, entry=replace(window.piece.entry, source="catalog"))
    assert with_context(replace(window, piece=record)).text == said[1]


SAID = (
    "Arrays are copied.",
    "A stack grows by doubling.",
    "So copying is rare.",
    "It is paid for.",
    "A break.",
    "Each push costs little.",
    "The rest is history.",
    "The other reason is.",
    "That caches like it.",
)


def quote(start: int, stop: int, entry_id: str = "b") -> Window:
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900) for at, text in enumerate(SAID))
    piece = replace(NEAR, entry=replace(NEAR.entry, entry_id=entry_id), lines=lines)
    return Window(piece, start, stop, start, 1.0, 1.0, 1.0, False, True)


def test_quotes_with_a_few_sentences_between_them_are_read_as_one() -> None:
    (whole,) = join_neighbours([quote(1, 2), quote(5, 6)])
    assert whole.text == " ".join(SAID[1:6])
    assert [one.text for one in join_neighbours([quote(0, 1), quote(5, 6)])] == [SAID[0], SAID[5]]
    assert [one.text for one in join_neighbours([quote(1, 2), quote(3, 4, "other")])] == [SAID[1], SAID[3]]


def test_what_stands_before_the_best_quote_is_not_put_in_front_of_it() -> None:
    assert [one.text for one in join_neighbours([quote(3, 4), quote(1, 2)])] == [SAID[3], SAID[1]]


def test_a_quote_does_not_end_where_its_last_sentence_breaks_off() -> None:
    (reason,) = join_neighbours([quote(6, 8)])
    assert reason.text == " ".join(SAID[6:9])
    (whole,) = join_neighbours([quote(5, 7)])
    assert whole.text == " ".join(SAID[5:7])


@pytest.mark.parametrize("before", ["Dennis Ritchie 曾说过。", "Van Vleck 回忆说。", "As Dijkstra once wrote."])
def test_a_quote_does_not_end_where_somebody_is_about_to_be_quoted(before: str) -> None:
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900) for at, text in enumerate((before, "Simple is good.")))
    window = quote(0, 1)
    (said,) = join_neighbours([replace(window, piece=replace(window.piece, lines=lines))])
    assert said.text == f"{before} Simple is good."


BEFORE = MaterialLine("A stack may be an array.", 0, 900)
LEANING = ("For this purpose it doubles.", "A stack grows by doubling.", "Copying is rare.")


def piece_read_back(*texts: str) -> MaterialPiece:
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900) for at, text in enumerate(texts, 1))
    return replace(NEAR, lines=lines, before=(BEFORE,))


def test_a_quote_that_begins_with_its_passage_begins_with_what_that_leans_on() -> None:
    window = Window(piece_read_back(*LEANING), 0, 2, 1, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
    assert window.text == " ".join([BEFORE.text, *LEANING[:2]])
    assert replace(window, start=1).text == LEANING[1]
    answering = replace(window, piece=piece_read_back("And one trick: a stack doubles.", *LEANING), key=0)
    assert answering.text == "And one trick: a stack doubles. For this purpose it doubles."


def test_what_another_quote_shows_is_not_read_back_to() -> None:
    window = Window(piece_read_back(*LEANING), 0, 3, 1, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
    other = replace(
        window, piece=replace(FAR, lines=(BEFORE, replace(BEFORE, text="Lists have many more links."))), stop=2
    )
    shown = not_overlapping([window, other], 2)
    assert [one.text for one in shown] == [" ".join(LEANING), f"{BEFORE.text} Lists have many more links."]


def test_a_sentence_that_says_all_that_is_asked_is_read_without_the_one_that_it_goes_on_from() -> None:
    texts = ("Queues serve players.", "And one trick: a stack is a pile without a bottom that everybody likes.")
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900, at * 0.9) for at, text in enumerate(texts))
    piece = replace(NEAR, lines=lines)
    assert best_windows([piece], [STACK], kind="definition")[0].text == texts[1]
    assert best_windows([piece], [STACK], kind="list")[0].text == " ".join(texts)


def test_the_reasons_that_are_announced_stand_before_the_last_one() -> None:
    announced = Window(
        spoken("a", 0, "It is rare for two reasons."), 0, 1, 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True
    )
    last = replace(announced, piece=spoken("b", 9000, "The other is that it is slow."), score=1.1)
    assert with_announced_first([last, announced]) == [announced, last]
    far = replace(announced, piece=spoken("b", 99_000, "The other is that it is slow."), score=1.1)
    assert with_announced_first([far, announced]) == [far, announced]
    plain = replace(announced, piece=spoken("a", 0, "It is rare."))
    assert with_announced_first([last, plain]) == [last, plain]
    assert with_announced_first([last]) == [last]


def test_the_reply_to_the_very_question_is_marked_though_something_stands_between() -> None:
    texts = (
        ("A stack is moved down, and swapped with the smaller one of its children.", 0.6),
        ("Why is a stack swapped with the smaller one?", 0.95),
        ("Good question.", 0.0),
        ("Because the one that moves up becomes the parent of the other one.", 0.8),
        ("Then it is over.", 0.0),
    )
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900, near) for at, (text, near) in enumerate(texts))
    (window,) = best_windows([replace(NEAR, lines=lines)], [STACK], kind="why")
    assert f"**{texts[3][0]}**" in window.statement.text
    assert texts[1][0] in window.statement.text


def best_of(question: str, *texts: str, kind: QuestionKind = "other", near: float = 0.9) -> Window:
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900, near) for at, text in enumerate(texts))
    return best_windows([replace(NEAR, lines=lines)], [STACK], kind=kind, asked=question)[0]


@pytest.mark.parametrize(
    ("heading", "begins"), [("Refill.", "Refill."), ("So.", "Keep the shelf level, refilled or not.")], ids=str
)
def test_a_heading_of_nothing_but_what_is_asked_begins_how_it_is_done(heading: str, begins: str) -> None:
    refill = QuestionUnit("refilling", (frozenset({"refil"}),), 0.5)
    level = QuestionUnit("level", (frozenset({"level"}),), 0.7)
    asked = "How does a stack stay level after refilling?"
    said = [("Keep the shelf level, refilled or not.", 0.9), (heading, 0.5), ("Put one on top, and press.", 0.6)]
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900, near) for at, (text, near) in enumerate(said))
    piece = replace(NEAR, entry=replace(NEAR.entry, title="Stack"), lines=lines)
    found = best_windows([piece], [STACK, refill, level], kind="how", asked=asked)[0]
    assert found.lines[0].text == begins


@pytest.mark.parametrize(
    ("following", "is_marked"),
    [("That doesn't help a stack at all.", False), ("It is fast for a stack of plates.", True)],
)
def test_what_the_next_sentence_takes_back_is_not_marked(following: str, is_marked: bool) -> None:
    said = "A stack grows by doubling and gives back all of its memory."
    window = best_of("how does a stack grow", said, following, "It is rare.")
    assert (f"**{said}**" in window.statement.text) is is_marked


@pytest.mark.parametrize(
    "said",
    [
        "The Daily Post wrote that a stack cannot grow at all in an empty room.",
        "Many people think a stack cannot grow at all in an empty room.",
        "We used to say a stack cannot grow at all in an empty room.",
        "Everybody tells you a stack cannot grow at all in an empty room.",
    ],
)
def test_what_others_held_is_not_marked(said: str) -> None:
    assert f"**{said}**" not in best_of("does a stack grow", said, "It is rare.", "It is old.").statement.text


def test_what_is_said_of_another_thing_than_the_question_begins_with_is_not_marked() -> None:
    weight, moon = (QuestionUnit(one, (frozenset({one}),), 1.0) for one in ("weight", "moon"))
    for said, is_marked in (
        ("The mass of it is the same here and up there on the moon.", False),
        ("The weight of it is another one up there on the moon.", True),
    ):
        lines = (MaterialLine(said, 0, 900, 0.95), MaterialLine("It is old.", 1000, 1900, 0.1))
        piece = replace(NEAR, lines=lines)
        found = best_windows([piece], [weight, moon], kind="yes_no", asked="is weight the same on the moon")
        assert found[0].marked is is_marked


def test_a_condition_whose_end_captions_cut_off_is_not_marked() -> None:
    said = "And so if the stack is much too small give me a lot more of them."
    assert f"**{said}**" not in best_of("does a stack grow", said, "It is rare.", "It is old.").statement.text


def test_a_sentence_that_has_nothing_of_what_is_doubted_is_not_marked() -> None:
    stable = QuestionUnit("stable", (frozenset({"stabl"}),), 1.0)
    said = "A stack works in place, and it is often a good deal faster."
    lines = tuple(
        MaterialLine(text, 1000 * at, 1000 * at + 900, 0.9) for at, text in enumerate((said, "It is old.", "It is."))
    )
    piece = replace(NEAR, lines=lines)
    assert not best_windows([piece], [STACK, stable], kind="yes_no", asked="is a stack stable")[0].marked
    assert best_windows([piece], [STACK, stable], kind="why", asked="why is a stack stable")[0].marked


def test_of_numbered_things_another_one_is_no_answer() -> None:
    asked = "why do we keep stack 0?"
    assert is_of_another_number(asked, "Stack 5 is kept because it is small.")
    assert not is_of_another_number(asked, "Stack zero is kept because it is small.")
    assert not is_of_another_number("why are there 2 stacks", "There are 3 stacks.")
    first, second = "Stack 5 is kept because it is the last.", "Stack 0 is kept because it is the first."
    pieces = [spoken("a", 0, first), spoken("b", 9000, second)]
    assert best_windows(pieces, [STACK], kind="why", asked=asked)[0].text == second


def test_an_exception_comes_first_where_something_is_asked_of_all() -> None:
    every, exception = "Every plate of a stack is clean.", "A stack doesn't have to be clean."
    pieces = [spoken("a", 0, every), spoken("b", 9000, exception)]
    (found,) = best_windows(pieces, [STACK], kind="yes_no", asked="does every stack have clean plates")
    assert found.text == exception
    assert NOT_ALL.search("并非所有的栈都是空的") is not None


def test_an_aspect_that_is_claimed_is_told_by_the_sentence_that_has_it_of_the_thing() -> None:
    aspects = find_aspects("a stack is empty on average, right?")
    pieces = [spoken("a", 0, "A stack is empty at the start."), spoken("b", 9000, "A stack has ten on average.")]
    found = best_windows(pieces, [STACK], kind="yes_no", aspects=aspects, most=2)
    assert found[0].text == "A stack has ten on average."
    assert found[0].score - found[1].score > SAID_OF_IT


def test_a_quote_does_not_end_on_a_plus_sign() -> None:
    lines = tuple(
        MaterialLine(text, 1000 * at, 1000 * at + 900, 0.5) for at, text in enumerate(("栈有一个数组+。", "一个指针。"))
    )
    window = replace(best_of("栈", "栈有一个数组+。"), piece=replace(NEAR, lines=lines), start=0, stop=1, anchor=0)
    assert join_neighbours([window])[0].stop == len(lines)


def test_what_begins_with_these_problems_leans_on_what_is_said_before() -> None:
    assert wording_of("只用两种状态，可以减少这类问题。")[0]
    assert not wording_of("只用两种状态，可以减少问题。")[0]


def test_another_reason_is_quoted_with_the_first_one() -> None:
    texts = ("Some stacks had three.", "These are hard to tell apart.", "Another reason for a stack is its algebra.")
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900, 0.9) for at, text in enumerate(texts))
    piece = replace(NEAR, lines=lines)
    assert begin_before_other_reasons(piece, 2) == 0
    assert begin_before_other_reasons(piece, 1) == 1
    assert begin_before_other_reasons(replace(piece, lines=(replace(lines[0], text="x" * 600), *lines[1:])), 2) == 1
    found = best_windows([piece], [STACK, QuestionUnit("algebra", (frozenset({"algebra"}),), 3.0)], kind="why")
    assert found[0].text.startswith(texts[0])


def test_what_nobody_claims_begins_no_answer_to_what_something_is() -> None:
    said = "A stack is a heap of plates and of nothing else. That's too simple."
    texts = ((said, 0.9), ("Plates are old.", 0.5), ("A stack gives back the last thing put on it.", 0.8))
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900, near) for at, (text, near) in enumerate(texts))
    found = best_windows([replace(NEAR, lines=lines)], [STACK], kind="definition", asked="what is a stack")
    assert found[0].lines[0].text != said


def test_nothing_is_marked_beside_a_nearer_sentence_that_is_taken_back() -> None:
    grow = QuestionUnit("grow", (frozenset({"grow"}),), 1.0)
    lead = "Where there are many stacks, there is a good deal of rain in summer."
    for behind, is_marked in (("The stack makes them grow. Or not?", False), ("The stack is old. Or not?", True)):
        said = ((lead, 0.95), (behind, 0.9), ("It is rare.", 0.1))
        lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900, near) for at, (text, near) in enumerate(said))
        found = best_windows([replace(NEAR, lines=lines)], [STACK, grow], kind="other", asked="do stacks grow")
        assert found[0].marked is is_marked
