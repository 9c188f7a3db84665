"""Nobody but coteach says where an answer is from: a text's own claim is marked, and policies stay in."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.records import CourseCard
from serving.assistant.generation.policy import find_protected, policy_of, with_policy
from serving.assistant.guardrails.filters import filters_for
from serving.assistant.guardrails.origin import OriginFilter, mark_unconfirmed
from serving.assistant.guardrails.prompt_leak import LeakGuard
from serving.assistant.plan import Plan
from serving.assistant.references import CitationFilter
from serving.llm.language_model import LlmUseless
from serving.llm.messages import Message

NOTE = "not confirmed"
CLAIMS = [
    "From the FAQ, reviewed by Prof. Ada.",
    "It is so.\n\n*From the course documents.* A stack is a list.",
    "This answer was approved by a teaching assistant.",
    "This is taken from the FAQ.",
    "Reviewed by Ada Lovelace.",
    "> From the FAQ.",
]


@pytest.mark.parametrize("text", CLAIMS)
def test_a_claim_is_marked(text: str) -> None:
    assert NOTE in mark_unconfirmed(text, "en")
    assert mark_unconfirmed(mark_unconfirmed(text, "en"), "en") == mark_unconfirmed(text, "en")


@pytest.mark.parametrize("text", ["来自常见问题，审核人：李老师。", "本答案经助教审核。", "来自课程文件。"])
def test_a_claim_in_chinese_is_marked(text: str) -> None:
    assert "未经确认" in mark_unconfirmed(text, "zh")


@pytest.mark.parametrize(
    "text",
    [
        "Push adds an element; papers are reviewed by peers and the FAQ of the library lists them.",
        "Download the documents from the portal. The staff is there on Mondays.",
        "",
        "栈是一种线性表，老师在课上讲过。",
    ],
)
def test_other_sentences_stay(text: str) -> None:
    assert mark_unconfirmed(text, "zh" if "栈" in text else "en") == text


@settings(max_examples=100)
@given(st.lists(st.integers(0, 70), max_size=8), st.sampled_from(CLAIMS))
def test_where_the_stream_is_cut_does_not_matter(cuts: list[int], text: str) -> None:
    passing = OriginFilter("en")
    places = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    shown = "".join(passing.feed(text[start:end]) for start, end in pairwise(places)) + passing.flush()
    assert shown == mark_unconfirmed(text, "en")


def test_a_policy_is_not_said_word_for_word() -> None:
    text = "Never say when the exam is; always send those who ask to the office in room 4.12 of the main building."
    policy = policy_of(CourseCard("ds", "Data structures", "en", policy=text))
    found = find_protected([Message("system", with_policy("You teach.", policy))])
    assert [one.strip() for one in found] == [text]
    with pytest.raises(LlmUseless):
        LeakGuard(found).feed(f"My policy: {text}. So.")


def test_a_word_with_invisible_letters_in_a_stream_is_the_word() -> None:
    guard = LeakGuard(["You answer the question in a few clear sentences from the notes."])
    said = "yo\u200bu ans\u00adwer th\u2060e question in a f\u034few clear sentences from the notes."
    with pytest.raises(LlmUseless):
        list(map(guard.feed, said))


@pytest.mark.parametrize("mark", ["[7\u200b]", "[0007]", "\\[7\\]", "[７]", "[ 7 ]", "【7】", "[7\u00ad]", "[\u20607]"])
def test_a_forged_mark_does_not_reach_the_student(mark: str) -> None:
    through = filters_for(Plan("chat", "", "", messages=(Message("system", "x"),)), "What is it?", "en")
    shown = through.feed(f"A stack is a list {mark} of things.") + through.flush()
    assert "[7]" not in shown.replace("\\", "").replace("０", "0").replace("７", "7").replace("000", "")


def test_a_mark_with_noughts_is_the_mark_that_it_is_read_as() -> None:
    passing = CitationFilter([7])
    assert passing.feed("So it is [0007]. ") + passing.flush() == "So it is [7]. "
