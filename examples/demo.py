"""`make demo`: build the sample courses, start vLLM and the gateway, ask, examine the model, stop.

The questions go through the gateway with the `openai` client, as any consumer's would.
"""

import asyncio
import sys
import time
from contextlib import ExitStack
from dataclasses import replace

import openai
from openai.types.chat import ChatCompletion
from rich.console import Console
from rich.markup import escape

from orchestration.cli.ask_command import in_bold
from orchestration.cli.build_command import build_home
from orchestration.cli.exam_command import hold_exam
from orchestration.cli.main import quiet_logs
from orchestration.cli.services import (
    ending_cleanly,
    gateway_spec,
    model_server,
    model_server_spec,
    running_model_server,
    start_service,
    wait_with_progress,
)
from serving.exam.admission import Admission
from serving.llm.processes import free_port
from serving.settings import ModelServerSettings, Settings

COURSE = "data-structures"
EXAM_SECONDS = 120.0
"""How long the model is examined here; `coteach model examine` takes as long as COTEACH_EXAM_SECONDS says."""
COMPARISON = "Compare linked lists and dynamic arrays."
QUESTIONS = (
    ("answered in the FAQ", "When are the quizzes and assignments due?"),
    ("a comparison", COMPARISON),
    ("what to know first", "What should I know before learning Dijkstra's algorithm?"),
    ("not in the material", "Who invented the linked list?"),
    ("a greeting", "Hello, how are you today?"),
)


def main() -> int:
    """Return the exit code: 0 when every question got an answer."""
    quiet_logs(version=False)
    console = Console(highlight=False)
    settings, chosen = Settings(), ModelServerSettings()
    began = time.monotonic()
    with ending_cleanly(), ExitStack() as stack:
        url = running_model_server(settings, chosen)
        waiting = []
        if url is None:
            server = model_server(chosen)
            url = server.url
            # The model server needs half a minute to start and the build may need minutes: they run side by side.
            spec = model_server_spec(server, settings.data_dir, chosen.vllm_start_seconds)
            waiting.append(stack.enter_context(start_service(spec)))
        console.rule("1. Build the sample courses")
        if build_home(console, only=[], dry_run=False):
            return 1
        console.rule("2. Start the model server and the gateway")
        port = free_port(settings.port, settings.host)
        composing = gateway_spec(settings, url, port)  # the exam below asks the same server
        composing = replace(composing, environment={**composing.environment, "COTEACH_MODEL_ADMISSION": "never"})
        waiting.append(stack.enter_context(start_service(composing)))
        for process in waiting:
            wait_with_progress(console, process)
        console.rule("3. Ask")
        with openai.OpenAI(base_url=f"http://{settings.host}:{port}/v1", api_key="none", max_retries=0) as client:
            for kind, question in QUESTIONS:
                _ask(console, client, kind, question)
        console.rule("4. May the model write?")
        _examine(console, settings, url)
    console.print(f"\nEverything is stopped again. {time.monotonic() - began:.0f} s in all.")
    return 0


def _ask(console: Console, client: openai.OpenAI, kind: str, question: str) -> None:
    started_at = time.perf_counter()
    reply = client.chat.completions.create(
        model=f"coteach:{COURSE}", messages=[{"role": "user", "content": question}], timeout=180
    )
    seconds = time.perf_counter() - started_at
    console.print(f"\n[bold]{question}[/bold]  ({kind})")
    console.print(in_bold((reply.choices[0].message.content or "").strip()), highlight=False)
    facts = _facts(reply)
    told = f"route {facts.get('route', 'unknown')}, coverage {facts.get('coverage', 'unknown')}, {seconds:.2f} s"
    console.print(f"[dim]{told}[/dim]")


def _examine(console: Console, settings: Settings, url: str) -> None:
    """The model in the exam of the sample courses, what it would have written, and how to let a better one in."""
    console.print("The model is asked the exam of the courses; students get composed answers until it has passed.")
    admission = asyncio.run(hold_exam(settings, url, seconds=EXAM_SECONDS))
    console.print(f"\n[bold]{escape(_name(admission))}: {escape(admission.summary)}[/bold]", highlight=False)
    failed = next((example for one in admission.standings for example in one.examples), None)
    if failed is not None:
        console.print(f"\n{escape(failed.question)}  (what it would have written; failed by: {failed.mark})")
        console.print(escape(failed.answer))
    console.print(
        "[dim]COTEACH_LLM names another model and COTEACH_LLM_URL another server: it is examined when it is first met. "
        "All marks: coteach model examine[/dim]"
    )


def _name(admission: Admission) -> str:
    """The model as people call it."""
    folder = admission.model.rsplit(" ", 1)[0].rstrip("/").rsplit("/", 1)[-1]
    return "SmolLM2-135M" if folder.startswith("smollm2-135m") else folder


def _facts(reply: ChatCompletion) -> dict[str, object]:
    """What coteach adds to an OpenAI reply: route, references, reasoning, timings."""
    return dict((reply.model_extra or {}).get("coteach", {}))


if __name__ == "__main__":
    sys.exit(main())
