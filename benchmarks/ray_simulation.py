"""What 1,000 courses would take on many machines, from parts that ray_courses.py measured on one. No cluster is asked.

    .venv/bin/python benchmarks/ray_simulation.py FOLDER [--courses 1000] [--machines 1 10 100] [--cores 8]

FOLDER is that of `ray_courses.py --keep`. Assumed, and told with the figures:

- A course costs the measured local seconds for each lecture and the measured overhead of Ray, both by the clock: on a
  busy machine they hold what it did for others, and the overhead the starts of few workers over few courses. A course
  has as many lectures as a log-normal draw says (median 10, sigma .8, at most 100; seeded).
- Machines are as fast as the measured one, and nothing is shared: no disk, event log or network slows anybody, which
  real ones do.
- A worker loads for `--start` seconds before its first course. The smallest course is begun first, by whoever is free.
- What is made of all courses is made by one process, with the measured seconds for each course, in which its constant
  part is counted as if it grew: a bound from above.
"""

import argparse
import heapq
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

MEDIAN_LECTURES = 10
SPREAD = 0.8
MOST_LECTURES = 100
SEED = 28


@dataclass(frozen=True)
class Parts:
    """Seconds by the clock: of a lecture, of what Ray adds to a course, and of a course in what is made of all."""

    lecture_s: float
    overhead_s: float
    fan_in_s: float


def read_parts(folder: Path, processors: int = 2) -> Parts:
    """From the build without Ray and that on so many processors."""
    (local,) = folder.glob("local-*.json")
    courses, lectures = map(int, local.stem.removeprefix("local-").split("x"))
    alone = json.loads(local.read_text())
    on_ray = json.loads((folder / f"ray-{processors}-{courses}x{lectures}.json").read_text())
    overhead = (on_ray["courses_s"] * processors - alone["courses_s"]) / courses
    fan_in = (alone["whole_s"] - alone["courses_s"]) / courses
    return Parts(alone["courses_s"] / courses / lectures, max(0.0, overhead), fan_in)


def lectures_of(courses: int) -> list[int]:
    """How many lectures each course has."""
    draw = random.Random(SEED)
    return [min(MOST_LECTURES, max(1, round(MEDIAN_LECTURES * draw.lognormvariate(0, SPREAD)))) for _ in range(courses)]


def last_end(costs: Sequence[float], workers: int, start_s: float) -> float:
    """When the last course ends, where whoever is free takes the smallest that is left."""
    free = [start_s] * workers
    for cost in sorted(costs):
        heapq.heapreplace(free, free[0] + cost)
    return max(free)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--courses", type=int, default=1000)
    parser.add_argument("--machines", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--cores", type=int, default=8)
    parser.add_argument("--start", type=float, default=10.0, help="seconds that a worker loads")
    parser.add_argument("--overhead", type=float, help="seconds that Ray adds to a course, in place of those measured")
    wanted = parser.parse_args()
    parts = read_parts(wanted.folder)
    if wanted.overhead is not None:
        parts = replace(parts, overhead_s=wanted.overhead)
    lectures = lectures_of(wanted.courses)
    alone = sum(count * parts.lecture_s for count in lectures)
    all_s = parts.fan_in_s * wanted.courses
    say(
        f"measured: {parts.lecture_s:.2f} s a lecture, {parts.overhead_s:+.1f} s a course on Ray, "
        f"{parts.fan_in_s:.2f} s a course in what is made of all. "
        f"Drawn: {wanted.courses:,} courses of {sum(lectures):,} lectures."
    )
    say(f"one process without Ray: {alone / 3600:.1f} h of courses, then at most {all_s / 60:.0f} min")
    for machines in wanted.machines:
        workers = machines * wanted.cores
        ends = last_end([count * parts.lecture_s + parts.overhead_s for count in lectures], workers, wanted.start)
        say(
            f"{machines:,} machines of {wanted.cores} processors: {ends / 60:.1f} min of courses "
            f"({alone / ends:.0f} times as fast, {alone / ends / workers:.0%} of each processor), "
            f"then at most {all_s / 60:.0f} min"
        )
    return 0


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
