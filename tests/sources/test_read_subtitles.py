"""A course folder of subtitle files: order, languages, reports, and every defect that must not stop the course."""

import os
from collections.abc import Sequence

import pytest
from course_files import WriteCourse

from knowledge_graph.problems import Problem
from knowledge_graph.records import CourseCard
from knowledge_graph.sources.subtitles import Subtitles, read_subtitles

EN = CourseCard("trees", "Trees", "en")
ZH = CourseCard("trees", "树", "zh")


def srt(*texts: str, step: int = 2) -> str:
    """SRT with one cue of `step` seconds for each text."""
    return "".join(
        f"{number}\n00:00:{number * step:02},000 --> 00:00:{number * step + step:02},000\n{text}\n\n"
        for number, text in enumerate(texts, start=1)
    )


def texts(found: Subtitles) -> list[str]:
    return [cue.text for cue in found.cues]


def said(problems: Sequence[Problem]) -> list[tuple[str, int | None, str]]:
    return [(problem.file, problem.line, problem.severity) for problem in problems]


def test_videos_come_in_natural_order_with_their_places(write_course: WriteCourse) -> None:
    names = ["2 - Lists (7 min).srt", "10 - Heaps.srt", "1 - What is a tree_.srt"]
    found = read_subtitles(write_course({name: srt("One.", "Two.") for name in names}), EN)
    assert [(cue.video_index, cue.cue_index, cue.video_id, cue.video_title) for cue in found.cues] == [
        (0, 0, "1 - What is a tree_", "What is a tree?"),
        (0, 1, "1 - What is a tree_", "What is a tree?"),
        (1, 0, "2 - Lists (7 min)", "Lists"),
        (1, 1, "2 - Lists (7 min)", "Lists"),
        (2, 0, "10 - Heaps", "Heaps"),
        (2, 1, "10 - Heaps", "Heaps"),
    ]


def test_chinese_lecture_numbers_are_numbers(write_course: WriteCourse) -> None:
    names = ["第10讲 图.srt", "第2讲 链表.srt", "第1讲 绪论.srt"]
    found = read_subtitles(write_course({name: srt("你好") for name in names}), ZH)
    assert [cue.video_id for cue in found.cues] == ["第1讲 绪论", "第2讲 链表", "第10讲 图"]


def test_written_chinese_numbers_are_in_order_too(write_course: WriteCourse) -> None:
    names = ["第十一讲.srt", "第十讲.srt", "第二讲.srt", "第二十讲.srt"]
    found = read_subtitles(write_course({name: srt("你好") for name in names}), ZH)
    assert [cue.video_id for cue in found.cues] == ["第二讲", "第十讲", "第十一讲", "第二十讲"]


def test_the_card_can_set_the_order_and_unknown_names_are_told(write_course: WriteCourse) -> None:
    folder = write_course({f"subtitles/{name}.srt": srt("One.") for name in ("lists", "trees", "heaps")})
    card = CourseCard("trees", "Trees", "en", video_order=("trees", "heaps.srt", "list"))
    found = read_subtitles(folder, card)
    assert [cue.video_id for cue in found.cues] == ["trees", "heaps", "lists"]
    assert [str(problem) for problem in found.problems] == [
        "course.yaml: 'video_order' names no video: 'list'. Did you mean 'lists'?"
    ]


def test_of_two_files_for_one_video_the_srt_is_kept(write_course: WriteCourse) -> None:
    folder = write_course({"01.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nFrom vtt.\n", "01.srt": srt("From srt.")})
    found = read_subtitles(folder, EN)
    assert texts(found) == ["From srt."]
    assert [str(problem) for problem in found.problems] == [
        "01.vtt: Not read: 01.srt is the same video ('01'). Rename one of them, or remove the one that is not wanted."
    ]


def test_a_report_accounts_for_every_cue(write_course: WriteCourse) -> None:
    text = srt("[MUSIC]", "Subtitles by the Amara.org community", "", "A tree has nodes.", "<i></i>")
    (file,) = read_subtitles(write_course({"01.srt": text + "6\n00:0x:01 --> 00:00:30,000\nLost.\n\n"}), EN).files
    assert (file.cues_found, file.cues_kept) == (6, 1)
    dropped = (file.markers_dropped, file.credits_dropped, file.empty_dropped, file.broken_dropped)
    assert dropped == (1, 1, 2, 1)


def test_the_chinese_part_of_bilingual_cues_is_kept_in_a_chinese_course(write_course: WriteCourse) -> None:
    text = srt(
        "Welcome to the course\n欢迎来到本课程\n(字幕整理：某大学 某某,someone@example.com )",
        "of the cost function\nJ of theta\n代价函数\nJ(θ)",
        "and that is all of it",
    )
    found = read_subtitles(write_course({"01.srt": text}), ZH)
    assert [(cue.text, cue.lang) for cue in found.cues] == [
        ("欢迎来到本课程", "zh"),
        ("代价函数 J(θ)", "zh"),
        ("and that is all of it", "en"),
    ]
    (file,) = found.files
    assert (file.bilingual, file.kept, file.fallback_kept) == (True, "zh", 1)


