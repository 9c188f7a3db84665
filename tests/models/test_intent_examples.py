"""Reading label files, and the promise that no split knows another's questions."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.schemas import INTENT_EXAMPLES
from models.intent.labels.categories import CATEGORIES
from models.intent.labels.examples import IntentExample, read_intent_examples, split, without_leaks
from models.intent.labels.question_text import question_key


def write(folder: Path, name: str, text: str | bytes) -> Path:
    file = folder / "intents" / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def test_the_question_before_it_in_the_session_is_the_previous_turn(tmp_path: Path) -> None:
    write(tmp_path, "a.csv", "id,question,category,session_id\n1,hi,general_chat,s\n2,what is a heap?,simple,s\n")
    examples, problems = read_intent_examples(tmp_path)
    assert [one.previous for one in examples] == ["", "hi"]
    assert problems == ()


def test_a_previous_turn_that_is_given_is_kept(tmp_path: Path) -> None:
    write(tmp_path, "a.csv", "id,question,category,session_id,previous\n1,hi,general_chat,s,\n2,why?,complex,s,no\n")
    assert read_intent_examples(tmp_path)[0][1].previous == "no"


def test_the_published_chinese_categories_are_read_as_they_are(tmp_path: Path) -> None:
    rows = "1,什么是二叉树,1,简单问题\n2,怎么退课呀,5,平台、课程问题\n3,okok,5,其他闲聊\n"
    write(tmp_path, "zh.csv", f"id,question,session_id,category\n{rows}")
    examples, _ = read_intent_examples(tmp_path)
    assert [one.category for one in examples] == ["simple", "platform_faq", "general_chat"]
    assert [one.lang for one in examples] == ["zh", "zh", "en"]


def test_two_rows_that_contradict_are_both_kept_and_reported(tmp_path: Path) -> None:
    write(tmp_path, "a.csv", "id,question,category\n1,Big O?,simple\n2,why,complex\n3,big o,complex\n4,big o,simple\n")
    examples, (problem,) = read_intent_examples(tmp_path)
    assert [one.category for one in examples] == ["simple", "complex", "complex", "simple"]
    assert [one.agreement for one in examples] == pytest.approx([2 / 3, 1, 1 / 3, 2 / 3])
    assert (problem.line, problem.severity) == (4, "warning")
    assert "'Big O?' is simple (2 rows, intents/a.csv:2) and complex (1 row, intents/a.csv:4)" in problem.message


def test_of_many_conflicts_the_first_are_told_one_by_one(tmp_path: Path) -> None:
    rows = "".join(f"{n}s,q{n},simple\n{n}c,q{n},complex\n" for n in range(100))
    write(tmp_path, "a.csv", f"id,question,category\n{rows}")
    examples, problems = read_intent_examples(tmp_path)
    assert len(examples) == 200
    assert len(problems) == 21
    assert problems[-1].message.startswith("80 more like those above")


def test_the_same_question_asked_again_by_a_button_is_the_same_text() -> None:
    assert question_key("什么是栈？（换一换）") == question_key("什么是栈") != question_key("换一换")


def many(count: int) -> list[IntentExample]:
    """Questions of which some repeat, in sessions and without."""
    return [
        IntentExample(str(n), f"question {n % 250}", "", "", f"s{n // 3}" if n % 4 else "", CATEGORIES[n % 6], "en")
        for n in range(count)
    ]


def test_two_hundred_insertions_and_deletions_move_no_other_example() -> None:
    source, labelled = Random(1), many(400)
    sides = {one.id: one.split for one in split(labelled, seed=7)}
    for number in range(200):
        if source.random() < 0.5:
            labelled.pop(source.randrange(len(labelled)))
        else:
            like = source.choice(labelled)
            new = replace(like, id=f"new {number}", session_id=source.choice(["", "s1", "s50", f"new {number}"]))
            labelled.insert(source.randrange(len(labelled)), new)
        dealt = {one.id: one.split for one in split(labelled, seed=7)}
        assert all(sides.setdefault(name, side) == side for name, side in dealt.items())


def test_the_test_questions_only_grow_when_labels_are_added() -> None:
    before, after = (without_leaks(split(many(count), seed=7)) for count in (300, 600))
    tests = [{one.id for one in found if one.split == "test"} for found in (before, after)]
    assert tests[0] < tests[1]


def test_a_text_that_is_held_out_is_not_learnt_from_another_session() -> None:
    examples = [IntentExample(str(n), "What is a heap?", "", "", f"s{n}", "simple", "en") for n in range(60)]
    dealt = split(examples, seed=7)
    assert {one.split for one in dealt} == {"train", "valid", "test"}
    assert list(without_leaks(dealt)) == [one for one in dealt if one.split == "test"]


def test_an_empty_folder_says_where_labels_belong(tmp_path: Path) -> None:
    examples, (problem,) = read_intent_examples(tmp_path)
    assert examples == ()
    assert "intents/<name>.csv" in problem.remedy


def test_examples_have_the_columns_of_the_table() -> None:
    assert list(IntentExample.__dataclass_fields__) == INTENT_EXAMPLES.names


rows = st.lists(
    st.tuples(st.sampled_from(["a", "A?", "b", "c", "d e", "de", "f", "!"]), st.sampled_from(["", "1", "2", "3", "4"])),
    min_size=1,
    max_size=40,
)


@settings(deadline=None)
@given(rows, st.integers(0, 3))
def test_neither_a_session_nor_a_question_text_spans_two_splits(found: list[tuple[str, str]], seed: int) -> None:
    examples = [
        IntentExample(str(n), question, "", "", session, CATEGORIES[n % 6], "en")
        for n, (question, session) in enumerate(found)
    ]
    where: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in without_leaks(split(examples, seed=seed)):
        where["question", question_key(one.question)].add(one.split)
        if one.session_id:
            where["session", one.session_id].add(one.split)
    assert all(len(splits) == 1 for splits in where.values())


def test_shares_hold_about_and_the_split_depends_on_the_seed_alone() -> None:
    examples = [IntentExample(str(n), f"question {n}", "", "", "", CATEGORIES[n % 3], "en") for n in range(3000)]
    done = split(examples, seed=1)
    for category in CATEGORIES[:3]:
        splits = [one.split for one in done if one.category == category]
        shares = [splits.count(name) / 1000 for name in ("train", "valid", "test")]
        assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.04)
    assert done == split(examples, seed=1)
    assert done != split(examples, seed=2)
