"""The best defining sentence of each concept, from lectures first, then documents, then search replies.

Belongs here: reading the sources once, keeping the best of each concept, and choosing between sources. How well a
sentence defines is in `wordings.py`, how sure it is that it may be shown in `confidence.py`; passages for concepts
that no sentence defines are in `explanations.py`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.definitions.confidence import Saying, Setting, confidence
from knowledge_graph.definitions.explanations import passages, role
from knowledge_graph.definitions.joining import join_neighbours
from knowledge_graph.definitions.neighbourhood import Neighbourhood, typicality
from knowledge_graph.definitions.sources import SourceSentence, of_course, of_snippets, windows
from knowledge_graph.definitions.wordings import acceptable, extract_definition, wording
from knowledge_graph.graph.showing import DEFINITION_FROM, GIVEN_CONFIDENCE
from knowledge_graph.lake.records import DefinitionKind, Lang, Locator, Snippet
from knowledge_graph.text.matching import Match, TermMatcher
from knowledge_graph.text.sentences import LectureSpan

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
_JOINED, _PASSAGE = 0.74, 0.5  # weights of two sentences together and of a passage, beside those of the wordings
_BORROWED = 0.5  # of the confidence of another name's definition: of 15 that were read 7 were right


@dataclass(frozen=True)
class Definition:
    """A sentence that says what a concept is, and where it stands. `quality` orders candidates; about 0.5 to 1.3."""

    text: str
    kind: DefinitionKind
    locator: Locator
    quality: float
    confidence: float = 0.0
    """How sure it is that the text may be shown as the answer to "What is it?", 0..1."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A mention with the sentence before its own and two behind it."""

    said: tuple[SourceSentence | None, SourceSentence, SourceSentence | None, SourceSentence | None]
    start: int
    end: int
    setting: Setting


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a sentence, alone or with a neighbour, says of a term, how well, and where."""

    text: str
    quality: float
    locator: Locator
    weight: float
    joined: bool = False


class _Mentioned:
    """How often each concept has been spoken of so far, and in which lecture first."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, int] = {}

    def setting(self, key: str, sentence: SourceSentence) -> Setting:
        name = key.partition(":")[2]
        titled = (name if sentence.lang == "zh" else f" {name} ") in sentence.title
        later = 0 if sentence.lecture is None else sentence.lecture - self._first.get(key, sentence.lecture)
        return Setting(titled, self._counts[key], later)

    def add(self, keys: Iterable[str], sentence: SourceSentence) -> None:
        for key in keys:
            self._counts[key] += 1
            if sentence.lecture is not None:
                self._first.setdefault(key, sentence.lecture)


def define(
    terms: TermMatcher,
    sentences: Iterable[LectureSpan],
    snippets: Iterable[Snippet],
    *,
    given: Mapping[str, str] | None = None,
) -> dict[str, Definition]:
    """The best definition of each concept that has one, by the matcher's key, from what lectures and documents say.

    `given` are definitions by people, by the same key: they win. Time is linear in the text; of each concept a few
    candidates of each source and the first places where something is said of it are held. Of candidates that are sure
    enough to be shown the surest of the first source wins. Where there is none, the best wording stays, unsure as it
    is: a weak one of the lecture gives way to an explicit one in writing; what nothing defines, a passage may explain.
    """
    beside = Neighbourhood()
    best: dict[tuple[str, DefinitionKind], list[Definition]] = {}
    surest: dict[tuple[str, DefinitionKind], Definition] = {}
    places: dict[str, list[_Place]] = {}
    for key, definition, _ in _candidates(terms, _source_sentences(sentences, snippets), beside, places):
        kept = best.setdefault((key, definition.kind), [])
        kept.append(definition)
        if len(kept) >= 2 * _KEPT:
            kept[:] = sorted(kept, key=_quality, reverse=True)[:_KEPT]
        _keep_surest(surest, key, definition)
    explained = _best_explanations(places, beside, surest)
    found = _choose(best, beside) | _sure(surest)
    _share(terms, set(places), found)
    people = {
        key: Definition(text, "dataset", Locator(), 2.0, GIVEN_CONFIDENCE)
        for key, text in sorted((given or {}).items())
        if text
    }
    return explained | found | people


def sayings(
    terms: TermMatcher, sentences: Iterable[LectureSpan], snippets: Iterable[Snippet]
) -> Iterator[tuple[str, Saying]]:
    """Every candidate of every concept, as it is weighed: what the weights of `confidence.py` are fitted to."""
    places: dict[str, list[_Place]] = {}
    for key, _, saying in _candidates(terms, _source_sentences(sentences, snippets), Neighbourhood(), places):
        yield key, saying
    for key in sorted(places):
        yield from ((key, saying) for _, saying in _passages(places[key]))


def _source_sentences(sentences: Iterable[LectureSpan], snippets: Iterable[Snippet]) -> Iterator[SourceSentence]:
    looked_at = (sentence for sentence in sentences if len(sentence.text) <= _LONGEST)
    return chain(of_course(looked_at), of_snippets(snippets))


def _quality(definition: Definition) -> float:
    return definition.quality


def _keep_surest(surest: dict[tuple[str, DefinitionKind], Definition], key: str, definition: Definition) -> None:
    known = surest.get((key, definition.kind))
    if known is None or definition.confidence > known.confidence:
        surest[key, definition.kind] = definition


def _sure(surest: Mapping[tuple[str, DefinitionKind], Definition]) -> dict[str, Definition]:
    """For each concept, the surest definition of the first source that has one fit to be shown."""
    found: dict[str, Definition] = {}
    for kind in _SOURCES:
        for key, of_kind in sorted(surest):
            one = surest[key, of_kind]
            if of_kind == kind and one.confidence >= DEFINITION_FROM:
                found.setdefault(key, one)
    return found


