"""The sentences with which a lecture introduces something: found among all that name it, by wording and place. Pure.

Other sentences are chosen by how near they are to the question; what something is, is said once, often in words that no
question has. Here every sentence of the course that names the thing is looked at.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache, partial
from re import Pattern

from knowledge_graph.lake.records import Lang
from knowledge_graph.text.time_code import since_start
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.cues import goes_on, wording_of
from serving.assistant.composing.defining_cues import APPOSED, NO_NUMBER, OF_WHAT, SYMBOL
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.quote_edges import find_edges
from serving.assistant.composing.terms import terms_of
from serving.assistant.grounding.negation import is_negated

LEAST = 2.0
"""Strength from which a sentence introduces the thing; below, it only uses the word. A choice."""

LONGEST: dict[Lang, int] = {"en": 420, "zh": 160}
"""Characters of an introduction, in whole sentences. A choice."""

EARLY_MS = 120_000
"""The first minutes of a lecture, in which it says what it is about. A choice."""

_KINDS = (
    r"(?:algorithm|method|technique|way|process|procedure|function|operation|data (?:structure|type)|structure|tree"
    r"|graph|list|set|sequence|collection|number|measure|metric|value|vector|matrix|model|machine|device|circuit"
    r"|program"
    r"|property|problem|task|idea|concept|rule|principle|tool|approach|form|kind|type|space|transformation|array|node"
    r"|classifier|system|language|unit|component|parameter|quantity|term|name|abstraction|observation)s?\b"
)
_MADE_OR_FOUND = (
    r"(?:algorithm|method|technique|process|procedure|data structure|structure|device|circuit|program|language|machine"
    r"|tool|instrument|material|substance|compound|molecule|particle|force|organism|organ|cell|protein|enzyme|disease"
    r"|law|rule|theory|principle|tax|price|right|treaty|institution|movement|period|event|group)"
)
"""What a name stands for that is explained behind it: "cortisol, a substance that …"."""
_IS_OF_A_KIND = (
    r"\b(?:is|are|was|were) (?:(?:simply|just|basically|really) )?(?:an?|the|any|one of the) (?:[\w-]+ ){1,4}"
    r"(?:that|which|who|whose|where|for|in which|by which|through which|with|made|used|of (?:an?|the|all|one)?)\b"
)
"""How a sentence says of what kind a thing is, whatever the kind: "is a tax that …", "is the loss of …"."""
_GENUS = re.compile(
    rf"\b{_KINDS}|{_IS_OF_A_KIND}|一种|一个|一类|一组|一块|方法|算法|结构|过程|函数|集合|程序|部件|组件|设备|电路|规则|现象|思想|模型",
    re.IGNORECASE,
)


def introduction(
    names: Collection[str], lectures: CourseLectures, *, titled: Collection[str] = ()
) -> tuple[LectureSentence, ...]:
    """The best sentence that says what one of `names` is, with those after it that go on; none where none does.

    `titled` are the ids of the videos whose titles name it.
    """
    key = ("introduction", frozenset(names), tuple(titled))
    return lectures.keep(key, partial(_find_introduction, names, lectures, titled))


def _find_introduction(
    names: Collection[str], lectures: CourseLectures, titled: Collection[str]
) -> tuple[LectureSentence, ...]:
    spellings = tuple(sorted({spelled for name in names for spelled in (name, name.replace("-", " "))}))
    wanted = [terms_of(name) for name in spellings if terms_of(name)]
    if not wanted:
        return ()
    naming = lectures.naming([wanted])
    first = min((lectures.by_id[video_id].index for video_id in naming), default=0)
    best: tuple[float, int, LectureSentence] | None = None
    ordered = list(enumerate(sentence for spoken in naming.values() for sentence in spoken))
    for place, sentence in sorted(ordered, key=lambda one: (one[1].video_id not in titled, one[0])):
        is_titled = sentence.video_id in titled
        is_early, is_first = is_titled and since_start(sentence.start_ms) < EARLY_MS, sentence.video_index == first
        added = 0.7 * is_titled + 0.5 * is_early + 0.3 * is_first
        least = (LEAST if best is None else best[0]) - added - _ROUNDED
        strength = _strength(sentence, spellings, least=least)
        if strength < LEAST:
            strength = max(strength, _strength_of_next(sentence, spellings, lectures))
        if strength <= 0.0 or lectures.is_rejected(sentence):
            continue
        strength += 0.7 * is_titled
        strength += 0.5 * is_early
        strength += 0.3 * is_first
        if strength >= LEAST and (best is None or (-strength, place) < (-best[0], best[1])):
            best = strength, place, sentence
    return with_what_follows(best[2], lectures) if best is not None else ()


NAMES_ITS_KIND = 1.0
"""Worth of a wording below which a sentence must say what kind of thing it is: "stacks is size N - one" says nothing of
a stack. A choice."""

_ROUNDED = 1e-6
"""More than sums of the same numbers in another order can differ by."""
_MOST_ADDED = 0.9
"""What a sentence can gain beside its wording, by `_GENUS` and by what `_goes_on`."""

_RESTATES = re.compile(
    r"\b(?:what (?:that|this|it) (?:says|means|asks)|(?:which|that) (?:means|says|asks)|that is,)|也就是|意思是",
    re.IGNORECASE,
)
"""By which a question says what a thing is: "and what that says is, of all patients, what fraction …?"."""
_WONDERS = re.compile(
    r"\bwhy (?:is|are|do|does|did|it's|we)\b.{0,120}?\b(?:called|named?)\b|\b(?:some of you|you) (?:may|might"
    r"|probably) (?:know|have)\b"
    r"|为什么.{0,20}?叫",
    re.IGNORECASE,
)
_BEFALLS = re.compile(
    r"\b(?:runs?|running|ran) into|\b(?:suffer\w*|comes?|came) (?:from|across)\b"
    r"|\b(?:fac(?:es?|ed|ing)|(?:encounter|avoid|address|fix)\w*)\b"
    r"|\b(?:is|are|was|were|that's) (?:\w+ )?(?:introduced|taught|covered)\b"
    r"|遇到|避免",
    re.IGNORECASE,
)
"""What says that a thing befalls one, or when it is taught, and not what it is."""
_PRAISES = re.compile(
    r"\b(?:is|are) (?:probably |perhaps |definitely )?(?:one of (?:the|my)|among the) "
    r"(?:most|best|coolest|favou?rite)\b"
    r"|\b(?:prove|proof|show)s?(?: you)? that\b",
    re.IGNORECASE,
)
"""What says how good a thing is, or that something is to be proved of it, and not what it is."""
_LATER = re.compile(
    r"\b(?:(?:talk|say|speak|see|learn|hear|define) (?:\w+ ){0,7}(?:later|soon)|come back to)\b|以后再|后面再|稍后",
    re.IGNORECASE,
)
"""What puts it off."""


def any_of(names: Iterable[str]) -> str:
    """A pattern of one of several names, the longest first; a blank and a hyphen in them are the same."""
    longest_first = sorted(names, key=len, reverse=True)
    return "|".join(re.sub(r"\\[- ]", "[- ]", re.escape(name)) for name in longest_first)


@lru_cache(maxsize=1 << 10)
def _goes_on(names: tuple[str, ...]) -> Pattern[str]:
    """What finds a name behind which the sentence says what it is for: "called X, which lets us …", "X for doing …"."""
    return re.compile(
        rf"\b(?:{any_of(names)})s?(?:,? (?:which|that|in which|where|for|to|meaning)\b"
        rf"| ?[-–—:] (?:and )?(?:what|it|this)\b)"
        rf"|(?:{any_of(names)})，?(?:用来|用于|可以|能够?|也就是|就是|它)",
        re.IGNORECASE,
    )


@lru_cache(maxsize=1 << 10)
def _compares(names: tuple[str, ...]) -> Pattern[str]:
    """What finds "X is a more general one": said of X beside something else."""
    return re.compile(
        rf"\b(?:{any_of(names)})s? (?:is|are) (?:just |also )?an? (?:even |much |bit )?"
        r"(?:more|less|better|simpler|faster|larger|bigger|smaller|newer)\b",
        re.I,
    )


def _strength(sentence: LectureSentence, names: tuple[str, ...], *, least: float) -> float:
    """How plainly a sentence says what something is, 0 where it does not; about 1 for a hint, 3 for a definition.

    0 also where it cannot come to `least`: hundreds of sentences name a thing, and one is wanted.
    """
    text = sentence.text
    for worth, pattern in zip((2.4, 2.2, 1.7, 0.8), defining_patterns(names), strict=True):
        if worth + _MOST_ADDED < least:
            return 0.0
        if pattern.search(text):
            strength = worth
            break
    else:
        return 0.0
    if strength < NAMES_ITS_KIND and _GENUS.search(text) is None:
        return 0.0
    leans, points, asks = wording_of(text)
    asks = (asks and _RESTATES.search(text) is None) or _WONDERS.search(text) is not None
    strength += 0.5 * (_GENUS.search(text) is not None) + 0.4 * (_goes_on(names).search(text) is not None)
    strength -= 0.8 * is_negated(text) + 0.5 * leans + 0.6 * points + 1.5 * asks
    strength -= 0.8 * (_compares(names).search(text) is not None) + 0.6 * (_LATER.search(text) is not None)
    strength -= 0.8 * (_BEFALLS.search(text) is not None) + 0.8 * (_PRAISES.search(text) is not None)
    shortest = 30 if sentence.lang == "en" else 10
    return strength - 0.8 * (len(text) < shortest) - 0.5 * (len(text) > LONGEST[sentence.lang])


def _strength_of_next(sentence: LectureSentence, names: tuple[str, ...], lectures: CourseLectures) -> float:
    """How plainly the next sentence says what one is that begins or ends with the thing: "A relay is like a tap. It is
    a switch that …", "That's the idea of path compression. The idea is that …"; 0 where it does not."""
    begins, ends = (pattern.search(sentence.text) is not None for pattern in (_beginning(names), _ending(names)))
    if not (begins or ends) or wording_of(sentence.text)[2]:
        return 0.0
    behind = lectures.find_behind(sentence)
    said = behind.text if behind is not None else ""
    if is_negated(said) or not ((begins and _IT_IS.search(said)) or (ends and _THE_IDEA_IS.search(said))):
        return 0.0
    return LEANT_ON + 0.5 * (_GENUS.search(said) is not None)


