"""Canvas exports (Common Cartridges) and Moodle backups, written as these systems write them, to course folders."""

# ruff: noqa: E501 - the files are as these systems write them, long lines and all

import hashlib
import json
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.course import CourseFolder, read_course_card
from knowledge_graph.sources.documents import read_documents
from knowledge_graph.sources.headed_text import DEEPEST
from knowledge_graph.sources.importing.sources import Imported, import_courses

SRT = "1\n00:00:01,000 --> 00:00:03,000\nA stack is last in, first out.\n"

MANIFEST = """\
<manifest identifier="cartridge" xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1" xmlns:lomimscc="http://ltsc.ieee.org/xsd/imsccv1p1/LOM/manifest">
  <metadata><schema>IMS Common Cartridge</schema><schemaversion>1.1.0</schemaversion>
    <lomimscc:lom><lomimscc:general><lomimscc:title><lomimscc:string>Data Structures</lomimscc:string></lomimscc:title>
    </lomimscc:general></lomimscc:lom></metadata>
  <organizations><organization identifier="org_1" structure="rooted-hierarchy"><item identifier="LearningModules">
    <item identifier="m1"><title>Lists</title>
      <item identifier="i1" identifierref="stacks"><title>Stacks: what for?</title></item>
      <item identifier="i2" identifierref="talk"><title>Stacks on film.srt</title></item>
      <item identifier="i3" identifierref="quiz"><title>Quiz on stacks</title></item>
      <item identifier="i4" identifierref="draft"><title>Draft of queues</title></item>
      <item identifier="i5" identifierref="topic"><title>Which list do you use?</title></item>
      <item identifier="i6" identifierref="task"><title>Task 1</title></item></item>
    <item identifier="m2"><title>Trees</title>
      <item identifier="i7" identifierref="rules"><title>Rules.txt</title></item>
      <item identifier="i8" identifierref="film"><title>Trees on film</title></item>
      <item identifier="i9" identifierref="next"><title>Next term</title></item></item>
  </item></organization></organizations>
  <resources>
    <resource identifier="stacks" type="webcontent" href="wiki_content/stacks.html"><file href="wiki_content/stacks.html"/></resource>
    <resource identifier="draft" type="webcontent" href="wiki_content/draft.html"><file href="wiki_content/draft.html"/></resource>
    <resource identifier="next" type="webcontent" href="wiki_content/next.html"><file href="wiki_content/next.html"/></resource>
    <resource identifier="talk" type="webcontent" href="web_resources/talk.srt"><file href="web_resources/talk.srt"/></resource>
    <resource identifier="rules" type="webcontent" href="web_resources/the%20rules.txt"/>
    <resource identifier="film" type="webcontent" href="web_resources/film.mp4"/>
    <resource identifier="gone" type="webcontent" href="web_resources/gone.pdf"/>
    <resource identifier="out" type="webcontent" href="../../outside.txt"/>
    <resource identifier="quiz" type="imsqti_xmlv1p2/imscc_xmlv1p1/assessment"><file href="quiz/assessment_qti.xml"/></resource>
    <resource identifier="topic" type="imsdt_xmlv1p1"><file href="topic.xml"/></resource>
    <resource identifier="task" type="assignment_xmlv1p0" href="task/assignment.xml"/>
    <resource identifier="task_fallback" type="webcontent"><file href="task/task.html"/></resource>
  </resources>
</manifest>"""

CARTRIDGE = {
    "imsmanifest.xml": MANIFEST,
    "wiki_content/stacks.html": "<html><head><title>Stacks</title></head><body><p>A stack is a list.</p></body></html>",
    "wiki_content/draft.html": '<html><head><meta name="workflow_state" content="unpublished"/></head><p>Queues.</p></html>',
    "wiki_content/next.html": "<p>In autumn.</p>",
    "web_resources/talk.srt": SRT,
    "web_resources/the rules.txt": "Hand in on Sunday.",
    "quiz/assessment_qti.xml": "<questestinterop/>",
    "topic.xml": "<topic xmlns='http://www.imsglobal.org/xsd/imsccv1p1/imsdt_v1p1'><title>Lists</title>"
    "<text texttype='text/html'>&lt;p&gt;Which list do you use, and why?&lt;/p&gt;</text></topic>",
    "task/assignment.xml": "<assignment><title>Task 1</title></assignment>",
    "task/task.html": "<p>Implement a stack.</p>",
    "course_settings/module_meta.xml": """\
<modules xmlns="http://canvas.instructure.com/xsd/cccv1p0"><module identifier="m2"><workflow_state>active</workflow_state>
  <items><item identifier="i9"><workflow_state>unpublished</workflow_state><identifierref>next</identifierref></item></items>
</module></modules>""",
}  # fmt: skip

RULES_DIGEST = hashlib.sha1(b"Hand in on Sunday.", usedforsecurity=False).hexdigest()


