"""One build that the console started, as a process that outlives the gateway: `python -m … FOLDER COMMAND …`.

It runs the command, writes what it prints to `FOLDER/log`, and how it ended to `FOLDER/outcome.json`. It holds the lock
that it was given for as long as it lives, so that everybody sees by the lock whether it does. Asked to end, it asks the
command as Ctrl-C does, which keeps what is built, and makes it end only when that takes too long.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

ASKED_S = 60.0
"""How long a build that is asked to stop may take to finish the step it is at. A choice."""
TOLD_S = 15.0
_POLL_S = 0.1
_PR_SET_PDEATHSIG = 1


def main(folder: Path, command: Sequence[str]) -> int:
    """Run the command to its end; its exit code."""
    is_asked = False

    def ask(_number: int, _frame: object) -> None:
        nonlocal is_asked
        is_asked = True

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask)
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=partial(_die_with, os.getpid()),
        )
        while not is_asked and process.poll() is None:
            time.sleep(_POLL_S)
        if process.poll() is None:
            _stop(process)
    _write(folder / "outcome.json", {"code": process.returncode, "cancelled": is_asked, "ended_at": time.time()})
    return process.returncode


def _stop(process: subprocess.Popen[bytes]) -> None:
    """As a person at the keyboard does, then harder; the whole group, for steps may have processes of their own."""
    for number, patience in ((signal.SIGINT, ASKED_S), (signal.SIGTERM, TOLD_S), (signal.SIGKILL, TOLD_S)):
        try:
            os.killpg(process.pid, number)
            process.wait(patience)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
        return


def _die_with(parent: int) -> None:
    """The command is asked to stop when this process is killed. Runs in the child, before the command."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if os.getppid() != parent:
        os._exit(1)


def _write(path: Path, outcome: dict[str, object]) -> None:
    temporary = path.with_suffix(".new")
    temporary.write_text(json.dumps(outcome) + "\n", encoding="utf-8")
    temporary.replace(path)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
