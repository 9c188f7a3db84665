"""Chain of Teach (LittleMu Algorithm 1): from concepts to a reasoning text and the prompt around it. Pure.

`Teaching.reasoning` is also what a student gets when no model can answer in their language or none answers at all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from knowledge_graph.graph import ConceptGraph
from knowledge_graph.graph_records import GraphConcept
from knowledge_graph.records import Lang
from knowledge_graph.study_path import LEAST_NEED
from serving.answering.demonstrations import Demonstration, sample_similar
from serving.answering.phrases import phrases
from serving.answering.prompts import TEACH, TEACH_QUESTION, THINK, THINK_NOTES, THINK_QUESTION, of_course
from serving.evidence import Evidence, from_definition, from_entry
from serving.index.schema import Entry
from serving.messages import Message
from serving.understanding.understand import Understanding

MAX_CONCEPTS = 4
MAX_PREREQUISITES = 3
SNIPPET_CHARACTERS = 320
"""Of a long snippet the beginning is shown: about 80 tokens of English."""

TokenCount = Callable[[str], int]


@dataclass(frozen=True)
class Chain:
    """A concept of the question with its prerequisites, the input of Algorithm 1's loop."""

    concept: GraphConcept
    prerequisites: tuple[GraphConcept, ...]


@dataclass(frozen=True)
class Teaching:
    """What is taught. `reasoning` is r of Algorithm 1; `evidence` everything in it, and every snippet, by number."""

    question: str
    lang: Lang
    reasoning: str
    chains: tuple[Chain, ...]
    evidence: tuple[Evidence, ...]
    snippets: tuple[Evidence, ...]
    demonstrations: tuple[Demonstration, ...]
    messages: tuple[Message, ...]

    @property
    def is_empty(self) -> bool:
        """Nothing to teach from: no concept with anything known of it, and no snippet."""
        return not self.reasoning and not self.snippets

    @property
    def material(self) -> str:
        """The teaching itself, for a student to read."""
        listed = [f"- {_cited(snippet)}" for snippet in self.snippets]
        parts = [self.reasoning, "\n".join([phrases(self.lang).from_material, *listed]) if listed else ""]
        return "\n\n".join(part for part in parts if part)


def estimate_tokens(text: str) -> int:
    """An upper estimate of a text's tokens: a third of its UTF-8 bytes (English runs at about a quarter)."""
    return len(text.encode()) // 3 + 1


def reason(chains: Sequence[Chain], evidence: Sequence[Evidence], lang: Lang) -> str:
    """r of Algorithm 1: each concept's definition, its domains, its prerequisites and their definitions.

    A definition carries its mark in `evidence`. What the graph does not know is left out, header and all.
    """
    marks = {one.evidence_id: one.mark for one in evidence}
    said = phrases(lang)
    lines = []
    for chain in chains:
        concept = chain.concept
        if concept.definition:
            lines.append(_defined(concept, marks, lang))
        if concept.domains:
            separator = "、" if lang == "zh" else ", "
            lines.append(said.belongs_to.format(concept=concept.name, domains=separator.join(concept.domains)))
        if chain.prerequisites:
            lines.append(said.prerequisites.format(concept=concept.name))
            lines.extend(f"- {_defined(known, marks, lang)}" for known in chain.prerequisites)
    return "\n".join(lines)


def teach(
    asked: Understanding,
    *,
    graph: ConceptGraph,
    snippets: Sequence[Entry],
    demonstrations: Sequence[Demonstration],
    course_title: str | None,
    budget: int,
    count: TokenCount = estimate_tokens,
) -> Teaching:
    """Algorithm 1: the reasoning over the question's concepts and the prompt `e + r + q`, within `budget` tokens.

    Too long, it loses in this order: demonstrations; snippets, the last first; prerequisites, the last first; concepts,
    the last first. The question always stays. Without concepts the prompt is ordinary chain of thought.
    """
    chains = _chains(asked, graph)
    nearest = sample_similar(asked.question, demonstrations, lang=asked.lang, kind=asked.kind)
    kept = list(snippets)
    teaching = _compose(asked, chains, kept, nearest, course_title)
    while sum(count(message.content) for message in teaching.messages) > budget:
        if nearest:
            nearest = ()
        elif not (kept or chains):
            break
        else:
            _drop_one(chains, kept)
        teaching = _compose(asked, chains, kept, nearest, course_title)
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
    demonstrations: tuple[Demonstration, ...],
    course_title: str | None,
) -> Teaching:
    evidence, shown = _number(chains, snippets)
    reasoning = reason(chains, evidence, asked.lang)
    system = (TEACH if reasoning else THINK).fill(course=of_course(course_title))
    question = _question(asked.question, reasoning, shown)
    return Teaching(
        question=asked.question,
        lang=asked.lang,
        reasoning=reasoning,
        chains=tuple(chains),
        evidence=evidence,
        snippets=shown,
        demonstrations=demonstrations,
        messages=(Message("system", system), *_examples(demonstrations), question),
    )


def _number(chains: Sequence[Chain], snippets: Sequence[Entry]) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...]]:
    """All evidence, and the snippets in it: definitions of the question's concepts first, of prerequisites last."""
    asked = [chain.concept for chain in chains]
    behind = [known for chain in chains for known in chain.prerequisites if known not in asked]
    definitions = [from_definition(number, concept) for number, concept in enumerate(_defined_once(asked), 1)]
    shown = [
        replace(from_entry(number, entry), text=_shorten(entry.text))
        for number, entry in enumerate(snippets, len(definitions) + 1)
    ]
    first = len(definitions) + len(shown) + 1
    known = [from_definition(number, concept) for number, concept in enumerate(_defined_once(behind), first)]
    return (*definitions, *shown, *known), tuple(shown)


def _examples(demonstrations: Sequence[Demonstration]) -> list[Message]:
    """e of Algorithm 1, as turns of a dialogue that went well."""
    found = []
    for one in demonstrations:
        found.append(Message("user", TEACH_QUESTION.fill(notes=one.reasoning, question=one.question)))
        found.append(Message("assistant", one.answer))
    return found


def _question(question: str, reasoning: str, snippets: Sequence[Evidence]) -> Message:
    """r and q of Algorithm 1; the snippets lie between them. The question comes last."""
    notes = "\n".join(part for part in (reasoning, *(_cited(one) for one in snippets)) if part)
    if reasoning:
        return Message("user", TEACH_QUESTION.fill(notes=notes, question=question))
    return Message("user", (THINK_NOTES if notes else THINK_QUESTION).fill(notes=notes, question=question))


def _defined_once(concepts: Sequence[GraphConcept]) -> list[GraphConcept]:
    return list({concept.concept_id: concept for concept in concepts if concept.definition}.values())


def _defined(concept: GraphConcept, marks: dict[str, str], lang: Lang) -> str:
    if not concept.definition:
        return concept.name
    colon = "：" if lang == "zh" else ": "
    return f"{marks.get(concept.concept_id, '')} {concept.name}{colon}{concept.definition}".lstrip()


def _cited(evidence: Evidence) -> str:
    return f"{evidence.mark} {evidence.title}: {evidence.text}".lstrip()


def _shorten(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= SNIPPET_CHARACTERS else flat[: SNIPPET_CHARACTERS - 1].rstrip() + "…"
