"""The whole product, for real: the sample courses built by the command line, vLLM and the gateway as processes.

Built and started once for all tests of this folder. Without vLLM's environment or the model these tests fail and say
what to run: they are never skipped.
"""

from collections.abc import Iterator
from pathlib import Path

import openai
import pytest
from running import SAMPLES, Gateway, coteach

from knowledge_graph.lake.home import DataDir
from orchestration.cli.services import gateway_spec, model_server, model_server_spec, start_service
from serving.llm.processes import ServiceProcess, free_port
from serving.llm.vllm import VllmMissing
from serving.settings import ModelServerSettings, Settings

_KILLS_THE_MODEL_SERVER = "test_a_dying_model_server.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The file that kills the shared model server comes last."""
    items.sort(key=lambda item: item.path.name == _KILLS_THE_MODEL_SERVER)


UNEXAMINED = ("COTEACH_MODEL_ADMISSION", "always")
"""A model of these tests writes without an exam: the small default one passes little."""


@pytest.fixture(scope="module", autouse=True)
def writing_unexamined(environment_without_settings: None) -> Iterator[None]:
    """Set for these files alone: the tests that the same process runs next are answered as students are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(*UNEXAMINED)
        yield


@pytest.fixture(scope="session")
def home_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("end-to-end") / "home"


@pytest.fixture(scope="session")
def starting_model_server(home_folder: Path) -> Iterator[tuple[ServiceProcess, str]]:
    """vLLM with its URL, started and not yet waited for: it loads while the courses are built."""
    chosen = ModelServerSettings(vllm_port=0)
    try:
        server = model_server(chosen)
    except (FileNotFoundError, VllmMissing) as error:
        pytest.fail(f"The end-to-end tests use the real model server. {error} (`make setup` makes all of it.)", False)
    spec = model_server_spec(server, DataDir(home_folder), chosen.vllm_start_seconds)
    with start_service(spec) as process:
        yield process, server.url


@pytest.fixture(scope="session")
def home(home_folder: Path, starting_model_server: tuple[ServiceProcess, str]) -> DataDir:
    """The home of both sample courses, intent model included, built by the real command line."""
    built = coteach("build", "--courses", str(SAMPLES), home=home_folder)
    assert built.returncode == 0, f"{built.stdout}\n{built.stderr}"
    return DataDir(home_folder)


@pytest.fixture(scope="session")
def model_server_process(starting_model_server: tuple[ServiceProcess, str], home: DataDir) -> ServiceProcess:
    process, _ = starting_model_server
    process.wait_ready()
    return process


@pytest.fixture(scope="session")
def llm_url(starting_model_server: tuple[ServiceProcess, str], model_server_process: ServiceProcess) -> str:
    _, url = starting_model_server
    return url


@pytest.fixture(scope="session")
def gateway(home: DataDir, llm_url: str) -> Iterator[Gateway]:
    settings, port = Settings(home=home.root), free_port(0)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(*UNEXAMINED)
        environment.setenv("COTEACH_PATIENCE_SECONDS", "5")  # fifty ask at once, and none waits longer
        spec = gateway_spec(settings, llm_url, port)
    with start_service(spec) as process:
        process.wait_ready()
        yield Gateway(f"http://{settings.host}:{port}")


@pytest.fixture(scope="session")
def client(gateway: Gateway) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{gateway.address}/v1", api_key="none", max_retries=0, timeout=180) as opened:
        yield opened
