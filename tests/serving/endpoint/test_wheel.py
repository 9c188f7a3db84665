"""The package as it is installed: from its wheel, in an environment of its own, without the pipeline."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import cache_from_source, source_from_cache
from pathlib import Path

import httpx
import pytest

from coteach._ours import Shadowed, require_ours
from serving.llm.processes import free_port

PROJECT = Path(__file__).parents[3]
UV = PROJECT / ".cache" / "uv" / "bin" / "uv"

PACKAGES = {"coteach", "orchestration", "assets", "models", "knowledge_graph", "serving", "dbt"}

TYPED = """
import coteach

course: coteach.Course = coteach.Course.open("home", "ds")
text: str = course.ask("What is a stack?").text
titles: list[str] = [hit.title for hit in course.search("stack", k=3)]
steps: list[coteach.Step] = course.path("stack")
"""


def test_a_package_that_stands_before_ours_is_named(tmp_path: Path) -> None:
    require_ours()
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "__init__.py").write_text("")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import coteach"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=PROJECT)
    assert "coteach's package 'models' is not the one that Python imports" in ran.stderr
    assert Shadowed.__name__ in ran.stderr


pytestmark = pytest.mark.skipif(not UV.exists(), reason="needs the uv of `make setup`")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of what is in the checkout now."""
    place = tmp_path_factory.mktemp("wheel")
    source = place / "source"
    listing = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(listing, cwd=PROJECT, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        if name.partition("/")[0] in PACKAGES and (PROJECT / name).exists():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PROJECT / name, source / name, follow_symlinks=False)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        (source / name).write_bytes((PROJECT / name).read_bytes())
    _run(UV, "build", "--wheel", "--out-dir", place / "wheels", source)
    return next((place / "wheels").glob("*.whl"))


@pytest.fixture(scope="module")
def environment(wheel: Path) -> Iterator[Path]:
    """A fresh environment with the wheel alone, to which the last test adds the pipeline.

    On the disk of the checkout's own and, as a rule, of uv's cache: what is installed is linked and not copied.
    """
    with tempfile.TemporaryDirectory(prefix="wheel-", dir=PROJECT / ".cache") as folder:
        place = Path(folder) / "environment"
        _run(UV, "venv", "--python", sys.executable, place)
        _install(place, wheel, "")
        yield place


def _install(environment: Path, wheel: Path, extra: str) -> None:
    _run(UV, "pip", "install", "--python", environment / "bin" / "python", f"coteach{extra} @ {wheel.as_uri()}")
    _take_what_is_compiled(environment)


def _take_what_is_compiled(environment: Path) -> None:
    """Of files that are the checkout's own, linked twice: Python would compile two thousand of them anew."""
    ours = sysconfig.get_path("purelib")
    (theirs,) = environment.glob("lib/*/site-packages")
    for folder, _, names in os.walk(theirs):
        known = ours + folder.removeprefix(str(theirs))
        compiled = [cache_from_source(name) for name in names if name.endswith(".py")]
        if not compiled or not os.path.isdir(f"{known}/__pycache__"):
            continue
        os.makedirs(f"{folder}/__pycache__", exist_ok=True)
        for name in compiled:
            source = source_from_cache(name)
            with suppress(FileNotFoundError, FileExistsError):
                if os.path.samefile(f"{known}/{source}", f"{folder}/{source}"):
                    os.link(f"{known}/{name}", f"{folder}/{name}")


@pytest.mark.slow
def test_the_base_install_says_its_version_and_answers_from_a_built_home_without_dagster(
    wheel: Path, environment: Path, home: Path, tmp_path: Path
) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {"coteach/py.typed", "coteach/dbt_project/dbt_project.yml"} <= set(names)
    bin_ = environment / "bin"
    assert list(environment.glob("lib/*/site-packages/fastapi"))
    assert not list(environment.glob("lib/*/site-packages/dagster"))
    coteach = bin_ / "coteach"
    assert _run(coteach, "--version").startswith("coteach ")
    assert "list where the last element" in _run(coteach, "ask", "What is a stack?", "--course", "ds", "--home", home)
    asked = f"import coteach; print(coteach.Course.open({str(home)!r}, 'ds').ask('What is a stack?').route)"
    assert _run(bin_ / "python", "-c", asked).strip().endswith("direct")
    assert "list where the last element" in _served(coteach, home, tmp_path / "printed", "What is a stack?")
    (tmp_path / "typed.py").write_text(TYPED)
    _run(
        *(PROJECT / ".venv-mypy/bin/mypy", "--strict", "--config-file", os.devnull, "--follow-imports", "silent"),
        *("--python-executable", bin_ / "python", tmp_path / "typed.py"),
    )


@pytest.mark.slow
def test_the_pipeline_builds_a_sample_outside_the_checkout_and_answers_from_it(
    wheel: Path, environment: Path, tmp_path: Path
) -> None:
    """Added to the base install, without `[training]`: no intent model is trained, which is said, and rules tell chat
    from questions.
    """
    _install(environment, wheel, "[pipeline]")
    bin_ = environment / "bin"
    home, courses = tmp_path / "home", tmp_path / "courses"
    shutil.copytree(PROJECT / "examples" / "courses" / "data-structures", courses / "data-structures")
    printed = _run(bin_ / "coteach", "build", "--courses", courses, "--home", home)
    assert "No intent model is trained" in printed
    assert "Warning" not in printed
    assert "\u2717" not in printed
    assert "late days" in _run(bin_ / "coteach", "ask", "How many late days do I have?", "--home", home)


def _served(coteach: Path, home: Path, printed: Path, question: str) -> str:
    """The answer of `coteach serve`, which has no model server, to a client."""
    port = free_port(0)
    with printed.open("w") as output:
        service = subprocess.Popen(
            [coteach, "serve", "--home", home],
            cwd="/",
            env=_outside() | {"COTEACH_PORT": str(port)},
            stdout=output,
            stderr=output,
        )
    try:
        deadline = time.monotonic() + 120
        while "Ctrl-C stops everything." not in printed.read_text():
            assert service.poll() is None, printed.read_text()
            assert time.monotonic() < deadline, printed.read_text()
            time.sleep(0.2)
        body = {"model": "coteach:ds", "messages": [{"role": "user", "content": question}]}
        reply = httpx.post(f"http://127.0.0.1:{port}/v1/chat/completions", json=body, timeout=60)
        return str(reply.raise_for_status().json()["choices"][0]["message"]["content"])
    finally:
        service.terminate()
        service.wait(60)


def _outside() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def _run(*command: object) -> str:
    """What a command prints, run outside the checkout so that nothing of it is imported."""
    ran = subprocess.run([str(one) for one in command], capture_output=True, text=True, cwd="/", env=_outside())
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout
