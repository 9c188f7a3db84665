"""Small talk (LittleMu 3.3.2): a prompt from the dialogue and its background, and what is said whatever a model says.

A troubled student never depends on the model: fixed words stand before and after its reply, and in a crisis there is no
model at all.
"""

from collections.abc import Callable, Sequence

from serving.assistant.generation.background import BackgroundPair, choose_background, latest
from serving.assistant.generation.chain_of_teach import estimate_tokens
from serving.assistant.generation.crisis import in_crisis
from serving.assistant.generation.phrases import phrases
from serving.assistant.generation.prompts import CHAT, CHAT_BACKGROUND, COMFORT, answer_in, of_course
from serving.assistant.guardrails.escaping import neutralise
from serving.assistant.understanding.understand import Understanding
from serving.llm.messages import Message

_NOTED = "I will keep it in mind."
"""What stands as the assistant's reply to the background, so that turns alternate."""

LONGEST_TURN = 400
"""Characters of one turn of the history that the model sees."""


def chat_prompt(
    asked: Understanding,
    history: Sequence[Message],
    *,
    course_title: str | None,
    background: Sequence[BackgroundPair] = (),
    budget: int | None = None,
    count: Callable[[str], int] = estimate_tokens,
) -> tuple[Message, ...]:
    """Instructions with the background knowledge, the latest turns of the dialogue, and what the student says now.

    `background` are the pairs found for the dialogue; those that fit it best are taken, and none for a troubled
    student. Above `budget` tokens it loses background, the least fitting first, then turns, the oldest first.
    """
    turns = list(latest(history))
    pairs = [] if asked.is_emotional else list(choose_background(asked.question, turns, background, asked.lang))
    if all(pair.origin == "opening" for pair in pairs):
        pairs = []  # nothing is known of what is said, and a greeting needs no lesson in greeting
    messages = _compose(asked, turns, pairs, course_title)
    while budget is not None and sum(count(one.content) for one in messages) > budget and (pairs or turns):
        (pairs or turns).pop(0)
        messages = _compose(asked, turns, pairs, course_title)
    return messages


def chat_template(messages: Sequence[Message], asked: Understanding) -> str:
    """The label of the template that a prompt of `chat_prompt` was made with, for the trace."""
    if asked.is_emotional:
        return COMFORT.label
    return f"{CHAT.label} {CHAT_BACKGROUND.label}" if any(one.content == _NOTED for one in messages) else CHAT.label


def ready_reply(asked: Understanding, *, contact: str | None = None) -> str:
    """What is said without a model; in a crisis with the `contact` that the course names."""
    said = phrases(asked.lang)
    if in_crisis(asked.question):
        reach = [said.crisis_contact.format(contact=contact)] if contact else []
        return "\n\n".join([said.crisis, *reach, said.hand_off])
    return f"{said.comfort}\n\n{said.hand_off}" if asked.is_emotional else said.greeting


def before_reply(asked: Understanding) -> str:
    """What is said before the model's reply: to a troubled student, comfort that people wrote."""
    return f"{phrases(asked.lang).comfort}\n\n" if asked.is_emotional else ""


def after_reply(asked: Understanding) -> str:
    """What is added to the model's reply: to a troubled student always the way to a person."""
    return f"\n\n{phrases(asked.lang).hand_off}" if asked.is_emotional else ""


def _compose(
    asked: Understanding, turns: Sequence[Message], pairs: Sequence[BackgroundPair], course_title: str | None
) -> tuple[Message, ...]:
    template = COMFORT if asked.is_emotional else CHAT
    system, user = template.messages(
        course=of_course(course_title), language=answer_in(asked.lang), said=asked.question
    )
    known = CHAT_BACKGROUND.fill(background="\n".join(f"- {pair.text}" for pair in pairs))
    background = (Message("user", known), Message("assistant", _NOTED)) if pairs else ()
    said = (Message(turn.role, neutralise(turn.content[:LONGEST_TURN])) for turn in turns)
    return (system, *background, *said, user)
