"""Where a class begins on a page, and what belongs to it (Tulane 2.I): tricky pages, one at a time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.sources.catalog.classes import ClassEntry, classes_of
from knowledge_graph.sources.catalog.outline import HtmlPage, PageTooDeep
from knowledge_graph.sources.catalog.settings import CatalogSettings, settings_of
from knowledge_graph.sources.fields import ProblemLog

DEFAULTS = CatalogSettings()


def classes(html: str, config: CatalogSettings = DEFAULTS) -> list[ClassEntry]:
    return list(classes_of(HtmlPage(html, "https://a.example/classes/").outline(), config))


def codes(html: str, config: CatalogSettings = DEFAULTS) -> list[str]:
    return [entry.code for entry in classes(html, config)]


def test_a_page_of_one_class_gives_code_title_description_and_the_other_lines() -> None:
    page = """<div style="display: none">MATH 9999 - Hidden</div>
    <table><tr><td><div><h3> PE 1134 -  Tide Pools &amp; Boats </h3>
    <strong>Credit Hours:</strong> <strong>1.0</strong><br>
    <hr><strong>Prerequisite:</strong> <a href="x">BIOL 1334</a> .<br><strong>Description</strong><br>
    Topics include: nets, knots and
    the tide.<br><strong>Note:</strong> Bring boots.<br>Typically Offered: Fall<br></div></td></tr></table>
    <small>From: Catalogue 2030</small>"""
    assert classes(page) == [
        ClassEntry(
            "PE 1134",
            "Tide Pools & Boats",
            "Topics include: nets, knots and the tide.",
            ("Credit Hours: 1.0", "Prerequisite: BIOL 1334.", "Note: Bring boots.", "Typically Offered: Fall"),
        )
    ]


def test_a_page_with_nothing_but_credits_and_prerequisites_has_no_description() -> None:
    page = """<div><div><h3>COSC 4198 - Quiet Work</h3><b>Credit Hours:</b> 1.0<hr>
    <b>Prerequisite:</b> approval of the chair of the department.<br>
    May be repeated for credit when topics vary.</div></div>
    <small><em>From: The Catalogue of the Year 2030</em></small>"""
    assert [(entry.code, entry.description) for entry in classes(page)] == [("COSC 4198", "")]


def test_the_description_is_found_when_title_and_text_are_in_boxes_of_their_own() -> None:
    page = """<main><div class=course><div class=head><span><strong>CMPS&nbsp;1010</strong></span>
    <span><strong>Introduction to Computing (3)</strong></span></div>
    <div class=body><p>What a computer is and what it can never be.</p></div></div>
    <div class=course><div class=head><span><strong>CMPS 1100</strong></span>
    <span><strong>Foundations (4)</strong></span>
    </div><div class=body><p>Programs and how to think about them.</p></div></div></main>"""
    assert classes(page) == [
        ClassEntry(
            "CMPS 1010", "Introduction to Computing", "What a computer is and what it can never be.", ("Credits: 3",)
        ),
        ClassEntry("CMPS 1100", "Foundations", "Programs and how to think about them.", ("Credits: 4",)),
    ]


def test_codes_inside_descriptions_and_prerequisites_begin_nothing() -> None:
    page = """<h2>COMP 1100 Programming (4)</h2><p>COMP 1100 is for beginners. Students of COMP 1150 may skip it.</p>
    <p><b>Prerequisites:</b></p><p>MATH 1300 Discrete Structures</p><p>MATH 1400 Statistics</p>
    <h2>COMP 1200 Data Structures (4)</h2><p>Lists and trees and their cost.</p>"""
    assert codes(page) == ["COMP 1100", "COMP 1200"]
    assert "MATH 1300 Discrete Structures" in classes(page)[0].text


def test_without_headings_bold_beginnings_count_and_bold_mentions_do_not() -> None:
    page = """<p><strong>MATH 1210. Calculus I. (4)</strong><br>Limits, derivatives and integrals.</p>
    <p><strong>MATH 1220. Calculus II. (4)</strong><br>Sequences, series and more.<br><em>Prerequisite:</em><br>
    <strong>MATH 1210</strong> or equivalent.</p><p><strong>MATH 1210, MATH 1220</strong> are taught every year.</p>"""
    assert [(entry.code, entry.title) for entry in classes(page)] == [
        ("MATH 1210", "Calculus I"),
        ("MATH 1220", "Calculus II"),
    ]


@pytest.mark.parametrize(
    "mention",
    [
        "COMP 1200 and COMP 1300 may not both be counted.",
        "COMP 1200 is required.",
        "COMP 1200. Students must also register for the laboratory.",
        "COMP 1200, COMP 1300",
        "COMP 1200 or consent of the instructor",
        "COMP 1200-level classes are for majors only.",
        "COMP 1200",
        "Prerequisite: COMP 1200 Data Structures (4)",
        "Not open to students with credit for COMP 1200.",
    ],
)
def test_a_plain_line_that_only_mentions_a_code_begins_nothing(mention: str) -> None:
    page = f"<p>COMP 1100 Programming (4)</p><p>Loops and functions in Python.</p><p>{mention}</p>"
    assert codes(page) == ["COMP 1100"]
    assert mention in classes(page)[0].text


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("COMP 1200 Data Structures (4)", "Data Structures"),
        ("COMP 1200 - Data Structures", "Data Structures"),
        ("COMP 1200: Data Structures", "Data Structures"),
        ("COMP 1200. Data Structures. 4 credits.", "Data Structures"),
        ("COMP1200 Data Structures, 3-4 units", "Data Structures"),
        ("COMP-1200 Data Structures", "Data Structures"),
        ("COMP 1200/MATH 1200 Data Structures", "Data Structures"),
        ("COMP 1200L 3D Structures", "3D Structures"),
        ("COMP 1200 | Data Structures | 4", "Data Structures"),
        ("COMP 1200 Why the sea is salt (3)", "Why the sea is salt"),
        ("COMP 1200 “Data” and Its Discontents", "“Data” and Its Discontents"),
    ],
)
def test_titles_are_read_as_catalogues_print_them(line: str, title: str) -> None:
    above = "<p>COMP 1100 Programming (4)</p><p>Loops and functions in Python.</p>"
    page = f"{above}<p>{line}</p><p>Lists, trees and graphs.</p>"
    assert [entry.title for entry in classes(page)] == ["Programming", title]
    assert classes(page)[1].description == "Lists, trees and graphs."


def test_a_list_of_prerequisites_on_lines_of_their_own_begins_nothing() -> None:
    page = """<p>COMP 3300 Operating Systems (4)</p><p>Processes, memory and files.</p><p>Prerequisites:</p>
    <p>COMP 1200 Data Structures</p><p>MATH 1300 Discrete Structures</p><p>COMP 3400 Databases (4)</p>
    <p>Tables and keys, and queries.</p>"""
    assert codes(page) == ["COMP 3300", "COMP 3400"]


def test_one_running_text_is_split_at_every_code_with_title_and_credits() -> None:
    page = """<p>HIST 1010 The Atlantic World (3) Ships and sugar, read in letters. HIST 2040 Port Cities (3) Harbours
    where law and language meet. Students who took HIST 1010 before 2019 need not repeat it. HIST 3120 Maps and Power
    (3) Who drew the coast. Prerequisite: HIST 1010 or HIST 2040.</p>"""
    found = classes(page)
    assert [(entry.code, entry.title) for entry in found] == [
        ("HIST 1010", "The Atlantic World"),
        ("HIST 2040", "Port Cities"),
        ("HIST 3120", "Maps and Power"),
    ]
    assert found[1].description.endswith("before 2019 need not repeat it.")


def test_preformatted_text_is_read_line_by_line() -> None:
    page = """<pre>COMP 1100  Programming  (4)
    Loops and functions in Python.

