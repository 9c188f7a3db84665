"""`SupportMarker`: tokens pass at once, unsupported sentences get a mark, nothing else changes."""

import pytest
from grounding_rows import evidence
from hypothesis import given
from hypothesis import strategies as st

from serving.assistant.grounding.marking import SupportMarker

MARK = "⚠"
SOURCE = evidence("Quicksort was invented in 1959 by Tony Hoare. 哈希表有16个槽。")
ROWS = [
    ("It was invented in 1959. Then it spread.", "It was invented in 1959. Then it spread."),
    ("It was invented in 1972. Then it spread.", "It was invented in 1972.⚠ Then it spread."),
    ("By Tony Hoare. It came from Ada Lovelace", "By Tony Hoare. It came from Ada Lovelace⚠"),
    ("它有16个槽。它有32个槽。完。", "它有16个槽。它有32个槽。⚠完。"),
    ("- in 1959\n- in 1972\n- end", "- in 1959\n- in 1972⚠\n- end"),
    ("```\nx = 1972\n```\nDone.", "```\nx = 1972\n```\nDone."),
    ("Asked was 2031.", "Asked was 2031."),
    ("", ""),
]


def passed(chunks: list[str]) -> str:
    marker = SupportMarker(SOURCE, "What happened in 2031?", MARK)
    return "".join(map(marker.feed, chunks)) + marker.flush()


@pytest.mark.parametrize(("text", "shown"), ROWS)
def test_a_sentence_with_facts_in_no_evidence_is_marked(text: str, shown: str) -> None:
    assert passed([text]) == shown


@pytest.mark.parametrize(("text", "shown"), ROWS)
def test_it_does_not_matter_how_the_text_is_cut_into_tokens(text: str, shown: str) -> None:
    assert passed(list(text)) == shown


def test_every_token_is_let_through_at_once() -> None:
    marker = SupportMarker(SOURCE, "", MARK)
    for token in ("It ", "was ", "in ", "1972"):
        assert marker.feed(token) == token


PIECES = st.sampled_from(
    ["1972", "Ada Lovelace", ". ", "。", "\n", "?", " ", "16个槽", "```", "the", "”", "T.", "!!", "😀", "\x00"]
)


@given(st.lists(PIECES | st.text(max_size=5), max_size=40))
def test_without_its_marks_the_text_is_what_went_in(chunks: list[str]) -> None:
    chunks = [chunk.replace(MARK, "") for chunk in chunks]
    assert passed(chunks).replace(MARK, "") == "".join(chunks)
