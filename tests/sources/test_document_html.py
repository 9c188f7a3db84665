"""HTML as universities publish and save it."""

from course_files import WriteCourse
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.lake.records import CourseCard
from knowledge_graph.sources.documents import read_documents
from knowledge_graph.sources.headed_text import html_parts

CARD = CourseCard("trees", "Trees", "en")


def test_latin_1_that_says_it_is_utf_8_is_read_and_told(write_course: WriteCourse) -> None:
    page = '<html><head><meta charset="utf-8"><title>Règles</title></head><body><p>Le café est fermé à midi.</p></body>'
    sections, problems = read_documents(write_course({"documents/a.html": page.encode("latin-1")}), CARD)
    assert [(section.title, section.text) for section in sections] == [("Règles", "Le café est fermé à midi.")]
    assert [str(problem) for problem in problems] == [
        "documents/a.html: Read as cp1252; nothing was lost. Save it as UTF-8 to be sure."
    ]


def test_menus_scripts_styles_and_controls_are_left_out() -> None:
    page = (
        "<body><nav><h2>Menu</h2><ul><li>Home</ul></nav><style>p {}</style><script>if (a < b) '<p>no</p>'</script>"
        "<noscript>Switch it on</noscript><svg><title>icon</title></svg><button>Print</button><template>no</template>"
        "<p>A tree.</p><aside>Ads</aside><footer>(c)</footer></body>"
    )
    assert html_parts(page).parts == ((None, "A tree."),)
    assert html_parts(page).title is None


def test_a_page_within_a_form_is_read() -> None:
    page = "<form><input type=hidden value=x><h1>Exams</h1><p>One resit.</p><select><option>EN</select></form>"
    found = html_parts(page)
    assert (found.title, found.parts) == ("Exams", ((None, "One resit."),))


def test_rows_of_a_table_are_lines_and_its_cells_are_parted() -> None:
    page = "<table><thead><tr><th>Part<th>Weight<tbody><tr><td>Final<td>40%<tr><td>Quiz</td><td></td></tr></table>"
    assert html_parts(page).parts == ((None, "Part | Weight\nFinal | 40%\nQuiz |"),)


def test_nested_tables_keep_their_text_in_order() -> None:
    page = (
        "<table><tr><td>Left<table><tr><td>a<td>b<tr><td>c<td>d</table></td><td>Right</td></tr></table>"
        "<table><tr><td><table><tr><td><h2>Exams</h2><p>One resit.</p></td></tr></table></td></tr></table>"
    )
    assert html_parts(page).parts == ((None, "Left\na | b\nc | d\nRight"), ("Exams", "One resit."))


def test_a_heading_is_one_line_whatever_is_in_it() -> None:
    page = "<h1></h1><h2><div>5.1</div> <span>Re<b>sits</b></span><br>and more</h2><p>One.</p><h3>Deep</h3>Two."
    assert html_parts(page).parts == (("5.1 Resits and more", "One."), ("5.1 Resits and more › Deep", "Two."))


def test_office_and_unclosed_markup_is_read() -> None:
    page = "<![if !supportLists]>1<![endif]><p>A <b>tree<p>has nodes<li>one<li>two<o:p></o:p>"
    assert html_parts(page).parts == ((None, "1\nA tree\nhas nodes\n- one\n- two"),)


@given(st.text("<>/!-&;#abpdivh1 \n\"'=[]", max_size=300))
def test_any_markup_gives_lines_of_text(page: str) -> None:
    for heading, text in html_parts(page).parts:
        assert text == text.strip() != ""
        assert heading is None or heading == " ".join(heading.split())
