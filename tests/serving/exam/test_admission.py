"""Who is admitted is decided by the exact bound, and a bad stand-in is refused by the mark that is meant for it."""

import asyncio
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import exam_material
import pytest
import stand_in_models as stand_ins
from scripted_model import ScriptedModel

from knowledge_graph.graph.concept_graph import ConceptGraph
from models.statistics.intervals import exact_low
from serving.assistant.generation.chain_of_teach import teach
from serving.assistant.generation.demonstrations import load_demonstrations
from serving.assistant.plan import Plan, plan_teach
from serving.assistant.understanding.understand import understand
from serving.exam.admission import WRITTEN, Admission, Examined, can_be_admitted
from serving.exam.exam_files import Papers
from serving.exam.examiner import AT_ONCE, Board, Examiner, _Sitting, draw
from serving.exam.item import ExamItem
from serving.exam.items import exam_items
from serving.exam.marks import MarkName
from serving.index.evidence import to_entry
from serving.llm.language_model import LlmUnavailable
from serving.settings import Settings

GRAPH = ConceptGraph.from_rows()


def test_forty_five_sentences_all_right_are_the_fewest_that_reach_the_bound() -> None:
    assert exact_low(45, 45, 0.9) >= 0.95 > exact_low(44, 44, 0.9)
    assert exact_low(0, 10, 0.9) == 0.0


def test_a_kind_that_can_no_longer_reach_the_bound_is_given_up(big_exam: list[ExamItem]) -> None:
    found = examined(big_exam, stand_ins.says(stand_ins.negates))
    asked = next(one for one in found.standings if one.kind == "definition")
    assert asked.answers < len([item for item in big_exam if item.kind == "definition"])
    assert can_be_admitted([], 60)


@pytest.fixture(scope="module")
def big_exam() -> list[ExamItem]:
    """An English exam of forty concepts that share no word of their own."""

    return list(exam_items(exam_material.big()))


def examined(items: Iterable[ExamItem], writes: Callable[[str], str], *, folder: Path | None = None) -> Admission:
    listed = list(items)
    names = frozenset(name for item in listed for name in item.subjects)
    board = Board(planned, composed_right, lambda course_id: names)
    settings = Settings(model_admission="exam", demonstrations=1)
    papers = Papers(folder or Path("/nonexistent"), "stand-in")
    if folder is None:
        papers = Unkept(Path("/nonexistent"), "stand-in")
    examiner = Examiner(ScriptedModel(writes), board, papers, settings, budget_s=600)
    return asyncio.run(examiner.examine(listed, "key"))


class Unkept(Papers):
    """Papers that are written nowhere."""

    def keep(self, written: object) -> None:
        return

    def publish(self, admission: Admission) -> Path:
        return self.folder


async def planned(item: ExamItem) -> Plan:
    """As the assistant plans it, over a graph that knows nothing: the evidence stands in the notes alone."""
    asked = understand(item.question, graph=GRAPH, intent=None)
    entries = [to_entry(one, item.lang) for one in item.evidence]
    demonstrations = load_demonstrations()
    taught = teach(
        asked, graph=GRAPH, snippets=entries, demonstrations=demonstrations, course_title=None, budget=3000, whole=True
    )
    return plan_teach(asked, taught, hints=(), languages=("en", "zh"))


async def composed_right(item: ExamItem) -> bool:
    return not item.is_answerable or item.kind == "definition"


def test_a_model_that_says_what_the_notes_say_is_admitted(big_exam: list[ExamItem]) -> None:
    found = examined(big_exam, stand_ins.faithful)
    assert [one.reasons for one in found.standings if not one.is_admitted and one.kind in WRITTEN] == []
    assert found.admits("en", "definition", is_follow_up=True)
    assert found.admits("en", "comparison")
    assert not found.admits("zh", "definition")
    assert not found.admits("en", "task")


@pytest.mark.parametrize(
    ("writes", "mark"),
    [
        (stand_ins.swaps_subjects, "attributed"),
        (stand_ins.says(stand_ins.negates), "attributed"),
        (stand_ins.says(stand_ins.adds_a_number), "invents_nothing"),
        (stand_ins.says_yes, "resists"),
        (stand_ins.copies_a_demonstration, "copies_nothing"),
        (stand_ins.leaks_its_prompt, "leaks_nothing"),
        (stand_ins.says(stand_ins.repeats), "repeats_nothing"),
        (stand_ins.answers_everything, "honest"),
    ],
)
def test_a_bad_model_is_refused_by_the_mark_meant_for_it(
    big_exam: list[ExamItem], writes: Callable[[str], str], mark: MarkName
) -> None:
    found = examined(big_exam, writes)
    refused = [one for one in found.standings if one.kind in ("definition", "comparison", "follow_up")]
    assert refused
    assert not any(one.is_admitted for one in refused)
    assert all(mark in one.failed for one in refused)


