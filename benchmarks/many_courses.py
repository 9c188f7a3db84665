"""What `coteach build` costs with many small courses: nothing to do, and one changed course among them.

    .venv/bin/python benchmarks/many_courses.py [--counts 4 30 100] [--home FOLDER] [--record]

One home grows to each number of courses; in `--home` it stays, and what is there is measured again. "Nothing to do" is
asked twice: as a build ordinarily finds it out, without Dagster, and behind a touched file, when the planner looks at
every asset of every course. Seconds of processor, of the command and all that it started; exit code 1 when a bound of
the table is missed. `--record` puts the figures into benchmarks/README.md, with the load at which they were taken: what
others do on a machine makes its seconds longer, of the processor too.
"""

import argparse
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from recorded import put
from rich.console import Console
from rich.table import Table
from running_home import Home, append_row, write_course

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


@dataclass(frozen=True)
class Growth:
    """What a home of so many courses costs: seconds of processor, of the command and all that it started."""

    courses: int
    more: int
    """Courses of them that were built just now."""
    built: float
    nothing: float
    planned: float
    """Nothing to do, behind a touched file."""
    one: float
    """One changed course."""
    peak_mb: float
    load: float
    """Of the machine in the minute before, with this."""

    @property
    def beyond(self) -> float:
        """What one changed course costs more than nothing to do."""
        return self.one - self.nothing

    @property
    def held(self) -> bool:
        return self.nothing <= NOTHING_S.get(self.courses, self.nothing) and self.beyond <= ONE_MORE_S

    def cells(self) -> list[str]:
        """A line of the table."""
        bound = NOTHING_S.get(self.courses)
        return [
            str(self.courses),
            f"{self.built:.0f} for {self.more} more",
            f"{self.nothing:.1f}" + (f" (bound {bound:.0f})" if bound else ""),
            f"{self.planned:.1f}",
            f"{self.one:.1f}",
            f"{self.beyond:.1f} (bound {ONE_MORE_S:.0f})",
            f"{self.peak_mb:.0f}",
            f"{self.load:.1f}",
        ]


HEAD = (
    *("courses", "built", "nothing to do", "planned, nothing to do", "one changed course"),
    *("more than nothing", "peak MB", "load"),
)


def measure(home: Home, count: int) -> Growth:
    """Let the home grow to so many courses, and measure it."""
    there = len(home.there())
    for number in range(there, count):
        write_course(home.courses, f"course-{number:03}")
    built, _, _ = build(home)
    build(home)
    nothing, _, _ = build(home)
    touch(home.courses / "course-000" / "faq.csv")
    planned, _, _ = build(home)
    append_row(home.courses, "course-001", f"quoll{time.time_ns()}")
    one, _, peak = build(home)
    return Growth(count, count - there, built, nothing, planned, one, peak, os.getloadavg()[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", nargs="*", type=int, default=[4, 30, 100])
    parser.add_argument("--home", type=Path)
    parser.add_argument("--record", action="store_true", help="put the figures into benchmarks/README.md")
    asked, console = parser.parse_args(), Console(width=140)
    table = Table(*HEAD)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        home = Home(asked.home or Path(folder))
        home.courses.mkdir(parents=True, exist_ok=True)
        if not home.there():
            home.report_intent_model()
        for count in asked.counts:
            found.append(measure(home, count))
            table.add_row(*found[-1].cells())
            console.print(found[-1])
    console.print("Seconds of processor:")
    console.print(table)
    if asked.record:
        lines = [HEAD, ["---"] * len(HEAD), *(each.cells() for each in found)]
        put(
            Path(__file__).with_name("README.md"),
            "many_courses",
            "\n".join(f"| {' | '.join(line)} |" for line in lines),
        )
    return int(not all(each.held for each in found))


if __name__ == "__main__":
    sys.exit(main())
