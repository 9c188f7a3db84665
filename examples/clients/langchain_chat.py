"""LangChain, by the Responses API, whose annotations it keeps, streamed too; of chat completions it drops them."""

import json
import os
from typing import Any

from langchain_openai import ChatOpenAI

MODEL = os.environ.get("COTEACH_MODEL", "coteach:data-structures")
QUESTION = os.environ.get("COTEACH_QUESTION", "What is a stack?")


def citations_of(message: Any) -> list[dict[str, str]]:
    noted = [one for part in message.content for one in part.get("annotations", [])]
    return [{"title": one["title"], "url": one["url"]} for one in noted]


def main() -> None:
    llm = ChatOpenAI(model=MODEL, use_responses_api=True)  # OPENAI_BASE_URL and OPENAI_API_KEY
    answer = llm.invoke(QUESTION)
    streamed: Any = None
    for part in llm.stream(QUESTION):
        streamed = part if streamed is None else streamed + part
    told = {"text": answer.text, "citations": citations_of(answer), "streamed": citations_of(streamed)}
    print(json.dumps(told))


main()
