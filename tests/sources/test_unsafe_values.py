"""Values that a browser would run are told where they stand, and no such address is kept."""

import pytest

from knowledge_graph.sources.fields import ProblemLog, texts_of

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


def test_markup_that_browsers_run_is_told_and_kept() -> None:
    found, told = read({"answer": "Use <SCRIPT src=x></script>."})
    assert found["answer"] == "Use <SCRIPT src=x></script>."
    assert "faq.csv:7: 'answer' holds markup that browsers run (script)" in told[0]


@pytest.mark.parametrize("answer", ["a < b", "The <b>bold</b> one", "if x<scripts: pass"])
def test_what_is_only_text_is_not_told(answer: str) -> None:
    assert read({"answer": answer})[1] == []
