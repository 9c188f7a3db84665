"""Every regular expression of the packages that read what others wrote, with the ways in which it is used.

Belongs here: finding them. Compiled patterns are found by walking the modules, and the tables, records and closures
that their names hold; those written inside functions are read from the source, with a digit for each part that is only
known at run time.
"""

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType

import knowledge_graph
import models
import serving

ROOTS = (serving, knowledge_graph, models)

NOT_REACHABLE = ("serving.evaluation", "serving.store.migrations", "models.albert")
"""What only developers feed: evaluation files and migrations."""

WAYS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")


@dataclass(frozen=True)
class Reachable:
    """A pattern, where it stands, and the ways in which it is asked: all of them where that cannot be read."""

    where: str
    pattern: re.Pattern[str]
    ways: frozenset[str]

    def __str__(self) -> str:
        return self.where


def reachable_patterns() -> list[Reachable]:
    found: dict[tuple[str, int], Reachable] = {}
    for module in all_modules():
        for one in (*_compiled(module), *_written(module.__name__, _sources()[module.__name__])):
            if isinstance(one.pattern.pattern, str):
                key = one.pattern.pattern, one.pattern.flags
                known = found.get(key)
                found[key] = one if known is None else Reachable(known.where, known.pattern, known.ways | one.ways)
    return sorted(found.values(), key=lambda one: one.where)


@cache
def all_modules() -> tuple[ModuleType, ...]:
    """The modules whose patterns others' texts may reach."""
    return tuple(_walked())


def _walked() -> Iterator[ModuleType]:
    for root in ROOTS:
        for named in pkgutil.walk_packages(root.__path__, f"{root.__name__}."):
            if not named.name.startswith(NOT_REACHABLE) and "__main__" not in named.name:
                yield importlib.import_module(named.name)


def _compiled(module: ModuleType) -> Iterator[Reachable]:
    for name, value in list(vars(module).items()):
        if isinstance(value, re.Pattern) or getattr(value, "__module__", module.__name__) == module.__name__:
            ways = _ways_of(name, module.__name__) if isinstance(value, re.Pattern) else frozenset(WAYS)
            for number, pattern in enumerate(_patterns_in(value, set())):
                yield Reachable(f"{module.__name__}.{name}[{number}]", pattern, ways)


def _patterns_in(value: object, seen: set[int]) -> Iterator[re.Pattern[str]]:
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, re.Pattern):
        yield value
    for part in _parts_of(value):
        yield from _patterns_in(part, seen)


def _parts_of(value: object) -> list[object]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, (tuple, list, set, frozenset)):
        return list(value)
    if isinstance(value, FunctionType):
        return [cell.cell_contents for cell in value.__closure__ or ()] + list(value.__defaults__ or ())
    if isinstance(value, type) or type(value).__module__.split(".")[0] in {root.__name__ for root in ROOTS}:
        slots = [getattr(value, name, None) for name in getattr(type(value), "__slots__", ())]
        return [*getattr(value, "__dict__", {}).values(), *slots]
    return []


def _ways_of(name: str, module: str) -> frozenset[str]:
    """The methods that some line of the packages calls on this name; all when the name is passed on."""
    looked_at = [module] if name.startswith("_") else list(_sources())
    uses = [use for where in looked_at if (use := _uses(where).get(name)) is not None]
    if any("" in use for use in uses):
        return frozenset(WAYS)
    return frozenset(way for use in uses for way in use) & frozenset(WAYS) or frozenset(WAYS)


@cache
def _uses(module: str) -> dict[str, set[str]]:
    """By each name that a module reads, the attributes it is asked for; "" where it is read without one."""
    uses: dict[str, set[str]] = defaultdict(set)
    asked = set[int]()
    for node in ast.walk(_sources()[module]):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            uses[node.value.id].add(node.attr)
            asked.add(id(node.value))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in asked:
            uses[node.id].add("")
    return uses


@cache
def _sources() -> dict[str, ast.Module]:
    return {one.__name__: ast.parse(Path(str(one.__file__)).read_text(encoding="utf-8")) for one in all_modules()}


def _written(module: str, source: ast.AST) -> Iterator[Reachable]:
    """Calls such as `re.search(r"…", text)` and `re.compile` inside functions."""
    bodies = [one for one in ast.walk(source) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in (each for one in bodies for each in ast.walk(one)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            is_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
            text = _text_of(node.args[0]) if is_re and node.func.attr in (*WAYS, "compile") else None
            if text is not None:
                try:
                    compiled = re.compile(text, _flags_of(node))
                except re.error:
                    continue  # a part of it is known at run time alone
                ways = frozenset(WAYS if node.func.attr == "compile" else [node.func.attr])
                yield Reachable(f"{module}:{node.lineno}", compiled, ways)


def _text_of(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [one.value if isinstance(one, ast.Constant) else "2" for one in node.values]
        return "".join(str(one) for one in parts)
    return None


def _flags_of(node: ast.Call) -> int:
    flags = 0
    for one in ast.walk(node):
        if isinstance(one, ast.Attribute) and isinstance(getattr(re, one.attr, None), re.RegexFlag):
            flags |= int(getattr(re, one.attr))
    return flags
