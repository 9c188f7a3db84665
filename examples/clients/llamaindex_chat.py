"""LlamaIndex: what it keeps of a reply is `raw`, the official SDK's own object."""

import json
import os
from typing import Any

from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike

MODEL = os.environ.get("COTEACH_MODEL", "coteach:data-structures")
QUESTION = os.environ.get("COTEACH_QUESTION", "What is a stack?")


def main() -> None:
    llm = OpenAILike(
        model=MODEL,
        api_base=os.environ["OPENAI_BASE_URL"],
        api_key=os.environ["OPENAI_API_KEY"],
        is_chat_model=True,
        context_window=4000,
    )
    answer: Any = llm.chat([ChatMessage(role="user", content=QUESTION)])
    noted = answer.raw.choices[0].message.annotations or []
    streamed: list[Any] = []
    for part in llm.stream_chat([ChatMessage(role="user", content=QUESTION)]):
        streamed += [one for choice in part.raw.choices for one in getattr(choice.delta, "annotations", None) or []]
    told = {
        "text": answer.message.content,
        "citations": [{"title": one.url_citation.title, "url": one.url_citation.url} for one in noted],
        "streamed": [{"title": one["url_citation"]["title"], "url": one["url_citation"]["url"]} for one in streamed],
    }
    print(json.dumps(told))


main()
