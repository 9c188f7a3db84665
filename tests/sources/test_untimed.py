"""Transcripts without times: paragraphs and captions of three formats, where they stand, and what is told of others."""

from hashlib import sha256
from itertools import pairwise
from pathlib import PurePosixPath

import pytest
from course_files import WriteCourse
from test_office_documents import word

from knowledge_graph.lake.records import CourseCard, Cue
from knowledge_graph.sources.course import detect_lang
from knowledge_graph.sources.course_files.names import NameRefused, check_name, destination_of
from knowledge_graph.sources.folders import find_courses, input_digest, kind_of
from knowledge_graph.sources.passages import subtitle_passages
from knowledge_graph.sources.subtitle_formats import parse_srt
from knowledge_graph.sources.subtitles import Subtitles, read_subtitles
from knowledge_graph.sources.untimed_transcripts import LONGEST, USUAL
from knowledge_graph.text.time_code import (
    FIRST_PARAGRAPH,
    MOST_PARAGRAPHS,
    PARAGRAPH,
    address_query,
    paragraph_of,
    paragraph_start,
    read_paragraph,
    time_code,
)
from knowledge_graph.transcripts.sentences import lecture_sentences

EN = CourseCard("heaps", "Heaps", "en")
ZH = CourseCard("heaps", "堆", "zh")

QUEUES = (
    "Today we look at priority queues. A priority queue is a collection of elements with keys, and the element with "
    "the smallest key can be removed first.",
    "There are three operations. Insert adds an element with its key. Delete-min removes the smallest.\nFind-min "
    "returns the element with the smallest key and leaves it where it is.",
)


def paragraphs(found: Subtitles) -> list[tuple[int | None, str]]:
    return [(paragraph_of(cue.start_ms), cue.text) for cue in found.cues]


def untold(found: Subtitles) -> list[str]:
    return [str(problem) for problem in found.problems]


@pytest.mark.parametrize("folder", ["subtitles", "transcripts"])
def test_paragraphs_of_plain_text_are_counted_and_cut_into_sentences(write_course: WriteCourse, folder: str) -> None:
    found = read_subtitles(write_course({f"{folder}/01 - Priority queues.txt": "\n\n".join(QUEUES)}), EN)
    assert [number for number, _ in paragraphs(found)] == [1, 1, 2, 2, 2, 2]
    assert found.cues[0].text == "Today we look at priority queues."
    assert found.cues[-1].text == "Find-min returns the element with the smallest key and leaves it where it is."
    assert {(cue.video_id, cue.video_title) for cue in found.cues} == {("01 - Priority queues", "Priority queues")}
    assert untold(found) == []


def test_sentences_lie_in_order_within_their_paragraph_and_none_at_the_place_of_another(
    write_course: WriteCourse,
) -> None:
    cues = read_subtitles(write_course({"transcripts/01.txt": "\n\n".join(QUEUES)}), EN).cues
    starts = [cue.start_ms for cue in cues]
    assert starts == sorted(set(starts))
    assert all(before.end_ms < after.start_ms for before, after in pairwise(cues))
    assert all(paragraph_of(cue.start_ms) == paragraph_of(cue.end_ms) for cue in cues)


def test_markdown_and_word_are_lectures_without_their_headings(write_course: WriteCourse) -> None:
    markdown = f"# Priority queues\n\n## Why\n\n{QUEUES[0]}\n\n## Operations\n\n{QUEUES[1]}\n"
    document = word(("Heading1", "Operations"), (None, QUEUES[0]), (None, QUEUES[1].replace("\n", " ")))
    found = read_subtitles(write_course({"transcripts/1.md": markdown, "transcripts/2.docx": document}), EN)
    of_each = [[cue for cue in found.cues if cue.video_index == index] for index in (0, 1)]
    assert [cue.text for cue in of_each[0]] == [cue.text for cue in of_each[1]]
    assert [paragraph_of(cue.start_ms) for cue in of_each[0]] == [1, 1, 2, 2, 2, 2]
    assert of_each[0][0].video_title == "Priority queues"
    assert not any("Operations" in cue.text for cue in found.cues)
    assert untold(found) == []


CAPTIONS = (
    ("Hello, I'm Carrie Anne,", "嗨，我是 Carrie Anne，欢迎收看计算机科学速成课！"),
    ("and welcome to CrashCourse!", "嗨，我是 Carrie Anne，欢迎收看计算机科学速成课！"),
    ("An algorithm is a list of steps.", "算法是解决问题的具体步骤。"),
)


@pytest.mark.parametrize("name", ["01.ass.txt", "subtitles/01.txt"])
def test_captions_in_two_languages_are_read_in_the_courses(write_course: WriteCourse, name: str) -> None:
    folder = write_course({name: "\n\n".join("\n".join(pair) for pair in CAPTIONS)})
    chinese, english = read_subtitles(folder, ZH), read_subtitles(folder, EN)
    assert [cue.text for cue in chinese.cues] == [CAPTIONS[0][1], CAPTIONS[2][1]]  # one translation of two captions
    assert [cue.text for cue in english.cues] == [pair[0] for pair in CAPTIONS]
    assert {cue.lang for cue in chinese.cues} == {"zh"}
    assert detect_lang(folder) == "zh"
    assert untold(chinese) == []


