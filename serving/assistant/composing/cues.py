"""The words by which a sentence answers one kind of question: "because" for why, "first … then" for how. Pure."""

import re
from functools import lru_cache
from re import Pattern

from serving.assistant.understanding.closed_words import NUMBER_WORDS
from serving.assistant.understanding.question_kind import A_USUAL_VALUE, QuestionKind

REMEMBERED = 1 << 15
"""Sentences whose wording is kept: the same ones are weighed for question after question. About 10 MB."""


def make_cue(pattern: str) -> Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


THAN_ZH = r"(?<!百分)(?<!性价)(?<![之占正反好可])比(?![如方例重率值喻特赛])"
"""The Chinese "than", and no ratio: in 百分比 and 比重 nothing is compared."""


CUES: dict[QuestionKind, Pattern[str]] = {
    "why": make_cue(
        r"\b(?:because|since|the reason|reasons?|that's why|which is why|is why|so that|in order to|therefore"
        r"|otherwise|due to|caused? by|"
        r"as a result|means that|which means|this means|the (?:problem|trouble|issue|point|purpose|motivation|idea"
        r"|advantage|benefit) (?:is|with|of|here)|thus|hence|"
        r"helps?|allows?|lets? (?:us|you)|prevents?|avoids?|without|guarantee[sd]?|too (?:\w+)|makes? (?:it|the"
        r"|this|sure)|if (?:you|we|it) (?:don't|didn't|do not|were))\b"
        r"|因为|由于|所以|原因|因此|否则|为了|这样(?:才|就|一来)|从而|导致|避免|保证|使得?|好处|要不然|不然|以便|目的"
    ),
    "how": make_cue(
        r"\b(?:first|firstly|second|third|then|next|after (?:that|this)|finally|lastly|steps?|start(?:s"
        r"|ing)? (?:with|by|at|from|out)|begin(?:s|ning)?|repeat\w*|until|"
        r"each time|at each|every (?:time|step)|(?:we|you|it|i|they)(?:'ll| will| can| just| simply| then| first"
        r"| need to| have to| are going to|'re going to)* (?:take|put|move|swap|compare|compute|"
        r"go|set|look|do|pick|choose|split|divide|merge|insert|remove|delete|add|multiply|subtract|update|check"
        r"|find|sort|call|follow|replace|initialize|apply|train|use|draw|write|keep|push|pop|start|get|run|visit"
        r"|mark))\b"
        r"|首先|然后|接着|最后|第[一二三]步|步骤|先|再|直到|依次|重复|每次|从.{1,12}开始"
            r"|把.{1,16}[放换移插删交分合]|如果.{1,20}就"
    ),
    "list": make_cue(
        r"\b(?:types?|kinds?|ways?|forms?|two|three|four|five|six|several|many|includ(?:es?|ing)|consists? of"
        r"|made (?:up )?of|such as|like|first|second|third|another|one (?:is|of)|the other|also|and|following"
        r"|called|examples?|namely|either|both)\b"
        r"|分为|分成|包括|包含|有(?:两|三|四|五|几|以下)|[两二三四五六几]种|第[一二三四]|一种|另一种"
            r"|比如|例如|以及|、|分别"
    ),
    "comparison": make_cue(
        r"\b(?:whereas|while|unlike|differ\w*|difference|but|in contrast|by contrast|compared?|than|instead"
        r"|on the other hand|both|however|same|similar|rather|although|only|better|worse|faster|slower|more|less"
        r"|the (?:former|latter)|versus|except)\b"
        rf"|区别|不同|而|相比|{THAN_ZH}|但|则|相同|不一样|更|只|反之|相反"
    ),
    "yes_no": make_cue(
        r"\b(?:not|never|always|can|cannot|can't|must|only|no|yes|is|are|does|doesn't|don't|allowed|may|possible"
        r"|impossible|true|false|need|even)\b|不|能|可以|必须|只|都|总是|一定|允许|不可|需要"
    ),
    "definition": make_cue(
        r"\b(?:is|are|means?|refers? to|called|defined as|define|say that|known as|stands for|basically|i\.e"
        r"|that is)\b|是|叫做?|称为|指的?是|就是|定义|意思|称作"
    ),
    "people": make_cue(
        r"\b(?:invent\w*|discover\w*|develop\w*|created|proposed|introduced|devised|designed|published|coined"
        r"|came up with|named (?:after|for)|pioneer\w*|due to|built|wrote|in (?:1[5-9]|20)\d\d|the (?:1[5-9]"
        r"|20)\d0s|professor|scientist|mathematician|engineer|researcher)\b"
        r"|发明|提出|发现|创造|设计|命名|之父|开发|数学家|科学家|工程师|教授|\d{4} ?年|造"
    ),
    "calculation": make_cue(
        r"=|\bequals?\b|\b(?:times|divided by|over|plus|minus|sum|squared|log|product|formula|equation|code|sigma"
        r"|theta|alpha|lambda)\b|\d|公式|等于|除以|乘以?|加|减|平方|代码"
    ),
    "logistics": make_cue(
        r"\d|\b(?:must|may|can|cannot|not|due|deadline|points?|percent|week|days?|hours?|minutes?|monday|tuesday"
        r"|wednesday|thursday|friday|saturday|sunday|utc|allowed|required|submit|register|pass|grade[sd]?|at least"
        r"|at most|on|until|before|within)\b"
        r"|\d|必须|可以|不得|不可|不能|截止|周|天|小时|分钟|分|及格|提交|报名|至少|最多|之前|以内"
    ),
}  # fmt: skip


