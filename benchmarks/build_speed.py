"""What a change costs: `coteach build` with nothing to do, after one edit of each kind, and from nothing.

.venv/bin/python benchmarks/build_speed.py COURSES COURSE [--home BUILT]

Works on copies of COURSES and of BUILT, a home that was built from them (without it one is built first: that is the
build from nothing). COURSE is the course whose lecture, FAQ and list of lectures are edited. Each figure is wall time,
processor time of the build and its processes, and its share of the build from nothing.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SETTLE_SECONDS = 2.5
"""A file that changed this moment is looked at by the planner, whatever is known of it."""


@dataclass(frozen=True)
class Cost:
    """Seconds of one build, and what it said at its end."""

    wall: float
    processor: float
    told: str


@dataclass(frozen=True)
class Place:
    """Courses, a home, and the course that is edited."""

    courses: Path
    home: Path
    course: Path

    def build(self) -> Cost:
        """Build once more."""
        time.sleep(SETTLE_SECONDS)
        env = os.environ | {"COTEACH_HOME": str(self.home), "COTEACH_COURSES": str(self.courses)}
        before, started = _processor(), time.monotonic()
        command = [sys.executable, "-m", "orchestration.cli.main", "build"]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        cost = Cost(time.monotonic() - started, _processor() - before, (done.stdout.strip().splitlines() or [""])[-1])
        if done.returncode:
            raise SystemExit(f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return cost


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def edit_a_cue(place: Place) -> None:
    """One word of the middle of a lecture."""
    lecture = _lectures(place)[len(_lectures(place)) // 2]
    lines = lecture.read_text(encoding="utf-8", errors="replace").splitlines()
    spoken = [n for n, line in enumerate(lines) if line.strip() and "-->" not in line and not line.strip().isdigit()]
    lines[spoken[len(spoken) // 2]] += " indeed"
    lecture.write_text("\n".join(lines) + "\n", encoding="utf-8")


def add_a_lecture(place: Place) -> None:
    """A copy of the first, under a name that comes last."""
    first = _lectures(place)[0]
    shutil.copy(first, first.with_name(f"zz - added{first.suffix}"))


def edit_a_faq_entry(place: Place) -> None:
    """The last line of `faq.csv` says more; an entry is added where there is none."""
    faq = place.course / "faq.csv"
    text = faq.read_text(encoding="utf-8") if faq.exists() else "question,answer\nWhen is it due?,On Sunday.\n"
    faq.write_text(text.rstrip().rstrip('"') + (' indeed."\n' if text.rstrip().endswith('"') else " indeed.\n"))


def _lectures(place: Place) -> list[Path]:
    return sorted(path for path in place.course.rglob("*") if path.suffix in (".srt", ".vtt"))


EDITS: dict[str, Callable[[Place], None]] = {
    "nothing to do": lambda place: None,
    "one cue": edit_a_cue,
    "one FAQ entry": edit_a_faq_entry,
    "one added lecture": add_a_lecture,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("courses", type=Path)
    parser.add_argument("course")
    parser.add_argument("--home", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        place = _copied(asked.courses, asked.course, asked.home, Path(scratch))
        whole = place.build()
        known = whole if asked.home is None else None
        _tell("from nothing" if known else "the copied home", _shown(whole, None))
        place.build()  # a planner's look, after which nothing is left to find out
        for name, edit in EDITS.items():
            edit(place)
            _tell(name, _shown(place.build(), known))
    return 0


def _copied(courses: Path, course: str, home: Path | None, scratch: Path) -> Place:
    shutil.copytree(courses, scratch / "courses")
    if home is not None:
        shutil.copytree(home, scratch / "home", symlinks=True)
    return Place(scratch / "courses", scratch / "home", scratch / "courses" / course)


def _tell(name: str, shown: str) -> None:
    sys.stdout.write(f"{name}: {shown}\n")
    sys.stdout.flush()


def _shown(cost: Cost, whole: Cost | None) -> str:
    share = f", {cost.processor / whole.processor:.3f} of a build from nothing" if whole else ""
    return f"{cost.wall:.1f} s, processor {cost.processor:.1f} s{share}. {cost.told}"


if __name__ == "__main__":
    sys.exit(main())
