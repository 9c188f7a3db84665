"""The recipes of `examples/clients`, each run as it stands against a gateway: the answer comes with its citations.

They have an environment of their own, `.venv-clients`, which `make test` makes.
"""

import asyncio
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import course_rows as rows
import httpx
import pytest

from serving.gateway.answer_object import AnswerObject
from serving.llm.processes import free_port

PROJECT = Path(__file__).parents[3]
RECIPES = PROJECT / "examples" / "clients"
CLIENTS = PROJECT / ".venv-clients"
PYTHON = CLIENTS / "bin" / "python"
PACKAGES = CLIENTS / "js" / "node_modules"

needs_node = pytest.mark.skipif(shutil.which("node") is None or not PACKAGES.exists(), reason="needs node and npm")

URL = "/courses/ds/videos/02%20stacks?t=192"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON.exists(), reason="needs .venv-clients: `make .venv-clients/.done`"),
]


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A gateway in a process of its own; its address."""
    home = rows.write_home(tmp_path_factory.mktemp("recipes"))
    port = free_port(0)
    running = subprocess.Popen(
        [sys.executable, "-m", "uvicorn", "serving.gateway.app:create_app", "--factory", "--port", str(port)],
        env=os.environ | {"COTEACH_HOME": str(home)},
        cwd=PROJECT,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        asyncio.run(ready(url))
        yield url
    finally:
        running.terminate()
        running.wait(60)


async def ready(url: str, path: str = "/readyz") -> None:
    async with asyncio.timeout(120), httpx.AsyncClient(base_url=url) as client:
        while True:
            try:
                if (await client.get(path)).status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            await asyncio.sleep(0.2)


ALONE = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1"}
"""Nothing but the gateway is asked: other addresses are a proxy that is not there."""


def asked_of(gateway: str) -> dict[str, str]:
    return {"OPENAI_BASE_URL": f"{gateway}/v1", "OPENAI_API_KEY": "none", "COTEACH_MODEL": "coteach:ds"}


def told_by(gateway: str, *command: object, **more: str) -> dict[str, Any]:
    """What a recipe prints."""
    ran = subprocess.run(
        [str(one) for one in command],
        cwd=RECIPES,
        env=os.environ | asked_of(gateway) | ALONE | more,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])  # type: ignore[no-any-return]


def assert_cited(told: dict[str, Any]) -> None:
    assert told["text"].startswith(rows.STACK)
    lists = {name: found for name, found in told.items() if isinstance(found, list)}
    assert lists
    for name, found in lists.items():
        assert found[0]["title"] == "Stacks and queues @ 03:12", name
        assert found[0]["url"].endswith(URL), name


@pytest.mark.parametrize("recipe", sorted(one.stem for one in RECIPES.glob("*.py") if one.stem != "answer_object"))
def test_an_answer_comes_with_its_citations(gateway: str, recipe: str) -> None:
    assert_cited(told_by(gateway, PYTHON, f"{recipe}.py"))


@needs_node
@pytest.mark.parametrize("name", sorted(one.name for one in RECIPES.glob("*.mjs")))
def test_an_answer_comes_with_its_citations_to_javascript(gateway: str, name: str) -> None:
    recipe = CLIENTS / "js" / name  # node looks for packages beside the file
    shutil.copyfile(RECIPES / name, recipe)
    assert_cited(told_by(gateway, "node", recipe))


HERE = Path(__file__).parent
TYPES = {"chat": "Told<ChatCompletion>", "chunks": "Chunk", "responses": "Told<Response>", "events": "Event"}


def compiled(told: dict[str, list[Any]], folder: Path) -> str:
    """What TypeScript says against replies and events, each as a literal of its published type; empty for nothing."""
    lines = [(HERE / "strict.ts.txt").read_text()]
    for kind, found in told.items():
        lines += [f"export const {kind}{n}: {TYPES[kind]} = {json.dumps(one)};" for n, one in enumerate(found)]
    (folder / "strict.ts").write_text("\n".join(lines))
    options = ["--strict", "--noEmit", "--skipLibCheck", "--target", "es2022", "--module", "nodenext"]
    command = ["node", PACKAGES / ".bin" / "tsc", *options, folder / "strict.ts"]
    ran = subprocess.run([str(one) for one in command], capture_output=True, text=True, timeout=180)
    return ran.stdout + ran.stderr


@needs_node
def test_every_reply_and_event_fits_the_types_that_the_javascript_client_publishes(gateway: str) -> None:
    script = CLIENTS / "js" / "strict.mjs"  # node looks for packages beside the file
    shutil.copyfile(HERE / script.name, script)
    found = told_by(gateway, "node", script)
    told = found["told"]
    assert {one["type"] for one in told["events"]} >= {"response.completed", "response.incomplete"}
    with tempfile.TemporaryDirectory(dir=CLIENTS / "js") as folder:
        told_against = compiled(told, Path(folder))
        assert told_against == "", told_against
        told["chat"][0]["choices"][0]["finish_reason"] = "done"
        told["events"][0]["sequence_number"] = "0"
        told["responses"][0]["surprise"] = 1
        told["chunks"][0].pop("created")
        wrong = compiled(told, Path(folder))
    assert wrong.count("error TS") == 4, wrong
    assert found["errors"] == [
        {"name": "NotFoundError", "status": 404, "code": "not_found", "param": None},
        {
            "name": "NotFoundError",
            "status": 404,
            "code": "previous_response_not_found",
            "param": "previous_response_id",
        },
        {"name": "BadRequestError", "status": 400, "code": None, "param": "seed"},
        {"name": "BadRequestError", "status": 400, "code": "unsupported_parameter", "param": "logprobs"},
        {"name": "BadRequestError", "status": 400, "code": "unsupported_parameter", "param": "response_format"},
        {"name": "NotFoundError", "status": 404, "code": "model_not_found", "param": "model"},
    ]


@pytest.fixture(scope="module")
def proxy(gateway: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """LiteLLM's proxy before the gateway, by its recipe with the tests' course; what its clients are told."""
    recipe = tmp_path_factory.mktemp("proxy") / "litellm_proxy.yaml"
    recipe.write_text((RECIPES / recipe.name).read_text().replace("data-structures", "ds"))
    port, key = free_port(0), f"sk-{secrets.token_hex(24)}"
    command = [CLIENTS / "bin" / "litellm", "--config", recipe, "--host", "127.0.0.1", "--port", port]
    running = subprocess.Popen(
        [*map(str, command), "--telemetry", "False"],
        cwd=recipe.parent,
        env=os.environ | asked_of(gateway) | ALONE | {"LITELLM_MASTER_KEY": key},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        asyncio.run(ready(url, "/health/liveliness"))
        yield {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": key, "COTEACH_MODEL": "ds"}
    finally:
        running.terminate()
        running.wait(60)


@pytest.mark.parametrize("recipe", ["openai_sdk", "langchain_chat"])
def test_an_answer_comes_with_its_citations_through_litellms_proxy(
    gateway: str, proxy: dict[str, str], recipe: str
) -> None:
    assert_cited(told_by(gateway, PYTHON, f"{recipe}.py", **proxy))


@needs_node
def test_the_inspector_of_mcp_lists_and_calls_the_tools(gateway: str) -> None:
    cli = CLIENTS / "js" / "node_modules" / ".bin" / "mcp-inspector"

    def inspected(method: str, *more: str) -> dict[str, Any]:
        command = ["node", str(cli), "--cli", f"{gateway}/mcp", "--transport", "http", "--method", method, *more]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)  # type: ignore[no-any-return]

    def called(tool: str, **sent: str) -> dict[str, Any]:
        more = [part for name, value in sent.items() for part in ("--tool-arg", f"{name}={value}")]
        found = inspected("tools/call", "--tool-name", tool, *more)
        assert not found.get("isError"), found
        return found["structuredContent"]  # type: ignore[no-any-return]

    listed = inspected("tools/list")["tools"]
    assert {one["name"] for one in listed} == {"ask", "search", "explain_concept", "study_path", "open_source"}
    assert all(one["description"] and one["inputSchema"]["properties"] and one["outputSchema"] for one in listed)
    url = called("search", query="plate on the stack", course="ds")["data"][0]["url"]
    assert url.endswith(URL)
    assert rows.CUES[0]["text"] in called("open_source", url=url)["text"]
    assert called("explain_concept", concept="stack", course="ds")["definition"] == rows.STACK
    assert [one["name"] for one in called("study_path", concept="stack", course="ds")["steps"]] == ["list"]


def test_the_recipes_answer_object_is_the_published_one(gateway: str) -> None:
    published = httpx.get(f"{gateway}/v1/schemas/coteach_answer").json()["schema"]
    assert published == AnswerObject.model_json_schema()
    program = "import json; from answer_object import AnswerObject; print(json.dumps(AnswerObject.model_json_schema()))"
    own = told_by(gateway, PYTHON, "-c", program)
    assert set(own["properties"]) == set(published["properties"])
    assert own["required"] == published["required"]
