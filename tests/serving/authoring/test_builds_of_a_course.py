"""Builds that the console starts: one at a time, told by a lock, stopped as Ctrl-C does, and what is shown of them.

The command is a stand-in that waits or fails; that the real one builds is looked at in
`tests/pages/test_files_page.py`.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from gateways import Gateway, bearer
from sqlalchemy import select

from knowledge_graph.lake.home import DataDir
from serving.gateway.authoring import build_process
from serving.gateway.authoring.build_log import lines_for, progress_of
from serving.gateway.authoring.builds import KEPT_BUILDS, BuildRoom, BuildRunning, BuildUnknown
from serving.store.tables.identity import AuditRow

Use = Callable[..., Any]

WAITS = (sys.executable, "-c", "import time; print('  course ds: faq: new', flush=True); time.sleep(60)")
DEAF = (
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)",
)
PATIENCE_S = 30.0


def says(text: str, code: int = 0) -> tuple[str, ...]:
    return (sys.executable, "-c", f"import sys; print({text!r}); sys.exit({code})", "--")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Callable[..., BuildRoom]]:
    made = list[BuildRoom]()

    def make(command: tuple[str, ...]) -> BuildRoom:
        made.append(BuildRoom(DataDir(tmp_path / "home"), tmp_path / "courses", command=command))
        return made[-1]

    yield make
    for one in made:
        for status in one.list_builds():
            if status.state == "running":
                with suppress(ProcessLookupError):  # it ended while it was looked at
                    os.kill(status.build.pid, signal.SIGKILL)


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_build_says_how_it_went_and_what_it_printed(room: Callable[..., BuildRoom]) -> None:
    for command, state in ((says("fine"), "done"), (says("bad", 1), "failed")):
        one = room(command)
        build = one.start("ds", by="Ada")
        until(lambda one=one, build=build: one.status(build.build_id).state != "running")  # type: ignore[misc]
        status = one.status(build.build_id)
        assert (status.state, status.build.course_id, status.build.by) == (state, "ds", "Ada")
        assert status.ended_at is not None
        assert one.lines(build.build_id) == ["fine" if state == "done" else "bad"]


def test_one_builds_at_a_time_whichever_gateway_asks(room: Callable[..., BuildRoom]) -> None:
    first, second = room(WAITS), room(WAITS)
    build = first.start("ds", by="Ada")
    with pytest.raises(BuildRunning):
        second.start(None, by="Ben")
    assert second.status(build.build_id).state == "running"
    second.cancel(build.build_id)
    until(lambda: second.status(build.build_id).state == "cancelled")
    assert second.start(None, by="Ben").build_id > build.build_id


def test_a_build_goes_on_when_its_gateway_ends(room: Callable[..., BuildRoom], tmp_path: Path) -> None:
    """What starts it here is another process that is gone at once."""
    script = (
        "import sys; from pathlib import Path; from knowledge_graph.lake.home import DataDir;"
        "from serving.gateway.authoring.builds import BuildRoom;"
        f"room = BuildRoom(DataDir(Path({str(tmp_path / 'home')!r})), Path('.'), command={WAITS!r});"
        "print(room.start('ds', by='Ada').build_id)"
    )
    build_id = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
    one = room(WAITS)
    assert one.status(build_id).state == "running"
    until(lambda: bool(one.lines(build_id)))
    one.cancel(build_id)
    until(lambda: one.status(build_id).state == "cancelled")


def test_a_build_whose_process_was_killed_is_lost_and_bars_no_other(room: Callable[..., BuildRoom]) -> None:
    one = room(WAITS)
    build = one.start("ds", by="Ada")
    until(lambda: bool(one.lines(build.build_id)))
    os.kill(build.pid, signal.SIGKILL)
    until(lambda: one.status(build.build_id).state == "lost")
    with pytest.raises(BuildUnknown):
        one.cancel(build.build_id)
    assert one.start("ds", by="Ada").build_id != build.build_id


def test_a_build_that_hears_nothing_is_stopped_all_the_same(
    room: Callable[..., BuildRoom], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_process, "ASKED_S", 0.3)
    folder = tmp_path / "build"
    folder.mkdir()
    pid = os.fork()
    if pid == 0:
        os._exit(0 if build_process.main(folder, DEAF) else 1)
    until(lambda: (folder / "log").exists() and b"deaf" in (folder / "log").read_bytes())
    os.kill(pid, signal.SIGINT)
    os.waitpid(pid, 0)
    assert json.loads((folder / "outcome.json").read_text())["code"] == -signal.SIGTERM


@pytest.mark.parametrize("build_id", ["..", "../logs", "", "x/y", "20260101"])
def test_a_build_that_is_none_is_unknown(room: Callable[..., BuildRoom], build_id: str) -> None:
    with pytest.raises(BuildUnknown):
        room(WAITS).status(build_id)


def test_the_newest_builds_are_kept(room: Callable[..., BuildRoom], tmp_path: Path) -> None:
    one = room(says("x"))
    folder = DataDir(tmp_path / "home").console_builds
    for number in range(KEPT_BUILDS + 5):
        (folder / f"2020{number:04d}").mkdir(parents=True)
        (folder / f"2020{number:04d}" / "build.json").write_text(
            json.dumps({"build_id": f"2020{number:04d}", "course_id": "ds", "by": "", "started_at": "", "pid": 1})
        )
    build = one.start("ds", by="Ada")
    until(lambda: one.status(build.build_id).state == "done")
    assert len(one.list_builds()) == KEPT_BUILDS


def test_a_teacher_starts_sees_and_stops_a_build_and_it_is_noted(use: Use) -> None:
    async def work(gateway: Gateway) -> None:
        key, other = gateway.key("teacher", courses=["ds"]), gateway.key("teacher", courses=["law"])
        client = gateway.client
        started = await client.post("/v1/builds", json={"course": "ds"}, headers=bearer(key))
        assert started.status_code == 202, started.text
        build_id = started.json()["build_id"]
        for _ in range(300):
            shown = (await client.get(f"/v1/builds/{build_id}", headers=bearer(key))).json()
            if shown["lines"]:
                break
            await asyncio.sleep(0.1)
        assert (shown["state"], shown["now"]) == ("running", "course ds: faq: new")
        second = await client.post("/v1/builds", json={"course": "law"}, headers=bearer(other))
        assert second.status_code == 409
        assert "ds" not in second.json()["error"]["message"]
        assert (await client.get("/v1/builds", headers=bearer(other))).json() == []
        for method, path in (("GET", f"/v1/builds/{build_id}"), ("POST", f"/v1/builds/{build_id}/cancel")):
            assert (await client.request(method, path, headers=bearer(other))).status_code == 404
        assert (await client.post(f"/v1/builds/{build_id}/cancel", headers=bearer(key))).status_code == 200
        for _ in range(300):
            shown = (await client.get(f"/v1/builds/{build_id}", headers=bearer(key))).json()
            if shown["state"] != "running":
                break
            await asyncio.sleep(0.1)
        assert shown["state"] == "cancelled"
        assert shown["lines"][-1] == "Stopped. What was built is kept"
        rows = gateway.store.read(lambda db: list(db.scalars(select(AuditRow).order_by(AuditRow.at))))
        assert [(row.act, row.subject) for row in rows if row.act.startswith("build.")] == [
            ("build.start", "ds"),
            ("build.cancel", "ds"),
        ]

    use(work)


LOG = """Courses in /srv/courses: ds, law
  ! law/documents/secret.md: Not read: the link leads out.
  course ds: faq: data changed (+2 more)
    ✓ faq  42 rows
    ! faq: input_is_clean
        faq.csv:3: The answer is missing. Write one.
    done in 3.1 s
  course law: faq: data changed
    ✗ faq: secret words of law
    failed in 1.0 s
  all courses: qa_pairs: data changed
    ✓ qa_pairs  249 rows
    ✗ qa_pairs: unique of law: what law's students ask
        law: secret row
    done in 2.0 s
Built in 6.1 s. Home: /srv/home
Not built: law (run 1234; secret)""".splitlines()


def test_nothing_of_another_course_is_shown_of_a_build() -> None:
    shown = lines_for(LOG, {"ds"})
    assert "faq.csv:3: The answer is missing" in "\n".join(shown)
    assert not [line for line in shown if "law" in line or "secret" in line or "/srv" in line]
    assert shown[-1] == "Built in 6.1 s."
    assert lines_for(LOG, None) == LOG


def test_progress_is_counted_from_what_is_printed() -> None:
    progress = progress_of(LOG)
    assert (progress.now, progress.steps, progress.failed) == ("all courses: qa_pairs: data changed", 2, 2)
