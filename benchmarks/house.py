"""How the code reads from outside: rooms, modules, names that look alike, and how far a question goes to the model.

    .venv/bin/python benchmarks/house.py [--at COMMIT] [--names | --draw SEED]

Counts what a stranger meets in the five packages, at a commit or as the files are, and prints it as a Markdown table.
Sizes are lines, blank ones and comments among them. Nothing is run but git. `--draw` names twelve modules to be read by
somebody who does not know them; the same seed and commit name the same.
"""

import argparse
import ast
import io
import random
import statistics
import subprocess
import sys
import tarfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PACKAGES = ("serving", "knowledge_graph", "models", "assets", "orchestration")

PARTICIPLES = ("ed", "en", "told", "kept", "shown", "said", "made", "found", "left")
"""Endings of names that are no verbs. A rough sieve: `embed` and `listen` pass for participles too."""

VERBS = (
    "embed",
    "open",
    "seed",
    "feed",
    "need",
    "shorten",
    "listen",
    "happen",
    "token",
    "proceed",
    "flatten",
    "weaken",
)

OTHER_WORDS = ("between", "golden", "hyphen", "len", "when")
"""Words with such an ending that are neither verbs nor participles."""


def sources(commit: str | None) -> dict[str, str]:
    """The Python files of the packages and of the tests, by path."""
    if commit is None:
        paths = [path for name in (*PACKAGES, "tests") for path in (PROJECT / name).rglob("*.py")]
        return {path.relative_to(PROJECT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(paths)}
    packed = subprocess.run(
        ["git", "-C", str(PROJECT), "archive", commit, *PACKAGES, "tests"], capture_output=True, check=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        files = {one.name: archive.extractfile(one) for one in archive if one.name.endswith(".py")}
        return {name: file.read().decode() for name, file in sorted(files.items()) if file is not None}


def rows(files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What is counted, and the figure."""
    product = {path: text for path, text in files.items() if not path.startswith("tests/")}
    trees = {path: ast.parse(text) for path, text in product.items() if text.strip()}
    modules = {path: tree for path, tree in trees.items() if not path.endswith("__init__.py")}
    lines = {path: product[path].count("\n") for path in modules}
    functions = [one for tree in modules.values() for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    yield "lines of the product", f"{sum(text.count(chr(10)) for text in product.values()):,}"
    yield "lines of the tests", f"{sum(text.count(chr(10)) for path, text in files.items() if path not in product):,}"
    yield "modules", f"{len(modules)}, {statistics.median(lines.values()):.0f} lines at the median"
    yield "modules under 40 lines", f"{sum(size < 40 for size in lines.values())}"
    yield "functions", f"{len(functions):,}, {statistics.median(map(_length, functions)):.0f} lines at the median"
    yield "functions named by a participle", f"{sum(1 for _ in participles(trees))}"
    for package in PACKAGES:
        yield (
            f"`{package}/`: rooms and loose modules on its first level",
            f"{len(_rooms(product, package))} and {len(_loose(product, package))}",
        )
    yield "arrows between rooms of `serving/`", f"{len(_arrows(modules))}"
    yield "class names in more than one module", f"{len(_twice(modules))}"


def participles(trees: Mapping[str, ast.Module]) -> Iterator[tuple[str, str]]:
    """Functions named by a participle: path and name. A property may be a noun with one before it: `dropped_counts`."""
    for path, tree in trees.items():
        for one in ast.walk(tree):
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and _is_participle(one.name):
                is_noun = "_" in one.name.strip("_") and any("property" in ast.unparse(by) for by in one.decorator_list)
                if not is_noun:
                    yield path, one.name


def sample_modules(files: Mapping[str, str], seed: int) -> list[str]:
    """Twelve modules of the product, sorted: a sample that depends on nothing but their paths and the seed."""
    modules = [path for path in files if path.split("/")[0] in PACKAGES and not path.endswith("__init__.py")]
    return sorted(random.Random(seed).sample(sorted(modules), 12))


def _length(function: ast.FunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def _is_participle(name: str) -> bool:
    first = name.strip("_").split("_")[0]
    return first.endswith(PARTICIPLES) and not first.endswith(VERBS) and first not in OTHER_WORDS


def _rooms(files: Mapping[str, str], package: str) -> set[str]:
    return {path.split("/")[1] for path in files if path.startswith(f"{package}/") and path.count("/") > 1}


def _loose(files: Mapping[str, str], package: str) -> set[str]:
    return {
        path
        for path in files
        if path.startswith(f"{package}/") and path.count("/") == 1 and not path.endswith("__init__.py")
    }


def _arrows(modules: Mapping[str, ast.Module]) -> set[tuple[str, str]]:
    """Which room, or loose module, imports from which, both on the first level of `serving/`."""
    found = set()
    for path, tree in modules.items():
        if path.startswith("serving/"):
            own = path.removesuffix(".py").split("/")[1]
            for one in ast.walk(tree):
                if isinstance(one, ast.ImportFrom) and (one.module or "").startswith("serving."):
                    other = (one.module or "").split(".")[1]
                    if other != own:
                        found.add((own, other))
    return found


def _twice(modules: Mapping[str, ast.Module]) -> dict[str, list[str]]:
    """Names of classes that more than one module defines, private ones apart."""
    where = defaultdict(list)
    for path, tree in modules.items():
        for one in tree.body:
            if isinstance(one, ast.ClassDef) and not one.name.startswith("_"):
                where[one.name].append(path)
    return {name: paths for name, paths in where.items() if len(paths) > 1}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at", help="a commit; the files as they are without it")
    parser.add_argument("--names", action="store_true", help="list the names in more than one module")
    parser.add_argument("--draw", type=int, metavar="SEED", help="name twelve modules of the product, drawn by a seed")
    wanted = parser.parse_args()
    files = sources(wanted.at)
    if wanted.draw is not None:
        sys.stdout.write("".join(f"{path}\n" for path in sample_modules(files, wanted.draw)))
        return 0
    if wanted.names:
        trees = {path: ast.parse(text) for path, text in files.items() if path.split("/")[0] in PACKAGES}
        for name, paths in sorted(_twice(trees).items()):
            sys.stdout.write(f"{name}: {', '.join(paths)}\n")
        return 0
    sys.stdout.write("| | |\n|---|---|\n")
    for name, figure in rows(files):
        sys.stdout.write(f"| {name} | {figure} |\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
