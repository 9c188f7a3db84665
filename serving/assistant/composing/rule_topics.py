"""`RuleTopic`: what students ask of the rules of a course in words that no rule has, and what rules say. Pure.

Belongs here: everyday situations ("the site was down", "my mate", "on my desk") with what a rule that answers them
says. How the rule is found and shown is `logistics`'.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from re import Pattern

from knowledge_graph.lake.records import Lang
from serving.assistant.composing.composed import ComposedStatement


@dataclass(frozen=True)
class RuleTopic:
    """`asked` finds the situation in a question, `said` a rule for it; `query` are words to look such rules up by."""

    asked: Pattern[str]
    said: Pattern[str]
    query: Mapping[Lang, str]


def _topic(asked: str, said: str, en: str, zh: str) -> RuleTopic:
    query: dict[Lang, str] = {"en": en, "zh": zh}
    return RuleTopic(re.compile(asked, re.IGNORECASE), re.compile(said, re.IGNORECASE), query)


_EXAM = (
    r"(?:exams?|examinations?|mid-?terms?|quiz(?:zes)?|finals?(?: exam)?(?=\W*$|[?,.!]| (?:and|or|a|another|again)\b))"
)
"""A final is an exam at the end of what is said, and not before its noun: "the final step"."""
_SITTING = rf"\b(?:{_EXAM}|finals?\b(?! (?:step|layer|project|value|result)))"
"""An exam that somebody sits: "in the middle of the final"."""
_WORK = (
    r"(?:homeworks?|assignments?|problem sets?|psets?|programs?|code|solutions?|answers?|projects?|labs?|submissions?"
    r"|exercises?)"
)
_LANGUAGE = r"(?:java|python|javascript|typescript|matlab|octave|kotlin|rust|golang|c\+\+|c#)"
_OTHERS = (
    r"(?:roommates?|flatmates?|friends?|mates?|classmates?|budd(?:y|ies)|girlfriend|boyfriend|partners?|teammates?"
    r"|(?:fellow|other|another) (?:students?|participants?)|(?:someone|somebody) else)"
)

_SKILL = (
    r"(?:programming|program|coding|code|maths?|mathematic\w*|calculus|algebra|statistics|computer science|cs|python"
    r"|java)"
)
_MAY_WE = r"\b(?:(?:can|may|could|should|must) (?:i|we|students)|(?:allowed|permitted|ok(?:ay)?|fine|have) to)\b"

CONTACT = _topic(
    r"\b(?:phone|telephone) (?:numbers?|lines?|calls?)\b|\b(?:hotline|by phone)\b"
    r"|\b(?:ring|call) (?:you|somebody|someone|the team)\b"
    r"|\bwho(?:m)? (?:do|should|can|could|must) (?:i|we) (?:ask|contact|e-?mail|write to|talk to|turn to|go to|tell)\b"
    r"|\bhow (?:do|can) (?:i|we) (?:reach|contact)\b|\boffice hours of\b|(?:老师|教授|助教)什么时候答疑"
    r"|电话|找谁|联系谁|怎么联系",
    r"\b(?:writes? to|contact\w*|reports? (?:this|it)|course (?:team|coordinator)|office hours?|e-?mail|forum|form)\b"
    r"|@|\+\d|联系|邮箱|答疑|助教",
    "contact the course team coordinator writes to form e-mail office hour forum",
    "联系 助教 邮箱 答疑 讨论区",
)
"""To reach somebody, whom the course may name."""

BACKGROUND = _topic(
    r"\b(?:without|no|zero|little|never (?:had|done|took|taken)|need|have|require\w*)"
    rf"(?: (?:any|much|some|a|prior|previous|strong))* {_SKILL} "
    r"(?:experience|background|knowledge|skills|course|class)\b|\bnever (?:programmed|coded)\b"
    r"|\b(?:need|have|without|require\w*)(?: (?:any|some|an?|prior))* "
    rf"(?:background|experience|knowledge) (?:in|of|with) {_SKILL}\b"
    r"|\b(?:need|have|supposed|expected|required) to (?:already )?(?:know|be (?:good at|able to)|understand)"
    rf"(?: (?:any|much|some|how to))* {_SKILL}\b"
    r"(?=\W*$| (?:for|in|to (?:take|follow|do)) (?:this|the|your) (?:course|class)\b)"
    rf"|\bhow (?:much|good at|strong)\b.{{0,12}}\b(?!code|program\b){_SKILL}\b.{{0,20}}\bneed\b"
    r"(?=\W*$|.{0,8}\b(?:course|class)\b)"
    r"|\bwhat (?:(?!did|does|is|are)\w+ ){0,5}?(?:background|skills|knowledge) "
    r"(?:(?:do|should|must|will) (?:i|we|you|students)\b|(?:is|are) (?:needed|required|assumed|necessary)\b)"
    r"|\b(?:is|are) (?:this|the|your) (?:course|class|mooc) (?:\w+ ){0,4}?for (?:me|(?:\w+ )?beginners)\b"
    r"|\bbeginner[- ]friendly\b|\bbeginner\b.{0,24}\b(?:take|follow|do|join|keep up)\b"
    r"|零基础|没有?(?:任何)?(?:编程|数学|计算机)?的?(?:基础|经验)(?=\W*(?:$|[能可学听跟怎会吗也]))"
    r"|没学过(?:编程|数学|计算机|程序)"
    r"|(?:要|需要|得)(?:先)?会(?:编程|写程序|数学)"
    r"|不(?:太|怎么)?(?:会|懂)(?:高等?)?(?:数学?|编程|写?程序|写?代码).{0,6}(?:[能跟]|可以|行吗)"
    r"|(?:数学|编程)(?:知识|能力)?(?:要|得|需要)[^，。？]{0,6}(?:基础|水平|程度)"
    r"|(?:数学|编程)(?:(?:要|得|需要)?(?:很|多|特别)?[好强]吗|(?:不好|不行|差).{0,6}[能学跟])",
    r"\b(?:need to know|know before|prerequisites?|should be able to|can (?:already )?write (?:small )?programs"
    r"|prior knowledge|no earlier course|(?:is|are) (?:assumed|required))\b|先修|预备知识|需要什么基础|够用|足够",
    "what you need to know before prerequisites should be able to write programs mathematics is enough",
    "先修 基础 程序设计 数学 需要",
)
"""What one has to know for the whole course, which a lecture may say where no rule does."""

_SKILLS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:maths?|mathematic\w*|calculus|algebra|statistics)\b|数学|代数|微积分|概率",
        r"\b(?:programming|programs?|coding|code|python|java)\b|编程|程序|代码",
    )
)


def names_skill_of(question: str, text: str) -> bool:
    """Whether a text names every skill that a question asks about, one at least."""
    asked = [skill for skill in _SKILLS if skill.search(question)]
    return bool(asked) and all(skill.search(text) for skill in asked)


def is_of_another_skill(question: str, rule: str) -> bool:
    """Whether one skill is asked about and a rule names another alone: who must program need not be good at maths."""
    asked, named = ([skill for skill in _SKILLS if skill.search(text)] for text in (question, rule))
    return len(asked) == 1 and bool(named) and asked[0] not in named


_MEETING = r"(?:class(?:es)?|lectures?|tutorials?|seminars?|sessions?|practicals?|workshops?)"
ATTENDANCE = _topic(
    r"\b(?:have|need|required|supposed) to attend\b(?! to\b)|\b(?:attendance|compulsory|mandatory|obligatory)\b"
    rf"|\b(?:what (?:happens )?if|can|may|could|allowed to)\b.{{0,24}}\b(?:miss|skip)(?: [\w-]+){{1,3}} {_MEETING}\b"
    rf"|\bhow many (?:\w+ )?{_MEETING} (?:can|may|could) (?:i|we) (?:miss|skip)\b"
    r"|出勤|考勤|缺勤|缺课|旷课",
    r"\b(?:attend\w*|compulsory|mandatory|obligatory|voluntary)\b"
    r"|\bmiss(?:es|ing)?\b.{0,24}\b(?:one|two|three|four|five|\d)\b"
    rf"|\bmiss(?:es|ing)?\b.{{0,24}}\b{_MEETING}\b"
    r"|出勤|考勤|缺勤|缺课|旷课|签到|点名",
    "attendance attend compulsory mandatory voluntary miss more than lectures tutorials",
    "出勤 考勤 缺课 签到 点名",
)
"""To come to class, or not to."""

_COUNTS = r"(?:counts?|counted|weighs?|weights?|weighted|worth|makes? up|contributes?)"
WEIGHTS = _topic(
    r"\bhow much (?:does|do|will|would) .{1,60}\b(?:count(?=\W*$| (?:overall|in total)\b|.{0,12}\b(?:grade|mark)\b)"
    r"|(?:weigh|contribute)\b.{0,12}\b(?:grade|mark)\b)"
    r"|(?:考试|期中|期末|测验|作业|实验|平时|出勤|项目|报告|论文)[^，。？]{0,4}占(?:总评|总成绩|成绩|总分)?的?"
    r"(?:多少|多大|百分之|几成|几分|比例)",
    rf"\b{_COUNTS}\b.{{0,80}}\d ?%|\d ?%.{{0,40}}\bof (?:the|your) (?:final |overall |total |course )?(?:grade|mark)"
    r"|占.{0,30}(?:\d ?%|百分之)|(?:由|包括|成绩).{0,40}(?:\d ?%|百分之)",
    "counts for 20% of the final grade weight of exam assignments quizzes",
    "总评 成绩 占 百分之",
)
"""How much of the grade something is."""

EXAM_FORM = _topic(
    rf"\bhow (?:do|does|did|will|would|is|are) (?:the |an? |my |our |this )?(?:\w+ )?{_EXAM} "
    r"(?:going to )?(?:(?:actually|really|usually) )?(?:be )?(?:work|go|look|run|held|taken|organi[sz]ed|structured"
    r"|set up|conducted|administered)\b(?! (?:out|on|with)\b)"
    rf"|\bwhat (?:is|are|will|does|do) (?:the |an? |our )?(?:\w+ )?{_EXAM} (?:be |look )?like\b"
    rf"|\b(?:format|form) of (?:the |an? |our )?(?:\w+ )?{_EXAM}"
    rf"|\bhow long (?:is|are|does|will|do (?:i|we) (?:have|get) (?:for|in)) (?:the |an? |our )?(?:\w+ )?{_EXAM}"
    r"|\bhow many (?:\w+ )?(?:questions|parts|problems|essays)\b(?: \w+){0,6}? (?:in|on|does|do|will) "
    rf"(?:the |an? |our )?(?:\w+ )?{_EXAM}"
    rf"|^\W*(?:and |so )?(?:is|are) (?:the |our |this )?(?:\w+ )?{_EXAM} "
    r"(?:timed|online|in person|on paper|on site|proctored|written|oral|multiple[- ]choice)\b"
    r"|(?:(?<!期中)考试|期末|测验).{0,4}(?:怎么(?:考|进行|安排)|(?:是|有|用)?(?:什么|哪些)(?:形式|题型)|(?:要|有)?(?:考|做)?(?:多长|多久|多少道?题|几道题))",
    rf"^(?=.*{_EXAM}).*\b(?:minutes|hours?|proctor\w*|on paper|multiple[- ]choice|open questions|attempts?)\b"
    r"|(?:考试|期中|期末|测验).{0,60}(?:分钟|小时|线上|机考|笔试|选择题)",
    "the exam takes minutes is taken online on paper with proctoring questions",
    "考试 分钟 线上 笔试 题",
)
"""How an exam is taken, how long it is and what it has."""

LATE = _topic(
    r"\b(?:hand|turn)(?:ed|ing)? (?:\w+ ){0,4}?in\b.{0,40}\b(?:late|after)\b"
    r"|^(?=.*\b(?:hand|turn)(?:ed|ing)? (?:\w+ ){0,4}?in\b).*\b(?:is|are|be) late\b"
    rf"|\b(?:days?|hours?|minutes?|bit|little) late\b(?! (?:for|to) (?:the |an? |my )?{_EXAM})"
    r"|\blate (?:submissions?|homeworks?|assignments?|work|penalt(?:y|ies)|polic(?:y|ies))\b"
    r"|\bmiss(?:ed)? (?:the|a|my) (?:deadline|due date)\b"
    r"|迟交|晚交|过了截止|逾期",
    r"\blate(?:ness)?\b|\bdelay(?:s|ed)?\b|\bafter (?:its|the) deadline\b"
    r"|\bextension (?:is|can|may|will)\b|迟交|逾期|截止后",
    "late days an assignment submitted after its deadline points are taken off for each day",
    "迟交 逾期 扣分 截止",
)
"""To hand something in after its deadline."""

TOPICS: tuple[RuleTopic, ...] = (
    ATTENDANCE,
    WEIGHTS,
    EXAM_FORM,
    _topic(
        r"\b(?:what happens|caught|punish\w*|penalt\w*|consequences?|trouble|expelled|kicked out)\b.{0,60}"
        r"\b(?:cop(?:y|ied|ying)|plagiar\w*|cheat\w*|chat ?gpt|ai|steal|stole)\b"
        r"|\b(?:cop(?:y|ied|ying)|plagiar\w*|cheat\w*|steal|stole)\b.{0,60}"
        r"\b(?:what happens|caught|punish\w*|penalt\w*|consequences?|trouble|expelled|kicked out)\b"
        r"|(?:抄|作弊|剽窃|查重).{0,16}(?:处理|后果|怎么办|会怎样|会怎么样|处罚|发现)",
        r"\b(?:warning|zero points|exclude\w*|expel\w*|serious case)\b|零分|取消|处分|警告",
        "the coordinator may give a warning or grade the work with zero points serious case violation excluded",
        "抄袭 零分 取消 处分",
    ),
    _topic(
        r"\b(?:on (?:my|the) desk|cheat ?sheets?|crib ?sheets?|formula sheets?|scratch paper|(?:open|closed)[- ]book)\b"
        r"|\bbring\b.{0,40}\bto (?:the |an? |my )?(?:big )?test\b"
        r"|\b(?:bring|take|have(?! (?:only |got )?\d)|use|keep|carry)\b.{0,40}"
        r"\b(?:during|into|in|to|at|with me (?:in|at|for)) "
        rf"(?:the |an? |my )?(?:final )?{_EXAM}"
        r"|\b(?:ok(?:ay)?|fine|allowed|permitted|banned|forbidden) (?:in|at|during|for) "
        rf"(?:the |an? )?(?:final )?{_EXAM}"
        r"|\b(?:need|bring|use|have) (?:(?:an?|my|the|our) )?(?:\w+ )?calculators?\b"
        r"|\bcalculators?\b.{0,12}\b(?:allowed|permitted|needed|required|ok(?:ay)?)\b"
        r"|[带用拿].{0,8}考场|考场.{0,8}[带用拿]|小抄|草稿纸|开卷|闭卷|(?:考试|带).{0,8}计算器"
        r"|考试.{0,6}(?:能|可以)?(?:带|(?<!有)用)",
        r"\b(?:sheets?|calculators?|open[- ]book|closed[- ]book|aids|material or help|own notes|other material)\b"
        r"|开卷|闭卷|携带|带入|参考资料|计算器|[A-Z]4",
        "exam aids sheet of paper notes calculator may be used other material forbidden open book",
        "考试 允许携带 资料 开卷 闭卷 计算器",
    ),
    _topic(
        rf"\b{_OTHERS}\b.{{0,80}}\b{_WORK}\b|\b{_WORK}\b.{{0,80}}\b{_OTHERS}\b"
        r"|\b(?:do|write|submit|solve|work on|hand in)\b.{0,40}\b(?:homeworks?|assignments?|psets?|labs?)\b.{0,30}"
        r"\btogether\b"
        rf"|{_MAY_WE}(?: (?:also|all|just|still|both|really))? "
        r"(?:(?:team|pair) up|(?:work|study|collaborate|do (?:it|this|that|them"
        rf"|(?:(?:the|our|my) )?{_WORK}))\b.{{0,12}}\b(?:with (?:(?:a|an|my|our|some|one|of) )*{_OTHERS}"
        r"|in (?:a )?(?:groups?|pairs?|teams?)|together))\b"
        r"|\b(?:group|team|pair)[- ]?work\b.{0,20}\b(?:allowed|permitted|ok(?:ay)?|fine|possible|required)\b"
        rf"|\b(?:groups?|teams?|pairs?)\b.{{0,8}}\b{_WORK} (?:allowed|permitted|ok(?:ay)?|possible)\b"
        r"|(?:可以|能|允许).{0,4}(?:小组|组队)(?:合作|完成|作业)?"
        r"|(?:可以|能|允许|能不能).{0,8}(?:和|跟|与).{0,4}(?:同学|朋友|室友|别人).{0,4}(?:一起|合作|讨论|组队)"
        r"|(?:室友|同学|朋友|同伴|别人|一起|合作|借).{0,20}(?:作业|代码|答案|项目)"
        r"|(?:作业|代码|答案|项目).{0,20}(?:室友|同学|朋友|同伴|别人|一起|合作|借)",
        r"\b(?:shar(?:e|ed|ing)|discuss\w*|collaborat\w*|(?:another|other) (?:participants?|students?|person)|own work"
        r"|in pairs|in groups?|on (?:your|their) own)\b|讨论|合作|独立|自己写|抄袭|他人",
        "discuss share copy code answers with other students own work another participant collaboration",
        "与同学讨论 独立完成 共享 代码 抄袭 合作",
    ),
    _topic(
        rf"\bcop(?:y|ied|ying)\b(?: \w+){{0,4}}? {_WORK}\b|\b(?:plagiar\w*|cheat(?:s|ed|ing)?)\b"
        r"|\b(?:my|our|public|from|off|on) (?:\w+ ){0,2}github\b"
        rf"|\b{_WORK} (?:from|off|(?:that )?i found (?:on|in)) "
        r"(?:github|stack ?overflow|the (?:internet|web)|an? \w+)\b"
        r"|抄|剽窃|查重|作弊",
        r"\b(?:plagiari\w*|academic integrity|violations?|copy code|own work|marked with their source|cheat\w*)\b"
        r"|\b(?:warning|zero points)\b.{0,80}\b(?:serious|second) case\b|抄袭|剽窃|查重|作弊|出处",
        "academic integrity plagiarism violation copy code own work source warning zero points",
        "抄袭 剽窃 查重 零分 学术诚信",
    ),
    _topic(
        r"\b(?:sick|ill|illness|flu|fever|hospital\w*|funeral|accident|emergency|surgery|covid|death in my)\b"
        r"|\b(?:mother|father|grand\w{2,6}|uncle|aunt|brother|sister|dog|cat) (?:has |just )?died\b"
        r"|\b(?:laptop|computer|hard disk|hard drive)\b.{0,24}\b(?:broke\w*|died|crashed|stolen|ate)\b"
        r"|\bate my\b|(?<!\bfile )(?<!\bfield )\bextensions?\b(?! of\b)|\bextra (?:day|week)s?\b"
        r"|生病|病了|住院|发烧|延期|出.{0,2}意外|家里有事|请假",
        r"\b(?:illness|ill|sick\w*|serious reasons?|reason accepted|extend\w*|extensions?|medical|emergenc\w+)\b"
        r"|生病|因病|疾病|延期|证明|特殊情况|特殊原因|请假",
        "illness or another serious reason accepted extend a deadline missed request medical certificate",
        "因病 特殊情况 延期 申请 证明",
    ),
    _topic(
        rf"\blate\b.{{0,12}}\b(?:for|to) (?:the |an? |my )?{_EXAM}"
        rf"|\b(?:let|get|come|go|walk|enter|leave|admitted)\b(?: \w+){{0,3}} (?:the |an? |my )?{_EXAM}.{{0,24}}"
        r"\b(?:late|early|minutes)\b"
        r"|迟到|来晚|晚到|(?<![带拿])(?:进|入)(?:得了|不了)?考场|入场|(?:提前|提早|早点?)(?:交卷|离开|走|离场)|多久(?:才)?(?:能|可以)交卷",
        r"\b(?:admitted|admission|latecomers?|late arrivals?|(?:enter|leave)s?\b.{0,24}\b(?:rooms?|halls?|minutes?))\b"
        r"|入场|迟到|进入考场|交卷|离场",
        "students who arrive late are not admitted to the exam room after minutes may leave early",
        "迟到 入场 考试开始 分钟 交卷 离场",
    ),
    LATE,
    _topic(
        r"^(?=.*\b(?:homeworks?|assignments?|submi\w+|hand|deadlines?|due|upload\w*|quiz(?:zes)?|exams?|late)\b)"
        r".*\b(?:site|website|platform|server|portal|app|system)\b.{0,24}"
        r"\b(?:down|crash\w*|unavailable|offline|broken|unreachable"
        r"|not (?:work|load)\w*|(?:didn'?t|doesn'?t|won'?t|wouldn'?t) (?:work|load|open))\b"
        r"|^(?=.*(?:作业|提交|交不|截止|考试|测验)).*(?:平台|网站|系统|服务器).{0,8}(?:崩|打不开|进不去|瘫|挂|维护|坏)",
        r"\b(?:platform|site|system|server)\b.{0,24}\b(?:not available|unavailable|down|outage|fail\w*)\b|\boutages?\b"
        r"|(?:平台|系统|网站).{0,8}(?:故障|无法|不可用|中断)",
        "platform was not available outage on the day of a deadline",
        "平台 故障 无法访问 截止",
    ),
    _topic(
        rf"^(?=.*{_SITTING}).*\b(?:internet|wi-?fi|connection|network|power|electricity|laptop|computer|browser|screen)\b"
        r".{0,24}\b(?:went|goes|go|is|was|down|out|off|dropp\w*|fail\w*|broke\w*|lost|crash\w*|froze\w*|cuts?|died|dies)\b"
        rf"|^(?=.*{_SITTING}).*\b(?:los[et]|lost|no) (?:my |the )?(?:internet|connection|power)\b"
        r"|^(?=.*(?:考试|期末|期中|测验)).*(?:断网|掉线|断电|停电|网络?(?:断|掉|崩))",
        r"\b(?:connection|internet|technical (?:problems?|failures?)|power)\b.{0,40}"
        r"\b(?:fail\w*|lost|los[es]\w*|breaks?|interrupt\w*|drops?)\b"
        r"|断网|掉线|网络(?:中断|故障)|技术故障",
        "the connection fails during an exam reports this within hours second attempt coordinator",
        "考试 断网 网络 中断 报告",
    ),
    _topic(
        r"\b(?:work(?:s|ing)?|jobs?|employed)\b.{0,12}"
        r"\b(?:full[- ]?time|(?:during|by|in) the day|in the daytime|nine to five|9 to 5)\b"
        r"|\b(?:full[- ]time|day) job\b|全职(?:工作|上班)|白天(?:要)?(?:上班|工作)|(?:要|在)上班",
        r"\b(?:evenings?|weekends?|part[- ]time|working (?:people|students)|at any time|own (?:pace|time))\b"
        r"|晚上|晚间|周末|业余|在职|随时",
        "meetings are in the evening weekend part-time working people at any time own pace",
        "晚上 周末 业余 在职",
    ),
    _topic(
        r"\b(?:dyslexi\w*|adhd|autis\w*|disab\w*|wheelchair|blind student|visually impaired|deaf|hearing impair\w*)\b"
        r"|残疾|残障|阅读障碍|视障|听障|多动症",
        r"\b(?:disabilit\w*|adjustments?|accommodations?|special needs)\b|残疾|残障|障碍|特殊需要",
        "adjustment because of a disability extra time in exams another format accommodation",
        "残疾 障碍 特殊需要 延长考试时间",
    ),
    _topic(
        rf"\b(?:resit|retake|re-?do|repeat|sit|take|fail(?:ed|ing)?|flunk\w*|bomb\w*)\b.{{0,40}}\b{_EXAM}\b.{{0,30}}"
        r"\b(?:again|twice|second (?:time|attempt|try|chance)|another (?:go|try|chance|shot|time))\b"
        rf"|\b(?:second|another) (?:attempt|try|chance|go|shot)\b.{{0,30}}\b{_EXAM}\b|\bresits?\b"
        rf"|\b(?:fail|failed|flunk\w*|bomb\w*)\b.{{0,20}}\b{_EXAM}\b|补考|重考|挂科|没考过|不及格",
        r"\b(?:resits?|retak\w+|second attempt|repeat\w*)\b|补考|重考|重修",
        "resit of the final exam result replaces registration second attempt retake",
        "补考 重考 重修 成绩",
    ),
    _topic(
        rf"\b(?:miss(?:ed|ing)?|skip(?:ped|ping)?)\b(?: \w+){{0,4}}? {_EXAM}"
        r"|(?:缺考|(?:错过|没参加|没去|没做|没考|漏做|漏)(?:了|掉)?[^，。？]{0,6}(?:考试|期中|期末|测验|随堂测))",
        r"\b(?:miss(?:es|ed|ing)?|highest scores? (?:are|is)|best \w+ (?:are|count)|lowest (?:\w+ )?(?:is|are) dropped"
        r"|resits?|make-?ups?|absen\w+)\b|缺考|缓考|补考|补做|错过|取.{0,6}最高|去掉.{0,4}最低",
        "missed a quiz or exam the quizzes with the highest scores are used no resit of the midterm",
        "缺考 缓考 错过 测验 取最高分 补考",
    ),
    _topic(
        r"^(?=.*\b(?:certificates?|diploma|scores?|grades?|marks?|percent|points)\b)"
        r".*\b(?:honou?rs?|cum laude|distinction)\b|^(?=.*(?:证书|成绩|分数|多少分)).*(?:优秀|荣誉|优异)",
        r"\b(?:distinction|honou?rs|cum laude|merit)\b|优秀|荣誉|优异",
        "certificate issued with distinction honours if the final grade is at least",
        "证书 优秀 荣誉 成绩 以上",
    ),
    _topic(
        r"\b(?:can|could|may|do|should|must|have to|allowed to|ok to) (?:(?:i|we) )?(?:have to )?"
        rf"(?:use|write|code|program|submit|hand|do|solve) (?:(?:{_WORK}|my|the|our|it|them|this|in|with|either|or) )*"
        rf"{_LANGUAGE}(?!\w)(?! (?:to|lists?|arrays?|dicts?|objects?)\b)"
        rf"|(?:用|使用){_LANGUAGE}(?:写|交|做|来|行|可以|吗)",
        r"\bprogramming languages?\b|\b(?:accepts? only|only accepts?)\b|编程语言"
        rf"|(?:{_WORK}|submit|grader|提交|作业).{{0,60}}{_LANGUAGE}"
        rf"|(?<![a-z]){_LANGUAGE}(?![a-z]).{{0,60}}(?:{_WORK}|submit|grader|提交|作业)",
        "programming language code submitted grader accepts only",
        "编程语言 提交 作业",
    ),
    CONTACT,
    BACKGROUND,
    _topic(
        r"\b(?:drop out of (?:the|this|your)|(?:drop|quit|leave) (?:the|this|your) (?:course|class|mooc)|unenrol\w*"
        r"|withdraw from|sign off)\b"
        r"|\b(?:if|when|can|could|may|do) (?:i|we) (?:\w+ )?drop(?:ped)? out\b"
        r"|\b(?:drop(?:ped|ping)? out|leave|quit|withdraw)\b.{0,12}"
        r"\b(?:in|after|before|during) (?:the )?(?:end of )?(?:\w+ )?week\b"
        r"|退课|退选|退出课程|不想上了",
        r"\b(?:leave|leaves|withdraw\w*|unenrol\w*|drop\w*)\b|退课|退选|退出",
        "leave a run withdraw from the course before the end of week",
        "退课 退选 退出",
    ),
    _topic(
        r"^(?=.*\bcertificate)(?=.*\b(?:name|birth ?da\w+)\b)"
        r".*\b(?:wrong\w*|(?:mis)?spel\w+|typos?|mistakes?|errors?|fix\w*|correct\w*|chang\w+|incorrect\w*)\b"
        r"|^(?=.*证书).*(?:名字|姓名).{0,10}(?:错|改|不对)",
        r"\bname\b.{0,30}\b(?:correct\w*|chang\w+)\b|\bcorrect\w*\b.{0,30}\bname\b|姓名.{0,30}(?:修改|更正|为准)",
        "a wrong name on the certificate is corrected",
        "证书 姓名 修改 更正",
    ),
    _topic(
        r"\b(?:points?|results?|marks?|scores?|grades?|assignments?|quiz(?:zes)?)\b.{0,30}"
        r"\b(?:counts?|carr(?:y|ied)|transfer\w*|ke(?:ep|pt)|valid)\b.{0,30}"
        r"\b(?:next (?:time|run|term|semester|year)|(?:later|another|new) run|if i (?:fail|repeat|retake|start over))\b"
        r"|\bfail(?:ed)? (?:this|the) (?:run|course|class)\b.{0,60}\b(?:again|next|counts?|carr\w+|ke(?:ep|pt))\b"
        r"|(?:下次|下学期|下一[期轮]|重修|重学).{0,16}(?:作业|成绩|分数|测验).{0,12}(?:算|保留|有效|还在)",
        r"\b(?:carr(?:y|ied) over|(?:earlier|later|previous) run|transferred)\b|成绩.{0,12}(?:保留|沿用)",
        "results of an earlier run are carried over to a later run after failing",
        "成绩 保留 下一次开课",
    ),
    _topic(
        r"\b(?:last|best|highest|higher|latest|first)(?: one| attempt| try| score| result| go| submission)?"
        r"(?: the one)? (?:that )?counts?\b"
        r"|(?:最高|最好|最后)(?:的|一次)?(?:分|成绩)?.{0,6}(?:算数|算|为准|计)(?=\W*$|的?吗|还是|，)",
        r"\b(?:higher|highest|best|last|latest) (?:score|result|attempt|submission|grade)\b.{0,20}\bcounts?\b"
        r"|\b(?:with|of) the highest scores?\b|取最高分|以最[后高]",
        "the higher score counts the attempt with the highest score",
        "取最高分 作答 次数",
    ),
    _topic(
        r"\bhow (?:many (?:times|attempts|tries|goes)|often)\b.{0,40}"
        rf"\b(?:{_EXAM}|(?:submit|hand in|upload|resubmit)\b.{{0,16}}{_WORK}"
        r"|(?:homeworks?|assignments?|psets?|labs?))\b"
        r"|(?:测验|考试|作业).{0,8}(?:几次|多少次)|(?:几次|多少次).{0,6}(?:测验|考试|机会)",
        r"\b(?:once|twice|(?:two|three|four|five|\d+) (?:times|attempts|tries)|without limit|unlimited|one attempt)\b"
        r"|[一两二三四五六\d]次|不限次",
        "a quiz can be taken twice submitted again without limit attempts",
        "测验 可以 作答 两次 提交 次数",
    ),
    _topic(
        r"\bwhen (?:do|does|will|are|is|can) (?:(?:the|our|my|we|i) )?(?:\w+ ){0,3}?"
        r"(?:grades?|results?|marks?|scores?|feedback)\b(?:.{0,20}\b(?:out|published|released|posted|announced|available|back|ready|up)\b|\W*$)"
        r"|\bhow (?:long|soon)\b.{0,40}\b(?:grades?|graded|results?|marks?|marked|scores?|feedback)\b"
        r"|(?:成绩|分数|结果).{0,6}(?:什么时候|何时|几号|多久).{0,6}|(?:什么时候|何时|多久).{0,8}(?:出成绩|出分|公布成绩|知道成绩)",
        r"\b(?:results?|grades?|marks?|scores?|points)\b.{0,40}"
        r"\b(?:published|released|posted|announced|available|sent|returned)\b"
        r"|\b(?:graded|marked|returned) within\b|(?:成绩|分数).{0,20}(?:公布|发布|出来)",
        "results are published within working days after a deadline or an exam",
        "成绩 公布 工作日 之内",
    ),
    _topic(
        r"\bdeadline\b.{0,30}\bappl(?:y|ications?)\b|\bapplications? (?:deadlines?|due|close[sd]?|open(?:s|ed)?)\b"
        r"|\b(?:when|until when|by when) (?:can|do|must|should|could) (?:i|we) apply"
        r"(?: (?:to|for) (?:the|this|a|an|your) (?:\w+ )?(?:program\w*|university|school|college|course|major|degree)\b"
        r"|\W*$)"
        r"|申请.{0,4}(?:截止|什么时候|何时|几号)",
        r"\bappl(?:y|ications?)\b.{0,60}\b(?:clos\w+|due|until|by|deadline|open)\b|申请.{0,40}(?:截止|之前|天内)",
        "applications open and close on deadline apply until",
        "申请 截止 天内",
    ),
    _topic(
        r"\b(?:where|who(?:m)?|how)(?: to)? (?:do|should|can|must) (?:i|we) (?:send|submit|mail|hand in)\b.{0,24}"
        r"\b(?:transcripts?|(?:my|our|the) (?:application|documents|letters?))\b"
        r"|(?:成绩单|材料).{0,4}(?:寄|发|交|送)(?:到|给|去)?(?:哪|谁)",
        r"\b(?:send|sent|submit|submitted|mail|mailed)\b.{0,40}\b(?:transcripts?|application|documents|letters?)\b"
        r"|(?:成绩单|材料).{0,20}(?:寄|发|提交|送)",
        "send transcripts and documents to the registrar",
        "成绩单 材料 提交",
    ),
    _topic(
        r"证书.{0,4}(?:还|才|怎[么样])?(?:能|可以)(?:不能)?[拿领]|(?:还|才|怎[么样]才?)(?:能|可以)[拿领]到?.{0,4}证书"
        r"|[拿领]证书.{0,8}(?:多少分|几分|要求|条件)",
        r"总评.{0,12}合格|合格的学员|分为(?:合格|及格)|(?:及格|合格).{0,8}证书|\bcertificate\b.{0,40}\bpass\w*",
        "certificate for who has passed",
        "总评 达到 六十分 合格 学员 证书",
    ),
    _topic(
        r"^(?!.*(?:[迟晚拖补]|逾期|作业|抄)).*(?:分数|成绩|总评|总分).{0,4}(?:怎么|如何)(?:算|计算|评)",
        r"占.{0,3}百分之|占\s?\d|\d\s?[%％]",
        "the quizzes and exams count for 20% of the final grade",
        "总评 百分制 占 百分之",
    ),
    _topic(
        r"^(?=.*\b(?:grad(?:e[ds]?|ing)|mark(?:s|ed|ing)?|points?|scores?|decisions?|exam|results?|work|me|my)\b)"
        r".*\b(?:unfair\w*|disagree|complain\w*|appeal|dispute|re-?mark|regrade|graded wrong\w*"
        r"|wrong (?:grade|mark)|(?:errors?|mistakes?) (?:in|with|on) (?:the |my |our )?(?:\w+ )?"
        r"(?:grad\w+|marks?|marking|points|scores?)"
        r"|(?:my|the) (?:grade|mark|score|points) (?:is|are|was|were|looks?|seems?) (?:wrong|incorrect|off))\b"
        r"|申诉|不公平|判错|改错分|复核",
        r"\b(?:appeals?|disagrees?|complaints?|regrad\w+|disputed|after a review)\b|申诉|复核|异议|投诉",
        "disagrees with a grade writes to the coordinator appeal review of a grade complaint",
        "成绩 申诉 复核 异议",
    ),
    _topic(
        r"\bwho (?:sees|reads|can (?:see|read)) (?:my|our|what (?:i|we)|this chat|these)\b"
        r"|\b(?:delete my|my data(?! (?:reports?|sets?|files?|analys[ie]s)\b)|my privacy|privacy (?:policy|rules?))\b"
        r"|\b(?:am i|are we|ask|stay|remain|post) (?:\w+ )?anonymous(?:ly)?\b"
        r"|隐私政策|我的隐私|匿名(?:提问|发|问)|删掉我|删除我|我的数据|谁能看到我",
        r"\b(?:stored|deleted|deletion|anonym\w*|data protection|confidential)\b|保存|删除|匿名|隐私|保密",
        "data stored deleted without the name questions recordings kept privacy",
        "数据 保存 删除 匿名 隐私",
    ),
    _topic(
        r"\b(?:passport|id cards?|photo id|prove (?:who i am|it'?s me|that it'?s me))\b"
        r"|\b(?:my|verify|prove) (?:\w+ )?identity\b(?! (?:matri|element|function|map)\w*)|身份证",
        r"\b(?:identity|verified|passport)\b|身份",
        "identity verified before the final exam certificate",
        "身份 验证 证书",
    ),
)
"""The situations. Their words are words of subjects, too (a server is down, a function is anonymous), so each `asked`
says what is down or copied, and an English question must be one of a student's own."""

