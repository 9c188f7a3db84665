"""Reading label files, and the promise that no split knows another's questions."""

from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.lake import INTENT_EXAMPLES
from models.intent.categories import CATEGORIES
from models.intent.examples import IntentExample, read_intent_examples, split
from models.intent.question_text import question_key


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


def test_examples_that_share_only_through_others_stay_together() -> None:
    chain = [("a", "1"), ("b", "1"), ("B?", "2"), ("c", "2"), ("C", "3"), ("d", "3")]
    others = [(f"other {n}", f"o{n}") for n in range(60)]
    examples = [
        IntentExample(str(n), question, "", "", session, "simple", "en")
        for n, (question, session) in enumerate([*chain, *others])
    ]
    for seed in range(5):
        assert len({one.split for one in split(examples, seed=seed)[: len(chain)]}) == 1


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
    for one in split(examples, seed=seed):
        where["question", question_key(one.question)].add(one.split)
        if one.session_id:
            where["session", one.session_id].add(one.split)
    assert all(len(splits) == 1 for splits in where.values())


def test_shares_hold_in_every_category_and_the_split_depends_on_the_seed_alone() -> None:
    examples = [IntentExample(str(n), f"question {n}", "", "", "", CATEGORIES[n % 3], "en") for n in range(300)]
    done = split(examples, seed=1)
    for category in CATEGORIES[:3]:
        splits = [one.split for one in done if one.category == category]
        assert (splits.count("train"), splits.count("valid"), splits.count("test")) == (80, 10, 10)
    assert done == split(examples, seed=1)
    assert done != split(examples, seed=2)
