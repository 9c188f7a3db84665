"""What a question asks for: which of the `QuestionKind`s it is, by its wording, in English and Chinese. Pure.

Belongs here: the kinds and their cues. What is done about each is in `serving.assistant.composing`, whose table
names one
composer for each. The order of `_CUES` decides where several fit: "which lecture explains why" asks for a lecture.
"""

import re
from functools import lru_cache
from typing import Literal, get_args

from serving.assistant.understanding.comparison_terms import A_KIND_OF
from serving.assistant.understanding.plain_wording import say_plainly

QuestionKind = Literal[
    "definition",
    "comparison",
    "why",
    "how",
    "list",
    "aspect",
    "yes_no",
    "where",
    "before",
    "after",
    "summary",
    "people",
    "task",
    "plan",
    "calculation",
    "logistics",
    "catalogue",
    "small_talk",
    "other",
]

KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)

_WORK = (
    r"(?:assignments?|homeworks?|home work|exercises?|problem sets?|psets?|quiz(?:zes)?|exams?|midterm|projects?"
    r"|essays?|case stud(?:y|ies)|term papers?|thesis|presentations?|"
    r"lab(?: report)?s?|coursework|programming task|hw ?\d*)"
)
_STILL_COUNT = (
    r" (?:(?:all|any|the|my|our|these|those|old|earlier|passed) )+(?:\w+ ){1,12}?"
    r"(?:count|matter|carry|stay|remain|expire|transfer|need|have|get|become|affect|include|cover|use|require)\b[^.?!]*\?"
)
"""What follows a "do" that asks of work, and does not ask for it: "do the assignments that I did still count?"."""
_HOLD_FOR = (
    r" (?!my \w+ work\b)(?:\w+ ){0,4}?\w*[^\Ws]s (?:also |even |still |really |actually |too )?"
    r"(?:work|apply|count|hold|go|extend) (?:\w+ )?(?:for|to|on|with|towards?)\b"
)
"""The same of a rule: "do late days also work for quizzes?"."""
_LECTURES = r"(?:lectures?|videos?|lessons?|episodes?|units?|modules?|weeks?|chapters?|clips?|part of the course)"

_NO_TOPIC = r"(?!.{0,60}\b(?:say|tell|teach|mention|explain)s? (?:(?:me|us|you) )?about (?!it\b|this\b|that\b)\w)"
"""What names no topic of its own: what the course says about X is asked of X."""

_STRUCTURE = r"(?:arrays?|heaps?|trees?|lists?|tables?|graphs?|matri(?:x|ces)|vectors?|stacks?|queues?|file|memory)"
"""In what a thing is found, which asks for no lecture."""
_NOT_A_PART = (
    rf"(?! .{{2,60}}\bin (?:the|an?|my) (?:\w+ )?{_STRUCTURE}\b)(?! (?:the |its |both )*(?:two )?"
    r"(?:child(?:ren)?|parents?|siblings?|root|minimum|maximum|smallest|largest)\b)"
)
"""Behind "where do I find": what is found in a structure, and not in a part of the course."""

_TERM = r"(?:semesters?|terms?|quarters?|spring|fall|autumn|summer|winter)"
_CLASSES = r"(?:classes|courses|course ?load|class schedule|(?:my|a|the) (?:schedule|timetable))"

