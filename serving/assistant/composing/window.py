"""`Window`: a few neighbouring sentences of a piece, and how they are shown: what is left out of them, what is read on
beside them, and which lie over each other. Pure.

Which sentences these are is chosen in `windows`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from knowledge_graph.lake.records import Lang
from knowledge_graph.text.time_code import paragraph_of
from serving.assistant.composing.announcements import TELLS_USES, announces_reasons
from serving.assistant.composing.composed import ComposedStatement
from serving.assistant.composing.cues import (
    goes_on,
    is_no_fact,
    is_of_a_sum,
    sets_a_task,
    speaks_of_the_talk,
    withdraws,
)
from serving.assistant.composing.fragments import is_fragment
from serving.assistant.composing.material import MaterialLine, MaterialPiece, join_material_lines, safe
from serving.assistant.composing.opposites import says_opposite
from serving.assistant.composing.terms import terms_of
from serving.index.evidence import Evidence
from serving.index.schema import Entry

LENGTH: dict[Lang, int] = {"en": 500, "zh": 170}
"""Characters at which a window is long enough: three to five sentences. A choice."""


LONGEST_HEADING: dict[Lang, int] = {"en": 24, "zh": 8}
"""Characters of a sentence that is a heading, said aloud. A choice."""


@dataclass(frozen=True)
class Window:
    """`piece.lines[start:stop]` around the sentence `anchor`.

    `score` orders windows; `own`, `near` are the shares of the question, by weight, that the anchor and that the window
    with its title speak of; `is_cued` and `has_aspect` whether it has the wording of an answer and the aspect asked
    for.
    """

    piece: MaterialPiece
    start: int
    stop: int
    anchor: int
    score: float
    own: float
    near: float
    is_cued: bool
    has_aspect: bool
    facts: tuple[float, ...] = ()
    """What `score` weighs, in the order of the weights of `windows`."""
    key: int = -1
    """The sentence that answers best by itself; -1 where it was not looked for."""
    marked: bool = False
    """Whether it answers so clearly that it is shown in bold."""
    is_announced: bool = False
    """Whether it begins where the lecturer says that the answer follows: nothing before that belongs to it."""
    reads_back: bool = True
    """Whether it is shown with what the first sentence of its piece leans on, if it begins with that one."""

    @cached_property
    def lines(self) -> tuple[MaterialLine, ...]:
        """The sentences that are shown: what the first of the piece leans on, where the window begins with that, and
        its own."""
        is_read_back = self.reads_back and self.start == 0 and not (self._begins_with_key or self.is_announced)
        return self.piece.before + self.own_lines if is_read_back else self.own_lines

    @cached_property
    def own_lines(self) -> tuple[MaterialLine, ...]:
        """Its sentences that are shown: those that point at something unseen are left out, and a question that nothing
        follows, but for the anchor, the key and what ends a sentence that captions cut. What follows one left out does
        not continue it, and says so."""
        shown: list[int] = []
        for place in range(self.start, self.stop):
            is_end = place - 1 in shown and HANGS.match(self.piece.lines[place - 1].text) is not None
            if place in (self.anchor, self.key) or is_end or not turns_away(self.piece, place, self.stop):
                shown.append(place)
        lines = ((place, self.piece.lines[place]) for place in shown)
        return tuple(
            line if place - 1 in shown else replace(line, continued=None, after_gap=place != shown[0])
            for place, line in lines
        )

    @property
    def _begins_with_key(self) -> bool:
        """Whether the first sentence is the one that answers, and only goes on with what is said before it."""
        return self.start == self.key and goes_on(self.piece.lines[self.start].text)

    @cached_property
    def text(self) -> str:
        return join_material_lines(self.lines, self.piece.lang)

    @property
    def statement(self) -> ComposedStatement:
        """The sentences with where they stand, the key in bold among others; a catalogue's record under its name."""
        text = join_material_lines(self._lines_with_bold_key, self.piece.lang)
        if self.piece.entry.source == "catalog":
            text = f"**{safe(self.piece.entry.title)}**\n" + "\n".join(line.text for line in self.lines)
        elif (not self.lines[0].is_sentence or is_slide(self.piece.entry)) and (
            heading := heading_of(self.piece.entry)
        ):
            text = f"**{safe(heading)}**\n{text}"
        return ComposedStatement(text, self.piece.evidence(self.lines))

    @property
    def _lines_with_bold_key(self) -> tuple[MaterialLine, ...]:
        """The lines, with the key in bold where it stands among others."""
        lines = self.lines
        key = self.piece.lines[self.key]
        if not self.marked or len(lines) < LEAST_MARKED or not key.is_sentence or "*" in key.text:
            return lines
        return tuple(
            replace(line, text=f"**{line.text}**", continued=line.continued and f"**{line.continued}**")
            if line.start_ms == key.start_ms and line.text == key.text
            else line
            for line in lines
        )


