"""What every engine of the index must do, asked of each alike: Tantivy in the home, LanceDB in a folder, and LanceDB in
an object store that runs as a process of its own."""

import asyncio
import random
import uuid
from collections.abc import Iterator
from pathlib import Path

import course_rows as rows
import numpy as np
import object_store
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from generated_rows import collection, edited, hashed
from numpy.typing import NDArray

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.changes import Changes
from knowledge_graph.lake.schemas import embeddings_schema
from models.embedding.embedder import TOKEN_LENGTH, Tokens
from serving.assistant.retrieval.candidates import Retrieved
from serving.assistant.retrieval.hybrid import Hybrid
from serving.assistant.retrieval.lookup import Dense, Lookup
from serving.assistant.understanding.understand import understand
from serving.index import build, lance_store, lance_vectors, lance_writer
from serving.index.build import IndexReport, build_index, read_manifest
from serving.index.dense import DenseIndex, VectorsUnfit
from serving.index.engine import Hit, IndexMissing, IndexPlace, IndexUnreachable, NearestNeighbours
from serving.index.lance_vectors import POINTER, LanceVectors, publish_vectors
from serving.index.schema import KINDS
from serving.index.search import SearchIndex

Collection = tuple[list[rows.Row], list[rows.Row]]

ENGINES = ("tantivy", "lance", "lance in an object store")
LANCE = ENGINES[1:]


@pytest.fixture(scope="session")
def store_address() -> Iterator[str]:
    with object_store.running_store() as address:
        yield address


@pytest.fixture
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> IndexPlace:
    """Where this test's index is to be."""
    if request.param == "tantivy":
        return IndexPlace()
    if request.param == "lance":
        return IndexPlace("lance")
    for name, value in object_store.environment(request.getfixturevalue("store_address")).items():
        monkeypatch.setenv(name, value)
    return IndexPlace("lance", f"s3://{object_store.BUCKET}/{uuid.uuid4().hex}")


every_engine = pytest.mark.parametrize("place", ENGINES, indirect=True)
in_lance = pytest.mark.parametrize("place", LANCE, indirect=True)


class Published:
    """An index that is built again and again in one place."""

    def __init__(self, root: Path, place: IndexPlace) -> None:
        self.root, self.place, self.folder = root, place, root / "index"

    def build(self, qa: list[rows.Row] = rows.QA, passages: list[rows.Row] = rows.PASSAGES, **how: int) -> IndexReport:
        return build_index(rows.tables(self.root / "t", qa, passages), self.folder, place=self.place, **how)

    def rebuilt(self, found: Collection) -> SearchIndex:
        """A full version of the same rows, by the same engine."""
        folder = self.root / "rebuilt"
        place = IndexPlace(self.place.engine, self.place.url and f"{self.place.url}/rebuilt")
        build_index(rows.tables(self.root / "t", *found), folder, place=place, update_from=1_000_000)
        return SearchIndex.open(folder)

    def opened(self) -> SearchIndex:
        return SearchIndex.open(self.folder)


@pytest.fixture
def published(tmp_path: Path, place: IndexPlace) -> Published:
    return Published(tmp_path, place)


def found(index: SearchIndex, query: str, **options: object) -> list[str]:
    return [hit.entry.entry_id for hit in index.search(query, **options)]  # type: ignore[arg-type]


@every_engine
def test_a_built_index_is_searched_by_words_within_courses_and_sources_in_english_and_chinese(
    published: Published,
) -> None:
    report = published.build()
    index = published.opened()
    assert report.written
    assert index.version == report.version
    assert (
        index.counts()
        == report.counts
        == {
            "qa": {"concept": 4, "document": 1, "faq": 4, "search": 1},
            "passage": {"document": 1, "subtitle": 3},
        }
    )
    assert index.beta == report.beta
    assert found(index, "stacks", sources=["concept"]) == ["c1"]
    assert found(index, "作业截止时间")[0] == "z2"
    assert found(index, "数据结构的栈", lang="zh")[0] == "z1"
    assert found(index, "栈", kind="passage", course_id="ds") == []
    assert found(index, "栈", kind="passage", course_id="sjjg") == ["p4"]
    assert "c1" in found(index, "stack", course_id="sjjg")
    assert found(index, "homework deadline", course_id="sjjg") == []
    assert found(index, "stack", course_id="ds", sources=["scholar"]) == []
    assert found(index, "stack", sources=()) == []
    assert set(found(index, "O'Reilly's \"stack\" AND (queue", course_id="d's")) == {"c1", "c2", "s1"}
    assert found(index, "nothing of the kind") == []


