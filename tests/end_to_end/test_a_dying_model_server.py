"""The model server is killed while a student waits. Comes last: it is the server that all other tests share."""

import os
import signal
import time

import openai
import pytest
from running import COMPARISON, Gateway, Json, extension, text_of

from serving.answering.phrases import ENGLISH
from serving.processes import ServiceProcess

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

AT_MOST_S = 5.0


@pytest.fixture(scope="module")
def broken_off(gateway: Gateway, model_server_process: ServiceProcess) -> tuple[list[Json], float]:
    """The events of an answer during which the model server died, and the seconds from its death to the end."""
    events: list[Json] = []
    killed_at = 0.0
    for event in gateway.stream(COMPARISON, course="data-structures"):
        events.append(event)
        if not killed_at and text_of(event):
            os.killpg(model_server_process.pid, signal.SIGKILL)
            killed_at = time.monotonic()
    return events, time.monotonic() - killed_at


def test_the_student_gets_the_material_within_five_seconds(broken_off: tuple[list[Json], float]) -> None:
    events, seconds = broken_off
    text = "".join(map(text_of, events))
    assert seconds < AT_MOST_S
    assert ENGLISH.cut_off in text
    assert ENGLISH.server_down in text.split(ENGLISH.cut_off)[1]


def test_the_stream_is_whole_and_has_references(broken_off: tuple[list[Json], float]) -> None:
    events, _ = broken_off
    assert events[-1] == {"done": True}
    last = events[-2]
    assert last["choices"][0]["finish_reason"] == "stop"
    assert last["coteach"]["degraded"] is True
    assert last["coteach"]["references"]
    assert last["choices"][0]["delta"]["annotations"]


@pytest.mark.usefixtures("broken_off")
def test_the_next_question_is_answered_from_the_material_at_once(client: openai.OpenAI) -> None:
    asked_at = time.monotonic()
    reply = client.chat.completions.create(
        model="coteach:data-structures", messages=[{"role": "user", "content": COMPARISON}]
    )
    assert time.monotonic() - asked_at < AT_MOST_S
    assert ENGLISH.server_down in (reply.choices[0].message.content or "")
    assert extension(reply)["degraded"] is True
    assert extension(reply)["references"]


@pytest.mark.usefixtures("broken_off")
def test_health_says_that_the_model_server_is_down(gateway: Gateway) -> None:
    health = gateway.health()
    assert health["status"] == "degraded"
    assert health["model_server"]["alive"] is False
