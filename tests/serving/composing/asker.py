"""`Asker`: asks an assistant one question after another, as one student would."""

import asyncio

from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.llm.messages import Message


class Asker:
    def __init__(self, assistant: Assistant) -> None:
        self.assistant = assistant

    def __call__(self, *questions: str, course_id: str = "ds") -> Answer:
        history: list[Message] = []
        for question in questions:
            answer = asyncio.run(self.assistant.answer(question, course_id=course_id, history=tuple(history)))
            history += [Message("user", question), Message("assistant", answer.text)]
        return answer
