"""A home that an older coteach built, built on by this one, beside a home that this one builds from nothing.

    python benchmarks/old_home.py --commit REVISION [--courses FOLDER]

The older commit is checked out beside the repository and run with this environment, so it should not be older than what
`locks/` pins. Prints JSON: seconds of the three builds, which tables of the lake have the same rows, by how much
vectors differ (a text that is embedded among others may differ in its last bits), what the old home alone has, and
whether the index has the same version, which is a digest of all that it serves.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

PROJECT = Path(__file__).resolve().parents[1]


def build(code: Path, home: Path, courses: Path) -> float:
    """Build `courses` into `home` by the coteach that lies in `code`; the seconds it took."""
    settings = {"COTEACH_HOME": str(home), "COTEACH_COURSES": str(courses), "COTEACH_INTENT_TRAINING": "false"}
    own = {name: value for name, value in os.environ.items() if not name.startswith("COTEACH_")}
    started = time.monotonic()
    subprocess.run(
        [sys.executable, "-P", "-m", "coteach", "build"],
        cwd=code,
        env={**own, **settings, "PYTHONPATH": str(code)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return round(time.monotonic() - started, 1)


def tables(home: Path) -> dict[str, Path]:
    """The lake's tables by their names."""
    lake = home / "lake"
    return {str(path.relative_to(lake)): path for path in sorted(lake.rglob("*.parquet"))}


def has_same_rows(one: Path, other: Path) -> bool:
    """Whether two tables are the same, byte by byte or value by value but for what an embedder made."""
    return one.read_bytes() == other.read_bytes() or _without_vectors(one).equals(_without_vectors(other))


def _without_vectors(path: Path) -> pa.Table:
    table = pq.read_table(path)
    return table.drop_columns([name for name in ("vector", "tokens") if name in table.column_names])


def farthest_vectors(one: Path, other: Path) -> float:
    """The largest difference of two numbers at one place of the vectors."""
    first, second = (np.stack(pq.read_table(path)["vector"].to_numpy()).astype(float) for path in (one, other))
    return float(np.abs(first - second).max())


def compare(old: Path, new: Path) -> dict[str, Any]:
    """What the two homes have in common."""
    left, right = tables(old), tables(new)
    both = sorted(left.keys() & right.keys())
    differing = [name for name in both if not has_same_rows(left[name], right[name])]
    return {
        "tables": len(both),
        "tables_that_differ": differing,
        "tables_of_the_old_home_alone": sorted(left.keys() - right.keys()),
        "tables_missing_in_the_old_home": sorted(right.keys() - left.keys()),
        "farthest_vectors": farthest_vectors(left["embeddings.parquet"], right["embeddings.parquet"]),
        "same_index": (old / "index" / "CURRENT").read_text() == (new / "index" / "CURRENT").read_text(),
    }


def main() -> None:
    """Three builds and their comparison."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--commit", required=True)
    parser.add_argument("--courses", type=Path, default=PROJECT / "examples" / "courses")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        code, old, new = (Path(scratch) / name for name in ("code", "old", "new"))
        git = ("git", "-C", str(PROJECT), "worktree")
        subprocess.run([*git, "add", "--quiet", "--detach", str(code), options.commit], check=True)
        try:
            (code / ".cache").symlink_to(PROJECT / ".cache")
            seconds = {"old": build(code, old, options.courses)}
        finally:
            subprocess.run([*git, "remove", "--force", str(code)], check=True)
        seconds["built_on"] = build(PROJECT, old, options.courses)
        seconds["from_nothing"] = build(PROJECT, new, options.courses)
        sys.stdout.write(json.dumps({"seconds": seconds, **compare(old, new)}, indent=2) + "\n")


if __name__ == "__main__":
    main()
