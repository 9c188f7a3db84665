"""The verb `coteach model examine`: parse and call. What it does is in exam_command.py."""

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def examine(
    model: Annotated[
        str | None,
        typer.Argument(help="URL of an OpenAI-compatible server, or a folder or hub id; default the configured one."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=1, help="Longest time to ask; default COTEACH_EXAM_SECONDS.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Hold the exam though its result is known.")] = False,
    ablation: Annotated[
        bool, typer.Option("--ablation", help="Compare the marks with and without each part of the Chain of Teach.")
    ] = False,
    home: Annotated[
        Path | None, typer.Option("--home", help="Where everything is built; default COTEACH_HOME or ./data.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")] = False,
) -> None:
    """Ask a language model the exam of the courses, and say what it may write. Goes on where it was stopped."""
    from orchestration.cli.exam_command import ExamWish, examine_model  # noqa: PLC0415

    if home is not None:
        os.environ["COTEACH_HOME"] = str(home.absolute())
    wish = ExamWish(model, seconds, is_again=again, is_ablation=ablation)
    raise typer.Exit(examine_model(Console(), wish, as_json=as_json))
