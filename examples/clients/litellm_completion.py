"""LiteLLM, its SDK: annotations come with the message, streamed too."""

import json
import os
from typing import Any

import litellm

MODEL = os.environ.get("COTEACH_MODEL", "coteach:data-structures")
QUESTION = os.environ.get("COTEACH_QUESTION", "What is a stack?")


def citations_of(noted: Any) -> list[dict[str, str]]:
    return [{"title": one["url_citation"]["title"], "url": one["url_citation"]["url"]} for one in noted or []]


def main() -> None:
    asked: dict[str, Any] = {"model": f"openai/{MODEL}", "messages": [{"role": "user", "content": QUESTION}]}
    answer: Any = litellm.completion(**asked)
    message = answer.choices[0].message
    streamed: list[Any] = []
    for part in litellm.completion(**asked, stream=True):
        streamed += getattr(part.choices[0].delta, "annotations", None) or []
    told = {
        "text": message.content,
        "citations": citations_of(message.annotations),
        "streamed": citations_of(streamed),
    }
    print(json.dumps(told))


main()
