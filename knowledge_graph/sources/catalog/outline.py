"""An HTML page to its outline (`lines.py`), links and title. What they mean is for others.

selectolax parses, because real catalogue pages are too large and too broken for a slower or stricter parser. The walk
is a loop, so that no depth of nesting can exhaust the stack.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from knowledge_graph.sources.catalog.lines import RANKS, Outline, OutlineBuilder
from knowledge_graph.sources.headed_text import DEEPEST, depth_of

_SKIPPED = frozenset(
    "script style nav footer aside noscript template svg button select textarea iframe object canvas head".split()
)
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


@dataclass(frozen=True)
class PageLink:
    """A link with its address made absolute and its fragment apart (empty when it has none)."""

    url: str
    fragment: str
    text: str


class PageTooDeep(ValueError):
    """The page is nested too deeply to be parsed in reasonable time."""


class HtmlPage:
    """A parsed page. `address` is what its relative links are relative to, unless the page says otherwise.

    Raises `PageTooDeep`.
    """

    def __init__(self, html: str, address: str) -> None:
        if depth_of(html) > DEEPEST:
            raise PageTooDeep(f"its elements are nested more than {DEEPEST:,} deep")
        self._tree = LexborHTMLParser(html)
        base = self._tree.css_first("base[href]")
        self._base = urljoin(address, _attribute(base, "href")) if base else address

    @property
    def title(self) -> str:
        """The first h1 of the content, else of the page, else the page's title; empty when it has none."""
        for selector in ("main h1", "h1", "title"):
            node = self._tree.css_first(selector)
            if node is not None and (text := " ".join(node.text().split())):
                return text
        return ""

    @property
    def canonical(self) -> str | None:
        """The address by which the page itself wants to be known."""
        node = self._tree.css_first("link[rel=canonical][href]")
        url = urljoin(self._base, _attribute(node, "href").strip()) if node else ""
        return url if url.startswith(("http://", "https://")) else None

    def links(self) -> tuple[PageLink, ...]:
        """Every link of the page, those of its menus too, in order."""
        found = []
        for node in self._tree.css("a[href]"):
            try:
                url, fragment = urldefrag(urljoin(self._base, _attribute(node, "href").strip()))
            except ValueError:
                continue
            found.append(PageLink(url, fragment, " ".join(node.text().split())))
        return tuple(found)

    def outline(self) -> Outline:
        """The content of the page: its `main` when that has text, else its body. Hidden parts are left out."""
        main = self._tree.css_first("main, [role=main]")
        found = _outline(main) if main is not None else Outline((), ())
        body = self._tree.body
        return found if found.lines or body is None else _outline(body)

    def part(self, id_: str) -> Outline | None:
        """What is inside the element with this id, hidden (as the tab that is not open) or not."""
        node = next((each for each in self._tree.css("[id]") if each.id == id_), None)
        return None if node is None or node.tag in RANKS or not node.text().strip() else _outline(node)


def _attribute(node: LexborNode, name: str) -> str:
    return node.attributes.get(name) or ""


def _outline(root: LexborNode) -> Outline:
    builder = OutlineBuilder()
    for node, entering in _walk(root):
        if node.tag == "-text":
            builder.add(node.text_content or "")
        elif entering:
            builder.enter(node)
        else:
            builder.leave(node)
    return builder.finish()


def _walk(root: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Every node that is shown, when it begins and when it ends; of text only the beginning."""
    node = root
    while True:
        is_shown = node.mem_id == root.mem_id or not _is_hidden(node)
        if is_shown:
            yield node, True
            if node.child is not None:
                node = node.child
                continue
        while True:
            if is_shown and node.tag != "-text":
                yield node, False
            if node.mem_id == root.mem_id:
                return
            if node.next is not None:
                node = node.next
                break
            if node.parent is None:
                return
            node, is_shown = node.parent, True


def _is_hidden(node: LexborNode) -> bool:
    if not node.is_element_node:
        return node.tag != "-text"
    attributes = node.attributes
    unseen = "hidden" in attributes or attributes.get("aria-hidden") == "true"
    return node.tag in _SKIPPED or unseen or _UNSEEN.search(attributes.get("style") or "") is not None
