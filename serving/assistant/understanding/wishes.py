"""What a follow-up wishes of the answer before it: the same more simply, an example, more of it, or what helps against
what it tells. Pure."""

import re
from typing import Literal

Wish = Literal["", "simpler", "example", "more", "remedy"]

LONGEST = 90
"""Characters; a longer message asks something of its own. A choice."""

_SIMPLER = re.compile(
    r"\b(?<!not )(?:simpl(?:er|y|ify|e terms|e words|e language|e)|easier|layman\w*|eli5"
    r"|like i(?:'m| am) (?:five|5|a (?:kid|child|beginner|baby))"
    r"|plain (?:english|words|language)|for (?:dummies|beginners|a beginner|a child|kids)"
    r"|dumb (?:it|this|that) down|in other words|another way|differently|less technical|too (?:complicated|hard"
    r"|difficult|technical|long))\b"
    r"|\b(?:i )?(?:still )?(?:don't|dont|do not|didn't|didnt|did not|can't|cant) (?:really |quite )?(?:get"
    r"|understand|follow)(?: (?:it|that|this|you|the (?:answer|explanation)))?(?: at all| yet)?\W*$"
    r"|\b(?:what do you mean|come again|i'm (?:still )?(?:lost|confused))\b"
    r"|简单[点些一]|通俗|更简单|说人话|大白话|容易懂|没(?:听|看|太)?[懂明]|不(?:太)?[懂明]白?|听不懂|看不懂|换个?(?:说法|方式|角度)|太(?:复杂|难|长)了",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"(?<!many )(?<!much )\b(?:examples?|for instance|concretely|illustrat\w+|show me one|analog(?:y|ies)|metaphors?"
    r"|real[- ](?:life|world)|everyday (?:life|picture|terms?|things?)|picture (?:for|of) (?:it|this|that))\b"
    r"|例子|举例|举个|比如|打个比方|比喻|生活中",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:go on|continue|elaborate|keep going|what else|in depth|carry on|and then|expand on"
    r"|(?:tell|say|explain|give|show|hear|know|learn|read)(?: me| us)?(?: it| this| that)?(?: a (?:bit|little)| some)? "
    r"(?:more|further)"
    r"|(?:more|further)(?=\W*$| (?:about|on|of|details?|detailed|please|pls|info\w*|explanation|deeply|depth)\b))\b"
    r"|继续|接着"
    r"|再(?:说|讲|多)|详细|展开|还有(?:吗|呢)|更多|然后呢",
    re.IGNORECASE,
)

_HELPS = r"(?:fix|solve|avoid|prevent|handle|deal with|get (?:around|round)|do(?: something)? about)"
_IT = r"(?: (?:that|this|it|them|(?:that|this|the) (?:problem|issue|case)))?"
_REMEDY = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay|then)\b,? ){0,3}"
    rf"(?:how (?:do|does|did|can|could|should|would) (?:we|you|i|one|they) {_HELPS}{_IT}"
    rf"|how to {_HELPS}{_IT}|what (?:do|can|could|should) (?:we|you|i) do(?: about)?{_IT}"
    r"|what(?:['’]?s| is) the (?:solution|fix|remedy)|what)(?: then)?\W*"
    r"|^\W*(?:那么?|所以)?[，,]?(?:我们?|要|该|应该|可以|又)*(?:怎么|如何|怎样)(?:去|来|才能|能)?(?:解决|避免|办|改进|处理|防止|应对)"
    r"(?:它|这(?:个|种)?(?:问题|情况)|呢|啊|呀|好)*\W*",
    re.IGNORECASE,
)


def wish_of(text: str) -> Wish:
    """The wish of a short message; empty for one that wishes nothing of the kind."""
    if len(text) > LONGEST:
        return ""
    if _SIMPLER.search(text):
        return "simpler"
    if _EXAMPLE.search(text):
        return "example"
    if _MORE.search(text):
        return "more"
    return "remedy" if _REMEDY.fullmatch(text) else ""
