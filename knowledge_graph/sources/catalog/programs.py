"""Programs: which pages are a program's tabs, and its text by topic (home, requirements).

Tabs are pages that link to each other, elements of one page to which it links, or sections under headings of one page.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from knowledge_graph.sources.catalog.addresses import page_address
from knowledge_graph.sources.catalog.lines import Outline, PageLine
from knowledge_graph.sources.catalog.outline import HtmlPage, PageLink
from knowledge_graph.sources.catalog.settings import HOME, CatalogSettings

_LOWEST_HEADING = 6
_MOST_NAMES = 10
"""A page that more pages than these call one of their tabs is the whole site's, not a program's."""


@dataclass(frozen=True)
class Topics:
    """What one page says of a program: `tabs` are the pages it calls its tabs, `parts` its own text by topic.

    `parts` has always `home`; `fragments` say where on the page a part can be opened.
    """

    tabs: Mapping[str, str]
    parts: Mapping[str, str]
    fragments: Mapping[str, str]

    @property
    def whole(self) -> str:
        return "\n".join(text for text in self.parts.values() if text)


@dataclass(frozen=True)
class ProgramTopics:
    """A program by the address of its home page, and where each of its topics is found."""

    address: str
    pages: Mapping[str, str]
    """Topic -> address of the page that is its tab; a topic that is part of the home page is not here."""


def topics_of(page: HtmlPage, address: str, settings: CatalogSettings) -> Topics:
    """The tabs a page links to and the parts it has itself."""
    outline, title = page.outline(), page.title
    lines = [None if _is_label(line, title, settings) else line for line in outline.lines]
    tabs: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    fragments: dict[str, str] = {}
    for topic, target, link in _tab_links(page, settings):
        if target != address or not link.fragment:
            tabs.setdefault(topic, target)
        elif topic not in found and (
            taken := _take_linked_text(page.part(link.fragment), link.fragment, outline, lines)
        ):
            found[topic], fragments[topic] = taken, link.fragment
    for topic, text in _sections(outline.lines, lines, settings):
        found.setdefault(topic, []).append(text)
    rest = [line.text for line in lines if line is not None]
    parts = {HOME: found.pop(HOME, None) or rest, **found}
    return Topics(tabs, {topic: "\n".join(texts) for topic, texts in parts.items()}, fragments)


def programs_of(pages: Mapping[str, Topics], linked: Sequence[str]) -> tuple[ProgramTopics, ...]:
    """The programs among pages (by address, start pages left out), in the order of the pages.

    `linked` are the pages to which the start pages link. Where no page at all has tabs, these are the programs.
    """
    groups: dict[str, dict[str, str]] = {}
    tabs = _own_tabs(pages)
    for address, topics in pages.items():
        others = {topic: target for topic, target in tabs[address].items() if topic != HOME}
        if others or topics.parts.keys() - {HOME}:
            read = {topic: target for topic, target in others.items() if target in pages}
            groups.setdefault(_home_of(address, tabs), {}).update(read)
    if not groups:
        groups = {address: {} for address in linked if address in pages}
    tab_pages = {target for home, own in groups.items() for target in own.values() if target != home}
    return tuple(ProgramTopics(home, own) for home, own in groups.items() if home not in tab_pages)


def names_of(starts: Sequence[tuple[str, Sequence[PageLink]]]) -> dict[str, str]:
    """Address of a program -> its name, from the links of the start pages (Tulane's dictionary, turned round).

    A text that leads to several pages, such as "Read more", is no name.
    """
    names: dict[str, str] = {}
    targets: dict[str, set[str]] = {}
    for start, links in starts:
        for link in links:
            target = _address(link)
            if target and target != start and link.text:
                names.setdefault(target, link.text)
                targets.setdefault(link.text, set()).add(target)
    return {target: name for target, name in names.items() if len(targets[name]) == 1}


def _address(link: PageLink) -> str | None:
    try:
        return page_address(link.url)
    except ValueError:
        return None


def _tab_links(page: HtmlPage, settings: CatalogSettings) -> Iterator[tuple[str, str, PageLink]]:
    for link in page.links():
        topic, target = settings.topic_of(link.text), _address(link)
        if topic is not None and target is not None:
            yield topic, target, link


def _take_linked_text(part: Outline | None, fragment: str, outline: Outline, lines: list[PageLine | None]) -> list[str]:
    """The text a link within the page leads to, removed from `lines`."""
    at = next((at for at, line in enumerate(outline.lines) if fragment in line.ids), None)
    if part is not None:
        texts = [line.text for line in part.lines]
        if at is not None and outline.lines[at].text == texts[0]:
            lines[at : at + len(texts)] = [None] * len(texts)
        return texts
    return [] if at is None else _cut(at, _section_end(outline.lines, at), lines)


def _sections(
    all_lines: Sequence[PageLine], lines: list[PageLine | None], settings: CatalogSettings
) -> list[tuple[str, str]]:
    """The sections under headings that name a topic, removed from `lines`."""
    found = []
    for at, line in enumerate(all_lines):
        topic = _topic_of_heading(line.text, settings) if line.rank <= _LOWEST_HEADING else None
        if topic is not None and lines[at] is not None:
            found.append((topic, "\n".join(_cut(at, _section_end(all_lines, at), lines))))
    return found


def _topic_of_heading(text: str, settings: CatalogSettings) -> str | None:
    """As of a tab, but a heading may begin with other words: B.A. Degree Requirements."""
    if topic := settings.topic_of(text):
        return topic
    ending = ((topic, name) for topic, names in settings.tabs.items() if topic != HOME for name in names)
    return next((topic for topic, name in ending if text.lower().endswith(f" {name}")), None)


def _section_end(lines: Sequence[PageLine], at: int) -> int:
    rank = lines[at].rank
    return next((end for end in range(at + 1, len(lines)) if lines[end].rank <= min(rank, _LOWEST_HEADING)), len(lines))


def _cut(start: int, end: int, lines: list[PageLine | None]) -> list[str]:
    texts = [line.text for line in lines[start:end] if line is not None]
    lines[start:end] = [None] * (end - start)
    return texts


def _is_label(line: PageLine, title: str, settings: CatalogSettings) -> bool:
    """Whether a line only names the page or a tab."""
    return (line.rank == 1 and line.text == title) or (line.is_link and settings.topic_of(line.text) is not None)


def _own_tabs(pages: Mapping[str, Topics]) -> dict[str, dict[str, str]]:
    """The tabs of each page, read or not, without those of the whole site."""
    named = Counter(target for topics in pages.values() for target in set(topics.tabs.values()))
    return {
        address: {topic: target for topic, target in topics.tabs.items() if named[target] <= _MOST_NAMES}
        for address, topics in pages.items()
    }


def _home_of(address: str, tabs: Mapping[str, Mapping[str, str]]) -> str:
    """The home page of the program a page belongs to: tabs of one program lead to each other."""
    own = {target for topic, target in tabs[address].items() if topic != HOME}
    home = tabs[address].get(HOME)
    if home is not None and home in tabs and own & {target for topic, target in tabs[home].items() if topic != HOME}:
        return home
    if address in own:
        return next((each for each in tabs if each not in own and own & set(tabs[each].values())), address)
    return address
