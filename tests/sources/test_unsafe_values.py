"""Values that a browser would run are told where they stand, and no such address is kept."""

import json
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import PurePath
from typing import Any

import pytest
from course_files import WriteCourse

from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import CourseCard
from knowledge_graph.lake.source_kinds import INPUT_KINDS
from knowledge_graph.sources.catalog.reading import read_catalog
from knowledge_graph.sources.course import read_course_card
from knowledge_graph.sources.documents import read_documents
from knowledge_graph.sources.faq import read_faq
from knowledge_graph.sources.fields import ProblemLog, control_characters, texts_of
from knowledge_graph.sources.folders import CourseFolder, find_left_out, kind_of
from knowledge_graph.sources.gold import read_gold
from knowledge_graph.sources.graded_items import read_graded_items
from knowledge_graph.sources.informal_reviews import read_informal_reviews
from knowledge_graph.sources.own_expectations import read_own_expectations
from knowledge_graph.sources.schedule import read_schedule
from knowledge_graph.sources.scholar import read_scholar_records
from knowledge_graph.sources.snippets import read_snippets
from knowledge_graph.sources.statements import read_statements
from knowledge_graph.sources.subtitles import read_subtitles
from knowledge_graph.sources.videos import title_of
from knowledge_graph.sources.web.json_fields import address_in, text_in

FIELDS = {"answer": ("answer",), "url": ("url", "link")}


def read(row: dict[str, object]) -> tuple[dict[str, str | None], list[str]]:
    told = ProblemLog("faq.csv")
    return texts_of(row, FIELDS, 7, told), [str(problem) for problem in told.problems]


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", " JavaScript:alert(1)", "data:text/html,x", "file:///etc/x"]
)
def test_an_address_that_is_none_of_the_web_is_left_out_and_told(address: str) -> None:
    found, told = read({"answer": "Yes.", "link": address})
    assert found == {"answer": "Yes.", "url": None}
    assert len(told) == 1
    assert told[0].startswith("faq.csv:7: 'url' is no address of the web but ")


@pytest.mark.parametrize("address", ["https://x.example/a", "HTTP://x.example", "x.example/a", "//x.example", "a b: c"])
def test_other_addresses_stay_as_they_are(address: str) -> None:
    assert read({"url": address}) == ({"answer": None, "url": address}, [])


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ("A <img src=x onerror=alert(1)> stack.", "onerror"),
        ("<svg/onload=alert(1)>", "onload"),
        ("<a href='x'ONCLICK = 'f()'>here</a>", "onclick"),
        ("<object data=x></object><IFRAME>", "iframe, object"),
        ("See [here]( JavaScript:alert(1)).", "javascript:"),
        ("<a href='vbscript:f()'>here</a>", "vbscript:"),
    ],
)
def test_what_a_browser_runs_is_told_by_its_name(answer: str, named: str) -> None:
    found, told = read({"answer": answer})
    assert found["answer"] == answer
    assert told == [
        f"faq.csv:7: 'answer' holds markup that browsers run ({named}); it is shown as text. "
        "Remove it, unless it is what is taught."
    ]


@pytest.mark.parametrize(
    ("answer", "named"),
    [('=HYPERLINK("http://x.example","here")', "HYPERLINK"), ("=cmd|'/C calc'!A0", "cmd"), (" @SUM(A1:A9)", "SUM")],
)
def test_a_formula_of_a_spreadsheet_is_told_and_shown_as_text(answer: str, named: str) -> None:
    found, told = read({"answer": answer})
    assert found["answer"] == answer.strip()
    assert told == [
        f"faq.csv:7: 'answer' is a spreadsheet's formula ({named}); it is shown as text. "
        "Write what it comes to, unless it is what is taught."
    ]


@pytest.mark.parametrize("answer", ["= O(n)", "=5", "=f(x)", "@ann answers", "- LOG(n)", "a =SUM(b)", "=|x|"])
def test_a_sum_is_no_formula_of_a_spreadsheet(answer: str) -> None:
    assert read({"answer": answer})[1] == []


