"""Search by meaning: exact cosines, the same filters as by words, and vectors that fit the model that asks."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import get_args

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.records import Mode
from knowledge_graph.lake.schemas import embeddings_schema
from serving.index.dense import DenseIndex, VectorsMissing, VectorsUnfit, vectors_of
from serving.index.schema import EVERY_COURSE_SOURCES, KINDS, Kind

MODEL, DIMENSION = "tiny@12345678", 4
SOURCES = ("catalog", "concept", "document", "faq", "scholar", "search", "subtitle")

Row = Mapping[str, str | bytes | None]


def entry(entry_id: str, *, kind: Kind = "qa", **values: str | None) -> Row:
    told = {"source": "faq", "course_id": "trees", "lang": "en", "mode": None} | values
    return {"kind": kind, "entry_id": entry_id, "text_hash": entry_id, **told}


def write(
    path: Path, rows: Sequence[Row], vectors: np.ndarray, *, model: str = MODEL, token_dimension: int = 0
) -> Path:
    schema = embeddings_schema(model, DIMENSION, token_dimension)
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.astype(np.float16).ravel()), DIMENSION)
    facts = [pa.array([row[name] for row in rows], pa.string()) for name in schema.names[:-2]]
    kept = pa.array([row.get("tokens") for row in rows], pa.binary())
    pq.write_table(pa.Table.from_arrays([*facts, column, kept], schema=schema), path)
    return path


def opened(path: Path) -> DenseIndex:
    return DenseIndex.open(path, model=MODEL, dimension=DIMENSION)


def towards(*numbers: float) -> np.ndarray:
    vector = np.array(numbers, dtype=np.float32)
    return vector / np.linalg.norm(vector)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> DenseIndex:
    rows = [entry("north"), entry("north-east"), entry("east"), entry("lecture", kind="passage", source="subtitle")]
    vectors = np.stack([towards(0, 1, 0, 0), towards(1, 1, 0, 0), towards(1, 0, 0, 0), towards(0, 0, 1, 0)])
    return opened(write(tmp_path_factory.mktemp("small") / "e.parquet", rows, vectors))


def test_the_nearest_entries_come_first_with_their_cosines(small: DenseIndex) -> None:
    found = small.search(towards(0, 1, 0, 0), k=2)
    assert [each for each, _ in found] == ["north", "north-east"]
    assert [cosine for _, cosine in found] == pytest.approx([1.0, 2**-0.5], abs=1e-3)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> DenseIndex:
    """Two pairs with the vectors of question and answer, one with a single vector, and a passage named as a pair."""
    rows = [entry(each) for each in ("fee", "fee", "when", "when", "short")] + [entry("short", kind="passage")]
    vectors = [(0, 1, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 1, 1), (0, 0, 0, 1)]
    path = tmp_path_factory.mktemp("pairs") / "e.parquet"
    return opened(write(path, rows, np.stack([towards(*each) for each in vectors])))


def test_an_entry_is_as_near_as_the_nearest_of_its_vectors_and_found_once(pairs: DenseIndex) -> None:
    by_answer, by_question = pairs.search(towards(1, 0, 0, 0)), pairs.search(towards(0, 1, 0, 0))
    assert [each for each, _ in by_answer] == [each for each, _ in by_question] == ["fee", "when", "short"]
    assert [cosine for _, cosine in by_answer] == pytest.approx([1.0, 2**-0.5, 0.0], abs=1e-3)
    assert [each for each, _ in pairs.search(towards(1, 0, 0, 0), k=1)] == ["fee"]
    assert pairs.counts() == {"qa": 3, "passage": 1, "sentence": 0}


def test_cosines_by_id_are_those_of_a_search(pairs: DenseIndex) -> None:
    asked = towards(3, 1, 2, 1)
    assert pairs.cosines(asked, ["nobody", "when", "short", "fee"], "qa") == dict(pairs.search(asked))
    assert pairs.cosines(asked, ["short", "fee"], "passage") == dict(pairs.search(asked, kind="passage"))
    with pytest.raises(ValueError, match=r"4 numbers.*\(3,\)"):
        pairs.cosines(np.ones(3, dtype=np.float32), ["fee"], "qa")


def test_the_one_vector_of_a_pair_is_its_answers(pairs: DenseIndex) -> None:
    found = pairs.vectors(["fee", "when", "short"], "qa")
    np.testing.assert_allclose(found["fee"], [1, 0, 0, 0], atol=1e-3)
    np.testing.assert_allclose(found["when"], [0, 0, 1, 0], atol=1e-3)
    np.testing.assert_allclose(found["short"], towards(0, 0, 1, 1), atol=1e-3)
    np.testing.assert_allclose(pairs.vectors(["short"], "passage")["short"], [0, 0, 0, 1], atol=1e-3)


def test_passages_are_searched_apart_from_qa_pairs(small: DenseIndex) -> None:
    assert [each for each, _ in small.search(towards(0, 1, 0, 0), kind="passage")] == ["lecture"]
    assert small.counts() == {"qa": 3, "passage": 1, "sentence": 0}


@pytest.mark.parametrize(("k", "found"), [(0, 0), (-1, 0), (1, 1), (3, 3), (50, 3)])
def test_at_most_k_entries_are_returned(small: DenseIndex, k: int, found: int) -> None:
    assert len(small.search(towards(1, 1, 1, 1), k=k)) == found


def test_vectors_are_returned_by_id_and_cannot_be_changed(small: DenseIndex) -> None:
    found = small.vectors(["east", "nobody", "north"], "qa")
    assert list(found) == ["east", "north"]
    np.testing.assert_allclose(found["east"], [1, 0, 0, 0], atol=1e-3)
    with pytest.raises(ValueError, match="read-only"):
        found["east"][0] = 2.0


def test_a_question_of_another_dimension_is_refused(small: DenseIndex) -> None:
    with pytest.raises(ValueError, match=r"4 numbers.*\(3,\)"):
        small.search(np.ones(3, dtype=np.float32))


def test_what_ties_is_ordered_by_id(tmp_path: Path) -> None:
    rows = [entry(f"id-{place:03}", course_id=f"course-{place % 7}") for place in (*range(50, 100), *range(50))]
    index = opened(write(tmp_path / "e.parquet", rows, np.tile(towards(1, 2, 3, 4), (100, 1))))
    assert [each for each, _ in index.search(towards(1, 2, 3, 5), k=5)] == [f"id-{place:03}" for place in range(5)]


def allowed(row: Row, kind: Kind, course_id: str | None, sources: Sequence[str] | None) -> bool:
    """The rule of `SearchIndex.search`, written down again."""
    if sources is not None and row["source"] not in sources:
        return False
    if course_id is None or row["course_id"] == course_id:
        return True
    return kind == "qa" and (row["course_id"] is None or row["source"] in EVERY_COURSE_SOURCES)


_ROWS = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.sampled_from(SOURCES),
        st.sampled_from([None, "trees", "graphs", "sorting"]),
        st.sampled_from([None, "en", "zh"]),
        st.sampled_from([None, *get_args(Mode)]),
        st.lists(st.tuples(*[st.integers(-3, 3)] * DIMENSION).filter(any), min_size=1, max_size=2),
    ),
    max_size=40,
)


@settings(deadline=None)
@given(
    rows=_ROWS,
    kind=st.sampled_from(KINDS),
    course_id=st.sampled_from([None, "trees", "graphs", "nowhere"]),
    sources=st.none() | st.lists(st.sampled_from(SOURCES), max_size=3),
    lang=st.sampled_from([None, "en", "zh"]),
    mode=st.sampled_from([None, *get_args(Mode)]),
    k=st.integers(1, 12),
)
def test_a_search_finds_what_comparing_by_hand_finds(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[Kind, str, str | None, str | None, str | None, list[tuple[int, ...]]]],
    kind: Kind,
    course_id: str | None,
    sources: list[str] | None,
    lang: str | None,
    mode: Mode | None,
    k: int,
) -> None:
    listed = [
        entry(f"id-{place}", kind=row[0], source=row[1], course_id=row[2], lang=row[3], mode=row[4])
        for place, row in enumerate(rows)
        for _ in row[5]
    ]
    vectors = np.array([one for row in rows for one in row[5]], dtype=np.float32).reshape(-1, DIMENSION)
    stored = (vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)).astype(np.float16)
    path = write(tmp_path_factory.mktemp("any") / "e.parquet", listed, stored)
    asked = towards(1, -2, 3, 1)
    largest: dict[str, float] = {}
    for row, vector in zip(listed, stored, strict=True):
        wanted = row["kind"] == kind and allowed(row, kind, course_id, sources)
        if wanted and lang in (None, row["lang"]) and mode in (None, row["mode"]):
            cosine = float(np.round(vector.astype(np.float32) @ asked, 6))
            largest[str(row["entry_id"])] = max(cosine, largest.get(str(row["entry_id"]), -1.0))
    by_hand = list(largest.items())
    best = sorted(by_hand, key=lambda hit: (-hit[1], hit[0]))[:k]
    if not rows:
        with pytest.raises(VectorsMissing):
            opened(path)
        return
    found = opened(path).search(asked, kind=kind, course_id=course_id, sources=sources, lang=lang, mode=mode, k=k)
    assert [cosine for _, cosine in found] == pytest.approx([cosine for _, cosine in best], abs=2e-6)
    falling = sorted((cosine for _, cosine in by_hand), reverse=True)
    if all(before - after > 1e-5 for before, after in pairwise(falling)):  # of equals the last bits may differ
        assert [each for each, _ in found] == [each for each, _ in best]


def test_vectors_of_another_model_or_dimension_are_refused_and_both_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "e.parquet", [entry("a")], np.ones((1, DIMENSION)) / 2)
    with pytest.raises(VectorsUnfit, match=r"by tiny@12345678 with 4 numbers.*is other@1 with 4\. Run `coteach build`"):
        DenseIndex.open(path, model="other@1", dimension=DIMENSION)
    with pytest.raises(VectorsUnfit, match=r"with 4 numbers.*with 384"):
        DenseIndex.open(path, model=MODEL, dimension=384)


def test_without_vectors_the_error_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(VectorsMissing, match="coteach build"):
        vectors_of(tmp_path / "e.parquet")


@pytest.mark.parametrize("content", [b"", b"PAR1 and then nothing", b"x" * 500])
def test_a_damaged_table_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "e.parquet").write_bytes(content)
    with pytest.raises(VectorsUnfit, match=r"e\.parquet cannot be read"):
        vectors_of(tmp_path / "e.parquet")


def test_a_table_of_something_else_is_named(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "e.parquet")
    with pytest.raises(VectorsUnfit, match="cannot be read as a table of vectors"):
        vectors_of(tmp_path / "e.parquet")


def test_each_token_of_a_question_gets_its_largest_cosine_with_a_token_of_an_entry(tmp_path: Path) -> None:
    def tokens(*rows: tuple[int, int]) -> bytes:
        return np.array(rows, dtype=np.int8).tobytes()

    rows = [
        dict(entry("one", kind="passage")) | {"tokens": tokens((127, 0))},
        dict(entry("none", kind="passage")),
        dict(entry("two", kind="passage")) | {"tokens": tokens((0, -127), (76, 102))},
    ]
    path = write(tmp_path / "e.parquet", rows, np.eye(4)[:3], token_dimension=2)
    asked = np.array([(127, 0), (0, 127), (0, -127)], dtype=np.int8)
    found = opened(path).token_cosines(asked, ["two", "none", "one", "nowhere"], "passage")
    assert {key: cosines.tolist() for key, cosines in found.items()} == {
        "two": pytest.approx([76 / 127, 102 / 127, 1.0]),
        "one": pytest.approx([1.0, 0.0, 0.0]),
    }
    assert opened(path).token_cosines(asked, ["one"], "qa") == {}
    assert opened(path).token_cosines(asked[:0], ["one"], "passage") == {}


def test_a_table_without_tokens_compares_none(small: DenseIndex) -> None:
    assert small.token_cosines(np.ones((2, 64), dtype=np.int8), ["lecture"], "passage") == {}
