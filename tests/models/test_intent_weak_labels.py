"""Labels by rules: what each function sees, what they say together, and what may become an example."""

from collections.abc import Callable

import pytest

from models.intent.labels import weak_functions as functions
from models.intent.labels import weak_labels
from models.intent.labels.categories import Category
from models.intent.labels.examples import IntentExample
from models.intent.labels.files import LabelRow
from models.intent.labels.weak_examples import MOST, WEIGHT, agreement, usable, weak_examples
from models.intent.labels.weak_functions import BELIEFS, FUNCTIONS, QuestionContext, make_context
from models.intent.labels.weak_labels import SURE, WeakLabel, WeakLabeller
from models.intent.labels.wording import wordings_of

SAYS_YES: list[tuple[Callable[[QuestionContext], int], str]] = [
    (functions.greets, "Hello there!"),
    (functions.greets, "老师好，谢谢您呀"),
    (functions.fills, "hahaha ok"),
    (functions.fills, "嗯嗯，好的吧"),
    (functions.feels, "I am so stressed"),
    (functions.feels, "我好难过"),
    (functions.speaks_to_the_assistant, "are you a robot?"),
    (functions.speaks_to_the_assistant, "你叫什么名字"),
    (functions.small_talk, "tell me a joke"),
    (functions.small_talk, "今天天气怎么样"),
    (functions.speaks_of_persons, "guess where I went"),
    (functions.speaks_of_persons, "我昨天去了北京"),
    (functions.names_matters_of_the_course, "when is the homework due"),
    (functions.names_matters_of_the_course, "怎么申请证书"),
    (functions.asks_why, "why does it converge"),
    (functions.asks_why, "为什么要归一化"),
    (functions.asks_how, "how do I invert a matrix"),
    (functions.asks_how, "如何求逆矩阵"),
    (functions.compares, "stack vs queue"),
    (functions.compares, "栈和队列的区别"),
    (functions.wants_an_example, "give an example of a heap"),
    (functions.wants_an_example, "堆的应用"),
    (functions.wants_advice, "can you recommend a way in"),
    (functions.wants_advice, "推荐一种方法"),
]
SAYS_NO: list[tuple[Callable[[QuestionContext], int], str]] = [
    (functions.asks_for_a_definition, "what is a heap"),
    (functions.asks_for_a_definition, "什么是堆"),
    (functions.asks_for_reasoning, "为什么要归一化"),
    (functions.speaks_of_the_course, "is the exam proctored"),
    (functions.is_an_exercise, "下列说法正确的是"),
    (functions.is_an_exercise, "for(i=6;i>4;i--)"),
    (functions.is_long, "a long statement about something that goes on and on and on and on"),
    (functions.names_no_matter_of_the_course, "什么是堆"),
    (functions.asks_what_something_is, "define entropy"),
    (functions.wants_a_definition, "什么是堆"),
    (functions.is_a_term, "时间复杂度"),
    (functions.is_a_term, "binary heap"),
]
SILENT: list[tuple[Callable[[QuestionContext], int], str]] = [
    (functions.speaks_of_the_course, "谢谢老师"),
    (functions.names_matters_of_the_course, "谢谢老师"),
    (functions.greets, "this is history"),
    (functions.greets, "你好，什么是堆？"),
    (functions.fills, "ok, what is a heap"),
    (functions.feels, "what is a heap"),
    (functions.speaks_of_persons, "why do I need a heap"),
    (functions.is_a_term, "why"),
    (functions.wants_a_definition, "what is the difference between a heap and a tree"),
]


@pytest.mark.parametrize(("function", "question"), SAYS_YES)
def test_a_function_says_yes(function: Callable[[QuestionContext], int], question: str) -> None:
    assert function(make_context(question)) == 1


@pytest.mark.parametrize(("function", "question"), SAYS_NO)
def test_a_function_says_no(function: Callable[[QuestionContext], int], question: str) -> None:
    assert function(make_context(question)) == -1


@pytest.mark.parametrize(("function", "question"), SILENT)
def test_a_function_is_silent(function: Callable[[QuestionContext], int], question: str) -> None:
    assert function(make_context(question)) == 0


def test_the_graph_and_the_faq_speak_against_chit_chat() -> None:
    assert functions.names_a_concept(make_context("my heap", names_concept=True)) == -1
    assert functions.names_what_is_taught(make_context("my heap", names_concept=True)) == -1
    assert functions.is_in_the_faq(make_context("where is it", in_faq=True)) == -1
    assert functions.asked_often(make_context("where is it", in_faq=True)) == 1
    assert functions.speaks_of_persons(make_context("my heap", names_concept=True)) == 0


def test_every_function_has_a_belief_of_its_own() -> None:
    names = [each.name for group in FUNCTIONS.values() for each in group]
    assert sorted(names) == sorted(BELIEFS)


@pytest.mark.parametrize("text", ["哈" * 100_000 + "x", " " * 100_000, "好。" * 50_000 + "x", "i am " * 20_000])
def test_hostile_texts_take_no_time(text: str) -> None:
    wordings_of(text)


