"""What reads a model's text takes time that grows as the text does, whatever is in it and however it is cut."""

import math
import time
from collections.abc import Callable

import pytest

from serving.assistant.generation.writer import TextFilter
from serving.assistant.grounding.marking import SupportMarker
from serving.assistant.grounding.quote_filter import QuoteFilter
from serving.assistant.guardrails.escaping import neutralise, without_marks
from serving.assistant.guardrails.markup import MarkupFilter, defang
from serving.assistant.guardrails.prompt_leak import LeakGuard
from serving.assistant.references import CitationFilter
from serving.index.evidence import Evidence

UNITS = (
    *(
        "[a](  ",
        "[a](",
        "](",
        "]( ",
        "](()",
        "[",
        "(",
        "*",
        ".",
        "a.",
        "1.",
        "a",
        "7",
        "栈",
        "`",
        "` a",
        "~",
        "<",
        "<a ",
    ),
    *(
        "<!--",
        '"',
        "“",
        "'",
        " ",
        "\n",
        " \n",
        "!",
        "![",
        "\\",
        "\\[",
        "\\[7",
        "&",
        "&#5",
        "http://",
        "h",
        "www.",
        "w",
        ":",
    ),
    *("a:/", "[7", "[7][7]", "[1,", "```", "```\n", "~~~ ", "a@", "|", "$", "\u200b", "()", "[a]: ", "a_", "- "),
)
"""Texts that, said again and again, made some filter slow, and their neighbours."""

QUOTED = Evidence(1, "x", "document", "ds", "Stacks", "A stack is a list with two operations.", None)

FILTERS: dict[str, Callable[[], TextFilter]] = {
    "markup": lambda: MarkupFilter(["https://example.org/s"]),
    "leak": lambda: LeakGuard(["You answer the question in a few clear sentences from the notes."]),
    "quotes": lambda: QuoteFilter([QUOTED], "What is a stack?"),
    "support": lambda: SupportMarker([QUOTED], "What is a stack?", " (?)"),
    "citations": lambda: CitationFilter([1, 2, 3]),
}

WHOLE: dict[str, Callable[[str], object]] = {
    "defang": defang,
    "marks": without_marks,
    "neutralise": neutralise,
}


def seconds(work: Callable[[], object], enough: float = 0.0) -> float:
    """Processor time, the least of four, or of one that was quick `enough`: other work on the machine only adds."""
    tried: list[float] = []
    while len(tried) < 4 and min(tried, default=math.inf) > enough:
        began = time.process_time()
        work()
        tried.append(time.process_time() - began)
    return min(tried)


def fed(make: Callable[[], TextFilter], text: str, size: int) -> None:
    passing = make()
    for start in range(0, len(text), size):
        passing.feed(text[start : start + size])
    passing.flush()


def said(unit: str, length: int) -> str:
    return (unit * (length // len(unit) + 1))[:length]


ALWAYS = 0.02
"""Seconds that a text may take whatever its half takes."""


TRIES = 5
"""Times that a text and its half are measured, one right after the other, until the one takes little enough beside the
other: a machine may become slower between them, and what grows as the square takes too long each time."""


def assert_grows_as_the_text(work: Callable[[str], object], unit: str, *, length: int, most: float) -> None:
    told = ""
    for _ in range(TRIES):
        twice = seconds(lambda: work(said(unit, length)), ALWAYS)
        once = seconds(lambda: work(said(unit, length // 2))) if twice > ALWAYS else twice
        if twice < most and (twice <= ALWAYS or twice <= 2.5 * once + ALWAYS):
            return
        told = f"{unit!r}: {once:.3f} s for half, {twice:.3f} s for {length} characters, {most} s allowed"
    pytest.fail(told)


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("unit", UNITS)
def test_a_stream_in_pieces(name: str, unit: str) -> None:
    assert_grows_as_the_text(lambda text: fed(FILTERS[name], text, 20), unit, length=20_000, most=1.0)


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("unit", UNITS)
def test_a_whole_text(name: str, unit: str) -> None:
    assert_grows_as_the_text(WHOLE[name], unit, length=20_000, most=0.25)


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize(
    "opening", ["", "`", "``", "```", "[", "[a](", "<", "<!--", "http://", "a.", "&", "\\[", "[7", "a [1](", "~~~"]
)
def test_one_word_of_two_hundred_thousand_letters(name: str, opening: str) -> None:
    assert seconds(lambda: fed(FILTERS[name], opening + "a" * 200_000, 50), 3.9) < 4
