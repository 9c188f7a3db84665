"""The table of vectors: which texts of QA pairs and passages are embedded, which of them are new, how they are kept.

A row is a vector: a QA pair has two, of its question and of its answer, a passage and a sentence one; a sentence has
its tokens beside it. A text is embedded once per
model, whatever becomes of the entry around it. What stops in between is taken up where it stopped: vectors are kept in
parts until the table is written.
"""

import hashlib
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from knowledge_graph.lake.records import Lang
from knowledge_graph.lake.schemas import embeddings_schema
from knowledge_graph.lake.tables import WRITING, replacing, write_atomic
from knowledge_graph.text.layout import split_written_sentences
from models.embedding.embedder import Embedder, TokenEmbedder
from serving.index.dense import vectors_of
from serving.index.schema import VectorKind, sentence_id

PART = 512
"""Texts embedded between two writes: half a minute of long ones on one core."""

_BATCH = 4096
_PART_COLUMNS = ("text_hash", "vector", "tokens")

_COLUMNS: dict[VectorKind, tuple[str, str, str]] = {
    "qa": ("qa_id", "question", "answer"),
    "passage": ("passage_id", "title", "text"),
    "sentence": ("sentence_id", "video_title", "text"),
}
_SHARED = ("source", "course_id", "lang", "mode")
_FACTS = ("kind", "entry_id", *_SHARED, "text_hash")
_FACTS_SCHEMA = pa.schema([(name, pa.string()) for name in _FACTS])
_ORDER = ("kind", "course_id", "source", "entry_id")

Half = NDArray[np.float16]
"""Vectors as they are stored: cosines differ by at most 6e-5 from those of full ones, in half the space."""

OnLine = Callable[[str], None]


@dataclass(frozen=True)
class VectorsReport:
    """What an embedding did; counts are of entries, but `rows` of vectors, `new` and `reused` of different texts."""

    model: str
    dimension: int
    rows: int
    new: int
    reused: int
    other_languages: Mapping[str, int]
    """Entries in a language that the model was not trained for: these are found by their words alone."""
    over_limit: bool
    """True when there were more entries than the limit, and so none was embedded."""
    entries: int
    """Entries in the model's languages."""
    seconds: float


@dataclass(frozen=True)
class EntryTable:
    """A table of entries of one kind."""

    path: Path
    kind: VectorKind
    is_written: bool = False
    """Whether it is one of passages, of whose documents the sentences are meant."""

    @property
    def columns(self) -> tuple[str, str, str]:
        """What its ids, titles and texts are called."""
        return _COLUMNS["passage" if self.is_written else self.kind]


def embed_entries(
    sources: Sequence[EntryTable],
    path: Path,
    embedder: Embedder,
    *,
    parts: Path,
    limit: int,
    on_line: OnLine = lambda _: None,
) -> VectorsReport:
    """Write the vectors of every entry in the model's languages to `path`; only texts not embedded before are encoded.

    With more than `limit` entries sentences are left out, and with still more none is embedded and the table is
    empty. `parts` is a folder for what is not
    finished. Memory: the vectors as stored (2 bytes a number, two vectors a pair) and the tokens of sentences (1.7 KB
    each), besides 4,096 entries' texts.
    """
    started = time.monotonic()
    counts, entries = _count_entries(sources, embedder)
    if entries > limit:  # sentences are found through their passages; what is found by itself comes first
        sources = [source for source in sources if source.kind != "sentence"]
        counts, entries = _count_entries(sources, embedder)
    over = entries > limit
    vectors = _Vectors(embedder, parts / embedder.name.replace("/", "_"), path)
    facts = [] if over else list(_embed(sources, vectors, total=entries, on_line=on_line))
    used = {text_hash for batch in facts for text_hash in batch.column("text_hash").to_pylist()}
    rows = _write(path, facts, vectors, _schema_of(embedder))
    shutil.rmtree(parts, ignore_errors=True)
    return VectorsReport(
        model=embedder.name,
        dimension=embedder.dimension,
        rows=rows,
        new=vectors.new,
        reused=len(used) - vectors.new,
        other_languages={lang: count for lang, count in sorted(counts.items()) if lang not in embedder.languages},
        over_limit=over,
        entries=entries,
        seconds=time.monotonic() - started,
    )


def _count_entries(sources: Sequence[EntryTable], embedder: Embedder) -> tuple[dict[str, int], int]:
    """Entries per language, and how many are in the model's languages."""
    counts = entries_per_language(sources)
    return counts, sum(count for lang, count in counts.items() if lang in embedder.languages)


