"""Turns pages of a catalogue into records, and says why a page or class gave none. No network, no disk."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.lake.records import CatalogRecord, CourseCard, Mode
from knowledge_graph.sources.catalog.addresses import place_of
from knowledge_graph.sources.catalog.classes import ClassEntry, classes_of, find_general_sentences
from knowledge_graph.sources.catalog.outline import HtmlPage, PageLink
from knowledge_graph.sources.catalog.programs import ProgramTopics, Topics, names_of, programs_of, topics_of
from knowledge_graph.sources.catalog.settings import HOME, CatalogSettings
from knowledge_graph.sources.language import lang_of

DropReason = Literal["no description", "special", "twice", "neither class nor program"]


@dataclass(frozen=True)
class SitePage:
    """A page as it was read. `address` is its canonical address, `shown` what people know it by, `url` where it opens.

    `role` is the kind of pages it was found among; `None` for saved pages, whose content decides.
    """

    address: str
    html: str
    shown: str
    url: str | None = None
    role: Mode | None = None
    is_start: bool = False
    fetched_at: str | None = None


@dataclass(frozen=True)
class Dropped:
    """Something that gave no record: a class (`code`), a topic of a program (`title`) or a whole page."""

    page: str
    code: str | None
    title: str | None
    reason: DropReason


@dataclass(frozen=True)
class PageFacts:
    """What is kept of a page once it has been parsed: never its HTML, so that a large catalogue fits into memory."""

    page: SitePage
    title: str
    classes: tuple[ClassEntry, ...]
    of_all: tuple[str, ...]
    """Sentences above the first class."""
    topics: Topics | None
    links: tuple[PageLink, ...]
    """Kept of start pages only."""


def facts_of(page: SitePage, settings: CatalogSettings) -> PageFacts:
    """What a page says, without its HTML. Raises `PageTooDeep`."""
    html = HtmlPage(page.html, page.address)
    canonical = html.canonical if page.url is None else None
    kept = SitePage(page.address, "", page.shown, page.url or canonical, page.role, page.is_start, page.fetched_at)
    has_classes = page.role != "program"
    return PageFacts(
        page=kept,
        title=html.title,
        classes=classes_of(html.outline(), settings) if has_classes else (),
        of_all=find_general_sentences(html.outline(), settings) if has_classes else (),
        topics=topics_of(html, page.address, settings) if page.role != "class" and not page.is_start else None,
        links=html.links() if page.is_start and page.role != "class" else (),
    )


def records_of(
    pages: Sequence[PageFacts], settings: CatalogSettings, card: CourseCard
) -> tuple[tuple[CatalogRecord, ...], tuple[Dropped, ...]]:
    """One record per class and per topic of a program, sorted by `record_id`; and what was dropped, sorted by page.

    Of two records with the same id the first is kept: pass the better source first.
    """
    programs, of_programs = _programs(pages)
    records = [
        *_class_records(pages, of_programs, settings, card),
        *_beside_classes(pages, of_programs, settings, card),
        *_general_records(pages, of_programs, card),
    ]
    for program in programs:
        records += _program_records(program, {facts.page.address: facts for facts in pages}, _names(pages), card)
    kept: dict[str, CatalogRecord] = {}
    dropped: list[Dropped] = []
    for found in records:
        if isinstance(found, Dropped):
            dropped.append(found)
        elif kept.setdefault(found.record_id, found) is not found:
            dropped.append(Dropped(found.page, found.code, found.title, "twice"))
    codes = {record.code for record in kept.values() if record.code}
    dropped = [_twice(each) if each.reason == "no description" and each.code in codes else each for each in dropped]
    dropped += _idle_pages(pages, of_programs)
    return tuple(kept[key] for key in sorted(kept)), tuple(sorted(dropped, key=_order))


def _twice(dropped: Dropped) -> Dropped:
    """A class that is only named in one place and described in another."""
    return Dropped(dropped.page, dropped.code, dropped.title, "twice")


def _order(dropped: Dropped) -> tuple[str, str, str]:
    return dropped.page, dropped.code or "", dropped.title or ""


def _names(pages: Sequence[PageFacts]) -> dict[str, str]:
    return names_of([(facts.page.address, facts.links) for facts in pages if facts.links])


def _programs(pages: Sequence[PageFacts]) -> tuple[tuple[ProgramTopics, ...], set[str]]:
    """The programs, and the addresses of the pages they were found on."""
    candidates = {
        facts.page.address: facts.topics
        for facts in pages
        if facts.topics and (facts.page.role == "program" or _has_tabs(facts.topics) or not _is_about_classes(facts))
    }
    programs = programs_of(candidates, list(_names(pages)))
    used = {address for program in programs for address in (program.address, *program.pages.values())}
    return programs, used


def _has_tabs(topics: Topics) -> bool:
    """Whether the page has tabs of its own, one of which may describe classes."""
    return bool(topics.fragments.keys() - {HOME})


def _is_about_classes(facts: PageFacts) -> bool:
    """Programs list classes too, but do not describe them."""
    return 2 * sum(bool(entry.description) for entry in facts.classes) > len(facts.classes)


def _class_records(
    pages: Sequence[PageFacts], of_programs: set[str], settings: CatalogSettings, card: CourseCard
) -> Iterator[CatalogRecord | Dropped]:
    for facts in pages:
        for entry in facts.classes if facts.page.address not in of_programs else ():
            if settings.is_special(entry.title):
                yield Dropped(facts.page.shown, entry.code, entry.title, "special")
            elif not entry.description:
                yield Dropped(facts.page.shown, entry.code, entry.title, "no description")
            else:
                yield _record(
                    "class",
                    entry.code,
                    entry.title,
                    None,
                    entry.text,
                    facts.page,
                    facts.page.url,
                    card,
                    code=entry.code,
                )


def _beside_classes(
    pages: Sequence[PageFacts], of_programs: set[str], settings: CatalogSettings, card: CourseCard
) -> Iterator[CatalogRecord]:
    """What a page says of its classes together, and of those that are no records of their own, special ones and those
    without a description: a record of neither expert. An index that only names classes described elsewhere tells
    nothing."""
    described = {entry.code for facts in pages for entry in facts.classes if entry.description}
    for facts in pages:
        if facts.page.address in of_programs:
            continue
        others = (one for one in facts.classes if settings.is_special(one.title) or not one.description)
        told = [
            f"{one.code} {one.title}. {' '.join(one.text.split())}".rstrip()
            for one in others
            if _SAYS_MORE.search(one.text) or one.code not in described
        ]
        if lines := [*facts.of_all, *told]:
            key, title = place_of(facts.page.address), facts.title or facts.page.shown
            yield _record(None, key, title, None, "\n".join(lines), facts.page, facts.page.url, card)


_SAYS_MORE = re.compile(r"^(?!credits?\b|credit hours\b|学分|学时)\S", re.IGNORECASE | re.MULTILINE)
"""A line of a class that says more than its credits."""


def _program_records(
    program: ProgramTopics, pages: Mapping[str, PageFacts], names: Mapping[str, str], card: CourseCard
) -> Iterator[CatalogRecord | Dropped]:
    home = pages[program.address]
    title = names.get(program.address) or home.title or home.page.shown
    own = home.topics.parts if home.topics else {}
    fragments = home.topics.fragments if home.topics else {}
    for topic in sorted({*own, *program.pages}):
        facts = pages[program.pages.get(topic, program.address)]
        text = facts.topics.whole if facts is not home and facts.topics else own.get(topic, "")
        if not text:
            yield Dropped(facts.page.shown, None, f"{title}: {topic}", "no description")
            continue
        url = facts.page.url
        if url is not None and facts is home and topic in fragments:
            url = f"{url}#{fragments[topic]}"
        yield _record("program", place_of(program.address), title, topic, text, facts.page, url, card)


def _general_records(pages: Sequence[PageFacts], of_programs: set[str], card: CourseCard) -> Iterator[CatalogRecord]:
    """Pages on neither a class nor a program that hold whole sentences, such as how to apply. They become programs
    without a topic, since people who ask about programs ask about these."""
    for facts in pages:
        text = _general_text(facts) if facts.page.address not in of_programs else ""
        if text:
            key, title = place_of(facts.page.address), facts.title or facts.page.shown
            yield _record("program", key, title, None, text, facts.page, facts.page.url, card)


_SENTENCE = re.compile(r"[^.。!?！？]{40}[.!?](?:\s|$)|[^.。!?！？]{15}[。！？]")
"""A sentence too long for a title: it tells a page with content from one that only links to others."""


def _general_text(facts: PageFacts) -> str:
    if facts.classes or facts.topics is None or facts.page.is_start:
        return ""
    return facts.topics.whole if _SENTENCE.search(facts.topics.whole) else ""


def _record(
    mode: Mode | None,
    key: str,
    title: str,
    topic: str | None,
    text: str,
    page: SitePage,
    url: str | None,
    card: CourseCard,
    *,
    code: str | None = None,
) -> CatalogRecord:
    return CatalogRecord(
        course_id=card.course_id,
        mode=mode,
        record_id=f"{mode or 'page'}:{key}" if topic is None else f"{mode}:{key}#{topic}",
        code=code,
        title=title,
        topic=topic,
        text=text,
        page=page.shown,
        url=url,
        fetched_at=page.fetched_at,
        lang=lang_of(text, card.lang),
    )


def _idle_pages(pages: Sequence[PageFacts], of_programs: set[str]) -> Iterator[Dropped]:
    for facts in pages:
        if not facts.classes and facts.page.address not in of_programs and not _general_text(facts):
            yield Dropped(facts.page.shown, None, facts.title or None, "neither class nor program")