def _choose(
    best: Mapping[tuple[str, DefinitionKind], Sequence[Definition]], beside: Neighbourhood
) -> dict[str, Definition]:
    """For each concept, the best definition of the first source with an explicit one, else of the first with any."""
    found: dict[str, Definition] = {}
    for key in sorted({key for key, _ in best}):
        weights = beside.weights(key)
        lang: Lang = "zh" if key.startswith("zh:") else "en"
        of_sources = [
            max(
                (_with_typicality(each, lang, weights) for each in best.get((key, kind), ())),
                key=_quality,
                default=None,
            )
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
                borrowed = replace(taken, confidence=_BORROWED * taken.confidence)
                found.setdefault(key, borrowed)
                found.setdefault(other, borrowed)


def _best_explanations(
    places: Mapping[str, Sequence[_Place]],
    beside: Neighbourhood,
    surest: dict[tuple[str, DefinitionKind], Definition],
) -> dict[str, Definition]:
    """The best passage about each concept that explains enough; one surer than all sentences is kept in `surest`."""
    found: dict[str, Definition] = {}
    for key in sorted(places):
        weights = beside.weights(key)
        best: Definition | None = None
        for passage, _ in _passages(places[key]):
            _keep_surest(surest, key, passage)
            weighed = _with_typicality(passage, "en", weights)
            best = weighed if best is None or weighed.quality > best.quality else best
        if best and best.quality >= _ACCEPT_EXPLANATION:
            found[key] = best
    return found


def _passages(places: Iterable[_Place]) -> Iterator[tuple[Definition, Saying]]:
    for place in places:
        texts = tuple(each.text if each else "" for each in place.said)
        own = place.said[1]
        for passage in passages((texts[0], texts[1], texts[2], texts[3]), place.start, place.end):
            first, last = place.said[1 - passage.before], place.said[1 + passage.behind]
            if first and last:
                where = replace(first.locator, end_ms=last.locator.end_ms)
                term = own.text[place.start : place.end]
                saying = Saying(passage.text, term, own.lang, own.kind, _PASSAGE, place.setting)
                worth = passage.worth + _bonus(place.setting)
                yield Definition(passage.text, own.kind, where, worth, confidence(saying)), saying


def _with_typicality(definition: Definition, lang: Lang, weights: NDArray[np.float64]) -> Definition:
    typical = typicality(definition.text, lang, weights)
    return replace(definition, quality=round(definition.quality + _TYPICAL_BONUS * typical, 6))


def _candidates(
    terms: TermMatcher, said: Iterable[SourceSentence], beside: Neighbourhood, places: dict[str, list[_Place]]
) -> Iterator[tuple[str, Definition, Saying]]:
    mentioned = _Mentioned()
    for previous, sentence, following, after in windows(said):
        matches = terms.find(sentence.text)
        for match in matches:
            settings = {key: mentioned.setting(key, sentence) for key in match.keys}
            for reading in _readings(previous, sentence, following, match):
                yield from _worth_keeping(reading, sentence, sentence.text[match.start : match.end], settings)
            _keep_place((previous, sentence, following, after), match, settings, places)
            mentioned.add(match.keys, sentence)
        if matches:
            beside.add(sentence.text, sentence.lang, sorted({key for match in matches for key in match.keys}))


def _worth_keeping(
    reading: _Reading, sentence: SourceSentence, term: str, settings: Mapping[str, Setting]
) -> Iterator[tuple[str, Definition, Saying]]:
    for key, setting in settings.items():
        total = reading.quality + _bonus(setting)
        if total >= _WORTH_KEEPING and acceptable(reading.text, sentence.lang):
            saying = Saying(
                reading.text, term, sentence.lang, sentence.kind, reading.weight, setting, joined=reading.joined
            )
            yield key, Definition(reading.text, sentence.kind, reading.locator, total, confidence(saying)), saying


def _keep_place(
    window: tuple[SourceSentence | None, SourceSentence, SourceSentence | None, SourceSentence | None],
    match: Match,
    settings: Mapping[str, Setting],
    places: dict[str, list[_Place]],
) -> None:
    sentence = window[1]
    for key in match.keys:
        places.setdefault(key, [])
    room = sentence.lang == "en" and any(len(places[key]) < _PLACES for key in match.keys)
    if room and role(sentence.text, match.start, match.end) > 0:
        for key in match.keys:
            if len(places[key]) < _PLACES:
                places[key].append(_Place(window, match.start, match.end, settings[key]))


def _readings(
    previous: SourceSentence | None, sentence: SourceSentence, following: SourceSentence | None, match: Match
) -> Iterator[_Reading]:
    text, start, end = sentence.text, match.start, match.end
    found = wording(text, start, end, sentence.lang)
    if found.quality:
        yield _Reading(extract_definition(text, found, sentence.lang), found.quality, sentence.locator, found.weight)
    if sentence.lang != "en":
        return
    for both, quality, backwards in join_neighbours(
        previous.text if previous else "", text, following.text if following else "", start, end
    ):
        first, last = (previous, sentence) if backwards else (sentence, following)
        if first and last:
            where = replace(first.locator, end_ms=last.locator.end_ms)
            yield _Reading(both, quality, where, _JOINED, joined=True)


def _bonus(setting: Setting) -> float:
    return _TITLE_BONUS * setting.titled + _FIRST_BONUS / (1 + setting.mentions / _HALVED_AFTER)
