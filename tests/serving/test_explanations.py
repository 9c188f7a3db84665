"""Explaining many stored pairs: which, in what order, what is kept; against the stand-in server where it matters."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from scripted_model import Reply, ScriptedModel
from stand_in import NAME, stand_in

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import QA_PAIRS
from knowledge_graph.lake.tables import digest, read_rows, write_table
from serving.assistant.generation import explanations
from serving.assistant.generation.explanations import (
    ExplanationReport,
    ExplanationScope,
    Maker,
    NoModelServer,
    contradictions,
    explain_missing,
    explain_pairs,
    fetch_model_name,
    find_edited_pairs,
    plan_explanations,
)
from serving.llm.language_model import LlmUnavailable

GOOD = "A stack works like plates in a pile: whoever arrives latest leaves earliest."
MAKER = Maker("tiny", ("en",))


def pair(number: int, **more: Any) -> dict[str, Any]:
    row = {
        **dict.fromkeys(QA_PAIRS.names),
        "qa_id": f"q{number:03d}",
        "source": "faq",
        "course_id": "ds",
        "lang": "en",
        "question": f"What is structure {number}?",
        "answer": "A stack.",
        "content_hash": f"h{number}",
        "domains": [],
        "also_from": [],
    }
    return {**row, **more}


def home_of(tmp_path: Path, *pairs: dict[str, Any]) -> DataDir:
    data_dir = DataDir(tmp_path / "home")
    write_table(data_dir.qa_pairs, pairs, QA_PAIRS)
    return data_dir


def explained(
    data_dir: DataDir,
    writes: Callable[[str], Reply] = lambda _: GOOD,
    *,
    scope: ExplanationScope = ExplanationScope(),  # noqa: B008
    maker: Maker = MAKER,
) -> tuple[ExplanationReport, ScriptedModel]:
    model = ScriptedModel(writes)
    return asyncio.run(explain_pairs(data_dir, model, scope=scope, maker=maker, told=lambda _: None)), model


def statuses(data_dir: DataDir) -> dict[str, str]:
    return {row["qa_id"]: row["status"] for row in read_rows(data_dir.explanations)}


def test_pairs_without_an_explanation_get_one_that_is_marked_as_made_by_ai(tmp_path: Path) -> None:
    data_dir = home_of(tmp_path, pair(1), pair(2, explanation="By a teacher.", explanation_kind="person"))
    before = digest(data_dir.qa_pairs)
    report, _ = explained(data_dir)
    (row,) = read_rows(data_dir.explanations)
    assert (row["qa_id"], row["explanation"], row["explanation_kind"]) == ("q001", GOOD, "ai")
    assert (row["model"], row["content_hash"]) == ("tiny", "h1")
    assert (report.missing, report.made, report.rejected) == (1, 1, 0)
    assert digest(data_dir.qa_pairs) == before


def test_nothing_is_made_twice(tmp_path: Path) -> None:
    data_dir = home_of(tmp_path, pair(1), pair(2))
    explained(data_dir)
    before = digest(data_dir.explanations)
    report, model = explained(data_dir)
    assert (report.made, report.reused, model.asked) == (0, 2, [])
    assert digest(data_dir.explanations) == before


def test_a_rejected_explanation_is_kept_with_its_reason_and_not_tried_again(tmp_path: Path) -> None:
    data_dir = home_of(tmp_path, pair(1))
    report, _ = explained(data_dir, lambda _: "The given answer is wrong, for it leaves out heaps.")
    (row,) = read_rows(data_dir.explanations)
    assert (row["status"], row["explanation"], row["explanation_kind"]) == ("rejected", None, None)
    assert row["reason"].startswith("it denies the answer")
    assert report.reasons == {"it denies the answer": 1}
    assert explained(data_dir)[1].asked == []


@pytest.mark.parametrize(
    ("now", "maker"),
    [
        (pair(1, answer="A stack of plates.", content_hash="other"), MAKER),
        (pair(1), Maker("large", ("en",))),
        (pair(1), Maker("tiny", ("en",), prompt="explain-frq@2")),
    ],
)
def test_a_changed_pair_model_or_prompt_makes_an_explanation_stale(
    tmp_path: Path, now: dict[str, Any], maker: Maker
) -> None:
    data_dir = home_of(tmp_path, pair(1))
    explained(data_dir)
    write_table(data_dir.qa_pairs, [now], QA_PAIRS)
    report, model = explained(data_dir, maker=maker)
    assert (report.made, len(model.asked)) == (1, 1)
    assert len(read_rows(data_dir.explanations)) == 1


def test_scope_limit_and_language_say_which_pairs_are_explained() -> None:
    pairs = [
        pair(1),
        pair(2, course_id="os"),
        pair(3, source="concept"),
        pair(4, lang="zh"),
        pair(5),
        pair(6),
    ]
    plan = plan_explanations(pairs, [], ExplanationScope(courses=("ds",), limit=2), MAKER)
    assert [one.qa_id for one in plan.todo] == ["q001", "q005"]
    assert (plan.left, plan.skipped, plan.reused) == (1, 1, 0)
    every = plan_explanations(pairs, [], ExplanationScope(sources=("faq", "concept")), Maker("large", ("en", "zh")))
    assert len(every.todo) == 6


def test_rows_of_pairs_that_are_gone_or_changed_go(tmp_path: Path) -> None:
    data_dir = home_of(tmp_path, pair(1), pair(2))
    explained(data_dir)
    write_table(data_dir.qa_pairs, [pair(2)], QA_PAIRS)
    explained(data_dir)
    assert statuses(data_dir) == {"q002": "made"}


def test_a_server_that_dies_loses_nothing_that_was_written(tmp_path: Path) -> None:
    data_dir = home_of(tmp_path, *(pair(number) for number in range(60)))
    model = ScriptedModel(lambda _: GOOD if len(model.asked) <= 30 else LlmUnavailable("gone"))
    with pytest.raises(LlmUnavailable):
        asyncio.run(explain_pairs(data_dir, model, scope=ExplanationScope(), maker=MAKER, told=lambda _: None))
    assert len(read_rows(data_dir.explanations)) == 30
    report, second = explained(data_dir)
    assert (report.made, report.reused, len(second.asked)) == (30, 30, 30)


def test_the_table_is_written_while_the_work_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanations, "FLUSH_EVERY", 2)
    data_dir = home_of(tmp_path, *(pair(number) for number in range(6)))
    sizes = []
    model = ScriptedModel(lambda _: GOOD)

    def told(_line: str) -> None:
        sizes.append(pq.ParquetFile(data_dir.explanations).metadata.num_rows if data_dir.explanations.exists() else 0)

    asyncio.run(explain_pairs(data_dir, model, scope=ExplanationScope(), maker=MAKER, told=told))
    assert sizes == [0, 2, 4, 6]


def test_a_choice_is_explained_option_by_option_when_the_reply_leaves_some_out(tmp_path: Path) -> None:
    question = "Which structure is first in, first out?\nA. stack\nB. queue"
    data_dir = home_of(tmp_path, pair(1, question=question, answer="B. queue"))
    explained(data_dir, lambda prompt: "People are served by arrival time." if "two sentences" in prompt else "")
    (row,) = read_rows(data_dir.explanations)
    assert row["explanation"] == (
        "B. queue – why it is the answer: People are served by arrival time.\n\n"
        "A. stack – why it is not the answer: People are served by arrival time."
    )


def test_a_contradiction_and_an_edited_answer_are_found(tmp_path: Path) -> None:
    data_dir = home_of(tmp_path, pair(1), pair(2))
    explained(data_dir)
    assert (contradictions(data_dir), find_edited_pairs(data_dir)) == ([], [])
    rows = read_rows(data_dir.explanations)
    rows[0]["explanation"] = "The given answer is wrong."
    write_table(data_dir.explanations, rows, explanations.EXPLANATIONS)
    assert contradictions(data_dir) == ["q001: it denies the answer: 'The given answer is wrong'"]
    write_table(data_dir.dbt_output / "qa_pairs.parquet", [pair(1), pair(2, answer="A heap.")], QA_PAIRS)
    assert find_edited_pairs(data_dir) == ["q002"]


def test_without_a_model_server_it_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COTEACH_LLM_URL", raising=False)
    with pytest.raises(NoModelServer, match="Run `coteach explain`, or set COTEACH_LLM_URL"):
        explain_missing(home_of(tmp_path, pair(1)), scope=ExplanationScope(), told=lambda _: None)


def test_a_server_names_the_model_it_serves() -> None:
    async def run() -> str:
        async with stand_in() as server:
            return await asyncio.to_thread(fetch_model_name, server.url, NAME)

    assert asyncio.run(run()) == NAME
    assert fetch_model_name("http://127.0.0.1:1/v1", "named") == "named"
