"""What a record from outside the course answers, and what it only speaks of."""

from types import SimpleNamespace

import course_rows as rows
import pytest
from asked_rows import asking

from serving.assistant.composing.recorded import compose_recorded
from serving.assistant.composing.terms import QuestionUnit
from serving.index.analysis import terms


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("A skip list has express lanes. To insert a key into a skip list, a coin is flipped for each lane.", True),
        ("A skip list has express lanes. Because of these, search takes log n, and to insert a key as long.", False),
    ],
)
def test_where_no_sentence_speaks_of_all_that_is_asked_a_record_is_doubted(text: str, *, is_told: bool) -> None:
    units = [QuestionUnit(label, (frozenset(terms(label)),), 1.0) for label in ("skip", "list", "insert", "key")]
    record = SimpleNamespace(entry=rows.entry(rows.pair("s1", "search", "Skip list", text)))
    asked = asking("how do I insert a key into a skip list", *units, kind="other", stored=(record,), spoken="en")
    found = compose_recorded(asked)
    assert found is not None
    assert found.note.startswith("From a web search result") is is_told
    assert found.note.startswith("I am not sure that this answers your question.") is not is_told
