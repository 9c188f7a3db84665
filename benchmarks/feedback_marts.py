"""The marts of simulated logs: 500 courses, 300,000 questions, by dbt with its tests; time and memory.

.venv/bin/python benchmarks/feedback_marts.py [--courses 500] [--turns 300000]

Logs are drawn in one process; a second one has dbt count them and publishes the marts: its time and the peaks of its
memory and of dbt's are what is bound. Beside it, in the same run, the floor: one plain DuckDB group-by over the same
rows in a process of its own. This process loads nothing, for a child's peak begins at its parent's.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DBT = Path(__file__).resolve().parent.parent / "dbt"
BOUND_SECONDS = 60
BOUND_MEGABYTES = 2000

DRAW = """
import sys
from pathlib import Path
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import write_atomic
from serving.evaluation.logs.log_design import LogDesign
from serving.evaluation.logs.simulated_logs import simulate_logs
home, courses, turns = DataDir(Path(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3])
for name, table in simulate_logs(LogDesign(courses=courses, turns=turns)).items():
    write_atomic(home.logs_table(name, simulated=True), table)
"""

MAKE = """
import json, resource, subprocess, sys
from pathlib import Path
from assets.evaluation.feedback_marts import dbt_args, publish_marts
from knowledge_graph.lake.home import DataDir
home, project = DataDir(Path(sys.argv[1])), sys.argv[2]
target = home.dbt_output / "simulated_marts" / "target"
target.mkdir(parents=True)
dbt = [str(Path(sys.executable).parent / "dbt"), "--quiet", *dbt_args(home, simulated=True)]
subprocess.run([*dbt, "--project-dir", project, "--profiles-dir", project, "--target-path", str(target)], check=True)
rows = publish_marts(home, simulated=True)
peaks = {"dbt": resource.RUSAGE_CHILDREN, "publishing": resource.RUSAGE_SELF}
told = {f"{name}_megabytes": resource.getrusage(who).ru_maxrss * 1024 // 1_000_000 for name, who in peaks.items()}
print(json.dumps({**told, "rows": rows}))
"""

FLOOR = """
import sys, duckdb
db = duckdb.connect(config={"threads": 2})
db.execute("select course_id, date_trunc('week', asked_at), count(*) from read_parquet($path) group by all",
           {"path": sys.argv[1]}).fetchall()
"""


def timed(program: str, *arguments: str) -> tuple[float, str]:
    """Seconds of a Python program in a process of its own, and what it printed."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", program, *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return time.perf_counter() - started, done.stdout


def main() -> int:
    """Print the figures; return 1 when one is beyond its bound."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--courses", type=int, default=500)
    parser.add_argument("--turns", type=int, default=300_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        timed(DRAW, home, str(chosen.courses), str(chosen.turns))
        floor, _ = timed(FLOOR, f"{home}/lake/simulated_logs/turns.parquet")
        seconds, told = timed(MAKE, home, str(DBT))
    figures = {"courses": chosen.courses, "turns": chosen.turns, "seconds": round(seconds, 1), **json.loads(told)}
    figures |= {"floor_seconds": round(floor, 2), "times_the_floor": round(seconds / floor, 1)}
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")
    megabytes = figures["dbt_megabytes"] + figures["publishing_megabytes"]
    missed = "  MISSED" if seconds > BOUND_SECONDS or megabytes > BOUND_MEGABYTES else ""
    sys.stdout.write(
        f"bounds: {BOUND_SECONDS} s and {BOUND_MEGABYTES} MB; found {seconds:.1f} s, {megabytes} MB{missed}\n"
    )
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
