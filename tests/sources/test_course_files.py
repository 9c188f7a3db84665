"""Names, edits and packages of course files, on real folders: what is refused, what is whole, what comes back."""

import io
import os
import stat
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError, Problem
from knowledge_graph.lake.source_reports import keep_report
from knowledge_graph.sources.course_files import editing
from knowledge_graph.sources.course_files.editing import (
    CourseEdit,
    EditConflict,
    EditRefused,
    FileUnknown,
    apply_edit,
    create_course,
    digest_files,
    list_files,
    mend,
    path_of,
    staging,
    undo_edit,
)
from knowledge_graph.sources.course_files.history import KEPT_EDITS, history_folder, read_edits, version_of
from knowledge_graph.sources.course_files.names import (
    NameRefused,
    alike,
    check_course_id,
    check_name,
    destination_of,
    escape_name,
)
from knowledge_graph.sources.course_files.packages import open_package
from knowledge_graph.sources.course_files.reading import digests_by_file, read_course_files
from knowledge_graph.sources.documents import _READERS
from knowledge_graph.sources.folders import DOCUMENT_SUFFIXES, CourseFolder, find_courses, input_digests
from knowledge_graph.sources.importing.archives import ArchiveRefused
from knowledge_graph.sources.importing.course_writer import CourseExists

SRT = "1\n00:00:01,000 --> 00:00:03,000\nA stack is a list.\n"
FAQ = "question,answer\nWhen?,Monday.\n"


@pytest.fixture
def course(tmp_path: Path) -> CourseFolder:
    folder = create_course(tmp_path / "courses", "ds", title="Data structures", lang="en", by="Ada")
    put(folder, {"subtitles/01.srt": SRT, "faq.csv": FAQ})
    return folder


def put(folder: CourseFolder, files: dict[str, str], *, seen: dict[str, str] | None = None) -> CourseEdit:
    with staging(folder) as work:
        changes: dict[str, Path | None] = {}
        for number, (name, text) in enumerate(files.items()):
            (work / str(number)).write_text(text)
            changes[name] = work / str(number)
        return apply_edit(folder, "put", changes, {name: (seen or {}).get(name) for name in files}, by="Ada")


def versions(folder: CourseFolder) -> dict[str, str]:
    return {one.name: one.version for one in list_files(folder)}


def contents(folder: CourseFolder) -> dict[str, str]:
    return {one.name: path_of(folder, one.name).read_text() for one in list_files(folder)}


def packed(files: dict[str, str | bytes], **extra: int) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in files.items():
            member = zipfile.ZipInfo(name)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = extra.get("mode", 0o644) << 16
            pack.writestr(member, content)
    return data.getvalue()


# Names


@pytest.mark.parametrize(
    "name",
    [
        "../other/course.yaml",
        "documents/../../x.pdf",
        "/etc/passwd.txt",
        "documents//x.pdf",
        "documents/./x.pdf",
        "documents\\x.pdf",
        "C:/documents/x.pdf",
        "documents/x\x00.pdf",
        "documents/x\n.pdf",
        "documents/a\u202efdp.exe.pdf",
        "documents/x\u200b.pdf",
        "documents/\ud800.pdf",
        ".history/1/edit.json",
        "documents/.hidden.md",
        "documents/ x.pdf",
        "documents/x.pdf.",
        "documents/con.txt",
        f"documents/{'x' * 300}.pdf",
        "documents/" + "a/" * 9 + "x.pdf",
        "",
        "documents/",
        "documents",
        "faq.csv/inside.srt",
        "run.sh",
        "documents/program.exe",
        "documents/film.mp4",
        "subtitles/one.ass",
        "subtitles/one.png",
        "other/course.yaml",
        "notes.md",
    ],
)
def test_a_name_that_lies_elsewhere_hides_or_is_not_read_is_refused(name: str) -> None:
    with pytest.raises(NameRefused):
        check_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "course.yaml",
        "faq.csv",
        "faq/late days.md",
        "subtitles/第一讲 栈.srt",
        "lecture 1.vtt",
        "documents/a/b/Über.pdf",
    ],
)
def test_names_as_teachers_have_them_are_taken(name: str) -> None:
    assert check_name(name) == name


