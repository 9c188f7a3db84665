"""What `coteach build` costs with many small courses: nothing to do, and one changed course among them.

    .venv/bin/python benchmarks/many_courses.py [--counts 4 30 100] [--home FOLDER]

One home grows to each number of courses; in `--home` it stays, and what is there is measured again. "Nothing to do" is
asked twice: as a build ordinarily finds it out, without Dagster, and behind a touched file, when the planner looks at
every asset of every course. Seconds of processor, of the command and all that it started; exit code 1 when a bound of
the table is missed.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from automation import Home, append_row, write_course
from rich.console import Console
from rich.table import Table

NOTHING_S = {4: 5.0, 100: 10.0}
"""Most seconds of processor for nothing to do, by number of courses."""
ONE_MORE_S = 10.0
"""Most for one changed course, beyond that."""


def build(home: Home) -> tuple[float, float, float]:
    """Build; seconds of processor, seconds, and peak memory in MB. Raises when it failed."""
    before, started = os.times(), time.monotonic()
    process = home.build()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit((home.root / "build.log").read_text()[-2000:])
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used, time.monotonic() - started, usage.ru_maxrss / 1024


def touch(path: Path) -> None:
    """The same bytes with another time."""
    time.sleep(2.1)  # what changed this moment is not remembered as unchanged
    path.write_bytes(path.read_bytes())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", nargs="*", type=int, default=[4, 30, 100])
    parser.add_argument("--home", type=Path)
    asked, console = parser.parse_args(), Console(width=140)
    table = Table(
        "courses", "built", "nothing to do", "planned, nothing to do", "one changed course", "peak MB", "bound"
    )
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        home = Home(asked.home or Path(folder))
        home.courses.mkdir(parents=True, exist_ok=True)
        there = len(home.there())
        if not there:
            home.report_intent_model()
        for count in asked.counts:
            for number in range(there, count):
                write_course(home.courses, f"course-{number:03}")
            built, _, _ = build(home)
            build(home)
            nothing, seconds, _ = build(home)
            touch(home.courses / "course-000" / "faq.csv")
            planned, planned_seconds, _ = build(home)
            append_row(home.courses, "course-001", f"quoll{count}")
            one, one_seconds, peak = build(home)
            bound = NOTHING_S.get(count)
            held = (bound is None or nothing <= bound) and one - nothing <= ONE_MORE_S
            missed |= not held
            table.add_row(
                str(count),
                f"{built:.0f} s for {count - there} more",
                f"{nothing:.1f} s ({seconds:.1f})",
                f"{planned:.1f} s ({planned_seconds:.1f})",
                f"{one:.1f} s ({one_seconds:.1f})",
                f"{peak:.0f}",
                ("held" if held else "MISSED") + (f": {bound:.0f} s" if bound else ""),
            )
            there = count
            console.print(f"{count} courses: {built=:.0f} {nothing=:.1f} {planned=:.1f} {one=:.1f}, {os.getloadavg()}")
    console.print("Seconds of processor, in brackets seconds:")
    console.print(table)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
