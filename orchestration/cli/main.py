"""The command line `coteach`: parses, calls, prints. Long work shows progress; `--json` wherever a script would read.

Dagster, dbt and the answering code are imported inside the verbs that need them: together they take 4 to 8 s, which
`coteach --help` and `coteach status` should not wait for.
"""

import json
import logging
import os
import sys
import time
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from pydantic import ValidationError
from rich.console import Console

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Mode
from knowledge_graph.lean_imports import collect_garbage_rarely, end_at_once
from orchestration.building.up_to_date import known_up_to_date
from orchestration.cli import (
    evaluate_verbs,
    experiment_verbs,
    keys_verbs,
    label_verbs,
    lti_verbs,
    model_verbs,
    store_verbs,
)
from orchestration.cli.exam_verbs import examine, tune
from orchestration.cli.options import AsJson, Courses, Home, NoWait, Single, set_path
from orchestration.cli.spending_verbs import control, spending

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.add_typer(evaluate_verbs.verbs, name="evaluate")
app.add_typer(store_verbs.stores, name="store")
app.add_typer(store_verbs.students, name="student")
app.add_typer(keys_verbs.verbs, name="keys")
app.add_typer(experiment_verbs.verbs, name="experiment")
model_verbs.verbs.command()(examine)
model_verbs.verbs.command()(tune)
app.add_typer(model_verbs.verbs, name="model")
app.add_typer(lti_verbs.verbs, name="lti")
app.add_typer(label_verbs.verbs, name="labels")
app.command()(spending)
app.command()(control)
console = Console()


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"coteach {metadata.version('coteach')}")
        raise typer.Exit