def test_a_name_is_kept_in_composed_characters() -> None:
    assert check_name("documents/U\u0308ber.pdf") == "documents/\u00dcber.pdf"


def test_a_refused_name_is_shown_without_what_nobody_sees() -> None:
    assert escape_name("a\u202eb\n") == "a\\u202eb\\u000a"


@pytest.mark.parametrize(
    "course_id", ["", ".", "..", "a/b", "-x", ".x", "a b", "x" * 65, "a..b", "课程", "nul", "documents", "FAQ"]
)
def test_an_id_that_is_no_plain_folder_name_is_refused(course_id: str) -> None:
    with pytest.raises(NameRefused):
        check_course_id(course_id)


def test_a_file_from_a_browser_goes_where_it_is_read() -> None:
    assert destination_of("C:\\fakepath\\01.srt") == "subtitles/01.srt"
    assert destination_of("syllabus.pdf") == "documents/syllabus.pdf"
    assert destination_of("faq.csv") == "faq.csv"
    assert destination_of("captions.dfxp") == "subtitles/captions.dfxp"
    assert destination_of("setup.exe") == "setup.exe"
    assert destination_of("items.txt", "gold") == "gold/items.txt"
    assert destination_of("../../course.yaml") == "course.yaml"


def test_documents_that_may_be_uploaded_are_those_that_are_read() -> None:
    assert set(DOCUMENT_SUFFIXES) == set(_READERS)


def test_names_that_differ_in_case_alone_are_alike() -> None:
    assert alike("documents/A.pdf", ["documents/a.PDF", "documents/b.pdf"]) == "documents/a.PDF"


# Edits


def test_a_course_is_made_with_its_card_and_found_by_the_pipeline(tmp_path: Path) -> None:
    create_course(tmp_path, "ml", title="机器学习: an intro", lang=None, by="Ada")
    assert [one.course_id for one in find_courses(tmp_path)] == ["ml"]
    assert (tmp_path / "ml" / "course.yaml").read_text() == "title: '机器学习: an intro'\n"
    assert [path.name for path in tmp_path.iterdir()] == ["ml"], "nothing is left of the making"


@pytest.mark.parametrize("same", ["ds", "DS"])
def test_a_course_of_the_same_name_is_not_written_over(course: CourseFolder, same: str) -> None:
    with pytest.raises(CourseExists):
        create_course(course.path.parent, same, title="Other", lang=None, by="Eve")
    assert "Data structures" in (course.path / "course.yaml").read_text()


