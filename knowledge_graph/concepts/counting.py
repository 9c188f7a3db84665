"""What counting finds of each candidate term: how often, where, beside what, and inside which longer terms.

Belongs here: the two passes over a tagged course. The first only notes places, in a few bytes each; the second looks
closely, at the terms that are frequent enough, so memory follows the number of words and not of distinct sequences.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence

from knowledge_graph.concepts.candidate import TermCandidate, spot
from knowledge_graph.concepts.candidates import Grammar, WordUse
from knowledge_graph.concepts.tagging import TaggedSentence
from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import normal_form

DOCUMENT_BLOCK, LECTURE_BLOCK = 40, 200
"""Sentences that count as one block: a stretch of a document, and a lecture of a quarter of an hour. A longer one
is cut, so that what is taught in its first hour stands out from the rest."""
_LARGEST_POOL = 20_000
"""Candidates looked at closely, the most frequent ones: what bounds memory in courses of thousands of videos."""
_NAMED_BY = frozenset("called call named termed dubbed 叫 叫做 叫作 称为 称作 称之为 所谓 名为 即".split())
_KNOWN = frozenset("known referred defined".split())
_IS = frozenset("is are means 是 指 就是 是指 指的".split())
_JOINS = frozenset("and or versus vs 和 与 或 及 、 以及 或者".split())
_NUMBER = "CD"
"""The Penn tag of a number."""
_MARKS = frozenset(".,;:!?\"'()[]{}…")
_ARTICLES = frozenset("a an the".split())


def collect(
    tagged: Sequence[TaggedSentence],
    use: WordUse,
    min_count: int,
    *,
    blocks: Sequence[int],
    seeds: Container[str] = (),
) -> dict[str, TermCandidate]:
    """All candidates that occur at least `min_count` times, or are `seeds` (by concept id), with nesting counted.

    `blocks` are those of the sentences, as `blocks_of` gives them.
    """
    noted = _Noted()
    grammar = Grammar(use)
    for at, item in enumerate(tagged):
        for first, stop in grammar.terms(item):
            noted.add(at, item, first, stop)
    wanted = noted.frequent(min_count, seeds)
    found: dict[str, TermCandidate] = {}
    for at, ranges in noted.by_sentence(wanted):
        _look(found, tagged[at], at, blocks[at], ranges)
    _count_nesting(found)
    return found


class _Noted:
    """Places of terms: four small numbers each, and one entry per distinct surface and term."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._surfaces: dict[Lang, dict[str, int]] = {"en": {}, "zh": {}}
        self._counts = array("I")
        self._places = array("I")

    def add(self, at: int, item: TaggedSentence, first: int, stop: int) -> None:
        lang = item.sentence.lang
        surface = item.sentence.text[item.starts[first] : item.starts[stop - 1] + len(item.words[stop - 1])]
        number = self._surfaces[lang].get(surface)
        if number is None:
            number = self._numbers.setdefault(f"{lang}:{normal_form(surface, lang)}", len(self._numbers))
            self._surfaces[lang][surface] = number
            if number == len(self._counts):
                self._counts.append(0)
        self._counts[number] += 1
        self._places.extend((number, at, first, stop))

    def frequent(self, min_count: int, seeds: Container[str]) -> dict[int, str]:
        """Terms to look at closely, by number: those said often enough and the seeds, at most the pool's size."""
        kept = [
            (self._counts[number], key)
            for key, number in self._numbers.items()
            if self._counts[number] >= min_count or key in seeds
        ]
        kept.sort(key=lambda item: (item[1] not in seeds, -item[0], item[1]))
        return {self._numbers[key]: key for _, key in sorted(kept[:_LARGEST_POOL], key=lambda item: item[1])}

    def by_sentence(self, wanted: Mapping[int, str]) -> Iterator[tuple[int, list[tuple[int, int, str]]]]:
        """Each sentence's place with the word ranges of the terms that are wanted."""
        ranges: list[tuple[int, int, str]] = []
        last = -1
        four = iter(self._places)
        for number, at, first, stop in zip(four, four, four, four, strict=True):
            if at != last:
                if ranges:
                    yield last, ranges
                ranges, last = [], at
            if number in wanted:
                ranges.append((first, stop, wanted[number]))
        if ranges:
            yield last, ranges