@app.callback()
def quiet_logs(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A virtual teaching assistant for online courses: build it from lecture subtitles, ask it, serve it."""
    import structlog  # noqa: PLC0415  0.1 s that `--help` need not take

    # Standard output is for what was asked for; a script reads it.
    structlog.configure(
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
    )


def _set_courses(folder: Path | None, *, is_single: bool) -> None:
    set_path("COTEACH_COURSES", folder)
    if is_single:
        os.environ["COTEACH_SINGLE_COURSE"] = "true"


@app.command()
def build(
    courses: Courses = None,
    home: Home = None,
    single_course: Single = False,
    only: Annotated[list[str] | None, typer.Option(help="Build only this course; may be repeated.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be built and why.")] = False,
    refresh: Annotated[bool, typer.Option("--refresh", help="Ask the web again: catalogues and searches.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Read whatever was built whole, to find what is damaged.")
    ] = False,
    retrain: Annotated[
        bool, typer.Option("--retrain", help="Train ALBERT and the intent model, though the same training is kept.")
    ] = False,
    no_wait: NoWait = False,
) -> None:
    """Build what is new or changed: courses, graph, QA pairs, index, intent model."""
    _set_courses(courses, is_single=single_course)
    set_path("COTEACH_HOME", home)
    if not (only or refresh or verify or retrain) and _is_up_to_date():
        raise typer.Exit(0)
    from orchestration.cli.build_command import build_home  # noqa: PLC0415

    if retrain:
        os.environ["COTEACH_REUSE_TRAININGS"] = "false"
    asked = {"dry_run": dry_run, "refresh": refresh, "verify": verify, "retrain": retrain, "wait": not no_wait}
    raise typer.Exit(build_home(console, only=only or [], **asked))


def _is_up_to_date() -> bool:
    """Whether nothing can have changed since the last build; then it is said, and Dagster need not be loaded."""
    started = time.monotonic()
    home = Path(os.environ.get("COTEACH_HOME") or "data").absolute()
    told = known_up_to_date(home)
    if told is not None and (url := os.environ.get("COTEACH_HOME_URL", "").strip()):
        from orchestration.building.home_sharing import is_up_to_date  # noqa: PLC0415  pyarrow takes .3 s

        told = told if is_up_to_date(home, url) else None
    for line in told or ():
        console.print(line, style="yellow" if line.startswith(" ") else None, markup=False, highlight=False)
    if told is not None:
        console.print(f"Everything is up to date ({time.monotonic() - started:.1f} s).", highlight=False)
    return told is not None


@app.command()
def report(
    out: Annotated[Path, typer.Option("--out", help="Folder for results.md, results.json and the pictures.")] = Path(
        "docs"
    ),
    with_model: Annotated[
        bool, typer.Option("--model/--no-model", help="Whether systems that need a model server are asked too.")
    ] = True,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be made.")] = False,
    home: Home = None,
    courses: Courses = None,
    single_course: Single = False,
) -> None:
    """Build what changed, measure it, and write the papers' tables with our figures as one document."""
    from orchestration.cli import report_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    _set_courses(courses, is_single=single_course)
    raise typer.Exit(report_command.report(console, out=out, with_model=with_model, dry_run=dry_run))


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="What a student would ask.")],
    course: Annotated[str | None, typer.Option(help="Course id; default the only course, else all of them.")] = None,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Answer one question, with references. Starts vLLM only when the answer needs it and none is running."""
    from orchestration.cli import ask_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(ask_command.ask(console, question, course=course, as_json=as_json))


@app.command()
def search(
    queries: Annotated[Path, typer.Argument(help='JSON lines of {"id", "question", "course"?}.')],
    course: Annotated[str | None, typer.Option(help="Course of lines that name none; default all courses.")] = None,
    k: Annotated[int, typer.Option("--k", min=1, max=1000, help="Hits per question.")] = 10,
    out: Annotated[Path | None, typer.Option("--out", help="File for the hits; default standard output.")] = None,
    source: Annotated[list[str] | None, typer.Option(help="Only this source; may be repeated.")] = None,
    subject: Annotated[str | None, typer.Option(help="Only this subject.")] = None,
    mode: Annotated[Mode | None, typer.Option(help="Only what this catalogue expert knows.")] = None,
    strategy: Annotated[
        str | None, typer.Option(help="concept_aware, hybrid, catalog_expert or fused; default plain BM25.")
    ] = None,
    home: Home = None,
) -> None:
    """Search the QA pairs for many questions, by BM25 or a strategy, and write JSON lines of hits."""
    from orchestration.cli.search_command import SearchFilters, search_file, sources_of, strategy_of  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    filters = SearchFilters(course, sources_of(source or []), subject, mode)
    raise typer.Exit(
        search_file(queries, home=Settings().home, filters=filters, k=k, out=out, strategy=strategy_of(strategy))
    )


@app.command()
def classify(
    questions: Annotated[Path, typer.Argument(help='JSON lines of {"id", "question", "previous"?, "course"?}.')],
    course: Annotated[str | None, typer.Option(help="Course of lines that name none; default none.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="File for the classes; default standard output.")] = None,
    home: Home = None,
) -> None:
    """Say of many questions what they ask for: category, form, options, complexity, and whether to decline them."""
    from orchestration.cli.classify_command import classify_file  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(classify_file(questions, home=Settings().home, course=course, out=out))


@app.command()
def grade(
    records: Annotated[Path, typer.Argument(help='JSON lines or array of {"id", "question", "knowledge", "answer"}.')],
    out: Annotated[Path | None, typer.Option("--out", help="File for the grades; default standard output.")] = None,
) -> None:
    """Say of many answers how well the knowledge beside each supports it, sentence by sentence. Needs no model."""
    from orchestration.cli.grade_command import grade_file  # noqa: PLC0415

    raise typer.Exit(grade_file(records, out=out))


@app.command()
def compare(
    first: Annotated[
        str, typer.Argument(help="A system that `coteach report` asked, or a .parquet file of its answers.")
    ],
    second: Annotated[str, typer.Argument(help="Another one, or the same system's answers in another home.")],
    examples: Annotated[int, typer.Option(min=0, help="Questions to show on which they differ most.")] = 20,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Compare two systems, settings or releases on the questions that both were asked, by paired tests."""
    from orchestration.cli.compare_command import compare as compare_answers  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(compare_answers(console, first, second, examples=examples, as_json=as_json))


