"""Aspects: what may be asked of one concept beside what it is, such as its complexity or its inventor. Pure.

Each has the words that ask for it and the words of a sentence that speaks of it, in English and Chinese. A sentence
about a concept answers a question for one of its aspects only when it speaks of that aspect.
"""

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from re import Pattern

from serving.assistant.understanding.quantities import QUANTITIES, SIZE, Quantity


@dataclass(frozen=True)
class Aspect:
    """`name` in both languages as people say it; `asked` finds the aspect in a question, `said` in a sentence."""

    key: str
    en: str
    zh: str
    asked: Pattern[str]
    said: Pattern[str]


def _aspect(key: str, en: str, zh: str, asked: str, said: str) -> Aspect:
    return Aspect(key, en, zh, re.compile(asked, re.IGNORECASE), re.compile(said, re.IGNORECASE))


_GROWTH = (
    r"\bO\s?\(|\bo of\b|big[- ]?o\b|\bbig[- ]theta|\btheta of\b|\b(?:order|proportional to)(?: of)? (?:n|m|v|e|log"
    r"|the)\b|\b(?:constant|linear|quadratic|"
    r"logarithmic|linearithmic|exponential|cubic|polynomial|amortized)\b(?: (?:time|space|cost|work|algorithm"
    r"|growth|number))?"
    r"|\bn log n\b|\blog n\b|\bn[- ]squared\b|\bn\^?2\b|\bn²|\blg n\b|\blog base\b|\blogarithm|\bn cubed\b|\b(?:e|v"
    r"|m) log|\bn times\b"
    r"|\bv times e\b|\bdouble (?:when|if)|复杂度|常数时间|线性|平方|对数|n方|指数级|log|O\s?[（(]|n的平方|量级"
)
_TIME = (
    rf"{_GROWTH}|\brun(?:ning)? ?time\b|\btime complexity\b"
    rf"|\b(?:number of|how many) (?:comparisons|operations|steps"
    rf"|accesses)\b|时间复杂度|比较次数|次比较"
)

_APPLIED = (
    r"\b(?:applications?|applied|used|uses?|example|for instance|such as|in practice|real|useful|systems?"
    r"|networks?|browser|undo|search engines?|compil\w+"
    r"|databases?|games?|routing|maps?|schedul\w+)\b|应用|用于|用来|比如|例如|实际|可以用"
)
"""How a sentence tells where a thing is applied."""

_OF_ALGORITHMS = re.compile(
    r"\bcomplexit(?:y|ies)\b|(?<!at )\brun(?:ning)?[- ]?times?\b(?! errors?\b)|\bbig[- ]?o\b|\border of growth\b"
    r"|复杂度|大O",
    re.IGNORECASE,
)
"""What asks for the complexity by its name, and for no speed or duration."""

