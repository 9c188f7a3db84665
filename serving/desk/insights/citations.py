"""Which videos, documents and entries answers refer to, and which they never do. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class CitableMaterial:
    """A piece of a course that could be referred to. `name` is the video's id, the document's name, the entry's id."""

    course_id: str
    source: str
    name: str
    title: str


@dataclass(frozen=True)
class Cited:
    """How often a piece of material was a reference of an answer."""

    course_id: str | None
    source: str
    name: str
    n: int


@dataclass(frozen=True)
class Citing:
    """`most` are the most cited with their titles; `never` the first of the `never_n` that no answer refers to."""

    most: tuple[tuple[Cited, str], ...]
    never: tuple[CitableMaterial, ...]
    never_n: int
    material_n: int


def citing_of(cited: Sequence[Cited], material: Iterable[CitableMaterial], *, shown: int) -> Citing:
    """At most `shown` of each. Videos are the same material whatever kind of entry referred to them."""
    listed = sorted(set(material), key=lambda one: (one.course_id, one.source, one.name))
    titles = {(one.course_id, one.name): one.title for one in listed}
    used = {(one.course_id, one.name) for one in cited}
    never = [one for one in listed if (one.course_id, one.name) not in used]
    most = tuple((one, titles.get((one.course_id or "", one.name), one.name)) for one in cited[:shown])
    return Citing(most, tuple(never[:shown]), len(never), len(listed))
