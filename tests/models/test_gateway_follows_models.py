"""A gateway that runs takes up the intent model that a person puts in use, with its thresholds, without a restart."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from course_rows import write_home
from tiny_intent import Trained

from knowledge_graph.lake.home import DataDir
from models.intent.release.registry import put_version_in_use
from models.intent.thresholds import thresholds_path
from models.versions import publish, staging
from serving.gateway import service
from serving.gateway.service import Service
from serving.settings import Settings

WAITS = 20.0


@pytest.fixture
def home(trained: Trained, tmp_path: Path) -> DataDir:
    """A home whose model is `trained`'s, and a second version of it with an alpha of its own."""
    data_dir = DataDir(write_home(tmp_path))
    shutil.copytree(trained.data_dir.root / "models", data_dir.root / "models")
    return data_dir


def another_version(home: DataDir, trained: Trained, *, alpha: float) -> str:
    folder = home.intent / trained.report.version
    with staging(home.intent) as staged:
        shutil.copytree(folder, staged, dirs_exist_ok=True)
        card = json.loads((staged / "card.json").read_text())
        (staged / "card.json").write_text(json.dumps(card | {"task": "another one"}))
        version = publish(home.intent, staged, use=False)
    thresholds = json.loads(thresholds_path(folder).read_text())
    thresholds_path(home.intent / version).write_text(json.dumps(thresholds | {"alpha": alpha, "by_length": {}}))
    return version


async def uses(running: Service, version: str) -> float:
    """The alpha of a question, as soon as the gateway has the version."""
    async with asyncio.timeout(WAITS):
        while True:
            found = (await running.knowledge()).intent
            if found is not None and found.version == version:
                return found.alpha_for("what is a heap?")
            await asyncio.sleep(0.02)


def test_forward_and_back_by_a_verb_is_followed_by_a_gateway_that_runs(
    trained: Trained, home: DataDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "LOOK_SECONDS", 0.01)
    first, second = trained.report.version, another_version(home, trained, alpha=0.987)

    async def run() -> list[float]:
        running, alphas = Service(Settings(home=home.root)), []
        try:
            for version in (first, second, first):
                put_version_in_use(version, who="Ada", why="to see it followed", data_dir=home)
                alphas.append(await uses(running, version))
        finally:
            await running.aclose()
        return alphas

    before, between, after = asyncio.run(run())
    assert between == 0.987
    assert before == after != between
