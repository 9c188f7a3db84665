"""The page `/models`: what a teaching assistant reads of the exam of a model, in both languages."""

from pathlib import Path
from typing import get_args

import pytest
from accessible import look_at
from playwright.sync_api import expect
from served import Served
from visitors import Visitors

from knowledge_graph.lake.home import DataDir
from serving.exam.admission import Admission, FailedExample, KindResult
from serving.exam.exam_files import Papers
from serving.exam.marks import MarkName

pytestmark = pytest.mark.slow

MARKS: dict[str, float] = {name: 0.5 for name in get_args(MarkName)}
WHY = "supported and rightly attributed: 5 of 20 sentences, at least 11% by the bound"
FAILED = FailedExample("What is a <b>stack</b>?", "A stack was invented in <i>1834</i>.", "invents_nothing", "1834")


def examined() -> Admission:
    good = KindResult("en", "definition", 40, 40, 30, 60, 60, 0.96, (), (), {**MARKS, "covers": 1.0})
    bad = KindResult("en", "comparison", 12, 1, 10, 20, 5, 0.11, ("invents_nothing",), (WHY,), MARKS, (FAILED,), 12, 7)
    return Admission("key", "small-model 1a2b3c4d", (good, bad), 80, 65, 52, 60, 41.0, 0.2, 30.0)


def test_a_ta_reads_what_a_model_may_write_and_what_failed(small: Path, gateway: Served, visitor: Visitors) -> None:
    page = visitor.comes(key=gateway.key("ta", "Lin"))
    page.goto("/models")
    expect(page.get_by_text("No model has been examined yet.")).to_be_visible()
    Papers(DataDir(small).exam / "small-model-1a2b3c4d", "small-model").publish(examined())
    page.goto("/insights")
    expect(page.get_by_role("link", name="Language models and their exam")).to_have_attribute("href", "/models")
    page.goto("/models")
    expect(page.get_by_role("heading", name="small-model 1a2b3c4d")).to_be_visible()
    expect(page.get_by_text("81% are supported", exact=False).or_(page.get_by_text("81% of 80")).first).to_be_visible()
    expect(page.get_by_text("may write", exact=True)).to_be_visible()
    expect(page.get_by_text("may not write", exact=True)).to_be_visible()
    expect(page.get_by_text(WHY)).to_be_visible()
    expect(page.get_by_text(FAILED.answer)).to_be_visible()  # as it was written: no markup of it is believed
    expect(page.get_by_text("Failed by invents_nothing: What is a <b>stack</b>?")).to_be_visible()
    expect(page.get_by_text("calls 7 of 12 answers right")).to_be_visible()
    for name in get_args(MarkName):
        expect(page.get_by_text(f"{name} 50%").first).to_be_visible()
    look_at(page, "models")


def test_a_student_does_not_see_the_page(gateway: Served, visitor: Visitors) -> None:
    page = visitor.comes(key=gateway.key("student", "Ming"))
    page.goto("/models")
    expect(page.get_by_text("small-model")).to_have_count(0)


def test_the_page_is_said_in_chinese(small: Path, gateway: Served, visitor: Visitors) -> None:
    Papers(DataDir(small).exam / "small-model-1a2b3c4d", "small-model").publish(examined())
    page = visitor.comes(key=gateway.key("ta", "Lin"), locale="zh-CN")
    page.goto("/models")
    expect(page.get_by_text("认为 12 个回答中有 7 个正确", exact=False)).to_be_visible()
