"""Formulas of the courses' subjects with the numbers of a question put in. Pure.

A formula is applied only where the material speaks of what it is about: `FORMULAS` names the words that must stand
there. What is worked out shows the formula and the numbers, so that whoever reads it can check both. Belongs here: a
formula that textbooks agree on, with the wording that asks for it.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from re import Pattern

_NUMBER = r"[-−]?\d{1,9}(?:\.\d{1,6})?(?:\s?%)?"
_LINK = r"\s*(?:rate\s*)?(?:is|was|=|equals?|of|at|:|：|是|为|等于|有)?\s*(?:about |only |exactly )?"
_EQUALS = r"\s*(?:rate\s*)?(?:=|equals?|:|：|等于)\s*"
"""What says that a number is what stands before it, so that it is not one behind another number: "P = 0.8 R = 0.6"."""

Values = Mapping[str, Fraction]


@dataclass(frozen=True)
class Formula:
    """`asked` finds the wording that asks for it, `spoken_of` what the material must say. `needs` are its numbers by
    name, each with the wording beside it; `solve` gives the sum as it is shown and its value, or `None` where the
    numbers do not fit."""

    asked: Pattern[str]
    spoken_of: Pattern[str]
    needs: Mapping[str, str]
    solve: Callable[[Values], tuple[str, str] | None]


def apply_formula(question: str, material: str) -> tuple[str, str] | None:
    """The first formula that a question asks for, whose numbers it gives and which the material speaks of."""
    for formula in FORMULAS:
        if not formula.asked.search(question) or not formula.spoken_of.search(material):
            continue
        found = {name: _number_beside(wording, question) for name, wording in formula.needs.items()}
        places = [match.span(match.lastindex or 0) for match in found.values() if match is not None]
        if len(set(places)) < len(found):  # a number is missing, or stands for two things
            continue
        values = {name: _value_of(match) for name, match in found.items() if match is not None}
        if (solved := formula.solve(values)) is not None:
            return solved
    return None


def _number_beside(wording: str, question: str) -> re.Match[str] | None:
    """Where the number beside a wording is: said to be it, else behind it or before it; `#` in the wording is where
    the number stands."""
    if "#" in wording:
        return re.search(wording.replace("#", f"({_NUMBER})(?![\\d.]*\\d)"), question, re.IGNORECASE)
    equal = re.search(rf"(?:{wording}){_EQUALS}({_NUMBER})(?![A-Za-z.]*\d)", question, re.IGNORECASE)
    return equal or re.search(
        rf"(?:{wording}){_LINK}({_NUMBER})(?![A-Za-z.]*\d)|(?<![A-Za-z0-9.])({_NUMBER})\s*(?:个"
        rf"|条)?\s*(?:{wording})",
        question,
        re.IGNORECASE,
    )


def _value_of(found: re.Match[str]) -> Fraction:
    text = next(group for group in found.groups() if group).replace("−", "-").replace(" ", "")
    return Fraction(text.rstrip("%")) / (100 if text.endswith("%") else 1)


def shown(value: Fraction) -> str:
    """A number as it is read: whole, as a short decimal, or rounded to six figures."""
    if value.denominator == 1:
        return str(value.numerator)
    decimal = f"{float(value):.6g}"
    return decimal if Fraction(decimal) == value else f"≈ {float(value):.4g}"


def _whole(values: Values, most: int = 10**9) -> list[int] | None:
    """The numbers where all are whole, not negative and at most `most`."""
    listed = list(values.values())
    return [int(one) for one in listed] if all(one.denominator == 1 and 0 <= one <= most for one in listed) else None


def _f1(values: Values) -> tuple[str, str] | None:
    p, r = values["precision"], values["recall"]
    if not (0 <= p <= 1 and 0 <= r <= 1 and p + r > 0):
        return None
    return f"F1 = 2PR / (P + R) = 2 · {shown(p)} · {shown(r)} / ({shown(p)} + {shown(r)})", shown(2 * p * r / (p + r))


def _share(name: str, first: str, other: str, whole: str) -> Callable[[Values], tuple[str, str] | None]:
    def solve(values: Values) -> tuple[str, str] | None:
        a, b = values[first], values[other]
        if a < 0 or b < 0 or a + b == 0:
            return None
        return f"{name} = {whole} = {shown(a)} / ({shown(a)} + {shown(b)})", shown(a / (a + b))

    return solve


def _step(values: Values) -> tuple[str, str] | None:
    rate, slope = values["rate"], values["gradient"]
    return f"change = −α · gradient = −{shown(rate)} · {shown(slope)}", shown(-rate * slope)


def _after_step(values: Values) -> tuple[str, str] | None:
    start, rate, slope = values["start"], values["rate"], values["gradient"]
    return (
        f"θ − α · gradient = {shown(start)} − {shown(rate)} · {shown(slope)}",
        shown(start - rate * slope),
    )


def _line(values: Values) -> tuple[str, str]:
    at_zero, slope, x = values["intercept"], values["slope"], values["x"]
    return f"h(x) = θ0 + θ1 · x = {shown(at_zero)} + {shown(slope)} · {shown(x)}", shown(at_zero + slope * x)


def _network(values: Values) -> tuple[str, str] | None:
    numbers = _whole(values, most=10**5)
    if numbers is None:
        return None
    here, hidden, out = numbers
    total = (here + 1) * hidden + (hidden + 1) * out
    return f"({here} + 1) · {hidden} + ({hidden} + 1) · {out} (each layer with a bias unit)", str(total)


def _majority(values: Values) -> tuple[str, str] | None:
    share = values["share"]
    return (f"accuracy = 1 − {shown(share)}", shown(1 - share)) if 0 <= share <= 1 else None


def _longer(power: int) -> Callable[[Values], tuple[str, str] | None]:
    """The time for another size where time grows with this power of the size."""

    def solve(values: Values) -> tuple[str, str] | None:
        time, before, after = values["time"], values["before"], values["after"]
        if min(time, before, after) <= 0:
            return None
        raised = {1: "", 2: "²", 3: "³"}[power]
        return f"{shown(time)} · ({shown(after)} / {shown(before)}){raised}", shown(time * (after / before) ** power)

    return solve


def _area(values: Values) -> tuple[str, str]:
    return f"|det| · area = {shown(abs(values['det']))} · {shown(values['area'])}", shown(
        abs(values["det"]) * values["area"]
    )


def _full_tree_by_height(values: Values) -> tuple[str, str] | None:
    numbers = _whole(values, most=40)
    return None if numbers is None else (f"2^(h + 1) − 1 = 2^{numbers[0] + 1} − 1", str(2 ** (numbers[0] + 1) - 1))


def _merge_levels(values: Values) -> tuple[str, str] | None:
    numbers = _whole(values)
    if numbers is None or numbers[0] < 1:
        return None
    n = numbers[0]
    return f"⌈log2 n⌉ + 1 = ⌈log2 {n}⌉ + 1", str((n - 1).bit_length() + 1)


def _scaled(values: Values) -> tuple[str, str] | None:
    x, mean, spread = values["x"], values["mean"], values["spread"]
    if spread == 0:
        return None
    return f"(x − μ) / s = ({shown(x)} − {shown(mean)}) / {shown(spread)}", shown((x - mean) / spread)


def _load(values: Values) -> tuple[str, str] | None:
    entries, buckets = values["entries"], values["buckets"]
    if buckets <= 0:
        return None
    return f"load factor = n / m = {shown(entries)} / {shown(buckets)}", shown(entries / buckets)


def _slot(values: Values) -> tuple[str, str] | None:
    numbers = _whole(values)
    if numbers is None or numbers[1] == 0:
        return None
    key, size = numbers
    return f"{key} mod {size}", str(key % size)


def _heap(start: int) -> Callable[[Values], tuple[str, str] | None]:
    """Children and parent in an array whose root stands at `start`."""

    def solve(values: Values) -> tuple[str, str] | None:
        numbers = _whole(values)
        if numbers is None or numbers[0] < start:
            return None
        at = numbers[0]
        left = 2 * at + 1 - start
        children = f"2 · {at} = {left}, 2 · {at} + 1 = {left + 1}"
        above = f"⌊{at} / 2⌋ = {at // 2}"
        if start == 0:
            children = f"2 · {at} + 1 = {left}, 2 · {at} + 2 = {left + 1}"
            above = f"⌊({at} − 1) / 2⌋ = {(at - 1) // 2}"
        text = f"{at} → children: {children}" + (f"; parent: {above}" if at > start else "")
        return text, ""

    return solve


def _full_tree(values: Values) -> tuple[str, str] | None:
    numbers = _whole(values, most=40)
    return None if numbers is None else (f"2^h − 1 = 2^{numbers[0]} − 1", str(2 ** numbers[0] - 1))


def _leaves(values: Values) -> tuple[str, str] | None:
    numbers = _whole(values, most=40)
    if numbers is None or numbers[0] < 1:
        return None
    return f"2^(h − 1) = 2^({numbers[0]} − 1)", str(2 ** (numbers[0] - 1))


def _halvings(values: Values) -> tuple[str, str] | None:
    numbers = _whole(values)
    if numbers is None or numbers[0] < 1:
        return None
    n = numbers[0]
    return f"⌊log2 n⌋ + 1 = ⌊log2 {n}⌋ + 1", str(n.bit_length())


def _depth(values: Values) -> tuple[str, str] | None:
    numbers = _whole(values)
    if numbers is None or numbers[0] < 1:
        return None
    return f"⌊log2 N⌋ = ⌊log2 {numbers[0]}⌋", str(numbers[0].bit_length() - 1)


def _quarter_turn(values: Values) -> tuple[str, str]:
    x, y = values["x"], values["y"]
    return f"({shown(x)}, {shown(y)}) ↦ (−y, x)", f"({shown(-y)}, {shown(x)})"


def _pairs(values: Values) -> tuple[str, str] | None:
    numbers = _whole(values)
    if numbers is None:
        return None
    n = numbers[0]
    return f"n(n − 1) / 2 = {n} · {n - 1} / 2", str(n * (n - 1) // 2)


def _less_one(values: Values) -> tuple[str, str] | None:
    numbers = _whole(values)
    return None if numbers is None or numbers[0] < 1 else (f"n − 1 = {numbers[0]} − 1", str(numbers[0] - 1))


def _power(values: Values) -> tuple[str, str] | None:
    numbers = _whole(values, most=64)
    return None if numbers is None else (f"2^{numbers[0]}", str(2 ** numbers[0]))


def _sigmoid(values: Values) -> tuple[str, str] | None:
    z = values["z"]
    if abs(z) > 50:
        return None
    value = 1 / (1 + math.exp(-float(z)))
    exact = Fraction(f"{value:.4g}")
    return f"g({shown(z)}) = 1 / (1 + e^(−({shown(z)})))", shown(exact) if z == 0 else f"≈ {value:.4g}"


def _weights(values: Values) -> tuple[str, str] | None:
    numbers = _whole(values, most=10**5)
    if numbers is None:
        return None
    here, following = numbers
    return f"{following} × ({here} + 1) = {following} × {here + 1}", str(following * (here + 1))


def _asks(pattern: str) -> Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_HEAP = r"\bheap\b|堆"
_HEAP_ASKED = r"^(?=.*(?:\bheap\b|堆))(?=.*(?:\b(?:child(?:ren)?|parent|kids?)\b|孩子|子(?:结点|节点)|父|双亲)).*"
_ROOT_AT = (
    r"(?:root|根)[^.。?？;；]{{0,24}}?(?<!\d){start}(?!\d)|(?:start\w*|begin\w*|从|下标)[^.。?？;；]{{0,14}}?"
    r"(?<!\d){start}(?!\d)(?:开始|\b)|{start}-(?:based|indexed)"
)
_ROOT_1, _ROOT_0 = _ROOT_AT.format(start=1), _ROOT_AT.format(start=0) + r"|zero-(?:based|indexed)"
_NODE = (
    r"\b(?:nodes?|key|element|item|index|position|slot|nr|number)\b\.?\s*(?:at\s*)?(?:index|position|number|slot|no\.?|#)?\s*"
    r"(?!(?:0|1)\b)(?:=\s*)?#|(?:下标|编号|结点|节点|位置|第)(?:为|是)?\s*(?!(?:0|1)(?!\d))#"
)
_CHILDREN_FROM_0 = (
    r"\b(?:two|2) ?\*?i (?:plus|\+) (?:one|1) and (?:at )?(?:two|2) ?\*?i (?:plus|\+) (?:two|2)\b|2i加1[^。]{0,9}2i加2"
)
_CHILDREN_FROM_1 = r"\b(?:two|2) ?\*?[ik] and (?:at )?(?:two|2) ?\*?[ik] (?:plus|\+) (?:one|1)\b|左孩子就?是2i(?!加)"
"""How the material says where a heap's array begins, by where the children of a node stand."""
_POSITIVES = r"true positives?|TPs?|真(?:正|阳)(?:例|性)?"
_FALSE = r"false positives?|FPs?|假(?:正|阳)(?:例|性)?"
_MISSED = r"false negatives?|FNs?|假(?:负|阴)(?:例|性)?"
_ITEMS = (
    r"items?|elements?|objects?|sites?|keys?|entries|numbers?|records?|values?|nodes?|元素|个数|数据|结点|节点|对象|n"
)