PLAIN_CUES: dict[QuestionKind, Pattern[str]] = {
    "why": make_cue(
        r"\b(?:because|since|the reason|reasons?|that's why|which is why|is why|so that|otherwise|due to|caused? by"
        r"|as a result|means that|which means|prevents?|avoids?)\b"
        r"|因为|由于|原因|因此|否则|为了|导致|避免|要不然|不然|以便"
    ),
    "list": make_cue(
        r"\b(?:two|three|four|five|six|several) (?:\w+ ){0,2}\w+s\b|\b(?:first|second|third)\b"
        r"|\banother (?:kind|type|way"
        r"|one|form|example)\b|\w, (?:and|or) \w|\b(?:including|such as)\b"
        r"|[两二三四五六几]种|第[一二三四]|一种|另一种|、[^，。]{1,12}、|包括|分为|分成|(?-i:[A-Z]{2}[，,] ?[A-Z]{2})"
    ),
}


ASKS_FOR_A_NAME = re.compile(
    r"\bwhy (?:is|are|was|were|do|does|did)(?:n['’]?t)? .{1,80}"
    r"\b(?:called|named|termed|known as|call (?:it|them|this|that))\b"
    r"|为(?:什么|何|啥)[^，。]{0,20}(?:叫|称为|称作|名字)"
    r"|\b(?:where|how) (?:do|does|did) (?:the |this )?(?:word|term|name)\b.{1,60}\bcome\b"
    r"|\borigin of (?:the )?(?:word|term|name)\b"
    r"|(?:词|名字|术语|名称|叫法)[^，。]{0,4}(?:怎么来|哪里?来|从何|来历|来源|由来)",
    re.IGNORECASE,
)
"""What asks for the reason or the origin of a name, which things have whatever is said of them."""


NAMES = re.compile(
    r"\b(?:the (?:term|name|word)\b|refers? to the (?:fact|way|idea)"
    r"|(?:named|called) (?:after|for|that|so|this|because|since)|(?:reason|why) [^.?!]{0,40}(?:called|named)"
    r"|(?:that|this|which|therefore|hence)(?:['’]s| is)? (?:why|how) [^.?!]{0,40}name"
    r"|(?:for|because of) (?:this|that|historical) reasons?)"
    r"|(?:词|术语|名字|名称)[^，。]{0,12}(?:来源|由来|来历|来自)|因此得名|得名|名字(?:来|由|就)|所以(?:才|就)?叫|之所以叫",
    re.IGNORECASE,
)
"""How a sentence tells where a name comes from."""


HOW_MANY = re.compile(
    r"^\W*(?:(?:and|so|ok|but),? )?how (?:many|much)\b"
    r"(?!.*\b(?:should|supposed|do i|to keep|(?:i|we|you) (?:need|keep)|take|choose)\b)"
    r"|\bwhat(?:['’]?s| is| was) the (?:word|page|character) (?:limit|count)\b|多少|几(?=[个次种位步条])",
    re.IGNORECASE,
)
"""What asks for an amount that somebody says, and not for how to choose one."""


