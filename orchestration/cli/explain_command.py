"""What `coteach explain` does and prints: the model server it takes, then the asset and the index that shows it."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

import dagster as dg
from rich.console import Console

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from orchestration.building.build import Builder, RunOutcome, RunPlan
from orchestration.cli.build_command import open_to_write
from orchestration.cli.services import (
    ending_cleanly,
    model_server,
    model_server_spec,
    running_model_server,
    start_service,
    wait_with_progress,
)
from orchestration.definitions import defs
from orchestration.resources import PipelineSettings, inputs_of
from serving.settings import ModelServerSettings, Settings

ASSETS = ("explanations", "search_index")
_INTERRUPTED = 130


def explain(console: Console, *, limit: int | None, courses: Sequence[str], sources: Sequence[str]) -> int:
    """Explain stored answers that have no explanation and index them; return the exit code."""
    settings = Settings()
    if not settings.data_dir.qa_pairs.exists():
        raise CoteachError(f"No QA pairs in {settings.home}. Run `coteach build` first.")
    config = {"limit": limit, "courses": list(courses), "sources": list(sources)}
    plan = RunPlan(
        "explanation_build",
        None,
        tuple(dg.AssetKey(name) for name in ASSETS),
        {},
        config={"explanations": {key: value for key, value in config.items() if value}},
    )
    with ending_cleanly(), ExitStack() as stack:
        os.environ["COTEACH_LLM_URL"] = stack.enter_context(serve_model(console, settings, ModelServerSettings()))
        try:
            outcome = _run(console, plan)
        except KeyboardInterrupt:
            console.print("Stopped. What was explained is kept; run the same again to go on.", style="yellow")
            return _INTERRUPTED
    if outcome.succeeded:
        console.print(f"  done in {outcome.seconds:.1f} s", highlight=False)
        return 0
    console.print(
        f"Not all was explained (run {outcome.run_id[:8]}; the reason is above and in Dagster). What was explained is "
        "kept; run the same again to go on.",
        style="red",
        highlight=False,
    )
    return 1


@contextmanager
def serve_model(console: Console, settings: Settings, chosen: ModelServerSettings) -> Iterator[str]:
    """The URL of a model server: the configured one, one that runs, or vLLM started for as long as the block runs."""
    if url := running_model_server(settings, chosen):
        yield url
        return
    server = model_server(chosen)
    with start_service(model_server_spec(server, settings.data_dir, chosen.vllm_start_seconds)) as process:
        wait_with_progress(console, process)
        yield server.url


def _run(console: Console, plan: RunPlan) -> RunOutcome:
    settings = PipelineSettings()
    with open_to_write(console, settings, "explain") as instance:
        data_dir = DataDir(settings.home.absolute())
        return Builder(defs(), instance, inputs_of(settings), data_dir, log="explain.log").run(plan)
