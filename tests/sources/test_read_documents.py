"""Documents as real offices make them: numbered articles, running headers, scans, and files that are broken."""

import io

import pytest
from course_files import WriteCourse
from fpdf import FPDF
from pypdf import PdfReader, PdfWriter

from knowledge_graph.lake.records import CourseCard, DocumentSection
from knowledge_graph.sources.articles import Article, split_articles
from knowledge_graph.sources.documents import read_documents

CARD = CourseCard("trees", "Trees", "en")


def pdf(*pages: str) -> bytes:
    """A PDF with a running header, the given lines, and a page number on each page."""
    document = FPDF()
    document.set_font("Helvetica", size=11)
    for number, page in enumerate(pages, start=1):
        document.add_page()
        for line in ["University of Trees", *page.split("\n"), f"Page {number} of {len(pages)}"]:
            document.cell(0, 8, line, new_x="LMARGIN", new_y="NEXT")
    return bytes(document.output())


def parts(sections: tuple[DocumentSection, ...]) -> list[tuple[int | None, str | None, str | None, str]]:
    return [(section.page, section.article, section.heading, section.text) for section in sections]


def test_a_numbered_pdf_gives_its_articles_with_the_page_they_start_on(write_course: WriteCourse) -> None:
    data = pdf(
        "Rules and Regulations\n1 Scope\n1.1 These rules apply to all. They were made in\n2024 by the board.",
        "2 Exams\n2.1 Resits\nThere is one resit. It must be regis-\ntered within 10 days.",
        "It costs nothing.\n2.1.1 A second resit\nis not possible.",
    )
    sections, problems = read_documents(write_course({"documents/rules.pdf": data}), CARD)
    assert problems == ()
    assert parts(sections) == [
        (1, None, None, "Rules and Regulations"),
        (1, "1.1", "Scope", "These rules apply to all. They were made in 2024 by the board."),
        (2, "2.1", "Exams › Resits", "There is one resit. It must be registered within 10 days. It costs nothing."),
        (3, "2.1.1", "Exams › Resits", "A second resit is not possible."),
    ]
    assert {(section.document, section.title, section.lang) for section in sections} == {
        ("documents/rules.pdf", "rules", "en")
    }


def test_a_pdf_without_numbers_gives_its_pages(write_course: WriteCourse) -> None:
    data = pdf("A tree has nodes.", "A heap is a tree.")
    sections, _ = read_documents(write_course({"documents/slides.pdf": data}), CARD)
    assert parts(sections) == [(1, None, None, "A tree has nodes."), (2, None, None, "A heap is a tree.")]


@pytest.mark.parametrize("data", [b"", b"not a pdf", pdf("A tree.")[:400], b"%PDF-1.7\n%%EOF"])
def test_a_broken_pdf_is_told_and_the_other_documents_are_read(write_course: WriteCourse, data: bytes) -> None:
    folder = write_course({"documents/bad.pdf": data, "documents/good.txt": "A tree has nodes."})
    sections, problems = read_documents(folder, CARD)
    assert [section.document for section in sections] == ["documents/good.txt"]
    assert [(problem.file, problem.severity) for problem in problems] == [("documents/bad.pdf", "error")]


def test_an_encrypted_pdf_is_told(write_course: WriteCourse) -> None:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("A secret tree."))))
    writer.encrypt("secret", algorithm="RC4-128")
    data = io.BytesIO()
    writer.write(data)
    _, (problem,) = read_documents(write_course({"documents/rules.pdf": data.getvalue()}), CARD)
    assert str(problem) == (
        "documents/rules.pdf: The PDF is encrypted. Save it without a password, or add its text as .md."
    )


def test_a_scan_is_told(write_course: WriteCourse) -> None:
    document = FPDF()
    document.add_page()
    _, (problem,) = read_documents(write_course({"documents/scan.pdf": bytes(document.output())}), CARD)
    assert problem.message == "No text on any of its 1 page(s): it is probably a scan."


def test_markdown_gives_its_headed_parts(write_course: WriteCourse) -> None:
    text = (
        "# Syllabus\n\nTwelve **weeks**.\n\n## Exams\n\n| Part | Weight |\n|---|---|\n| Final | 40% |\n\n"
        "### 5.1 Resits\n\nOne [resit](https://x.org).\n\n```\n# not a heading\n```\n\n## Empty\n"
    )
    sections, _ = read_documents(write_course({"documents/syllabus.md": text}), CARD)
    assert {section.title for section in sections} == {"Syllabus"}
    assert parts(sections) == [
        (None, None, None, "Twelve weeks."),
        (None, None, "Exams", "Part | Weight\nFinal | 40%"),
        (None, "5.1", "Exams › Resits", "One resit.\n```\n# not a heading\n```"),
    ]


def test_numbered_rules_below_a_markdown_heading_are_articles_and_lists_are_not(write_course: WriteCourse) -> None:
    text = "## 2 成绩\n\n2.1 总评按百分制计算。\n\n2.2 六十分为合格。\n\n## 3 作业\n\n1. 写代码\n2. 提交\n"
    sections, _ = read_documents(write_course({"documents/须知.md": text}), CARD)
    assert [(article, heading, body) for _, article, heading, body in parts(sections)] == [
        ("2.1", "成绩", "总评按百分制计算。"),
        ("2.2", "成绩", "六十分为合格。"),
        ("3", "作业", "1. 写代码\n2. 提交"),
    ]


