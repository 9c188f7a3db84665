"""How sure it is that a sentence, shown alone, answers "What is X?".

Belongs here: what is looked at in such a sentence and its place, and the weights of a logistic model. They were fitted
to sentences that were read and labelled by hand (`benchmarks/fit_confidence.py`); from which confidence on a definition
is shown is in `showing.py`. Finding the sentences is in `define.py`.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from knowledge_graph.definitions.flaws import emptiness, flaws
from knowledge_graph.lake.records import DefinitionKind, Lang


@dataclass(frozen=True, slots=True)
class Setting:
    """Where in its source a term is spoken of."""

    titled: bool
    """Whether the lecture or document is named after the term."""
    mentions: int
    """Earlier ones of the term."""
    later: int
    """Lectures after the first that says the term; 0 in writing."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A sentence that may be shown for a term, with what its wording and its place tell of it."""

    text: str
    term: str
    """As it stands in the text."""
    lang: Lang
    kind: DefinitionKind
    weight: float
    """Weight of the wording; see `patterns.py`."""
    setting: Setting
    joined: bool = False
    """Whether two sentences make it up."""


_LEAD: Mapping[Lang, re.Pattern[str]] = {
    "en": re.compile(r"^(?:(?:an?|the|every|each|any|term|by|so-called|word|phrase)[ ,]+|[\"“'])*$"),
    "zh": re.compile(r"^(?:所谓的?|一[个种类棵]|[“\"「『])*$"),
}
"""What stands before a term that is the subject of its sentence."""
_DEFINES: Mapping[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r"^s?(?: (?:problem|algorithm|method|function|technique|model|structure|property|tree|search|sort))?"
        r"(?:,? (?:or|also called|sometimes called|for) [\w -]{2,40},?| of (?:an?|the|two|some) [\w-]+| \([^)]*\))?"
        r",? (?:is|are|means?|refers? to|consists? of|describes?|would be|will be|denotes?)\b"
        r"(?: (?:just|basically|simply|really|essentially|essence|usually|when|how|what|called))*"
        r" (?:an?|the|any|one|to|that|those|numbers?|all|\w+ing|\w+s)\b"
    ),
    "zh": re.compile(r"^(?:是指|就?是|指的?是?|描述|表示)"),
}
_GENUS: Mapping[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r"(?:is|are|means|refers to) (?:\w+ly |just |basically )*(?:an?|the|any|one|those) (?:[\w-]+ ){1,5}?"
        r"(?:that|which|in which|where|whose|who|of|for|to|with|from|by|between|when|so that)\b"
    ),
    "zh": re.compile(r"^[^是\n]*+是.{4,}的[^，。的 ]{1,9}[，。]", re.MULTILINE),
}
"""The kind of thing it is, and what sets it apart."""
_POINTS: Mapping[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r"^(?:so |and )?(?:this|that|these|those|it|its|it's|that's|here|there|another|one|our|my|each|all of|such|"
        r"they|you have|say|as)\b"
        r"|\b(?:these|those|this|that) (?!(?:is|are|can|will|has|have|means|it|the|we|you|they|takes?|an?|contains?|"
        r"does|says?)\b)\w+"
        r"|\b(?:that|this|these|those)[.,]?$|\bhere\b"
    ),
    "zh": re.compile(r"^(?:这|那|它|其|还|和|但)|这里|那里|上面|我|你"),
}
"""Words whose meaning stands elsewhere."""
_AHEAD = re.compile(r"\b(?:going to|gonna|will|would|might|can|could|may|should)\b|'ll\b")
_JUDGES = re.compile(
    r"\b(?:great|good|bad|simple|simply|popular|fast|faster|slow|slower|useful|important|efficient|efficiently|easy|"
    r"nice|better|best|worse|key|famous|interesting|surprising\w*|powerful|straightforward|preferred|more|less|much|"
    r"very|quite|really|pretty|also|too|still|again|even|always|never|only|not|now|then|already|just)\b|n't\b"
)
_CONDITION = re.compile(r"^(?:if|when|whenever|with|in|for|to|at|on|because|as|given|by using|by scaling|whether)\b")
_MEANT = re.compile(
    r"\bby [\w -]{1,120},? (?:what )?(?:i|we) mean|term [\w -]{1,120} (?:refers|means)|refers? to the fact|means? that"
)
_PAST = re.compile(r"\b(?:was|were|had|did|introduced|talked|saw|looked|used|grown)\b")
_MODAL = re.compile(r"^s?[^.]{0,30}? (?:would|will|might|may|can|could|should)\b")
_GARBLED = re.compile(r"\b(\w+),? \1\b|\b(\w{2,3}), \2\w+|>|\b(?:the|an?|of) (?:the|an?|is|that|we|you)\b")
_USUAL: Mapping[Lang, int] = {"en": 200, "zh": 60}
_SHORT: Mapping[Lang, int] = {"en": 50, "zh": 12}
"""Characters of a definition."""

BIAS = -3.44
WEIGHTS: Mapping[str, float] = {
    "wording": 2.38,
    "subject": 0.31,
    "defines": 1.09,
    "indefinite": 0.65,
    "genus": 0.71,
    "meant": 0.79,
    "modal": -1.87,
    "condition": -0.60,
    "points": -0.40,
    "ahead": -0.29,
    "judges": -0.23,
    "past": -0.79,
    "garbled": -0.66,
    "unpunctuated": -0.91,
    "flaws": -0.78,
    "empty": -0.89,
    "long": 1.42,
    "short": -1.73,
    "joined": -0.43,
    "titled": 0.70,
    "later": -0.14,
    "early": 0.93,
    "document": -1.75,
}
"""Weights of `features`, fitted to the development half of `benchmarks/labels/definitions.csv`."""


def confidence(said: Saying) -> float:
    """P(a TA would show the sentence as the answer to "What is X?"), 0..1."""
    seen = features(said)
    return round(1 / (1 + math.exp(-BIAS - sum(WEIGHTS[name] * seen[name] for name in WEIGHTS))), 4)


def features(said: Saying) -> dict[str, float]:
    """What is looked at, by name."""
    low, lang, term = said.text.lower(), said.lang, said.term.lower()
    at = max(0, low.find(term))
    after = low[at + len(term) :]
    subject = _LEAD[lang].match(low[:at]) is not None
    defines = subject and _DEFINES[lang].match(after) is not None
    meant = _MEANT.search(low) is not None
    return {
        "wording": said.weight,
        "subject": subject,
        "defines": defines,
        "indefinite": defines and low.startswith(("a ", "an ")),
        "genus": _GENUS[lang].search(low) is not None,
        "meant": meant,
        "modal": subject and _MODAL.match(after) is not None,
        "condition": not meant and _CONDITION.match(low) is not None,
        "points": min(2, len(_POINTS[lang].findall(low))),
        "ahead": min(2, len(_AHEAD.findall(low))),
        "judges": min(3, len(_JUDGES.findall(low))),
        "past": _PAST.search(low) is not None,
        "garbled": _GARBLED.search(low) is not None,
        "unpunctuated": lang == "zh" and " " in said.text,
        "flaws": min(2.0, flaws(said.text, lang)),
        "empty": emptiness(said.text, lang, term),
        "long": min(2.0, len(said.text) / _USUAL[lang]),
        "short": len(said.text) < _SHORT[lang],
        "joined": said.joined,
        "titled": said.setting.titled,
        "later": math.log1p(max(0, said.setting.later)),
        "early": 1 / (1 + said.setting.mentions),
        "document": said.kind == "document",
    }
