"""edX transcripts and MOOCCubeX `video.json`, as published and as broken: every entry is a cue or is told."""

import io
import json
from pathlib import Path

import pytest
from course_files import WriteCourse
from hypothesis import assume, given
from hypothesis import strategies as st

from knowledge_graph.lake.records import CourseCard
from knowledge_graph.sources import subtitles
from knowledge_graph.sources.fields import is_nan
from knowledge_graph.sources.subtitle_blocks import Defect
from knowledge_graph.sources.subtitle_json import ListedVideo, parse_sjson, read_listed_videos
from knowledge_graph.sources.subtitles import Subtitles, read_subtitles, sample_text

EN = CourseCard("trees", "Trees", "en")
ZH = CourseCard("trees", "树", "zh")

words = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp", "Zs"], exclude_characters="�"),
    min_size=1,
    max_size=12,
)
cues = st.lists(st.tuples(st.integers(0, 3_600_000), st.integers(0, 9_000), words), max_size=8).map(
    lambda each: sorted(each, key=lambda cue: cue[0])
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner),
    max_leaves=6,
)


def video(ccid: str | None, *said: str | None, **fields: object) -> str:
    """A line of video.json, a cue of a second for each text."""
    starts = [float(place) for place in range(len(said))]
    row = {"ccid": ccid, "name": "Lesson", "start": starts, "end": [start + 1.5 for start in starts], "text": said}
    return json.dumps({**row, **fields}) + "\n"


def texts(found: Subtitles) -> list[tuple[str, str]]:
    return [(cue.video_id, cue.text) for cue in found.cues]


def told(found: Subtitles) -> list[str]:
    return [str(problem) for problem in found.problems]


@given(cues)
def test_every_cue_written_to_sjson_is_read_back(rows: list[tuple[int, int, str]]) -> None:
    assume(not any(is_nan(text) for _, _, text in rows))  # the word for a number that is none is told, and no cue
    lists = {
        "start": [start for start, _, _ in rows],
        "end": [start + length for start, length, _ in rows],
        "text": [text for _, _, text in rows],
    }
    parsed = parse_sjson(json.dumps(lists, indent=2))
    assert (parsed.broken, parsed.defects) == (0, ())
    assert [(each.start_ms, each.end_ms - each.start_ms, *each.lines) for each in parsed.blocks] == rows


@given(st.lists(cues, max_size=4), st.booleans())
def test_every_video_written_as_lines_or_as_a_list_is_read_back(
    videos: list[list[tuple[int, int, str]]], as_list: bool
) -> None:
    assume(not any(is_nan(text) for each in videos for _, _, text in each))
    rows = [
        {
            "ccid": f"C{place}",
            "name": f"Lesson {place}",
            "start": [start / 1000 for start, _, _ in each],
            "end": [(start + length) / 1000 for start, length, _ in each],
            "text": [text for _, _, text in each],
        }
        for place, each in enumerate(videos)
    ]
    text = json.dumps(rows) if as_list else "".join(json.dumps(row) + "\n" for row in rows)
    found = list(read_listed_videos(io.StringIO(text), "video"))
    assert [
        (each.video_id, each.title, [(b.start_ms, b.end_ms - b.start_ms, *b.lines) for b in each.parsed.blocks])
        for each in found
        if isinstance(each, ListedVideo)
    ] == [(f"C{place}", f"Lesson {place}", each) for place, each in enumerate(videos)]


@given(st.dictionaries(st.sampled_from(["ccid", "name", "start", "end", "text"]), anything))
def test_whatever_the_fields_hold_every_entry_is_a_cue_or_broken(fields: dict[str, object]) -> None:
    read = read_listed_videos(io.StringIO(json.dumps(fields)), "video")
    (found,) = (each for each in read if isinstance(each, ListedVideo))  # a name that is NaN or infinite is told, too
    lists = [values for name in ("start", "end", "text") if isinstance(values := fields.get(name), list)]
    assert len(found.parsed.blocks) + found.parsed.broken == max(map(len, lists), default=0)
    assert all(block.end_ms >= block.start_ms >= 0 for block in found.parsed.blocks)
    assert sum(defect.is_loss for defect in found.parsed.defects) >= found.parsed.broken


@given(st.text(max_size=100))
def test_no_text_makes_the_readers_raise(text: str) -> None:
    assert parse_sjson(text).broken >= 0
    assert all(isinstance(each, ListedVideo | Defect) for each in read_listed_videos(io.StringIO(text), "video"))


