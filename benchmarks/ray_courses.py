"""A first build of many courses on a Ray cluster of this machine beside the same without Ray: seconds, and same bytes.

    .venv/bin/python benchmarks/ray_courses.py [--courses 60] [--lectures 10] [--processors 1 2 4] [--keep FOLDER]

Needs the extra `ray`. The cluster has two nodes where it has two processors or more, each a raylet of its own; all
share this machine's processors and disk, so four tell what Ray costs and not what four machines give. `overhead` is
what Ray adds to a course, by the clock and with the start of its workers; `efficiency` the local seconds of the courses
over seconds times processors (at most those of the machine). What is made of all courses afterwards is not counted: it
is made as without Ray. With `--keep` what was measured is kept in a folder, and a run that was stopped goes on with the
next build. Whatever else the machine does is in all figures.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ray.cluster_utils import Cluster
from running_home import SENTENCES, Home, srt

from knowledge_graph.lake.tables import digest

_FAN_IN = re.compile(r"all courses: .*?done in ([\d.]+) s", re.DOTALL)
_WHOLE = re.compile(r"Built in ([\d.]+) s")


def write_courses(home: Home, courses: int, lectures: int) -> None:
    """Courses that are alike in size and differ in their words."""
    for number in range(courses):
        folder = home.courses / f"course-{number:03}"
        folder.mkdir(parents=True)
        (folder / "course.yaml").write_text(f"title: Course {number}\nlang: en\n")
        (folder / "faq.csv").write_text(f"id,question,answer\ndue,When is homework {number} due?,On Sunday at noon.\n")
        for lecture in range(lectures):
            at = (number + lecture) % len(SENTENCES)
            (folder / f"{lecture + 1:02}.srt").write_text(srt((*SENTENCES[at:], *SENTENCES[:at])))


def built(home: Home) -> tuple[float, float]:
    """Seconds of the courses alone, the start of the command with them, and of all; raises when the build failed."""
    if home.build().wait():
        raise SystemExit((home.root / "build.log").read_text()[-3000:])
    told = (home.root / "build.log").read_text()
    fan_in = _FAN_IN.search(told)
    whole = _WHOLE.search(told)
    assert fan_in is not None, told
    assert whole is not None, told
    return float(whole[1]) - float(fan_in[1]), float(whole[1])


@dataclass(frozen=True)
class Measured:
    """One build: seconds of its courses and of all, what it made, and the load of the machine when it ended."""

    courses_s: float
    whole_s: float
    tables: dict[str, str]
    load: float


def measured(folder: Path, name: str, courses: int, lectures: int) -> Measured:
    """A first build of a new home; one that was measured before in this folder is not built again."""
    kept = folder / f"{name}-{courses}x{lectures}.json"
    if kept.is_file():
        return Measured(**json.loads(kept.read_text()))
    shutil.rmtree(folder / name, ignore_errors=True)
    home = Home(folder / name)
    write_courses(home, courses, lectures)
    courses_s, whole_s = built(home)
    found = Measured(courses_s, whole_s, tables(home), os.getloadavg()[0])
    shutil.rmtree(home.root)
    kept.write_text(json.dumps(asdict(found)))
    return found


def on_ray(folder: Path, processors: int, courses: int, lectures: int) -> Measured:
    nodes = [1] if processors == 1 else [processors // 2, processors - processors // 2]
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": nodes[0], "include_dashboard": False})
    try:
        for cpus in nodes[1:]:
            cluster.add_node(num_cpus=cpus)
        os.environ |= {"COTEACH_COMPUTE": "ray", "RAY_ADDRESS": cluster.address}
        return measured(folder, f"ray-{processors}", courses, lectures)
    finally:
        cluster.shutdown()


def tables(home: Home) -> dict[str, str]:
    """The digest of every table, by its name."""
    root = home.data_dir.root
    return {path.relative_to(root).as_posix(): digest(path) for path in sorted(root.rglob("*.parquet"))}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--courses", type=int, default=60)
    parser.add_argument("--lectures", type=int, default=10)
    parser.add_argument("--processors", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--keep", type=Path, help="folder of what was measured; default a temporary one")
    wanted = parser.parse_args()
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["COTEACH_COMPUTE"] = "local"
    with tempfile.TemporaryDirectory() as temporary:
        folder = wanted.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        return compare(folder, wanted.courses, wanted.lectures, wanted.processors)


def compare(folder: Path, courses: int, lectures: int, each: Sequence[int]) -> int:
    """A line for each build; the exit code, which is 1 where bytes differ."""
    local = measured(folder, "local", courses, lectures)
    say(
        f"local: {courses} courses of {lectures} lectures in {local.courses_s:.1f} s, all in {local.whole_s:.1f} s, "
        f"load {local.load:.1f}"
    )
    differ = 0
    for processors in each:
        found = on_ray(folder, processors, courses, lectures)
        same = found.tables == local.tables
        differ += not same
        most = min(processors, os.cpu_count() or 1)
        say(
            f"ray, {processors} processors: {found.courses_s:.1f} s, all in {found.whole_s:.1f} s, "
            f"load {found.load:.1f}; overhead {(found.courses_s * most - local.courses_s) / courses:+.2f} s of "
            f"a processor a course, efficiency {local.courses_s / (found.courses_s * most):.2f}; "
            f"{'the same bytes' if same else 'OTHER BYTES'}"
        )
    return 1 if differ else 0


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