@every_engine
def test_entries_come_back_whole_by_search_by_id_and_listed(published: Published) -> None:
    published.build()
    index = published.opened()
    (hit,) = index.search("late submission", sources=["document"])
    assert hit.entry == rows.entry(rows.QA[6])
    assert index.entries("qa", ["z2", "nowhere", "c1"]) == [rows.entry(rows.QA[9]), rows.entry(rows.QA[0])]
    assert index.entries("qa", ["f1"]) == [rows.entry(rows.QA[3])]
    assert index.entries("passage", []) == []
    assert [one.entry_id for one in index.list_pairs(course_id="ds", mode=None, most=50)] == sorted(
        row["qa_id"] for row in rows.QA if row["qa_id"] != "z2"
    )
    assert len(index.list_pairs(course_id=None, mode=None, most=3)) == 3
    assert index.list_pairs(course_id=None, mode="class", most=3) == []


@every_engine
def test_scores_and_weights_are_those_of_tantivy(published: Published, tmp_path: Path) -> None:
    """Scores within 5 %: Tantivy keeps the length of an entry in one byte. Everything counted is the same."""
    found_rows = collection(1, 300, 100)
    published.build(*found_rows)
    build_index(rows.tables(tmp_path / "t", *found_rows), tmp_path / "plain")
    mine, plain = published.opened(), SearchIndex.open(tmp_path / "plain")
    assert mine.beta == plain.beta
    for question in ("stack queue", "the deadline of homework", "栈 队列", "二叉树 graph", "nowhere"):
        assert [mine.idf(word) for word in question.split()] == [plain.idf(word) for word in question.split()]
        for kind in KINDS:
            scores = {hit.entry.entry_id: hit.score for hit in plain.search(question, kind=kind, k=400)}
            ours = {hit.entry.entry_id: hit.score for hit in mine.search(question, kind=kind, k=400)}
            assert ours == pytest.approx(scores, rel=0.05)


@every_engine
def test_equal_scores_are_ordered_by_id_and_a_filter_leaves_scores_as_they_are(published: Published) -> None:
    same = [rows.pair(f"{n:03}", "faq", "same words", "same answer") for n in range(60)]
    published.build([*same[::-1], rows.pair("other", "document", "same", "words of another length")], [])
    index = published.opened()
    assert found(index, "words", sources=["faq"], k=2) == ["000", "001"]
    free = {hit.entry.entry_id: hit.score for hit in index.search("same words", k=100)}
    kept = {hit.entry.entry_id: hit.score for hit in index.search("same words", course_id="ds", sources=["faq"], k=100)}
    assert len(kept) == 60
    assert kept == {key: pytest.approx(free[key]) for key in kept}


@every_engine
def test_an_update_with_added_changed_and_removed_rows_is_the_index_that_a_rebuild_makes(
    published: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "UPDATE_SHARE", 10.0)
    found_rows: Collection = collection(1, 300, 100)
    base = published.build(*found_rows, update_from=0).version
    for seed in (1, 2):
        qa, counts = edited(random.Random(seed), found_rows[0], 20)
        passages, gone = edited(random.Random(seed + 9), found_rows[1], 8)
        found_rows = qa, passages
        report = published.build(*found_rows, update_from=0)
        assert report.updated
        assert report.changes == {"qa": Changes(*counts), "passage": Changes(*gone)}
        assert read_manifest(published.folder)["base"] == base  # type: ignore[index]
    updated, full = published.opened(), published.rebuilt(found_rows)
    assert updated.counts() == full.counts()
    assert updated.beta == full.beta
    for kind, listed, key in zip(KINDS, found_rows, ("qa_id", "passage_id"), strict=True):
        ids = [row[key] for row in listed]
        assert updated.entries(kind, ids) == full.entries(kind, ids)
        for question in ("stack", "the deadline of homework", "栈", "二叉树 graph"):
            for course in (None, "ds", "sjjg"):
                mine, theirs = (one.search(question, kind=kind, course_id=course, k=30) for one in (updated, full))
                assert_same_hits(mine, theirs)
    assert [updated.idf(word) for word in ("stack", "栈", "homework")] == pytest.approx(
        [full.idf(word) for word in ("stack", "栈", "homework")]
    )


