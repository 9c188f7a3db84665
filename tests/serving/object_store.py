"""moto's S3 server as a process of its own: an object store that LanceDB reaches over HTTP, as it would reach any."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

BUCKET = "courses"


def environment(address: str) -> dict[str, str]:
    """What a process is told of the store, as of any other."""
    told = {"ACCESS_KEY_ID": "tests", "SECRET_ACCESS_KEY": "tests", "REGION": "us-east-1", "ALLOW_HTTP": "true"}
    return {f"AWS_{name}": value for name, value in (told | {"ENDPOINT": address, "ENDPOINT_URL": address}).items()}


def start(port: int, bucket: str = BUCKET) -> subprocess.Popen[bytes]:
    """The server with an empty bucket; ready when it returns."""
    command = [sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ})
    for _ in range(600):
        try:
            httpx.put(f"http://127.0.0.1:{port}/{bucket}").raise_for_status()
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return process
    process.kill()
    raise RuntimeError(f"moto's server does not answer on port {port}.")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_store() -> Iterator[str]:
    """The address of a store that runs."""
    port = free_port()
    process = start(port)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
