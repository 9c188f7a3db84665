"""The verbs of `coteach keys`: parse and call. What they do is in keys_command.py."""

from typing import Annotated

import typer
from rich.console import Console

from orchestration.cli.options import AsJson, Home, set_path

verbs = typer.Typer(no_args_is_help=True, help="Make, list and revoke the keys of those who ask, answer and teach.")
console = Console()


@verbs.command("create")
def create_key(
    role: Annotated[str, typer.Option("--role", help="student, ta, teacher or admin.")] = "student",
    name: Annotated[str | None, typer.Option("--name", help="What students see; needed for a TA or teacher.")] = None,
    label: Annotated[str | None, typer.Option("--label", help="What you know it by; default name or role.")] = None,
    course: Annotated[list[str] | None, typer.Option(help="Only this course; may be repeated. Default all.")] = None,
    per_minute: Annotated[int | None, typer.Option(min=1, help="Questions per minute and course.")] = None,
    tokens_per_day: Annotated[
        int | None, typer.Option(min=0, help="Tokens of the model per day; 0 for no cap.")
    ] = None,
    days: Annotated[float | None, typer.Option(min=0, help="Days until it ends; default never.")] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(help="Only for this: ask, material, desk or metrics; may be repeated. Default all its role may."),
    ] = None,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Make a key and show it, this once."""
    from orchestration.cli import keys_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    made = keys_command.create(
        console,
        role=role,
        name=name,
        label=label,
        courses=course or [],
        per_minute=per_minute,
        tokens_per_day=tokens_per_day,
        days=days,
        scopes=scope or [],
        as_json=as_json,
    )
    raise typer.Exit(made)


@verbs.command("rotate")
def rotate_key(
    key: Annotated[str, typer.Argument(help="Id of the key.")],
    grace_hours: Annotated[float, typer.Option(min=0, help="Hours for which the old secret opens yet.")] = 24,
    days: Annotated[float | None, typer.Option(min=0, help="Days until the key ends; default as before.")] = None,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Give a key another secret and show it, this once. Its students, sessions and limits stay."""
    from orchestration.cli import keys_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(keys_command.rotate(console, key, grace_hours=grace_hours, days=days, as_json=as_json))


@verbs.command("list")
def list_keys(home: Home = None, as_json: AsJson = False) -> None:
    """List all keys, revoked ones too, without their secrets."""
    from orchestration.cli import keys_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(keys_command.show(console, as_json=as_json))


@verbs.command("revoke")
def revoke_key(key: Annotated[str, typer.Argument(help="Id of the key.")], home: Home = None) -> None:
    """End a key and every login made with it."""
    from orchestration.cli import keys_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(keys_command.revoke(console, key))
