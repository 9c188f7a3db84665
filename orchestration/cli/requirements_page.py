"""`docs/requirements.md`: what the four papers state, statement by statement, with the code and the test for each.

The rows are data, `requirements.yaml` beside this module; what is written here is how they are read and shown. That the
files, tests and tables which they name exist is held by `tests/test_requirements.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROWS = Path(__file__).with_name("requirements.yaml")

PAPERS: Mapping[str, str] = {
    "littlemu": "LittleMu",
    "course_hero": "Course Hero",
    "tulane": "Tulane",
    "maastricht": "Maastricht",
    "form": "The form of this project",
}
"""The groups of the file with their headings, in the order of the statements."""

_KEYS = frozenset({"id", "section", "says", "where", "shown", "result", "lacks"})

_INTRODUCTION = """# What the papers state, and where it is

One row for each statement of [the four papers](papers.md) that can be built. *Code* is where it is, *test* what shows
it, and *table* where [the results](results.md) measure it. What is not done, or not all of it, says why. The rows are
`orchestration/cli/requirements.yaml`; a test holds that every file, test and table they name exists.
"""


@dataclass(frozen=True)
class PaperStatement:
    """A statement of a paper.

    `where` are files of the checkout, `shown` tests as pytest names them, `result` is a heading of `docs/results.md`.
    `lacks` says what is not done and why; without it everything is.
    """

    id: str
    paper: str
    section: str
    says: str
    where: tuple[str, ...]
    shown: tuple[str, ...]
    result: str = ""
    lacks: str = ""

    @property
    def state(self) -> str:
        """`done`, `in part` where something is missing, `not done` where there is no code at all."""
        if not self.lacks:
            return "done"
        return "in part" if self.where else "not done"


@cache
def read_statements(path: Path = ROWS) -> tuple[PaperStatement, ...]:
    """Every row in the order of the file. Raises `ValueError` for a group or key that is none, or a missing key."""
    groups: Mapping[str, Sequence[Mapping[str, Any]]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    if unknown := sorted(groups.keys() - PAPERS.keys()):
        raise ValueError(f"{path.name}: expected the groups {', '.join(PAPERS)}, found {', '.join(unknown)}.")
    return tuple(_statement(row, paper) for paper in PAPERS for row in groups.get(paper, ()))


def _statement(row: Mapping[str, Any], paper: str) -> PaperStatement:
    wrong = sorted((row.keys() - _KEYS) | ({"id", "section", "says"} - row.keys()))
    if wrong:
        raise ValueError(f"{ROWS.name}, {row.get('id', 'a row without an id')}: wrong or missing: {', '.join(wrong)}.")
    texts = {key: str(row.get(key, "")) for key in ("id", "section", "says", "result", "lacks")}
    return PaperStatement(paper=paper, where=tuple(row.get("where", ())), shown=tuple(row.get("shown", ())), **texts)


def requirements_page() -> str:
    """The page: how many statements are done, then a table for each paper."""
    statements = read_statements()
    sections = [_INTRODUCTION, _counts(statements)]
    for paper, title in PAPERS.items():
        rows = "".join(_row(one) for one in statements if one.paper == paper)
        sections.append(f"## {title}\n\n| | statement | section | code | test, table | what is missing, and why |\n")
        sections[-1] += f"|---|---|---|---|---|---|\n{rows}"
    return "\n".join(sections)


def _counts(statements: Sequence[PaperStatement]) -> str:
    lines = ["| | statements | done | in part | not done |", "|---|--:|--:|--:|--:|"]
    for paper, title in (*PAPERS.items(), ("", "all")):
        states = [one.state for one in statements if paper in ("", one.paper)]
        counts = [states.count(state) for state in ("done", "in part", "not done")]
        lines.append(f"| {title} | {len(states)} | {' | '.join(map(str, counts))} |")
    return "\n".join(lines) + "\n"


def _row(one: PaperStatement) -> str:
    code = "<br>".join(f"[{Path(place).name}](../{place})" for place in one.where)
    tests = [
        f"[{name.removeprefix('test_')}](../{path})" for path, _, name in (each.partition("::") for each in one.shown)
    ]
    shown = "<br>".join([*tests, *([f"*{one.result}*"] if one.result else [])])
    cells = (one.id, one.says, one.section, code, shown, one.lacks)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