def texts_of(kind: VectorKind, title: str | None, text: str | None) -> list[str]:
    """What of an entry is embedded: question and answer of a pair, each alone; title and text of a passage as one; of a
    sentence its own words.

    Of 2,123 questions to 947 course FAQs the strategy `hybrid` with all-MiniLM-L6-v2 finds the right one first for .887
    so, MRR@10 .921; .882 and .917 with question and answer as one text. Of meaning alone it is the other way: .696
    first, with one text .718 (question .561, answer .561).
    """
    parts = [part for part in ((text,) if kind == "sentence" else (title, text)) if part]
    return list(dict.fromkeys(parts)) if kind == "qa" else ["\n".join(parts)]


def has_tokens(kind: VectorKind, source: str | None) -> bool:
    """Whether the tokens of such an entry are kept: those of sentences, and of what has no sentences of its own."""
    return kind == "sentence" or (kind == "passage" and source != "subtitle")


def _schema_of(embedder: Embedder) -> pa.Schema:
    token_dimension = embedder.token_dimension if isinstance(embedder, TokenEmbedder) else 0
    return embeddings_schema(embedder.name, embedder.dimension, token_dimension)


class _Vectors:
    """The vectors known so far, and the tokens of some texts, by the digest of their text."""

    def __init__(self, embedder: Embedder, folder: Path, table: Path) -> None:
        self._embedder, self._folder = embedder, folder
        self.languages = embedder.languages
        self._known: dict[str, Half] = {}
        self._tokens: dict[str, bytes] = {}
        self._knows_tokens = isinstance(embedder, TokenEmbedder) and embedder.token_dimension > 0
        self.new = 0
        for path in (table, *sorted(folder.glob("*.parquet"))):
            for text_hash, vector, tokens in _read_vectors(path, embedder):
                self._known[text_hash] = vector
                if tokens is not None:
                    self._tokens[text_hash] = tokens
        self._number = len(list(folder.glob("*.parquet")))

    def learn(self, texts: Mapping[str, str], with_tokens: Set[str]) -> None:
        """Embed those of `texts` (by digest) that are not known, or not with the tokens they should have, and keep them
        in parts of their own."""
        missing = {one for one in with_tokens if one not in self._tokens} if self._knows_tokens else set()
        waiting = [(one, text) for one, text in texts.items() if one not in self._known or one in missing]
        for start in range(0, len(waiting), PART):
            self._encode(dict(waiting[start : start + PART]), missing)

    def _encode(self, texts: Mapping[str, str], with_tokens: Set[str]) -> None:
        kept: list[bytes | None] = [None] * len(texts)
        if isinstance(self._embedder, TokenEmbedder):
            encoded, tokens = self._embedder.encode_with_tokens(list(texts.values()))
            kept = [each.tobytes() if one in with_tokens else None for one, each in zip(texts, tokens, strict=True)]
        else:
            encoded = self._embedder.encode(list(texts.values()))
        found = encoded.astype(np.float16)
        self._known.update(zip(texts, found, strict=True))
        self._tokens.update((one, each) for one, each in zip(texts, kept, strict=True) if each is not None)
        self.new += len(texts)
        schema = _schema_of(self._embedder)
        part = pa.schema([schema.field(name) for name in _PART_COLUMNS], metadata=schema.metadata)
        table = pa.Table.from_arrays([pa.array(list(texts)), _column(found), pa.array(kept, pa.binary())], schema=part)
        write_atomic(self._folder / f"{self._number:06}.parquet", table)
        self._number += 1

    def rows(self, hashes: Sequence[str]) -> Half:
        return np.stack([self._known[each] for each in hashes])

    def tokens(self, hashes: Sequence[str]) -> list[bytes | None]:
        return [self._tokens.get(each) for each in hashes]


def _embed(sources: Sequence[EntryTable], vectors: _Vectors, *, total: int, on_line: OnLine) -> Iterator[pa.Table]:
    """The facts of every vector of the entries in the model's languages, each batch when its texts are embedded."""
    seen = 0
    for source in sources:
        for rows in _batches(source, vectors.languages):
            pairs = [(row, text) for row in rows for text in texts_of(source.kind, row["title"], row["text"])]
            hashes = [hashlib.sha256(text.encode()).hexdigest() for _, text in pairs]
            before = vectors.new
            vectors.learn(
                {text_hash: text for text_hash, (_, text) in zip(hashes, pairs, strict=True)},
                {one for one, (row, _) in zip(hashes, pairs, strict=True) if has_tokens(source.kind, row["source"])},
            )
            seen += len(rows)
            if vectors.new > before:
                on_line(f"{seen:,} of {total:,} entries, {vectors.new:,} texts embedded")
            facts = {name: [row.get(name) for row, _ in pairs] for name in _FACTS}
            yield pa.table(facts | {"kind": [source.kind] * len(pairs), "text_hash": hashes}, schema=_FACTS_SCHEMA)


