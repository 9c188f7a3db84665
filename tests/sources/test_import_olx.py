"""Open edX course exports, written as Studio writes them, to course folders."""

# ruff: noqa: E501 - the files are as Studio writes them, long lines and all

import io
import json
import tarfile
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.course import CourseFolder, read_course_card
from knowledge_graph.sources.documents import read_documents
from knowledge_graph.sources.faq import read_faq
from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.importing import export_files
from knowledge_graph.sources.importing.export_files import read_xml
from knowledge_graph.sources.importing.olx_problem import problem_text
from knowledge_graph.sources.importing.sources import Imported, import_courses

Write = Callable[[dict[str, str]], Path]

SRT = "1\n00:00:01,000 --> 00:00:03,000\nA stack is last in, first out.\n"
SJSON = '{"start": [1000], "end": [3000], "text": ["A queue is first in, first out."]}'

COURSE = {
    "course.xml": '<course url_name="2026_T1" org="Trees" course="CS101"/>',
    "course/2026_T1.xml": """\
<course display_name="Data Structures" language="en" instructor_info="{&quot;instructors&quot;: [{&quot;name&quot;: &quot;Ada L.&quot;}]}">
  <chapter url_name="c2"/>
  <chapter url_name="c1"/>
  <wiki slug="Trees.CS101.2026_T1"/>
</course>""",
    "chapter/c2.xml": '<chapter display_name="Stacks &amp; queues"><sequential url_name="s1"/></chapter>',
    "chapter/c1.xml": """\
<chapter display_name="Graphs"><sequential display_name="Walks" graded="true"><vertical display_name="Quiz">
  <problem url_name="p2" display_name="Loops" showanswer="never">
    <stringresponse answer="loop"><label>An edge to itself?</label><textline/></stringresponse>
    <solution><p>It is a loop.</p></solution>
  </problem>
  <problem url_name="p1"/>
</vertical></sequential></chapter>""",
    "sequential/s1.xml": """\
<sequential display_name="Stacks"><vertical url_name="v1"/><vertical url_name="v2"/></sequential>""",
    "vertical/v1.xml": """\
<vertical display_name="What is a stack?"><video url_name="a"/><html url_name="h1"/><problem url_name="p3"/>
<discussion url_name="d" display_name="Talk"/></vertical>""",
    "vertical/v2.xml": """\
<vertical display_name="Queues"><video url_name="b"/><html url_name="h2" display_name="Raw HTML"><p>A ring buffer.</p></html>
<video url_name="silent" display_name="Guest talk"/></vertical>""",
    "video/a.xml": """\
<video youtube="1.00:abc" url_name="a" sub="" transcripts="{&quot;es&quot;: &quot;x-es.srt&quot;, &quot;en&quot;: &quot;x-en.srt&quot;}"
  display_name="Video" edx_video_id="x" youtube_id_1_0="abc"><video_asset client_video_id="external video" duration="0.0"/>
  <transcript language="en" src="x-en.srt"/><transcript language="es" src="x-es.srt"/></video>""",
    "video/b.xml": '<video url_name="b" sub="OEoXaMPEzfM" display_name="Queues: why?" youtube="1.00:OEoXaMPEzfM"/>',
    "video/silent.xml": '<video url_name="silent" display_name="Guest talk"/>',
    "static/x-en.srt": SRT,
    "static/x-es.srt": SRT,
    "static/subs_OEoXaMPEzfM.srt.sjson": SJSON,
    "html/h1.xml": '<html filename="h1" display_name="Stacks in words"/>',
    "html/h1.html": "<h2>Push</h2><p>Push puts an item on top.</p>",
    "problem/p1.xml": """\
<problem display_name="Edges" markdown="null"><multiplechoiceresponse><p>How many edges has a tree of five nodes?</p>
  <choicegroup type="MultipleChoice"><choice correct="false">Five</choice>
  <choice correct="true">Four <choicehint>Yes!</choicehint></choice></choicegroup>
  <solution><div class="detailed-solution"><p>Explanation</p><p>Each node but the root has one edge up.</p></div></solution>
</multiplechoiceresponse><demandhint><hint>Count them.</hint></demandhint></problem>""",
    "problem/p3.xml": """\
<problem display_name="Easy one"><stringresponse answer="pop"><label>Take one off?</label><textline/></stringresponse></problem>""",
    "policies/2026_T1/policy.json": json.dumps(
        {
            "course/2026_T1": {
                "display_name": "Data Structures and Graphs",
                "tabs": [
                    {"type": "static_tab", "name": "Syllabus", "url_slug": "syl"},
                    {"type": "static_tab", "name": "Staff notes", "url_slug": "notes", "course_staff_only": True},
                ],
            }
        }
    ),
    "about/overview.html": "<section><h2>About</h2><p>A first course on stacks and queues.</p></section>",
    "tabs/syl.html": "<p>Twelve weeks.</p>",
    "tabs/notes.html": "<p>Secret.</p>",
    "drafts/vertical/d1.xml": '<vertical display_name="Not yet"/>',
}


