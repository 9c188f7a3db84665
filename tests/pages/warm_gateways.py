"""Gateways that are running soon: a process that has imported one is copied (`fork`) for each.

The imports are most of a gateway's start. As a program this module is the process that is copied: each line it
reads asks for a gateway, and it answers with the number of its process. What it started ends with it.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FrameType

import uvicorn

APP = "serving.gateway.app"
WHEN_IT_STARTS = ("serving.gateway.mcp_server", "jieba")
"""What a gateway imports later than its modules: nearly half of the rest of its start."""


def start_gateway(port: int, log: Path, environment: Mapping[str, str]) -> int:
    """The number of a new gateway's process. What it prints goes to `log`."""
    copied = _copied()
    assert copied.stdin is not None
    assert copied.stdout is not None
    copied.stdin.write(json.dumps({"port": port, "log": str(log), "environment": dict(environment)}) + "\n")
    copied.stdin.flush()
    return int(copied.stdout.readline())


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@cache
def _copied() -> subprocess.Popen[str]:
    """Once in a process of tests. It ends with that process, which closes what it reads from."""
    command = [sys.executable, "-P", __file__]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _main() -> None:
    for name in (APP, *WHEN_IT_STARTS):
        import_module(name)
    started: set[int] = set()

    def reap(_signal: int, _frame: FrameType | None) -> None:
        while started:
            ended, _ = os.waitpid(-1, os.WNOHANG)
            if not ended:
                return
            started.discard(ended)

    signal.signal(signal.SIGCHLD, reap)
    for line in sys.stdin:
        asked = json.loads(line)
        process = os.fork()
        if not process:
            break
        started.add(process)
        sys.stdout.write(f"{process}\n")
        sys.stdout.flush()
    else:
        for process in tuple(started):
            os.kill(process, signal.SIGTERM)
        return
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(asked["environment"])
    with open(asked["log"], "wb") as output, open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
        for told in (1, 2):
            os.dup2(output.fileno(), told)
    uvicorn.run(f"{APP}:create_app", factory=True, port=asked["port"], log_level="warning")


if __name__ == "__main__":
    _main()