def test_html_gives_its_headed_parts_without_menus_and_scripts(write_course: WriteCourse) -> None:
    text = (
        "<html><head><title>Trees &amp; graphs</title><script>var x = '<p>no</p>';</script></head><body>"
        "<nav><a>Home</a></nav><h1>Trees</h1><p>A tree<br>has nodes.</p><h2>Exams</h2><ul><li>one resit</li>"
        "<li>no more</li></ul><footer>(c) 2026</footer></body></html>"
    )
    sections, _ = read_documents(write_course({"documents/page.html": text}), CARD)
    assert [(section.title, section.heading, section.text) for section in sections] == [
        ("Trees & graphs", None, "A tree\nhas nodes."),
        ("Trees & graphs", "Exams", "- one resit\n- no more"),
    ]


def test_a_format_that_is_not_read_and_an_empty_document_are_told(write_course: WriteCourse) -> None:
    _, problems = read_documents(write_course({"documents/a.odt": b"PK", "documents/b.txt": "\n"}), CARD)
    assert [str(problem) for problem in problems] == [
        "documents/a.odt: Not read: '.odt' is not a document format. Save it as one of .docx, .epub, .htm, .html, "
        ".ipynb, .md, .pdf, .pptx, .txt.",
        "documents/b.txt: The document has no text. Add text, or remove the file.",
    ]


def articles(text: str) -> list[tuple[str | None, str | None, str]]:
    return [(each.number, each.heading, each.text) for each in split_articles([(1, line) for line in text.split("\n")])]


def test_chinese_articles_run_on_through_chapters() -> None:
    text = "第一章 总则\n第一条 本规定适用于全体学员。\n第二章 考试\n第二条 缺考的，不得补考。\n因病除外。"
    assert articles(text) == [
        ("第一条", "总则", "本规定适用于全体学员。"),
        ("第二条", "考试", "缺考的，不得补考。因病除外。"),
    ]


def test_named_articles_and_references_to_them_are_told_apart() -> None:
    text = "Article 1 Scope\nThese rules apply as laid down in\nArticle 2 of the Act.\nArticle 2: Exams\nOne resit."
    assert articles(text) == [
        ("1", "Scope", "These rules apply as laid down in Article 2 of the Act."),
        ("2", "Exams", "One resit."),
    ]


def test_numbers_that_do_not_continue_are_text() -> None:
    text = "1 Marks\n1.1 A mark of\n5.5 is a pass.\n1.2 Since\n2019 Results are public.\n2 Appeals\nWrite to us."
    assert articles(text) == [
        ("1.1", "Marks", "A mark of 5.5 is a pass."),
        ("1.2", "Marks", "Since 2019 Results are public."),
        ("2", "Appeals", "Write to us."),
    ]


def test_a_table_of_contents_is_not_the_articles() -> None:
    text = "1 Scope ........ 2\n2 Exams ........ 3\n1 Scope\nFor all.\n2 Exams\nOne resit."
    assert articles(text) == [("1", "Scope", "For all."), ("2", "Exams", "One resit.")]


def test_text_without_numbers_has_no_articles() -> None:
    assert split_articles([(1, "A tree has nodes."), (1, "It has 2 children.")]) == []
    assert Article(None, None, 1, "x").number is None


def test_a_section_that_is_too_long_is_divided_and_told(write_course: WriteCourse) -> None:
    text = "\n\n".join(["A tree has nodes. " * 1_000] * 5) + "x" * 60_000
    sections, (problem,) = read_documents(write_course({"documents/a.md": f"# Book\n## Trees\n{text}\n"}), CARD)
    assert all(0 < len(section.text) <= 50_000 for section in sections)
    assert [section.heading for section in sections] == ["Trees"] * 5
    assert [section.section_index for section in sections] == [0, 1, 2, 3, 4]
    assert sum(section.text.count("node") for section in sections) == 5_000
    assert problem.severity == "warning"
    assert problem.message == (
        "The section 'Trees' has 150,000 characters, the limit is 50,000; it was divided into 5."
    )


def test_a_heading_that_is_too_long_becomes_text_and_is_told(write_course: WriteCourse) -> None:
    heading = "tree " * 500
    (section,), (problem,) = read_documents(write_course({"documents/a.md": f"## {heading}\nNodes.\n"}), CARD)
    assert (section.heading, section.text) == (None, f"{heading.strip()}\nNodes.")
    assert problem.message.endswith("has 2,499 characters, the limit is 2,000; it was made part of the text.")


def test_another_encoding_and_a_file_that_is_gone_are_told(write_course: WriteCourse) -> None:
    folder = write_course({"documents/a.txt": "It’s a rule".encode("utf-16")})
    (folder.path / "documents" / "b.pdf").symlink_to("gone.pdf")
    (section,), problems = read_documents(folder, CARD)
    assert section.text == "It’s a rule"
    assert [str(problem) for problem in problems] == [
        "documents/a.txt: Read as utf-16-le; nothing was lost. Save it as UTF-8 to be sure.",
        "documents/b.pdf: The file could not be read: No such file or directory. Mend or remove the link.",
    ]
