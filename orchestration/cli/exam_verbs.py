"""The verbs `coteach model examine` and `tune`: parse and call. What they do is in exam_command and tune_command."""

from typing import Annotated

import typer
from rich.console import Console

from orchestration.cli.options import AsJson, Home, set_path


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
    language: Annotated[
        str | None, typer.Option(help="Examine the model that writes in this language, where it has its own.")
    ] = None,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Ask a language model the exam of the courses, and say what it may write. Goes on where it was stopped."""
    from orchestration.cli.exam_command import ExamWish, examine_model  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    wish = ExamWish(model, seconds, is_again=again, is_ablation=ablation, language=language)
    raise typer.Exit(examine_model(Console(), wish, as_json=as_json))


def tune(
    base: Annotated[
        str | None, typer.Argument(help="Folder or hub id of the model to fine-tune; default that of COTEACH_LLM.")
    ] = None,
    minutes: Annotated[float, typer.Option(min=0.1, help="Longest time to learn.")] = 10.0,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the lessons, if there is time.")] = 1,
    home: Home = None,
) -> None:
    """Fine-tune a small language model on answers of the home's own courses. It writes to nobody before its exam."""
    from orchestration.cli.tune_command import tune_model  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(tune_model(Console(), base, minutes=minutes, epochs=epochs))
