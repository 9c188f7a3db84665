"""The structured prompt: what it drops first, what can be cited, and the policy in it."""

from dataclasses import replace

import pytest
from filled import CARD, EVIDENCE, POLICY, QUESTION
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.sources.policy import LONGEST_POLICY
from serving.assistant.generation.chain_of_teach import estimate_tokens
from serving.assistant.generation.policy import policy_of, with_policy
from serving.assistant.generation.xml_context import AnsweredExample, ContextPrompt, context_prompt, document

EXAMPLES = (AnsweredExample("How long is the report?", "20 pages."), AnsweredExample("Who reads it?", "Two examiners."))
PREVIOUS = ("Who is my supervisor?", "May I miss a meeting?")


def prompt(budget: int = 2000, **changes: int) -> ContextPrompt:
    return context_prompt(
        QUESTION,
        evidence=EVIDENCE,
        lang="en",
        budget=budget,
        previous=PREVIOUS,
        examples=EXAMPLES,
        policy=POLICY,
        course_title=CARD.title,
        **changes,
    )


def size(made: ContextPrompt) -> int:
    return sum(estimate_tokens(message.content) for message in made.messages)


def test_a_tight_budget_drops_examples_then_old_questions_then_the_last_evidence() -> None:
    seen = []
    for budget in range(700, 0, -5):
        made = prompt(budget)
        left = (len(made.examples), made.previous, len(made.evidence))
        if left not in seen:
            seen.append(left)
    assert seen == [
        (2, PREVIOUS, 4),
        (1, PREVIOUS, 4),
        (0, PREVIOUS, 4),
        (0, PREVIOUS[1:], 4),
        (0, (), 4),
        (0, (), 3),
        (0, (), 2),
        (0, (), 1),
        (0, (), 0),
    ]


def test_question_and_policy_stay_whatever_the_budget() -> None:
    system, user = prompt(1).messages
    assert "Ask the project coordinator first." in system.content
    assert "Must I come to every meeting" in user.content
    assert prompt(1).is_empty


@given(st.integers(min_value=0, max_value=1500))
def test_the_budget_is_kept_as_long_as_there_is_evidence(budget: int) -> None:
    made = prompt(budget)
    assert made.is_empty or size(made) <= budget


def test_tokens_are_counted_as_the_caller_counts_them() -> None:
    counted = context_prompt("Why?", evidence=EVIDENCE, lang="en", budget=300, count=lambda text: len(text.split()))
    assert len(counted.evidence) == 4
    assert len(context_prompt("Why?", evidence=EVIDENCE, lang="en", budget=300).evidence) < 4


def test_only_evidence_that_can_be_cited_has_a_number() -> None:
    assert prompt().citable == (1, 2, 3)
    assert '<document title="A page">' in prompt().messages[1].content
    assert prompt(citable=9).citable == (1, 2, 3, 4)


def test_a_document_says_article_and_page_or_lecture_and_time() -> None:
    assert document(EVIDENCE[0]).startswith(
        '<document number="1" title="Attendance" file="documents/regulations.pdf" article="5.1.1" page="20">'
    )
    assert 'lecture="Stacks and queues" time="03:12">' in document(EVIDENCE[1])


def test_the_instructions_are_the_same_for_every_question_of_a_course() -> None:
    other = context_prompt("Why?", evidence=EVIDENCE[:1], lang="en", budget=900, policy=POLICY, course_title=CARD.title)
    assert other.messages[0] == prompt().messages[0]


def test_without_previous_questions_and_examples_there_are_no_empty_blocks() -> None:
    made = context_prompt("Why?", evidence=EVIDENCE[:1], lang="zh", budget=900)
    assert "previous" not in made.messages[1].content
    assert "<example" not in made.messages[1].content
    assert made.messages[0].content.endswith("Answer in Chinese.")


@pytest.mark.parametrize("policy", [None, "", " \n\t"])
def test_a_course_without_a_policy_adds_nothing(policy: str | None) -> None:
    assert policy_of(replace(CARD, policy=policy)) is None
    assert with_policy("Be brief.", None) == "Be brief."


def test_a_policy_is_versioned_by_its_text_not_by_its_spacing() -> None:
    same = policy_of(
        replace(CARD, policy="  Ask the project  coordinator first.\n\nThe Board of Examiners comes last.")
    )
    other = policy_of(replace(CARD, policy="Ask anybody."))
    assert POLICY is not None
    assert same is not None
    assert other is not None
    assert same.version == POLICY.version != other.version
    assert len(POLICY.version) == 12


def test_a_long_policy_is_cut_at_a_word_and_says_so() -> None:
    policy = policy_of(replace(CARD, policy="respect " * 400))
    assert policy is not None
    assert policy.is_cut
    assert policy.block.endswith("respect…\n</policy>")
    assert len(policy.block) < LONGEST_POLICY + 30
