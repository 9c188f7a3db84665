"""Options that many verbs of the command line share."""

import os
from pathlib import Path
from typing import Annotated

import typer

Home = Annotated[
    Path | None, typer.Option("--home", help="Where everything is built and stored; default COTEACH_HOME or ./data.")
]
Courses = Annotated[
    Path | None,
    typer.Option("--courses", help="Folder of course folders, or one course; default COTEACH_COURSES."),
]
Single = Annotated[
    bool, typer.Option("--single-course", help="The folder of courses is one course; default COTEACH_SINGLE_COURSE.")
]
NoWait = Annotated[
    bool, typer.Option("--no-wait", help="Give up when somebody else, such as the daemon, writes in the home.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]


def set_path(name: str, value: Path | None) -> None:
    """Make a path that an option gave the setting of this process."""
    if value is not None:
        os.environ[name] = str(value.absolute())
