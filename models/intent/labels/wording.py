"""Wordings that tell what kind of question a text is, as patterns in English and Chinese.

Belongs here: the words. What follows from them is voted on in `weak_functions.py`. The lists are choices, written from
Table 1 of LittleMu and general knowledge of both languages; how often each is right is measured by the label model.
"""

import re
from typing import Literal

Wording = Literal[
    "greeting", "filler", "emotion", "to_the_assistant", "small_talk", "course_matters", "definition", "reason",
    "comparison", "method", "example", "advice", "person", "exercise",
]  # fmt: skip

REASONING: frozenset[Wording] = frozenset({"reason", "comparison", "method", "example", "advice"})
"""The kinds of complex questions of LittleMu Table 1."""

_LONGEST = 500
"""Characters of a question that are looked at."""


def _any(*parts: str) -> re.Pattern[str]:
    """A text that holds one of the given words."""
    return re.compile("|".join(parts))


_GREETING = _any(
    r"\b(?:hi+|hello|hey|yo|good (?:morning|afternoon|evening|night|day)|howdy|greetings|there|everyone|again|"
    r"how are you|how(?:'s| is) it going|how are things|what'?s up|nice to meet you|have a nice (?:day|weekend)|"
    r"good ?bye|bye|see (?:you|ya)|later|soon|talk to you|thanks?|thank you|thx|ty|so much|very much|a lot|please|"
    r"welcome)\b",
    "你好|您好|哈喽|哈啰|嗨|早上好|下午好|晚上好|中午好|早安|晚安|大家好|老师好|同学|谢谢|谢|你|您|多谢|感谢|不客气|不用谢",
    "再见|拜拜|在不在|在|有人|老师|助教|小木|早|新年快乐|节日快乐|生日快乐|开学快乐",
)
"""Questions that consist of such words greet."""
_FILLER = _any(
    r"\b(?:ok(?:ay)?|k|yes|yeah|yep|no|nope|sure|fine|cool|great|nice|well|hm+|oh|ah|lol|(?:ha){2,}|wow|right|got it|"
    r"i see|alright|interesting|never ?mind|good|test(?:ing)?|really)\b",
    "好的|好吧|好烦|好|不行|不可以|行|可以|[嗯恩哦噢额呃啊哈嘿呵嘻呜]+|不对|对|不是|是的|是|不|没有|没事|没什么|没|知道",
    "明白|懂|收到|原来如此|厉害|棒|牛|真的|确实|优秀|666+|233+|加油|测试|无聊|算了|随便",
)
"""Questions that consist of such words only keep a talk going."""
_PARTICLES = re.compile("[呀啊吗呢哦哈吧啦了哟的]")
_EMOTION = _any(
    r"\bi(?:'?m| am| feel| felt|'ve been)\s+(?:\w+\s+){0,2}(?:sad|stressed|depressed|anxious|lonely|tired|desperate|"
    r"overwhelmed|scared|nervous|afraid|bored|frustrated|proud|happy|excited|hopeless|worried|exhausted|lost|upset|angry)\b",
    r"\bi (?:\w+ )?(?:hate|love|panic|cry|cried|give up|want to quit)\b|\b(?:hopeless|frustrating|damn|encourag\w+)\b",
    r"\b(?:stupid|dumb|idiot|useless|shut up|terrible|awful|you suck|hate you|love you|well done|good (?:bot|job))\b",
    r"\b(?:amazing|awesome|you(?:'re| are) (?:so |the |very )?(?:great|best|wonderful|cute|smart|funny|helpful|"
    r"rude))\b",
    "难过|伤心|压力[好很太]?大|好累|太累|好困|焦虑|崩溃|[不真好很]开心|想哭|哭了|郁闷|沮丧|孤独|绝望|难受|烦死|好烦|害怕",
    "喜欢你|爱你|讨厌|不喜欢|傻|笨|蠢|滚|垃圾|沙雕|煞笔|智障|白痴|废物|答非所问|太菜|菜鸡|太差|没意思|抱抱|你真|你好厉害|夸",
    "加油|快乐$|可爱|心情",
)
_TO_THE_ASSISTANT = _any(
    r"\bare you (?:\w+ ){0,2}(?:a |an )?(?:robot|bot|human|person|real|ai|computer|machine|alive|there|"
    r"married|single|ok)\b",
    r"\b(?:who|what|where|how old|how) are you\b|\byour (?:name|age|birthday|hobb\w+|favou?rite|boss|creator|"
    r"friends?|pets?|family|job|mother|father)\b",
    r"\bwho (?:made|built|created|programmed|designed|owns) you\b|\bdo you (?:like|love|have "
    r"(?:any |a )?(?:pets?|friends?|hobb\w+|feelings?|family)|sleep|eat|dream|speak|believe|think|know me|"
    r"work for|feel)\b",
    r"\bwhat (?:can|do) (?:you do|i (?:ask|call) you|you like)\b|\byou (?:were|come) (?:born|from)\b",
    r"\bwho do you work\b",
    r"\bwhat (?:should|can|do|may) (?:i|we|people|they|others) call you\b|\byou(?:r)? (?:company|employer|origin)\b",
    "你是(?:谁|什么|哪|男|女|不是|ai|人|机器|真|个|猪|我|傻|啥)|你叫|你多大|你几岁|你主人|你爸|你妈|你姐|你会|你能(?:做|干|不能|陪|唱|听)",
    "你(?:的)?(?:名字|性别|年龄|生日|爱好|家)|你喜欢|你认识|你知道我|你有(?:没有)?(?:男|女|朋友|对象|感情)|你在(?:干|做|哪|吗)|你吃",
    "你怎么|你觉得|你几|你住|你来自|你真|你爱|你说|你们(?:是|都)|小木|机器人|陪我|你不",
)
_SMALL_TALK = _any(
    r"\b(?:joke|weather|movies?|pizza|dinner|lunch|breakfast|football|weekend|fun fact|trivia|song|sing|dance|poem|"
    r"meaning of life|(?:cats? or dogs?)|aliens?|horoscope|girlfriend|boyfriend|date me|something funny|make me laugh|"
    r"tonight|stocks?|lottery|story)\b",
    "天气|笑话|讲个|唱首|唱歌|听歌|吃饭|吃什么|早饭|午饭|晚饭|女朋友|男朋友|对象|电影|游戏|明星|星座|运势|股票|聊天|聊聊|结婚|"
    "几点了|今天(?:星期|几号|周)|一加一|1\\+1|睡觉|天猫|小爱|siri|最帅|最美|好看|故事",
)
_COURSE_MATTERS = _any(
    r"\b(?:homework|assignments?|deadlines?|due|grades?|grading|exams?|midterm|quiz(?:zes)?|certificates?|syllabus|"
    r"lectures?|slides?|textbook|enrol\w*|registration|register|sign up|log ?in|password|account|video|subtitles?|"
    r"forum|upload|download|submi\w+|credits?|refund|free|office hours?|instructors?|professor|teachers?|tas?|schedule|"
    r"cohort|zoom|slack|recordings?|week \d+|modules? \d+|playback|course|class)\b",
    "作业|考试|期末|期中|测验|成绩|分数|学分|学币|证书|认证|截止|讲义|课件|教材|视频|字幕|进度|选课|退课|报名|注册|登录|密码|账号|帐号|"
    "绑定|下载|上传|提交|打卡|学堂|客服|课程|老师|教授|讲师|开课|结课|这门课|这节课|哪些课|什么课|的课|课后|习题|练习题|答案|讨论区|"
    "播放|声音|卡顿|黑屏|缓存|(?<![a-z])app(?![a-z])|平台|免费|付费|收费|退款|目录|通知|公告|缺勤|补交|补考|及格|满分|上课|章节|资料|倍速",
)
_DEFINITION = _any(
    r"\b(?:what(?:'s| is| are| does| do)|define|definition of|meaning of|stands? for|who (?:is|was|invented))\b.*\w",
    "什么是|是什么|是啥|何为|何谓|什么叫|的定义|的概念|的含义|的意思|^有关.+的论文$|^研究.+的学者$|^介绍|简介",
)
_REASON = _any(r"\bwhy\b|\bhow come\b|\bwhat causes?\b|\breasons?\b", "为什么|为何|为啥|原因|凭什么|为社么|怎么会")
_COMPARISON = _any(
    r"\b(?:differences?|differ|compare[ds]?|comparison|versus|vs\.?|better than|similarit\w+|in common|advantages?|"
    r"disadvantages?|trade-?offs?|which is better|instead of)\b",
    "区别|不同|异同|比较|对比|相比|哪个更|优缺点|优点|缺点|优势|联系|关系|和[^和\n]+一样吗",
)
_METHOD = _any(
    r"\bhow (?:do|does|did|to|can|could|is|are|should|would|might)\b|\bsteps?\b|\bprove\b|\bderive\b|\bimplement\w*\b|"
    r"\banaly[sz]e\b|\bdesign\b|\bexplain how\b|\bapproach(?:es)? to\b",
    "怎么|怎样|如何|步骤|方法|实现|证明|推导|求解|转换成?|怎么办|影响|趋势|作用|意义",
)
_EXAMPLE = _any(
    r"\bexamples?\b|\binstances?\b|\bapplications?\b|\buse cases?\b|\breal(?:-| )life\b",
    "例子|举例|实例|应用|举个|例如",
)
_ADVICE = _any(
    r"\brecommend\w*\b|\bsuggest\w*\b|\bshould i\b|\bwhere (?:to|should i) start\b",
    "推荐|建议|该先学|应该学|怎么学|如何学",
)
_FIRST_OR_SECOND_PERSON = _any(r"\b(?:i|me|my|you|your)\b", "我|你|您|咱")
_EXERCISE = _any(r"_{2,}|\(\s*\)|[（【\[]\s*[）】\]]", r"[=;{}]|\bo\(", "下列|以下|正确的是|错误的是|单选|多选")

