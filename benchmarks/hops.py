"""How far a question goes: what is entered between the request and the model's server, and what passes its tokens on.

    .venv/bin/python benchmarks/hops.py --home HOME --course ID ["a question"]

Runs a gateway in this process over HOME, with a temporary store. No model is there: the count ends where its client is
called, and the answer that comes back is the material's. Every helper of the project that was entered counts, so the
figures are larger than a reader's count of steps. What passes tokens on are the async generators that have begun and
not ended, in whichever task they wait.
"""

import argparse
import asyncio
import sys
import tempfile
import threading
from collections.abc import AsyncGenerator
from pathlib import Path
from types import AsyncGeneratorType, CodeType, FrameType
from typing import Any

import httpx

from serving.gateway.app import create_app
from serving.llm.client import OpenAiModel
from serving.llm.language_model import LlmUnavailable, StreamChunk
from serving.settings import Settings
from serving.store.keys import make_key

PROJECT = Path(__file__).resolve().parents[1]
PACKAGES = tuple(f"{PROJECT}/{name}/" for name in ("serving", "knowledge_graph", "models"))
QUESTION = "Why is a stack useful for function calls?"

Place = tuple[str, str]
"""File and function."""


def place_of(code: CodeType) -> Place:
    return str(Path(code.co_filename).relative_to(PROJECT)), code.co_qualname


class Watched:
    """What was entered since it was switched on, and what waits when the model is called, the outermost first."""

    def __init__(self) -> None:
        self.entered: list[Place] = []
        self.waiting: list[Place] = []
        self._begun: list[AsyncGeneratorType[Any, Any]] = []
        self._is_on = False

    def start(self) -> None:
        """Within a running loop, whose hook for generators that begin is called too."""
        self._is_on = True
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        hook = sys.get_asyncgen_hooks().firstiter

        def begin(one: AsyncGenerator[Any, Any]) -> None:
            if isinstance(one, AsyncGeneratorType):
                self._begun.append(one)
            if hook is not None:
                hook(one)

        sys.set_asyncgen_hooks(firstiter=begin)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        if self._is_on and event == "call" and frame.f_code.co_filename.startswith(PACKAGES):
            self.entered.append(place_of(frame.f_code))

    def stream(self, *_: Any, **__: Any) -> AsyncGenerator[StreamChunk, None]:
        """Takes the place of `OpenAiModel.stream`. Raises `LlmUnavailable`."""
        self._is_on = False
        sys.setprofile(None)
        codes = [one.ag_code for one in self._begun if one.ag_frame is not None]
        self.waiting = [place_of(one) for one in codes if one.co_filename.startswith(PACKAGES)]
        raise LlmUnavailable("Nobody is asked here.")


async def ask(settings: Settings, course: str, question: str, watched: Watched) -> None:
    app = create_app(settings)
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://here") as client,
    ):
        key = app.state.service.store.write(lambda db: make_key(db, role="student"))
        body = {"model": f"coteach:{course}", "messages": [{"role": "user", "content": question}], "stream": True}
        watched.start()
        reply = await client.post("/v1/chat/completions", json=body, headers={"Authorization": f"Bearer {key}"})
        reply.raise_for_status()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--course", required=True)
    parser.add_argument("question", nargs="?", default=QUESTION)
    wanted = parser.parse_args()
    watched = Watched()
    OpenAiModel.stream = watched.stream  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            home=wanted.home,
            store_url=f"sqlite:///{folder}/store.db",
            llm_url="http://127.0.0.1:9/v1",
            llm_model="none",
            model_admission="always",
        )
        asyncio.run(ask(settings, wanted.course, wanted.question, watched))
    if not watched.waiting:
        sys.stdout.write("No model was asked: the question is answered without one. Ask why or how.\n")
        return 1
    places = set(watched.entered)
    waiting = watched.waiting
    sys.stdout.write(
        f"{len(places)} functions in {len({file for file, _ in places})} files before the model is called.\n"
        f"{len(waiting)} async generators of {len({file for file, _ in waiting})} files pass its tokens on:\n"
    )
    sys.stdout.write("".join(f"  {file} {function}\n" for file, function in waiting))
    return 0


if __name__ == "__main__":
    sys.exit(main())
