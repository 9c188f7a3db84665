"""The words by which a follow-up is known, in English and in Chinese.

Belongs here: patterns alone. What is done about a match is in `follow_up_references.py` and
`follow_up_fragments.py`. A pattern that is matched as a whole
(`fullmatch`) is matched against the question without the words it begins with (`lead`) and its last punctuation.
"""

import re
from dataclasses import dataclass

from knowledge_graph.lake.records import Lang
from serving.assistant.understanding.closed_words import COURSE_EN, COURSE_ZH

_ASPECT_EN = (
    r"complexity|running[ -]time|run[ -]?time|cost|performance|efficiency|(?:dis)?advantages?|benefits?|drawbacks?|"
    r"pros(?: and cons)?|cons|limitations?|strengths?|weakness(?:es)?|(?:worst|best|average)[ -]case|definition|"
    r"meaning|"
    r"formula|equation|purpose|uses?|use cases?|applications?|propert(?:y|ies)|steps?|implementation|pseudo-?code|code|"
    r"proof|derivation|intuition|examples?|types|kinds|parameters?|inputs?|outputs?|assumptions?|features?|idea|role"
)
_DESCRIBED_EN = (
    r"(?:worst|best|average|expected|worst-case|best-case|average-case|case|time|space|memory|running|asymptotic|"
    r"amorti[sz]ed|computational|main|key|basic|typical|common|total|exact|overall|formal|precise|mathematical|"
    r"practical|real|real-world|simple|concrete|good|other|different)\s+"
)
_STATED_EN = (
    r"(?:used|needed|applied|equivalent|similar|equal|related|suited|suitable|applicable|compared|good|useful)\b"
)
_KIND_EN = (
    r"(?:data structure|algorithm|method|technique|approach|concept|idea|structure|operation|function|model|term|"
    r"topic|theorem|formula|thing|notion|procedure)s?"
)
_KIND_ZH = "(?:数据结构|算法|方法|技术|概念|结构|操作|函数|模型|术语|名词|定理|公式|思想|知识点|东西|词|现象)"
_ASPECT_ZH = (
    "(?:(?:时间|空间|平均|最坏|最好|渐进){0,4}复杂度|优缺点|优点|缺点|优势|劣势|好处|坏处|应用场景|使用场景|适用场景|应用|作用|用途|"
    "用处|特点|特征|特性|性质|定义|概念|含义|意义|意思|公式|原理|步骤|流程|过程|实现|代码|伪代码|证明|推导|例子|种类|分类|类型|参数|"
    "本质|核心思想|基本思想|思想|局限性|局限|不足|(?:最坏|最好|平均)(?:的)?情况下?|共同点|相同点|不同点|区别|关系)"
)

_CODE_EN = r"`|[;{}\"“]|\bfor \w+ in\b"
_PEOPLE_EN = r"\b(?:where|when|who) (?:do|did|are|were) they\b|\bthey call\b|\btheir e-?mails?\b"
_WORK_EN = (
    r"\bturn it in\b|\b(?:get|do|send) it (?:in groups|back|to my)\b|\b(?:pay for|retake) it\b|\bdo (?:i|we) get it\b"
    r"|\bis it held\b"
)
_SITUATION_EN = (
    r"\b(?:is|does|will|did) it (?:me\b|or\b|rain|snow)|\b(?:crash|compile)\w* when i run it\b|\bis it that my\b"
)
_NO_ASPECT_EN = r"(?:tas?|finals?|projects?|rooms?|fees?|forums?|(?:text)?books?|e-?mails?|(?:[\w-]+ ){1,3}ones?)"
_NO_ASPECT_ZH = "(?:助教|地点|时间呢|钱|答案)"
_NO_CONCEPT_EN = f"{_CODE_EN}|{_PEOPLE_EN}|{_WORK_EN}|{_SITUATION_EN}"


