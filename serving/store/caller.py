"""Who is asking, and what a role may do. Pure; how a request shows who it is from is the gateway's."""

from dataclasses import dataclass
from typing import Literal, get_args

Role = Literal["student", "ta", "teacher", "admin"]

ROLES: tuple[Role, ...] = get_args(Role)
"""From least to most: each may do what those before it may."""


Scope = Literal["ask", "material", "desk", "metrics"]

SCOPES: tuple[Scope, ...] = get_args(Scope)
"""What a key can be limited to: asking and what comes of it; the material as data; the desk of TAs; the metrics."""


def parse_role(name: str) -> Role:
    """The role by its name; `ValueError` for a name that is none."""
    for role in ROLES:
        if role == name:
            return role
    raise ValueError(f"A role is one of {', '.join(ROLES)}; found '{name[:40]}'.")


@dataclass(frozen=True)
class Caller:
    """The person behind a request. `courses` is all that may be asked of, `None` for every course.

    `name` is what students see under an answer; `None` for students. `key_id` is `None` without a key. `is_new` marks
    somebody whom nobody knows yet: kept, under this id, with the first thing they ask. `scopes` is what the key may be
    used for, `None` for everything its role may.
    """

    person_id: str
    role: Role = "student"
    key_id: str | None = None
    name: str | None = None
    courses: frozenset[str] | None = None
    is_new: bool = False
    scopes: frozenset[str] | None = None

    def is_at_least(self, role: Role) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)

    def may_use(self, scope: Scope) -> bool:
        return self.scopes is None or scope in self.scopes

    def may_see(self, course_id: str | None) -> bool:
        """Whether a course is open to this caller; all courses at once (`None`) only without a limit."""
        return self.courses is None or course_id in self.courses
