"""SRT, WebVTT and SBV as tools really write them: every timing line gives one cue, and no word is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.sources.subtitle_formats import has_times, parse_sbv, parse_srt, parse_vtt

# Words, and what may be mistaken for structure: numbers and arrows.
lines = (
    st.from_regex(r"[A-Za-z0-9一-龥][A-Za-z0-9 ,.'>一-龥-]{0,30}", fullmatch=True)
    .map(str.strip)
    .filter(lambda line: line and "-->" not in line)
)
cues = st.lists(
    st.tuples(st.integers(0, 35_999_000), st.integers(0, 9_000), st.lists(lines, min_size=0, max_size=3)), max_size=12
).map(lambda each: sorted(each, key=lambda cue: cue[0]))


def clock(milliseconds: int, comma: str) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{comma}{rest:03}"


def render(rows: list[tuple[int, int, list[str]]], comma: str) -> str:
    return "".join(
        f"{number}\n{clock(start, comma)} --> {clock(start + length, comma)}\n" + "".join(f"{t}\n" for t in text) + "\n"
        for number, (start, length, text) in enumerate(rows, start=1)
    )


@given(cues, st.sampled_from(["\n", "\r\n", "\r"]))
def test_every_cue_written_to_srt_is_read_back(rows: list[tuple[int, int, list[str]]], line_break: str) -> None:
    parsed = parse_srt(render(rows, ",").replace("\n", line_break))
    assert parsed.broken == 0
    assert [(block.start_ms, block.end_ms, list(block.lines)) for block in parsed.blocks] == [
        (start, start + length, text) for start, length, text in rows
    ]


@given(cues)
def test_every_cue_written_to_vtt_is_read_back(rows: list[tuple[int, int, list[str]]]) -> None:
    parsed = parse_vtt("WEBVTT - a lecture\n\n" + render(rows, "."))
    assert [(block.start_ms, list(block.lines)) for block in parsed.blocks] == [(row[0], row[2]) for row in rows]


def render_sbv(rows: list[tuple[int, int, list[str]]]) -> str:
    return "".join(
        f"{clock(start, '.')[1:]},{clock(start + length, '.')[1:]}\n" + "".join(f"{t}\n" for t in text) + "\n"
        for start, length, text in rows
        if start < 35_000_000
    )


@given(cues, st.sampled_from(["\n", "\r\n", "\r"]))
def test_every_cue_written_to_sbv_is_read_back(rows: list[tuple[int, int, list[str]]], line_break: str) -> None:
    parsed = parse_sbv(render_sbv(rows).replace("\n", line_break))
    assert parsed.broken == 0
    assert [(block.start_ms, block.end_ms, list(block.lines)) for block in parsed.blocks] == [
        (start, start + length, text) for start, length, text in rows if start < 35_000_000
    ]


@given(st.lists(st.sampled_from(["0:00:01.000,0:00:04.000", "0:00:0x.000,0:00:04.000", "A tree.", "4,5 nodes", ""])))
def test_every_sbv_timing_line_gives_a_block_or_a_defect(lines: list[str]) -> None:
    parsed = parse_sbv("\n\n".join(lines) + "\n")
    timing = sum(line.startswith("0:") for line in lines)
    assert (len(parsed.blocks) + parsed.broken, parsed.broken) == (timing, sum("x" in line for line in lines))


@given(cues, st.sampled_from([",", "."]))
def test_every_timing_line_is_a_block_or_broken(rows: list[tuple[int, int, list[str]]], comma: str) -> None:
    lines = render(rows, comma).split("\n")
    spoiled = [
        line.replace("00", "0o", 1) if " --> " in line and place % 3 else line for place, line in enumerate(lines)
    ]
    for parse in (parse_srt, parse_vtt):
        parsed = parse("\n".join(spoiled))
        assert len(parsed.blocks) + parsed.broken == len(rows)


@given(cues.filter(bool), st.integers(0, 2_000))
def test_a_cut_file_keeps_every_cue_before_the_cut(rows: list[tuple[int, int, list[str]]], cut: int) -> None:
    text = render(rows, ",")
    whole, part = parse_srt(text).blocks, parse_srt(text[: cut % len(text)]).blocks
    assert part[:-1] == whole[: max(0, len(part) - 1)]


@given(st.text("0123456789:,.-> \n\taé树WEBVTNO", max_size=300))
def test_no_text_makes_it_raise_and_every_timing_line_is_counted(text: str) -> None:
    for parse in (parse_srt, parse_vtt, parse_sbv):
        parsed = parse(text)
        assert parsed.broken >= 0
        assert all(block.end_ms >= block.start_ms for block in parsed.blocks)


def test_line_numbers_are_those_of_the_timing_lines() -> None:
    parsed = parse_srt("\n1\n00:00:01,000 --> 00:00:02,000\nOne.\n\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo.\n")
    assert [block.line for block in parsed.blocks] == [3, 8]


def test_a_missing_blank_line_does_not_make_the_number_part_of_the_text() -> None:
    parsed = parse_srt("1\n00:00:01,000 --> 00:00:02,000\nOne.\n2\n00:00:03,000 --> 00:00:04,000\nTwo.\n")
    assert [block.lines for block in parsed.blocks] == [("One.",), ("Two.",)]


def test_a_number_said_by_the_lecturer_is_text() -> None:
    parsed = parse_srt("1\n00:00:01,000 --> 00:00:02,000\n42\n\n2\n00:00:03,000 --> 00:00:04,000\n7\n\n")
    assert [block.lines for block in parsed.blocks] == [("42",), ("7",)]


def test_a_blank_line_inside_a_cue_loses_nothing() -> None:
    parsed = parse_srt("1\n00:00:01,000 --> 00:00:02,000\nOne.\n\n一。\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo.\n")
    assert [block.lines for block in parsed.blocks] == [("One.", "一。"), ("Two.",)]


def test_sloppy_times_are_understood() -> None:
    for timing in ("00:00:01.5 --> 00:00:02.250", "0:01,500-->0:02,250", "00：00：01，500 --> 00：00：02，250"):
        (block,) = parse_srt(f"1\n{timing}\nOne.\n\n").blocks
        assert (block.start_ms, block.end_ms) == (1500, 2250)


def test_an_arrow_in_the_words_is_not_a_timing_line() -> None:
    parsed = parse_srt("1\n00:00:01,000 --> 00:00:02,000\nfrom A\nA --> B in the graph\n\n")
    assert [block.lines for block in parsed.blocks] == [("from A", "A --> B in the graph")]


def test_vtt_settings_names_notes_and_styles_are_not_text() -> None:
    text = (
        "WEBVTT\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE a remark\nof two lines\n\n"
        "intro\n00:01.000 --> 00:02.000 align:start position:0%\n<v Ann>One.\n\n00:03.000 --> 00:04.000\nTwo.\n"
    )
    parsed = parse_vtt(text)
    assert [(block.start_ms, block.lines) for block in parsed.blocks] == [(1000, ("<v Ann>One.",)), (3000, ("Two.",))]
    assert parsed.defects == ()


def test_text_above_the_first_cue_is_told() -> None:
    parsed = parse_srt("A lecture on trees\n\n1\n00:00:01,000 --> 00:00:02,000\nOne.\n\n")
    assert [(defect.line, defect.is_loss) for defect in parsed.defects] == [(1, True)]


def test_sbv_as_youtube_writes_it() -> None:
    text = (
        "0:00:01.000,0:00:04.000\nHello, everyone.\nA tree, 1:30,2:30 long.\n\n1:00:00.500,1:00:02.000\nIt has nodes.\n"
    )
    parsed = parse_sbv(text)
    assert [(block.line, block.start_ms, block.end_ms, block.lines) for block in parsed.blocks] == [
        (1, 1000, 4000, ("Hello, everyone.", "A tree, 1:30,2:30 long.")),
        (5, 3_600_500, 3_602_000, ("It has nodes.",)),
    ]
    assert (parsed.broken, parsed.defects) == (0, ())


def test_a_broken_sbv_time_costs_only_its_cue() -> None:
    parsed = parse_sbv(
        "0:00:01.000,0:00:04.000\nOne.\n\n0:00:o5.000,0:00:06.000\nTwo.\n\n0:00:07.0,0:00:08.0\nThree.\n"
    )
    assert [block.lines for block in parsed.blocks] == [("One.",), ("Three.",)]
    assert [(defect.line, defect.message) for defect in parsed.defects] == [
        (
            4,
            "Expected a timing line like '0:01:02.500,0:01:04.000', found '0:00:o5.000,0:00:06.000'. "
            "The cue was left out.",
        )
    ]


def test_a_cut_sbv_keeps_what_comes_before() -> None:
    for tail in ("0:00", "0:00:05.000,0:00:0", "0:00:05.000,0:00:06.000\n"):
        parsed = parse_sbv("0:00:01.000,0:00:04.000\nOne.\n\n" + tail)
        assert parsed.blocks[0].lines == ("One.",)
        assert [defect.message[:23] for defect in parsed.defects] == ["The file looks cut off:"]


def test_times_are_recognised_in_each_format_that_has_them() -> None:
    assert has_times("1\n00:00:01,000 --> 00:00:02,000\nOne.")
    assert has_times("0:00:01.000,0:00:02.000\nOne.")
    assert not has_times("One, at 10:30.\n[00:01.20]Two.")


@pytest.mark.parametrize(
    ("wrong", "seconds"), [("00:75:15,000 --> 00:75:17,000", "4514"), ("100:00:15,000 --> 100:00:17,000", "360014")]
)
@pytest.mark.parametrize("after", ["", "3\n00:00:05,000 --> 00:00:07,000\nThree.\n"])
def test_a_time_that_no_lecture_comes_to_is_told_at_its_line_though_nothing_follows(
    wrong: str, seconds: str, after: str
) -> None:
    parsed = parse_srt(f"1\n00:00:01,000 --> 00:00:03,000\nOne.\n\n2\n{wrong}\nTwo.\n\n{after}")
    first = parsed.defects[0]
    assert (first.line, first.message) == (6, f"The cue starts {seconds} s after the one above it; its time was kept.")
    assert not first.is_loss


def test_a_long_pause_and_a_recording_that_begins_at_an_hour_are_not_told() -> None:
    assert not parse_srt("1\n01:00:00,000 --> 01:00:02,000\nOne.\n\n2\n01:59:59,000 --> 02:00:01,000\nTwo.\n").defects