QUESTIONS: dict[str, Category] = {
    "hello": "general_chat",
    "谢谢老师": "general_chat",
    "are you a robot": "general_chat",
    "我好难过": "emotional_chat",
    "what is a heap": "simple",
    "什么是堆": "simple",
    "when is the homework due": "platform_faq",
    "怎么申请证书": "platform_faq",
    "为什么堆比数组快": "complex",
    "stack vs queue, which is better": "complex",
}


USUAL = [make_context(f"topic {n}") for n in range(200)]
"""What most questions are like: few functions say anything of them."""


def test_what_the_functions_say_together_is_the_category(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weak_labels, "SURE", 0.45)
    questions = [make_context(question) for question in QUESTIONS]
    labels = WeakLabeller.fit([*questions, *USUAL]).label(questions)
    found = {question: label and label.category for question, label in zip(QUESTIONS, labels, strict=True)}
    assert found == QUESTIONS


def test_one_vote_where_the_other_functions_are_silent_is_not_enough_for_a_label() -> None:
    questions = [make_context("hello"), make_context("when is the homework due")]
    sure, unsure = WeakLabeller.fit([*questions, *USUAL]).label(questions)
    assert sure is not None
    assert SURE <= sure.probability <= 1
    assert unsure is None


def test_a_question_on_which_nothing_is_known_gets_no_label() -> None:
    assert WeakLabeller.fit([make_context("heap")]).label([make_context("三文鱼")]) == (None,)


def test_labels_of_people_teach_how_far_a_function_can_be_trusted() -> None:
    jokes = [make_context(f"tell me a joke number {n}") for n in range(400)]
    usual = [make_context(f"topic {n}") for n in range(4_000)]
    naive = WeakLabeller.fit([*jokes, *usual]).chat(jokes)[0]
    taught = WeakLabeller.fit([*jokes, *usual], known=["simple"] * 300).chat(jokes)[0]
    assert taught < naive / 2


def test_nothing_to_learn_from_is_no_error() -> None:
    labeller = WeakLabeller.fit([])
    assert labeller.label([]) == ()
    assert labeller.label([make_context("hello")])[0] is not None


def human(question: str, category: Category, *, split: str = "train", session: str = "") -> IntentExample:
    return IntentExample(f"a/{question}", question, "", "", session, category, "en", split=split)  # type: ignore[arg-type]


def unlabelled(question: str, *, previous: str = "", session: str = "") -> LabelRow:
    return LabelRow(f"b/{question}", question, previous, "Heaps", session, None, "en", "intents/b.csv", 2)


HUMAN = [
    human("what is a stack", "simple"),
    human("what is a queue", "simple", split="test", session="t"),
    human("hello", "general_chat", split="valid", session="v"),
]


def test_nothing_of_a_held_out_example_is_labelled_by_rules() -> None:
    rows = [
        unlabelled("What is a queue?"),
        unlabelled("what is a tree", session="t"),
        unlabelled("what is a list", session="v"),
        unlabelled("and its cost", previous="what is a queue"),
        unlabelled("what is a stack"),
        unlabelled("what is a heap", session="u"),
        unlabelled("What is a heap?"),
    ]
    assert [row.question for row in usable(HUMAN, rows, seed=1)] == ["what is a heap"]


def test_a_weak_example_is_in_train_and_counts_for_less() -> None:
    rows = [unlabelled("what is a heap"), unlabelled("三文鱼")]
    found = weak_examples(HUMAN, rows, names_concept=lambda text: "heap" in text, seed=1)
    (example,) = found.examples
    assert (example.category, example.split, example.label_kind, example.course) == ("simple", "train", "weak", "Heaps")
    assert example.weight == pytest.approx(WEIGHT * example.probability)
    assert 0 < example.weight < 1
    assert (found.questions, found.left_out) == (2, 0)


def test_the_order_of_the_rows_does_not_matter() -> None:
    rows = [unlabelled(f"what is thing {n}") for n in range(50)]
    first = weak_examples(HUMAN, rows, names_concept=lambda _: False, seed=1)
    assert first == weak_examples(HUMAN, rows[::-1], names_concept=lambda _: False, seed=1)


def test_the_number_of_weak_examples_is_bounded() -> None:
    rows = [unlabelled(f"what is thing {n}") for n in range(MOST + 10)]
    assert len(usable([], rows, seed=1)) == MOST


def test_agreement_is_counted_on_the_questions_that_get_a_label() -> None:
    people = [human("a", "simple"), human("b", "general_chat"), human("c", "emotional_chat"), human("d", "other")]
    labels = [WeakLabel("complex", 0.9), WeakLabel("emotional_chat", 0.9), WeakLabel("simple", 0.9), None]
    found = agreement(people, labels)
    assert (found.questions, found.coverage, found.category_accuracy) == (4, 0.75, 0)
    assert found.chat_accuracy == pytest.approx(2 / 3)
    assert found.chat_f1 == pytest.approx(2 / 3)
    assert agreement([], []).chat_f1 is None
