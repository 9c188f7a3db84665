"""The best defining sentence of each concept, from lectures first, then documents, then search replies.

Belongs here: reading the sources once, keeping the best of each concept, and choosing between sources. How well a
sentence defines is in `wordings.py`; passages for concepts that no sentence defines are in
`explanations.py`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.definitions.explanations import passages, role
from knowledge_graph.definitions.joining import joined
from knowledge_graph.definitions.neighbourhood import Neighbourhood, typicality
from knowledge_graph.definitions.sources import Said, of_course, of_snippets, windows
from knowledge_graph.definitions.wordings import acceptable, shown, wording
from knowledge_graph.matching import Match, TermMatcher
from knowledge_graph.records import DefinitionKind, Lang, Locator, Snippet
from knowledge_graph.text import Sentence

_ACCEPT = 0.45  # below it most sentences of a spoken course mention rather than define
_TYPICAL_BONUS = 0.25  # for a sentence that holds the words usually said beside the concept
_WORTH_KEEPING = _ACCEPT - _TYPICAL_BONUS
_KEPT = 8  # candidates of a concept and source
_SOURCES: tuple[DefinitionKind, ...] = ("subtitle", "document", "search")
_EXPLICIT = 0.6
"""A lecture's definition below this gives way to a better one in writing."""
_LONGEST = 1_000  # characters of a sentence that is looked at: speech never runs so long, noise does
_TITLE_BONUS = 0.15  # a concept is defined in the video that is named after it
_ACCEPT_EXPLANATION = 0.5  # a passage says less than a definition, so more is asked of it
_KINDS = frozenset("algorithm approach method problem procedure process technique".split())
_PLACES = 8  # mentions of a concept at which a passage may begin
_FIRST_BONUS, _HALVED_AFTER = 0.1, 4  # and where it is first spoken of: half the bonus after so many mentions


@dataclass(frozen=True)
class Definition:
    """A sentence that says what a concept is, and where it stands. `quality` orders candidates; about 0.5 to 1.3."""

    text: str
    kind: DefinitionKind
    locator: Locator
    quality: float


@dataclass(frozen=True, slots=True)
class _Place:
    """A mention with the sentence before its own and two behind it, and what the place is worth."""

    said: tuple[Said | None, Said, Said | None, Said | None]
    start: int
    end: int
    worth: float


def define(
    terms: TermMatcher,
    sentences: Iterable[Sentence],
    snippets: Iterable[Snippet],
    *,
    given: Mapping[str, str] | None = None,
) -> dict[str, Definition]:
    """The best definition of each concept that has one, by the matcher's key, from what lectures and documents say.

    `given` are definitions by people, by the same key: they win. Time is linear in the text; of each concept a few
    candidates of each source and the first places where something is said of it are held. A weak definition of the
    lecture gives way to an explicit one in writing; what nothing defines, a passage may explain.
    """
    beside = Neighbourhood()
    best: dict[tuple[str, DefinitionKind], list[Definition]] = {}
    looked_at = (sentence for sentence in sentences if len(sentence.text) <= _LONGEST)
    said = chain(of_course(looked_at), of_snippets(snippets))
    places: dict[str, list[_Place]] = {}
    for key, definition in _candidates(terms, said, beside, places):
        kept = best.setdefault((key, definition.kind), [])
        kept.append(definition)
        if len(kept) >= 2 * _KEPT:
            kept[:] = sorted(kept, key=_quality, reverse=True)[:_KEPT]
    found = _chosen(best, beside)
    _share(terms, set(places), found)
    found |= _explained({key: of_key for key, of_key in places.items() if key not in found}, beside)
    people = {key: Definition(text, "dataset", Locator(), 2.0) for key, text in sorted((given or {}).items()) if text}
    return found | people


def _quality(definition: Definition) -> float:
    return definition.quality


def _chosen(
    best: Mapping[tuple[str, DefinitionKind], Sequence[Definition]], beside: Neighbourhood
) -> dict[str, Definition]:
    """Of each concept the best of the first source that has an explicit definition, else of the first that has any."""
    found: dict[str, Definition] = {}
    for key in sorted({key for key, _ in best}):
        weights = beside.weights(key)
        lang: Lang = "zh" if key.startswith("zh:") else "en"
        of_sources = [
            max((_weighed(each, lang, weights) for each in best.get((key, kind), ())), key=_quality, default=None)
            for kind in _SOURCES
        ]
        good = [each for each in of_sources if each and each.quality >= _ACCEPT]
        explicit = [each for each in good if each.quality >= _EXPLICIT]
        if good:
            found[key] = (explicit or good)[0]
    return found


