"""instructor: the published answer object, by its schema."""

import json
import os
from typing import Any

import instructor
from answer_object import AnswerObject
from openai import OpenAI

MODEL = os.environ.get("COTEACH_MODEL", "coteach:data-structures")
QUESTION = os.environ.get("COTEACH_QUESTION", "What is a stack?")


def main() -> None:
    client: Any = instructor.from_openai(OpenAI(), mode=instructor.Mode.JSON_SCHEMA)
    found = client.chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": QUESTION}], response_model=AnswerObject
    )
    told = {"text": found.answer, "citations": [{"title": one.label, "url": one.url} for one in found.references]}
    print(json.dumps(told))


main()
