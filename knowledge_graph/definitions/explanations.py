"""A short passage that explains a concept where no single sentence defines it. English only.

Belongs here: which one to three consecutive sentences around a mention may be shown away from their lecture, and how
much they explain. Single defining sentences are in `wordings.py`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from knowledge_graph.definitions.cleaning import clean_spoken
from knowledge_graph.definitions.flaws import emptiness, flaws
from knowledge_graph.definitions.parts import ADVERB, ASIDE, BASE, DET, DOES, HEAD, IN_ORDER_TO, THIRD
from knowledge_graph.text.sentences import lower_text

_SHORTEST, _LONGEST = 60, 380  # characters of a passage

_POINTS_AWAY = re.compile(
    r"\?|\b(?:here(?!'s)|there it|over there|up there|down there|slides?|videos?|lectures?|(?:this|the) (?:class|"
    r"course)|screen|picture|"
    r"figure|simulations?|animations?|demo|drawn|drawing|draw|drew|plotted|shown|written|wrote|red|blue|green|"
    r"magenta|pink|cyan|purple|yellow|"
    r"arrow|on the (?:left|right|top|bottom)|the following|as follows|(?<!look )(?<!looks )(?:like|as) (?:this|so|"
    r"that)\b(?! \w)(?!\.$)|"
    r"let me|let's|let us|i'm (?:going|gonna)|i want|i'd like|i'll|we'll (?:see|talk|look|discuss|learn|come|go|start)|"
    r"tell you|show you|talk(?:ed|ing)? about|next|previous|previously|earlier|recall|remember|reminder|saw|"
    r"(?:we|you|i)(?:'ve| have|) (?:already )?(?:seen|said|talked|defined|learned|did|had|wrote)|last time|later|"
    r"go ahead|quiz|question|exercise|congratulations|don't worry|i hope|i know|i've|thank|just now|"
    r"these (?:two|three)|this (?:one|line|curve|term|plot|example|expression|equation|guy|formula|graph|point|"
    r"number|value|cell|column|row|axis|region|direction|setting|thing|side|part|first|second|third|last)|"
    r"those (?:two|three)|the (?:first|second|third) one|such and such|blah|"
    r"i was|i did|i said|wondering)\b",
    re.IGNORECASE,
)
"""Points at the screen, at the course or at the speaker: the sentence cannot be shown alone."""
_LOOKS_BACK = re.compile(
    r"^(?:it|its|it's|this|that|these|those|they|they're|he|she|his|her|that's|there|here|which|such|each of|both|"
    r"neither|one|another|other|otherwise|similarly|likewise|the (?:same|other|former|latter|second|third|next|last|"
    r"final|only|reason|problem with|one|result|first|way)|because|whereas|while|though|although|except|"
    r"if (?:it|this|that|they|not|so)|when (?:it|this|that|they)|yes|no|not|as you|you can see|or|to do (?:so|this|"
    r"that)|"
    r"in (?:this|that|these|those|both)|with (?:this|that|these|those)|by (?:doing )?(?:this|that)|for (?:this|that|"
    r"these)|"
    r"all (?:of )?(?:this|these|that)|given (?:this|that|these)|unlike|even|either|what this|what that|too|where|"
    r"at this|"
    r"on this|from this|of this|doing (?:this|that|so)|after (?:this|that)|more|else|again|how|why|what it|"
    r"we call (?:it|this|that)|"
    r"we (?:do|did) (?:this|that|so))\b",
    re.IGNORECASE,
)
"""Begins with a word whose meaning stands in the sentence before."""
_CUE = re.compile(
    r"\b(?:(?:the|main|basic|key) (?:idea|intuition|goal|point|purpose|job)|that is|in other words|which means|"
    r"that means|"
    r"means? that|so that|in order to|because|such that|by \w+ing|whenever|refers? to|called|known as|instead of|"
    r"rather than|"
    r"the way|allows?|lets?|consists? of|(?:tries|try|trying) to|used to|so as to)\b",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(
    rf"\b(?:{THIRD}|is an?|are|means?|(?:we|you|to|can|will|would|it'll|you'll) (?:\w+ly |just |then |"
    rf"also )?(?:{BASE}|have))\b"
)
_VERB = re.compile(
    rf"\b(?:{THIRD}|is|are|can|will|would|has|have|means?|comes?|goes|gets?|makes?|starts?|refers?|computes?|needs?|"
    rf"(?:we|you|they) (?:\w+ly |just |then |also )?(?:{BASE}))\b|'(?:s|re|ll)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(rf"(?:^|[,;:]|\b(?:and|so|but|because|that|then)) ?(?:the (?:\w+ ){{1,2}}of )?{DET}$")
_AS_SUBJECT = re.compile(
    rf"{HEAD}(?:{DOES}|,?{ADVERB}(?: is| are| will| can| may| would){ADVERB} \w+|,? which (?:is|are|\w+s)\b|"
    rf",? that is\b)"
)
_JUDGED = re.compile(
    rf"{HEAD},?(?: is| are| will be| would be| was| will| can| may| seems| looks| becomes| gets|"
    rf" does){ADVERB}(?: again| still| also| then){{0,2}}(?: be)? "
    rf"(?:a |an )?(?:\w+ly |very |pretty |fairly |quite |so )*(?:small|large|high|low|big|huge|long|slow|fast|"
    rf"tricky|useful|"
    rf"reasonable|good|great|nice|bad|poor|popular|common|important|powerful|hard|easy|simple|fine|better|worse|best|"
    rf"interesting|difficult|different|similar|complicated|zero|one|two|half|one-half|\d|equal|close|not|n't|still|"
    rf"done|"
    rf"going|being|just the|the same|synonyms?|supposed|exactly|much|more|less|likely|expensive)\b"
)
"""Only praised, compared, measured or denied."""
_IN_IT = re.compile(
    rf"\b(?:in|with|using|by|for|(?:doing|perform\w*|implement\w*|run\w*|appl\w+)|(?:if|when) (?:we|you) \w+) {DET}$"
)
_WE_DO = re.compile(rf"{ASIDE},?(?: of course,?| then,?| now,?)? (?:what )?(?:we|you|the|each|there|it)\b")
_USED = re.compile(rf"\b(?:use|using|uses|apply|applying|run|perform|do|have|need|compute|implement) {DET}$")
_IN_ORDER = re.compile(IN_ORDER_TO)
_NAMED = re.compile(
    rf"\b(?:(?<!what's )(?<!what is )called|known as|call (?:it|this|that|these|them|\w+)|named|"
    rf"term for \w+ is)(?: the case of)? {DET}$"
)
_LOOKS_AHEAD = re.compile(r"\b(?:like|as) (?:this|that|so|follows)[.]$|:$", re.IGNORECASE)
_BASE_WORTH = 0.3
_PRONOUN_COST = 0.26  # of a sentence that begins with "it", which here has something to stand for
_NEAR = 60  # characters before a term that show its role
_GOOD_FROM, _GOOD_TO = 90, 300
_STANDS_IN = re.compile(
    r"\b(?:this|these|those|such|also(?! (?:called|known))|still|now|both|another|too|then|again|i|my|to do that)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|its|it's|they|them|their|they're)\b", re.IGNORECASE)
_EARLY = 25  # characters in which a pronoun has nothing before it to stand for
_FRAGMENT = re.compile(
    r"^(?:so (?:that|long|far)\b|(?:when|if|after|once)\b[^,]{0,30}\b(?:this|that|it|them|these),|"
    r"[^,]{1,20}\b(?:that|this),|"
    r"how|what (?:a|an|the|if|you|we|i)\b(?!.* (?:is|are|will)\b)|does|do|did|is|are|was|show|shows|find|going|long|"
    r"far|"
    r"plus|to be|only|just|maybe|why|where|can|could|will|would|such as|for (?:the|only)\b|from|about|than|that|"
    r"(?:\w+ing\b(?! (?:algorithm|curve|rate|problem|method|set|model|function)s?\b))(?!.*\b(?:is|are|can|will|"
    r"means|lets|"
    r"gives|allows|helps|makes|gets|does)\b))",
    re.IGNORECASE,
)
"""No whole sentence: captions end sentences where the speaker pauses."""


@dataclass(frozen=True, slots=True)
class ExplainingPassage:
    """One to three whole sentences; `before` and `behind` count those beside the one that names the concept."""

    text: str
    worth: float
    before: int
    behind: int


def passages(texts: tuple[str, str, str, str], start: int, end: int) -> Iterator[ExplainingPassage]:
    """Passages around the term at `texts[1][start:end]`: sentence before, its own, and two behind; "" where none is."""
    own = _sentence(texts[1])
    if not own:
        return
    worth, term = role(texts[1], start, end), texts[1][start:end].lower()
    back, one, two = (_sentence(each) for each in (texts[0], *texts[2:]))
    one = one if _goes_on(one, term) else ""
    two = two if _goes_on(two, term) else ""
    back = back if _LOOKS_BACK.match(own) else ""
    behind = [[own], *([[own, one]] if one else []), *([[own, one, two]] if one and two else [])]
    for number, sentences in enumerate(behind):
        if _stands(own, term):
            yield from _passage(sentences, term, worth, 0, number)
        if back and number < 2 and _stands(back, term):
            yield from _passage([back, *sentences], term, worth, 1, number)


def _passage(
    sentences: Sequence[str], term: str, worth: float, before: int, behind: int
) -> Iterator[ExplainingPassage]:
    text = " ".join(sentences)
    if _SHORTEST <= len(text) <= _LONGEST and not (_LOOKS_AHEAD.search(sentences[-1])):
        yield ExplainingPassage(text, worth + _worth(sentences, text, term), before, behind)


@lru_cache(maxsize=4096)
def _sentence(text: str) -> str:
    """The sentence cleaned, or nothing when it cannot be shown."""
    if not 15 <= len(text) <= _LONGEST or text[0].islower():
        return ""
    said = clean_spoken(text, "en")
    return "" if _POINTS_AWAY.search(said) or _FRAGMENT.match(said) or not _VERB.search(said) else said


def role(text: str, start: int, end: int) -> float:
    """How much the sentence is about the term: named by it, its subject, what is done in it or with it."""
    low = lower_text(text)
    before = low[max(0, start - _NEAR) : start]
    if _NAMED.search(before):
        return 0.15
    if _AS_SUBJECT.match(low, end) and _SUBJECT.search(before) and not _JUDGED.match(low, end):
        return 0.2
    if _IN_IT.search(before) and _WE_DO.match(low, end):
        return 0.12
    if _USED.search(before) and _IN_ORDER.match(low, end):
        return 0.12
    return 0.0


def _goes_on(sentence: str, term: str) -> bool:
    """Whether a sentence says more of the same: it begins with a word that looks back, or names the term again."""
    return bool(sentence) and (_LOOKS_BACK.match(sentence) is not None or term in sentence.lower())


def _stands(sentence: str, term: str) -> bool:
    """Whether a passage may begin so: nothing before the term stands for what was said earlier."""
    at = sentence.lower().find(term)
    until = at if at >= 0 else len(sentence)
    early = _PRONOUN.search(sentence, 0, min(until, _EARLY))
    return not (early or _LOOKS_BACK.match(sentence) or _STANDS_IN.search(sentence, 0, until))


@lru_cache(maxsize=4096)
def _flaws(sentence: str) -> float:
    return flaws(sentence, "en")


def _worth(sentences: Sequence[str], text: str, term: str) -> float:
    cues = 0.05 * min(3, len(_CUE.findall(text))) + 0.03 * min(3, len(_EXPLAINS.findall(text)))
    costs = [
        _flaws(sentences[0]),
        *(max(0.0, _flaws(each) - _PRONOUN_COST * bool(_PRONOUN.match(each))) for each in sentences[1:]),
    ]
    cost = (sum(costs) / len(costs) + max(costs)) / 2
    return _BASE_WORTH + cues + 0.05 * (_GOOD_FROM <= len(text) <= _GOOD_TO) - 0.6 * cost - emptiness(text, "en", term)
