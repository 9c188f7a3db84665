"""Documents that are damaged, locked, empty or made to harm: each is told, and the rest of the course is read."""

import io
import zlib
from contextlib import suppress
from itertools import count

import pytest
from course_files import WriteCourse
from fpdf import FPDF
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from knowledge_graph.lake.records import CourseCard
from knowledge_graph.sources.documents import LARGEST_TEXT, read_documents
from knowledge_graph.sources.headed_text import DEEPEST
from knowledge_graph.sources.pdf import MAX_PAGES, PdfError, read_pdf

CARD = CourseCard("trees", "Trees", "en")
GOOD = "A tree has nodes."


def pdf(*pages: str) -> bytes:
    document = FPDF()
    document.set_font("Helvetica", size=11)
    for page in pages:
        document.add_page()
        document.multi_cell(0, 8, page)
    return bytes(document.output())


def raw_pdf(*streams: bytes, copies: int = 1, extra: bytes = b"") -> bytes:
    """A PDF with a page for each content stream, all of them `copies` times."""
    bodies = [b"<</Type/Catalog/Pages 2 0 R>>", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    resources = b"/Resources<</Font<</F1 3 0 R>>%s>>" % extra
    for stream in streams:
        packed = zlib.compress(stream)
        form = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]" + resources
        bodies.append(b"<</Filter/FlateDecode%s/Length %d>>stream\n%s\nendstream" % (form, len(packed), packed))
    contents = [b"%d 0 R" % (4 + number) for number in range(len(streams))] * copies
    kids = b" ".join(b"%d 0 R" % (len(bodies) + 1 + number) for number in range(len(contents)))
    bodies[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(contents), kids)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]%s/Contents %s>>"
    bodies += [page % (resources, each) for each in contents]
    data, places = b"%PDF-1.7\n", []
    for number, body in enumerate(bodies, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(bodies) + 1
    trailer = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table) + trailer


def shown(text: bytes) -> bytes:
    return b"BT /F1 9 Tf (%s) Tj ET " % text


def encrypted(data: bytes, password: str, algorithm: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt(password, owner_password="office", algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def problems_of(write_course: WriteCourse, name: str, content: bytes) -> list[str]:
    """What is told of a bad document; the good one beside it must have been read."""
    folder = write_course({f"documents/{name}": content, "documents/good.txt": GOOD})
    sections, problems = read_documents(folder, CARD)
    assert [section.text for section in sections if section.document == "documents/good.txt"] == [GOOD]
    assert {problem.file for problem in problems} <= {f"documents/{name}"}
    return [str(problem).removeprefix(f"documents/{name}: ") for problem in problems]


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_pdf_that_only_forbids_changes_is_read(write_course: WriteCourse, algorithm: str) -> None:
    data = encrypted(pdf("A tree has nodes."), "", algorithm)
    (section,), problems = read_documents(write_course({"documents/rules.pdf": data}), CARD)
    assert (section.text, problems) == ("A tree has nodes.", ())


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_a_pdf_with_a_password_is_told(write_course: WriteCourse, algorithm: str) -> None:
    assert problems_of(write_course, "rules.pdf", encrypted(pdf("Secret."), "secret", algorithm)) == [
        "The PDF is encrypted. Save it without a password, or add its text as .md."
    ]


def test_a_pdf_without_a_text_layer_is_told(write_course: WriteCourse) -> None:
    assert problems_of(write_course, "scan.pdf", raw_pdf(b"0 0 m 9 9 l S", copies=3)) == [
        "No text on any of its 3 page(s): it is probably a scan. "
        "Run text recognition (OCR) over it, or add the text as .md or .txt."
    ]


def test_pages_that_are_pictures_are_told(write_course: WriteCourse) -> None:
    data = raw_pdf(shown(b"A tree."), *[b"0 0 m 9 9 l S"] * 25)
    (problem,) = problems_of(write_course, "slides.pdf", data)
    numbers = ", ".join(str(number) for number in range(2, 22))
    assert problem == f"No text on page(s) {numbers} and 5 more of 26. Add what is pictured there as .md."


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_pdf_is_told(write_course: WriteCourse, share: float) -> None:
    data = pdf(*["A tree has nodes."] * 5)
    (problem,) = problems_of(write_course, "rules.pdf", data[: int(len(data) * share)])
    assert problem.startswith("Not a readable PDF: ")
    assert problem.endswith("Export the PDF again, or add its text as .md.")


def test_a_stream_that_unpacks_to_a_hundred_megabytes_costs_its_page_alone(write_course: WriteCourse) -> None:
    squeezed = zlib.compressobj(9)
    bomb = b"".join(squeezed.compress(b" " * 10_000_000) for _ in range(10)) + squeezed.flush()
    stand_in = zlib.compress(b"BOMB")
    data = raw_pdf(shown(b"Before."), b"BOMB", shown(b"After."))
    length = b"/Length %d>>stream\n%s"
    data = data.replace(length % (len(stand_in), stand_in), length % (len(bomb), bomb))
    sections, problems = read_documents(write_course({"documents/rules.pdf": data}), CARD)
    assert [(section.page, section.text) for section in sections] == [(1, "Before."), (3, "After.")]
    (problem,) = problems
    assert problem.severity == "error"
    assert problem.message.startswith("Page(s) 2 of 3 could not be read: Limit reached while decompressing")


def test_a_page_that_asks_for_too_much_work_is_told(write_course: WriteCourse) -> None:
    data = raw_pdf(shown(b"A tree."), b"BT /F1 9 Tf " + b"(a) Tj " * 150_000 + b"ET")
    assert problems_of(write_course, "rules.pdf", data) == [
        "Page(s) 2 of 2 could not be read: Reached maximum number of tokens per stream. "
        "Export the PDF again, or add what is there as .md."
    ]


def test_figures_that_draw_each_other_without_end_are_cut_short() -> None:
    forms = b"/XObject<<" + b"".join(b"/X%d %d 0 R" % (number, 4 + number) for number in range(8)) + b">>"
    nested = [shown(b"x") + b"/X%d Do " % (number + 1) * 10 for number in range(7)]
    text = read_pdf(raw_pdf(*nested, shown(b"x"), extra=forms))
    assert text.page_count == 8
    assert len(text.lines) <= 8 * 101


def test_reading_is_given_up_after_a_while(write_course: WriteCourse) -> None:
    seconds = count(step=50)
    with pytest.raises(PdfError, match="given up after page 3 of 9: it took too long"):
        read_pdf(raw_pdf(shown(b"A tree."), copies=9), max_seconds=120, clock=lambda: next(seconds))


def test_of_a_pdf_with_too_many_pages_the_first_are_read(write_course: WriteCourse) -> None:
    lines = b"0 -14 Td ".join(b"(Line %d.) Tj " % number for number in range(6))
    data = raw_pdf(b"BT /F1 9 Tf " + lines + b"ET", copies=MAX_PAGES + 2)
    sections, (problem,) = read_documents(write_course({"documents/rules.pdf": data}), CARD)
    assert len(sections) == MAX_PAGES
    assert str(problem) == (
        "documents/rules.pdf: Pages 5,001 to 5,002 were not read, the limit is 5,000 pages. "
        "Divide the document into several files."
    )


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 1_000), st.binary(min_size=1, max_size=40))
def test_a_damaged_pdf_gives_text_or_the_error_that_is_told(place: int, damage: bytes) -> None:
    data = DAMAGED[: place % len(DAMAGED)] + damage + DAMAGED[place % len(DAMAGED) + len(damage) :]
    with suppress(PdfError):
        assert read_pdf(data).page_count >= 1


