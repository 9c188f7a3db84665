"""Answers of made-up systems, for the tables that are made of them."""

from typing import Any

from serving.evaluation.systems.answered_systems import AnsweredSystem
from serving.evaluation.systems.system_answers import SystemAnswer


def answer(number: int, **more: Any) -> SystemAnswer:
    """The answer to question `number`: right, direct, in 10 ms; what a test is about is given."""
    fields: dict[str, Any] = {
        "system": "retrieval_only",
        "served": None,
        "set": "ds",
        "section": "course",
        "question_id": f"q{number:03d}",
        "course_id": "ds",
        "lang": "en",
        "kind": "simple",
        "question": f"Question {number}?",
        "route": "direct",
        "answer": "A stack.",
        "source": "faq",
        "top": ("en:stack",),
        "hit_rank": 1,
        "recall5": 1.0,
        "references": ("en:stack",),
        "gold_references": 1,
        "confidence": 0.9,
        "degraded": False,
        "model": None,
        "error": None,
        "total_ms": 10.0,
        "rouge1": 0.5,
        "rouge2": 0.25,
        "rougel": 0.5,
        "statements": 2,
        "supported_statements": 1,
        "citations": 2,
        "supported_citations": 2,
        "grounded": True,
    }
    return SystemAnswer(**{**fields, **more})


def answered(name: str, count: int, *, model: str | None = None, **more: Any) -> AnsweredSystem:
    """A system that gave the same answer to `count` questions."""
    rows = (answer(number, system=name, served=model, model=model, **more) for number in range(count))
    return AnsweredSystem(name, model, tuple(rows))
