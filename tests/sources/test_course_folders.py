"""Which folders are courses, what course.yaml may get wrong, and when a digest changes."""

import os
from pathlib import Path

import pytest
from course_files import WriteCourse

from knowledge_graph.sources.course import (
    CourseFolder,
    find_courses,
    find_skipped_folders,
    input_digest,
    input_files,
    read_course_card,
)
from knowledge_graph.sources.folders import FolderAmbiguous, find_left_out

CUE = "1\n00:00:01,000 --> 00:00:02,000\nA tree has nodes.\n\n"
ZH_CUE = "1\n00:00:01,000 --> 00:00:02,000\nA tree has many nodes here.\n树有很多结点，今天我们来讲\n\n"


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CUE)


def test_each_sub_folder_with_course_files_is_a_course(tmp_path: Path) -> None:
    write(tmp_path, "b/01.srt", "a/course.yaml", "c/week 1/01.vtt", "d/faq.csv", ".hidden/01.srt", "notes/todo.txt")
    assert [course.course_id for course in find_courses(tmp_path)] == ["a", "b", "c", "d"]


def test_a_folder_that_holds_subtitles_is_one_course(tmp_path: Path) -> None:
    write(tmp_path / "trees", "01.srt", "02.srt")
    assert find_courses(tmp_path / "trees") == (CourseFolder("trees", tmp_path / "trees"),)


def test_a_folder_with_a_subtitles_folder_is_one_course(tmp_path: Path) -> None:
    write(tmp_path / "trees", "subtitles/01.srt")
    assert [course.course_id for course in find_courses(tmp_path / "trees")] == ["trees"]