@dataclass(frozen=True)
class FollowUpPatterns:
    """Patterns of one language. Groups of `reference` name the form that stands for a concept."""

    lead: re.Pattern[str]
    asks: re.Pattern[str]
    elsewhere: re.Pattern[str]
    acknowledges: re.Pattern[str]
    reference: re.Pattern[str]
    many: re.Pattern[str]
    no_reference: re.Pattern[str]
    which: re.Pattern[str]
    ordinal: re.Pattern[str]
    video: re.Pattern[str]
    here: re.Pattern[str]
    why: re.Pattern[str]
    how: re.Pattern[str]
    example: re.Pattern[str]
    more: re.Pattern[str]
    predicate: re.Pattern[str]
    aspect: re.Pattern[str]
    comparison: re.Pattern[str]
    circumstance: re.Pattern[str]
    unknown_aspect: re.Pattern[str]
    yes_or_no: re.Pattern[str]
    short_aspect: re.Pattern[str]
    beside_name: re.Pattern[str]


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


EN = FollowUpPatterns(
    lead=_pattern(
        r"(?:(?:and|so|but|ok(?:ay)?|then|also|well|now|alright|yes|no|oh|i see|got it|thanks|thank you)\b[\s,.!]*)*"
        r"(?:(?:what|how) about\b\s*)?"
    ),
    asks=_pattern(
        r"[?？]|^(?:what|which|who|when|where|why|how|is|are|was|were|does|do|did|can|could|would|will|should|"
        r"may|has|have|"
        r"explain|describe|define|tell|give|show|compare|prove|derive|please|and|whats|what's)\b|\bi (?:do not|don't) "
    ),
    elsewhere=_pattern(
        rf"\b(?:{COURSE_EN}|midterms?|graded|due|submit\w*|submission|enrol\w*|register\w*|downloads?|uploads?|log ?in|"
        r"passwords?|hand in|tutors?|office hours?|weeks?|today|tomorrow|weather|refund)\b"
    ),
    acknowledges=_pattern(
        r"(?<!\W)\W*+(?>(?:hi|hello|hey|thank you|thanks?|thx|ok(?:ay)?|i see|got it|great|cool|nice|good|fine|perfect|"
        r"yes|yeah|no|"
        r"hmm+|right|sure|understood|makes sense|a lot|so much|very much|that helps|awesome|wow|oh|ah|well|now|then|it)"
        r"\b\W*)++"
    ),
    reference=_pattern(
        r"(?P<own>\b(?:its|their)\b(?=\s+\w))|(?P<be>\b(?:it|that)['’]s\b|\bthey['’]re\b)"
        rf"|(?P<kind>\b(?:this|that|these|those|such an?)\s+{_KIND_EN}\b(?!\s+(?:of|that|which)\b))"
        r"|(?P<both>\b(?:the two|both of them|both)\b(?=\s*[?.!]*$|\s+(?:is|are|have|do|work|be|used|"
        r"differ)\b))|(?P<it>\b(?:it|they|them)\b)"
        r"|(?P<that>\b(?:this|that|these|those)\b(?=\s*[?.!]*$|\s+(?:(?:always|also|still|really|ever) )?(?:is|"
        r"are|was|the same|in|with|for|by|without|using|works?|means?|used|useful|called|important|"
        r"different|faster|slower|better|compare|helps?|needed|necessary|stable|efficient|done|implemented|defined)\b))"
    ),
    many=_pattern(r"their|they|them|these|those|two|both"),
    no_reference=_pattern(
        rf"\b(?:is|was|isn't|wasn't) it (?!{_STATED_EN})\w+ (?:to|that|if|for) \w|"
        rf"\bit be (?!{_STATED_EN})\w+ (?:to|that|if)\b"
        r"|\b(?:would|will|does|could|can|might) it (?:help|hurt|work|make sense|make a difference) (?:to|if|when)\b"
        r"|\bit (?:be )?(?:ok(?:ay)?|fine|possible|true|worth|allowed|required|mandatory|normal|(?:too )?late|"
        r"time|raining|"
        r"sunny|hot|cold|free|open|going|hanging|like|matter|(?:take|cost) to|means? (?:if|when|that|for|to))\b"
        r"|\b(?:what|which) (?:time|day) is it\b|\bit(?:'s| is) (?:that|my|not working)\b|\bwork for (?:it|them|"
        r"this|that)\b"
        r"|\bthey (?:just )?(?:say|said|mean|meant)\b|\b(?:that|this|it) called\W*$"
        r"|\b(?:it|they|them)\b(?=.{0,120}\b(?:you|u)\b)(?!.{0,120}\b(?:if|when) you\b)"
        r"|\b(?:when|where|year|date|day) (?:was|were) (?:that|this|it)\W*$"
        r"|\b(?:is|was) (?:that|this|it) (?:right|correct|all|ok(?:ay)?|true|it)\W*$|^\W*if\b"
        rf"|{_NO_CONCEPT_EN}"
    ),
    which=_pattern(
        r"which(?: one| of (?:the two|them|these|those))?(?: is| are| has| do| does| should| would| uses)\b.{0,60}"
    ),
    ordinal=_pattern(
        r"\bthe (?:(?P<n>first|second|third|fourth|fifth|sixth|last|[1-9]\d?(?:st|nd|rd|th))"
        r"(?: (?:one|method|type|kind|option|item|algorithm|approach|structure|point)\b|(?=\s*[?.!]*$))"
        r"|(?P<side>former|latter)(?: one)?\b)"
    ),
    video=_pattern(r"\bthis (?:video|clip|lecture)\b(?!\s+(?:hall|room|series)\b)"),
    here=_pattern(r"\b(?:(?:right |over )?here|this part|at this point|just now)\b"),
    why=_pattern(
        r"why(?: not| so| exactly| is (?:that|this|it)(?: so| the case| (?:like (?:this|that)|this way))?|'s that)?"
        r"|how come|what for"
    ),
    how=_pattern(r"how(?: so| exactly| is (?:that|this|it)(?: so| possible)?)?|in (?:what|which) way"),
    example=_pattern(
        r"(?:for (?:example|instance)|e\.?g|such as|like what|(?:(?:(?:can|could|"
        r"would) you )?(?:please )?(?:give|show|have)"
        r"(?: me| us)? |(?:do you have|is there|are there|maybe|with) )?(?:an?|any|some|another|one(?: more)?|more)? ?"
        r"(?:\w{1,40} )?examples?)(?: please)?"
    ),
    more=_pattern(
        r"(?:(?:can|could|would|will) you )?(?:please )?(?:explain|elaborate|clarify|go on|continue|say more|"
        r"tell me more|"
        r"more details?|more|(?:in )?more detail)(?:(?: on| about)? (?:it|that|this))?(?: again| more| further|"
        r" better| simply| in (?:more |greater )?detail| in simple(?:r)? (?:words|terms))?(?: to me)?(?: please)?"
        r"|(?:sorry )?i (?:still )?(?:don't|do not|didn't|can't|cannot) (?:really |quite )?(?:get|understand|follow)"
        r"(?: (?:it|that|this))?(?: at all)?|what do you mean"
    ),
    predicate=_pattern(r"(?!)"),
    aspect=_pattern(
        r"(?P<ask>(?:(?:can|could|would|will) you (?:please )?)?(?:what(?:['’]s| is| are| was)|whats|"
        r"tell me(?: more)? about|explain|describe|give(?: me)?|show me)\s+)?"
        rf"(?P<det>(?:the|its|their|any|some)\s+)?(?P<aspect>(?:{_DESCRIBED_EN}){{0,3}}(?:{_ASPECT_EN}))"
        r"(?P<tail>(?: please| then| exactly| again| of (?:it|that|this|them))?)"
    ),
    comparison=_pattern(
        r"(?:compared (?:to|with)|in comparison (?:to|with)|versus|vs\.?|(?:the )?differences? (?:from|to))\s.{2,60}"
    ),
    circumstance=_pattern(r"(?P<word>in|on|with|without|for|of|if|when|using|under|at)\s+(?P<rest>.{2,60})"),
    unknown_aspect=_pattern(rf"(?:the|its|their)\s+(?!{_NO_ASPECT_EN}\b)(?P<aspect>[\w-]+(?: [\w-]+){{0,2}})"),
    yes_or_no=_pattern(r"(?:and |so |but )?(?:is|are|was|does|do|did|can|could|should|will|would|has|have)\b.*"),
    short_aspect=_pattern(r"\bcomplexity\b"),
    beside_name=_pattern(r"(?<!\W)\W*+(?:(?:of|for)\b)?\s*+(?:an?\b|the\b)?\W*+(?:then|one)?\W*+"),
)