HANGS = re.compile(r"^(?:(?:so|and|but),? ){0,2}(?:if|when|because|since|although|whereas)\b[^,]*$", re.IGNORECASE)
"""A sentence that says under which condition, and leaves what holds then to the next."""

LEAST_MARKED = 3
"""Sentences of which the one that answers is marked. A choice."""


def heading_of(entry: Entry) -> str:
    """What stands right above a part of a document, a slide's title; empty where nothing does."""
    if entry.source != "document":
        return ""
    return entry.title.partition(" — ")[2].rpartition(" › ")[2] or entry.title.rpartition(" — ")[2]


def is_slide(entry: Entry | Evidence) -> bool:
    """Whether a part of a document is a slide, whose title says what its lines are about."""
    return entry.locator is not None and (entry.locator.document or "").lower().endswith(".pptx")


def not_overlapping(windows: Iterable[Window], most: int) -> list[Window]:
    """The first `most` windows of which none lies over one before it; what one is read back to is shown once."""
    chosen: list[Window] = []
    for window in windows:
        if len(chosen) == most:
            break
        if not any(_overlap(window, other) for other in chosen):
            chosen.append(window)
    return [_without_said_before(window, [other for other in chosen if other is not window]) for window in chosen]


def _without_said_before(window: Window, others: Sequence[Window]) -> Window:
    """A window that is not read back to what another one shows."""
    said = {line.text for other in others for line in other.own_lines}
    return replace(window, reads_back=not any(line.text in said for line in window.piece.before))


def with_context(window: Window, asked: str = "") -> Window:
    """A window of a lecture with the sentence right before it, if that leans on nothing and does not ask, and neither a
    heading nor a question follows, and the `BEHIND` right behind it, as far as they speak of the subject: what an
    answer needs and a quote lacks stands at its edge more often than anywhere; no opposite of what is `asked`. One of a
    document with the sentence of the same paragraph before it, which names what the next one speaks of."""
    piece, start = window.piece, window.start
    if piece.entry.source == "document" and start > 0 and piece.lines[start].block is None:
        return window if any(piece.wordings[start - 1]) else replace(window, start=start - 1)
    if piece.entry.source != "subtitle":
        return window
    before = (
        start > 0
        and not (is_heading(piece, start) or piece.wordings[start][2])
        and not window.is_announced
        and not any(piece.wordings[start - 1])
        and not says_opposite(asked, piece.lines[start - 1].text)
        and not is_no_fact(asked, piece.lines[start - 1].text)
        and _is_of_one_paragraph(*piece.lines[start - 1 : start + 1])
    )
    stop = window.stop
    while stop < min(window.stop + BEHIND, len(piece.lines)) and not leads_away(piece, stop):
        stop += 1
    return replace(window, start=begin_before_fragment(piece, start - before), stop=stop)


def begin_before_fragment(piece: MaterialPiece, start: int) -> int:
    """Where to begin a quote of a lecture so that what a sentence without a verb ends stands before it."""
    if start == 0 or piece.entry.source != "subtitle" or not is_fragment(piece.lines[start].text):
        return start
    return begin_with_what_it_leans_on(piece, start)


def begin_with_what_it_leans_on(piece: MaterialPiece, start: int) -> int:
    """Where to begin so that the sentence before stands there as well, and what that leans on."""
    begin = start - 1
    while begin > max(0, start - MOST_PREMISES) and piece.wordings[begin][0]:
        begin -= 1
    return begin


MOST_PREMISES = 2
"""Sentences before a conclusion that are read with it. A choice."""


def is_heading(piece: MaterialPiece, place: int) -> bool:
    """Whether a sentence is a heading, said aloud, and goes on with nothing: "Insert."."""
    line = piece.lines[place]
    is_short = len(line.text.split()) <= MOST_WORDS_OF_HEADING and piece.sizes[place] <= LONGEST_HEADING[piece.lang]
    return is_short and line.continued is None


MOST_WORDS_OF_HEADING = 2
"""Words of a sentence that is no more than a heading. A choice."""


def leads_away(piece: MaterialPiece, place: int) -> bool:
    """Whether a sentence speaks of something else: "In this next video, …"."""
    line = piece.lines[place]
    is_told = TELLS_USES.search(line.text) is not None
    return line.is_sentence and not is_told and (sets_a_task(line.text) or speaks_of_the_talk(line.text))


def join_neighbours(windows: Sequence[Window]) -> list[Window]:
    """The windows, but one in place of a window and those of its piece that begin in it or at most `MOST_BETWEEN`
    sentences behind it: the sentence that answers stands between two quotes more often than anywhere else. What breaks
    off is read on."""
    joined: list[Window] = []
    for window in map(_with_end, windows):
        place = next((place for place, other in enumerate(joined) if _follows(window, other)), None)
        if place is None:
            joined.append(window)
        else:
            other = joined[place]
            piece = max(other.piece, window.piece, key=lambda one: len(one.lines))  # one may be read on in its lecture
            joined[place] = replace(other, piece=piece, stop=max(other.stop, window.stop))
    return joined


