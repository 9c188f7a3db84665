"""How lecturers word a definition, and what makes a sentence a poor one, in English and Chinese.

Belongs here: regular expressions and their weights, each with its reason. `before` must match at the end of what
precedes the term (false starts removed), `after` at the start of what follows it.
"""

import re
from dataclasses import dataclass

from knowledge_graph.records import Lang


@dataclass(frozen=True)
class Pattern:
    """One way of saying what a term is; `weight` grows with how often sentences worded so are real definitions."""

    name: str
    weight: float
    before: re.Pattern[str]
    after: re.Pattern[str]


def _pattern(name: str, weight: float, before: str, after: str) -> Pattern:
    return Pattern(name, weight, re.compile(before, re.IGNORECASE), re.compile(after, re.IGNORECASE))


def _lowers(by: float, wording: str) -> tuple[re.Pattern[str], float]:
    return re.compile(wording, re.IGNORECASE | re.DOTALL), by


_DET = r"(?:(?:an?|the|our|every|each|any|so-called|this|of) |[\"“'])*"
_KIND_OF = rf"(?:(?:method|technique|problem|idea|notion|concept|process|term) (?:of |called )?{_DET})?"
_SUBJECT = rf"^(?:what )?{_DET}{_KIND_OF}$"
_CLAUSE = rf"(?:[,;:] (?:and |so |then )?|\b(?:that|because|where|recall|remember|say|means) ){_DET}$"
_HEAD = r"(?: (?:algorithm|method|technique|problem|model|function|procedure|approach|operation|set|system))?"
_ASIDE = _HEAD + r"[\"”']?(?: ?\([^)]{1,40}\)| or [\w-]+(?: [\w-]+)?|, [^,.]{2,60},)?"
_ADVERBS = r"actually|basically|essentially|just|simply|really|then|also|therefore|nothing but|usually|always|in fact"
_IS = rf" (?:is|are|was|'s)(?: (?:{_ADVERBS}))*"
_VAGUE = (
    r"(?!(?:very |pretty |really |quite |fairly |so )*"
    r"(?:bit|little|lot|good|great|bad|nice|best|better|same|case|reason|right|next|only|first thing|second|third|"
    r"following|important|big|huge|terrible|reasonable|common|popular|fine|one (?:that )?(?:we|i|you)|example|most|"
    r"problem with|question|matter|topic|subject|last|few|couple|idea)\b)"
)
_DEFINES = (
    r" (?:refers? to|means? (?!that you)|(?:is|are) defined (?:as|to be)|stands? for|consists? of|denotes?|describes?|"
    r"(?:is|are) (?:composed|made up) of)\b"
)
_DOES = (
    r" (?:(?:is|are) (?:used|useful|designed|meant|intended) (?:to|for|in|as)|lets? (?:us|you)|allows? (?:us|you)|"
    r"tries to|try to|works? by|takes? (?:as|an?|the)|computes?|measures?|tells? (?:us|you) |helps? (?:us|you)|"
    r"finds?|corresponds? to|represents?|stores?|contains?|has the property)\b"
)
_SOMETHING = r"algorithm|technique|method|idea|problem|function|model|structure|procedure|concept|notion|property"
_PURPOSE = r"idea|goal|purpose|point|job|aim|definition|intuition|meaning"
_WE_DO = r"(?:we|you) (?:are|want|try|have|assume|use|learn)|(?:our|the) (?:goal|task|aim)"

