"""What `coteach model tune` does and prints: the asset `tutor_model` in this home, and how its model is examined."""

import dagster as dg
from rich.console import Console

from knowledge_graph.lake.home import DataDir
from models.versions import current_folder
from orchestration.building.build import Builder, RunPlan
from orchestration.cli.build_command import open_to_write
from orchestration.cli.services import ending_cleanly
from orchestration.definitions import defs
from orchestration.resources import PipelineSettings, inputs_of
from serving.gateway.knowledge import missing_artefacts

_INTERRUPTED = 130


def tune_model(console: Console, base: str | None, *, minutes: float, epochs: int) -> int:
    """Fine-tune a small language model on the home's courses; return the exit code."""
    settings = PipelineSettings()
    data_dir = DataDir(settings.home.absolute())
    if missing := missing_artefacts(data_dir):
        console.print(
            f"Nothing to learn from in {data_dir.root}: {', '.join(missing)} missing. Run `coteach build` first.",
            style="red",
        )
        return 1
    config = {"base": base or "", "minutes": minutes, "epochs": epochs}
    plan = RunPlan("tutor_build", None, (dg.AssetKey("tutor_model"),), {}, config={"tutor_model": config})
    with ending_cleanly(), open_to_write(console, settings, "tune") as instance:
        try:
            outcome = Builder(defs(), instance, inputs_of(settings), data_dir, log="tune.log").run(plan)
        except KeyboardInterrupt:
            console.print("Stopped. Nothing was changed.", style="yellow")
            return _INTERRUPTED
    if not outcome.succeeded:
        console.print(f"Not tuned (run {outcome.run_id[:8]}; the reason is above and in Dagster).", style="red")
        return 1
    folder = current_folder(data_dir.tutor, what="tutor model", remedy="Run `coteach model tune` again.")
    console.print(f"  done in {outcome.seconds:.0f} s: {folder}", highlight=False)
    console.print(
        f"  It writes to nobody yet. Examine it: coteach model examine {folder}\n  Serve it: COTEACH_LLM={folder}",
        style="dim",
        highlight=False,
    )
    return 0
