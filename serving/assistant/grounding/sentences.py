"""Sentences of answers and of evidence, with their places in the text, cut by `knowledge_graph.text.sentences`.

What is added here: offsets, lines (a list item is a sentence), initials ("William T. Anderson" is one piece) and, for
evidence, full stops that lost their space ("in 1906.The company").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from knowledge_graph.text.sentences import language_of, split_sentences
from serving.index.analysis import content_terms

_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_CITED = re.compile(r"\[\d{1,3}\]")
_LINE = re.compile(r"[^\n\r]+")
_MANY_STOPS = re.compile(r"[.!?…]{10,}")  # end no sentence, and would be searched in quadratic time
_INITIAL = re.compile(r"(?:^|[\s.])[A-Z]\.$")
_GLUED = re.compile(r"(?<=[a-z\d)\"”]{2}[.!?])(?=[\"“]?[A-Z][a-z])")


MOST_READ = 20_000
"""Characters of an answer that graders read: several times what a model may write. The rest is not graded. A choice."""


@dataclass(frozen=True)
class SentenceSpan:
    """One sentence: `text[start:end]` of what was cut, without space at either end."""

    start: int
    end: int
    text: str


def readable(text: str) -> str:
    """The text with each half of a character (a lone surrogate), which no tokenizer takes, as U+FFFD; same length."""
    return _HALF_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", text)


def blank_citations(text: str) -> str:
    """The text with each mark of a citation, such as [2], blanked: it is no number that anybody claims; same length."""
    return _CITED.sub(lambda mark: " " * len(mark.group()), text)


def split(text: str) -> tuple[SentenceSpan, ...]:
    """The sentences of an answer, in order; every character that is no space lies in exactly one."""
    lines = (line for line in _LINE.finditer(text) if not line.group().isspace())
    return tuple(piece for line in lines for piece in _of_line(line.group(), line.start()))


def split_evidence(text: str) -> list[str]:
    """The sentences of a piece of evidence, those cut apart whose full stop lost its space."""
    return [piece.text for stretch in _GLUED.split(text) for piece in split(stretch)]


def subject_terms(text: str) -> list[str]:
    """The distinct content terms of a text, sentence by sentence: Chinese is segmented in quadratic time."""
    return list(dict.fromkeys(term for piece in split(text) for term in content_terms(piece.text, strict=True)))


def _of_line(line: str, offset: int) -> Iterator[SentenceSpan]:
    at, start = 0, None
    plain = _MANY_STOPS.sub(lambda stops: "-" * len(stops.group()), line)
    for sentence in split_sentences(plain, language_of(line)):
        begin, at = _locate(line, sentence, at)
        start = begin if start is None else start
        if not _INITIAL.search(line[start:at]):
            yield SentenceSpan(offset + start, offset + at, line[start:at])
            start = None
    if start is not None:
        yield SentenceSpan(offset + start, offset + at, line[start:at])


def _locate(line: str, sentence: str, at: int) -> tuple[int, int]:
    """Where a sentence stands in its line, at or after `at`: its characters are the line's, only spaces differ."""
    wanted = len("".join(sentence.split()))
    while line[at].isspace():
        at += 1
    start = at
    while wanted:
        wanted -= not line[at].isspace()
        at += 1
    return start, at
