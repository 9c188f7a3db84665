"""A follow-up of a case means the rule that its answer named, and not a word of the case."""

import pytest
from follow_up_rows import algorithms

from serving.assistant.understanding.answered_subject import name_answered
from serving.assistant.understanding.follow_up_context import lean_on
from serving.assistant.understanding.follow_ups import focus_of, resolve
from serving.llm.messages import Message

CASE = "if I push on a stack after the last call, do I get my item back or not"
RULE = "**The lantern rule says that the last item comes back first.** It's from 1818. [1]"
GRAPH = algorithms()


def after(*turns: str) -> str:
    roles = ("user", "assistant")
    *history, asked = (Message(roles[at % 2], text) for at, text in enumerate(turns))
    focus = focus_of(history, graph=GRAPH)
    resolved = resolve(asked.content, focus=focus, graph=GRAPH)
    leant = None if resolved.is_changed else lean_on(asked.content, focus=focus, graph=GRAPH)
    return (leant or resolved).question


@pytest.mark.parametrize(
    ("question", "answer", "name"),
    [
        (CASE, RULE, "the lantern rule"),
        (CASE, "This probably answers your question:\n\n**Quick sort finds it.** More. [1]", "Quick sort"),
        ("how do I find the shortest way", "**Brook's algorithm finds the shortest way.** [1]", "Brook's algorithm"),
        ("what is a stack", RULE, ""),
        (CASE, "The lantern rule says that the last item comes back first. [1]", ""),
        (CASE, "**It says that the last item comes back.** [1]", ""),
        (CASE, "**The answer is that you get it.** [1]", ""),
        (CASE, "**1. Do I get it back**\n\nYes. [1]", ""),
        ("我把东西压进栈里，还能拿回来吗", "**灯笼规则是指最后的先出来。** 很老了。[1]", "灯笼规则"),
        ("我把东西压进栈里，还能拿回来吗", "**这是因为最后的先出来。** [1]", ""),
    ],
)
def test_an_answer_to_a_case_is_about_what_begins_its_sentence_in_bold(question: str, answer: str, name: str) -> None:
    assert name_answered(question, answer) == name


@pytest.mark.parametrize(
    ("question", "becomes"),
    [
        ("why is it like that?", "Why the lantern rule?"),
        ("does it apply to drawers too?", "does the lantern rule apply to drawers too?"),
        ("give me an example", "give me an example of the lantern rule?"),
        ("what if there are two", "what if there are two (the lantern rule)"),
    ],
)
def test_it_is_the_rule_that_the_answer_to_a_case_named(question: str, becomes: str) -> None:
    assert after(CASE, RULE, question) == becomes


def test_it_stays_the_rule_while_it_is_spoken_of_and_not_behind_another_question() -> None:
    why = "**Somebody has to bear the risk.** [1]"
    assert after(CASE, RULE, "why is it like that?", why, "does it apply to drawers?") == (
        "does the lantern rule apply to drawers?"
    )
    assert after(CASE, RULE, "What is a queue?", "A queue. [1]", "what is it for?") == "what is queue for?"
