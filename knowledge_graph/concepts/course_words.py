"""What measuring terms must know of the course as a whole: its words, how it uses them, what titles and people name.

Belongs here: one pass over the tagged course. What is made of it is in `features.py`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from knowledge_graph.concepts.candidates import WordUse
from knowledge_graph.concepts.tagging import TaggedSentence
from knowledge_graph.lake.records import LANGS, Lang
from knowledge_graph.text.sentences import normal_form

_LONGEST_TITLE = 12  # words of a title that are combined to names


@dataclass(frozen=True)
class Course:
    """What measuring must know of the course as a whole."""

    blocks: int
    """Videos, and stretches of documents."""
    words: int
    word_counts: Mapping[tuple[Lang, str], int]
    """Occurrences of each word of a term, in normal form."""
    spoken: bool
    """Whether it has lectures, and not documents alone."""
    use: WordUse
    titled: frozenset[tuple[Lang, str]]
    """Every name, in normal form, that a title contains."""
    asked: frozenset[tuple[Lang, str]]
    """The same of what people ask: FAQ questions and recorded search queries."""


def course_of(tagged: Sequence[TaggedSentence], use: WordUse, blocks: int, questions: Iterable[str]) -> Course:
    """Count words and read titles and questions once."""
    raw: Counter[tuple[Lang, str]] = Counter()
    for item in tagged:
        lang = item.sentence.lang
        raw.update((lang, word) for word in item.words)
    counts: Counter[tuple[Lang, str]] = Counter()
    for (lang, word), count in raw.items():
        for part in normal_form(word, lang).split(" "):  # "K-means" is two words of a term
            counts[lang, part] += count
    titles = {(item.sentence.lang, item.sentence.video_title) for item in tagged if item.sentence.document is None}
    asked = {(lang, question.strip("?？ ")) for question in questions for lang in LANGS}
    spoken = any(item.sentence.document is None for item in tagged)
    return Course(blocks, raw.total(), counts, spoken, use, frozenset(_names(titles)), frozenset(_names(asked)))


def _names(texts: Iterable[tuple[Lang, str]]) -> Iterable[tuple[Lang, str]]:
    """Every run of words, of characters in Chinese, that a term in one of the texts could be."""
    for lang, text in sorted(texts):
        normal = normal_form(text, lang)
        parts = list(normal) if lang == "zh" else normal.split(" ")
        glue = "" if lang == "zh" else " "
        for start in range(len(parts)):
            for stop in range(start + 1, min(len(parts), start + _LONGEST_TITLE) + 1):
                yield lang, glue.join(parts[start:stop])
