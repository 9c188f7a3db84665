"""The table of vectors: texts are embedded once, in the model's languages, within the limit, and again after a stop."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from knowledge_graph.lake.schemas import PASSAGES, QA_PAIRS
from models.embedding.embedder import EmbeddingFailed, Tokens, Vectors
from serving.index import vectors
from serving.index.dense import DenseIndex, vectors_of
from serving.index.schema import VectorKind, sentence_id
from serving.index.vectors import EntryTable, VectorsReport, embed_entries, entries_in, has_tokens, texts_of


class Counting:
    """An embedder that makes a vector of each text's digest, remembers what it was asked, and may fail."""

    def __init__(self, name: str = "counting@1", languages: tuple[str, ...] = ("en",), fails_after: int = 99) -> None:
        self.name, self.languages, self.dimension = name, languages, 8
        self.asked: list[str] = []
        self._left = fails_after

    def encode(self, texts: Sequence[str]) -> Vectors:
        if self._left == 0:
            raise EmbeddingFailed("The server stopped.")
        self._left -= 1
        self.asked += texts
        digests = [np.frombuffer(hashlib.sha256(text.encode()).digest()[:8], dtype=np.uint8) for text in texts]
        found = np.stack(digests).astype(np.float32) - 127.5
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


def write_pairs(
    home: Path, pairs: Sequence[tuple[str, str, str | None]], *, answers: Mapping[str, str] | None = None
) -> None:
    """Pairs of course `trees`: id, question, language; the answer is "Yes." where `answers` has none for the id."""
    blank = dict.fromkeys(QA_PAIRS.names) | {"source": "faq", "course_id": "trees"}
    rows = [
        blank | {"qa_id": qa_id, "question": question, "lang": lang, "answer": (answers or {}).get(qa_id, "Yes.")}
        for qa_id, question, lang in pairs
    ]
    pq.write_table(pa.Table.from_pylist(rows, schema=QA_PAIRS), home / "qa.parquet")


def write_passages(home: Path, texts: Sequence[str]) -> None:
    blank = dict.fromkeys(PASSAGES.names) | {"source": "subtitle", "course_id": "trees", "lang": "en", "title": "Heaps"}
    rows = [blank | {"passage_id": f"p{place}", "text": text} for place, text in enumerate(texts)]
    pq.write_table(pa.Table.from_pylist(rows, schema=PASSAGES), home / "passages.parquet")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write_pairs(tmp_path, [("a", "Is it open?", "en"), ("b", "Is it free?", None), ("c", "免费吗？", "zh")])
    write_passages(tmp_path, ["A heap is a tree.", "A stack is a list."])
    return tmp_path


def embed(home: Path, embedder: Counting, *, limit: int = 100, lines: list[str] | None = None) -> VectorsReport:
    return embed_entries(
        [EntryTable(home / "qa.parquet", "qa"), EntryTable(home / "passages.parquet", "passage")],
        home / "embeddings.parquet",
        embedder,
        parts=home / "parts",
        limit=limit,
        on_line=([] if lines is None else lines).append,
    )


def found(home: Path, embedder: Counting, text: str, *, kind: str = "qa") -> str:
    index = DenseIndex.open(home / "embeddings.parquet", model=embedder.name, dimension=8)
    return index.search(embedder.encode([text])[0], kind=kind, k=1)[0][0]  # type: ignore[arg-type]


def test_entries_in_the_models_languages_get_vectors_and_the_others_are_told(home: Path) -> None:
    report = embed(home, Counting())
    assert (report.rows, report.new, report.reused, report.entries) == (6, 5, 0, 4)
    assert report.other_languages == {"zh": 1}
    assert not report.over_limit
    assert vectors_of(home / "embeddings.parquet").rows == 6
    assert entries_in(home / "embeddings.parquet") == 4


def test_a_pair_is_embedded_as_two_texts_and_a_passage_as_one() -> None:
    assert texts_of("qa", "Is it free?", "Yes.") == ["Is it free?", "Yes."]
    assert texts_of("qa", "Heap", "Heap") == ["Heap"]
    assert texts_of("qa", "Is it free?", None) == ["Is it free?"]
    assert texts_of("passage", "Heaps", "A stack is a list.") == ["Heaps\nA stack is a list."]
    assert texts_of("passage", None, "A stack is a list.") == ["A stack is a list."]


