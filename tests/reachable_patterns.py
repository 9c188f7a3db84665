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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]  # what `re` itself makes of a pattern
from types import FunctionType, ModuleType
from typing import Any

import knowledge_graph
import models
import serving

ROOTS = (serving, knowledge_graph, models)

NOT_REACHABLE = ("serving.evaluation", "serving.store.migrations", "models.albert")
"""What only developers feed: evaluation files and migrations."""

MOST_OWN_UNITS = 24
"""Texts that are made of one pattern. A choice: seconds of processor time for all of them."""

_PLAIN = (str, int, float, bytes, ModuleType)
"""What holds no pattern, or is walked by itself: most of the large tables of words."""

WAYS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")

_CALLS_RE = re.compile(r"^\s.*\bre\b", re.MULTILINE)
"""Has a line within something that names `re`."""


@dataclass(frozen=True)
class Reachable:
    """A pattern, where it stands, and the ways in which it is asked: all of them where that cannot be read."""

    where: str
    pattern: re.Pattern[str]
    ways: frozenset[str]

    def __str__(self) -> str:
        return self.where


@dataclass(frozen=True)
class Attribute:
    """Of the records of a module: by `name` its own code asks what it holds."""

    module: str
    name: str


def reachable_patterns() -> list[Reachable]:
    found: dict[tuple[str, int], Reachable] = {}
    for module in all_modules():
        for one in (*_compiled(module), *_written(module.__name__)):
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
            for number, (pattern, holder) in enumerate(_patterns_in(value, set(), None)):
                asked = _ways_of(name, module.__name__) if holder is None else _ways_of_attribute(holder)
                yield Reachable(f"{module.__name__}.{name}[{number}]", pattern, asked)