def test_a_linked_course_is_found_under_the_name_of_the_link(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere" / "v2", "01.srt")
    (tmp_path / "courses").mkdir()
    (tmp_path / "courses" / "trees").symlink_to(tmp_path / "elsewhere" / "v2")
    assert [course.course_id for course in find_courses(tmp_path / "courses")] == ["trees"]


def test_a_link_back_to_its_own_folder_does_not_loop(tmp_path: Path) -> None:
    write(tmp_path / "trees", "01.srt")
    (tmp_path / "trees" / "again").symlink_to(tmp_path / "trees")
    (course,) = find_courses(tmp_path)
    assert [path.name for path in input_files(course, "subtitles")] == ["01.srt"]


def test_a_folder_that_does_not_exist_has_no_courses(tmp_path: Path) -> None:
    assert find_courses(tmp_path / "nowhere") == ()


def test_a_folder_with_nothing_of_a_course_is_told(tmp_path: Path) -> None:
    write(tmp_path, "trees/01.srt", "empty/notes.txt")
    (problem,) = find_skipped_folders(tmp_path)
    assert str(problem).startswith("empty: Not a course: no course.yaml, subtitles")


def test_a_course_without_a_card_has_the_folder_name_and_its_detected_language(write_course: WriteCourse) -> None:
    card, problems = read_course_card(write_course({"subtitles/01.srt": CUE}))
    assert (card.title, card.lang, problems) == ("trees", "en", ())


def test_a_bilingual_course_counts_as_chinese(write_course: WriteCourse) -> None:
    card, _ = read_course_card(write_course({"01.srt": ZH_CUE * 5}))
    assert card.lang == "zh"


def test_every_key_of_the_card_is_read(write_course: WriteCourse) -> None:
    text = (
        "title: Trees\nlang: zh-CN\nsubject: CS\ndomains: [trees, graphs]\ninstructors: [A. Lee]\n"
        "policy: Hints only.\nvideo_order: ['02', '01']\n"
    )
    card, problems = read_course_card(write_course({"course.yaml": text}))
    assert problems == ()
    assert (card.title, card.lang, card.subject, card.policy) == ("Trees", "zh", "CS", "Hints only.")
    assert (card.domains, card.instructors, card.video_order) == (("trees", "graphs"), ("A. Lee",), ("02", "01"))


def test_a_policy_that_the_model_would_not_see_whole_is_told_with_its_length(write_course: WriteCourse) -> None:
    long = "title: Trees\npolicy: " + " ".join(["respect"] * 200)
    card, (problem,) = read_course_card(write_course({"course.yaml": long}))
    assert card.policy is not None
    assert len(card.policy) == 1599  # kept whole
    assert (problem.file, problem.line, problem.severity) == ("course.yaml", 2, "warning")
    assert problem.message == "'policy' has 1,599 characters; the model is shown the first 1,200 of them."
    assert "1,200" in problem.remedy


def test_spacing_does_not_make_a_policy_too_long(write_course: WriteCourse) -> None:
    text = f"policy: 'Ask first. {' ' * 2000}Then wait.'\n"
    assert read_course_card(write_course({"course.yaml": text}))[1] == ()


def test_a_malformed_card_names_file_and_line_and_the_course_still_has_a_card(write_course: WriteCourse) -> None:
    card, (problem,) = read_course_card(write_course({"course.yaml": "title: Trees\ndomains: [a, b\nlang: en\n"}))
    assert card.title == "trees"
    assert (problem.file, problem.line, problem.severity) == ("course.yaml", 3, "error")
    assert problem.message.startswith("Not valid YAML:")
    assert "Mend that line or the one above" in problem.remedy


def test_an_unknown_key_is_ignored_with_a_suggestion(write_course: WriteCourse) -> None:
    _, (problem,) = read_course_card(write_course({"course.yaml": "title: Trees\ninstructor: A. Lee\n"}))
    assert str(problem) == "course.yaml:2: Unknown key 'instructor' was ignored. Did you mean 'instructors'?"
    assert problem.severity == "warning"


def test_wrong_types_are_named_with_their_lines(write_course: WriteCourse) -> None:
    text = "title: [a]\nlang: klingon\ndomains: trees\ninstructors:\n  lee: A. Lee\n"
    card, problems = read_course_card(write_course({"course.yaml": text, "01.srt": CUE}))
    assert (card.title, card.lang, card.domains, card.instructors) == ("trees", "en", ("trees",), ())
    assert [(problem.line, problem.message) for problem in sorted(problems, key=lambda each: each.line or 0)] == [
        (1, "'title' must be text, found a list; it was left out."),
        (2, "'lang' must be en or zh, found 'klingon'."),
        (3, "'domains' must be a list, found text; it was read as a list of one."),
        (5, "'instructors' must be a list, found a mapping; it was left out."),
    ]


def test_a_card_that_is_a_list_is_told(write_course: WriteCourse) -> None:
    _, (problem,) = read_course_card(write_course({"course.yaml": "- title: Trees\n"}))
    assert problem.message == "Expected lines of the form 'key: value', found a list."


def test_the_digest_changes_with_bytes_and_names_of_input_only(write_course: WriteCourse) -> None:
    folder = write_course({"01.srt": CUE, "faq.csv": "question,answer\n"})
    first = input_digest(folder, "subtitles")
    write_course({"notes.txt": "not input", ".swp": "hidden"})
    assert input_digest(folder, "subtitles") == first
    (folder.path / "01.srt").rename(folder.path / "02.srt")
    assert input_digest(folder, "subtitles") != first


def test_kinds_of_input_have_digests_of_their_own(write_course: WriteCourse) -> None:
    folder = write_course({"01.srt": CUE, "faq.csv": "question,answer\n"})
    subtitles, faq = input_digest(folder, "subtitles"), input_digest(folder, "faq")
    write_course({"faq.csv": "question,answer\nq,a\n"})
    assert input_digest(folder, "subtitles") == subtitles
    assert input_digest(folder, "faq") != faq


def test_a_broken_link_a_loop_and_a_pipe_count_in_the_digest_by_name(write_course: WriteCourse) -> None:
    folder = write_course({"subtitles/01.srt": CUE})
    first = input_digest(folder, "subtitles")
    (folder.path / "02.srt").symlink_to(folder.path / "gone.srt")
    (folder.path / "03.srt").symlink_to(folder.path / "03.srt")
    os.mkfifo(folder.path / "04.srt")
    (course,) = find_courses(folder.path)
    second = input_digest(course, "subtitles")
    assert second != first
    (folder.path / "04.srt").unlink()
    assert input_digest(course, "subtitles") != second


def test_two_folders_that_link_to_each_other_do_not_loop(tmp_path: Path) -> None:
    write(tmp_path / "trees", "a/01.srt", "b/02.srt")
    (tmp_path / "trees" / "a" / "to_b").symlink_to(tmp_path / "trees" / "b")
    (tmp_path / "trees" / "b" / "to_a").symlink_to(tmp_path / "trees" / "a")
    names = [str(path.relative_to(tmp_path / "trees")) for path in input_files(find_courses(tmp_path)[0], "subtitles")]
    assert names == ["a/01.srt", "a/to_b/02.srt", "b/02.srt", "b/to_a/01.srt"]


def test_a_card_that_cannot_be_read_is_told_and_the_course_still_has_one(write_course: WriteCourse) -> None:
    folder = write_course({"01.srt": CUE})
    (folder.path / "00.srt").symlink_to("gone.srt")
    (folder.path / "course.yaml").symlink_to("gone.yaml")
    card, (problem,) = read_course_card(folder)
    assert (card.title, card.lang) == ("trees", "en")
    assert str(problem) == (
        "course.yaml: The file could not be read: No such file or directory. Mend or remove the link."
    )


def test_a_key_given_twice_is_told_with_both_lines(write_course: WriteCourse) -> None:
    card, (problem,) = read_course_card(write_course({"course.yaml": "title: One\nlang: en\ntitle: Two\n"}))
    assert card.title == "Two"
    assert (problem.line, problem.severity) == (3, "warning")
    assert problem.message == "'title' is given twice: this one is used, not that on line 1."


def test_a_key_that_is_a_list_is_told_in_one_clean_sentence(write_course: WriteCourse) -> None:
    _, (problem,) = read_course_card(write_course({"course.yaml": "lang: en\n[title, x]: Trees\n"}))
    assert problem.line == 2
    assert problem.message == "A key must be one word, found a list; it was ignored."


def test_a_nul_in_the_card_is_told_with_its_line(write_course: WriteCourse) -> None:
    text = "title: Trees\nsubject: Computer science for everyone\0\nlang: en\n"
    _, (problem,) = read_course_card(write_course({"course.yaml": text}))
    assert (problem.line, problem.message) == (2, "Not valid YAML: the character U+0000 is not allowed.")


def test_a_card_nested_too_deeply_is_told(write_course: WriteCourse) -> None:
    _, (problem,) = read_course_card(write_course({"course.yaml": "domains: " + "[" * 10_000}))
    assert problem.message == "Not valid YAML: brackets are nested too deeply to be read."


def test_half_a_character_in_the_card_is_replaced_and_told(write_course: WriteCourse) -> None:
    card, (problem,) = read_course_card(write_course({"course.yaml": 'lang: en\ntitle: "Tree \\ud83d"\n'}))
    assert card.title == "Tree \N{REPLACEMENT CHARACTER}"
    assert (problem.line, problem.severity) == (2, "warning")


STRAY = ("catalog/page.html", "documents/rules.md", "subtitles/01.srt", "faq/one.md", "notes.srt", "faq.csv")


@pytest.mark.parametrize("stray", STRAY)
def test_courses_beside_an_input_of_a_course_are_refused_with_both_named(tmp_path: Path, stray: str) -> None:
    write(tmp_path, "trees/01.srt", "graphs/course.yaml", stray)
    with pytest.raises(FolderAmbiguous) as refused:
        find_courses(tmp_path)
    entry = stray.split("/")[0]
    assert f"looks like one course, by {entry}, and like a folder of courses: graphs, trees." in str(refused.value)
    assert "--single-course" in str(refused.value)
    assert f"move {entry} away" in str(refused.value)


@pytest.mark.parametrize("stray", STRAY)
def test_a_person_can_say_that_it_is_one_course(tmp_path: Path, stray: str) -> None:
    write(tmp_path / "all", "trees/01.srt", "graphs/course.yaml", stray)
    assert [course.course_id for course in find_courses(tmp_path / "all", is_single=True)] == ["all"]
    assert find_skipped_folders(tmp_path / "all", is_single=True) == ()


@pytest.mark.parametrize("name", ["catalog", "documents", "subtitles", "faq", "gold", "intents"])
def test_a_course_may_be_named_like_an_input(tmp_path: Path, name: str) -> None:
    write(tmp_path, "trees/01.srt", f"{name}/course.yaml", f"{name}/subtitles/01.srt")
    assert [course.course_id for course in find_courses(tmp_path)] == sorted([name, "trees"])


def test_folders_of_subtitles_inside_a_course_with_a_card_belong_to_it(tmp_path: Path) -> None:
    write(tmp_path / "trees", "course.yaml", "week1/01.srt", "week2/02.srt")
    assert [course.course_id for course in find_courses(tmp_path / "trees")] == ["trees"]


def test_a_card_beside_courses_with_cards_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "course.yaml", "trees/course.yaml", "graphs/01.srt")
    with pytest.raises(FolderAmbiguous, match=r"by course\.yaml, and like a folder of courses: trees\."):
        find_courses(tmp_path)