LEANT_ON = 1.7
"""Strength of a definition that begins with "it". A choice: with what kind of thing it is, it introduces."""

_IT_IS = re.compile(
    r"^(?:it is|it['’]s) (?:just |basically |simply |really |essentially )?an?\b"
    r"|^它(?:就|其实|本质上|也)?是一?[个种类组台块]",
    re.IGNORECASE,
)


_THE_IDEA_IS = re.compile(r"^(?:and |so |now )?(?:the|this|that) (?:idea|trick) (?:here )?is\b", re.IGNORECASE)


@lru_cache(maxsize=1 << 10)
def _ending(names: tuple[str, ...]) -> Pattern[str]:
    """What finds a sentence that ends by naming one of the names."""
    return re.compile(rf"\b(?:that's|that is|this is|called) (?:the idea of )?(?:{any_of(names)})s?\W*$", re.IGNORECASE)


@lru_cache(maxsize=1 << 10)
def _beginning(names: tuple[str, ...]) -> Pattern[str]:
    """What finds a sentence that begins with one of the names, or nearly so."""
    one = any_of(names)
    return re.compile(
        rf"^(?:[\w']+,? ){{0,3}}(?:{one})s?\b|\b(?:is|was) (?:the|an?) (?:{one})\b|^[^，。,]{{0,4}}(?:{one})",
        re.IGNORECASE,
    )


