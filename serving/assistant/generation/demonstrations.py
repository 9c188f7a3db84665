"""The collection of Chain of Teach demonstrations and `sample_similar` of Algorithm 1."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args

import yaml

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Lang
from serving.assistant.understanding.complexity import Complexity
from serving.index.analysis import terms

COLLECTION = Path(__file__).with_name("demonstrations.yaml")


@dataclass(frozen=True)
class Demonstration:
    """A question taught well: what each concept is, the reasoning over them, the answer. `date` is ISO 8601.

    `course` is the course for which a teacher wrote it, `None` where it may be shown in any; `is_own` tells a teacher's
    from those of the program.
    """

    id: str
    lang: Lang
    kind: Complexity
    question: str
    reasoning: str
    answer: str
    author: str
    date: str
    course: str | None = None
    is_own: bool = False


class DemonstrationsBroken(CoteachError):
    """A teacher's file of demonstrations that cannot be used; the message says where, what was expected and found."""


@cache
def load_demonstrations(path: Path = COLLECTION) -> tuple[Demonstration, ...]:
    """Every demonstration of a collection, in the order of the file."""
    rows = yaml.safe_load(path.read_text(encoding="utf-8"))
    return tuple(Demonstration(**{**row, "date": str(row["date"])}) for row in rows)


def read_own(path: Path) -> tuple[Demonstration, ...]:
    """The demonstrations that teachers wrote: a list of mappings with the fields of a `Demonstration`, all but
    `course` needed. Raises `DemonstrationsBroken`; one wrong row is a wrong file, for prompts are made of it."""
    try:
        rows = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise DemonstrationsBroken(f"{path} cannot be read: {error}") from error
    if not isinstance(rows, list):
        raise DemonstrationsBroken(f"{path}: expected a list of demonstrations, found {type(rows).__name__}.")
    found = tuple(_own(row, f"{path}, entry {number}") for number, row in enumerate(rows, 1))
    if doubled := [name for name, count in Counter(one.id for one in found).items() if count > 1]:
        raise DemonstrationsBroken(f"{path}: these ids stand there twice or more: {', '.join(doubled)}.")
    return found


def _own(row: object, where: str) -> Demonstration:
    if not isinstance(row, dict):
        raise DemonstrationsBroken(f"{where}: expected fields with their values, found {row!r:.60}.")
    values: dict[str, Any] = {
        str(name): " ".join(str(value).split()) for name, value in row.items() if value is not None
    }
    if wrong := sorted((values.keys() - _FIELDS) | (_FIELDS - {"course"} - values.keys())):
        raise DemonstrationsBroken(f"{where}: missing or unknown: {', '.join(wrong)}. It has {', '.join(_ORDER)}.")
    chosen = {"lang": get_args(Lang), "kind": get_args(Complexity)}
    unfit = [f"{name} is empty" for name in _ORDER if values.get(name) == ""]
    unfit += [f"{name} must be {' or '.join(known)}" for name, known in chosen.items() if values[name] not in known]
    if unfit:
        raise DemonstrationsBroken(f"{where}: {'; '.join(unfit)}.")
    return Demonstration(**values, is_own=True)


_ORDER = ("id", "lang", "kind", "question", "reasoning", "answer", "author", "date", "course")
_FIELDS = frozenset(_ORDER)


def sample_similar(
    question: str, collection: Sequence[Demonstration], *, lang: Lang, kind: Complexity | None, count: int = 1
) -> tuple[Demonstration, ...]:
    """The `count` nearest demonstrations in the question's language; same kind first, then teachers' own, then shared
    terms, then id.

    Nearness is Jaccard over all terms: the words between the concepts ("difference between") are what makes two
    questions alike in form.
    """
    asked = set(terms(question))

    def distance(one: Demonstration) -> tuple[bool, bool, float, str]:
        own = set(terms(one.question))
        return (one.kind != kind, not one.is_own, -len(asked & own) / max(1, len(asked | own)), one.id)

    return tuple(sorted((one for one in collection if one.lang == lang), key=distance)[:count])
