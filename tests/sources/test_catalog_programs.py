"""Programs of saved pages: tabs as pages, as elements, as sections; what belongs to which program (Tulane 2.I)."""

from course_files import WriteCourse

from knowledge_graph.lake.records import CourseCard
from knowledge_graph.sources.catalog.outline import PageLink
from knowledge_graph.sources.catalog.programs import names_of
from knowledge_graph.sources.catalog.reading import Catalog, read_catalog

TABS = '<ul><li><a href="{0}.html">Home</a><li><a href="{0}-requirements.html">Requirements</a></ul>'


def read(write_course: WriteCourse, pages: dict[str, str]) -> Catalog:
    folder = write_course({f"catalog/{name}": html for name, html in pages.items()})
    return read_catalog(folder, CourseCard("trees", "Trees", "en"), client=None)


def texts(catalog: Catalog) -> dict[str, str]:
    return {record.record_id: record.text for record in catalog.records}


def test_tabs_on_pages_of_their_own_are_joined_under_the_home_page(write_course: WriteCourse) -> None:
    catalog = read(
        write_course,
        {
            "art.html": f"<h1>Art</h1>{TABS.format('art')}<p>Painters paint.</p>",
            "art-requirements.html": f"<h1>Art: what you need</h1>{TABS.format('art')}<p>ARTS 1000 Colour</p>",
            "law.html": f"<h1>Law</h1>{TABS.format('law')}<p>Lawyers argue.</p>",
            "law-requirements.html": f"<h1>Law</h1>{TABS.format('law')}<p>LAWS 1000 Torts</p>",
        },
    )
    assert texts(catalog) == {
        "program:art#home": "Painters paint.",
        "program:art#requirements": "ARTS 1000 Colour",
        "program:law#home": "Lawyers argue.",
        "program:law#requirements": "LAWS 1000 Torts",
    }
    assert {record.title for record in catalog.records} == {"Art", "Law"}
    assert {(record.mode, record.code) for record in catalog.records} == {("program", None)}
    assert catalog.dropped == ()


def test_a_home_link_of_the_whole_site_does_not_join_programs(write_course: WriteCourse) -> None:
    menu = '<nav><a href="index.html">Home</a></nav>'
    catalog = read(
        write_course,
        {
            "index.html": "<h1>University</h1><p>Welcome to all.</p>",
            "art.html": f"{menu}<h1>Art</h1><p>Paint.</p><a href='art-needs.html'>Requirements</a>",
            "art-needs.html": f"{menu}<h1>Art</h1><a href='art.html'>Overview</a> <p>Brushes.</p>",
            "law.html": f"{menu}<h1>Law</h1><p>Argue.</p><a href='law-needs.html'>Requirements</a>",
            "law-needs.html": f"{menu}<h1>Law</h1><p>A gown.</p>",
        },
    )
    assert texts(catalog) == {
        "program:art#home": "Paint.",
        "program:art#requirements": "Brushes.",
        "program:law#home": "Argue.",
        "program:law#requirements": "A gown.",
    }
    assert [each.page for each in catalog.dropped] == ["catalog/index.html"]


def test_a_tab_that_is_an_element_of_the_page_is_read_though_hidden(write_course: WriteCourse) -> None:
    page = """<h1>Art</h1><a href="#over">Overview</a> <a href="#need">Requirements</a>
    <div id="over"><p>Painters paint.</p></div>
    <div id="need" style="display:none"><h2>Core</h2><p>ARTS 1000</p></div>"""
    assert texts(read(write_course, {"art.html": page})) == {
        "program:art#home": "Painters paint.",
        "program:art#requirements": "Core\nARTS 1000",
    }


def test_sections_under_headings_are_topics_and_the_rest_is_home(write_course: WriteCourse) -> None:
    page = """<h1>Art</h1><p>Painters paint.</p><h2>B.A. Degree Requirements</h2><p>ARTS 1000</p>
    <h3>Show</h3><p>One.</p>
    <h2>Faculty</h2><p>Two.</p>"""
    assert texts(read(write_course, {"art.html": page})) == {
        "program:art#home": "Painters paint.\nFaculty\nTwo.",
        "program:art#requirements": "B.A. Degree Requirements\nARTS 1000\nShow\nOne.",
    }


def test_a_program_that_lists_its_classes_is_no_page_of_classes(write_course: WriteCourse) -> None:
    page = """<h1>Art</h1><p>Painters paint.</p><h2>Requirements</h2><table><tr><td>ARTS 1000<td>Colour<td>3
    <tr><td>ARTS 1100<td>Line<td>3</table><p>A grade of C or better is needed in all.</p>"""
    catalog = read(write_course, {"art.html": page})
    assert list(texts(catalog)) == ["program:art#home", "program:art#requirements"]
    assert "ARTS 1100 | Line | 3" in texts(catalog)["program:art#requirements"]
    assert catalog.dropped == ()


def test_a_program_with_a_tab_that_describes_its_classes_stays_a_program(write_course: WriteCourse) -> None:
    page = """<h1>Art</h1><a href="#over">Overview</a> <a href="#need">Requirements</a> <a href="#classes">Classes</a>
    <div id="over"><p>Painters paint.</p></div><div id="need"><p>ARTS 1000</p></div>
    <div id="classes"><p><b>ARTS 1000. Colour. (3)</b><br>Red, yellow and all the others.</p></div>"""
    assert texts(read(write_course, {"art.html": page})) == {
        "program:art#home": "Painters paint.",
        "program:art#requirements": "ARTS 1000",
    }


def test_a_page_of_requirements_for_all_is_no_tab_of_any(write_course: WriteCourse) -> None:
    menu = '<a href="general.html">Requirements</a>'
    pages = {f"p{number:02}.html": f"{menu}<h1>P{number}</h1><p>Text.</p>" for number in range(12)}
    catalog = read(write_course, {**pages, "general.html": f"{menu}<h1>For all</h1><p>Be on time.</p>"})
    assert catalog.records == ()
    assert catalog.dropped_counts == {"neither class nor program": 13}


def test_a_tab_without_text_is_counted(write_course: WriteCourse) -> None:
    catalog = read(write_course, {"art.html": "<h1>Art</h1><h2>Requirements</h2><p>Paint.</p>"})
    assert list(texts(catalog)) == ["program:art#requirements"]
    assert [(each.title, each.reason) for each in catalog.dropped] == [("Art: home", "no description")]


def test_names_come_from_the_start_pages_unless_they_say_nothing() -> None:
    links = [
        PageLink("https://a.example/p/", "", "Programs"),
        PageLink("https://a.example/p/art.html", "", "Art (BA)"),
        PageLink("https://a.example/p/art.html", "top", "more on Art"),
        PageLink("https://a.example/p/law.html", "", "Read more"),
        PageLink("https://a.example/p/sea.html", "", "Read more"),
        PageLink("https://[bad", "", "Broken"),
    ]
    assert names_of([("https://a.example/p/", links)]) == {"https://a.example/p/art.html": "Art (BA)"}
