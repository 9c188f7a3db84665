"""Crawls the pages of a university catalogue, from the start links to everything below them. Parses nothing but links.

It obeys robots.txt, waits between pages, sends conditional requests (`WebClient` does) and stops at a limit. A page
that fails is reported and skipped.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from urllib.parse import urljoin

from knowledge_graph.lake.records import Mode
from knowledge_graph.sources.catalog.addresses import is_within, may_be_page, page_address
from knowledge_graph.sources.catalog.outline import HtmlPage, PageTooDeep
from knowledge_graph.sources.catalog.pages import SitePage
from knowledge_graph.sources.catalog.settings import CatalogSettings
from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.web.errors import WebError, WebNotFollowed, WebRefused
from knowledge_graph.sources.web.fetching import WebClient, WebPage
from knowledge_graph.sources.web.robots import Robots

_GONE = (404, 410)
_LISTED_PER_PAGE = 2
"""Queued addresses per page of `max_pages`: robots.txt forbids some of them, and one page may link to 100,000."""
_HTML = ("", "text/html", "application/xhtml+xml")


@dataclass
class Crawl:
    """The outcome of a crawl, complete once its iterator is exhausted.

    `seen`: addresses that were read or are gone for good. `is_complete`: no page failed and none was left out at a
    limit, so a class that was not found does not exist.
    """

    seen: set[str] = field(default_factory=set)
    is_complete: bool = True
    forbidden: list[str] = field(default_factory=list)
    """Pages that robots.txt asks not to read."""


@dataclass(frozen=True)
class _Task:
    address: str
    is_start: bool
    found_on: str


def crawl(client: WebClient, settings: CatalogSettings, report: Crawl, log: ProblemLog) -> Iterator[SitePage]:
    """The pages below the start links, programs first, each once, in the order in which they are linked."""
    log.file = settings.file
    crawler = _Crawler(client, settings, report, log)
    yield from crawler.pages("program", settings.programs)
    yield from crawler.pages("class", settings.classes)
    if report.forbidden:
        message = f"robots.txt asks not to read {len(report.forbidden)} page(s), such as {report.forbidden[0]}."
        log.warning(None, message, "Ask the site's owner, or save these pages into the folder catalog/.")


class _Crawler:
    def __init__(self, client: WebClient, settings: CatalogSettings, report: Crawl, log: ProblemLog) -> None:
        self._client, self._settings, self._report, self._log = client, settings, report, log
        self._robots = Robots(client)
        self._known: set[str] = set()
        self._requests = self._failures = self._listed = 0
        self._has_more = False

    def pages(self, role: Mode, starts: tuple[str, ...]) -> Iterator[SitePage]:
        within = (*starts, *self._settings.stay_within)
        other = self._settings.classes if role == "program" else self._settings.programs
        addresses = [address for address in map(page_address, starts) if address not in self._known]
        queue = deque(_Task(address, True, self._settings.file) for address in addresses)
        self._known.update(addresses)
        self._listed += len(addresses)
        while self._may_go_on(len(queue)):
            task = queue.popleft()
            page = self._read_page(task, within)
            if page is None:
                continue
            shared = is_within(task.address, other)
            address = page_address(page.url)
            yield SitePage(
                address, page.text, page.url, page.url, None if shared else role, task.is_start, page.fetched_at
            )
            queue.extend(self._find_linked_tasks(page.text, address, within))

    def _may_go_on(self, left: int) -> bool:
        if not left and not self._has_more:
            return False
        why, remedy = "", ""
        if self._requests >= self._settings.max_pages or not left:
            why = f"{self._requests:,} pages were read"
            remedy = "Raise max_pages, or choose start links that lead to less."
        elif self._failures >= self._client.settings.max_failures:
            why = f"{self._failures} pages in a row failed"
            remedy = "Try again later; what was read before is kept."
        if why:
            self._report.is_complete = False
            more = f"at least {left + 1}" if self._has_more else f"{left}"
            self._log.error(None, f"{why}; {more} more page(s) that were linked were not asked for.", remedy)
        return not why

    def _read_page(self, task: _Task, within: tuple[str, ...]) -> WebPage | None:
        """The page, if it is HTML of this catalogue and was not read before; else `None`. Failures are reported."""
        if not self._may_read(task):
            return None
        self._requests += 1
        try:
            page = self._client.get(task.address, may_follow=lambda address: self._may_follow(task, address, within))
        except WebNotFollowed as error:
            self._failures = 0
            if not is_within(error.target, within):
                self._report_outside(task, error.target)
            return None
        except WebError as error:
            self._report_failure(task, error)
            return None
        self._failures = 0
        self._report.seen |= {task.address, page.url, page_address(page.url)}
        return page if page.media_type in _HTML and self._is_new(task, page_address(page.url), within) else None

    def _is_new(self, task: _Task, address: str, within: tuple[str, ...]) -> bool:
        """Whether the final address, after redirects, lies in this catalogue and was not reached before."""
        if address == task.address:
            return True
        if is_within(address, within):
            known = address in self._known
            self._known.add(address)
            return not known
        self._report.seen.discard(task.address)
        self._report_outside(task, address)
        return False

    def _may_follow(self, task: _Task, address: str, within: tuple[str, ...]) -> bool:
        """Whether a redirect stays in this catalogue and robots.txt allows its target; a forbidden one is noted."""
        return is_within(address, within) and self._may_read(replace(task, address=page_address(address)))

    def _report_outside(self, task: _Task, address: str) -> None:
        self._report.is_complete = False
        message = f"{task.address} (linked on {task.found_on}) leads to {address}, outside the catalogue."
        self._log.error(None, message, "Check whether it asks for a login; else add that address to stay_within.")

    def _may_read(self, task: _Task) -> bool:
        allowed = self._robots.allows(task.address)
        delay = max(self._settings.delay_seconds, self._robots.crawl_delay(task.address) or 0.0)
        self._client.keep_apart(task.address, delay)
        error = self._robots.unreachable.get(urljoin(task.address, "/robots.txt"))
        if error is not None:
            self._report.is_complete = False
            if task.is_start:
                self._log.error(None, f"{task.address} was not read: its robots.txt: {error.message}", error.remedy)
        elif not allowed:
            self._report.forbidden.append(task.address)
        return allowed

    def _report_failure(self, task: _Task, error: WebError) -> None:
        is_gone = isinstance(error, WebRefused) and error.status in _GONE
        if is_gone:
            self._report.seen.add(task.address)
        else:
            self._failures += 1
        if not is_gone or task.is_start:
            self._report.is_complete = False
        remedy = "Check the start link." if task.is_start else error.remedy
        self._log.error(None, f"{task.address} (linked on {task.found_on}) was not read: {error.message}", remedy)

    def _find_linked_tasks(self, html: str, address: str, within: tuple[str, ...]) -> Iterator[_Task]:
        try:
            links = HtmlPage(html, address).links()
        except PageTooDeep:
            return
        for link in links:
            if not may_be_page(link.url) or not is_within(link.url, within):
                continue
            target = page_address(link.url)
            if target in self._known:
                continue
            if self._listed >= _LISTED_PER_PAGE * self._settings.max_pages:
                self._has_more, self._report.is_complete = True, False
                return
            self._listed += 1
            self._known.add(target)
            yield _Task(target, False, address)