ENDS_NAME = (
    r"(?=\W*$|\s*[^\w\s-]|\s+-|\s+(?:algorithms?|methods?|techniques?|methodology|procedures?|rules?|ideas?|problems?"
    r"|is|are|was|were|has|have|can|will|would|and|or|but|so|because|if|when|where|which|that|who|for|of|to|in|on|at|by"
    r"|with|from|as|since|while|then|than|here|there|it|this|these|we|you|i|they|the|an?)\b)"
)
"""The end of a name: "the bias unit" is called so, and no bias."""


_BEGINS = (
    r"(?:^|[,;:] (?:or )?|\b(?:so|and|now|well|then|basically|(?<!\bnow )(?<=[\w,] )that|recall|remember|say|means?"
    r"|term|word) )"
)
"""What stands before the name that a sentence, or a part of it, begins with."""


@lru_cache(maxsize=1 << 12)
def naming_pattern(names: tuple[str, ...]) -> Pattern[str]:
    """Namings: "a special name, called X", "X involves …"."""
    one = any_of(names)
    latin = _with_article(one)
    return re.compile(
        rf"{_BEGINS}(?:{one})s? are (?:[\w-]+ ){{1,3}}(?:that|which)\b"
        rf"|{_BEGINS}{latin} (?:involves?|occurs when|happens when|describes)\b"
        rf"|\b(?:called|known as|named|term(?:ed)?|the name|refer to (?:this|it|that|these) as|call (?:this|it|that"
        rf"|these)"
        rf"(?: \w+)?)(?: as)? {latin}{ENDS_NAME}(?![ -](?:is|are|was) (?:not|called))"
        rf"|\b(?<!this )(?<!of )(?:an? )?(?:{one})s?, (?:which is )?an? (?:[\w-]+ ){{0,2}}"
        rf"{_MADE_OR_FOUND} "
        r"(?:that|which|for|where|used|to)\b"
        rf"|\b(?:problem|phenomenon|situation|process|technique|method) of {latin},? "
        rf"(?:in which|where|when|is|means|comes|occurs|arises|happens)\b"
        rf"|(?:叫做?|称为|称作|称之为|被称为|就叫|这就是|命名为)(?:所谓的?|一[组个]|[^，。“]{{1,8}}?的)?\s?[“\"「《]?(?:{one})"
        rf"(?:[”\"」》]|(?!(?-i:[\u4e00-\u9fff])))"
        rf"|称(?:它们?|其|这些?|这个)[^，。“]{{0,8}}(?:为|是|作)[“\"「](?:{one})[”\"」]",
        re.IGNORECASE,
    )


