"""Questions that students asked and nobody could answer, read from the log of answers (`DataDir.traces`)."""

import json
from collections import Counter
from pathlib import Path


def unanswered_questions(path: Path, course_id: str) -> list[tuple[str, int]]:
    """Questions of a course that were handed on or answered without any reference, and how often each was asked.

    Chat needs no reference. Lines that cannot be read are passed over: a log cut short stops nobody.
    """
    counts: Counter[str] = Counter()
    if path.is_file():
        with path.open(encoding="utf-8", errors="replace") as lines:
            counts.update(question for line in lines if (question := _unanswered(line, course_id)))
    return sorted(counts.items())


def _unanswered(line: str, course_id: str) -> str | None:
    try:
        trace = json.loads(line)
        open_ended = trace["route"] == "ask_ta" or (trace["route"] in ("teach", "explain") and not trace["references"])
        return str(trace["question"]) if open_ended and trace["course_id"] == course_id else None
    except (ValueError, KeyError, TypeError):
        return None
