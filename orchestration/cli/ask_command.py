"""What `coteach ask` and `coteach status` do and print."""

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import ExitStack, aclosing
from pathlib import Path

import httpx
from rich.console import Console
from rich.markup import escape

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import TableDamaged, read_rows, read_table
from models.intent.release.aliases import disagreement
from models.tracking.place import place_of
from models.tracking.reaching import MlflowUnusable
from models.versions import current_version
from orchestration.cli.services import (
    counting,
    ending_cleanly,
    model_server,
    model_server_spec,
    running_model_server,
    start_service,
    wait_with_progress,
)
from serving.assistant.answer import Answer
from serving.gateway.access import course_for
from serving.gateway.chat_schemas import LONGEST_QUESTION
from serving.gateway.knowledge import find_damaged_artefacts, load_knowledge, missing_artefacts
from serving.llm.language_model import AS_SERVED, ChoiceProbabilities, Completion, LlmUnavailable, Sampling, StreamChunk
from serving.llm.messages import Message
from serving.llm.model_client import ServedModel, open_model, open_models, open_reranker
from serving.llm.processes import answers
from serving.settings import ModelServerSettings, Settings
from serving.store.caller import Caller


class ModelOnDemand:
    """A language model whose server is started when it is first needed: most questions need none."""

    def __init__(self, settings: Settings, chosen: ModelServerSettings, stack: ExitStack, console: Console) -> None:
        self._settings, self._chosen, self._stack, self._console = settings, chosen, stack, console
        self._model: ServedModel | None = None

    async def model_name(self) -> str:
        return await (await self._open()).model_name()

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, sampling: Sampling = AS_SERVED
    ) -> AsyncGenerator[StreamChunk, None]:
        model = await self._open()
        written = model.stream(messages, max_tokens=max_tokens, temperature=temperature, sampling=sampling)
        async with aclosing(written) as pieces:
            async for piece in pieces:
                yield piece

    async def complete(
        self, messages: Sequence[Message], *, max_tokens: int = 256, temperature: float = 0.2
    ) -> Completion:
        model = await self._open()
        return await model.complete(messages, max_tokens=max_tokens, temperature=temperature)

    async def choose(self, messages: Sequence[Message], choices: Sequence[str]) -> ChoiceProbabilities:
        model = await self._open()
        return await model.choose(messages, choices)

    async def count_tokens(self, text: str) -> int | None:
        model = await self._open()
        return await model.count_tokens(text)

    async def is_alive(self) -> bool:
        return self._model is not None and await self._model.is_alive()

    async def aclose(self) -> None:
        if self._model is not None:
            await self._model.aclose()

    async def _open(self) -> ServedModel:
        if self._model is None:
            url = running_model_server(self._settings, self._chosen) or await asyncio.to_thread(self._start)
            self._model = open_model(self._settings.model_copy(update={"llm_url": url}))
            assert self._model is not None
        return self._model

    def _start(self) -> str:
        try:
            server = model_server(self._chosen)
            spec = model_server_spec(server, self._settings.data_dir, self._chosen.vllm_start_seconds)
            wait_with_progress(self._console, self._stack.enter_context(start_service(spec)))
        except CoteachError as error:
            raise LlmUnavailable(str(error)) from error
        return server.url


ANYBODY = Caller("", "admin")
"""Who asks on the command line: somebody with the home itself, and so with every course."""


def ask(console: Console, question: str, *, course: str | None, as_json: bool) -> int:
    """Answer one question in this process and print it. Returns the exit code."""
    chosen = ModelServerSettings()
    settings = counting(Settings(), chosen)
    question = question.encode("utf-8", "replace").decode().strip()  # a terminal may hand over half a character
    if not 0 < len(question) <= LONGEST_QUESTION:
        raise CoteachError(f"A question has 1 to {LONGEST_QUESTION} characters; this one has {len(question)}.")
    if missing := missing_artefacts(settings.data_dir):
        console.print(
            f"Nothing to answer from in {settings.home}: {', '.join(missing)} missing. Run `coteach build`.",
            style="red",
        )
        return 1
    progress = Console(stderr=True)
    with ending_cleanly(), ExitStack() as stack:
        started_at = time.perf_counter()
        answer = asyncio.run(_answer(ModelOnDemand(settings, chosen, stack, progress), settings, question, course))
        seconds = time.perf_counter() - started_at
    if as_json:
        console.print_json(json.dumps(answer_facts(answer, seconds), ensure_ascii=False))
    else:
        print_answer(console, answer, seconds)
    return 0


