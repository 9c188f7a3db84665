"""A question under consideration, and how the focus is put into it.

Belongs here: what the rules of `follow_up_references.py` and `follow_up_fragments.py` share.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Lang
from serving.assistant.understanding.focus import Focus, TextSubjects, Topic, aspect_head, find_subjects
from serving.assistant.understanding.follow_up_words import WORDS, FollowUpPatterns

LONGEST_FOLLOW_UP = 160
"""Characters. What is longer stands alone. A choice."""

MOST_JOINED = 3
"""Concepts that "they" stands for at most. A choice."""

MOST_NEAR = 50
"""Concepts around the focus among which a fuller name is looked for. A choice."""

Reason = Literal[
    "complete", "pronoun", "aspect", "fragment", "same_question", "ordinal", "position", "no_focus", "ambiguous"
]


@dataclass(frozen=True)
class Resolved:
    """A question that stands alone, as far as it could be made to.

    `added` says for people what was put in ("it -> stack (from the previous question)"); empty when nothing was.
    `candidates` are concept ids to choose from when `reason` is `ambiguous`. `context` is what stands in brackets
    behind the question because the turn before was about it.
    """

    question: str
    added: tuple[str, ...] = ()
    reason: Reason = "complete"
    candidates: tuple[str, ...] = ()
    context: str = ""

    @property
    def is_changed(self) -> bool:
        return bool(self.added)


@dataclass(frozen=True)
class FollowUpQuestion:
    """`text` as it was asked; `core` is without the words it leads in with (`lead`) and its last punctuation."""

    text: str
    core: str
    lead: str
    lang: Lang
    names: TextSubjects
    focus: Focus
    graph: ConceptGraph

    @property
    def words(self) -> FollowUpPatterns:
        return WORDS[self.lang]

    @property
    def is_zh(self) -> bool:
        return self.lang == "zh"

    @property
    def is_continued(self) -> bool:
        """Whether it says itself that it goes on: "and …", "what about …", 那…, …呢."""
        if self.is_zh:
            return self.core.endswith("呢") or self.lead.rstrip("，, ").endswith(("那", "那么", "还有", "以及"))
        return re.search(r"\b(?:and|also|about)\W*$", self.lead, re.IGNORECASE) is not None

    @property
    def asks(self) -> bool:
        return any(self.words.asks.search(text) for text in (self.text, self.core))

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is about the running of the course or about life, so that no concept may be put in."""
        return self.words.elsewhere.search(self.text) is not None

    @property
    def previous_subject(self) -> str | None:
        """The one concept that the previous question is about; `None` when it is about none or several."""
        ids = {one.concept_id for one in find_subjects(self.focus.previous, self.graph).subjects}
        return next(iter(ids)) if len(ids) == 1 and len(self.focus.previous) <= LONGEST_FOLLOW_UP else None


Rule = Callable[[FollowUpQuestion], Resolved | None]
"""`None` when it has nothing to say, else the question as far as it could be resolved."""


@dataclass(frozen=True)
class Subject:
    """What is put in: the name to write, and the short and the fuller name of an aspect that is taught with it."""

    name: str
    aspect: tuple[str, str] | None = None

    def fuller(self, text: str) -> str:
        """The text with the aspect's fuller name."""
        return text if self.aspect is None else text.replace(*self.aspect, 1)


FOUND = {"question": "from the previous question", "answer": "from the previous answer", "position": "from the video"}


_NAMES_ANOTHER = re.compile(
    r"\W*(?:(?:and|but|so|ok|okay),? )?(?:what|how) about (?!(?:it|that|this|those|these|them|one)\b)[a-z]",
    re.IGNORECASE,
)
"""A question that names what it is about: what an answer says in passing is not meant."""