@pytest.fixture
def write_export(tmp_path: Path) -> Write:
    """Write `{path: text}` as an unpacked export."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / "export/course" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path / "export"

    return write


def _packed(export: Path, path: Path) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        tar.add(export / "course", "course")
    return path


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _imported(write_export: Write, tmp_path: Path, changes: dict[str, str] | None = None) -> tuple[Path, Imported]:
    imported = import_courses(write_export({**COURSE, **(changes or {})}), tmp_path / "courses", with_graded=True)
    return imported.courses[0].folder, imported


def test_an_export_becomes_a_course_folder(write_export: Write, tmp_path: Path) -> None:
    folder, imported = _imported(write_export, tmp_path)
    assert imported.kind == "Open edX course export"
    assert folder == tmp_path / "courses/CS101-2026_T1"
    assert imported.courses[0].counts == {"videos": 2, "documents": 4, "questions": 1}
    assert sorted(_files(folder)) == [
        "course.yaml",
        "documents/00 - About the course/01 - About this course.html",
        "documents/00 - About the course/02 - Syllabus.html",
        "documents/01 - Stacks & queues/01 - Stacks in words.html",
        "documents/01 - Stacks & queues/02 - Queues.html",
        "faq.jsonl",
        "subtitles/01 - Stacks & queues/01 - What is a stack_.srt",
        "subtitles/01 - Stacks & queues/02 - Queues_ why_.sjson",
    ]


def test_the_card_has_title_language_teachers_and_the_order_of_videos(write_export: Write, tmp_path: Path) -> None:
    folder, _ = _imported(write_export, tmp_path)
    card, problems = read_course_card(CourseFolder("CS101-2026_T1", folder))
    assert problems == ()
    assert (card.title, card.lang, card.instructors) == ("Data Structures and Graphs", "en", ("Ada L.",))
    assert card.video_order == (
        "01 - Stacks & queues/01 - What is a stack_",
        "01 - Stacks & queues/02 - Queues_ why_",
    )


def test_captions_are_copied_byte_for_byte(write_export: Write, tmp_path: Path) -> None:
    folder, _ = _imported(write_export, tmp_path)
    files = _files(folder / "subtitles/01 - Stacks & queues")
    assert files == {"01 - What is a stack_.srt": SRT.encode(), "02 - Queues_ why_.sjson": SJSON.encode()}


def test_a_problem_with_a_solution_is_a_question_that_can_be_explained(write_export: Write, tmp_path: Path) -> None:
    folder, _ = _imported(write_export, tmp_path)
    course = CourseFolder("CS101-2026_T1", folder)
    (entry,), problems = read_faq(course, read_course_card(course)[0])
    assert problems == ()
    assert (entry.origin_id, entry.author) == ("p1", "Open edX problem: Edges")
    assert entry.question == "How many edges has a tree of five nodes?\nA) Five\nB) Four"
    assert entry.answer == "Correct answer: B) Four\n\nEach node but the root has one edge up."


def test_pages_are_documents_with_the_title_of_the_page_or_its_unit(write_export: Write, tmp_path: Path) -> None:
    folder, _ = _imported(write_export, tmp_path)
    course = CourseFolder("CS101-2026_T1", folder)
    sections, problems = read_documents(course, read_course_card(course)[0])
    assert problems == ()
    assert [(section.title, section.heading, section.text) for section in sections] == [
        ("About this course", "About", "A first course on stacks and queues."),
        ("Syllabus", None, "Twelve weeks."),
        ("Stacks in words", "Push", "Push puts an item on top."),
        ("Queues", None, "A ring buffer."),
    ]


def test_everything_left_out_is_counted_and_named(write_export: Write, tmp_path: Path) -> None:
    _, imported = _imported(write_export, tmp_path)
    assert [problem.message for problem in imported.problems] == [
        "Left out, problems that never show their answer: 1 ('Loops').",
        "Left out, problems without a written solution: 1 ('Easy one').",
        "Left out, videos without captions: 1 ('Guest talk').",
        "Blocks of other kinds were not read: 1 discussion.",
        "1 of the imported problems are graded: a student who asks is told their answer.",
        "1 units are drafts and were left out.",
    ]


def test_solutions_of_graded_problems_are_left_out_unless_asked_for(write_export: Write, tmp_path: Path) -> None:
    imported = import_courses(write_export(COURSE), tmp_path / "courses")
    assert imported.courses[0].counts == {"videos": 2, "documents": 4}
    message = "Left out, graded problems, whose solutions students would be told: 1 ('Edges')."
    assert message in [problem.message for problem in imported.problems]


@pytest.mark.parametrize(
    ("settings", "is_left_out"),
    [
        ('due="2026-11-30T23:59:00Z"', True),
        ('due="&quot;2026-11-30T23:59:00+00:00&quot;"', True),
        ('due="2026-11-30T23:59:00Z" graded="false"', False),
        ('due="null"', False),
    ],
)
def test_what_is_due_and_says_nothing_of_grades_counts_as_graded(
    write_export: Write, tmp_path: Path, settings: str, is_left_out: bool
) -> None:
    chapter = COURSE["chapter/c1.xml"].replace('graded="true"', settings)
    imported = import_courses(write_export({**COURSE, "chapter/c1.xml": chapter}), tmp_path / "courses")
    left_out = [each.message for each in imported.problems if "graded problems" in each.message]
    assert bool(left_out) is is_left_out


def test_what_only_staff_sees_is_left_out_with_all_below_it(write_export: Write, tmp_path: Path) -> None:
    hidden = '<sequential display_name="Stacks" visible_to_staff_only="true"><vertical url_name="v1"/></sequential>'
    folder, imported = _imported(write_export, tmp_path, {"sequential/s1.xml": hidden})
    assert "Left out, parts that are hidden from students: 1 ('Stacks')." in [
        each.message for each in imported.problems
    ]
    assert not (folder / "subtitles").exists()
    assert [json.loads(line)["id"] for line in (folder / "faq.jsonl").read_text().splitlines()] == ["p1"]


def test_a_tar_gz_and_its_folder_give_the_same_bytes_and_leave_nothing_behind(
    write_export: Write, tmp_path: Path
) -> None:
    export = write_export(COURSE)
    import_courses(export, tmp_path / "one")
    import_courses(_packed(export, tmp_path / "course.tar.gz"), tmp_path / "two")
    assert _files(tmp_path / "one") == _files(tmp_path / "two")
    assert [path.name for path in (tmp_path / "two").iterdir()] == ["CS101-2026_T1"]


def test_a_course_all_in_one_file_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "export/static").mkdir(parents=True)
    (tmp_path / "export/static/subs_yt.srt.sjson").write_text(SJSON)
    (tmp_path / "export/course.xml").write_text(
        '<course url_name="r" course="X" display_name="树" language="zh-cn"><chapter display_name="第一章">'
        '<sequential><vertical><video display_name="二叉树" youtube="0.75:slow,1.00:no" sub="yt"/></vertical></sequential>'
        "</chapter></course>"
    )
    (course,) = import_courses(tmp_path / "export", tmp_path / "courses").courses
    assert (course.title, list(_files(course.folder / "subtitles"))) == ("树", ["01 - 第一章/01 - 二叉树.sjson"])
    assert "lang: zh" in (course.folder / "course.yaml").read_text()


@pytest.mark.parametrize("src", ["../../secret.srt", "/etc/hostname"])
def test_a_caption_outside_of_the_export_is_not_copied(write_export: Write, tmp_path: Path, src: str) -> None:
    (tmp_path / "secret.srt").write_text(SRT)
    video = f'<video display_name="Leak"><transcript language="en" src="{src}"/></video>'
    folder, imported = _imported(write_export, tmp_path, {"video/a.xml": video})
    assert "Left out, videos without captions: 2 ('Leak', 'Guest talk')." in [p.message for p in imported.problems]
    assert "Leak" not in " ".join(_files(folder))


def test_a_caption_with_an_endless_name_is_not_looked_for(write_export: Write, tmp_path: Path) -> None:
    video = f'<video display_name="A" sub="{"x" * 400}"><transcript language="en" src="{"y" * 400}.srt"/></video>'
    _, imported = _imported(write_export, tmp_path, {"video/a.xml": video})
    assert "Left out, videos without captions: 2 ('A', 'Guest talk')." in [each.message for each in imported.problems]


def test_captions_in_other_languages_only_are_told(write_export: Write, tmp_path: Path) -> None:
    video = '<video display_name="A"><transcript language="es" src="x-es.srt"/></video>'
    _, imported = _imported(write_export, tmp_path, {"video/a.xml": video})
    told = [problem.message for problem in imported.problems]
    assert "Left out, videos with captions only in another language (es): 1 ('A')." in told


def test_files_that_are_far_too_large_are_never_loaded(
    write_export: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_files, "LARGEST_FILE", 2_000)
    changes = {"static/x-en.srt": SRT * 100, "html/h1.html": "<p>long</p>" * 1_000}
    _, imported = _imported(write_export, tmp_path, changes)
    told = [problem.message for problem in imported.problems]
    assert "Left out, videos without captions: 2 ('What is a stack?', 'Guest talk')." in told
    assert "Left out, pages whose file is not there or has over 20 MB: 1 ('Stacks in words')." in told


def test_the_caption_of_the_course_s_language_is_taken(write_export: Write, tmp_path: Path) -> None:
    video = '<video display_name="A" transcripts="{&quot;zh-CN&quot;: &quot;a zh.srt&quot;, &quot;en&quot;: &quot;a.srt&quot;}"/>'
    course = COURSE["course/2026_T1.xml"].replace('language="en"', 'language="zh"')
    files = {"course/2026_T1.xml": course, "video/a.xml": video, "static/a.srt": SRT, "static/a_zh.srt": "1\n栈\n"}
    folder, _ = _imported(write_export, tmp_path, files)
    assert (folder / "subtitles/01 - Stacks & queues/01 - A.srt").read_text() == "1\n栈\n"


def test_a_folder_that_cannot_be_exchanged_is_put_back(
    write_export: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = write_export(COURSE)
    import_courses(export, tmp_path / "courses")
    before = _files(tmp_path / "courses")
    rename = Path.rename

    def fail_for_new(path: Path, target: Path) -> Path:
        if path.parent.name == "courses" and ".import-" in str(path.parent):
            raise OSError(28, "No space left on device")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fail_for_new)
    with pytest.raises(OSError, match="No space left"):
        import_courses(export, tmp_path / "courses", replace=True)
    assert _files(tmp_path / "courses") == before


def test_a_pointer_to_a_file_outside_is_told(write_export: Write, tmp_path: Path) -> None:
    (tmp_path / "evil.xml").write_text("<sequential><vertical/></sequential>")
    chapter = '<chapter display_name="C"><sequential url_name="../../../evil"/></chapter>'
    _, imported = _imported(write_export, tmp_path, {"chapter/c2.xml": chapter})
    assert "chapter/c2.xml names sequential/../../../evil.xml, which is not there (or has over 20 MB)." in [
        problem.message for problem in imported.problems
    ]


def test_broken_xml_costs_only_its_block(write_export: Write, tmp_path: Path) -> None:
    folder, imported = _imported(write_export, tmp_path, {"video/a.xml": "<video display_name='A'"})
    assert imported.problems[0].message.startswith("video/a.xml is not valid XML: ")
    assert (folder / "subtitles/01 - Stacks & queues/01 - Queues_ why_.sjson").exists()


def test_entities_that_grow_are_never_expanded(write_export: Write, tmp_path: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><video display_name="&b;"/>'
    _, imported = _imported(write_export, tmp_path, {"video/a.xml": bomb})
    assert imported.problems[0].message == "video/a.xml declares a document type; it was not read."


def test_a_document_type_is_seen_in_utf_16(tmp_path: Path) -> None:
    xml = '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE x [<!ENTITY a "ha">]><course>&a;</course>'
    (tmp_path / "course.xml").write_bytes(xml.encode("utf-16"))
    told = ProblemLog()
    assert read_xml(tmp_path, "course.xml", told) is None
    assert told.problems[0].message == "course.xml declares a document type; it was not read."


def test_a_document_type_in_a_quoted_page_or_a_comment_is_none(tmp_path: Path) -> None:
    page = "<!-- no <!DOCTYPE> here --><problem><html><![CDATA[<!DOCTYPE html><p>Heaps</p>]]></html></problem>"
    (tmp_path / "problem.xml").write_text(page)
    told = ProblemLog()
    read = read_xml(tmp_path, "problem.xml", told)
    assert read is not None
    assert "Heaps" in (read.findtext("html") or "")
    assert not told.problems


def test_a_file_that_is_too_large_is_named_and_one_that_is_not_there_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_files, "LARGEST_FILE", 8)
    (tmp_path / "questions.xml").write_text("<questions></questions>")
    told = ProblemLog()
    assert read_xml(tmp_path, "questions.xml", told) is None
    assert read_xml(tmp_path, "others.xml", told) is None
    assert [one.message.partition(" has ")[0] for one in told.problems] == ["questions.xml"]


def test_a_chapter_that_points_at_itself_ends(write_export: Write, tmp_path: Path) -> None:
    chapter = '<chapter display_name="C"><chapter url_name="c2"/><chapter url_name="c2"/></chapter>'
    _, imported = _imported(write_export, tmp_path, {"chapter/c2.xml": chapter})
    assert any("which was read already" in problem.message for problem in imported.problems)


def test_an_existing_course_is_only_replaced_when_asked(write_export: Write, tmp_path: Path) -> None:
    export = write_export(COURSE)
    (course,) = import_courses(export, tmp_path / "courses").courses
    (course.folder / "mine.md").write_text("my notes")
    before = _files(tmp_path / "courses")
    with pytest.raises(CoteachError, match=r"CS101-2026_T1 exists already\. Use --replace"):
        import_courses(export, tmp_path / "courses")
    assert _files(tmp_path / "courses") == before
    import_courses(export, tmp_path / "courses", replace=True)
    assert {**_files(tmp_path / "courses"), "CS101-2026_T1/mine.md": b"my notes"} == before


def test_an_archive_that_climbs_out_leaves_not_even_the_folder(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "course.tar.gz", "w:gz") as tar:
        info = tarfile.TarInfo("course/../../course.xml")
        tar.addfile(info, io.BytesIO(b""))
    with pytest.raises(CoteachError, match="climbs out of the archive"):
        import_courses(tmp_path / "course.tar.gz", tmp_path / "courses")
    assert [path.name for path in tmp_path.iterdir()] == ["course.tar.gz"]


def test_a_source_that_is_nothing_known_says_what_is_and_what_was_found(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x/film.mp4").touch()
    with pytest.raises(CoteachError, match=r"expected an Open edX course export .*; found a folder with film.mp4\."):
        import_courses(tmp_path / "x", tmp_path / "courses")


@pytest.mark.parametrize(
    ("problem", "question", "correct"),
    [
        (
            "<choiceresponse><label>Which are trees?</label><description>Two are.</description><checkboxgroup>"
            '<choice correct="true">A list<choicehint selected="true">Right.</choicehint></choice>'
            '<choice correct="false">A ring</choice><choice correct="true">A heap</choice></checkboxgroup></choiceresponse>',
            "Which are trees?\nTwo are.\nA) A list\nB) A ring\nC) A heap",
            "A) A list; C) A heap",
        ),
        (
            '<optionresponse><label>Capital?</label><optioninput><option correct="False">Sydney</option>'
            '<option correct="True">Canberra</option></optioninput></optionresponse>',
            "Capital?\nA) Sydney\nB) Canberra",
            "B) Canberra",
        ),
        (
            "<p>Odd one?</p><optionresponse><optioninput options=\"('ab','c d','it\\'s')\" correct=\"c d\"/></optionresponse>",
            "Odd one?\nA) ab\nB) c d\nC) it\\'s",
            "B) c d",
        ),
        (
            '<stringresponse answer="Michigan" type="ci"><label>Which state?</label>'
            '<additional_answer answer="MI"/><textline size="20"/></stringresponse>',
            "Which state?",
            "Michigan or MI",
        ),
        (
            '<numericalresponse answer="3.14"><label>Enter [mathjaxinline]\\pi[/mathjaxinline].</label>'
            '<responseparam type="tolerance" default="5%"/><formulaequationinput/></numericalresponse>',
            "Enter \\(\\pi\\).",
            "3.14 (tolerance 5%)",
        ),
        (
            '<p>Two parts.</p><numericalresponse answer="1"><label>First?</label></numericalresponse>'
            '<numericalresponse answer="2"><label>Second?</label></numericalresponse>',
            "Two parts.\nFirst?\nSecond?",
            "Part 1: 1\nPart 2: 2",
        ),
        (
            '<script type="loncapa/python">def check(e, a): return True</script>'
            '<p>See <img src="/static/a.png" alt="a tree"/> and fold.</p><customresponse cfn="check"><textline/></customresponse>',
            "See [a tree] and fold.",
            "",
        ),
    ],
)
def test_each_kind_of_problem_is_put_in_words(problem: str, question: str, correct: str) -> None:
    found = problem_text(
        ET.fromstring(f"<problem>{problem}<solution><p>Explanation</p><p>So.</p></solution></problem>")
    )
    assert (found.question, found.correct, found.solution, found.is_computed) == (question, correct, "So.", False)


def test_numbers_that_a_script_draws_are_noticed() -> None:
    text = "<problem><script>x = random.randint(1, 9)</script><p>What is $x + 1?</p><solution>Add.</solution></problem>"
    assert problem_text(ET.fromstring(text)).is_computed
