"""Slides, Word documents, notebooks and e-books as documents: what is read, where it is, what is refused."""

import io
import json
import zipfile
from collections.abc import Mapping

import pytest
from course_files import WriteCourse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pptx import Presentation
from pptx.util import Inches

from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import CourseCard, DocumentSection
from knowledge_graph.sources import office
from knowledge_graph.sources.documents import read_documents

CARD = CourseCard("trees", "Trees", "en")
FORMATS = ("pptx", "docx", "ipynb", "epub")
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def read(write_course: WriteCourse, name: str, data: bytes) -> tuple[tuple[DocumentSection, ...], tuple[Problem, ...]]:
    return read_documents(write_course({f"documents/{name}": data}), CARD)


def deck() -> bytes:
    """Three slides: one with a list and notes, one with a table, one with nothing on it."""
    made = Presentation()
    heaps = made.slides.add_slide(made.slide_layouts[1])
    heaps.shapes.title.text = "Heaps"
    heaps.placeholders[1].text = "Every parent is smaller than its children.\nThe smallest key is at the root."
    heaps.notes_slide.notes_text_frame.text = "Draw the array below the tree."
    costs = made.slides.add_slide(made.slide_layouts[5])
    costs.shapes.title.text = "Costs"
    cells = costs.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(5), Inches(1)).table
    for place, text in zip(((0, 0), (0, 1), (1, 0), (1, 1)), ("insert", "O(log n)", "minimum", "O(1)"), strict=True):
        cells.cell(*place).text = text
    made.slides.add_slide(made.slide_layouts[6])
    data = io.BytesIO()
    made.save(data)
    return data.getvalue()


def package(files: Mapping[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as written:
        for name, text in files.items():
            written.writestr(name, text)
    return data.getvalue()


def word(*paragraphs: tuple[str | None, str]) -> bytes:
    """A Word document of (style, text) paragraphs."""
    body = "".join(
        f"<w:p>{f'<w:pPr><w:pStyle w:val={chr(34)}{style}{chr(34)}/></w:pPr>' if style else ''}"
        f"<w:r><w:t>{text}</w:t></w:r></w:p>"
        for style, text in paragraphs
    )
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    return package(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>',
            "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{relation}" Target="word/document.xml"/></Relationships>',
            "word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>',
        }
    )


def notebook(*cells: tuple[str, str]) -> bytes:
    made = [
        {"cell_type": kind, "source": source, "metadata": {}}
        | ({"outputs": [], "execution_count": None} if kind == "code" else {})
        for kind, source in cells
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": made}).encode()


def book(pages: Mapping[str, str], *, opf: str = "OEBPS/content.opf") -> bytes:
    items = "".join(f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in pages)
    order = "".join(f'<itemref idref="{name}"/>' for name in pages)
    return package(
        {
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            f'<rootfile full-path="{opf}"/></rootfiles></container>',
            opf: '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<metadata><dc:title>The Book of Trees</dc:title></metadata><manifest>{items}</manifest>"
            f"<spine>{order}</spine></package>",
            **{f"OEBPS/{name}": f"<html><body>{text}</body></html>" for name, text in pages.items()},
        }
    )


def test_a_slide_is_a_section_under_its_title_with_its_number_and_notes(write_course: WriteCourse) -> None:
    (heaps, costs), _ = read(write_course, "heaps.pptx", deck())
    assert (heaps.heading, heaps.page) == ("Heaps", 1)
    assert heaps.text.splitlines() == [
        "- Every parent is smaller than its children.",
        "- The smallest key is at the root.",
        "Draw the array below the tree.",
    ]
    assert (costs.heading, costs.page, costs.text) == ("Costs", 2, "insert | O(log n)\nminimum | O(1)")


def slide_of(*shapes: tuple[str, int, str], title: str = "Loops") -> bytes:
    """A deck of one slide: paragraphs of its body ("body", level, text), and of text boxes ("box", 0, lines)."""
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text = title
    frame = slide.placeholders[1].text_frame
    for place, (_, level, text) in enumerate(one for one in shapes if one[0] == "body"):
        paragraph = frame.paragraphs[0] if place == 0 else frame.add_paragraph()
        paragraph.text, paragraph.level = text, level
    for _, _, text in (one for one in shapes if one[0] == "box"):
        slide.shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1)).text_frame.text = text
    data = io.BytesIO()
    made.save(data)
    return data.getvalue()


def test_the_lines_of_a_slide_are_items_each_as_deep_as_it_stands(write_course: WriteCourse) -> None:
    data = slide_of(("body", 0, "Two loops"), ("body", 2, "disjoint"), ("body", 2, "nested"), ("body", 0, "One header"))
    (section,), _ = read(write_course, "loops.pptx", data)
    assert section.text.splitlines() == ["- Two loops", "  - disjoint", "  - nested", "- One header"]


def test_code_on_a_slide_stays_code_and_the_labels_of_a_drawing_are_one_line(write_course: WriteCourse) -> None:
    boxes = ("for i = 0 to N\n    x = x + i;\n}", "Lexer", "Parser", "a", "All phases of it run in turn.")
    (section,), _ = read(write_course, "loops.pptx", slide_of(*(("box", 0, text) for text in boxes)))
    assert section.text.splitlines() == [
        *("```", "for i = 0 to N", "    x = x + i;", "}", "```"),
        "All phases of it run in turn.",
        "Lexer · Parser",
    ]


