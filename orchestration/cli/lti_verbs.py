"""The verbs `coteach lti …`: parse and call. What they do is in lti_command.py."""

from typing import Annotated

import typer
from rich.console import Console

from orchestration.cli.options import AsJson, Home, set_path

verbs = typer.Typer(no_args_is_help=True, help="Connect an LMS by LTI 1.3, and say what it may open.")

Name = Annotated[str, typer.Option("--name", help="What you know the LMS by.")]
Course = Annotated[list[str] | None, typer.Option("--course", help="A course it may open; may be repeated.")]
AllCourses = Annotated[bool, typer.Option("--all-courses", help="It may open every course, also those to come.")]
HighestRole = Annotated[
    str, typer.Option("--highest-role", help="The most its word makes of somebody: student, ta or teacher.")
]
TeachersChoose = Annotated[
    bool,
    typer.Option(
        "--teachers-choose/--admins-choose", help="Who says which course here a course of the LMS is, at first."
    ),
]
Frame = Annotated[
    list[str] | None,
    typer.Option("--frame", help="Another origin whose pages show ours in a frame; may be repeated."),
]
Platform = Annotated[str, typer.Argument(help="Id of the LMS, as `coteach lti list` shows it.")]
Deployment = Annotated[str, typer.Option("--deployment", help="A deployment id, as the LMS shows it.")]
Context = Annotated[str, typer.Option("--context", help="Id of the LMS's course, as a refused launch shows it.")]


@verbs.command("addresses")
def addresses(home: Home = None, as_json: AsJson = False) -> None:
    """Print this tool's addresses, as they are typed into an LMS."""
    from orchestration.cli import lti_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(lti_command.addresses(Console(), as_json=as_json))


@verbs.command("add")
def add(
    issuer: Annotated[str, typer.Option("--issuer", help="Issuer (platform id) of the LMS.")],
    client_id: Annotated[str, typer.Option("--client-id", help="Client id that the LMS gave this tool.")],
    auth_url: Annotated[str, typer.Option("--auth-url", help="Its authentication request address.")],
    jwks_url: Annotated[str, typer.Option("--jwks-url", help="Its public key set address.")],
    token_url: Annotated[str | None, typer.Option("--token-url", help="Its access token address.")] = None,
    deployment: Annotated[
        list[str] | None, typer.Option("--deployment", help="A deployment id; may be repeated.")
    ] = None,
    name: Name = "LMS",
    course: Course = None,
    all_courses: AllCourses = False,
    highest_role: HighestRole = "teacher",
    teachers_choose: TeachersChoose = True,
    frame: Frame = None,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Register an LMS in which this tool was added by hand."""
    from orchestration.cli import lti_command  # noqa: PLC0415
    from serving.store.platforms import PlatformAddresses  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    grant = lti_command.make_grant(
        name, course, all_courses=all_courses, role=highest_role, teachers_choose=teachers_choose, frames=frame
    )
    named = PlatformAddresses(issuer, client_id, auth_url, jwks_url, token_url)
    raise typer.Exit(lti_command.add(Console(), named, grant, deployment or [], as_json=as_json))


@verbs.command("invite")
def invite(
    name: Name = "LMS",
    course: Course = None,
    all_courses: AllCourses = False,
    highest_role: HighestRole = "teacher",
    teachers_choose: TeachersChoose = True,
    frame: Frame = None,
    issuer: Annotated[
        str | None, typer.Option("--issuer", help="Only this issuer; needed where it has another host than the LMS.")
    ] = None,
    hours: Annotated[float, typer.Option(min=0.01, max=720, help="Hours until the link ends.")] = 24,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Make a link by which one LMS registers itself, once, and show it, this once."""
    from orchestration.cli import lti_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    grant = lti_command.make_grant(
        name, course, all_courses=all_courses, role=highest_role, teachers_choose=teachers_choose, frames=frame
    )
    raise typer.Exit(lti_command.invite_platform(Console(), grant, hours=hours, issuer=issuer, as_json=as_json))


@verbs.command("list")
def list_all(home: Home = None, as_json: AsJson = False) -> None:
    """List the LMSs, their deployments, the courses that are connected, and our keys."""
    from orchestration.cli import lti_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(lti_command.show(Console(), as_json=as_json))


@verbs.command("allow")
def allow(platform: Platform, deployment: Deployment, home: Home = None) -> None:
    """Take launches from another deployment of an LMS."""
    from orchestration.cli import lti_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(lti_command.allow(Console(), platform, deployment))


@verbs.command("connect")
def connect(
    platform: Platform,
    deployment: Deployment,
    context: Context,
    course: Annotated[str, typer.Option("--course", help="The course here that it is.")],
    home: Home = None,
) -> None:
    """Say which course here a course of an LMS is. Several of the LMS's may be one of ours."""
    from orchestration.cli import lti_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(lti_command.connect(Console(), platform, deployment, context, course))


@verbs.command("disconnect")
def disconnect(platform: Platform, context: Context, home: Home = None) -> None:
    """Forget which course here a course of an LMS is."""
    from orchestration.cli import lti_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(lti_command.disconnect(Console(), platform, context))


@verbs.command("remove")
def remove(platform: Platform, home: Home = None) -> None:
    """Forget an LMS, and end every login that it launched."""
    from orchestration.cli import lti_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(lti_command.remove(Console(), platform))


@verbs.command("rotate-keys")
def rotate_keys(
    lost: Annotated[
        bool, typer.Option("--lost", help="The old keys may be known to somebody: withdraw them at once.")
    ] = False,
    home: Home = None,
) -> None:
    """Make the next key with which we sign. It is published now and signs in a day; gateways do it every 90 days."""
    from orchestration.cli import lti_command  # noqa: PLC0415

    set_path("COTEACH_HOME", home)
    raise typer.Exit(lti_command.rotate(Console(), is_lost=lost))
