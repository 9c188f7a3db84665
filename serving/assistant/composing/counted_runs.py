"""What a lecture counts off, "Step one … Step five", "First … Second …", 第一…第二…: where such a run begins and ends.
Pure.

Its sentences say little without each other.
"""

from collections.abc import Sequence
from functools import lru_cache

from serving.assistant.composing.cues import REMEMBERED, make_cue
from serving.assistant.understanding.closed_words import NUMBER_WORDS

MOST_APART = 5
"""Sentences behind an item within which the next one of a run stands. A choice."""

_COUNTED = r"(?:step|part|thing|way|kind|type|sort|rule|reason|point|limb|question|stage|requirement|condition|element)"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth".split()
_CARDINALS = "|".join(word for word, number in NUMBER_WORDS.items() if number <= len(_ORDINALS))
_NUMBERS_ZH = "一二三四五六七八九"

_ITEM = make_cue(
    rf"^(?:(?:and|so|now|then),? ){{0,2}}(?:"
    rf"(?:the )?(?P<ordinal>{'|'.join(_ORDINALS)})(?:ly)?(?:[,:]| (?:{_COUNTED}|one|is|of all)\b)"
    rf"|step (?P<step>{_CARDINALS}|[1-9])\b|(?P<cardinal>{_CARDINALS})[,:] )"
    rf"|^(?:(?P<first>首先)|(?P<second>其次)|[第步](?P<zh>[{_NUMBERS_ZH}])(?![次天章节讲课行列位层名代年季世]))"
)
_ANNOUNCES_RUN = make_cue(
    rf"\b(?:two|three|four|five|six|seven|several|following) (?:\w+ ){{0,2}}{_COUNTED}s\b(?! (?:ago|later))"
    r"|\b(?:by|in) steps\b|\bstep by step\b"
    r"|(?:分为?|分成|有|以下|下面|这)[两二三四五六七几]大?个?(?:步|部分|种|类|点|方面|阶段|条)"
)


@lru_cache(maxsize=REMEMBERED)
def number_of_item(text: str) -> int | None:
    """Which one of what is counted off a sentence begins; `None` for one that begins none."""
    found = _ITEM.match(text)
    if found is None:
        return None
    if found["ordinal"] is not None:
        return _ORDINALS.index(found["ordinal"].lower()) + 1
    if (cardinal := found["step"] or found["cardinal"]) is not None:
        return int(cardinal) if cardinal.isdigit() else NUMBER_WORDS[cardinal.lower()]
    return 1 if found["first"] else 2 if found["second"] else _NUMBERS_ZH.index(found["zh"]) + 1


@lru_cache(maxsize=REMEMBERED)
def announces_run(text: str) -> bool:
    """Whether a sentence says that several parts, steps or the like follow."""
    return _ANNOUNCES_RUN.search(text) is not None


@lru_cache(maxsize=REMEMBERED)
def asks_for_run(question: str) -> bool:
    """Whether a question asks for the parts, steps or the like of something."""
    return _ASKS_FOR_RUN.search(question) is not None


_ASKS_FOR_RUN = make_cue(rf"\b{_COUNTED}s\b|\bstep by step\b|[哪几][几些]?个?(?:步|部分|种|类|点|方面|阶段|条)|步骤")


def begin_of_run(said: Sequence[str], start: int) -> int:
    """Where the run begins of which a sentence, or one beside it, begins a further item: with its first one, or with
    what announces it; at the sentence where there is none."""
    beside = (at for at in (start, start + 1, start - 1) if 0 <= at < len(said))
    at, number = next(((at, number) for at in beside if (number := number_of_item(said[at]))), (start, 0))
    begin = at
    while number > 1 and (before := _find_item(said, number - 1, range(begin - 1, begin - 1 - MOST_APART, -1))) >= 0:
        begin, number = before, number - 1
    if not number or (number == 1 and begin >= start):
        return start
    apart = MOST_APART + 1 if number > 1 else 2  # the first may be called "the largest part"
    announced = (before for before in range(begin - 1, max(-1, begin - 1 - apart), -1) if announces_run(said[before]))
    return min(start, next(announced, start if number > 1 else begin))


def end_of_run(said: Sequence[str], start: int, stop: int) -> int:
    """Behind the last item of a run of which something is quoted, or which that announces; `stop` where there is
    none."""
    items = [(at, number) for at in range(start, stop) if (number := number_of_item(said[at]))]
    announcing = [at for at in range(max(start, stop - MOST_APART), stop) if announces_run(said[at])]
    if not items and not announcing:
        return stop
    last, number = items[-1] if items else (announcing[-1], 0)
    while (after := _find_item(said, number + 1, range(last + 1, last + 1 + MOST_APART))) >= 0:
        last, number = after, number + 1
    return max(stop, last + 1)


def _find_item(said: Sequence[str], number: int, places: range) -> int:
    """The first of these places at which that one of what is counted off begins; -1 where none does."""
    return next((at for at in places if 0 <= at < len(said) and number_of_item(said[at]) == number), -1)