@app.command()
def path(
    concept: Annotated[str, typer.Argument(help="What is to be understood, by any of its names.")],
    known: Annotated[list[str] | None, typer.Option(help="A concept known already; may be repeated.")] = None,
    course: Annotated[str | None, typer.Option(help="Course whose lectures are preferred.")] = None,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Say what to learn before a concept, in order, and where in the lectures it is taught."""
    from knowledge_graph.lake.home import DataDir  # noqa: PLC0415
    from orchestration.cli.path_command import study_path  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    data_dir = DataDir(Settings().home)
    raise typer.Exit(study_path(console, concept, data_dir=data_dir, known=known or [], course=course, as_json=as_json))


@app.command()
def mcp(
    course: Annotated[str | None, typer.Option(help="Only this course; default all.")] = None,
    home: Home = None,
) -> None:
    """Serve the courses as tools of an assistant (MCP), on standard input and output. A gateway serves them at /mcp."""
    from orchestration.cli.mcp_command import serve as serve_tools  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(serve_tools(course))


@app.command("import")
def import_(
    source: Annotated[
        Path,
        typer.Argument(help="Export of Open edX, Canvas or Moodle, MOOCCubeX dump or FAQ bank: file, folder, archive."),
    ],
    into: Annotated[Path, typer.Option("--into", help="Folder of courses to write to.")],
    course: Annotated[list[str] | None, typer.Option(help="Import only this course; may be repeated.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write course folders that are there anew.")] = False,
    graded_solutions: Annotated[
        bool,
        typer.Option(
            "--graded-solutions", help="Import solutions of graded problems and quizzes too: students are told them."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring courses from another system into course folders, ready to be built."""
    from orchestration.cli.import_command import import_source  # noqa: PLC0415

    raise typer.Exit(
        import_source(
            console,
            source,
            into,
            only=course or [],
            replace=replace,
            with_graded=graded_solutions,
            as_json=as_json,
        )
    )


@app.command()
def forget(
    course: Annotated[str, typer.Argument(help="Course whose folder is gone.")],
    home: Home = None,
    no_wait: NoWait = False,
) -> None:
    """Take a removed course out of the graph, the QA pairs and the index."""
    from orchestration.cli.build_command import forget_course  # noqa: PLC0415
    from orchestration.cli.store_command import note_act  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    code = forget_course(console, course, wait=not no_wait)
    if code == 0:
        note_act("course.forget", course)
    raise typer.Exit(code)


@app.command()
def publish(
    to: Annotated[str | None, typer.Option("--to", help="Where to; default COTEACH_PUBLISH_URL.")] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Read every file whole, whatever its times say.")] = False,
    home: Home = None,
    no_wait: NoWait = False,
) -> None:
    """Publish what gateways read of the home, to an object store or a folder that they follow (COTEACH_FOLLOW_URL)."""
    from orchestration.cli import publish_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(publish_command.publish(console, url=to, verify=verify, wait=not no_wait))


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "allow_interspersed_args": False}
)
def dbt(context: typer.Context, home: Home = None) -> None:
    """Run dbt on the home's lake by hand: `coteach dbt build`, `coteach dbt docs generate`. Serves nothing."""
    from orchestration.cli.dbt_command import run_dbt  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(run_dbt(context.args))


@app.command("data-docs")
def data_docs(
    port: Annotated[int, typer.Option(help="Where to show them; 0 takes a free one.")] = 3001,
    serve: Annotated[bool, typer.Option(help="Show them until Ctrl-C, or only make them.")] = True,
    home: Home = None,
) -> None:
    """Make Great Expectations' data docs of the home's tables and show them to this machine."""
    from orchestration.cli.data_docs_command import data_docs as show_data_docs  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(show_data_docs(console, port=port, serve=serve))


@app.command()
def explain(
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many answers; default all.")] = None,
    course: Annotated[list[str] | None, typer.Option(help="Only answers of this course; may be repeated.")] = None,
    source: Annotated[list[str] | None, typer.Option(help="Only of this source, default faq; may be repeated.")] = None,
    home: Home = None,
) -> None:
    """Let the model explain stored answers that have no explanation. Starts vLLM when no model server runs."""
    from orchestration.cli.explain_command import explain as explain_stored  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(explain_stored(console, limit=limit, courses=course or [], sources=source or []))


