"""The gateway under load: direct answers per second, many open streams, and whether its memory stays flat.

    COTEACH_HOME=data .venv/bin/python benchmarks/gateway_load.py [--pairs 50000] [--requests 20000] [--gateways 2]
        [--runs 1] [--rates 100,150,300,600 --seconds 60]

The gateway is a process of its own over the home's largest course, filled up with generated pairs; the requests come
from another process, and the streams' words from a stand-in of a model server in a third. What a request costs is set
beside the same number of requests to `/livez`, which only says that the process is there. Then the same rate goes to
several gateways over one store, in turn, as a load balancer sends it.
"""

import argparse
import asyncio
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx
import psutil
import pyarrow.parquet as pq
import uvicorn
from direct_answers import enlarged
from fastapi import FastAPI
from fastapi.responses import StreamingResponse

from knowledge_graph.lake.home import DataDir
from serving.settings import Settings

RATE = 150
P95_BOUND_MS = 60
PATH = "/v1/chat/completions"
AT_ONCE = 1000
"""Connections, so that a request is sent when it is due and not when an earlier one was answered."""
STREAMS = 200
WORDS = 40
WORD_SECONDS = 0.25
SECONDS = 20
SEED = 7


@dataclass(frozen=True)
class Load:
    """What came of many requests. Times in milliseconds, from when a request was due: of those that were answered, and
    of those refused with 503."""

    count: int
    failed: int
    seconds: float
    p50: float
    p95: float
    p99: float
    latest: float
    refused: int
    refused_p99: float
    machine: float
    """Load average of the last minute, when it was over."""

    @property
    def rate(self) -> float:
        """Answers a second."""
        return (self.count - self.failed - self.refused) / self.seconds


class Connection:
    """One HTTP/1.1 connection that is kept: a client so small that it does not compete with what is measured."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def again(self) -> "Connection":
        """A new one to the same port."""
        return Connection(self._port)

    async def send(self, path: str, body: bytes | None) -> int:
        """The status of a request, its answer read to the end; 0 for a 503 without `Retry-After`. A connection that
        the server closed while idle is opened again, as HTTP clients do."""
        if self._streams is None or self._streams[0].at_eof():
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: localhost\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body or b'')}\r\n\r\n"
        writer.write(head.encode() + (body or b""))
        answered = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in answered.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.split(b":")[1]))
        status = int(answered.split(b" ", 2)[1])
        return 0 if status == 503 and b"retry-after:" not in answered.lower() else status


async def send_all(
    ports: Sequence[int], path: str, bodies: Sequence[bytes | None], *, rate: float | None, at_once: int
) -> Load:
    """Send every body: at `rate` per second whether or not answers come (open loop), or as fast as `at_once` allow."""
    free: asyncio.LifoQueue[Connection] = asyncio.LifoQueue()  # few are used, so that none is closed for being idle
    for number in range(at_once):
        free.put_nowait(Connection(ports[number % len(ports)]))
    taken: list[float] = []
    refused: list[float] = []
    failed = 0
    began = time.perf_counter()

    async def one(body: bytes | None, due: float) -> None:
        nonlocal failed
        connection = await free.get()
        status = 0
        try:
            status = await connection.send(path, body)
        except (OSError, asyncio.IncompleteReadError):
            connection = connection.again()
        free.put_nowait(connection)
        failed += status not in (200, 503)
        (refused if status == 503 else taken).append((time.perf_counter() - due) * 1000)

    if rate is None:
        waiting = iter(bodies)

        async def worker() -> None:
            for body in waiting:
                await one(body, time.perf_counter())

        await asyncio.gather(*(worker() for _ in range(at_once)))
    else:
        tasks = []
        for number, body in enumerate(bodies):
            due = began + number / rate
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            tasks.append(asyncio.create_task(one(body, due)))
        await asyncio.gather(*tasks)
    seconds = time.perf_counter() - began
    cuts, of_refused = (
        statistics.quantiles(times, n=100) if len(times) > 1 else [0.0] * 99 for times in (taken, refused)
    )
    whole = len(bodies), failed, seconds
    return Load(*whole, cuts[49], cuts[94], cuts[98], max(taken), len(refused), of_refused[98], os.getloadavg()[0])


def generate(ports: Sequence[int], path: str, bodies: Path, rate: float, at_once: int) -> int:
    """What the generator's process does: print the load as JSON."""
    lines = [line.encode() or None for line in bodies.read_text().splitlines()] if bodies.name != "-" else []
    load = asyncio.run(send_all(ports, path, lines, rate=rate or None, at_once=at_once))
    sys.stdout.write(json.dumps(asdict(load)))
    return 0


