"""How the tests here talk to what runs: the command line as a person types it, the gateway as a client sees it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from openai.types.chat import ChatCompletion

PROJECT = Path(__file__).resolve().parents[2]
SAMPLES = PROJECT / "examples" / "courses"

COMPARISON = "Compare AVL trees and hash tables for looking up keys."
FAQ_QUESTION = "When are the quizzes and assignments due?"
GREETING = "Hello, how are you today?"

Json = dict[str, Any]


def coteach_command(*arguments: str, home: Path) -> list[str]:
    return [sys.executable, "-m", "orchestration.cli.main", *arguments, "--home", str(home)]


def coteach(*arguments: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run one verb of the command line to its end."""
    return subprocess.run(
        coteach_command(*arguments, home=home),
        env=dict(os.environ) | environment,
        capture_output=True,
        text=True,
        timeout=800,
        check=False,
    )


@dataclass(frozen=True)
class Gateway:
    """A running gateway by its address, without `/v1`."""

    address: str

    def get(self, url: str) -> httpx.Response:
        """A page of the gateway, as JSON; `url` is a path or the absolute address of a reference."""
        absolute = url if url.startswith("http") else self.address + url
        return httpx.get(absolute, headers={"accept": "application/json"}, timeout=30)

    def health(self) -> Json:
        found: Json = self.get("/healthz").json()
        return found

    def stream(self, question: str, *, course: str) -> Iterator[Json]:
        """The events of a streamed answer, as they come; the `[DONE]` at the end is `{"done": True}`."""
        body = {"model": f"coteach:{course}", "stream": True, "messages": [{"role": "user", "content": question}]}
        with httpx.stream("POST", f"{self.address}/v1/chat/completions", json=body, timeout=180) as reply:
            assert reply.status_code == 200
            for line in reply.iter_lines():
                if line and not line.startswith(":"):  # a comment keeps the connection alive
                    event = line.removeprefix("data: ")
                    yield {"done": True} if event == "[DONE]" else json.loads(event)


def text_of(event: Json) -> str:
    """The text that one streamed event adds."""
    choices = event.get("choices") or [{"delta": {}}]
    return str(choices[0]["delta"].get("content") or "")


def extension(reply: ChatCompletion) -> Json:
    """The field `coteach` of a reply: route, references, trace id."""
    found: Json = (reply.model_extra or {})["coteach"]
    return found
