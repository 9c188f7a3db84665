"""What something does, as a lecturer says it: "Insulin does three things. It tells the liver …". Pure."""

import re
from collections.abc import Collection
from functools import lru_cache
from re import Pattern

from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.introduction import any_of
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.terms import terms_of

ASKS_FOR_DEEDS = re.compile(
    r"^\W*(?:(?:so|and|but),? )?what (?:does|do|did) .{2,40} do\b(?! (?:with|about)\b)"
    r"|^[^，。？?]{1,12}(?:到底|究竟|主要)?(?:是(?:干|做)(?:什么|啥)(?:用)?的|(?:干|做)(?:什么|啥)|有(?:什么|哪些|啥)(?:作用|功能))",
    re.IGNORECASE,
)
"""What asks what a thing does."""

TELLS_DEEDS = re.compile(
    r"\b(?:(?:which|who|where|when)\b|(?:that|to|can|will) (?!(?:is|are|be|was|were)\b)[a-z]+|(?:for|by|of|in)"
    r" [a-z]+ing\b"
    r"|does|lets?|allows?|makes?|takes?|gives?|tells?|stores?|keeps?|holds?|turns?|converts?|moves?|decides?|controls?"
    r"|measures?|helps?|used)\b|把|将|让|使|用来|用于|负责|可以|能",
    re.IGNORECASE,
)
"""What a sentence has that says what a thing does, and not only what it is: "the hormone of plenty"."""

_THINGS = (
    r"(?:(?:one|two|three|four|five|six|several|many|some|lots of|a (?:few|couple of|number of)) (?:[\w-]+ )?things)"
)


@lru_cache(maxsize=256)
def _telling(names: tuple[str, ...]) -> Pattern[str]:
    return re.compile(
        rf"\b(?:{any_of(names)})s?,? (?:which |that |who )?(?:(?:also|then|really|mainly) )?(?:does|do|did)"
        rf"(?:,[^,.]{{1,40}},)? (?:{_THINGS}|the (?:opposite|reverse|same|work)\b)"
        rf"|\b(?:{any_of(names)})['’]s (?:job|role|task|function) (?:is|was)\b"
        rf"|\b(?:job|role|task|function) of (?:the |an? )?(?:{any_of(names)})s? (?:is|was)\b"
        rf"|(?:{any_of(names)})(?:的(?:作用|任务|功能|职责)(?:就?是|有)|(?:主要)?负责)"
        rf"|(?:{any_of(names)})(?:[\u4e00-\u9fff]{{0,4}})(?:[做干管有])(?:了|着)?[两三四五六几多]?(?:件|个|种|大)"
        rf"(?:事|作用|功能|任务|工作)",
        re.IGNORECASE,
    )


def find_deeds(names: Collection[str], lectures: CourseLectures) -> tuple[LectureSentence, ...]:
    """The sentence that says what one of the names does, or how much, with those behind it that go on with that; none
    where none does."""
    pattern = _telling(tuple(sorted(names)))
    wanted = [terms_of(name) for name in names if terms_of(name)]
    for said in (lectures.naming([wanted]) if wanted else {}).values():
        for sentence in said:
            if pattern.search(sentence.text) is not None:
                return _read_on(sentence, lectures)
    return ()


def _read_on(sentence: LectureSentence, lectures: CourseLectures) -> tuple[LectureSentence, ...]:
    lecture = lectures.by_id[sentence.video_id]
    start = stop = lecture.places[sentence.position]
    stop += 1
    while stop < min(len(lecture.sentences), start + MOST_DEEDS) and _GOES_ON.match(lecture.sentences[stop].text):
        stop += 1
    return lecture.sentences[start:stop]


MOST_DEEDS = 8
"""Sentences in which deeds are told. A choice."""

_GOES_ON = re.compile(
    r"(?:(?:and|then|also|so|but),? )?(?:it|they|he|she|first|second|third|one|two|three|finally|the (?:first|second"
    r"|third|other|last))\b|(?:然后|而且|并且|还)?(?:它|第[一二三四五六]|首先|其次|最后|一是|二是|三是)",
    re.IGNORECASE,
)
"""How one begins that tells a further one."""