def test_a_caption_with_what_is_no_text_is_told_at_its_cue_and_neutral(write_course: WriteCourse) -> None:
    times = ("00:00:01,000 --> 00:00:03,000", "00:00:03,000 --> 00:00:05,000")
    text = f"1\n{times[0]}\nA st\x00ack\x07 is a list.\n\n2\n{times[1]}\n<script>f()</script> is shown.\n"
    folder = write_course({"01.srt": text})
    found = read_subtitles(folder, read_course_card(folder)[0])
    assert [cue.text for cue in found.cues] == ["A stack is a list.", "<script>f()</script> is shown."]
    assert [str(problem).split(" Remove")[0] for problem in found.problems] == [
        "01.srt:2: The cue holds control characters (U+0000, U+0007); they were taken out.",
        "01.srt:6: The cue holds markup that browsers run (script); it is shown as text.",
    ]


def test_a_datasets_definition_with_what_is_no_text_is_told_and_neutral(write_course: WriteCourse) -> None:
    row = {"name": "stack", "explanation": "Last in,\x00 first <script>out</script>."}
    folder = write_course({"concepts.jsonl": json.dumps(row) + "\n", "01.srt": ""})
    (statement,), problems = read_statements(folder, read_course_card(folder)[0])
    assert statement.definition == "Last in, first <script>out</script>."
    told = " ".join(map(str, problems))
    assert "concepts.jsonl:1: 'definition' holds control characters (U+0000)" in told
    assert "concepts.jsonl:1: 'definition' holds markup that browsers run (script)" in told


def test_markup_that_browsers_run_is_told_and_kept() -> None:
    found, told = read({"answer": "Use <SCRIPT src=x></script>."})
    assert found["answer"] == "Use <SCRIPT src=x></script>."
    assert "faq.csv:7: 'answer' holds markup that browsers run (script)" in told[0]


@pytest.mark.parametrize(
    "answer", ["a < b", "The <b>bold</b> one", "if x<scripts: pass", "x <b only = 1", "<p>on top = best"]
)
def test_what_is_only_text_is_not_told(answer: str) -> None:
    assert read({"answer": answer})[1] == []


BAD = "\x07<script>f()</script>"
IN_YAML = r"\a<script>f()</script>"
IN_HTML = "\x07&lt;script&gt;f()&lt;/script&gt;"
TIMES = "00:00:01,000 --> 00:00:03,000"
PAGE = (
    f"<title>{IN_HTML}t</title><h2>COMP 1200 {IN_HTML}n</h2><p>{IN_HTML} All about trees, their leaves and their roots "
    "in one class.</p>"
)
Found = tuple[object, tuple[Problem, ...]]
Reader = Callable[[CourseFolder, CourseCard], Found]


def of_catalog(folder: CourseFolder, card: CourseCard) -> Found:
    found = read_catalog(folder, card, client=None)
    return found.records, found.problems


def of_subtitles(folder: CourseFolder, card: CourseCard) -> Found:
    found = read_subtitles(folder, card)
    return found.cues, found.problems


def of_expectations(folder: CourseFolder, card: CourseCard) -> Found:
    found = read_own_expectations(folder, ["faq"])
    return found.by_table, tuple(one for each in found.problems.values() for one in each)


CELL = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": f"# {BAD}h\n\n{BAD} text"}
NOTEBOOK = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [CELL]})
RESULT = {"headline": f"{BAD}h", "text": f"{BAD}t", "kind": "paper", "id": f"{BAD}i", "question": f"{BAD}q"}
REPLY = json.dumps({"query": f"{BAD}q", "results": [RESULT | {"answer": f"{BAD}a", "url": "javascript:f()"}]})
CONCEPT = json.dumps({"name": f"{BAD}heap", "aliases": [f"{BAD}pile"], "definition": f"{BAD} A tree."})
ADDED = f'{{name: "{IN_YAML}a", aliases: ["{IN_YAML}b"], definition: "{IN_YAML}c"}}'
EDITS = f'add: [{ADDED}]\nrename: {{"{IN_YAML}d": "{IN_YAML}e"}}\n'
VIDEO = json.dumps({"ccid": "V", "name": "n", "start": [0], "end": [2], "text": [BAD]})
WORK = f'assessments:\n- name: "{IN_YAML}n"\n  allows: closed\n  items: ["{IN_YAML} Prove that it ends."]\n'
PLAIN = "queue\n" * 60
"""A list of which too much is no text is not read at all."""

