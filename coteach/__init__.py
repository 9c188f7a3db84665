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

from coteach.course import Answer, Course, Hit, Reference, Step  # noqa: E402

__all__ = ["Answer", "Course", "Hit", "Reference", "Step", "__version__"]

__version__ = version("coteach")