def loaded(ports: Sequence[int], path: str, bodies: Path, *, rate: float = 0, at_once: int = 64) -> Load:
    """The load that a generator in another process makes, each port in its turn."""
    listed = ",".join(map(str, ports))
    command = [sys.executable, __file__, "--generate", listed, path, str(bodies), str(rate), str(at_once)]
    return Load(**json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


async def read_stream(client: httpx.AsyncClient, question: str, course: str) -> bool:
    """Whether a streamed answer came whole: every word and the end."""
    body = {"model": f"coteach:{course}", "stream": True, "messages": [{"role": "user", "content": question}]}
    text = ""
    async with client.stream("POST", "/v1/chat/completions", json=body) as reply:
        async for line in reply.aiter_lines():
            text += line
    return f"word{WORDS - 1}" in text and "[DONE]" in text


async def open_streams(port: int, questions: Sequence[str], course: str) -> tuple[int, float]:
    """How many of the streams, all open at once, came whole, and in how many seconds."""
    limits = httpx.Limits(max_connections=None)
    began = time.perf_counter()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=180, limits=limits) as client:
        whole = await asyncio.gather(*(read_stream(client, each, course) for each in questions))
    return sum(whole), time.perf_counter() - began


def stand_in(port: int) -> None:
    """A model server that says `WORDS` words, slowly, whatever it is asked."""
    app = FastAPI()

    @app.get("/health")
    async def health() -> dict[str, str]:
        return {}

    @app.get("/v1/models")
    async def models() -> dict[str, object]:
        return {"object": "list", "data": [{"id": "stand-in", "object": "model", "created": 0, "owned_by": "nobody"}]}

    @app.post("/v1/chat/completions")
    async def complete() -> StreamingResponse:
        async def words() -> AsyncIterator[str]:
            for number in range(WORDS):
                chunk = {"index": 0, "delta": {"content": f"word{number} "}, "finish_reason": None}
                event = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "stand-in"}
                yield f"data: {json.dumps({**event, 'choices': [chunk]})}\n\n"
                await asyncio.sleep(WORD_SECONDS)
            yield "data: [DONE]\n\n"

        return StreamingResponse(words(), media_type="text/event-stream")

    uvicorn.run(app, port=port, log_level="error")


