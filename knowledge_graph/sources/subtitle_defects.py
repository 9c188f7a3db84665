"""What is wrong with a subtitle file, told to the person who can mend it: in full at first, then summed up."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from knowledge_graph.sources.fields import ProblemLog, control_characters, run_by_browsers
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.folders import UNREAD_SUBTITLE_SUFFIXES, UNTIMED_SUFFIXES
from knowledge_graph.sources.subtitle_blocks import Defect, ParsedSubtitles, TimedBlock
from knowledge_graph.sources.subtitle_formats import SRT_EXAMPLE, has_times
from knowledge_graph.sources.videos import split_suffix

LARGEST_SUBTITLES = 16 * 2**20
"""Bytes of the subtitles of one video. An hour of speech has 0.1 MB; parsing takes about twenty times the size."""

_TOLD_PER_KIND = 20
"""Defects told one by one in a file; a file with shifted times would otherwise fill the report."""
_LINES_NAMED = 100
_CLOCK = re.compile(r"\d{1,2}:\d{2}[:.,]\d{2}")


class DefectTally:
    """The defects of one file. Losses and repairs are counted apart; `tell` it when the file is at its end."""

    def __init__(self) -> None:
        self._kinds = {True: _Kind(), False: _Kind()}

    def add(self, defect: Defect) -> None:
        self._kinds[defect.is_loss].add(defect)

    def tell(self, log: ProblemLog) -> None:
        for kind in self._kinds.values():
            kind.tell(log)


class _Kind:
    """Bounded, whatever the number of defects."""

    def __init__(self) -> None:
        self.first: list[Defect] = []
        self.rest: list[Defect] = []
        self.count = 0

    def add(self, defect: Defect) -> None:
        self.count += 1
        if len(self.first) < _TOLD_PER_KIND:
            self.first.append(defect)
        elif len(self.rest) < _LINES_NAMED:
            self.rest.append(defect)

    def tell(self, log: ProblemLog) -> None:
        for defect in self.first:
            _tell(log, defect)
        if self.rest:
            lines = ", ".join(str(line) for line in dict.fromkeys(defect.line for defect in self.rest))
            start = self.rest[0]
            more = self.count - len(self.first)
            message = f"{more} more defects like those above, from this line on (lines {lines})."
            _tell(log, Defect(start.line, message, start.remedy, start.is_loss))


def _tell(log: ProblemLog, defect: Defect) -> None:
    (log.error if defect.is_loss else log.warning)(defect.line, defect.message, defect.remedy)


def tell_defects(text: str, parsed: ParsedSubtitles, log: ProblemLog) -> None:
    """What is wrong with a file of one video, the lack of any cue included."""
    if not text.strip():
        log.error(None, "The file is empty.", "Fetch the subtitles again, or remove the file.")
    elif not parsed.blocks and not parsed.defects:
        first = next(line for line in text.splitlines() if line.strip()).strip()[:60]
        message = f"Expected timing lines like '{SRT_EXAMPLE}', found none; it begins '{first}'."
        log.error(1, message, "Export the subtitles with times as .srt or .vtt.")
    tally = DefectTally()
    for defect in (*parsed.defects, *unsafe_captions(parsed.blocks)):
        tally.add(defect)
    tally.tell(log)


def unsafe_captions(blocks: Iterable[TimedBlock]) -> Iterator[Defect]:
    """Captions with signs that are no text, which are taken out, or with markup that a browser would run."""
    for block in blocks:
        text = "\n".join(block.lines)
        if signs := control_characters(text):
            message = f"The cue holds control characters ({signs}); they were taken out."
            yield Defect(block.line, message, "Remove them.", is_loss=False)
        if markup := run_by_browsers(text):
            message = f"The cue holds markup that browsers run ({markup}); it is shown as text."
            yield Defect(block.line, message, "Remove it, unless it is what is taught.", is_loss=False)


def tell_unread_format(path: Path, log: ProblemLog) -> None:
    """Why a file among the subtitles is not read: its format, or that it is named as a note about them."""
    suffix = split_suffix(path.name)[1] or path.suffix or path.name
    if suffix.lower() in UNTIMED_SUFFIXES:
        message = f"Not read: '{path.stem}' is the name of a note about lectures, not of a lecture."
        return log.warning(None, message, "Rename it if it is what was said in one; move it to documents/ otherwise.")
    decoded = None
    if suffix.lower() in UNREAD_SUBTITLE_SUFFIXES:
        decoded = read_text(path, ProblemLog(), LARGEST_SUBTITLES)
    if decoded is not None and has_times(decoded.text):
        message = f"Not read: its name ends in {suffix}, but its times are written as in .srt, .vtt or .sbv."
        return log.error(None, message, "Rename it so that it ends in the one of these that it is.")
    if decoded is not None and decoded.text.strip() and not _CLOCK.search(decoded.text):
        count = sum(bool(line.strip()) for line in decoded.text.splitlines())
        message = f"Not read: it holds text ({count:,} lines) but no times, which {suffix} has."
        return log.error(None, message, "Save it as .txt in transcripts/: it is cited by paragraph then.")
    message = f"Not read: {suffix} is not a subtitle format that is known here."
    remedy = "Convert it to .srt or .vtt with times (most subtitle editors can), or move it out of the course."
    return log.error(None, message, remedy)
