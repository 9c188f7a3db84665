"""SRT and WebVTT text to timed blocks, line numbers kept. What a block's words mean is for `cue_text.py`.

pysubs2 was tried and left: it keeps no line numbers, pastes a block with an unreadable time into the cue before it
without a word, and takes "x < y and y > z" for a tag. Here the timing lines are the anchors: each gives exactly one
block or one defect, so that nothing is lost or doubled, and the count can be checked by counting `-->`.

To add a format: write `parse_x(text) -> ParsedSubtitles` and name it in `PARSERS`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_TIME = r"(?:(\d{1,3})\s*:\s*)?(\d{1,3})\s*:\s*(\d{1,2})(?:\s*[,.:]\s*(\d{1,6}))?"
_TIMING = re.compile(rf"^\s*{_TIME}\s*-{{1,3}}\s*>\s*{_TIME}(?:\s+\S.*)?\s*$")
_LIKE_TIMING = re.compile(r"^[^-]*\d+\s*[:.]\s*\d+[^-]*-->|-->[^-]*\d+\s*:\s*\d+")
_CUT_TIMING = re.compile(r"^\s*\d[\d:,.\s]*-{0,3}>?[\d:,.\s]*$")
_CUT_TIME = re.compile(r"^\s*\d{1,2}:\d{2}:[\d,.\s]*-{0,3}>?[\d:,.\s]*$")
_FULL_WIDTH = str.maketrans("：，．", ":,.")
_NUMBER = re.compile(r"^\s*\d{1,9}\s*$")
_SWAP_LIMIT_MS = 60_000
_LONGEST_CUE_MS = 600_000
"""No caption stays for ten minutes; some editors write 99:59:59 as the last end."""
_FULL_STOPS = ".?!。？！"
_SENTENCE_END = tuple(".!?…\"')]}。！？”’）】—-♪")


@dataclass(frozen=True)
class TimedBlock:
    """One timing line with the raw text lines below it. `line` is the timing line's, 1-based."""

    line: int
    start_ms: int
    end_ms: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Defect:
    """Something wrong at a line (1-based); the file's name is added by who knows it."""

    line: int
    message: str
    remedy: str
    is_loss: bool


@dataclass(frozen=True)
class ParsedSubtitles:
    """`broken` counts blocks whose timing line could not be read: timing lines = len(blocks) + broken."""

    blocks: tuple[TimedBlock, ...]
    broken: int
    defects: tuple[Defect, ...]


Parser = Callable[[str], ParsedSubtitles]


def parse_srt(text: str) -> ParsedSubtitles:
    """SRT. Tolerates missing numbers and blank lines, blank lines inside a cue, `.` for `,` and a WEBVTT header."""
    return _parse(text, names_allowed=text.lstrip("\ufeff \r\n").startswith("WEBVTT"))


def parse_vtt(text: str) -> ParsedSubtitles:
    """WebVTT: as SRT, with names for numbers, settings behind the times, and NOTE, STYLE and REGION blocks left out."""
    return _parse(text, names_allowed=True)


PARSERS: dict[str, Parser] = {".srt": parse_srt, ".vtt": parse_vtt}
"""Parser by suffix; the keys are `folders.SUBTITLE_SUFFIXES`."""


def _parse(text: str, *, names_allowed: bool) -> ParsedSubtitles:
    lines = _without_comments(_LINE_BREAK.split(text)) if names_allowed else _LINE_BREAK.split(text)
    anchors = [number for number, line in enumerate(lines) if "-" in line and _is_anchor(lines, number)]
    lines, defects = _without_cut_tail(lines, anchors)
    blocks: list[TimedBlock] = []
    for place, anchor in enumerate(anchors):
        following = anchors[place + 1] if place + 1 < len(anchors) else None
        end = len(lines) if following is None else _header_start(lines, following, anchor, names_allowed)
        words = tuple(line for line in lines[anchor + 1 : end] if line.strip())
        times = _times(lines[anchor])
        if times is None:
            defects.append(_unreadable(lines[anchor], anchor, is_cut=following is None and not words))
        else:
            blocks.append(TimedBlock(anchor + 1, *times, words))
    defects += [] if defects else _stopping_short(lines, blocks)
    defects += _before_first(lines, anchors, names_allowed)
    repaired, backwards = _repair_times(blocks)
    found = sorted([*defects, *backwards], key=lambda each: each.line)
    return ParsedSubtitles(tuple(repaired), len(anchors) - len(blocks), tuple(found))


def _without_comments(lines: list[str]) -> list[str]:
    """Blank the lines of the WebVTT header and of NOTE, STYLE and REGION blocks, so that line numbers stay."""
    kept, skipping, at_start = [], False, True
    for line in lines:
        if not line.strip():
            skipping, at_start = False, True
        elif at_start:
            first = line.split()[0]
            skipping = first in ("NOTE", "STYLE", "REGION") or first.lstrip("\ufeff") == "WEBVTT"
            at_start = False
        if skipping and _times(line) is not None:
            skipping = False
        kept.append("" if skipping else line)
    return kept


def _is_anchor(lines: list[str], number: int) -> bool:
    """A timing line, readable or not; an arrow in the words of a lecture is neither."""
    line = lines[number]
    if _times(line) is not None:
        return True
    if "-->" not in line:
        return False
    opens_block = number == 0 or _NUMBER.match(lines[number - 1]) or not lines[number - 1].strip()
    return bool(opens_block) or _LIKE_TIMING.search(line.translate(_FULL_WIDTH)) is not None


def _times(line: str) -> tuple[int, int] | None:
    match = _TIMING.match(line.translate(_FULL_WIDTH))
    if match is None:
        return None
    parts = match.groups()
    return _milliseconds(parts[:4]), _milliseconds(parts[4:])


