"""The verbs of `coteach evaluate`: parse and call. What they do is in evaluate_command.py, evaluate_answers.py and
students_command.py.
"""

import os
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from orchestration.cli.options import AsJson, Courses, Home, set_path

verbs = typer.Typer(no_args_is_help=True, help="Measure answers on questions whose right answers are known.")
console = Console()

LlmUrl = Annotated[str | None, typer.Option(help="Model server; default COTEACH_LLM_URL, else vLLM.")]


def _set_model_server(url: str | None) -> None:
    if url is not None:
        os.environ["COTEACH_LLM_URL"] = url


@verbs.command()
def mcq(
    questions: Annotated[Path, typer.Argument(help="Multiple-choice questions with answers: a JSON array or lines.")],
    out: Annotated[Path, typer.Option("--out", help="JSON lines of answers; those it holds are not asked again.")],
    llm_url: LlmUrl = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many; default all.")] = None,
    track: Annotated[bool, typer.Option("--track", help="Log the figures to MLflow.")] = False,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Answer multiple-choice questions as students send them; say how many are right, and how well explained."""
    from orchestration.cli.evaluate_command import evaluate_choices  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    _set_model_server(llm_url)
    raise typer.Exit(evaluate_choices(console, questions, out=out, limit=limit, track=track, as_json=as_json))


@verbs.command()
def answers(
    out: Annotated[Path, typer.Option("--out", help="JSON lines of answers; those it holds are not asked again.")],
    count: Annotated[int, typer.Option(min=1, help="How many questions about the courses' concepts.")] = 1000,
    seed: Annotated[int, typer.Option(help="Other questions with another one.")] = 20,
    llm_url: LlmUrl = None,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Answer many questions about the courses' concepts; say whether citations resolve and quotes are said."""
    from orchestration.cli.evaluate_answers import evaluate_answers  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    _set_model_server(llm_url)
    raise typer.Exit(evaluate_answers(console, count=count, seed=seed, out=out, as_json=as_json))


@verbs.command("students")
def student_questions(
    courses: Courses = None,
    split: Annotated[Literal["dev", "unseen"] | None, typer.Option(help="Only one half.")] = None,
    course: Annotated[str | None, typer.Option(help="Only this course.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only this kind of question.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="JSON lines of answers with their marks.")] = None,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Answer the courses' student questions without a model; say how many are right, rightly cited, misleading."""
    from knowledge_graph.lake.home import DataDir  # noqa: PLC0415
    from orchestration.cli.students_command import Wanted, evaluate_students  # noqa: PLC0415
    from orchestration.resources import PipelineSettings  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    set_path("COTEACH_COURSES", courses)
    wanted = Wanted(split, course, kind)
    settings = PipelineSettings()
    folder = settings.courses or DataDir(settings.home).courses
    raise typer.Exit(evaluate_students(console, courses=folder, wanted=wanted, out=out, as_json=as_json))
