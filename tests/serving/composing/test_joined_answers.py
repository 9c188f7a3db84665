"""Answers to several questions of one message, put together: nothing is said twice, and nothing is said and denied."""

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.joined_answers import join
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.question_kind import QuestionKind
from serving.index.evidence import Evidence

SAID = wording("en")
ABOUT = "Files that are broken up are fragmented. That comes of deleting them. On tape it is a lot of back and forth."
FIXED = "The computer copies the blocks around. **So defragmentation puts them in order.** Then they are read at once."


def quote(text: str, at: int = 1) -> ComposedStatement:
    return ComposedStatement(text, Evidence(at, str(at), "subtitle", "cs", "", ""))


def answer(*said: ComposedStatement, kind: QuestionKind = "other", note: str = "") -> Composed:
    return Composed(kind, "partial", said, note=note, score=0.5)


def deny(text: str) -> Composed:
    return Composed("other", "none", (ComposedStatement(text),), after=SAID.ask_ta)


def texts(joined: Composed) -> list[str]:
    return [one.text for one in joined.statements]


def test_questions_with_one_answer_stand_above_it_together() -> None:
    both = quote("Applications close on 15 March. Send transcripts to the registrar.")
    joined = join([("when is the deadline", answer(both)), ("where do I send my transcripts", answer(both))], "en")
    assert texts(joined) == ["**1. when is the deadline**", "**2. where do I send my transcripts**", both.text]
    assert [one.question for one in joined.parts] == ["when is the deadline", "where do I send my transcripts"]


def test_what_is_new_of_a_question_put_together_with_another_stands_before_what_is_only_near() -> None:
    near = ComposedStatement(SAID.nearby)
    first = answer(quote(ABOUT), near, quote("Disks are round.", 2))
    joined = join([("a", first), ("b", answer(quote(ABOUT), quote(FIXED, 3)))], "en")
    assert texts(joined) == ["**1. a**", "**2. b**", ABOUT, FIXED, SAID.nearby, "Disks are round."]


def test_an_answer_that_stands_above_only_as_near_is_said_again() -> None:
    first = answer(quote("A file is a list."), ComposedStatement(SAID.nearby), quote(FIXED, 2))
    assert texts(join([("a", first), ("b", answer(quote(FIXED, 2)))], "en"))[-2:] == ["**2. b**", FIXED]


def test_a_passage_begins_behind_the_sentences_that_stand_above() -> None:
    joined = join([("a", answer(quote(ABOUT))), ("b", answer(quote(f"{ABOUT} {FIXED}", 2)))], "en")
    assert texts(joined)[-1] == FIXED
    unmarked = f"{ABOUT} {FIXED}".replace("**", "")  # nothing tells which sentence it is shown for
    assert texts(join([("a", answer(quote(ABOUT))), ("b", answer(quote(unmarked, 2)))], "en"))[-1] == unmarked


def test_of_a_further_passage_that_stands_above_only_its_sentence_in_bold_is_left() -> None:
    second = answer(quote("Blocks have a place.", 3), quote(FIXED.replace(" Then they are read at once.", ""), 2))
    joined = join([("a", answer(quote(f"{ABOUT} {FIXED}"))), ("b", second)], "en")
    assert texts(joined)[-2:] == ["Blocks have a place.", "**So defragmentation puts them in order.**"]


def test_what_one_answer_says_that_there_is_nothing_of_is_not_told_of_by_the_next() -> None:
    unknown = answer(quote("Shellsort is h-sorting."), note=SAID.nothing_of_part.format(names="bucket sort"))
    other = answer(quote("Its running time is n log n.", 2), note=SAID.not_direct)
    joined = join([("how does bucket sort work", unknown), ("what is bucket sort's running time", other)], "en")
    assert texts(joined)[-1] == SAID.nothing_of.format(names="bucket sort")
    assert [one.coverage for one in joined.parts] == ["partial", "none"]
    told = answer(quote("Bucket sort takes linear time.", 2))
    joined = join([("how does bucket sort work", unknown), ("what is bucket sort's running time", told)], "en")
    assert texts(joined)[-1] == "Bucket sort takes linear time."


def test_no_question_that_leans_on_an_answered_one_is_told_that_there_is_nothing() -> None:
    answers = [("how do I find it", answer(quote(ABOUT))), ("how long does finding it take?", deny(SAID.nothing))]
    leaning = join(answers, "en", headings=["how do I find it", "how long does it take?"])
    assert texts(leaning)[-1] == SAID.nothing_beside
    assert texts(join(answers, "en"))[-1] == SAID.nothing


def test_a_question_for_effect_gives_way_to_the_why_behind_it() -> None:
    doubtful = answer(quote("Quicksort is fast."), kind="yes_no", note=SAID.not_direct)
    why = answer(quote("Heapsort is not stable.", 2), kind="why")
    answers = [("isn't heapsort the best then?", doubtful), ("why doesn't everybody use heapsort", why)]
    asked = ["isn't heapsort the best then?", "why doesn't everybody use it"]
    assert texts(join(answers, "en", headings=asked)) == [
        f"**1. {asked[0]}**",
        f"**2. {asked[1]}**",
        "Heapsort is not stable.",
    ]
    assert "Quicksort is fast." in texts(join(answers, "en"))
