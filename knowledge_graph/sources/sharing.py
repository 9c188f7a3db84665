"""Which courses `shares_with` names that there are not: one card alone cannot tell, and a slip would share nothing."""

import difflib
from collections.abc import Collection, Iterator, Sequence

import yaml

from knowledge_graph.lake.problems import Problem
from knowledge_graph.sources.course import read_entries
from knowledge_graph.sources.fields import plain, whole_characters
from knowledge_graph.sources.folders import CourseFolder, name_few

KEY = "shares_with"


def unknown_shares(folders: Sequence[CourseFolder], built: Collection[str] = ()) -> tuple[Problem, ...]:
    """A warning for each course that a card of `folders` shares with and that is neither among them nor `built`.

    The file is named with its course, as in `ml/course.yaml`. The course is built as it is: it is shown to those others
    that it names.
    """
    known = sorted({*built, *(folder.course_id for folder in folders)})
    return tuple(problem for folder in folders for problem in _unknown(folder, known))


def _unknown(folder: CourseFolder, known: Sequence[str]) -> Iterator[Problem]:
    entries, file = read_entries(folder, lambda problem: None)
    for name, line in _names_under(entries.get(KEY)):
        if name not in known:
            yield Problem(
                f"{folder.course_id}/{file}",
                line,
                f"Expected the name of a course's folder under '{KEY}', found '{name}'; there are: {name_few(known)}.",
                f"{_nearest(name, known)}Write the name of its folder, or take it out; until then nobody is shown "
                "this course by that name.",
                "warning",
            )


def _names_under(node: yaml.Node | None) -> Iterator[tuple[str, int]]:
    """The names under the key with their lines, 1-based; what is no text is reported by the card's reader."""
    items = node.value if isinstance(node, yaml.SequenceNode) else [node]
    for item in items:
        if not isinstance(item, yaml.ScalarNode) or str(item.tag).endswith(":null"):
            continue
        if name := plain(whole_characters(str(item.value))).strip():
            yield name, item.start_mark.line + 1


def _nearest(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f"Did you mean '{near[0]}'? " if near else ""
