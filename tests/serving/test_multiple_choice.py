"""The answer to a multiple-choice question: one option named, every option explained, whatever the model writes."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from scripted_model import Reply, ScriptedModel

from knowledge_graph.lake.records import Lang
from serving.assistant.generation.choosing import ChoiceText, answer_choice, whole_choice
from serving.assistant.generation.multiple_choice import (
    ChoiceAnswer,
    ChoiceQuestion,
    OptionExplained,
    answer_text,
    choose_messages,
    explain_messages,
    explanation_parts,
)
from serving.assistant.generation.phrases import phrases
from serving.assistant.understanding.form import question_form
from serving.assistant.understanding.options import Option
from serving.index.evidence import Evidence
from serving.llm.language_model import ChoiceProbabilities, LlmUnavailable, LlmUseless

ASKED = "Which structure is first in, first out?\nA. stack\nB. queue\nC. heap"
QUESTION = ChoiceQuestion(question_form(ASKED).stem, question_form(ASKED).options, "en")
CHOSEN = ChoiceProbabilities("B", {"A": 0.2, "B": 0.5, "C": 0.3})
GOOD = {
    "A. stack": "A stack removes whatever arrived last. Plates in a pile show it.",
    "B. queue": "People waiting in line are served by arrival time.",
    "C. heap": "A heap removes the smallest key, whenever it came.",
}
NO_EXPLANATION = "The model gave no usable explanation for this option."
NOTE = Evidence(1, "e1", "document", "ds", "Notes", "A heap gives the smallest key. A queue serves by arrival.")


def good(prompt: str) -> Reply:
    about = prompt.rpartition("one or two sentences ")[2]
    return next(text for option, text in GOOD.items() if f'"{option.partition(" ")[2]}"' in about)


def answered(
    writes: Callable[[str], Reply],
    *,
    question: ChoiceQuestion = QUESTION,
    chooses: ChoiceProbabilities | LlmUseless = CHOSEN,
) -> ChoiceAnswer:
    return asyncio.run(whole_choice(ScriptedModel(writes, chooses), question))


def test_the_answer_names_one_option_and_explains_every_one_of_them() -> None:
    found = answered(good)
    assert (found.answer, found.chosen_by, found.probabilities) == (Option("B", "queue"), "model", CHOSEN.probabilities)
    assert answer_text(found, "en") == (
        "The answer is B. queue\n\n"
        "A. stack – why it is not the answer: A stack removes whatever arrived last. Plates in a pile show it.\n\n"
        "B. queue – why it is the answer: People waiting in line are served by arrival time.\n\n"
        "C. heap – why it is not the answer: A heap removes the smallest key, whenever it came."
    )
    assert found.is_explained_by_model


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", "it has no whole sentence"),
        ("[1]", "it is too short to explain anything"),
        ("B", "it is too short to explain anything"),
        ("The correct answer is C, as the smallest key goes first.", "it calls C right, and the answer is B"),
        ("Option B is wrong, for arrival plays no part in it.", "it calls B wrong, which is the answer"),
        ("The right option is B. A. stack B. queue C. heap.", "it only says the question again"),
        ("Which structure is first in, first out? Stack, queue, heap.", "it only says the question again"),
        ("You say in one or two sentences why one of its options is right.", "it repeats the instructions"),
    ],
)
def test_words_of_no_use_give_way_to_a_sentence_that_says_so(reply: str, problem: str) -> None:
    found = answered(lambda _: reply)
    assert found.answer.label == "B"
    assert [one.problem for one in found.explanations] == [problem] * 3
    assert {(one.text, one.written_by) for one in found.explanations} == {(NO_EXPLANATION, "coteach")}


def test_where_the_model_explains_nothing_the_material_is_quoted_with_its_mark() -> None:
    found = answered(lambda _: "", question=replace(QUESTION, evidence=(NOTE,)))
    assert [one.text for one in found.explanations] == [
        NO_EXPLANATION,
        "The course material says: “A queue serves by arrival.” [1]",
        "The course material says: “A heap gives the smallest key.” [1]",
    ]


def test_a_model_that_names_no_option_leaves_a_guess_that_is_called_one() -> None:
    question = replace(QUESTION, evidence=(replace(NOTE, text="A heap gives the smallest key."),))
    found = answered(good, question=question, chooses=LlmUseless("it said nothing"))
    assert (found.answer.label, found.chosen_by, found.probabilities) == ("C", "coteach", {})
    assert "no more than a guess, is C. heap" in answer_text(found, "en")


def test_a_server_that_dies_after_the_choice_costs_explanations_and_not_the_answer() -> None:
    def dies(prompt: str) -> Reply:
        return good(prompt) if '"stack"' in prompt else LlmUnavailable("gone")

    found = answered(dies)
    assert (found.answer.label, found.error) == ("B", "LlmUnavailable: gone")
    assert [one.written_by for one in found.explanations] == ["model", "coteach", "coteach"]


def test_a_server_that_is_gone_before_the_choice_is_an_error() -> None:
    model = ScriptedModel(good, LlmUnavailable("gone"))
    with pytest.raises(LlmUnavailable):
        asyncio.run(whole_choice(model, QUESTION))


def test_the_named_option_comes_first_and_then_option_by_option() -> None:
    async def run() -> list[ChoiceText | ChoiceAnswer]:
        return [part async for part in answer_choice(ScriptedModel(good, CHOSEN), QUESTION)]

    *texts, whole = asyncio.run(run())
    assert isinstance(whole, ChoiceAnswer)
    parts = [part for part in texts if isinstance(part, ChoiceText)]
    said = [part.text for part in parts]
    assert said[:3] == ["The answer is B. queue", "\n\nA. stack – why it is not the answer: ", GOOD["A. stack"]]
    assert [text.strip()[:2] for text in said[1::2]] == ["A.", "B.", "C."]
    assert [part.written_by for part in parts] == ["coteach", *["coteach", "model"] * 3]
    assert "".join(said) == answer_text(whole, "en")


def test_a_sentence_of_the_material_is_no_part_of_the_models() -> None:
    async def run() -> list[ChoiceText | ChoiceAnswer]:
        return [part async for part in answer_choice(ScriptedModel(lambda _: "", CHOSEN), QUESTION)]

    parts = [part for part in asyncio.run(run()) if isinstance(part, ChoiceText)]
    assert {part.written_by for part in parts} == {"coteach"}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_said_of_an_option_ends_with_the_explanation(lang: Lang) -> None:
    for is_answer in (True, False):
        begun, text = explanation_parts(OptionExplained(Option("A", "{x} [7]"), is_answer, "why", "model"), lang)
        assert begun.startswith("A. {x} [7]")
        assert text == "why"
        form = phrases(lang).option_is_answer if is_answer else phrases(lang).option_is_not
        assert form.endswith("{text}")


def test_the_tokens_of_all_explanations_are_counted() -> None:
    found = answered(good)
    assert (found.prompt_tokens, found.completion_tokens) == (30, sum(len(text.split()) for text in GOOD.values()))
    unused = answered(lambda _: "B")
    assert (unused.prompt_tokens, unused.completion_tokens) == (30, 3)
    failed = answered(lambda _: LlmUnavailable("gone"))
    assert (failed.prompt_tokens, failed.completion_tokens) == (0, 0)


@pytest.mark.parametrize(
    "told", ["A heap <b>gives</b> the smallest.", "A heap is smallest [3].", "heap: http://x.example/"]
)
def test_the_material_is_not_quoted_where_it_has_markup_marks_or_addresses(told: str) -> None:
    found = answered(lambda _: "", question=replace(QUESTION, evidence=(replace(NOTE, text=told),)))
    assert found.explanations[2].text == NO_EXPLANATION


def test_a_student_who_leaves_stops_the_writing() -> None:
    async def run() -> int:
        parts = answer_choice(ScriptedModel(good, CHOSEN), QUESTION)
        await anext(parts)
        await anext(parts)
        await parts.aclose()
        return len([task for task in asyncio.all_tasks() if task is not asyncio.current_task()])

    assert asyncio.run(run()) == 0


def test_all_prompts_about_a_question_begin_alike() -> None:
    """The model server's prefix cache then reads question and options once."""
    question = replace(QUESTION, evidence=(NOTE,), course_title="Data structures")
    first, second = (explain_messages(question, about, 1) for about in (0, 2))
    assert first[0] == second[0]
    chosen_by = choose_messages(question)[1].content
    shared = first[1].content.partition("Explain in one or two sentences")[0]
    assert second[1].content.startswith(shared)
    assert question.stem in shared
    assert question.stem in chosen_by
    assert first[1].content.endswith('what "stack" means and why it is not the answer.')


