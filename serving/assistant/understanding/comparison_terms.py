"""Finds the two things that a question compares, in its own words. Pure."""

import re
from itertools import pairwise

_SIDE = r"[^?？,，。;；]{2,60}?"
A_KIND_OF = (
    r"(?:an?|the|another|some) (?:[\w-]+ )?(?:fix|way|method|tool|trick|hack|kinds?|types?|sorts?|forms?|case|version"
    r"|word|name|part|problem|question|matter|issue|thing|sign|result|consequence|reason|concern|feature|waste) "
    r"(?:of|to|for|in|with)\b"
)
"""Phrases that say what kind of thing something is, or what it is for: they compare nothing."""
_END = r"(?=$|[?？,，。.!！;；]| - | in terms| when\b| which\b| what\b| where\b| for\b| with respect| regarding)"
_TELLS_APART = r"(?:怎么样?|怎样|如何|咋)(?:才能|能|去|来)?(?:区分|区别|分辨|辨别|分清|分开)"
"""What asks in Chinese how to tell things apart."""
_ASKED = (
    r"(?:[的有]?(?:区别|不同|差别|差异|异同|关系|对比|比较)|有(?:什么|啥|何|哪些)|哪个|哪种|哪一个|谁|相比|差在|怎么选|是一回事"
    rf"|{_TELLS_APART}|一样|$|[?？,，。])"
)
_MAYBE_ASKED = "[区不差异关对比有哪相怎如咋是一][别同异比较系种个么什啥何哪样一在区分辨]"
"""Characters near the start of what `_ASKED` matches: a text without them is not searched for two sides."""
AND = r"(?:\s*(?:,|，|、|&|和|与|及|以及)\s*|,? and )(?:the |an? )?"
"""Separators between the things that a question lists."""
LOOKED_AT = 600
"""Characters of a question that are searched for a comparison. Not calibrated: people who want one say so early."""

_SHAPES = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        rf"\b(?:difference|differences|similarities|relation(?:ship)?|comparison|distinction|distinguish"
        rf"|differentiate|choose|tradeoffs?) ?(?:is )?(?:there )?between (?P<a>{_SIDE}),? and (?P<b>{_SIDE}){_END}",
        rf"\b(?:compare(?: and contrast)?|contrast|tell) (?P<a>{_SIDE}) (?:and|with|to|against|from) "
        rf"(?P<b>{_SIDE})(?: apart)?{_END}",
        rf"\bwhat (?:separates|distinguishes|divides|sets) (?P<a>{_SIDE}) (?:apart )?from "
        rf"(?P<b>{_SIDE})(?: apart)?{_END}",
        rf"(?P<a>{_SIDE}),? (?:vs\.?|versus) (?P<b>{_SIDE}){_END}",
        rf"\bhow (?:is|are|do|does) (?P<a>{_SIDE}) (?:different (?:from|than|to)|differ from|compare (?:to|with)) "
        rf"(?P<b>{_SIDE}){_END}",
        rf"\bhow (?:do|does|are|is) (?P<a>{_SIDE}) and (?P<b>{_SIDE}) (?:differ\w*|compare|related|alike){_END}",
        rf"\b(?:use|prefer|choose|pick|take|want|need) (?P<a>{_SIDE}) (?:instead of|rather than|over|or) "
        rf"(?P<b>{_SIDE}){_END}",
        rf"\b(?:is|are|does|do) (?P<a>{_SIDE}) (?:\w+er|better|worse|(?:more|less) \w+) than "
        rf"(?!(?:an?|the) \w+ ones?\b)(?P<b>{_SIDE}){_END}",
        rf"\b(?:is|are)(?:n['’]?t)? (?P<a>{_SIDE}) (?:really |just |exactly )?the same (?:thing )?as "
        rf"(?P<b>{_SIDE}){_END}",
        rf"^\W*(?:(?:so|but|wait),? )?(?:is|are)n['’]?t (?P<a>{_SIDE}) (?:just|simply|basically) "
        rf"(?!{A_KIND_OF})(?P<b>{_SIDE}){_END}",
        rf"(?:^|[,:] ?)(?P<a>[^?？,，。;；:]{{2,60}}?) or (?P<b>{_SIDE}){_END}",
        rf"(?=[^?？,，。;；]{{3,50}}?(?:{_MAYBE_ASKED}|[谁?？,，。]|$))"
        r"(?P<a>[^?？,，。;；]{1,20}?) ?(?:和|与|跟|同|vs\.?|对比|还是) ?(?P<b>[^?？,，。;；]{1,20}?)(?:之间)?(?:到底)?"
        rf"(?={_ASKED})",
        r"(?P<a>[^?？,，。;；]{1,20}?)(?:相比|相对|相较|比起|比)于?(?P<b>[^?？,，。;；]{1,20}?)"
        r"(?=快|慢|好|差|更|省|强|大|小|的?[优缺]|有(?:什么|啥|何|哪些)|$|[?？,，])",
    )
)
_OUTSIDE = re.compile(
    r"^(?:(?:so|and|but|hey|hi|um|ok|okay|please|pls|can you|could you|explain|tell me|about|the|an?|using|to use"
    r"|what(?:'s|s| is| are)?|which(?: one)?(?: is)?|when(?: should| do| to)?|is it|should i|do i|i|better|faster|best"
    r"|both|difference|main|between)\s+)+"
    r"|(?<!\s)\s+(?:and why|please|pls|again|exactly|actually|here|then|now|apart|really"
    r"|in disguise|in the end|after all|by another name|under the hood)$"
    rf"|^(?:请问|那么?|老师|为什么|对比一?下|比较一?下|区分一?下|对比|比较|{_TELLS_APART})+|(?:来说|呢|吗|啊)$"
    r"|(?<![存内实现正潜所外自])在[^在]{1,12}(?:[上里中]|方面)$",
    re.IGNORECASE,
)


def find_compared(question: str) -> tuple[str, ...]:
    """The two things a question compares; none where its wording names none."""
    for shape in _SHAPES:
        if (found := shape.search(question, 0, LOOKED_AT)) is not None:
            sides = [_bare(found["a"]), _bare(found["b"])]
            if all(sides) and sides[0].lower() != sides[1].lower():
                return _without_head_of_numbers(*sides)
    return ()


def _without_head_of_numbers(one: str, other: str) -> tuple[str, str]:
    """Two sides that differ by their numbers, the second without what both are: type 1 and type 2 errors."""
    first, second = _NUMBERED.fullmatch(one), _NUMBERED.fullmatch(other)
    if first is None or second is None or first["what"].lower() != second["what"].lower() or first["head"]:
        return one, other
    return one, f"{second['what']} {second['number']}"


_NUMBERED = re.compile(
    r"(?P<what>[a-z]{3,}) (?P<number>\d{1,2}|I{1,3}|IV|one|two|three|four)(?P<head> [a-z]{3,})?", re.IGNORECASE
)


def with_shared_head(sides: tuple[str, ...]) -> tuple[str, ...]:
    """The sides, the first with the shared head of the second where it is shorter: "batch" beside "stochastic gradient
    descent" is tried as "batch gradient descent"."""
    return tuple(
        f"{one} {' '.join(other.split()[len(one.split()) :])}"
        if len(one.split()) < len(other.split()) and one.isascii()
        else one
        for one, other in pairwise((*sides, ""))
    )


def _bare(side: str) -> str:
    before, side = "", side.strip(" \"'`“”")
    while before != side:
        before, side = side, _OUTSIDE.sub("", side).strip(" \"'`“”-")
    return side