_CUES: tuple[tuple[QuestionKind, re.Pattern[str]], ...] = (
    (
        "how",
        re.compile(
            r"\bwhat (?:should|can|could|do|must|would|might|shall) (?:i|we|you|one) (?:do|try|check)"
            r"(?: first| next| instead| now)? (?:if|when|about)\b"
            r"|怎么办|咋办",
            re.IGNORECASE,
        ),
    ),
    (
        "plan",
        re.compile(
            rf"\b(?:plan|schedule|arrange|organi[sz]e|map out|lay out|work out|put together|build|make|draw up|suggest"
            rf"|create|help\b.{{0,20}}\bwith)\b(?! of\b)(?:(?! in the\b)[^.?!]){{0,30}}?"
            rf"\b(?:(?:my|our|next|coming|upcoming|full) (?:\w+ ){{0,2}}?{_TERM}"
            rf"|(?:the|a) (?:\w+ )?(?:semester|spring|fall|autumn|summer|winter)"
            rf"|my {_CLASSES}|{_CLASSES} (?:for|of|in) (?:\w+ ){{0,3}}?{_TERM}"
            rf"|my (?:class |course )?(?:schedule|timetable)|{_TERM} 20\d\d)\b"
            rf"|\bplan (?:my |the )?{_TERM}\b|\bplan (?:me )?\d{{1,2}} credits\b"
            rf"|\b(?:make|give|draw up|suggest)(?: me)? a (?:class |course )?plan\b(?! (?:for|of|to)\b)"
            rf"|(?:\b{_TERM}\b|\b\d{{1,2}} credits\b).{{0,120}}\b(?:what|which)(?: \w+){{0,3}}"
            rf" (?:can|could|should|shall) (?:i|we) (?:take|choose|pick|enrol\w*)\b(?! before\b)"
            rf"|\b(?:what|which)(?: \w+){{0,6}} (?:can|could|should|may|do|shall) (?:i|we)"
            rf" (?:take|choose|pick|do|go on with|enrol\w*|register)\b(?! before\b)"
            rf"(?=.{{0,80}}(?:\b{_TERM}\b|\b[A-Za-z]{{2,5}} ?\d{{3,4}}\b))(?!.*\bto (?:get into|be allowed|prepare)\b)"
            r"|(?:安排|规划|计划|排一?[下排]?|制定|列|做)[^。？！]{0,10}(?:学期|选课|课表|课程表|的课)"
            r"|(?:学期|春季|秋季|夏季|暑期)[^。？！]{0,14}(?:选|上|修|学)(?:些)?(?:什么|哪)(?!.{0,6}(?:内容|知识))"
            r"|选课(?:方案|计划|建议)|(?:学期|春季|秋季)[^。？！]{0,8}(?:怎么|如何)(?:选|排)课"
            r"|(?:修|学|上|通)(?:完|过)了?[^。？！]{0,30}(?:可以|能|该|应该)(?:选|修|上)(?:些)?(?:什么|哪)",
            re.IGNORECASE,
        ),
    ),
    (
        "task",
        re.compile(
            rf"\b(?:write|do(?! (?:i|we|you|they|u)\b)(?!{_STILL_COUNT}|{_HOLD_FOR})|solve|finish|complete|code"
            rf"|implement|answer|send|give|show|need|want|get|post|share)\b"
            rf"(?: \w+){{0,5}}? (?:my|the|this|our|your|for|to|of|graded)(?: \w+){{0,4}}? {_WORK}\b"
            rf"|\b(?:solutions?|answers?|answer key|full code|finished code|complete code)\b.{{0,25}}\b(?:to|for"
            rf"|of)\b.{{0,25}}\b{_WORK}\b"
            rf"|\b(?:solve|do|answer|finish|complete) (?:\w+ ){{0,2}}?(?:{_WORK}|question|problem)s? (?:\d+|[a-d]\b"
            rf"|for me)"
            rf"|\b(?:write(?! (?:out|down)\b)|code|implement|program)\b.{{0,60}}\bfor me\b"
            rf"|\bfor me\b.{{0,40}}\b{_WORK}\b"
            rf"|\b{_WORK}\b(?=.{{0,70}}(?:for me|you ))"
            r"(?:.{0,40}\bfor me\b|.{0,60}\b(?:can|could|will|would) you (?:please )?(?:write|do|solve|finish|make)"
            r" it\b)"
            r"|\bdo it for me\b"
            rf"|\b(?:working|full|whole|complete|entire|finished) (?:code|implementation|solution|program|answers?)\b"
            rf".{{0,30}}\b{_WORK}\b|\bi can (?:just )?(?:hand|turn) (?:it|this|that) in\b|\bcopy and paste\b"
            r"|\bwrite (?:me )?(?:the|a) (?:complete |full |whole |entire |finished )?(?:\w+ )?code "
            r"for (?:me\b|[a-z]{1,4} ?\d)"
            r"|\bjust (?:give|tell|send) me the (?:letter|answers?|solution|code)\b"
            r"|\b(?:similarity|plagiarism|copy) (?:checker|detector|check)\b"
            rf"|\bwhat (?:do|should) i (?:put|write|pick|choose|answer) (?:for|in|on)\b.{{0,40}}"
            rf"\b(?:{_WORK}|question|exam)s?\b"
            r"|(?:帮我|替我|给我|请(?!问)|直接)[^。？！]{0,12}(?:写|做|完成|解"
            r"|交)[^。？！]{0,16}(?:作业|实验|题目?|报告|代码|测验|考试|习题|大作业)"
            r"|(?:作业|实验|测验|习题|考试题?)[^。？！]{0,14}(?:答案|代码|帮我|发我|发给我|给我"
            r"|怎么写)|(?:完整|现成|全部)的?[^。？！，]{0,6}(?:代码|答案)"
            r"|(?:帮我|替我|给我)[^。？！，]{0,16}(?:写(?!.{0,4}(?:一下"
            r"|出.{0,4}区别))|做[好完]|完成|解[一出完答])|直接交|代[写做]|答案[^。？！]{0,4}(?:直接)?(?:给我|发我"
            r"|告诉我)"
            r"|(?:作业|测验|考试|习题)[^。？！]{0,8}第.{1,3}题[^。？！]{0,6}(?:选|填|怎么做|答案)",
            re.IGNORECASE,
        ),
    ),
    (
        "task",
        re.compile(
            rf"^(?=.*\b(?:{_WORK}|submit|hand (?:it |this |that )?in|turn (?:it |this |that )?in|due (?:in|to"
            rf"|by|tomorrow)"
            r"|auto-?grader|turnitin|grade|graded|percolation|[ap]\d)\b)"
            r".*\b(?:write|rewrite|implement|code|program|generate|prove|solve|answer (?:it|this|these|all)"
            r"|debug|fix|fill in"
            r"|finish|complete|paraphrase|make (?:my|it|this)|take (?:my|the)|do it|"
            r"(?:give|send|tell|get|need|want)(?: me)? (?:the |a |all |its |full |whole |final |complete[d]? "
            r"|finished ){0,3}"
            r"(?:\w+ ){0,2}?(?:code|solutions?|answers?|key|option|letter|proof|program|function|questions?))\b"
            r"|\b(?:just|only) (?:give|tell|send) me the (?:\w+ )?(?:code|answers?|solutions?|letter|proof)\b"
            r"|\b(?:give|send) me the (?:full|whole|complete[d]?|finished|final) (?:\S+ )?(?:code|solutions?"
            r"|program|\S+\.\w{1,4})"
            r"|\b(?:give|send) me the (?:completed|finished) \S+|\bturnitin\b|\bpay you to\b"
            r"|\bdoesn't look like (?:ai|chatgpt)\b|\b(?:write|generate|make)\b.{0,80}\b(?:hand|turn) (?:it )?in\b"
            r"|(?:作业|题目?|实验)[^。？！]{0,50}(?:帮我|替我|给我)[^。？！]{0,6}(?:做|写|解|画|一份|答案)"
            r"|能?直接(?:提|上)?交的"
            r"|直接(?:把|给|发)[^。？！]{0,6}(?:代码|答案|程序)|(?:把|将)[^。？！]{0,8}(?:作业|实验"
            r"|题目?)[^。？！]{0,4}(?:做|写|改)"
            r"|替我?(?:考|做|写|交)|(?:过|通过)查重|查重通过",
            re.IGNORECASE | re.DOTALL,
        ),
    ),
    (
        "definition",
        re.compile(
            r"^\W*(?:(?:sorry|hey|hi|help|ok(?:ay)?|so|um+)\W+)*(?:i|we) (?:really |still |just )?(?:don'?t"
            r"|do not|didn'?t|can'?t"
            r"|cannot) (?:really |quite |fully )?(?:get|understand|grasp|follow) "
            r"(?!(?:why|how|when|where|which|who|whether|if|what (?:is )?the difference|this|it|that|any|anything)\b)"
            r"(?!.*\b(?:why|how|difference|versus|vs)\b)"
            r"|[看听搞弄](?:不太?|没太?)(?:懂|明白)(?!.*(?:为什么|怎么|如何|哪|区别|不同))(?=[^，。！？]{1,10}[，。！？]?)",
            re.IGNORECASE,
        ),
    ),
    (
        "after",
        re.compile(
            rf"\b(?:which|what) {_LECTURES} (?:is|are|comes?|was)? ?(?:the one )?"
            rf"(?:right |just |directly |immediately )?(?:next|after|behind|following|follows?|before|in front of"
            rf"|preced\w+)\b"
            rf"|\b(?:which|what) (?:later|further) {_LECTURES}\b.{{0,20}}\b(?:need|use|require|meet)\w*\b"
            rf"|\b(?:which|what) (?:{_LECTURES}|topics?|concepts?|things?) (?:that )?"
            r"(?:needs?|requires?|builds? (?:up)?on|rel(?:y|ies) on|depends? on)\b"
            r"|\bwhere (?:is|are|was|were) .{2,50} (?:used|needed|useful|applied|relevant) (?:again|later"
            r"|afterwards|next)\b"
            r"|(?:学完|看完|听完)[^。？！]{1,12}(?:接着|然后|再)[^。？！]{0,3}(?:学|看|听)",
            re.IGNORECASE,
        ),
    ),
    (
        "before",
        re.compile(
            rf"\b(?:what|which) {_LECTURES} (?:do|should|must|would) (?:i|we) (?:have to |need to )?(?:watch|see"
            rf"|learn|read"
            r"|study|review)\b.{0,20}\bbefore\b"
            r"|\bwhat (?:do|should|must|would)(?: have)? (?:i|we) (?:have to |need to |want to )?"
            r"(?:have )?(?:watch(?:ed)?|learn|read|study|know|review|need|revise"
            r"|have (?:understood|learn(?:ed|t)|watched|seen|known|read))"
            r"\b.{0,30}\bbefore\b"
            r"|\b(?:is|are) there (?:something|anything|some|any|stuff|things?|lectures?)(?: \w+){0,2} (?:i|we|to)"
            r" (?:should |must |need to |have to )?(?:(?:re)?watch|see|learn|read|study|review|know|revise)\b"
            r".{0,30}\bbefore\b"
            r"|(?:学|看懂?|理解|掌握|听懂?)[^。？！]{1,14}之?前[^。？！]{0,6}(?:看|学|听|补)(?:哪|什么|啥)",
            re.IGNORECASE,
        ),
    ),
    (
        "where",
        re.compile(
            rf"\b(?:which|what)(?: (?!is|are|was|were|do|does|did)\w+)? {_LECTURES}\b(?! (?:are|is) (?:about\W*$"
            rf"|graded|due))|\b(?:is|are|was) there (?:an?|any|some) {_LECTURES} (?:about|on|for|covering|that|where)\b"
            rf"|\bhow many {_LECTURES} (?:\w+ ){{0,2}}(?:about|cover|explain|discuss|mention|deal|talk)\b"
            rf"|^\W*(?:the |a )?{_LECTURES} (?:about|on|covering) \w+(?: \w+){{0,3}}\W*$"
            r"|^\W*(?:will|do|did|are) (?:we|you) (?:going to )?(?:ever )?(?:learn|study|hear|talk) about\b"
            r"|\bwhere(?:['’]s|(?:abouts)? (?:in the (?:course|lectures?|videos?) )?(?:is|are|was|were|do|does|did|can"
            r"|could|should|will))\b"
            rf".{{0,80}}\b(?:find{_NOT_A_PART}"
            r"|explain\w*|cover\w*|taught|teach|discuss\w*|mention\w*|talk\w*|introduc\w*|describ\w*|"
            r"defin\w*|shown?|prove[dn]?|derived?|come up|brought up|presented|watch|learn|rewatch|read about"
            r"|hear about)\b"
            r"|\b(?:which|what) (?:slide|notebook|cell|page|document|file|section)s?\b.{0,40}\b(?:explain\w*|cover\w*"
            r"|discuss\w*|mention\w*|talk\w*|introduc\w*|shows?|about|defin\w*|describ\w*)\b"
            r"|\b(?:which|what) (?:slide|page|document|section|module)s? (?:has|have|contains?) the\b"
            rf"|\bwhere(?:['’]s| is| was| are| were) (?:that|the|this|your|his|her|an?|any) {_LECTURES} "
            r"(?:about|on|for|where|with|covering|that|in which|explaining|of)\b"
            r"|\bwhere (?:is|was|are|were) (?:that|the|this) (?:story|stories|bit|part|anecdote|joke|demo|scene|clip)"
            r" (?:about|with|on|of|where)\b"
            rf"|\bwhere (?:is|was|are|were) .{{1,40}} in (?:the|this|these|his|her|your|our) (?:course|{_LECTURES})\b"
            rf"|\bwhere in (?:the|which|what|this) (?:course|{_LECTURES}) (?:is|was|are|were|does|do|did|can)\b"
            r"|\b(?:what|which) (?:minute|second) (?:is|was|does|do|did|in|of)\b"
            r"|\btime ?stamps?\b|\bat (?:what|which) (?:point|minute|time|second)\b|\bhow far into the\b"
            r"|\bwhere (?:can i|do i|should i|could i) (?:find|learn|watch|read|rewatch|look)\b"
            + _NOT_A_PART
            + r"|\bwhere (?:do|does|did) (?:they|he|she|we|you|the (?:prof\w*|lecturer|teacher|instructor|course)) "
            r"(?!(?:use|need)\b.{0,40}\b(?:later|again)\b|differ\b|disagree\b)\w+"
            r"|\bwhen (?:do|did|does|is|are|was|will) (?:we|you|he|she|they|it|the (?:lecturer|professor|teacher"
            r"|course))\b.{0,60}"
            r"\b(?:cover\w*|discuss\w*|explain\w*|talk\w*|introduc\w*|mention\w*|learn|get to|come to)\b"
            rf"|\bin (?:which|what) {_LECTURES}\b|\b(?:point me to|link me to|find me) the (?:part|lecture|video"
            rf"|place|bit|section)\b"
            r"|(?:哪|第几)(?:一?[讲节课集章]|一?个视频|些?课)|在哪(?:里|儿|一?个?地方"
            r"|一?部分)?[^。？！]{0,10}(?:讲|介绍|提|出现|说|学|看到|找到|解释)"
            r"|(?:讲|介绍|提到|学|看|找|出处)[^。？！]{0,10}(?:在哪|是哪[里儿一])"
            r"|(?:什么时候|何时)(?:讲|介绍|提到)|几分[钟]?.{0,6}讲|(?:(?<!讲)(?<!再)讲|提|教)(?:了|过|到)?[吗么没][？?]?$"
            r"|(?:几|多少)(?:[节集堂]课?|讲|个视频)(?:课|里|是)?(?:都|会)?(?:讲到?|提到|介绍|关于)"
            r"|(?:有没有|会不会|是否)(?:讲|介绍|提到)"
            r"|^\W*(?:is|are|was|were|do|does|did|will) "
            r"(?!(?:it|we|i|students) (?:ok(?:ay)?|fine|allowed|permitted)\b).{2,50} "
            r"(?:covered|taught|discussed|mentioned|cover|teach|discuss)\b(?: \S+){0,4}\W*$"
            r"|^\W*(?:do|does|did|will) (?:he|she|they|we|the (?:prof\w*|lecturer|teacher|instructor|course|lectures?))"
            r" (?:ever |also |even )?(?:explain|mention|introduce|go (?:over|into)|talk about|speak (?:of|about))\b"
            r"(?: (?!(?:why|how|what|when|if|that)\b)\S+){1,4}\W*$",
            re.IGNORECASE,
        ),
    ),
    (
        "before",
        re.compile(
            r"\bdo (?:i|we) (?:really |still )?(?:have to |need to )?(?:need|know|understand|learn) .{2,60}\bbefore\b"
            r"(?! (?!taking|starting|learning|studying|watching|reading|beginning|attending|doing)\w+ing\b)"
            r"|\bwhat (?:do|should|must) (?:i|we) (?:need|know|have)\b.{0,16}\bto (?:be|get) "
            r"(?:let|admitted|accepted|allowed)\b"
            r"|^\W*(?:so |and |ok )*what before (?!the (?:exam|deadline|mid-?term|final|quiz))\w+(?: \w+){0,4}\W*$"
            r"|^\W*(?:so |and |ok )*before .{2,50}\b(?:what|which|anything)\b.{0,30}\b(?:need|know|learn|understand"
            r"|watch|study|review)\b"
            r"|\b(?:what|which|anything|something|stuff|topics?|concepts?|things?|how much|do|should|must)\b.{0,60}"
            r"\b(?:before|first(?=\W*$|[,.;]| (?:to|before|so|if|for|in|when|and|or)\b))\b.{0,30}"
            r"(?<!supervised )(?<!machine )(?<!online )(?<!deep )\b(?:learn\w*|study\w*|start\w*|tackl\w*"
            r"|understand\w*|watch\w*|get\w* into|div\w*|mov\w*|jump\w*|attempt\w*|i can|tak\w*|look\w* at|do)\b"
            r"|\b(?:learn|know|understand|study|review|revise|master|brush up)\b.{0,40}\b(?:before|prior to"
            r"|in order to (?:understand|learn|follow|get)|so (?:that )?i can (?:understand|follow))\b"
            r"|\bwhat (?:do|should|must|would) (?:i|we) (?:have to |need to |want to )?(?:watch|learn|read|study"
            r"|know|do|understand) first\b"
            r"|\b(?:go (?:over|through)|look (?:over|at)|revise|review|refresh|repeat|brush up(?: on)?|prepare)\b"
            r".{0,30}\b(?:first|before|beforehand)\b"
            r"|\bprior (?:topics?|knowledge|concepts?|lectures?|material)\b"
            r"|\b(?:earlier|previous) (?:topics?|concepts?|lectures?) (?:do|should|must|are|for|needed)\b"
            r"|(?<!\bevery )(?<!\beach )\bprerequisites?\b|\bpre-?reqs?\b"
            r"|\bbackground (?:do i|is|knowledge|needed|for)\b"
            r"|\b(?:need|required?|necessary|have) to (?:know|learn|understand)\b.{0,30}\b(?:for|to (?:understand"
            r"|learn|follow|get))\b"
            r"|\bwhat (?:do|should|must) i (?:need|know|learn)\b.{0,20}\b(?:for(?! later)(?=\W+\w)"
            r"|to (?:understand|learn|follow|get))\b"
            r"|\bwhat (?:does|do) (?:.{2,50} build|(?:(?! of ).){2,50} (?:depend|rely)) on\b"
            r"|\bbuil(?:ds?|t) (?:up)?on which\b"
            r"|(?:学|看|理解|掌握|开始|上(?=这|本|该))[^。？！]{0,14}(?:之前|以前"
            r"|前)[^。？！]{0,12}(?:学|懂|会|掌握|知道|了解|准备|基础|看|什么|哪)"
            r"|先(?:学|修|会|懂|掌握|了解|看|要|得|补)[^。？！]{0,8}(?:什么|啥|哪|吗)|前置|先修"
            r"|预备知识|需要(?:什么|哪些)?基础|要什么基础|先(?:要|得)?(?:会|懂|学)",
            re.IGNORECASE,
        ),
    ),
    (
        "after",
        re.compile(
            r"\b(?:what|which|where)\b(?! happen(?:s|ed)?\b| did (?!(?:we|i|you)\b))"
            r".{0,60}\b(?:(?<!\btry )(?<!\bdo )(?<!\bthe )next(?! to\b)|afterwards"
            rf"|the next(?=\W*$| (?:one|{_LECTURES}|topics?|chapters?|sections?|parts?|weeks?|things?|steps?)\b)"
            r"|after (?!(?:every|each) )\w+|later on|later in the course|(?<!\bto )(?<!\bmust )follows?)\b"
            r"(?! (?:the )?(?:deadline|exam|due))"
            r"|\bwhat (?:do|will|would) (?:i|we) need .{2,40} for later\b|\bwhere (?:will|do|would) (?:we|i) "
            r"(?:use|need|see|meet) .{2,50} (?:again|later)\b|\blater (?:topics?|lectures?|parts?|chapters?)\b"
            r"|\bwhat comes after\b|\bwhat(?:'s| is| are)? .{2,50} (?:needed|required|necessary|a prerequisite"
            r"|prerequisites?|a basis|a foundation|used|useful) (?:for|of|to)?\b.{0,12}\b(?:later|next|further on"
            r"|afterwards|in later)\b"
            r"|\bwhat (?:else |other topics? )?(?:does|do|can|will|would) .{2,50}(?:prepare me for|lead to|unlock"
            r"|build on (?:it|this|that|top))\b"
            r"|\bwhat (?:builds|depends|relies) (?:up)?on\b|\b(?:topics?|concepts?|things?|lectures?"
            r"|what) (?:that )?(?:need|require|use|build on|depend on|rely on)\b.{0,50}\b(?:later"
            r"|as a prerequisite)\b"
            r"|\bonce i (?:know|understand|understood|learned|finished)\b"
            r"|(?:学完|学会|看完|掌握|懂)了?[^。？！]{0,16}(?:之后|以后|后|接下来|再|然后"
            r"|，)[^。？！]{0,10}(?:学|看|什么|干|可以|能)"
            r"|接下来(?:学|该|要|讲|可以|看)|下一步|下一[讲集节课章]|(?:以后|之后|后面"
            r"|后续)[^。？！]{0,10}(?:用到|用在|会用|需要|讲什么|学什么|有用|内容)|为(?:什么"
            r"|哪些).{0,6}打基础"
            r"|是哪些.{0,8}的基础",
            re.IGNORECASE,
        ),
    ),
    (
        "summary",
        re.compile(
            r"\b(?:summar\w*|sum(?: it| this| that)? up|recap|tl;?dr|in a nutshell|overview|outline|cliff ?notes)\b"
            r"|(?<!\bjust the )\b(?:key|main|most important|important) (?:points?|ideas?|takeaways?|messages?|things?"
            r"|topics?|insights?)\b(?!.{0,20}\b(?:difference|between)\b)"
            rf"|\bwhat(?:'s| is| was| are| were| did| does| do)\b{_NO_TOPIC}.{{0,30}}\b(?:{_LECTURES}"
            rf"|course)\b.{{0,40}}\b(?:about|cover\w*|teach|discuss\w*|say|deal with)\b"
            rf"|\bwhat(?:'s| is| are| do(?:es)?)? .{{0,20}}(?:we|i|you) (?:learn|cover|study)\b.{{0,20}}\b(?:in"
            rf"|from) (?:the |this )?(?:{_LECTURES}|course)\b"
            rf"|\b(?:takeaways?|gist|notes|highlights|topics covered|contents?)\b.{{0,20}}\b(?:of|from|for"
            rf"|in)\b.{{0,30}}\b{_LECTURES}\b"
            rf"|\bwhat (?:topics?|things?|concepts?|material) (?:are|is|were|was|do|does"
            rf"|did)\b.{{0,20}}\b(?:cover\w*|taught|discussed|in)\b"
            rf".{{0,20}}\b{_LECTURES}\b"
            rf"|\bwhat (?:did|does|do) (?:he|she|they|you|we|the \w+) (?:say|cover|do|talk about|teach"
            rf"|learn)\b.{{0,20}}\b{_LECTURES}\b"
            rf"|\bwhat happen(?:s|ed) in\b.{{0,20}}\b{_LECTURES}\b"
            rf"|\b{_LECTURES}\b.{{0,80}}\b(?:tell|know|explain|say)\b.{{0,20}}\bwhat (?:it|they)"
            r" (?:is|was|are|were) about\b"
            r"|\bhow (?:is|was) (?:the|this) (?:course|class) (?:structured|organi[sz]ed|built|laid out)\b"
            r"|(?:上一?|最后一?)[讲节课集](?:课)?[^。？！]{0,3}讲了?(?:什么|啥|些什么)"
            r"|\b(?:i )?missed (?:the |a )?(?:lecture|class|video|week)\b|\bgist of\b|\bbriefly (?:go over|walk)\b"
            r"|总结|太长不看|长话短说|概括|浓缩|看个大概|概述|概要|小结|回顾一?下|梳理|捋一?[捋下遍]|主要(?:内容|讲|说|介绍)|(?:这|那"
            r"|第\S{1,3})[讲节课章集](?:课)?(?:主要|都|大概|到底)?(?:讲|说"
            r"|介绍)(?:了|的是)?(?:些|什么|啥)|讲了?(?:些|的?(?:都)?是)?(?:什么"
            r"|啥)(?:内容|主题)?[？?。]?$|(?:整|这)门课.{0,8}(?:大概|内容|学什么|讲什么|讲了?些什么)"
            r"|要点|重点(?:内容|有|是)|大意|错过了|这(?!一)[一二三四五六七八九十\d]{1,3}[讲节课集][^。？！]{0,12}(?:什么|啥)",
            re.IGNORECASE,
        ),
    ),
    (
        "people",
        re.compile(
            r"(?!(?<=man )who \w+ (?:it|them)\b)(?!(?<=person )who \w+ (?:it|them)\b)"
            r"\bwho (?:first |originally |was the first (?:person )?to |actually )?(?:invented?|discover\w*"
            r"|developed?|created?|proposed?|introduced?|"
            r"came up with|devised?|designed?|published|coined|wrote|made|built|formulated|pioneered|thought of"
            r"|popularized|named)\b"
            r"|^(?!\W*why\b).*\b(?:inventors?|discoverers?|creators?|originators?|designers?|father|pioneers?) of\b"
            r"|\bnamed after\b|\bwho(?:se| is| was) idea\b|\bwho\b.{0,20}\bbehind\b"
            r"|\bwho (?:works|researches|studies|is working|are working|is doing research|does research|publishes"
            r"|are the (?:experts|leading|researchers|scholars|people))\b"
            r"|(?<!how do )(?<!how did )(?<!how can )(?<!why do )(?<!help )(?<!several )(?<!many )(?<!most )"
            r"\b(?:researchers?|scholars?|scientists?|experts?|people)\b.{0,40}\b(?:work\w*|research\w*|study\w*"
            r"|known|leading|famous|field|area)\b"
            r"|\b(?:recent|latest|current|new|newest|modern|up-to-date|hot)\b.{0,25}\b(?:research|trends?|papers?"
            r"|work|developments?|advances|progress|results|studies|literature)\b"
            r"|\bresearch trends?\b|\btrends? in\b|\bstate of the art\b|\bpapers? (?:about|on)\b"
            r"|\bwhen was .{2,50} (?:invented|discovered|proposed|published|introduced|first)\b|\binvented (?:it"
            r"|by)\b"
            r"|(?:谁|哪位|哪个人|什么人)[^。？！]{0,10}(?:发明|提出|发现|创造|设计|研究|写|开发"
            r"|首创|建造|制造|[搞弄想]出|叫[出起])|(?:发明者|发明人|提出者|创始人|之父|设计者)"
            r"|由谁来?(?:最早|首先)?(?:发明|提出|发现|创造|设计|研究|写|开发|首创|建造|制造|做出|命名)"
            r"|是谁(?:发明|提出|发现|设计|写|造|做(?!主|东))|谁(?:最早|第一个)"
            r"|(?:最新|最近|近年|前沿|当前|热门)[^。？！]{0,8}(?:研究|进展|趋势|论文|成果|方向)"
            r"|研究(?:趋势|热点|方向|进展|者)|学者|有哪些论文|以谁.{0,4}命名",
            re.IGNORECASE,
        ),
    ),
    (
        "yes_no",
        re.compile(
            r"^\W*(?:(?:so|and|but|please|hi|hello)\W+)*(?:can|could|may|am i allowed to|is it (?:ok|okay|fine) to)\b"
            r"(?: i| we)? (?:use|take|do|submit|write|hand in|work (?:in|with|on))\b.{2,60}"
            r"\b(?:instead of|rather than)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "comparison",
        re.compile(
            r"\b(?:differences?|differ|different from|differs|(?<!how many )compare[ds]?(?! (?:of|per|taken|made|used"
            r"|needed))(?<!number of compares)|comparing|comparison|versus|vs\.?"
            r"|similarit(?:y|ies)|in common|distinguish(?:es)?|distinction|tell .{1,40} (?:apart|from)|contrast"
            r"|what (?:separates|sets|divides) .{1,60} from|as opposed to"
            r"|instead of|rather than)\b"
            r"|\b(?:better|faster|slower|worse|cheaper|more \w+|less \w+|easier|harder|simpler|quicker|bigger"
            r"|larger|smaller|stronger|(?:better|worse) (?:choice|idea|fit|option)) than\b"
            r"|\b(?:which|what)(?: one| of (?:them|these|the two))?(?: is| are|'s| one is| should| would"
            r"| to)?\b.{0,30}\b(?:better|faster|slower|worse|cheaper|easier|preferable|prefer|quicker|choose|pick"
            r"|use)\b.{0,40}\bor\b"
            r"|\bshould (?:i|we) (?:use|take|choose|pick|go (?:for|with)|prefer) (?:\w+ ){1,5}or (?:an? |the )?\w+"
            r"|\bwhen (?:should|would|do|to|must|is it better) .{2,60}"
            r"\b(?:instead of|rather than|over|and (?:when|not)|or)\b"
            r"|\b\w(?=[\w' -]{1,40} or )"
            r"(?=[\w' -]{7,88}[?,.:]* (?:which|what|better)\b)[\w' -]{1,40} or (?:an? |the )?[\w' -]{2,40}"
            r"[?,.:]* (?:which|what|better)\b|\bcompare\b"
            r"|\b(?:pros and cons of \w.+ (?:and|vs|over|versus))"
            r"|区别|不同之处|有什么不同|有何不同|什么不一样|哪里不同|有什么差|差异|差别|比较一?下|对比|相比"
            r"|异同|哪个(?:更|比较|好|快|慢|省|占|适合|划算)|哪一个(?:更|好|快)|哪种(?:更|好|快)"
            r"|是?一回事|一样[吗么嘛]|\b(?:the )?same (?:thing )?as\b|\bsame thing\b"
            r"|^\W*(?:(?:so|but|wait),? )?(?:is|are)n['’]?t (?!(?:it|that|this|there)\b).{2,40} "
            rf"(?:just|simply|basically) (?!{A_KIND_OF})(?:an?|the|another) "
            r"|跟.{1,16}比|和.{1,16}比(?:起来)?|还是[^，。？！；]{1,12}(?:好(?![像几多些])|快|更)|分别适合|怎么区分|如何区分|区分一下|[怎如][么何]分辨|优于",
            re.IGNORECASE,
        ),
    ),
    (
        "why",
        re.compile(
            r"\b(?:why|how come|reasons?|what causes?|what makes|what for|for what purpose|what(?:'s"
            r"| is) the (?:point|purpose|motivation|rationale|reason|use|benefit of not)"
            r"|what happens if we (?:don't|do not))\b"
            r"|\bwhat (?:is|are|was|were) (?:(?!\b(?:good|used|useful|known"
            r"|meant|looked|graded|due"
            r"|required|needed)\b)[^.?!]){2,40} for\W*$"
            r"|为什么|为何|为啥|原因|凭什么|怎么会|何必|有什么意义|有何意义|为的是什么|怎么就",
            re.IGNORECASE,
        ),
    ),
    (
        "list",
        re.compile(
            r"\b(?:which|what)(?: are| were)?(?: (?:the|some|all(?: the)?|two|three|four|five|[2-9]|main|different"
            r"|common|various|other))* ?(?:kinds?|types?|ways?|methods?|forms?|variants?|categories|strategies"
            r"|techniques|approaches|examples|cases|components?|parts|properties|elements|operations|steps|phases|stages"
            r"|conditions|rules|criteria|options|choices|topics|algorithms|applications|traversals|orders"
            r"|sorting \w+|things|data structures|classes of|axioms|layers|gates|languages)\b"
            r"(?! (?:of|is|does|do you mean"
            r"|was|should|would|lecture)? ?(?:the )?(?:complexity|difference)\b)"
            r"|^\W*(?:the )?(?:different )?(?:types|kinds|sorts) of \w+"
            r"|(?:^|[,.!?;:] ?|\b(?:please|pls|you|to|and|then|just|quickly|now) )"
            r"(?:list|name|enumerate|mention|give me)\b"
            r"(?: me)?(?: (?:all|the|some|two|three|four|five|a few"
            r"|every|of|main|different))* \w+"
            r"|\bhow many\b.{0,40}\b(?:kinds?|types?|ways?|methods?|forms?|operations|cases|steps|parts|classes)\b"
            r"|\b(?:two|three|four|five|[2-9])(?: \w+){0,2} (?:kinds|types|ways|methods|forms|ideas|steps|parts"
            r"|things|rules|reasons)\b.{0,60}\b(?:which|what) (?:ones )?(?:are|were) (?:they|those|these)\b"
            r"|哪几[种条点项]|满足什么|哪些|有几种|几类|哪几个|哪几类|列举|列出|都有什么|有什么(?:种类|类型|方法|操作)"
            r"|分为(?:几|哪)|包括什么|包含什么|由什么组成|由哪|哪两|哪三|几个部分",
            re.IGNORECASE,
        ),
    ),
    (
        "calculation",
        re.compile(
            r"\b(?:calculate|compute|evaluate|work out|multiply|subtract|convert"
            r"|divide(?! (?:and|&) conquer| steps?\b))\b|\bwhat(?:'s| is) -?[\d(]"
            r"|\bhow much is\b|[\d)]\s*[-+*/×÷^]\s*[\d(](?![ -]?(?:trees?|nodes?|heaps?|sat|search)\b)"
            r"|\b(?:formula|equation|expression|pseudo ?code|code|implementation|source code|snippet) (?:for|of|to"
            r"|that|in)\b|\b(?:show|give|write)\b.{0,25}\b(?:formula|equation|code|pseudo ?code|implementation"
            r"|implement)\b"
            r"|\bformula\b|^(?!\W*what(?:'s| is| are) (?:an? |the )?\w+ in\b).*\bin (?:python|java|c\+\+|javascript"
            r"|octave|matlab)\b|\bhow many\b.{0,60}\b\d+\b"
            r"|\bif .{0,60}\b(?:equals?|is|=) ?-?\d.{0,60}\b(?:what|how)\b"
            r"|\b\d+(?=.{0,60}(?:how |what)).{0,60}\b(?:how many|what is|what's|how long)\b"
            r"|计算(?!机)|算一?下|求(?:.{0,10}的值|解(?!释)|导|和|出.{0,8}(?:多少"
            r"|几))|公式|等于(?:几|多少)|代码|伪代码|怎么用.{1,10}实现"
            r"|\d\s*[-+*/×÷^]\s*\d(?![ -]?(?:trees?|nodes?|heaps?|sat|search|树|结点|节点))|转换成|换算"
            r"|\d.{0,30}(?:多少|几)"
            r"|(?:多少|几)[^。？！]{0,12}\d",
            re.IGNORECASE,
        ),
    ),
    (
        "how",
        re.compile(
            r"\b(?:how (?:do|does|did|to|can|could|is|are|was|were|would|should|will|exactly|come to|might|must|we"
            r"|you)|steps?|procedure|walk me through|show me how|explain how|in what way|what do (?:i|we|you) do"
            r"|what happens (?:when|if|during|after|to|in)|by what means|the process of|go about)\b"
            r"|怎么|怎样|如何|步骤|过程|流程|怎麼|咋|方法是什么|用什么方法",
            re.IGNORECASE,
        ),
    ),
    (
        "yes_no",
        re.compile(
            r"^\W*(?:(?:so|and|but|ok|okay|hi|hello|hey|please|wait|then|also|sorry|question|quick question"
            r"|just to check|um)\b[,:!]? *)*"
            r"(?:is|are|was|were|am|can|could|do|does|did|will|would|should|may|might|must|has|have|had|isn't"
            r"|aren't|can't|don't|doesn't|won't|shouldn't|need|is't|isnt|does't)\b"
            r"|,? (?:right|correct|true|isn't it|doesn't it|don't they|aren't they|is that (?:right|true"
            r"|correct))\W*$|\b(?:is it (?:true|right|correct|possible|ok|okay|fine|allowed)|true or false)\b"
            r"|[吗吧][？?。！\s]*$|(?:是不是|能不能|可不可以|会不会|有没有|对不对|是否|能否|可否|要不要"
            r"|需不需要|行不行|算不算|必须.{0,12}么|一定.{0,16}[么吗])",
            re.IGNORECASE,
        ),
    ),
)

_SMALL_PREFIX = re.compile(
    r"^\W*(?:(?:hi|hello|hey|please|ok|okay|so|well|um|sorry|dear \w+)\b[,!.:]* *)+", re.IGNORECASE
)
_TELL = re.compile(
    r"^\W*(?:(?:can|could|would|will) (?:you|u|somebody|someone|anyone) (?:please |kindly |quickly "
    r"|maybe )?(?:help me (?:to )?)?"
    r"(?:explain|tell me|describe|give|show|provide|list|clarify|say|remind me|define|elaborate|go over|understand"
    r"|walk)"
    r"|(?:i (?:don't|do not|dont|still don't|can't|didn't|never) (?:really |quite |fully )?(?:understand|get|know"
    r"|see|remember)|i(?:'m| am) (?:confused|not sure|unsure|stuck|wondering)(?: about| on| with)?|i (?:want|need"
    r"|would like|'d like) to (?:know|understand)|i wonder|please|tell me|explain|describe|quick question))\b"
    r"|(?:能|可以)[^。？！]{0,12}(?:讲讲|说说|[讲说]一?下|解释|介绍)[^。？！]{0,3}[吗么]",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"^\W*(?:(?:what|wat|whats|wht)(?! if\b)(?:'s| is| are| does| do|s)?|define|definition|meaning|explain|describe"
    r"|tell me about|introduce|remind me"
    r"|(?:can|could|would|will) (?:you|u) (?:please |kindly )?(?:explain|describe|define))\b"
    r"|\b(?:mean|means|meant|defined|definition|stand for"
    r"|stands for)\b|什么是|什么叫(?!法)|啥叫"
    r"|何谓|何为|是个?什么|什么东西|啥是|是啥|是指|指什么|什么意思|啥意思|定义|含义"
    r"|解释|介绍"
    r"|讲讲|说说|概念",
    re.IGNORECASE,
)


A_USUAL_VALUE = (
    r"\bwhat(?:['’]?s| is| are| would be) (?:an? |the |some )?(?:typical|usual|normal|standard|common|average|ordinary"
    r"|good|reasonable|sensible|acceptable|recommended|suggested|default) (?:[\w-]+ ){0,3}?"
    r"(?:values?|sizes?|rates?|numbers?|choices?|ranges?|depths?|lengths?|thresholds?|amounts?|settings?|dimensions?"
    r"|fractions?|percentages?|ratios?)\b"
)
"""What asks which value something usually has, and is no name of it: "what is a typical mini-batch size"."""

_ASKS_WHICH = re.compile(
    r"^\W*what (?:[\w-]+ ){1,5}?(?:should|can|could|must|might|may|do|would|needs?|has|have|will)"
    r" (?:i|we|you|to|be|one)\b"
    r"|^\W*what(?:'s| is| are| was) (?:an? |the )?(?:[\w-]+ ){0,3}?(?:way|method|command|fix|solution|workaround|step"
    r"|remedy|alternative|cause) (?:to|for|of (?:doing|fixing)|if|when|method)\b"
    rf"|{A_USUAL_VALUE}",
    re.IGNORECASE,
)
"""What asks which of several, or what to do, and not what a thing is: "what command should I run"."""


_ABOUT_WORK = re.compile(
    r"^(?:(?:hi|hello|hey|ok|so|and|but|please|excuse me)\W+)*"
    r"(?:how (?!about you)|when|where|why|who|is (?:it|there)|are (?:we|there)|am i|does|do (?:i|we)"
    r"|should (?:i|we) (?!write|put|pick)"
    r"|(?:can|could|may|should|must) (?:my|our|two|other|some|all) \w+"
    r"|must (?:i|we)|may (?:i|we)|(?:can|could) (?:i|we) (?!(?:get|have|see)\b)|what happens|what if|i missed"
    r"|i was|my (?:answers?|results?|scores?|values?)\b(?!.*\b(?:give|send|tell|write|solve|fix|correct|check)\b)"
    r"|explain|what (?:\w+ ){0,3}(?:do|must) (?:i|we) need"
    r"|(?:what|which) (?:\w+ ){0,3}(?:do|must|should) (?:i|we) (?:\w+ ){1,4}before"
    r"|(?:can|could|would) you (?:please )?(?:explain|describe|recommend|suggest))\b",
    re.IGNORECASE,
)
"""Questions about graded work, which do not ask for it to be done."""

_LEAVE = re.compile(
    r"\b(?:more|extra|additional|some|enough|another) (?:time|days?|hours?|weeks?)\b|\bextensions?\b|\bextend\b"
    r"|\blonger\b"
    r"|\b(?:my|the|a|any) (?:grades?|marks?|scores?|feedback|points) (?:for|on|of|in)\b|延期|宽限"
    r"|多给.{0,4}[天时]|晚点?交",
    re.IGNORECASE,
)
"""What is asked of graded work instead of its solution: time, or what came of it."""

_PRODUCT = re.compile(
    r"\b(?:answers?|solutions?|code|do it|for me|write|solve|implement\w*)\b|答案|代码|帮我[写做]|替我", re.IGNORECASE
)


_LEADS_WITH_WHY = re.compile(r"\W*(?:(?:so|and|but|ok(?:ay)?) )*(?:why\b|how come\b|为什么|为何|为啥)", re.IGNORECASE)
"""What asks for a reason, whatever comes before what in it: "why scale the features before gradient descent"."""


_OF_A_LEARNER = re.compile(
    r"\b(?:i|we|me|my|us|one|students?|prereq\w*|pre-req\w*|prior|background|earlier|previous|needed|required|necessary"
    r"|what before|comes? before|builds?|built|depends?|rel(?:y|ies)|makes? sense|go over|revise|review|refresh"
    rf"|brush up|{_LECTURES}|topics?|concepts?|things?)\b|[\u4e00-\u9fff]",
    re.IGNORECASE,
)
"""What a question for what to learn before has: one that has none of it asks what happens first in the subject."""

_OF_GOING_ON = re.compile(
    rf"\b(?:{_LECTURES}|topics?|chapters?|sections?|parts?|course|series|weeks?|learn(?:ed|t)?|stud(?:y|ied)|watch(?:ed)?"
    r"|take|taken|teach(?:es)?|builds?|depends?|relies|requires?|needs?|needed|leads?|unlocks?|prepares?|prerequisites?"
    r"|foundation|basis|later|again|further on)\b"
    r"|\b(?:he|she|they|prof\w*|lecturer)\b.{0,30}\b(?:next|after)"
    r"|\b(?:i|we|i['’]?ve|i['’]?m|just|ok|am|are|now)\b.{0,16}"
    r"\b(?:done|finished|through|got|get|understood|understand|know)\b.{0,60}\b(?:what|where|which)\b"
    r"|\bwhat(?:['’]?s| is| are| comes?| follows?| now)?(?: right| directly| just)? "
    r"(?:next|after(?! \w+ing (?:\w+ )?\w+))\b"
    r"|[\u4e00-\u9fff]",
    re.IGNORECASE,
)
"""What a question for what to go on with has; "after" and "next" alone are of the subject: which node is visited next,
what a tree looks like after an insertion."""


@lru_cache(maxsize=64)  # one question is read by one step after another
def question_kind(question: str) -> QuestionKind:
    """The kind by wording alone; `definition` where it asks what something is, `other` where no wording tells.

    Whether it is about the course's life (`logistics`), a catalogue, small talk, or an `aspect` of a concept needs more
    than the wording, and is decided by who knows the course (`serving.assistant.composing.request`).
    """
    text = _SMALL_PREFIX.sub("", say_plainly(question))
    for kind, pattern in _CUES:
        if kind == "task" and (_ABOUT_WORK.search(text) or (_LEAVE.search(text) and not _PRODUCT.search(text))):
            continue
        if kind == "yes_no" and _TELL.search(text):
            continue
        if kind == "before" and (_LEADS_WITH_WHY.match(text) or not _OF_A_LEARNER.search(text)):
            continue
        if kind == "after" and not _OF_GOING_ON.search(text):
            continue
        if pattern.search(text):
            return kind
    return "definition" if _DEFINES.search(text) and not _ASKS_WHICH.search(text) else "other"