def listing(*activities: tuple[str, str, str]) -> str:
    """`moodle_backup.xml` of two sections and activities of (id, kind, section)."""
    listed = "".join(
        f"<activity><moduleid>{number}</moduleid><sectionid>{section}</sectionid><modulename>{kind}</modulename>"
        f"<title>{kind} {number}</title><directory>activities/{kind}_{number}</directory></activity>"
        for number, kind, section in activities
    )
    sections = "".join(
        f"<section><sectionid>{each}</sectionid><directory>sections/section_{each}</directory></section>"
        for each in ("20", "10")
    )
    return (
        "<moodle_backup><information><original_course_fullname>Data Structures</original_course_fullname>"
        "<original_course_shortname>DS 1</original_course_shortname>"
        f"<contents><activities>{listed}</activities><sections>{sections}</sections></contents>"
        "</information></moodle_backup>"
    )


def module(*, visible: int = 1, availability: str = "$@NULL@$") -> str:
    return f"<module><visible>{visible}</visible><availability>{availability}</availability></module>"


BACKUP = {
    "moodle_backup.xml": listing(
        ("1", "page", "20"),
        ("2", "page", "10"),
        ("3", "quiz", "10"),
        ("4", "glossary", "10"),
        ("5", "resource", "10"),
        ("6", "page", "10"),
        ("7", "book", "20"),
    ),
    "course/course.xml": "<course><lang>en_us</lang></course>",
    "sections/section_10/section.xml": '<section id="10"><number>0</number><name>$@NULL@$</name><visible>1</visible></section>',
    "sections/section_20/section.xml": '<section id="20"><number>1</number><name>Trees</name><visible>1</visible></section>',
    **{f"activities/{kind}/module.xml": module() for kind in ("page_2", "quiz_3", "glossary_4", "resource_5", "book_7")},
    "activities/page_1/module.xml": module(availability='{"op":"&amp;","c":[{"type":"date","t":1}],"showc":[true]}'),
    "activities/page_6/module.xml": module(visible=0),
    "activities/page_1/page.xml": "<activity><page><content>&lt;p&gt;A tree has a root.&lt;/p&gt;</content></page></activity>",
    "activities/page_2/page.xml": "<activity><page><content>&lt;p&gt;Welcome.&lt;/p&gt;</content></page></activity>",
    "activities/page_6/page.xml": "<activity><page><content>&lt;p&gt;Secret.&lt;/p&gt;</content></page></activity>",
    "activities/quiz_3/quiz.xml": "<activity><quiz><intro>&lt;p&gt;Ten questions.&lt;/p&gt;</intro></quiz></activity>",
    "activities/glossary_4/glossary.xml": """\
<activity><glossary><entries>
  <entry id="9"><concept>root</concept><definition>&lt;p&gt;The node without a parent.&lt;/p&gt;</definition><approved>1</approved></entry>
  <entry id="8"><concept>leaf</concept><definition>Not checked.</definition><approved>0</approved></entry>
</entries></glossary></activity>""",
    "activities/resource_5/resource.xml": '<activity contextid="77"><resource/></activity>',
    "activities/book_7/book.xml": """\
<activity><book><chapters>
  <chapter><pagenum>2</pagenum><title>Leaves</title><content>&lt;p&gt;Last.&lt;/p&gt;</content><hidden>0</hidden></chapter>
  <chapter><pagenum>1</pagenum><title>Roots</title><content>&lt;p&gt;First.&lt;/p&gt;</content><hidden>0</hidden></chapter>
  <chapter><pagenum>3</pagenum><title>Draft</title><content>&lt;p&gt;No.&lt;/p&gt;</content><hidden>1</hidden></chapter>
</chapters></book></activity>""",
    "files.xml": f"""\
<files><file><contenthash>{RULES_DIGEST}</contenthash><contextid>77</contextid><filearea>content</filearea><filename>rules.txt</filename></file>
<file><contenthash>{RULES_DIGEST}</contenthash><contextid>77</contextid><filearea>content</filearea><filename>film.mp4</filename></file></files>""",
    f"files/{RULES_DIGEST[:2]}/{RULES_DIGEST}": "Hand in on Sunday.",
}  # fmt: skip


