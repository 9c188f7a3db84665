"""The best defining sentence of each concept, from lectures first, then documents, then search replies.

Belongs here: how a definition is told from a mere mention, and how spoken sentences are cleaned. The wording patterns
are in `patterns.py`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowledge_graph.concepts.patterns import FILLERS, LEADS, PATTERNS, PENALTIES
from knowledge_graph.matching import TermMatcher
from knowledge_graph.records import DefinitionKind, Lang, Locator, Section, Snippet
from knowledge_graph.text import Sentence, normal_form, split_sentences

LENGTHS = {"en": (20, 350), "zh": (8, 200)}  # characters of a definition
_ACCEPT = 0.5
_REPEATED = re.compile(r"\b(\w+)(?:,? \1\b)+", re.IGNORECASE)
_SPACES = re.compile(r"\s+([,.;:!?])")
_CAPTION_END = re.compile(r"(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])")
_CAPTION_JOINT = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3400-\u9fff])")
_CLAUSE = 60  # characters of a Chinese definition where captions carry no punctuation
_TITLE_BONUS = 0.1  # a concept is defined in the video that is named after it


@dataclass(frozen=True)
class Definition:
    """A sentence that says what a concept is, and where it stands. `quality` orders candidates; about 0.5 to 1.3."""

    text: str
    kind: DefinitionKind
    locator: Locator
    quality: float


def defining_quality(text: str, start: int, end: int, lang: Lang) -> float:
    """How well `text` defines the term at `text[start:end]`; 0 when it only mentions it."""
    before, after = LEADS[lang].sub("", text[:start]), text[end:]
    best = max(
        (pattern.weight for pattern in PATTERNS[lang] if pattern.before.search(before) and pattern.after.match(after)),
        default=0.0,
    )
    if not best:
        return 0.0
    return best - sum(penalty * min(3, len(found.findall(text))) for found, penalty in PENALTIES[lang])


def clean_spoken(text: str, lang: Lang) -> str:
    """The sentence without its false start ("So, okay, …"), fillers and repeated words, capitalised and closed."""
    shown = LEADS[lang].sub("", text.strip())
    shown = FILLERS[lang].sub("", shown)
    if lang == "zh" and shown[-1:] in set("。！？；"):
        shown = _CAPTION_JOINT.sub("", shown)
    if lang == "en":
        shown = _REPEATED.sub(r"\1", shown)
    shown = _SPACES.sub(r"\1", " ".join(shown.split())).strip(" ,;-–")
    if not shown:
        return ""
    closed = shown if shown[-1] in ".!?。！？…" else shown + ("。" if lang == "zh" else ".")
    return closed[0].upper() + closed[1:]


def define(
    terms: TermMatcher, sentences: Iterable[Sentence], documents: Iterable[Section], snippets: Iterable[Snippet]
) -> dict[str, Definition]:
    """The best definition of each concept that has one, by the matcher's key."""
    found: dict[str, Definition] = {}
    for sentence in sentences:
        title = f" {normal_form(sentence.video_title, sentence.lang)} "
        for clause in _clauses(sentence):
            for key, quality in _qualities(terms, clause, sentence.lang):
                bonus = _TITLE_BONUS if key.partition(":")[2] in title else 0.0
                _keep(found, key, _from_lecture(sentence, clause, quality + bonus))
    _fill(found, terms, _document_sentences(documents), "document")
    _fill(found, terms, _snippet_sentences(snippets), "search")
    return found


def _qualities(terms: TermMatcher, text: str, lang: Lang) -> Iterable[tuple[str, float]]:
    for match in terms.find(text):
        quality = defining_quality(text, match.start, match.end, lang)
        if quality > 0:
            for key in match.keys:
                yield key, quality


def _keep(found: dict[str, Definition], key: str, definition: Definition | None) -> None:
    """Later sentences must be better, not just as good: the first definition in the course is the lecturer's."""
    if definition and (key not in found or definition.quality > found[key].quality + 1e-9):
        found[key] = definition


def _acceptable(text: str, lang: Lang, quality: float) -> bool:
    shortest, longest = LENGTHS[lang]
    return quality >= _ACCEPT and shortest <= len(text) <= longest


def _clauses(sentence: Sentence) -> list[str]:
    """Where a definition may begin: the sentence, or any caption line of a Chinese one that carries no punctuation."""
    text = sentence.text
    if sentence.lang == "en" or text[-1] in "。！？；!?":
        return [text]
    starts = [0, *(match.end() for match in _CAPTION_END.finditer(text))]
    return [text[start : _line_end(text, start)] for start in starts]


def _line_end(text: str, start: int) -> int:
    """The end of the last caption line that ends within a clause's length of `start`, or the text's own end."""
    limit = start + _CLAUSE
    space = text.rfind(" ", start + 1, limit)
    return len(text) if len(text) <= limit or space < 0 else space


def _from_lecture(sentence: Sentence, said: str, quality: float) -> Definition | None:
    text = clean_spoken(said, sentence.lang)
    if not _acceptable(text, sentence.lang, quality):
        return None
    locator = Locator(
        video_id=sentence.video_id,
        video_title=sentence.video_title,
        start_ms=sentence.start_ms,
        end_ms=sentence.end_ms,
    )
    return Definition(text, "subtitle", locator, quality)


def _fill(
    found: dict[str, Definition],
    terms: TermMatcher,
    written: Iterable[tuple[str, Lang, Locator]],
    kind: DefinitionKind,
) -> None:
    """Give the concepts that have no definition yet the best one from written text."""
    missing: dict[str, Definition] = {}
    for text, lang, locator in written:
        for key, quality in _qualities(terms, text, lang):
            if key not in found and _acceptable(text, lang, quality):
                _keep(missing, key, Definition(clean_spoken(text, lang), kind, locator, quality))
    found.update(missing)


def _document_sentences(documents: Iterable[Section]) -> Iterable[tuple[str, Lang, Locator]]:
    for section in documents:
        locator = Locator(document=section.document, page=section.page, article=section.article)
        for text in split_sentences(section.text, section.lang):
            yield text, section.lang, locator


def _snippet_sentences(snippets: Iterable[Snippet]) -> Iterable[tuple[str, Lang, Locator]]:
    ordered: Sequence[Snippet] = sorted(
        snippets, key=lambda snippet: (snippet.position, snippet.query, snippet.headline)
    )
    for snippet in ordered:
        for text in split_sentences(snippet.text, snippet.lang):
            yield text, snippet.lang, Locator(url=snippet.url)
