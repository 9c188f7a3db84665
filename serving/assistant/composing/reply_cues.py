"""Questions that a lecturer asks, and how sentences begin that reply to them: with a yes, a no or a "because"; what
tells what others hold, and what takes back the sentence before it in a few words. Pure."""

import re
from functools import lru_cache

from serving.assistant.composing.cues import REMEMBERED, make_cue
from serving.assistant.grounding.negation import is_negated

REPLIES = make_cue(
    r"^(?=[^，,。！]{0,6}[，,。！])(?!.?那么)[^，,。！]{0,4}[不没是会能有对可应要行]"
    r"|^(?:well,? |actually,? )?(?:yes|yeah|no|nope|not (?:necessarily|always|really|quite|as such|exactly))\b[^?]*$"
)
"""What begins with a yes or a no: "不一定。", "也有。", "No, it isn't"."""


ASKS_WHETHER = make_cue(
    r"(?:吗|(?P<verb>\w{1,2})[不没](?P=verb).{0,30})[?？]$|是否.{1,30}[?？]$"
    r"|^(?:(?:so|and|but|now|well),? )?(?:(?:if|when) [^,?]{1,120}, )?"
    r"(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have)(?:n['’]t)?\b[^?]*\?$"
)
"""A question that a yes or a no answers, whatever its condition."""


_DENIES_IT = make_cue(
    r"^(?:(?:and|but|well|oh),? )?(?:no|nope|wrong|false|nonsense|rubbish|not (?:so|at all|really|true|quite|any ?more)"
    r"|(?:it|they|we|you|he|she|i|that|this)(?: (?:is|are|was|were|do|does|did)(?:n['’]t| not)|['’](?:s|re) not)"
    r"(?: (?:so|true|right|the case|really|at all))?"
    r"|(?:(?:it|that)(?:['’]s| is) )?(?:(?:just|exactly|quite) )?the (?:other way (?:about|a?round)|opposite|contrary)"
    r")[.!]*$"
    r"|^(?:不|不对|不是的?|不是这样的?|错了?|并非如此|其实不然|事实并非如此|(?:事实)?(?:恰恰|正好|刚好)相反)[。！!]*$"
)
_DOUBTS_IT = make_cue(
    r"^(?:(?:or|but) )?(?:not|(?:is|are|was|were|do|does|did|can) (?:it|they|that|this|he|she|we)(?:n['’]t)?"
    r"(?: (?:really|so|true))?)\?$"
    r"|^(?:really|true|(?:is|was) (?:that|it|this) (?:really )?(?:so|true|the case))\?$"
    r"|^(?:this|that|it)(?:['’]s| is| was) (?:(?!not\b|never\b)\w+ ){0,2}?"
    r"(?:too simple|wrong|false|nonsense|(?:a )?myth|a misunderstanding)\W*$"
    r"|^(?:she|he|they|we|i) (?:\w+ ){0,2}?(?:took|take|takes|taken) (?:it|that|this) back\b[^?]{0,40}$"
    r"|^(?:真的吗|真是这样吗|是这样吗|真的是这样吗|果真如此吗)[？?]$"
    r"|^(?:但是?|其实)?这(?:种|个|样)?(?:说法|看法|想法|观点|理解)?(?:其实|就|也)?(?:是错的?|不对|错了|太简单了?|过时了?|不准确|并不成立)[。！!]*$"
    r"|^(?:后来)?[他她](?:们|自己)?(?:后来)?(?:又|自己)?(?:收回|放弃)了.{0,12}$"
)
"""What denies the sentence before it outright, and what doubts it or says that it was given up."""


@lru_cache(maxsize=REMEMBERED)
def denies_what_is_said(text: str) -> bool:
    """Whether a few words deny just what the sentence before them says: "It doesn't.", "Wrong."."""
    return _DENIES_IT.search(text) is not None


