"""coteach: ask a course that was built, from Python.

    import coteach

    course = coteach.Course.open("data", "data-structures")
    print(course.ask("How many late days do I have?").text)

What is named here is public and keeps to semantic versions: it changes with a warning one minor version before.
Everything else of the distribution, the packages `serving`, `models`, `assets`, `knowledge_graph` and `orchestration`
among it, is not.
"""

from coteach._ours import require_ours

require_ours()

from importlib.metadata import version  # noqa: E402  what is ours is known from here on
from typing import TYPE_CHECKING, Any  # noqa: E402

if TYPE_CHECKING:
    from coteach.course import Answer, Course, Hit, Reference, Step

__all__ = ["Answer", "Course", "Hit", "Reference", "Step", "__version__"]

__version__ = version("coteach")


def __getattr__(name: str) -> Any:
    """What is public, loaded when it is asked for: the command `coteach` passes here, too, and needs none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from coteach import course  # noqa: PLC0415  1.8 s of processor time

    return getattr(course, name)


def __dir__() -> list[str]:
    return [*__all__, "__doc__"]