def put_in(
    asked: FollowUpQuestion,
    write: Callable[[Subject], str],
    *,
    reason: Reason = "fragment",
    what: str = "",
    plural: bool = False,
    topic: Topic | None = None,
    aspect: str = "",
) -> Resolved:
    """The question that `write` makes with the focus, or why there is none to make it with.

    `what` is what the focus stands for, by default the whole question; `plural`: it may stand for several concepts;
    `topic` is by default the current one; `aspect` is a text in which an aspect may be named short.
    """
    meant = topic or asked.focus.current
    if asked.focus.answered and meant == asked.focus.current and not plural:
        name = asked.focus.answered
        return Resolved(write(Subject(name)), (f"{what or asked.core} -> {name} ({FOUND['answer']})",), reason)
    ids = tuple(key for key in meant.concepts if key in asked.graph) if meant else ()
    if meant is None or not ids:
        return Resolved(asked.text, reason="no_focus")
    if len(ids) > 1 and not plural:
        ids = _earlier_topics(heads(asked.focus.previous, ids, asked.graph), asked.focus)
    is_named = _NAMES_ANOTHER.match(asked.text) is not None and len(ids) > 1
    if (len(ids) > MOST_JOINED or is_named) and meant.origin == "answer":
        return Resolved(asked.text, reason="no_focus")  # what an answer says in passing is nothing to choose from
    if len(ids) > (MOST_JOINED if plural else 1):
        return Resolved(asked.text, reason="ambiguous", candidates=ids)
    name = ("和" if asked.is_zh else " and ").join(names_of(ids, asked.graph))
    subject = Subject(name, _fuller_name(aspect, ids, asked))
    added = [f"{what or asked.core} -> {name} ({FOUND[meant.origin]})"]
    if subject.aspect is not None:
        added.append(f"{subject.aspect[0]} -> {subject.aspect[1]} (taught with {name})")
    return Resolved(write(subject), tuple(added), reason)


def _earlier_topics(ids: tuple[str, ...], focus: Focus) -> tuple[str, ...]:
    """The one of several concepts that the session was about before; all where none or several were."""
    before = {key for topic in focus.topics[1:] for key in topic.concepts}
    found = tuple(key for key in ids if key in before)
    return found if len(found) == 1 else ids


_OWNED = re.compile(r"^ (?:of|in) (?:an? |the |this |that )?(?:[\w-]+ )?$")
"""What stands between a thing and its owner: "the load factor of a hash table"."""


def heads(question: str, ids: tuple[str, ...], graph: ConceptGraph) -> tuple[str, ...]:
    """The concepts without the owner of another one beside it: "load factor" of "the load factor of a hash table",
    装填因子 of 哈希表的装填因子. All of them where none is an owner."""
    mentions = sorted((one for one in graph.mentions(question) if one.concept_id in ids), key=lambda one: one.start)
    owners = set()
    for one, after in pairwise(mentions):
        between = question[one.end : after.start]
        if _OWNED.match(between.lower()):
            owners.add(after.concept_id)
        elif between == "的":
            owners.add(one.concept_id)
    return tuple(key for key in ids if key not in owners) or ids


def names_of(ids: tuple[str, ...], graph: ConceptGraph) -> tuple[str, ...]:
    return tuple(graph.concept(key).name for key in ids if key in graph)


def _fuller_name(text: str, ids: tuple[str, ...], asked: FollowUpQuestion) -> tuple[str, str] | None:
    """An aspect's short name in the text, and its fuller one when just one such aspect is taught with the concept.

    "complexity" means "time complexity" where the graph knows that and no other complexity beside the concept.
    """
    head = asked.words.short_aspect.search(text)
    if head is None or len(ids) != 1 or any(one.surface != head.group() for one in asked.names.aspects):
        return None
    around = asked.graph.neighbours(ids[0], most=MOST_NEAR)
    near = {one.name for one in (*around.prerequisites, *around.dependants, *around.taught_with)}
    short = head.group().lower()
    full = [name for name in near if aspect_head(name) == short and name.lower() != short]
    return (head.group(), full[0]) if len(full) == 1 else None
