"""`StudyProgress`: what is kept of a student that a study path goes by: how far they were in lectures, what they know.

How it is read is `serving.gateway.study_progress`; without it every student gets the same path.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class StudyProgress:
    """`furthest` holds milliseconds by course and lecture; `known` ids of concepts, of who wants to be remembered."""

    furthest: Mapping[tuple[str, str], int] = field(default_factory=dict)
    known: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        return not self.furthest and not self.known

    def has_been_at(self, course_id: str | None, video_id: str | None, at_ms: int | None) -> bool | None:
        """Whether the student was so far in a lecture; `None` where no player told that they were in it."""
        furthest = self.furthest.get((course_id or "", video_id or ""))
        return None if furthest is None else furthest >= (at_ms or 0)


NO_PROGRESS = StudyProgress()

FindProgress = Callable[[], Awaitable[StudyProgress]]
"""Reads the progress of whoever asks, when it is first needed: most questions do not go by it."""


async def find_no_progress() -> StudyProgress:
    return NO_PROGRESS
