"""JSON and YAML from people: safe settings for both parsers, and their errors as one line and one sentence."""

import json
import re
from collections.abc import Callable
from typing import TypeVar

import yaml

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
    """YAML in which every value is the text as written, or null: 2024-02-31, 12:30, 007 and yes are text."""

    yaml_implicit_resolvers = _null_and_merge(yaml.SafeLoader.yaml_implicit_resolvers)


# Numbers stay as written, so that none is too long for Python and 1.50 does not become 1.5.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str)


def load_json(text: str) -> object:
    """The value of a whole text; raises `MarkupError`."""
    return _parsed(lambda: _DECODER.decode(text), text, 0)


def load_json_item(text: str, place: int) -> tuple[object, int]:
    """The value that begins at `place` (0-based), and the place behind it; raises `MarkupError`."""
    return _parsed(lambda: _DECODER.raw_decode(text, place), text, place)


def compose_yaml(text: str) -> yaml.Node | None:
    """The nodes of a YAML text, `None` when it is empty; raises `MarkupError`."""
    try:
        node: yaml.Node | None = yaml.compose(text, Loader=TextLoader)
    except (yaml.YAMLError, RecursionError) as error:
        raise yaml_error(error, text) from error
    return node


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


def _parsed(parse: Callable[[], T], text: str, place: int) -> T:
    try:
        return parse()
    except json.JSONDecodeError as error:
        raise MarkupError(error.lineno, f"{error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise MarkupError(text.count("\n", 0, place) + 1, _TOO_DEEP) from error
