"""Where what is quoted of a lecture begins and ends so that it can be read alone: at the head of a story or of a list,
behind what is only announced. Pure.

Which sentences answer is chosen before; here only those around them are looked at.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from functools import lru_cache

from knowledge_graph.lake.records import Lang
from serving.assistant.composing.announcements import announces_more
from serving.assistant.composing.counted_runs import announces_run, begin_of_run, end_of_run
from serving.assistant.composing.cues import (
    REMEMBERED,
    make_cue,
    speaks_of_the_talk,
    wording_of,
)
from serving.assistant.composing.fragments import PAST, is_topic
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import line_of
from serving.assistant.composing.window import LENGTH, Window

MOST_BESIDE = 14
"""Sentences of a lecture on either side of a passage that are looked at. A choice."""

TO_HEAD, TO_TOPIC = 5, 3
"""Sentences behind the head of a story, and behind a topic, in which a quote is begun with it. Choices."""

READ_ON = 2
"""Sentences behind what is announced that are read with it, and behind the last item of a run. A choice."""

OF_A_RUN = 3.0
"""How many times as long as a usual quote one of a whole run may be. A choice."""


SpokenAt = tuple[str | None, int | None, str]
"""The video of a sentence, when it begins in that, and what it says."""


def complete_quotes(windows: Sequence[Window], lectures: CourseLectures, *, whole_runs: bool = False) -> list[Window]:
    """Windows of lectures that begin where they are understood and end behind what they announce, as long as none then
    lies over one before it; `whole_runs` with all that is counted off of which they have some."""
    found = [_add_beside(window, lectures) for window in windows]
    for place in range(len(found)):
        whole = _complete(found[place], whole_runs=whole_runs)
        said = _sentences_of(whole)
        if all(said.isdisjoint(_sentences_of(before)) for before in found[:place]):
            found[place:] = [whole, *(_cut_said(one, said) for one in found[place + 1 :])]
    return [window for window in found if window.start < window.stop]


def _cut_said(window: Window, said: Set[SpokenAt]) -> Window:
    """A window without what is said before or behind the rest of it; of none where all of it is."""
    if _sentences_of(window).isdisjoint(said):
        return window
    left = [at for at in range(window.start, window.stop) if _place_of(window, at) not in said]
    start, stop = (left[0], left[-1] + 1) if left else (window.start, window.start)
    if start <= window.key < stop and start <= window.anchor < stop:
        return replace(window, start=start, stop=stop)
    return replace(window, start=start, stop=stop, anchor=start, key=-1, marked=False)


def _sentences_of(window: Window) -> frozenset[SpokenAt]:
    """The sentences of a window of a lecture; none of a text."""
    if window.piece.entry.source != "subtitle":
        return frozenset()
    return frozenset(_place_of(window, at) for at in range(window.start, window.stop))


def _place_of(window: Window, at: int) -> SpokenAt:
    place, line = window.piece.entry.locator, window.piece.lines[at]
    return place.video_id if place is not None else None, line.start_ms, line.text


def _add_beside(window: Window, lectures: CourseLectures) -> Window:
    """A window of a lecture with the sentences beside its passage."""
    piece, at = window.piece, window.piece.entry.locator
    lecture = lectures.by_id.get(at.video_id) if at is not None and at.video_id is not None else None
    begins, ends = piece.lines[0].start_ms, piece.lines[-1].start_ms
    if lecture is None or begins is None or ends is None:
        return window
    before = [line_of(one) for one in lecture.sentences if one.start_ms < begins][-MOST_BESIDE:]
    behind = [line_of(one) for one in lecture.sentences if one.start_ms > ends][:MOST_BESIDE]
    moved = len(before)
    read_back = len(window.lines) - len(window.own_lines)
    return replace(
        window,
        piece=replace(piece, lines=(*before, *piece.lines, *behind), before=()),
        start=window.start + moved - read_back,
        stop=window.stop + moved,
        anchor=window.anchor + moved,
        key=window.key + moved if window.key >= 0 else -1,
    )


def _complete(window: Window, *, whole_runs: bool) -> Window:
    if window.piece.entry.source != "subtitle":
        return window
    said = [line.text for line in window.piece.lines]
    start, stop = find_edges(said, window.start, window.stop, window.piece.lang, key=window.key, whole_runs=whole_runs)
    last = max(window.key, window.anchor)
    while stop - 1 > last and (is_topic(said[stop - 1]) or _only_announces(said[stop - 1])):
        stop -= 1
    return replace(window, start=window.start if window.is_announced else start, stop=stop)


def find_edges(
    said: Sequence[str], start: int, stop: int, lang: Lang, *, key: int = -1, whole_runs: bool = False
) -> tuple[int, int]:
    """Where to begin and end a quote of some sentences so that it can be read alone; `key` is the one that answers."""
    begin = start
    if whole_runs:
        first, last = begin_of_run(said, start), end_of_run(said, start, stop)
        last = _read_on(said, last, READ_ON) if last > stop else stop
        is_short = sum(map(len, said[first:last])) <= OF_A_RUN * LENGTH[lang]
        begin, stop = (first, last) if is_short else (start, stop)
    begin = _begin_where_understood(said, begin)
    begin = _begin_at_head(said, begin, names_it=begin == key)
    start = begin if sum(map(len, said[begin:start])) <= OF_A_RUN * LENGTH[lang] else start
    return start, _end_behind_announced(said, start, stop)


def _begin_where_understood(said: Sequence[str], start: int) -> int:
    """Where to begin for a first sentence that points back within it, goes on with a verb alone or is the second of two
    that say the same of two things: with what it points back at."""
    begin = start
    while start - MOST_PREMISES < begin and begin > 0:
        text, before = said[begin], said[begin - 1]
        leans = begin < start and wording_of(text)[0]
        if not (leans or _POINTS_BACK.search(text) or _replies(text) or _is_parallel(before, text)):
            break
        begin -= 1
    return begin


MOST_PREMISES = 3
"""Sentences before the first one that are read with it. A choice."""

_POINTS_BACK = make_cue(
    r"^(?:if|when|because|since|once|although|unless|until) (?:they|it|he|she)\b"
    r"|\b(?:mix|confuse|keep|tell) (?:them|the two)\b"
    r"|^[^,.;:?!]{2,40},? (?:on the other hand|by contrast|in contrast|instead|though),? (?:is|are|was|were|has|have)\b"
    r"|^(?!(?:what|how|that|this|there|here|where|so|as|if|when|who|which)\b)[^,;:.?!]{3,60}"
    r" (?:do|does|did|don['’]t|doesn['’]t|didn['’]t)(?:[,.;!]|$)"
    r"|^(?:如果|当|因为|虽然|一旦)(?:它|他|她|这样|那样)|(?:两者|二者)(?:不|别)|^[^，。]{1,10}(?:则|反之|相反)"
)


@lru_cache(maxsize=REMEMBERED)
def _replies(text: str) -> bool:
    """Whether a sentence replies to a question before it with a yes or a no."""
    return _REPLIES.match(text) is not None


_REPLIES = make_cue(r"^(?:no|yes|not necessarily|exactly|wrong)[,.!]|^(?:不一定|不是的|不会|当然不)[，。]")


def _is_parallel(before: str, text: str) -> bool:
    """Whether two sentences say of two things what each is, in the same words: "a is the one. b is the other."."""
    frames = [_FRAME.match(one) for one in (before, text)]
    one, other = (None if found is None else (found["is"] or found["zh"]).lower() for found in frames)
    return one is not None and one == other


_FRAME = re.compile(
    r"(?!(?:it|this|that|there|here|he|she|we|you|i|what|which|who|one|so|and|but|the (?:first|second|third))\b)"
    r"(?:(?:an?|the) )?[\w-]+(?: [\w-]+)? (?P<is>(?:means?|stands for|says|(?:is|are) the)\b)"
    r"|(?![它他她这那此其])[^，。是指]{1,8}(?P<zh>指的?是|叫做?|意思是)",
    re.IGNORECASE,
)


def _begin_at_head(said: Sequence[str], start: int, *, names_it: bool) -> int:
    """Where to begin for a sentence of a story to stand behind what opens it, "Hill v Field, 1901.", and any but one
    that names what is asked about behind the topic that is said right before: "Calcium."."""
    if is_topic(said[start]) or _opens_story(said[start]):
        return start
    of_story = _OF_A_STORY.match(said[start]) is not None
    for before in range(start - 1, max(-1, start - 1 - TO_HEAD), -1):
        if is_topic(said[before]):
            return before if of_story or (start - before <= TO_TOPIC and not names_it) else start
        if _opens_story(said[before]):
            return before if of_story else start
        if speaks_of_the_talk(said[before]):
            return start
    return start


_OF_A_STORY = make_cue(
    r"^(?:(?:and|but|so|then),? )?(?:(?:he|she|his|her)\b|(?:in|on|by) (?:\w+ )?\d{4}\b"
    rf"|(?:the [a-z]+(?: [a-z]+)?|they),? (?:{PAST}|didn['’]t|couldn['’]t|never)\b)"
)


@lru_cache(maxsize=REMEMBERED)
def _opens_story(text: str) -> bool:
    """Whether a sentence names a case, or somebody and a year: "Hill v Field, 1901."."""
    return _CASE.search(text) is not None or _SOMEBODY_THEN.match(text) is not None


_NAME = r"[A-Z][\w'’&-]+"
_CASE = re.compile(rf"\b{_NAME}(?: (?:of|and|the|&|{_NAME})){{0,6}} v\.? (?:the )?[A-Z]")
_YEAR = r"\b(?:1[0-9]\d\d|20\d\d|(?:sixteen|seventeen|eighteen|nineteen|twenty)[ -](?!percent|per cent)[a-z]+)\b"
_SOMEBODY_THEN = re.compile(rf"(?:(?:Then|Next|And|In),? )?{_NAME} {_NAME}[^.]{{0,60}}{_YEAR}")


def _end_behind_announced(said: Sequence[str], start: int, stop: int) -> int:
    """Behind the sentences that a quote breaks off before: those that say what it announces or asks at its end, and one
    that names what it was about."""
    last = said[stop - 1]
    only_names = _opens_story(last) and stop - 2 >= start and wording_of(said[stop - 2])[2]  # who told how it is tested
    if only_names or _only_announces(last):
        stop = _read_on(said, stop, READ_ON)
    return stop + 1 if stop < len(said) and _NAMES_IT.match(said[stop]) else stop


def _read_on(said: Sequence[str], stop: int, most: int) -> int:
    """As many sentences further, but not over a topic, a question or what speaks of the lecture."""
    for at in range(stop, min(stop + most, len(said))):
        _, points, asks = wording_of(said[at])
        if points or asks or is_topic(said[at]) or speaks_of_the_talk(said[at]):
            return at
    return min(stop + most, len(said))


@lru_cache(maxsize=REMEMBERED)
def _only_announces(text: str) -> bool:
    """Whether a sentence says that something follows and not what: "It has three parts.", "The test is:"."""
    return (
        announces_more(text)
        or (announces_run(text) and len(text) <= LONGEST_ANNOUNCING)
        or (_SAYS_IT_FOLLOWS.search(text) is not None)
    )


LONGEST_ANNOUNCING = 60
"""Characters of a sentence that only says how many things follow. A choice."""

_SAYS_IT_FOLLOWS = make_cue(
    r"\b(?:the|a|this|his|her|their) (?:\w+ )?(?:test|rule|formula|answer|definition) (?:is|goes|was)[.:]?$"
    r"|\b(?:put|say|said|sum|summed) it (?:together|up|like this|this way)\b[^,;]{0,80}$|\blike this[.:]$"
    r"|(?:如下|是这样的?)[。：:]?$"
)

_NAMES_IT = make_cue(
    r"^(?:(?:so|and|now),? )?(?:(?:that|this)(?:['’]s| is) (?:what (?:is|we call) )?(?:an? |the )?"
    r"(?!(?:it|all|why|what|how|because|right|wrong|true|fine|good|the|not)\b)[\w-]+(?: [\w-]+)?\.$"
    r"|(?:that|this)(?:['’]s| is) (?:called|known as)\b|(?:we|i) call (?:this|that|it)\b|the difference is\b)"
    r"|^(?:这|这个)?(?:就|也)?(?:叫做?|称为|称作)|^区别就?(?:是|在于)"
)
"""How a sentence begins that names what the one before it speaks of, or says in what two things differ."""
