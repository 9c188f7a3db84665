"""`CourseMaterialIndex`: what an index version and the lectures hold, looked up once for a question, ready to compose
from."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.records import Lang, Mode
from knowledge_graph.text.invisible import visible
from knowledge_graph.text.layout import CELLS, LayoutBlock, code_lines, split_written_sentences
from knowledge_graph.text.sentences import language_of, split_sentences
from knowledge_graph.transcripts.sentences import LectureSentence
from models.embedding.embedder import EmbeddingFailed, TokenEmbedder, Tokens
from serving.assistant.composing.cues import REMEMBERED, is_of_a_sum, withdraws, wording_of, wording_of_written
from serving.assistant.composing.fragments import is_fragment
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.reply_cues import (
    ASKS_WHETHER,
    GIVES_REASON,
    REPLIES,
    asks_why_of_something,
    rejects,
)
from serving.assistant.guardrails.escaping import without_marks
from serving.assistant.guardrails.origin import mark_unconfirmed
from serving.assistant.retrieval.fusion import normalise_scores
from serving.assistant.retrieval.lookup import Dense
from serving.index.evidence import Evidence, from_entry
from serving.index.schema import Entry, sentence_id
from serving.index.search import SearchIndex

Vector = NDArray[np.float32]

PASSAGES = 14
"""Passages found by words, and as many by meaning, whose sentences are looked at."""

READ_ON_MS = 40_000
"""How far sentences are read on beyond the end of a passage: an answer may run over it. A choice."""

MOST_READ_BACK = 2
"""Sentences before a passage that are read with its first one, each because the one behind it leans on it. A choice."""

_LEAST_COSINE, _MOST_COSINE = 0.1, 0.75
"""Between which a cosine of all-MiniLM is stretched to 0..1: unrelated text lies at the one, paraphrases at the
other."""


@dataclass(frozen=True)
class MaterialLine:
    """One sentence of a piece, fit to be shown."""

    text: str
    start_ms: int | None = None
    end_ms: int | None = None
    meaning: float = 0.0
    """How near it is to the question in meaning, 0..1; that of its whole piece where it has no vector of its own."""
    token_cosines: tuple[float, ...] = ()
    """The largest cosine of each token of the question with one of its own, or of its whole piece; empty where tokens
    are not compared."""
    continued: str | None = None
    """How it reads after the line before, where that is another text."""
    after_gap: bool = False
    """Whether what stands right before it is not shown."""
    block: LayoutBlock | None = None
    """The item of a list, the code or the table that it is, the paragraph that it begins; `None` for another
    sentence."""

    @property
    def is_sentence(self) -> bool:
        return self.block is None or self.block.kind == "paragraph"

    @property
    def is_item(self) -> bool:
        return self.block is not None and self.block.kind == "item"

    @property
    def is_code(self) -> bool:
        return self.block is not None and self.block.kind == "code"


def join_material_lines(lines: Sequence[MaterialLine], lang: Lang) -> str:
    """Neighbouring lines as one text: items, code and rows on lines of their own, sentences behind each other, each as
    it continues the one before; no space between Chinese ones."""
    text, before = "", None
    above = lines[0].block.level if lines and lines[0].block is not None else 0
    for line in lines:
        said = (before and line.continued) or line.text
        said = said if line.block is None or line.is_sentence else _write_block(line.block, said, above)
        if before is not None:
            text += _between(before, line, lang)
        text += said
        before = line
    return text


def _write_block(block: LayoutBlock, text: str, above: int) -> str:
    """A block in Markdown; an item stands `above` lists less deep than where it was written."""
    if block.kind == "code":
        return "\n".join(code_lines(text.split("\n")))
    if block.kind == "item":
        return f"{replace(block, level=max(0, block.level - above)).mark}{text}"
    first, *rest = (f"| {row} |" for row in text.split("\n"))
    rule = f"|{' --- |' * (first.count(CELLS) + 1)}"
    return "\n".join([first, rule, *rest]) if rest else f"- {text}"


_BETWEEN_SENTENCES: dict[Lang, str] = {"en": " ", "zh": ""}
_GAPS: dict[Lang, str] = {"en": " … ", "zh": "……"}


def _between(before: MaterialLine, line: MaterialLine, lang: Lang) -> str:
    if before.is_sentence and line.block is None:
        return _GAPS[lang] if line.after_gap else _BETWEEN_SENTENCES[lang]
    kinds = {one.block.kind if one.block is not None else "paragraph" for one in (before, line)}
    return "\n" if len(kinds) == 1 else "\n\n"


def line_of(sentence: LectureSentence, meaning: float = 0.0, token_cosines: tuple[float, ...] = ()) -> MaterialLine:
    """A sentence of a lecture, fit to be shown."""
    continued = None if sentence.continued is None else safe(sentence.continued)
    return MaterialLine(
        safe(sentence.text), sentence.start_ms, sentence.end_ms, meaning, token_cosines, continued=continued
    )


def join_replies(lines: Sequence[MaterialLine], lang: Lang) -> list[MaterialLine]:
    """Lines of speech, each question that a yes, a no or a "because" answers as one with that, and each sentence that a
    few words take back: "要不要关门？不一定。" tells what neither of the two does."""
    found: list[MaterialLine] = []
    for place, line in enumerate(lines):
        if not found or not _replies_to(lines[place - 1].text, line.text):
            found.append(line)
            continue
        asked = found[-1]
        space, reply = _BETWEEN_SENTENCES[lang], line.continued or line.text
        found[-1] = replace(
            asked,
            text=f"{asked.text}{space}{reply}",
            end_ms=line.end_ms,
            meaning=max(asked.meaning, line.meaning),
            token_cosines=tuple(map(max, asked.token_cosines, line.token_cosines)),
            continued=None if asked.continued is None else f"{asked.continued}{space}{reply}",
        )
    return found


@lru_cache(maxsize=REMEMBERED)
def _replies_to(asked: str, text: str) -> bool:
    if ASKS_WHETHER.search(asked) is not None and REPLIES.search(text) is not None:
        return True
    is_other = asked.rstrip().endswith(("?", "？")) or rejects(asked) or (withdraws(text) and is_of_a_sum(asked))
    if rejects(text) and not is_other:
        return True
    return asks_why_of_something(asked) and GIVES_REASON.search(text) is not None


@dataclass(frozen=True)
class MaterialPiece:
    """A passage or a stored pair with its sentences. `words` and `meaning`, 0..1, are how well it was found."""

    entry: Entry
    lines: tuple[MaterialLine, ...]
    words: float = 0.0
    meaning: float = 0.0
    home: float = 0.0
    """How much of what is asked about is taught in the part of the course that the piece is of, 0..1."""
    before: tuple[MaterialLine, ...] = ()
    """What is said right before its lines, as far as the first one leans on it."""

    @property
    def lang(self) -> Lang:
        return "zh" if self.entry.lang == "zh" else "en"

    @cached_property
    def wordings(self) -> tuple[tuple[bool, bool, bool], ...]:
        """Of each line, whether it leans on the one before, points at something unseen, and asks."""
        of = wording_of_written if self.entry.source == "document" else wording_of
        return tuple((False, False, False) if line.is_code else of(line.text) for line in self.lines)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The characters of each line."""
        return tuple(len(line.text) for line in self.lines)

    @property
    def relevance(self) -> float:
        return 0.5 * self.words + 0.5 * self.meaning

    def evidence(self, lines: Sequence[MaterialLine]) -> Evidence:
        """Some neighbouring lines of it as evidence, which opens where they begin."""
        found = replace(from_entry(0, self.entry), text=join_material_lines(lines, self.lang))
        at = self.entry.locator
        if at is None or at.video_id is None or not lines or lines[0].start_ms is None:
            return found
        return replace(found, locator=replace(at, start_ms=lines[0].start_ms, end_ms=lines[-1].end_ms))


