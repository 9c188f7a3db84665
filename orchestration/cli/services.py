"""The services of a running coteach: which there are, how each is started, and one place that stops them all."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import structlog
from rich.console import Console

from knowledge_graph.lake.home import DataDir
from orchestration.project import PROJECT, model_folder
from serving.llm.processes import ServiceProcess, ServiceSpec, free_port
from serving.llm.vllm import SERVED_NAME, ModelServer, detect_hardware, find_python, requests_at_once, serves, service
from serving.settings import ModelServerSettings, Settings

log = structlog.get_logger(__name__)

_HOST = "127.0.0.1"
_UI_PATIENCE_S = 120.0
_CLOSING_S = 5.0
"""What a gateway needs to close its store after its last answer."""
DAGSTER_PORT = 3000
MLFLOW_PORT = 5000


@dataclass(frozen=True)
class Running:
    """A started service and the address a person opens."""

    spec: ServiceSpec
    process: ServiceProcess
    address: str


def model_server(chosen: ModelServerSettings) -> ModelServer:
    """The vLLM to start. Raises `ModelFolderMissing` or `VllmMissing` with what to run next."""
    python = find_python(chosen.vllm_python or _beside_project())
    port = port_for("vLLM", chosen.vllm_port)
    return ModelServer(model_folder(chosen), python, port=port, extra_arguments=chosen.vllm_args)


def port_for(name: str, preferred: int) -> int:
    """The port of a service that nobody but coteach has to find; when `preferred` is taken, another, which is told."""
    port = free_port(preferred)
    if preferred not in (0, port):
        log.warning("port_taken", service=name, wanted=preferred, listens_on=port)
    return port


def _beside_project() -> Path | None:
    python = PROJECT / ".venv-vllm" / "bin" / "python"
    return python if python.exists() else None


def running_model_server(settings: Settings, chosen: ModelServerSettings) -> str | None:
    """The URL of a model server to use: the configured one, or one that listens where coteach would start its own."""
    if settings.llm_url:
        return settings.llm_url
    url = f"http://{_HOST}:{chosen.vllm_port}/v1"
    return url if serves(url, SERVED_NAME) else None


def model_server_spec(server: ModelServer, data_dir: DataDir, timeout_s: float) -> ServiceSpec:
    return service(server, detect_hardware(), data_dir.logs / "vllm.log", timeout_s=timeout_s)


def gateway_spec(settings: Settings, llm_url: str | None, port: int, *, number: int = 1) -> ServiceSpec:
    """The gateway as a process of its own; of several over one home, the one of this `number`."""
    tokenizer = counting(settings, ModelServerSettings()).tokenizer
    return ServiceSpec(
        name="The gateway" if number == 1 else f"Gateway {number}",
        command=[sys.executable, "-m", "serving.gateway.server", "--port", str(port)],
        environment=os.environ
        | {"COTEACH_HOME": str(settings.home.absolute()), "COTEACH_HOST": settings.host}
        | ({} if llm_url is None else {"COTEACH_LLM_URL": llm_url})
        | ({"COTEACH_TOKENIZER": str(tokenizer)} if tokenizer is not None else {})
        | _line_before(settings, llm_url),
        log=settings.data_dir.logs / ("gateway.log" if number == 1 else f"gateway-{number}.log"),
        ready_url=f"http://{settings.host}:{port}/healthz",
        ready_timeout_s=_UI_PATIENCE_S,
        patience_s=settings.notice_seconds + settings.drain_seconds + _CLOSING_S,
    )


def _line_before(settings: Settings, llm_url: str | None) -> dict[str, str]:
    """As many requests at once as the vLLM that coteach starts works on, unless somebody chose: then all that wait do
    so in the gateway, where the shorter go first."""
    is_own = llm_url is not None and settings.llm_url is None
    if not is_own or "model_requests" in settings.model_fields_set:
        return {}
    return {"COTEACH_MODEL_REQUESTS": str(requests_at_once(detect_hardware()))}


def counting(settings: Settings, chosen: ModelServerSettings) -> Settings:
    """The settings with the tokenizer of the model that coteach itself serves from a folder, if they name no other."""
    own = Path(chosen.llm)
    if settings.tokenizer is not None or settings.llm_url is not None or not own.is_dir():
        return settings
    return settings.model_copy(update={"tokenizer": own.absolute()})


def dagster_spec(data_dir: DataDir, port: int) -> ServiceSpec:
    """Dagster's pages and daemon over the home's event log."""
    return ServiceSpec(
        name="Dagster",
        command=[
            *(str(Path(sys.executable).parent / "dagster"), "dev", "-w", str(PROJECT / "workspace.yaml")),
            *("--host", _HOST, "--port", str(port), "--live-data-poll-rate", "5000"),
        ],
        environment=os.environ
        | {
            "COTEACH_HOME": str(data_dir.root.absolute()),
            "DAGSTER_HOME": str(data_dir.dagster.absolute()),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        },
        log=data_dir.logs / "dagster.log",
        ready_url=f"http://{_HOST}:{port}/server_info",
        ready_timeout_s=_UI_PATIENCE_S,
        has_own_temporary=True,  # slow to end, it leaves its workspace there
    )


def mlflow_spec(data_dir: DataDir, port: int) -> ServiceSpec:
    """MLflow's pages over the home's runs. Its runner of jobs, seven processes for what is not used here, runs where
    somebody wants it.
    """
    return ServiceSpec(
        name="MLflow",
        command=[
            *(sys.executable, "-m", "mlflow", "server", "--host", _HOST, "--port", str(port), "--workers", "1"),
            *("--backend-store-uri", f"sqlite:///{data_dir.mlflow_db.absolute()}"),
            *("--default-artifact-root", data_dir.mlflow_artifacts.absolute().as_uri()),
        ],
        environment={"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"} | dict(os.environ),
        log=data_dir.logs / "mlflow.log",
        ready_url=f"http://{_HOST}:{port}/health",
        ready_timeout_s=_UI_PATIENCE_S,
        has_own_temporary=True,  # it leaves its lock there
    )


@contextmanager
def start_service(spec: ServiceSpec) -> Iterator[ServiceProcess]:
    """A service that is stopped, with its children, however the block ends."""
    process = ServiceProcess(spec)
    try:
        yield process
    finally:
        process.stop()


def wait_with_progress(console: Console, process: ServiceProcess) -> float:
    """Wait until a service is ready; a terminal shows the seconds and the newest line of its log."""
    name = process.spec.name
    with console.status(f"{name} is starting") as status:
        took = process.wait_ready(lambda s, line: status.update(f"{name} is starting, {s:.0f} s: {line[:100]}"))
    console.print(f"  {name} is ready after {took:.0f} s", highlight=False)
    return took


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """Turn a request to terminate or a hang-up into `SystemExit`, so that `finally` blocks stop what was started."""

    def leave(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def start_all(stack: ExitStack, specs: list[tuple[ServiceSpec, str]]) -> list[Running]:
    """Start every service at once; `stack` stops them in reverse order."""
    return [Running(spec, stack.enter_context(start_service(spec)), address) for spec, address in specs]