async def _answer(model: ModelOnDemand, settings: Settings, question: str, course: str | None) -> Answer:
    async with httpx.AsyncClient() as client:
        reranker = open_reranker(settings, model, client)
        own = open_models(settings).own
        knowledge = load_knowledge(settings, model, own_models=own, reranker=reranker)
        try:
            return await knowledge.assistant.answer(
                question, course_id=course_for(ANYBODY, course, knowledge.course_ids)
            )
        finally:
            for one in (model, *own.values()):
                if one is not None:
                    await one.aclose()


def answer_facts(answer: Answer, seconds: float) -> dict[str, object]:
    """An answer as a script reads it."""
    return {
        "answer": answer.text,
        "route": answer.route,
        "notice": answer.notice,
        "degraded": answer.degraded,
        "references": [
            {"number": one.number, "label": one.label, "title": one.title, "source": one.source}
            for one in answer.references
        ],
        "seconds": round(seconds, 2),
        "trace_id": answer.trace.trace_id,
    }


def in_bold(text: str) -> str:
    """An answer for a terminal: what its Markdown has in bold is bold."""
    return _BOLD.sub(r"[bold]\1[/bold]", escape(text))


_BOLD = re.compile(r"\*\*(?!\s)([^*\n]{1,1000}+)(?<!\s)\*\*")


def print_answer(console: Console, answer: Answer, seconds: float) -> None:
    """An answer as a person reads it."""
    console.print(in_bold(answer.text.strip()), highlight=False)
    console.print()
    for one in answer.references:
        console.print(f"  [{one.number}] {escape(one.label)}", highlight=False, markup=False)
    tail = f" — {answer.notice}" if answer.notice else ""
    console.print(f"  route {answer.route}, {seconds:.1f} s{tail}", style="dim", highlight=False)


def home_status(settings: Settings, chosen: ModelServerSettings) -> dict[str, object]:
    """What the home holds, whether a question could be answered from it, and what is running."""
    data_dir = settings.data_dir
    missing = missing_artefacts(data_dir)
    damaged = [] if missing else find_damaged_artefacts(settings)
    return {
        "home": str(settings.home.absolute()),
        "ready": not missing and not any(one.is_needed for one in damaged),
        "missing": missing,
        "damaged": [one.reason for one in damaged],
        "courses": _courses(data_dir),
        "index": current_version(data_dir.index),
        "intent_model": current_version(data_dir.intent),
        "mlflow": place_of(data_dir).server or "in the home",
        "warning": _disagreement(data_dir),
        "gateway": answers(f"http://{settings.host}:{settings.port}/healthz"),
        "model_server": running_model_server(settings, chosen),
    }


def _disagreement(data_dir: DataDir) -> str | None:
    """What is amiss with MLflow's champion, or with the server that would know."""
    try:
        return disagreement(data_dir)
    except MlflowUnusable as error:
        return str(error)


def _courses(data_dir: DataDir) -> list[dict[str, object]]:
    """Each course with its sizes, as far as its tables can be read."""
    try:
        courses = read_rows(data_dir.graph_courses)
    except (FileNotFoundError, TableDamaged):
        return []
    return [
        {name: course[name] for name in ("course_id", "title", "lang")} | _sizes(data_dir, course["course_id"])
        for course in courses
    ]


def _sizes(data_dir: DataDir, course_id: str) -> dict[str, int | None]:
    videos = _column(data_dir.table("cues", course_id), "video_id")
    concepts = _column(data_dir.table("concepts", course_id), "concept_id")
    return {
        "videos": None if videos is None else len(set(videos)),
        "cues": None if videos is None else len(videos),
        "concepts": None if concepts is None else len(concepts),
    }


def _column(path: Path, name: str) -> list[str] | None:
    """`None` where the table is missing or damaged."""
    try:
        found: list[str] = read_table(path, [name]).column(name).to_pylist()
    except (FileNotFoundError, TableDamaged):
        return None
    return found


def print_status(console: Console, facts: dict[str, object]) -> None:
    """The status as a person reads it."""
    for name, value in facts.items():
        if name == "courses" and isinstance(value, list):
            for course in value:
                sizes = ", ".join(f"{_count(course[key])} {key}" for key in ("videos", "cues", "concepts"))
                console.print(f"  course        {course['course_id']} ({course['lang']}): {sizes}", highlight=False)
        elif name not in ("missing", "damaged", "warning") or value:
            console.print(f"  {name.replace('_', ' '):13} {_display(value)}", highlight=False)


def _count(number: int | None) -> str:
    return "unreadable" if number is None else str(number)


def _display(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
