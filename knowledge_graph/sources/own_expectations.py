"""What a team expects of its own rows: `expectations.yaml` beside a course's files, in the words of Great Expectations.

By table a list of `{type, kwargs, severity}`, as Great Expectations writes them itself. `critical`, the default, keeps
a table that breaks it from being published, `warning` only tells.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from knowledge_graph.lake.expectations import Expectation, fault_of
from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.markup import YAML_ERRORS, MarkupError, compose_yaml

_FORM = "Write {type: expect_column_values_to_not_be_null, kwargs: {column: answer}, severity: warning}."
_SEVERITIES = ("critical", "warning", "info")


@dataclass(frozen=True)
class OwnExpectations:
    """By table what is expected of it; `problems` are those of the file by table, "" for what names no table."""

    by_table: Mapping[str, Sequence[Expectation]] = field(default_factory=dict)
    problems: Mapping[str, Sequence[Problem]] = field(default_factory=dict)


def read_own_expectations(folder: CourseFolder, tables: Collection[str]) -> OwnExpectations:
    """Every expectation that Great Expectations can make of the file, of the tables there are. Never raises."""
    found, problems = dict[str, list[Expectation]](), dict[str, list[Problem]]()
    for path in input_files(folder, "expectations"):
        log = ProblemLog(display_path(path, folder.path))
        decoded = read_text(path, log)
        for table, line, items in _sections(decoded.text if decoded else "", log):
            if table not in tables:
                log.error(line, f"There is no table '{table}'.", f"Write one of {', '.join(sorted(tables))}.")
                continue
            own = ProblemLog(log.file)
            found.setdefault(table, []).extend(_expectations(items, own))
            problems.setdefault(table, []).extend(own.problems)
        problems.setdefault("", []).extend(log.problems)
    return OwnExpectations(found, problems)


def _sections(text: str, log: ProblemLog) -> list[tuple[str, int, list[tuple[int, object]]]]:
    """For each table: its name, its line, and its items with their lines."""
    try:
        root = compose_yaml(text)
        values = yaml.safe_load(text)
    except MarkupError as error:
        log.error(error.line, f"{error}.", "Mend that line; until then nothing more is expected of the rows.")
        return []
    except YAML_ERRORS as error:
        log.error(None, f"A value cannot be read: {error}.", _FORM)
        return []
    if root is None:
        return []
    if not isinstance(root, yaml.MappingNode) or not isinstance(values, dict):
        log.error(1, "The file is no mapping of tables.", f"Begin with the name of a table, `faq:`. {_FORM}")
        return []
    found = []
    for (key, node), (name, items) in zip(root.value, values.items(), strict=False):
        line = key.start_mark.line + 1
        if not isinstance(node, yaml.SequenceNode) or not isinstance(items, list):
            log.error(line, f"Of '{name}' there is no list.", f"Write one expectation an item. {_FORM}")
            continue
        lines = [each.start_mark.line + 1 for each in node.value]
        found.append((str(name), line, list(zip(lines, items, strict=True))))
    return found


def _expectations(items: Sequence[tuple[int, object]], log: ProblemLog) -> list[Expectation]:
    found = []
    for line, item in items:
        given: dict[Any, Any] = item if isinstance(item, dict) else {}
        kind, arguments = given.get("type"), given.get("kwargs", {})
        severity = given.get("severity", "critical")
        if not isinstance(kind, str) or not isinstance(arguments, dict) or severity not in _SEVERITIES:
            log.error(line, "This is no expectation.", f"{_FORM} Severities: {', '.join(_SEVERITIES)}.")
            continue
        name = "".join(part.capitalize() for part in kind.split("_"))
        expectation = (name, {str(key): value for key, value in arguments.items()} | {"severity": severity})
        if fault := fault_of(expectation):
            log.error(
                line, f"Great Expectations does not take '{kind}': {fault}.", "See greatexpectations.io/expectations."
            )
        else:
            found.append(expectation)
    return found
