"""Transcripts without times as lectures of their own kind: their words in paragraphs, which references name.

A text is read as a teacher has it: paragraphs (blank lines, or long lines), or captions that lost their times, one or
two lines each, which are gathered into paragraphs at the ends of sentences. Headings are left out: nobody says them.
Where a sentence stands is a paragraph and a share of it (`text/time_code.py`); no time is made up.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise
from pathlib import Path
from statistics import median

from knowledge_graph.lake.records import Lang
from knowledge_graph.sources.cue_text import is_bilingual
from knowledge_graph.sources.fields import ProblemLog, without_controls
from knowledge_graph.sources.files import LARGEST_FILE, decode_with_warnings, read_bytes
from knowledge_graph.sources.folders import UNTIMED_SUFFIXES
from knowledge_graph.sources.headed_text import Headed, markdown_parts
from knowledge_graph.sources.subtitle_blocks import ParsedSubtitles, TimedBlock
from knowledge_graph.sources.subtitle_defects import LARGEST_SUBTITLES
from knowledge_graph.sources.subtitle_formats import has_times
from knowledge_graph.sources.subtitle_lines import SubtitleFile, SubtitleLine, read_spoken_lines
from knowledge_graph.text.sentences import split_sentences
from knowledge_graph.text.time_code import MOST_PARAGRAPHS, PARAGRAPH, paragraph_start

CAPTION: dict[Lang, int] = {"en": 100, "zh": 40}
"""Characters below which the middle one of a text's pieces is a caption, not a paragraph. A choice: captions have 40
(20 in Chinese), paragraphs of edited transcripts 400."""
USUAL: dict[Lang, int] = {"en": 500, "zh": 200}
"""Characters from which gathered captions are a paragraph at the next end of a sentence: half a minute of speech."""
LONGEST: dict[Lang, int] = {"en": 1_500, "zh": 600}
"""Characters beyond which a paragraph is divided, as a reader would search it for what is cited."""

_LONG_LINE: dict[Lang, int] = {"en": 120, "zh": 50}
_ENDS = re.compile(r"[.?!。？！…][\"'”’)）」』]*$")
_OPENS_WITH_TIME = re.compile(r"^\W{0,3}\d{1,2}:\d{2}(?::\d{2})?(?![\d:])")
_NOTES = frozenset({"readme", "license", "licence", "copying", "source", "sources", "credits", "notice"})
"""Names of files that say something about the lectures beside them and are none."""


@dataclass(frozen=True)
class UntimedLecture:
    """A transcript as read: its own title, if it has one, the account of its pieces, and its sentences in place."""

    title: str | None
    report: SubtitleFile
    lines: list[SubtitleLine]


def is_untimed(name: str) -> bool:
    """Whether a file among the lectures is a transcript without times, by its name."""
    return name.lower().endswith(UNTIMED_SUFFIXES)


def is_note(path: Path) -> bool:
    """Whether a text among the lectures is named as one about them: `README.txt`."""
    return path.stem.lower() in _NOTES


def read_untimed(path: Path, video_id: str, lang: Lang, log: ProblemLog) -> UntimedLecture | None:
    """A `.txt`, `.md` or `.docx` as a lecture; `None`, with an error in `log`, for what cannot be read, has no words,
    or has times that are written in a way that is not known. `lang` is kept of captions in two languages."""
    is_word = path.suffix.lower() == ".docx"
    data = read_bytes(path, log, LARGEST_FILE if is_word else LARGEST_SUBTITLES)
    if data is None:
        return None
    encoding = "utf-8"
    if is_word:
        headed = _word(data, log)
    else:
        decoded = decode_with_warnings(data, log)
        text, encoding = without_controls("The transcript", decoded.text, None, log), decoded.encoding
        if _tell_times(text, path.suffix, log):
            return None
        headed = markdown_parts(text) if path.suffix.lower() == ".md" else Headed(None, ((None, text),))
    if headed is None:
        return None
    pieces = list(_pieces(headed, lang))
    if not pieces:
        trouble = "The file has headings alone, which nobody says" if data.strip() else "The file is empty"
        log.error(None, f"{trouble}.", "Fetch the transcript again, or remove the file.")
        return None
    blocks = tuple(TimedBlock(number, number, number, lines) for number, lines in enumerate(pieces, 1))
    report, said = read_spoken_lines(ParsedSubtitles(blocks, 0, ()), log.file, video_id, encoding, lang)
    lines = _place(_paragraphs(_drop_repeats(said)), log)
    # Pieces became sentences: the account is of these, what was dropped stays what it was.
    found = report.cues_found - report.cues_kept + len(lines)
    return UntimedLecture(headed.title, replace(report, cues_found=found, cues_kept=len(lines)), lines)


def _word(data: bytes, log: ProblemLog) -> Headed | None:
    from knowledge_graph.sources.office import OfficeError, read_word  # noqa: PLC0415  readers of formats: 0.4 s

    try:
        return read_word(data)
    except OfficeError as error:
        log.error(None, f"Not read: {error}.", "Save it again from the program that made it, or export it as .txt.")
        return None


def _tell_times(text: str, suffix: str, log: ProblemLog) -> bool:
    """Whether a text has times; what to do with it is told."""
    if has_times(text):
        message = f"Not read: its name ends in {suffix}, but its times are written as in .srt, .vtt or .sbv."
        log.error(None, message, "Rename it so that it ends in the one of these that it is.")
        return True
    lines = [line for line in text.splitlines() if line.strip()]
    timed = [line for line in lines if _OPENS_WITH_TIME.match(line)]
    if len(timed) < max(2, 0.1 * len(lines)):
        return False
    message = f"Not read: {len(timed):,} lines begin with a time ('{timed[0].strip()[:40]}'), which is not read here."
    log.error(None, message, "Export it as .srt or .vtt, or take the times out: it is cited by paragraph then.")
    return True


def _pieces(headed: Headed, lang: Lang) -> Iterator[tuple[str, ...]]:
    """Paragraphs and captions, each as its lines. Headings are not spoken."""
    for _, text in headed.parts:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        parted = [tuple(group) for has_words, group in groupby(lines, key=lambda one: bool(one.strip())) if has_words]
        for group in parted:
            is_long = median(map(len, group)) >= _LONG_LINE[lang]
            is_one_each = (len(parted) == 1 or is_long) and not is_bilingual(group)
            yield from ((line,) for line in group) if is_one_each else (group,)


def _drop_repeats(said: Sequence[SubtitleLine]) -> list[SubtitleLine]:
    """A translation that is shown under both halves of a sentence is said once."""
    return [*said[:1], *(after for before, after in pairwise(said) if after.text != before.text)]


def _paragraphs(said: Sequence[SubtitleLine]) -> Iterator[list[SubtitleLine]]:
    """What belongs together, each as sentences or captions in order."""
    if not said:
        return
    middle = median(len(line.text) / CAPTION[line.lang] for line in said)
    if middle < 1:
        yield from _gather(said)
        return
    for line in said:
        sentences = [replace(line, text=text) for text in split_sentences(line.text, line.lang)]
        yield from _gather(sentences) if len(line.text) > LONGEST[line.lang] else [sentences]


def _gather(lines: Sequence[SubtitleLine]) -> Iterator[list[SubtitleLine]]:
    """Short pieces together: to the end of a sentence from `USUAL` characters on, or half as many more."""
    together: list[SubtitleLine] = []
    size = 0
    for line in lines:
        together.append(line)
        size += len(line.text)
        usual = USUAL[line.lang]
        if size >= usual and (_ENDS.search(line.text) or size >= 1.5 * usual):
            yield together
            together, size = [], 0
    if together:
        yield together


def _place(paragraphs: Iterator[list[SubtitleLine]], log: ProblemLog) -> list[SubtitleLine]:
    """Every piece at its paragraph and its share of that, up to `MOST_PARAGRAPHS`."""
    found: list[SubtitleLine] = []
    for number, pieces in enumerate((each for each in paragraphs if each), 1):
        if number > MOST_PARAGRAPHS:
            message = f"Reading stopped behind paragraph {MOST_PARAGRAPHS:,}: a lecture has no more."
            log.error(None, message, "Divide the file into its lectures.")
            break
        ends = list(accumulate(len(piece.text) for piece in pieces))
        edges = [paragraph_start(number) + PARAGRAPH * end // ends[-1] for end in (0, *ends)]
        found += [
            replace(piece, start_ms=start, end_ms=end - 1)
            for piece, (start, end) in zip(pieces, pairwise(edges), strict=True)
        ]
    return found
