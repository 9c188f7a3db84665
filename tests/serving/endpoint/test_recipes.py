"""The recipes of `examples/clients`, each run as it stands against a gateway: the answer comes with its citations.

They have an environment of their own, `.venv-clients`, which `make test` makes.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
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
AI_SDK = CLIENTS / "js" / "node_modules" / "ai"

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


async def ready(url: str) -> None:
    async with asyncio.timeout(120), httpx.AsyncClient(base_url=url) as client:
        while True:
            try:
                if (await client.get("/readyz")).status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            await asyncio.sleep(0.2)


def told_by(gateway: str, *command: object, folder: Path = RECIPES) -> dict[str, Any]:
    """What a recipe prints. Nothing but the gateway is asked: other addresses are a proxy that is not there."""
    asked = {"OPENAI_BASE_URL": f"{gateway}/v1", "OPENAI_API_KEY": "none", "COTEACH_MODEL": "coteach:ds"}
    alone = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1"}
    ran = subprocess.run(
        [str(one) for one in command],
        cwd=folder,
        env=os.environ | asked | alone,
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


@pytest.mark.skipif(shutil.which("node") is None or not AI_SDK.exists(), reason="needs node and npm")
def test_an_answer_comes_with_its_citations_to_the_ai_sdk(gateway: str) -> None:
    recipe = CLIENTS / "js" / "ai_sdk.mjs"  # node looks for packages beside the file
    shutil.copyfile(RECIPES / "ai_sdk.mjs", recipe)
    assert_cited(told_by(gateway, "node", recipe))


def test_the_recipes_answer_object_is_the_published_one(gateway: str) -> None:
    published = httpx.get(f"{gateway}/v1/schemas/coteach_answer").json()["schema"]
    assert published == AnswerObject.model_json_schema()
    program = "import json; from answer_object import AnswerObject; print(json.dumps(AnswerObject.model_json_schema()))"
    own = told_by(gateway, PYTHON, "-c", program)
    assert set(own["properties"]) == set(published["properties"])
    assert own["required"] == published["required"]