def assert_same_hits(mine: list[Hit], theirs: list[Hit]) -> None:
    """The same scores at the same places, and the same entries but where scores are too near to tell them apart."""
    assert [hit.score for hit in mine] == pytest.approx([hit.score for hit in theirs], rel=1e-4)
    scores = {hit.entry.entry_id: hit.score for hit in theirs}
    last = theirs[-1].score if theirs else 0.0
    for one, other in zip(mine, theirs, strict=True):
        if one.entry != other.entry:
            assert scores.get(one.entry.entry_id, last) == pytest.approx(other.score, rel=2e-4)


@every_engine
def test_a_reader_holds_its_version_while_others_are_published(published: Published) -> None:
    published.build(rows.QA)
    old = published.opened()
    before = old.search("deadline of homework", k=3)
    changed = [hashed({**row, "answer": "Monday at noon."}) if row["qa_id"] == "f1" else row for row in rows.QA]
    published.build(changed, keep=1)
    new = published.opened()
    assert new.version != old.version
    assert new.search("deadline of homework", k=1)[0].entry.text == "Monday at noon."
    assert old.search("the deadline of homework 3", k=1)[0].entry.text == "Sunday at 23:59."
    assert old.search("deadline of homework", k=3) == before
    assert [one.text for one in old.entries("qa", ["f1", "f2"])] == [rows.QA[3]["answer"], rows.QA[4]["answer"]]


@every_engine
def test_the_same_rows_are_not_built_again_and_what_comes_back_is_there(published: Published) -> None:
    first = published.build(rows.QA)
    second = published.build(rows.QA[:5])
    again = published.build(rows.QA[::-1], rows.PASSAGES[::-1])
    assert (first.written, second.written, again.written) == (True, True, False)
    assert published.opened().version == again.version == first.version
    assert published.opened().counts() == first.counts


@every_engine
def test_a_build_that_is_stopped_leaves_the_version_before_and_the_next_one_is_whole(
    published: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = published.build(rows.QA[:5]).version
    with monkeypatch.context() as broken:
        broken.setattr(build, "write_beta", lambda *given: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            published.build(rows.QA)
    assert published.opened().version == before
    assert found(published.opened(), "stack") == ["c1"]
    after = published.build(rows.QA)
    assert after.written
    assert found(published.opened(), "栈")[0] == "z1"


DIMENSION = 26


class Letters:
    """Vectors of letters, so that what is alike can be read off; of both languages."""

    name, dimension, languages = "letters@12345678", DIMENSION, ("en", "zh")

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        counts = [[1.0 + text.lower().count(chr(97 + place)) for place in range(DIMENSION)] for text in texts]
        found = np.array(counts, dtype=np.float32)
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


def tokens_of(text: str) -> Tokens:
    """A token per word, by its letters."""
    return np.round(Letters().encode(text.split()[:9]) * TOKEN_LENGTH).astype(np.int8)


def write_vectors(path: Path, qa: list[rows.Row], passages: list[rows.Row], *, model: str = Letters.name) -> Path:
    """The table of vectors as the asset `embeddings` writes it: a pair has two, its answer's last."""
    listed = [("qa", row["qa_id"], row, text) for row in qa for text in (row["question"], row["answer"])]
    listed += [("passage", row["passage_id"], row, f"{row['title']}\n{row['text']}") for row in passages]
    listed.sort(key=lambda one: (one[0], one[2]["course_id"], one[2]["source"], one[1]))
    schema = embeddings_schema(model, DIMENSION, DIMENSION)
    facts = {
        "kind": [one[0] for one in listed],
        "entry_id": [one[1] for one in listed],
        **{name: [one[2][name] for one in listed] for name in ("source", "course_id", "lang", "mode")},
        "text_hash": [one[3] for one in listed],
    }
    vectors = Letters().encode([one[3] for one in listed]).astype(np.float16)
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), DIMENSION)
    kept = pa.array([tokens_of(one[3]).tobytes() if one[0] == "passage" else None for one in listed], pa.binary())
    arrays = [*(pa.array(facts[name], pa.string()) for name in schema.names[:-2]), column, kept]
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), path)
    return path


def opened_vectors(path: Path, folder: Path) -> NearestNeighbours:
    """As a gateway opens them: by the pointer where there is one."""
    if (folder / POINTER).is_file():
        return LanceVectors.open(folder, model=Letters.name, dimension=DIMENSION)
    return DenseIndex.open(path, model=Letters.name, dimension=DIMENSION)


