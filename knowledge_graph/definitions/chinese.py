"""How Chinese speakers and writers word a definition, with what each wording is worth.

Belongs here: the wordings and the parts they are made of.
"""

from knowledge_graph.definitions.patterns import Pattern, pattern

_QUOTE = r"[”\"」』]?"
_SUBJECT = r"^(?:所谓的?|一[个种类棵]|这[个种]|什么是|[“\"「『])*$"
_CLAUSE = r"[，,：: ](?:所谓的?|一[个种类棵]|[“\"「『])*$"
_ANYWHERE = r"(?:^|[，, ])(?:所谓的?|[“\"「『])*$"
_KINDS = r"(?:算法|方法|函数|模型|问题|操作|结构|技术|思想|概念|过程)?"
_ALSO = r"(?:[，,]\s?(?:又称|也称|也叫|简称)[^，,。]{1,20}[，,])?"
_SYMBOL = r"(?: ?[a-z][a-z\d]{0,3} ?)?"
_ASIDE = rf"{_KINDS}{_QUOTE}(?:\s?[(（][^)）]{{1,40}}[)）])?{_SYMBOL}{_ALSO}[ ，,]?(?:它|这|其)?"
_IS = r"(?:就|也|其实|实际上|本质上|通常|都)*是(?!不是|否)"
_KIND = (
    r"(?:一[种个类门项组套棵张段条系]|指|由|用来|用于|把|将|为了|对|通过|具有|描述|衡量|从|以|按|两|多|这样的?|每|带|有|"
    r"含|没有|能|可以|给|根据|先|最|左|右|[^，。 ]{4,}的)(?!很好|非常|不错|重要|好的)"
)
_CALLED = r"叫做|叫作|称为|称作|称之为|被称为|被叫做|名为|称其为|记作|就是所谓的"
_OF_PURPOSE = r"的(?:定义|意思|(?:基本|核心|主要)?(?:思想|思路|想法)|目的|作用|含义|任务|目标|功能|特点)(?:就|也)?是"
_COMPUTED = r"[^，。\d]{2,}(?:除以|减去|减|加上|加|乘以|乘)[^，。\d]{2,}"
_DOES = r"(?:(?:说|讲)的是|用来|用于|由|描述|衡量|包含|包括|分为|指|表示|要求|允许|能够|试图|通过|做的)"

CHINESE: tuple[Pattern, ...] = (
    pattern("X是指", 1.05, _ANYWHERE, rf"{_ASIDE}(?:就|也)*(?:是指|指的就?是|被?定义为|意味着|表示的?是?)"),
    pattern("所谓X就是", 1.05, r"所谓的?[“\"「『]?$", rf"{_ASIDE}(?:就|也)*是"),
    pattern("X是一种", 1.0, _SUBJECT, rf"{_ASIDE}{_IS}{_KIND}"),
    pattern("X等于", 0.9, _SUBJECT, rf"{_ASIDE}(?:就|也)?(?:等于|是){_COMPUTED}"),
    pattern("X的定义是", 0.9, _SUBJECT, rf"{_KINDS}{_QUOTE}{_OF_PURPOSE}"),
    pattern(
        "叫做X", 0.8, rf".{{8}}(?:{_CALLED})(?:一个|一种)?[“\"「『]?$", rf"{_QUOTE}(?:[，,。；;！ ]|$)", names=True
    ),
    pattern("的叫X", 0.65, r".{6}[的，,](?:就|也)?叫[“\"「『]?$", rf"{_QUOTE}(?:[，,。；;！ ]|$)", names=True),
    pattern("，X是一种", 0.75, _CLAUSE, rf"{_ASIDE}{_IS}{_KIND}"),
    pattern("X用来", 0.75, _SUBJECT, rf"{_ASIDE}(?:可以|被|主要|常|通常)*{_DOES}"),
    pattern("X就是", 0.6, _SUBJECT, rf"{_ASIDE}就是\S{{6,}}"),
    pattern("在X中，我们", 0.5, r"^(?:在|对于)$", rf"{_KINDS}(?:里|中|当中|来说)?[，, ]?(?:我们|你|每)"),
    pattern("用X来", 0.5, r"(?:^|[，, ]|我们|可以)(?:使用|利用|运用|采用|用)$", rf"{_KINDS}(?:来|去)\S{{4,}}"),
)
"""The wordings, the most telling first."""
