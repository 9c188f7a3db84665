"""Requests to do a student's work: the course's policy, a place to start and a question back. Pure."""

from serving.assistant.composing.composed import Composed, Statement
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.stored import stored_matches
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.wording import wording
from serving.evidence import from_entry


def compose_task(request: Request) -> Composed:
    """What is not done and why, then where to start."""
    said = wording(request.spoken)
    policy = request.card.policy if request.card is not None else None
    lead = [Statement(f"{said.task} {safe(policy)}" if policy else said.task_no_policy)]
    rules = [one.candidate.entry for one in stored_matches(request) if one.score >= 0.5][:1]
    lead += [
        Statement(f"**{said.faq.format(question=safe(one.title))}**\n{safe(one.text)}", from_entry(0, one))
        for one in rules
    ]
    windows = best_windows(request.pieces, request.units, kind="how", most=1)
    near = [window.statement for window in windows if window.near >= 0.5 and request.units]
    start = [Statement(said.start_with), *near] if near else []
    return Composed("task", "full", (*lead, *start), after=said.hint_back, score=0.8)
