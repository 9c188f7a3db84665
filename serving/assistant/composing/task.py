"""Requests to do a student's work: the course's rule for the assistant, a place to start and a question back. Pure."""

from serving.assistant.composing.card import card_evidence
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.found_units import strange_names
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.stored import find_stored_matches
from serving.assistant.composing.terms import QuestionUnit
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.wording import wording
from serving.index.analysis import terms
from serving.index.evidence import from_entry

MOST, NEAR = 2, 0.3
"""Places to start that are shown at most, and the share of the request (or the meaning) from which one is near.
Choices: much of a request is not about its subject."""

RULE = 0.6
"""From which an entry of the FAQ is the rule for this work. A choice."""


OF_THE_WORK = frozenset(
    terms(
        "assignment homework exercise essay project report lab quiz exam test code program script solution problem set "
        "part week write do solve finish complete submit implement make help due"
    )
)
"""Words of the work itself, which say nothing of its subject."""


def compose_task(request: Request) -> Composed:
    """What is not done and why, then where to start."""
    said, card = wording(request.spoken), request.card
    if card is not None and card.policy:
        policy = safe(card.policy)
        lead = [ComposedStatement(said.task.format(policy=policy), card_evidence(card, policy))]
    else:
        lead = [ComposedStatement(said.task_no_policy)]
    rules = [one.candidate.entry for one in find_stored_matches(request) if one.score >= RULE][:1]
    for one in rules:
        headline = said.faq.format(question=safe(one.title))
        lead.append(ComposedStatement(f"**{headline}**\n{safe(one.text)}", from_entry(0, one)))
    about = [unit for unit in request.units if not _is_of_the_work(unit)]
    windows = best_windows(request.pieces, about, kind="how", most=MOST) if about else []
    is_on_concept = any(unit.concept_id is not None and unit.is_known for unit in about)
    strange = () if is_on_concept else strange_names(request)
    near = [one.statement for one in windows if not strange and (one.near >= NEAR or one.piece.meaning >= NEAR)]
    start = [ComposedStatement(said.start_with), *near] if near else []
    if strange:
        start = [ComposedStatement(said.nothing_of.format(names=said.join(strange)))]
    return Composed("task", "full", (*lead, *start), after=said.hint_back, score=0.8)


def _is_of_the_work(unit: QuestionUnit) -> bool:
    """Whether a part of the request names the work and not its subject: an assignment, and which one."""
    is_word = unit.concept_id is None and all(name <= OF_THE_WORK for name in unit.names[:1])
    return is_word or unit.label.isdecimal()
