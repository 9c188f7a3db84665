"""Quotation marks in what the model writes: kept around the words of the evidence, dropped around anything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.assistant.grounding.quote_filter import LONGEST_QUOTE, QuoteFilter
from serving.assistant.grounding.quotes import quotes, verify_quotes
from serving.index.evidence import Evidence

EVIDENCE = [
    Evidence(1, "a", "faq", "ds", "Late days", "You have four late days. Nobody has “more” of them."),
    Evidence(2, "b", "concept", "ds", "栈", "栈是后进先出的线性表。"),
]


def filtered(*pieces: str, question: str = "How many late days?") -> str:
    one = QuoteFilter(EVIDENCE, question)
    return "".join([*(one.feed(piece) for piece in pieces), one.flush()])


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('It says "four late days" there.', 'It says "four late days" there.'),
        ('It says "five late days" there.', "It says five late days there."),
        ("It says “You have four late days.”", "It says “You have four late days.”"),
        ("It says “You have none.”", "It says You have none."),
        ("资料说「栈是后进先出的线性表」。", "资料说「栈是后进先出的线性表」。"),
        ("资料说「栈是先进先出的」。", "资料说栈是先进先出的。"),
        ('You asked "how many late days".', 'You asked "how many late days".'),
        ('Write `print("hello")` first.', 'Write `print("hello")` first.'),
        ('Code:\n```\nprint("hello")\n```\nIt says "five".', 'Code:\n```\nprint("hello")\n```\nIt says five.'),
        ('An open `tick and "a lie" after it', "An open `tick and a lie after it"),
        ('Two ``ticks and "a lie"', "Two ``ticks and a lie"),
        ('A screen of 15" is enough.', 'A screen of 15" is enough.'),
        ('It is "never closed\nand goes on', "It is never closed\nand goes on"),
        ('An open "end', "An open end"),
        ("nothing quoted", "nothing quoted"),
    ],
)
def test_only_what_the_evidence_or_the_student_said_stays_quoted(written: str, shown: str) -> None:
    assert filtered(written) == shown


def test_an_endless_quote_is_not_held_back_for_ever() -> None:
    one = QuoteFilter(EVIDENCE, "")
    assert len(one.feed('"' + "x" * (LONGEST_QUOTE + 10))) > LONGEST_QUOTE


@given(st.text(alphabet='ab "“”「」`\n四late', max_size=60), st.lists(st.integers(1, 5), max_size=30))
def test_the_pieces_in_which_a_text_comes_make_no_difference(text: str, sizes: list[int]) -> None:
    pieces, at = [], 0
    for size in sizes:
        pieces.append(text[at : at + size])
        at += size
    assert filtered(*pieces, text[at:]) == filtered(text)


@given(st.lists(st.sampled_from(["four late days", "栈是后进先出", "I made this up", "谁也没说过"]), max_size=4))
def test_no_quote_that_is_left_is_invented(said: list[str]) -> None:
    text = filtered(" ".join(f"so “{each}” it is" for each in said), question="")
    assert all(one.is_found for one in verify_quotes(text, EVIDENCE))
    assert len(quotes(text)) == sum(each in ("four late days", "栈是后进先出") for each in said)
