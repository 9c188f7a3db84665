"""The verbs of `coteach model`: parse and call. What they do is in model_command.py."""

from typing import Annotated

import typer
from rich.console import Console

from orchestration.cli.options import AsJson, Home, NoWait, set_path

verbs = typer.Typer(
    no_args_is_help=True, help="List, compare and choose intent models; examine and tune language models."
)
console = Console()

Version = Annotated[str, typer.Argument(help="A version, or how it begins.")]


@verbs.command("list")
def list_models(home: Home = None, as_json: AsJson = False) -> None:
    """List the intent models, the one in use and the champion of MLflow among them."""
    from orchestration.cli import model_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(model_command.list_models(console, as_json=as_json))


@verbs.command()
def use(
    version: Version,
    why: Annotated[str, typer.Option("--why", help="The reason; it is kept with the model.")],
    who: Annotated[str | None, typer.Option("--who", help="Your name; default that of your login.")] = None,
    home: Home = None,
    no_wait: NoWait = False,
) -> None:
    """Put a model in use: gateway, thresholds, MLflow's champion and Dagster follow."""
    from orchestration.cli import model_command  # noqa: PLC0415
    from orchestration.cli.store_command import note_act  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    code = model_command.use_model(console, version, who=who, why=why, wait=not no_wait)
    note_act("model.use", version, by=who or "", why=why)
    raise typer.Exit(code)


@verbs.command()
def compare(
    first: Version,
    second: Version,
    examples: Annotated[int, typer.Option(min=0, help="Questions to show on which only one is right.")] = 10,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Compare two models on held-out questions that neither was trained on, by paired tests."""
    from orchestration.cli import model_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(model_command.compare_models(console, first, second, examples=examples, as_json=as_json))


@verbs.command()
def prune(
    keep: Annotated[int, typer.Option(min=1, help="Models to keep beside those in use or with an alias.")] = 3,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be deleted.")] = False,
    home: Home = None,
    no_wait: NoWait = False,
) -> None:
    """Delete older models with their runs in MLflow, and older runs of the same model; builds do so too."""
    from orchestration.cli import model_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(model_command.prune_models(console, keep=keep, dry_run=dry_run, wait=not no_wait))


@verbs.command()
def sweep(
    values: Annotated[
        list[str], typer.Argument(help="A setting of the intent model with values: learning_rate=0.0002,0.0005.")
    ],
    parts: Annotated[int, typer.Option(min=2, max=20, help="Parts of the cross-validation.")] = 5,
    rounds: Annotated[
        int, typer.Option(min=1, max=20, help="Times that the questions are dealt into parts, each with other seeds.")
    ] = 1,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Try settings of the intent model, every combination of the values, by cross-validation."""
    from orchestration.cli import sweep_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(sweep_command.sweep_settings(console, values, parts=parts, rounds=rounds, as_json=as_json))
