"""Several questions in one message, taken apart by their wording. Pure."""

import re
from collections.abc import Callable, Sequence

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.logistics import is_about_the_course
from serving.assistant.composing.question_subject import find_subject, name_subject
from serving.assistant.composing.terms import OF_QUESTIONS, strike_words_of_questions
from serving.assistant.composing.told_first import find_asking_part
from serving.assistant.understanding.focus import Focus
from serving.assistant.understanding.follow_up_context import lean_on, points_back, stands_alone
from serving.assistant.understanding.follow_ups import focus_of, resolve
from serving.assistant.understanding.question_kind import question_kind
from serving.assistant.understanding.translation import names_in
from serving.index.analysis import content_terms
from serving.llm.messages import Message

MOST = 4
"""Questions of one message that are answered at once, for each has its places to cite. A choice; others are named."""
_NUMBERED = re.compile(r"(?:^|\s)(?:\(?[1-9a-d]\)|[1-9]\.|[①-⑨])\s+(?=\S)")
_ENDS = re.compile(r"(?<=[?？])\s*(?=\S)")
_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|should|will|would|must|has|have)"
_ASKS = (
    r"(?:what|why|how|when|where|which|who|(?:is|are|does|did|can|could|should)(?:n['’]t)?|do|will"
    r"|explain|compare|define|describe"
    r"|tell me|give|list|show|summari[sz]e)"
)
_AND = re.compile(
    rf",? (?:and|(?<!can )(?<!could )(?<!may )(?<!will )also|and also|plus|then)(?: also| then)? (?={_ASKS}\b)",
    re.IGNORECASE,
)
_ASKS_ZH = r"(?:什么|怎么|如何|为啥|啥|干嘛|哪|谁|多少|几|吗|区别)"
_AND_ZH = re.compile(
    r"[，,；;。]?(?:还有|另外|以及|而且|并且|同时|顺便(?:问一?下)?|再(?:问一?下|说说"
    rf"|讲讲))[，,]?(?=[^，,；;？]{{0,30}}{_ASKS_ZH})"
)
_JOINT = r"(?:and also|and|also|but|plus)\b,? (?:also )?"
"""How a question begins that follows another in the message."""
_BEGINS = re.compile(rf"^\W*(?:{_JOINT})?(?:in )?{_ASKS}\b|[?？]\s*$|{_ASKS_ZH}", re.IGNORECASE)
_COMMA = re.compile(
    r", (?=(?:what|why|how|where|who)"
    r" (?:is|are|was|were|do|does|did|can|could|should|would|many|much|often|long|fast)\b)",
    re.IGNORECASE,
)
_COMMA_ZH = re.compile(
    r"[，；](?=[^，；？]{0,30}(?:什么|怎么|如何|为啥|啥|干嘛|哪[个里种些一讲集节课]|谁|多少|吗|区别|例子))"
)
_ASKS_AT_ONCE = re.compile(
    r"^\W*(?:(?:so|and|ok|also) )?(?:what|why|how|which|who"
    r"|(?:(?:when|where) )?(?:is|are|was|were|do|does|did|can|could|should|will|would))\b",
    re.IGNORECASE,
)
_ASKS_AT_ONCE_ZH = re.compile(
    r"^(?!\W*(?:那|如果|要是|假如|假设|当|因为|既然|不管|无论|不论|想知道|我想|听说|有人|除了|对于))"
)
"""Where a second question follows a comma alone, and how the first begins then: "when n is large" asks nothing."""
_ASKS_OF_IT_ZH = re.compile(
    r"\W*(?:时间|空间)?复杂度(?:是|有|为)?(?:多少|什么|多大)(?:呢|啊)?\W*"
    r"|\W*(?:是|在)?(?:哪|第几)[一几]?[个]?(?:讲|集|节|课|章|视频)(?:里|中)?(?:有|会|课)?(?:讲|提|说|介绍)?(?:到|解|过|了)?的?(?:呢|啊)?\W*"
    r"|\W*(?:请|能|帮我|再)?(?:给|举)(?:我|出)?(?:一?个|几个|些)?例子?(?:吗|呢|吧)?\W*"
    r"|\W*在?(?:现实|实际|日常|生活){0,2}[里中]?(?:还|都)?有(?:没有|什么|啥|哪些)?(?:具体|实际)?的?例子(?:吗|呢)?\W*"
)
"""A Chinese question that names nothing and asks of the thing before it how much it costs, where it is taught, or for
an example."""
_TWICE_WHEN = re.compile(r"^\W*when (?!is\b|are\b).{0,120}?,? and when\b(?! (?:is|are|was|does|did)\b)", re.IGNORECASE)
"""One question of which of two to use: "when do I use this and when that?"."""
_ASKS_TWICE = re.compile(
    r"^\W*how (?:many )?\w+ and how\b|\bbetween (?:what|how)\b.{0,80} and (?:what|how)\b|\bwhich\b.{0,80} and which"
    r"(?= (?:i|you|we|the|for|to|are|is|value)\b)(?! (?:is|are) (?:the|it|they)\b)"
    r"|\bwhen\b.{0,80} and when (?:i|you|we|he|she|it|they)(?:['’]\w+)?\b",
    re.IGNORECASE,
)
"""One question for two things, which says its word twice: "how small and how fast are …", "which is red and which
for"."""
_BEHIND = re.compile(rf"^\W*{_JOINT}(?={_ASKS}\b)", re.IGNORECASE)
_SHORTEST = 6
_SHORTEST_ZH = 4


