"""The wording by which a sentence says what a thing is: "X is …", "X是…", "叫作X". Pure."""

import re
from collections.abc import Iterable
from functools import lru_cache
from re import Pattern

from serving.assistant.composing.cues import REMEMBERED, has_cue, make_cue


def defines(text: str, labels: Iterable[str]) -> bool:
    """Whether a sentence says what one of the things is: "X is …", "X是…", "叫作X"."""
    return any(_defines(text, label) for label in labels)


@lru_cache(maxsize=REMEMBERED)
def _defines(text: str, label: str) -> bool:
    found = _defining(label.lower()).search(text) if _may_hold(text, label) else None
    return found is not None and not (label.isascii() and _is_other_name(found["name"], found["behind"]))


def _is_other_name(name: str | None, behind: str | None) -> bool:
    """Whether a word behind a short form makes another name of it: ATP synthase is no ATP, the ATP here is."""
    is_short = name is not None and any(map(str.isupper, name[1:]))
    return is_short and behind is not None and _SAYS_HOW.fullmatch(behind) is None


_SAYS_HOW = re.compile(r" (?:itself|here|just|simply|really|also|then|now|actually|\w+ly)", re.IGNORECASE)
"""A word between a name and what it is that belongs to neither."""


def _may_hold(text: str, label: str) -> bool:
    """Whether a name can stand in a text; beyond ASCII left to the pattern, which knows of more than lower case."""
    return not (text.isascii() and label.isascii()) or label.lower() in text.lower()


OF_WHAT = r"(?: of (?:an?|any|the|some) [\w-]+)?"
"""What a thing is of: "the definition of a basis of a space is …"."""


APPOSED = r"(?: ?\([^()]{1,60}\)|, [^,.;:?!]{2,50},)?"
"""What may stand between a name and what is said of it: its other name, "DNA, deoxyribonucleic acid, is …"."""


SYMBOL = r"(?: ?[A-Za-z]{1,4} ?)?"
"""The letters for a thing behind its Chinese name: "边际收益MR是…"."""


NO_NUMBER = r"(?! ?-?\d| ?[零一二两三四五六七八九十百千万]+[元块万个%℃米秒倍人])"
"""What is no value of an example in Chinese: "边际收益是6元" does not say what that is."""


@lru_cache(maxsize=1 << 10)
def _defining(label: str) -> Pattern[str]:
    name = re.escape(label)
    return make_cue(
        rf"(?:^|[,.:;] |\b(?:so|and|now|well|then|or|basically|of course),? )(?:(?:the|an?) )?(?P<name>{name})s?"
        rf"(?P<behind> \w+)?{APPOSED},? (?:is|are|means?|refers? to|stands? for|tells|just means)\b"
        rf"|^(?:(?:so|and),? )?(?:that|this)(?:['’]s| is) (?:(?:what is )?called )?(?:(?:the|an?) )?{name}"
        rf"(?:: |, (?:an?|the|when|where|that is|which is)\b)"
        rf"|\b(?:the )?(?:definition|idea|notion|concept|meaning) of (?:the |an? )?{name}s?{OF_WHAT} is\b"
        if label.isascii()
        else rf"{name}[”\"』」]?{SYMBOL}(?:其实|基本上|本质上)?[:：,，]?\s?(?:就?是{NO_NUMBER}|指(?![向针])|即|意思是"
        rf"|也就是|，?可以理解)"
        rf"|(?:叫[做作]?|称为|称作|称之为|被称|这就是|就叫)\s?[“\"「『]?{name}"
    )


_LEANS_ON_BEFORE = make_cue(
    r"(?:\b(?:is|are|was|were|does|do|means)|['’](?:s|re)) (?:(?:just|exactly|much|simply|one|the one) ){0,2}"
    r"(?:the (?:same|other|opposite|reverse)|both|neither|either|so)(?: (?:thing|one))?\W*$"
    r"|\bneither\b(?!.*\bnor\b)|^(?:and )?the other\b|\bas (?:above|before)\W*$"
    r"|(?:(?:都不|两者都?不?|[也就]?一样|同样|相反|反过来|另一[个种])(?:是|的|如此)?)[。.]?$"
)


def leans_on_before(definition: str) -> bool:
    """Whether what a definition says is only understood from the sentence before it: "X is one that's neither."."""
    return has_cue(definition, _LEANS_ON_BEFORE)