ZH = FollowUpPatterns(
    lead=_pattern(
        r"(?:(?:那么|那(?!个|种|些|里|边|是)|然后|还有|以及|所以|请问|另外|老师|谢谢|好的?|嗯|哦|明白了|懂了)[，,。！!\s]*)*"
    ),
    asks=_pattern(
        r"[?？]|吗|呢|什么|怎|如何|为何|为啥|多少|哪|几|是否|能不能|是不是|可不可以|有没有|^(?:请|解释|介绍|说|讲|举|详细|比较|给|谈|证明)"
    ),
    elsewhere=_pattern(
        rf"{COURSE_ZH}|期末|期中|分数|提交|退|学分|平台|下载|登录|密码|报名|今天|明天|天气|星期|教材|幻灯片|交|补考|挂科|"
        r"缺勤|下雨"
    ),
    acknowledges=_pattern(
        r"(?<!\W)\W*+(?>(?:你好|您好|老师|谢谢|多谢|感谢|好的?|嗯|哦|明白|懂|知道|了解|清楚|可以|行|对|是的|没问题|了|"
        r"啦|吧|呀|啊|您|你|原来如此|okay|ok)\W*)++"
    ),
    reference=_pattern(
        r"(?P<both>它们俩|它们|两者|二者|这两个|这两者|这俩|俩者)|(?P<it>(?<!其)它(?!们))"
        r"|(?P<own>(?<![尤极与何及])其(?![他它实中次余间一二三]))"
        rf"|(?P<kind>(?:这|那)(?:个|种|类|一)?{_KIND_ZH}|该{_KIND_ZH}|(?<=解决|避免|防止|处理|克服|缓解)(?:这|那)(?:个|种|类)?问题)"
        r"|(?P<that>(?:这个|那个|这|那(?=是))(?=是|怎|如何|有什么|有哪|有啥|为什么|能|可以|和|跟|与|什么意思|什么时候|叫|指|的|呢|吗|\W*$))"
    ),
    many=_pattern(r"们|两|二者|俩"),
    no_reference=_pattern(r"(?:这|那)是(?:哪个老师|几点|谁|哪一?年|什么时候|何时)|多少钱|补考"),
    which=_pattern(r"(?:哪一?个|哪种|谁)(?:更|比较|最).{1,12}"),
    ordinal=_pattern(
        r"(?:第(?P<n>[一二两三四五六七八九十]|[1-9]\d?)(?:个|种|点|条|项|类)(?:方法|算法|结构|类型)?"
        r"(?=是|呢|吗|怎|如何|有|的|和|跟|与|为|能|可|什么|\W|$)|(?P<last>最后一(?:个|种|点|条|项|类))(?=是|呢|"
        r"怎|的|有|\W|$)|(?P<side>前者|后者))"
    ),
    video=_pattern(r"(?:这个|本|这段|这一?节|这)(?:视频|讲)(?!义|解|得|的是)"),
    here=_pattern(r"这里|这儿|这一?段|这部分|这一部分|刚才(?:讲|说)的|刚刚(?:讲|说)的"),
    why=_pattern(r"(?:这是)?(?:为什么|为啥|为何|什么原因|原因)(?:呢|会这样|这样|啊|呀|是什么|吗)?"),
    how=_pattern(r"(?:怎么做|怎么做到的?|怎么办到的?|如何做到|怎么说)(?:呢|啊)?"),
    example=_pattern(
        r"(?:请|能不能|可以|能|可不可以|麻烦|你)*(?:再|给我|帮我|给)*(?:举(?:一?个|几个|些|一下)?|有没有|有|来个|给个|来一?个)?"
        r"(?:具体的?|简单的?|实际的?|相关的?)?例子?(?:说明)?(?:一下|吗|呢|吧|嘛)*|(?:比如|例如|譬如|举例)(?:说|来说|说明)?(?:一下|吗|呢|吧)*"
    ),
    more=_pattern(
        r"(?:请|能不能|可以|能|麻烦|你|再|更|给我|稍微)*(?:(?:详细|具体|展开|深入|多|进一步)(?:地|"
        r"的)?(?:再)?(?:说说?|讲讲?|解释|介绍|阐述|描述)?"
        r"(?:一下|一点|一些|点|些)?|(?:再|重新)?(?:说|讲|解释)(?:一遍|一次|一下|详细一?点|清楚一?点)|继续(?:说|讲)?)(?:吗|呢|吧|它|这个)*"
        r"|(?:我)?(?:还是|还)?(?:不太?|没太?|没有)(?:听|看)?(?:懂|明白|理解)(?:啊|呢|了)?|什么意思(?:呢|啊)?|(?:这)?是什么意思(?:呢|啊)?"
    ),
    predicate=_pattern(
        r"(?:怎么|如何|怎样|怎么样|为什么|为何)(?:去|来|才能|能)?(?:用|实现|使用|计算|算|理解|证明|推导|解决|避免|防止|优化|工作|运行|应用|选择|"
        r"选|判断|改进|写|求|得到|定义|表示|存储|操作|构造|建立|有效|要用|需要|重要|快|慢|稳定|不稳定|学|处理|检测|区分|训练)(?:它|的|呢|啊|出来)*"
        r"|有(?:什么|哪些|啥)(?:用|意义|功能|问题|方法|种类|操作|优势|技巧|条件|要求|前提|限制)(?:处)?(?:呢|"
        r"啊)?|(?:一般|通常|主要)?(?:什么时候|在哪里?|"
        r"哪里|用来)(?:会|要|能)?(?:使用|用到?|应用|做什么|干什么)(?:呢|啊)?|(?:能|可以)?用来(?:做|干)什么|"
        r"有(?:没有)?(?:代码|伪代码|图|公式|证明|应用)(?:吗|呢)?|(?:怎么|如何|怎样|能不能|"
        r"可以)用[\w+#]{1,10}(?:实现|写)(?:吗|呢)?|(?:一般|通常|主要)?用在(?:哪里?|什么地方|哪些地方)"
        r"|稳定吗|快吗|(?:是)?(?:谁|什么时候)(?:发明|提出|发现)的"
    ),
    aspect=_pattern(
        rf"(?P<det>它们?的|其|有什么|有哪些|有啥)?(?P<aspect>(?:主要|具体|实际|常见|基本|核心|数学|平均|最坏|最好)?(?:的)?{_ASPECT_ZH})"
        r"(?P<tail>(?:是什么|是多少|是啥|有哪些|是怎样的|怎么样|怎么算|怎么求|怎么计算|多少|如何|呢|吗|啊)*)"
    ),
    comparison=_pattern(
        r"(?:和|跟|与|同|比|相比).{1,20}(?:区别|不同|异同|关系|联系|相比|比较|哪个|一样|快|慢|好|差).{0,10}|(?:相比|比起).{1,20}"
    ),
    circumstance=_pattern(r"(?P<word>在|如果|要是|假如|当|对于?)(?P<rest>.{2,16}?)呢"),
    unknown_aspect=_pattern(
        rf"(?!{_NO_ASPECT_ZH})(?P<aspect>[^A-Za-z我你他她谁啥吗有没第是不还去来，,？?\s]{{1,6}})呢"
    ),
    yes_or_no=_pattern(r"\A.*(?:吗|是否|能不能|是不是|可不可以|有没有|会不会|要不要).*"),
    short_aspect=_pattern("复杂度"),
    beside_name=_pattern(r"(?:对于?)?\W*+呢?\W*+"),
)

WORDS: dict[Lang, FollowUpPatterns] = {"en": EN, "zh": ZH}
