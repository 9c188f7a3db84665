"""Two gateways restarted one after the other while questions and streams go on: whether anything is cut.

    COTEACH_HOME=data .venv/bin/python benchmarks/rolling_restart.py [--rate 100] [--streams .1] [--seconds 3]
        [--question TEXT ...]

The gateways run as `coteach serve` runs them, over one home and one new store; a stand-in of a model server says its
words slowly, so that streams last. Before them stands what a load balancer does: the next gateway in turn whose
`/readyz` said 200 at the last look, a new connection for each request, and the other gateway where a connection is
refused. Each gateway is asked to end, awaited, started again and ready, before the next one is.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from gateway_load import PATH, bodies_of, free_port, running

from orchestration.cli.services import gateway_spec
from serving.llm.processes import ServiceProcess
from serving.settings import Settings

LOOK_SECONDS = 0.5
GATEWAYS = {
    "COTEACH_NOTICE_SECONDS": "2",
    "COTEACH_MODEL_ADMISSION": "always",  # the stand-in writes, unasked
    "COTEACH_REQUESTS_PER_MINUTE": "0",
    "COTEACH_MOST_WRITING": "0",
    "COTEACH_CONCURRENT_ANSWERS": "0",
}
COMPARISON = "Compare a stack with a queue, and tell me why number {number} matters."


@dataclass
class Balancer:
    """Gateways by port, those that are ready, and what came of every request."""

    ports: list[int]
    ready: set[int] = field(default_factory=set)
    came: Counter[str] = field(default_factory=Counter)
    cut: list[str] = field(default_factory=list)
    waited_ms: list[float] = field(default_factory=list)
    turn: int = 0

    async def look(self) -> None:
        """Look at every gateway again and again, as a load balancer's health check does."""
        async with httpx.AsyncClient(timeout=5) as client:
            while True:
                for port in self.ports:
                    try:
                        is_ready = (await client.get(f"http://127.0.0.1:{port}/readyz")).status_code == 200
                    except httpx.HTTPError:
                        is_ready = False
                    (self.ready.add if is_ready else self.ready.discard)(port)
                await asyncio.sleep(LOOK_SECONDS)

    async def send(self, body: bytes, *, is_stream: bool) -> None:
        """One request to the next gateway, its answer read to the end and looked at."""
        began, kind = time.perf_counter(), "stream" if is_stream else "whole"
        try:
            reader, writer = await self._connected()
        except OSError:
            self.cut.append(f"{kind}: no gateway took the connection")
            return
        head = f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
        try:
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            answered = await asyncio.wait_for(reader.read(-1), 180)
        except (OSError, TimeoutError) as error:
            self.cut.append(f"{kind}: {type(error).__name__}")
            return
        finally:
            writer.close()
        self._count(kind, answered, 1000 * (time.perf_counter() - began))

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        self.turn += 1
        among = sorted(self.ready) or self.ports
        for attempt in range(len(self.ports)):
            port = among[(self.turn + attempt) % len(among)]
            try:
                return await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
            except ConnectionRefusedError:
                among = self.ports
        raise ConnectionRefusedError

    def _count(self, kind: str, answered: bytes, took_ms: float) -> None:
        head, _, body = answered.partition(b"\r\n\r\n")
        status = head.split(b" ", 2)[1].decode() if head.count(b" ") > 1 else "none"
        if status == "503" and b"retry-after" in head.lower():
            self.came[f"{kind} refused"] += 1
        elif status == "200" and (_is_whole_stream(body) if kind == "stream" else _is_whole(body)):
            self.came[kind] += 1
            if kind == "whole":
                self.waited_ms.append(took_ms)
        else:
            self.cut.append(f"{kind}: status {status}, {len(body)} bytes")


def _is_whole(body: bytes) -> bool:
    try:
        return bool(json.loads(body)["choices"][0]["message"]["content"])
    except (ValueError, KeyError):
        return False


def _is_whole_stream(body: bytes) -> bool:
    return b"data: [DONE]" in body and b'"error"' not in body


