"""An index that was updated is the index that a rebuild makes: entries, hits, scores, thresholds; and what is kept."""

import json
import random
import shutil
from pathlib import Path

import course_rows as rows
import pytest
import tantivy
from generated_rows import collection, edited, hashed, qa_row, written

from knowledge_graph.lake.changes import Changes
from serving.index import build, schema, writing
from serving.index.build import IndexReport, build_index, read_manifest
from serving.index.engine import Hit
from serving.index.schema import KINDS
from serving.index.search import SearchIndex
from serving.index.writing import TantivyWriter, count_alike

Collection = tuple[list[rows.Row], list[rows.Row]]

ORIGINAL = collection(1, 300, 100)

SMALL = 5e-5
"""Relative precision of scores in some hundred entries: ballast is whole tokens, of some thousand here."""


@pytest.fixture(autouse=True)
def updates_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """And one thread, so that the same rows are spread over the same segments in every run."""
    monkeypatch.setattr(build, "UPDATE_SHARE", 10.0)
    monkeypatch.setattr(writing, "_THREADS", 1)


class Folders:
    """One index that is updated, and a full one to compare it with."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.index = root / "index"

    def update(self, found: Collection, *, keep: int = 2, update_from: int = 0) -> IndexReport:
        return build_index(rows.tables(self.root / "t", *found), self.index, keep=keep, update_from=update_from)

    def rebuilt(self, found: Collection) -> tuple[IndexReport, SearchIndex]:
        folder = self.root / "rebuilt"
        report = build_index(rows.tables(self.root / "t", *found), folder, update_from=1_000_000)
        return report, SearchIndex.open(folder)

    def opened(self) -> SearchIndex:
        return SearchIndex.open(self.index)


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders(tmp_path)


def questions(seed: int) -> list[str]:
    chance = random.Random(seed)
    return ["stack", "栈", "the", "nowhere", *(written(chance, 8)[0] for _ in range(30))]


def assert_same_index(folders: Folders, report: IndexReport, found: Collection, *, rel: float = SMALL) -> None:
    full, expected = folders.rebuilt(found)
    index = folders.opened()
    assert (report.version, report.counts, report.beta) == (full.version, full.counts, full.beta)
    assert index.counts() == expected.counts() == report.counts
    assert index.beta == expected.beta
    for kind, listed, key in zip(KINDS, found, ("qa_id", "passage_id"), strict=True):
        ids = [row[key] for row in listed]
        assert index.entries(kind, ids) == expected.entries(kind, ids)
        assert len(index.entries(kind, ids)) == len(ids)
    for question in questions(len(found[0])):
        for kind in KINDS:
            for course, k in ((None, 10), (None, 500), ("ds", 3), ("sjjg", 10)):
                mine = index.search(question, kind=kind, course_id=course, k=k)
                theirs = expected.search(question, kind=kind, course_id=course, k=k)
                assert_same_hits(mine, theirs, rel)
            for hit in mine[:3]:
                asked = question, hit.entry
                assert index.match(*asked) == pytest.approx(expected.match(*asked))
                asked_text = question, hit.entry.text
                assert index.support(*asked_text) == pytest.approx(expected.support(*asked_text))


def assert_same_hits(mine: list[Hit], theirs: list[Hit], rel: float) -> None:
    """The same scores at the same places, and the same entries but where scores are too near to tell them apart."""
    assert [hit.score for hit in mine] == pytest.approx([hit.score for hit in theirs], rel=rel)
    scores = {hit.entry.entry_id: hit.score for hit in theirs}
    last = theirs[-1].score if theirs else 0.0
    for one, other in zip(mine, theirs, strict=True):
        if one.entry != other.entry:
            assert scores.get(one.entry.entry_id, last) == pytest.approx(other.score, rel=2 * rel)


@pytest.mark.parametrize("seed", range(6))
def test_updates_one_after_another_equal_a_rebuild(folders: Folders, seed: int) -> None:
    chance = random.Random(seed)
    found = ORIGINAL
    base = folders.update(found).version
    for _ in range(2):
        qa, counts = edited(chance, found[0], 20)
        passages, gone = edited(chance, found[1], 8)
        found = qa, passages
        report = folders.update(found)
        assert report.changes == {"qa": Changes(*counts), "passage": Changes(*gone)}
        assert report.updated
        assert read_manifest(folders.index)["base"] == base  # type: ignore[index]
        assert_same_index(folders, report, found)
    back = folders.update(ORIGINAL)
    assert (back.version, back.updated, back.written) == (base, False, False)
    assert_same_index(folders, back, ORIGINAL)


def test_in_thousands_of_entries_the_scores_of_an_update_are_those_of_a_rebuild_to_five_digits(
    folders: Folders,
) -> None:
    found = collection(2, 3000, 1000)
    folders.update(found)
    found = edited(random.Random(2), found[0], 100)[0], edited(random.Random(3), found[1], 30)[0]
    # Hits whose scores agree in five digits stand in the order of their ids: places may differ by one such step.
    assert_same_index(folders, folders.update(found), found, rel=1e-4)


def test_entries_that_tie_in_a_rebuild_tie_in_an_update(folders: Folders) -> None:
    folders.update(ORIGINAL)
    found = edited(random.Random(1), ORIGINAL[0], 20)[0], ORIGINAL[1]
    folders.update(found)
    _, expected = folders.rebuilt(found)
    for question in questions(5):
        mine = [hit.entry.entry_id for hit in folders.opened().search(question, k=500)]
        assert mine == [hit.entry.entry_id for hit in expected.search(question, k=500)]


def test_one_edited_faq_is_one_change_and_its_old_text_is_not_found_again(folders: Folders) -> None:
    old = hashed(rows.pair("f1", "faq", "Where is the zebra crossing?", "Behind the aquarium."))
    folders.update(([*ORIGINAL[0], old], ORIGINAL[1]))
    new = hashed({**old, "answer": "Beside the planetarium."})
    report = folders.update(([*ORIGINAL[0], new], ORIGINAL[1]))
    assert report.changes == {"qa": Changes(changed=1), "passage": Changes()}
    index = folders.opened()
    assert index.search("aquarium") == []
    assert [hit.entry.text for hit in index.search("planetarium")] == ["Beside the planetarium."]
    assert [entry.text for entry in index.entries("qa", ["f1"])] == ["Beside the planetarium."]


@pytest.mark.parametrize(
    "field",
    [
        {"section": "Module 1"},
        {"reviewer": "Grace"},
        {"subject": "history"},
        {"mode": "class"},
        {"explanation": "Because."},
        {"locator": rows.AT_ARTICLE},
        {"lang": "zh"},
        {"origin_id": "elsewhere"},
        {"domains": ["history"]},
        {"course_id": "sjjg"},
        {"source": "scholar"},
    ],
    ids=lambda field: next(iter(field)),
)
def test_a_fact_beside_the_text_is_updated_too(folders: Folders, field: rows.Row) -> None:
    folders.update(ORIGINAL)
    found = [{**ORIGINAL[0][0], **field}, *ORIGINAL[0][1:]], ORIGINAL[1]
    report = folders.update(found)
    assert report.changes["qa"] == Changes(changed=1)
    assert folders.opened().entries("qa", ["q0000"]) == [rows.entry(found[0][0])]


def test_a_removed_entry_is_found_nowhere_and_can_come_back(folders: Folders) -> None:
    one = hashed(rows.pair("f1", "faq", "Where is the zebra crossing?", "Behind the aquarium."))
    with_it = [*ORIGINAL[0], one], ORIGINAL[1]
    folders.update(with_it)
    assert folders.update(ORIGINAL).changes["qa"] == Changes(removed=1)
    assert folders.opened().entries("qa", ["f1"]) == []
    assert folders.opened().search("zebra") == []
    assert folders.update(with_it).changes["qa"] == Changes(added=1)
    assert [hit.entry.entry_id for hit in folders.opened().search("zebra")] == ["f1"]


def test_an_update_that_removes_everything_leaves_an_index_that_finds_nothing(folders: Folders) -> None:
    folders.update(ORIGINAL)
    report = folders.update(([], []))
    assert report.changes == {"qa": Changes(removed=300), "passage": Changes(removed=100)}
    assert folders.opened().search("stack") == []
    assert folders.opened().counts() == {"qa": {}, "passage": {}}


def test_the_base_of_a_kept_update_survives_and_unrelated_versions_go(folders: Folders) -> None:
    unrelated = folders.update(collection(9, 20, 5)).version
    base = folders.update(ORIGINAL, update_from=1_000_000).version
    updates = [folders.update(edited_once(number), keep=1).version for number in range(3)]
    assert versions(folders) == {base, updates[-1]}
    assert unrelated not in versions(folders)
    assert folders.opened().entries("qa", ["q0002"])[0].text == "edited 2"


def edited_once(number: int) -> Collection:
    qa = list(ORIGINAL[0])
    qa[number] = hashed({**qa[number], "answer": f"edited {number}"})
    return qa, ORIGINAL[1]


def versions(folders: Folders) -> set[str]:
    return {path.parent.name for path in folders.index.glob("*/manifest.json")}


def test_an_update_keeps_working_when_its_base_is_deleted_from_under_it(folders: Folders) -> None:
    base = folders.update(ORIGINAL).version
    folders.update(edited_once(0))
    shutil.rmtree(folders.index / base)
    assert folders.opened().entries("qa", ["q0000"])[0].text == "edited 0"
    report = folders.update(edited_once(1))
    assert (report.written, report.updated) == (True, False)
    assert_same_index(folders, report, edited_once(1))


def test_a_small_index_and_a_large_change_are_indexed_anew(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    folders.update(ORIGINAL)
    assert not folders.update(edited_once(0), update_from=401).updated
    monkeypatch.setattr(build, "UPDATE_SHARE", 2 / 400)
    assert folders.update(edited_once(1), update_from=400).updated
    three_more = edited_once(1)[0] + [qa_row(random.Random(1), number) for number in (901, 902, 903)]
    assert not folders.update((three_more, ORIGINAL[1]), update_from=400).updated


def test_a_version_that_another_program_made_is_indexed_anew(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    old = folders.update(ORIGINAL)
    monkeypatch.setattr(schema, "FORMAT_VERSION", "next")
    new = folders.update(ORIGINAL)
    assert new.version != old.version
    assert (new.written, new.updated) == (True, False)
    assert new.changes == {"qa": Changes(added=300), "passage": Changes(added=100)}


def test_a_draft_that_was_left_unfinished_is_no_version(folders: Folders) -> None:
    report = folders.update(ORIGINAL)
    (folders.index / report.version / "manifest.json").unlink()
    again = folders.update(ORIGINAL)
    assert (again.version, again.written) == (report.version, True)
    assert folders.opened().search("stack")


def segments(index: SearchIndex) -> list[list[str]]:
    """The ids of the QA pairs in each of Tantivy's segments, the smallest segment first."""
    searcher, _ = index.reader.raw("qa")  # type: ignore[attr-defined]
    found: dict[int, list[str]] = {}
    for _, address in searcher.search(tantivy.Query.all_query(), limit=10_000).hits:
        payload = json.loads(searcher.doc(address)["payload"][0])
        found.setdefault(address.segment_ord, []).append(payload["entry_id"])
    return sorted(found.values(), key=len)


