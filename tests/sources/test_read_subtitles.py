"""A course folder of subtitle files: order, languages, reports, and every defect that must not stop the course."""

import os
from collections.abc import Sequence

import pytest
from course_files import WriteCourse

from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import CourseCard
from knowledge_graph.sources.subtitle_defects import LARGEST_SUBTITLES
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


def test_a_video_in_the_order_whose_file_cannot_be_read_is_not_unknown(write_course: WriteCourse) -> None:
    folder = write_course({"lists.srt": srt("One.")})
    (folder.path / "trees.srt").symlink_to("gone.srt")
    found = read_subtitles(folder, CourseCard("trees", "Trees", "en", video_order=("trees", "lists")))
    assert said(found.problems) == [("trees.srt", None, "error")]


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


def test_a_course_with_nothing_but_its_card_is_told_what_is_missing(write_course: WriteCourse) -> None:
    found = read_subtitles(write_course({"course.yaml": "title: Trees\n"}), EN)
    assert (found.cues, found.files) == ((), ())
    assert [str(problem) for problem in found.problems] == [
        "subtitles/: The course has no subtitle file that can be read: no concepts can be found in its lectures. "
        "Put files ending in .srt, .vtt, .sbv or .sjson there, or transcripts without times in transcripts/."
    ]


@pytest.mark.parametrize("name", ["faq.csv", "faq/one.md", "documents/rules.txt", "snippets.jsonl", "catalog.yaml"])
def test_a_course_of_other_inputs_needs_no_subtitles(write_course: WriteCourse, name: str) -> None:
    assert read_subtitles(write_course({"course.yaml": "title: Trees\n", name: "text"}), EN) == Subtitles((), (), ())


def test_subtitles_of_which_none_can_be_read_are_missed_whatever_else_there_is(write_course: WriteCourse) -> None:
    (folder := write_course({"faq.csv": "question,answer\n"})).path.joinpath("01.srt").symlink_to("gone.srt")
    assert said(read_subtitles(folder, EN).problems) == [("01.srt", None, "error"), ("subtitles/", None, "error")]


def test_a_format_that_is_not_read_is_told(write_course: WriteCourse) -> None:
    folder = write_course({"01.srt": srt("A tree."), "02.lrc": "[00:01.20]A tree", "subtitles/03.mp4": b"\0\1"})
    found = read_subtitles(folder, EN)
    assert len(found.cues) == 1
    remedy = "Convert it to .srt or .vtt with times (most subtitle editors can), or move it out of the course."
    assert [str(problem) for problem in found.problems] == [
        f"02.lrc: Not read: .lrc is not a subtitle format that is known here. {remedy}",
        f"subtitles/03.mp4: Not read: .mp4 is not a subtitle format that is known here. {remedy}",
    ]


def test_a_text_without_times_in_a_format_that_has_them_is_told_what_it_lacks(write_course: WriteCourse) -> None:
    found = read_subtitles(write_course({"01.srt": srt("A tree."), "02.ass": "A tree.\n树\n\nA graph.\n图\n"}), EN)
    assert [str(problem) for problem in found.problems] == [
        "02.ass: Not read: it holds text (4 lines) but no times, which .ass has. Save it as .txt in transcripts/: it "
        "is cited by paragraph then."
    ]


def test_srt_under_another_name_is_recognised(write_course: WriteCourse) -> None:
    found = read_subtitles(write_course({"subtitles/01.txt": srt("A tree.")}), EN)
    assert found.problems[0].message.startswith("Not read: its name ends in .txt, but its times are written as in .srt")


@pytest.mark.parametrize("spoiled", ["", "no times here", "1\n00:00:01,000 --> 00:00:02,000\n[MUSIC]\n\n"])
def test_another_format_of_the_same_video_is_read_when_the_first_gives_no_cue(
    write_course: WriteCourse, spoiled: str
) -> None:
    vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nFrom vtt.\n"
    found = read_subtitles(write_course({"01.srt": spoiled, "01.vtt": vtt, "01.sbv": "0:00:01.0,0:00:02.0\nSbv\n"}), EN)
    assert [(cue.text, cue.video_index) for cue in found.cues] == [("From vtt.", 0)]
    assert [str(problem) for problem in found.problems][-2:] == [
        "01.vtt: Used for the video '01', because 01.srt gave no cue. Mend or remove the other file.",
        "01.sbv: Not read: 01.vtt is the same video ('01'). Rename one of them, or remove the one that is not wanted.",
    ]


def test_another_format_is_read_when_the_first_cannot_be_opened(write_course: WriteCourse) -> None:
    folder = write_course({"01.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nFrom vtt.\n"})
    (folder.path / "01.srt").symlink_to("gone.srt")
    found = read_subtitles(folder, EN)
    assert texts(found) == ["From vtt."]
    assert said(found.problems) == [("01.srt", None, "error"), ("01.vtt", None, "warning")]


def test_a_file_that_is_too_large_for_one_video_is_refused_unread(write_course: WriteCourse) -> None:
    folder = write_course({"01.srt": "", "02.srt": srt("A tree.")})
    with (folder.path / "01.srt").open("r+b") as file:
        file.truncate(LARGEST_SUBTITLES + 2**20)
    found = read_subtitles(folder, EN)
    assert texts(found) == ["A tree."]
    assert [str(problem) for problem in found.problems] == [
        "01.srt: Not read: the file has 17.0 MB, the limit is 16 MB. Divide it into smaller files, or remove it if it "
        "is something else."
    ]


def test_names_that_are_not_utf8_are_read_by_their_encoding(write_course: WriteCourse) -> None:
    folder = write_course({})
    for name in ("第2讲 图".encode("gbk"), "第1讲 二叉树".encode("gbk"), b"\xff\xfe", b"\xff\xfd"):
        (folder.path / os.fsdecode(name + b".srt")).write_text(srt("A tree."))
    (folder.path / os.fsdecode("第3讲 堆".encode("gbk") + b".srt")).write_text("")
    found = read_subtitles(folder, ZH)
    videos = list(dict.fromkeys(cue.video_id for cue in found.cues))
    assert len(videos) == 4
    assert [video for video in videos if "讲" in video] == ["第1讲 二叉树", "第2讲 图"]
    assert [problem.file for problem in found.problems] == ["第3讲 堆.srt"]
    words = [*(cue.video_id + cue.video_title for cue in found.cues), *(f.file for f in found.files)]
    assert all(word.encode("utf-8") for word in words)


def test_bytes_that_are_not_text_are_told_with_the_line(write_course: WriteCourse) -> None:
    data = srt("树有结点和边。", "图也有结点和边。").encode().replace("图".encode(), b"\xff")
    found = read_subtitles(write_course({"01.srt": data}), ZH)
    assert len(found.cues) == 2
    assert said(found.problems) == [("01.srt", 7, "warning")]
