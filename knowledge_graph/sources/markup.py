"""JSON and YAML from people: safe settings for both parsers, and their errors as one line and one sentence."""

import json
import re
from collections.abc import Callable
from itertools import chain
from typing import TypeVar

import yaml

MOST_VALUES = 1_000_000
"""Values of a YAML text. A line that repeats the line above it a few times, and so on, has billions in one kilobyte."""
_TOO_DEEP = "brackets are nested too deeply to be read"

T = TypeVar("T")
_Resolvers = dict[str, list[tuple[str, re.Pattern[str]]]]


class MarkupError(ValueError):
    """The text cannot be parsed. `line` is 1-based, `None` when the parser does not know it."""

    def __init__(self, line: int | None, message: str) -> None:
        super().__init__(message)
        self.line = line


def _null_and_merge(resolvers: _Resolvers) -> _Resolvers:
    wanted = ("tag:yaml.org,2002:null", "tag:yaml.org,2002:merge")
    return {first: [each for each in known if each[0] in wanted] for first, known in resolvers.items()}


class TextLoader(yaml.SafeLoader):
    """YAML in which every value is the text as written, or null: 2024-02-31, 12:30, 007 and yes are text.

    A text whose aliases stand for more than `MOST_VALUES` is a `yaml.YAMLError`.
    """

    yaml_implicit_resolvers = _null_and_merge(yaml.SafeLoader.yaml_implicit_resolvers)

    def get_single_node(self) -> yaml.Node | None:
        root: yaml.Node | None = super().get_single_node()
        if root is not None and _count_values(root, {}) > MOST_VALUES:
            problem = f"with its aliases written out it has more than {MOST_VALUES:,} values"
            raise yaml.constructor.ConstructorError(problem=problem)
        return root


def _count_values(node: yaml.Node, known: dict[int, int]) -> int:
    """How many values a node stands for; each is counted once and `known` by its identity from then on."""
    if isinstance(node, yaml.ScalarNode):
        return 1
    if id(node) not in known:
        known[id(node)] = 1  # for an alias of itself, which is an error later on
        inner = node.value if isinstance(node, yaml.SequenceNode) else chain.from_iterable(node.value)
        known[id(node)] = min(MOST_VALUES + 1, 1 + sum(_count_values(each, known) for each in inner))
    return known[id(node)]


YAML_ERRORS = (yaml.YAMLError, ValueError, LookupError, TypeError, OverflowError, RecursionError)
"""What PyYAML raises when it makes values of nodes: tags and keys that make no sense are not always its own errors."""

# Numbers stay as written, so that none is too long for Python and 1.50 does not become 1.5.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str)


def load_json(text: str) -> object:
    """The value of a whole text; raises `MarkupError`."""
    return _parse(lambda: _DECODER.decode(text), text, 0)


def load_json_item(text: str, place: int) -> tuple[object, int]:
    """The value that begins at `place` (0-based), and the place behind it; raises `MarkupError`."""
    return _parse(lambda: _DECODER.raw_decode(text, place), text, place)


def compose_yaml(text: str) -> yaml.Node | None:
    """The nodes of a YAML text, `None` when it is empty; raises `MarkupError`."""
    try:
        node: yaml.Node | None = yaml.compose(text, Loader=TextLoader)
    except YAML_ERRORS as error:
        raise yaml_error(error, text) from error
    return node


def load_yaml(text: str) -> object:
    """The value of a YAML text; raises `MarkupError`."""
    try:
        value: object = yaml.load(text, Loader=TextLoader)
    except YAML_ERRORS as error:
        raise yaml_error(error, text) from error
    return value


def yaml_error(error: Exception, text: str) -> MarkupError:
    """What PyYAML raised, with its line in `text` and without its lay-out over several lines."""
    if isinstance(error, RecursionError):
        return MarkupError(None, f"Not valid YAML: {_TOO_DEEP}.")
    if isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, error.position) + 1
        return MarkupError(line, f"Not valid YAML: the character U+{ord(text[error.position]):04X} is not allowed.")
    mark = getattr(error, "problem_mark", None)
    reason = " ".join(str(getattr(error, "problem", None) or error).split())
    return MarkupError(None if mark is None else mark.line + 1, f"Not valid YAML: {reason}.")


def _parse(parse: Callable[[], T], text: str, place: int) -> T:
    try:
        return parse()
    except json.JSONDecodeError as error:
        raise MarkupError(error.lineno, f"{error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise MarkupError(text.count("\n", 0, place) + 1, _TOO_DEEP) from error
