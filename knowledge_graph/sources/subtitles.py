"""Subtitle files of a course to cues, with a report per file. Formats and wording have modules of their own."""

import difflib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from knowledge_graph.problems import Problem, display_path
from knowledge_graph.records import CourseCard, Cue, Lang
from knowledge_graph.sources.cue_text import CueText, chinese_lines, clean, english_lines, is_bilingual, join
from knowledge_graph.sources.fields import Told
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.folders import SUBTITLE_SUFFIXES, CourseFolder, input_files
from knowledge_graph.sources.language import count_words, has_chinese, lang_of
from knowledge_graph.sources.subtitle_formats import PARSERS, Defect, ParsedSubtitles, TimedBlock
from knowledge_graph.sources.videos import natural_key, split_suffix, title_of, video_id_of

Kept = Literal["all", "zh", "en"]
Report = Callable[[Problem], None]

_TOLD_PER_KIND = 20
"""Repairs told one by one in a file; a file with shifted times would otherwise fill the report."""


@dataclass(frozen=True)
class SubtitleFile:
    """What became of one file. `cues_found` = `cues_kept` + the four kinds dropped, always.

    `broken_dropped` are cues whose times could not be read. `kept` is the language kept of cues that hold both, `all`
    where there are none: bilingual files with a cue for each language keep both, each cue with its own `lang`.
    `fallback_kept` counts cues among bilingual ones that had only the other language and were kept as they are.
    """

    file: str
    video_id: str
    encoding: str
    cues_found: int
    cues_kept: int
    markers_dropped: int
    credits_dropped: int
    empty_dropped: int
    broken_dropped: int
    bilingual: bool
    kept: Kept
    fallback_kept: int