@lru_cache(maxsize=REMEMBERED)
def rejects(text: str) -> bool:
    """Whether a few words deny or doubt what the sentence before them says, which nobody then claims: "Or not?"."""
    return denies_what_is_said(text) or _DOUBTS_IT.search(text) is not None


ASKS_WHY = make_cue(r"(?:为什么|为何|为啥)[^？]{0,60}[?？]$|\bwhy\b[^?]{0,200}\?$")

_BARE_WHY = make_cue(
    r"^(?:(?:那么?|这是|可是|但是?)?(?:为什么|为何)(?:会?这样)?呢?"
    r"|(?:(?:so|and|but),? )?why(?: (?:is|was) (?:that|this|it))?)[?？]$"
)

GIVES_REASON = make_cue(
    r"^(?:这|那)?就?是?(?:因为(?!.*所以)|由于)|^(?:(?:well|so),? |it['’]?s |that['’]?s )?(?:because|since)\b"
)
"""What begins as the reply to a why."""


def asks_why_of_something(text: str) -> bool:
    """Whether a question asks for a reason and names what of: a bare "Why?" asks of what is said before it."""
    return ASKS_WHY.search(text) is not None and _BARE_WHY.search(text) is None


def replies_to_why(text: str) -> bool:
    """Whether a question for a reason stands in one line with its "because"."""
    asked, mark, reply = text.replace("？", "?").partition("?")
    return bool(mark) and asks_why_of_something(f"{asked}?") and GIVES_REASON.search(reply.strip()) is not None


def is_bare_why(text: str) -> bool:
    """Whether a question is "Why?" and no more."""
    return _BARE_WHY.search(text) is not None


@lru_cache(maxsize=REMEMBERED)
def part_reply(text: str) -> tuple[str, str]:
    """A sentence, and the reply to it that is joined to it, empty where none is."""
    asked = _ASKED_AND_REPLIED.match(text)
    if asked is not None:
        return asked["asked"], asked["reply"]
    told = _TOLD_AND_REJECTED.match(text)
    return (told["told"], told["reply"]) if told is not None and rejects(told["reply"]) else (text, "")


_ASKED_AND_REPLIED = re.compile(r"(?P<asked>[^?？]*[?？])\s*(?P<reply>\S.*)$")
_TOLD_AND_REJECTED = re.compile(r"(?P<told>.*\S[.!。！][\"'”’)]?)\s*(?P<reply>[^.!。！]+[.!。！]*)$")


@lru_cache(maxsize=REMEMBERED)
def is_taken_back(text: str) -> bool:
    """Whether a sentence is told and taken back in its last words, which nobody then claims; what denies something is
    only said again by "It doesn't."."""
    told, reply = part_reply(text)
    return rejects(reply) and not told.endswith(("?", "？")) and not (is_negated(told) and is_negated(reply))


_OTHERS_HELD = make_cue(
    r"\b(?<!i )(?<!we )(?:wrote|thought|believed|claimed|assumed)\b[^,;]{0,40}\b(?:that|it|the|they)\b"
    r"|\bused to (?:think|believe|say)\b"
    r"|\b(?:people|some|many|students|everybody|everyone) (?:(?!to\b)[\w'’]+ ){0,3}?"
    r"(?:thinks?|believes?|believing|claims?|assumes?|says?|tells? (?:you|me|us))\b"
    r"|\byou (?:might|may|would|could) (?:now )?(?:think|believe|say|expect)\b"
    r"|(?:有些?人|很多人|许多人|不少人|大家|人们|曾经?|你(?:可能|也许))(?:都|曾经?|还|常常?|总|会){0,2}(?:以?为|觉得|认为|相信|声称|说)"
)


@lru_cache(maxsize=REMEMBERED)
def tells_what_others_held(text: str) -> bool:
    """Whether a sentence tells what others hold or held, which what is told behind it may refute."""
    return _OTHERS_HELD.search(text) is not None
