"""Subtitle files of a course to cues, with a report per video. Formats and wording have modules of their own."""

import difflib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.records import CourseCard, Cue
from knowledge_graph.lake.source_kinds import INPUT_KINDS
from knowledge_graph.sources.encodings import decode_name
from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.files import open_text, read_text
from knowledge_graph.sources.folders import (
    MANY_VIDEO_SUFFIXES,
    SUBTITLE_SUFFIXES,
    UNTIMED_SUFFIXES,
    CourseFolder,
    input_files,
)
from knowledge_graph.sources.subtitle_blocks import Defect, ParsedSubtitles
from knowledge_graph.sources.subtitle_defects import (
    LARGEST_SUBTITLES,
    DefectTally,
    tell_defects,
    tell_unread_format,
    unsafe_captions,
)
from knowledge_graph.sources.subtitle_formats import parse_sbv, parse_srt, parse_vtt
from knowledge_graph.sources.subtitle_json import ListedVideo, parse_sjson, read_listed_videos
from knowledge_graph.sources.subtitle_lines import SubtitleFile, SubtitleLine, read_spoken_lines
from knowledge_graph.sources.untimed_transcripts import is_note, is_untimed, read_untimed
from knowledge_graph.sources.videos import in_lecture_folder, natural_key, split_suffix, title_of, video_id_of

__all__ = ["MOST_CUES", "SubtitleFile", "Subtitles", "read_subtitles", "sample_text"]

MOST_CUES = 1_000_000
"""Cues of a course: about 800 hours of lectures. More is the file of a whole platform, and would fill the memory."""

_SAMPLE = 20_000
"""Characters that tell a language for certain."""

_PARSERS: Mapping[str, Callable[[str], ParsedSubtitles]] = {
    ".srt": parse_srt,
    ".vtt": parse_vtt,
    ".sbv": parse_sbv,
    ".sjson": parse_sjson,
}
"""Parser of each of `SUBTITLE_SUFFIXES`."""


