"""Several processes on one store; and one that is killed in the middle of its work."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import func, select

from serving.store.database import Store, sqlite_url
from serving.store.tables.base import Meta

WRITER = """
import asyncio, sys
from serving.store.database import Store
from serving.store.tables.base import Meta

store = Store.open(sys.argv[1])
name, count, tasks = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])

async def write(task):
    for number in range(count):
        key = f"{name}-{task}-{number}"
        await store.writing(lambda db: db.add(Meta(name=key, value="x" * 200)))
        print(key, flush=True)

async def all_tasks():
    await asyncio.gather(*(write(task) for task in range(tasks)))

asyncio.run(all_tasks())
store.close()
"""


def start(url: str, name: str, *, count: int, tasks: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, url, name, str(count), str(tasks)], stdout=subprocess.PIPE, text=True
    )


def names(store: Store) -> set[str]:
    return set(store.read(lambda db: db.scalars(select(Meta.name)).all())) - {"salt"}


def test_processes_that_open_and_write_at_once_lose_nothing(store_url: str) -> None:
    running = [start(store_url, name, count=40, tasks=4) for name in ("gateway", "pipeline", "shell")]
    printed = {line for process in running for line in process.communicate(timeout=120)[0].split()}
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len(printed) == 3 * 40 * 4
    store = Store.open(store_url)
    assert names(store) == printed
    store.close()


def test_processes_that_make_a_store_at_once_agree(empty_url: str) -> None:
    running = [start(empty_url, f"p{number}", count=1, tasks=1) for number in range(5)]
    assert [process.wait(120) for process in running] == [0] * 5
    store = Store.open(empty_url)
    assert len(names(store)) == 5
    assert store.read(lambda db: db.scalar(select(func.count()).where(Meta.name == "salt"))) == 1
    store.close()
    for process in running:
        process.communicate()


@pytest.mark.parametrize("seed", range(5))
def test_what_a_killed_process_had_acknowledged_is_there(tmp_path: Path, seed: int) -> None:
    url = sqlite_url(tmp_path / "store.db")
    Store.open(url).close()
    process = start(url, "killed", count=1_000_000, tasks=8)
    assert process.stdout is not None
    chance = random.Random(seed)
    first = [process.stdout.readline().strip() for _ in range(chance.randint(2, 200))]
    time.sleep(chance.uniform(0, 0.02))
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read()
    process.stdout.close()
    assert process.wait(10) == -signal.SIGKILL
    # The last line may be cut off: it was then not told in full.
    printed = {*first, *rest[: rest.rfind("\n") + 1].split()}
    store = Store.open(url)
    kept = names(store)
    store.close()
    assert printed <= kept
    with sqlite3.connect(tmp_path / "store.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
