"""The concepts of one course, ranked: candidates, aliases, votes, definitions and evidence put together.

Belongs here: the order of the steps and the choice of what is kept. Each step has its own module.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from knowledge_graph.concepts.aliases import MergedTerm, merge
from knowledge_graph.concepts.candidate import unpack_spots
from knowledge_graph.concepts.candidates import word_use
from knowledge_graph.concepts.corpus import course_sentences
from knowledge_graph.concepts.counting import blocks_of, collect
from knowledge_graph.concepts.course_words import course_of
from knowledge_graph.concepts.facts import Facts, measure
from knowledge_graph.concepts.given_names import GivenNames, include
from knowledge_graph.concepts.introductions import find_introductions
from knowledge_graph.concepts.parses import Parses
from knowledge_graph.concepts.ranking import Ranked, likely, rank
from knowledge_graph.concepts.seeds import seed_terms
from knowledge_graph.concepts.subject import place
from knowledge_graph.concepts.tagging import TaggedSentence, tag
from knowledge_graph.definitions.define import Definition, define
from knowledge_graph.labelling.analysis import FunctionReport
from knowledge_graph.lake.records import LANGS, Concept, CourseCard, Cue, DocumentSection, FaqEntry, Snippet, Span
from knowledge_graph.lake.schemas import MOST_EVIDENCE
from knowledge_graph.statements.edits import GivenTerm
from knowledge_graph.text.matching import TermMatcher
from knowledge_graph.text.sentences import LectureSpan, normal_form
from knowledge_graph.threads import one_thread

_MOST, _FEWEST, _WORDS_EACH = 800, 70, 400
_LIKELY = 0.6
"""Probability from which a term is kept beyond what a course of that size has room for, up to twice as many: of two
Chinese courses of 62 and 56 it keeps 21 and 20 more, two thirds of them right. A choice."""
_FAIR = 0.3
"""The same for as many more as sentences introduce. A choice."""
_POOL = 1.5  # candidates that a definition is looked for, for each concept kept
_FLOOR = 0.01  # probability below which nothing speaks for a term
_MIN_COUNTS = ((1_500, 1), (400_000, 2), (1_500_000, 3))
"""Up to so many words, so many occurrences make a candidate; beyond: 5."""


@dataclass(frozen=True)
class Extraction:
    """The concepts, best first, and what each labelling function did."""

    concepts: tuple[Concept, ...]
    reports: tuple[FunctionReport, ...]


def extract_concepts(
    cues: Sequence[Cue],
    card: CourseCard,
    *,
    documents: Sequence[DocumentSection] = (),
    snippets: Sequence[Snippet] = (),
    faq: Sequence[FaqEntry] = (),
    terms: Sequence[GivenTerm] = (),
    limit: int | None = None,
    parses: Parses | None = None,
) -> Extraction:
    """The course's concepts, at most `limit` (default: `default_limit`) beside those given; none when no noun is said.

    `terms` are concepts that people name: they are kept wherever the text says them, and the others are measured by
    their nearness to them. `parses` keeps what the taggers found.
    """
    spoken, written = course_sentences(cues, documents)
    given = GivenNames(name for term in terms for name in term.names)
    questions = [*(entry.question for entry in faq), *(snippet.query for snippet in snippets)]
    whole = [*seed_terms([*spoken, *written], questions), *given.chinese]
    tagged = list(tag(chain(spoken, written), whole, parses=parses))
    people = {f"{lang}:{normal_form(name, lang)}" for name in card.instructors for lang in LANGS}
    facts = [each for each in _facts(tagged, questions, given) if each.term.concept_id not in people]
    words = sum(len(item.words) for item in tagged)
    most = default_limit(words) if limit is None else limit
    defined = _definitions(facts, int(_POOL * most), terms, [*spoken, *written], snippets)
    with one_thread():
        ranking = rank([replace(each, defined=each.term.concept_id in defined) for each in facts])
    kept = _keep_best(ranking.terms, most, beyond=most if limit is None else 0)
    concepts = _concepts(card, kept, [item.sentence for item in tagged], defined)
    return Extraction(tuple(concepts), ranking.reports)


def default_limit(words: int) -> int:
    """How many concepts are kept of a course of so many words: a lecture of 2,000 words adds five."""
    return min(_MOST, _FEWEST + words // _WORDS_EACH)


def _facts(tagged: Sequence[TaggedSentence], questions: Iterable[str], given: GivenNames) -> list[Facts]:
    """What is measured of every candidate."""
    use = word_use(tagged)
    words = sum(len(item.words) for item in tagged)
    blocks = blocks_of(tagged)
    introduced = GivenNames(find_introductions(tagged))
    known = GivenNames([*given.names, *introduced.names])
    candidates = collect(tagged, use, _min_count(words), blocks=blocks, seeds=known)
    include(candidates, tagged, blocks, known)
    terms = merge(candidates, [item.sentence for item in tagged])
    facts = measure(terms, course_of(tagged, use, len(set(blocks)), questions))
    with one_thread():
        return place(
            [replace(each, seed=given.covers(each.term), introduced=introduced.covers(each.term)) for each in facts]
        )


def _min_count(words: int) -> int:
    return next((count for up_to, count in _MIN_COUNTS if words <= up_to), 5)


def _definitions(
    facts: Sequence[Facts],
    most: int,
    terms: Iterable[GivenTerm],
    sentences: Sequence[LectureSpan],
    snippets: Sequence[Snippet],
) -> dict[str, Definition]:
    """Definitions of the terms that counting puts first, and of the seeds."""
    matcher = TermMatcher((each.term.concept_id, name) for each in likely(facts, most) for name in each.term.names)
    given = {term.concept_id: term.definition for term in terms if term.definition}
    return define(matcher, sentences, snippets, given=given)


def _keep_best(ranked: Sequence[Ranked], most: int, *, beyond: int = 0) -> list[Ranked]:
    """The best `most` above the floor, the likely ones of the `beyond` next, and every seed.

    A likely one that a sentence introduces takes no place of a fair one.
    """
    extra = sum(each.facts.introduced and each.probability >= _LIKELY for each in ranked[:most]) if beyond else 0
    floors = [_FLOOR] * most + [_FAIR] * extra + [_LIKELY] * (beyond - extra)
    best = [each for each, floor in zip(ranked, floors, strict=False) if each.probability >= floor]
    return [*best, *(each for each in ranked if each.facts.seed and each not in best)]


def _mentions(terms: Sequence[MergedTerm], sentences: Sequence[LectureSpan]) -> Mapping[str, list[LectureSpan]]:
    """The sentences that mention each concept, one entry a mention, in order; of overlapping terms the longest."""
    spots = [unpack_spots(term.candidate.spots) for term in terms]
    owners = np.repeat(np.arange(len(terms)), [len(each) for each in spots])
    rows = np.concatenate([np.zeros((0, 3), np.int64), *spots])
    order = np.lexsort((rows[:, 1], rows[:, 1] - rows[:, 2], rows[:, 0]))
    found: defaultdict[str, list[LectureSpan]] = defaultdict(list)
    last, taken = -1, set[int]()
    for at, first, stop, owner in zip(*rows[order].T.tolist(), owners[order].tolist(), strict=True):
        if at != last:
            last, taken = at, set()
        if first not in taken and stop - 1 not in taken:
            taken.update(range(first, stop))
            found[terms[owner].concept_id].append(sentences[at])
    return found


def _concepts(
    card: CourseCard, kept: Sequence[Ranked], sentences: Sequence[LectureSpan], defined: Mapping[str, Definition]
) -> Iterator[Concept]:
    """Those that are said somewhere, and not only inside a longer concept."""
    mentions = _mentions([each.facts.term for each in kept], sentences)
    named = [each for each in kept if each.facts.term.concept_id in mentions]
    for number, each in enumerate(named, 1):
        key = each.facts.term.concept_id
        yield _concept(card, number, each, defined.get(key), mentions[key])


def _concept(
    card: CourseCard, number: int, ranked: Ranked, definition: Definition | None, mentions: Sequence[LectureSpan]
) -> Concept:
    term = ranked.facts.term
    return Concept(
        course_id=card.course_id,
        concept_id=term.concept_id,
        name=term.name,
        aliases=term.aliases,
        lang=term.candidate.lang,
        rank=number,
        score=ranked.probability,
        definition=definition.text if definition else None,
        definition_kind=definition.kind if definition else "none",
        definition_locator=definition.locator if definition else None,
        definition_confidence=definition.confidence if definition else None,
        domains=(),  # those of the course are inferred from all of its concepts: see domains.py
        mention_count=max(len(mentions), term.candidate.count),
        evidence=_evidence(term, mentions),
        votes=ranked.votes,
    )


def _evidence(term: MergedTerm, mentions: Sequence[LectureSpan]) -> tuple[Span, ...]:
    """The best mentions in order: lectures before documents, videos named after the term, where it is said most."""
    per_video = Counter(sentence.video_id for sentence in mentions)
    per_sentence = Counter(mentions)
    places = {sentence: at for at, sentence in enumerate(per_sentence)}
    normal = term.candidate.normal
    name = normal if term.candidate.lang == "zh" else f" {normal} "

    def fitness(sentence: LectureSpan) -> tuple[bool, bool, bool, int, int, int]:
        titled = name in f" {normal_form(sentence.video_title, sentence.lang)} "
        written = sentence.document is not None
        too_long = len(sentence.text) > 300
        often, in_video = per_sentence[sentence], per_video[sentence.video_id]
        return (written, not titled, too_long, -often, -in_video, places[sentence])

    best = sorted(per_sentence, key=fitness)[:MOST_EVIDENCE]
    return tuple(sentence.span() for sentence in sorted(best, key=lambda sentence: places[sentence]))
