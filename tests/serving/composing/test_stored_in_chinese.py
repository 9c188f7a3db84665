"""Chinese questions reach FAQ entries that say the same in other characters; despair reaches a person, and a video that
is stuck the FAQ."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from serving.assistant.composing import stored
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.request import Request
from serving.assistant.composing.stored_match import StoredMatch, is_answer, is_near, match_stored
from serving.assistant.composing.terms import unit_of
from serving.assistant.composing.wording import wording
from serving.assistant.retrieval.candidates import PairCandidate
from serving.index.schema import Entry
from serving.index.search import SearchIndex


def entry_of(index: SearchIndex, entry_id: str) -> Entry:
    return index.entries("qa", [entry_id])[0]


def match(entry: Entry, cosine: float, lead: float, *, by_meaning: bool = True) -> StoredMatch:
    """An entry found by meaning for a question that shares no character with it."""
    candidate = PairCandidate(entry, 0.4, 0.0, {"cosine": cosine})
    return match_stored(candidate, (), "ddl几时", lambda term: 1.0, lead=lead, by_meaning=by_meaning)


@pytest.mark.parametrize(
    ("cosine", "lead", "sure", "near"),
    [
        (0.65, 0.39, True, True),
        (0.56, 0.15, False, True),
        (0.44, 0.17, False, True),
        (0.4, 0.06, False, False),
        (0.33, 0.02, False, False),
    ],
)
def test_in_chinese_meaning_and_its_lead_tell(
    index: SearchIndex, cosine: float, lead: float, sure: bool, near: bool
) -> None:
    found = match(entry_of(index, "z2"), cosine, lead)
    assert (is_answer(found), is_near(found)) == (sure, near)


def test_where_meaning_does_not_tell_chinese_words_do(index: SearchIndex) -> None:
    found = match(entry_of(index, "z2"), 0.9, 0.3, by_meaning=False)
    assert found.is_by_words
    assert not is_answer(found)


def test_in_english_all_facts_tell(index: SearchIndex) -> None:
    found = match(entry_of(index, "f1"), 0.9, 0.3, by_meaning=False)
    assert not found.is_by_words
    assert found.score != match(entry_of(index, "f1"), 0.2, 0.3, by_meaning=False).score


def test_an_entry_that_stands_out_and_speaks_of_less_than_half_is_not_sure(index: SearchIndex) -> None:
    candidate = PairCandidate(entry_of(index, "z2"), 0.4, 0.0, {"cosine": 0.65})
    units = (unit_of("线索二叉树", lambda term: 1.0),)
    found = match_stored(candidate, units, "线索二叉树是什么", lambda term: 1.0, lead=0.39, by_meaning=True)
    assert (is_answer(found), is_near(found)) == (False, True)


@pytest.mark.parametrize(("cosine", "is_shown"), [(0.8, True), (0.6, False)])
def test_an_entry_that_means_nearly_the_same_stands_behind_an_answer_of_another_kind(
    index: SearchIndex, monkeypatch: pytest.MonkeyPatch, cosine: float, is_shown: bool
) -> None:
    monkeypatch.setattr(stored, "find_stored_matches", lambda request: [match(entry_of(index, "z2"), cosine, 0.1)])
    request = cast(Request, SimpleNamespace(kind="how", spoken="zh", units=()))
    found = Composed("how", "partial", (ComposedStatement("先入队。"),))
    shown = stored.with_related(found, request).statements[1:]
    assert [entry_of(index, "z2").title in one.text for one in shown] == ([True] if is_shown else [])
    assert stored.with_related(replace(found, coverage="full"), request).statements == found.statements


def test_an_entry_whose_question_names_a_thing_of_which_the_lectures_hardly_speak_leads(
    index: SearchIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = replace(entry_of(index, "z2"), title="程序报栈溢出是什么原因？")
    monkeypatch.setattr(stored, "find_stored_matches", lambda request: [match(entry, 0.4, 0.0)])
    request = cast(Request, SimpleNamespace(kind="how", spoken="zh", units=()))
    found = stored.compose_naming(request, "栈溢出")
    assert found is not None
    assert (found.coverage, found.note) == ("partial", wording("zh").faq_noted)
    assert entry.title in found.statements[0].text
    assert stored.compose_naming(request, "死锁") is None
