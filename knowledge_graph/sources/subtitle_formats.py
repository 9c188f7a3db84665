"""SRT, WebVTT and SBV text to timed blocks, line numbers kept. What a block's words mean is for `cue_text.py`.

pysubs2 was tried and left: it keeps no line numbers, pastes a block with an unreadable time into the cue before it
without a word, and takes "x < y and y > z" for a tag. Here the timing lines are the anchors: each gives exactly one
block or one defect, so that nothing is lost or doubled, and the count can be checked by counting `-->`.

To add a format of timing lines: find its anchors and hand them to `_parse_blocks`, as `parse_sbv` does.
"""

import re
from collections.abc import Callable, Sequence

from knowledge_graph.sources.subtitle_blocks import Defect, ParsedSubtitles, TimedBlock, repair_times

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_TIME = r"(?:(\d{1,3})\s*:\s*)?(\d{1,3})\s*:\s*(\d{1,2})(?:\s*[,.:]\s*(\d{1,6}))?"
_TIMING = re.compile(rf"^\s*{_TIME}\s*-{{1,3}}\s*>\s*{_TIME}(?:\s+\S.*)?\s*$")
_LIKE_TIMING = re.compile(r"^(?=[^-]*+-->)[^-]*\d\s*+[:.]\s*+\d|-->[^-]*\d\s*+:\s*+\d")
_CUT_TIMING = re.compile(r"^\s*+\d[\d:,.\s]*+-{0,3}+>?+[\d:,.\s]*+$")
_CUT_TIME = re.compile(r"^\s*+\d{1,2}:\d{2}:[\d,.\s]*+-{0,3}+>?+[\d:,.\s]*+$")
_SBV_TIME = r"(\d{1,3}):(\d{1,2}):(\d{1,2})(?:[.,](\d{1,6}))?"
_SBV_TIMING = re.compile(rf"^\s*{_SBV_TIME}\s*,\s*{_SBV_TIME}\s*$")
_LIKE_SBV = re.compile(r"^\s*+\d(?=[\w.]*+:)[\w:.]*+\s*+,\s*+\d(?=[\w.]*+:)[\w:.]*+\s*+$")
_CUT_SBV = re.compile(r"^\s*\d{1,3}:[\d:.,\s]*$")
_FULL_WIDTH = str.maketrans("：，．", ":,.")
_NUMBER = re.compile(r"^\s*\d{1,9}\s*$")
_FULL_STOPS = ".?!。？！"
_SENTENCE_END = tuple(".!?…\"')]}。！？”’）】—-♪")

SRT_EXAMPLE = "00:01:02,500 --> 00:01:04,000"
_SBV_EXAMPLE = "0:01:02.500,0:01:04.000"

Times = Callable[[str], tuple[int, int] | None]
"""Start and end in milliseconds of a timing line; `None` when they cannot be read."""


def parse_srt(text: str) -> ParsedSubtitles:
    """SRT. Tolerates missing numbers and blank lines, blank lines inside a cue, `.` for `,` and a WEBVTT header."""
    return _parse_arrows(text, names_allowed=text.lstrip("\ufeff \r\n").startswith("WEBVTT"))


def parse_vtt(text: str) -> ParsedSubtitles:
    """WebVTT: as SRT, with names for numbers, settings behind the times, and NOTE, STYLE and REGION blocks left out."""
    return _parse_arrows(text, names_allowed=True)


def parse_sbv(text: str) -> ParsedSubtitles:
    """SBV, as YouTube exports it: a line `0:00:01.000,0:00:04.000`, then the words. Blank lines are not needed."""
    lines = _LINE_BREAK.split(text)
    anchors = [number for number, line in enumerate(lines) if ":" in line and _is_sbv_anchor(lines, number)]
    last = max((number for number, line in enumerate(lines) if line.strip()), default=0)
    defects = []
    if anchors and last > anchors[-1] + 1 and not lines[last - 1].strip() and _CUT_SBV.match(lines[last]):
        defects.append(_cut(last + 1, f"the last cue has only '{lines[last].strip()}'"))
        lines = [*lines[:last], ""]
    return _parse_blocks(lines, anchors, anchors, defects, _sbv_times, _SBV_EXAMPLE)


def has_times(text: str) -> bool:
    """Whether a line of the text is a timing line of one of the formats read here."""
    return any(_times(line) or _sbv_times(line) for line in _LINE_BREAK.split(text))


def _parse_arrows(text: str, *, names_allowed: bool) -> ParsedSubtitles:
    lines = _without_comments(_LINE_BREAK.split(text)) if names_allowed else _LINE_BREAK.split(text)
    anchors = [number for number, line in enumerate(lines) if "-" in line and _is_anchor(lines, number)]
    lines, defects = _without_cut_tail(lines, anchors)
    above = [-1, *anchors]
    headers = [
        _header_start(lines, anchor, previous, names_allowed) for anchor, previous in zip(anchors, above, strict=False)
    ]
    return _parse_blocks(lines, anchors, headers, defects, _times, SRT_EXAMPLE)


def _parse_blocks(
    lines: list[str], anchors: Sequence[int], headers: Sequence[int], defects: list[Defect], times: Times, example: str
) -> ParsedSubtitles:
    """`anchors` are the places of the timing lines, `headers` where the words above each of them end."""
    blocks: list[TimedBlock] = []
    for anchor, end in zip(anchors, [*headers, len(lines)][1:], strict=True):
        words = tuple(line for line in lines[anchor + 1 : end] if line.strip())
        found = times(lines[anchor])
        if found is None:
            is_cut = anchor == anchors[-1] and not words
            defects.append(_unreadable(lines[anchor].strip(), anchor + 1, example, is_cut=is_cut))
        else:
            blocks.append(TimedBlock(anchor + 1, *found, words))
    defects += [] if defects else _stopping_short(lines, blocks)
    defects += _above_first(lines[: headers[0]]) if headers else []
    repaired, backwards = repair_times(blocks)
    told = sorted([*defects, *backwards], key=lambda each: each.line)
    return ParsedSubtitles(tuple(repaired), len(anchors) - len(blocks), tuple(told))


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
    match = _TIMING.match(line if line.isascii() else line.translate(_FULL_WIDTH))
    if match is None:
        return None
    parts = match.groups()
    return _milliseconds(parts[:4]), _milliseconds(parts[4:])


def _is_sbv_anchor(lines: list[str], number: int) -> bool:
    line = lines[number]
    if _SBV_TIMING.match(line):
        return True
    return (number == 0 or not lines[number - 1].strip()) and _LIKE_SBV.match(line) is not None


def _sbv_times(line: str) -> tuple[int, int] | None:
    match = _SBV_TIMING.match(line)
    return None if match is None else (_milliseconds(match.groups()[:4]), _milliseconds(match.groups()[4:]))


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


def _unreadable(found: str, line: int, example: str, *, is_cut: bool) -> Defect:
    if is_cut:
        return _cut(line, f"the last timing line is incomplete: '{found}'")
    message = f"Expected a timing line like '{example}', found '{found[:80]}'. The cue was left out."
    return Defect(line, message, "Mend the times on that line.", is_loss=True)


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


def _above_first(lines: list[str]) -> list[Defect]:
    """Words above the first timing line belong to no cue."""
    for number, line in enumerate(lines):
        if line.strip() and not _NUMBER.match(line):
            message = f"Text above the first cue was left out: '{line.strip()[:60]}'."
            return [Defect(number + 1, message, "Give it a timing line if it is spoken, or remove it.", is_loss=True)]
    return []
