"""The verbs `coteach spending` and `coteach control`: what the model server cost, and how a course is answered now.

They work on the store, whether a gateway is running or not; running gateways follow a change within seconds.
"""

import json
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from knowledge_graph.lake.problems import CoteachError
from orchestration.cli.options import AsJson, Home, set_path

if TYPE_CHECKING:
    from serving.desk.spending_report import CostLine, SpendingReport
    from serving.settings import Settings

DAYS = 30
"""Days reported when none are named."""


def spending(
    course: Annotated[str | None, typer.Option(help="Only this course; default all.")] = None,
    first: Annotated[
        datetime | None, typer.Option("--from", formats=["%Y-%m-%d"], help="First day, UTC; default 30 days in all.")
    ] = None,
    last: Annotated[
        datetime | None, typer.Option("--to", formats=["%Y-%m-%d"], help="Last day, UTC; default today.")
    ] = None,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Say what the language model cost: tokens and money by day, course, key and person, and who is near a cap."""
    from orchestration.cli.keys_command import open_own_store  # noqa: PLC0415
    from serving.desk.spending_report import read_spending  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415
    from serving.store.spending import SpendingScope  # noqa: PLC0415
    from serving.store.tables.base import now  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    today = now().date()
    until = last.date() if last is not None else today
    since = first.date() if first is not None else until - timedelta(days=DAYS - 1)
    if since > until:
        raise CoteachError(f"--from is a day before --to; found {since} and {until}.")
    scope = SpendingScope(since, until, None if course is None else frozenset({course}))
    settings = Settings()
    with open_own_store() as store:
        found = store.read(lambda db: read_spending(db, scope, settings, today=today, may_see_people=course is None))
    if as_json:
        standings = [asdict(one) | {"share": one.share} for one in found.caps]
        typer.echo(json.dumps(asdict(found) | {"caps": standings}, ensure_ascii=False, default=str))
    else:
        _print(Console(), found)


def _print(console: Console, found: "SpendingReport") -> None:
    cost = "" if found.total.cost is None else f", {found.total.cost:,.4f} {found.currency}"
    asked = f"{found.total.questions:,} questions, {found.total.answers:,} of them with the model"
    told = f"{found.first} to {found.last}: {found.total.tokens:,} tokens{cost}; {asked}."
    console.print(told, highlight=False)
    named = {"day": found.days, "course": found.courses, "key": found.keys, "person": found.people}
    for what, lines in named.items():
        if lines:
            console.print(_table(what, list(lines)))
    for one in found.caps:
        state = "reached" if one.is_reached else "near" if one.is_near else "below"
        name = f"{one.of} {one.label} {one.name}".strip()
        line = (
            f"cap of {' '.join(name.split())}: {one.used:,} of {one.cap:,} {one.unit} today ({one.share:.0%}, {state})"
        )
        console.print(escape(line), style="yellow" if one.is_near else None, highlight=False)


def _table(what: str, lines: "list[CostLine]") -> Table:
    right = [Column(name, justify="right") for name in ("questions", "with the model", "read", "written", "cost")]
    table = Table(Column(what, no_wrap=True), *right)
    for one in lines:
        name = f"{one.label} {one.name}".strip() or {"course": "all at once", "key": "none"}.get(what, "")
        cost = "" if one.cost is None else f"{one.cost:,.4f}"
        counts = (one.questions, one.answers, one.prompt_tokens, one.completion_tokens)
        table.add_row(escape(name), *(f"{count:,}" for count in counts), cost)
    return table


def control(
    course: Annotated[str, typer.Argument(help="Course id.")],
    switch: Annotated[
        str | None, typer.Option(help="on; model_off: the material alone answers; assistant_off: nothing does.")
    ] = None,
    why: Annotated[str, typer.Option(help="Kept with who did it; needed to switch something off.")] = "",
    message: Annotated[str | None, typer.Option(help="What students read while the assistant is off.")] = None,
    tokens_per_day: Annotated[
        int | None, typer.Option(min=0, help="The course's own cap; 0 for what the settings say.")
    ] = None,
    questions_per_day: Annotated[int | None, typer.Option(min=0, help="The same of questions.")] = None,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Switch the model or the assistant of a course off or on, or cap it; without options say how it is now."""
    from orchestration.cli.keys_command import open_own_store, whoami  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415
    from serving.store.course_controls import ControlChange, change_control, parse_switch  # noqa: PLC0415
    from serving.store.tables.budget import CourseControl  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    known = _built_courses(Settings())
    if course not in known:
        raise CoteachError(f"There is no course '{course}' here; there are {', '.join(sorted(known)) or 'none yet'}.")
    wanted = None if switch is None else parse_switch(switch)
    change = ControlChange(wanted, message, why, tokens_per_day, questions_per_day)
    is_asked = switch is None and tokens_per_day is None and questions_per_day is None
    with open_own_store() as store:
        held = store.read(lambda db: db.get(CourseControl, course)) if is_asked else None
        if not is_asked:
            held = store.write(lambda db: change_control(db, course, change, by=whoami()))
    names = ("switch", "message", "why", "tokens_per_day", "questions_per_day", "by", "at")
    told = {"course_id": course, "switch": "on"} if held is None else {one: getattr(held, one) for one in names}
    if as_json:
        typer.echo(json.dumps({"course_id": course} | told, ensure_ascii=False, default=str))
    else:
        for name, value in told.items():
            if value not in (None, ""):
                typer.echo(f"{name}: {value}")


def _built_courses(settings: "Settings") -> set[str]:
    """The courses of the home's graph."""
    from knowledge_graph.lake.tables import read_if_whole  # noqa: PLC0415

    return {str(row["course_id"]) for row in read_if_whole(settings.data_dir.graph_courses, ["course_id"])}
