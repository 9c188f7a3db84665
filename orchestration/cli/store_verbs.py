"""The verbs of `coteach store` and `coteach student`: parse and call. What they do is in store_command.py."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from orchestration.cli.options import AsJson, Home, set_path

stores = typer.Typer(no_args_is_help=True, help="Look after the store of sessions, answers, feedback and reviews.")
students = typer.Typer(no_args_is_help=True, help="Give out or delete what the store holds of one student.")
console = Console()

Yes = Annotated[bool, typer.Option("--yes", help="Do not ask before deleting.")]
Person = Annotated[str | None, typer.Option("--person", help="Person id of the student.")]
Session = Annotated[str | None, typer.Option("--session", help="Id of one of the student's sessions.")]
Key = Annotated[str | None, typer.Option("--key", help="Id of the key of the service the student came by.")]
User = Annotated[str | None, typer.Option("--user", help="With --key: what that service calls the student.")]


@stores.command("status")
def store_status(home: Home = None, as_json: AsJson = False) -> None:
    """Say where the store is, its schema and how much it holds."""
    from orchestration.cli import store_command  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(store_command.store_status(console, Settings(), as_json=as_json))


@stores.command("migrate")
def store_migrate(home: Home = None) -> None:
    """Make the store's tables, or bring them to the newest schema. Whatever opens the store does the same."""
    from orchestration.cli import store_command  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(store_command.store_migrate(console, Settings()))


@stores.command("backup")
def store_backup(file: Annotated[Path, typer.Argument(help="New file for the copy.")], home: Home = None) -> None:
    """Copy a SQLite store while it is in use."""
    from orchestration.cli import store_command  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(store_command.store_backup(console, Settings(), file))


@stores.command("purge")
def store_purge(
    days: Annotated[int | None, typer.Option(min=1, help="Default COTEACH_RETENTION_DAYS.")] = None,
    yes: Yes = False,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Delete answers older than so many days, and what hangs on them. Reviewed answers stay."""
    from orchestration.cli import store_command  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    confirm = partial(_confirm, yes)
    raise typer.Exit(store_command.store_purge(console, Settings(), days=days, confirm=confirm, as_json=as_json))


@students.command("export")
def student_export(
    person: Person = None,
    session: Session = None,
    key: Key = None,
    user: User = None,
    out: Annotated[Path | None, typer.Option("--out", help="File for the JSON; default standard output.")] = None,
    home: Home = None,
) -> None:
    """Write everything the store holds of one student, as JSON."""
    from orchestration.cli import store_command  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    who = store_command.Who(person, session, key, user)
    raise typer.Exit(store_command.student_export(Settings(), who, out=out))


@students.command("delete")
def student_delete(
    person: Person = None,
    session: Session = None,
    key: Key = None,
    user: User = None,
    yes: Yes = False,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Delete everything the store holds of one student. Reviewed answers stay: their text is the TA's."""
    from orchestration.cli import store_command  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    who = store_command.Who(person, session, key, user)
    confirm = partial(_confirm, yes)
    raise typer.Exit(store_command.student_delete(console, Settings(), who, confirm=confirm, as_json=as_json))


def _confirm(yes: bool, question: str) -> bool:
    return yes or typer.confirm(question, err=True)
