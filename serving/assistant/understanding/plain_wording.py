"""A message as it would be written with care: apostrophes put back, chat words spelled out. Pure.

Only what has one reading is changed, so nothing needs to be said to the student about it.
"""

import re

from knowledge_graph.text.sentences import language_of

_NEGATED = "do does did is are was were would should could have has must need"
_WORDS = {
    "whats": "what's",
    "wheres": "where's",
    "whos": "who's",
    "hows": "how's",
    "whys": "why's",
    "thats": "that's",
    "theres": "there's",
    "hes": "he's",
    "shes": "she's",
    **{f"{who}re": f"{who}'re" for who in ("they", "you")},
    **{f"{who}ve": f"{who}'ve" for who in ("they", "you", "we")},
    **{f"{who}ll": f"{who}'ll" for who in ("they", "you", "it")},
    "cant": "can't",
    "wont": "won't",
    "im": "I'm",
    "ive": "I've",
    "u": "you",
    "ur": "your",
    "teh": "the",
    "wat": "what",
    "wut": "what",
    "diff": "difference",
    "btw": "by the way",
    "in the middle of": "during",
    "pls": "please",
    "plz": "please",
    "thx": "thanks",
    "thru": "through",
    "sry": "sorry",
    "ppl": "people",
    "abt": "about",
    "smth": "something",
    "sth": "something",
    "gotta": "have to",
    "prof": "professor",
    "qs": "questions",
    "vid": "video",
    "vids": "videos",
    "clip": "video",
    "clips": "videos",
    **{short: "should" for short in ("shud", "shuld", "shld")},
    **{short: "would" for short in ("wud", "wuld", "wld")},
    **{short: "could" for short in ("cud", "cld")},
    **{short: "because" for short in ("cuz", "bcoz", "bcuz", "becoz")},
    "gonna": "going to",
    "wanna": "want to",
    **{f"{verb}ve": f"{verb} have" for verb in ("should", "would", "could", "must")},
    **{f"{verb}nt": f"{verb}n't" for verb in _NEGATED.split()},
}
_SHORT = re.compile(rf"(?<![\w'])(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})(?![\w'])", re.IGNORECASE)
_BECAUSE = re.compile(
    r"(?<=[a-z,;] )bc(?= (?:i|we|you|he|she|it|they|there|the|an?|my|our|your|its|this|that|these|those|of|in|if|when)"
    r"\b)",
    re.IGNORECASE,
)
"""What may also be two factors, "ad - bc", or a year's, "44 BC": it is a reason only before one."""
_JOINED = re.compile(r"(?<![\w/.])([a-z]{3,})([A-Z][a-z]{3,})(?:\.[a-z]{1,4})?(?![\w/])")
"""A name from somebody's code, "gradientDescent.m": two words of the subject."""

_ITS = re.compile(r"\bits (?=(?:too|very|so|not|really|always|never|still|just|an?|the)\b)", re.IGNORECASE)