def packed_zip(files: Mapping[str, str], path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as package:
        for name, text in files.items():
            package.writestr(name, text)
    return path


def packed_tar(files: Mapping[str, str], path: Path) -> Path:
    for name, text in files.items():
        place = path.parent / "packed" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    with tarfile.open(path, "w:gz") as tar:
        for place in sorted((path.parent / "packed").iterdir()):
            tar.add(place, place.name)
    return path


def imported(source: Path, into: Path) -> tuple[Path, Imported]:
    found = import_courses(source, into)
    (course,) = found.courses
    return course.folder, found


def documents(folder: Path) -> list[tuple[str, str]]:
    course = CourseFolder(folder.name, folder)
    return [(one.document, one.text) for one in read_documents(course, read_course_card(course)[0])[0]]


def test_a_canvas_course_is_read_in_the_order_of_its_modules(tmp_path: Path) -> None:
    folder, found = imported(packed_zip(CARTRIDGE, tmp_path / "course.imscc"), tmp_path / "courses")
    assert (found.kind, folder.name) == ("Common Cartridge", "Data-Structures")
    assert documents(folder) == [
        ("documents/01 - Lists/01 - Stacks_ what for_.html", "A stack is a list."),
        ("documents/01 - Lists/02 - Which list do you use_.html", "Which list do you use, and why?"),
        ("documents/01 - Lists/03 - Task 1.html", "Implement a stack."),
        ("documents/02 - Trees/01 - Rules.txt", "Hand in on Sunday."),
    ]
    assert (folder / "subtitles/01 - Lists/01 - Stacks on film.srt").read_text() == SRT


def test_what_students_of_canvas_cannot_see_and_solutions_are_left_out_and_told(tmp_path: Path) -> None:
    _, found = imported(packed_zip(CARTRIDGE, tmp_path / "course.imscc"), tmp_path / "courses")
    assert [problem.message for problem in found.problems] == [
        "Left out, files that are no documents, such as pictures and films: 1 ('Trees on film').",
        "Left out, files that are not in the export, or too large: 2 ('gone', 'outside').",
        "Left out, graded quizzes, whose solutions students would be told: 1 ('Quiz on stacks').",
        "Left out, not published there: 2 ('Draft of queues', 'Next term').",
    ]
    assert found.left_out == {
        "files that are no documents, such as pictures and films": 1,
        "files that are not in the export, or too large": 2,
        "graded quizzes, whose solutions students would be told": 1,
        "not published there": 2,
    }


def test_a_moodle_course_is_read_by_section_with_its_glossary_as_concepts(tmp_path: Path) -> None:
    folder, found = imported(packed_tar(BACKUP, tmp_path / "backup.mbz"), tmp_path / "courses")
    assert (found.kind, folder.name) == ("Moodle backup", "DS-1")
    assert documents(folder) == [
        ("documents/01 - General/01 - page 2.html", "Welcome."),
        ("documents/01 - General/02 - rules.txt", "Hand in on Sunday."),
        ("documents/02 - Trees/01 - page 1.html", "A tree has a root."),
        ("documents/02 - Trees/02 - book 7_ Roots.html", "First."),
        ("documents/02 - Trees/03 - book 7_ Leaves.html", "Last."),
    ]
    assert (folder / "concepts.jsonl").read_text() == (
        '{"id": "glossary-9", "name": "root", "definition": "The node without a parent."}\n'
    )


def test_what_students_of_moodle_cannot_see_and_solutions_are_left_out_and_told(tmp_path: Path) -> None:
    _, found = imported(packed_tar(BACKUP, tmp_path / "backup.mbz"), tmp_path / "courses")
    assert [problem.message for problem in found.problems] == [
        "Left out, files that are no documents, such as pictures and films: 1 ('film.mp4').",
        "Left out, graded quizzes, whose solutions students would be told: 1 ('quiz 3').",
        "Left out, hidden from students: 1 ('page 6').",
        "Restricted in Moodle, by date or by what was done before: 1. Here everybody is told what these activities say.",
    ]


def test_markup_nested_too_deep_to_be_parsed_is_left_out_and_stops_nothing(tmp_path: Path) -> None:
    deep = "&lt;div&gt;" * (DEEPEST + 1) + "Deep."
    entry = f"<entry id='1'><concept>root</concept><definition>{deep}</definition><approved>1</approved></entry>"
    glossary = f"<activity><glossary><entries>{entry}</entries></glossary></activity>"
    page = f"<activity><page><content>{deep}</content></page></activity>"
    changes = {"activities/glossary_4/glossary.xml": glossary, "activities/page_2/page.xml": page}
    folder, found = imported(packed_tar(BACKUP | changes, tmp_path / "backup.mbz"), tmp_path / "courses")
    assert "Left out, pages without text: 1 ('page 2')." in [problem.message for problem in found.problems]
    assert json.loads((folder / "concepts.jsonl").read_text())["definition"] is None
    assert len(documents(folder)) == 4


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"imsmanifest.xml": "<manifest"}, "imsmanifest.xml is not valid XML"),
        ({"imsmanifest.xml": '<!DOCTYPE a [<!ENTITY b "c">]><manifest/>'}, "declares a document type"),
        ({"moodle_backup.xml": "<moodle_backup>"}, "moodle_backup.xml is not valid XML"),
        ({"moodle.xml": "<MOODLE_BACKUP/>"}, "a backup of Moodle 1.9"),
    ],
)
def test_an_export_that_cannot_be_read_is_refused_and_nothing_is_written(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    source = packed_zip(files, tmp_path / "broken.zip")
    with pytest.raises(CoteachError, match=message):
        import_courses(source, tmp_path / "courses")
    assert not (tmp_path / "courses").exists()
