"""What a section is called by, and where it is: article, page, and a key that stays when others come and go."""

from course_files import WriteCourse
from fpdf import FPDF
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.records import CourseCard, DocumentSection
from knowledge_graph.sources.documents import read_documents
from knowledge_graph.sources.passages import document_passages

CARD = CourseCard("trees", "Trees", "en")
RULES = "# Rules\n\n## 1 Scope\n\nFor all.\n\n## 2 Exams\n\nOne resit.\n\n## Contact\n\nWrite to us.\n"


def read(write_course: WriteCourse, text: str) -> tuple[DocumentSection, ...]:
    return read_documents(write_course({"documents/rules.md": text}), CARD)[0]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(1, 3), min_size=8, max_size=12))
def test_each_article_is_on_the_page_where_it_starts(write_course: WriteCourse, lengths: list[int]) -> None:
    document = FPDF()
    document.set_font("Helvetica", size=11)
    document.set_auto_page_break(True, margin=250)
    pages = {}
    document.add_page()
    for number, length in enumerate(lengths, start=1):
        for part, title in ((f"Article {number}", "Rules of this part"), (f"{number}.1", "There is one resit.")):
            document.cell(0, 8, f"{part} {title}", new_x="LMARGIN", new_y="NEXT")
        pages[f"{number}.1"] = document.page_no()
        for _ in range(length):
            document.cell(0, 8, "It is held in the next term and no other.", new_x="LMARGIN", new_y="NEXT")
    sections, _ = read_documents(write_course({"documents/rules.pdf": bytes(document.output())}), CARD)
    assert {section.article: section.page for section in sections} == pages
    assert len(set(pages.values())) > 1


def test_articles_with_a_page_each_are_not_taken_for_running_headers(write_course: WriteCourse) -> None:
    document = FPDF()
    document.set_font("Helvetica", size=11)
    for number in range(1, 9):
        document.add_page()
        for line in (f"Rules, page {number}", f"Article {number}", f"Rule {'abcdefgh'[number - 1]} applies to all."):
            document.cell(0, 8, line, new_x="LMARGIN", new_y="NEXT")
    sections, _ = read_documents(write_course({"documents/rules.pdf": bytes(document.output())}), CARD)
    assert [(section.article, section.page) for section in sections] == [(str(page), page) for page in range(1, 9)]
    assert sections[1].text == "Rule b applies to all."


def test_a_key_is_the_article_or_a_digest_of_the_heading(write_course: WriteCourse) -> None:
    keys = [section.section_key for section in read(write_course, RULES)]
    assert keys == ["1", "2", "2b5c3d26721a"]


def test_a_section_that_is_put_in_changes_no_other_key(write_course: WriteCourse) -> None:
    before = read(write_course, RULES)
    after = read(write_course, RULES.replace("## 2 Exams", "## Grades\n\nFrom 1 to 10.\n\n## 2 Exams"))
    keys = {section.section_key: section.text for section in after}
    assert len(keys) == 4
    assert {section.section_key: section.text for section in before}.items() < keys.items()


def test_sections_with_the_same_heading_or_number_are_told_apart(write_course: WriteCourse) -> None:
    sections = read(write_course, "## 1 A\n\none\n\n## Note\n\ntwo\n\n## 1 B\n\nthree\n\n## Note\n\nfour\n")
    (first, note, second, other) = [section.section_key for section in sections]
    assert (first, second, other) == ("1", "1-2", f"{note}-2")


def test_a_text_without_heading_is_called_by_its_first_line(write_course: WriteCourse) -> None:
    (section,) = read(write_course, "Bring a pen.\n\nNo phones.\n")
    (longer,) = read(write_course, "Bring a pen.\n\nNo phones.\n\nNo bags.\n")
    assert section.text != longer.text
    assert section.section_key == longer.section_key
    assert len(section.section_key) == 12


def test_pieces_of_a_long_section_have_keys_of_their_own(write_course: WriteCourse) -> None:
    sections = read(write_course, "## 1 Scope\n\n" + "A tree has nodes.\n\n" * 7_000)
    assert [section.section_key for section in sections] == ["1", "1-2", "1-3"]


def test_a_reissued_regulation_leaves_nothing_of_the_old_one(write_course: WriteCourse) -> None:
    before = read(write_course, RULES)
    after = read(write_course, RULES.replace("One resit.", "Two resits.").replace("## Contact\n\nWrite to us.\n", ""))
    assert [section.text for section in after] == ["For all.", "Two resits."]
    old, new = ({each.passage_id: each.text for each in document_passages(list(it), CARD)} for it in (before, after))
    assert [old[key] for key in sorted(old.keys() & new.keys())] == ["For all."]
    assert sorted(new[key] for key in new.keys() - old.keys()) == ["Two resits."]
