"""`ServiceProcess`: a server that coteach starts, watches and stops, with everything it spawned.

One class for the model server, the gateway and the two UIs. What is started belongs to vllm.py or the command line.
"""

import ctypes
import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from knowledge_graph.lake.problems import CoteachError

_LAST_LINES = 15
_POLL_S = 0.25
_LONGEST_LOG = 50_000_000
_LAST_PORT = 65_535


class ServiceFailed(CoteachError):
    """A service ended or never became ready. The message carries the last lines of its own log."""


@dataclass(frozen=True)
class ServiceSpec:
    """What to run and how to tell that it is ready."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    ready_url: str
    ready_timeout_s: float
    patience_s: float = 10.0
    """How long it may take to end by itself when it is asked to."""
    has_own_temporary: bool = False
    """Whether its temporary files are in a folder of its own, which goes when it is stopped."""


class ServiceProcess:
    """A running service. It leads a process group of its own, so that stopping it leaves no child behind."""

    def __init__(self, spec: ServiceSpec) -> None:
        self.spec = spec
        spec.log.parent.mkdir(parents=True, exist_ok=True)
        _make_room(spec.log)
        environment = dict(spec.environment)
        self._temporary = _temporary_folder() if spec.has_own_temporary else None
        if self._temporary is not None:
            environment["TMPDIR"] = self._temporary.name
        with spec.log.open("ab") as log:
            self._process = subprocess.Popen(
                list(spec.command),
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=partial(_end_with, os.getpid()),
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def wait_ready(self, on_progress: Callable[[float, str], None] = lambda _seconds, _line: None) -> float:
        """Wait until `ready_url` answers 200 and return the seconds it took.

        `on_progress` gets the seconds so far and the newest log line. Raises `ServiceFailed` when the process ends
        or the time runs out; a process that is too slow is stopped.
        """
        started = time.monotonic()
        while (elapsed := time.monotonic() - started) < self.spec.ready_timeout_s:
            if not self.running:
                raise ServiceFailed(
                    f"{self.spec.name} ended with exit code {self._process.returncode} before it was ready. "
                    f"Its last lines ({self.spec.log}):\n{self.last_lines()}"
                )
            if answers(self.spec.ready_url):
                return time.monotonic() - started
            on_progress(elapsed, self.last_lines(1))
            time.sleep(_POLL_S)
        self.stop()
        raise ServiceFailed(
            f"{self.spec.name} was not ready after {self.spec.ready_timeout_s:.0f} s and was stopped. "
            f"Its last lines ({self.spec.log}):\n{self.last_lines()}"
        )

    def last_lines(self, count: int = _LAST_LINES) -> str:
        """The newest lines of the log; only its end is read."""
        with self.spec.log.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - 16_384))
            return "\n".join(log.read().decode("utf-8", "replace").splitlines()[-count:])

    def ask_to_end(self) -> None:
        """Ask the whole group to end, without waiting."""
        _signal_group(self.pid, signal.SIGTERM)

    def stop(self, patience_s: float | None = None) -> None:
        """Ask the whole group to end, then make it. Returns when no process of it is left."""
        deadline = time.monotonic() + (self.spec.patience_s if patience_s is None else patience_s)
        signalled = _signal_group(self.pid, signal.SIGTERM)
        while signalled and time.monotonic() < deadline:
            self._process.poll()
            if not _signal_group(self.pid, 0):
                break
            time.sleep(0.05)
        _signal_group(self.pid, signal.SIGKILL)
        self._process.wait()
        if self._temporary is not None:
            self._temporary.cleanup()


_LONGEST_TEMPORARY = 45
"""Characters of a folder below which sockets with long names fit: their whole path has 107 at most."""


def _temporary_folder() -> TemporaryDirectory[str]:
    usual = tempfile.gettempdir()
    where = usual if len(os.fsencode(usual)) <= _LONGEST_TEMPORARY else "/tmp"
    return TemporaryDirectory(prefix="coteach-", dir=where, ignore_cleanup_errors=True)


_DEATH_SIGNAL = 1
"""`PR_SET_PDEATHSIG` of Linux's `prctl`."""

_LIBC = ctypes.CDLL(None, use_errno=True)


def _end_with(parent: int) -> None:
    """Run in a new process: have it terminated when the process that started it ends, even by SIGKILL."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # it may have been started where SIGTERM is ignored
    _LIBC.prctl(_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() != parent:  # it ended meanwhile
        os.kill(os.getpid(), signal.SIGTERM)


def _make_room(log: Path) -> None:
    """A log goes on where it ended, until it is long: then the last one stays beside the new one."""
    if log.exists() and log.stat().st_size > _LONGEST_LOG:
        log.replace(log.with_suffix(f"{log.suffix}.1"))


def answers(url: str, timeout_s: float = 1.0) -> bool:
    """Whether `url` answers with a status below 400."""
    try:
        return httpx.get(url, timeout=timeout_s).is_success
    except httpx.HTTPError:
        return False


class PortTaken(ServiceFailed):
    """Somebody listens already where a service was to listen."""


def require_ports(first: int, count: int, host: str, setting: str) -> list[int]:
    """So many ports from `first` on, none of them replaced; 0 is any free one. Raises `PortTaken`."""
    found = free_ports(first, count, host)
    for place, port in enumerate(found):
        if first != 0 and port != first + place:
            raise PortTaken(
                f"Port {first + place} on {host} is taken. Stop what listens there, or choose another with {setting} "
                "(0: any that is free)."
            )
    return found


def free_port(preferred: int, host: str = "127.0.0.1") -> int:
    """`preferred` when nobody listens there, else one the system picks."""
    return free_ports(preferred, 1, host)[0]


def free_ports(preferred: int, count: int, host: str = "127.0.0.1") -> list[int]:
    """So many different ones from `preferred` on; what is taken is replaced by one the system picks."""
    wanted = [port if 0 < preferred <= port <= _LAST_PORT else 0 for port in range(preferred, preferred + count)]
    with ExitStack() as held:
        return [_free(port, host, held) for port in wanted]


def hold_port(port: int, host: str) -> socket.socket:
    """Bound and not listening: no connection that goes out is given the port before its service listens there.

    The service sets SO_REUSEADDR, as servers do. Raises `PortTaken`.
    """
    holding = socket.socket()
    holding.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        holding.bind((host, port))
    except OSError as error:
        holding.close()
        raise PortTaken(f"Port {port} on {host} was taken just now. Start again, or choose another.") from error
    return holding


def _free(preferred: int, host: str, held: ExitStack) -> int:
    for port in (preferred, 0):
        probe = held.enter_context(socket.socket())
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError:
            continue
        found: int = probe.getsockname()[1]
        return found
    raise ServiceFailed(f"No free port on {host}.")


def _signal_group(pid: int, number: int) -> bool:
    """Send a signal to the group that `pid` leads; False when nobody is left in it."""
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        return False
    return True