COMP 1200  Data Structures  (4)
    Lists and trees, for those who took
    COMP 1100. Not for others.
</pre>"""
    assert codes(page) == ["COMP 1100", "COMP 1200"]


def test_a_higher_heading_ends_the_last_class_of_a_group() -> None:
    page = """<h3>COMP 1100 Programming</h3><p>Loops and functions in Python.</p><h2>Graduate classes</h2>
    <p>Open to graduates of any university.</p><h3>COMP 5400 Agreement</h3>
    <p>Many machines, one opinion of things.</p>"""
    assert [entry.text for entry in classes(page)] == [
        "Loops and functions in Python.",
        "Many machines, one opinion of things.",
    ]


def test_a_list_of_links_to_classes_describes_none() -> None:
    assert (
        codes('<ul><li><a href="a">COMP 1100 - Programming</a><li><a href="b">COMP 1200 - Data Structures</a></ul>')
        == []
    )


def test_the_title_may_stand_below_the_code() -> None:
    page = "<h2>COMP 1100</h2><h3>Programming</h3><p>Loops and functions in Python.</p>"
    assert classes(page) == [ClassEntry("COMP 1100", "Programming", "Loops and functions in Python.", ())]


def test_terms_of_a_definition_list_begin_classes() -> None:
    page = (
        "<dl><dt>COMP 1100 - Programming<dd>Loops and functions in Python.<dt>COMP 1200 - Structures<dd>Credits: 1</dl>"
    )
    assert [(entry.code, entry.text) for entry in classes(page)] == [
        ("COMP 1100", "Loops and functions in Python."),
        ("COMP 1200", "Credits: 1"),
    ]


@pytest.mark.parametrize(
    ("heading", "found"),
    [
        ("COMP 2050 - e-Learning", ["e-Learning"]),
        ("COMP 2050: 3-D Worlds", ["3-D Worlds"]),
        ("COMP 2050 - (In)equality", ["(In)equality"]),
        ("COMP 1000 - 1999: First classes", []),
        ("COMP 1000-level classes", []),
        ("COMP 2050 and its history", []),
    ],
)
def test_a_title_set_off_from_its_code_may_begin_as_it_likes(heading: str, found: list[str]) -> None:
    assert [entry.title for entry in classes(f"<h3>{heading}</h3><p>Loops and functions in Python.</p>")] == found


def test_the_pattern_of_codes_can_be_another() -> None:
    config = settings_of("code_pattern: '\\d{1,2}\\.\\d{3}[A-Z]?'", ProblemLog("catalog.yaml"))
    page = """<p>6.006 Algorithms (12)</p><p>Sorting, searching and their proofs.</p>
    <p>6.046J Design (12)</p><p>As 6.006, but deeper than that.</p>"""
    assert codes(page, config) == ["6.006", "6.046J"]


def test_a_chinese_catalogue_is_read_with_its_own_codes() -> None:
    page = "<h3>COMP 1100 程序设计</h3><p>学分:4</p><p>课程简介:本课程讲授变量、循环与函数。</p>"
    assert classes(page) == [ClassEntry("COMP 1100", "程序设计", "本课程讲授变量、循环与函数。", ("学分:4",))]


@pytest.mark.parametrize(
    "html", ["", "<", "<html>", "\0", "<h3></h3>", "<p>COMP 1100", "<h3>COMP 1100</h3>", "<table><td><h3>"]
)
def test_a_page_without_classes_has_none(html: str) -> None:
    assert classes(html) == []


@pytest.mark.parametrize("html", ["<div>" * 100_000, "</p>" * 9_000 + "<div>" * 9_000, "<div></b>" * 9_000])
def test_a_page_nested_without_end_is_refused_at_once(html: str) -> None:
    with pytest.raises(PageTooDeep, match="nested more than 5,000 deep"):
        HtmlPage(html, "https://a.example/")


@given(
    st.lists(
        st.sampled_from(
            [
                *"<p> </p> <h3> </h3> <b> </b> <br> <table><tr><td> </table> <div/hidden> </div> <pre>".split(),
                *("COMP 1100 ", "Trees (3) ", "and ", "Prerequisite: ", "Description", "Lists of many things. ", "\n"),
            ]
        ),
        max_size=30,
    )
)
@settings(max_examples=200, deadline=None)
def test_no_page_is_too_broken_and_no_record_lacks_code_or_title(pieces: list[str]) -> None:
    for entry in classes("".join(pieces)):
        assert entry.code == "COMP 1100"
        assert entry.title.strip() == entry.title != ""


@given(st.integers(1, 12), st.sampled_from(["<h3>{}</h3>", "<p><b>{}</b></p>", "<dt>{}</dt>", "<p>{}</p>"]))
@settings(max_examples=40, deadline=None)
def test_as_many_classes_are_found_as_were_written(count: int, form: str) -> None:
    page = "".join(
        form.format(f"COMP {1000 + number} Trees and Graphs (3)")
        + f"<p>What COMP {1001 + number} builds upon, too.</p>"
        for number in range(count)
    )
    found = classes(page)
    assert [entry.code for entry in found] == [f"COMP {1000 + number}" for number in range(count)]
    assert all(entry.title == "Trees and Graphs" and entry.details == ("Credits: 3",) for entry in found)
