"""The concepts of one course while people's statements are applied to them; statements without effect are reported.

What one statement does to the concepts belongs here. The order of statements is in `applying.py`.
"""

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from knowledge_graph.graph.showing import GIVEN_CONFIDENCE, definition_to_show
from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import Concept, CourseCard, DefinitionKind, GivenBy, Lang, Span, Statement
from knowledge_graph.lake.schemas import MOST_EVIDENCE
from knowledge_graph.sources.bounded_report import TOLD_PER_KIND, BoundedTold
from knowledge_graph.sources.contradictions import clause
from knowledge_graph.sources.terms import fold_name
from knowledge_graph.sources.videos import natural_key
from knowledge_graph.text.sentences import normal_form

SPELLING = "Check the spelling, or remove the line if the course no longer speaks of it."
_AUTHORITY = {"teacher": 0, "dataset": 1, "seed": 2}
_COMPARED = 5_000
"""Known names that an unknown one is compared with, to suggest the one that was meant."""


@dataclass(frozen=True)
class GivenTerm:
    """A concept that people name, for extraction to look for; `definition` is the most authoritative one's."""

    name: str
    aliases: tuple[str, ...]
    lang: Lang
    definition: str | None
    defined_by: GivenBy | None
    statement: Statement
    """The most authoritative one that says it is a concept."""

    @property
    def concept_id(self) -> str:
        return f"{self.lang}:{normal_form(self.name, self.lang)}"

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


def by_authority(statements: Iterable[Statement]) -> list[Statement]:
    """The statements sorted by who gives them: teacher, dataset, seed; those of one giver keep their order."""
    return sorted(statements, key=lambda each: _AUTHORITY[each.given_by])


class UnknownNames:
    """Words the problem of a statement whose name no concept has; suggests a similar name for the first few of them."""

    def __init__(self) -> None:
        self._count = 0

    def message(self, statement: Statement, name: str, known: Callable[[], Iterable[str]]) -> str:
        """The problem in one sentence; `known` gives the names of the course's concepts, the likeliest first."""
        self._count += 1
        pool = islice(known(), _COMPARED) if self._count <= TOLD_PER_KIND else ()
        near = difflib.get_close_matches(name, list(pool), n=1)
        meant = f" (did you mean '{near[0]}'?)" if near else ""
        return f"No concept is called '{name}'{meant}: that {clause(statement)} has no effect."