def _batches(source: EntryTable, languages: Sequence[str] | None = None) -> Iterator[list[dict[str, str | None]]]:
    """Entries in these languages, or in any, some at a time; the words of one are in its `title` and `text`."""
    entry_id, title, text = source.columns
    named = {entry_id: "entry_id", title: "title", text: "text"}
    with pq.ParquetFile(source.path) as file:
        for batch in file.iter_batches(_BATCH, columns=[*named, *_SHARED]):
            rows = pa.table(batch).rename_columns(named | {name: name for name in _SHARED}).to_pylist()
            rows = [one for row in rows for one in _sentences_of(row)] if source.is_written else rows
            if kept := [row for row in rows if languages is None or _language(row["lang"]) in languages]:
                yield kept


def _sentences_of(passage: dict[str, str | None]) -> Iterator[dict[str, str | None]]:
    """The sentences of a passage of a document as entries of their own; none of another passage."""
    if passage["source"] != "document":
        return
    lang: Lang = "zh" if passage["lang"] == "zh" else "en"
    for place, one in enumerate(split_written_sentences(passage["text"] or "", lang)):
        yield passage | {"entry_id": sentence_id(passage["entry_id"] or "", place), "title": None, "text": one.text}


def entries_in(path: Path) -> int:
    """How many entries have a vector in this table. Raises as `vectors_of` when it cannot be read."""
    if not vectors_of(path).rows:
        return 0
    return len(pq.read_table(path, columns=["kind", "entry_id"]).group_by(["kind", "entry_id"]).aggregate([]))


def entries_per_language(sources: Sequence[EntryTable]) -> dict[str, int]:
    """How many entries there are in each language."""
    counts: Counter[str] = Counter()
    for source in sources:
        if source.is_written:
            counts.update(_language(row["lang"]) for rows in _batches(source) for row in rows)
            continue
        for found in pq.read_table(source.path, columns=["lang"]).column("lang").value_counts().to_pylist():
            counts[_language(found["values"])] += found["counts"]
    return dict(counts)


def _language(lang: str | None) -> str:
    """English when nothing is said, as in the index."""
    return lang or "en"


def _read_vectors(path: Path, embedder: Embedder) -> Iterator[tuple[str, Half, bytes | None]]:
    """Digests, vectors and tokens of a table or a part, if this model made them; of anything else none."""
    try:
        file = pq.ParquetFile(path)
    except (FileNotFoundError, pa.ArrowInvalid):
        return
    with file:
        made_by = file.schema_arrow.metadata or {}
        expected = _schema_of(embedder).metadata
        if any(made_by.get(name) != value for name, value in expected.items()):
            return
        columns = [name for name in _PART_COLUMNS if name in file.schema_arrow.names]
        for batch in file.iter_batches(_BATCH, columns=columns):
            halves = batch.column("vector").flatten().to_numpy().reshape(-1, embedder.dimension)
            tokens = batch.column("tokens").to_pylist() if "tokens" in columns else [None] * len(batch)
            yield from zip(batch.column("text_hash").to_pylist(), halves, tokens, strict=True)


def _write(path: Path, facts: Sequence[pa.Table], vectors: _Vectors, schema: pa.Schema) -> int:
    """Write all rows in the order in which a search reads them: those of one course and source are neighbours.

    So are those of one entry, the text's last: the sort is stable.
    """
    together = pa.concat_tables(facts or [_FACTS_SCHEMA.empty_table()]).sort_by(
        [(name, "ascending") for name in _ORDER]
    )
    with replacing(path) as temporary, pq.ParquetWriter(temporary, schema, **WRITING) as writer:
        for batch in together.to_batches(_BATCH):
            hashes = batch.column("text_hash").to_pylist()
            rows = zip(batch.column("kind").to_pylist(), batch.column("source").to_pylist(), strict=True)
            kept = [
                each if has_tokens(kind, source) else None
                for each, (kind, source) in zip(vectors.tokens(hashes), rows, strict=True)
            ]
            columns = [*batch.columns, _column(vectors.rows(hashes)), pa.array(kept, pa.binary())]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
    return len(together)


def _column(vectors: Half) -> pa.FixedSizeListArray:
    return pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1])
