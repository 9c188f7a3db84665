"""Families of attack texts, as data: none of them gets through, whoever says it and however it comes."""

import html
import re
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from test_markup import rendered

from knowledge_graph.lake.records import Locator
from serving.assistant.guardrails.filters import filters_for, sanitize_plan_text
from serving.assistant.plan import Plan
from serving.index.evidence import Evidence
from serving.llm.messages import Message

FAMILIES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("attack_texts.yaml").read_text(encoding="utf-8"))

WEB = Evidence(1, "x", "search", "ds", "Stacks", "A stack is a list.", Locator(url="https://example.org/s"))
ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def lenient(text: str) -> str:
    """What a front end may make of it that resolves escapes and entities before it looks for links."""
    return html.unescape(ESCAPED.sub(r"\1", text))


def said_by_a_model(text: str, size: int) -> str:
    through = filters_for(Plan("chat", "", "", messages=(Message("system", "Be kind."),)), "What is it?", "en")
    return "".join(through.feed(text[at : at + size]) for at in range(0, len(text), size)) + through.flush()


def stored(text: str) -> str:
    return sanitize_plan_text(Plan("direct", text, "", evidence=(WEB,)))


@pytest.mark.parametrize("family", FAMILIES)
def test_no_text_of_a_family_gets_through(family: str) -> None:
    told = FAMILIES[family]
    never, times = re.compile(told["shown"]), told.get("repeat", 1)
    for text in told["texts"]:
        for shown in (said_by_a_model(text * times, 3), said_by_a_model(text * times, 10_000), stored(text * times)):
            assert never.search(lenient(shown)) is None, (text, shown[:200])
            if times == 1:
                assert [one.active for one in rendered(shown)] == [[], []], (text, shown)


@pytest.mark.parametrize("text", FAMILIES["stalling"]["texts"])
def test_no_text_holds_up_the_others(text: str) -> None:
    began = time.process_time()
    said_by_a_model(text * (20_000 // len(text)), 20)
    stored(text * (20_000 // len(text)))
    assert time.process_time() - began < 2
