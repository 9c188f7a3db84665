"""What a session is about: the concepts of the turns so far and of the moment of the video.

Belongs here: finding the focus. Rewriting a question by it is in `follow_up_references.py` and
`follow_up_fragments.py`.
"""

import re
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import Mention
from knowledge_graph.lake.records import Lang

LONGEST_LABEL = 80
"""Characters of a list item that still name something. A choice."""

Origin = Literal["question", "answer", "position"]

_ASPECT = re.compile(
    r"\b(?:complexity|running time|runtime|worst case|best case)$|(?:复杂度|最坏情况|最好情况)$", re.IGNORECASE
)
_GENERAL = frozenset(
    "algorithm,method,technique,approach,concept,model,function,structure,data structure,term,example,problem,solution,"
    "算法,方法,技术,概念,模型,函数,结构,数据结构,例子,问题,性质,应用".split(",")
)
_ITEM = re.compile(r"^[ \t]*(?:\d{1,2}[.)、．]|[(（]\d{1,2}[)）]|[-*•·])[ \t]*(\S[^\n]*)$", re.MULTILINE)
_INLINE_ITEM = re.compile(r"[(（]\d[)）]\s*([^(（;；\n]{1,80})")
_LABEL_END = re.compile(r"[:：。;；(（]|\s[-–—]\s|——|[,，]|\.\s|\.$")
_MARKUP = re.compile(r"[*_`]{1,3}|\[\d+\]")


@dataclass(frozen=True)
class Position:
    """A moment of a video: `at_ms` milliseconds from its start. `title` is the video's, if known."""

    course_id: str
    video_id: str
    at_ms: int
    title: str | None = None


@dataclass(frozen=True)
class Topic:
    """Concepts that were named together, in the order of naming; more than one are equally recent."""

    concepts: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True)
class Focus:
    """What a session is about.

    `topics`: of the turns since the subject last changed, most recent first. `here`: of the moment of the video.
    `previous`: the last question of the user, resolved; empty at the start. `listed`: what the last answer listed.
    `ended`: what a question that names no concept left. `context`: what the last question leaned on. `answered`: the
    name of what the last answer is about, where that is more than the question names.
    """

    topics: tuple[Topic, ...] = ()
    here: Topic | None = None
    previous: str = ""
    listed: tuple[str, ...] = ()
    ended: Topic | None = None
    context: str = ""
    answered: str = ""
    video_title: str | None = None

    @property
    def current(self) -> Topic | None:
        """What "it" means: the newest topic; the moment of the video only when nothing was asked yet."""
        if self.topics:
            return self.topics[0]
        return None if self.previous else self.here


@dataclass(frozen=True)
class TextSubjects:
    """What a text names: `subjects` are what it is about, `aspects` what it asks of them ("time complexity")."""

    subjects: tuple[Mention, ...]
    aspects: tuple[Mention, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.concept_id for one in self.subjects or self.aspects))


def find_subjects(text: str, graph: ConceptGraph, lang: Lang | None = None) -> TextSubjects:
    """The concepts of a text, told into subjects and aspects.

    Words for kinds of things ("algorithm", "data structure") count only when nothing else is named.
    """
    mentions = graph.mentions(text, lang)
    aspects = tuple(one for one in mentions if aspect_head(one.name))
    others = tuple(one for one in mentions if not aspect_head(one.name))
    special = tuple(one for one in others if one.name.lower() not in _GENERAL)
    return TextSubjects(special, aspects) if special or aspects else TextSubjects(others, ())


def aspect_head(name: str) -> str | None:
    """The last words of a name that has to be had by something, such as "complexity"; `None` for what stands alone."""
    found = _ASPECT.search(name)
    return found.group().lower() if found else None


def find_listed(answer: str) -> tuple[str, ...]:
    """The names of the items that an answer lists, by line or in brackets; fewer than two are no list."""
    items = _ITEM.findall(answer)
    if len(items) < 2:
        items = _INLINE_ITEM.findall(answer)
    labels = [_LABEL_END.split(_MARKUP.sub("", item).strip(), maxsplit=1)[0].strip() for item in items]
    return tuple(labels) if len(labels) > 1 and all(0 < len(one) <= LONGEST_LABEL for one in labels) else ()