def _name_nothing(text: str) -> bool:
    return False


def questions_in(text: str, names: Callable[[str], bool] = _name_nothing) -> tuple[str, ...]:
    """The questions of a message, in order; one alone when it cannot be taken apart. Brackets stay whole.

    A comma alone parts only questions that each name something (`names`), and Chinese ones on the life of the course.
    """
    aside: list[str] = []

    def put_aside(found: re.Match[str]) -> str:
        if len(aside) == MOST_BRACKETS:
            return found.group()
        aside.append(found.group())
        return _MARK * len(aside) + _CLOSED

    parts = _take_apart(_BRACKETS.sub(put_aside, _MARKS.sub("", text)), names)
    return tuple(_PUT_ASIDE.sub(lambda found: aside[len(found.group()) - 2], part) for part in parts)


_BRACKETS = re.compile(r"\([^()\x01\x02]{0,400}\)")
_MARK, _CLOSED = "\x01", "\x02"
MOST_BRACKETS = 30
_MARKS, _PUT_ASIDE = re.compile(f"[{_MARK}{_CLOSED}]"), re.compile(f"{_MARK}{{1,{MOST_BRACKETS}}}{_CLOSED}")
"""What stands for the brackets of a message meanwhile: as many marks as there were brackets with it, and an end."""


def _take_apart(text: str, names: Callable[[str], bool]) -> tuple[str, ...]:
    parts = [part.strip() for part in _NUMBERED.split(text) if part and part.strip()] if _is_numbered(text) else []
    if len(parts) < 2:
        ended = [part.strip() for part in _ENDS.split(text) if part.strip()]
        parts = _with_what_leans([piece for part in ended for piece in _split(part, names)])
    else:
        parts = [piece for part in parts for piece in _split(part, names)]
    parts = _with_the_reverse(parts)
    asked = [part for place, part in enumerate(parts) if _is_question(part) or (place > 0 and _is_of_it(part))]
    if len(asked) < 2 or len(asked) < len(parts) - 1:
        return (text,)
    return tuple(_BEHIND.sub("", part) for part in asked)


def each_alone(
    questions: Sequence[str],
    graph: ConceptGraph,
    with_codes: Callable[[str], str],
    *,
    knows: Callable[[str], bool],
) -> list[str]:
    """The questions of one message, each made to stand without those before it. `with_codes` writes the codes of
    classes behind their titles, by which they are known; `knows` tells whether any text has the words of a name."""
    alone: list[str] = []
    for question in questions:
        whole = _name_before(question, alone[-1], graph, knows) if alone else None
        if whole is not None:
            alone.append(whole)
            continue
        focus = focus_of([Message("user", with_codes(one)) for one in alone], graph=graph)
        resolved = resolve(question, focus=focus, graph=graph)
        whole = None
        if alone and not resolved.is_changed:
            whole = name_subject(question, alone[-1], graph, knows, also_concepts=True)
        if whole is not None:
            alone.append(whole)
        elif alone and not resolved.is_changed and (leant := _lean(question, alone[-1], focus, graph, knows)):
            alone.append(leant)
        elif alone and not resolved.is_changed and not graph.mentions(question) and not names_in(question):
            alone.append("".join((*(f"{name}，" for name in names_in(alone[0])[:1]), question)))
        else:
            alone.append(resolved.question)
    return alone


