"""Sentences that a thing is the subject of: what they say it is, or does. Pure.

Weaker than an introduction, which says what something is in so many words: "a queue goes in order of arrival" tells a
queue from a stack all the same.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from re import Pattern

from knowledge_graph.text.sentences import language_of, split_sentences
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.cues import wording_of
from serving.assistant.composing.defining_cues import defines
from serving.assistant.composing.introduction import any_of
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.terms import terms_of
from serving.assistant.grounding.negation import is_negated

_DOES = (
    r"(?:is|are|has|have|can|means?|goes|go|takes?|stores?|keeps?|holds?|contains?|returns?|reads?|writes?|converts?"
    r"|translates?|transforms?|turns?|gives?|uses?|works?|allows?|lets?|enables?|runs?|makes?|removes?|adds?|maps?"
    r"|compares?|says?|tells?|describes?|measures?|counts?|finds?|computes?|picks?|puts?|sends?|splits?|merges?"
    r"|looks?|starts?|visits?|needs?|requires?|refers?|represents?|controls?|executes?|performs?|consists?|connects?)"
)
_KIND = r"(?: (?:interface|class|algorithm|method|structure|function|procedure))?"
_ASIDE = r"(?: ?[-–—] [^-–—.]{3,60}[-–—]|, [^,.]{3,60},| \([^()]{1,40}\))?"
_DOES_ZH = (
    r"(?:就|其实|专门|一般|通常|主要|只|都)?(?:是|像|指|叫|能|可以|会|用|把|将|读取|负责|存|由|按|表示|记录|管理|控制|执行|允许"
    r")"
)

SAYS_WHAT_IT_DOES, SAYS_WHAT, DEFINES = 1, 2, 3
"""How plainly a sentence tells something."""

SHORTEST = {"en": 24, "zh": 8}
"""Characters of a sentence that tells something. A choice."""


@lru_cache(maxsize=256)
def _patterns(names: tuple[str, ...]) -> tuple[Pattern[str], Pattern[str]]:
    """What finds a sentence that says what something is or is for, then one that says what it does."""
    one = any_of(names)
    lead = r"^(?:(?:so|and|now|well|then|but|again|basically),? ){0,2}(?:an? |the |our )?"
    says, does = (
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"\b(?:{one})s?, (?:which|that) (?:is|are|means?)\b"
            rf"|\bwhat (?:an? |the )?(?:{one})s?{_KIND} (?:is|are|does|do)\b"
            rf"|{lead}(?:{one})s?{_KIND}{_ASIDE} (?:is|are|means?)\b"
            rf"|\bcalled\b[^.?!]{{0,30}}\b(?:an? |the )?(?:{one})\W*$|叫[^。？！]{{0,12}}(?:{one})\W*$"
            rf"|\b(?:{one})s?, (?:which is )?an? (?:[\w-]+ ){{0,4}}(?:of|that|which|where|used|to|for)\b"
            rf"|(?:{one})[”\"」]? ?(?:就|其实)?是(?:指|一|由|用)"
            rf"|\b(?:{one})s? ?(?:--|[–—]) (?!\w+ [-–—])|(?:{one}) ?[-–—]{{1,2}} ?(?=(?-i:[\u4e00-\u9fff]))",
            rf"{lead}(?:{one})s?{_KIND}{_ASIDE} {_DOES}\b"
            rf"|^[“\"「]?(?:{one})[”\"」]? ?{_DOES_ZH}",
        )
    )
    return says, does


def tells(text: str, names: Sequence[str]) -> bool:
    """Whether a sentence of a text says of one of the names what it is, or does."""
    return any(_measure_telling(one, tuple(names)) > 0 for one in split_sentences(text, language_of(text)))


def _measure_telling(text: str, names: tuple[str, ...]) -> int:
    """How plainly a sentence says what a thing is; 0 where it does not, denies it or asks."""
    if len(text) < SHORTEST[language_of(text)] or wording_of(text)[2]:
        return 0
    if (led := _lead_pattern(names).match(text)) is not None and not is_negated(led.group()):
        return SAYS_WHAT
    if is_negated(text):
        return SAYS_WHAT if _says_by_what_it_lacks(names).search(text) else 0
    if defines(text, names):
        return DEFINES
    says, does = _patterns(names)
    return SAYS_WHAT if says.search(text) else SAYS_WHAT_IT_DOES if does.search(text) else 0


@lru_cache(maxsize=256)
def _lead_pattern(names: tuple[str, ...]) -> Pattern[str]:
    """What finds a spoken Chinese sentence that begins with a name and says what that is: 栈，后进先出。"""
    goes_on = r"(?!我|你|他|大家|咱|请|先|再|但|不过|所以|因为|如果|那|然后|接|下)[\u4e00-\u9fff][^，。；！？]{2,}"
    return re.compile(rf"[“\"「]?(?:{any_of(names)})[”\"」]?[呢嘛]?[，：]{goes_on}")


@lru_cache(maxsize=256)
def _says_by_what_it_lacks(names: tuple[str, ...]) -> Pattern[str]:
    """What finds a Chinese sentence that says what something is by what it is without: 无向图是边没有方向的图."""
    return re.compile(
        rf"(?:{any_of(names)})[”\"」]? ?(?:就|其实)?是(?![不没否])[^，。？！ ]{{0,12}}没有[^，。？！ ]{{1,12}}的"
    )


def find_subject_sentence(
    names: Sequence[str], lectures: CourseLectures, *, within: frozenset[str], least: int
) -> LectureSentence | None:
    """The sentence that most plainly says what a thing is or does, as plainly as `least`, the first of equals; of the
    videos `within`, where there are any."""
    wanted = [terms_of(name) for name in names if terms_of(name)]
    best: tuple[int, LectureSentence] | None = None
    for video_id, said in (lectures.naming([wanted]) if wanted else {}).items():
        for one in said if not within or video_id in within else ():
            is_told = not (wording_of(one.text)[1] or lectures.is_rejected(one))
            plain = _measure_telling(one.text, tuple(names)) if is_told else 0
            if plain > (best[0] if best is not None else least - 1):
                best = plain, one
    return best[1] if best is not None else None


def find_side_by_side(
    names: Sequence[str], others: Sequence[str], lectures: CourseLectures
) -> tuple[LectureSentence, ...] | None:
    """The neighbouring sentences, at most two between them, of which one says what a thing is and one what the other
    is, or the one that says both, with an example right behind; the plainest, and the nearest of equals."""
    best: tuple[tuple[int, int], tuple[LectureSentence, ...]] | None = None
    wanted = [[terms_of(one) for one in each if terms_of(one)] for each in (names, others)]
    if not all(wanted):
        return None
    telling, beside = (_telling(each, wanted[place], lectures) for place, each in enumerate((names, others)))
    for (video_id, position), plain in telling.items():
        for at in range(position - NEIGHBOURS, position + NEIGHBOURS + 1):
            other = beside.get((video_id, at), 0)
            worth = plain + other, -abs(at - position)
            if not other or (best is not None and worth <= best[0]):
                continue
            lecture = lectures.by_id[video_id]
            first, last = (lecture.places[one] for one in sorted((at, position)))
            behind = lecture.sentences[last + 1 : last + 2]
            last += bool(behind) and _GOES_WITH.search(behind[0].text) is not None
            best = worth, tuple(lecture.sentences[first : last + 1])
    return best[1] if best is not None else None


_IS_THIS = re.compile(
    r"^(?:this|these|they|it(?=['’]?s? ?(?:is )?an?\b))(?:['’](?:s|re)| is| are) (?!not\b|why\b|how\b|where\b|what\b)",
    re.IGNORECASE,
)
_GOES_WITH = re.compile(rf"{_IS_THIS.pattern}|^(?:for (?:example|instance)\b|like\b)|^(?:比如|例如|像)", re.IGNORECASE)
"""What a sentence begins with that belongs to the one before it."""

NEIGHBOURS = 3
"""Positions within which two sentences stand side by side. A choice."""


def _telling(
    names: Sequence[str], wanted: Sequence[frozenset[str]], lectures: CourseLectures
) -> dict[tuple[str, int], int]:
    """How plainly the sentences that say what a thing is do so, by video and position."""
    return {
        (video_id, one.position): plain
        for video_id, said in lectures.naming([wanted]).items()
        for one in said
        if not (wording_of(one.text)[1] or lectures.is_rejected(one))
        and (plain := _measure_telling_on(one, tuple(names), lectures)) >= SAYS_WHAT
    }


def _measure_telling_on(one: LectureSentence, names: tuple[str, ...], lectures: CourseLectures) -> int:
    """How plainly a sentence says what a thing is, or ends with its name, and the one behind it says what "this" is."""
    plain = _measure_telling(one.text, names)
    if plain >= SAYS_WHAT or not _ends_with(names).search(one.text):
        return plain
    behind = lectures.find_behind(one)
    return SAYS_WHAT if behind is not None and _IS_THIS.search(behind.text) else plain


@lru_cache(maxsize=256)
def _ends_with(names: tuple[str, ...]) -> Pattern[str]:
    return re.compile(rf"\b(?:{any_of(names)})(?: (?:version|one|kind|type))?\W*$", re.IGNORECASE)