def restarted(settings: Settings, url: str, ports: list[int], number: int, old: ServiceProcess) -> ServiceProcess:
    """A gateway asked to end and awaited, then started again, and ready."""
    old.stop()
    new = ServiceProcess(gateway_spec(settings, url, ports[number], number=number + 1))
    new.wait_ready()
    return new


async def rolled(
    settings: Settings, url: str, questions: list[bytes], *, rate: float, streams: float, seconds: float
) -> Balancer:
    """Both gateways restarted, with `seconds` of load before the first, between both, and after the second."""
    ports = [free_port(), free_port()]
    balancer = Balancer(ports)
    gateways = [ServiceProcess(gateway_spec(settings, url, port, number=at + 1)) for at, port in enumerate(ports)]
    try:
        for one in gateways:
            await asyncio.to_thread(one.wait_ready)
        looking = asyncio.create_task(balancer.look())
        await asyncio.sleep(2 * LOOK_SECONDS)
        is_over = asyncio.Event()
        sending = asyncio.create_task(load_until(balancer, questions, rate, streams, is_over))
        await asyncio.sleep(seconds)
        for number, old in enumerate(gateways):
            gateways[number] = await asyncio.to_thread(restarted, settings, url, ports, number, old)
            await asyncio.sleep(seconds)
        is_over.set()
        await sending
        looking.cancel()
    finally:
        await asyncio.gather(*(asyncio.to_thread(one.stop, 10) for one in gateways))
    return balancer


async def load_until(
    balancer: Balancer, questions: list[bytes], rate: float, streams: float, over: asyncio.Event
) -> None:
    """Requests at the rate, whether or not answers come, until it is over; then those that are open."""
    began, sent, open_now = time.perf_counter(), 0, set[asyncio.Task[None]]()
    while not over.is_set():
        is_stream = int((sent + 1) * streams) > int(sent * streams)
        body = _comparison(sent) if is_stream else questions[sent % len(questions)]
        task = asyncio.create_task(balancer.send(body, is_stream=is_stream))
        open_now.add(task)
        task.add_done_callback(open_now.discard)
        sent += 1
        await asyncio.sleep(max(0.0, began + sent / rate - time.perf_counter()))
    await asyncio.gather(*open_now)
    balancer.came["sent"] = sent


def _comparison(number: int) -> bytes:
    said = [{"role": "user", "content": COMPARISON.format(number=number)}]
    return json.dumps({"model": "coteach", "stream": True, "messages": said}).encode()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=100.0)
    parser.add_argument("--streams", type=float, default=0.1, help="share of the requests that are streams")
    parser.add_argument("--seconds", type=float, default=3.0, help="of load before, between and after the restarts")
    parser.add_argument("--question", action="append", help="instead of the home's FAQ")
    wanted = parser.parse_args()
    home = Settings().home.absolute()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        if wanted.question:
            listed = [{"model": "coteach", "messages": [{"role": "user", "content": one}]} for one in wanted.question]
            questions = [json.dumps(one).encode() for one in listed]
        else:
            questions = bodies_of(home, 2_000, scratch)[0].read_bytes().splitlines()
        llm = free_port()
        os.environ |= GATEWAYS | {"COTEACH_STORE_URL": f"sqlite:///{scratch / 'rolling.db'}"}
        settings = Settings()
        stand_in = [sys.executable, str(Path(__file__).with_name("gateway_load.py")), "--stand-in", str(llm)]
        with running(stand_in, f"http://127.0.0.1:{llm}/health", {}):
            found = asyncio.run(
                rolled(
                    settings,
                    f"http://127.0.0.1:{llm}/v1",
                    questions,
                    rate=wanted.rate,
                    streams=wanted.streams,
                    seconds=wanted.seconds,
                )
            )
    sys.stdout.write(
        f"{wanted.rate:g} requests a second over both restarts: {dict(found.came)}, cut: {len(found.cut)}\n"
    )
    if len(found.waited_ms) > 1:
        sys.stdout.write(f"whole answers, p95: {statistics.quantiles(found.waited_ms, n=20)[18]:.0f} ms\n")
    for line, count in Counter(found.cut).most_common(10):
        sys.stdout.write(f"  {count} × {line}\n")
    return 1 if found.cut else 0


if __name__ == "__main__":
    sys.exit(main())
