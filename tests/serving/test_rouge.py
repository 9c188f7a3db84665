"""ROUGE of answers: the library's own figures on English, a character a token in Chinese."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from serving.evaluation.systems.rouge import Rouge, rouge, tokens

LIBRARY = RougeScorer(["rouge1", "rouge2", "rougeL"])
WORDS = st.lists(st.sampled_from("a stack queue is Not 2 the last_in first-out don't É x9".split())).map(" ".join)
NOT_CHINESE = st.text(st.characters(max_codepoint=0x2E7F))


def by_the_library(answer: str, reference: str) -> Rouge:
    found = LIBRARY.score(reference, answer)
    return Rouge(*(found[name].fmeasure for name in ("rouge1", "rouge2", "rougeL")))


@settings(max_examples=300, deadline=None)
@given(WORDS | NOT_CHINESE, WORDS | NOT_CHINESE)
def test_on_text_without_chinese_it_is_the_librarys(answer: str, reference: str) -> None:
    found, wanted = rouge(answer, reference), by_the_library(answer, reference)
    assert (found.r1, found.r2, found.rl) == pytest.approx((wanted.r1, wanted.r2, wanted.rl), abs=1e-9)


def test_words_keep_their_endings() -> None:
    assert rouge("stacks", "stack").r1 == 0


def test_a_chinese_character_is_a_token_and_other_words_stay_whole() -> None:
    assert tokens("栈（Stack）是LIFO表。") == ["栈", "stack", "是", "lifo", "表"]


def test_full_width_letters_and_digits_are_the_plain_ones() -> None:
    assert tokens("ＢＦＳ１０") == ["bfs10"]


def test_chinese_by_hand() -> None:
    # 先进后出 against 后进先出: all 4 characters, of 3 pairs none, and in order at most 2: 进出.
    assert rouge("先进后出", "后进先出") == Rouge(1.0, 0.0, 0.5)


@pytest.mark.parametrize(("answer", "reference"), [("", "a stack"), ("a stack", ""), ("", ""), ("？！", "栈")])
def test_nothing_said_or_nothing_wanted_is_zero(answer: str, reference: str) -> None:
    assert rouge(answer, reference) == Rouge(0.0, 0.0, 0.0)


@given(st.text(max_size=40), st.text(max_size=40))
@settings(deadline=None)
def test_any_two_texts_have_figures_between_zero_and_one(answer: str, reference: str) -> None:
    found = rouge(answer, reference)
    assert all(0 <= each <= 1 for each in (found.r1, found.r2, found.rl))


def test_measuring_closes_no_stream_that_stood_for_standard_error_when_it_was_imported() -> None:
    code = """
import io, logging, sys
kept, sys.stderr = sys.stderr, io.StringIO()
stood = sys.stderr
import serving.evaluation.systems.rouge
sys.stderr = kept
logging.shutdown()
sys.exit(stood.closed)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