def test_captions_are_gathered_into_paragraphs_at_the_ends_of_sentences(write_course: WriteCourse) -> None:
    lines = [part for number in range(60) for part in (f"here is a caption, number {number},", "which ends.")]
    cues = read_subtitles(write_course({"transcripts/01.txt": "\n".join(lines)}), EN).cues
    texts: dict[int | None, list[str]] = {}
    for cue in cues:
        texts.setdefault(paragraph_of(cue.start_ms), []).append(cue.text)
    sizes = [sum(map(len, each)) for each in texts.values()]
    assert len(sizes) > 3
    assert all(USUAL["en"] <= size <= USUAL["en"] * 1.5 for size in sizes[:-1])
    assert all(each[-1] == "which ends." for each in texts.values())
    assert [text for each in texts.values() for text in each] == lines


def test_a_whole_lecture_in_one_line_is_divided(write_course: WriteCourse) -> None:
    text = " ".join(f"This is sentence number {number} of a talk that nobody divided." for number in range(100))
    found = read_subtitles(write_course({"transcripts/01.txt": text}), EN)
    assert len(text) > LONGEST["en"]
    assert len({number for number, _ in paragraphs(found)}) > 5
    assert " ".join(cue.text for cue in found.cues) == text


def test_subtitles_with_times_come_first_and_the_transcript_stands_in_for_broken_ones(
    write_course: WriteCourse,
) -> None:
    timed = "1\n00:00:01,000 --> 00:00:02,000\nFrom the subtitles.\n"
    both = read_subtitles(write_course({"subtitles/01.srt": timed, "transcripts/01.txt": QUEUES[0]}), EN)
    assert [cue.text for cue in both.cues] == ["From the subtitles."]
    assert untold(both) == [
        "transcripts/01.txt: Not read: subtitles/01.srt is the same lecture ('01'), and has times. Nothing need be "
        "done; rename it if it is another lecture."
    ]
    assert both.problems[0].severity == "warning"
    alone = read_subtitles(write_course({"subtitles/01.srt": "", "transcripts/01.txt": QUEUES[0]}), EN)
    assert paragraph_of(alone.cues[0].start_ms) == 1


def test_lectures_with_and_without_times_stand_in_one_order(write_course: WriteCourse) -> None:
    timed = "1\n00:00:01,000 --> 00:00:02,000\nFrom the subtitles.\n"
    folder = write_course({"subtitles/02.srt": timed, "transcripts/01.txt": QUEUES[0], "transcripts/10.md": QUEUES[1]})
    assert [file.video_id for file in read_subtitles(folder, EN).files] == ["01", "02", "10"]
    card = CourseCard("heaps", "Heaps", "en", video_order=("transcripts/10.md", "subtitles/02.srt"))
    found = read_subtitles(folder, card)
    assert [file.video_id for file in found.files] == ["10", "02", "01"]
    assert untold(found) == []


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("", "The file is empty."),
        ("[00:12] Hello.\n[00:15] A heap is a tree.\n", "Not read: 2 lines begin with a time ('[00:12] Hello.')"),
        ("0:12\nhello\n0:15\nthere\n", "Not read: 2 lines begin with a time"),
        ("1\n00:00:01,000 --> 00:00:02,000\nA tree.\n", "Not read: its name ends in .txt, but its times are written"),
    ],
)
def test_what_is_no_transcript_without_times_is_told(write_course: WriteCourse, text: str, begins: str) -> None:
    found = read_subtitles(write_course({"transcripts/01.txt": text, "transcripts/02.txt": QUEUES[0]}), EN)
    assert found.problems[0].file == "transcripts/01.txt"
    assert found.problems[0].message.startswith(begins)
    assert {cue.video_id for cue in found.cues} == {"02"}


def test_headings_alone_are_no_lecture(write_course: WriteCourse) -> None:
    found = read_subtitles(
        write_course({"transcripts/01.md": "# Heaps\n\n## Queues\n", "transcripts/02.txt": QUEUES[0]}), EN
    )
    assert found.problems[0].message.startswith("The file has headings alone")


def test_a_time_of_day_in_a_sentence_is_no_time_code(write_course: WriteCourse) -> None:
    text = "We meet at 10:15 as ever.\n\n10:15 it is, then. A heap is a tree.\n\nA tree is a graph.\n\nThat is all.\n"
    assert len(read_subtitles(write_course({"transcripts/01.txt": text}), EN).cues) == 4


def test_a_note_beside_the_lectures_is_none(write_course: WriteCourse) -> None:
    found = read_subtitles(write_course({"transcripts/README.txt": "By us.", "transcripts/01.txt": QUEUES[0]}), EN)
    assert {cue.video_id for cue in found.cues} == {"01"}
    assert untold(found)[0].startswith("transcripts/README.txt: Not read: 'README' is the name of a note")


