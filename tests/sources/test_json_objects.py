"""JSON objects out of a stream: laid out in any way, broken anywhere, longer than the window that is read."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.sources import json_objects as module
from knowledge_graph.sources.json_objects import json_objects

texts = st.text(st.sampled_from('a树{}[]",\\ \n\u2028'), max_size=8)
objects = st.lists(
    st.dictionaries(
        texts, texts | st.none() | st.booleans() | st.lists(texts | st.lists(texts), max_size=3), max_size=3
    ),
    max_size=5,
)


def fields(text: str) -> list[object]:
    return [dict(found.fields) for found in json_objects(io.StringIO(text)) if not found.defect]


def lines(text: str) -> list[tuple[int, bool]]:
    return [(found.line, found.defect is None) for found in json_objects(io.StringIO(text))]


@given(objects, st.sampled_from(["lines", "list", "laid out", "list of lines"]), st.integers(1, 40))
def test_objects_are_read_however_they_are_laid_out_and_cut_into_chunks(
    rows: list[dict[str, object]], layout: str, chunk: int
) -> None:
    each = [json.dumps(row, ensure_ascii=len(rows) % 2 == 0) for row in rows]
    text = {
        "lines": "\n".join(each),
        "list": json.dumps(rows),
        "laid out": json.dumps(rows, indent=2),
        "list of lines": "[" + ",\n".join(each) + "]\n",
    }[layout]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK", chunk)
        assert fields(text) == rows


@given(st.text('{}[]",:\\ \nab1.-eE\ufeff', max_size=120), st.integers(1, 40))
def test_no_text_makes_it_raise_and_chunks_make_no_difference(text: str, chunk: int) -> None:
    whole = list(json_objects(io.StringIO(text)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK", chunk)
        assert [(found.line, found.fields) for found in json_objects(io.StringIO(text))] == [
            (found.line, found.fields) for found in whole
        ]


def test_a_broken_line_is_one_defect_and_the_next_lines_are_read() -> None:
    text = '{"a": "1"}\n{"a": ["2",\n{"a": "3"}\n{"a": "4\n{"a": "5"}\n{"a": "6"'
    assert lines(text) == [(1, True), (2, False), (3, True), (4, False), (5, True), (6, False)]
    assert fields(text) == [{"a": "1"}, {"a": "3"}, {"a": "5"}]


def test_what_is_no_object_is_told_with_its_beginning() -> None:
    (found,) = json_objects(io.StringIO("<!DOCTYPE html>\n<p>Sign in</p>\n"))
    assert (found.line, found.defect) == (
        1,
        "Not a JSON object: expected '{'; it begins '<!DOCTYPE html> <p>Sign in</p>'.",
    )


def test_nesting_and_numbers_without_end_are_no_danger() -> None:
    text = '{"a": ' + "[" * 100_000 + '\n{"n": ' + "9" * 5_000 + ', "x": 1e999}\n'
    assert lines(text) == [(1, False), (2, True)]


def test_an_object_over_the_limit_is_passed_over_and_reading_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHUNK", 16)
    monkeypatch.setattr(module, "LARGEST_OBJECT", 100)
    text = '{"a": "1"}\n{"a": "' + "x" * 500 + '"}\n{"a": "3"}\n'
    assert lines(text) == [(1, True), (2, False), (3, True)]
    assert "more than 100 characters" in str([found.defect for found in json_objects(io.StringIO(text))][1])
