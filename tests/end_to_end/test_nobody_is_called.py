"""Privacy: building, asking, serving, the pages of Dagster and MLflow and the demo with its vLLM look up no name, send
nobody anything, and leave nothing in a person's home."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from knowledge_graph.telemetry import SILENT

PROJECT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent

_LOOKS_OUTSIDE = "import socket; socket.create_connection(('telemetry.example', 443), 2)"
_SENDS_OUTSIDE = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'1', ('198.51.100.7', 9))"
_BUILD = """
import sys
import tempfile
from pathlib import Path
from small_courses import Place, write_course, srt, STACKS, FAQ
place = Place(Path(sys.argv[1]))
write_course(place.courses / "structures", {"01 - Stacks.srt": srt(STACKS), "faq.csv": FAQ})
code, printed = place.build()
print(printed)
raise SystemExit(code)
"""
_SERVE = """
import os, subprocess, sys, time, httpx
command = [sys.executable, "-m", "orchestration.cli.main", "serve", "--home", sys.argv[1]]
server = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ | {
    "COTEACH_LLM_URL": "http://127.0.0.1:9/v1", "COTEACH_PORT": "8123"})
try:
    for _ in range(120):
        try:
            ready = httpx.get("http://127.0.0.1:8123/readyz", timeout=5)
            break
        except httpx.TransportError:
            time.sleep(0.5)
    body = {"model": "coteach", "messages": [{"role": "user", "content": "When is the homework due?"}]}
    reply = httpx.post("http://127.0.0.1:8123/v1/chat/completions", json=body, timeout=60)
    page = httpx.get("http://127.0.0.1:8123/", timeout=60, follow_redirects=True)
    print(ready.status_code, reply.text, page.status_code)
    assert "Sunday at noon" in reply.text, reply.text
    assert page.status_code == 200
finally:
    server.terminate()
    server.wait(60)
"""
_PAGES = """
import sys, httpx
from contextlib import ExitStack
from pathlib import Path
from knowledge_graph.lake.home import DataDir
from orchestration.cli.services import dagster_spec, mlflow_spec, start_service
data_dir = DataDir(Path(sys.argv[1]))
asked = {"query": "{ version repositoriesOrError { __typename } instance { daemonHealth { id } } }"}
with ExitStack() as stack:
    specs = (dagster_spec(data_dir, 8124), mlflow_spec(data_dir, 8125))
    for process in [stack.enter_context(start_service(spec)) for spec in specs]:
        process.wait_ready()
    told = httpx.post("http://127.0.0.1:8124/graphql", json=asked, timeout=120)
    pages = [httpx.get(f"http://127.0.0.1:{port}/", timeout=120) for port in (8124, 8125)]
print(told.text, [page.status_code for page in pages])
assert "RepositoryConnection" in told.text
assert [page.status_code for page in pages] == [200, 200]
"""
_DEMO = """
import os, runpy, sys
os.environ |= {"COTEACH_HOME": sys.argv[1], "COTEACH_COURSES": sys.argv[2]}
demo = runpy.run_path(sys.argv[3])
course, seconds = sys.argv[4:]
demo["main"].__globals__.update({"COURSE": course, "EXAM_SECONDS": float(seconds)})
raise SystemExit(demo["main"]())
"""


def alone(folder: Path, *commands: list[str]) -> dict[str, Any]:
    """What commands did in a network of their own. Skips the test where none may be made."""
    if (unshare := shutil.which("unshare")) is None or shutil.which("ip") is None:
        pytest.skip("A network namespace takes `unshare` and `ip` (util-linux and iproute2).")
    person = folder / "person"
    person.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="alone-", dir="/tmp") as temporary:
        made = subprocess.run(
            [
                *(unshare, "--net", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])),
                *(sys.executable, str(HERE / "alone_in_a_network.py"), str(folder), *map(json.dumps, commands)),
            ],
            env=environment_of(person, temporary),
            capture_output=True,
            text=True,
            check=False,
        )
    if made.returncode and "unshare" in made.stderr:
        pytest.skip(f"No network namespace may be made here: {made.stderr.strip()}")
    assert made.returncode == 0, made.stderr
    found: dict[str, Any] = json.loads(made.stdout)
    if "refused" in found:
        pytest.skip(f"The namespace may not be set up here: {found['refused']}")
    return found


def environment_of(person: Path, temporary: str) -> dict[str, str]:
    """As somebody has it who has set nothing. `temporary` is short: vLLM's sockets lie there, whose names have 107
    characters at most."""
    environment = {name: value for name, value in os.environ.items() if name not in SILENT}
    for name in [name for name in environment if name.startswith("XDG_") or name.lower().endswith("_proxy")]:
        del environment[name]
    return environment | {
        "HOME": str(person),
        "TMPDIR": temporary,
        "PYTHONPATH": os.pathsep.join([str(PROJECT), str(PROJECT / "tests" / "orchestration")]),
        "COTEACH_EMBED_LIMIT": "1000",
        "COTEACH_INTENT_TRAINING": "false",
        "COTEACH_MAX_TOKENS": "32",  # whom a model calls does not depend on how much it writes
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def test_whoever_looks_outside_is_heard(tmp_path: Path) -> None:
    found = alone(tmp_path, [sys.executable, "-c", _LOOKS_OUTSIDE])
    (only,) = found["results"]
    assert "name telemetry.example" in only["heard"]
    assert "packet to 203.0.113.1" in only["heard"]


def test_whoever_sends_something_to_any_port_is_heard(tmp_path: Path) -> None:
    found = alone(tmp_path, [sys.executable, "-c", _SENDS_OUTSIDE])
    assert found["results"][0]["heard"] == ["packet to 198.51.100.7"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Courses and their home, built by somebody whom nobody hears."""
    folder = tmp_path_factory.mktemp("alone")
    require_silence(alone(folder, [sys.executable, "-c", _BUILD, str(folder / "place")]))
    assert (folder / "place/home/models/embedding/CURRENT").is_file()  # or ONNX Runtime had nothing to do
    return folder / "place"


def require_silence(found: dict[str, Any]) -> None:
    """Every command did what it should; nobody was called, and nothing is left elsewhere."""
    for result in found["results"]:
        assert result["code"] == 0, result["printed"]
        assert result["heard"] == []
    assert found["left"] == {"HOME": [], "TMPDIR": []}


@pytest.mark.slow
def test_building_asking_serving_and_the_pages_call_nobody_and_leave_nothing_elsewhere(
    place: Path, tmp_path: Path
) -> None:
    home, verb = str(place / "home"), [sys.executable, "-m", "orchestration.cli.main"]
    found = alone(
        tmp_path,
        [*verb, "ask", "When is the homework due?", "--home", home],
        [*verb, "status", "--home", home],
        [sys.executable, "-c", _SERVE, home],
        [sys.executable, "-c", _PAGES, home],
    )
    require_silence(found)


@pytest.mark.slow
def test_the_demo_with_its_model_server_calls_nobody_and_leaves_nothing_elsewhere(place: Path, tmp_path: Path) -> None:
    demo = str(PROJECT / "examples/demo.py")
    given = (str(place / "home"), str(place / "courses"), demo, "structures", "5")
    found = alone(tmp_path, [sys.executable, "-c", _DEMO, *given])
    require_silence(found)
    assert "The model server (vLLM) is ready" in found["results"][0]["printed"]