def test_bilingual_cues_may_have_chinese_first(write_course: WriteCourse) -> None:
    text = srt("代价函数\nJ(θ)\nthe cost function J of theta", "线性回归\nlinear regression model")
    assert texts(read_subtitles(write_course({"01.srt": text}), ZH)) == ["代价函数 J(θ)", "线性回归"]


def test_an_english_course_keeps_the_english_part(write_course: WriteCourse) -> None:
    text = srt("Welcome to the course\n欢迎来到本课程", "where trees grow\n树在这里生长")
    found = read_subtitles(write_course({"01.srt": text}), EN)
    assert texts(found) == ["Welcome to the course", "where trees grow"]
    assert found.files[0].kept == "en"


def test_a_file_with_a_cue_for_each_language_keeps_both(write_course: WriteCourse) -> None:
    text = srt("欢迎来到本课程", "Welcome to the course", "树在这里生长", "where trees grow here")
    found = read_subtitles(write_course({"01.srt": text}), ZH)
    assert [cue.lang for cue in found.cues] == ["zh", "en", "zh", "en"]
    assert (found.files[0].bilingual, found.files[0].kept) == (True, "all")


def test_a_formula_in_a_chinese_lecture_stays_chinese(write_course: WriteCourse) -> None:
    found = read_subtitles(write_course({"01.srt": srt("我们来看这个式子", "x + y = 3")}), ZH)
    assert [cue.lang for cue in found.cues] == ["zh", "zh"]


@pytest.mark.parametrize(
    ("written_as", "read_as"),
    [("utf-16", "utf-16-le"), ("utf-16-le", "utf-16-le"), ("utf-16-be", "utf-16-be"), ("gbk", "gb18030")],
)
def test_other_encodings_are_read_whole_and_named(write_course: WriteCourse, written_as: str, read_as: str) -> None:
    found = read_subtitles(write_course({"01.srt": srt("树有结点。", "图有边。").encode(written_as)}), ZH)
    assert texts(found) == ["树有结点。", "图有边。"]
    (problem,) = found.problems
    assert str(problem) == f"01.srt: Read as {read_as}; nothing was lost. Save it as UTF-8 to be sure."
    assert problem.severity == "warning"
    assert found.files[0].encoding == read_as


def test_utf8_with_a_mark_is_read_in_silence(write_course: WriteCourse) -> None:
    assert read_subtitles(write_course({"01.srt": srt("树有结点。").encode("utf-8-sig")}), ZH).problems == ()


def test_files_the_system_does_not_give_are_told_and_the_others_are_read(write_course: WriteCourse) -> None:
    folder = write_course({"01.srt": srt("A tree.")})
    (folder.path / "02.srt").symlink_to("gone.srt")
    (folder.path / "03.srt").symlink_to("03.srt")
    os.mkfifo(folder.path / "04.srt")
    found = read_subtitles(folder, EN)
    assert texts(found) == ["A tree."]
    assert said(found.problems) == [("02.srt", None, "error"), ("03.srt", None, "error"), ("04.srt", None, "error")]
    assert str(found.problems[2]) == (
        "04.srt: The file could not be read: it is not a regular file. Check that the file is there and may be read, "
        "or remove it."
    )


def test_an_empty_file_is_told_and_the_others_are_read(write_course: WriteCourse) -> None:
    found = read_subtitles(write_course({"01.srt": "", "02.srt": srt("A tree.")}), EN)
    assert [(cue.video_id, cue.video_index) for cue in found.cues] == [("02", 0)]
    (problem,) = found.problems
    assert str(problem) == "01.srt: The file is empty. Fetch the subtitles again, or remove the file."
    assert problem.severity == "error"


def test_a_file_without_times_is_told_with_its_beginning(write_course: WriteCourse) -> None:
    found = read_subtitles(write_course({"01.srt": "A tree has nodes.\nAnd edges.\n"}), EN)
    assert str(found.problems[0]) == (
        "01.srt:1: Expected timing lines like '00:01:02,500 --> 00:01:04,000', found none; it begins 'A tree has "
        "nodes.'. Export the subtitles with times as .srt or .vtt."
    )


@pytest.mark.parametrize(
    "tail",
    [
        "3\n",
        "3",
        "3\n00:00:0",
        "3\n00:00:06,000 --",
        "3\n00:00:06,000 --> 00:",
        "3\n00:00:06,000 --> 00:00:0",
        "3\n00:00:06,000 --> 00:00:08,000\n",
    ],
)
def test_a_truncated_srt_keeps_the_cues_before_the_break(write_course: WriteCourse, tail: str) -> None:
    found = read_subtitles(write_course({"01.srt": srt("A tree has nodes.", "It has edges.") + tail}), EN)
    assert texts(found) == ["A tree has nodes.", "It has edges."]
    (problem,) = found.problems
    assert (problem.file, problem.severity) == ("01.srt", "warning")
    assert problem.line in (9, 10)
    assert problem.message.startswith("The file looks cut off:")