_CHINESE = (
    (re.compile(r"[麽麼]"), "么"),
    (re.compile(r"啥(?=时候|地方|意思|东西|区别|不)"), "什么"),
    (re.compile(r"(?<=[为有是叫做用讲说干])啥"), "什么"),
    (re.compile(r"啥"), "什么"),
    (
        re.compile(
            r"(?:我们?)?(?:(?:可以|能|能不能)(?:不[去来]上课|翘课|逃课)|翘课|逃课"
            r"|(?:要不要|用不用|需不需要|(?<!不)要|需要)(?:每次|每周|都|亲自)*[去来]上课"
            r"|(?:一定要?|必须)(?:每次|每周|都|亲自)*[去来]?上课)"
            r"(?=可以吗|行吗|会怎么?样|吗|呢|\W*$)"
        ),
        "必须出勤",
    ),
    (
        re.compile(
            r"(?:什么时候|何时|几点)(?:可以|能够?|方便)?去?(?:找|见)到?(?P<who>[^\W\da-z]{0,4}(?:老师|教授|助教))(?=\W*$)"
        ),
        r"\g<who>什么时候答疑",
    ),
    (re.compile(r"非[要得](?=[用把去选采做是])(?!.{0,20}不可)"), "要"),
    (re.compile(r"咋(?P<what>样|整|办|回事)?"), lambda found: f"怎么{(found['what'] or '').replace('整', '')}"),
    (
        re.compile(
            r"(?<![是能可会要好对得行应])(?![是能可会要好对得行应])([\u4e00-\u9fff]{1,3})(?:还是)?不(\1(?![啊呢呀吗的呵])[\u4e00-\u9fff]?|\1)[的啊呢呀吗]{0,2}(?=\W*$)"
        ),
        lambda found: f"{found[2]}吗",
    ),
)
_FOR_A_CHILD = re.compile(
    r",?\s{0,2}\b(?:(?:like|as if) (?:i'?m|i am|i was|i were) (?:a )?"
    r"(?:5|five|ten|10|child|kid|beginner)"
    r"(?:[- ]years?[- ]old)?|for dummies|eli5:?"
    r"|in (?:very )?(?:simple|plain|easy) (?:terms|words|english|language))\b:?",
    re.IGNORECASE,
)
"""How plainly it is wanted: nothing that the material could speak of."""


