"""A catalogue saved in a course folder: every page accounted for, what was dropped counted, changes named."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from course_files import WriteCourse

from knowledge_graph.lake.records import CatalogRecord, CourseCard
from knowledge_graph.sources.catalog import reading
from knowledge_graph.sources.catalog.changes import CatalogChanges, compare
from knowledge_graph.sources.catalog.reading import Catalog, read_catalog
from knowledge_graph.sources.course import read_course_card
from knowledge_graph.sources.folders import CourseFolder

SAMPLE = Path(__file__).parents[2] / "examples" / "courses" / "university-catalog"
CARD = CourseCard("trees", "Trees", "en")
TWO = """<h3>COMP 1100 Loops (3)</h3><p>Loops and functions, again.</p>
<h3>COMP 1200 Trees (3)</h3><p>Trees and their leaves, too.</p>"""


def read(write_course: WriteCourse, pages: dict[str, str | bytes], previous: tuple[CatalogRecord, ...] = ()) -> Catalog:
    return read_catalog(write_course(pages), CARD, client=None, previous=previous)


def test_the_sample_catalogue_is_read_as_it_was_written() -> None:
    folder = CourseFolder("university-catalog", SAMPLE)
    catalog = read_catalog(folder, read_course_card(folder)[0], client=None)
    ids = [record.record_id for record in catalog.records]
    assert ids == sorted(set(ids))
    assert Counter(key.partition(":")[0] for key in ids) == {"class": 19, "program": 13, "page": 5}
    assert len([record for record in catalog.records if record.code]) == 19
    assert catalog.dropped_counts == {"neither class nor program": 5, "no description": 2, "special": 4}
    assert catalog.page_count == 23
    assert [(problem.file, problem.severity) for problem in catalog.problems] == [
        ("catalog/classes/musc.html", "warning")
    ]
    cafe = next(record for record in catalog.records if record.code == "MUSC 1000")
    assert cafe.title == "Café Music and Études"
    assert "étude" in cafe.text


def test_classes_without_description_and_special_ones_are_no_records_of_their_own(write_course: WriteCourse) -> None:
    page = """<h3>COMP 1100 Loops (3)</h3><p>Loops and functions, again.</p>
    <h3>COMP 3900 Placement (2)</h3><p><b>Prerequisite:</b> consent of the department.</p>
    <h3>COMP 4910 Independent Study (3)</h3><p>Work on a problem of one's own choice.</p>"""
    catalog = read(
        write_course, {"catalog/comp.html": page, "catalog/about.html": "<h1>About us</h1><p>Since 1900.</p>"}
    )
    assert [(record.record_id, record.code) for record in catalog.records] == [
        ("class:COMP 1100", "COMP 1100"),
        ("page:comp", None),
    ]
    assert [(each.page, each.code, each.title, each.reason) for each in catalog.dropped] == [
        ("catalog/about.html", None, "About us", "neither class nor program"),
        ("catalog/comp.html", "COMP 3900", "Placement", "no description"),
        ("catalog/comp.html", "COMP 4910", "Independent Study", "special"),
    ]
    assert catalog.dropped_counts == {"neither class nor program": 1, "no description": 1, "special": 1}


def test_what_a_page_says_of_all_its_classes_and_of_those_that_are_no_records_is_kept(
    write_course: WriteCourse,
) -> None:
    page = """<title>Computing</title><nav><a href="/">All the classes of this university, in one list.</a></nav>
    <p>COMP 1000-level classes are open to everybody; all others need COMP 1100.</p><p>Contact us</p>
    <h3>COMP 1100 Loops (3)</h3><p>Loops and functions, again.</p>
    <h3>COMP 3900 Placement (2)</h3><p><b>Prerequisite:</b> consent of the department.</p>
    <h3>COMP 3950 Ensemble (1)</h3>
    <h3>COMP 4910 Independent Study (3)</h3><p>Work on a problem of one's own choice.</p>"""
    kept = read(write_course, {"catalog/comp.html": page}).records[-1]
    assert (kept.mode, kept.code, kept.title, kept.page) == (None, None, "Computing", "catalog/comp.html")
    assert kept.text.splitlines() == [
        "COMP 1000-level classes are open to everybody; all others need COMP 1100.",
        "COMP 3900 Placement. Credits: 2 Prerequisite: consent of the department.",
        "COMP 3950 Ensemble. Credits: 1",
        "COMP 4910 Independent Study. Work on a problem of one's own choice. Credits: 3",
    ]


def test_an_index_that_only_names_what_is_described_elsewhere_is_no_record(write_course: WriteCourse) -> None:
    index = "<title>All classes</title><h3>COMP 1100 Loops (3)</h3><h3>COMP 1200 Trees (3)</h3>"
    catalog = read(write_course, {"catalog/comp.html": TWO, "catalog/index.html": index})
    assert [one.record_id for one in catalog.records] == ["class:COMP 1100", "class:COMP 1200"]


