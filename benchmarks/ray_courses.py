"""A first build of many courses on a Ray cluster of this machine beside the same without Ray: seconds, and same bytes.

    .venv/bin/python benchmarks/ray_courses.py [--courses 60] [--lectures 10] [--processors 1 2 4]

Needs the extra `ray`. The cluster has two nodes where it has two processors or more, each a raylet of its own; all
share this machine's processors and disk, so four tell what Ray costs and not what four machines give. `overhead` is
what Ray adds to a course; `efficiency` the local seconds of the courses over seconds times processors (at most those of
the machine). What is made of all courses afterwards is not counted: it is made as without Ray.
"""

import argparse
import os
import re
import sys
import tempfile
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


def tables(home: Home) -> dict[str, str]:
    """The digest of every table, by its name."""
    root = home.data_dir.root
    return {path.relative_to(root).as_posix(): digest(path) for path in sorted(root.rglob("*.parquet"))}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--courses", type=int, default=60)
    parser.add_argument("--lectures", type=int, default=10)
    parser.add_argument("--processors", type=int, nargs="+", default=[1, 2, 4])
    wanted = parser.parse_args()
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        local = Home(Path(folder) / "local")
        write_courses(local, wanted.courses, wanted.lectures)
        courses_s, whole_s = built(local)
        say(f"local: {wanted.courses} courses of {wanted.lectures} lectures in {courses_s:.1f} s, all {whole_s:.1f} s")
        for processors in wanted.processors:
            home = Home(Path(folder) / f"ray-{processors}")
            write_courses(home, wanted.courses, wanted.lectures)
            nodes = [1] if processors == 1 else [processors // 2, processors - processors // 2]
            cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": nodes[0], "include_dashboard": False})
            for cpus in nodes[1:]:
                cluster.add_node(num_cpus=cpus)
            os.environ |= {"COTEACH_COMPUTE": "ray", "RAY_ADDRESS": cluster.address}
            seconds, whole_s = built(home)
            cluster.shutdown()
            same = tables(home) == tables(local)
            differ += not same
            most = min(processors, os.cpu_count() or 1)
            say(
                f"ray, {processors} processors on {len(nodes)} nodes: {seconds:.1f} s, all in {whole_s:.1f} s; "
                f"overhead {(seconds * most - courses_s) / wanted.courses:+.2f} s of processor a course, efficiency "
                f"{courses_s / (seconds * most):.2f}; {'the same bytes' if same else 'OTHER BYTES'}"
            )
    say(f"machine: {os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}")
    return 1 if differ else 0


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