@dataclass(frozen=True)
class Subtitles:
    """The cues of a course in teaching order, the report of each video that was read, and every problem."""

    cues: tuple[Cue, ...]
    files: tuple[SubtitleFile, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class _Video:
    """One video as read; a video whose first file has no cue is there twice."""

    title: str
    report: SubtitleFile
    lines: list[SubtitleLine]


def read_subtitles(folder: CourseFolder, card: CourseCard) -> Subtitles:
    """Every cue of the course. Never raises for a bad file: what is wrong is in `problems`.

    Videos come in `card.video_order`, those it does not name behind them in natural order of their paths; those of one
    file, in the order of the file. Of a course of more than `MOST_CUES`, the videos beyond are left out.
    """
    reading = _Reading(folder, card)
    with closing(reading.videos()) as found:
        videos = reading.within_limit(found)
    order = {split_suffix(in_lecture_folder(name))[0]: place for place, name in enumerate(card.video_order)}
    reading.tell_unknown_videos(order)
    videos.sort(key=lambda video: order.get(video.report.video_id, len(order)))
    if not videos and (reading.files or not _has_other_input(folder)):
        reading.log.problems.append(_no_subtitles())
    return Subtitles(tuple(_cues(videos, card)), tuple(each.report for each in videos), tuple(reading.log.problems))


def sample_text(path: Path) -> str:
    """Words from the beginning of a subtitle file of any format, to tell its language by; empty when there are none."""
    if is_untimed(path.name):
        lecture = read_untimed(path, "", "zh", ProblemLog())
        return "\n".join(line.text for line in lecture.lines)[:_SAMPLE] if lecture is not None else ""
    words = ""
    for parsed in _parse_videos(path):
        words += "\n".join(line for block in parsed.blocks for line in block.lines) + "\n"
        if len(words) > _SAMPLE:
            break
    return words[:_SAMPLE].strip()


def _parse_videos(path: Path) -> Iterator[ParsedSubtitles]:
    suffix, log = path.suffix.lower(), ProblemLog()
    if suffix in MANY_VIDEO_SUFFIXES:
        if stream := open_text(path, log):
            with stream:
                yield from (found.parsed for found in read_listed_videos(stream, "") if isinstance(found, ListedVideo))
    elif suffix in _PARSERS and (decoded := read_text(path, log, LARGEST_SUBTITLES)):
        yield _PARSERS[suffix](decoded.text)


def _cues(videos: Iterable[_Video], card: CourseCard) -> Iterator[Cue]:
    index = 0
    for video in videos:
        video_id, title = video.report.video_id, video.title
        for place, line in enumerate(video.lines):
            times = line.start_ms, line.end_ms
            yield Cue(card.course_id, video_id, title, index, place, *times, line.text, line.lang)
        index += bool(video.lines)


def _has_other_input(folder: CourseFolder) -> bool:
    return any(input_files(folder, kind) for kind in INPUT_KINDS if kind not in ("card", "subtitles"))


def _no_subtitles() -> Problem:
    message = "The course has no subtitle file that can be read: no concepts can be found in its lectures."
    *most, last = SUBTITLE_SUFFIXES
    remedy = f"Put files ending in {', '.join(most)} or {last} there, or transcripts without times in transcripts/."
    return Problem("subtitles/", None, message, remedy)


@dataclass
class _Reading:
    """One pass over the subtitle files of a course.

    `known` are the videos there are, read or not; `taken` holds the file of each that has cues.
    """

    folder: CourseFolder
    card: CourseCard
    files: tuple[Path, ...] = ()
    log: ProblemLog = field(default_factory=ProblemLog)
    known: dict[str, None] = field(default_factory=dict)
    taken: dict[str, str] = field(default_factory=dict)

    def videos(self) -> Generator[_Video, None, None]:
        """The videos in natural order of their files; what is wrong with a file is reported when it is left."""
        self.files = input_files(self.folder, "subtitles")
        for video_id, paths in self._entries():
            if paths[0].suffix.lower() in MANY_VIDEO_SUFFIXES:
                yield from self._read_listed(paths[0], video_id)
            else:
                yield from self._first_with_cues(paths, video_id)

    def within_limit(self, found: Iterable[_Video]) -> list[_Video]:
        """The videos up to `MOST_CUES`; one without cues counts as a cue, for it takes memory, too."""
        videos, count = list[_Video](), 0
        for video in found:
            count += max(1, len(video.lines))
            if count > MOST_CUES:
                message = f"Reading stopped before video '{video.report.video_id}': the limit of a course is"
                remedy = "Keep only the videos of this course in the file, and divide what is more than one course."
                self.log.error(None, f"{message} {MOST_CUES:,} cues.", remedy)
                break
            self.known[video.report.video_id] = None
            videos.append(video)
        return videos

    def tell_unknown_videos(self, order: Iterable[str]) -> None:
        for name in order:
            if name not in self.known:
                near = difflib.get_close_matches(name, self.known, n=1, cutoff=0.5)
                remedy = f"Did you mean '{near[0]}'?" if near else "Write the file's path without its suffix."
                self.log.file = "course.yaml"
                self.log.warning(None, f"'video_order' names no video: '{name}'.", remedy)

    def _entries(self) -> list[tuple[str, list[Path]]]:
        """The files of each video, best suffix first and then by path; each file of many videos by itself."""
        single: dict[str, list[Path]] = {}
        many: list[tuple[str, list[Path]]] = []
        for path in self.files:
            self.log.file, suffix = self._display(path), path.suffix.lower()
            video_id = video_id_of(path.relative_to(self.folder.path))
            if suffix in MANY_VIDEO_SUFFIXES:
                many.append((video_id, [path]))
            elif suffix in _PARSERS or (is_untimed(path.name) and not is_note(path)):
                single.setdefault(video_id, []).append(path)
            else:
                tell_unread_format(path, self.log)
        self.known.update(dict.fromkeys(single))
        for paths in single.values():
            paths.sort(key=_preference)
        return sorted([*single.items(), *many], key=lambda entry: natural_key(entry[0]))

    def _display(self, path: Path) -> str:
        return decode_name(display_path(path, self.folder.path))

    def _first_with_cues(self, paths: Sequence[Path], video_id: str) -> Iterator[_Video]:
        for path in paths:
            self.log.file = file = self._display(path)
            if video_id in self.taken and is_untimed(path.name):
                message = f"Not read: {self.taken[video_id]} is the same lecture ('{video_id}'), and has times."
                self.log.warning(None, message, "Nothing need be done; rename it if it is another lecture.")
            elif video_id in self.taken:
                message = f"Not read: {self.taken[video_id]} is the same video ('{video_id}')."
                self.log.error(None, message, "Rename one of them, or remove the one that is not wanted.")
            elif video := self._single(path, video_id):
                if video.lines and path != paths[0]:
                    message = f"Used for the video '{video_id}', because {self._display(paths[0])} gave no cue."
                    self.log.warning(None, message, "Mend or remove the other file.")
                if video.lines:
                    self.taken[video_id] = file
                yield video

    def _single(self, path: Path, video_id: str) -> _Video | None:
        if is_untimed(path.name):
            found = read_untimed(path, video_id, self.card.lang, self.log)
            return None if found is None else _Video(found.title or title_of(video_id), found.report, found.lines)
        decoded = read_text(path, self.log, LARGEST_SUBTITLES)
        if decoded is None:
            return None
        parsed = _PARSERS[path.suffix.lower()](decoded.text)
        tell_defects(decoded.text, parsed, self.log)
        spoken = read_spoken_lines(parsed, self.log.file, video_id, decoded.encoding, self.card.lang)
        return _Video(title_of(video_id), *spoken)

    def _read_listed(self, path: Path, name: str) -> Iterator[_Video]:
        self.log.file = self._display(path)
        stream = open_text(path, self.log)
        if stream is None:
            return
        tally, without_cues = DefectTally(), DefectTally()
        try:
            with stream:
                for found in read_listed_videos(stream, name):
                    if isinstance(found, Defect):
                        tally.add(found)
                    elif video := self._of_list(found, stream.encoding, tally):
                        if not video.lines:
                            without_cues.add(_without_cues(found))
                        yield video
        except OSError as error:
            self.log.error(None, f"Reading broke off: {error.strerror or error}.", "Fetch the file again.")
        finally:
            tally.tell(self.log)
            without_cues.tell(self.log)

    def _of_list(self, found: ListedVideo, encoding: str, tally: DefectTally) -> _Video | None:
        if found.video_id in self.taken:
            message = f"Video '{found.video_id}' was not read here: {self.taken[found.video_id]} has it, too."
            tally.add(Defect(found.line, message, "Remove the one that is not wanted.", is_loss=True))
            return None
        for defect in (*found.parsed.defects, *unsafe_captions(found.parsed.blocks)):
            tally.add(defect)
        report, lines = read_spoken_lines(found.parsed, self.log.file, found.video_id, encoding, self.card.lang)
        if lines:
            self.taken[found.video_id] = self.log.file
        return _Video(found.title or title_of(found.video_id), report, lines)


def _preference(path: Path) -> int:
    """Which file of several of one video is read first: subtitles with times before transcripts without."""
    name = path.name.lower()
    return next(place for place, suffix in enumerate((*SUBTITLE_SUFFIXES, *UNTIMED_SUFFIXES)) if name.endswith(suffix))


def _without_cues(video: ListedVideo) -> Defect:
    message = f"Video '{video.video_id}' has no cue."
    return Defect(video.line, message, "Add its subtitles, or leave it if nothing is said in it.", is_loss=False)
