"""Limits that two gateways count together, in a real Redis (Debian's `redis-server`)."""

import asyncio
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from knowledge_graph.lake.problems import CoteachError
from serving.gateway.errors import GatewayError
from serving.gateway.rate_limits import Allowance, Limits
from serving.llm.processes import free_port
from serving.settings import Settings

SERVER = shutil.which("redis-server")


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    if SERVER is None:
        pytest.skip("needs redis-server")
    port = free_port(0)
    command = [str(SERVER), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    until = time.monotonic() + 20
    with redis.Redis(port=port) as client:
        while True:
            try:
                client.ping()
                break
            except redis.ConnectionError:
                assert time.monotonic() < until, "redis-server does not answer"
                time.sleep(0.05)
    yield f"redis://127.0.0.1:{port}"
    process.kill()
    process.wait()


def admitted(limits: Limits, who: str) -> Allowance | None:
    return asyncio.run(limits.admit(who, "questions", course_id="ds"))


def test_what_one_gateway_let_through_counts_for_the_other(url: str) -> None:
    settings = Settings(limits_url=url, requests_per_minute=3)
    one, other = Limits(settings), Limits(settings)
    left = [admitted(each, "somebody") for each in (one, other, one)]
    assert [allowed.remaining for allowed in left if allowed is not None] == [2, 1, 0]
    with pytest.raises(GatewayError, match="3 per minute are allowed"):
        admitted(other, "somebody")
    assert admitted(other, "somebody else") is not None


def test_a_redis_that_is_away_lets_everybody_through(url: str) -> None:
    limits = Limits(Settings(limits_url=url, requests_per_minute=1))
    assert admitted(limits, "somebody") is not None
    with redis.Redis.from_url(url) as client:
        client.shutdown(nosave=True)
    assert [admitted(limits, "somebody") for _ in range(3)] == [None] * 3
    later = Limits(Settings(limits_url=url, requests_per_minute=1))
    assert admitted(later, "somebody") is None


def test_without_the_client_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(CoteachError, match=r"coteach\[redis\]"):
        Limits(Settings(limits_url="redis://127.0.0.1:6379"))