ASPECTS: tuple[Aspect, ...] = (
    _aspect(
        "worst_case",
        "worst case",
        "最坏情况",
        r"\bworst[- ]?(?:cases?|possible|scenario|time)\b|\bat (?:its|the) worst\b"
        r"|\bwhen (?:is|does|do|are|will) .{1,30}\b(?:gets?|becomes?|is|be) (?:really |so )?slow\b|最坏|最差",
        r"\bworst\b|\bdegenerat|\bbad (?:luck|pivot|case)|最坏|最差|退化",
    ),
    _aspect(
        "best_case",
        "best case",
        "最好情况",
        r"\bbest[- ]?(?:case|possible(?! algorithms?\b)|scenario)s?\b|最好(?:情况|的情况)|最优情况",
        r"\bbest (?:case|possible)\b|\bat best\b|最好|最优",
    ),
    _aspect(
        "average_case",
        "average case",
        "平均情况",
        r"\b(?:average|typical|expected)[- ](?:case|running|time"
        r"|cost|complexity)\b|\bon average\b|平均(?:(?:情况|时间)?复杂度|情况|时间)",
        r"\b(?:average|typical|expected|random)\w*\b|平均|期望",
    ),
    _aspect(
        "extra_space",
        "extra space",
        "额外空间",
        r"\b(?:extra|additional|auxiliary) (?:\w+ )?(?:space|memory|storage|array)\b"
        r"|(?<!element )(?<!elements )(?<!item )(?<!key )(?<!keys )(?<!them )(?<!it )\bin[- ]place\b(?! of\b)"
        r"|(?:额外|辅助)的?(?:内存|空间|存储)|原地",
        r"\bin[- ]place\b|\b(?:auxiliary|extra|additional) (?:\w+ )?(?:space|memory|storage|array)\b|原地"
        r"|(?:额外|辅助)的?(?:内存|空间|存储|数组)",
    ),
    _aspect(
        "space",
        "space",
        "空间复杂度",
        r"\b(?:space|memory) (?:complexity|usage|cost|does|needed|used|use|requirements?|overhead|consumption"
        r"|efficien\w+)\b"
        r"|\b(?:how much|less|more|much|constant|linear|same) (?:\w+ )?(?:space|memory"
        r"|array)\b"
        r"|\b(?:use|need|take|require|cost|consume|save|waste)\w*(?: (?!extra|addit|auxil)\w+){0,2} (?:space|memory)\b"
        r"|空间(?:复杂度|开销|代价|效率|占用|消耗|需求|是多少|要多少)|(?:多少|占用?|节省|省|浪费|花"
        r"|耗费?)的?(?:内存|空间|存储)"
        r"|内存(?:开销|占用|消耗)",
        r"\b(?:space|memory|in[- ]place|auxiliary|extra array|bits?|bytes?)\b|空间|内存|原地|字节",
    ),
    _aspect(
        "complexity",
        "complexity",
        "时间复杂度",
        r"\b(?:time |running[- ]time |computational |asymptotic )?complexit(?:y|ies)\b"
        r"|(?<!at )\brun(?:ning)?[- ]?times?\b(?! errors?\b)"
        r"|\bbig[- ]?o\b|\btime (?:cost|needed|required"
        r"|bound)s?\b"
        r"|\bhow (?:fast|slow|long|efficient|quick|expensive|costly|well(?=.{0,40}\b(?:run|scale|perform)\b))\b"
        r"(?=.{0,40}\b(?:is|does|do|did|are|was|were|will|can|take|run|scale|perform)\b)|\befficien(?:cy|t)\b"
        r"|\border of growth\b|\bhow (?:much time|many (?:comparisons|operations|steps))\b|(?:时间)?复杂度|时间开销"
        r"|多快|多慢|效率|要多久|多少次比较|多少时间|大O",
        _TIME,
    ),
    _aspect(
        "drawback",
        "drawbacks",
        "缺点",
        r"\b(?:dis-?advantages?|drawbacks?|downsides?|cons|limitations?|weakness(?:es)?|shortcomings?"
        r"|problems? (?:with|of)|what(?:'s| is) (?:wrong|bad) (?:with|about)|trade-?offs?|pitfalls?|issues? with"
        r"|bad (?:about|at))\b|缺点|不足|局限|弊端|劣势|坏处|代价|毛病|短板|有(?:什么|啥|何|哪些)问题",
        r"\b(?:disadvantages?|drawbacks?|downsides?|limitations?|weakness(?:es)?|problems?|trouble|issue|slow(?:er"
        r"|ly)?|expensive|costly|wastes?|unfortunately|price|bad|worse|cannot|can't|fails?|poor(?:ly)?|difficult"
        r"|prone|pay|suffers?|too (?:many|much|large|big|long)"
        r"|not (?:the |an? |very )?(?:best|good|great|ideal|efficient"
        r"|suitable))\b"
        r"|缺点|不足|局限|代价|太慢|慢|浪费|不能|不适合|麻烦|困难|劣势|毛病|坏处",
    ),
    _aspect(
        "advantage",
        "advantages",
        "优点",
        r"\b(?:advantages?|benefits?|pros|strengths?|upsides?|merits?|good (?:about|at|for(?!\W*$))|what(?:'s"
        r"| is) (?:so )?(?:good|great|nice|useful|special) about|gain(?:ed)? (?:by|from)|why (?:is"
        r"|are) .{2,40} (?:useful|good|popular|better))\b|优点|好处|优势|长处|有什么好|强在哪",
        r"\b(?:advantages?|benefits?|good|great|nice|useful|fast(?:er)?|quick(?:ly|er)?|efficient(?:ly)?"
        r"|cheap(?:er)?|easy|easier|simpl(?:e|er|y)|constant|only|guarantee[sd]?|better|saves?|powerful|without"
        r"|no (?:need|extra|collisions?)|always|optimal|flexible|works (?:well|better)|speed|allows?|lets?|can be"
        r"|robust)\b|优点|好处|优势|快|简单|方便|高效|省|只需|灵活|稳定|不需要|不用|节省|容易",
    ),
    _aspect(
        "cost",
        "cost",
        "代价",
        r"\b(?:costs?|overhead|price|expensive)\b(?! function)|开销|成本",
        rf"\bcosts?\b|\boverhead\b|\bexpensive\b|\bprice\b|{_GROWTH}|开销|成本|代价",
    ),
    _aspect(
        "formula",
        "formula",
        "公式",
        r"\b(?:formulas?|formulae|equations?|mathematical(?:ly)?|expressions? (?:for|of)|computed|calculated"
        r"|math(?:s)? (?:of|behind|for)|notation)\b|公式|表达式|方程|怎么算|如何计算|怎么计算",
        r"=|\bequals?\b|\b(?:times|divided by|over|plus|minus|sum|squared|log|product|transpose|inverse|formula"
        r"|equation|sigma|theta|lambda|alpha)\b|公式|等于|除以|乘以|乘|加|减|平方|求和",
    ),
    _aspect(
        "when",
        "when to use",
        "适用场合",
        r"(?<!\buntil )(?<!\btill )\bwhen (?:should|would|do|to|is it|can|might|must|are|does it make sense)\b"
        r".{0,50}\b(?:use|used|using|choose|pick|prefer|apply(?! (?:for|to the)\b)|appropriate"
        r"|good|useful|worth|need|best|helpful|better|sense|work)\b"
        r"|\bwhen (?:is|are) (?:\w+ ){1,6}(?:(?:better|preferable|preferred)\b|an? (?:good|better) (?:choice|idea|fit))"
        r"|\bwhat situations?\b|\b(?:suitable|appropriate) for\b|\bin (?:which|what) (?:cases?|situations?)\b"
        r"|什么(?:时候|情况下?|场合|场景)[^。？！]{0,8}(?:用|适合|选)|何时(?:用|使用)"
        r"|适合(?:用在|什么|哪)|适用(?:于|场)|用在(?:什么(?!地方)|哪(?![里儿]))|应用场景",
        r"\b(?:when(?:ever)?|if|use[sd]?|useful|for (?:example|problems?|data|large|small)|suitable|appropriate"
        r"|choose|prefer|good (?:for|when)|works? well|need"
        r"|as long as|situations?|cases? where)\b|当|如果|适合|适用|用于|用在"
        r"|时候|场合|需要",
    ),
    _aspect(
        "purpose",
        "what it is for",
        "用途",
        r"\b(?:used|good|useful) for(?=\W*$)|\bpurpose\b"
        r"|\bwhat(?= (?:do|did|would|will|can|should|might) (?:i|we|you|they|people|one) (?:ever |actually |really )?"
        r"(?:need|use|want) [^?.!]{1,40} for\W*$)"
        r"|用途|用来(?:做|干)|有(?:什么|啥)用|用在(?:哪|什么地方)|[有起](?:什么|啥)(?:作用|用处)",
        rf"{_APPLIED}|\b(?:good for|(?:need\w*|used?|in order) to|allows? (?:you|us)|lets (?:you|us)"
        r"|(?:algorithm|method|way|procedure|technique|tool|structure|rule|formula)s?,? (?:that|which|for|to) [a-z]+)\b"
        r"|有什么用|为了",
    ),
    _aspect(
        "application",
        "applications",
        "应用",
        r"\b(?:applications? (?:of|for|in)|applications\b|use cases?"
        r"|used in(?=\W*$)|used (?:for|in)(?= (?:in|by|now|today|practice|real)\b)"
        r"|uses? of|useful for|real[- ](?:world|life)|practical"
        r"|in practice|where (?:is|are) .{2,40} used)\b|应用|实际(?:中|用)",
        _APPLIED,
    ),
    _aspect(
        "example",
        "an example",
        "例子",
        r"\b(?:examples?|instances? of|for instance|illustrat\w+|sample|concrete case|concretely|analogy)\b|例子|举例"
        r"|\b(?:metaphors?|everyday|real[- ](?:life|world))\b|举个|实例|示例|例如|打个比方|比喻|生活中",
        r"\b(?:for example|for instance|such as|example|like|suppose|say|imagine|consider|let's (?:say|take|look)"
        r"|e\.g|everywhere)\b|: [^.,:;]{3,40}, [^.,:;]{3,40}, |\d|到处|随处|无处不|例如|比如|例子|假设|比方|像|设",
    ),
    _aspect(
        "inventor",
        "who invented it",
        "发明者",
        r"\b(?:who|whom|whose)\b.{0,40}\b(?:invented?|discover\w*|developed?|created?|proposed?|introduced?"
        r"|devised?|designed?|published|coined|came up|made|built|wrote|pioneered|formulated|thought)\b"
        r"|\b(?:inventors?|named after|father of|creator"
        r"|discoverer)\b|谁[^。？！]{0,10}(?:发明|提出|发现|创造|设计)|发明者|发明人"
        r"|提出者"
        r"|之父",
        r"\b(?:invent\w*|discover\w*|develop\w*|created|proposed|introduced|devised|designed|published|coined"
        r"|came up with|named after|named for|pioneer\w*|due to"
        r"|by (?:[A-Z]\w+)|father)\b|发明|提出|发现|创造|设计|命名|之父|开发",
    ),
    _aspect(
        "property",
        "properties",
        "性质",
        r"\b(?:propert(?:y|ies)|invariants?|characteristics?"
        r"|features of|stable|stability)\b|性质|特点|特性|特征是|稳定吗|稳定性|不变",
        r"\b(?:propert(?:y|ies)|always|every|must|never|invariant|each|stable|unstable|at most|at least|exactly)\b"
        r"|性质|特点|特性|特征|每个|总是|都|必须|稳定|至多|至少",
    ),
    Aspect("size", SIZE.en, SIZE.zh, SIZE.asked, re.compile(SIZE.said, re.IGNORECASE)),
)


@lru_cache(maxsize=64)  # one question is read by one step after another
def find_aspects(question: str) -> tuple[Aspect, ...]:
    """Every aspect that the question names, the more special first; empty when it names none."""
    return tuple(_call_by_quantity(aspect, question) for aspect in ASPECTS if aspect.asked.search(question))


def _call_by_quantity(aspect: Aspect, question: str) -> Aspect:
    """A complexity as the speed, the duration or the efficiency that the question asks for, which an amount with a unit
    tells as well; any other aspect as it is."""
    quantity = next((one for one in QUANTITIES if one.asked.search(question)), None)
    if aspect.key != "complexity" or quantity is None or _OF_ALGORITHMS.search(question):
        return aspect
    return replace(aspect, en=quantity.en, zh=quantity.zh, said=_amount_pattern(quantity))


@cache
def _amount_pattern(quantity: Quantity) -> Pattern[str]:
    """What a sentence has that tells a quantity: a complexity, or an amount of it."""
    return re.compile(f"{_TIME}|{quantity.said}", re.IGNORECASE)
