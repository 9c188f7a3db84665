"""`read_catalog`: the catalogue of a course folder, from its saved pages and from the web, as one set of records."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.records import CatalogRecord, CourseCard
from knowledge_graph.sources.catalog.addresses import address_of_saved
from knowledge_graph.sources.catalog.changes import CatalogChanges, compare, find_unseen, with_first_times
from knowledge_graph.sources.catalog.crawl import Crawl, crawl
from knowledge_graph.sources.catalog.outline import PageTooDeep
from knowledge_graph.sources.catalog.pages import Dropped, DropReason, PageFacts, SitePage, facts_of, records_of
from knowledge_graph.sources.catalog.settings import CatalogSettings, read_settings
from knowledge_graph.sources.fields import ProblemLog, repair
from knowledge_graph.sources.files import decode_with_warnings, read_bytes
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.web.fetching import WebClient

LARGEST_SAVED_PAGE = 10_000_000
"""Bytes. The largest catalogue pages have about 2 MB; as much as is read from the web."""


@dataclass(frozen=True)
class Catalog:
    """A catalogue as it is now. `page_count` counts the pages that were read, whether or not they gave records."""

    records: tuple[CatalogRecord, ...]
    dropped: tuple[Dropped, ...]
    changes: CatalogChanges
    problems: tuple[Problem, ...]
    page_count: int

    @property
    def dropped_counts(self) -> dict[DropReason, int]:
        """Reason -> how many classes, topics or pages were dropped for it."""
        return dict(sorted(Counter(each.reason for each in self.dropped).items()))


def read_catalog(
    folder: CourseFolder, card: CourseCard, *, client: WebClient | None, previous: Sequence[CatalogRecord] = ()
) -> Catalog:
    """The records of the catalogue, by id, and what has changed since `previous`; never raises for a page.

    Of a class on the web and saved the one on the web is kept. Without a `client`, or when a crawl could not be
    completed, records of pages that were not looked at stay as they were: a server that is down deletes nothing.
    """
    log = ProblemLog()
    settings = read_settings(folder, log)
    has_starts = bool(settings.programs or settings.classes)
    report = Crawl(is_complete=not log.has_errors() and (client is not None or not has_starts))
    facts = _facts(crawl(client, settings, report, log), settings, log) if client is not None else []
    if has_starts and client is None:
        message = "The start links were not followed, because nothing may be asked of the web."
        log.warning(None, message, "Allow it, or save the pages into the folder catalog/.")
    facts += _facts(_read_saved_pages(folder, log), settings, log)
    records, dropped = records_of(facts, settings, card)
    records = tuple(_repair(record, log) for record in records)
    kept = () if report.is_complete else find_unseen(previous, records, report.seen)
    log.file = settings.file
    _tell_outcome(len(kept), 0 if records else len(facts), log)
    current = tuple(sorted((*with_first_times(records, previous), *kept), key=lambda record: record.record_id))
    problems = tuple(dict.fromkeys(log.problems))
    return Catalog(current, dropped, compare(previous, current), problems, len(facts))


def _repair(record: CatalogRecord, log: ProblemLog) -> CatalogRecord:
    """The record with what can be shown of its title and text; what was taken out is reported with its page."""
    log.file = record.page
    title, text = repair("title", record.title, None, log), repair("text", record.text, None, log)
    return replace(record, title=title, text=text)


def _tell_outcome(kept: int, barren: int, log: ProblemLog) -> None:
    """Say how many records were `kept` unseen, or that none was found on the `barren` pages that were read."""
    if kept:
        message = f"{kept} record(s) of pages that were not read this time were kept as they were."
        log.warning(None, message, "Run it again when the site can be read.")
    elif barren:
        message = f"No class or program was found on {barren} page(s)."
        log.error(None, message, "Check code_pattern and tabs, or save pages of classes and programs.")


def _facts(pages: Iterable[SitePage], settings: CatalogSettings, log: ProblemLog) -> list[PageFacts]:
    facts = []
    for page in pages:
        try:
            facts.append(facts_of(page, settings))
        except PageTooDeep as error:
            log.error(None, f"{page.shown} was not read: {error}.", "Check the page in a browser.")
    return facts


def _read_saved_pages(folder: CourseFolder, log: ProblemLog) -> Iterator[SitePage]:
    for path in input_files(folder, "catalog_pages"):
        if path.suffix.lower() in (".html", ".htm"):
            log.file = display_path(path, folder.path)
            data = _page_bytes(path, log)
            if data is not None:
                inside = path.relative_to(folder.path).as_posix().partition("/")[2]
                yield SitePage(address_of_saved(inside), decode_with_warnings(data, log).text, log.file)


def _page_bytes(path: Path, log: ProblemLog) -> bytes | None:
    """The bytes of a saved page; `None`, with a problem logged, when it is too large or cannot be read."""
    try:
        size = path.stat().st_size
    except OSError:
        size = 0
    if size > LARGEST_SAVED_PAGE:
        message = f"The page has {size:,} bytes, at most {LARGEST_SAVED_PAGE:,} are read."
        log.error(None, message, "Save the page alone, without its pictures.")
        return None
    return read_bytes(path, log)
