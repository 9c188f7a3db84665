"""`CourseLectureIndex`: the sentences of every lecture as the pipeline left them, read when a course is first asked
about."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import structlog

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import from_row
from knowledge_graph.lake.tables import TableDamaged, read_if_whole, read_rows
from knowledge_graph.transcripts.lecture_names import alike, lecture_names
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.called_names import find_called_names
from serving.assistant.composing.lettered_names import Kinds, find_lettered_kinds
from serving.assistant.composing.reply_cues import rejects
from serving.assistant.understanding.spelling import Vocabulary
from serving.index.analysis import analyse

Found = TypeVar("Found")

log = structlog.get_logger(__name__)

MOST_COURSES = 32
"""Courses whose sentences are kept in memory, the latest asked; a course of 100 lectures takes about 5 MB."""

MOST_KEPT = 1 << 12
"""Findings that are kept with a course's lectures, a few for each of its concepts."""
_NEVER_FOUND: Any = object()


@dataclass(frozen=True)
class SpokenLecture:
    """One video: its sentences in order, at least one."""

    sentences: tuple[LectureSentence, ...]

    @property
    def video_id(self) -> str:
        return self.sentences[0].video_id

    @property
    def title(self) -> str:
        return self.sentences[0].video_title

    @property
    def index(self) -> int:
        return self.sentences[0].video_index

    @cached_property
    def text(self) -> str:
        """All of its sentences."""
        return " ".join(one.text for one in self.sentences)

    @cached_property
    def places(self) -> dict[int, int]:
        """Where among `sentences` the one of each position stands; the first, should two have the same."""
        return {one.position: place for place, one in reversed(list(enumerate(self.sentences)))}

    @property
    def chapters(self) -> Iterator[tuple[LectureSentence, ...]]:
        """The sentences of each chapter, in order."""
        for _, chapter in groupby(self.sentences, key=attrgetter("chapter")):
            yield tuple(chapter)

    def between(self, start_ms: int, end_ms: int) -> tuple[LectureSentence, ...]:
        """The sentences that begin in this stretch."""
        return tuple(one for one in self.sentences if start_ms <= one.start_ms < end_ms)


def first_within(sentences: Sequence[LectureSentence], characters: float) -> tuple[LectureSentence, ...]:
    """The first sentences that are no longer together, at least one."""
    sizes = accumulate(len(one.text) for one in sentences)
    within = tuple(one for one, size in zip(sentences, sizes, strict=True) if size <= characters)
    return within or tuple(sentences[:1])