def blocks_of(tagged: Sequence[TaggedSentence]) -> list[int]:
    """The block of each sentence: a video, or a stretch of a long one or of a document."""
    numbers: dict[tuple[str, int], int] = {}
    run: Counter[str] = Counter()
    found = []
    for item in tagged:
        name = item.sentence.video_id
        part = run[name] // (LECTURE_BLOCK if item.sentence.document is None else DOCUMENT_BLOCK)
        run[name] += 1
        found.append(numbers.setdefault((name, part), len(numbers)))
    return found


def _look(
    found: dict[str, TermCandidate], item: TaggedSentence, at: int, block: int, ranges: list[tuple[int, int, str]]
) -> None:
    starts: dict[int, str] = {}
    longest: dict[int, int] = {}
    for first, stop, key in ranges:  # longer ranges come later, so the longest at each place stays
        starts[first] = key
        longest[first] = stop
    text = item.sentence.text
    reach = 0
    for first, stop, key in ranges:
        candidate = found.get(key) or found.setdefault(key, _new(key, item, first, stop))
        candidate.count += 1
        candidate.surfaces[text[item.starts[first] : item.starts[stop - 1] + len(item.words[stop - 1])]] += 1
        candidate.blocks[block] += 1
        candidate.spoken += item.sentence.document is None
        candidate.spots.append(spot(at, first, stop))
        candidate.first_tags[item.tags[first]] += 1
        if stop == longest[first] and stop > reach:
            candidate.alone += 1
            reach = stop
            _look_around(candidate, item, first, stop, starts)
        if item.tags[first].startswith("NNP") and item.tags[stop - 1].startswith("NNP"):
            candidate.proper += 1


def _new(key: str, item: TaggedSentence, first: int, stop: int) -> TermCandidate:
    lang, normal = item.sentence.lang, key.partition(":")[2]
    return TermCandidate(lang, normal, item.words[first:stop] if lang == "zh" else tuple(normal.split(" ")))


def _look_around(
    candidate: TermCandidate, item: TaggedSentence, first: int, stop: int, starts: Mapping[int, str]
) -> None:
    """What stands beside a whole noun phrase: wording that names it, "is", or another term in a list."""
    words = item.words
    before = first - 1
    candidate.cut_off += before >= 0 and _is_symbol(words[before])
    candidate.counted += before >= 0 and item.tags[before] == _NUMBER
    while before >= 0 and (words[before].isspace() or words[before].lower() in _ARTICLES):
        before -= 1
    left = words[before].lower() if before >= 0 else ""
    known_as = left in {"as", "to"} and before > 0 and words[before - 1].lower() in _KNOWN
    candidate.named += left in _NAMED_BY or known_as
    right = words[stop].lower() if stop < len(words) else ""
    candidate.subject += right in _IS and before < 0
    if right in _JOINS:
        after = stop + 1
        while after < len(words) and words[after].lower() in _ARTICLES:
            after += 1
        if after in starts:
            candidate.joined[starts[after]] += 1


def _is_symbol(word: str) -> bool:
    if not word.isascii() or word.isspace() or word[-1] in _MARKS:
        return False
    return not word[-1].isalpha() or (len(word) == 1 and word not in "aAI")


def _count_nesting(candidates: Mapping[str, TermCandidate]) -> None:
    """Fill `nested_count` and `containers` (T_a of the C-value paper) from the candidates that are kept."""
    inside: defaultdict[str, set[str]] = defaultdict(set)
    for key, longer in candidates.items():
        for size in range(1, len(longer.words)):
            for start in range(len(longer.words) - size + 1):
                part = longer.words[start : start + size]
                shorter = f"{longer.lang}:{('' if longer.lang == 'zh' else ' ').join(part)}".lower()
                if shorter in candidates:
                    inside[shorter].add(key)
    for shorter, containers in inside.items():
        candidates[shorter].containers = len(containers)
        counts = [candidates[key].count for key in containers]
        candidates[shorter].nested_count = sum(counts)
        candidates[shorter].largest_container = max(counts)
