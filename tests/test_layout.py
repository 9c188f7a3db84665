"""The shape of the project: what stands at the top, who may import whom, and settings that people can read about."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from pydantic_settings import BaseSettings

from benchmarks.house import participles
from orchestration.cli.reference_pages import DOCS, PAGES, SETTINGS

PROJECT = Path(__file__).resolve().parents[1]
PACKAGES = ("orchestration", "assets", "models", "knowledge_graph", "serving")

TOP_FOLDERS = (*PACKAGES, "dbt", "tests", "examples", "benchmarks", "docs", "locks", "deploy")
TOP_FILES = (
    *("workspace.yaml", "pyproject.toml", "README.md", "Makefile", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"),
    ".ci/run",
    ".gitignore",
)

MAY_IMPORT = {
    "orchestration": ("assets", "knowledge_graph", "models", "serving"),
    "assets": (
        *("knowledge_graph", "models"),
        *(
            f"serving.{name}"
            for name in (
                *("assistant.generation", "assistant.references", "assistant.retrieval", "desk", "evaluation", "exam"),
                *("feedback", "gateway.knowledge", "index", "llm", "settings", "store"),
            )
        ),
        *(
            f"orchestration.{name}"
            for name in (
                *("partitions", "project", "resources", "automation", "jobs", "reporting"),
                *("building.courses", "building.decisions", "building.kept_results", "building.lean_dagster_dbt"),
                *("building.materializations", "building.parsed_project", "building.staleness"),
            )
        ),
    ),
    "serving": ("knowledge_graph", "models"),
    "models": ("knowledge_graph",),
    "knowledge_graph": (),
}
"""What each package may import of the others."""

KNOWS_DAGSTER = ("orchestration", "assets")

PARTICIPLES_OF_OTHERS = {
    **dict.fromkeys(
        (
            *("answered_to_asked", "failed_checks", "failed_runs", "published_home", "released", "reviewed_sources"),
            *("reshaped_has_the_shape", "simulated_logs", "simulated_marts", "stored_answers_are_unchanged"),
        ),
        "Dagster knows the asset, check, op or sensor by it",
    ),
    **dict.fromkeys(
        (
            *("asked_about", "asked_often", "called_so", "defined_somewhere", "given_as_a_seed", "introduced_with"),
            *("listed_with_the_subject", "named_in_a_title", "pointed_out", "shared_word", "used_in_passing"),
        ),
        "the vote of the labelling function is stored under it",
    ),
    "affected": "a verb of the command line",
}
"""Functions that may be named by a participle, and why."""

README_BYTES = 10_000
MOST_ROOMS = 10


def modules(package: str) -> list[Path]:
    return sorted((PROJECT / package).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in the file, as `package.module`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively: write the whole name"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_below(module: str, allowed: str) -> bool:
    return module == allowed or module.startswith(f"{allowed}.")


def breaches(package: str, path: Path) -> list[str]:
    """The imports of a file of `package` that its package may not make."""
    own = (package, *MAY_IMPORT[package])
    return [
        module
        for module in imports(path)
        if module.split(".")[0] in PACKAGES and not any(is_below(module, allowed) for allowed in own)
    ]


@pytest.mark.parametrize("name", TOP_FOLDERS)
def test_the_folders_of_the_layout_exist(name: str) -> None:
    assert (PROJECT / name).is_dir()


@pytest.mark.parametrize("name", TOP_FILES)
def test_the_files_of_the_layout_exist(name: str) -> None:
    assert (PROJECT / name).is_file()


def test_there_is_no_src_and_no_utils() -> None:
    assert not (PROJECT / "src").exists()
    assert [path for package in PACKAGES for path in modules(package) if path.stem in ("utils", "helpers")] == []


def test_serving_has_at_most_ten_rooms_and_nothing_loose_beside_them_but_its_settings() -> None:
    rooms = [path.parent.name for path in (PROJECT / "serving").glob("*/__init__.py")]
    assert len(rooms) <= MOST_ROOMS, sorted(rooms)
    assert {path.name for path in (PROJECT / "serving").glob("*.py")} == {"__init__.py", "settings.py"}


def test_no_two_modules_have_a_public_class_of_one_name() -> None:
    where: dict[str, list[str]] = {}
    for package in PACKAGES:
        for path in modules(package):
            for one in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(one, ast.ClassDef) and not one.name.startswith("_"):
                    where.setdefault(one.name, []).append(str(path.relative_to(PROJECT)))
    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}


def test_no_function_is_named_by_a_participle() -> None:
    trees = {
        path.relative_to(PROJECT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for package in PACKAGES
        for path in modules(package)
    }
    found = list(participles(trees))
    assert {f"{path}: {name}" for path, name in found if name not in PARTICIPLES_OF_OTHERS} == set()
    assert {name for _, name in found} == PARTICIPLES_OF_OTHERS.keys(), "nobody is excused who is not there"


def test_dbt_is_not_a_python_package() -> None:
    """An `__init__.py` there would hide the library of the same name."""
    assert list((PROJECT / "dbt").rglob("__init__.py")) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_go_one_way(package: str) -> None:
    found = {str(path.relative_to(PROJECT)): breaches(package, path) for path in modules(package)}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("package", [package for package in PACKAGES if package not in KNOWS_DAGSTER])
def test_only_orchestration_and_assets_know_dagster(package: str) -> None:
    found = {str(path.relative_to(PROJECT)): list(imports(path)) for path in modules(package)}
    assert {path for path, named in found.items() if any(one.startswith("dagster") for one in named)} == set()


def test_jieba_is_imported_in_one_place_that_writes_no_cache_file() -> None:
    paths = [path for package in PACKAGES for path in modules(package)]
    assert [path for path in paths if "jieba" in imports(path)] == []
    assert [path.name for path in paths if 'import_module("jieba")' in path.read_text("utf-8")] == ["segmenter.py"]


def test_an_import_the_wrong_way_is_found_wherever_it_stands(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def f():\n    from serving.index import search\n    import knowledge_graph.lake.tables\n")
    assert breaches("models", wrong) == ["serving.index.search"]
    assert breaches("assets", wrong) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_says_what_belongs_in_it(package: str) -> None:
    assert [str(path) for path in modules(package) if not ast.get_docstring(ast.parse(path.read_text()))] == []


def test_workspace_and_dg_load_the_same_module() -> None:
    workspace = yaml.safe_load((PROJECT / "workspace.yaml").read_text())
    (location,) = workspace["load_from"]
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["dg"]["project"]
    assert location["python_module"]["module_name"] == project["code_location_target_module"]


@pytest.mark.parametrize("name", PAGES)
def test_the_reference_pages_say_what_the_code_says(name: str) -> None:
    """When this fails, run `make docs`."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name]()


def test_the_readme_is_short() -> None:
    assert len((PROJECT / "README.md").read_bytes()) <= README_BYTES


def test_every_link_of_the_documentation_leads_somewhere() -> None:
    pages = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *(PROJECT / "docs").glob("*.md")]
    broken = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert broken == []


@pytest.mark.parametrize("settings", SETTINGS.values())
def test_every_setting_says_what_it_is(settings: type[BaseSettings]) -> None:
    assert [name for name, field in settings.model_fields.items() if not field.description] == []


def test_git_passes_over_no_source_file() -> None:
    """A folder called like what a build makes, `logs` for one, would be missing on every other machine."""
    named = [f"{name}/**/*.py" for name in (*PACKAGES, "tests", "benchmarks", "examples")]
    asking = ["git", "-c", f"safe.directory={PROJECT}", "ls-files", "--others", "--ignored", "--exclude-standard"]
    try:
        found = subprocess.run([*asking, "--", *named], cwd=PROJECT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no checkout whose git can be asked: {error}")
    assert found.stdout == ""
