"""What students write instead of a question once an item was recognised: pleas, claims of authority, what comes next.

Pure. None of it changes what the course allows, so it need not be believed or doubted: it is only recognised, so that
such a message is answered under the item's rule like the one before it.
"""

import re

_ENGLISH = (
    r"answers?|solutions?|solve[sd]?|results? only|model answer|answer key|source code"
    r"|(?:full|complete|finished) (?:code|proof|text)|(?:the|your|some|working|final) (?:code|proof)|pseudo-?code"
    r"|just (?:tell|give|say|show|write|do)|(?:tell|give|send|show|write) (?:it|me|us)|spell it out|(?:do|finish) it"
    r"|professors?|teachers?|instructors?|lecturers?|tutors?|teaching assistants?|administrators?|admin|dean"
    r"|as (?:a|the) TA|i am (?:a|the) TA|developers?|system prompt|debug(?:ging)?|(?:test|maintenance) mode"
    r"|ignor(?:e|ing)|disregard|forget|overrid(?:e|den)|bypass|unlock|jailbreak|rules?|polic(?:y|ies)"
    r"|restrictions?|restricted|guidelines?|instructions?"
    r"|pretend|act as|role-?play|imagine|hypothetical(?:ly)?|poem|grandm(?:a|other)|translate|base64|backwards"
    r"|exceptions?|allow(?:s|ed)|permission|permitted|approved|authori[sz]ed|consent|deadline (?:is )?over|not graded"
    r"|(?:no longer|any more|anymore) graded|graded any ?more|emergency|desperate|begging|beg you|i(?:'ll| will) fail"
    r"|pl(?:ease|s|z) (?:just|please|pls)"
)
_CHINESE = (
    r"答案|解答|解法|题解|求解|完整|直接(?:给|告诉|说|写|发|讲)|告诉我|给我|帮我(?:写|做|解|完成|答)|写出来|做出来|做完"
    r"|老师|教授|讲师|助教|管理员|开发者|院长|测试(?:人员|模式)|调试|系统提示"
    r"|忽略|无视|忘(?:掉|记)|不用管|别管|绕过|解除|取消|规则|规定|政策|限制|指令|约束"
    r"|假装|假设你|扮演|角色|想象|假如你|故事|奶奶|翻译|倒着"
    r"|例外|允许|批准|授权|许可|同意|不计分|不算分|已经截止|截止了|紧急|求求|拜托|行行好|挂科|来不及"
)
_PLEA = re.compile(rf"\b(?:{_ENGLISH})\b|{_CHINESE}", re.IGNORECASE)

_GOING_ON = re.compile(
    r"\b(?:(?:first|second|third|other|last|next|remaining|final) (?:half|part|step|line|sentence|bit)|the rest"
    r"|(?:go|carry) on|continue|keep going|and then|what comes next|part [a-d1-9]|step[- ]by[- ]step|in full"
    r"|more (?:hints?|help)|another hint|yes or no|am i right|is (?:this|that|it) (?:right|correct)|code|proof"
    r"|python)\b"
    r"|[前后上下另]半(?:部分|段|题|截)?|[前后]一半|第[一二三四五两\d]+(?:问|步|部分|小题|行|句|半)|剩下|其余|余下|继续|接着|然后呢"
    r"|下一步|往下|一步一步|步骤|再(?:给|来)|更多提示|对不对|是不是对|代码|证明",
    re.IGNORECASE,
)


def pleads(text: str) -> bool:
    """Whether a message asks for the answer itself, claims authority or sets the rules aside."""
    return _PLEA.search(text) is not None


def goes_on(text: str) -> bool:
    """Whether a message wants what comes next of the one before it."""
    return _GOING_ON.search(text) is not None
