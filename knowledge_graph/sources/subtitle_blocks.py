"""What every subtitle format is read into: timed blocks of raw lines, and times put in order.

Reading a format is in `subtitle_formats.py` and `subtitle_json.py`; what a block's words mean, in `cue_text.py`.
"""

from dataclasses import dataclass

from knowledge_graph.text.time_code import FIRST_PARAGRAPH

_SWAP_LIMIT_MS = 60_000
_LONGEST_CUE_MS = 600_000
"""No caption stays for ten minutes; some editors write 99:59:59 as the last end."""
_LONGEST_PAUSE_MS = 3_600_000
"""No lecture pauses for an hour: `00:75:15` or `100:00:15` was mistyped."""


@dataclass(frozen=True)
class TimedBlock:
    """One cue with its raw text lines. `line` is its timing line, 1-based; in JSON, its place in the list, 1-based."""

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
    """`broken` counts cues whose times could not be read: cues in the file = len(blocks) + broken."""

    blocks: tuple[TimedBlock, ...]
    broken: int
    defects: tuple[Defect, ...]


def repair_times(blocks: list[TimedBlock]) -> tuple[list[TimedBlock], list[Defect]]:
    """The blocks in the order given, each with a likely length and its end not before its start; what was changed."""
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
        if not message and repaired and start - repaired[-1].start_ms > _LONGEST_PAUSE_MS:
            on = (start - repaired[-1].start_ms) / 1000
            message = f"The cue starts {on:g} s after the one above it; its time was kept."
        # A cue without words is left out, so nothing of it was repaired.
        if message and block.lines:
            defects.append(Defect(block.line, message, "Correct the times on that line.", is_loss=False))
        repaired.append(TimedBlock(block.line, start, end, block.lines))
    return repaired, defects


def _in_order(block: TimedBlock) -> tuple[int, int, str]:
    """Start and end, the end not before the start, and what was wrong."""
    start, end = block.start_ms, block.end_ms
    if max(start, end) >= FIRST_PARAGRAPH:
        message = (
            f"The cue stands at {max(start, end) / 3_600_000:,.0f} hours, where no lecture is; it was put at the end."
        )
        return min(start, FIRST_PARAGRAPH - 1), FIRST_PARAGRAPH - 1, message
    if end >= start:
        return start, end, ""
    # Swapped times are a slip within one cue; a larger gap means that one of the two is wrong.
    is_swap = start - end <= _SWAP_LIMIT_MS
    how = "the two were swapped" if is_swap else "it was given no length"
    message = f"The cue ends {(start - end) / 1000:g} s before it starts; {how}."
    return (end, start, message) if is_swap else (start, start, message)