def _name_before(question: str, before: str, graph: ConceptGraph, knows: Callable[[str], bool]) -> str | None:
    """A question with what the one before it names; `None` where its wording does not ask for that."""
    return name_subject(question, before, graph, knows) or _name_both(question, before) or _name_thing(question, before)


def _name_thing(question: str, before: str) -> str | None:
    """A Chinese question that names nothing with the thing of which the one before it asks: 栈是什么，哪一集讲的; with
    all that it asks, where that is for the thing: 哪种排序最快，有什么例子."""
    if _ASKS_OF_IT_ZH.fullmatch(question) is None:
        return None
    thing = _THING_ZH.match(before)
    if thing is None:
        return f"{before.rstrip('？?。 ')}，{question}" if _WHICH_ZH.match(before) is not None else None
    return f"{thing['first'] or thing['last']}{question}"


_WHICH_ZH = re.compile(r"\W*(?:请问)?(?:哪[一几]?[种个类些]|什么样的)")
"""How a Chinese question begins that asks which thing it is."""


_THING_ZH = re.compile(
    r"\W*(?:请问)?(?:(?:什么|啥)是|何谓|解释一?下?)(?P<last>[^，。？?！\s]{1,20})"
    r"|\W*(?:请问)?(?P<first>[^，。？?！]{1,20}?)(?:到底|究竟)?(?:是|指|有|在|要|会)*(?:什么|啥|怎么|如何|为什么|哪|多少)"
)


def _name_both(question: str, before: str) -> str | None:
    """A Chinese question of what holds of each of two things, with the two that the one before it compares:
    复杂度分别是多少."""
    asks = _OF_EACH_ZH.match(question)
    named = _TWO_ZH.search(before) if asks is not None else None
    if asks is None or named is None:
        return None
    return f"{named['two']}{'的' if asks['aspect'] else ''}{question}"


_TWO_ZH = re.compile(
    r"(?:^|[\s，,。])(?P<two>[^\W和与跟]{2,10}? ?[和与跟] ?[^\W和与跟]{2,10}?) ?"
    r"(?=哪|谁|挑|选|怎么选|我|各|的?区别|有[什啥何]|[相不])"
)
_OF_EACH_ZH = re.compile(r"^\W*(?P<aspect>[^\W和与跟]{1,8}?)??(?:分别|各自?)(?:是|为|有|要|举|适合|好|用|怎)")


def _lean(question: str, before: str, focus: Focus, graph: ConceptGraph, knows: Callable[[str], bool]) -> str | None:
    """An English question with what the one before it is about behind it, where it names nothing itself: "how do I pick
    the best run?"; `None` where it stands alone. A concept that is only part of that is not it: the data report."""
    is_whole = not focus.topics or graph.mentions(question) or is_about_the_course(question)
    if not question.isascii() or is_whole or not all(map(knows, content_terms(question, strict=True))):
        return None
    goes_on = question if stands_alone(question) else f"and {question}"
    leant = lean_on(goes_on, focus=focus, graph=graph)
    if leant is None:
        return None
    subject = find_subject(before)
    is_part = leant.context.lower() in subject.lower() and leant.context.lower() != subject.lower()
    return f"{question.rstrip('?')} ({subject})?" if is_part else f"{leant.question.removeprefix('and ')}?"


def _is_numbered(text: str) -> bool:
    """Whether the marks before the questions count from the first on, as the numbers of a pair (2, 3) do not."""
    marks = [found.group().strip(" ().").lower() for found in _NUMBERED.finditer(text)]
    return any(marks == list(row[: len(marks)]) for row in _ROWS)


_ROWS = ("123456789", "abcd", "①②③④⑤⑥⑦⑧⑨")

_LEANS_ZH = re.compile(
    r"^[，,。；;、\s]*(?:那|跟|和|与|比|它|其|最[多少晚早迟]|会|能|可以|要|还(?!有)|一般|大概|具体|分别|不是|难道|(?:为什么|为啥).{0,5}$)"
    r"|不(?:行|好|可以)吗\W*$"
)
_POINTS_BACK = re.compile(r"\b(?:that|this|them|those|these|ones|there)\b", re.IGNORECASE)