@every_engine
def test_meaning_finds_the_same_entries_with_the_same_cosines(published: Published, tmp_path: Path) -> None:
    qa, passages = collection(3, 120, 40)
    path = write_vectors(tmp_path / "embeddings.parquet", qa, passages)
    publish_vectors(path, published.folder, published.place)
    mine, plain = opened_vectors(path, published.folder), DenseIndex.open(path, model=Letters.name, dimension=DIMENSION)
    for text in ("a stack of plates", "binary tree deadline", "zzz"):
        (vector,) = Letters().encode([text])
        for kind in KINDS:
            for course, sources, lang, platforms in (
                (None, None, None, ()),
                ("ds", None, "en", ()),
                ("ds", ["faq"], None, ()),
                ("no", None, None, ()),
                ("no", None, None, ("ds",)),
                ("no", ["document"], None, ("ds",)),
            ):
                how = {"kind": kind, "course_id": course, "sources": sources, "lang": lang, "platforms": platforms}
                how |= {"k": 7}
                theirs = plain.search(vector, **how)  # type: ignore[arg-type]
                ours = mine.search(vector, **how)  # type: ignore[arg-type]
                assert [cosine for _, cosine in ours] == pytest.approx([cosine for _, cosine in theirs], abs=2e-6)
                assert dict(ours).keys() == dict(theirs).keys()
                ids = [*dict(theirs), "nowhere"]
                assert mine.cosines(vector, ids, kind) == pytest.approx(plain.cosines(vector, ids, kind), abs=2e-6)
                stored = mine.vectors(ids, kind)
                assert stored.keys() == dict(theirs).keys()
                assert all((stored[key] == one).all() for key, one in plain.vectors(ids, kind).items())
                tokens = plain.token_cosines(tokens_of(text), ids, kind)
                assert tokens.keys() == (dict(theirs).keys() if kind == "passage" else set())
                assert {key: one.tolist() for key, one in mine.token_cosines(tokens_of(text), ids, kind).items()} == {
                    key: pytest.approx(one.tolist(), abs=1e-6) for key, one in tokens.items()
                }
    with pytest.raises(ValueError, match="A vector of 26 numbers"):
        mine.search(np.ones(3, dtype=np.float32))


def test_many_vectors_are_searched_by_clusters_with_exact_cosines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lance_vectors, "CLUSTERED_FROM", 300)
    qa, _ = collection(4, 300, 0)
    path = write_vectors(tmp_path / "embeddings.parquet", qa, [])
    publish_vectors(path, tmp_path / "index", IndexPlace("lance"))
    mine, plain = (
        opened_vectors(path, tmp_path / "index"),
        DenseIndex.open(path, model=Letters.name, dimension=DIMENSION),
    )
    assert "vector" in {name for index in mine._table.list_indices() for name in index.columns}  # type: ignore[attr-defined]
    (vector,) = Letters().encode(["binary tree deadline"])
    found = dict(mine.search(vector, k=20))
    assert found == pytest.approx(plain.cosines(vector, list(found), "qa"), abs=2e-6)
    assert len(found.keys() & dict(plain.search(vector, k=20)).keys()) >= 15


@every_engine
def test_words_and_meaning_together_rank_as_with_tantivy(
    published: Published, tmp_path: Path, graph: ConceptGraph
) -> None:
    path = write_vectors(tmp_path / "embeddings.parquet", rows.QA, rows.PASSAGES)
    published.build()
    publish_vectors(path, published.folder, published.place)
    build_index(rows.tables(tmp_path / "t"), tmp_path / "plain")
    plain = Dense(Letters(), DenseIndex.open(path, model=Letters.name, dimension=DIMENSION))  # type: ignore[arg-type]
    mine = Dense(Letters(), opened_vectors(path, published.folder))  # type: ignore[arg-type]

    def ranked(index: SearchIndex, dense: Dense, question: str) -> Retrieved:
        asked = understand(question, graph=graph, intent=None, course_id="ds")
        strategy = Hybrid(Lookup(index, dense), 5)
        return asyncio.run(strategy.retrieve(asked, course_id="ds", domains=("computer science",)))

    for question in (
        "When is homework 3 due?",
        "what is a stack",
        "how much does late submission cost",
        "作业什么时候截止",
    ):
        ours, theirs = (
            ranked(published.opened(), mine, question),
            ranked(SearchIndex.open(tmp_path / "plain"), plain, question),
        )
        assert [one.entry for one in ours.ranked] == [one.entry for one in theirs.ranked]
        assert [one.score for one in ours.ranked] == pytest.approx([one.score for one in theirs.ranked], rel=0.02)
        assert (ours.best and ours.best.entry) == (theirs.best and theirs.best.entry)
        assert (ours.best and ours.best.match) == (theirs.best and theirs.best.match)


