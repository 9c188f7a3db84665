"""What makes a sentence a poor definition however it is worded, in English and Chinese.

Belongs here: regular expressions with what each finding costs. A definition is shown away from its lecture, so what
points at the screen, at the course or at the speaker costs most.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from knowledge_graph.lake.records import Lang

_AT_MOST = 3


@dataclass(frozen=True)
class Flaw:
    """A wording, in lower case, that lowers the quality of a definition by `cost` each time, three at most."""

    cost: float
    wording: re.Pattern[str]


def _flaw(cost: float, wording: str) -> Flaw:
    return Flaw(cost, re.compile(wording, re.DOTALL))


_PRAISE = (
    r"^.{0,60}?\b(?:is|are) (?:\w{1,20}ly |an? |one of the |very |pretty |often |also )*(?:most|useful|powerful|"
    r"exciting|old|pretty|simple|effective|natural|reasonable|popular|important|pervasive|good|great|common|unusual|"
    r"hard|easy|"
    r"interesting|expensive|fast|slow|better|worse|similar|different)\b"
)
_ANNOUNCES = (
    r"\b(?:i want to|i'd like to|i'm going to|i will|i'll|let me|we'll (?:talk|see|look|discuss|learn)|tell you|"
    r"show you|talk about|talked about|in this video|in the (?:next|last|video|previous)|we'll start|by the way|"
    r"another name|let's|let us|we're going to (?:talk|see|look|discuss|learn|use)|you've seen|we saw|we've seen|"
    r"you (?:may |might )?have (?:already )?seen|turn our attention|come back)\b"
)
_SCREEN = (
    r"\b(?:here|slide|slides|video|videos|lecture|plot|plotted|picture|figure|screen|drawn|drawing|drew|shown|"
    r"on the (?:left|right|bottom|top)|red|blue|green|magenta|pink|cyan|purple|yellow|arrow|up there|over there|"
    r"written|wrote|write)\b"
)

FLAWS: dict[Lang, tuple[Flaw, ...]] = {
    "en": (
        _flaw(0.6, r"\?"),  # a question does not say what something is
        _flaw(0.22, _PRAISE),
        _flaw(
            0.55,
            r"\b(?:huge|enormous|big|great|major|important|profound) (?:impact|effect|influence|success|role)\b|"
            r"\battention\b|\b(?:good|great|decent|bad|poor) job\b",
        ),
        _flaw(
            0.4, r"\bmost (?:\w+ly )?(?:popular|common|commonly|important|powerful|widely|exciting|useful|effective)\b"
        ),
        _flaw(0.4, r"^one such \w+(?: \w+)? (?:is|are)\b[^.]{0,60}[.]$"),  # names its kind only
        _flaw(0.8, r"^.{1,40} stands? for [^,.]{3,60}[.]$"),  # a name spelt out
        _flaw(0.25, r"\b(?:should|may|might|would) (?:be able|just|decide|want|like)\b|\bwell worth\b"),
        _flaw(0.2, r"^[^,]{1,50} (?:is|are) equal to (?:zero|one|two|\d|[a-z]\b|theta)"),
        _flaw(0.25, _ANNOUNCES),
        _flaw(0.16, _SCREEN),
        _flaw(0.2, r"\b(?:slides?|videos?|lectures?)\b|\bthe most\b"),
        _flaw(0.15, r"\b(?:was|were|had|did|came|found|said)\b"),  # told as a story, not said of the thing
        _flaw(
            0.3, r"\bnot only\b|\bmore (?:general|complex|complicated|advanced|sophisticated)\b|\bsame (?:as|thing)\b"
        ),
        _flaw(0.08, r"\b(?:isn't|aren't|doesn't|don't|won't|can't|not)\b"),  # says what it is not
        _flaw(0.1, r"\b(?:something|somehow|stuff|one of|one other|another is|the other|we're using)\b"),
        _flaw(0.12, r"\b(?:i|i'm|i've|i'd|my|me)\b"),  # about the lecturer
        _flaw(0.05, r"\b(?:your|you're|you've|we'll|we're|going to|gonna)\b"),
        _flaw(0.06, r"\b(?:this|these|those|that's|there|such|its|their|sometimes)\b"),
        _flaw(0.12, r"\b(?:these|those) (?!\w+ (?:that|which)\b)[a-z]+\b"),  # named in the sentence before
        _flaw(
            0.2,
            r"\b(?:like|as) (?:this|that|these|so|follows)\b|\bthe following\b|\bthis (?:one|thing|term|value|line)\b",
        ),
        _flaw(0.04, r"\b(?:it|he|she|they|them)\b"),
        _flaw(0.08, r"\b(?:earlier|previous|previously|next|already|today|later|before|again|last|now)\b"),
        _flaw(0.22, r"^(?:this|that|these|those|it|its|it's|that's|they|he|she|which|or|here|here's|there|let)\b"),
        _flaw(0.12, r"^(?:if|when|because|since|once|suppose|given that|unless|where|while|although)\b"),
        _flaw(0.08, r"\b(?:for example|for instance|suppose|say|imagine|in this (?:case|example))\b"),
        _flaw(0.08, r"\b[a-z]\d\b|\b(?:theta|lambda|alpha|sigma|mu|(?<!['’])[b-hj-z])\b"),  # formulas read aloud
        _flaw(0.1, r"\b(?:equal to|equals|minus|plus|times|comma|colon|subscript|superscript|parenthes[ei]s)\b"),
        _flaw(0.05, r"\b\d+(?:\.\d+)?\b"),  # numbers belong to an example
        _flaw(0.08, r"\b(\w{1,30}),? \1\b"),  # a stumble
        _flaw(
            0.15,
            r"\b(?:of|to|is|are|for|with|from|the|an?|that|and|or),? (?:how|well|you know|because|the way)\b(?= )",
        ),
        _flaw(0.35, r"\b(?:of|for|with|from|the|an?), (?:what|how|this|that|the|well)\b"),
        _flaw(0.1, r"\w, (?:this|these) "),
        _flaw(0.15, r"\bthe following\b|\bthis (?:problem|idea|process|thing)\b|^another\b"),  # begun anew
        _flaw(
            0.15, r"\b(?:of|to|is|are|for|with|from|the|an?), (?!it\b|we\b|you\b|that\b|to\b|if\b|of course\b)"
        ),  # broken off
        _flaw(0.15, r"^(?:one|one's|another|some|the (?:first|second|third|next|last|other|one|following|final))\b"),
        _flaw(0.2, r"\b(?:somewhere|as well|too|also used|another (?:way|reason|thing|example))\b"),
        _flaw(0.25, r"\balso\b(?! (?:called|known|referred|named|termed))|\b(?:related|similar) to\b"),
        _flaw(0.12, r"\b(?:that|this|it|them|these|those)(?=[.,;]|$| (?:and|or|but|to|in|with|for|as|we|you)\b)"),
        _flaw(0.07, r"\b(?:much|far|slightly|lot|bit) \w+|\bbetter\b|\bpretty\b|\bprobably\b|\bmaybe\b|\bnice\b"),
        _flaw(0.08, r".{240}"),  # too much said at once
        _flaw(0.1, r"^.{1,35}$"),  # too little
        _flaw(
            0.4, r"\b(?:the|an?|of|is|to|and|or|with|by|as|that|which|follows|following|called|like)[.:,]?$"
        ),  # cut short
        _flaw(
            0.15,
            r"\b(?:bunch of|lots of|a lot of|many (?:other|different)|other (?:applications?|problems?|things?))\b",
        ),
        _flaw(0.15, r"\b(?:likely|commonly|becomes?|increasingly|outperforms?|worse|faster|slower|widely)\b"),
        _flaw(0.2, r"\b(?:denoted?|written|looks like)\b"),
        _flaw(0.15, r"\b(?:keep|keeps|kept|end up|ends up|ended up|turns? out|going on|looks? (?:similar|like))\b"),
    ),
    "zh": (
        _flaw(0.7, r"[?？]|吗|呢"),
        _flaw(0.4, r"(?:是|等于)[^，。]{0,6}\d|\d(?:元|万|块|斤|个)"),  # numbers belong to an example
        _flaw(0.15, r"^(?:如果|当|因为|这|那|它|其)"),
        _flaw(0.4, r"^[这那]个?(?:最早|名字|词)"),  # where the name is from
        _flaw(0.1, r"我(?!们)|你们|同学|大家"),
        _flaw(0.12, r"这里|这边|图中|幻灯片|视频|刚才|上面|下面|之前|今天|接下来|讲过|看到"),
        _flaw(0.08, r"[a-z]\d|theta|θ"),
        _flaw(
            0.12,
            r"我们?(?:将|要|会|先|经常|通常)|让我|第[一二三四五六七八九十]|说法|举.{0,6}例|记住|提醒|奇特|有用|重要|免费",
        ),
        _flaw(0.12, r"(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])"),  # no punctuation: where it ends is a guess
        _flaw(0.15, r".{120}"),
        _flaw(0.7, r"(?:是|的|和|在|说|为|把|就|会|着|于|上|中|时|意味着|这样|如下|用来|一个|怎样|的话)[。，]?$"),
        _flaw(0.3, r"是这样|差不多"),
    ),
}


_WORD = re.compile(r"[a-z]{4,}")
_TOO_LITTLE = {0: 0.6, 1: 0.4, 2: 0.15}  # words that say something: cost
_EMPTY = frozenset(
    (
        "about actually algorithm all along alway another any apply around away back basically because been being "
        "best better between both bunch call called can case come could describe different doe doing done each even "
        "every everything example find first follow following form from get give given goe going good have here idea "
        "important into just kind kinds know known later like little look made main make many mean mention method "
        "might more most much name need next often one only other our out over particular people pretty problem put "
        "real really said same sense set should show simple simply some something sometime somewhere stand "
        "such take talk technique term than that their them then there these they thi thing think those through time "
        "tool turn type used useful using usually variou very want well what when where which while whole will with "
        "without work would your"
    ).split()
)
"""Words that fit everything, their plural s left out."""


@lru_cache(maxsize=256)
def flaws(text: str, lang: Lang) -> float:
    """What is wrong with `text` as a definition, as a sum of costs; 0 is flawless, 0.5 rules most wordings out."""
    low = text.lower()
    return sum(flaw.cost * min(_AT_MOST, len(flaw.wording.findall(low))) for flaw in FLAWS[lang])


def emptiness(text: str, lang: Lang, term: str) -> float:
    """The cost of saying too little: few words but the term's own and those that fit everything."""
    if lang == "zh":
        return 0.0
    own = {word.rstrip("s") for word in _WORD.findall(term.lower())}
    said = {word.rstrip("s") for word in _WORD.findall(text.lower())} - _EMPTY - own
    return _TOO_LITTLE.get(len(said), 0.0)
