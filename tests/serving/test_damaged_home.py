"""A home that is damaged: the gateway says that it is not ready and why, and answers from what it has loaded."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from structlog.testing import capture_logs

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.source_kinds import CourseTable
from orchestration.cli.ask_command import home_status
from serving.gateway import service
from serving.gateway.app import create_app
from serving.index.engine import IndexDamaged
from serving.index.search import SearchIndex
from serving.settings import ModelServerSettings, Settings

ASKED = {"model": "coteach", "messages": [{"role": "user", "content": "What is a stack?"}]}
NEEDED = ("graph concepts", "graph prerequisites", "graph courses", "index store", "index pointer", "index manifest")

ENTRY = {
    "course_id": "ds",
    "origin_id": "due",
    "question": "When is the homework due?",
    "answer": "On Sunday at noon.",
    "lang": "en",
}
_SEARCHES = """
import sys
from pathlib import Path
from serving.index.search import SearchIndex
folder = Path(sys.argv[1])
index = SearchIndex.open(folder, own_copy=sys.argv[2] == "copied")
for file in folder.glob("*/*/*"):
    file.open("r+b").truncate(0)
print(len([hit for kind in ("qa", "passage") for hit in index.search("a stack of what is", kind=kind)]))
"""


def damaged_file(data_dir: DataDir, what: str) -> Path:
    version = data_dir.index / (data_dir.index / "CURRENT").read_text().strip()
    return {
        "graph concepts": data_dir.graph_concepts,
        "graph prerequisites": data_dir.graph_prerequisites,
        "graph courses": data_dir.graph_courses,
        "index store": max(version.rglob("*.store"), key=lambda path: path.stat().st_size),
        "index pointer": data_dir.index / "CURRENT",
        "index manifest": version / "manifest.json",
    }[what]


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 4
    path.write_bytes(content)


@asynccontextmanager
async def gateway(home: Path) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(Settings(home=home, requests_per_minute=0))
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://gateway") as client,
    ):
        yield client


@pytest.mark.parametrize("what", NEEDED)
def test_a_gateway_over_a_damaged_home_is_not_ready_and_says_so_without_a_traceback(
    home: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "RETRY_SECONDS", 0.0)
    path = damaged_file(DataDir(home), what)
    whole = path.read_bytes()

    async def run() -> None:
        async with gateway(home) as client:
            ready, asked = await client.get("/readyz"), await client.post("/v1/chat/completions", json=ASKED)
            assert (ready.status_code, asked.status_code) == (503, 503)
            assert "Run `coteach build`" in ready.text
            assert "Run `coteach build`" in asked.text
            path.write_bytes(whole)  # as a build does
            assert (await client.get("/readyz")).status_code == 200
            assert (await client.post("/v1/chat/completions", json=ASKED)).status_code == 200

    cut(path)
    with capture_logs() as logs:
        asyncio.run(run())
    assert not [one for one in logs if one.get("exc_info")]
    (reason, *_) = [one["reason"] for one in logs if one["event"] == "home_not_loaded"]
    assert "\n" not in reason
    assert "coteach build" in reason


@pytest.mark.parametrize("what", ["graph concepts", "index store"])
def test_one_wrong_bit_is_found_when_a_home_is_opened(home: Path, what: str) -> None:
    path = damaged_file(DataDir(home), what)
    flip(path)
    found = home_status(Settings(home=home), ModelServerSettings())
    assert found["ready"] is False
    assert str(path) in str(found["damaged"])


def test_an_index_whose_files_are_not_what_was_built_is_not_opened(home: Path) -> None:
    path = damaged_file(DataDir(home), "index store")
    path.unlink()
    with pytest.raises(IndexDamaged, match=r"\.store is gone\. Run `coteach build`\."):
        SearchIndex.open(DataDir(home).index)


def test_a_gateway_that_has_loaded_its_home_goes_on_answering_while_it_is_repaired(home: Path) -> None:
    async def run() -> None:
        async with gateway(home) as client:
            before = (await client.post("/v1/chat/completions", json=ASKED)).json()
            DataDir(home).graph_concepts.unlink()
            (DataDir(home).index / "CURRENT").unlink()
            await asyncio.sleep(service.LOOK_SECONDS * 2)
            after = (await client.post("/v1/chat/completions", json=ASKED)).json()
            assert after["choices"][0]["message"] == before["choices"][0]["message"]
            assert (await client.get("/readyz")).status_code == 200

    asyncio.run(run())


def test_status_of_a_damaged_home_says_what_is_damaged(home: Path) -> None:
    cut(DataDir(home).graph_courses)
    found = home_status(Settings(home=home), ModelServerSettings())
    assert json.loads(json.dumps(found)) == found
    assert (found["ready"], found["courses"]) == (False, [])
    (reason,) = found["damaged"]  # type: ignore[misc, has-type]
    assert str(reason).startswith(f"{DataDir(home).graph_courses} is damaged: ")


@pytest.mark.parametrize("damage", [cut, flip, Path.unlink])
@pytest.mark.parametrize("table", ["faq", "concepts", "cues"])
def test_pages_open_or_say_what_cannot_be_read_while_a_table_is_damaged(
    home: Path, table: CourseTable, damage: Callable[[Path], None]
) -> None:
    data_dir = DataDir(home)
    tables.write_table(data_dir.table("faq", "ds"), [{name: None for name in schemas.FAQ.names} | ENTRY], schemas.FAQ)
    tables.write_table(data_dir.table("concepts", "ds"), [], schemas.CONCEPTS)
    damage(data_dir.table(table, "ds"))
    paths = ("/", "/courses/ds/faq/due", "/courses/ds/videos/03-stacks?t=192")

    async def run() -> dict[str, httpx.Response]:
        async with gateway(home) as client:
            return {path: await client.get(path, headers={"Accept": "text/html"}) for path in paths}

    with capture_logs() as logs:
        replies = asyncio.run(run())
    assert not [one for one in logs if one.get("exc_info")]
    assert replies["/"].status_code == 200
    assert {reply.status_code for reply in replies.values()} <= {200, 404, 503}
    entry = replies["/courses/ds/faq/due"]
    assert (ENTRY["answer"] in entry.text) == (entry.status_code == 200) == (table != "faq")


@pytest.mark.parametrize(("copied", "code"), [("copied", 0), ("mapped", -signal.SIGBUS)])
def test_an_index_that_is_cut_while_it_is_open_ends_only_who_has_no_copy(home: Path, copied: str, code: int) -> None:
    """Its files are mapped into memory, and the system ends whoever reads what was cut off one."""
    command = [sys.executable, "-c", _SEARCHES, str(DataDir(home).index), copied]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == code, ended.stderr
    assert code or int(ended.stdout) > 0
