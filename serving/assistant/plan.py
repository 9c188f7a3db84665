"""`Plan`: how an understood question is answered: by which route, which text or prompt, and what may be cited.

Pure, given the graph and one version of the index. `Assistant` carries the plan out.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from knowledge_graph.lake.records import Lang, Mode
from serving.assistant.composing.composed import Composed
from serving.assistant.composing.explain import LIKELY
from serving.assistant.generation.background import BackgroundPair
from serving.assistant.generation.chain_of_teach import Teaching
from serving.assistant.generation.chat import after_reply, before_reply, chat_prompt, chat_template, ready_reply
from serving.assistant.generation.direct import direct_text, provenance, provenance_of
from serving.assistant.generation.multiple_choice import ChoiceQuestion
from serving.assistant.generation.phrases import phrases
from serving.assistant.generation.prompts import MCQ_CHOOSE, MCQ_EXPLAIN_OPTION
from serving.assistant.generation.study_hint import StudyHint
from serving.assistant.generation.xml_context import ContextPrompt
from serving.assistant.graded_work.sessions import Ruling
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved
from serving.assistant.understanding.refusals import Refusal
from serving.assistant.understanding.understand import Understanding
from serving.index.evidence import MAP, Evidence, from_entry
from serving.index.schema import Entry
from serving.index.search import SearchIndex
from serving.llm.messages import Message

Route = Literal["direct", "teach", "chat", "explain", "clarify", "refuse", "ask_ta"]

_ROUTE_OF_REFUSAL: dict[Refusal, Route] = {
    "missing_options": "clarify",
    "incomplete": "clarify",
    "nonsense": "refuse",
    "not_academic": "refuse",
}

EVIDENCE_CUT = 0.4
"""A snippet is shown to the model when it speaks of this share of the question, by weight. A choice, not calibrated."""


@dataclass(frozen=True)
class Plan:
    """How one question will be answered.

    With `messages` the model writes the answer and `text` is said when it cannot; with a `choice` it answers a
    multiple-choice question; without either, `text` is the answer. `evidence` is all that may be cited, by number;
    `used` what the answer rests on whether it says so or not. `prefix` and `suffix` stand around the model's words.
    """

    route: Route
    text: str
    notice: str
    messages: tuple[Message, ...] = ()
    choice: ChoiceQuestion | None = None
    template: str | None = None
    evidence: tuple[Evidence, ...] = ()
    used: tuple[Evidence, ...] = ()
    prefix: str = ""
    suffix: str = ""
    reasoning: str = ""
    examples: tuple[str, ...] = ()
    """Answers of the demonstrations in the prompt: a model that repeats one has answered another question."""
    wants_references: bool = field(default=True)
    policy: str | None = None
    """The version of the course's policy in the prompt."""
    citable: tuple[int, ...] | None = None
    """Numbers of the evidence that the model was shown; `None` for all of it."""
    may_cite: bool = True
    """False where the course's subject is on the list of those without references: no mark is shown then."""
    is_material: bool = False
    """The model's draft was not good enough, and `text` is the answer."""
    composed: Composed | None = None
    """What `text` was composed from; `None` where a model writes, or nothing was composed."""
    rule: Ruling | None = None
    """The course's rule about graded work that the answer was given under."""
    instead: "Plan | None" = None
    """For a plan that an admitted model writes: the composed answer, given if too little of the model's may stand."""
    teaching: Teaching | None = None
    """What a model is taught with; `None` where none is."""

    @property
    def is_composed_anew(self) -> bool:
        """Whether it was put together of the material, so that an admitted model might write it: it is not stored, no
        rule left it, and the material is not silent; of a map there is nothing to write."""
        made = self.composed
        if made is None or any(one.source == MAP for one in self.evidence):
            return False
        return made.stored is None and made.coverage != "none" and self.rule is None

    @property
    def is_graded(self) -> bool:
        """Whether the model writes it from evidence, so that it can be looked at."""
        return self.route == "teach" and bool(self.messages) and not self.is_material


def plan_chat(
    asked: Understanding,
    history: Sequence[Message],
    *,
    course_title: str | None,
    languages: Collection[str],
    background: Sequence[BackgroundPair],
    budget: int,
) -> Plan:
    """Small talk by the model, or a ready sentence in a language it does not speak."""
    said = phrases(asked.lang)
    if asked.lang not in languages:
        return Plan("chat", ready_reply(asked), "", wants_references=False)
    messages = chat_prompt(asked, history, course_title=course_title, background=background, budget=budget)
    return Plan(
        route="chat",
        text=said.hand_off if asked.is_emotional else said.chat_down,
        notice="",
        messages=messages,
        template=chat_template(messages, asked),
        prefix=before_reply(asked),
        suffix=after_reply(asked),
        wants_references=False,
    )


def plan_refusal(reason: Refusal, lang: Lang) -> Plan:
    """What is missing, or why nothing is said: a sentence, no model and no references."""
    return Plan(_ROUTE_OF_REFUSAL[reason], phrases(lang).refusals[reason], "", wants_references=False)