def test_a_link_out_of_the_course_is_not_followed_and_told(tmp_path: Path, write_course: WriteCourse) -> None:
    write(tmp_path / "elsewhere", "02.srt")
    folder = write_course({"01.srt": CUE})
    first = input_digest(folder, "card")
    (folder.path / "documents").mkdir()
    (folder.path / "documents" / "proc").symlink_to("/proc/self")
    (folder.path / "02.srt").symlink_to(tmp_path / "elsewhere" / "02.srt")
    (folder.path / "03.srt").symlink_to("01.srt")
    assert [path.name for path in input_files(folder, "subtitles")] == ["01.srt", "03.srt"]
    assert input_files(folder, "documents") == ()
    told = [str(problem) for problem in find_left_out(folder)]
    leads = "Not read: the link leads out of the course folder. Copy what it leads to into the course folder, or"
    assert told == [f"02.srt: {leads} remove it.", f"documents/proc: {leads} remove it."]
    assert set(find_left_out(folder)) <= set(read_course_card(folder)[1])
    assert input_digest(folder, "card") != first


def test_a_folder_named_like_a_file_of_input_and_the_reverse_are_named(write_course: WriteCourse) -> None:
    folder = write_course({"01.srt": CUE})
    first = input_digest(folder, "card")
    (folder.path / "faq.csv").mkdir()
    (folder.path / "documents").write_text("Late work: 48 hours.")
    assert [str(problem) for problem in find_left_out(folder)] == [
        "documents: Not read: this is a file, and a folder of this name is expected. Put that in its place, or rename "
        "this.",
        "faq.csv: Not read: this is a folder, and a file of this name is expected. Put that in its place, or rename "
        "this.",
    ]
    assert set(find_left_out(folder)) <= set(read_course_card(folder)[1])
    assert input_digest(folder, "card") != first


