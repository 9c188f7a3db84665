"""Who decides on a draft: texts compared first, the model where that is unsure, nobody when nobody is asked to."""

import asyncio
import math
from collections.abc import Collection, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_model import ScriptedModel

from serving.assistant.generation.phrases import ENGLISH
from serving.assistant.reflection.graders import Graders
from serving.assistant.reflection.verdicts import DraftVerdict
from serving.index.evidence import Evidence
from serving.llm.language_model import ChoiceProbabilities, LlmError, LlmUnavailable

QUESTION = "How many late days are there?"
FACTS = [Evidence(1, "a", "faq", "ds", "Late days", "You have five late days for the whole course.")]
COPIED = "You have five late days for the whole course."
INVENTED = "You have seventeen late days, said Professor Miller."
IN_OTHER_WORDS = "Deadlines may slip a handful of times over the term."


def graders(used: Collection[str], model: ScriptedModel | None = None) -> Graders:
    return Graders(used, llm=model, embedder=None, languages=("en",), budget=500, weigh=lambda _: 1.0)


def model(
    choice: str = "yes", likely: Mapping[str, float] | None = None, fails: LlmError | None = None
) -> ScriptedModel:
    return ScriptedModel(lambda _: "", chooses=fails or ChoiceProbabilities(choice, likely or {}))


def grounded(draft: str, used: Collection[str], asked: ScriptedModel | None = None, lang: str = "en") -> DraftVerdict:
    return asyncio.run(graders(used, asked).check_grounding(QUESTION, draft, FACTS, lang))  # type: ignore[arg-type]


def test_what_the_evidence_says_passes_without_a_model() -> None:
    asked = model("no")
    found = grounded(COPIED, ("material", "llm"), asked)
    assert (found.passed, found.by) == (True, "material")
    assert asked.asked == []


def test_numbers_and_names_of_nowhere_fail_for_certain() -> None:
    found = grounded(INVENTED, ("material",))
    assert (found.passed, found.by) == (False, "material")


def test_other_words_alone_are_not_shown_when_nobody_else_is_asked() -> None:
    found = grounded(IN_OTHER_WORDS, ("material",))
    assert not found.passed
    assert found.score < 0.5


def test_what_is_said_of_the_wrong_thing_does_not_pass() -> None:
    found = grounded("You have five late days for the whole exam.", ("material",))
    assert grounded("You do not have five late days for the whole course.", ("material",)).score < found.score


@pytest.mark.parametrize(("choice", "passed"), [("yes", True), ("no", False)])
def test_the_model_is_asked_where_the_texts_leave_it_open(choice: str, *, passed: bool) -> None:
    asked = model(choice, {"yes": 1.0, "no": 0.0} if choice == "yes" else {"yes": 0.0, "no": 1.0})
    found = grounded(IN_OTHER_WORDS, ("material", "llm"), asked)
    assert found.by == "material and llm"
    assert found.passed == passed
    assert len(asked.asked) == 1


def test_the_probability_of_yes_is_the_score_when_only_the_model_is_asked() -> None:
    assert grounded(COPIED, ("llm",), model("no", {"yes": 0.3, "no": 0.7})).score == 0.3


def test_a_server_without_probabilities_still_gives_a_verdict() -> None:
    assert grounded(COPIED, ("llm",), model("no")) == DraftVerdict("grounded", passed=False, score=0.0, by="llm")


def test_a_model_that_fails_leaves_the_verdict_of_the_texts() -> None:
    found = grounded(IN_OTHER_WORDS, ("material", "llm"), model(fails=LlmUnavailable("gone")))
    assert (found.by, found.passed) == ("material", False)


def test_a_model_is_not_asked_in_a_language_it_does_not_read() -> None:
    asked = model("no")
    assert grounded(IN_OTHER_WORDS, ("material", "llm"), asked, lang="zh").by == "material"
    assert asked.asked == []


def test_when_nobody_looks_everything_passes() -> None:
    assert grounded(INVENTED, ("none",)) == DraftVerdict("grounded", passed=True, score=1.0, by="off")


def test_marks_for_unsupported_sentences_are_no_part_of_what_is_graded() -> None:
    assert grounded(f"{COPIED} {ENGLISH.unsupported}", ("material",)).score == grounded(COPIED, ("material",)).score


@pytest.mark.parametrize(
    ("draft", "passed"), [("There are five late days.", True), ("I don't know.", False), ("", False)]
)
def test_an_abstention_and_an_empty_text_answer_nothing(draft: str, *, passed: bool) -> None:
    found = asyncio.run(graders(("material",)).answers(QUESTION, draft, "en"))
    assert found.passed == passed


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_whatever_is_written_there_is_a_verdict(question: str, draft: str) -> None:
    both = graders(("material",))
    for found in (
        asyncio.run(both.check_grounding(question, draft, FACTS, "en")),
        asyncio.run(both.answers(question, draft, "en")),
    ):
        assert math.isfinite(found.score)
        assert 0 <= found.score <= 1