def test_letters_of_the_symbol_font_are_read_as_what_they_look_like(write_course: WriteCourse) -> None:
    data = slide_of(("body", 0, "x \uf0ac \uf046(y) \uf0fe"), title="The \uf046 function")
    (section,), _ = read(write_course, "ssa.pptx", data)
    assert (section.heading, section.text) == ("The Φ function", "x ← Φ(y)")


def test_a_slide_that_says_what_an_earlier_one_says_is_left_out_and_told(write_course: WriteCourse) -> None:
    made = Presentation()
    for title in ("Graphs", "Trees", "Graphs"):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, "Week 3"
    data = io.BytesIO()
    made.save(data)
    sections, (problem,) = read(write_course, "weeks.pptx", data.getvalue())
    assert [(one.page, one.heading) for one in sections] == [(1, "Graphs"), (2, "Trees")]
    assert problem.message == "Slide(s) 3 left out: they say word for word what an earlier one says."


def test_slides_without_text_are_told_by_number(write_course: WriteCourse) -> None:
    _, (problem,) = read(write_course, "heaps.pptx", deck())
    assert (problem.file, problem.severity, problem.message) == (
        "documents/heaps.pptx",
        "warning",
        "No text on slide(s) 3.",
    )


def test_a_word_document_is_read_by_its_headings_and_articles(write_course: WriteCourse) -> None:
    data = word(("Heading1", "Rules"), ("Heading2", "5.1 Resits"), (None, "There is one resit."))
    (section,), problems = read(write_course, "rules.docx", data)
    assert (section.title, section.article, section.heading) == ("Rules", "5.1", "Resits")
    assert (section.text, problems) == ("There is one resit.", ())


def test_a_notebook_keeps_its_code_and_leaves_out_what_it_printed(write_course: WriteCourse) -> None:
    data = notebook(("markdown", "# Search\n\n## Halving\n\nHalve the range."), ("code", "low = 0\nhigh = len(keys)"))
    (section,), problems = read(write_course, "search.ipynb", data)
    assert (section.title, section.heading, problems) == ("Search", "Halving", ())
    assert section.text.splitlines() == ["Halve the range.", "```", "low = 0", "high = len(keys)", "```"]


def test_each_text_of_a_notebook_is_a_section_with_its_code_and_the_number_of_its_cell(
    write_course: WriteCourse,
) -> None:
    cells = [("markdown", "# Search"), ("markdown", "## Halving"), ("markdown", "Halve it."), ("code", "low = 0")]
    sections, problems = read(write_course, "search.ipynb", notebook(*cells, ("markdown", "Stop when it is empty.")))
    assert problems == ()
    assert [(one.page, one.title, one.heading, one.text.splitlines()) for one in sections] == [
        (3, "Search", "Halving", ["Halve it.", "```", "low = 0", "```"]),
        (5, "Search", "Halving", ["Stop when it is empty."]),
    ]


def test_a_notebook_of_an_older_version_is_read(write_course: WriteCourse) -> None:
    cells = [{"cell_type": "markdown", "source": ["## Halving\n", "Halve the range."], "metadata": {}}]
    data = json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}).encode()
    (section,), _ = read(write_course, "old.ipynb", data)
    assert (section.heading, section.text) == ("Halving", "Halve the range.")


def test_the_chapters_of_a_book_are_read_in_its_own_order(write_course: WriteCourse) -> None:
    pages = {
        "z.xhtml": "<h1>Roots</h1><p>Every tree has one.</p>",
        "a.xhtml": "<h1>Leaves</h1><h2>Fall</h2><p>Late.</p>",
    }
    sections, problems = read(write_course, "trees.epub", book(pages))
    assert [(part.title, part.heading, part.text) for part in sections] == [
        ("The Book of Trees", "Roots", "Every tree has one."),
        ("The Book of Trees", "Leaves › Fall", "Late."),
    ]
    assert problems == ()


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"\x00" * 100, package({"a.xml": "<a/>"}), b"{}", b"[1"])
def test_what_is_no_such_document_is_told_and_stops_nothing(
    write_course: WriteCourse, suffix: str, data: bytes
) -> None:
    folder = write_course({f"documents/bad.{suffix}": data, "documents/good.md": "# Good\n\nRead this.\n"})
    sections, problems = read_documents(folder, CARD)
    assert [section.document for section in sections] == ["documents/good.md"]
    assert {problem.file for problem in problems} == {f"documents/bad.{suffix}"}
    assert all(problem.severity == "error" and problem.remedy for problem in problems)


@pytest.mark.parametrize("suffix", ["pptx", "docx", "epub"])
def test_a_package_that_unpacks_to_too_much_is_refused(
    write_course: WriteCourse, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office, "MOST_BYTES", 2**20)
    sections, (problem,) = read(write_course, f"bomb.{suffix}", package({"word/document.xml": " " * 2**21}))
    assert sections == ()
    assert "unpacks to more than" in problem.message


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.floats(0, 1), flips=st.lists(st.tuples(st.floats(0, 1), st.integers(1, 255)), max_size=4))
def test_damaged_files_never_raise(write_course: WriteCourse, cut: float, flips: list[tuple[float, int]]) -> None:
    whole = {"pptx": deck(), "docx": word((None, "Text.")), "epub": book({"a.xhtml": "<p>Text.</p>"})}
    for suffix, data in (whole | {"ipynb": notebook(("markdown", "Text."))}).items():
        damaged = bytearray(data[: int(len(data) * (cut if cut > 0.5 else 1))])
        for place, mask in flips:
            damaged[int(place * (len(damaged) - 1))] ^= mask
        read(write_course, f"damaged.{suffix}", bytes(damaged))