@dataclass
class ConceptEdits:
    """The concepts of a course while they are edited, by id, and who is called what."""

    card: CourseCard
    log: BoundedTold = field(default_factory=BoundedTold)
    concepts: dict[str, Concept] = field(default_factory=dict)
    _called: dict[str, dict[str, None]] = field(default_factory=dict)
    """Folded name -> ids that it was given to; `find` asks them whether they still bear it."""
    _given: dict[str, None] = field(default_factory=dict)
    """Ids of the concepts that people name."""
    _unknown: UnknownNames = field(default_factory=UnknownNames)

    def put(self, concept: Concept) -> None:
        """Add a concept, or what has become of one."""
        self.concepts[concept.concept_id] = concept
        for name in _names(concept):
            self._called.setdefault(name, {})[concept.concept_id] = None

    def find(self, name: str) -> Concept | None:
        """The concept of that name: shown before alias, then the best ranked."""
        return min(
            self._bearers(name), key=lambda each: (fold_name(each.name) != fold_name(name), each.rank), default=None
        )

    def include(self, terms: Sequence[GivenTerm]) -> None:
        """Describe the terms that were found and add the others behind all concepts, seeds only to a given graph."""
        score = min((concept.score for concept in self.concepts.values()), default=1.0)
        last = max((concept.rank for concept in self.concepts.values()), default=0)
        for term in terms:
            known = next((found for name in term.names if (found := self.find(name))), None)
            known = known or self.concepts.get(term.concept_id)
            if known is None and term.statement.given_by == "seed" and self.card.concepts != "given":
                continue
            last += known is None
            new = apply_definition(known or _concept_without_mentions(term, self.card, last, score), term)
            self._put_given(new)
            if known is None and new.definition is None and term.statement.given_by == "teacher":
                message = f"'{term.name}' was added, but the course never says it and nothing defines it."
                self.tell(term.statement, message, "Give it a definition, or an alias that the lectures use.")

    def keep_given(self) -> None:
        """Take every concept away that nobody named."""
        self.concepts = {key: concept for key, concept in self.concepts.items() if key in self._given}
        if not self.concepts:
            message = "'concepts' is given, but no file names a concept of the course."
            self.log.problems.append(Problem("course.yaml", None, message, "Add concepts.jsonl or seeds.txt."))

    def rename(self, statement: Statement) -> None:
        """Show a concept under another name, which must be nobody else's."""
        old, new = self.find(statement.subject), str(statement.object)
        holder = self.find(new)
        if old is None:
            if holder is None:
                self.miss(statement)
        elif holder is not None and holder.concept_id != old.concept_id and fold_name(holder.name) == fold_name(new):
            message = f"'{new}' is the name of another concept; '{old.name}' was not renamed."
            self.tell(statement, message, "Unite the two with 'merge: {name to keep: [other]}'.")
        else:
            self._take_off(new, but=old.concept_id)
            self._put_given(_rename_shown(old, new))

    def unite(self, statement: Statement) -> None:
        """Give a name to a concept, together with what the concepts shown under it have gathered.

        Where only that name is known the concept is shown as the one to keep.
        """
        kept, name = self.find(statement.subject), str(statement.object)
        others = [each for each in self._bearers(name) if kept is None or each.concept_id != kept.concept_id]
        if kept is not None:
            for other in others:
                if fold_name(other.name) == fold_name(name):
                    kept = _unite(kept, self.concepts.pop(other.concept_id), self.card)
            self._take_off(name, but=kept.concept_id)
            self._put_given(replace(kept, aliases=_others((*kept.aliases, name), kept.name)))
        elif others:
            self._put_given(_rename_shown(min(others, key=lambda each: each.rank), statement.subject))
        elif statement.given_by == "teacher":
            self.miss(statement)

    def reject(self, statement: Statement, *, is_known: bool) -> None:
        """`is_known`: somebody else names it, so that it was meant even when it was not found."""
        bearers = self._bearers(statement.subject)
        rejected = [each for each in bearers if fold_name(each.name) == fold_name(statement.subject)]
        for concept in rejected:
            del self.concepts[concept.concept_id]
        if not rejected:
            self._take_off(statement.subject)
        if not bearers and not is_known:
            self.miss(statement)

    def miss(self, statement: Statement) -> None:
        """Tell that nothing is called as the statement says."""
        self.tell(statement, self._unknown.message(statement, statement.subject, self._all_names), SPELLING)

    def tell(self, statement: Statement, message: str, remedy: str) -> None:
        self.log.file = statement.file
        self.log.warning(statement.row, message, remedy)

    def problems(self) -> tuple[Problem, ...]:
        self.log.close()
        return tuple(self.log.problems)

    def _all_names(self) -> Iterator[str]:
        for each in sorted(self.concepts.values(), key=lambda each: each.rank):
            yield from (each.name, *each.aliases)

    def _put_given(self, concept: Concept) -> None:
        self.put(concept)
        self._given[concept.concept_id] = None

    def _bearers(self, name: str) -> list[Concept]:
        key = fold_name(name)
        alive = [self.concepts[each] for each in self._called.get(key, ()) if each in self.concepts]
        return [concept for concept in alive if key in _names(concept)]

    def _take_off(self, name: str, *, but: str | None = None) -> None:
        """Take an alias off every concept that bears it."""
        for concept in self._bearers(name):
            if concept.concept_id != but:
                kept = tuple(alias for alias in concept.aliases if fold_name(alias) != fold_name(name))
                self.put(replace(concept, aliases=kept))