SOURCES: list[tuple[str, str, Reader, tuple[str, ...]]] = [
    ("course.yaml", "".join(f'{key}: "{IN_YAML}x"\n' for key in ("title", "subject", "policy", "support")),
     lambda folder, card: (card, read_course_card(folder)[1]), ("title", "subject", "policy", "support")),
    ("course.yaml", "".join(f'{key}: ["{IN_YAML}x"]\n' for key in ("domains", "instructors", "shares_with")),
     lambda folder, card: (card, read_course_card(folder)[1]), ("domains", "instructors", "shares_with")),
    ("course.yaml", WORK, read_graded_items, ("name", "items")),
    ("01.srt", f"1\n{TIMES}\n{BAD} A cue.\n", of_subtitles, ("cue",)),
    ("01.vtt", f"WEBVTT\n\n{TIMES.replace(',', '.')}\n{BAD} A cue.\n", of_subtitles, ("cue",)),
    ("subtitles/all.jsonl", VIDEO, of_subtitles, ("cue",)),
    ("faq.csv", f"id,question,answer\n{BAD}i,{BAD}q?,{BAD}a\n", read_faq, ("id", "question", "answer")),
    ("faq.yaml", f'- question: "{IN_YAML}q?"\n  answer: "{IN_YAML}a"\n', read_faq, ("question", "answer")),
    ("faq/a.md", f"## {BAD}q?\n\n{BAD}a\n", read_faq, ("question", "answer")),
    ("snippets.jsonl", REPLY, read_snippets, ("query", "headline", "text")),
    ("scholar.jsonl", REPLY, read_scholar_records, ("query", "id", "question", "answer")),
    ("informal_reviews.csv", f"class,review\n{BAD}c,{BAD}r\n", read_informal_reviews, ("about", "text")),
    ("schedule.csv", f"code,title,term,section,room\n{BAD}1,{BAD}t,{BAD}T,{BAD}s,{BAD}r\n", read_schedule,
     ("code", "title", "term", "section", "room")),
    ("catalog/comp.html", PAGE, of_catalog, ("title", "text")),
    ("documents/a.md", f"# {BAD}t\n\n## {BAD}h\n\n{BAD} text\n", read_documents, ("title", "heading", "text")),
    ("documents/a.txt", f"{BAD} text\n", read_documents, ("text",)),
    ("documents/a.ipynb", NOTEBOOK, read_documents, ("title", "text")),
    ("documents/a.html", PAGE, read_documents, ("page",)),
    ("seeds.txt", f"{PLAIN}{BAD}heap\t{BAD}pile\n", read_statements, ("name",)),
    ("concepts.jsonl", CONCEPT, read_statements, ("name", "definition")),
    ("graph.yaml", EDITS, read_statements, ("name", "definition")),
    ("gold/prerequisites.tsv", PLAIN.replace("queue", "a heap\ta tree\t-") + f"{BAD}a\t{BAD}b\t-\n",
     lambda folder, card: read_gold(folder), ("row",)),
    ("expectations.yaml", f'"{IN_YAML}t": []\n', of_expectations, ()),
]  # fmt: skip
"""By kind of source, with the fields that hold what is no text."""


def texts_in(found: Any) -> Iterator[str]:
    """Every text of records, however deep."""
    if isinstance(found, str):
        yield found
    elif is_dataclass(found):
        yield from (text for one in fields(found) for text in texts_in(getattr(found, one.name)))
    elif isinstance(found, dict):
        yield from (text for pair in found.items() for one in pair for text in texts_in(one))
    elif isinstance(found, list | tuple):
        yield from (text for one in found for text in texts_in(one))