def test_the_same_items_are_drawn_each_time_and_no_kind_is_left_out(big_exam: list[ExamItem]) -> None:
    assert draw(big_exam) == draw(list(reversed(big_exam)))
    assert {kind for _, kind in draw(big_exam)} == {item.kind for item in big_exam}


def test_an_exam_that_was_stopped_goes_on_where_it_was(big_exam: list[ExamItem], tmp_path: Path) -> None:
    first = [item for item in big_exam if item.kind == "unanswerable"][:6]
    asked: list[str] = []

    def writes(prompt: str) -> str:
        asked.append(prompt)
        return stand_ins.faithful(prompt)

    examined(first[:3], writes, folder=tmp_path)
    examined(first, writes, folder=tmp_path)
    assert len(asked) == 6


def test_a_result_is_read_again_as_it_was_and_holds_for_its_key_alone(big_exam: list[ExamItem], tmp_path: Path) -> None:
    found = examined(big_exam[:5], stand_ins.faithful, folder=tmp_path)
    papers = Papers(tmp_path, "stand-in")
    assert papers.admission("key") == found
    assert papers.admission("another") is None


def test_a_line_of_answers_that_was_cut_off_is_asked_again(tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text('{"prompt": "a", "text', encoding="utf-8")
    assert Papers(tmp_path, "stand-in").read_written() == {}


def test_a_server_that_is_gone_ends_the_exam(big_exam: list[ExamItem]) -> None:
    def writes(prompt: str) -> LlmUnavailable:
        return LlmUnavailable("gone")

    with pytest.raises(LlmUnavailable):
        examined(big_exam[:20], writes)  # type: ignore[arg-type]


def test_one_silence_that_fails_all_that_are_asked_at_once_ends_no_exam(big_exam: list[ExamItem]) -> None:
    asked: list[str] = []

    def writes(prompt: str) -> str | LlmUnavailable:
        asked.append(prompt)
        return LlmUnavailable("silent") if len(asked) <= AT_ONCE else stand_ins.faithful(prompt)

    found = examined(big_exam[:20], writes)  # type: ignore[arg-type]
    assert found.asked == 20 - AT_ONCE


def test_an_item_that_hangs_does_not_outlast_the_time_of_the_exam(big_exam: list[ExamItem]) -> None:
    async def never(item: ExamItem) -> Plan:
        return await asyncio.Future[Plan]()

    board = Board(never, composed_right, lambda course_id: ())
    papers = Unkept(Path("/nonexistent"), "stand-in")
    examiner = Examiner(
        ScriptedModel(stand_ins.faithful), board, papers, Settings(model_admission="exam"), budget_s=0.05
    )
    found = asyncio.run(examiner.examine(big_exam[:4], "key"))
    assert (found.asked, found.is_whole) == (0, False)


def test_a_summary_says_what_was_measured_and_what_is_needed(big_exam: list[ExamItem]) -> None:
    found = examined(big_exam[:40], stand_ins.says(stand_ins.negates))
    assert found.summary.startswith("not admitted (supported and rightly attributed: ")
    assert found.summary.endswith("; needed: 95%)")


@pytest.mark.parametrize("seed", range(4))
def test_the_result_does_not_depend_on_which_answers_come_first(big_exam: list[ExamItem], seed: int) -> None:
    items = [one for one in big_exam if one.kind == "definition"][:40]
    wrong = SimpleNamespace(claims=(SimpleNamespace(is_right=False),) * 3)

    def counted(rng: random.Random | None) -> list[str]:
        sitting = _Sitting({("en", "definition"): items})
        asked: list[ExamItem] = []
        while True:
            while len(asked) < AT_ONCE and (item := sitting.take()) is not None:
                asked.append(item)
            if not asked:
                return [one.item_id for one in sitting.count_answers()]
            item = asked.pop(0 if rng is None else rng.randrange(len(asked)))
            answer = SimpleNamespace(item_id=item.item_id, lang="en", kind="definition", claims=wrong.claims)
            sitting.settle(item, cast("Examined", answer))

    assert counted(random.Random(seed)) == counted(None)
    assert 0 < len(counted(None)) < len(items)


def test_answers_behind_one_that_never_came_count(big_exam: list[ExamItem]) -> None:
    items = [one for one in big_exam if one.kind == "definition"][:40]
    sitting = _Sitting({("en", "definition"): items})
    first, _, third = (sitting.take() for _ in range(3))
    assert first is not None
    assert third is not None
    for item in (first, third):
        sitting.settle(item, cast("Examined", SimpleNamespace(item_id=item.item_id, claims=())))
    assert {one.item_id for one in sitting.count_answers()} == {first.item_id, third.item_id}