@app.command()
def affected(
    cue: Annotated[str | None, typer.Option(help="A cue: 'VIDEO@mm:ss' or 'VIDEO@SECONDS'.")] = None,
    faq: Annotated[str | None, typer.Option(help="A FAQ entry, by its id.")] = None,
    document: Annotated[str | None, typer.Option(help="A document, by its path in the course.")] = None,
    article: Annotated[str | None, typer.Option(help="Only this article of the document.")] = None,
    page: Annotated[int | None, typer.Option(min=1, help="Only this page of the document.")] = None,
    concept: Annotated[str | None, typer.Option(help="A concept, by its id.")] = None,
    model: Annotated[str | None, typer.Option(help="A language model, by its server's name for it.")] = None,
    prompt: Annotated[str | None, typer.Option(help="A prompt, by its template or the start of its SHA-256.")] = None,
    index: Annotated[str | None, typer.Option(help="A version of the search index.")] = None,
    course: Annotated[str | None, typer.Option(help="Only this course; needed where ids repeat.")] = None,
    since: Annotated[datetime | None, typer.Option(help="Only answers given from then on, UTC.")] = None,
    changed: Annotated[
        bool | None, typer.Option("--changed/--unchanged", help="Only where the source has, or has not, changed since.")
    ] = None,
    reask: Annotated[bool, typer.Option("--reask", help="Ask the questions again and show both answers.")] = False,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """List the stored answers that rest on a source, and whether it has changed since."""
    from orchestration.cli.affected_command import AnswerFilters, NamedSource, list_affected  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    named = NamedSource(cue, faq, document, article, page, concept, model, prompt, index)
    filters = AnswerFilters(course, since.replace(tzinfo=UTC) if since else None, changed)
    raise typer.Exit(list_affected(console, named, filters, reask=reask, as_json=as_json))


@app.command()
def audit(
    limit: Annotated[int, typer.Option(min=1, help="How many acts.")] = 100, home: Home = None, as_json: AsJson = False
) -> None:
    """List administrative acts, the last one first: keys, deletions, exports, experiments."""
    from orchestration.cli import keys_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(keys_command.audit(console, limit=limit, as_json=as_json))


@app.command()
def serve(
    home: Home = None,
    gateways: Annotated[int, typer.Option(min=1, max=64, help="Gateways over one store, each with its port.")] = 1,
) -> None:
    """Run the gateway, and vLLM unless COTEACH_LLM_URL names a server. Ctrl-C stops both."""
    _serve(home, pages=False, gateways=gateways)


@app.command()
def up(courses: Courses = None, home: Home = None, single_course: Single = False) -> None:
    """Build, then run the gateway, vLLM, Dagster and MLflow. Ctrl-C stops everything."""
    from orchestration.cli.build_command import build_home  # noqa: PLC0415
    from orchestration.resources import PipelineSettings, refuse_shared_home  # noqa: PLC0415

    _set_courses(courses, is_single=single_course)
    set_path("COTEACH_HOME", home)
    refuse_shared_home(PipelineSettings())
    if build_home(console, only=[], dry_run=False):
        console.print("Serving what is built.", style="yellow")
    _serve(home, pages=True)


def _serve(home: Path | None, *, pages: bool, gateways: int = 1) -> None:
    from orchestration.cli import serve_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(serve_command.serve(console, pages=pages, gateways=gateways))


@app.command()
def status(home: Home = None, as_json: AsJson = False) -> None:
    """Say what the home holds and what is running."""
    from orchestration.cli import ask_command  # noqa: PLC0415
    from serving.settings import ModelServerSettings, Settings  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    facts = ask_command.home_status(Settings(), ModelServerSettings())
    if as_json:
        console.print_json(json.dumps(facts, ensure_ascii=False))
    else:
        ask_command.print_status(console, facts)


def main() -> None:
    """Run the command line; what a person can mend is told in its own words, without a traceback. Ends the process."""
    collect_garbage_rarely()
    with end_at_once():
        _run()


def _run() -> None:
    try:
        app()
    except CoteachError as error:
        _stop(str(error))
    except ValidationError as error:
        wrong = "; ".join(describe_wrong_setting(one) for one in error.errors())
        _stop(f"A setting cannot be used. {wrong.rstrip('.')}.")
    except OSError as error:
        _stop(f"{error.filename or 'The system'}: {error.strerror or error}. Check the path and its permissions.")


def describe_wrong_setting(error: "ErrorDetails") -> str:
    """What is wrong with one setting, by its name in the environment; of an address without the pattern it missed."""
    name = "_".join(("COTEACH", *map(str, error["loc"]))).upper()
    if error["type"] == "string_pattern_mismatch" and "https?://" in error["ctx"]["pattern"]:
        return f"{name}: expected an address that begins with http:// or https://, found {error['input']!r}"
    said = error["msg"].removeprefix("Value error, ")
    return f"{name}: {said}" if error["loc"] else said


def _stop(message: str) -> NoReturn:
    console.print(message, style="red", markup=False, highlight=False)
    raise SystemExit(1)


if __name__ == "__main__":
    main()
