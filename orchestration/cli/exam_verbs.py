"""Parses the verbs `coteach model examine` and `tune`; exam_command.py and tune_command.py do the work."""

from typing import Annotated

import typer
from rich.console import Console

from orchestration.cli.options import AsJson, Home, set_path


def examine(
    model: Annotated[
        str | None,
        typer.Argument(
            help="URL of an OpenAI-compatible server, or a folder or hub id; defaults to the configured model."
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=1, help="Time limit of the exam, in seconds; defaults to COTEACH_EXAM_SECONDS.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Repeat the exam even if its result is known.")] = False,
    ablation: Annotated[
        bool, typer.Option("--ablation", help="Compare the marks with and without each part of the Chain of Teach.")
    ] = False,
    language: Annotated[
        str | None, typer.Option(help="Examine the model for this language, if it has one of its own.")
    ] = None,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Put a language model through the courses' exam, and report what it may write. Resumes where it was stopped."""
    from orchestration.cli.exam_command import ExamWish, examine_model  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    wish = ExamWish(model, seconds, is_again=again, is_ablation=ablation, language=language)
    raise typer.Exit(examine_model(Console(), wish, as_json=as_json))


def tune(
    base: Annotated[
        str | None, typer.Argument(help="Folder or hub id of the model to fine-tune; defaults to that of COTEACH_LLM.")
    ] = None,
    minutes: Annotated[float, typer.Option(min=0.1, help="Time limit of the training, in minutes.")] = 10.0,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the lessons, time permitting.")] = 1,
    home: Home = None,
) -> None:
    """Fine-tune a small language model on answers of the home's own courses. It answers nobody until it has passed its
    exam."""
    from orchestration.cli.tune_command import tune_model  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(tune_model(Console(), base, minutes=minutes, epochs=epochs))