@dataclass(frozen=True)
class Subtitles:
    """The cues of a course in teaching order, the report of each file that was read, and every problem."""

    cues: tuple[Cue, ...]
    files: tuple[SubtitleFile, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class _Line:
    """A cue before it knows its place in the course."""

    start_ms: int
    end_ms: int
    text: str
    lang: Lang


def read_subtitles(folder: CourseFolder, card: CourseCard) -> Subtitles:
    """Every cue of the course. Never raises for a bad file: what is wrong is in `problems`.

    Videos come in `card.video_order`, those it does not name behind them in natural order of their paths.
    """
    problems: list[Problem] = []
    cues: list[Cue] = []
    reports: list[SubtitleFile] = []
    index = 0
    for video_id, path in _videos_in_order(folder, card, problems.append):
        read = _read_file(path, display_path(path, folder.path), video_id, card.lang, problems)
        if read is None:
            continue
        report, lines = read
        title = title_of(video_id)
        cues += [
            Cue(card.course_id, video_id, title, index, place, line.start_ms, line.end_ms, line.text, line.lang)
            for place, line in enumerate(lines)
        ]
        reports.append(report)
        index += bool(lines)
    if not reports:
        problems.append(_no_subtitles())
    return Subtitles(tuple(cues), tuple(reports), tuple(problems))


def _no_subtitles() -> Problem:
    message = "The course has no subtitle file that can be read: no concepts can be found in its lectures."
    return Problem("subtitles/", None, message, f"Put files ending in {' or '.join(SUBTITLE_SUFFIXES)} there.")


def _videos_in_order(folder: CourseFolder, card: CourseCard, report: Report) -> list[tuple[str, Path]]:
    chosen: dict[str, Path] = {}
    for path in _readable_files(folder, report):
        video_id = video_id_of(path.relative_to(folder.path))
        first = chosen.setdefault(video_id, path)
        if first != path:
            file, kept = display_path(path, folder.path), display_path(first, folder.path)
            message = f"Not read: {kept} is the same video ('{video_id}')."
            report(Problem(file, None, message, "Rename one of them, or remove the one that is not wanted."))
    order = {split_suffix(name.removeprefix("subtitles/"))[0]: place for place, name in enumerate(card.video_order)}
    _report_unknown_videos(order, chosen, report)
    return sorted(chosen.items(), key=lambda item: (order.get(item[0], len(order)), natural_key(item[0])))


def _readable_files(folder: CourseFolder, report: Report) -> list[Path]:
    """Files with a parser, best suffix first and then by path; the others are reported."""
    files = input_files(folder, "subtitles")
    for path in files:
        if path.suffix.lower() not in PARSERS:
            suffix = split_suffix(path.name)[1] or path.name
            message = f"Not read: {suffix} is not a subtitle format that is known here."
            remedy = "Convert it to .srt or .vtt with times (most subtitle editors can), or move it out of the course."
            report(Problem(display_path(path, folder.path), None, message, remedy))
    readable = [path for path in files if path.suffix.lower() in PARSERS]
    return sorted(readable, key=lambda path: (SUBTITLE_SUFFIXES.index(path.suffix.lower()), path.as_posix()))


def _report_unknown_videos(order: dict[str, int], chosen: dict[str, Path], report: Report) -> None:
    for name in order:
        if name not in chosen:
            near = difflib.get_close_matches(name, chosen, n=1, cutoff=0.5)
            remedy = f"Did you mean '{near[0]}'?" if near else "Write the file's path without its suffix."
            report(Problem("course.yaml", None, f"'video_order' names no video: '{name}'.", remedy, "warning"))


def _read_file(
    path: Path, file: str, video_id: str, lang: Lang, problems: list[Problem]
) -> tuple[SubtitleFile, list[_Line]] | None:
    decoded = read_text(path, Told(file, problems))
    if decoded is None:
        return None
    parsed = PARSERS[path.suffix.lower()](decoded.text)
    _report_defects(file, decoded.text, parsed, problems.append)
    cleaned = [clean(block.lines) for block in parsed.blocks]
    has_pairs = _has_language_pairs(cleaned)
    lines = _lines(parsed.blocks, cleaned, lang if has_pairs else None)
    dropped = Counter(text.dropped for text in cleaned)
    return SubtitleFile(
        file=file,
        video_id=video_id,
        encoding=decoded.encoding,
        cues_found=len(parsed.blocks) + parsed.broken,
        cues_kept=len(lines),
        markers_dropped=dropped["marker"],
        credits_dropped=dropped["credit"],
        empty_dropped=dropped["empty"],
        broken_dropped=parsed.broken,
        bilingual=has_pairs or _alternates(lines),
        kept=lang if has_pairs else "all",
        fallback_kept=sum(line.lang != lang for line in lines) if has_pairs else 0,
    ), lines


def _report_defects(file: str, text: str, parsed: ParsedSubtitles, report: Report) -> None:
    if not text.strip():
        report(Problem(file, None, "The file is empty.", "Fetch the subtitles again, or remove the file."))
    elif not parsed.blocks and not parsed.defects:
        first = next(line for line in text.splitlines() if line.strip()).strip()[:60]
        message = f"Expected timing lines like '00:01:02,500 --> 00:01:04,000', found none; it begins '{first}'."
        report(Problem(file, 1, message, "Export the subtitles with times as .srt or .vtt."))
    for is_loss in (True, False):
        _report_kind(file, [defect for defect in parsed.defects if defect.is_loss is is_loss], report)


def _report_kind(file: str, defects: Sequence[Defect], report: Report) -> None:
    for defect in defects[:_TOLD_PER_KIND]:
        severity: Literal["error", "warning"] = "error" if defect.is_loss else "warning"
        report(Problem(file, defect.line, defect.message, defect.remedy, severity))
    if rest := defects[_TOLD_PER_KIND:]:
        lines = ", ".join(str(defect.line) for defect in rest[:100])
        message = f"{len(rest)} more defects like those above, from this line on (lines {lines})."
        report(Problem(file, rest[0].line, message, rest[0].remedy, "error" if rest[0].is_loss else "warning"))


def _has_language_pairs(texts: Sequence[CueText]) -> bool:
    kept = [text for text in texts if text.dropped is None]
    # A fifth is far above a stray line of code in a Chinese lecture and far below real bilingual files (0.95 and more).
    return sum(is_bilingual(text.lines) for text in kept) > 0.2 * len(kept)


def _alternates(lines: Sequence[_Line]) -> bool:
    """The other layout of bilingual files: a cue in each language, one behind the other, at the same time."""
    langs = Counter(line.lang for line in lines)
    return min(langs["en"], langs["zh"]) > 0.2 * len(lines)


def _lines(blocks: Sequence[TimedBlock], texts: Sequence[CueText], wanted: Lang | None) -> list[_Line]:
    """The cues with words. `wanted` is the language to keep of a bilingual file."""
    pairs = [(block, text.lines) for block, text in zip(blocks, texts, strict=True) if text.dropped is None]
    mixed = [lines for _, lines in pairs if is_bilingual(lines)]
    english_first = sum(has_chinese(lines[0]) for lines in mixed) * 2 < len(mixed)
    file_lang = lang_of("\n".join(line for _, lines in pairs for line in lines))
    found = []
    for block, lines in pairs:
        if wanted is None:
            text = join(lines)
            # A formula in a Chinese lecture is Chinese, a sentence in English is not.
            lang = "en" if not has_chinese(text) and count_words(text) >= 3 else file_lang
        else:
            text, lang = _choose(lines, wanted, english_first=english_first)
        found.append(_Line(block.start_ms, block.end_ms, text, lang))
    return found


def _choose(lines: Sequence[str], wanted: Lang, *, english_first: bool) -> tuple[str, Lang]:
    """The wanted language's part of a cue, else the whole cue in its own: nothing said is lost."""
    part = chinese_lines(lines, english_first=english_first) if wanted == "zh" else english_lines(lines)
    return (join(part), wanted) if part else (join(lines), lang_of(join(lines), wanted))
