"""What people say of a course's graph, applied to what was extracted: concepts renamed, united, added and taken away.

Names are looked up each time, so an edit outlives a rebuild that finds other concepts. A teacher's word counts more
than a dataset's, a dataset's more than a seed's. A concept's id never changes: that of what was extracted, and of a
concept that only people name the normal form of its name. Renaming changes what is shown, so links and feedback stay.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import Concept, CourseCard, Lang, Statement
from knowledge_graph.sources.terms import fold_name
from knowledge_graph.statements.edits import ConceptEdits, GivenTerm, by_authority, rank_concepts
from knowledge_graph.statements.pairs import resolve_pairs
from knowledge_graph.text.sentences import has_cjk

__all__ = ["Applied", "GivenTerm", "apply_to_concepts", "collect_given_terms", "resolve_pairs"]


@dataclass(frozen=True)
class Applied:
    """The concepts in order of rank, and a problem for each edit that had no effect."""

    concepts: tuple[Concept, ...]
    problems: tuple[Problem, ...]


def collect_given_terms(statements: Iterable[Statement], card: CourseCard) -> tuple[GivenTerm, ...]:
    """The concepts that people name and no teacher rejects, a teacher's first, each group in order of its files.

    Extraction takes them as seeds, so that evidence is found for them; `apply_to_concepts` adds those it did not find.
    """
    ordered = by_authority(statements)
    rejected = {fold_name(each.subject) for each in ordered if each.kind == "no_concept"}
    aliases: dict[str, dict[str, None]] = {}
    named: dict[str, list[Statement]] = {}
    for each in ordered:
        if each.kind == "alias" and each.object and fold_name(each.object) not in rejected:
            aliases.setdefault(fold_name(each.subject), {})[each.object] = None
        elif each.kind == "concept" and fold_name(each.subject) not in rejected:
            named.setdefault(fold_name(each.subject), []).append(each)
    return tuple(_term(said, tuple(aliases.get(key, ())), card) for key, said in named.items())


def apply_to_concepts(concepts: Sequence[Concept], statements: Sequence[Statement], card: CourseCard) -> Applied:
    """The concepts as people want them: ranks 1..n, and no name or alias that two of them share.

    Terms are added first, then renamed, united, and last of all rejected. A rejected name that is only an alias is
    taken off its concept. With `concepts: given` of the card only concepts that people name are kept.
    """
    terms = collect_given_terms(statements, card)
    ordered = by_authority(statements)
    editing = ConceptEdits(card)
    for concept in sorted(concepts, key=lambda each: each.rank):
        editing.put(concept)
    editing.include(terms)
    for kind, edit in (("name", editing.rename), ("alias", editing.unite)):
        for statement in ordered:
            if statement.kind == kind:
                edit(statement)
    named = {fold_name(each.subject) for each in ordered if each.kind == "concept"}
    for statement in ordered:
        if statement.kind == "no_concept":
            editing.reject(statement, is_known=fold_name(statement.subject) in named)
    if card.concepts == "given":
        editing.keep_given()
    return Applied(tuple(rank_concepts(editing.concepts.values())), editing.problems())


def _term(said: Sequence[Statement], aliases: tuple[str, ...], card: CourseCard) -> GivenTerm:
    name = said[0].subject
    lang: Lang = "zh" if has_cjk(name) or card.lang == "zh" else "en"
    defining = next((each for each in said if each.definition), None)
    if defining is None:
        return GivenTerm(name, aliases, lang, None, None, said[0])
    return GivenTerm(name, aliases, lang, defining.definition, defining.given_by, said[0])
