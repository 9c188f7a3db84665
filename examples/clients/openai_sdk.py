"""The official SDK with strict validation: chat completions and responses, annotations and the extension."""

import json
import os
from typing import Any

from openai import OpenAI

MODEL = os.environ.get("COTEACH_MODEL", "coteach:data-structures")
QUESTION = os.environ.get("COTEACH_QUESTION", "What is a stack?")


def main() -> None:
    client = OpenAI(_strict_response_validation=True)  # OPENAI_BASE_URL and OPENAI_API_KEY
    chat = client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": QUESTION}])
    message = chat.choices[0].message
    cited: list[Any] = [one.url_citation for one in message.annotations or []]

    first = client.responses.create(model=MODEL, input=QUESTION)
    then = client.responses.create(model=MODEL, input="Where is it taught?", previous_response_id=first.id)
    noted: list[Any] = [one for item in first.output for part in item.content for one in part.annotations]
    told = {
        "text": message.content,
        "citations": [{"title": one.title, "url": one.url} for one in cited],
        "responses": [{"title": one.title, "url": one.url} for one in noted],
        "follow_up": then.output_text,
        "route": chat.coteach["route"],
    }
    print(json.dumps(told))


main()
