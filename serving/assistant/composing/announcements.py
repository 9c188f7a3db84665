"""What a sentence announces: reasons, steps, what a thing is used for, when to take which; what follows it is read with
it, and nothing before it. Pure."""

from collections.abc import Iterable
from functools import lru_cache
from re import Pattern

from serving.assistant.composing.cues import REMEMBERED, make_cue
from serving.assistant.understanding.aspects import Aspect

_ANNOUNCES_REASONS = make_cue(
    r"\b(?:couple of|number of|two|three|four|several|some|many|various|following) (?:\w+ )?reasons\b"
    r"|有(?:[两三四几多]|很多|以下)个?(?:主要)?(?:原因|理由)"
)


@lru_cache(maxsize=REMEMBERED)
def announces_reasons(text: str) -> bool:
    """Whether a sentence says that several reasons follow."""
    return _ANNOUNCES_REASONS.search(text) is not None


_OPENS_USES = (
    r"\bwhat(?:['’]s| is| are) (?:\w+ ){1,4}(?:good|used|useful) for\b"
    r"|\b(?:there(?:['’]s| is| are)|has|have|finds?) (?:\w+ ){0,6}(?:applications|uses)(?= of\b|\W*$)"
    r"|有(?:什么|啥|哪些)(?:用处?(?!户)|用途|应用)|举[几两三四]个例子"
)
"""How a lecturer begins to tell what a thing is used for."""

_OPENS_CASES = (
    r"\bwhen (?:(?:should|would|do|to) )?(?:(?:we|you|i|people|one)(?: should)? )?(?:use|choose|pick|prefer)\b"
    r"[^?]{0,80}\?"
    r"|(?:什么时候|什么情况下?)(?:该|应该|适合|要)?[用选][^？]{0,12}[？?]"
)
"""How one asks aloud when to take which, before telling."""

_OPENS_STEPS = (
    r"^(?:(?:so|and|now|ok|okay),? )?(?:let['’]s|let us|we['’]ll|i['’]ll) (?:do|compute|calculate|work) (?:it|this"
    r"|that)(?: out)?(?: (?:by|in) steps| step by step| (?:by hand|with [^.,]{3,30}))?[.,:]"
    r"|^(?:我们|咱们)?(?:来)?(?:一步一步|分步)(?:来)?(?:算|做)"
)
"""How a lecturer begins to work out what was named right before."""

_ANNOUNCES_MORE = make_cue(
    r"^(?:(?:so|and|but|now|then),? ){0,2}(?:here are|these are|there are (?:two|three|four|several))"
    r" (?:\w+ ){0,3}(?:\w*advantages|drawbacks|problems|differences|steps|rules|cases|ways|properties)\b"
    r"|\bthe (?:challenge|question|trick|trouble) (?:(?:here|then|now) )?(?:is|becomes) (?:to|how|what|whether)\b"
    r"|\b(?:let['’]s|let us|we['’]ll|we can) (?:think|work|go|walk|run|talk) through (?:an?|one|the|this|some)"
    r" (?:\w+ )?example\b|有(?:以下|下面)[几两三四]"
    rf"|\bas follows[.:]?$|{_OPENS_USES}|{_OPENS_CASES}|{_OPENS_STEPS}"
)


@lru_cache(maxsize=REMEMBERED)
def announces_more(text: str) -> bool:
    """Whether a sentence says that something follows, without which it says nothing: "the challenge is to …"."""
    return _ANNOUNCES_MORE.search(text) is not None


ANNOUNCES_STEPS = make_cue(
    r"^(?:so,? |and,? |ok,? |now,? )?here(?:'s| is)"
    r" (?:the (?:basic |main |whole )?idea (?:of|behind)|how|what)\b[^,;]{3,60}[.:]?$"
    r"|\bworks? (?:like this|as follows|in the following way)[.:]?$"
    r"|^(?:so,? |now,? )?(?:this is|here's) how .{3,40} works[.:]?$"
    rf"|(?:是这样(?:工作|做|进行)?的|做法如下|思路是这样的?)[。：:]?$|{_OPENS_STEPS}"
)
"""Sentences behind which the explanation of what they name follows."""

TELLS_USES = make_cue(
    rf"{_OPENS_USES}|\b(?:is|are) everywhere\b"
    r"|(?:\b(?:is|are)|(?<!that)['’](?:s|re)) (?:\w+ ){0,3}used (?:for|in|by|to)\b"
    r"|\b(?:broad|wide|huge) (?:variety|range) of (?:\w+ )?applications\b"
    r"|\b(?:is|are|be) (?:\w+ ){0,3}useful (?:(?:\w+ ){0,2}(?:tool|thing|way) )?(?:for|in|when|whenever|to)\b"
    r"|(?:用途|应用)(?:很|非常|十分)?(?:广泛|多)|(?:用途|用处|作用|好处)(?:之一)?(?:就?是|在于)|(?:被|可以?|是)用(?:于|来)"
    r"|(?:一般|通常|经常|常常?|广泛)(?:都|被|使|应)*用(?:于|来|在|[^，。]{1,6}来)"
    r"|解决[^，。]{1,12}的(?:方法|办法)(?:之一)?就?是"
)
"""What a sentence has that says what a thing is used for, or that it is going to."""

_ANNOUNCED: dict[str, Pattern[str]] = {
    "purpose": TELLS_USES,
    "application": TELLS_USES,
    "when": make_cue(_OPENS_CASES),
}


def find_announcement(aspects: Iterable[Aspect]) -> Pattern[str] | None:
    """How a sentence begins the answer to a question for one of these aspects, where that is announced."""
    return next((_ANNOUNCED[one.key] for one in aspects if one.key in _ANNOUNCED), None)