_PART_OF_GRADE = (
    r"((?!(?:that|this|it|they|these|those|there)\b)(?:the |our |my |each |an? |one )?[\w-]{2,30}"
    r"(?: [\w-]{2,30}){0,3}?)"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MEETING = (
    r"(?:class(?:es)?|lectures?|tutorials?|seminars?|sessions?|practicals?|workshops?|labs?|campus|university"
    rf"|{_WEEKDAY})"
)
_MEETINGS = rf"(?:(?:the|my|our|your|all|any|every|each|these|those) )*(?:[\w-]{{1,20}} )?{_MEETING}\b(?! \d)"
_TEACHER = r"(?:professor|lecturer|teacher|instructor|tutor|tas?|teaching assistants?)"
_PERSON = (
    rf"(?:(?:(?:the|my|our|a) ){_TEACHER}|(?:professor|dr|mr|mrs|ms)\b\.? \w{{2,20}}"
    r"|(?-i:[A-Z][\w'’-]{1,20})(?: (?-i:[A-Z][\w'’-]{1,20}))?)"
)
_OF_COURSE_LIFE = (
    (
        re.compile(
            r"\b(?:do|does|will) (?:i|we|you|students|everyone) (?:(?:really|actually|even|always|still) )?"
            r"(?:have|need) to (?:(?:really|actually|always|physically) )?"
            rf"(?:(?:come|go|turn up|show up|be)(?: (?:to|on|at|in))? (?P<to>(?:on |in |at |to )?{_MEETINGS})"
            r"|(?:come|turn up|show up|be (?:there|present))(?: (?P<at>(?:on|at|to|every)\b.{0,30}))?(?=\W*$))"
            rf"|\b(?:(?:can|may|could) (?:i|we)|(?:is|would) it (?:be )?(?:ok|okay|fine|all ?right) to) "
            rf"(?:skip|miss|cut|not (?:come|go) to|stay away from) (?P<missed>{_MEETINGS})(?! (?:on|about|of)\b)",
            re.IGNORECASE,
        ),
        lambda found: f"do I have to attend {found['to'] or found['at'] or found['missed'] or ''}".strip(),
    ),
    (
        re.compile(
            r"\bwhat (?:happens )?if (?=(?:miss|skip|fail|hand in|submit) "
            r"(?:the|my|an?|one|two|three|\d|more|too|it)\b)",
            re.IGNORECASE,
        ),
        "what happens if I ",
    ),
    (
        re.compile(
            r"\bwhen (?:can|could|may|do) (?:i|we) (?:(?:talk|speak) (?:to|with)|meet(?: with)?) "
            rf"(?P<who>{_PERSON}|(?!(?:the|an?|my|our|you|them|him|her|it|each|other)\b)\w{{2,20}})(?=\W*$)"
            rf"|\bwhen (?:can|could|may) (?:i|we) (?:see|reach|catch|find|visit) (?P<seen>{_PERSON})(?=\W*$)"
            rf"|\bwhen(?:['’]?s| is| are) (?P<free>{_PERSON}) (?:available|free|reachable|in (?:his|her|the|their) "
            r"office)(?=\W*$)",
            re.IGNORECASE,
        ),
        lambda found: f"when are the office hours of {found['who'] or found['seen'] or found['free']}",
    ),
    (
        re.compile(
            r"\b(?:bomb|flunk|tank|botch|blow|(?:screw|mess) up)(?:ed|s)? "
            r"(?=(?:the|my|an?|this|that) (?:\w+ )?(?:finals?|mid-?terms?|exams?|tests?|quiz)\b)",
            re.IGNORECASE,
        ),
        "fail ",
    ),
    (
        re.compile(
            r"\b(?:do i|will i|can i) (?:get|have) (?:another|a second|one more) (?:shot|go|try|chance|attempt)\b",
            re.IGNORECASE,
        ),
        "can i take it again",
    ),
    (
        re.compile(
            r"\b(?:wi-?fi|internet|network)(?: connection)? (?:just )?(?:die[sd]|drop(?:s|ped)|crash(?:es|ed)"
            r"|br(?:eaks|oke)|fail(?:s|ed)|cuts? out|stop(?:s|ped)|(?:goes|went) (?:down|out|off|away)|is gone)"
            r"(?=.{0,60}\b(?:finals?|mid-?terms?|exams?|tests?|quiz)\b)",
            re.IGNORECASE,
        ),
        "connection fails",
    ),
    (
        re.compile(
            rf"\bhow much (?:is|are|was|were) {_PART_OF_GRADE} worth\b"
            r"|\bwhat (?:percent(?:age)?|share|part|portion|fraction) of (?:the|my|our|your) "
            r"(?:final |overall |total |course )?(?:grade|mark|score) (?:is|are|comes? from|does|do) "
            rf"{_PART_OF_GRADE}(?: worth| count| make up)?(?=\W*$)"
            rf"|\bwhat(?:['’]?s| is) the weight of {_PART_OF_GRADE}(?=\W*$)",
            re.IGNORECASE,
        ),
        lambda found: f"how much does {next(part for part in found.groups() if part)} count",
    ),
)
"""What students call coming to class, finding somebody in the office, failing, trying again, a connection that fails
in an exam, and how much something counts."""

_AI_PRODUCT = re.compile(
    r"(?a:\b(?:(?:github |microsoft )?copilot|gemini|claude|deepseek|grok|kimi|gpt-?\d\w*)\b)|豆包|通义千问|文心一言",
    re.IGNORECASE,
)
_AN_AI = re.compile(
    r"(?a:\b(?:an? (?:ai|llm)|llms|an? chat ?bot|chat ?bots)\b)|(?<=用)\s?ai(?![a-z])(?:工具|助手|软件)?|大模型",
    re.IGNORECASE,
)
_OF_WORK = re.compile(
    r"\b(?:homeworks?|assignments?|exams?|mid-?terms?|finals?|quiz(?:zes)?|submi\w+|allowed|permitted|cheat\w*)\b"
    r"|作业|考试|测验|实验报告|论文",
    re.IGNORECASE,
)
"""With one of these "an AI" is what helps with graded work, and no subject."""
_ASKS_LEAVE = re.compile(
    r"\b(?:(?:can|may|could) (?:i|we)|(?:am i|are we) allowed|allowed|permitted|forbidden|banned|cheating"
    r"|(?:is it|would it be) (?:ok|okay|fine|alright|all right|legal|against))\b"
    r"|可以|可不可以|能[^，。？！你您]{0,4}用|能否|[准允]许|作弊",
    re.IGNORECASE,
)
_NUMBERED_WORK = re.compile(
    r"\b(?:(?:A|HW|PS|P)\d|(?:assignment|homework|problem set|project|lab) ?\d)\b(?=\W|$)", re.IGNORECASE
)
"""Whether an assistant may be used is ruled of all of them alike, and of no graded work by its number."""


_ABOUT_ONESELF = re.compile(
    r"(?:[,;]? ?\b(?:because|since|but|as))?[,;]? ?(?:(?<=^)|(?<=[ ,;.!?]))i(?:'m| am| keep| always| just)?"
    r"(?: (?:always|just|still|keep|keeps|really|totally|so|constantly|never|can))* "
    r"(?:mix(?:ing)? (?:them|these|those|the two|both) up|get(?:ting)? (?:them|these|those|it) (?:mixed up|confused)"
    r"|confus(?:e|ed|ing)(?: (?:them|these|those|the two|by (?:them|it|this)))?|lost(?: here)?"
    r"|forg(?:e|o)t(?: (?:it|them|which is which))?)(?=[!?.,;]|$)",
    re.IGNORECASE,
)
_SAID_IN_CLASS = re.compile(
    r"[,;.!]? ?\b(?:(?:my|the|our) )?(?:prof|professor|teacher|instructor|lecturer|he|she)"
    r" (?:keeps?|always|constantly) (?:say|talk|mention|us|repeat|writ)(?:ing|s|es)?(?: (?:about|on))?"
    r"(?: (?:it|this|that|them))?(?: all the time| a lot)?(?=[!?.,;]|$)"
    r"|(?:老师|教授)(?:上课|刚才|课上|一直|总是|老是|经常)*(?:说|讲|提)(?:到|过|了)?的(?=[^，。？！?!对]{2})"
    r"|[，。？！?!]\s?(?:老师|教授)[^，。？！?!什么哪吗]{0,6}(?:说|讲|提|列|举|强调)过?[^，。？！?!什么哪吗]{0,8}$",
    re.IGNORECASE,
)
_CONCEDED = re.compile(
    r"^(?P<asked>\W*(?:(?:but|so|and) )?why\b[^,;?]{12,}?),? (?:even though|although|despite) [^?]{4,}(?=\?|$)",
    re.IGNORECASE,
)
"""What a student knows already of what is asked, "even though it is in place": other things are in place, too."""
_THING = re.compile(
    r"(?<= )((?:the|that|this) (?!(?:whole|same|right|real|first|last|next|main|only|best|other|important|one|most)\b)"
    r"[\w'’-]+(?: [\w'’-]+){0,3}) (?:thing(?:y|ie)?|stuff|business)(?=\W*$)",
    re.IGNORECASE,
)
"""What stands behind a name that is only half remembered: "the cocktail party thing"."""
_WHOSE = re.compile(
    r"\b([a-z]{4,}[a-rt-z])s(?= (?:algorithm|rule|theorem|lemma|law|method|formula|inequality)\b)", re.IGNORECASE
)
"""Whose algorithm it is, without the apostrophe: "kruskals algorithm"."""
_PATH = r"(?:study|learning|prerequisite)[ -](?:path|route|road ?map)s?"
_LEARN = r"(?:learn|understand|master|study)(?:ing)?"
_TOWARDS = r"(?:to|towards?|for|of|until|up to)"
_END = r"(?:,? please)?\W{0,9}$"
_PATH_TO = re.compile(
    r"^\W{0,9}+(?:(?:please|pls|hi|hello|hey|can|could|would|will|do|you|i(?:['’]d)?|we|want|need|like|wanna|show|give|tell"
    r"|make|find|suggest|recommend|draw|build|see|get|have|is|are|there|what(?:['’]?s)?|which|me|us|to|for|an?|the|my|our"
    r"|your|good|best|right|shortest|possible|some)\b\W{0,9}+){0,14}+"
    rf"(?:{_PATH}(?: from (?:[\w-]{{1,30}} ){{1,5}}?| ){_TOWARDS} (?:{_LEARN} )?(?P<to>[^,.;?!]{{2,60}}?){_END}"
    rf"|{_PATH} ?\((?P<meant>[^()]{{2,60}})\){_END}"
    rf"|(?:road ?map|path) {_TOWARDS} {_LEARN} (?P<learnt>[^,.;?!]{{2,60}}?){_END}"
    rf"|(?P<of>(?!(?:from|to|for|of)\b)[\w'’-]{{1,30}}(?: [\w'’-]{{1,30}}){{0,4}}?) {_PATH}{_END})",
    re.IGNORECASE,
)
_CHINESE_PATH_TO = re.compile(
    r"^\W{0,9}+(?:请问?|麻烦|帮我|给我|让我|我想要?|我要|能不能|能否|可以|有没有|有|想|查看|展示|显示|看看|看一?[下看]|看|列出"
    r"|推荐|规划|制定|给出|一[下条个份]|条|个|份|通往|通向|到|关于){0,14}+"
    r"(?:(?:学习|学会|掌握)(?P<learnt>[^，。？！?!是]{1,20}?)的(?:路径|路线|顺序)图?"
    r"|(?:学习|学会|掌握)?(?P<to>(?!什么|怎[么样]|哪)[^，。？！?!是]{1,20}?)的?(?:学习|先修)(?:路径|路线|顺序)图?)"
    r"(?:是什么|是怎样的|有哪些|有吗|呢|吗)?\W{0,9}$"
    r"|^\W{0,9}(?:学习|先修)(?:路径|路线|顺序)图? ?[(（](?P<meant>[^()（）]{1,40})[)）]\W{0,9}$"
)
_NO_GOAL = re.compile(
    r"\b(?:course|class|module|semester|exam|everything|whole)\b|这门|本课|该课|课程|整个|全部", re.IGNORECASE
)
"""What is no concept: the way through all of a course is what its concept map shows."""
_ASKED_OF_PATHS = (
    (_PATH_TO, "What do I need to know before {}?"),
    (_CHINESE_PATH_TO, "学习{}之前要先学什么？"),
)
_SALUTATION = re.compile(
    r"^\W{0,3}(?:(?:请问)?(?:各位)?(?:老师|助教|教授)(?:们)?(?:[您你]?好)?(?:[\s,，.。!！:：~～]+|(?=请问|[我想]|什么[是叫]|为什么))"
    r"(?:请问|想问一?下|问一?下)?[,，:：]?\s?)(?=\S{3})"
)
"""Whom a student greets before asking, who is no part of what is asked: "老师，什么是栈"."""
_FILLER = re.compile(
    r"(?:^|[,;.!?]? )(?:lol|lmao|rofl|tbh|ngl|omg|bruh)\b(?=\W|$)"
    r"|(?<=\w)[,;!?] (?:it |that )?sounds (?:(?:so|really|kinda|very) )?\w+(?= (?:lol|lmao|haha)\b|\W*$)",
    re.IGNORECASE,
)
_SORRY = re.compile(r"^\W{0,3}(?:sorry|sry|excuse me)\b[,.!]*(?: (?:but|guys|all)\b,?)? (?=\S+ \S)", re.IGNORECASE)
"""What a student says of themselves, of who taught it, and of asking: nothing that the material could speak of."""

_CLEFT = re.compile(r"\b(?:is|was) it (?!who\b)(?P<who>(?:(?!or\b)[\w.’'-]+ ){1,5})who (?=\w)", re.IGNORECASE)
"""Whether it was just this person: "was it Bell who invented it", which asks for nobody else."""

_WHOSE_VIEW = re.compile(
    r"\bwhat(?:['’]s| is| was| were)(?: the)? (?P<who>(?-i:[A-Z])[\w.-]+(?: (?-i:[A-Z])[\w.-]+)?)['’]s "
    r"(?:(?:main|own|basic) )?(?:argument|claim|thesis|view|position|opinion)s?\b(?= (?:on|of|about)\b|\W*$)",
    re.IGNORECASE,
)
"""What somebody says of something, asked by a noun: "what was Darwin's argument"."""

_MET = re.compile(
    r"^(?P<asked>\W{0,9}(?:(?:so|hi|hey|ok),? )?(?:what(?:['’]?s| is| are)|define|什么是|啥是)[^?？\n]{1,120}[?？])"
    r"\s{0,3}(?:(?:i|we|he|she|they|it|my|someone|somebody|people)\b"
    r"|(?-i:[A-Z][a-z]+) (?:mentioned|said|used|talked)\b|我|老师|他|她|视频|书)[^?？]{0,300}$",
    re.IGNORECASE,
)
"""Where a student met what is to be explained: "What is a pairing heap? I saw the name next to binary heaps"."""

_ADDED = re.compile(
    r"^(?P<asked>\W{0,9}(?:(?:so|and|but|hi|hey|ok),? )?(?:what|why|how|who|when|where|which)\b"
    r"(?![^?？\n]{0,200}\b(?:i|my|me|it|its|this|that|these|those|they|them|their|he|she)\b)[^?？\n]{25,200}[?？])"
    r"\s{1,3}(?:(?:but|and|because|since|after all),? )?(?:it|they|he|she|there|we|i|my)\b"
    r"(?![^?？]{0,300}\b(?:please|explain|tell|show|want|need|mean|wonder\w*|know)\b)[^?？]{4,300}$"
    r"|^(?P<asked_zh>(?![^?？\n]{0,80}(?:[我它他她]|[这那](?![次年个种些位])))(?=[^?？\n]{0,80}(?:为什么|为啥|怎么|如何|什么|谁|哪))[^?？\n]{8,80}[?？])"
    r"\s?(?:(?:可是?|但是?|而且|毕竟),?，?)?(?:明明|[它他她]们?|我|人家)(?![^?？]{0,120}[请讲说想要])[^?？]{3,120}$",
    re.IGNORECASE,
)
"""What a student adds behind a question that says all it asks: "Why was the poll wrong? It asked a million people"."""


def say_plainly(text: str) -> str:
    """The message with its short forms written out and without "like I'm five"; as it is where it has none of these.
    Code keeps its letters."""
    if "`" in text:
        return text
    for beside in (_SALUTATION, _FILLER, _FOR_A_CHILD, _SORRY, _ABOUT_ONESELF, _SAID_IN_CLASS):
        text = beside.sub("", text).strip(" ,;") or text
    text = _MET.sub(r"\g<asked>", _CONCEDED.sub(r"\g<asked>", text))
    text = _ADDED.sub(lambda found: found["asked"] or found["asked_zh"], text)
    text = _WHOSE_VIEW.sub(r"what does \g<who> say", _CLEFT.sub(r"is it true that \g<who>", text))
    text = _WHOSE.sub(r"\1's", _THING.sub(r"\1", text))
    text = _JOINED.sub(lambda found: f"{found[1]} {found[2].lower()}", text)
    text = _ITS.sub("it's ", _BECAUSE.sub("because", _SHORT.sub(lambda found: _WORDS[found[0].lower()], text)))
    for called, plain in _OF_COURSE_LIFE:
        text = called.sub(plain, text)
    text = _with_any_assistant(text)
    for pattern, full in _CHINESE:
        text = pattern.sub(full, text)
    return _with_what_to_know(text)


def _with_what_to_know(text: str) -> str:
    """A wish for the study path to a concept, as the question for what to know before it."""
    for pattern, asked in _ASKED_OF_PATHS:
        if (found := pattern.match(text)) is not None:
            goal = next(one for one in found.groups() if one is not None)
            return text if _NO_GOAL.search(goal) else asked.format(goal)
    return text


def _with_any_assistant(text: str) -> str:
    """Whether one product may be used, asked of any AI assistant: rules name one or two of them."""
    name = _ANY_ASSISTANT[language_of(text)]
    any_assistant = _AI_PRODUCT.sub(name, text)
    if _OF_WORK.search(text) is not None:
        any_assistant = _AN_AI.sub(name, any_assistant)
    if _ASKS_LEAVE.search(text) is None or "chatgpt" not in any_assistant.lower():
        return text
    return _NUMBERED_WORK.sub("my homework", any_assistant)


_ANY_ASSISTANT = {"en": "ChatGPT or another AI assistant", "zh": "ChatGPT 之类的人工智能"}
