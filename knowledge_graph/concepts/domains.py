"""D of LittleMu (eq. 5): the domains of a course where its card gives none, and those of each of its concepts.

No taxonomy is at hand without a network, so domains are counted, not understood: words of `academic_fields.py` in the
title, the subject and the names of the best concepts. A course that none of them fits has its subject or title as its
only domain, so that it is like itself and like no other. Give `domains` in `course.yaml` where this is too coarse.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from knowledge_graph.concepts.academic_fields import ACADEMIC_FIELDS, AcademicField
from knowledge_graph.lake.records import Concept, CourseCard
from knowledge_graph.sources.terms import fold_name
from knowledge_graph.text.matching import TermMatcher

CENTRAL = 100
"""Concepts, best first, whose names are looked at."""
_TITLE_WEIGHT = 10
"""Concepts that the title or subject weighs as much as: a person chose it to say what the course is about."""
_LEAST, _LEAST_SHARE = 3, 0.05
"""Floor: concepts that point to a field, and their share of those looked at. One or two may be examples."""
_BESIDE = 0.5
"""Share of the first field's weight from which on another is a domain, too."""
_MOST = 3

_BY_NAME = {fold_name(name): field for field in ACADEMIC_FIELDS for name in (field.en, field.zh)}


def infer_domains(card: CourseCard, concepts: Sequence[Concept]) -> tuple[str, ...]:
    """The course's domains: as its card gives them, else at most 3 fields in the course's language, weightiest first.

    A field weighs 1 for each of the 100 best concepts that is named with one of its words, and 10 for the title or
    subject. Below the floor it does not count. A subject that is given stays a domain beside the fields.
    """
    if card.domains:
        return card.domains
    weights = _weights(card, concepts)
    best = max(weights.values(), default=0)
    order = {field.en: place for place, field in enumerate(ACADEMIC_FIELDS)}
    fitting = sorted(
        (name for name, weight in weights.items() if weight >= _BESIDE * best), key=lambda n: (-weights[n], order[n])
    )
    fields = [_BY_NAME[fold_name(name)].name(card.lang) for name in fitting[:_MOST]]
    subject = [card.subject] if card.subject and fold_name(card.subject) not in map(fold_name, fields) else []
    return (*subject, *fields) or (card.title,)


def with_domains(concepts: Iterable[Concept], domains: Sequence[str]) -> list[Concept]:
    """The concepts with their domains: of a course of several fields those that a concept's own context speaks of.

    The context is its names, definition and evidence. A domain that is no known field is every concept's, and so are
    all when the context names none of them: belonging to a course is the better guess than belonging to nothing.
    """
    fields = {domain: _field_of(domain) for domain in domains}
    known = {field.en for field in fields.values() if field is not None}
    if len(known) < 2:
        return [replace(concept, domains=tuple(domains)) for concept in concepts]
    matcher = _matcher(field for field in ACADEMIC_FIELDS if field.en in known)
    return [replace(concept, domains=_find_supported_fields(concept, fields, matcher)) for concept in concepts]


def _find_supported_fields(
    concept: Concept, fields: dict[str, AcademicField | None], matcher: TermMatcher
) -> tuple[str, ...]:
    said = _fields_in(matcher, tuple(_context(concept)))
    if not said:
        return tuple(fields)
    return tuple(domain for domain, field in fields.items() if field is None or field.en in said)


def _context(concept: Concept) -> Iterator[str]:
    yield from (concept.name, *concept.aliases)
    yield concept.definition or ""
    yield from (span.text for span in concept.evidence)


def _weights(card: CourseCard, concepts: Sequence[Concept]) -> dict[str, int]:
    """English name of each field above the floor -> its weight."""
    matcher = _matcher(ACADEMIC_FIELDS)
    weights: Counter[str] = Counter()
    for field in _fields_in(matcher, (card.title, card.subject or "")):
        weights[field] += _TITLE_WEIGHT
    central = sorted(concepts, key=lambda concept: concept.rank)[:CENTRAL]
    for concept in central:
        weights.update(_fields_in(matcher, (concept.name, *concept.aliases)))
    floor = max(_LEAST, _LEAST_SHARE * len(central))
    return {field: weight for field, weight in weights.items() if weight >= floor}


def _fields_in(matcher: TermMatcher, texts: Iterable[str]) -> set[str]:
    """English names of the fields that the texts are called after or hold a word of."""
    found = {key for text in texts for match in matcher.find(text) for key in match.keys}
    return found | {field.en for text in texts if (field := _BY_NAME.get(fold_name(text))) is not None}


def _field_of(domain: str) -> AcademicField | None:
    """The field that a domain is, or is a part of by the words in its name."""
    if (field := _BY_NAME.get(fold_name(domain))) is not None:
        return field
    found = sorted(_fields_in(_matcher(ACADEMIC_FIELDS), (domain,)))
    return _BY_NAME[fold_name(found[0])] if len(found) == 1 else None


def _matcher(fields: Iterable[AcademicField]) -> TermMatcher:
    return TermMatcher((field.en, word) for field in fields for word in field.words)
