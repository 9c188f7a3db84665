"""Chain of Teach (LittleMu Algorithm 1): from concepts to a reasoning text and the prompt around it. Pure.

`Teaching.reasoning` is also what a student gets when no model can answer in their language or none answers at all.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.graph.study_path import LEAST_NEED
from knowledge_graph.lake.records import Lang
from serving.assistant.generation.demonstrations import Demonstration, sample_similar
from serving.assistant.generation.phrases import phrases
from serving.assistant.generation.policy import Policy, with_policy
from serving.assistant.generation.prompts import TEACH, THINK, THINK_NOTES, answer_in, of_course
from serving.assistant.generation.template import Template
from serving.assistant.guardrails.escaping import without_marks
from serving.assistant.understanding.understand import Understanding
from serving.index.evidence import Evidence, from_definition, from_entry
from serving.index.schema import Entry
from serving.llm.messages import Message

MAX_CONCEPTS = 4
MAX_PREREQUISITES = 3
SNIPPET_CHARACTERS = 320
"""Characters of a long snippet that are shown: about 80 tokens of English."""

TokenCount = Callable[[str], int]

TeachPart = Literal["decomposition", "concept_prompts", "demonstrations", "history"]
"""Parts of Algorithm 1 that an ablation leaves out; a service never does. Without `decomposition` the question is not
taken apart into concepts and prerequisites: chain of thought over the same notes, to which the paper falls back too.
Without `concept_prompts` a concept is a note with its definition, and nothing is said of its domain and prerequisites.
`demonstrations` are e; `history` are the turns before, which carry what "it" is."""


@dataclass(frozen=True)
class Chain:
    """A concept of the question with its prerequisites, the input of Algorithm 1's loop."""

    concept: GraphConcept
    prerequisites: tuple[GraphConcept, ...]


@dataclass(frozen=True)
class TeachStep:
    """One line of r of Algorithm 1: what of a concept it says, and of which."""

    kind: Literal["definition", "domains", "prerequisites", "prerequisite"]
    concept_id: str
    text: str


@dataclass(frozen=True)
class Teaching:
    """What is taught. `steps` make r of Algorithm 1; `evidence` is everything in it, and every snippet, by number."""

    question: str
    lang: Lang
    steps: tuple[TeachStep, ...]
    chains: tuple[Chain, ...]
    evidence: tuple[Evidence, ...]
    snippets: tuple[Evidence, ...]
    demonstrations: tuple[Demonstration, ...]
    messages: tuple[Message, ...]
    template: str
    """The label of the template that the prompt was made with."""

    @property
    def reasoning(self) -> str:
        """r of Algorithm 1."""
        return "\n".join(one.text for one in self.steps)

    @property
    def examples(self) -> tuple[str, ...]:
        """What the model is shown to have answered before: who repeats it has answered another question."""
        return tuple(message.content for message in self.messages if message.role == "assistant")

    @property
    def is_empty(self) -> bool:
        """Nothing to teach from: no concept with anything known of it, and no snippet."""
        return not self.reasoning and not self.snippets

    @property
    def material(self) -> str:
        """The teaching itself, for a student to read."""
        listed = [f"- {_evidence_line(snippet)}" for snippet in self.snippets]
        parts = [self.reasoning, "\n".join([phrases(self.lang).from_material, *listed]) if listed else ""]
        return "\n\n".join(part for part in parts if part)


def estimate_tokens(text: str) -> int:
    """An upper estimate of a text's tokens: a third of its UTF-8 bytes (English runs at about a quarter)."""
    return len(text.encode()) // 3 + 1


def reason(chains: Sequence[Chain], evidence: Sequence[Evidence], lang: Lang) -> tuple[TeachStep, ...]:
    """r of Algorithm 1, line by line: each concept's definition, its domains, its prerequisites and their definitions.

    A definition carries its mark in `evidence`. What the graph does not know is left out, header and all.
    """
    marks = {one.evidence_id: one.mark for one in evidence}
    said = phrases(lang)
    steps: list[TeachStep] = []
    for chain in chains:
        concept = chain.concept
        key = concept.concept_id
        if concept.definition:
            steps.append(TeachStep("definition", key, _definition_line(concept, marks, lang)))
        if concept.domains:
            named = ("、" if lang == "zh" else ", ").join(concept.domains)
            steps.append(TeachStep("domains", key, said.belongs_to.format(concept=concept.name, domains=named)))
        if chain.prerequisites:
            steps.append(TeachStep("prerequisites", key, said.prerequisites.format(concept=concept.name)))
        for known in chain.prerequisites:
            steps.append(TeachStep("prerequisite", known.concept_id, f"- {_definition_line(known, marks, lang)}"))
    return tuple(steps)


