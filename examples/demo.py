"""`make demo`: build the sample courses, start vLLM and the gateway, ask, show what the model would have written, stop.

The questions go through the gateway with the `openai` client, as any consumer's would.
"""

import sys
import time
from contextlib import ExitStack

import openai
from openai.types.chat import ChatCompletion
from rich.console import Console
from rich.markup import escape

from orchestration.build_command import build_home
from orchestration.services import (
    ending_cleanly,
    gateway_spec,
    model_server,
    model_server_spec,
    running_model_server,
    started,
    wait_with_progress,
)
from serving.processes import free_port
from serving.settings import ModelServerSettings, Settings

COURSE = "data-structures"
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
            waiting.append(stack.enter_context(started(spec)))
        console.rule("1. Build the sample courses")
        if build_home(console, only=[], dry_run=False):
            return 1
        console.rule("2. Start the model server and the gateway")
        port = free_port(settings.port, settings.host)
        waiting.append(stack.enter_context(started(gateway_spec(settings, url, port))))
        for process in waiting:
            wait_with_progress(console, process)
        console.rule("3. Ask")
        with openai.OpenAI(base_url=f"http://{settings.host}:{port}/v1", api_key="none", max_retries=0) as client:
            for kind, question in QUESTIONS:
                _ask(console, client, kind, question)
        console.rule("4. What the model would have written")
        _ask_model(console, url)
    console.print(f"\nEverything is stopped again. {time.monotonic() - began:.0f} s in all.")
    return 0


def _ask(console: Console, client: openai.OpenAI, kind: str, question: str) -> None:
    started_at = time.perf_counter()
    reply = client.chat.completions.create(
        model=f"coteach:{COURSE}", messages=[{"role": "user", "content": question}], timeout=180
    )
    seconds = time.perf_counter() - started_at
    console.print(f"\n[bold]{question}[/bold]  ({kind})")
    console.print(escape((reply.choices[0].message.content or "").strip()))
    facts = _facts(reply)
    told = f"route {facts.get('route', 'unknown')}, coverage {facts.get('coverage', 'unknown')}, {seconds:.2f} s"
    console.print(f"[dim]{told}[/dim]")


def _ask_model(console: Console, url: str) -> None:
    """The same comparison from the model alone: it is not admitted, and no student reads it."""
    with openai.OpenAI(base_url=url, api_key="none", max_retries=0) as client:
        model = client.models.list().data[0].id
        reply = client.chat.completions.create(
            model=model,
            messages=[{"role": "user", "content": COMPARISON}],
            max_tokens=160,
            temperature=0.2,
            timeout=180,
        )
    console.print(f"\n[bold]{COMPARISON}[/bold]  ({escape(model)}, not admitted: nobody has examined it)")
    console.print(escape((reply.choices[0].message.content or "").strip()))
    told = "COTEACH_MODEL_ADMISSION=always would let it answer students; COTEACH_LLM names another model."
    console.print(f"[dim]{told}[/dim]")


def _facts(reply: ChatCompletion) -> dict[str, object]:
    """What coteach adds to an OpenAI reply: route, references, reasoning, timings."""
    return dict((reply.model_extra or {}).get("coteach", {}))


if __name__ == "__main__":
    sys.exit(main())
