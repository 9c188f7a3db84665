"""Texts as the catalogue expert compares them: lower case, lemmas, no stop words, no punctuation (Tulane 2.II).

The names of programs, classes and concepts stay whole: "Computer Science Major" gives `computer_science_major` and,
behind it, its lemmas. The paper adds the whole name "to the processed text output, rather than a stripped version";
here the lemmas are kept beside it. On 220 real course pages, asked for by their titles, TF-IDF finds .95 first with
both, .75 with lemmas alone and .70 with whole names alone; by titles that lack a word .68, .69 and .29, as every title
is a name. Passages and questions are prepared by the same code, or they could not be compared.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from knowledge_graph.text.lean_spacy import spacy  # first, isort: skip
from spacy.lang.zh.stop_words import STOP_WORDS
from spacy.tokens import Doc

from knowledge_graph.concepts.tagging import chinese_tagger, english_tagger
from knowledge_graph.lake.records import CatalogRecord, Concept, Lang, Passage, PreparedText
from knowledge_graph.text.matching import TermMatcher

_BATCH = 8
"""Texts a batch: of 5,000 characters each, 8 take 72 MB while they are tagged, at 9,300 words/s; 32 take 281 MB."""
_WORD = re.compile(r"[^\W_]+(?:[+#]+|(?:['’.,&][^\W_]+)*)")
"""What is left of a word without its punctuation: c++, 3.0, o'reilly. `_` is for names alone."""

_Words = list[tuple[int, str]]
"""Where a word begins in its text (0-based), and its lemma."""


def known_names(records: Iterable[CatalogRecord], concepts: Iterable[Concept] = ()) -> list[str]:
    """The names to keep whole, sorted: titles of programs, codes and titles of classes, concepts with their aliases."""
    names = {name for record in records for name in (record.title, record.code) if name}
    names |= {name for concept in concepts for name in (concept.name, *concept.aliases)}
    return sorted(names)


def name_matcher(names: Iterable[str]) -> TermMatcher:
    """Finds the names in a text by any case, hyphens and plural; each is known by its words joined with `_`."""
    return TermMatcher((whole, name) for name in sorted(set(names)) if (whole := "_".join(_bare(name))))


def prepare(text: str, lang: Lang, names: TermMatcher) -> str:
    """One text, such as a question, with its words parted by blanks; empty when it holds stop words alone.

    Raises `ModuleNotFoundError` when spaCy's English model is not installed.
    """
    return next(_prepared([text], lang, names))


def prepare_texts(passages: Sequence[Passage], names: Iterable[str]) -> list[PreparedText]:
    """Title and text of each passage, in the order of the passages. Raises as `prepare` does."""
    matcher = name_matcher(names)
    done: dict[tuple[Lang, str], str] = {}
    for lang in ("en", "zh"):
        texts = sorted({text for each in passages if each.lang == lang for text in (each.title, each.text)})
        done.update(zip([(lang, text) for text in texts], _prepared(texts, lang, matcher), strict=True))
    return [
        PreparedText(
            passage_id=passage.passage_id,
            course_id=passage.course_id,
            mode=passage.mode,
            title=done[passage.lang, passage.title],
            text=done[passage.lang, passage.text],
        )
        for passage in passages
    ]


def _prepared(texts: Sequence[str], lang: Lang, names: TermMatcher) -> Iterator[str]:
    found = _english(texts) if lang == "en" else map(_chinese, texts)
    for text, words in zip(texts, found, strict=True):
        yield _written(text, words, names)


def _written(text: str, words: _Words, names: TermMatcher) -> str:
    """The words in their order, each name before its first word; a name that is one of its words is written once."""
    known = set(words)
    wholes = [(match.start, min(match.keys)) for match in names.find(text)]
    pieces = [(start, 0, whole) for start, whole in wholes if (start, whole) not in known]
    pieces += [(start, 1, word) for start, word in words]
    return " ".join(piece for _, _, piece in sorted(pieces, key=lambda piece: piece[:2]))


def _english(texts: Sequence[str]) -> Iterator[_Words]:
    rules = _lemma_rules() if texts else ()
    # Lower case comes first, as in the paper: spaCy leaves "Majors" in a title as it is and makes "majors" "major".
    for doc in english_tagger().pipe(map(_lowered, texts), batch_size=_BATCH) if texts else ():
        for rule in rules:
            rule(doc)
        kept = (token for token in doc if not (token.is_stop or token.is_punct or token.is_space))
        yield [(token.idx, word) for token in kept for word in _bare(token.lemma_)]


@cache
def _lemma_rules() -> tuple[Callable[[Doc], Doc], ...]:
    """What turns the tagger's parts of speech into lemmas: two parts of the same model, over the same vocabulary."""
    tagger = english_tagger()
    unused = ["vocab", "tokenizer", "tok2vec", "tagger", "parser", "senter", "ner"]
    return tuple(rule for _, rule in spacy.load(tagger.path, vocab=tagger.vocab, exclude=unused).pipeline)


def _chinese(text: str) -> _Words:
    """jieba's words; Chinese words are their own lemmas. Stop words are spaCy's list."""
    found: _Words = []
    at = 0
    for word, _ in chinese_tagger().cut(text):
        if word not in STOP_WORDS:
            found += [(at, bare) for bare in _bare(word)]
        at += len(word)
    return found


def _bare(word: str) -> list[str]:
    return _WORD.findall(word.lower())


def _lowered(text: str) -> str:
    """Lower case, character for character, so that offsets stay those of the text."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)
