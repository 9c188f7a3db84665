"""The blocks of an Open edX course export in teaching order: pointers followed, settings inherited, hidden parts out.

What a video, page or problem says is for `olx.py` and `olx_problem.py`.
"""

import json
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.importing.export_files import file_inside, read_xml

_DEEPEST = 20
"""Levels of blocks; a course has five and a few wrappers."""
_DEEPEST_ROOT = 4
_CONTAINERS = {
    "course", "chapter", "sequential", "vertical", "videosequence", "problemset", "wrapper", "split_test",
    "library_content", "itembank", "conditional", "randomize", "section",
}  # fmt: skip
_LEAVES = {"html", "video", "problem"}
_SILENT = {"wiki", "textbook", "pdf_textbook", "html_textbook", "metadata"}
_HIDING = ("visible_to_staff_only", "hide_from_toc")
_DEFAULT_TITLES = {"", "video", "text", "html", "raw html", "blank problem", "problem", "unit", "blank common problem"}


@dataclass(frozen=True)
class Block:
    """A video, page or problem. `trail` has the titles above it, from chapter to unit; `file` is where it stands."""

    tag: str
    name: str
    title: str
    element: ET.Element
    file: str
    trail: tuple[str, ...]
    graded: bool
    showanswer: str


@dataclass(frozen=True)
class _Above:
    """What a block takes over from those above it. What is due by a date and says nothing of grades counts as graded:
    its solutions are left out rather than told."""

    trail: tuple[str, ...] = ()
    graded: bool = False
    showanswer: str = "finished"
    depth: int = 0


@dataclass
class OlxTree:
    """An export at `root`, the folder of `course.xml`. `hidden` and `unread` fill while `blocks` is read."""

    root: Path
    log: ProblemLog
    course: ET.Element
    run: str
    policy: Mapping[str, object]
    hidden: list[str] = field(default_factory=list)
    unread: Counter[str] = field(default_factory=Counter)
    _seen: set[str] = field(default_factory=set)
    """Files that were followed to. None is twice: files that point at each other would never end."""

    def setting(self, name: str) -> object:
        """A setting of the course: the policy's, else the attribute."""
        return self._settings("course", self.run, self.course).get(name)

    def blocks(self) -> Iterator[Block]:
        """Every block that students see, in teaching order."""
        yield from self._below(self.course, f"course/{self.run}.xml", _Above())

    def _below(self, element: ET.Element, file: str, above: _Above) -> Iterator[Block]:
        for child in element:
            if child.tag not in _SILENT and isinstance(child.tag, str):
                yield from self._blocks_of(child, file, above)

    def _blocks_of(self, child: ET.Element, file: str, above: _Above) -> Iterator[Block]:
        found = follow(self.root, child, file, self.log)
        if found is None:
            return
        element, target = found
        if element is not child and target in self._seen:
            self.log.error(None, f"{file} names {target}, which was read already; it was left out.", _EXPORT_AGAIN)
            return
        self._seen.add(target)
        file = target
        name = element.get("url_name") or child.get("url_name") or ""
        settings = self._settings(element.tag, name, element)
        title = str(settings.get("display_name") or "").strip()
        if any(str(settings.get(key)).lower() == "true" for key in _HIDING):
            self.hidden.append(title or f"{element.tag} {name}")
        elif element.tag in _LEAVES:
            yield self._block(element, name, title, file, self._inherit(above, settings, ()))
        elif element.tag in _CONTAINERS and above.depth < _DEEPEST:
            yield from self._below(element, file, self._inherit(above, settings, (title,) if title else ()))
        elif element.tag in _CONTAINERS:
            self.log.error(None, f"{file}: more than {_DEEPEST} levels; the rest was left out.", _EXPORT_AGAIN)
        else:
            self.unread[element.tag] += 1

    def _block(self, element: ET.Element, name: str, title: str, file: str, above: _Above) -> Block:
        if title.lower() in _DEFAULT_TITLES and above.trail:
            title = above.trail[-1]
        return Block(element.tag, name, title or name, element, file, above.trail, above.graded, above.showanswer)

    def _inherit(self, above: _Above, settings: Mapping[str, object], titles: tuple[str, ...]) -> _Above:
        graded = settings.get("graded")
        is_due = str(settings.get("due") or "null").strip('"') not in ("null", "")
        return _Above(
            trail=(*above.trail, *titles),
            graded=above.graded or is_due if graded is None else str(graded).lower() == "true",
            showanswer=str(settings.get("showanswer") or above.showanswer).strip('"').lower(),
            depth=above.depth + 1,
        )

    def _settings(self, tag: str, name: str, element: ET.Element) -> dict[str, object]:
        policy = self.policy.get(f"{tag}/{name}")
        return {**element.attrib, **(policy if isinstance(policy, dict) else {})}


_EXPORT_AGAIN = "Export the course again from Studio."


def find_olx(folder: Path) -> Path | None:
    """The folder of `course.xml`: `folder` itself or, as Studio and GitHub pack it, the only one some levels below."""
    for depth in range(_DEEPEST_ROOT):
        found = sorted(path.parent for path in folder.glob("*/" * depth + "course.xml"))
        if found:
            return found[0] if len(found) == 1 else None
    return None


def read_tree(root: Path, log: ProblemLog) -> OlxTree | None:
    """The course at `root`; `None`, with an error in `log`, when `course.xml` or what it points at is unreadable."""
    pointer = read_xml(root, "course.xml", log)
    if pointer is None:
        return None
    found = follow(root, pointer, "course.xml", log)
    if found is None or found[0].tag != "course":
        log.error(None, "course.xml: expected a <course>, found none that can be read.", _EXPORT_AGAIN)
        return None
    run = pointer.get("url_name") or found[0].get("url_name") or ""
    for name in ("org", "course"):
        if pointer.get(name):
            found[0].set(name, pointer.get(name, ""))
    return OlxTree(root, log, found[0], run, _policy(root, run, log))


def follow(root: Path, element: ET.Element, file: str, log: ProblemLog) -> tuple[ET.Element, str] | None:
    """The element itself, or what it points at with nothing but a name; with the file in which it is written."""
    name = element.get("url_name") or element.get("slug")
    if len(element) or (element.text or "").strip() or not name:
        return element, file
    target = f"{element.tag}/{name.replace(':', '/')}.xml"
    if file_inside(root, target) is None:
        # Only a name and nothing there is a broken pointer; with other attributes it is a block of its own.
        if set(element.attrib) <= {"url_name", "slug", "org", "course"}:
            log.error(None, f"{file} names {target}, which is not there (or has over 20 MB).", _EXPORT_AGAIN)
            return None
        return element, file
    found = read_xml(root, target, log)
    if found is None:
        return None
    found.attrib.update({key: value for key, value in element.attrib.items() if key not in found.attrib})
    return found, target


def _policy(root: Path, run: str, log: ProblemLog) -> Mapping[str, object]:
    for name in (f"policies/{run}/policy.json", f"policies/{run}.json"):
        path = file_inside(root, name)
        if path is not None and (decoded := read_text(path, log)) is not None:
            try:
                found = json.loads(decoded.text)
            except (ValueError, RecursionError) as error:
                log.warning(None, f"{name} is not valid JSON: {error}; it was not used.", _EXPORT_AGAIN)
                return {}
            return found if isinstance(found, dict) else {}
    return {}