def _patterns_in(
    value: object, seen: set[int], attribute: Attribute | None
) -> Iterator[tuple[re.Pattern[str], Attribute | None]]:
    """Patterns, each with the attribute of a record that holds it, if one does."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, re.Pattern):
        yield value, attribute
    for part, name in _parts_of(value, attribute):
        if not isinstance(part, _PLAIN):
            yield from _patterns_in(part, seen, name)


def _parts_of(value: object, attribute: Attribute | None) -> list[tuple[object, Attribute | None]]:
    if isinstance(value, dict):
        return [(each, attribute) for each in (*value, *value.values())]
    if isinstance(value, (tuple, list, set, frozenset)):
        return [(each, attribute) for each in value]
    if isinstance(value, FunctionType):
        inside = [cell.cell_contents for cell in value.__closure__ or ()] + list(value.__defaults__ or ())
        return [(each, Attribute(value.__module__, "")) for each in inside]
    if isinstance(value, type) or type(value).__module__.split(".")[0] in {root.__name__ for root in ROOTS}:
        slots = {name: getattr(value, name, None) for name in getattr(type(value), "__slots__", ())}
        held = {**getattr(value, "__dict__", {}), **slots}
        return [(each, Attribute(type(value).__module__, name)) for name, each in held.items()]
    return []


@cache
def _ways_of(name: str, module: str) -> frozenset[str]:
    """The methods that some line of the packages calls on this name; all when the name is passed on."""
    looked_at = [module] if name.startswith("_") else _those_that_say(name)
    uses = [use for where in looked_at if (use := _uses(where).get(name)) is not None]
    if any("" in use for use in uses):
        return frozenset(WAYS)
    return frozenset(way for use in uses for way in use) & frozenset(WAYS) or frozenset(WAYS)


@cache
def _ways_of_attribute(held_by: Attribute) -> frozenset[str]:
    """The methods that the modules beside a record's, or one that imports from it, call on an attribute of this name;
    all when it is passed on."""
    beside = held_by.module.rpartition(".")[0]
    importing = _those_that_say(held_by.module)
    looked_at = [
        each
        for each in _those_that_say(f".{held_by.name}")
        if each.rpartition(".")[0] == beside or (each in importing and held_by.module in _imported(each))
    ]
    use = {way for each in looked_at for way in _uses(each).get(f".{held_by.name}", ())}
    return frozenset(WAYS) if "" in use else frozenset(use) & frozenset(WAYS) or frozenset(WAYS)


@cache
def _imported(module: str) -> frozenset[str | None]:
    return frozenset(node.module for node in _nodes(module) if isinstance(node, ast.ImportFrom))


@cache
def _uses(module: str) -> dict[str, set[str]]:
    """By each name that a module reads, and by each attribute with a dot before it, what it or a part of it is asked
    for; "" where it is read without that."""
    uses: dict[str, set[str]] = defaultdict(set)
    asked = set[int]()
    for node in _nodes(module):
        if isinstance(node, ast.Attribute):
            held = node.value.value if isinstance(node.value, ast.Subscript) else node.value
            if isinstance(held, ast.Name | ast.Attribute):
                uses[held.id if isinstance(held, ast.Name) else f".{held.attr}"].add(node.attr)
                asked.add(id(held))
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load) and id(node) not in asked:
            uses[node.id if isinstance(node, ast.Name) else f".{node.attr}"].add("")
    return uses


def own_units(pattern: re.Pattern[str]) -> frozenset[str]:
    """Short texts that a pattern itself repeats, or begins with: said again and again, they nearly match it."""
    found = set[str]()
    _collect_units(_parser.parse(pattern.pattern, pattern.flags), found)
    return frozenset(unit for unit in sorted(found, key=lambda one: (len(one), one))[:MOST_OWN_UNITS] if unit)


def _collect_units(parts: Iterable[tuple[Any, Any]], found: set[str]) -> None:
    said = ""
    for kind, value in parts:
        repeats = str(kind) in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
        if repeats and value[1] > 1:
            found.update((said, *_samples(value[2])))
        for inner in _inner(kind, value):
            _collect_units(inner, found)
        said += next(iter(_samples([(kind, value)])), "")


def _inner(kind: Any, value: Any) -> list[Any]:
    """The parts below one of a pattern's."""
    name = str(kind)
    if name == "BRANCH":
        return list(value[1])
    if name in ("SUBPATTERN", "MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [value[-1]]
    return [value] if name == "ATOMIC_GROUP" else []


def _samples(parts: Iterable[tuple[Any, Any]]) -> list[str]:
    """Texts that the parts match, for each alternative, with and without what may be left out, as far as there is
    room; look-around is passed over."""
    samples = [""]
    for kind, value in parts:
        name, inner = str(kind), _inner(kind, value)
        if inner:
            further = [each for one in inner for each in _samples(one)]
            further += [""] if name.endswith("REPEAT") and value[0] == 0 else []
        elif name == "IN":
            further = [_a_member(value)]
        else:
            further = [chr(value) if name == "LITERAL" else "a" if name in ("ANY", "NOT_LITERAL") else ""]
        samples = [f"{one}{other}" for one in samples for other in further][:MOST_OWN_UNITS]
    return samples


def _a_member(members: Sequence[tuple[Any, Any]]) -> str:
    kind, value = members[0]
    if str(kind) == "NEGATE":
        return "a" if ("LITERAL", 97) not in [(str(one), other) for one, other in members] else "b"
    if str(kind) == "CATEGORY":
        return {"CATEGORY_SPACE": " ", "CATEGORY_DIGIT": "1", "CATEGORY_NOT_WORD": "."}.get(str(value), "a")
    return chr(value[0] if str(kind) == "RANGE" else value)


@cache
def _sources() -> dict[str, str]:
    return {one.__name__: Path(str(one.__file__)).read_text(encoding="utf-8") for one in all_modules()}


@cache
def _those_that_say(text: str) -> tuple[str, ...]:
    """The modules in whose source this stands, letter for letter: no other needs to be parsed to find a use of it."""
    return tuple(module for module, source in _sources().items() if text in source)


@cache
def _nodes(module: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(_sources()[module])))


def _written(module: str) -> Iterator[Reachable]:
    """Calls such as `re.search(r"…", text)` and `re.compile` inside functions."""
    if not _CALLS_RE.search(_sources()[module]):
        return
    bodies = [one for one in _nodes(module) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
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