def test_a_folder_inside_the_documents_that_is_named_like_a_file_is_named(write_course: WriteCourse) -> None:
    folder = write_course({"01.srt": CUE})
    first = input_digest(folder, "card")
    (folder.path / "documents" / "week 1" / "slides.pptx").mkdir(parents=True)
    (problem,) = find_left_out(folder)
    assert (problem.file, problem.severity) == ("documents/week 1/slides.pptx", "warning")
    assert problem.message.startswith("This is a folder, though it is named like a file")
    assert input_digest(folder, "card") != first


def test_links_inside_a_linked_course_are_followed(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere" / "v2", "lectures/01.srt")
    (tmp_path / "elsewhere" / "v2" / "again").symlink_to("lectures")
    (tmp_path / "courses").mkdir()
    (tmp_path / "courses" / "trees").symlink_to(tmp_path / "elsewhere" / "v2")
    (course,) = find_courses(tmp_path / "courses")
    assert [path.relative_to(course.path).as_posix() for path in input_files(course, "subtitles")] == [
        "again/01.srt",
        "lectures/01.srt",
    ]
    assert find_left_out(course) == ()


def test_what_is_more_than_a_course_has_is_left_out_and_told(
    write_course: WriteCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = write_course({f"documents/{number}.md": "# A\n" for number in range(5)} | {"lecture.mp4": "x" * 999})
    before = input_digest(course, "card")
    monkeypatch.setattr("knowledge_graph.sources.folders.MOST_FILES", 3)
    assert [path.name for path in input_files(course, "documents")] == ["0.md", "1.md", "2.md"]
    (problem,) = find_left_out(course)
    assert (problem.file, problem.severity) == ("documents/3.md", "error")
    assert "with 1 more files: a course has at most 3 files and 4 GB" in problem.message
    assert input_digest(course, "card") != before  # the card's reader tells it


def test_a_course_of_too_many_bytes_is_cut_there(write_course: WriteCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    course = write_course({f"documents/{number}.md": "# A\n" for number in range(5)} | {"lecture.mp4": "x" * 999})
    monkeypatch.setattr("knowledge_graph.sources.folders.MOST_BYTES", 9)
    assert [path.name for path in input_files(course, "documents")] == ["0.md", "1.md"]