WHICH_VALUE = make_cue(
    r"\b(?:what|which) (?:\w+ ){0,2}(?:values?|rates?|numbers?|sizes?|epsilons?|alphas?|lambdas?|thresholds?"
    r"|coordinates|dimensions?|percentages?|fractions?)\b.{0,60}\b(?:should|do|does|did|use[ds]?|try|tries)\b"
    rf"|{A_USUAL_VALUE}|(?:取|用|设)(?:多大|多少|什么值)"
)
"""What asks for a value to take, which an answer names."""


ANOTHER_REASON = make_cue(
    r"\b(?:another|the other|the second) (?:\w+ )?reason\b|(?:另一个|第二个)(?:\w{1,3})?(?:原因|理由)"
)
"""What gives a further reason, whose first one stands before it."""


SAYS_THE_REASON = make_cue(
    r"\b(?:the|one|another|main|first|second|other|key) (?:\w+ )?reasons? (?:why|that|for|is|we|it|to|behind)\b"
    r"|\breasons? (?:\w+ ){0,6}(?:is|are|was|were)\b|\bthat['’]s why\b|(?:原因|理由)(?:之一)?(?:是|在于)|之所以"
)
"""What a sentence has that calls something the reason."""


AMOUNT = re.compile(
    rf"\d|\b(?:{'|'.join(NUMBER_WORDS)}|dozen|hundreds?|thousands?|millions?|billions?|half"
    r"|twice|lg|log|squared|quadratic|linear|proportional|n)\b"
    r"|[一二两三四五六七八九十百千万亿](?=[个次种位步条倍层位年级块])",
    re.IGNORECASE,
)
"""What a sentence that gives an amount has."""


def amount_asked_for(question: str) -> Pattern[str] | None:
    """What finds an amount of the very things that a question counts, "how many rotations": "at most two rotations",
    but no number that the question names itself; `None` where it counts nothing by name."""
    thing = find_counted_thing(question)
    return _amount_of(thing, frozenset(re.findall(r"\d+", question))) if thing is not None else None


def find_counted_thing(question: str) -> str | None:
    """What an English question counts by name, in the singular: the rotation of "how many rotations"; else `None`."""
    counted = _COUNTED.search(question)
    return (counted[1] or counted[2] or counted[3]).lower().removesuffix("s") if counted is not None else None


