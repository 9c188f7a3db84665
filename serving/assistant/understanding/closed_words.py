"""Words that name nothing: what may stand before a pronoun without being what it stands for, and what counts.

Belongs here: closed classes of words. The wordings of follow-ups are in `follow_up_words.py`.
"""

import re

_CLOSED_EN = (
    "and so but ok okay then also well yes no oh hi hello please thanks now again still just what what's whats which "
    "who when where why how how's come much many long often fast does do did don't doesn't is are was were "
    "isn't aren't "
    "can could can't would will should shall may might must has have had be been being i you we one me us my not "
    "never ever to of in on at by for from with without about behind than as like into over between is the a an any "
    "some more most main other explain describe define tell give show say know see get mean use used using apply "
    "compare need want learn find make go work example examples difference better best worse faster slower good bad "
    "complexity time space cost point idea purpose meaning definition advantage advantages disadvantage disadvantages "
    "formula running case worst reason sure i'm i've i'd"
)

CLOSED_EN = frozenset(_CLOSED_EN.split())
"""Words that cannot be what a pronoun after them stands for."""

BEFORE_VERB = frozenset("i you we to one people not and does do who".split())
"""What follows one of these is a verb, known or not."""

BEFORE_OWNER = frozenset("of behind for".split())
"""What stands before one of these belongs to what follows."""

CLOSED_ZH = re.compile(
    r"(?>请问|那么?|老师|所以|但是?|而且|还有|请|能不能|可不可以|可以|能|帮我|给我|再|详细|具体|解释|说明|说|"
    r"介绍|讲解|讲|举例|为什么|为何|怎么|怎样|"
    r"如何|什么时候|什么情况下|什么|我们|我|你|要|该|应该|是|和|跟|与|比|对于|对|把|用|使用|实现|理解|计算|解决|"
    r"避免|防止|优化|学习|学|需要|[A-Za-z+#]+|有|在|会|从|关于|"
    r"一下|有没有|哪些|什么是|谁|发明|提出|谢谢|好的|明白了|[，,。！!：:\s])*+"
)
COURSE_EN = (
    r"(?:courses?|lectures?|exams?|quiz(?:zes)?|homeworks?|assignments?|grades?|deadlines?|slides?|certificates?|"
    r"instructors?|teachers?|professors?|lecturers?|syllabus|videos?)"
)
COURSE_ZH = "课|考试|测验|作业|成绩|证书|截止|讲义|视频|教授"
"""Patterns of what belongs to a course and is no concept of it."""

_EN_NUMBERS = ("last", "first", "second", "third", "fourth", "fifth", "sixth")
NUMBERS = {
    **{word: number for number, word in enumerate(_EN_NUMBERS)},
    **{sign: number for number, sign in enumerate("一二三四五六七八九十", 1)},
    **{"两": 2, "former": 1, "latter": 2, "前者": 1, "后者": 2},
}
"""What an ordinal counts to, from 1; 0 is the last."""

HAN_NUMBER = "[一二三四五六七八九十]{1,3}"
"""A number in Chinese, up to 99."""

_HAN = "一二三四五六七八九"

_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBER_WORDS = {
    **{word: number for number, word in enumerate((*_ONES, *_TEENS), 1)},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
    **{
        f"{ten}{dash}{one}": 10 * tens + ones
        for tens, ten in enumerate(_TENS, 2)
        for ones, one in enumerate(_ONES, 1)
        for dash in "- "
    },
}
"""English numbers up to 99 in words."""


def read_number(text: str) -> int:
    """A number in digits or, up to 99, in Chinese."""
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    first = (_HAN.find(tens) + 1 if tens else 1) if ten else 0
    return 10 * first + (_HAN.find(ones) + 1 if ones else 0)
