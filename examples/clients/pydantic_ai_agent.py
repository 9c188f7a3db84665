"""pydantic-ai: an answer as text by the Responses API, and as the published answer object by its schema."""

import json
import os
from typing import Any

from answer_object import AnswerObject
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel, OpenAIResponsesModelSettings

MODEL = os.environ.get("COTEACH_MODEL", "coteach:data-structures")
QUESTION = os.environ.get("COTEACH_QUESTION", "What is a stack?")


def main() -> None:
    settings = OpenAIResponsesModelSettings(openai_include_raw_annotations=True)
    said = Agent(OpenAIResponsesModel(MODEL), model_settings=settings).run_sync(QUESTION)
    parts: Any = [part for message in said.all_messages() for part in message.parts]
    noted = [one for part in parts for one in (getattr(part, "provider_details", None) or {}).get("annotations", [])]
    typed = Agent(OpenAIChatModel(MODEL), output_type=NativeOutput(AnswerObject, strict=True)).run_sync(QUESTION)
    told = {
        "text": said.output,
        "citations": [{"title": one["title"], "url": one["url"]} for one in noted],
        "typed": [{"title": one.label, "url": one.url} for one in typed.output.references],
    }
    print(json.dumps(told))


main()