def _concept_without_mentions(term: GivenTerm, card: CourseCard, rank: int, score: float) -> Concept:
    return Concept(
        course_id=card.course_id,
        concept_id=term.concept_id,
        name=term.name,
        aliases=_others(term.aliases, term.name),
        lang=term.lang,
        rank=rank,
        score=score,
        definition=None,
        definition_kind="none",
        definition_locator=None,
        domains=card.domains,
        mention_count=0,
        evidence=(),
        votes={},
    )


def apply_definition(concept: Concept, term: GivenTerm) -> Concept:
    """A teacher's definition replaces what was found; a dataset's or a seed's stands where nothing was."""
    votes = {**concept.votes, term.statement.given_by: 1}
    if term.definition is None or (concept.definition is not None and term.defined_by != "teacher"):
        return replace(concept, votes=votes)
    kind: DefinitionKind = "teacher" if term.defined_by == "teacher" else "dataset"
    return replace(
        concept,
        votes=votes,
        definition=term.definition,
        definition_kind=kind,
        definition_locator=None,
        definition_confidence=GIVEN_CONFIDENCE,
    )


def _rename_shown(concept: Concept, name: str) -> Concept:
    return replace(concept, name=name, aliases=_others((concept.name, *concept.aliases), name))


def _unite(kept: Concept, other: Concept, card: CourseCard) -> Concept:
    """`kept` with the names, counts and evidence of `other`, whose definition stands in where it has none to show."""
    defined = kept if definition_to_show(kept) or not (definition_to_show(other) or kept.definition is None) else other
    spans = tuple(dict.fromkeys((*kept.evidence, *other.evidence)))[:MOST_EVIDENCE]
    return replace(
        kept,
        aliases=_others((*kept.aliases, other.name, *other.aliases), kept.name),
        rank=min(kept.rank, other.rank),
        score=max(kept.score, other.score),
        definition=defined.definition,
        definition_kind=defined.definition_kind,
        definition_locator=defined.definition_locator,
        definition_confidence=defined.definition_confidence,
        domains=tuple(dict.fromkeys((*kept.domains, *other.domains))),
        mention_count=kept.mention_count + other.mention_count,
        evidence=tuple(sorted(spans, key=lambda span: _place(span, card))),
        votes={**other.votes, **kept.votes},
    )


def _place(span: Span, card: CourseCard) -> tuple[object, ...]:
    """Lecture order, documents last."""
    if span.video_id is None:
        return True, 0, natural_key(span.document or ""), span.page or 0
    order = card.video_order
    video = order.index(span.video_id) if span.video_id in order else len(order)
    return False, video, natural_key(span.video_id), span.start_ms or 0


def rank_concepts(concepts: Iterable[Concept]) -> Iterable[Concept]:
    """Best first, ranks from 1; a name that two concepts bear stays with the one it is shown for, else the better."""
    ordered = sorted(concepts, key=lambda each: (each.rank, each.concept_id))
    owners: dict[str, str] = {}
    for concept in ordered:
        owners.setdefault(fold_name(concept.name), concept.concept_id)
    for rank, concept in enumerate(ordered, 1):
        own = tuple(
            alias
            for alias in concept.aliases
            if owners.setdefault(fold_name(alias), concept.concept_id) == concept.concept_id
        )
        yield replace(concept, aliases=own, rank=rank)


def _others(names: Iterable[str], name: str) -> tuple[str, ...]:
    """The names beside `name`, sorted; of those that differ in case alone one."""
    spelled = {each.lower(): each for each in sorted(names, reverse=True)}
    return tuple(sorted(each for low, each in spelled.items() if low != name.lower()))


def _names(concept: Concept) -> set[str]:
    return {fold_name(name) for name in (concept.name, *concept.aliases)}