def test_an_edx_transcript_is_read_with_its_entities_nulls_and_short_lists(write_course: WriteCourse) -> None:
    lists = {
        "start": [270, 2720, 5430, 9000, None],
        "end": [2720, 5430, None, 10_000, 11_000],
        "text": [
            "It&#39;s a &lt;tree&gt;,",
            "with &amp;#39;nodes&amp;#39;\nand edges.",
            "A graph.",
            None,
            "No time.",
            "Nor here.",
        ],
    }
    found = read_subtitles(write_course({"subtitles/subs_i4x-Trees.srt.sjson": json.dumps(lists)}), EN)
    assert [(cue.video_id, cue.start_ms, cue.end_ms, cue.text) for cue in found.cues] == [
        ("i4x-Trees", 270, 2720, "It's a <tree>,"),
        ("i4x-Trees", 2720, 5430, "with 'nodes' and edges."),
        ("i4x-Trees", 5430, 9000, "A graph."),
    ]
    (report,) = found.files
    assert (report.cues_found, report.cues_kept, report.empty_dropped, report.broken_dropped) == (6, 3, 1, 2)
    assert [(problem.line, problem.severity, problem.message) for problem in found.problems] == [
        (1, "error", "Cue 5: it was left out, because it has no start time: 'No time.'."),
        (1, "error", "Cue 6: it was left out, because it has no start time: 'Nor here.'."),
        (1, "warning", "'start', 'end' and 'text' have 5, 5 and 6 entries."),
        (1, "warning", "Cue 3: there is no end time; it was ended with the next one, or after 10 s."),
    ]


@pytest.mark.parametrize("text", ['{"start": [1', "<html>Sign in</html>", "[]", '{"transcript": []}', "[[1, 2]]"])
def test_an_edx_file_that_holds_no_transcript_is_told(write_course: WriteCourse, text: str) -> None:
    found = read_subtitles(write_course({"01.sjson": text}), EN)
    assert found.cues == ()
    (problem,) = found.problems if found.files == () else found.problems[:1]
    assert (problem.file, problem.line, problem.severity) == ("01.sjson", 1, "error")


def test_one_file_holds_many_videos(write_course: WriteCourse) -> None:
    text = video("C2", "A tree.", "A node.", name="Trees, part 1") + video("C1", "A graph.", name=None)
    found = read_subtitles(write_course({"subtitles/video.json": text, "subtitles/a.srt": "", "course.yaml": ""}), EN)
    assert [(cue.video_id, cue.video_title, cue.video_index, cue.cue_index, cue.start_ms) for cue in found.cues] == [
        ("C2", "Trees, part 1", 0, 0, 0),
        ("C2", "Trees, part 1", 0, 1, 1000),
        ("C1", "C1", 1, 0, 0),
    ]
    assert [(file.file, file.video_id, file.cues_found, file.cues_kept) for file in found.files] == [
        ("subtitles/a.srt", "a", 0, 0),
        ("subtitles/video.json", "C2", 2, 2),
        ("subtitles/video.json", "C1", 1, 1),
    ]


def test_the_card_can_order_the_videos_of_a_file(write_course: WriteCourse) -> None:
    folder = write_course({"subtitles/video.jsonl": video("C1", "One.") + video("C2", "Two."), "03.srt": ""})
    card = CourseCard("trees", "Trees", "en", video_order=("C2", "C3"))
    found = read_subtitles(folder, card)
    assert texts(found) == [("C2", "Two."), ("C1", "One.")]
    assert told(found)[-1].startswith("course.yaml: 'video_order' names no video: 'C3'. Did you mean 'C2'?")


def test_a_video_without_an_id_goes_by_its_name_or_its_place(write_course: WriteCourse) -> None:
    text = video(None, "One.", name="第一讲") + video("", "Two.", name=" ") + video("7", "Three.")
    found = read_subtitles(write_course({"subtitles/w/video.json": text}), ZH)
    assert texts(found) == [("第一讲", "One."), ("w/video/2", "Two."), ("7", "Three.")]


def test_a_broken_line_is_one_problem_and_the_other_videos_are_read(write_course: WriteCourse) -> None:
    text = video("C1", "One.") + video("C2", "Two.")[:-20] + "\n" + video("C3", "Three.")
    found = read_subtitles(write_course({"subtitles/video.json": text}), EN)
    assert texts(found) == [("C1", "One."), ("C3", "Three.")]
    (problem,) = found.problems
    assert (problem.line, problem.severity) == (2, "error")
    assert problem.message.startswith("Not a JSON object: Expecting ',' delimiter")