def _with_article(one: str) -> str:
    """A name in English, with what may stand around it."""
    return rf"(?:the |an? |this )?(?:{one})(?:s|es)?(?: \([^)]*\))?"


def _spell_out(names: Iterable[str]) -> str:
    """A pattern of a sentence that begins with what a short form stands for, by its first letter, and the short form
    behind it: "Messenger RNA, mRNA, carries …"."""
    short = [re.escape(one) for one in names if one.isascii() and one.isalnum() and 1 < len(one) <= LONGEST_SHORT]
    spelled = (rf"{one[0]}[\w-]+(?: [\w-]+){{0,4}}(?:, (?:or )?| \(){one}[,)]" for one in short)
    return rf"^(?:the |an? )?(?:{'|'.join(spelled)}) (?!and\b|or\b|but\b)[a-z]" if short else NOTHING


LONGEST_SHORT = 6
"""Letters of a short form of several words. A choice."""

NOTHING = r"(?!)"
"""A pattern that finds nothing."""


@lru_cache(maxsize=1 << 10)
def defining_patterns(names: tuple[str, ...]) -> tuple[Pattern[str], Pattern[str], Pattern[str], Pattern[str]]:
    """Definitions ("X is a …"; "That X is a …" says it of one of them), namings ("… called X"), what it is about ("the
    idea of X is …"), and any "X is"."""
    one = any_of(names)
    latin = _with_article(one)
    is_a, is_about, any_is = (
        rf"{_BEGINS}{latin}{APPOSED},? (?:is|are|is just|is simply|is basically|is really|are just)"
        rf"(?: also| just| simply)? "
        rf"(?:an?|the|one|any|some|when|where|what|our|your|just an?)\b(?! (?:very|pretty|good|bad|little|lot|bit"
        rf"|same|case"
        rf"|following|next|first|only|problem with))"
        rf"|{_BEGINS}{latin} (?:means?|refers? to|stands? for|consists? of|is defined (?:as|to be)"
        rf"|are defined (?:as|to be))\b"
        rf"|\b(?:taking|computing|finding|doing) (?:their |its )?{latin} means\b"
        rf"|{_BEGINS}{latin}(?: ?, or [^,.]{{1,30}},)? (?:is|are) (?:just|simply|basically|essentially) (?:[\w-]+ )?"
        rf"{_KINDS}"
        rf"|{_spell_out(names)}"
        rf"|{_BEGINS}{latin} (?:of|between) [\w-]{{1,20}} and [\w-]{{1,20}}(?:, [^,.]{{3,60}},)?"
        rf" (?:is|are) (?:an?|the)\b"
        rf"|\b(?:definition|meaning) of {latin}{OF_WHAT} is\b|\bby {latin},? (?:that|this|it|i|we) means?\b"
        rf"|(?:^|[，。：；,、 ]|就是说)(?:所谓的?)?[“\"「]?(?:{one})[”\"」]?{SYMBOL}(?:，|其实|本质上|简单来说"
        rf"|基本上)*(?:就?是(?:指|一(?![元块万个%米秒倍人])|由|用|把|将|具有|能|在|所有|每)|指的是|是指"
        rf"|即|代表[着了]|定义为|的定义是|的意思是|可以理解)",
        rf"\b(?:idea|goal|purpose|point|intuition|job|essence|notion|concept|objective|aim)(?: behind| of| with"
        rf"| in)+ {latin}\b(?! (?:also|allows?|extends?|generali[sz]es|appl(?:y|ies)|is (?:also|pretty|very)))"
        rf"|\b(?:talk|speak|tell you|hear|learn) about {latin}, which\b"
        rf"|\bwhat {latin} (?:does|do|is|are|means?)\b|{_BEGINS}(?!this ){latin} (?:lets?|allows?|tells?"
        rf"|measures?|takes?"
        rf"|finds?|tries"
        rf"|works? by|helps?|solves?|gives?|computes?|keeps?|repeatedly|will(?! be\b))\b(?![,.])"
        rf"|(?:{one})(?:的(?:作用|目的|思想|想法|任务|核心|本质)|可以用?来?|负责|用来|用于|会把|把|允许|让)",
        rf"{_BEGINS}{latin} (?:is|are)\b|(?:{one})(?:就?是){NO_NUMBER}",
    )
    defines, speaks_of, says_is = (re.compile(pattern, re.IGNORECASE) for pattern in (is_a, is_about, any_is))
    return defines, naming_pattern(names), speaks_of, says_is