def test_a_damaged_word_file_is_told(write_course: WriteCourse) -> None:
    found = read_subtitles(write_course({"transcripts/01.docx": b"PK no zip"}), EN)
    assert untold(found)[0].startswith("transcripts/01.docx: Not read: ")


def test_a_folder_of_transcripts_is_a_course(write_course: WriteCourse) -> None:
    folder = write_course({"transcripts/01.txt": QUEUES[0]})
    assert [course.course_id for course in find_courses(folder.path.parent)] == [folder.course_id]


def test_more_paragraphs_than_can_be_counted_are_told_and_left_out(write_course: WriteCourse) -> None:
    long = "a heap is a tree in which no key is smaller than the key of the node above it, as was said before now"
    text = "\n\n".join(f"{number}: {long}" for number in range(MOST_PARAGRAPHS + 5))
    found = read_subtitles(write_course({"transcripts/01.txt": text}), EN)
    assert max(number or 0 for number, _ in paragraphs(found)) == MOST_PARAGRAPHS
    assert untold(found)[0].startswith("transcripts/01.txt: Reading stopped behind paragraph 19,000")
    assert max(cue.end_ms for cue in found.cues) < 2**31


def test_passages_are_measured_by_length_alone_and_name_the_paragraph_they_begin_in(write_course: WriteCourse) -> None:
    short = "\n\n".join(
        f"Paragraph {number} says a little about heaps and keys, {'and more, ' * 6}." for number in range(40)
    )
    passages = subtitle_passages(read_subtitles(write_course({"transcripts/01.txt": short}), EN).cues, EN)
    assert all(600 < len(passage.text) < 1_000 for passage in passages[:-1])
    first = [passage.locator.paragraph for passage in passages]
    assert first == sorted(set(first))
    assert first[0] == 1


def test_no_sentence_goes_on_in_the_next_paragraph() -> None:
    places = [paragraph_start(1), paragraph_start(2)]
    texts = ["and that is what we call a heap", "Now sorting is next."]
    cues = [
        Cue("heaps", "01", "Heaps", 0, number, at, at + PARAGRAPH - 1, text, "en")
        for number, (at, text) in enumerate(zip(places, texts, strict=True))
    ]
    assert [paragraph_of(one.start_ms) for one in lecture_sentences(cues, "heaps")] == [1, 2]


def test_places_of_paragraphs_are_written_read_and_never_a_time() -> None:
    assert time_code(paragraph_start(12)) == time_code(paragraph_start(12) + PARAGRAPH - 1) == "¶12"
    assert address_query(paragraph_start(12) + 5) == "paragraph=12"
    assert address_query(192_400) == "t=192"
    assert read_paragraph("¶12") == read_paragraph(" ¶ 12") == paragraph_start(12)
    assert [read_paragraph(one) for one in ("¶0", "¶19001", "12", "¶", "03:12")] == [None] * 5
    assert (paragraph_of(None), paragraph_of(360_000_000), paragraph_of(paragraph_start(1))) == (None, None, 1)
    with pytest.raises(ValueError, match=r"from 1 to 19,000, found 0\."):
        paragraph_start(0)


def test_a_mistyped_time_is_no_paragraph() -> None:
    parsed = parse_srt("1\n00:00:01,000 --> 00:00:03,000\nOne.\n\n2\n300:00:05,000 --> 300:00:09,000\nTwo.\n")
    assert [block.start_ms < FIRST_PARAGRAPH and block.end_ms < FIRST_PARAGRAPH for block in parsed.blocks] == [
        True
    ] * 2
    assert parsed.defects[0].message == "The cue stands at 300 hours, where no lecture is; it was put at the end."


def test_uploads_take_transcripts_in_their_folder() -> None:
    assert check_name("transcripts/week 1/01.docx") == "transcripts/week 1/01.docx"
    assert destination_of("01.ass.txt") == "transcripts/01.ass.txt"
    assert destination_of("01.txt") == "documents/01.txt"
    assert destination_of("01.txt", "transcripts") == "transcripts/01.txt"
    assert kind_of(PurePosixPath("transcripts/01.pdf")) == "subtitles"
    with pytest.raises(NameRefused, match=r"'\.pdf' is not a format of subtitles that is read"):
        check_name("transcripts/01.pdf")


def test_a_home_that_was_built_when_they_were_not_read_reads_them_now(write_course: WriteCourse) -> None:
    def digest_before(name: str, content: bytes) -> str:
        return sha256(f"{name}\0{sha256(content).hexdigest()}\n".encode()).hexdigest()

    names = {"subtitles/01.srt": False, "subtitles/01.txt": True, "01.ass.txt": True}
    for name, is_another in names.items():
        folder = write_course({name: b"A heap."})
        assert (input_digest(folder, "subtitles") != digest_before(name, b"A heap.")) == is_another, name
        (folder.path / name).unlink()
