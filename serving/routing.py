"""From an understood question to a plan: which route, which text or prompt, what may be cited (DESIGN 5.2-5.4).

Pure, given the graph and one index version. Carrying the plan out is `serving.assistant`'s.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal

from knowledge_graph.graph import ConceptGraph
from knowledge_graph.records import Lang
from serving.answering.chat import after_reply, chat_prompt, ready_reply
from serving.answering.demonstrations import load_demonstrations
from serving.answering.direct import direct_text, provenance
from serving.answering.phrases import phrases
from serving.answering.teach import teach
from serving.evidence import Evidence, from_entry
from serving.index.schema import Entry
from serving.index.search import SearchIndex
from serving.messages import Message
from serving.retrieval import Candidate, Retrieved
from serving.understanding.refusals import Refusal
from serving.understanding.understand import Understanding

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

    With `messages` the model writes the answer and `text` is said when it cannot; without, `text` is the answer.
    `evidence` is all that may be cited, by number; `used` what the answer rests on whether it says so or not.
    """

    route: Route
    text: str
    notice: str
    messages: tuple[Message, ...] = ()
    template: str | None = None
    evidence: tuple[Evidence, ...] = ()
    used: tuple[Evidence, ...] = ()
    suffix: str = ""
    reasoning: str = ""
    examples: tuple[str, ...] = ()
    """Answers of the demonstrations in the prompt: a model that repeats one has answered another question."""
    wants_references: bool = field(default=True)


def plan_chat(
    asked: Understanding, history: Sequence[Message], *, course_title: str | None, languages: Collection[str]
) -> Plan:
    """Small talk by the model, or a ready sentence in a language it does not speak."""
    said = phrases(asked.lang)
    if asked.lang not in languages:
        return Plan("chat", ready_reply(asked), "", wants_references=False)
    return Plan(
        route="chat",
        text=f"{said.comfort}\n\n{said.hand_off}" if asked.is_emotional else said.chat_down,
        notice="",
        messages=chat_prompt(asked, history, course_title=course_title),
        template="comfort" if asked.is_emotional else "chat",
        suffix=after_reply(asked),
        wants_references=False,
    )


def plan_refusal(reason: Refusal, lang: Lang) -> Plan:
    """What is missing, or why nothing is said: a sentence, no model and no references."""
    return Plan(_ROUTE_OF_REFUSAL[reason], phrases(lang).refusals[reason], "", wants_references=False)


def plan_choice(names: Sequence[str], lang: Lang) -> Plan:
    """Which of several concepts a follow-up means."""
    said = phrases(lang)
    return Plan("clarify", said.which.format(names=said.either.join(names)), "", wants_references=False)


def plan_direct(asked: Understanding, found: Candidate) -> Plan:
    """The stored answer, word for word."""
    evidence = from_entry(1, found.entry)
    notice = provenance(found.entry, asked.lang)
    return Plan("direct", direct_text(found.entry), notice, evidence=(evidence,), used=(evidence,))


def plan_teach(
    asked: Understanding,
    snippets: Sequence[Entry],
    *,
    graph: ConceptGraph,
    course_title: str | None,
    languages: Collection[str],
    budget: int,
) -> Plan:
    """Chain of Teach; the teaching itself where the model does not speak the language; a TA where nothing is known."""
    said = phrases(asked.lang)
    teaching = teach(
        asked,
        graph=graph,
        snippets=snippets,
        demonstrations=load_demonstrations(),
        course_title=course_title,
        budget=budget,
    )
    if teaching.is_empty:
        return Plan("ask_ta", said.unknown, "", wants_references=False)
    speaks = asked.lang in languages
    asked_for = {chain.concept.concept_id for chain in teaching.chains}
    return Plan(
        route="teach",
        text=teaching.material,
        notice=said.generated if speaks else said.not_in_language,
        messages=teaching.messages if speaks else (),
        template=("teach" if teaching.reasoning else "think") if speaks else None,
        evidence=teaching.evidence,
        used=tuple(one for one in teaching.evidence if one.evidence_id in asked_for),
        reasoning=teaching.reasoning,
        examples=tuple(one.answer for one in teaching.demonstrations),
    )


def choose_snippets(
    asked: Understanding, retrieved: Retrieved, index: SearchIndex, *, course_id: str | None, limit: int
) -> list[Entry]:
    """What is shown beside the definitions: ranked QA pairs, then passages, if they speak of the question.

    Pairs of the question's own concepts are left out, for their definitions are in the teaching already.
    """
    names = {concept.name for concept in asked.concepts} | {concept.concept_id for concept in asked.concepts}
    ranked = [candidate.entry for candidate in retrieved.ranked]
    pairs = [one for one in ranked if one.source != "concept" or not names & {one.title, one.origin_id}]
    passages = [hit.entry for hit in index.search(asked.question, kind="passage", course_id=course_id, k=limit)]
    supported = [
        one for one in [*pairs, *passages] if index.support(asked.question, f"{one.title}\n{one.text}") >= EVIDENCE_CUT
    ]
    return supported[:limit]