DAMAGED = raw_pdf(shown(b"A tree has nodes."), shown(b"A heap is a tree."))


def test_a_text_of_two_hundred_megabytes_is_not_read(write_course: WriteCourse) -> None:
    folder = write_course({"documents/good.txt": GOOD})
    with (folder.path / "documents" / "dump.txt").open("wb") as file:
        file.truncate(200 * 2**20)
    (section,), (problem,) = read_documents(folder, CARD)
    assert section.text == GOOD
    assert problem.message == f"Not read: the file has 200.0 MB, the limit is {LARGEST_TEXT / 2**20:.0f} MB."


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
@pytest.mark.parametrize("content", [b"", b" \n\n", b"\xef\xbb\xbf"])
def test_an_empty_document_is_told(write_course: WriteCourse, name: str, content: bytes) -> None:
    assert problems_of(write_course, name, content) == ["The document has no text. Add text, or remove the file."]


def test_a_page_that_is_all_menu_is_told(write_course: WriteCourse) -> None:
    page = b"<html><head><title>Trees</title></head><body><nav>Home</nav><script>x</script></body></html>"
    assert problems_of(write_course, "a.html", page) == ["The document has no text. Add text, or remove the file."]


def test_elements_nested_without_end_are_told(write_course: WriteCourse) -> None:
    assert problems_of(write_course, "a.html", b"<div>" * (DEEPEST + 1) + b"A tree.") == [
        "Not read: its elements are nested more than 5,000 deep. "
        "Save the page again from a browser, or add its text as .md."
    ]


@pytest.mark.timeout(30)
@pytest.mark.parametrize("piece", ["<!--", "<a ", "<![CDATA[", "</div", "<!", "&#", "<b>x", "<table><tr><td>x"])
def test_html_that_is_never_closed_is_read_in_time(write_course: WriteCourse, piece: str) -> None:
    sections, problems = read_documents(write_course({"documents/a.html": "<p>A tree.</p>" + piece * 4_000}), CARD)
    assert sections[0].text.startswith("A tree.") or problems