@dataclass(frozen=True)
class CourseMaterialIndex:
    """One index version, its vectors and the lectures of one course; with a `mode` what one expert of a catalogue knows
    alone."""

    index: SearchIndex
    dense: Dense | None
    lectures: CourseLectures
    course_id: str | None
    hidden: Collection[str] = field(default_factory=frozenset)
    mode: Mode | None = None

    def pieces(
        self,
        text: str,
        vector: Vector | None,
        *,
        lang: Lang,
        sources: Collection[str] | None = None,
    ) -> list[MaterialPiece]:
        """The passages nearest to a text by words and meaning, best first; by words those of some `sources` alone."""
        hits = self.index.search(
            text, kind="passage", course_id=self.course_id, mode=self.mode, sources=sources, k=PASSAGES
        )
        words = normalise_scores({hit.entry.entry_id: hit.score for hit in hits})
        entries = {hit.entry.entry_id: hit.entry for hit in hits}
        cosines = self._cosines(vector, list(entries), lang)
        missing = [key for key in cosines if key not in entries]
        entries |= {entry.entry_id: entry for entry in self.index.entries("passage", missing)}
        found = [
            MaterialPiece(entry, lines, words.get(key, 0.0), stretch_cosine(cosines.get(key)), before=before)
            for key, (entry, lines, before) in self._with_meaning(entries, cosines, text, vector).items()
        ]
        return sorted(found, key=lambda piece: (-piece.relevance, piece.entry.entry_id))

    def vector_of(self, text: str) -> Vector | None:
        """The embedding of a text of ours; `None` where nothing can be compared by meaning."""
        return self.vectors_of([text])[0]

    def vectors_of(self, texts: Sequence[str]) -> list[Vector | None]:
        """Those of several, made at once: the model is read from memory once for all of them, which is most of it."""
        if self.dense is None or not texts:
            return [None] * len(texts)
        try:
            return list(self.dense.embedder.encode(texts))
        except EmbeddingFailed:
            return [None] * len(texts)

    def _with_meaning(
        self, entries: Mapping[str, Entry], cosines: Mapping[str, float], text: str, vector: Vector | None
    ) -> dict[str, tuple[Entry, tuple[MaterialLine, ...], tuple[MaterialLine, ...]]]:
        """The lines of each entry, each with its own meaning where sentences have vectors, and how near it is to each
        token of `text`; and the lines before these that they lean on."""
        said = {key: self._find_sentences(entry) for key, entry in entries.items()}
        written = {key: split_written_lines(entry) for key, entry in entries.items() if not said[key]}
        ids = dict.fromkeys(one.sentence_id for each in said.values() for one in each)
        ids |= dict.fromkeys(sentence_id(key, place) for key, lines in written.items() for place in range(len(lines)))
        known = (
            self.dense.index.cosines(vector, list(ids), "sentence")
            if vector is not None and self.dense is not None and ids
            else {}
        )
        near = self._token_cosines(text, list(ids), [key for key in entries if not said[key]]) if known else {}
        found = {}
        for key, entry in entries.items():
            whole = cosines.get(key)
            lines = [
                line_of(one, stretch_cosine(known.get(one.sentence_id, whole)), near.get(one.sentence_id, ()))
                for one in said[key]
            ] or [
                replace(
                    line,
                    meaning=stretch_cosine(known.get(sentence_id(key, place), whole)),
                    token_cosines=near.get(sentence_id(key, place), near.get(key, ())),
                )
                for place, line in enumerate(written.get(key, ()))
            ]
            lines = join_replies(lines, language_of(entry.text)) if said[key] else lines
            found[key] = (entry, tuple(lines), tuple(map(line_of, self._find_leant_on(said[key]))))
        return found

    def _token_cosines(
        self, text: str, sentences: Sequence[str], passages: Sequence[str]
    ) -> dict[str, tuple[float, ...]]:
        """Of each sentence, and of each passage that has none, how near it is to each token of a text."""
        tokens = self._tokens_of(text)
        if tokens is None or self.dense is None:
            return {}
        near = self.dense.index.token_cosines(tokens, sentences, "sentence")
        near |= self.dense.index.token_cosines(tokens, passages, "passage")
        return {key: tuple(cosines.tolist()) for key, cosines in near.items()}

    def _tokens_of(self, text: str) -> Tokens | None:
        """The tokens of a text of ours; `None` where they cannot be compared."""
        if self.dense is None or not isinstance(self.dense.embedder, TokenEmbedder):
            return None
        (tokens,) = self.dense.embedder.encode_with_tokens([text])[1]
        return tokens if len(tokens) else None

    def _cosines(self, vector: Vector | None, also: Sequence[str], lang: Lang) -> dict[str, float]:
        if vector is None or self.dense is None:
            return {}
        near = self.dense.index.search(
            vector, kind="passage", course_id=self.course_id, lang=lang, mode=self.mode, k=PASSAGES
        )
        found = dict(near)
        rest = [key for key in also if key not in found]
        return found | self.dense.index.cosines(vector, rest, "passage")

    def _find_sentences(self, entry: Entry) -> tuple[LectureSentence, ...]:
        """The sentences of the lecture that a passage is of, read on a little; none for a written one."""
        at = entry.locator
        if at is None or at.video_id is None or (lecture := self.lectures.by_id.get(at.video_id)) is None:
            return ()
        start = at.start_ms or 0
        said = lecture.between(start, (at.end_ms or start) + READ_ON_MS)
        if said and wording_of(said[0].text)[0] and (place := lecture.places[said[0].position]):
            return (lecture.sentences[place - 1], *said)
        return said

    def _find_leant_on(self, said: Sequence[LectureSentence]) -> tuple[LectureSentence, ...]:
        """What is said before these sentences, as far as the first one leans on it."""
        if not said:
            return ()
        lecture = self.lectures.by_id[said[0].video_id]
        start = stop = lecture.places[said[0].position]
        while 0 < start > stop - MOST_READ_BACK and _leans_back(lecture.sentences[start].text):
            start -= 1
        return lecture.sentences[start:stop]


def _leans_back(text: str) -> bool:
    return wording_of(text)[0] or is_fragment(text)


def split_written_lines(entry: Entry) -> tuple[MaterialLine, ...]:
    """The sentences, items, code and tables of a written text. A long table is none of them, but for a catalogue's
    record, whose rows are sentences."""
    lang: Lang = "zh" if entry.lang == "zh" else "en"
    if entry.source == "catalog":
        texts = [text for line in entry.text.splitlines() for text in split_sentences(line, lang)]
        return tuple(MaterialLine(safe(text)) for text in texts if text.strip())
    return tuple(MaterialLine(safe(one.text), block=one.block) for one in split_written_sentences(entry.text, lang))


@lru_cache(maxsize=1 << 14)
def safe(text: str) -> str:
    """What a source says, without characters that nobody sees and without marks that look like our own; kept for the
    last ones."""
    return mark_unconfirmed(without_marks(visible(text)), language_of(text))


def stretch_cosine(cosine: float | None) -> float:
    """A cosine as a share, 0..1; 0 where there is none."""
    if cosine is None:
        return 0.0
    return min(1.0, max(0.0, (cosine - _LEAST_COSINE) / (_MOST_COSINE - _LEAST_COSINE)))