def test_a_pair_is_found_by_its_question_and_by_its_answer(home: Path) -> None:
    write_pairs(home, [("a", "Is it open?", "en"), ("b", "Is it free?", None)], answers={"b": "It costs nothing."})
    embedder = Counting()
    embed(home, embedder)
    assert found(home, embedder, "Is it free?") == "b"
    assert found(home, embedder, "It costs nothing.") == "b"
    assert found(home, embedder, "Heaps\nA stack is a list.", kind="passage") == "p1"


def test_the_one_vector_of_each_pair_is_its_answers_wherever_it_stands(home: Path) -> None:
    answers = {f"pair-{place:04}": f"Answer {place}." for place in range(5000)}
    write_pairs(home, [(qa_id, f"Question {qa_id}?", "en") for qa_id in answers], answers=answers)
    embedder = Counting()
    embed(home, embedder, limit=6000)
    index = DenseIndex.open(home / "embeddings.parquet", model=embedder.name, dimension=8)
    stored = np.stack(list(index.vectors(list(answers), "qa").values()))
    np.testing.assert_allclose(stored, embedder.encode(list(answers.values())), atol=1e-3)


def test_a_table_of_one_vector_for_each_entry_is_still_searched_and_its_passages_are_not_embedded_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(vectors, "texts_of", lambda kind, title, text: [f"{title}\n{text}"])
        assert embed(home, Counting()).rows == 4
    assert found(home, Counting(), "Is it free?\nYes.") == "b"
    again = Counting()
    assert embed(home, again).rows == 6
    assert sorted(again.asked) == ["Is it free?", "Is it open?", "Yes."]


def test_a_model_of_two_languages_embeds_both(home: Path) -> None:
    report = embed(home, Counting(languages=("en", "zh")))
    assert (report.rows, report.other_languages) == (8, {})


def test_only_new_and_changed_texts_are_embedded_again(home: Path) -> None:
    embed(home, Counting())
    write_pairs(home, [("a", "Is it open?", "en"), ("b", "Is it cheap?", "en"), ("new", "Is it loud?", "en")])
    again = Counting()
    report = embed(home, again)
    assert sorted(again.asked) == ["Is it cheap?", "Is it loud?"]
    assert (report.rows, report.new, report.reused) == (8, 2, 4)
    assert found(home, again, "Is it cheap?") == "b"


def test_an_entry_that_moves_keeps_its_vector(home: Path) -> None:
    embed(home, Counting())
    write_pairs(home, [("renamed", "Is it open?", "en")])
    again = Counting()
    embed(home, again)
    assert again.asked == []
    assert found(home, again, "Is it open?") == "renamed"


def test_the_same_text_twice_is_embedded_once(home: Path) -> None:
    write_pairs(home, [("a", "Is it open?", "en"), ("b", "Is it open?", "en")])
    embedder = Counting()
    report = embed(home, embedder)
    assert sorted(embedder.asked[:2]) == ["Is it open?", "Yes."]
    assert (report.rows, report.new) == (6, 4)


def test_another_model_embeds_everything_again(home: Path) -> None:
    embed(home, Counting())
    report = embed(home, Counting(name="other@2"))
    assert (report.new, report.reused) == (5, 0)
    assert vectors_of(home / "embeddings.parquet").model == "other@2"


def test_the_same_entries_give_the_same_bytes(home: Path) -> None:
    embed(home, Counting())
    before = (home / "embeddings.parquet").read_bytes()
    assert embed(home, Counting()).new == 0
    assert (home / "embeddings.parquet").read_bytes() == before


def test_what_was_embedded_before_a_stop_is_not_embedded_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "PART", 1)
    with pytest.raises(EmbeddingFailed):
        embed(home, Counting(fails_after=3))
    assert not (home / "embeddings.parquet").exists()
    again = Counting()
    report = embed(home, again)
    assert (report.rows, len(again.asked)) == (6, 2)
    assert not (home / "parts").exists()


def test_a_part_that_was_cut_off_is_passed_over(home: Path) -> None:
    (home / "parts" / "counting@1").mkdir(parents=True)
    (home / "parts" / "counting@1" / "000000.parquet").write_bytes(b"PAR1")
    assert embed(home, Counting()).rows == 6


def test_above_the_limit_nothing_is_embedded_and_the_table_is_empty(home: Path) -> None:
    embedder = Counting()
    report = embed(home, embedder, limit=3)
    assert (report.over_limit, report.rows, report.entries, embedder.asked) == (True, 0, 4, [])
    assert vectors_of(home / "embeddings.parquet").rows == entries_in(home / "embeddings.parquet") == 0