def _milliseconds(parts: tuple[str | None, ...]) -> int:
    hours, minutes, seconds, fraction = (part or "0" for part in parts)
    return (int(hours) * 3600 + int(minutes) * 60 + int(seconds)) * 1000 + int(fraction.ljust(3, "0")[:3])


def _header_start(lines: list[str], anchor: int, previous: int, names_allowed: bool) -> int:
    """Where the text above a timing line ends: before the cue's number or name, if there is one."""
    above = anchor - 1
    if above <= previous or not lines[above].strip():
        return anchor
    separated = above == 0 or not lines[above - 1].strip()
    is_number = _NUMBER.match(lines[above]) is not None
    # Without a blank line only the number that is due is a number: the words of a cue may be a number, too.
    is_due = is_number and int(lines[above]) == _number_above(lines, previous) + 1
    return above if is_due or (separated and (is_number or names_allowed)) else anchor


def _number_above(lines: list[str], anchor: int) -> int:
    return int(lines[anchor - 1]) if anchor > 0 and _NUMBER.match(lines[anchor - 1]) else -1


def _without_cut_tail(lines: list[str], anchors: list[int]) -> tuple[list[str], list[Defect]]:
    """Remove what is left of a cue that was cut off before its arrow: a number, and perhaps part of a time."""
    last = max((number for number, line in enumerate(lines) if line.strip()), default=0)
    if not anchors or last <= anchors[-1] + 1:
        return lines, []
    due = _number_above(lines, anchors[-1]) + 1
    above_is_due = _is_number(lines, last - 1, due)
    if above_is_due and _CUT_TIMING.match(lines[last]):
        number = last - 1
    elif lines[last - 1].strip() or not (_is_number(lines, last, due) or _CUT_TIME.match(lines[last])):
        return lines, []
    else:
        number = last
    what = f"the last cue has only '{lines[last].strip()}'"
    return [*lines[:number], ""], [_cut(last + 1, what)]


def _is_number(lines: list[str], place: int, due: int) -> bool:
    """Whether a line below a blank one is the number that the next cue should have."""
    return bool(_NUMBER.match(lines[place])) and not lines[place - 1].strip() and int(lines[place]) == due


def _unreadable(line: str, anchor: int, *, is_cut: bool) -> Defect:
    if is_cut:
        return _cut(anchor + 1, f"the last timing line is incomplete: '{line.strip()}'")
    message = f"Expected a timing line like '00:01:02,500 --> 00:01:04,000', found '{line.strip()[:80]}'."
    return Defect(anchor + 1, message + " The cue was left out.", "Mend the times on that line.", is_loss=True)


def _stopping_short(lines: list[str], blocks: list[TimedBlock]) -> list[Defect]:
    """The last cue has no words, or stops in mid-sentence without a line break in a file that uses full stops."""
    if not blocks:
        return []
    last = blocks[-1]
    if not last.lines:
        return [_cut(last.line, "the last cue has no words")] if len(lines) <= last.line + 1 else []
    ended = sum(any(sign in line for line in block.lines for sign in _FULL_STOPS) for block in blocks)
    if lines[-1] == "" or last.lines[-1].rstrip().endswith(_SENTENCE_END) or ended < 0.1 * len(blocks):
        return []
    return [_cut(len(lines), "the last cue stops in mid-sentence, without a line break")]


def _cut(line: int, what: str) -> Defect:
    message = f"The file looks cut off: {what}. What comes before was kept."
    return Defect(line, message, "Fetch the whole file again if the lecture goes on.", is_loss=False)


def _repair_times(blocks: list[TimedBlock]) -> tuple[list[TimedBlock], list[Defect]]:
    repaired: list[TimedBlock] = []
    defects: list[Defect] = []
    for place, block in enumerate(blocks):
        start, end, message = _in_order(block)
        if end - start > _LONGEST_CUE_MS:
            following = blocks[place + 1].start_ms if place + 1 < len(blocks) else 0
            message = f"The cue lasts {(end - start) / 1000:g} s; it was ended with the next one, or after 10 s."
            end = following if start < following <= start + _LONGEST_CUE_MS else start + 10_000
        if not message and repaired and start < repaired[-1].start_ms:
            back = (repaired[-1].start_ms - start) / 1000
            message = f"The cue starts {back:g} s before the one above it; the order of the file was kept."
        # A cue without words is left out, so nothing of it was repaired.
        if message and block.lines:
            defects.append(Defect(block.line, message, "Correct the times on that line.", is_loss=False))
        repaired.append(TimedBlock(block.line, start, end, block.lines))
    return repaired, defects


def _in_order(block: TimedBlock) -> tuple[int, int, str]:
    """Start and end, the end not before the start, and what was wrong."""
    start, end = block.start_ms, block.end_ms
    if end >= start:
        return start, end, ""
    # Swapped times are a slip within one cue; a larger gap means that one of the two is wrong.
    is_swap = start - end <= _SWAP_LIMIT_MS
    how = "the two were swapped" if is_swap else "it was given no length"
    message = f"The cue ends {(start - end) / 1000:g} s before it starts; {how}."
    return (end, start, message) if is_swap else (start, start, message)


def _before_first(lines: list[str], anchors: list[int], names_allowed: bool) -> list[Defect]:
    """Words above the first timing line belong to no cue."""
    if not anchors:
        return []
    end = _header_start(lines, anchors[0], -1, names_allowed)
    for number, line in enumerate(lines[:end]):
        if line.strip() and not _NUMBER.match(line):
            message = f"Text above the first cue was left out: '{line.strip()[:60]}'."
            return [Defect(number + 1, message, "Give it a timing line if it is spoken, or remove it.", is_loss=True)]
    return []