def _share(terms: TermMatcher, keys: Iterable[str], found: dict[str, Definition]) -> None:
    """ "Hashing" and "hashing algorithm" are one thing, and a word said twice is said once: what only one of such names
    has, both get.
    """
    for key in sorted(keys):
        name = key.partition(":")[2]
        alike = {" ".join(word for word, _ in groupby(name.split(" ")))} - {name}
        before, _, kind = name.rpartition(" ")
        alike |= {before} if kind in _KINDS else set()
        for other in (other for each in sorted(alike) for other in terms.owners(each)):
            if (other in found) != (key in found):
                taken = found[other] if other in found else found[key]
                found.setdefault(key, taken)
                found.setdefault(other, taken)


def _explained(places: Mapping[str, Sequence[_Place]], beside: Neighbourhood) -> dict[str, Definition]:
    """The best passage about each concept that explains enough."""
    found: dict[str, Definition] = {}
    for key in sorted(places):
        weights = beside.weights(key)
        passage = max((_weighed(each, "en", weights) for each in _passages(places[key])), key=_quality, default=None)
        if passage and passage.quality >= _ACCEPT_EXPLANATION:
            found[key] = passage
    return found


def _passages(places: Iterable[_Place]) -> Iterator[Definition]:
    for place in places:
        texts = tuple(each.text if each else "" for each in place.said)
        for passage in passages((texts[0], texts[1], texts[2], texts[3]), place.start, place.end):
            first, last = place.said[1 - passage.before], place.said[1 + passage.behind]
            if first and last:
                where = replace(first.locator, end_ms=last.locator.end_ms)
                yield Definition(passage.text, first.kind, where, passage.worth + place.worth)


def _weighed(definition: Definition, lang: Lang, weights: NDArray[np.float64]) -> Definition:
    typical = typicality(definition.text, lang, weights)
    return replace(definition, quality=round(definition.quality + _TYPICAL_BONUS * typical, 6))


def _candidates(
    terms: TermMatcher, said: Iterable[Said], beside: Neighbourhood, places: dict[str, list[_Place]]
) -> Iterator[tuple[str, Definition]]:
    mentions: Counter[str] = Counter()
    for previous, sentence, following, after in windows(said):
        matches = terms.find(sentence.text)
        for match in matches:
            for text, quality, where in _readings(previous, sentence, following, match):
                for key in match.keys:
                    total = quality + _bonus(key, sentence, mentions[key])
                    if total >= _WORTH_KEEPING and acceptable(text, sentence.lang):
                        yield key, Definition(text, sentence.kind, where, total)
            for key in match.keys:
                places.setdefault(key, [])
            room = sentence.lang == "en" and any(len(places[key]) < _PLACES for key in match.keys)
            speaks = room and role(sentence.text, match.start, match.end) > 0
            for key in match.keys:
                bonus = _bonus(key, sentence, mentions[key])
                if speaks and len(places[key]) < _PLACES:
                    window = (previous, sentence, following, after)
                    places[key].append(_Place(window, match.start, match.end, bonus))
            mentions.update(match.keys)
        if matches:
            beside.add(sentence.text, sentence.lang, sorted({key for match in matches for key in match.keys}))


def _readings(
    previous: Said | None, sentence: Said, following: Said | None, match: Match
) -> Iterator[tuple[str, float, Locator]]:
    """What the sentence, alone or with a neighbour, says of the term, how well, and where."""
    text, start, end = sentence.text, match.start, match.end
    found = wording(text, start, end, sentence.lang)
    if found.quality:
        yield shown(text, found, sentence.lang), found.quality, sentence.locator
    if sentence.lang != "en":
        return
    for both, quality, backwards in joined(
        previous.text if previous else "", text, following.text if following else "", start, end
    ):
        first, last = (previous, sentence) if backwards else (sentence, following)
        if first and last:
            yield both, quality, replace(first.locator, end_ms=last.locator.end_ms)


def _bonus(key: str, sentence: Said, mentions: int) -> float:
    name = key.partition(":")[2]
    titled = (name if sentence.lang == "zh" else f" {name} ") in sentence.title
    return _TITLE_BONUS * titled + _FIRST_BONUS / (1 + mentions / _HALVED_AFTER)