FORMULAS: tuple[Formula, ...] = (
    Formula(
        _asks(r"\bf[- ]?(?:1|one)?[- ]?(?:score|measure|value)\b|\bf1\b"),
        _asks(r"\bf[- ]?(?:1|one)?[- ]?(?:score|measure)\b|\bprecision\b|查准|精确率"),
        {"precision": r"precision|\bP\b|查准率|精确率", "recall": r"recall|\bR\b|查全率|召回率"},
        _f1,
    ),
    Formula(
        _asks(r"\bprecision\b|查准率|精确率"),
        _asks(r"\bprecision\b|查准|精确率"),
        {"tp": _POSITIVES, "fp": _FALSE},
        _share("precision", "tp", "fp", "TP / (TP + FP)"),
    ),
    Formula(
        _asks(r"\brecall\b|查全率|召回率"),
        _asks(r"\brecall\b|查全|召回"),
        {"tp": _POSITIVES, "fn": _MISSED},
        _share("recall", "tp", "fn", "TP / (TP + FN)"),
    ),
    Formula(
        _asks(r"\baccuracy\b|准确率|正确率"),
        _asks(r"\bskewed\b|\baccuracy\b|准确率"),
        {
            "share": r"\balways (?:predict|say|guess)\w*\b.*?(?<![\d.])#\s*(?:of\b|are\b|have\b)"
            r"|(?<![\d.])#\s*(?:of\b|are\b|have\b)(?=.*\balways (?:predict|say|guess)\w*\b)"
        },
        _majority,
    ),
    Formula(
        _asks(r"\b(?:h|hypothesis|predict\w*|output|value|y)\b"),
        _asks(r"\blinear regression\b|\bhypothesis\b|线性回归"),
        {
            "intercept": r"\btheta[ _]?(?:0|zero)\b|θ_?0|\bintercept\b",
            "slope": r"\btheta[ _]?(?:1|one)\b|θ_?1|\bslope\b",
            "x": r"\bx\b|\bsize\b",
        },
        _line,
    ),
    Formula(
        _asks(r"^(?=.*\bhow many\b)(?=.*\b(?:parameters?|weights?)\b).*"),
        _asks(r"\bneural network"),
        {
            "here": r"#\s*(?:inputs?|features?|input (?:units?|features?))\b",
            "hidden": r"#\s*hidden\b",
            "out": r"#\s*(?:outputs?|class(?:es)?)\b",
        },
        _network,
    ),
    Formula(
        _asks(r"^(?=.*(?:\b(?:step|update|iteration)\w*\b|更新)).*"),
        _asks(r"\bgradient descent\b|\blearning rate\b|梯度下降|学习率"),
        {
            "start": r"\btheta[ _]?\d?\b|θ_?\d?|\bw\b|\bparameter\b|\bweight\b|参数",
            "rate": r"\balpha\b|α|learning rate|学习率",
            "gradient": r"\bgradient\b(?! descent)|\bderivative\b|\bslope\b|梯度(?!下降)|导数|斜率",
        },
        _after_step,
    ),
    Formula(
        _asks(r"^(?=.*(?:\b(?:step|change|update|move)\w*\b|更新|改变|变化)).*"),
        _asks(r"\bgradient descent\b|\blearning rate\b|梯度下降|学习率"),
        {
            "rate": r"\balpha\b|α|learning rate|学习率",
            "gradient": r"\bgradient\b|\bderivative\b|\bslope\b|梯度|导数|斜率",
        },
        _step,
    ),
    Formula(
        _asks(r"\b(?:mean normali[sz]\w*|feature scal\w*|normali[sz]e[ds]?|scaled|standardi[sz]\w*)\b|归一化|标准化"),
        _asks(r"\bnormali[sz]|\bfeature scaling\b|归一化|标准化"),
        {
            "x": r"\bvalue\b|\bx\d?\b|\bfeature\b|特征值?|\bexample\b|\bwhat (?:is|does)\b",
            "mean": r"\b(?:mean|average)\b(?! normal)|均值|平均值?",
            "spread": r"\b(?:range|standard deviation|std|deviation|spread)\b|范围|标准差",
        },
        _scaled,
    ),
    Formula(
        _asks(r"\b(?:sigmoid|logistic)\b"),
        _asks(r"\b(?:sigmoid|logistic)\b"),
        {"z": r"\b(?:z|x|input|sigmoid(?: function)?(?: of| at)?|g)\b\s*\(?"},
        _sigmoid,
    ),
    Formula(
        _asks(r"\b(?:theta\d?|weight matrix|weights?|parameters?|matrix)\b"),
        _asks(r"\bneural network|神经网络"),
        {
            "here": r"\blayers?\b[^.?]{0,24}?\b(?:has|have|with|of)\s*#\s*(?:units?|neurons?|nodes?)"
            r"|\blayers?\b[^.?]{0,24}?\b(?:has|have|with|of)\s*#\s*(?:inputs?|features?)|#\s*(?:units?|neurons?|nodes?)",
            "following": r"(?:next|second|following|layer (?:2|two|j ?\+ ?1))[^.?]{0,24}?#"
            r"\s*(?:units?|neurons?|nodes?)?",
        },
        _weights,
    ),
    Formula(
        _asks(r"\bload factor\b|装填因子|负载因子|装载因子"),
        _asks(r"\bload factor\b|装填因子|负载因子|装载因子|\bhash table\b|哈希表|散列表"),
        {
            "entries": r"\b(?:entries|keys?|items?|elements?|pairs|records?|values?)\b"
            r"|元素|关键字|记录|键值?对?|数据",
            "buckets": r"\b(?:buckets?|slots?|cells?|positions?|spaces?)\b"
            r"|\b(?:table|array)(?: size| length)?(?: of| is| with)?(?: size| length)?"
            r"|槽|桶|表的?长度?|地址|单元|位置",
        },
        _load,
    ),
    Formula(
        _asks(
            r"^(?=.*(?:\bhash\w*|\bbuckets?\b|哈希|散列))(?=.*(?:\b(?:where|which|what|go|goes|land|index|slot"
            r"|bucket)\b"
            r"|哪|几|位置|地址))(?=.*(?:\bmod\w*\b|%|取余|取模|余)).*"
        ),
        _asks(r"\bhash|哈希|散列"),
        {
            "key": r"\bkey\b|关键字|键",
            "size": r"\b(?:table|array)\b(?: of)?(?: size| length)?|\bsize\b|\b(?:slots?|buckets?)\b"
            r"|\bmod(?:ulo)?\b|%|表的?长度?",
        },
        _slot,
    ),
    Formula(_asks(rf"{_HEAP_ASKED}(?:{_ROOT_1})"), _asks(_HEAP), {"node": _NODE}, _heap(1)),
    Formula(_asks(rf"{_HEAP_ASKED}(?:{_ROOT_0})"), _asks(_HEAP), {"node": _NODE}, _heap(0)),
    Formula(_asks(_HEAP_ASKED), _asks(_CHILDREN_FROM_1), {"node": _NODE}, _heap(1)),
    Formula(_asks(_HEAP_ASKED), _asks(_CHILDREN_FROM_0), {"node": _NODE}, _heap(0)),
    Formula(
        _asks(
            r"^(?=.*(?:\b(?:full|perfect|complete) binary tree|满二叉树))(?=.*(?:\b(?:leaves|leaf)\b|叶子?))"
            r".*(?:\bhow many\b|\bnumber of\b|多少|几)"
        ),
        _asks(r"\bbinary tree|二叉树"),
        {"levels": r"\blevels?\b|\bdepth\b|层|深度|高度?"},
        _leaves,
    ),
    Formula(
        _asks(r"^(?=.*\b(?:full|perfect) binary tree)(?=.*\bnodes?\b)(?=.*\bheight\b).*"),
        _asks(r"\bone node has height zero\b|\btwo to the h plus one\b"),
        {"height": r"\bheight\b"},
        _full_tree_by_height,
    ),
    Formula(
        _asks(r"^(?=.*(?:\b(?:full|perfect) binary tree|满二叉树)).*(?:\bnodes?\b|结点|节点)"),
        _asks(r"\bbinary tree|二叉树"),
        {"levels": r"\blevels?\b|层|深度|高度?"},
        _full_tree,
    ),
    Formula(
        _asks(
            r"^(?=.*(?:\bbinary search(?! tree)|二分查找|折半查找|二分搜索))(?=.*(?:\bhow (?:many|often)\b"
            r"|\bnumber of\b|\bmost\b"
            r"|多少|几|最多)).*"
        ),
        _asks(r"\bbinary search\b|二分查找|折半查找|二分搜索"),
        {"n": _ITEMS},
        _halvings,
    ),
    Formula(
        _asks(r"^(?=.*\b(?:complete binary tree|heap)\b)(?=.*\bheight\b).*"),
        _asks(r"\bheight\b[^.]{0,40}\bedges\b|\bone node has height zero\b"),
        {"n": _ITEMS},
        _depth,
    ),
    Formula(
        _asks(r"^(?=.*完全二叉树)(?=.*(?:高度?|多高|几层|层数|深度)).*"),
        _asks(r"根结点在第一层|从一开始(?:数|算)"),
        {"n": _ITEMS},
        _halvings,
    ),
    Formula(
        _asks(
            r"^(?=.*\b90\b)(?=.*(?:counter-? ?clockwise|anti-?clockwise|逆时针)).*(?:\bvector\b|\bpoint\b|向量|点)"
        ),
        _asks(r"\brotat|旋转"),
        {"x": r"\(\s*#\s*,", "y": r"\([^,()]{1,12},\s*#\s*\)"},
        _quarter_turn,
    ),
    Formula(
        _asks(r"^(?=.*\bweighted (?:quick[- ]?)?union)(?=.*\b(?:depth|height|deep|tall)\b).*"),
        _asks(r"\bweighted\b"),
        {"n": _ITEMS},
        _depth,
    ),
    Formula(
        _asks(
            r"^(?=.*(?:\b(?:selection|bubble) sort|选择排序|冒泡排序))(?=.*(?:\b(?:compar\w+)\b|比较))"
            r".*(?:\bhow many\b|\bnumber of\b|多少|几)"
        ),
        _asks(r"\b(?:selection|bubble) sort|选择排序|冒泡排序"),
        {"n": _ITEMS},
        _pairs,
    ),
    *(
        Formula(
            _asks(rf"^(?=.*(?:{order}))(?=.*(?:\bhow long\b|\bhow much time\b|多久|多长时间|多少(?:时间|秒))).*"),
            _asks(r"\bO\(|\bO of\b|\bbig O\b|\bcomplexity\b|复杂度|大O"),
            {
                "time": r"#\s*(?:s|sec(?:ond)?s?|ms|milliseconds?|min(?:ute)?s?|h|hours?|秒|毫秒|分钟)(?![a-z])",
                "before": r"\b(?:for|with|on|to sort)\s+#(?=.*(?:\bhow long\b|\bhow much time\b))"
                r"|#\s*个(?=.*多)",
                "after": r"(?:\bhow long\b|\bhow much time\b).*?(?<![\d.])#|#\s*个(?!.*个)",
            },
            _longer(power),
        )
        for power, order in (
            (2, r"\bO\(n(?:\^|\*\*)?[2²]\)|\bquadratic\b|n²|平方"),
            (3, r"\bO\(n(?:\^|\*\*)?[3³]\)|\bcubic\b|n³|立方"),
            (1, r"\bO\(n\)|\blinear\b|线性"),
        )
    ),
    Formula(
        _asks(r"^(?=.*\bmerge ?sort)(?=.*\blevels?\b)(?=.*\bhow many\b).*"),
        _asks(r"\bmerge sort\b"),
        {"n": _ITEMS},
        _merge_levels,
    ),
    Formula(
        _asks(r"^(?=.*\bdeterminant\b)(?=.*\barea\b).*"),
        _asks(r"\bdeterminant\b"),
        {"det": r"\bdeterminant\b", "area": r"\barea\b"},
        _area,
    ),
    Formula(
        _asks(
            r"^(?=.*(?:\bcomplete graph\b|\bundirected\b.*\b(?:at most|most|maximum|max)\b|\bmost\b.*\bundirected\b"
            r"|\bmax(?:imum)?\b.*\bundirected\b|无向图.*最多|最多.*无向图|\bevery (?:pair|two)\b"
            r"|\beach (?:is )?connected to (?:all|every)|完全图|两两))"
            r"(?=.*(?:\bedges?\b|边)).*"
        ),
        _asks(r"\bgraph\b|图"),
        {"n": r"\b(?:vertices|vertex|nodes?|points?)\b|顶点|结点|节点|点"},
        _pairs,
    ),
    Formula(
        _asks(r"^(?=.*(?:\btree\b|树))(?=.*(?:\bhow many edges\b|\bnumber of edges\b|(?:多少|几)条?边)).*"),
        _asks(r"\btree\b|树"),
        {"n": r"\b(?:vertices|vertex|nodes?)\b|顶点|结点|节点"},
        _less_one,
    ),
    Formula(
        _asks(
            r"^(?=.*(?:\bhow many\b|多少|几))(?=.*(?:\bbits?\b|位))(?=.*(?:\b(?:values?|numbers?|address\w*"
            r"|states?|symbols?"
            r"|colou?rs?|characters?|combinations|locations?)\b|数|地址|值|状态|字符|单元|情况)).*"
        ),
        _asks(r"\bbits?\b|二进制|位"),
        {"bits": r"[- ]?bits?|\s?位"},
        _power,
    ),
)  # fmt: skip
"""In this order the first that fits is applied."""