def test_a_home_without_entries_gives_an_empty_table(tmp_path: Path) -> None:
    write_pairs(tmp_path, [])
    write_passages(tmp_path, [])
    assert embed(tmp_path, Counting()).rows == 0


def test_progress_is_told_while_texts_are_embedded(home: Path) -> None:
    lines: list[str] = []
    embed(home, Counting(), lines=lines)
    assert lines[-1] == "4 of 4 entries, 5 texts embedded"


class WithTokens(Counting):
    """Each word is a token, of its length."""

    token_dimension = 2

    def encode_with_tokens(self, texts: Sequence[str]) -> tuple[Vectors, list[Tokens]]:
        return self.encode(texts), [np.array([(len(one), 1) for one in text.split()], np.int8) for text in texts]


def test_tokens_are_kept_of_sentences_and_of_passages_without_sentences_of_their_own() -> None:
    assert has_tokens("sentence", "subtitle")
    assert has_tokens("passage", "document")
    assert not has_tokens("passage", "subtitle")
    assert not has_tokens("qa", "faq")


def test_tokens_stand_beside_the_vector_and_are_kept_from_build_to_build(home: Path) -> None:
    blank = dict.fromkeys(PASSAGES.names) | {"source": "document", "course_id": "trees", "lang": "en"}
    row = blank | {"passage_id": "d0", "text": "Bring a pencil."}
    pq.write_table(pa.Table.from_pylist([row], schema=PASSAGES), home / "passages.parquet")
    embed(home, WithTokens())
    made = pq.read_table(home / "embeddings.parquet").to_pylist()
    assert {one["entry_id"]: one["tokens"] for one in made if one["tokens"]} == {"d0": bytes([5, 1, 1, 1, 7, 1])}
    assert vectors_of(home / "embeddings.parquet").token_dimension == 2
    bytes_before = (home / "embeddings.parquet").read_bytes()
    again = WithTokens()
    embed(home, again)
    assert (again.asked, (home / "embeddings.parquet").read_bytes()) == ([], bytes_before)


def test_a_text_that_was_embedded_without_its_tokens_gets_them_when_they_are_wanted(home: Path) -> None:
    write_pairs(home, [("a", "Bring a pencil.", "en")])
    embed(home, WithTokens())
    blank = dict.fromkeys(PASSAGES.names) | {"source": "document", "course_id": "trees", "lang": "en"}
    row = blank | {"passage_id": "d0", "text": "Bring a pencil."}
    pq.write_table(pa.Table.from_pylist([row], schema=PASSAGES), home / "passages.parquet")
    again = WithTokens()
    embed(home, again)
    assert again.asked == ["Bring a pencil."]
    index = DenseIndex.open(home / "embeddings.parquet", model=again.name, dimension=8)
    assert list(index.token_cosines(np.array([[127, 0]], np.int8), ["d0"], "passage")) == ["d0"]


def test_each_sentence_of_a_documents_passage_has_a_vector_under_its_place_and_no_lectures_has(home: Path) -> None:
    blank = dict.fromkeys(PASSAGES.names) | {"course_id": "trees", "lang": "en", "title": "Rules"}
    text = "Late work costs points. It is due on Friday.\n- Each day costs ten."
    rows = [
        blank | {"passage_id": "d0", "source": "document", "text": text},
        blank | {"passage_id": "l0", "source": "subtitle", "text": "A heap is a tree. It is full."},
    ]
    pq.write_table(pa.Table.from_pylist(rows, schema=PASSAGES), home / "written.parquet")
    embedder = Counting()
    sources = [EntryTable(home / "written.parquet", kind, is_written=kind == "sentence") for kind in KINDS_OF_WRITTEN]
    report = embed_entries(sources, home / "embeddings.parquet", embedder, parts=home / "parts", limit=100)
    assert report.entries == entries_in(home / "embeddings.parquet") == 5
    index = DenseIndex.open(home / "embeddings.parquet", model=embedder.name, dimension=8)
    wanted = [sentence_id("d0", place) for place in range(4)]
    near = index.cosines(embedder.encode(["It is due on Friday."])[0], wanted, "sentence")
    assert sorted(near) == ["d0#0", "d0#1", "d0#2"]
    assert max(near, key=near.__getitem__) == "d0#1"


KINDS_OF_WRITTEN: tuple[VectorKind, ...] = ("passage", "sentence")
