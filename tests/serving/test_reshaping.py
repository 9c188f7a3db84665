"""Questions in fewer words, and sets in the shape of traffic: whatever the seed, each still says what it is about."""

import re
from pathlib import Path

import pytest
from course_rows import CONCEPTS, COURSES, PREREQUISITES
from hypothesis import given, settings
from hypothesis import strategies as st
from release_rows import PLACES, QUESTIONS, pairs

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.retrieval.question_sets import FILE, read_question_set
from serving.evaluation.release.reshaping import ReshapedTurn, reshape, split_into_turns
from serving.evaluation.release.shortening import join_words, keeps_a_key, key_terms, wordings, words_of
from serving.evaluation.release.traffic_shape import LIMIT, PUBLISHED, Profile, TrafficTurn, distance, farthest
from serving.evaluation.sets.evaluation_sets import questions_of_course
from serving.evaluation.sets.golden import Golden, golden_questions, titles_of
from serving.index.analysis import content_terms

SAMPLES = Path(__file__).resolve().parents[2] / "examples" / "courses"

CHINESE = (
    "老师您好，请问什么是二叉树的后序遍历？",
    "哈希表的大小为什么要选一个质数呢",
    "作业迟交会扣多少分吗",
    "快速排序在什么情况下最慢",
    "怎么申请课程的结业证书",
    "循环队列怎么判断已经满了",
    "视频打不开应该怎么办",
    "期末考试可以带参考书吗",
    "红黑树有哪几条规则",
    "补考的报名时间是哪一天",
)


def golden(question: str, lang: str = "en", title: str = "", name: str = "") -> Golden:
    names = ((question.index(name), question.index(name) + len(name)),) if name else ()
    keys = key_terms(question, [title] if title else [], names)
    return Golden(question, "ds", lang, question, frozenset({"g"}), keys, names)  # type: ignore[arg-type]


GRAPH = ConceptGraph.from_rows(CONCEPTS, PREREQUISITES, COURSES)
ENGLISH = golden_questions(QUESTIONS, titles=titles_of(pairs()), graph=GRAPH)
BOTH = (*ENGLISH, *(golden(text, "zh") for text in CHINESE))


def texts(question: str, lang: str = "en", **more: str) -> list[str]:
    one = golden(question, lang, **more)
    return [found.text for found in wordings(question, one.lang, keys=one.keys, names=one.names)]


def test_courtesies_go_first_then_the_words_of_a_question() -> None:
    found = texts("Could you please tell me what is the deadline of the route planner?", title="Deadline")
    assert found[0] == "Could you please tell me what is the deadline of the route planner"
    assert "what is the deadline of the route planner" in found
    assert "deadline route planner" in found
    assert found[-1] == "deadline"


def test_chinese_is_shortened_alike() -> None:
    found = texts("老师您好，请问什么是二叉树的后序遍历？", "zh", title="二叉树的遍历", name="二叉树")
    assert found[0] == "老师您好，请问什么是二叉树的后序遍历"
    assert found[-1] == "二叉树"
    assert not [text for text in found[2:] if "老师" in text]  # the second has lost its marks alone


def test_a_concept_stays_whole() -> None:
    found = texts("when is a red-black tree better than a heap", title="red-black tree", name="red-black tree")
    assert found[-1] == "red-black tree"


def test_the_key_is_the_concept_before_the_words_that_any_title_has() -> None:
    assert key_terms("difference between theta and O", ["What is the difference between theta and big O?"]) >= {"theta"}
    assert "differ" not in key_terms("difference between theta and O", ["What is the difference between theta and O?"])
    stack = key_terms("is a stack slow", ["Why is a stack slow?"], [(5, 10)])
    assert stack == {"stack"}


def test_words_are_joined_as_their_language_writes_them() -> None:
    assert join_words(["load", "factor"]) == "load factor"
    assert join_words(["用", "Python", "3", "交"]) == "用Python 3交"


def test_a_concept_can_be_asked_of_in_two_turns() -> None:
    found = split_into_turns(golden("Why does binary search need sorted keys?", name="binary search"))
    assert found is not None
    assert [turn.question for turn in found] == ["binary search", "why does it need sorted keys"]
    assert (found[0].golden is None, found[1].golden is not None) == (True, True)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What is the worst case of hash lookup?", "lookup"),
        ("Should I take stacks, queues or heaps first?", "queues"),
        ("binary search", "binary search"),
    ],
)
def test_what_a_pronoun_cannot_stand_for_is_asked_in_one_turn(question: str, name: str) -> None:
    assert split_into_turns(golden(question, name=name)) is None


