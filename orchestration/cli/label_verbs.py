"""The verbs of `coteach labels`: parse and call. What they do is in label_command.py."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from orchestration.cli.options import Home, set_path

verbs = typer.Typer(no_args_is_help=True, help="Label the intents of students' questions, and see who agrees.")
console = Console()


@verbs.command()
def sheet(
    out: Annotated[Path, typer.Argument(help="The CSV to write.")],
    most: Annotated[int, typer.Option("--most", min=1, help="Most questions.")] = 200,
    home: Home = None,
) -> None:
    """Write questions that students asked and nobody labelled, with an empty column to fill."""
    from orchestration.cli import label_command  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(label_command.write_sheet(console, Settings(), out, most=most))


@verbs.command()
def compare(
    first: Annotated[Path, typer.Argument(help="A filled sheet.")],
    second: Annotated[Path, typer.Argument(help="The same sheet, filled by somebody else.")],
    agreed: Annotated[Path | None, typer.Option("--agreed", help="Write what both say, as a label file.")] = None,
    undecided: Annotated[Path | None, typer.Option("--undecided", help="Write what is to be decided.")] = None,
) -> None:
    """Show how far two people agree, and each question on which they do not."""
    from orchestration.cli import label_command  # noqa: PLC0415

    raise typer.Exit(label_command.show_agreement(console, first, second, agreed=agreed, undecided=undecided))
