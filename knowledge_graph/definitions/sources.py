"""The sentences in which definitions are looked for, of lectures, documents and search replies alike.

Belongs here: where a definition may begin, what stands beside it, and where it is. Which of them define is decided in
`define.py`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from knowledge_graph.definitions.cleaning import without_fillers
from knowledge_graph.lake.records import DefinitionKind, Lang, Locator, Snippet
from knowledge_graph.text.sentences import LectureSpan, normal_form, split_sentences

_CAPTION_END = re.compile(r"(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])")
_NEW_SENTENCE = re.compile(
    r" (?=我|你|让|这|那么|但|所以|因此|因为|如果|现在|然后|接下来|首先|举|例如|比如|下面|记住|提醒|在这|事实)"
)
_CLAUSE_AT_LEAST = 14  # characters before a caption line that may begin a new sentence
_CLAUSE = 60  # characters of a Chinese definition where captions carry no punctuation


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of any source, with what is needed to show where it stands."""

    text: str
    lang: Lang
    kind: DefinitionKind
    title: str
    """Normal form of the video's or document's title, with a space at both ends."""
    locator: Locator
    lecture: int | None = None
    """The lecture's place in the course; of writing, none."""


def windows(
    said: Iterable[SourceSentence],
) -> Iterator[tuple[SourceSentence | None, SourceSentence, SourceSentence | None, SourceSentence | None]]:
    """Each sentence with the one before and two behind it in the same video, document section or search reply."""
    before: SourceSentence | None = None
    now: SourceSentence | None = None
    following: SourceSentence | None = None
    for after in chain(said, (None, None)):
        if now is not None:
            yield _near(before, now), now, _near(following, now), _near(after, now)
        before, now, following = now, following, after


def _near(other: SourceSentence | None, sentence: SourceSentence) -> SourceSentence | None:
    return other if other and _place(other.locator) == _place(sentence.locator) else None


def _place(locator: Locator) -> tuple[object, ...]:
    return locator.video_id, locator.document, locator.page, locator.article, locator.url


def of_course(sentences: Iterable[LectureSpan]) -> Iterator[SourceSentence]:
    """What lectures and documents say."""
    for sentence in sentences:
        title = _title(sentence.video_title, sentence.lang)
        if sentence.document is not None:
            locator = Locator(document=sentence.document, page=sentence.page, article=sentence.article)
            yield SourceSentence(sentence.text, sentence.lang, "document", title, locator)
            continue
        for text in _clauses(sentence):
            locator = Locator(
                video_id=sentence.video_id,
                video_title=sentence.video_title,
                start_ms=sentence.start_ms,
                end_ms=sentence.end_ms,
            )
            yield SourceSentence(text, sentence.lang, "subtitle", title, locator, sentence.video_index)


def _clauses(sentence: LectureSpan) -> list[str]:
    """Where a definition may begin: the sentence, or any caption line of a Chinese one that carries no punctuation."""
    text = sentence.text
    if sentence.lang == "en":
        return [without_fillers(text)]
    if text[-1] in "。！？；!?":
        return [text]
    starts = [0, *(match.end() for match in _CAPTION_END.finditer(text))]
    return [text[start : _line_end(text, start)] for start in starts]


def _line_end(text: str, start: int) -> int:
    """The end of the caption line after which a new sentence begins, else of the last line within a clause's length."""
    limit = start + _CLAUSE
    begins = _NEW_SENTENCE.search(text, start + _CLAUSE_AT_LEAST, limit)
    if begins:
        return begins.start()
    space = text.rfind(" ", start + 1, limit)
    return len(text) if len(text) <= limit or space < 0 else space


@lru_cache(maxsize=256)
def _title(title: str, lang: Lang) -> str:
    return f" {normal_form(title, lang)} "


def of_snippets(snippets: Iterable[Snippet]) -> Iterator[SourceSentence]:
    for snippet in sorted(snippets, key=lambda snippet: (snippet.position, snippet.query, snippet.headline)):
        title = _title(snippet.headline, snippet.lang)
        for text in split_sentences(snippet.text, snippet.lang):
            yield SourceSentence(text, snippet.lang, "search", title, Locator(url=snippet.url))
