"""Lectures of one title are told apart by what their files are called: by folder, else by number."""

from pathlib import Path, PurePath

import pytest

from knowledge_graph.lake import schemas, tables
from knowledge_graph.sources.videos import title_of, video_id_of
from knowledge_graph.transcripts.lecture_names import alike, lecture_names, read_lecture_names


def titles_of(*files: str) -> dict[str, str]:
    ids = [video_id_of(PurePath("subtitles") / file) for file in files]
    return {video_id: title_of(video_id) for video_id in ids}


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["01 - Overview.srt", "02 - Overview.srt"], ["Overview (1/2)", "Overview (2/2)"]),
        (["01 - Overview.srt", "02 - OVERVIEW.srt"], ["Overview (1/2)", "OVERVIEW (2/2)"]),
        (["01 - Overview.srt", "02 - Heaps.srt"], ["Overview", "Heaps"]),
        (["Graphs/Introduction.srt", "Sorting/Introduction.srt"], ["Introduction (Graphs)", "Introduction (Sorting)"]),
        (["A/en/Intro.srt", "B/en/Intro.srt"], ["Intro (A)", "Intro (B)"]),
        (["week 1/1 - Intro.srt", "week 1/2 - Intro.srt"], ["Intro (1/2)", "Intro (2/2)"]),
        (
            ["w1/1 - Intro.srt", "w1/2 - Intro.srt", "w2/Intro.srt"],
            ["Intro (w1, 1/2)", "Intro (w1, 2/2)", "Intro (w2)"],
        ),
        (["Intro.srt", "Graphs/Intro.srt"], ["Intro (1/2)", "Intro (2/2)"]),
        (["第1章/绪论.srt", "第2章/绪论.srt"], ["绪论 (第1章)", "绪论 (第2章)"]),
    ],
)
def test_a_title_that_several_have_gets_what_tells_them_apart(files: list[str], names: list[str]) -> None:
    assert list(lecture_names(titles_of(*files)).values()) == names


def test_a_lecture_without_a_title_is_called_by_its_file() -> None:
    assert lecture_names({"a": "", "b": ""}) == {"a": "a", "b": "b"}
    assert alike({"a": "", "b": ""}, "a") == ["a"]


def test_the_names_of_a_course_come_from_its_cues_in_teaching_order(tmp_path: Path) -> None:
    path = tmp_path / "cues.parquet"
    assert read_lecture_names(path) == {}
    lectures = enumerate(titles_of("02 - Overview.srt", "01 - Overview.srt").items())
    cues = [
        {
            **{"course_id": "ds", "video_id": video_id, "video_title": title, "video_index": index, "lang": "en"},
            **{"cue_index": cue, "start_ms": 1_000 * cue, "end_ms": 1_000 * cue + 900, "text": "Hello."},
        }
        for index, (video_id, title) in lectures
        for cue in range(2)
    ]
    tables.write_table(path, cues, schemas.CUES)
    assert read_lecture_names(path) == {"02 - Overview": "Overview (1/2)", "01 - Overview": "Overview (2/2)"}
