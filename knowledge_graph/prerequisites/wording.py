"""What lecturers say when they explain something or call it back to mind.

Belongs here: the wordings, in English and Chinese, and nothing that counts them.
"""

import re

_CALLS_BACK = re.compile(
    r"\b(?:recall|remember|as a reminder|remind|we(?: have|['’]ve)? (?:already )?(?:saw|seen|met|learned|defined|"
    r"talked about|discussed)|last (?:time|week|lecture|video)|previous(?:ly)?|earlier|before we|already know|"
    r"you know about|based on|building on|review|relies on|depends on|need to know|as we know)\b"
    r"|复习|回顾|回忆|上节课|上一节|前面(?:讲|学|说|提|介绍)|之前(?:讲|学|说|提|介绍)|已经(?:讲|学|知道|介绍)|学过|讲过|还记得|基于|"
    r"建立在",
    re.IGNORECASE,
)
_EXPLAINED_AFTER = re.compile(
    r",? ?(?:which |that )?(?:is|are|was|means?|refers?)"
    r"(?: (?:just|simply|basically|really|then|also|actually|usually)){0,9}+"
    r" (?:an?|the|one|any|when|where|to|some|what)\b"
    r"|\s{0,9}(?:(?:就|也)?是(?:指|一[种个类棵张组])|指的?是|(?:被)?(?:定义|称)为)",
    re.IGNORECASE,
)
_EXPLAINED_BEFORE = re.compile(
    r"\b(?:called|known as|calls? (?:this|it|that|them)|named|definition of|defined?|term|so-called|what (?:is|are))"
    r" (?:(?:as )?(?:an?|the) )?$"
    r"|(?:叫做?|称为|称作|称之为|所谓的?|定义了?|什么是)\s*$",
    re.IGNORECASE,
)
_LOOK_BACK = 40  # characters before a term that may introduce it


def calls_back(sentence: str) -> bool:
    """Whether the sentence reminds of something known: "recall that …", "我们先复习"."""
    return _CALLS_BACK.search(sentence) is not None


def explains(sentence: str, start: int, end: int) -> bool:
    """Whether the sentence says what the term at `sentence[start:end]` is: "a heap is a tree", "这就叫做栈"."""
    before = sentence[max(0, start - _LOOK_BACK) : start]
    return _EXPLAINED_AFTER.match(sentence, end) is not None or _EXPLAINED_BEFORE.search(before) is not None