_COUNTED = re.compile(
    r"\bhow many (?:[a-z-]+ ){0,3}?([a-z]{4,})"
    r" (?:do|does|did|is|are|am|was|were|can|could|should|will|would|has|have|must|if|when|i|we|you|there)\b"
    r"|\bhow many ([a-z]{4,})\W*$|\bthe (word|page|character) (?:limit|count)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=1 << 8)
def _amount_of(thing: str, given: frozenset[str]) -> Pattern[str]:
    other = f"(?!(?:{'|'.join(given)})\\b)" if given else ""
    return re.compile(
        rf"\b{other}(?:\d+|{'|'.join(NUMBER_WORDS)}|dozen|hundreds?|thousands?|millions?)\b (?:[\w-]+ ){{0,2}}"
        rf"{re.escape(thing)}",
        re.IGNORECASE,
    )


COUNTS_NOTHING = make_cue(r"\([^()]{0,80}\b(?:19|20)\d\d[a-z]?\)|\bfor the first time\b|第一次")
"""What has a number and gives no amount: the year of a source, a first time."""


LIMITS = make_cue(
    r"\b(?:problem|trouble|limitation|limited|drawback|disadvantage|downside|unfortunately|however|can['’]?t|cannot"
    r"|couldn['’]t|no way|never|too|fails?|wasn['’]t|isn['’]t|doesn['’]t|don['’]t|won['’]t|only|instead|because"
    r"|reason)\b|问题|缺点|局限|但|不能|无法|不够|没有|因为|原因"
)
"""What a sentence has that says why something is not so, or not enough."""


MOST_COUNTED = 10
"""The number up to which things are called by a number in words. A choice."""


@lru_cache(maxsize=REMEMBERED)
def has_cue(text: str, cue: Pattern[str]) -> bool:
    """Whether a sentence has a wording: of one question the same sentences are asked for it several times."""
    return cue.search(text) is not None


@lru_cache(maxsize=REMEMBERED)
def answers_kind(text: str, kind: QuestionKind) -> bool:
    """Whether a sentence has the wording of an answer to this kind; true for kinds without a wording of their own."""
    cue = CUES.get(kind)
    return cue is None or cue.search(text) is not None


LEANS = make_cue(
    r"^(?:it|its|it's|this|that|that's|these|those|they|they're|their|he|she|so|then|also|and|but|or|otherwise|here"
    r"|there|such|maybe|perhaps|likely|instead|nor|rather|really|almost|similarly|likewise|conversely|therefore|thus"
    r"|hence|however|(?:on )?the (?:first|second|third|other|former|latter|same|next) (?:one"
    r"|is|of|thing)|in (?:this"
    r"|that) (?:case|way)|because of (?:this|that)|(?:for|to) (?:this|that|these|those) (?:reasons?|purposes?|end)"
    r"|(?:after|before|from|under|at|on) (?:this|that|these|those)"
    r"|(?:i|you|we|they|people) (?:can |could |would |will |also |then |usually |often |just ){0,2}[a-z]{2,12} "
    r"(?:them|(?:this|that|these|those|it)(?= (?:for|when|to|in|with|as|by|at|on|because|if|and|too|again)\b|[.,;]))"
    r"|by (?:doing )?(?:this|that|so)|both|one|another|which|because"
    r"|what (?:this|that|it) (?:is|does|means|will))\b"
    r"|^[^,.]{0,90} (?:of|after|with|by|from|for) (?:these|those) \w+,"
    r"|^.{0,60}\b(?:if|when|once|after|as|since) (?:i|you|we|they) (?:do|did|have done) (?:this|that|so)\b"
    r"|\b(?:do|does|did)(?:n['’]t| not)? (?:that|this|so)\W*$"
    r"|^(?:它|他|她|这|那(?!么?[^，。它他她这那]{0,12}(?:为什么|为何|怎么|什么))|此|其|该|所以|因此|但|而|并且|另一|同样|反之|于是|然后|接着|否则|既然|意味着|由此|与此同时"
    r"|相比之下|也就是|可见|为此|如此|从此|自此|从而|进而|因而|除此|不仅如此|换句话说|换言之|要不然|使得|使(?= )"
    r"|[在对用因](?:这|那|此|它)"
    r"|[和跟与或](?=[^，。]{1,20}(?:不同|不一样|一样|相比|类似))|因为(?!.*所以)|[不相]同的是|之[后前](?=[，,某])|为了(?:解决|做到|避免)[这那此]"
    r"|[\"“「]?从那(?:时|以后)|叫(?=[ \"“「])|就?称为)"
    r"|这类(?!的)"
)
"""Sentences that lean on the one before, by how they begin or by what they point back at: "X doesn't do that"."""


_GOES_ON = make_cue(
    r"^(?:so|then|and|but|or|here|maybe|perhaps|one (?!of\b|is\b|has\b|can\b|thing\b|way\b))\b"
    r"(?!,? (?:it|its|this|that|these|those|they|he|she|there|also|another)\b)"
    r"|^(?:但|而|并且|于是|然后|接着)(?![它他她这那此其])"
)
"""How a sentence goes on with the one before and points at nothing in it: "and one trick that …"."""


POINTS = make_cue(
    r"\b(?:this|that|the) (?:slide|picture|plot|figure|diagram|graph here|line here|point here|animation|drawing"
    r"|demo|quiz|question)\b|\b(?:over|right|up|down) (?:here|there)\b|\b(?:as you can see|you can see|see here"
    r"|shown here|look at this"
    r"|on the (?:(?:left|right)(?![ -](?:of|side|hand|sub\w*|child\w*|half|end)\b)|slide|screen|board))\b"
    r"|\b(?:in|of) (?:this|later|future|the next|the previous|the last) "
    r"(?:(?:set of|couple of|few|two|three|several) )?"
    r"(?:videos?|lectures?|class|lessons?|sections?)\b|\b(?:next|last|previous) (?:set of |few |two |couple of )?"
    r"(?:videos?|lectures?|time|class|week)\b|\b(?:let's|let me|i'm (?:going to|gonna)|we're (?:going to|gonna)|we'll"
    r"|i'll|i want to|i'd like to) (?:also |now |then |first |quickly |briefly |just ){0,2}"
    r"(?:talk|look|see|delve|dive|dig|start|go|show|discuss|say|move|turn|tell|give|take|draw|write|do|now|just)\b"
    r"|\b(?:we|i)(?:'ve| have|'ll)? (?:already |just |briefly |previously )?(?:talked|spoke|spoken|learned|saw|seen"
    r"|discussed|looked|mentioned|covered|described|went) (?:about|at|over|that|how|some|the)\b|\b(?:this"
    r"|these) (?:video|lecture|class|slides?|course)s?\b|\bbefore (?:wrapping|moving|we (?:go|start|move))\b"
    r"|\b(?:welcome|hello|hi) (?:back|everyone|to)\b|\bhopefully,? (?:that|this|you|now)\b"
    r"|\bsee you (?:then|next|there)\b"
    r"|\b(?:gives?|gave|get|got) you (?:all )?(?:an? |some |the )?(?:little |bit of |better |good |rough |more ){0,3}"
    r"(?:intuition|sense|feel(?:ing)?|idea|understanding)\b|^(?:so,? |and,? |ok,? )?that's (?:it|all)\b"
    r"|^(?:so,? |and,? )?that's (?:the|an?|our) (?:\w+ )?(?:understanding|idea|intuition|definition|end|story"
    r"|summary) (?:of|for|behind)\b"
    r"|\bthe (?:next|last) and (?:final|last) (?:videos?|lectures?)\b|\bbefore you can (?:really )?(?:understand"
    r"|learn|see|follow)\b"
    r"|\b(?:spent|spend) (?:\w+ ){0,3}time (?:on|talking|discussing|looking|going)\b|\bi hope (?:that )?(?:you|this)\b"
    r"|\bgives? you (?:an? |some )?(?:\w+ )?(?:sense|idea|feel|picture)\b|\bnow you know\b"
    r"|\blater,? in (?:this|the) (?:course|class|video|series)\b|\byou now know\b|^trust me\b|\byou'll enjoy\b"
    r"|\b(?:is|are) (?:also )?(?:pretty|very|really|quite|extremely) (?:important|useful|interesting|nice|cool|powerful"
    r"|popular)\W*$"
    r"|这张图|这页|如图|上图|下图|看这里|这里看|下一?[讲节课集]|上一?[讲节课集]|这节课|本节课"
    r"|今天(?:我们)?(?:来|要|讲)|接下来(?:我们)?(?:来|讲|看)"
)
"""Sentences that point at something unseen, or speak of the lecture instead of its subject."""


_LECTURES = r"(?:(?:few|couple of|set of|two) )?(?:videos?|lectures?|lessons?|sections?|episodes?)"


_WE_WILL = r"\b(?:i|we|you|let)(?:['’](?:ll|d|m|re|s)| will| would| want| get| am| are)\b"


_TO_TALK = (
    r"(?:(?:also|then|first|next|now|just|going to|briefly|quickly|be) ){0,2}(?:talk|talking|look|looking|see|delve"
    r"|dive|discuss|show|tell|go (?:over|through|into)|turn|move|start|begin|take a (?:look|closer))\b"
)


_OF_THE_TALK = make_cue(
    rf"\b(?:in|of|throughout) (?:this|these|later|future|the (?:next|following|coming|last|previous)) {_LECTURES},? "
    rf".{{0,30}}{_WE_WILL}"
    rf"|{_WE_WILL}.{{0,50}} in (?:this|the next|a later|later) {_LECTURES}\b"
    rf"|\bthe next {_LECTURES} (?:will|is|are)\b"
    r"|^(?:(?:so|and|now|next|ok|well|first),? ){0,2}(?:we['’]ll|i['’]ll|let['’]?s|let me|let us"
    r"|i(?: want|['’]d like) to|(?:i|we)(?:['’](?:m|re)| am| are) (?:going to|gonna)|today,? we['’](?:ll|re)) "
    rf"{_TO_TALK}"
    r"|\b(?:talk|say|speak|see|discuss|come back|learn|hear)\b.{0,40}\b(?:later|next time|next week)\b"
    r"|\bskip (?:this|that|the next) (?:video|lecture|section)\b"
    r"|\blater,? in (?:this|the) (?:course|class|video|series)\b|\byou now know\b|\bhopefully\b"
    r"|^(?:trust me|that['’]s (?:it|all)\W*$)|\bsee you (?:then|next|there|in)\b|\bwelcome (?:back|to)\b"
    r"|^this (?:slide|video|lecture) (?:shows?|is|was)\b"
    r"|^(?:(?:so|and|now|but),? )?(?:that's|that is|this is) (?:the end|it for|all for)\b"
    r"|\bthanks for (?:watching|listening)\b"
    r"|今天(?:就|先)?讲?到这|(?:下周|下次|下节课)见|(?:今天|课后)的?(?:编程)?(?:作业|练习)"
    r"|下一?[讲节课集]|上一?[讲节课集]|这节课|本节课|今天(?:我们)?(?:来|要|讲)|接下来(?:我们)?(?:来|讲|看)"
)
"""Sentences that speak of the lecture instead of its subject: what comes next, or what came before."""


_SETS_A_TASK = make_cue(
    r"^(?:then|now|next|first|please|remember to|once you're done),? (?:watch|reflect|respond|review|think|consider)\b"
    r"|^(?:watch|re-?read|review|reflect|respond|think (?:about|of|back)|take a (?:moment|minute)|post|pause|fill in"
    r"|consider (?:the following|how|what|which)|discuss (?:with|your)|share (?:your|with)|write down"
    r"|complete (?:the following|this|these|an?))\b"
    r"|^(?:videos?|duration|running time|estimated time|downloadable|transcripts?|image|photo|credits?)(?: \w+){0,2}:"
    r"|^downloadable transcripts?\b|^in (?:this|the) (?:next |following )?videos?,"
    r"|\((?:video|pdf|link|opens in [^)]*)\)$"
    r"|^(?:请|现在|然后)?(?:观看|阅读|思考一下|想一想|写下|填写|讨论一下|回答下列)|^(?:视频|时长|字幕|图片)\S{0,3}[:：]"
)
"""Lines of a page that set its readers a task, or say of a film how it is called and how long it runs."""


ASKS = make_cue(
    r"[?？][\"'”’)]*\s*$|\b(?:which ones?|what do you think"
    r"|do you think|can you (?:see|tell|think|guess))\b|^(?:what"
    r"|why|how|who|which|when|where|so what|so how"
    r"|so why)\b[^.]*$|^(?:(?:so|and|now|ok),? )?(?:what|why|how|who|which|where|when) (?:should|do|does|did|is"
    r"|are|can|could"
    r"|would|will|was|were) (?:you|we|i|it|they|the|this|that|there|an?)\b[^.]*\.?$"
    r"|^[A-Za-z' ]{2,20}, (?:what|how|why) (?:is|are|do|does|should) (?:the|an?|we|you|it)\b[^.]*\.?$"
)
"""Sentences that ask instead of telling."""


_TELLS_AND_ASKS_WHY = make_cue(
    r"[^，？]{5}[，,](?:这是)?(?:为什么|为何|什么原因|怎么回事)呢?[?？]$|[^,?]{20}, (?:and |but )?why(?: is that)?\?$"
)
"""What tells something and asks for its reason in its last words: "… falls, and why?"."""


PROMISES = make_cue(
    r"^(?:(?:so|and|now|ok|okay|well|alright|all right|next),? ){0,2}(?:let's|let me|let us|we'll|i'll|today,?"
    r"|(?:i'm|we're|we are) (?:going to|gonna)|(?:i|we) (?:want|would like) to|i'd like to"
    r"|what (?:i'd like|i want|we want|we'll|i'll|we're going) to"
    r"|in (?:this|the next|today's) (?:video|lecture|section))\b"
    r"|\bin (?:this|the next) (?:video|lecture|few videos|section),? (?:i|we|let's|you|get)\b"
    r"|^(?:今天|这节课|本节课|接下来|下面)(?:我们)?(?:来|要|就|讲|看|会)|^(?:这里|我们)?(?:首?先|要)(?:来|要)?(?:分清|区分)"
)
"""Sentences that say what is going to be said, and not it."""


@lru_cache(maxsize=REMEMBERED)
def wording_of(text: str) -> tuple[bool, bool, bool]:
    """Whether a sentence leans on the one before, points at something unseen, and asks."""
    asks = ASKS.search(text) is not None and _TELLS_AND_ASKS_WHY.search(text) is None
    return LEANS.search(text) is not None, POINTS.search(text) is not None, asks


@lru_cache(maxsize=REMEMBERED)
def goes_on(text: str) -> bool:
    """Whether a sentence only goes on with the one before: what it names by itself is understood without that."""
    return _GOES_ON.search(text) is not None


@lru_cache(maxsize=REMEMBERED)
def speaks_of_the_talk(text: str) -> bool:
    """Whether a sentence speaks of the lecture instead of its subject."""
    return _OF_THE_TALK.search(text) is not None


_CONCLUDES = make_cue(r"^(?:therefore|thus|hence|consequently|as a result)\b|^(?:所以|因此|因而)")


@lru_cache(maxsize=REMEMBERED)
def concludes(text: str) -> bool:
    """Whether a sentence, as it goes on with the one before, says what follows from that."""
    return _CONCLUDES.search(text) is not None


_TAKES_BACK = make_cue(
    r"^(?:so,? |and,? |but,? |well,? )?(?:(?:that|this|it|which) (?:\w+ )?(?:\w+n['’]t|not|never)\b|no\b|wrong\b)"
    r"|^(?:其实不|不对|并不|这是错|不是这样)"
)


@lru_cache(maxsize=REMEMBERED)
def takes_back(text: str) -> bool:
    """Whether a sentence takes back what the one before it says, which alone would say the contrary."""
    return _TAKES_BACK.search(text) is not None


_WITHDRAWS = make_cue(
    r"^(?:no,? )?(?:that|this|it) (?:can['’]?t|cannot|couldn['’]t) be(?: right| true| so)?[.!]*$"
    r"|^(?:so,? |no,? )?(?:that|this)(?:['’]s| is) (?:wrong|not right|a mistake)[.!,]|^wait,? (?:no|that)\b"
    r"|\blet me (?:re(?:do|read|calculate)|(?:do|read|calculate|compute|check|try) (?:it|that|this) again|start over)\b"
    r"|^(?:不对|等等|算错了|我算错|写错了|让?我(?:重新|再)(?:算|写|看))"
)


@lru_cache(maxsize=REMEMBERED)
def withdraws(text: str) -> bool:
    """Whether somebody finds a mistake in the sum that stands before, and begins it again."""
    return _WITHDRAWS.search(text) is not None


_SUM = make_cue(
    rf"\d|\b(?:{'|'.join(NUMBER_WORDS)}|point|hundred|thousand|million|times|squared|equals?|root)\b|等于|乘|[一二三四五六七八九十]"
)


@lru_cache(maxsize=REMEMBERED)
def is_of_a_sum(text: str) -> bool:
    """Whether a sentence has two numbers or more, or what they are worked out by."""
    return sum(1 for _ in _SUM.finditer(text)) > 1


_TURNS = make_cue(r"^(?:but|however|yet)\b|^(?:但|可是|不过|然而)")


@lru_cache(maxsize=REMEMBERED)
def turns(text: str) -> bool:
    """Whether a sentence, as it goes on with the one before, turns from what that says."""
    return _TURNS.search(text) is not None


_OF_ANOTHER = make_cue(r"\bnothing to do with\b|\bunrelated to\b|\bnot to be confused with\b|与.{1,12}无关")


@lru_cache(maxsize=REMEMBERED)
def is_of_something_else(text: str) -> bool:
    """Whether a sentence says that something is not what is asked about, in its very words."""
    return _OF_ANOTHER.search(text) is not None


@lru_cache(maxsize=REMEMBERED)
def sets_a_task(text: str) -> bool:
    """Whether a line of a document sets its readers a task, or is of a film beside it."""
    return _SETS_A_TASK.search(text) is not None


@lru_cache(maxsize=REMEMBERED)
def wording_of_written(text: str) -> tuple[bool, bool, bool]:
    """What `wording_of` tells, of a line of a document, which points elsewhere, too, where it sets a task."""
    leans, points, asks = wording_of(text)
    return leans, points or sets_a_task(text), asks


_SIZE = re.compile(r"(?<![\w.])(\d+)(?: ?(?:x|by|×|乘) ?(\d+)|-?d\b)", re.IGNORECASE)
"""The size of a matrix, the dimension of a space."""


def is_of_another_size(asked: str, text: str) -> bool:
    """Whether a sentence tells of sizes, and of none that is asked about: a 2x2 matrix for a 3x3 one."""
    sizes, said = (set(_SIZE.findall(one)) for one in (asked, text))
    return bool(sizes and said) and sizes.isdisjoint(said)


_NUMBERED = (
    r"\b(?!(?:from|than|about|into|over|least|most|only|the|for|with|and)\b)([a-z]{{3,}})[ -](\d{{1,4}}|zero|{words})\b"
)


_ALONE = r"(?=\W*$|[,.;:?!]| (?:of|and|or|in|for|is|was|are|to|by|at|on|i|we|you|do|does|can|if|when|separately)\b)"


_WORDS = "|".join(one for one, value in NUMBER_WORDS.items() if value <= MOST_COUNTED)


_NUMBERED_ANYWHERE = re.compile(_NUMBERED.format(words=_WORDS), re.IGNORECASE)


_ASKED_BY_NUMBER = re.compile(_NUMBERED.format(words="zero") + _ALONE, re.IGNORECASE)
"""A thing with its number behind it, and nothing that is counted by that: theta 0, phase three."""


def find_numbers_of_things(question: str) -> frozenset[str]:
    """The numbers by which a question calls things: the 3 of "phase 3", and not that of "3 machines"."""
    return frozenset(number for _, number in _ASKED_BY_NUMBER.findall(question))


def _find_numbered(pattern: Pattern[str], text: str) -> set[tuple[str, int]]:
    found = ((name.lower(), number.lower()) for name, number in pattern.findall(text))
    return {(name, int(one) if one.isdigit() else NUMBER_WORDS.get(one, 0)) for name, one in found}


@lru_cache(maxsize=64)  # one question is read beside one sentence after another
def _find_asked_numbers(asked: str) -> set[tuple[str, int]]:
    return _find_numbered(_ASKED_BY_NUMBER, asked)


def is_of_another_number(asked: str, text: str) -> bool:
    """Whether a sentence tells of a numbered thing by other numbers than what is asked about: theta 5, and not theta
    0."""
    wanted = _find_asked_numbers(asked)
    said = _find_numbered(_NUMBERED_ANYWHERE, text) if wanted else set()
    return any(name in {one for one, _ in said} and (name, number) not in said for name, number in wanted)


_OF_MANY = make_cue(
    r"\bone (?:by one|at a time|after (?:another|the other))\b|(?:逐个|一个一个|一个接一个)地?(?=[插加放删])"
)


_ASKED_OF_MANY = make_cue(
    r"\b(?:all|many|every|each|build\w*|construct\w*|n|m|k|\w+ times)\b|所有|每|全部|建|构造|[多几n][个次]"
)


def is_of_many(asked: str, text: str) -> bool:
    """Whether a sentence tells what it takes to do something again and again, where what it takes once is asked: n
    items inserted one by one."""
    return has_cue(text, _OF_MANY) and not _ASKED_OF_MANY.search(asked)


OF_ALL = make_cue(
    r"^\W*(?:(?:so|and|but|ok|okay|wait)\b[, ]*)*(?:does|do|is|are|has|have|can) (?:every|all|each)\b"
    r"|(?:所有|每一?[个条种棵])[^，。？]{1,20}(?:都|吗)"
)
"""What asks whether something is so of all things of a kind."""


NOT_ALL = make_cue(
    r"\b(?:does|do|need|is|are)(?:n['’]t| not) (?:have to|need to|necessarily|always)\b"
    r"|\bnot (?P<all>all|every|each)\b|不是(?:所有|每)|并非|不一定|未必|不都"
)
"""What says that it is not so of all of them."""


ASKS_WHO = make_cue(r"^\W*(?:(?:so|and|but) )?who(?:['’]s| (?:was|is|were))\b|(?:是谁|谁是|是(?:个|一个)?什么人)")
"""What asks for a person."""

_ASKS_HOW_TO = make_cue(
    r"\bhow (?:(?:do|can|should|would|could) (?:i|you|we|one)|to)\b|(?:怎么|怎样|如何)(?!.{0,12}(?:错|不))"
)
_SUPPOSES = make_cue(
    r"^(?:(?:so|and|but|now),? )?(?:imagine|suppose|let['’]s (?:say|imagine|suppose))\b|^(?:想象|假设|假如|设想)"
)
_DOES_NOT_WORK = make_cue(
    r"\b(?:does|do|wo|will)(?:n['’]t| not) (?:really |actually |quite )?work\b(?! (?:with|for|on))"
    r"|行不通|这样(?:做)?(?:是|就)?(?:不行|不对|错)"
)


def is_no_fact(asked: str, text: str) -> bool:
    """Whether a sentence makes up a story where a person is asked for, or tells what does not work where it is asked
    how to do something."""
    if ASKS_WHO.search(asked):
        return _SUPPOSES.search(text) is not None
    is_way = _ASKS_HOW_TO.search(asked) is not None and _DOES_NOT_WORK.search(asked) is None
    return is_way and _DOES_NOT_WORK.search(text) is not None