_EN = (
    _pattern("X is a kind of thing", 1.0, _SUBJECT, rf"^{_ASIDE}{_IS} (?:an?|one|any|another) {_VAGUE}[\w-]{{2,}}"),
    _pattern("X is the thing that", 0.9, _SUBJECT, rf"^{_ASIDE}{_IS} the {_VAGUE}[\w-]{{2,}}"),
    _pattern("clause: X is a thing", 0.72, _CLAUSE, rf"^{_ASIDE}{_IS} (?:an?|the|one) {_VAGUE}[\w-]{{2,}}"),
    _pattern("X refers to", 1.0, _SUBJECT, rf"^{_ASIDE}{_DEFINES}"),
    _pattern("clause: X refers to", 0.75, _CLAUSE, rf"^{_ASIDE}{_DEFINES}"),
    _pattern(
        "by X we mean",
        1.0,
        rf"\bby {_DET}$",
        r"^[\"”']?,? (?:(?:we|i|you|people)(?: (?:really|just))? mean|that means)\b",
    ),
    _pattern("X is when, X is how", 0.8, _SUBJECT, rf"^{_ASIDE}{_IS} (?:when|where|how|what|defined)\b"),
    _pattern("X is doing something", 0.62, _SUBJECT, rf"^{_ASIDE}{_IS} (?!going\b)(?:\w+ing|to \w+)\b"),
    _pattern("Xs are things", 0.66, _SUBJECT, rf"^{_ASIDE} are (?:\w+ly )?{_VAGUE}(?!(?:not|going|we)\b)[\w-]+ \w+"),
    _pattern("X is used to", 0.7, _SUBJECT, rf"^{_ASIDE}{_DOES}"),
    _pattern(
        "the idea of X is",
        1.0,
        rf"^{_DET}(?:\w+ )?(?:{_PURPOSE}) (?:of|behind|for) {_DET}$",
        rf"^{_HEAD}[\"”']? is(?: just| simply| really)? (?:to|that|an?|the)\b",
    ),
    _pattern(
        "this is called X",
        0.72,
        rf".{{25,}}\b(?:is|are|be) (?:also )?(?:called|known as|referred to as) {_DET}$",
        r"^[\"”']?[,.;]",
    ),
    _pattern(
        "we call this X",
        0.66,
        rf".{{25,}}\b(?:call (?:this|that|it|these|them)|called|known as) {_DET}$",
        r"^[\"”']?[,.;]",
    ),
    _pattern("X, which is a thing", 0.6, r".*", r"^[\"”']?,? which (?:is|are) (?:just |basically )?(?:an?|the) \w"),
    _pattern("what X does is", 0.7, rf"^(?:\w+ ){{0,2}}what {_DET}$", rf"^{_HEAD},? (?:does|do|is doing) (?:is|are)\b"),
    _pattern(
        "an algorithm called X that",
        0.62,
        rf"\b(?:{_SOMETHING}) (?:\w+ )?(?:called|known as|of) {_DET}$",
        r"^[\"”']?,? (?:that|which|where|whose|to)\b(?! (?:i|we)\b)",
    ),
    _pattern("in X, we do", 0.58, rf"^(?:in|with|using) {_DET}$", rf"^{_HEAD},? (?:{_WE_DO})\b"),
    _pattern("think of X as", 0.66, rf"\bthink (?:of|about) {_DET}$", r"^[\"”']? as\b"),
)

_ZH_QUOTE = r"[”\"」』]?"
_ZH_SUBJECT = r"^(?:所谓的?|一[个种类棵]|这[个种]|什么是|[“\"「『])*$"
_ZH_CLAUSE = r"[，,：: ](?:所谓的?|一[个种类棵]|[“\"「『])*$"
_ZH_ANYWHERE = r"(?:^|[，, ])(?:所谓的?|[“\"「『])*$"
_ZH_ASIDE = rf"^{_ZH_QUOTE}(?:\s*[(（][^)）]{{1,40}}[)）])?[ ，,]?(?:它|这|其)?"
_ZH_IS = r"(?:就|也|其实|实际上|本质上|通常|都)*是"
_ZH_KIND = (
    r"(?:一[种个类门项组套棵张段条系]|指|由|用来|用于|把|将|为了|对|通过|具有|描述|衡量|从|以|按|两|多|这样的?|每|带|有|"
    r"含|没有|能|可以|给|根据|先|最|左|右|[^，。 ]{4,}的)(?!很好|非常|不错|重要|好的)"
)
_ZH_CALLED = r"叫做|叫作|称为|称作|称之为|被称为|被叫做|名为"

_ZH = (
    _pattern("X是一种", 1.0, _ZH_SUBJECT, rf"{_ZH_ASIDE}{_ZH_IS}{_ZH_KIND}"),
    _pattern("，X是一种", 0.75, _ZH_CLAUSE, rf"{_ZH_ASIDE}{_ZH_IS}{_ZH_KIND}"),
    _pattern("X是指", 1.05, _ZH_ANYWHERE, rf"{_ZH_ASIDE}(?:就|也)*(?:是指|指的就?是|被?定义为|意味着|表示的?是?)"),
    _pattern("所谓X就是", 1.05, r"所谓的?[“\"「『]?$", rf"{_ZH_ASIDE}(?:就|也)*是"),
    _pattern(
        "X的定义是", 0.9, _ZH_SUBJECT, rf"^{_ZH_QUOTE}的(?:定义|意思|(?:基本)?思想|目的|作用|含义|任务|目标)就?是"
    ),
    _pattern(
        "X用来", 0.75, _ZH_SUBJECT, rf"{_ZH_ASIDE}(?:可以|被|主要|常|通常)*(?:用来|用于|由|描述|衡量|包含|包括|分为)"
    ),
    _pattern("叫做X", 0.8, rf".{{8,}}(?:{_ZH_CALLED})(?:一个)?[“\"「『]?$", rf"^{_ZH_QUOTE}(?:[，,。；;！]|$)"),
    _pattern("X就是", 0.6, _ZH_SUBJECT, rf"{_ZH_ASIDE}就是\S{{6,}}"),
)

