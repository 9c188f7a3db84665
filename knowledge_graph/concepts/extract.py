"""The concepts of one course, ranked: candidates, aliases, definitions and evidence put together.

Belongs here: the order of the steps and the choice of what is kept. Each step has its own module.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence

from knowledge_graph.concepts.aliases import Term, merge
from knowledge_graph.concepts.candidates import collect
from knowledge_graph.concepts.definitions import Definition, define
from knowledge_graph.concepts.ranking import CourseCounts, scaled, score
from knowledge_graph.concepts.seeds import seed_terms
from knowledge_graph.concepts.tagging import TaggedSentence, tag
from knowledge_graph.matching import TermMatcher
from knowledge_graph.records import Concept, CourseCard, Cue, FaqEntry, Section, Snippet, Span
from knowledge_graph.text import Sentence, normal_form, sentences

_MOST, _FEWEST, _PER_VIDEO = 400, 40, 4
_POOL = 2  # candidates looked at closely (mentions, definitions) for each concept kept
_FLOOR = 0.3  # score below which a term is noise rather than a minor concept
_EVIDENCE = 5
_MIN_COUNTS = ((1_500, 1), (25_000, 2))  # up to so many words, so many occurrences make a candidate; beyond: 3


def extract_concepts(
    cues: Sequence[Cue],
    card: CourseCard,
    *,
    documents: Sequence[Section] = (),
    snippets: Sequence[Snippet] = (),
    faq: Sequence[FaqEntry] = (),
    limit: int | None = None,
) -> list[Concept]:
    """The course's concepts, best first, at most `limit` (default: `default_limit`); none when no noun is said."""
    spoken = sentences(cues)
    questions = [*(entry.question for entry in faq), *(snippet.query for snippet in snippets)]
    tagged = list(tag(spoken, seed_terms(spoken, questions)))
    course = _course_counts(tagged, questions)
    most = default_limit(course.videos) if limit is None else limit
    terms = merge(collect(tagged, _min_count(course.words)), spoken)
    pool = [term for _, term in _scored(terms, course, ())[: _POOL * most]]
    definitions = define(_matcher(pool), spoken, documents, snippets)
    ranked = [(value, term) for value, term in _scored(pool, course, definitions) if value >= _FLOOR][:most]
    mentions = _mentions(ranked, spoken)
    named = [(value, term) for value, term in ranked if term.concept_id in mentions]  # not only inside longer concepts
    return [
        _concept(card, rank, value, term, definitions.get(term.concept_id), mentions[term.concept_id])
        for rank, (value, term) in enumerate(named, 1)
    ]


def default_limit(videos: int) -> int:
    """How many concepts are kept of a course of so many videos."""
    return min(_MOST, _FEWEST + _PER_VIDEO * videos)


def _min_count(words: int) -> int:
    return next((count for up_to, count in _MIN_COUNTS if words <= up_to), 3)


def _course_counts(tagged: Sequence[TaggedSentence], questions: Iterable[str]) -> CourseCounts:
    raw: Counter[tuple[str, str]] = Counter()
    for item in tagged:
        raw.update((item.sentence.lang, word) for word in item.words)
    words: Counter[str] = Counter()
    for (lang, word), count in raw.items():
        words[normal_form(word, "zh" if lang == "zh" else "en")] += count
    titles = {(item.sentence.video_title, item.sentence.lang) for item in tagged}
    return CourseCounts(
        videos=len({item.sentence.video_id for item in tagged}),
        words=raw.total(),
        word_counts=words,
        titles=sorted(f" {normal_form(title, lang)} " for title, lang in titles),
        questions=sorted(f" {normal_form(question.strip('?？ '), 'en')} " for question in set(questions)),
    )


def _scored(terms: Iterable[Term], course: CourseCounts, defined: Container[str]) -> list[tuple[float, Term]]:
    """Best first; equal scores in order of concept id."""
    scored = [
        (scaled(score(term.candidate, course, defined=float(term.concept_id in defined))), term) for term in terms
    ]
    return sorted(scored, key=lambda item: (-item[0], item[1].concept_id))


def _matcher(terms: Iterable[Term]) -> TermMatcher:
    return TermMatcher((term.concept_id, name) for term in terms for name in term.names)


def _mentions(ranked: Iterable[tuple[float, Term]], spoken: Iterable[Sentence]) -> Mapping[str, list[Sentence]]:
    """The sentences that mention each concept, one entry a mention, in lecture order."""
    matcher = _matcher(term for _, term in ranked)
    found: defaultdict[str, list[Sentence]] = defaultdict(list)
    for sentence in spoken:
        for match in matcher.find(sentence.text):
            for key in match.keys:
                found[key].append(sentence)
    return found


def _concept(
    card: CourseCard, rank: int, value: float, term: Term, definition: Definition | None, mentions: Sequence[Sentence]
) -> Concept:
    return Concept(
        course_id=card.course_id,
        concept_id=term.concept_id,
        name=term.name,
        aliases=term.aliases,
        lang=term.candidate.lang,
        rank=rank,
        score=value,
        definition=definition.text if definition else None,
        definition_kind=definition.kind if definition else "none",
        definition_locator=definition.locator if definition else None,
        domains=card.domains or (card.subject or card.title,),
        mention_count=max(len(mentions), term.candidate.count),
        evidence=_evidence(term, mentions),
    )


def _evidence(term: Term, mentions: Sequence[Sentence]) -> tuple[Span, ...]:
    """The best mentions in lecture order: videos named after the term first, then where it is said most, then first."""
    per_video = Counter(sentence.video_id for sentence in mentions)
    per_sentence = Counter(mentions)
    name = f" {term.candidate.normal} "

    def fitness(sentence: Sentence) -> tuple[bool, int, int, int, int]:
        titled = name in f" {normal_form(sentence.video_title, sentence.lang)} "
        too_long = len(sentence.text) > 300
        return (not titled, too_long, -per_sentence[sentence], -per_video[sentence.video_id], sentence.video_index)

    best = sorted(per_sentence, key=lambda sentence: (*fitness(sentence), sentence.first_cue, sentence.start_ms))
    chosen = sorted(
        best[:_EVIDENCE], key=lambda sentence: (sentence.video_index, sentence.first_cue, sentence.start_ms)
    )
    return tuple(sentence.span() for sentence in chosen)
