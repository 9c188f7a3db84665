"""What somebody who runs the endpoint relies on: settings, traces, counts, leaving clients, repeated requests."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
from admissions import admitted
from gateways import Gateway, bearer, running
from stand_in import StandIn, stand_in

from knowledge_graph.lake.home import DataDir
from orchestration.cli.serve_command import SettingUnknown, refuse_unknown_settings
from orchestration.cli.services import gateway_spec, port_for
from serving.gateway.answers import STATUS_SECONDS
from serving.gateway.chat_schemas import KEEP_ALIVE
from serving.gateway.idempotency import Repeats
from serving.gateway.keep_alive import SILENCE, PartsInTime
from serving.gateway.server import LeavingServer, serve
from serving.llm.load import AT_WORK
from serving.llm.processes import PortTaken, free_port, require_ports
from serving.llm.propagation import accept_id, child_of
from serving.llm.vllm import Hardware, requests_at_once
from serving.settings import Settings

ASKED = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}
DIFFERENCE = {
    "model": "coteach:ds",
    "messages": [{"role": "user", "content": "What is the difference between a stack and a queue?"}],
}
TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_setting_that_is_mistyped_is_named_with_the_nearest() -> None:
    with pytest.raises(SettingUnknown, match=r"COTEACH_MAXTOKENS is no setting; did you mean COTEACH_MAX_TOKENS\?"):
        refuse_unknown_settings({"COTEACH_MAXTOKENS": "24", "PATH": "/bin"})
    refuse_unknown_settings({"COTEACH_MAX_TOKENS": "24", "COTEACH_DEPLOYED_BY": "us"})


def test_a_taken_port_is_never_replaced() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen(1)
        with pytest.raises(PortTaken, match="COTEACH_PORT"):
            require_ports(held.getsockname()[1], 1, "127.0.0.1", "COTEACH_PORT")
    assert require_ports(0, 2, "127.0.0.1", "COTEACH_PORT")[0] > 0


def test_a_port_that_only_coteach_has_to_find_is_not_replaced_in_silence() -> None:
    with socket.socket() as held, structlog.testing.capture_logs() as told:
        held.bind(("127.0.0.1", 0))
        held.listen(1)
        taken = held.getsockname()[1]
        port = port_for("vLLM", taken)
        assert port not in (0, taken)
        assert port_for("vLLM", port) == port
        port_for("vLLM", 0)
    asked = {"service": "vLLM", "wanted": taken, "listens_on": port}
    assert told == [{"event": "port_taken", "log_level": "warning", **asked}]


def test_how_long_a_gateway_keeps_connections_and_finishes_answers_is_set(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[LeavingServer] = []
    monkeypatch.setattr(LeavingServer, "run", lambda server: begun.append(server))
    for name, value in (("HOME", str(home)), ("IDLE_CONNECTION_SECONDS", "33"), ("DRAIN_SECONDS", "44")):
        monkeypatch.setenv(f"COTEACH_{name}", value)
    serve(0)
    config = begun[0].config
    assert (config.timeout_keep_alive, config.timeout_graceful_shutdown) == (33, 44)


def test_a_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from serving.llm.processes import ServiceProcess, ServiceSpec\n"
        "import os\n"
        "one = ServiceProcess(ServiceSpec('x', [sys.executable, '-c', 'import time; time.sleep(60)'], os.environ,"
        f" Path({str(tmp_path / 'log')!r}), 'http://127.0.0.1:1', 5))\n"
        "print(one.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and _runs(child):
        time.sleep(0.05)
    assert not _runs(child)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_a_gateway_that_is_asked_to_end_says_so_answers_on_for_its_notice_and_finishes_its_streams(home: Path) -> None:
    async def run() -> tuple[str, list[httpx.Response]]:
        async with stand_in("answers", words=["A stack is last in, first out [1]. "] * 3) as model:
            model.pause = 0.7
            port = free_port(0)
            told = {"COTEACH_HOME": str(home), "COTEACH_LLM_URL": model.url, "COTEACH_MODEL_ADMISSION": "always"}
            gateway = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "serving.gateway.server", "--port", str(port)),
                env=os.environ | told | {"COTEACH_NOTICE_SECONDS": "5"},
                stderr=asyncio.subprocess.DEVNULL,
            )
            try:
                async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
                    await _ready(client)
                    said, meanwhile = "", list[httpx.Response]()
                    async with client.stream("POST", "/v1/chat/completions", json=DIFFERENCE | {"stream": True}) as got:
                        async for text in got.aiter_text():
                            if not said:
                                gateway.send_signal(signal.SIGTERM)
                                meanwhile = await _asked_while_leaving(client)
                            said += text
                    return said, meanwhile
            finally:
                await asyncio.wait_for(gateway.wait(), 60)

    said, (readiness, answer) = asyncio.run(run())
    assert readiness.json()["missing"][-1]["name"] == "this gateway"
    assert (answer.status_code, answer.headers["connection"]) == (200, "close")
    assert said.endswith("data: [DONE]\n\n")
    assert '"finish_reason": "stop"' in said


async def _asked_while_leaving(client: httpx.AsyncClient) -> list[httpx.Response]:
    """What the gateway says of itself once it leaves, and its answer to a question after that."""
    async with asyncio.timeout(4):
        while (readiness := await client.get("/readyz")).status_code == 200:
            await asyncio.sleep(0.05)
    return [readiness, await client.post("/v1/chat/completions", json=ASKED)]


async def _ready(client: httpx.AsyncClient) -> None:
    async with asyncio.timeout(90):
        while True:
            try:
                if (await client.get("/readyz")).status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            await asyncio.sleep(0.2)


def test_ready_is_not_said_over_an_index_that_no_question_can_be_answered_from(home: Path, use: Any) -> None:
    index = DataDir(home).index
    for file in (index / (index / "CURRENT").read_text().strip()).rglob("*.json"):
        file.write_text("{}")

    async def work(gateway: Gateway) -> list[int]:
        asked = await gateway.client.post("/v1/chat/completions", json=ASKED)
        return [(await gateway.client.get("/readyz")).status_code, asked.status_code]

    assert use(work) == [503, 503]


def test_a_request_keeps_the_id_and_the_trace_it_came_with_down_to_the_model_server(home: Path) -> None:
    async def run() -> tuple[str, list[dict[str, str]]]:
        async with (
            stand_in() as model,
            running(Settings(home=home, llm_url=model.url, model_admission="always")) as gateway,
        ):
            named = {"X-Request-Id": "from-a-proxy.1", "traceparent": TRACEPARENT}
            reply = await gateway.client.post("/v1/chat/completions", json=DIFFERENCE, headers=named)
            return reply.headers["x-request-id"], model.headers

    request_id, sent = asyncio.run(run())
    assert request_id == "from-a-proxy.1"
    asked = next(one for one in sent if "traceparent" in one)
    assert asked["x-request-id"] == "from-a-proxy.1"
    assert asked["traceparent"].split("-")[1] == TRACEPARENT.split("-")[1]
    assert asked["traceparent"] != TRACEPARENT


@pytest.mark.parametrize("shown", [None, "", "a b", "x" * 65, "é", "a\nb"])
def test_an_id_that_is_none_is_replaced(shown: str | None) -> None:
    assert re.fullmatch(r"[0-9a-f]{16}", accept_id(shown))


@pytest.mark.parametrize("shown", [None, "", "00-0-0-0", f"ff{TRACEPARENT[2:]}", f"00-{'0' * 32}-b7ad6b7169203331-01"])
def test_a_trace_context_that_is_none_is_left_out(shown: str | None) -> None:
    assert child_of(shown) is None


def test_a_student_sees_the_kind_of_a_models_error_and_no_word_of_it(home: Path) -> None:
    async def run() -> tuple[Any, Any]:
        async with (
            stand_in("refuses") as model,
            running(Settings(home=home, llm_url=model.url, model_admission="always")) as gateway,
        ):
            reply = (await gateway.client.post("/v1/chat/completions", json=DIFFERENCE)).json()
            path = f"/v1/traces/{reply['coteach']['trace_id']}"
            session = {"X-Coteach-Session": reply["coteach"]["session"]}
            student = (await gateway.client.get(path, headers=session)).json()
            admin = (await gateway.client.get(path, headers=bearer(gateway.key("admin")))).json()
            return student["trace"]["error"], admin["trace"]["error"]

    student, admin = asyncio.run(run())
    assert student == "LlmRejected"
    assert admin.startswith("LlmRejected: ")


def test_a_repeated_request_is_answered_once_and_another_under_its_key_is_refused(use: Any) -> None:
    async def work(gateway: Gateway) -> Any:
        key = {"Idempotency-Key": "k-1"}
        first, again = await asyncio.gather(
            *(gateway.client.post("/v1/chat/completions", json=ASKED, headers=key) for _ in range(2))
        )
        other = await gateway.client.post("/v1/chat/completions", json=DIFFERENCE, headers=key)
        return first.json(), again.json(), other

    first, again, other = use(work)
    assert first == again
    assert (other.status_code, other.json()["error"]["code"]) == (422, "idempotency_key_reused")


def test_what_failed_under_a_key_is_tried_again() -> None:
    async def run() -> list[Any]:
        repeats, results = Repeats(), [RuntimeError("no"), b"yes"]

        async def work() -> bytes:
            made = results.pop(0)
            if isinstance(made, RuntimeError):
                raise made
            return made

        with pytest.raises(RuntimeError):
            await repeats.once("me", "k", b"x", work)
        await asyncio.sleep(0)
        return [await repeats.once("me", "k", b"x", work), await repeats.once("me", "k", b"x", work)]

    assert asyncio.run(run()) == [b"yes", b"yes"]


def test_silences_are_told_and_an_abandoned_stream_is_closed() -> None:
    async def run() -> tuple[list[Any], bool]:
        is_closed = False

        async def slow() -> Any:
            nonlocal is_closed
            try:
                yield 1
                await asyncio.sleep(0.2)
                yield 2
                await asyncio.sleep(60)
            finally:
                is_closed = True

        parts, found = PartsInTime(slow(), 0.05), []
        while (part := await parts.next()) != 2:
            found.append(part)
        found += [part, await parts.next()]
        await parts.aclose()
        return found, is_closed

    found, is_closed = asyncio.run(run())
    assert (found[0], found[-2:], SILENCE in found[:-2], is_closed) == (1, [2, SILENCE], True, True)


@dataclass
class Client:
    """A client in plain ASGI: sends one question, keeps what comes with its time, and leaves when it is told."""

    asked: dict[str, Any]
    sent: list[tuple[float, Any]] = field(default_factory=list)
    leaves: asyncio.Event = field(default_factory=asyncio.Event)
    is_read: bool = False

    async def receive(self) -> dict[str, Any]:
        if not self.is_read:
            self.is_read = True
            body = httpx.Request("POST", "http://x", json=self.asked).content
            return {"type": "http.request", "body": body, "more_body": False}
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append((time.monotonic(), message))

    @property
    def text(self) -> str:
        return b"".join(one.get("body", b"") for _, one in self.sent).decode()


async def has_let_go(model: StandIn) -> bool:
    """Whether the model server has no open request of the gateway any more, within some seconds."""
    async with asyncio.timeout(5):
        while model.open:
            await asyncio.sleep(0.02)
    return True


def silent(home: Path, url: str, **more: Any) -> Settings:
    """Of a gateway that waits long for its model."""
    patience = {"llm_stall_seconds": 60, "llm_first_token_seconds": 60, "llm_probe_seconds": 60}
    return Settings(home=home, llm_url=url, model_admission="always", **patience, **more)


def test_a_whole_answer_is_stopped_when_its_client_leaves_and_its_model_too(home: Path) -> None:
    async def run() -> tuple[int, bool]:
        async with stand_in("stalls") as model, running(silent(home, model.url)) as gateway:
            client = Client(DIFFERENCE)
            async with asyncio.timeout(20):
                asking = asyncio.create_task(gateway.app(_scope(), client.receive, client.send))
                while not model.asked:
                    await asyncio.sleep(0.02)
                client.leaves.set()
                await asking
            return int(client.sent[0][1]["status"]), await has_let_go(model)

    assert asyncio.run(run()) == (499, True)


def test_a_stream_sends_its_headers_early_and_comments_while_the_model_is_silent_and_stops_it_with_its_client(
    home: Path,
) -> None:
    async def run() -> tuple[float, Any, str, bool]:
        async with (
            stand_in("stalls", words=["", "", "too late"]) as model,
            running(silent(home, model.url, keep_alive_seconds=0.3)) as gateway,
        ):
            client, began = Client(DIFFERENCE | {"stream": True}), time.monotonic()
            async with asyncio.timeout(20):
                asking = asyncio.create_task(gateway.app(_scope(), client.receive, client.send))
                while client.text.count(KEEP_ALIVE) < 3:
                    await asyncio.sleep(0.02)
                client.leaves.set()
                with suppress(asyncio.CancelledError, ExceptionGroup):
                    await asking
            at, first = client.sent[0]
            return at - began, first, client.text, await has_let_go(model)

    seconds, first, text, is_let_go = asyncio.run(run())
    assert (first["type"], first["status"]) == ("http.response.start", 200)
    assert seconds < STATUS_SECONDS + 3  # of a busy machine
    assert text.index(": still writing") > text.index("data: {")
    assert is_let_go


def _scope() -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/v1/chat/completions",
        "raw_path": b"/v1/chat/completions",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"coteach.test"), (b"content-type", b"application/json")],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 80),
    }


def test_a_browser_page_may_send_the_headers_of_the_official_client(use: Any) -> None:
    async def work(gateway: Gateway) -> httpx.Response:
        asked = {
            "Origin": "https://lms.example.edu",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type,x-stainless-lang,x-stainless-retry-count",
        }
        return await gateway.client.options("/v1/chat/completions", headers=asked)

    reply = use(work, cors_origins=("https://lms.example.edu",))
    assert reply.status_code == 200
    assert "x-stainless-lang" in reply.headers["access-control-allow-headers"]


def test_metrics_tell_answers_by_who_wrote_them_with_tokens_errors_and_the_age_of_the_index(home: Path) -> None:
    async def run() -> str:
        async with (
            stand_in() as model,
            running(Settings(home=home, llm_url=model.url, model_admission="always"), client=("127.0.0.1", 1)) as one,
        ):
            await one.client.post("/v1/chat/completions", json=DIFFERENCE)
            await one.client.post("/v1/chat/completions", json=ASKED)
            model.behaviour = "breaks"
            another = {"role": "user", "content": "Why is a queue another thing than a stack?"}
            await one.client.post("/v1/chat/completions", json=ASKED | {"messages": [another]})
            one.app.state.service.exams.others.current = admitted("comparison")
            return (await one.client.get("/metrics")).text

    text = asyncio.run(run())
    assert 'coteach_answer_seconds_count{route="teach",written_by="model"} 1.0' in text
    assert 'coteach_answer_seconds_count{route="teach",written_by="material"} 1.0' in text  # in a failed model's place
    assert 'coteach_answer_seconds_count{route="direct",written_by="material"} 1.0' in text
    assert re.search(r'coteach_tokens_total\{kind="completion",model="[\w-]+"\} 3\.0', text)
    assert re.search(r'coteach_model_answers_total\{model="[\w-]+",route="teach"\} 1\.0', text)
    assert re.search(r'coteach_model_errors_total\{kind="Llm\w+"\} 1\.0', text)
    assert 'coteach_model_admitted{kind="comparison",lang="en",model="scripted"} 1.0' in text
    assert re.search(r'coteach_index_version\{version="\w+"\} 1\.0', text)
    assert re.search(r"coteach_index_built_timestamp_seconds 1\.\d+e\+09", text)


def test_metrics_tell_how_many_wait_by_which_gateways_can_be_scaled(home: Path) -> None:
    async def run() -> str:
        settings = Settings(home=home, llm_url="http://127.0.0.1:1/v1", model_requests=1)
        async with running(settings, client=("127.0.0.1", 1)) as one:
            places = [one.app.state.load.enter() for _ in range(AT_WORK + 3)]
            model = one.app.state.service.models.others._line
            waits = [asyncio.ensure_future(place.wait_for_turn()) for place in places]
            waits += [asyncio.ensure_future(model.enter(0)) for _ in range(3)]
            await asyncio.sleep(0)
            waits[AT_WORK].cancel()
            text = (await one.client.get("/metrics")).text
            for wait in waits:
                wait.cancel()
            return text

    text = asyncio.run(run())
    assert 'coteach_waiting{of="gateway"} 2.0' in text
    assert 'coteach_waiting{of="model"} 2.0' in text


@pytest.mark.parametrize(
    ("chosen", "llm_url", "expected"),
    [
        ({}, "http://127.0.0.1:8100/v1", "8"),
        ({}, None, None),
        ({"llm_url": "http://gpu:8000/v1"}, "http://gpu:8000/v1", None),
        ({"model_requests": 0}, "http://127.0.0.1:8100/v1", None),
        ({"model_requests": 3}, "http://127.0.0.1:8100/v1", None),
    ],
)
def test_requests_wait_in_the_gateway_before_the_vllm_that_coteach_starts_on_a_processor(
    chosen: dict[str, Any], llm_url: str | None, expected: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orchestration.cli.services.detect_hardware", lambda: Hardware(gpus=0, fast_bfloat16=True))
    spec = gateway_spec(Settings(home=tmp_path, **chosen), llm_url, 8080)
    assert spec.environment.get("COTEACH_MODEL_REQUESTS") == expected


def test_on_a_gpu_all_requests_are_with_vllm() -> None:
    assert requests_at_once(Hardware(gpus=2, fast_bfloat16=True)) == 0