_WHOLE: dict[Wording, re.Pattern[str]] = {"greeting": _GREETING, "filler": _FILLER}
_PATTERNS: dict[Wording, re.Pattern[str]] = {
    "emotion": _EMOTION,
    "to_the_assistant": _TO_THE_ASSISTANT,
    "small_talk": _SMALL_TALK,
    "course_matters": _COURSE_MATTERS,
    "definition": _DEFINITION,
    "reason": _REASON,
    "comparison": _COMPARISON,
    "method": _METHOD,
    "example": _EXAMPLE,
    "advice": _ADVICE,
    "person": _FIRST_OR_SECOND_PERSON,
    "exercise": _EXERCISE,
}


def wordings_of(question: str) -> frozenset[Wording]:
    """Which of the wordings the beginning of a question has."""
    text = question[:_LONGEST].lower()
    found: set[Wording] = {name for name, pattern in _PATTERNS.items() if pattern.search(text)}
    found |= {name for name, words in _WHOLE.items() if _consists_of(words, text)}
    return frozenset(found)


def _consists_of(words: re.Pattern[str], text: str) -> bool:
    """Whether nothing is left of a text but signs and Chinese particles when `words` are taken out."""
    rest = words.sub(" ", text)
    return rest != text and not any(map(str.isalnum, _PARTICLES.sub("", rest)))
