"""What `coteach serve` and `coteach up` do and print.

They refuse `COTEACH_*` variables that name no setting, so that a typing mistake is not silently the default.
"""

import difflib
import importlib.util
import os
import time
from collections.abc import Mapping
from contextlib import ExitStack

from pydantic_settings import BaseSettings
from rich.console import Console

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from models.tracking.place import place_of
from models.tracking.relocating import relocate
from orchestration.cli.services import (
    DAGSTER_PORT,
    MLFLOW_PORT,
    Running,
    dagster_spec,
    ending_cleanly,
    gateway_spec,
    mlflow_spec,
    model_server,
    model_server_spec,
    port_for,
    running_model_server,
    start_all,
    wait_with_progress,
)
from orchestration.project import PROJECT, ModelFolderMissing
from serving.gateway.access import refuse_unsafe
from serving.gateway.following.follower import Follower
from serving.llm.processes import ServiceFailed, ServiceSpec, hold_port, require_ports
from serving.llm.vllm import ModelServer, VllmMissing
from serving.settings import ModelServerSettings, Settings

PREFIX = "COTEACH_"
_WATCH_S = 1.0


class SettingUnknown(CoteachError):
    """The environment holds a setting that coteach does not have."""


def serve(console: Console, *, pages: bool, gateways: int = 1) -> int:
    """Run so many gateways and, when none is configured, vLLM; with `pages` Dagster and MLflow too. Ends with Ctrl-C.

    Several gateways share the store and the model server, and listen at one port after the other.
    """
    settings, chosen = Settings(), ModelServerSettings()
    refuse_unknown_settings(os.environ)
    refuse_unsafe(settings)
    Follower.of(settings)  # what it refuses is told here, and not in the log of each gateway
    if settings.model_admission == "always":
        console.print(
            "COTEACH_MODEL_ADMISSION=always: a model that nobody has examined writes to students.", style="bold yellow"
        )
    with ending_cleanly(), ExitStack() as stack:
        running = start_all(stack, _specs(stack, settings, chosen, pages=pages, gateways=gateways))
        stack.callback(_ask_gateways_to_end, running)
        for one in running:
            wait_with_progress(console, one.process)
        console.print()
        for one in running:
            console.print(f"  {one.spec.name:24} {one.address}", highlight=False)
        if pages and (server := place_of(settings.data_dir).server) is not None:
            console.print(f"  {'MLflow':24} {server}", highlight=False)
        console.print("\nCtrl-C stops everything.")
        try:
            _watch(running)
        except KeyboardInterrupt:
            console.print("Stopping …")
    return 0


def known_settings() -> frozenset[str]:
    """The names of all settings; those of the pipeline only where it is installed."""
    groups: list[type[BaseSettings]] = [Settings, ModelServerSettings]
    if importlib.util.find_spec("dagster") is not None:
        from orchestration.resources import PipelineSettings  # noqa: PLC0415  Dagster is not part of a base install

        groups.append(PipelineSettings)
    return frozenset(f"{PREFIX}{name.upper()}" for group in groups for name in group.model_fields)


def refuse_unknown_settings(environment: Mapping[str, str]) -> None:
    """Raise `SettingUnknown` for names that are near a setting's but none. Others may be somebody else's."""
    known = known_settings()
    told = []
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in known:
            nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
            told += [f"{name} is no setting; did you mean {nearest[0]}?"] if nearest else []
    if told:
        raise SettingUnknown(" ".join(told) + " docs/settings.md lists them all.")


def _specs(
    stack: ExitStack, settings: Settings, chosen: ModelServerSettings, *, pages: bool, gateways: int = 1
) -> list[tuple[ServiceSpec, str]]:
    """Each service with the address a person opens; the slowest first, since all start at once.

    The gateways' ports are held until `stack` is left: one takes seconds until it listens.
    """
    data_dir = settings.data_dir
    found: list[tuple[ServiceSpec, str]] = []
    url = running_model_server(settings, chosen)
    if url is None and (server := _own_server(chosen)) is not None:
        url = server.url
        found.append((model_server_spec(server, data_dir, chosen.vllm_start_seconds), url))
    for number, port in enumerate(require_ports(settings.port, gateways, settings.host, "COTEACH_PORT"), 1):
        stack.enter_context(hold_port(port, settings.host))
        found.append((gateway_spec(settings, url, port, number=number), f"http://{settings.host}:{port}/v1"))
    return [*found, *page_specs(data_dir)] if pages else found


def page_specs(data_dir: DataDir) -> list[tuple[ServiceSpec, str]]:
    """Dagster and, where the home's runs are in the home, MLflow."""
    dagster = port_for("Dagster", DAGSTER_PORT)
    found = [(dagster_spec(data_dir, dagster), f"http://127.0.0.1:{dagster}")]
    if place_of(data_dir).server is None:
        mlflow = port_for("MLflow", MLFLOW_PORT)
        relocate(data_dir)
        found.append((mlflow_spec(data_dir, mlflow), f"http://127.0.0.1:{mlflow}"))
    return found


def _own_server(chosen: ModelServerSettings) -> ModelServer | None:
    """The vLLM to start; `None` where nobody chose a model and this installation has none: the material answers then.

    Raises `ModelFolderMissing` or `VllmMissing` when one was chosen.
    """
    try:
        return model_server(chosen)
    except (ModelFolderMissing, VllmMissing):
        if chosen.model_fields_set & {"llm", "vllm_python"} or (PROJECT / "pyproject.toml").is_file():
            raise
        return None


def _ask_gateways_to_end(running: list[Running]) -> None:
    """All gateways finish their answers at the same time, before the model server is stopped."""
    for one in running:
        if one.spec.name.lower().endswith("gateway") or one.spec.name.startswith("Gateway"):
            one.process.ask_to_end()


def _watch(running: list[Running]) -> None:
    """Return never; raise when a service ends by itself."""
    while True:
        time.sleep(_WATCH_S)
        for one in running:
            if not one.process.running:
                raise ServiceFailed(f"{one.spec.name} ended. Its last lines:\n{one.process.last_lines()}")