def test_an_update_that_empties_a_whole_segment_equals_a_rebuild(
    folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_THREADS", 2)
    for _ in range(50):  # which thread gets which documents is chance; one may get them all
        folders.update(ORIGINAL)
        smallest, *others = segments(folders.opened())
        if others:
            break
        shutil.rmtree(folders.index)
    found = [row for row in ORIGINAL[0] if row["qa_id"] not in smallest], ORIGINAL[1]
    assert_same_index(folders, folders.update(found), found)


@pytest.mark.parametrize(
    ("documents", "alike"),
    [
        ((), 0),
        ((3, 9_000, 1), 3),
        ((1_981_460, 1_981_153, 1_981_011, 1_980_184, 1_979_649, 59_776, 36_767), 5),
        ((2_000_000, 1_300_000, 1_100_000), 2),
        ((10_000,) * 8, 8),
    ],
)
def test_segments_of_one_size_are_counted_as_tantivy_merges_them(documents: tuple[int, ...], alike: int) -> None:
    assert count_alike(documents) == alike


def test_an_index_of_many_segments_of_few_sizes_is_updated(tmp_path: Path) -> None:
    """Ten million entries leave seven: five of two million, and two that the writer's threads ended with."""
    for kind, large in (("qa", 5), ("passage", 7)):
        listed = [{"max_doc": size} for size in (*(2_000_000,) * large, 50_000, 40_000)]
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "meta.json").write_text(json.dumps({"segments": listed}))
    assert not TantivyWriter().may_update(tmp_path), "seven of one size would be merged"
    shutil.copyfile(tmp_path / "qa" / "meta.json", tmp_path / "passage" / "meta.json")
    assert TantivyWriter().may_update(tmp_path)