@every_engine
def test_vectors_of_another_model_are_refused_and_new_ones_are_followed(published: Published, tmp_path: Path) -> None:
    path = write_vectors(tmp_path / "embeddings.parquet", rows.QA, [], model="other@1")
    publish_vectors(path, published.folder, published.place)
    with pytest.raises(VectorsUnfit, match="other@1"):
        opened_vectors(path, published.folder)
    write_vectors(path, rows.QA, [])
    publish_vectors(path, published.folder, published.place)
    old = opened_vectors(path, published.folder)
    write_vectors(path, rows.QA[:3], [])
    publish_vectors(path, published.folder, published.place)
    (vector,) = Letters().encode(["stack"])
    assert len(old.search(vector, k=50)) == len(rows.QA)
    assert len(opened_vectors(path, published.folder).search(vector, k=50)) == 3


@in_lance
def test_what_is_no_longer_kept_is_removed_from_the_store_once_its_grace_is_over(
    published: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = published.build(rows.QA[:2]).version, published.build(rows.QA[:4]).version
    store = lance_store.LanceStore(lance_store.address_of(published.place.url, published.folder))
    published.build(rows.QA[:6])
    assert {version for version in (first, second) if left(store, version)} == {first, second}
    monkeypatch.setattr(lance_writer.LanceWriter, "grace_s", 0.0)
    third = published.build(rows.QA).version
    assert (left(store, first), left(store, second), left(store, third)) == (0, 0, 3)


def left(store: lance_store.LanceStore, version: str) -> int:
    """How many tables of a version are in the store."""
    return sum(f"-{version}-" in name for name in store._db.list_tables().tables)


@in_lance
def test_going_back_to_tantivy_builds_it_again_and_vectors_are_read_from_the_lake(
    published: Published, tmp_path: Path
) -> None:
    path = write_vectors(tmp_path / "embeddings.parquet", rows.QA, [])
    published.build()
    publish_vectors(path, published.folder, published.place)
    published.place = IndexPlace()
    assert published.build().written
    publish_vectors(path, published.folder, published.place)
    assert read_manifest(published.folder).keys() >= {"version"}  # type: ignore[union-attr]
    assert "engine" not in read_manifest(published.folder)  # type: ignore[operator]
    assert isinstance(opened_vectors(path, published.folder), DenseIndex)
    assert found(published.opened(), "stack")[0] == "c1"


def test_a_home_that_was_moved_keeps_a_full_version_and_asks_for_a_build_where_rows_are_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "UPDATE_SHARE", 10.0)
    there = Published(tmp_path / "there", IndexPlace("lance"))
    there.build()
    moved = Published(there.root.rename(tmp_path / "full"), IndexPlace("lance"))
    assert found(moved.opened(), "stack")[0] == "c1"
    moved.build(rows.QA[:5], update_from=0)
    moved = Published(moved.root.rename(tmp_path / "updated"), IndexPlace("lance"))
    lance_store._session.cache_clear()  # as another process, which keeps nothing in memory of where files were
    with pytest.raises(IndexMissing, match="shares rows with another version"):
        moved.opened()
    assert moved.build(rows.QA[:5], update_from=0).written
    assert found(moved.opened(), "stack") == ["c1"]


def test_a_store_that_does_not_answer_is_named_and_answers_again_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, bucket = object_store.free_port(), "away"  # LanceDB keeps the connection of a bucket, whatever is set later
    for name, value in object_store.environment(f"http://127.0.0.1:{port}").items():
        monkeypatch.setenv(name, value)
    away = Published(tmp_path, IndexPlace("lance", f"s3://{bucket}/x"))
    process = object_store.start(port, bucket)
    away.build()
    process.kill()
    process.wait()
    with pytest.raises(IndexUnreachable, match="credentials"):
        away.opened()
    process = object_store.start(port, bucket)  # empty: nothing of what was published is there
    with pytest.raises(IndexMissing, match="has no table"):
        away.opened()
    assert away.build().written
    assert found(away.opened(), "stack")[0] == "c1"
    process.kill()
    process.wait()


def test_without_the_extra_an_index_of_lance_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Published(tmp_path, IndexPlace("lance"))
    there.build()
    monkeypatch.setitem(__import__("sys").modules, "lancedb", None)
    lance_store._lance.cache_clear()
    try:
        with pytest.raises(IndexMissing, match=r"coteach\[lance\]"):
            there.opened()
    finally:
        lance_store._lance.cache_clear()