def test_a_prompt_holds_three_pieces_of_evidence_and_their_beginnings() -> None:
    notes = tuple(replace(NOTE, number=number, text=f"Note {number}. " + "word " * 100) for number in range(1, 6))
    prompt = choose_messages(replace(QUESTION, evidence=notes))[1].content
    assert [f"[{number}] Note {number}." in prompt for number in range(1, 6)] == [True, True, True, False, False]
    assert len(prompt) < 3 * 250 + 200


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ((Option("a", "x"), Option("b", "y")), ["a", "b"]),
        ((Option("1", "x"), Option("2", "y")), ["1", "2"]),
        ((Option("①", "x"), Option("②", "y")), ["A", "B"]),
        (tuple(Option(str(number), "x") for number in range(1, 11)), list("ABCDEFGHIJ")),
    ],
)
def test_the_model_sees_usual_labels_and_the_student_their_own(options: tuple[Option, ...], shown: list[str]) -> None:
    question = ChoiceQuestion("Which?", options, "en")
    assert [option.label for option in question.options_for_model] == shown
    found = answered(
        lambda _: "", question=question, chooses=ChoiceProbabilities(shown[1], {shown[0]: 0.4, shown[1]: 0.6})
    )
    assert found.answer == options[1]
    assert dict(found.probabilities) == {options[0].label: 0.4, options[1].label: 0.6}


def test_a_chinese_question_is_answered_in_chinese() -> None:
    options = (Option("A", "栈"), Option("B", "队列"))
    question = ChoiceQuestion("哪一个先进先出？", options, "zh")
    found = answered(lambda _: "排队的人按照来的次序离开。", question=question, chooses=ChoiceProbabilities("B"))
    assert answer_text(found, "zh").startswith("答案是 B. 队列\n\nA. 栈：为什么不是答案：排队的人按照来的次序离开。")
    assert "Answer in Chinese" in explain_messages(question, 0, 1)[0].content


def test_a_choice_needs_two_options() -> None:
    with pytest.raises(ValueError, match="needs 2 to 26 options; this question has 1"):
        ChoiceQuestion("Which?", (Option("A", "x"),), "en")