def test_of_many_who_make_one_course_at_once_one_does(tmp_path: Path) -> None:
    told = list[str]()

    def make(number: int) -> None:
        try:
            create_course(tmp_path, "ml", title=str(number), lang=None, by="x")
            told.append(str(number))
        except CourseExists:
            pass

    threads = [threading.Thread(target=make, args=(number,)) for number in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(told) == 1
    assert f"title: '{told[0]}'" in (tmp_path / "ml" / "course.yaml").read_text()


def test_a_new_file_a_new_version_and_a_removal_come_and_go(course: CourseFolder) -> None:
    before = contents(course)
    edit = put(course, {"faq.csv": "question,answer\nNew?,Yes.\n"}, seen=versions(course))
    assert "New?" in contents(course)["faq.csv"]
    removed = apply_edit(course, "remove", {"subtitles/01.srt": None}, versions(course), by="Ada")
    assert not (course.path / "subtitles").exists(), "an empty folder goes too"
    undo_edit(course, removed.number, by="Ada")
    last = undo_edit(course, edit.number, by="Ada")
    assert contents(course) == before
    undo_edit(course, last.number, by="Ada")
    assert "New?" in contents(course)["faq.csv"], "an undoing can be undone"


def test_history_and_staging_are_no_input_of_the_course(course: CourseFolder) -> None:
    before = input_digests(course)
    with staging(course) as work:
        (work / "faq.csv").write_text("question,answer\n")
        assert input_digests(course) == before
    assert not [path for path in history_folder(course.path).iterdir() if path.name.startswith("incoming")]


def test_who_saw_an_older_version_is_told_who_changed_it(course: CourseFolder) -> None:
    seen = versions(course)
    put(course, {"faq.csv": FAQ + "A?,B.\n"}, seen=seen)
    with pytest.raises(EditConflict, match="changed meanwhile by Ada"):
        put(course, {"faq.csv": FAQ + "C?,D.\n"}, seen=seen)
    with pytest.raises(EditConflict, match="already"):
        put(course, {"faq.csv": FAQ})
    assert "A?" in contents(course)["faq.csv"]


def test_a_file_of_the_same_bytes_is_another_version(course: CourseFolder) -> None:
    seen = versions(course)
    put(course, {"faq.csv": FAQ}, seen=seen)
    assert versions(course)["faq.csv"] != seen["faq.csv"]


def test_whoever_saw_another_list_of_files_does_not_replace_them(course: CourseFolder) -> None:
    seen = digest_files(list_files(course))
    put(course, {"documents/a.md": "# A\n"})
    with staging(course) as work:
        (work / "x").write_text(FAQ)
        with pytest.raises(EditConflict, match="Files of ds were changed"):
            apply_edit(course, "package", {"faq.csv": work / "x"}, seen, by="Eve")


def test_of_two_who_replace_one_file_at_once_one_is_refused(course: CourseFolder) -> None:
    seen, outcomes = versions(course), list[str]()

    def replace(text: str) -> None:
        try:
            put(course, {"faq.csv": text}, seen=seen)
            outcomes.append(text)
        except EditConflict:
            outcomes.append("refused")

    threads = [threading.Thread(target=replace, args=(f"question,answer\n{n}?,x.\n",)) for n in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert outcomes.count("refused") == 5
    assert contents(course)["faq.csv"] in outcomes


def test_an_edit_cannot_be_undone_over_a_later_one(course: CourseFolder) -> None:
    first = put(course, {"faq.csv": FAQ + "A?,B.\n"}, seen=versions(course))
    put(course, {"faq.csv": FAQ + "C?,D.\n"}, seen=versions(course))
    with pytest.raises(EditConflict):
        undo_edit(course, first.number, by="Ada")


class _PowerCut(BaseException):
    pass


@pytest.mark.parametrize("at", [0, 1, 2, 3])
@pytest.mark.parametrize("is_cut", [False, True])
def test_an_edit_that_is_interrupted_leaves_what_was_there(
    course: CourseFolder, monkeypatch: pytest.MonkeyPatch, at: int, *, is_cut: bool
) -> None:
    """A full disk is met by the edit itself; after a power cut by the next who comes, here a list of files."""
    before, seen = contents(course), versions(course)
    done, real_put, real_back = 0, editing._put, editing._put_back

    def failing(target: Path, staged: Path | None, old: Path) -> None:
        nonlocal done
        if done == at:
            raise _PowerCut if is_cut else OSError(28, "No space left on device")
        done += 1
        real_put(target, staged, old)

    monkeypatch.setattr(editing, "_put", failing)
    if is_cut:
        monkeypatch.setattr(editing, "_put_back", lambda folder, edit: None)
    with staging(course) as work:
        for name in ("a", "b", "c"):
            (work / name).write_text(f"question,answer\n{name}?,x.\n")
        changes: dict[str, Path | None] = {
            "faq.csv": work / "a",
            "documents/new.md": work / "b",
            "subtitles/01.srt": None,
            "course.yaml": work / "c",
        }
        with pytest.raises((_PowerCut, OSError)):
            apply_edit(course, "package", changes, seen, by="Ada")
    monkeypatch.setattr(editing, "_put_back", real_back)
    mend(course)
    assert contents(course) == before
    assert {edit.state for edit in read_edits(course.path)} == {"done"}
    assert not (course.path / "documents").exists()


def test_a_file_is_never_missing_while_it_is_replaced(course: CourseFolder) -> None:
    path, missing, over = course.path / "faq.csv", 0, threading.Event()

    def look() -> None:
        nonlocal missing
        while not over.is_set():
            missing += not path.exists()

    looking = threading.Thread(target=look)
    looking.start()
    for number in range(40):
        put(course, {"faq.csv": f"question,answer\n{number}?,x.\n"}, seen=versions(course))
    over.set()
    looking.join()
    assert missing == 0


def test_the_newest_edits_alone_are_kept(course: CourseFolder) -> None:
    for number in range(KEPT_EDITS + 3):
        put(course, {"faq.csv": f"question,answer\n{number}?,x.\n"}, seen=versions(course))
    edits = read_edits(course.path)
    assert len(edits) == KEPT_EDITS
    assert edits[-1].number == KEPT_EDITS + 5


def test_a_course_keeps_its_card_and_something_to_read(course: CourseFolder) -> None:
    with pytest.raises(EditRefused, match=r"keeps its course\.yaml"):
        apply_edit(course, "remove", {"course.yaml": None}, versions(course), by="Ada")


def test_a_file_that_is_not_there_is_not_removed(course: CourseFolder) -> None:
    with pytest.raises(FileUnknown):
        apply_edit(course, "remove", {"documents/none.md": None}, {}, by="Ada")


def test_two_names_for_one_file_are_refused(course: CourseFolder) -> None:
    with pytest.raises(EditRefused, match="case does not count"):
        put(course, {"FAQ.csv": FAQ})
    with pytest.raises(EditRefused, match="nothing can lie in it"):
        put(course, {"subtitles/01.srt/x.srt": SRT})


def test_nothing_is_written_through_a_link_or_put_in_its_place(course: CourseFolder, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (course.path / "documents").symlink_to(outside)
    (course.path / "seeds.txt").symlink_to(outside / "secret.md")
    for name in ("documents/x.md", "documents/secret.md", "seeds.txt"):
        with pytest.raises(EditRefused, match="is a link"):
            put(course, {name: "x"}, seen={name: version_of(course.path / name) or ""})
        with pytest.raises((EditRefused, FileUnknown)):
            apply_edit(course, "remove", {name: None}, {name: version_of(course.path / name)}, by="Eve")
        with pytest.raises(FileUnknown):
            path_of(course, name)
    assert [path.name for path in outside.iterdir()] == ["secret.md"]
    assert (outside / "secret.md").read_text() == "secret"


def test_a_history_that_is_a_link_is_not_followed(course: CourseFolder, tmp_path: Path) -> None:
    history = history_folder(course.path)
    history.rename(tmp_path / "elsewhere")
    history.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(EditRefused, match="is a link"):
        put(course, {"documents/x.md": "x"})


def test_a_full_disk_is_told_before_anything_is_written(course: CourseFolder) -> None:
    with pytest.raises(EditRefused, match="too little"):
        editing.require_space(course.path, 2**60)


def test_what_is_put_is_no_program(course: CourseFolder) -> None:
    put(course, {"documents/x.md": "x"})
    assert stat.S_IMODE(os.stat(course.path / "documents/x.md").st_mode) == 0o644


# What was read


def test_a_file_is_as_it_was_read_until_its_bytes_are_others(course: CourseFolder, tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path / "home")
    problem = Problem("faq.csv", 2, "The answer is missing.", "Write one.")
    gone = Problem("faq.tsv", None, "Not read.", "Remove it.", "warning")

    def states() -> dict[str, tuple[str, int | None, int]]:
        files = read_course_files(data_dir, course).files
        return {one.file.name: (one.state, one.records, len(one.problems)) for one in files}

    assert states()["faq.csv"] == ("waiting", None, 0)
    digests = digests_by_file(course, "faq")
    keep_report(data_dir, "faq", "ds", digests=digests, records={"faq.csv": 1}, problems=[problem, gone])
    assert states()["faq.csv"] == ("read", 1, 1)
    assert read_course_files(data_dir, course).problems == (gone,)
    put(course, {"faq.csv": FAQ}, seen=versions(course))
    assert states()["faq.csv"] == ("read", 1, 1), "the same bytes were read"
    put(course, {"faq.csv": FAQ + "A?,B.\n"}, seen=versions(course))
    assert states()["faq.csv"] == ("changed", 1, 1)
    (course.path / "film.mp4").write_bytes(b"x")
    assert states()["film.mp4"] == ("unread", None, 0)


def test_what_was_said_of_a_course_goes_with_the_course(course: CourseFolder, tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path / "home")
    keep_report(data_dir, "faq", "ds", digests={}, records={}, problems=[])
    assert data_dir.source_report("faq", "ds") in data_dir.of_course("ds")


# Packages


@pytest.fixture
def work(course: CourseFolder) -> Iterator[Path]:
    with staging(course) as place:
        yield place


def opened(data: bytes, work: Path, *, may_change_all: bool = False) -> tuple[dict[str, str], tuple[str, ...]]:
    (work / "package").write_bytes(data)
    found = open_package(work / "package", work, may_change_all=may_change_all)
    return {name: path.read_text() for name, path in found.files.items()}, found.left_out


@pytest.mark.parametrize("top", ["", "my course/", "a/b/"])
def test_a_zip_of_a_course_is_taken_wherever_it_begins(work: Path, top: str) -> None:
    files = {"course.yaml": "title: T\n", "subtitles/01.srt": SRT, "documents/a.md": "# A"}
    data = packed({f"{top}{name}": text for name, text in files.items()} | {"__MACOSX/._x": "", f"{top}.DS_Store": ""})
    assert opened(data, work) == (files, ())


def test_a_zip_of_lectures_alone_is_not_taken_apart(work: Path) -> None:
    assert opened(packed({"subtitles/01.srt": SRT}), work)[0] == {"subtitles/01.srt": SRT}


def test_what_is_not_read_is_left_out_by_name(work: Path) -> None:
    data = packed({"faq.csv": FAQ, "run.sh": "x", "documents/film.mp4": "x", "catalog.yaml": "programs: []"})
    files, left_out = opened(data, work)
    assert set(files) == {"faq.csv"}
    assert [line.split(":")[0] for line in left_out] == ["catalog.yaml", "documents/film.mp4", "run.sh"]


def test_an_admin_may_bring_a_catalogue(work: Path) -> None:
    assert set(opened(packed({"catalog.yaml": "programs: []"}), work, may_change_all=True)[0]) == {"catalog.yaml"}


@pytest.mark.parametrize(
    "name", ["../evil.md", "documents/../../evil.md", "/tmp/evil.md", "C:\\evil.md", "..\\evil.md"]
)
def test_a_zip_that_climbs_out_writes_nothing(work: Path, course: CourseFolder, name: str) -> None:
    before = {path for path in course.path.parent.parent.rglob("*")}
    with pytest.raises(ArchiveRefused):
        opened(packed({"faq.csv": FAQ, name: "x"}), work)
    assert {path for path in course.path.parent.parent.rglob("*")} - before <= {work / "package", work / "unpacked"}


def test_a_link_in_a_zip_is_left_out_and_told(work: Path) -> None:
    data = io.BytesIO(packed({"faq.csv": FAQ}))
    with zipfile.ZipFile(data, "a") as pack:
        link = zipfile.ZipInfo("documents/link.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        pack.writestr(link, "/etc/passwd")
    files, left_out = opened(data.getvalue(), work)
    assert set(files) == {"faq.csv"}
    assert left_out == ("documents/link.md: a link is not followed.",)


def test_a_bomb_is_refused_before_it_is_unpacked(work: Path) -> None:
    with pytest.raises(ArchiveRefused, match="grows more than"):
        opened(packed({"faq.csv": FAQ, "documents/bomb.md": bytes(300 * 2**20)}), work)
    assert not list((work / "unpacked").iterdir())


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 no zip", b"%PDF-1.7", packed({"a": "b" * 5000})[:-30]])
def test_what_is_no_whole_archive_is_refused(work: Path, data: bytes) -> None:
    with pytest.raises(ArchiveRefused):
        opened(data, work)


def test_names_that_are_one_where_case_does_not_count_are_refused(work: Path) -> None:
    with pytest.raises(NameRefused, match="case does not count"):
        opened(packed({"documents/a.md": "1", "documents/A.md": "2"}), work)


def test_a_name_with_a_control_character_is_refused(work: Path) -> None:
    with pytest.raises(NameRefused, match="control or invisible"):
        opened(packed({"documents/a\u202e.md": "1"}), work)


MANIFEST = """<manifest xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
  xmlns:lom="http://ltsc.ieee.org/xsd/imsccv1p1/LOM/manifest"><metadata><schemaversion>1.1.0</schemaversion>
  <lom:lom><lom:general><lom:title><lom:string>Of the LMS</lom:string></lom:title></lom:general></lom:lom></metadata>
  <organizations><organization><item><item identifier="m"><title>Week 1</title>
    <item identifier="i" identifierref="film"><title>Stacks.srt</title></item></item></item></organization>
  </organizations>
  <resources><resource identifier="film" type="webcontent" href="stacks.srt"><file href="stacks.srt"/></resource>
  </resources></manifest>"""


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("title: Ours\npolicy: Hints alone.\n", {"title: Ours", "policy: Hints alone.", "video_order:"}),
        ("", {"title: Of the LMS", "video_order:"}),
        ("- a list\n", None),
        ("title: Ours\nvideo_order: [x]\n", None),
    ],
)
def test_an_export_adds_to_the_card_of_a_course_and_replaces_nothing_of_it(
    work: Path, own: str, expected: set[str] | None
) -> None:
    (work / "package").write_bytes(packed({"imsmanifest.xml": MANIFEST, "stacks.srt": SRT}))
    (work / "own.yaml").write_text(own)
    found = open_package(work / "package", work, may_change_all=False, card=work / "own.yaml")
    assert any(name.endswith(".srt") for name in found.files)
    card = found.files.get("own.yaml")
    lines = None if card is None else {line for line in card.read_text().splitlines() if line[0] not in "- "}
    assert lines == expected
    assert "course.yaml" not in found.files
    if "title" in own:
        assert "course.yaml: title, the course has its own." in found.left_out


def test_an_export_leaves_a_card_alone_that_is_no_text_of_today(work: Path) -> None:
    (work / "package").write_bytes(packed({"imsmanifest.xml": MANIFEST, "stacks.srt": SRT}))
    (work / "own.yaml").write_bytes("title: Algèbre\n".encode("latin-1"))
    found = open_package(work / "package", work, may_change_all=False, card=work / "own.yaml")
    assert "own.yaml" not in found.files
    assert "course.yaml: nothing could be added to own.yaml, which is no UTF-8 at byte 10." in found.left_out


def test_an_export_is_refused_by_what_is_missing_where_nothing_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "knowledge_graph.sources.importing.cartridge", None)
    export, folder = tmp_path / "export.imscc", tmp_path / "course.zip"
    export.write_bytes(packed({"imsmanifest.xml": "<manifest/>"}))
    folder.write_bytes(packed({"course.yaml": "title: Stacks\n", "faq.csv": "question,answer\nWhat?,That.\n"}))
    (tmp_path / "one").mkdir()
    with pytest.raises(CoteachError, match=r"coteach\[pipeline\] is installed"):
        open_package(export, tmp_path / "one", may_change_all=True)
    (tmp_path / "two").mkdir()
    assert set(open_package(folder, tmp_path / "two", may_change_all=True).files) == {"course.yaml", "faq.csv"}