@dataclass(frozen=True)
class CourseLectures:
    """The lectures of one course in teaching order, none for a course without subtitles, and its written texts."""

    lectures: tuple[SpokenLecture, ...] = ()
    written: tuple[str, ...] = field(default=(), repr=False)
    titles: tuple[str, ...] = field(default=(), repr=False)
    """Each passage of its documents and its catalogue, and the title of each."""

    @cached_property
    def by_id(self) -> dict[str, SpokenLecture]:
        return {lecture.video_id: lecture for lecture in self.lectures}

    @cached_property
    def titles_by_id(self) -> dict[str, str]:
        return {lecture.video_id: lecture.title for lecture in self.lectures}

    @cached_property
    def names(self) -> dict[str, str]:
        """By id, what each lecture is called where somebody reads it."""
        return lecture_names(self.titles_by_id)

    def name_of(self, lecture: SpokenLecture) -> str:
        """Its title, with what tells it from others of the same title, if there are any: "Heaps (2/3)"."""
        return self.names[lecture.video_id]

    def find_behind(self, sentence: LectureSentence) -> LectureSentence | None:
        """The sentence right behind one."""
        lecture = self.by_id[sentence.video_id]
        place = lecture.places[sentence.position] + 1
        return lecture.sentences[place] if place < len(lecture.sentences) else None

    def is_rejected(self, sentence: LectureSentence) -> bool:
        """Whether the one behind takes it back in a few words: nobody claims it."""
        behind = self.find_behind(sentence)
        return behind is not None and rejects(behind.continued or behind.text)

    def with_same_title(self, lecture: SpokenLecture) -> list[SpokenLecture]:
        """The lectures that have its title, itself among them."""
        return [self.by_id[one] for one in alike(self.titles_by_id, lecture.video_id)]

    @cached_property
    def _sentences(self) -> tuple[LectureSentence, ...]:
        return tuple(one for lecture in self.lectures for one in lecture.sentences)

    @cached_property
    def called_names(self) -> Mapping[str, bool]:
        """What the lectures may give as names in Chinese, and whether they say that something is called so."""
        return find_called_names((one.text for one in self._sentences if one.lang == "zh"), self.titles_by_id.values())

    @cached_property
    def lettered_kinds(self) -> Kinds:
        """By a kind, the letters of the things of it that are told apart by them: vitamins."""
        return find_lettered_kinds((*(one.text for one in self._sentences), *self.written))

    @cached_property
    def _postings(self) -> dict[str, frozenset[int]]:
        """By index term, the numbers of the sentences that hold it."""
        found: dict[str, set[int]] = defaultdict(set)
        for number, sentence in enumerate(self._sentences):
            for term in analyse(sentence.text).words:
                found[term].add(number)
        return {term: frozenset(numbers) for term, numbers in found.items()}

    def naming(self, things: Sequence[Iterable[Collection[str]]]) -> dict[str, list[LectureSentence]]:
        """By video, the sentences that name each of several things; a thing by all terms of one of its names."""
        numbers = [self._numbers(names) for names in things]
        found: dict[str, list[LectureSentence]] = defaultdict(list)
        for number in sorted(set.intersection(*numbers)) if numbers else ():
            found[self._sentences[number].video_id].append(self._sentences[number])
        return found

    def _numbers(self, names: Iterable[Collection[str]]) -> set[int]:
        listed = ([self._postings.get(term, frozenset()) for term in name] for name in names if name)
        return {number for each in listed for number in frozenset.intersection(*each)}

    @cached_property
    def words(self) -> Vocabulary:
        """The words of the lectures and of what is written, to which mistyped ones are put right."""
        return Vocabulary.of((*(one.text for one in self._sentences), *self.written), self.titles)

    @cached_property
    def _memo(self) -> dict[Hashable, Any]:
        return {}

    def keep(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """What `find` finds in these lectures, looked for once; `key` names it and all that it depends on beside
        them."""
        memo = self._memo
        found: Found = memo.get(key, _NEVER_FOUND)
        if found is _NEVER_FOUND:
            if len(memo) >= MOST_KEPT:
                memo.clear()
            found = memo[key] = find()
        return found

    def warm_up(self) -> None:
        """Read every sentence's terms now: the first question would wait for it (0.2 s for 100 lectures)."""
        _ = self._postings, self.words


@dataclass(frozen=True)
class CourseLectureIndex:
    """Over one home; `None` where there is none, as in a test of something else."""

    data_dir: DataDir | None = None
    _known: dict[str, tuple[tuple[int, ...], CourseLectures]] = field(default_factory=dict, repr=False)

    def warm_up(self, course_ids: Iterable[str]) -> None:
        """Read the courses now that the first questions would wait for."""
        for course_id in list(course_ids)[:MOST_COURSES]:
            self.of(course_id).warm_up()

    def names_of(self, course_id: str | None) -> Mapping[str, str]:
        """By id, what each lecture of a course is called."""
        return self.of(course_id).names

    def of(self, course_id: str | None) -> CourseLectures:
        """The lectures of a course, read again when a build has replaced them."""
        if self.data_dir is None or course_id is None:
            return CourseLectures()
        paths = (self.data_dir.table("lecture_sentences", course_id), self.data_dir.table("passages", course_id))
        stamps = tuple(map(_stamp, paths))
        if not any(stamps):
            return CourseLectures()
        known = self._known.pop(course_id, None)
        if known is None or known[0] != stamps:
            known = (stamps, CourseLectures(_read(paths[0]) if stamps[0] else (), *_read_written(paths[1])))
        self._known[course_id] = known
        while len(self._known) > MOST_COURSES:
            self._known.pop(next(iter(self._known)))
        return known[1]


def _stamp(path: Path) -> int:
    """When a table was last written; 0 for none."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _read(path: Path) -> tuple[SpokenLecture, ...]:
    """The lectures of a table; none, and a line in the log, for one that is damaged: passages are answered from
    then."""
    try:
        rows = [from_row(LectureSentence, row) for row in read_rows(path)]
    except (TableDamaged, OSError, KeyError) as error:
        log.warning("lectures_not_read", path=str(path), reason=str(error), remedy="coteach build")
        return ()
    videos = groupby(rows, key=attrgetter("video_index"))
    return tuple(SpokenLecture(tuple(video)) for _, video in videos)


def _read_written(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The texts and the titles of a course's passages that are of no lecture."""
    rows = [row for row in read_if_whole(path, ("source", "title", "text")) if row["source"] != "subtitle"]
    return tuple(row["text"] for row in rows), tuple(dict.fromkeys(row["title"] for row in rows))
