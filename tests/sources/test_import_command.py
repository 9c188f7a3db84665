"""What `coteach import` prints."""

import io
import json
from pathlib import Path

from rich.console import Console

from orchestration.cli.import_command import import_source

BANK = "course,id,q,a\ntrees,1,Late?,No.\ntrees,1,Resit [now]?,Yes.\n"


def _printed(tmp_path: Path, *, as_json: bool) -> str:
    (tmp_path / "bank.csv").write_text(BANK)
    out = io.StringIO()
    console = Console(file=out, width=1_000)
    into = tmp_path / "courses"
    assert (
        import_source(console, tmp_path / "bank.csv", into, only=[], replace=False, with_graded=False, as_json=as_json)
        == 0
    )
    return out.getvalue().replace(str(tmp_path), "TMP")


def test_courses_problems_and_the_next_step_are_printed(tmp_path: Path) -> None:
    assert _printed(tmp_path, as_json=False).splitlines() == [
        "FAQ bank: 1 course(s) in TMP/courses",
        "  trees: 2 questions  (trees)",
        "  ! bank.csv:3: The id '1' is taken by another entry; this one got '1-2'. Give it an id of its own.",
        "Next: coteach build --courses TMP/courses",
    ]


def test_json_has_the_same_for_scripts(tmp_path: Path) -> None:
    found = json.loads(_printed(tmp_path, as_json=True))
    assert found["courses"] == [{"course_id": "trees", "title": "trees", "folder": "TMP/courses/trees", "questions": 2}]
    assert [problem["severity"] for problem in found["problems"]] == ["warning"]
