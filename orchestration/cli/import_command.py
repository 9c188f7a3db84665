"""What `coteach import` does and prints."""

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from knowledge_graph.sources.importing.sources import Imported, import_courses


def import_source(
    console: Console, source: Path, into: Path, *, only: Sequence[str], replace: bool, with_graded: bool, as_json: bool
) -> int:
    """Write the courses of `source` into the folder `into` and return the exit code, 0.

    What cannot be imported at all raises `CoteachError`; nothing is written then.
    """
    if as_json:
        imported = import_courses(source, into, only=only, replace=replace, with_graded=with_graded)
        console.print_json(json.dumps(_facts(imported), ensure_ascii=False))
        return 0
    with console.status(f"Reading {source} ..."):
        imported = import_courses(source, into, only=only, replace=replace, with_graded=with_graded)
    _say(console, f"{imported.kind}: {len(imported.courses)} course(s) in {into}")
    for course in imported.courses:
        counts = ", ".join(f"{number:,} {kind}" for kind, number in course.counts.items()) or "nothing but its name"
        _say(console, f"  {course.course_id}: {counts}  ({course.title})")
    for problem in imported.problems:
        _say(console, f"  ! {problem}", style="red" if problem.severity == "error" else "yellow")
    _say(console, f"Next: coteach build --courses {into}")
    return 0


def _facts(imported: Imported) -> dict[str, object]:
    return {
        "kind": imported.kind,
        "courses": [
            {"course_id": course.course_id, "title": course.title, "folder": str(course.folder), **course.counts}
            for course in imported.courses
        ],
        "left_out": dict(imported.left_out),
        "problems": [{"severity": problem.severity, "message": str(problem)} for problem in imported.problems],
    }


def _say(console: Console, text: str, *, style: str | None = None) -> None:
    """Text that may hold names with brackets, which must not be read as markup."""
    console.print(text, style=style, markup=False, highlight=False)
