"""The verbs of `coteach experiment`: parse and call. What they do is in experiment_command.py."""

from typing import Annotated

import typer
from rich.console import Console

from orchestration.cli.options import AsJson, Home, set_path

verbs = typer.Typer(no_args_is_help=True, help="Compare ways of answering: each student gets one of the variants.")
console = Console()


@verbs.command("create")
def create_experiment(
    name: Annotated[str, typer.Argument(help="Name it is told by; never used twice.")],
    variant: Annotated[list[str], typer.Option(help="NAME=WEIGHT; repeat it. The first is compared with.")],
    change: Annotated[
        list[str] | None, typer.Option("--set", help="VARIANT.FIELD=VALUE, a setting of a variant; may be repeated.")
    ] = None,
    course: Annotated[str | None, typer.Option(help="Only questions of this course; default all.")] = None,
    home: Home = None,
) -> None:
    """Begin an experiment. A gateway that runs takes it up within seconds."""
    from orchestration.cli import experiment_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    begun = experiment_command.create(console, name, variants=variant, settings=change or [], course=course)
    raise typer.Exit(begun)


@verbs.command("list")
def list_experiments(home: Home = None, as_json: AsJson = False) -> None:
    """List experiments, stopped ones too."""
    from orchestration.cli import experiment_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(experiment_command.list_experiments(console, as_json=as_json))


@verbs.command("show")
def show_experiment(
    name: Annotated[str, typer.Argument(help="Name of the experiment.")], home: Home = None, as_json: AsJson = False
) -> None:
    """Say what an experiment showed: coverage and thumbs up by variant, and whether the buckets are as they should."""
    from orchestration.cli import experiment_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(experiment_command.show(console, name, as_json=as_json))


@verbs.command("stop")
def stop_experiment(name: Annotated[str, typer.Argument(help="Name of the experiment.")], home: Home = None) -> None:
    """End an experiment for good."""
    from orchestration.cli import experiment_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(experiment_command.stop(console, name))