def plan_composed(composed: Composed, lang: Lang) -> Plan:
    """A composed answer: its text, what it cites, and where it comes from in one sentence."""
    said = phrases(lang)
    route: Route = "teach" if composed.stored is None else "direct"
    if composed.kind == "small_talk":
        route = "chat"
    elif composed.coverage == "none" and composed.score >= LIKELY:
        route = "clarify"  # something is asked back
    elif composed.coverage == "none" or composed.score < LIKELY:
        route = "ask_ta"  # what is nearest is shown, and counts as no answer
    stored = composed.stored
    evidence = composed.evidence or (() if stored is None else (stored,))  # of what nothing opens, too
    notice = provenance_of(evidence[0], lang) if stored is not None else ""
    if composed.stored is None and any(one.source != MAP for one in evidence):
        notice = said.planned if composed.kind == "plan" else said.composed
    return Plan(
        route,
        composed.text,
        notice,
        evidence=evidence,
        used=evidence[:1] if composed.stored is not None else (),
        wants_references=bool(evidence),
        composed=composed,
    )


def plan_ruled(ruling: Ruling, composed: Composed, lang: Lang) -> Plan:
    """What is said under a rule about graded work; nothing but that where the work is closed."""
    plan = replace(plan_composed(composed, lang), rule=ruling)
    return replace(plan, route="refuse", notice="") if ruling.item.allows == "closed" else plan


def plan_choice(names: Sequence[str], lang: Lang) -> Plan:
    """Which of several concepts a follow-up means."""
    said = phrases(lang)
    return Plan("clarify", said.which.format(names=said.either.join(names)), "", wants_references=False)


def plan_direct(asked: Understanding, found: PairCandidate) -> Plan:
    """The stored answer, word for word."""
    evidence = from_entry(1, found.entry)
    notice = provenance(found.entry, asked.lang)
    return Plan("direct", direct_text(found.entry), notice, evidence=(evidence,), used=(evidence,))


def plan_teach(
    asked: Understanding,
    teaching: Teaching,
    *,
    hints: Sequence[StudyHint],
    languages: Collection[str],
    prompt: ContextPrompt | None = None,
    policy: str | None = None,
) -> Plan:
    """Chain of Teach, or the structured `prompt` over the same evidence; a TA where nothing is known.

    In a language that the model does not speak the teaching itself is the answer. What to watch first follows either.
    """
    said = phrases(asked.lang)
    if teaching.is_empty:
        return Plan("ask_ta", said.unknown, "", wants_references=False)
    speaks = asked.lang in languages
    asked_for = {chain.concept.concept_id for chain in teaching.chains}
    new = tuple(hint.evidence for hint in hints if hint.evidence not in teaching.evidence)
    watch = "".join(f"\n\n{hint.text}" for hint in hints)
    messages = teaching.messages if prompt is None else prompt.messages
    return Plan(
        route="teach",
        text=teaching.material + watch,
        notice=said.generated if speaks else said.not_in_language,
        messages=messages if speaks else (),
        template=(teaching.template if prompt is None else prompt.template) if speaks else None,
        evidence=(*teaching.evidence, *new),
        citable=None if prompt is None else prompt.citable,
        used=(*(one for one in teaching.evidence if one.evidence_id in asked_for), *new),
        suffix=watch if speaks else "",
        reasoning=teaching.reasoning,
        examples=teaching.examples if prompt is None else tuple(one.answer for one in prompt.examples),
        policy=policy if speaks else None,
        teaching=teaching,
    )


def plan_multiple_choice(choice: ChoiceQuestion, material: str, *, languages: Collection[str]) -> Plan:
    """The option and why each is or is not it, by the model; what the material says where it cannot."""
    said = phrases(choice.lang)
    speaks = choice.lang in languages
    if not speaks and not material:
        return Plan("ask_ta", said.unknown, "", wants_references=False)
    return Plan(
        route="explain",
        text=material or said.unknown,
        notice=said.generated if speaks else said.not_in_language,
        choice=choice if speaks else None,
        template=f"{MCQ_CHOOSE.label} {MCQ_EXPLAIN_OPTION.label}" if speaks else None,
        evidence=choice.evidence,
    )


def choose_snippets(
    asked: Understanding,
    retrieved: Retrieved,
    index: SearchIndex,
    *,
    course_id: str | None,
    mode: Mode | None = None,
    limit: int | None,
) -> list[Entry]:
    """What is shown beside the definitions: ranked QA pairs, then passages, if they speak of the question.

    Pairs of the question's own concepts are left out, for their definitions are in the teaching already. Without a
    `limit` it is what was ranked, as the catalogue expert filled its budget of tokens (Tulane 2.VI).
    """
    names = {concept.name for concept in asked.concepts} | {concept.concept_id for concept in asked.concepts}
    ranked = [candidate.entry for candidate in retrieved.ranked]
    pairs = [one for one in ranked if one.source != "concept" or not names & {one.title, one.origin_id}]
    if limit is None:
        return pairs
    hits = index.search(asked.question, kind="passage", course_id=course_id, mode=mode, k=limit)
    found = [*pairs, *(hit.entry for hit in hits)]
    supported = [one for one in found if index.support(asked.question, f"{one.title}\n{one.text}") >= EVIDENCE_CUT]
    return supported[:limit]