PATTERNS: dict[Lang, tuple[Pattern, ...]] = {"en": _EN, "zh": _ZH}

LEADS: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r"^(?:(?:so|okay|ok|now|well|and|but|um|uh|ah|oh|alright|all right|right|then|anyway|again|basically|actually|"
        r"you know|i mean|let's see|in fact|also|yeah|yes|great|first|finally|just to be clear|to summarize|in summary|"
        r"recall that|remember that|recall|remember|(?:just )?as a reminder|just to remind you|it turns out(?: that)?|"
        r"in other words|(?:more )?formally|concretely|by the way|of course|in particular|therefore|thus|hence)"
        r"\b[,.:…\s]+)+",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"^(?:(?:好的?|那么|那|所以|嗯|呃|啊|哦|然后|接下来|其实|首先|最后|而|但是?|不过|因此|因而|现在|我们知道|"
        r"也就是说|换句话说|简而言之|总之|同时|另外|并且|而且|于是|事实上|实际上)[，,、\s]*)+"
    ),
}
"""False starts of spoken sentences."""

FILLERS: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r",? ?\b(?:um|uh|uhm|erm|er|hmm)\b,?|,? ?\b(?:you know|i mean|sort of|kind of like),(?= )", re.IGNORECASE
    ),
    "zh": re.compile(r"[嗯呃啊]+[，,、]?"),
}

_PRAISE = (
    r"^.{0,60}?\b(?:is|are) (?:\w+ly |an? |one of the |very |pretty )*(?:most|useful|powerful|exciting|old|pretty|"
    r"simple|effective|natural|reasonable|popular|important|pervasive|good|great)\b"
)

PENALTIES: dict[Lang, tuple[tuple[re.Pattern[str], float], ...]] = {
    "en": (
        _lowers(0.6, r"\?"),  # a question does not say what something is
        _lowers(0.22, _PRAISE),
        _lowers(0.3, r"\bwas\b"),  # told as a story, not said of the thing
        _lowers(0.2, r"\bnot only\b|\bmore (?:general|complex|complicated|advanced)\b"),
        _lowers(0.12, r"\b(?:something|one of|one other|another is|the other|we're using|sometimes)\b"),
        _lowers(0.1, r"\b(?:i|i'm|i've|i'll|i'd|my|me)\b"),  # about the lecturer
        _lowers(0.05, r"\b(?:your|you're|you've|we'll|let's|we're going)\b"),
        _lowers(0.08, r"\b(?:here|there|this|that's|these|those|slide|video|lecture|plot|picture)\b"),
        _lowers(0.03, r"\b(?:it|he|she|they)\b"),
        _lowers(0.07, r"\b(?:earlier|previous|next|already|today|later|before)\b"),
        _lowers(0.15, r"^(?:if|when|because|this|that|these|those|it|its|which|or|here|there|let)\b"),
        _lowers(0.06, r"\b[a-z]\d\b|\b(?:theta|lambda|alpha|[b-hj-z])\b"),  # formulas read aloud
        _lowers(0.1, r"\b(?:equal to|equals|minus|plus|times|comma|colon|subscript)\b"),
        _lowers(0.08, r"\b(\w+),? \1\b"),  # a stumble
        _lowers(0.12, r".{260,}"),  # too much said at once
        _lowers(0.4, r"\b(?:the|an?|of|is|to|and|as follows|the following)[.:]?$"),  # cut short
    ),
    "zh": (
        _lowers(0.5, r"[?？]|吗|呢"),
        _lowers(0.15, r"^(?:如果|当|因为|这|那|它|其)"),
        _lowers(0.1, r"我(?!们)|你们|同学|大家"),
        _lowers(0.1, r"这里|这边|图中|幻灯片|视频|刚才|上面|下面|之前|今天"),
        _lowers(0.08, r"[a-z]\d|theta|θ|减去|等于"),
        _lowers(0.15, r".{120,}"),
        _lowers(0.7, r"(?:是|的|和|在|说|为|把|就|会|着|于|上|中|时|意味着|这样|如下|用来|一个|怎样|的话)[。，]?$"),
        _lowers(0.3, r"是这样|差不多"),
    ),
}
"""What lowers the quality of a sentence as a definition, per occurrence (three at most)."""