def test_a_video_that_comes_twice_is_read_once_unless_the_first_is_empty(write_course: WriteCourse) -> None:
    text = video("C1", "One.") + video("C1", "Again.") + video("C2") + video("C2", "Two.")
    found = read_subtitles(write_course({"subtitles/a.json": text, "subtitles/b.json": video("C2", "Late.")}), EN)
    assert texts(found) == [("C1", "One."), ("C2", "Two.")]
    assert [(problem.file, problem.line, problem.message) for problem in found.problems] == [
        ("subtitles/a.json", 2, "Video 'C1' was not read here: subtitles/a.json has it, too."),
        ("subtitles/a.json", 3, "Video 'C2' has no cue."),
        ("subtitles/b.json", 1, "Video 'C2' was not read here: subtitles/a.json has it, too."),
    ]


def test_defects_of_many_videos_are_summed_up(write_course: WriteCourse) -> None:
    text = "".join(video(f"C{place}", "Late.", "Early.", start=[5, 1], end=[6, 2]) for place in range(50))
    found = read_subtitles(write_course({"subtitles/video.json": text}), EN)
    assert len(found.cues) == 100
    assert len(found.problems) == 21
    assert told(found)[0] == (
        "subtitles/video.json:1: Video 'C0', cue 2: the cue starts 4 s before the one above it; the order of the file "
        "was kept. Correct the times on that line."
    )
    assert found.problems[-1].message.startswith("30 more defects like those above, from this line on (lines 21, 22,")


def test_half_a_character_becomes_a_whole_one_and_is_told(write_course: WriteCourse) -> None:
    text = video("C\ud83d", "A \ud83d tree.", "A \U0001f333 too.", name="\udc00Trees")
    found = read_subtitles(write_course({"subtitles/video.json": text}), EN)
    assert [(cue.video_id, cue.video_title, cue.text) for cue in found.cues] == [
        ("C�", "�Trees", "A � tree."),
        ("C�", "�Trees", "A \U0001f333 too."),
    ]
    assert [(problem.line, problem.severity) for problem in found.problems] == [(1, "warning")]


@pytest.mark.parametrize(("encoding", "name"), [("gbk", "gb18030"), ("utf-16", "utf-16-le"), ("utf-8-sig", None)])
def test_other_encodings_are_read_and_named(write_course: WriteCourse, encoding: str, name: str | None) -> None:
    text = json.dumps({"ccid": "C1", "start": [1], "end": [2], "text": ["二叉树有结点。"]}, ensure_ascii=False)
    found = read_subtitles(write_course({"subtitles/video.json": text.encode(encoding)}), ZH)
    assert texts(found) == [("C1", "二叉树有结点。")]
    assert told(found) == ([f"subtitles/video.json: Read as {name}. Save it as UTF-8 to be sure."] if name else [])


def test_reading_stops_at_the_limit_of_a_course(write_course: WriteCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subtitles, "MOST_CUES", 3)
    text = video("C1", "One.", "Two.") + video("C2") + video("C3", "Three.") + video("C4", "Four.")
    found = read_subtitles(write_course({"subtitles/video.json": text}), EN)
    assert texts(found) == [("C1", "One."), ("C1", "Two.")]
    assert told(found)[0] == (
        "subtitles/video.json: Reading stopped before video 'C3': the limit of a course is 3 cues. Keep only the "
        "videos of this course in the file, and divide what is more than one course."
    )


def test_json_outside_the_subtitles_is_no_video(write_course: WriteCourse) -> None:
    assert read_subtitles(write_course({"video.json": video("C1", "One."), "faq.json": "[]"}), EN).cues == ()


def test_a_sample_of_any_format_tells_the_language(tmp_path: Path) -> None:
    said = "二叉树有很多结点"
    lists = {"start": [1], "end": [2], "text": [said]}
    for name, text in {
        "a.srt": f"1\n00:00:01,000 --> 00:00:02,000\n{said}\n\n",
        "a.sbv": f"0:00:01.000,0:00:02.000\n{said}\n\n",
        "a.sjson": json.dumps(lists),
        "a.json": json.dumps({"ccid": "C1", **lists}) + "\n",
    }.items():
        (tmp_path / name).write_text(text)
        assert sample_text(tmp_path / name) == said
    assert sample_text(tmp_path / "gone.json") == ""
    assert sample_text(tmp_path / "a.mp4") == ""
