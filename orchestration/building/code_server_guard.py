"""Has a code server that was killed started again: Dagster leaves its place empty until somebody presses *Reload*.

What a daemon talks to is a process (`dagster code-server start`, which `dagster dev` starts too) that only passes on
what it is asked; the server that has loaded the code is a process below it. When that one is killed, for want of memory
say, there are no sensors any more and no run is started, and nothing ends that somebody could notice and start again.
This small process beside it waits for its end and, when nobody answers in its place, asks for *Reload*.

It reads the command line of the pinned Dagster: `tests/orchestration/test_code_server_guard.py` says whether that
holds. It imports nothing of Dagster until it is needed.
"""

import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_TO_END_S = 3.0
"""From the end of the server to the end of what it is below, when both are stopped."""
_TO_LOAD_S = 600
"""For the definitions on a machine under load, as in dagster.yaml."""

_guards: list["subprocess.Popen[bytes]"] = []
"""The guard of this process. It ends when the process does: nothing else has the other end of its pipe."""


def guard_this_server() -> None:
    """Start the guard of this process, once, if it is a code server below one that only passes on."""
    address = address_in(_command_of(os.getppid()))
    if address and not _guards:
        _guards.append(subprocess.Popen([sys.executable, "-m", __name__, *address], stdin=subprocess.PIPE))


def address_in(command: Sequence[str]) -> list[str]:
    """The arguments that say where `dagster code-server start` listens; none of any other command."""
    if not {"code-server", "start"} <= set(command):
        return []
    return [
        word
        for name in ("--socket", "--host", "--port")
        if name in command[:-1]
        for word in (name, command[list(command).index(name) + 1])
    ]


def _command_of(pid: int) -> list[str]:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace").split("\0")
    return []


def bring_back(socket: str | None, host: str, port: int | None) -> None:
    """Ask for *Reload* if whoever listens there has no server to pass on to."""
    from dagster._core.errors import DagsterUserCodeUnreachableError  # noqa: PLC0415  seconds and 100 MB
    from dagster._grpc.client import DagsterGrpcClient  # noqa: PLC0415

    client = DagsterGrpcClient(host=host, socket=socket, port=port)
    try:
        client.ping("")
    except DagsterUserCodeUnreachableError:
        # It starts another and then fails to say goodbye to the one that was killed.
        with suppress(DagsterUserCodeUnreachableError):
            client.reload_code(timeout=_TO_LOAD_S)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--socket")
    parser.add_argument("--host", default="localhost")
    parser.add_argument("--port", type=int)
    asked = parser.parse_args()
    sys.stdin.buffer.read()  # until the server ends
    time.sleep(_TO_END_S)
    bring_back(asked.socket, asked.host, asked.port)


if __name__ == "__main__":
    main()
