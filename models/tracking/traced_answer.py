"""`TracedAnswer`: what MLflow is shown of one answer. Free of MLflow, so that who makes one need not import it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """One stage of an answer; times are milliseconds since the question came. `kind` is one of MLflow's span types."""

    name: str
    kind: str
    began_ms: float
    ended_ms: float
    found: Mapping[str, object]


@dataclass(frozen=True)
class TracedAnswer:
    """What MLflow is shown of one answer. `began_ns` is when the question came, in nanoseconds since 1970 (UTC)."""

    question: str
    answer: str
    began_ns: int
    took_ms: float
    stages: Sequence[Stage]
    tags: Mapping[str, str]
    error: str | None
