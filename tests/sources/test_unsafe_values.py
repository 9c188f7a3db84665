"""Values that a browser would run are told where they stand, and no such address is kept."""

import json

import pytest
from course_files import WriteCourse

from knowledge_graph.sources.course import read_course_card
from knowledge_graph.sources.fields import ProblemLog, texts_of
from knowledge_graph.sources.statements import read_statements
from knowledge_graph.sources.subtitles import read_subtitles

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
    ],
)
def test_what_a_browser_runs_is_told_by_its_name(answer: str, named: str) -> None:
    found, told = read({"answer": answer})
    assert found["answer"] == answer
    assert told == [
        f"faq.csv:7: 'answer' holds markup that browsers run ({named}); it is shown as text. "
        "Remove it, unless it is what is taught."
    ]


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