def teach(
    asked: Understanding,
    *,
    graph: ConceptGraph,
    snippets: Sequence[Entry],
    demonstrations: Sequence[Demonstration],
    course_title: str | None,
    budget: int,
    count: TokenCount = estimate_tokens,
    examples: int = 1,
    policy: Policy | None = None,
    whole: bool = False,
    without: Collection[TeachPart] = (),
) -> Teaching:
    """Algorithm 1: the reasoning over the question's concepts and the prompt `e + r + q`, within `budget` tokens.

    Too long, it loses in this order, the last of each first: demonstrations (of which `examples` are taken, the nearest
    first), snippets, prerequisites, concepts. The question and the policy always stay. Without concepts the prompt is
    ordinary chain of thought. `whole` snippets are not shortened: whoever chose them kept a budget of tokens.
    `without` leaves parts of the algorithm out.
    """
    chains = [] if "decomposition" in without else _chains(asked, graph)
    if "concept_prompts" in without:
        chains = [Chain(replace(one.concept, domains=()), ()) for one in chains]
    examples = 0 if "demonstrations" in without else examples
    nearest = list(sample_similar(asked.question, demonstrations, lang=asked.lang, kind=asked.kind, count=examples))
    kept = [one if whole else _shorten(one) for one in snippets]
    teaching = _compose(asked, chains, kept, nearest, course_title, policy)
    while sum(count(message.content) for message in teaching.messages) > budget and (nearest or kept or chains):
        if nearest:
            nearest.pop()
        else:
            _drop_one(chains, kept)
        teaching = _compose(asked, chains, kept, nearest, course_title, policy)
    return teaching


def _chains(asked: Understanding, graph: ConceptGraph) -> list[Chain]:
    """The question's concepts that there is something to teach about: a definition, or a prerequisite that has one."""
    found = []
    for concept in asked.concepts:
        before = [known for known in graph.prerequisites(concept.concept_id, least=LEAST_NEED) if known.definition]
        if concept.definition or before:
            found.append(Chain(concept, tuple(before[:MAX_PREREQUISITES])))
    return found[:MAX_CONCEPTS]


def _drop_one(chains: list[Chain], snippets: list[Entry]) -> None:
    place = next((place for place in reversed(range(len(chains))) if chains[place].prerequisites), None)
    if snippets:
        snippets.pop()
    elif place is not None:
        chains[place] = replace(chains[place], prerequisites=chains[place].prerequisites[:-1])
    else:
        chains.pop()


def _compose(
    asked: Understanding,
    chains: Sequence[Chain],
    snippets: Sequence[Entry],
    demonstrations: Sequence[Demonstration],
    course_title: str | None,
    policy: Policy | None,
) -> Teaching:
    evidence, shown = _number(chains, snippets)
    steps = reason(chains, evidence, asked.lang)
    reasoning = "\n".join(one.text for one in steps)
    notes = "\n".join(part for part in (reasoning, *(_evidence_line(one) for one in shown)) if part)
    template = TEACH if reasoning else THINK_NOTES if notes else THINK
    system = template.fill_system(course=of_course(course_title), language=answer_in(asked.lang))
    return Teaching(
        question=asked.question,
        lang=asked.lang,
        steps=steps,
        chains=tuple(chains),
        evidence=evidence,
        snippets=shown,
        demonstrations=tuple(demonstrations),
        messages=(
            Message("system", with_policy(system, policy)),
            *_examples(demonstrations, template),
            Message("user", template.fill(notes=notes, question=asked.question)),
        ),
        template=template.label,
    )


def _number(chains: Sequence[Chain], snippets: Sequence[Entry]) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...]]:
    """All evidence, and the snippets in it: definitions of the question's concepts first, of prerequisites last."""
    asked = [chain.concept for chain in chains]
    behind = [known for chain in chains for known in chain.prerequisites if known not in asked]
    definitions = [from_definition(number, concept) for number, concept in enumerate(_without_repeats(asked), 1)]
    shown = [from_entry(number, entry) for number, entry in enumerate(snippets, len(definitions) + 1)]
    first = len(definitions) + len(shown) + 1
    known = [from_definition(number, concept) for number, concept in enumerate(_without_repeats(behind), first)]
    return (*definitions, *shown, *known), tuple(shown)


def _examples(demonstrations: Sequence[Demonstration], template: Template) -> list[Message]:
    """e of Algorithm 1, as turns of a dialogue that went well; the nearest stands last, beside the question.

    With concepts the reasoning is given, as r is; in ordinary chain of thought (Wei et al. 2022) the answer has it.
    """
    found = []
    for one in reversed(demonstrations):
        if template is TEACH:
            found.append(Message("user", TEACH.fill(notes=one.reasoning, question=one.question)))
            found.append(Message("assistant", one.answer))
        else:
            found.append(Message("user", THINK.fill(question=one.question)))
            found.append(Message("assistant", f"{one.reasoning} {one.answer}"))
    return found


def _without_repeats(concepts: Sequence[GraphConcept]) -> list[GraphConcept]:
    return list({concept.concept_id: concept for concept in concepts if concept.definition}.values())


def _definition_line(concept: GraphConcept, marks: dict[str, str], lang: Lang) -> str:
    if not concept.definition:
        return concept.name
    colon = "：" if lang == "zh" else ": "
    definition = without_marks(concept.definition)
    return f"{marks.get(concept.concept_id, '')} {concept.name}{colon}{definition}".lstrip()


def _evidence_line(evidence: Evidence) -> str:
    return f"{evidence.mark} {without_marks(f'{evidence.title}: {evidence.text}')}".lstrip()


def _shorten(entry: Entry) -> Entry:
    flat = " ".join(entry.text.split())
    is_short = len(flat) <= SNIPPET_CHARACTERS
    return replace(entry, text=flat if is_short else flat[: SNIPPET_CHARACTERS - 1].rstrip() + "…")
