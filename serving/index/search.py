"""`SearchIndex`: BM25 search over one immutable index version, whichever engine keeps it.

What is coteach's and no engine's is here: the terms of a question, who may see what, thresholds, how well a stored
question matches. What the scores mean for an answer is `serving.assistant.retrieval`'s.
"""

import asyncio
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeVar

import structlog

from knowledge_graph.lake.records import Mode
from knowledge_graph.lake.source_kinds import PAIR_SOURCES
from knowledge_graph.lake.tables import digest
from serving.index import confidence
from serving.index.analysis import content_terms, query_terms, terms
from serving.index.calibration import Beta, read_beta
from serving.index.engine import Asked, Hit, IndexDamaged, IndexMissing, IndexReader, Manifest
from serving.index.schema import KINDS, PLATFORM_SOURCE, Entry, Kind, index_format, list_scopes
from serving.index.tantivy_reader import TantivyReader

_REMOVALS = 5

T = TypeVar("T")

LONG_QUESTION = 600
"""Characters of a question from which other people are not kept waiting while it is searched for. A choice."""

log = structlog.get_logger(__name__)

_AMPLY = 4
"""Times as many entries are looked for where some may have to be left out. A choice."""

_INFORMAL: frozenset[str] = frozenset(name for name, source in PAIR_SOURCES.items() if source.informal)
"""Sources that are searched only where that is set."""

REMEMBERED = 256
"""Searches whose hits are kept, the latest: some dozen questions'. A version never changes, so they stay true."""


def _require_whole(version: Path, files: Mapping[str, str]) -> None:
    """Compare each file with its SHA-256: Tantivy reads a wrong byte as it stands, and answers wrongly or fails."""
    for name, content in files.items():
        path = version / name
        if not path.is_file() or digest(path) != content:
            what = "is not what was built" if path.is_file() else "is gone"
            raise IndexDamaged(f"The search index is damaged: {path} {what}. Run `coteach build`.")


Shares = Callable[[str | None, str | None], bool]
"""Whether what the first course has may be shown in the second (`ConceptGraph.shares`)."""


