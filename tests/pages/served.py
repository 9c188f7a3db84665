"""A gateway with its pages in a process of its own, over a small home, as a browser meets it."""

import os
import shutil
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import course_rows as rows
import httpx
import pytest
from playwright.sync_api import Browser, BrowserType
from prepared import prepare
from warm_gateways import is_running, start_gateway

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from serving.index.build import build_index
from serving.llm.processes import free_port
from serving.store.caller import Role
from serving.store.database import Store, sqlite_url
from serving.store.keys import make_key

START_SECONDS = 60.0
END_SECONDS = 20.0

LEAN_BROWSER = Path(__file__).with_name("lean_browser.sh")

PACKAGES = (
    "Install Debian's package `chromium` (apt-get install chromium), or set COTEACH_CHROMIUM to a browser's path."
)


@dataclass(frozen=True)
class Served:
    """A running gateway. Tests look into its `store` themselves: what a page says it kept must be there."""

    url: str
    data_dir: DataDir
    store: Store
    log: Path

    def key(self, role: Role, name: str | None = None) -> str:
        """A new key; the whole of it, as a person would be given it."""
        return self.store.write(lambda db: make_key(db, role=role, name=name))


@contextmanager
def serving(home: Path, llm_url: str | None = None, settings: Mapping[str, str] | None = None) -> Iterator[Served]:
    """A gateway as `coteach serve` starts it, but for its imports, which are done (`warm_gateways.py`). `settings` are
    `COTEACH_*` without the prefix: `{"access": "keys"}`.

    With a model server, a stand-in, that writes unexamined unless they say otherwise: pages are tried with its words.
    """
    data_dir, port = DataDir(home), free_port(0)
    admission = "always" if llm_url else ""
    named = {"home": str(home), "llm_url": llm_url or "", "access": "open", "model_admission": admission}
    named |= settings or {}
    environment = {f"COTEACH_{name.upper()}": value for name, value in named.items() if value}
    log = data_dir.logs / "gateway.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    process = start_gateway(port, log, {**os.environ, **environment})
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(process, url, log)
        store = Store.open(sqlite_url(data_dir.store))
        yield Served(url, data_dir, store, log)
        store.close()
    finally:
        _end(process, log)


def small_home(factory: pytest.TempPathFactory, name: str) -> Path:
    """The two tiny courses of `course_rows`: one in English, one in Chinese, and the first one's FAQ. With everything
    a gateway needs but the intent model, below a new folder `name`; it is built once in a run of the tests."""
    return prepare(factory, small_home.__name__, _write_home).copy(factory.mktemp(name) / "small") / "home"


def _write_home(folder: Path) -> None:
    data_dir = DataDir(folder / "home")
    for path, listed, schema in (
        (data_dir.graph_concepts, rows.CONCEPTS, schemas.GRAPH_CONCEPTS),
        (data_dir.graph_prerequisites, rows.PREREQUISITES, schemas.GRAPH_PREREQUISITES),
        (data_dir.graph_courses, rows.COURSES, schemas.GRAPH_COURSES),
        (data_dir.table("cues", "ds"), rows.CUES, schemas.CUES),
        (data_dir.table("faq", "ds"), [_faq(row) for row in rows.QA if row["source"] == "faq"], schemas.FAQ),
    ):
        tables.write_table(path, listed, schema)
    build_index(rows.tables(folder / "tables"), data_dir.index)


def launched(kind: BrowserType, *args: str) -> Browser:
    """The browser that the tests drive, without what costs time and nobody sees (`lean_browser.sh`)."""
    environment = {**os.environ, "LEAN_BROWSER": browser_path() or ""}
    return kind.launch(executable_path=LEAN_BROWSER, env=environment, args=args)


def browser_path() -> str | None:
    """The browser that the tests drive: Debian's, unless another is named."""
    named = os.environ.get("COTEACH_CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser")


def _faq(row: rows.Row) -> rows.Row:
    same = ("course_id", "origin_id", "section", "question", "answer", "reviewer", "updated_at", "lang")
    return {**{name: row[name] for name in same}, "author": None, "file": "faq.csv", "row": 1}


def _wait(process: int, url: str, log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and is_running(process):
        try:
            if httpx.get(f"{url}/login", timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError(f"The gateway with its pages did not start at {url}:\n{log.read_text()[-4000:]}")


def _end(process: int, log: Path) -> None:
    if is_running(process):
        os.kill(process, signal.SIGTERM)
    until = time.monotonic() + END_SECONDS
    while is_running(process):
        assert time.monotonic() < until, f"The gateway did not end:\n{log.read_text()[-4000:]}"
        time.sleep(0.02)
