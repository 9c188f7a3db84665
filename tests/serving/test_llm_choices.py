"""A choice made by the model: by structured outputs, by its words, or not at all; against the stand-in."""

import asyncio
from collections.abc import Mapping
from math import log
from typing import Any

import pytest
from stand_in import stand_in

from serving.llm.client import OpenAiModel
from serving.llm.language_model import ChoiceProbabilities, LlmUnavailable, LlmUseless
from serving.llm.messages import Message
from serving.llm.replies import first_choice

ASKED = [Message("user", "Is it so?")]
YES_NO = ("yes", "no")


def choose(
    says: str, *, likely: Mapping[str, float] | None = None, knows_choices: bool = True, times: int = 1
) -> tuple[ChoiceProbabilities, list[dict[str, Any]]]:
    async def run() -> tuple[ChoiceProbabilities, list[dict[str, Any]]]:
        async with stand_in() as server:
            server.chooses, server.likely, server.knows_choices = says, likely or {}, knows_choices
            model = OpenAiModel(server.url)
            try:
                chosen = [await model.choose(ASKED, YES_NO) for _ in range(times)]
            finally:
                await model.aclose()
            return chosen[-1], server.asked

    return asyncio.run(run())


def test_the_server_is_held_to_the_choices_and_asked_without_chance() -> None:
    _, asked = choose("yes")
    assert asked[0]["structured_outputs"] == {"choice": ["yes", "no"]}
    assert asked[0]["temperature"] == 0


def test_probabilities_are_those_of_the_first_token_over_the_choices_alone() -> None:
    likely = {"yes": log(0.6), "no": log(0.2), "The": log(0.1), " Yes": log(0.05)}
    chosen, _ = choose("yes", likely=likely)
    assert chosen.probabilities == pytest.approx({"yes": 0.65 / 0.85, "no": 0.2 / 0.85})


def test_a_server_that_gives_no_probabilities_still_chooses() -> None:
    assert choose("no")[0] == ChoiceProbabilities("no", {})


def test_a_server_without_structured_outputs_is_asked_again_in_words_and_only_so_from_then_on() -> None:
    chosen, asked = choose("Well, No.", knows_choices=False, times=2)
    assert chosen.choice == "no"
    assert ["structured_outputs" in each for each in asked] == [True, False, False]


def test_what_names_no_choice_is_of_no_use() -> None:
    with pytest.raises(LlmUseless, match="one of yes, no"):
        choose("I cannot say: nothing is known")


def test_a_broken_server_is_not_asked_twice() -> None:
    async def run() -> int:
        async with stand_in("breaks") as server:
            model = OpenAiModel(server.url)
            with pytest.raises(LlmUnavailable):
                await model.choose(ASKED, YES_NO)
            await model.aclose()
            return len(server.asked)

    assert asyncio.run(run()) == 1


@pytest.mark.parametrize(
    ("said", "choices", "expected"),
    [
        ("B", ("A", "B"), "B"),
        ("The answer is B, not A.", ("A", "B"), "B"),
        ("A stack. So: b", ("B", "C"), "B"),
        ("Because", ("A", "B"), None),
        ("yes/no", ("no", "yes"), "yes"),
        ("答案是B。", ("A", "B"), "B"),
    ],
)
def test_the_first_choice_that_stands_alone_counts(said: str, choices: tuple[str, ...], expected: str | None) -> None:
    assert first_choice(said, choices) == expected


def test_tokens_are_counted_by_the_server() -> None:
    async def run() -> int | None:
        async with stand_in() as server:
            model = OpenAiModel(server.url)
            try:
                return await model.count_tokens("four words are here")
            finally:
                await model.aclose()

    assert asyncio.run(run()) == 4