@settings(deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([*(one.question for one in QUESTIONS), *CHINESE]))
def test_every_wording_is_a_part_of_the_question_and_keeps_a_key(seed: int, question: str) -> None:
    lang = "zh" if question in CHINESE else "en"
    keys = key_terms(question, [])
    found = wordings(question, lang, keys=keys, seed=seed)  # type: ignore[arg-type]
    whole = [word.text.lower() for word in words_of(question, lang)]  # type: ignore[arg-type]
    for wording in found:
        assert keeps_a_key(wording.text, keys)
        rest = iter(whole)
        assert all(word.text.lower() in rest for word in wording.words)
    assert [len(one.text) for one in found] == sorted((len(one.text) for one in found), reverse=True)


@settings(deadline=None)
@given(st.text(max_size=80), st.sampled_from(["en", "zh"]))
def test_whatever_is_typed_has_a_wording(question: str, lang: str) -> None:
    if question.strip():
        found = wordings(question, lang, keys=key_terms(question, []))  # type: ignore[arg-type]
        assert found[0].text
        assert all(one.text for one in found)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1_000))
def test_every_question_is_asked_once_with_its_gold_and_a_key_that_is_said(seed: int) -> None:
    turns = reshape(BOTH, PUBLISHED, seed=seed)
    judged = [turn for turn in turns if turn.golden is not None and not turn.is_repeat]
    assert sorted(turn.golden.question_id for turn in judged if turn.golden) == sorted(one.question_id for one in BOTH)
    for turn in judged:
        assert turn.golden is not None
        assert keeps_a_key(said_with(turns, turn), turn.golden.keys)
        assert turn.course_id == turn.golden.course_id


def said_with(turns: tuple[ReshapedTurn, ...], turn: ReshapedTurn) -> str:
    before = [one.question for one in turns if one.session == turn.session and one.position == turn.position - 1]
    return " ".join([*before, turn.question])


def test_a_key_of_the_title_stays_in_every_turn_of_the_opening_hours() -> None:
    titles = {term for place in PLACES for term in content_terms(place)}
    turns = reshape(ENGLISH, PUBLISHED, seed=3)
    assert all(titles & set(content_terms(turn.question)) for turn in turns)


def test_the_same_seed_gives_the_same_turns_in_any_order_of_the_questions() -> None:
    assert reshape(BOTH, PUBLISHED, seed=1) == reshape(tuple(reversed(BOTH)), PUBLISHED, seed=1)
    assert reshape(BOTH, PUBLISHED, seed=1) != reshape(BOTH, PUBLISHED, seed=2)


def test_sessions_are_of_one_course_and_their_turns_in_order() -> None:
    turns = reshape(BOTH, PUBLISHED, seed=5)
    sessions = {turn.session: [one for one in turns if one.session == turn.session] for turn in turns}
    for session in sessions.values():
        assert [turn.position for turn in session] == list(range(len(session)))
        assert len({turn.course_id for turn in session}) == 1


def sample_questions() -> tuple[Golden, ...]:
    """Those of the sample courses, without their index: every content word then counts as a key."""
    courses = sorted(path.name for path in SAMPLES.iterdir() if (path / FILE).is_file())
    asked = [
        one
        for course in courses
        for one in questions_of_course(read_question_set(SAMPLES / course / FILE, course_id=course), course_id=course)
    ]
    return golden_questions(asked, titles={}, graph=GRAPH)


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 8])
def test_the_sample_questions_come_within_the_limit_of_the_published_shape(seed: int) -> None:
    found = sample_questions()
    assert (
        farthest(distance(PUBLISHED, [TrafficTurn(one.question, one.question_id, 0, one.lang) for one in found])) > 0.3
    )
    turns = [turn.turn for turn in reshape(found, PUBLISHED, seed=seed)]
    assert farthest(distance(PUBLISHED, turns)) <= LIMIT


def test_half_the_turns_have_a_mark_when_half_should() -> None:
    wanted = Profile(lengths=PUBLISHED.lengths, question_marks=0.5, repeats=0.0, single=1.0, turns=1.0)
    turns = reshape(BOTH, wanted, seed=0)
    marked = sum(bool(re.search("[?？]", turn.question)) for turn in turns)
    assert marked == round(0.5 * len(turns))
    assert all(turn.position == 0 or turn.golden is not None for turn in turns)


def test_without_questions_there_is_nothing_to_reshape() -> None:
    with pytest.raises(ValueError, match="no questions"):
        reshape([], PUBLISHED, seed=0)
