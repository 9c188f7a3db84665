"""The model server is killed while fifty students wait. Comes last: it is the server that all other tests share."""

import os
import signal
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from itertools import permutations
from threading import Timer

import httpx
import openai
import pytest
from running import COMPARISON, Gateway, Json, extension, text_of

from serving.assistant.generation.phrases import ENGLISH
from serving.llm.processes import ServiceProcess

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

AT_MOST_S = 5.0
"""On a machine with nothing else to do; where it is so busy that the same crowd, asked when nothing waits for a model,
takes as long itself, `AT_MOST_FLOORS` times that."""
AT_MOST_FLOORS = 2.0

CROWD_ARRIVES_S = 1.0
"""By then every question of the crowd has reached the gateway, and no answer is finished."""

MOST_TIMES = 6
"""How often one student asks before the test calls it refused."""

LATEST_S = 8.0
"""The server dies by then, whether or not the watched answer has shown another word."""

CONCEPTS = ("arrays", "linked lists", "stacks", "queues", "hash tables", "binary search trees", "AVL trees", "heaps")

CROWD = [f"Compare {left} and {right} for storing keys." for left, right in permutations(CONCEPTS, 2)][:49]


@dataclass(frozen=True)
class Told:
    """What one student of the crowd got: the status, the text or the error, coteach's own field, from when to when."""

    status: int
    text: str
    said: Json
    asked: float
    """When the question was sent for the last time: again, where the gateway had said when to come back."""
    ended: float

    def waited_s(self, since: float = 0.0) -> float:
        return self.ended - max(self.asked, since)


@dataclass(frozen=True)
class Crash:
    """Fifty questions at once, and when the model server was killed among them."""

    events: list[Json]
    crowd: list[Told]
    killed_at: float
    watched_ended: float
    floor_s: float
    """Seconds until the last of as many questions was answered that were asked at once when the server was gone."""

    @property
    def at_most_s(self) -> float:
        return max(AT_MOST_S, AT_MOST_FLOORS * self.floor_s)


@pytest.fixture(scope="module")
def crash(gateway: Gateway, model_server_process: ServiceProcess) -> Crash:
    """One student reads the first words; 49 more ask for whole answers; a second later the server dies."""
    events: list[Json] = []
    asked: list[Future[Told]] = []
    asked_at, killed = 0.0, list[float]()

    def kill() -> None:
        os.killpg(model_server_process.pid, signal.SIGKILL)
        killed.append(time.monotonic())

    latest = Timer(LATEST_S, kill)  # a busy gateway may hold all of its words back until the end
    with ThreadPoolExecutor(len(CROWD)) as pool:
        for event in gateway.stream(COMPARISON, course="data-structures"):
            events.append(event)
            if not asked and text_of(event):
                asked = [pool.submit(_ask, gateway, question) for question in CROWD]
                asked_at = time.monotonic()
                latest.start()
            if asked and not killed and text_of(event) and time.monotonic() > asked_at + CROWD_ARRIVES_S:
                latest.cancel()
                kill()
        watched_ended = time.monotonic()
        latest.join()
        crowd = [one.result() for one in asked]
        again = [pool.submit(_ask, gateway, question.replace("storing", "keeping")) for question in CROWD]
        floor_s = max(one.result().waited_s() for one in again)
        return Crash(events, crowd, killed[0], watched_ended, floor_s)


def _ask(gateway: Gateway, question: str) -> Told:
    """Asks as clients do: where more is asked than a slow machine answers in time, again when the gateway says."""
    body = {"model": "coteach:data-structures", "messages": [{"role": "user", "content": question}]}
    for _ in range(MOST_TIMES):
        asked = time.monotonic()
        reply = httpx.post(f"{gateway.address}/v1/chat/completions", json=body, timeout=180)
        if reply.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
            break
        time.sleep(float(reply.headers["Retry-After"]))
    whole = reply.json()
    text = whole["choices"][0]["message"]["content"] if reply.status_code == HTTPStatus.OK else reply.text
    return Told(reply.status_code, text, whole.get("coteach", {}), asked, time.monotonic())


def test_everybody_in_the_crowd_gets_an_answer_or_a_place_in_the_queue(crash: Crash) -> None:
    assert [one.text for one in crash.crowd if one.status != HTTPStatus.OK] == []
    assert all(one.text.strip() for one in crash.crowd)
    assert {one.said["route"] for one in crash.crowd} <= {"teach", "direct", "clarify", "ask_ta"}
    assert any(ENGLISH.server_down in one.text for one in crash.crowd)


def test_nobody_in_the_crowd_waits_longer_than_five_seconds(crash: Crash) -> None:
    late = [one.waited_s(since=crash.killed_at) for one in crash.crowd]
    assert max(late) < crash.at_most_s, (crash.floor_s, late)


def test_the_student_gets_the_material_within_five_seconds(crash: Crash) -> None:
    text = "".join(map(text_of, crash.events))
    assert crash.watched_ended - crash.killed_at < crash.at_most_s
    assert ENGLISH.cut_off in text
    assert ENGLISH.server_down in text.split(ENGLISH.cut_off)[1]


def test_the_stream_is_whole_and_has_references(crash: Crash) -> None:
    events = crash.events
    assert events[-1] == {"done": True}
    last = events[-2]
    assert last["choices"][0]["finish_reason"] == "stop"
    assert last["coteach"]["degraded"] is True
    assert last["coteach"]["references"]
    assert last["choices"][0]["delta"]["annotations"]


@pytest.mark.usefixtures("crash")
def test_the_next_question_is_answered_from_the_material_at_once(client: openai.OpenAI) -> None:
    asked_at = time.monotonic()
    reply = client.chat.completions.create(
        model="coteach:data-structures", messages=[{"role": "user", "content": COMPARISON}]
    )
    assert time.monotonic() - asked_at < AT_MOST_S
    assert ENGLISH.server_down in (reply.choices[0].message.content or "")
    assert extension(reply)["degraded"] is True
    assert extension(reply)["references"]


@pytest.mark.usefixtures("crash")
def test_health_says_that_the_model_server_is_down(gateway: Gateway) -> None:
    health = gateway.health()
    assert health["status"] == "degraded"
    assert health["model_server"]["alive"] is False
