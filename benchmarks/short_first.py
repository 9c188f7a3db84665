"""What shorter questions wait under load, beside the order in which they came; and what it costs the longer ones.

    COTEACH_HOME=data .venv/bin/python benchmarks/short_first.py [--rates 15,30,60] [--seconds 20] [--runs 2]
        [--llm http://127.0.0.1:8100/v1]

Before the gateway: questions come at a fixed rate, one of five long, the others short, to a gateway that lets the
shorter go first and to one that does not, in turn. Before the model server, if one is named that works on
eight requests at once: choices between options, greetings and answers from material, as the assistant sends them, come
within a few seconds through a client with a line and through one without, whose requests the server orders itself.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from gateway_load import PATH, Connection, bodies_of, free_port, gateways

from knowledge_graph.lake.home import DataDir
from serving.llm.client import LlmTimes, OpenAiModel
from serving.llm.messages import Message
from serving.llm.vllm import Hardware, requests_at_once
from serving.llm.waiting_line import WaitingLine
from serving.settings import Settings

SEED = 22
LONG_EACH = 5
"""One question of so many is long."""
LONG_CHARACTERS = 2500
ARRIVING_S = 3.0
"""Within so many seconds the requests to the model server come."""
REQUESTS = {"choice": 12, "greeting": 12, "answer": 24}
ANSWER_TOKENS = 256

Asked = tuple[str, bytes]
"""The kind of a question, and the body of its request."""

Waits = dict[str, list[float]]
"""Seconds, by kind."""


def questions(home: Path, short: Path, count: int) -> list[Asked]:
    """Requests with their kind: short ones are stored questions, long ones tell first what a lecture says."""
    bodies = [json.loads(line) for line in short.read_text().splitlines()[:count]]
    course = bodies[0]["model"].partition(":")[2]
    said = pq.read_table(DataDir(home).table("passages", course), columns=["text"])["text"].to_pylist()
    order = random.Random(SEED)
    found = []
    for number, body in enumerate(bodies):
        kind = "long" if number % LONG_EACH == 0 else "short"
        if kind == "long":
            asked = body["messages"][0]["content"]
            told = " ".join(order.sample(said, min(len(said), 40)))[:LONG_CHARACTERS]
            body["messages"][0]["content"] = f"{told}\n\n{asked}"
        found.append((kind, json.dumps(body).encode()))
    return found


class Client:
    """Keeps its connections, and opens one again that the server closed, as HTTP clients do."""

    def __init__(self, port: int) -> None:
        self._port, self._free = port, list[Connection]()

    async def ask(self, body: bytes) -> int:
        """The status of the answer, read to its end."""
        connection = self._free.pop() if self._free else Connection(self._port)
        try:
            status = await connection.send(PATH, body)
        except (OSError, asyncio.IncompleteReadError):
            connection = Connection(self._port)
            status = await connection.send(PATH, body)
        self._free.append(connection)
        return status


async def came(port: int, asked: Sequence[Asked], rate: float) -> tuple[Waits, dict[str, int]]:
    """What each question waited for its answer, at so many a second whether or not answers come; and the refused."""
    client = Client(port)
    waits: Waits = {"short": [], "long": []}
    refused = {"short": 0, "long": 0}
    began = time.perf_counter()

    async def one(kind: str, body: bytes, due: float) -> None:
        status = await client.ask(body)
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            refused[kind] += 1
        elif status == HTTPStatus.OK:
            waits[kind].append(time.perf_counter() - due)
        else:
            raise SystemExit(f"A {kind} question was answered with {status}.")

    tasks = []
    for number, (kind, body) in enumerate(asked):
        due = began + number / rate
        await asyncio.sleep(max(due - time.perf_counter(), 0))
        tasks.append(asyncio.create_task(one(kind, body, due)))
    await asyncio.gather(*tasks)
    return waits, refused


def before_the_gateway(home: Path, *, rates: Sequence[float], seconds: float, runs: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        asked = questions(home, bodies_of(home, 20_000, scratch)[0], 20_000)
        passing = {"as they came": 0.0, "short first": Settings().short_first_seconds}
        for run in range(runs):
            for name, passing_s in passing.items():
                chosen = {"COTEACH_SHORT_FIRST_SECONDS": str(passing_s), "COTEACH_CONCURRENT_ANSWERS": "0"}
                with gateways(home, scratch, free_port(), 1, **chosen) as ([port], _):
                    asyncio.run(came(port, asked[:60], 6))  # what is loaded once
                    begin = 60
                    for rate in rates:
                        waits, refused = asyncio.run(came(port, asked[begin : begin + int(rate * seconds)], rate))
                        begin += int(rate * seconds)
                        load = os.getloadavg()[0]
                        yield (
                            f"gateway, {rate:.0f} a second, {name}, run {run + 1}: {told(waits)}; refused {refused}; "
                            f"load {load:.1f}"
                        )


def requests() -> list[tuple[str, float]]:
    """Kinds of requests and when they come, in seconds; the same each time."""
    order = random.Random(SEED)
    kinds = [kind for kind, count in REQUESTS.items() for _ in range(count)]
    return [(kind, order.uniform(0, ARRIVING_S)) for kind in kinds]


def material(number: int) -> list[Message]:
    """A prompt as long as one with material, different from every other from its beginning."""
    notes = " ".join(
        f"Note {number}.{place}: a heap of {place} keys has its smallest at the root." for place in range(60)
    )
    return [Message("system", "Answer from the notes."), Message("user", f"{notes}\n\nWhat is a heap?")]


async def first_words(model: OpenAiModel, messages: Sequence[Message], most: int) -> None:
    """Until the answer is whole: what matters to a student who waits is all of it."""
    async for _ in model.stream(messages, max_tokens=most, temperature=0.5):
        pass


async def of_the_model(line: WaitingLine, url: str, salt: int) -> Waits:
    """What each request waited for its answer, by kind, through a client with this line."""
    model = OpenAiModel(url, times=LlmTimes(first_token=300, whole=300, stall=60), line=line)
    await model.model_name()
    waits: Waits = {kind: [] for kind in REQUESTS}

    def work(kind: str, number: int) -> Coroutine[Any, Any, object]:
        if kind == "choice":
            return model.choose([Message("user", f"{number}. Is a heap a tree? Say A for yes, B for no.")], ["A", "B"])
        if kind == "greeting":
            return first_words(model, [Message("user", f"{number}. Hello, how are you?")], 30)
        return first_words(model, material(number), ANSWER_TOKENS)

    async def one(kind: str, due: float, number: int) -> None:
        await asyncio.sleep(due)
        began = time.perf_counter()
        await work(kind, number)
        waits[kind].append(time.perf_counter() - began)

    await asyncio.gather(*(one(kind, due, salt + number) for number, (kind, due) in enumerate(requests())))
    await model.aclose()
    return waits


def before_the_model(url: str, runs: int) -> Iterator[str]:
    at_once = requests_at_once(Hardware(gpus=0, fast_bfloat16=False))
    lines: dict[str, Callable[[], WaitingLine]] = {
        "as the server orders them": lambda: WaitingLine(0, passing_s=0),
        "short first": lambda: WaitingLine(at_once, passing_s=Settings().short_first_seconds),
    }
    for run in range(runs):
        for place, (name, line) in enumerate(lines.items()):
            waits = asyncio.run(of_the_model(line(), url, 1000 * (2 * run + place)))
            yield f"model server, {name}, run {run + 1}: {told(waits)}"


def told(waits: Waits) -> str:
    found = []
    for kind, seconds in waits.items():
        if len(seconds) > 1:
            cuts = statistics.quantiles(seconds, n=20, method="inclusive")
            found.append(f"{kind} {len(seconds)}, p50 {cuts[9]:.3f}, p95 {cuts[18]:.3f}, longest {max(seconds):.3f} s")
    return "; ".join(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rates", default="15,30,60")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--llm")
    chosen = parser.parse_args()
    settings = Settings()
    rates = [float(one) for one in chosen.rates.split(",")]
    for line in before_the_gateway(settings.home, rates=rates, seconds=chosen.seconds, runs=chosen.runs):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    for line in before_the_model(chosen.llm, chosen.runs) if chosen.llm else ():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