def test_a_cue_cut_in_mid_sentence_is_kept_and_told(write_course: WriteCourse) -> None:
    text = srt("A tree has nodes.", "It has edges.") + "3\n00:00:06,000 --> 00:00:08,000\nAnd a ro"
    found = read_subtitles(write_course({"01.srt": text}), EN)
    assert texts(found)[-1] == "And a ro"
    assert said(found.problems) == [("01.srt", 11, "warning")]


def test_a_file_that_only_lacks_the_last_line_break_is_fine(write_course: WriteCourse) -> None:
    assert read_subtitles(write_course({"01.srt": srt("A tree has nodes.").rstrip()}), EN).problems == ()


def test_an_end_before_its_start_is_swapped_and_told(write_course: WriteCourse) -> None:
    text = "1\n00:00:05,000 --> 00:00:04,000\nBackwards.\n\n2\n00:00:06,000 --> 00:00:07,000\nFine.\n\n"
    found = read_subtitles(write_course({"01.srt": text}), EN)
    assert [(cue.start_ms, cue.end_ms) for cue in found.cues] == [(4000, 5000), (6000, 7000)]
    assert str(found.problems[0]) == (
        "01.srt:2: The cue ends 1 s before it starts; the two were swapped. Correct the times on that line."
    )


def test_an_end_far_before_its_start_becomes_the_start(write_course: WriteCourse) -> None:
    found = read_subtitles(write_course({"01.srt": "1\n00:10:00,000 --> 00:00:00,000\nLate.\n\n"}), EN)
    assert [(cue.start_ms, cue.end_ms) for cue in found.cues] == [(600_000, 600_000)]
    assert "it was given no length" in found.problems[0].message


def test_a_cue_that_starts_before_the_one_above_keeps_its_place(write_course: WriteCourse) -> None:
    text = "1\n00:00:08,000 --> 00:00:09,000\nFirst.\n\n2\n00:00:01,000 --> 00:00:02,000\nSecond.\n\n"
    found = read_subtitles(write_course({"01.srt": text}), EN)
    assert texts(found) == ["First.", "Second."]
    assert said(found.problems) == [("01.srt", 6, "warning")]


def test_a_cue_of_a_hundred_hours_is_shortened(write_course: WriteCourse) -> None:
    found = read_subtitles(write_course({"01.srt": "1\n00:00:08,000 --> 99:59:59,999\nThe end.\n\n"}), EN)
    assert [(cue.start_ms, cue.end_ms) for cue in found.cues] == [(8_000, 18_000)]
    assert said(found.problems) == [("01.srt", 2, "warning")]


def test_many_defects_of_one_kind_are_summed_up(write_course: WriteCourse) -> None:
    text = "".join(f"{n}\n00:00:05,000 --> 00:00:04,000\nWord {n}.\n\n" for n in range(1, 101))
    found = read_subtitles(write_course({"01.srt": text}), EN)
    assert len(found.cues) == 100
    assert len(found.problems) == 21
    assert found.problems[-1].message.startswith("80 more defects like those above")


def test_an_unreadable_timing_line_costs_only_its_cue(write_course: WriteCourse) -> None:
    text = srt("One.", "Two.", "Three.").replace("00:00:04,000 -->", "00:00:o4,000 -->")
    found = read_subtitles(write_course({"01.srt": text}), EN)
    assert texts(found) == ["One.", "Three."]
    assert str(found.problems[0]) == (
        "01.srt:6: Expected a timing line like '00:01:02,500 --> 00:01:04,000', found '00:00:o4,000 --> "
        "00:00:06,000'. The cue was left out. Mend the times on that line."
    )


def test_a_folder_without_subtitles_is_told_and_no_error(write_course: WriteCourse) -> None:
    found = read_subtitles(write_course({"faq.csv": "question,answer\n"}), EN)
    assert (found.cues, found.files) == ((), ())
    assert str(found.problems[0]) == (
        "subtitles/: The course has no subtitle file that can be read: no concepts can be found in its lectures. "
        "Put files ending in .srt or .vtt there."
    )


def test_a_format_that_is_not_read_is_told(write_course: WriteCourse) -> None:
    found = read_subtitles(write_course({"01.srt": srt("A tree."), "02.ass.txt": "line"}), EN)
    assert len(found.cues) == 1
    assert str(found.problems[0]).startswith("02.ass.txt: Not read: .ass.txt is not a subtitle format")


def test_bytes_that_are_not_text_are_told_with_the_line(write_course: WriteCourse) -> None:
    data = srt("树有结点和边。", "图也有结点和边。").encode().replace("图".encode(), b"\xff")
    found = read_subtitles(write_course({"01.srt": data}), ZH)
    assert len(found.cues) == 2
    assert said(found.problems) == [("01.srt", 7, "warning")]