_OF_A_STUDENT = re.compile(
    r"\b(?:i|i['’]?(?:m|ve|d|ll)|my|me|we|our|us|you|your|students?|participants?|beginners?"
    r"|application deadlines?|applications (?:open|close)"
    r"|this (?:course|class)|exams?|mid-?terms?|quiz(?:zes)?|grades|late (?:penalt|polic)(?:y|ies)"
    r"|allowed|permitted|ok(?:ay)?"
    r"|is it (?:ok(?:ay)?|fine|all ?right)"
    r"|attendance|attend|office hours|(?:does|do) .{1,40} count"
    r"|penalt(?:y|ies) (?:for|on) (?:hand|turn|submi|being|miss|late|copy|cheat)\w*)\b|[^\x00-\x7f]",
    re.IGNORECASE,
)


@lru_cache(maxsize=64)  # one question is read by one step after another
def topics_in(question: str) -> tuple[RuleTopic, ...]:
    """The situations that a question tells of, in the order of the table."""
    if _OF_A_STUDENT.search(question) is None:
        return ()
    return tuple(one for one in TOPICS if one.asked.search(question))


def is_rule(said: ComposedStatement) -> bool:
    """Whether a statement lays something down: it is a numbered article, of the FAQ or the card, or says so; a page on
    the subject may only give advice."""
    at = said.evidence.locator if said.evidence is not None else None
    is_of_page = said.evidence is not None and said.evidence.source == "document" and (at is None or not at.article)
    return not is_of_page or _RULES_SOMETHING.search(said.text) is not None


_RULES_SOMETHING = re.compile(
    r"\b(?:must|may|shall|cannot|(?:not|is|are|be) (?:allowed|permitted|required|accepted|forbidden|prohibited)"
    r"|at (?:least|most)|within|write to|contact)\b|\d ?%|@|必须|不得|可以|不能|不可|禁止|允许|至少|最多|以内|联系",
    re.IGNORECASE,
)
"""What a text has that lays something down, and no advice on the subject has."""
