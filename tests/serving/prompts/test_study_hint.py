"""What to watch first. The course `ds` teaches list (lecture 1), stack and queue (2) and tree (3); tree needs stack,
stack needs list."""

import course_rows as rows
import pytest

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Locator
from serving.assistant.generation.chain_of_teach import teach
from serving.assistant.generation.study_hint import StudyHint, study_hints
from serving.assistant.understanding.focus import Position
from serving.assistant.understanding.understand import understand
from serving.index.evidence import Evidence
from serving.llm.messages import Message


def at(video: str, start_ms: int, end_ms: int | None, title: str | None = None) -> rows.Row:
    return {**rows.NOWHERE, "video_id": video, "video_title": title, "start_ms": start_ms, "end_ms": end_ms}


GRAPH = ConceptGraph.from_rows(
    [
        rows.concept("en:list", "list", rows.LIST, definition_locator=at("01 lists", 192_000, 245_000, "Lists")),
        rows.concept("en:stack", "stack", rows.STACK, definition_locator=at("02 stacks", 60_000, None)),
        rows.concept("en:tree", "tree", "A tree has a root.", definition_locator=at("03 trees", 5_000, 9_000, "Trees")),
        rows.concept("en:root", "root", "A root has no parent.", definition_locator=rows.AT_ARTICLE),
        rows.concept("zh:栈", "栈", "后进先出。", definition_locator=at("02 栈", 60_000, 90_000, "栈与队列")),
        rows.concept("zh:二叉树", "二叉树", "有根。"),
    ],
    [
        rows.edge("en:list", "en:stack"),
        rows.edge("en:stack", "en:tree"),
        rows.edge("en:root", "en:tree"),
        rows.edge("zh:栈", "zh:二叉树"),
    ],
    rows.COURSES,
)


def hints(question: str, *, course_id: str | None = "ds", **known: object) -> tuple[StudyHint, ...]:
    asked = understand(question, graph=GRAPH, intent=None)
    return study_hints(asked, graph=GRAPH, course_id=course_id, **known)  # type: ignore[arg-type]


def texts(question: str, **known: object) -> list[str]:
    return [hint.text for hint in hints(question, **known)]


def test_unmet_prerequisites_are_named_with_their_time_in_the_order_to_learn_them() -> None:
    assert texts("Why is a tree useful?") == [
        "First watch 03:12–04:05 of Lists: list [1]",
        "First watch 02 stacks from 01:00: stack [2]",
    ]


def test_a_hint_is_evidence_that_opens_the_lecture() -> None:
    hint = hints("Why is a stack useful?")[0]
    assert (hint.concept_id, hint.evidence.course_id, hint.evidence.text) == ("en:list", "ds", rows.LIST)
    where = hint.evidence.locator
    assert where is not None
    assert (where.video_id, where.video_title, where.start_ms, where.end_ms) == ("01 lists", "Lists", 192_000, 245_000)


def test_what_the_session_has_spoken_of_is_met() -> None:
    history = [Message("user", "What is a list?"), Message("assistant", "A sequence.")]
    assert texts("Why is a tree useful?", history=history) == ["First watch 02 stacks from 01:00: stack [1]"]
    answered = [Message("user", "hm"), Message("assistant", "A stack is a list.")]
    assert texts("Why is a tree useful?", history=answered) == []
    assert len(texts("Why is a tree useful?", history=[Message("system", "list and stack")])) == 2


@pytest.mark.parametrize(
    ("video", "at_ms", "found"),
    [
        ("01 lists", 0, 2),
        ("01 lists", 192_000, 1),
        ("02 stacks", 59_000, 1),
        ("02 stacks", 60_000, 0),
        ("03 trees", 0, 0),
    ],
)
def test_with_a_position_what_comes_later_is_unmet(video: str, at_ms: int, found: int) -> None:
    assert len(texts("Why is a tree useful?", position=Position("ds", video, at_ms))) == found


def test_the_order_of_the_videos_can_be_given() -> None:
    videos = {"02 stacks": "Stacks and queues", "01 lists": "Lists", "03 trees": "Trees"}
    found = texts("Why is a tree useful?", position=Position("ds", "02 stacks", 70_000), videos=videos)
    assert found == ["First watch 03:12–04:05 of Lists: list [1]"]
    assert texts("Why is a tree useful?", videos=videos)[1] == "First watch Stacks and queues from 01:00: stack [2]"


def test_a_hint_calls_a_lecture_as_its_course_does() -> None:
    names = {"01 lists": "Lists (1/2)", "02 stacks": "Lists (2/2)"}
    assert texts("Why is a tree useful?", names=names) == [
        "First watch 03:12–04:05 of Lists (1/2): list [1]",
        "First watch Lists (2/2) from 01:00: stack [2]",
    ]


def test_a_hint_at_what_the_answer_cites_calls_the_lecture_so_too() -> None:
    where = Locator(video_id="01 lists", video_title="Lists", start_ms=192_000, end_ms=245_000)
    cited = Evidence(1, "e1", "concept", "ds", "list", rows.LIST, where, origin_id="en:list")
    told = texts("Why is a stack useful?", names={"01 lists": "Lists (1/2)"}, evidence=[cited])
    assert told == ["First watch 03:12–04:05 of Lists (1/2): list [1]"]


def test_what_is_asked_about_itself_is_no_hint() -> None:
    assert texts("What is the difference between a list and a stack?") == []


def test_what_no_video_of_the_course_shows_is_no_hint() -> None:
    assert "root" not in " ".join(texts("Why is a tree useful?"))
    assert texts("Why is a tree useful?", course_id="sjjg") == []
    assert texts("Why is a tree useful?", course_id=None) == []
    assert texts("Why is a tree useful?", position=Position("sjjg", "01 lists", 0)) == []


def test_a_hint_keeps_the_number_that_the_answer_gave_its_evidence() -> None:
    asked = understand("Why is a stack useful?", graph=GRAPH, intent=None)
    teaching = teach(asked, graph=GRAPH, snippets=[], demonstrations=[], course_title=None, budget=900)
    assert [one.evidence_id for one in teaching.evidence] == ["en:stack", "en:list"]
    found = study_hints(asked, graph=GRAPH, course_id="ds", evidence=teaching.evidence)
    assert [(hint.text, hint.evidence) for hint in found] == [
        ("First watch 03:12–04:05 of Lists: list [2]", teaching.evidence[1])
    ]


def test_a_hint_beyond_the_citable_numbers_has_no_mark() -> None:
    used = [Evidence(number, f"e{number}", "faq", "ds", "t", "x") for number in (1, 2, 3)]
    assert texts("Why is a stack useful?", evidence=used) == ["First watch 03:12–04:05 of Lists: list"]


def test_a_hint_speaks_chinese() -> None:
    assert texts("为什么需要二叉树？", course_id="sjjg") == ["请先看《栈与队列》01:00–01:30：栈 [1]"]
