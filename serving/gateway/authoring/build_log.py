"""What a build prints, as those may read it who teach some of its courses: nothing of other courses. Pure."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

_SECTION = re.compile(r"  (?P<what>course|system) (?P<name>.+?): |  (?P<all>all courses|intent model|evaluation): ")
_STEP = re.compile(r"    [✓=✗!] ")
_ASSET = re.compile(r"(    [✓=✗!] [A-Za-z0-9_./]+)")
_ENDED = re.compile(r"    (?:done|failed) in ")
_LAST = ("Everything is up to date", "Stopped.", "Waiting until")
_BUILT = re.compile(r"((?:Built|Ended) in [\d.]+ s)\.")


@dataclass(frozen=True)
class BuildProgress:
    """How far a build is. `now` is what it works on, `steps` counts the assets that are made or kept."""

    now: str | None
    steps: int
    failed: int


def lines_for(lines: Sequence[str], courses: Collection[str] | None) -> list[str]:
    """The lines that somebody may read who sees these courses, `None` for all.

    Of what is made of all courses only the names of its steps: what a check quotes may be another course's.
    """
    if courses is None:
        return list(lines)
    shown = []
    section: str | None = None
    for line in lines:
        if found := _SECTION.match(line):
            section = found["name"] if found["what"] == "course" else "" if found["all"] else None
            if section == "" or section in courses:
                shown.append(f"  {found['all']}" if section == "" else line)
        elif line.startswith("    ") and section is not None:
            shown += _within(line, section, courses)
        elif line.startswith(_LAST):
            shown.append("Waiting until another build is done …" if line.startswith("Waiting") else line)
        elif found := _BUILT.match(line):
            shown.append(f"{found[1]}.")
    return shown


def _within(line: str, section: str, courses: Collection[str]) -> list[str]:
    if section:
        return [line] if section in courses else []
    if found := _ASSET.match(line):
        return [found[1]]
    return [line] if _ENDED.match(line) else []


def progress_of(lines: Sequence[str]) -> BuildProgress:
    sections = [line.strip() for line in lines if _SECTION.match(line)]
    steps = [line for line in lines if _STEP.match(line)]
    failed = sum(line.startswith("    ✗ ") for line in steps)
    return BuildProgress(sections[-1] if sections else None, sum(line[4] in "✓=" for line in steps), failed)
