"""The sentences of a lecture that tell most of it: those that stand alone, give a thing its name or conclude, spread
over it from its beginning to its end. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from knowledge_graph.lake.records import Lang
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.cues import is_of_a_sum, speaks_of_the_talk, takes_back, withdraws, wording_of
from serving.assistant.composing.lectures import SpokenLecture
from serving.assistant.composing.reply_cues import rejects
from serving.assistant.composing.window import HANGS, says_the_same

LONGEST: dict[Lang, int] = {"en": 320, "zh": 120}
SHORTEST: dict[Lang, int] = {"en": 45, "zh": 12}
"""Characters of a sentence that says enough to stand in a summary. A choice."""

AGAIN = 0.8
"""What a sentence is worth of itself for each one already chosen of its stretch of the lecture. A choice."""

DEFINING = 1.5
"""How much more a sentence counts in a summary that says what a concept is. A choice."""

NAMING, CONCLUDING = 1.5, 1.3
"""How much more one counts that gives a thing its name or sums up, and one that says what follows. Choices."""

DAMPED = 0.7
"""Power of a weight: by its words alone an example that repeats them outweighs what is said of it once. A choice."""
FEW = 3
"""Sentences of which each must be of what the whole lecture is about, and no weight is damped. A choice."""


def key_sentences(lecture: SpokenLecture, most: int, defined_at: Sequence[int] = ()) -> list[LectureSentence]:
    """The sentences that count most, in the order in which they are said: one by one, each stretch of the lecture
    counting less the more it has given. Those in which a concept is defined, at `defined_at`, count more."""
    whole = [one for one in _join_names(_without_withdrawn(lecture.sentences)) if len(one.text) <= LONGEST[one.lang]]
    usable = whole or list(lecture.sentences)
    stretch = _stretches(usable, most)

    def counts(sentence: LectureSentence) -> float:
        defines = any(sentence.start_ms <= at < sentence.end_ms for at in defined_at)
        return readable(sentence, damped=DAMPED if most > FEW else 1.0) * (DEFINING if defines else 1.0)

    left = {one.position: (counts(one), one) for one in usable}
    given = [0] * most
    chosen: list[LectureSentence] = []
    while left and len(chosen) < most:
        worth = {at: count * AGAIN ** given[stretch[at]] for at, (count, _) in left.items()}
        best = min(worth, key=lambda at: (-worth[at], at))
        _, sentence = left.pop(best)
        if not any(says_the_same(sentence.text, other.text) for other in chosen):
            chosen.append(sentence)
            given[stretch[best]] += 1
    return sorted(chosen, key=lambda one: one.position)


def _stretches(sentences: Sequence[LectureSentence], most: int) -> dict[int, int]:
    """By position, in which of `most` stretches of the same length a sentence begins."""
    start, end = sentences[0].start_ms, max(sentences[-1].end_ms, sentences[0].start_ms + 1)
    return {one.position: min(most - 1, (one.start_ms - start) * most // (end - start)) for one in sentences}


def _without_withdrawn(sentences: Sequence[LectureSentence]) -> list[LectureSentence]:
    """The sentences without those of a sum that its speaker finds wrong: "… five hundred. That can't be."."""
    kept: list[LectureSentence] = []
    for one in sentences:
        if withdraws(one.text):  # and says nothing else
            while kept and is_of_a_sum(kept[-1].text):
                kept.pop()
        else:
            kept.append(one)
    return kept


def _join_names(sentences: Sequence[LectureSentence]) -> Iterator[LectureSentence]:
    """The sentences, one that says how the one before it is called, or what of its condition is not so, joined to it;
    without one that the next takes back, which alone would say the contrary."""
    is_torn = _has_captions(sentences)
    before: LectureSentence | None = None
    for one in (*sentences, None):
        if before is None or one is None:
            if before is not None:
                yield _trim(before, None)
            before = one
            continue
        is_taken_back = takes_back(one.text) or rejects(one.continued or one.text)
        hangs, is_named = HANGS.match(before.text) is not None, _is_named_next(before.text, one, is_torn=is_torn)
        goes_on = hangs if is_taken_back else is_named
        joined = _join(before, one, is_torn=is_torn) if goes_on else None
        if joined is not None and len(joined.text) <= LONGEST[one.lang]:
            before = joined
            continue
        if not is_taken_back:
            yield _trim(before, one)
        before = one


def _has_captions(sentences: Sequence[LectureSentence]) -> bool:
    """Whether captions without full stops have become the sentences: in Chinese ones a space is left of their ends."""
    return sum(_CAPTION_END.search(one.text) is not None for one in sentences) >= TORN * len(sentences)


TORN = 0.2
"""Share of the sentences with two captions in them from which a lecture has no full stops of its own. A choice."""


def _is_named_next(text: str, following: LectureSentence, *, is_torn: bool) -> bool:
    """Whether the next sentence says how what this one speaks of is called: "This is called …"."""
    is_plain = not (wording_of(text)[2] or speaks_of_the_talk(text) or _NAMES.search(text))
    begins = (following.text, following.continued or "")
    goes_on = is_torn and any(_LACKS_SUBJECT.match(one) or _THEN.match(one) for one in begins)
    lacks = _NAMES_IT.match(following.text) is not None or (goes_on and _NAMES.search(following.text) is not None)
    return is_plain and lacks


def _join(one: LectureSentence, other: LectureSentence, *, is_torn: bool) -> LectureSentence:
    said = other.continued or other.text
    before = one.text.rstrip("。") if is_torn else one.text
    text = f"{before}{said}" if one.lang == "zh" and not is_torn else f"{before} {said}"
    return replace(one, text=text, end_ms=other.end_ms, weight=max(one.weight, other.weight))


def _trim(sentence: LectureSentence, following: LectureSentence | None) -> LectureSentence:
    """A Chinese sentence without a first caption that is the end of the one before it, and without a last one that the
    next goes on with: "… 程序员想改一段代码时。"."""
    captions = _CAPTION_END.split(sentence.text) if sentence.lang == "zh" else []
    if len(captions) < 2:
        return sentence
    kept, first, last = sentence.text, captions[0], captions[-1]
    goes_on = following is not None and _HAS_PREDICATE.match(following.text) is not None and "，" not in last
    is_beside = _IS_CONDITION.search(last) or _REFERS_BACK.search(last)
    if (goes_on or is_beside) and len(kept) - len(last) > SHORTEST["zh"]:
        kept = f"{kept[: -len(last)].rstrip(' ，,')}。"
    if _ENDS_BEFORE.match(first) and len(kept) - len(first) > SHORTEST["zh"]:
        kept = kept[len(first) :].lstrip()
    return replace(sentence, text=kept)


_ENDS_BEFORE = re.compile(r"(?:会|可以|都|应该|就(?!像)|也|还|直到|导致|而且|比(?![如较])|好了|谢了|没错|对了)")
"""How a caption begins that ends what stands before it."""
_CAPTION_END = re.compile(r"(?<=[\u4e00-\u9fff”\"」)）])\s(?=[\u4e00-\u9fff])")
_IS_CONDITION = re.compile(
    r"(?:时|时候|之后|的话)[。，]?$|^(?:如果|当|因为|由于|即使|哪怕|想象|假设|比如)[^，]*(?:，而且[^，]*)?$"
)
_LACKS_SUBJECT = re.compile(
    r"(?:会|可能|是(?!否)|能(?![量源力])|可以|都|应该|就(?!像)|也|还|来|叫|称|以及|并|直到|导致|则|才|而且"
    r"|(?:这|因此)(?:就)?叫)"
)
"""How a Chinese sentence begins that goes on with the caption before it."""
_HAS_PREDICATE = re.compile(r"(?:会|来|应该|叫|称|以及|并|直到|导致)")
"""How one begins whose subject is the end of the caption before it."""
_THEN = re.compile(r"然后|因此|所以|从而|并")


def readable(sentence: LectureSentence, *, damped: float = 1.0) -> float:
    """The weight, to the power of `damped`, more for a sentence that gives a thing its name or concludes, less for one
    that leans on the one before it, asks, points at something unseen, speaks of the lecture, is of an example or of its
    values, and for one that is torn or too short to say much. The factors are choices."""
    text = sentence.text
    weight: float = sentence.weight**damped
    leans, points, asks = wording_of(text)
    leans = leans or _IS_A_STEP.match(sentence.continued or "") is not None
    is_cut = HANGS.match(text) is not None or len(text) < SHORTEST[sentence.lang]
    said_less = (
        (leans, 0.8),
        (points, 0.8),
        (asks, 0.6),
        (is_cut, 0.7),
        (_TORN.search(text) is not None, 0.5),
        (_REFERS_BACK.search(text) is not None, 0.7),
        (_EXAMPLE.search(text) is not None, 0.7),
        (_VALUES.search(text) is not None, 0.6),
        (speaks_of_the_talk(text), 0.6),
    )
    for is_so, factor in said_less:
        weight *= factor if is_so else 1.0
    if _NAMES.search(text) or _SUMS_UP.search(text):
        return weight * NAMING
    return weight * (CONCLUDING if _CONCLUDES.search(text) else 1.0)


_IS_A_STEP = re.compile(r"(?:(?:and|so|but),? )?(?:then|or|whereas|otherwise)\b", re.IGNORECASE)
"""How one goes on that tells the next of several steps, or the other side."""

_NAMES = re.compile(
    r"\b(?:is|are|was|were|be|it['’]s|that['’]s|we|usually|what['’]s|what is) (?:\w+ )?(?:called|known as)\b"
    r"|\bcalled (?:the|an?) \w|\b(?:we|i) call (?:this|that|it|these) "
    r"|\b(?:is|are) defined (?:as|to be)\b|\bmeans [a-z]+ing\b"
    r"|(?<![呼喊尖大不])叫(?![我他她你人声好喊停醒了着])|称为|称作|[统简]称",
    re.IGNORECASE,
)
"""What gives a thing its name, which is what a lecture is remembered by."""

_NAMES_IT = re.compile(
    r"(?:this|that|it|these|those|they)(?:['’]s|['’]re| is| are| was)? (?:\w+ ){0,2}(?:called|known as)\b"
    r"|(?:we|i) call (?:this|that|it|these)\b|(?:这|因此|所以)?(?:就|也|统)?(?:叫|称)|[^，。]{0,8} [-–] (?:这)?叫",
    re.IGNORECASE,
)
"""How a sentence begins that gives a name to what the one before it speaks of."""

_CONCLUDES = re.compile(
    r"\b(?:in (?:general|other words)|therefore|thus|hence"
    r"|(?:this|that|which|it) (?:also )?(?:means|implies|tells (?:us|you)|shows)|the key that"
    r"|the (?:key|main|basic|central|important|whole) (?:\w+ )?(?:is|idea|point|reason|thing|difference|advantage)"
    r"|the (?:idea|point|reason|problem"
    r"|advantage|disadvantage|drawback|lesson|bottom line|upshot|conclusion|trick) (?:is|with|of|that|behind)"
    r"|(?:will|does|can|won['’]t|doesn['’]t|likely to) (?:not )?(?:actually |really )?help|can prevent|turns out"
    r"|the (?:nice|good|bad|great) thing|went (?:up|down) from|(?:percent|%) (?:\w+ )?(?:gain|improvement))\b"
    r"|换句话说|也就是说|意味着|核心是|本质上?是|关键是|目的是|作用[^，]{0,6}是"
    r"|好处是|缺点是|优点是|解决办法是|的方法(?:之一)?是|重要部分是",
    re.IGNORECASE,
)
"""What says what follows."""

_SUMS_UP = re.compile(
    r"\b(?:to (?:summari[sz]e|recap|conclude|sum up)|in (?:summary|conclusion|short)|long story short)\b"
    r"|总的来说|总之|总结|长话短说|简而言之|综上",
    re.IGNORECASE,
)
"""How somebody begins who says it all again in short."""

_TORN = re.compile(
    r"^(?i:(?:going to|gonna|of|than|or|nor|can|could|will|would|is|are|was|were|has|have|had|went"
    r"|by \d\S*|set of|no,|yes,) "
    r"|like (?!this\b)[^,]*$|where,"
    r"|[a-z]+ing (?!.*\b(?:is|are|was|were|will|can|could|would|should|may|might|must|has|have|does|do"
    r"|\w+s|we|you|it)\b)"
    r"|(?:if|when|as long as|whether|unless|because|since)\b(?:[^,]|, or )*$)"
    r"|[a-z,] (?:When|So|If|And|But|Then|Than|What|Because|Now|Or|We|You|It) [a-z]"
    r"|\b(?:the|an?|of|to|and|is|are|with|you know)[,.]?\.$|,and "
    rf"|^{_LACKS_SUBJECT.pattern}"
    r"|^(?:然后|从而|意味着|意思是|了，|因为(?:是|这|它|他|那)|而|但|与其|或者?(?=[^许])|再(?=[^次])|比(?![如较]))"
)
"""What a sentence has that captions have torn: no beginning, no end, or two in one."""

_REFERS_BACK = re.compile(
    r"^(?:plus|eventually|finally|next|to do (?:this|that|so)|for (?:this|that)|the last thing|last thing|similarly"
    r"|likewise|on the other hand|in the end|at this point|at that point|again|more precisely|together|for that matter"
    r"|just|what (?:i|we) (?:really )?want|(?:so,? |and,? )?that['’]s (?:an?|the|our|my|it))\b"
    r"|\blook(?:s|ed|ing)? (?:\w+ )?like (?:this|that|what)\b|\bby this\b|\bas before\b"
    r"|\b(?:in|on) the (?:previous|last|next) (?:slides?|examples?|line|page|set)\b|\btake a moment\b"
    r"|\byou (?:might|may) (?:notice|want|think|ask|wonder|remember)\b"
    r"|\bin (?:this|that|our|either) (?:\w+ )?(?:example|case|setting|figure|sort|picture)\b|\bjust now\b"
    r"|\b(?:i|we)(?:['’]ve| have|['’]d)? (?:\w+ )?(?:drew|drawn|wrote|written|fit|chose|picked|plotted|showed|shown|saw"
    r"|seen|mentioned|said|talked about)\b|\bas (?:i|we) (?:\w+ )?(?:said|mentioned|saw)\b"
    r"|\b(?:this|that|these) (?:\w+ )?(?:examples?|points?|lines?|curves?|region|dots?|here)\b|\bearlier\b"
    r"|\bi['’](?:m|ll|d) (?!n['’]t)|\bin part (?:one|two|\d) of\b|\blet['’]?s\b|\blet me\b"
    r"|(?:就像|和|跟)?(?:之前|前面|刚才|上面)(?:说|讲|提|的|一样|，|那)|第\s?\d+\s?集|回到|继续|这次|听起来"
    r"|^第[一二三四五六][种个件类]|^因为(?!.*所以)|^[和跟与][^，]{1,8}一样|这些[^，]{0,8}问题|(?:^|，|\s)这种",
    re.IGNORECASE,
)
"""What points at something said, drawn or done before, within the sentence."""

_VALUES = re.compile(
    r"\b(?:equals?|equal to|address|at location|value of|gives?) (?:to )?(?:minus )?(?:\d|zero\b|one\b|two\b)"
    r"|\b[01]{4,}\b|=\s?\d|\[\d+\]|(?:地址|值是|等于)\s?\d",
    re.IGNORECASE,
)
"""The values of an example, which mean nothing without it."""

_EXAMPLE = re.compile(
    r"^(?:so,? |and,? |but,? )?(?:for (?:example|instance)|suppose|imagine|let's say|say,? )"
    r"|^(?:比如|例如|举个例子|假设|假如|想象)",
    re.IGNORECASE,
)
