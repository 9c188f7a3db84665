"""P9, whole: one cue is wrong, students are answered from it, it is mended. One command lists exactly those answers and
gives the right ones.
"""

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from answered_at_home import ask_at_home
from rich.console import Console
from small_courses import FAQ, STACKS, TREES, Place, srt, write_course

from orchestration.cli.affected_command import AnswerFilters, NamedSource, list_affected
from serving.gateway.conversations import ConversationAnswer
from serving.index.lineage import read_lineage

pytestmark = pytest.mark.slow

RIGHT = "A stack is a list where items are pushed and popped at one end only."
WRONG = "A stack is a list where items are pushed and popped at both ends."
OTHER = "Please keep your notes in good order."
QUESTIONS = (
    "What is a stack?",
    "What is a linked list?",
    "What is a heap?",
    "What is the difference between a stack and a linked list?",
    "When is the homework due?",
    "What is a stack?",
    "Hello!",
)
CUE = NamedSource(cue="01 - Stacks@00:02")


def lecture(said: str) -> str:
    """The lecture on stacks; its second cue is the only one that says what a stack is."""
    again = [OTHER if sentence == RIGHT else sentence for sentence in STACKS]
    first = [said if sentence == RIGHT else sentence for sentence in STACKS]
    return srt([*first, *again, *again], times_around=1)


@dataclass(frozen=True)
class Story:
    """A home in which the cue was right, wrong, and right again; the answers given each time."""

    place: Place
    before: list[ConversationAnswer]
    while_wrong: list[ConversationAnswer]
    index_while_wrong: str


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    place = Place(tmp_path_factory.mktemp("wrong cue"))
    course = place.courses / "structures"
    write_course(course, {"course.yaml": "title: Data Structures\nlang: en\n", "faq.csv": FAQ})
    write_course(course, {"subtitles/02 - Trees.srt": srt(TREES), "subtitles/01 - Stacks.srt": lecture(RIGHT)})
    assert all(one.succeeded for one in place.outcomes())
    before = ask_at_home(place.data_dir, QUESTIONS, "structures")

    write_course(course, {"subtitles/01 - Stacks.srt": lecture(WRONG)})
    assert all(one.succeeded for one in place.outcomes())
    while_wrong = ask_at_home(place.data_dir, QUESTIONS, "structures")
    version = (place.data_dir.index / "CURRENT").read_text().strip()

    write_course(course, {"subtitles/01 - Stacks.srt": lecture(RIGHT)})
    assert all(one.succeeded for one in place.outcomes())
    return Story(place, before, while_wrong, version)


@pytest.fixture
def home(story: Story, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COTEACH_HOME", str(story.place.data_dir.root))
    monkeypatch.setenv("COTEACH_LLM_URL", "http://127.0.0.1:9/v1")  # nobody is there
    return story.place.data_dir.root


def facts(named: NamedSource, *, changed: bool | None = None, reask: bool = False) -> Any:
    printed = io.StringIO()
    filters = AnswerFilters("structures", changed=changed)
    assert list_affected(Console(file=printed), named, filters, reask=reask, as_json=True) == 0
    return json.loads(printed.getvalue())


def resting_on(told: list[ConversationAnswer], sentence: str) -> set[str]:
    """The answers that were made from material with this sentence in it, or send the student there."""
    return {
        one.answer.trace.trace_id
        for one in told
        if any(sentence in piece.text for piece in (*one.answer.evidence, *one.answer.referred))
    }


def test_the_list_is_exactly_the_answers_made_while_the_cue_was_wrong(story: Story, home: Path) -> None:
    affected = resting_on(story.while_wrong, WRONG)
    assert 2 <= len(affected) < len(QUESTIONS)
    assert {one["trace_id"] for one in facts(CUE, changed=True)["answers"]} == affected


def test_answers_given_while_it_was_right_are_unchanged(story: Story, home: Path) -> None:
    expected = resting_on(story.before, RIGHT)
    assert expected
    assert {one["trace_id"] for one in facts(CUE, changed=False)["answers"]} == expected


def test_the_questions_asked_again_get_the_right_answer(story: Story, home: Path) -> None:
    again = facts(CUE, changed=True, reask=True)["asked_again"]
    assert len({one["question"] for one in again}) == len(again)
    stack = next(one for one in again if one["question"] == "What is a stack?")
    assert WRONG in stack["old"]
    assert RIGHT in stack["new"]
    assert not any(WRONG in one["new"] for one in again)


def test_the_wrong_answers_lead_to_the_materializations_they_were_made_of(story: Story, home: Path) -> None:
    lineage = read_lineage(story.place.data_dir.index, story.index_while_wrong)
    assert lineage is not None
    (build,) = lineage.builds
    made = {(one.asset, one.partition): one for one in build.materializations}
    assert {("search_index", None), ("qa_pairs", None), ("subtitles", "structures"), ("graph", None)} <= made.keys()
    with story.place.instance() as instance:
        run = instance.get_run_by_id(made["subtitles", "structures"].run_id)
    assert run is not None
    assert made["search_index", None].data_version == story.index_while_wrong
    assert len({one["trace_id"] for one in facts(NamedSource(index=story.index_while_wrong))["answers"]}) == len(
        QUESTIONS
    )