@contextmanager
def running(command: list[str], ready: str, environment: dict[str, str]) -> Iterator[psutil.Process]:
    """A process that answers at `ready`; gone afterwards."""
    process = psutil.Popen(command, env=os.environ | environment, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 120
        while time.monotonic() < until:
            try:
                if httpx.get(ready, timeout=2).status_code == 200:
                    break
            except httpx.HTTPError:
                time.sleep(0.2)
        else:
            raise SystemExit(f"{ready} did not answer.")
        yield process
    finally:
        process.terminate()
        process.wait(30)


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


def bodies_of(home: Path, count: int, into: Path) -> tuple[Path, str]:
    """A file of requests, each with another stored question of the course that was filled up; and that course."""
    filled_up = home / "pairs.parquet"
    table = filled_up if filled_up.exists() else DataDir(home).qa_pairs
    rows = pq.read_table(table, columns=["course_id", "question", "source"]).to_pylist()
    faq = [row for row in rows if row["source"] == "faq"]
    course = statistics.mode(row["course_id"] for row in faq)
    questions = sorted({row["question"] for row in faq if row["course_id"] == course})
    random.Random(SEED).shuffle(questions)
    asked = [questions[number % len(questions)] for number in range(count)]
    message = [{"model": f"coteach:{course}", "messages": [{"role": "user", "content": each}]} for each in asked]
    path = into / "bodies.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in message) + "\n")
    return path, course


@contextmanager
def gateways(
    home: Path, scratch: Path, llm: int, count: int, **more: str
) -> Iterator[tuple[list[int], psutil.Process]]:
    """So many gateways over one store that is new, with `more` settings: their ports, and the first one's process."""
    environment = {
        "COTEACH_HOME": str(home),
        "COTEACH_LLM_URL": f"http://127.0.0.1:{llm}/v1",
        "COTEACH_REQUESTS_PER_MINUTE": "0",
        "COTEACH_KEPT_ANSWERS": "0",
        "COTEACH_STORE_URL": f"sqlite:///{scratch / f'load-{count}-{len(more)}.db'}",
        **more,
    }
    ports = [free_port() for _ in range(count)]
    command = [sys.executable, "-m", "serving.gateway.server"]
    with ExitStack() as stack:
        opened = [
            stack.enter_context(
                running([*command, "--port", str(port)], f"http://127.0.0.1:{port}/healthz", environment)
            )
            for port in ports
        ]
        yield ports, opened[0]


def measure(home: Path, scratch: Path, requests: int, most: int, runs: int) -> Iterator[str]:
    """The lines of the report: one gateway, then as many as `most`; `runs` at the asked rate, one after the other."""
    llm = free_port()
    bodies, course = bodies_of(home, requests, scratch)
    timed = scratch / "timed.jsonl"
    timed.write_text("".join(f"{line}\n" for line in bodies.read_text().splitlines()[: RATE * SECONDS]))
    with running([sys.executable, __file__, "--stand-in", str(llm)], f"http://127.0.0.1:{llm}/health", {}):
        with gateways(home, scratch, llm, 1) as ([port], process):
            yield from steady([port], scratch, timed, runs)
            yield from flat_out(port, process, scratch, bodies.read_text().splitlines())
            yield from overloaded(port, scratch, bodies.read_text().splitlines())
        # The model writes every answer, unasked: nobody is turned away, and its words are shown as they come.
        alone = {"MODEL_ADMISSION": "always", "PATIENCE_SECONDS": "0", "MOST_WRITING": "0", "CONCURRENT_ANSWERS": "0"}
        with gateways(home, scratch, llm, 1, **{f"COTEACH_{name}": value for name, value in alone.items()}) as (
            [port],
            _,
        ):
            yield from streamed(port, course)
        if most > 1:
            with gateways(home, scratch, llm, most) as (ports, _):
                yield from steady(ports, scratch, timed, runs)


def steady(ports: Sequence[int], scratch: Path, timed: Path, runs: int) -> Iterator[str]:
    """Direct answers at the asked rate, whether or not answers come."""
    empty = scratch / "empty.jsonl"
    empty.write_text("\n" * (RATE * SECONDS))
    loaded(ports, PATH, timed)  # what is loaded once
    floor = loaded(ports, "/livez", empty, rate=RATE)
    named = "one gateway" if len(ports) == 1 else f"{len(ports)} gateways"
    yield f"{named}, {RATE} requests of /livez a second: {told(floor)}"
    within = 0
    for number in range(runs):
        load = loaded(ports, PATH, timed, rate=RATE, at_once=AT_ONCE)
        within += load.p95 <= P95_BOUND_MS and not load.failed and not load.refused
        yield f"{named}, {RATE} direct answers a second for {SECONDS} s, run {number + 1}: {told(load)}"
    yield f"p95 within {P95_BOUND_MS} ms, all answered: {within} of {runs} runs"


def overloaded(port: int, scratch: Path, lines: Sequence[str]) -> Iterator[str]:
    """Twice as many questions as are answered at full speed: what is answered, how fast the rest is refused, and
    whether an answer comes after the time that nobody is let in to wait for."""
    bodies = scratch / "overload.jsonl"
    bodies.write_text("".join(f"{line}\n" for line in lines[: RATE * SECONDS]))
    capacity = loaded([port], PATH, bodies, at_once=16)
    rate = 2 * capacity.rate
    load = loaded([port], PATH, bodies, rate=rate, at_once=AT_ONCE)
    patience = Settings().patience_seconds
    yield (
        f"{rate:.0f} questions a second, twice the capacity of {capacity.rate:.0f}: {load.rate:.0f} answers a second, "
        f"latest after {load.latest:.0f} ms (patience {patience:g} s), {load.refused} refused, p99 of refusals "
        f"{load.refused_p99:.1f} ms, failed {load.failed}, load {load.machine:.1f}"
    )


def flat_out(port: int, process: psutil.Process, scratch: Path, lines: Sequence[str]) -> Iterator[str]:
    """As many answers as one gateway can give, and its memory after each quarter of them."""
    quarter = scratch / "quarter.jsonl"
    memory, rates = [process.memory_info().rss / 2**20], []
    used = sum(process.cpu_times()[:2])
    for start in range(0, len(lines), max(1, len(lines) // 4)):
        quarter.write_text("".join(f"{line}\n" for line in lines[start : start + len(lines) // 4]))
        rates.append(loaded([port], PATH, quarter, at_once=16))
        memory.append(process.memory_info().rss / 2**20)
    most = " ".join(f"{one.rate:.0f}" for one in rates)
    used = 1000 * (sum(process.cpu_times()[:2]) - used) / sum(one.count for one in rates)
    failed = sum(one.failed for one in rates)
    yield f"as fast as 16 at once: {most} answers a second, failed {failed}, {used:.1f} ms of processor each"
    yield f"memory over {len(lines)} requests, MB: {' '.join(f'{one:.0f}' for one in memory)}"


def rated(port: int, process: psutil.Process, bodies: Path, rate: int, seconds: int) -> Iterator[str]:
    """Direct answers at one rate for so long, each question once or, where there are fewer, in turn: what is answered,
    what is refused with 503 and `Retry-After`, and whether memory stays."""
    before = process.memory_info().rss / 2**20
    lines = bodies.read_text().splitlines()
    asked = bodies.with_name(f"rate-{rate}.jsonl")
    asked.write_text("".join(f"{lines[number % len(lines)]}\n" for number in range(rate * seconds)))
    load = loaded([port], PATH, asked, rate=rate, at_once=AT_ONCE)
    memory = f"memory {before:.0f} to {process.memory_info().rss / 2**20:.0f} MB"
    yield f"{rate} requests a second for {seconds} s: {told(load)}, latest {load.latest:.0f} ms, {memory}"


def at_rates(home: Path, scratch: Path, rates: Sequence[int], seconds: int) -> Iterator[str]:
    """The lines of the report for one gateway at one rate after the other."""
    llm = free_port()
    bodies, _ = bodies_of(home, 20_000, scratch)
    with (
        running([sys.executable, __file__, "--stand-in", str(llm)], f"http://127.0.0.1:{llm}/health", {}),
        gateways(home, scratch, llm, 1) as ([port], process),
    ):
        warm = scratch / "warm.jsonl"
        warm.write_text("".join(f"{line}\n" for line in bodies.read_text().splitlines()[:1000]))
        loaded([port], PATH, warm)
        for rate in rates:
            yield from rated(port, process, bodies, rate, seconds)


def streamed(port: int, course: str) -> Iterator[str]:
    """Many answers written at once."""
    questions = [f"Compare stacks and queues, and tell me why {number} matters." for number in range(STREAMS)]
    whole, seconds = asyncio.run(open_streams(port, questions, course))
    yield f"{STREAMS} streams at once: {whole} whole, in {seconds:.1f} s (one alone: {WORDS * WORD_SECONDS:.1f} s)"


def told(load: Load) -> str:
    times = f"p50 {load.p50:.1f}, p95 {load.p95:.1f}, p99 {load.p99:.1f} ms"
    return f"{times}, failed {load.failed}, refused {load.refused}, {load.rate:.0f}/s, load {load.machine:.1f}"


def main() -> int:
    if sys.argv[1:2] == ["--generate"]:
        listed, path, bodies, rate, at_once = sys.argv[2:]
        return generate([int(port) for port in listed.split(",")], path, Path(bodies), float(rate), int(at_once))
    if sys.argv[1:2] == ["--stand-in"]:
        stand_in(int(sys.argv[2]))
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=50_000)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--gateways", type=int, default=2)
    parser.add_argument("--runs", type=int, default=1, help="at the asked rate, one after the other")
    parser.add_argument("--rates", help="these rates alone, such as 100,150,300,600, one gateway")
    parser.add_argument("--seconds", type=int, default=60, help="of each of these rates")
    wanted = parser.parse_args()
    built = Settings()
    if not built.data_dir.qa_pairs.exists():
        sys.stderr.write(f"Nothing to measure in {built.home}. Run `coteach build`, or set COTEACH_HOME.\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        home, scratch = Path(folder) / "home", Path(folder)
        home.mkdir()
        enlarged(built.data_dir, home, wanted.pairs)
        rates = [int(one) for one in (wanted.rates or "").split(",") if one]
        lines = (
            at_rates(home, scratch, rates, wanted.seconds)
            if rates
            else measure(home, scratch, wanted.requests, wanted.gateways, wanted.runs)
        )
        for line in lines:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
