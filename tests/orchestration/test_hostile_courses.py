"""Courses full of files that nobody can read, beside a good one: each defect is told on the check of its asset, the
good course is complete, nothing is written outside the home. And rows that break a rule: listed, and kept out.
"""

import io
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import dagster as dg
import pytest
from fpdf import FPDF
from pypdf import PdfReader, PdfWriter
from small_courses import CLASSES, FAQ, SORTING, Place, replies, srt, write_course

from assets import catalog_pages, scholar_records
from knowledge_graph.lake.tables import read_rows
from orchestration.reporting.tables import CLEAN_INPUT
from serving.index.search import SearchIndex

HUGE = 200 * 2**20
DUPLICATES = 10_000
FRENCH = '<meta charset="utf-8"><h1>Café</h1><p>Le café est ouvert à midi, après la leçon.</p>'


def pdf(text: str) -> bytes:
    """One page; without `text` it has a picture of a line only."""
    document = FPDF()
    document.set_font("Helvetica", size=11)
    document.add_page()
    if text:
        document.multi_cell(0, 8, text)
    else:
        document.line(10, 10, 90, 90)
    return bytes(document.output())


def locked(data: bytes) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt("secret", owner_password="office", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def write_hostile_courses(folder: Path) -> None:
    """`papers`, whose documents cannot be read, `rows`, whose other files cannot, and `sorting`, a good course."""
    write_course(
        folder / "papers",
        {
            "documents/scanned.pdf": pdf(""),
            "documents/locked.pdf": locked(pdf("A tree has nodes.")),
            "documents/wrong.html": FRENCH.encode("latin-1"),
            "documents/good.md": "# Rules\n\n## Resits\n\nIn January.\n",
        },
    )
    with (folder / "papers" / "documents" / "huge.txt").open("wb") as huge:
        huge.truncate(HUGE)
    write_course(
        folder / "rows",
        {
            "faq.csv": "question,answer\n" + "May I come late?,Until noon.\n" * DUPLICATES,
            "catalog.yaml": "classes: [http://127.0.0.1:1/\ndelay_seconds: 0\n",
            "catalog/comp.html": CLASSES,
        },
    )
    subtitles = folder / "rows" / "subtitles"
    subtitles.mkdir()
    with open(os.fsencode(subtitles) + b"/01 - Caf\xe9.srt", "w", encoding="utf-8") as file:
        file.write(srt(SORTING))
    write_course(folder / "sorting", {"01 - Sorting.srt": srt(SORTING), "faq.csv": FAQ})


def listing(folder: Path, *, without: Path) -> dict[str, int]:
    """Every file below a folder with its time of change, but those of one folder in it."""
    return {
        os.fsencode(path).decode("latin-1"): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file() and not path.is_relative_to(without)
    }


@dataclass(frozen=True)
class Hostile:
    """A home built from hostile courses, and what lay around it before and after."""

    place: Place
    code: int
    printed: str
    around: tuple[dict[str, int], dict[str, int]]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    parent = tmp_path_factory.mktemp("hostile")
    place = Place(parent / "place")
    write_hostile_courses(place.courses)
    before = listing(parent, without=place.data_dir.root)
    code, printed = place.build()
    return Hostile(place, code, printed, (before, listing(parent, without=place.data_dir.root)))


TOLD = [
    ("papers", "documents", "documents/scanned.pdf: ", "No text"),
    ("papers", "documents", "documents/locked.pdf: ", "password"),
    ("papers", "documents", "documents/huge.txt: ", "Not read: the file has 200.0 MB, the limit is 8 MB."),
    ("papers", "documents", "documents/wrong.html: ", "Read as"),
    ("rows", "faq", "faq.csv:3: ", "is the same as row 2; it was left out."),
    ("rows", "catalog_pages", "catalog.yaml:", "Not valid YAML"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("course", "asset", "where", "what"), TOLD)
def test_what_cannot_be_read_is_told_on_the_check_of_its_asset(
    hostile: Hostile, course: str, asset: str, where: str, what: str
) -> None:
    check = hostile.place.check(asset, CLEAN_INPUT, course)
    assert not check.passed
    assert check.severity == dg.AssetCheckSeverity.WARN
    lines = [line for line in (check.description or "").splitlines() if line.startswith(where)]
    assert any(what.lower() in line.lower() for line in lines), check.description


@pytest.mark.slow
def test_the_build_of_hostile_courses_ends_well(hostile: Hostile) -> None:
    assert hostile.code == 0, hostile.printed
    rows = read_rows(hostile.place.data_dir.graph_courses)
    assert [row["course_id"] for row in rows] == ["papers", "rows", "sorting"]
    assert hostile.place.plans() == []


@pytest.mark.slow
def test_the_good_course_is_complete(hostile: Hostile) -> None:
    data_dir = hostile.place.data_dir
    assert len(read_rows(data_dir.table("cues", "sorting"))) == 30
    pairs = hostile.place.pairs("sorting")
    assert sum(source == "faq" for source, _ in pairs) == 3
    assert {"merge sort", "quicksort"} <= {row["question"] for (source, _), row in pairs.items() if source == "concept"}
    index = SearchIndex.open(data_dir.index)
    assert index.search("When is the homework due?", course_id="sorting", k=1)[0].entry.origin_id == "due"
    for asset in ("subtitles", "faq"):
        assert hostile.place.check(asset, CLEAN_INPUT, "sorting").passed


@pytest.mark.slow
def test_what_can_be_read_of_a_hostile_course_is_kept(hostile: Hostile) -> None:
    place = hostile.place
    texts = {row["document"]: row["text"] for row in read_rows(place.data_dir.table("documents", "papers"))}
    assert texts["documents/good.md"] == "In January."
    assert texts["documents/wrong.html"] == "Le café est ouvert à midi, après la leçon."
    assert len(texts) == 2
    pairs = place.pairs("rows")
    assert [row["question"] for (source, _), row in pairs.items() if source == "faq"] == ["May I come late?"]
    assert sum(source == "catalog" for source, _ in pairs) == 2


@pytest.mark.slow
def test_a_subtitle_file_whose_name_is_not_utf_8_is_read(hostile: Hostile) -> None:
    cues = read_rows(hostile.place.data_dir.table("cues", "rows"))
    assert len(cues) == 30
    assert len({cue["video_id"] for cue in cues}) == 1
    assert cues[0]["video_title"].encode()


@pytest.mark.slow
def test_ten_thousand_duplicates_are_counted_and_not_each_told(hostile: Hostile) -> None:
    facts = hostile.place.metadata("faq", "rows")
    assert facts["dagster/row_count"].value == 1
    told = (hostile.place.check("faq", CLEAN_INPUT, "rows").description or "").splitlines()
    assert len(told) == facts["problem_count"].value < 100
    assert f"{DUPLICATES - len(told):,} more like those above" in told[-1]


@pytest.mark.slow
def test_nothing_is_written_outside_the_home(hostile: Hostile) -> None:
    before, after = hostile.around
    assert after == before


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A course with a catalogue and an academic search, read once as it should be."""
    place = Place(tmp_path_factory.mktemp("ruled"))
    paper = {"kind": "paper", "id": "W1", "question": "Skip lists", "answer": "By Ada Quill, 1990."}
    files = {"catalog/comp.html": CLASSES, "scholar.jsonl": replies(("lists", [paper])), "faq.csv": FAQ}
    write_course(place.courses / "structures", files)
    outcome = place.make("structures", "course_card", "subtitles", "documents", "catalog_pages", "passages")
    assert outcome.succeeded
    assert place.make("structures", "faq", "search_snippets", "scholar_records").succeeded
    return place


def test_a_catalogue_row_that_breaks_a_rule_is_listed_and_blocks(ruled: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def of_another_mode(*arguments: object, **flags: object) -> object:
        """The catalogue as it is read, its second record of a mode that there is not."""
        found = read(*arguments, **flags)
        first, second = found.records
        return replace(found, records=(first, replace(second, mode="faculty")))

    read = catalog_pages.read_catalog
    data_dir = ruled.data_dir
    before = [data_dir.table(name, "structures").read_bytes() for name in ("catalog_pages", "passages")]
    monkeypatch.setattr(catalog_pages, "read_catalog", of_another_mode)
    assert not ruled.make("structures", "catalog_pages", "passages").succeeded
    check = ruled.check("catalog_pages", "catalog_pages_meets_expectations", "structures")
    assert not check.passed
    assert check.severity == dg.AssetCheckSeverity.ERROR
    assert (
        check.description == "expect_column_values_to_be_in_set on mode: record_id 'class:COMP 1200': mode is 'faculty'"
    )
    assert {name: value.value for name, value in check.metadata.items()}["failing_rows"] == 1
    assert [data_dir.table(name, "structures").read_bytes() for name in ("catalog_pages", "passages")] == before


def test_a_scholar_row_that_breaks_rules_is_listed_and_not_published(
    ruled: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_a_rumour(*arguments: object) -> object:
        """The records as they are read, and one of no known kind that says nothing."""
        (good,), problems = read(*arguments)
        return (good, replace(good, kind="rumour", record_id="W2", answer="")), problems

    read = scholar_records.read_scholar_records
    path = ruled.data_dir.table("scholar_records", "structures")
    before = path.read_bytes()
    monkeypatch.setattr(scholar_records, "read_scholar_records", with_a_rumour)
    assert not ruled.make("structures", "scholar_records").succeeded
    check = ruled.check("scholar_records", "scholar_records_meets_expectations", "structures")
    assert not check.passed
    assert (check.description or "").splitlines() == [
        "expect_column_value_lengths_to_be_between on answer: record_id 'W2', query 'lists': answer is ''",
        "expect_column_values_to_be_in_set on kind: record_id 'W2', query 'lists': kind is 'rumour'",
    ]
    assert path.read_bytes() == before


def test_an_asset_whose_rows_were_refused_is_planned_again(ruled: Place) -> None:
    """Runs last of those with this home: it mends what the others broke."""
    plan = ruled.plans()[0]
    assert plan.partition == "structures"
    assert plan.reasons["catalog_pages"] == "its last run did not succeed"
    assert plan.reasons["scholar_records"] == "its last run did not succeed"
    assert ruled.make("structures", "catalog_pages", "scholar_records").succeeded
    assert ruled.check("catalog_pages", "catalog_pages_meets_expectations", "structures").passed