def with_what_follows(sentence: LectureSentence, lectures: CourseLectures) -> tuple[LectureSentence, ...]:
    """The sentence, what it leans on, and those after it, as long as they speak of the subject."""
    said: Sequence[LectureSentence] = lectures.by_id[sentence.video_id].sentences
    start = stop = next(place for place, one in enumerate(said) if one.position == sentence.position)
    while 0 < start > stop - MOST_BEFORE and _is_leant_on(said[start - 1], said[start]):
        start -= 1
    size = sum(len(one.text) for one in said[start : stop + 1])
    while stop + 1 < len(said):
        _, points, asks = wording_of(said[stop + 1].text)
        size += len(said[stop + 1].text)
        if points or asks or _LATER.search(said[stop + 1].text) or size > LONGEST[sentence.lang]:
            break
        stop += 1
    start, stop = find_edges([one.text for one in said], start, stop + 1, sentence.lang, key=start)
    return tuple(said[start:stop])


def _is_leant_on(before: LectureSentence, sentence: LectureSentence) -> bool:
    """Whether a sentence is not understood without the one before it."""
    return wording_of(sentence.text)[0] and not goes_on(sentence.text) and not _closes(before.text)


MOST_BEFORE = 2
"""Sentences before the one that introduces a thing, each because the one behind it leans on it. A choice."""


def _closes(text: str) -> bool:
    """Whether a sentence ends what was said before it, or asks about that: "What can we do about this?"."""
    _, points, asks = wording_of(text)
    return points or _CLOSES.search(text) is not None or (asks and _OF_BEFORE.search(text) is not None)


_OF_BEFORE = re.compile(r"\b(?:this|that|these|those|it)\W*$|[这那]\W*$", re.IGNORECASE)


_CLOSES = re.compile(
    r"^(?:so|and|ok(?:ay)?|all right|right)?,? ?that(?:'s| is| was) (?:the|an?|all|it|what)\b", re.IGNORECASE
)
