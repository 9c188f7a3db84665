"""Small talk (LittleMu 3.3.2): a prompt from the dialogue so far, or a ready sentence where the model cannot speak."""

from collections.abc import Sequence

from serving.answering.phrases import phrases
from serving.answering.prompts import CHAT, COMFORT, of_course
from serving.messages import Message
from serving.understanding.understand import Understanding

TURNS_KEPT = 6
"""Messages of the history that the model sees; the latest."""

LONGEST_TURN = 400
"""Characters of one of them."""


def chat_prompt(asked: Understanding, history: Sequence[Message], *, course_title: str | None) -> tuple[Message, ...]:
    """Instructions, the latest turns of the dialogue, and what the student says now."""
    template = COMFORT if asked.is_emotional else CHAT
    said = [Message(turn.role, turn.content[:LONGEST_TURN]) for turn in history if turn.role != "system"]
    system = Message("system", template.fill(course=of_course(course_title)))
    return (system, *said[-TURNS_KEPT:], Message("user", asked.question))


def ready_reply(asked: Understanding) -> str:
    """What is said without a model."""
    said = phrases(asked.lang)
    return f"{said.comfort}\n\n{said.hand_off}" if asked.is_emotional else said.greeting


def after_reply(asked: Understanding) -> str:
    """What is added to the model's reply: to a troubled student always the way to a person."""
    return f"\n\n{phrases(asked.lang).hand_off}" if asked.is_emotional else ""