def test_a_record_tells_where_it_comes_from(write_course: WriteCourse) -> None:
    page = (
        '<link rel="canonical" href="https://a.example/comp"><h3>COMP 1100 Loops</h3><p>Loops and functions, again.</p>'
    )
    assert read(write_course, {"catalog/deep/comp.htm": page}).records == (
        CatalogRecord(
            course_id="trees",
            mode="class",
            record_id="class:COMP 1100",
            code="COMP 1100",
            title="Loops",
            topic=None,
            text="Loops and functions, again.",
            page="catalog/deep/comp.htm",
            url="https://a.example/comp",
            fetched_at=None,
            lang="en",
        ),
    )


def test_a_class_on_two_pages_is_one_record(write_course: WriteCourse) -> None:
    short = "<h3>COMP 1200 Trees (3)</h3><h3>COMP 1300 Graphs (3)</h3><p>Graphs and their edges, too.</p>"
    catalog = read(write_course, {"catalog/a.html": short, "catalog/b.html": TWO, "catalog/c.html": TWO})
    assert [record.code for record in catalog.records] == ["COMP 1100", "COMP 1200", "COMP 1300"]
    assert {(each.page, each.code, each.reason) for each in catalog.dropped} == {
        ("catalog/a.html", "COMP 1200", "twice"),
        ("catalog/c.html", "COMP 1100", "twice"),
        ("catalog/c.html", "COMP 1200", "twice"),
    }


def test_a_rerun_finds_what_is_new_changed_and_gone(write_course: WriteCourse) -> None:
    first = read(
        write_course, {"catalog/a.html": TWO, "catalog/b.html": "<h3>HIST 1000 Rome</h3><p>Rome and all its roads.</p>"}
    )
    assert first.changes.new == ("class:COMP 1100", "class:COMP 1200", "class:HIST 1000")
    changed = TWO.replace("leaves, too", "roots, too").replace("COMP 1100", "COMP 1150")
    second = read(write_course, {"catalog/a.html": changed}, first.records)
    assert second.changes == CatalogChanges(
        new=("class:COMP 1150",),
        changed=("class:COMP 1200",),
        gone=("class:COMP 1100",),
        unchanged=("class:HIST 1000",),
    )


def test_the_time_of_fetching_is_no_change() -> None:
    record = CatalogRecord("c", "class", "class:A", "A", "T", None, "x", "p", None, "2030-01-01T00:00:00+00:00", "en")
    later = replace(record, fetched_at="2031-01-01T00:00:00+00:00")
    assert compare([record], [later]) == CatalogChanges(unchanged=("class:A",))
    assert compare([record], []) == CatalogChanges(gone=("class:A",))


def test_pages_that_cannot_be_read_are_told_and_the_others_kept(
    write_course: WriteCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LARGEST_SAVED_PAGE", 2_000)
    catalog = read(
        write_course,
        {
            "catalog/good.html": TWO,
            "catalog/latin.html": "<h3>MUSC 1000 Café</h3><p>Short forms of the café, sung.</p>".encode("latin-1"),
            "catalog/large.html": "x" * 2_001,
        },
    )
    assert [record.title for record in catalog.records] == ["Loops", "Trees", "Café"]
    assert [(problem.file, problem.message) for problem in catalog.problems] == [
        ("catalog/large.html", "The page has 2,001 bytes, at most 2,000 are read."),
        ("catalog/latin.html", "Read as cp1252; nothing was lost."),
    ]


def test_a_page_nested_without_end_is_told(write_course: WriteCourse) -> None:
    catalog = read(write_course, {"catalog/a.html": TWO, "catalog/deep.html": "<b><div>" * 20_000})
    assert len(catalog.records) == 2
    assert "deep.html was not read: its elements are nested more than 5,000 deep" in catalog.problems[0].message


def test_a_catalogue_in_which_nothing_is_recognised_is_told(write_course: WriteCourse) -> None:
    catalog = read(write_course, {"catalog/a.html": "<p>6.006 Algorithms: sorting and searching.</p>"})
    assert [problem.message for problem in catalog.problems] == ["No class or program was found on 1 page(s)."]


def test_a_folder_without_a_catalogue_has_none_and_no_problem(write_course: WriteCourse) -> None:
    catalog = read(write_course, {"faq.csv": "question,answer\nWhy?,So.\n"})
    assert (catalog.records, catalog.dropped, catalog.problems, catalog.page_count) == ((), (), (), 0)


def test_reading_twice_gives_the_same(write_course: WriteCourse) -> None:
    pages: dict[str, str | bytes] = {"catalog/b.html": TWO, "catalog/a.html": TWO}
    first = read(write_course, pages)
    second = read(write_course, pages, first.records)
    assert (second.records, second.dropped) == (first.records, first.dropped)