def _with_what_leans(parts: list[str]) -> list[str]:
    """The parts, each with the one after it that says nothing without it: "…, and what year was that?"."""
    joined: list[str] = []
    for part in parts:
        if joined and _is_question(joined[-1]) and _leans(part) and not _asks_of_it(joined[-1], part):
            joined[-1] = f"{joined[-1]} {part}"
        else:
            joined.append(part)
    return joined


def _asks_of_it(before: str, part: str) -> bool:
    """Whether a Chinese part asks something of its own of the thing whose lecture the one before it asks for."""
    is_place = question_kind(before) == "where" and question_kind(part) != "where"
    return is_place and _OF_IT_ZH.match(part) is not None and _BEGINS.search(part) is not None


_OF_IT_ZH = re.compile(r"^\W*(?:那么?)?(?:它|其)")

_REVERSE = re.compile(
    r"^\W*(?:and |or |but )?(?:(?:is|does) )?(?:it |that )?(?:what about )?"
    r"(?:the (?:other way (?:a?round)?|reverse|opposite|converse)"
    r"|vice versa|conversely)(?: true| hold)?(?: too| also)?\W*$"
    r"|^\W*(?:那)?反(?:过来|之)(?:呢|也?(?:成立|对|一样|可以|行)?吗?)\W*$",
    re.IGNORECASE,
)
"""A question for the converse of the one before it, which one sentence answers with it."""


def _with_the_reverse(parts: list[str]) -> list[str]:
    """The parts, each with the one after it that asks for its converse alone."""
    joined: list[str] = []
    for part in parts:
        if joined and _REVERSE.match(part):
            joined[-1] = f"{joined[-1]} {part}"
        else:
            joined.append(part)
    return joined


def _leans(part: str) -> bool:
    """Whether a part points back and names next to nothing itself, or begins as no Chinese question of its own does."""
    if not part.isascii():
        return len(part) < LONGEST_LEANING and _LEANS_ZH.search(part) is not None
    own = frozenset(content_terms(part, strict=True)) - OF_QUESTIONS
    return len(own) < 2 and _POINTS_BACK.search(part) is not None


LONGEST_LEANING = 20
"""Characters of a Chinese part that may lean on the one before it. A choice."""


_HEAD = re.compile(
    r"^(?!.*\b(?:things?|questions?|quick(?:ly)?|hi|hello|sorry|please)\b[^:]*:)(?P<head>[^:?]{3,60}): (?P<rest>\S.*)$",
    re.DOTALL | re.IGNORECASE,
)
"""What all the questions behind it are of: "acoustics of rooms: how many credits and when is it"."""


def _split(part: str, names: Callable[[str], bool]) -> list[str]:
    """The questions that "and" or a comma joins, or one verb: how two things are done."""
    pieces = (piece for one in _split_at_and(part) for piece in _split_at_comma(one, names))
    return [each for piece in pieces for each in _split_at_two_things(piece, names)]


def _split_at_two_things(part: str, names: Callable[[str], bool]) -> list[str]:
    """A question of how each of two things works or is done, asked of the one and of the other; in English of two that
    are named (`names`)."""
    two = (_HOW_TWO if part.isascii() else _HOW_TWO_ZH).match(part)
    if two is None or (part.isascii() and not (names(two["one"]) and names(two["other"]))):
        return [part]
    return [f"{two['begins'] or ''}{two[each]}{two['asks']}" for each in ("one", "other")]


_HOW_TWO = re.compile(
    r"^(?P<begins>\W*(?:(?:so|ok),? )?how (?:do|are) (?:an? |the )?)(?P<one>[\w'’-]+(?: [\w'’-]+){0,2})"
    r" and (?:an? |the )?(?P<other>[\w'’-]+(?: [\w'’-]+){0,2}?)"
    r"(?P<asks> (?:work|implemented|stored|represented|computed|calculated|built|made|trained|used)\b(?! together)"
    r"[^,]{0,40})$",
    re.IGNORECASE,
)
_HOW_TWO_ZH = re.compile(
    r"^(?P<begins>[^，。？?！和与跟及]{1,12}[里中])?(?P<one>[^\W和与跟及]{1,8}) ?[和与跟及] ?"
    r"(?P<other>[^\W和与跟及各都分是]{1,8}?)"
    r"(?P<asks>(?:分别|各自?|都)?是?(?:怎么|如何|怎样)(?!.{0,4}[选挑区分比换转变相互联连接合配协通共对])[^，。]{1,12})$"
)
"""What asks how each of two things is done, and not what the two have to do with each other."""


