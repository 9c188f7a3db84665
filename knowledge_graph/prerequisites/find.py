"""The prerequisites of one course: mentions, measures, votes, probabilities, decisions and evidence put together.

Belongs here: the order of the steps and the records they end in. Each step has its own module.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from knowledge_graph.concepts.corpus import course_sentences
from knowledge_graph.graph.acyclic import Edge
from knowledge_graph.labelling.analysis import FunctionReport, analyse
from knowledge_graph.labelling.functions import VoteMatrix, apply
from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import GIVEN, Concept, CourseCard, Cue, DocumentSection, Prerequisite, Span, Statement
from knowledge_graph.prerequisites.combine import combine
from knowledge_graph.prerequisites.confidence import WeighedEdge, confidence, links, taught_later
from knowledge_graph.prerequisites.decide import EdgeDecision, ScoredPair, decide
from knowledge_graph.prerequisites.evidence import evidence
from knowledge_graph.prerequisites.measures import measure
from knowledge_graph.prerequisites.mentions import Mentions, find_mentions
from knowledge_graph.prerequisites.pairs import PairContext, candidate_pairs, pair_contexts
from knowledge_graph.prerequisites.statement_labels import Stated
from knowledge_graph.prerequisites.votes import FUNCTIONS
from knowledge_graph.statements.pairs import resolve_pairs
from knowledge_graph.text.sentences import LectureSpan
from knowledge_graph.threads import one_thread

MOST_CONCEPTS = 400
MOST_PAIRS = 20_000
_DIGITS = 6


@dataclass(frozen=True)
class Discovery:
    """What was found, how the labelling functions did, and which statements came to nothing."""

    prerequisites: tuple[Prerequisite, ...]
    """Most probable first; the accepted ones form a DAG."""
    reports: tuple[FunctionReport, ...]
    pairs: int
    """Ordered pairs that were voted on."""
    cut: float
    """Probability from which pairs were accepted."""
    problems: tuple[Problem, ...]


def find_prerequisites(
    concepts: Sequence[Concept],
    cues: Sequence[Cue],
    card: CourseCard,
    *,
    documents: Sequence[DocumentSection] = (),
    statements: Sequence[Statement] = (),
    most_concepts: int = MOST_CONCEPTS,
    most_pairs: int = MOST_PAIRS,
) -> Discovery:
    """Ordered pairs among `most_concepts` concepts, those people give and then the best, most probable first.

    Documents are read after the lectures. A pair is kept when it is accepted or a labelling function votes for it, up
    to `most_pairs`; pairs that a dataset gives are kept in any number. Accepted pairs carry evidence, but for those
    that people state of concepts the text does not mention; the others say why. What people state is among the votes.
    Accepted pairs also say how sure it is that they may be shown.
    """
    spoken, written = course_sentences(cues, documents)
    text = [*spoken, *written]
    resolved, problems = resolve_pairs(concepts, statements)
    stated = Stated(resolved)
    mentions = find_mentions(_choose(concepts, stated, most_concepts), text)
    with one_thread():
        opinion = _opinion(mentions, text, stated, most_pairs)
    decisions = decide(opinion.scored, cut=opinion.cut, stated=stated, most=most_pairs)
    accepted = {each.edge: each.probability for each in decisions if each.rejected_because is None}
    records = _Records(
        card,
        {one.concept_id: one for one in concepts},
        opinion.rows,
        mentions,
        text,
        stated,
        links(mentions, opinion.contexts(accepted), accepted),
        {cue.video_id: cue.video_index for cue in cues},
    )
    found = tuple(records.record(each, opinion.votes(each.edge)) for each in decisions)
    return Discovery(found, opinion.reports, len(opinion.scored), opinion.cut, problems)


def weigh_links(
    concepts: Sequence[Concept],
    cues: Sequence[Cue],
    edges: Mapping[Edge, float],
    *,
    documents: Sequence[DocumentSection] = (),
) -> dict[Edge, WeighedEdge]:
    """Edges with their probabilities as they are weighed: what the weights of `confidence.py` are fitted to."""
    spoken, written = course_sentences(cues, documents)
    text = [*spoken, *written]
    mentions = find_mentions(_choose(concepts, Stated({}), MOST_CONCEPTS), text)
    ids = [one.concept_id for one in mentions.concepts]
    with one_thread():
        measures = measure(mentions, text)
        pairs = candidate_pairs(measures)
        found = zip(pairs.a.tolist(), pairs.b.tolist(), pair_contexts(measures, pairs), strict=True)
        contexts = {(ids[a], ids[b]): context for a, b, context in found if (ids[a], ids[b]) in edges}
    return links(mentions, contexts, edges)


def _choose(concepts: Sequence[Concept], stated: Stated, most: int) -> list[Concept]:
    spoken_of = {end for edge in stated.by_teacher for end in edge}

    def order(one: Concept) -> tuple[bool, bool, int, str]:
        return one.concept_id not in spoken_of, not GIVEN & one.votes.keys(), one.rank, one.concept_id

    return sorted(concepts, key=order)[:most]


@dataclass(frozen=True)
class _Opinion:
    """What the labelling functions and the label model make of the pairs."""

    rows: Mapping[str, int]
    """By concept id, the row in the mentions."""
    places: Mapping[Edge, int]
    """By pair, the row in the votes."""
    matrix: VoteMatrix
    looked_at: Sequence[PairContext]
    scored: Sequence[ScoredPair]
    cut: float
    reports: tuple[FunctionReport, ...]

    def votes(self, edge: Edge) -> dict[str, int]:
        return self.matrix.cast(self.places[edge]) if edge in self.places else {}

    def contexts(self, edges: Iterable[Edge]) -> dict[Edge, PairContext]:
        return {edge: self.looked_at[self.places[edge]] for edge in edges if edge in self.places}


def _opinion(mentions: Mentions, text: Sequence[LectureSpan], stated: Stated, most: int) -> _Opinion:
    ids = [one.concept_id for one in mentions.concepts]
    rows = {concept_id: row for row, concept_id in enumerate(ids)}
    measures = measure(mentions, text)
    pairs = candidate_pairs(measures, [(rows[a], rows[b]) for a, b in stated.pairs if a in rows and b in rows])
    edges = [(ids[a], ids[b]) for a, b in zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)]
    contexts = pair_contexts(measures, pairs)
    matrix = apply(FUNCTIONS, contexts)
    combined = combine(matrix, pairs, size=len(ids), most=most, gold=stated.labels(edges))
    values = combined.probabilities.round(_DIGITS).tolist()
    supported = (matrix.votes == 1).any(axis=1).tolist()
    return _Opinion(
        rows=rows,
        places={edge: place for place, edge in enumerate(edges)},
        matrix=matrix,
        looked_at=contexts,
        scored=[ScoredPair(*each) for each in zip(edges, values, supported, strict=True)],
        cut=round(combined.cut, _DIGITS),
        reports=analyse(matrix, combined.probabilities),
    )


@dataclass(frozen=True)
class _Records:
    """From decisions to records with evidence."""

    card: CourseCard
    concepts: Mapping[str, Concept]
    rows: Mapping[str, int]
    mentions: Mentions
    text: Sequence[LectureSpan]
    stated: Stated
    links: Mapping[Edge, WeighedEdge]
    lectures: Mapping[str, int]
    """By video id."""

    def record(self, decision: EdgeDecision, votes: dict[str, int]) -> Prerequisite:
        before, after = decision.edge
        accepted = decision.rejected_because is None
        return Prerequisite(
            course_id=self.card.course_id,
            prerequisite_id=before,
            concept_id=after,
            prerequisite=self.concepts[before].name,
            concept=self.concepts[after].name,
            probability=decision.probability,
            accepted=accepted,
            rejected_because=decision.rejected_because,
            votes=votes | self.stated.votes(decision.edge),
            evidence=self._evidence(decision.edge) if accepted else (),
            confidence=self._confidence(decision) if accepted else None,
        )

    def _confidence(self, decision: EdgeDecision) -> float:
        """The probability of an edge that people state; 0 if it is taught in the wrong order; else `confidence`."""
        before, after = (self.concepts[end] for end in decision.edge)
        if self.stated.label(decision.edge) or decision.edge not in self.links:
            return decision.probability
        if taught_later(before, after, self.lectures):
            return 0.0
        return confidence(self.links[decision.edge])

    def _evidence(self, edge: Edge) -> tuple[Span, ...]:
        """From the text; for concepts it does not mention, where one of them was found, if anywhere."""
        before, after = edge
        if before in self.rows and after in self.rows:
            return evidence(self.rows[before], self.rows[after], self.mentions, self.text)
        return (*self.concepts[after].evidence, *self.concepts[before].evidence)[:1]