class SearchIndex:
    """One version of the index. Safe to share between threads; never changes once opened."""

    def __init__(self, folder: Path, reader: IndexReader) -> None:
        self.folder = folder
        self.version = folder.name
        self.reader = reader
        self.beta: Beta = read_beta(folder)
        """The calibrated threshold of direct answers that belongs to this version."""
        self._weights = lru_cache(maxsize=65536)(self._idf)
        self._found = lru_cache(maxsize=REMEMBERED)(self._within)
        self._hidden = _INFORMAL
        self._visible: frozenset[str] | None = None
        self._shares: Shares | None = None
        self._platforms: tuple[str, ...] = ()

    @classmethod
    def open(cls, folder: Path, *, own_copy: bool = False) -> "SearchIndex":
        """The version that `folder/CURRENT` names, by the engine that its manifest names.

        Tantivy's files are mapped into memory, and a file that is cut while it is mapped ends the process. `own_copy`
        maps a copy that nobody else can name: it is removed as soon as it is open, and its room is free when it is
        closed.

        Raises `IndexMissing` when there is none that can be read, `IndexDamaged` when its files are not what was built.
        """
        current = folder / "CURRENT"
        version = current.read_text(encoding="utf-8", errors="replace").strip() if current.is_file() else ""
        manifest = folder / version / "manifest.json"
        if not version or not manifest.is_file():
            raise IndexMissing(f"No search index in {folder}. Run `coteach build` first.")
        try:
            told: Manifest = json.loads(manifest.read_text(encoding="utf-8"))
        except ValueError as error:
            raise IndexDamaged(f"{manifest} is damaged: {error}. Run `coteach build`.") from error
        if (facts := told.get("engine")) is not None:
            from serving.index.lance_reader import open_version  # noqa: PLC0415  an extra, and a second to import

            _require_whole(folder / version, told["files"])
            return cls(folder / version, open_version(folder / version, told, facts))
        if told.get("made_with") != index_format():
            raise IndexMissing(f"The search index in {folder} was made by another coteach. Run `coteach build` again.")
        if own_copy:
            return cls._open_copy(folder / version, told.get("files", {}))
        _require_whole(folder / version, told.get("files", {}))
        return cls(folder / version, TantivyReader(folder / version))

    @classmethod
    def _open_copy(cls, version: Path, files: Mapping[str, str]) -> "SearchIndex":
        """Over a copy, when the disk has room for one; what is compared with its digests is what will be read."""
        place: Path | None = None
        try:
            try:
                place = Path(tempfile.mkdtemp(prefix=".open-", dir=version.parent))
                copied = place / version.name
                shutil.copytree(version, copied)
            except (OSError, shutil.Error) as error:
                log.warning("index_not_copied", reason=str(error)[:200])
                _require_whole(version, files)
                return cls(version, TantivyReader(version))
            _require_whole(copied, files)
            opened = cls(copied, TantivyReader(copied))
            opened.folder = version
            return opened
        finally:
            if place is not None:
                _remove(place)

    def within(self, visible: Collection[str] | None, shares: Shares | None) -> "SearchIndex":
        """The same index without entries of courses that are not `visible` (`None`: all are), and without those that
        their course does not share with the one that is asked."""
        seen = copy(self)
        seen._visible = None if visible is None else frozenset(visible)
        seen._shares = shares
        return seen

    def with_informal(self) -> "SearchIndex":
        """The same index with what nobody checks, which is hidden otherwise."""
        told = copy(self)
        told._hidden = frozenset()
        return told

    def with_platforms(self, course_ids: Iterable[str]) -> "SearchIndex":
        """The same index, in which the FAQ of these courses is the platform's: it answers in every course with which
        they share, also for those who may not see the platform's course itself."""
        told = copy(self)
        told._platforms = tuple(sorted(course_ids))
        return told

    def platforms_for(self, course_id: str | None) -> tuple[str, ...]:
        """The courses whose FAQ answers in this one as the platform's; by id. Of all courses (`None`) those that share
        with any that may be seen."""
        asked = (course_id,) if course_id is not None or self._visible is None else (*sorted(self._visible),)
        shares = self._shares or (lambda platform, course: True)
        return tuple(one for one in self._platforms if one != course_id and any(shares(one, each) for each in asked))

    def allows(self, entry: Entry, course_id: str | None) -> bool:
        """Whether an entry may be shown to those who ask in a course."""
        if entry.source in self._hidden:
            return False
        if entry.course_id is None or entry.course_id == course_id:
            return True
        if self._is_platforms(entry) and entry.course_id in self.platforms_for(course_id):
            return True
        is_seen = self._visible is None or entry.course_id in self._visible
        return is_seen and (self._shares is None or self._shares(entry.course_id, course_id))

    def _is_platforms(self, entry: Entry) -> bool:
        return entry.source == PLATFORM_SOURCE and entry.course_id in self._platforms

    def mark_platform(self, entry: Entry) -> Entry:
        """The entry, said to be the platform's where it is one of its FAQ."""
        return replace(entry, is_platform=True) if self._platforms and self._is_platforms(entry) else entry

    @cached_property
    def _hides_some(self) -> bool:
        return not self._hidden.isdisjoint(self.reader.counts("qa"))

    async def find(self, search: Callable[[], T], question: str = "") -> T:
        """What a search for a question finds; in a thread of its own where the engine takes its time, or the question
        is so long that its words do: 4,000 Chinese characters that no dictionary has take .2 s to be parted."""
        is_long = len(question) > LONG_QUESTION
        return await asyncio.to_thread(search) if is_long or self.reader.takes_time else search()

    def counts(self) -> dict[Kind, dict[str, int]]:
        """Entries per kind and source, counted in the index itself."""
        return {kind: self.reader.counts(kind) for kind in KINDS}

    def search(
        self,
        query: str | Sequence[str],
        *,
        kind: Kind = "qa",
        lang: str | None = None,
        course_id: str | None = None,
        sources: Collection[str] | None = None,
        subject: str | None = None,
        mode: Mode | None = None,
        k: int = 10,
    ) -> list[Hit]:
        """The `k` best entries for a text, or for terms already analysed; best first, ties by id.

        A text is searched by its content words and pairs, terms by themselves. `course_id` keeps passages of that
        course only; of QA pairs it keeps that course's, those of no course, those of `EVERY_COURSE_SOURCES`, and
        the platform's FAQ. A `mode` keeps what a catalogue expert of that mode knows. `None` leaves a filter out.
        """
        words, pairs = query_terms(query) if isinstance(query, str) else (dict.fromkeys(query), ())
        if not words or k < 1:
            return []
        asked = (tuple(words), tuple(pairs))
        named = {"lang": lang, "subject": subject, "mode": mode}
        exact = tuple((name, value) for name, value in named.items() if value is not None)
        is_all_shown = self._visible is None and self._shares is None and not self._hides_some
        amply = k if is_all_shown else _AMPLY * k
        platforms = self.platforms_for(course_id) if self._platforms else ()
        within = None if sources is None else tuple(sources)
        found = self._found(kind, asked, exact, course_id, within, platforms, amply)
        shown = [hit for hit in found if self.allows(hit.entry, course_id)][:k]
        return [replace(hit, entry=self.mark_platform(hit.entry)) for hit in shown] if self._platforms else shown

    def _within(
        self,
        kind: Kind,
        asked: Asked,
        named: tuple[tuple[str, str], ...],
        course_id: str | None,
        sources: tuple[str, ...] | None,
        platforms: tuple[str, ...],
        k: int,
    ) -> list[Hit]:
        """The `k` best; remembered by `_found`, as strategies and composers ask for the same again."""
        exact: dict[str, Collection[str]] = {name: [value] for name, value in named}
        if course_id is None:
            return self.reader.best(kind, asked, exact if sources is None else exact | {"source": sources}, k)
        places = self._places(kind, course_id, sources, platforms)
        return self.reader.best(kind, asked, exact | {"scope": places}, k) if places else []

    def _places(
        self, kind: Kind, course_id: str, sources: tuple[str, ...] | None, platforms: tuple[str, ...]
    ) -> list[str]:
        """The scopes whose entries may answer in a course, those that have any."""
        asked = list_scopes(kind, course_id, sources, platforms)
        return [place for place in asked if self.reader.size(kind, place)]

    def entries(self, kind: Kind, ids: Iterable[str]) -> list[Entry]:
        """The entries with these ids, in their order; ids that are not there are skipped."""
        found = self.reader.entries(kind, list(ids))
        seen = (None, *self._visible) if self._visible is not None else None
        shown = [entry for entry in found if seen is None or entry.course_id in seen or self._is_platforms(entry)]
        return [self.mark_platform(entry) for entry in shown]

    def list_pairs(self, *, course_id: str | None, mode: Mode | None, most: int) -> list[Entry]:
        """QA pairs that may answer in a course, of one mode or any, sorted by id: those of the first `most` that may be
        shown."""
        allowed: dict[str, Collection[str]] = {} if mode is None else {"mode": [mode]}
        if course_id is not None:
            allowed["scope"] = list_scopes("qa", course_id, None, self.platforms_for(course_id))
        found = self.reader.list_entries("qa", allowed, most)
        return sorted(
            (self.mark_platform(one) for one in found if self.allows(one, course_id)), key=lambda one: one.entry_id
        )

    def match(self, question: str, entry: Entry) -> float:
        """How well the stored question of `entry` matches `question`, from 0 to 1 (`confidence.overlap`)."""
        return confidence.overlap(content_terms(question), content_terms(entry.title), self._weights)

    def support(self, question: str, text: str) -> float:
        """How much of `question` is spoken of in `text`, from 0 to 1 (`confidence.share`)."""
        return confidence.share(content_terms(question), terms(text), self._weights)

    def idf(self, term: str) -> float:
        """Weight of a term over every entry of this version, above 0; the largest for a term never seen."""
        return self._weights(term)

    def _idf(self, term: str) -> float:
        return confidence.idf(self.reader.documents(), self.reader.frequency(term))


def _remove(folder: Path) -> None:
    """Remove a folder in which the index that was opened in it may still write a lock file."""
    for _ in range(_REMOVALS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.01)
    log.warning("index_copy_not_removed", folder=str(folder))
