"""Opens the clients of the servers that the settings name: for the gateway, and for the pipeline without it."""

import httpx

from serving.assistant.retrieval.reranking import HttpReranker, LlmReranker, Reranker
from serving.assistant.retrieval.strategies import judge_prompt
from serving.llm.client import LlmTimes, OpenAiModel
from serving.llm.language_model import LanguageModel
from serving.llm.per_language import PerLanguage, settings_per_language
from serving.llm.replicas import Replicas
from serving.llm.waiting_line import WaitingLine
from serving.settings import Settings

ServedModel = OpenAiModel | Replicas
"""A model behind one address, or behind several."""


def open_model(settings: Settings) -> ServedModel | None:
    """The client of the configured model server, or of all of them; `None` when none is configured."""
    if not settings.llm_urls:
        return None
    most_writing = settings.most_writing
    if len(settings.llm_urls) == 1:
        return _client(settings, settings.llm_urls[0], most_writing)
    return Replicas([_client(settings, url, 0) for url in settings.llm_urls], most_writing=most_writing)


def open_models(settings: Settings) -> PerLanguage[ServedModel | None]:
    """The client of the model that writes in each language."""
    return settings_per_language(settings).map(open_model)


def _client(settings: Settings, url: str, most_writing: int) -> OpenAiModel:
    times = LlmTimes(
        connect=settings.llm_connect_seconds,
        first_token=settings.llm_first_token_seconds,
        stall=settings.llm_stall_seconds,
        whole=settings.deadline_seconds,  # of one request; the assistant holds all of an answer to it together
        probe=settings.llm_probe_seconds,
    )
    return OpenAiModel(
        url,
        model=settings.llm_model,
        api_key=settings.llm_api_key,
        times=times,
        most_writing=most_writing,
        line=WaitingLine(settings.model_requests, passing_s=settings.short_first_seconds),
    )


def open_judge(settings: Settings) -> OpenAiModel | None:
    """The client of the model that judges beside an exam's marks; `None` when none is configured."""
    if settings.exam_judge_url is None:
        return None
    return OpenAiModel(settings.exam_judge_url, model=settings.exam_judge_model, api_key=settings.exam_judge_key)


def open_reranker(settings: Settings, llm: LanguageModel | None, client: httpx.AsyncClient) -> Reranker | None:
    """The reranker that the settings name; `None` for none, and for the served model where there is no model."""
    if settings.reranker == "none":
        return None
    if settings.reranker == "llm":
        return LlmReranker(llm, judge_prompt) if llm is not None else None
    return HttpReranker(settings.reranker, settings.reranker_model, client)