def with_announced_first(windows: Sequence[Window]) -> list[Window]:
    """The windows, but the second one first where it announces several reasons and the best one goes on right behind
    it: that has the last of them."""
    if len(windows) < 2:
        return list(windows)
    best, second, *others = windows
    places = [one.piece.entry.locator for one in (best, second)]
    videos = [place.video_id if place is not None else None for place in places]
    (begins, _), (starts, stops) = _times(best), _times(second)
    is_behind = videos[0] is not None and videos[0] == videos[1] and starts <= begins <= stops + RIGHT_BEHIND_MS
    is_announced = any(announces_reasons(line.text) for line in second.own_lines)
    return [second, best, *others] if is_behind and is_announced else list(windows)


RIGHT_BEHIND_MS = 15_000
"""How far behind another window one goes on with it. A choice."""


def _with_end(window: Window) -> Window:
    """A window with the sentence behind it, where its last one breaks off, "the other thing is", and with what is begun
    again behind a sum that is withdrawn."""
    lines, stop = window.piece.lines, window.stop
    breaks_off = stop < len(lines) and _BREAKS_OFF.search(lines[stop - 1].text)
    last = max(
        (at for at in range(stop, min(stop + MOST_WITHDRAWN, len(lines))) if withdraws(lines[at].text)), default=-1
    )
    if last >= 0 and is_of_a_sum(lines[stop - 1].text):
        return replace(window, stop=min(last + 1 + MOST_REDONE, len(lines)))
    return replace(window, stop=stop + 1) if breaks_off else window


MOST_WITHDRAWN, MOST_REDONE = 4, 5
"""Sentences in which a sum is withdrawn, and in which it is done again. Choices."""


_BREAKS_OFF = re.compile(
    r"\b(?:is|are|was|were|be|because|that|which|called|named|says?|said|wrote|the|an?|of|to|and|or|but|than)[.:,]*$"
    r"|[:：，、+]。?$|(?:[是为叫]|说[过道]?|写道|表示|比如|例如|包括|因为)[。：]?$",
    re.IGNORECASE,
)


def _follows(other: Window, one: Window) -> bool:
    """Whether a window begins in another one or at most `MOST_BETWEEN` sentences behind it."""
    is_of_one_piece = one.piece.entry.entry_id == other.piece.entry.entry_id
    return is_of_one_piece and one.start <= other.start <= one.stop + MOST_BETWEEN


MOST_BETWEEN = 3
"""Sentences between two windows that are quoted with them. A choice."""


def _is_of_one_paragraph(one: MaterialLine, other: MaterialLine) -> bool:
    """Whether two lines may be cited by one place: a lecture without times is cited by its paragraphs."""
    return paragraph_of(one.start_ms) == paragraph_of(other.start_ms)


BEHIND = 3
"""Sentences that are read on behind the first window. With two and the one before the best window answers .66 of 631
questions where it did .60, and the best three .84 where they did .82, for 200 characters more; with a third one the
best window answers 421 of 702 questions where it did 416, for 44 characters more. A choice."""


def turns_away(piece: MaterialPiece, place: int, stop: int) -> bool:
    """Whether a sentence says nothing by itself: it speaks of the lecture, points at something unseen and is far from
    what is asked, or asks, and nothing before `stop` follows."""
    line = piece.lines[place]
    if not line.is_sentence:
        return False
    _, points, asks = piece.wordings[place]
    if points and (line.meaning < POINTS_AWAY or speaks_of_the_talk(line.text)):
        return TELLS_USES.search(line.text) is None
    return asks and place + 1 >= stop


POINTS_AWAY = 0.2
"""Meaning (stretched cosine) below which a sentence that points at something unseen is not shown. A choice."""


def _overlap(one: Window, other: Window) -> bool:
    if one.piece.entry.entry_id == other.piece.entry.entry_id:
        return one.start < other.stop and other.start < one.stop
    left, right = one.piece.entry.locator, other.piece.entry.locator
    if left is None or right is None or left.video_id is None or left.video_id != right.video_id:
        return says_the_same(one.text, other.text)
    (begins, ends), (starts, stops) = _times(one), _times(other)
    return (begins < stops and starts < ends) or says_the_same(one.text, other.text)


def says_the_same(one: str, other: str) -> bool:
    """Whether the shorter of two texts has next to no word that the other has not."""
    fewer, more = sorted((terms_of(one), terms_of(other)), key=len)
    return len(fewer & more) >= SAME * len(fewer)


SAME = 0.8
"""Share of a text's words in another one from which it is the same again. A choice."""


def _times(window: Window) -> tuple[int, int]:
    lines = window.own_lines
    return lines[0].start_ms or 0, lines[-1].end_ms or 0