@pytest.mark.parametrize(("name", "content", "read", "named"), SOURCES, ids=[f"{s[0]}-{s[3]}" for s in SOURCES])
def test_in_no_field_of_any_source_stays_what_is_no_text_and_each_is_told(
    write_course: WriteCourse, name: str, content: str, read: Reader, named: tuple[str, ...]
) -> None:
    folder = write_course({name: content})
    found, problems = read(folder, read_course_card(folder)[0])
    assert named == () or [text for text in texts_in(found) if text]
    assert [text for text in texts_in(found) if control_characters(text)] == []
    told = "\n".join(map(str, problems))
    assert control_characters(told) == ""  # a terminal would obey them
    for field in named:
        what = f"The {field}" if field in ("cue", "page") else f"'{field}'"
        assert f"{what} holds control characters (U+0007)" in told
        assert field == "page" or f"{what} holds markup that browsers run (script)" in told


def test_every_kind_of_source_is_among_those_above() -> None:
    assert {kind_of(PurePath(name)) for name, *_ in SOURCES} == set(INPUT_KINDS)


@pytest.mark.parametrize("written", ["NaN", "Infinity", '"nan"', '" NaN "', '".nan"'])
def test_what_programs_write_for_an_empty_cell_is_no_text_and_told(write_course: WriteCourse, written: str) -> None:
    rows = f'[{{"id": {written}, "question": "Who?", "answer": "Ann."}}, {{"question": "When?", "answer": {written}}}]'
    folder = write_course({"faq.json": rows})
    (entry,), problems = read_faq(folder, read_course_card(folder)[0])
    assert (entry.question, entry.answer) == ("Who?", "Ann.")
    assert not any("nan" in text.lower() or "inf" in text.lower() for text in texts_in(entry))
    told = [str(problem) for problem in problems]
    assert any(one.startswith("faq.json:1: 'id' is ") and "it was taken as empty" in one for one in told)
    assert any("The entry 'When?' has no answer; it was left out." in one for one in told)


def test_a_yaml_nan_is_no_answer(write_course: WriteCourse) -> None:
    folder = write_course({"faq.yaml": "- question: Who?\n  answer: .nan\n"})
    assert read_faq(folder, read_course_card(folder)[0])[0] == ()


@pytest.mark.parametrize("answer", ["NaN is no number.", "nano", "Nan Li", "-"])
def test_a_text_with_the_word_is_one(answer: str) -> None:
    assert read({"answer": answer}) == ({"answer": answer, "url": None}, [])


def test_a_cue_and_a_name_of_a_video_that_are_nan_are_told(write_course: WriteCourse) -> None:
    lines = '{"ccid": "V", "name": NaN, "start": [0, 2], "end": [2, 4], "text": [NaN, "A stack."]}\n'
    folder = write_course({"subtitles/all.jsonl": lines})
    found = read_subtitles(folder, read_course_card(folder)[0])
    assert [(cue.text, cue.video_title) for cue in found.cues] == [("A stack.", title_of("V"))]
    told = " ".join(map(str, found.problems))
    assert "The video's 'name' is nan, which is no text; it was taken as empty." in told
    assert "cue 1: it was left out, because its text is not text: 'nan'" in told


def test_a_definition_that_is_nan_is_none_and_told(write_course: WriteCourse) -> None:
    folder = write_course({"concepts.jsonl": '{"name": "heap", "definition": NaN}\n'})
    (statement,), problems = read_statements(folder, read_course_card(folder)[0])
    assert statement.definition is None
    assert "concepts.jsonl:1: 'definition' is nan, which is no text" in str(problems[0])


def test_a_name_that_a_terminal_would_obey_is_shown_as_it_is_written_and_told(write_course: WriteCourse) -> None:
    folder = write_course({"documents/a\x1b[31m\n.md": "# T\n\nA text.\n"})
    (section,), _ = read_documents(folder, read_course_card(folder)[0])
    assert section.document == r"documents/a\x1b[31m\x0a.md"
    (told,) = find_left_out(folder)
    assert str(told).startswith(r"documents/a\x1b[31m\x0a.md: The name holds control characters")


def test_what_the_web_says_holds_no_control_characters_and_no_address_that_a_page_would_run() -> None:
    reply = {"title": "A\x07 st\x1back", "url": "JavaScript:f()", "doi": "https://doi.example/1"}
    assert text_in(reply, "title") == "A stack"
    assert [address_in(reply, name) for name in ("url", "doi", "none")] == [None, "https://doi.example/1", None]