def _split_at_comma(part: str, names: Callable[[str], bool]) -> list[str]:
    begins, comma = (_ASKS_AT_ONCE, _COMMA) if part.isascii() else (_ASKS_AT_ONCE_ZH, _COMMA_ZH)
    for at in comma.finditer(part) if begins.match(part) else ():
        pieces = [part[: at.start()], part[at.end() :]]
        if not part.isascii() and _ASKS_OF_IT_ZH.fullmatch(pieces[1]) and _asks_of_a_thing(pieces):
            return pieces
        is_each_alone = all(_is_question(one) and not _leans(one) for one in pieces)
        is_of_its_life = not part.isascii() and all(map(is_about_the_course, pieces))
        if is_each_alone and (is_of_its_life or all(map(names, pieces))) and not points_back(pieces[-1]):
            return pieces
    return [part]


def _split_at_and(part: str) -> list[str]:
    if part.isascii() and (headed := _HEAD.match(part)) is not None and not _is_question(headed["head"]):
        rest = _split_at_and(headed["rest"])
        return [f"{one.rstrip('?')} ({headed['head']})?" for one in rest] if len(rest) > 1 else [part]
    if asks := find_asking_part(part):
        first, *others = _split_at_and(asks)
        return [f"{part.removesuffix(asks)}{first}", *others]
    if _TWICE_WHEN.match(part) or _ASKS_TWICE.search(part):
        return [part]
    pieces = (_AND if part.isascii() else _AND_ZH).split(part)
    asked = [_is_question(piece) or (place > 0 and _is_of_it(piece)) for place, piece in enumerate(pieces)]
    return [piece.strip() for piece in pieces] if all(asked) else [part]


_OF_IT = re.compile(
    rf"^\W*(?:(?:why|how|when|where|what|who|{_AUXILIARY} (?=(?:i|we|you|one|it|they|people|students)\b))\b.{{0,40}}"
    r"\b(?:it|they|them|one)\b"
    r"|which \w+ (?:is|was|are|were) (?:it|they)\b|which \w+ \w+ (?:it|them|that|this)\W*$"
    r"|(?:(?:can|could) you )?(?:please )?(?:give|show) (?:me |us )?(?:an?|some|one) (?:\w+ )?examples?\W*$)",
    re.IGNORECASE,
)
"""A question of what the one before it is about: "and when do i use it", "and do i always need it", "and which lecture
covers it", "give an example"."""


def _is_of_it(part: str) -> bool:
    """Whether a part names nothing and asks of what the one before it is about."""
    return (_OF_IT.match(part) or _ASKS_OF_IT_ZH.fullmatch(part)) is not None


def _asks_of_a_thing(pieces: Sequence[str]) -> bool:
    """Whether the first of two Chinese pieces is a question that names something; one for what it is where the second
    wants an example of it."""
    is_example = "例" in pieces[1] and question_kind(pieces[0]) != "definition"
    names = re.search(r"\w", strike_words_of_questions(pieces[0])) is not None
    return names and _is_question(pieces[0]) and not is_example


_TOLD_FIRST = re.compile(rf"\W*(?:i|we|my)\b[^?]{{3,80}}? [-\u2013\u2014] {_ASKS}\b", re.IGNORECASE)
"""How a question begins before which the students tell something of themselves: "I took HIST 1010 - can I …"."""


_WHO_TEACHES = re.compile(r"\W*who(?:['’]s| is| are)? (?:teach\w*|lectur\w*|giv\w+) (?:this|the|our)\b", re.IGNORECASE)
"""A question on the course that has only words that questions are made of."""


def _is_question(part: str) -> bool:
    least = _SHORTEST if part.isascii() else _SHORTEST_ZH
    if len(part) < least or not (_BEGINS.search(part) or _TOLD_FIRST.match(part) or find_asking_part(part)):
        return False
    names_something = bool(frozenset(content_terms(part, strict=True)) - OF_QUESTIONS)
    return not part.isascii() or names_something or _WHO_TEACHES.match(part) is not None
