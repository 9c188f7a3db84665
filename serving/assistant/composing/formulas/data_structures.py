"""Formulas of data structures and algorithms: sizes of trees, heaps and graphs in numbers, places in arrays and hash
tables, counts of steps. Pure."""

import math
import re
from collections.abc import Callable
from fractions import Fraction

from serving.assistant.composing.formulas.formula import (
    NUMBER,
    REST,
    Formula,
    Values,
    Worked,
    format_number,
    format_rounded,
    formula,
    read_number,
    whole,
)

_RAISED = {1: "", 2: "²", 3: "³"}


def _longer(power: int) -> Callable[[Values], Worked]:
    """The time for another size where time grows with this power of the size."""

    def solve(values: Values) -> Worked:
        time, before, after = values["time"], values["before"], values["after"]
        if min(time, before, after) <= 0:
            return None
        text = f"{format_number(time)} · ({format_number(after)} / {format_number(before)}){_RAISED[power]}"
        return text, format_number(time * (after / before) ** power)

    return solve


def _of_height(most: Callable[[int], tuple[str, int]]) -> Callable[[Values], Worked]:
    """What is computed of one whole number up to 40, so that powers of two stay readable."""

    def solve(values: Values) -> Worked:
        numbers = whole(values, most=40)
        if numbers is None:
            return None
        text, value = most(numbers[0])
        return (text, str(value)) if value > 0 else None

    return solve


def _of_count(work: Callable[[int], tuple[str, str]], *, least: int = 1) -> Callable[[Values], Worked]:
    """What is computed of one whole number from `least`."""

    def solve(values: Values) -> Worked:
        numbers = whole(values, most=10**12)
        return None if numbers is None or numbers[0] < least else work(numbers[0])

    return solve


_full_by_height = _of_height(lambda h: (f"2^(h + 1) − 1 = 2^{h + 1} − 1", 2 ** (h + 1) - 1))
_full_by_levels = _of_height(lambda h: (f"2^h − 1 = 2^{h} − 1", 2**h - 1))
_leaves = _of_height(lambda h: (f"2^(h − 1) = 2^({h} − 1)", 2 ** (h - 1) if h else 0))
_hanoi = _of_height(lambda n: (f"2^n − 1 = 2^{n} − 1", 2**n - 1))
_merge_levels = _of_count(lambda n: (f"⌈log2 n⌉ + 1 = ⌈log2 {n}⌉ + 1", str((n - 1).bit_length() + 1)))
_halvings = _of_count(lambda n: (f"⌊log2 n⌋ + 1 = ⌊log2 {n}⌋ + 1", str(n.bit_length())))
_depth = _of_count(lambda n: (f"⌊log2 N⌋ = ⌊log2 {n}⌋", str(n.bit_length() - 1)))
_pairs = _of_count(lambda n: (f"n(n − 1) / 2 = {n} · {n - 1} / 2", str(n * (n - 1) // 2)))
_half_square = _of_count(lambda n: (f"about n² / 2 = {n}² / 2", f"{n * n / 2:g}" if n < 10**5 else str(n * n // 2)))
_quarter_square = _of_count(lambda n: (f"about n² / 4 = {n}² / 4", f"{n * n / 4:g}" if n < 10**5 else str(n * n // 4)))
_itself = _of_count(lambda n: (f"n = {n}", ""))
_bits = _of_count(lambda n: (f"⌈log2 {n}⌉", str((n - 1).bit_length())), least=2)  # "that one" is no number
_less_one = _of_count(lambda n: (f"n − 1 = {n} − 1", str(n - 1)))
_squared = _of_count(lambda n: (f"V² = {n}²", str(n * n)))
_doubled = _of_count(lambda n: (f"2 · {n}", str(2 * n)))


def _power(values: Values) -> Worked:
    numbers = whole(values, most=64)
    return None if numbers is None else (f"2^{numbers[0]}", str(2 ** numbers[0]))


def _load(values: Values) -> Worked:
    entries, buckets = values["entries"], values["buckets"]
    if buckets <= 0:
        return None
    return f"load factor = n / m = {format_number(entries)} / {format_number(buckets)}", format_number(
        entries / buckets
    )


def _slot(values: Values) -> Worked:
    numbers = whole(values)
    if numbers is None or numbers[1] == 0:
        return None
    key, size = numbers
    return f"{key} mod {size}", str(key % size)


def _address(values: Values) -> Worked:
    numbers = whole(values)
    if numbers is None:
        return None
    base, size, index = numbers
    return f"begin + i · size = {base} + {index} · {size}", str(base + index * size)


_INSERTED = re.compile(
    r"(?:插入?|放入?|存入?|依次|insert(?:ed|ing)?\b|add(?:ed|ing)?\b|keys?)[^\d]{0,24}"
    r"((?:\d{1,6}[、,，和 ]+(?:and )?){1,11}\d{1,6})",
    re.IGNORECASE,
)
_TABLE_SIZE = re.compile(
    r"(?:表长|长度|size|table of)[^\d%]{0,10}(\d{1,5})|(?:%|\bmod(?:ulo)?)\s?(\d{1,5})", re.IGNORECASE
)


def _linear_probing(question: str) -> Worked:
    """Where each of a question's keys comes to lie with linear probing, the last one last."""
    listed, sized = _INSERTED.search(question), _TABLE_SIZE.search(question)
    if listed is None or sized is None:
        return None
    keys, size = [int(one) for one in re.findall(r"\d+", listed[1])], int(sized[1] or sized[2])
    if not 0 < len(keys) <= size:
        return None
    taken: dict[int, int] = {}
    steps = []
    for key in keys:
        at = key % size
        while at in taken:
            at = (at + 1) % size
        taken[at] = key
        steps.append(f"{key}: {key} mod {size} = {key % size}" + (f" → {at}" if at != key % size else ""))
    return f"{'; '.join(steps)}; {keys[-1]}", str(next(at for at, key in taken.items() if key == keys[-1]))


def _count_copies(values: Values) -> Worked:
    """Elements copied in all while a dynamic array grows from one cell by doubling."""
    numbers = whole(values, most=10**7)
    if numbers is None or numbers[0] < 2:
        return None
    times = (numbers[0] - 1).bit_length()
    last = 2 ** (times - 1)
    return f"1 + 2 + 4 + … + {last} = 2 · {last} − 1", str(2 * last - 1)


def _circular(values: Values) -> Worked:
    numbers = whole(values)
    if numbers is None or numbers[0] == 0:
        return None
    size, front, rear = numbers
    return f"(rear − front + size) mod size = ({rear} − {front} + {size}) mod {size}", str((rear - front) % size)


def _heap(start: int) -> Callable[[Values], Worked]:
    """Children and parent in an array whose root stands at `start`."""

    def solve(values: Values) -> Worked:
        numbers = whole(values)
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


def _times_longer(power: int) -> Callable[[Values], Worked]:
    """How many times as long it takes for so many times as many, where time grows with this power."""

    def solve(values: Values) -> Worked:
        factor = values["factor"]
        if not 0 < factor < 10**5:
            return None
        return f"{format_number(factor)}{_RAISED[power]}", f"{format_number(factor**power)} times"

    return solve


_TOOK = re.compile(
    rf"(?P<time>{NUMBER}) ?(?P<unit>seconds?|secs?|minutes?|mins?|hours?|ms|s|秒|分钟)\b[^?？]{{0,40}}?"
    rf"\b(?:n|size|items|elements)\b ?(?:=|is|of|equals)? ?(?P<size>{NUMBER})[^?？]*?"
    rf"(?:\b(?:n|size|items|elements)\b ?(?:=|is|of|equals)? ?|\bfor )(?P<other>{NUMBER})(?![\d.]*\d)",
    re.IGNORECASE,
)


def _grown_time(power: int) -> Callable[[str], Worked]:
    """How long it takes for another size, where time grows with this power and is known for one."""

    def work(question: str) -> Worked:
        found = _TOOK.search(question)
        if found is None:
            return None
        time, size, other = (read_number(found[name]) for name in ("time", "size", "other"))
        if size <= 0 or other <= 0:
            return None
        factor = other / size
        ratio = f"({format_number(other)} / {format_number(size)}){_RAISED[power]}"
        text = f"{format_number(time)} · {ratio} = {format_number(time)} · {format_number(factor)}{_RAISED[power]}"
        return text, f"{format_number(time * factor**power)} {found['unit']}"

    return work


_PROBES_LOAD = re.compile(
    rf"\b(?:load factor|alpha|α) ?(?:=|is|of)? ?(?P<load>{NUMBER})"
    r"|\b(?:size|of|with|has) (?P<size>\d{1,7})\b(?: \w+){0,2}\D{0,20}?(?P<keys>\d{1,7}) (?:keys?|items?|entries)",
    re.IGNORECASE,
)


def _probes(question: str) -> Worked:
    """The probes that linear probing takes on average for a hit and for a miss, by Knuth: ½ (1 + 1/(1 − α)) and
    ½ (1 + 1/(1 − α)²)."""
    found = _PROBES_LOAD.search(question)
    if found is None:
        return None
    load = read_number(found["load"]) if found["load"] else Fraction(int(found["keys"]), int(found["size"]) or 1)
    if not 0 < load < 1:
        return None
    hit, miss = ((1 + 1 / (1 - load) ** power) / 2 for power in (1, 2))
    of_hit = f"α = {format_number(load)}: a hit takes ½ · (1 + 1 / (1 − α)) = {format_number(hit)}"
    text = f"{of_hit}, a miss ½ · (1 + 1 / (1 − α)²)"
    return text, format_number(miss)


def _log2(values: Values) -> Worked:
    number = values["n"]
    if number <= 0:
        return None
    power = math.log2(number)
    return f"log2 {format_number(number)}", f"{power:g}" if power.is_integer() else format_rounded(power)


def _n_log_n_longer(values: Values) -> Worked:
    """The time for another size where time grows with n log n."""
    time, before, after = values["time"], values["before"], values["after"]
    if time <= 0 or min(before, after) <= 1:
        return None
    new, old = format_number(after), format_number(before)
    sizes = f"({new} · log2 {new}) / ({old} · log2 {old})"
    times = float(after / before) * math.log2(after) / math.log2(before)
    return f"{format_number(time)} · {sizes}", format_rounded(float(time) * times)


def _n_log_n(values: Values) -> Worked:
    numbers = whole(values)
    if numbers is None or numbers[0] < 1:
        return None
    n = numbers[0]
    steps = n * math.log2(n)
    return f"n · log2 n = {n} · log2 {n}", str(int(steps)) if steps.is_integer() else f"≈ {steps:.0f}"


_HEAP = r"\bheap\b|堆|完全二叉树|\bcomplete binary tree"
_HEAP_ASKED = (
    r"^(?=.*(?:\bheap\b|堆|完全二叉树|\bcomplete binary tree))"
    r"(?=.*(?:\b(?:child(?:ren)?|parent|kids?)\b|孩子|子(?:结点|节点)|父|双亲)).*"
)
_ROOT_AT = (
    r"(?:root|根)[^.。?？;；]{{0,24}}?(?<!\d){start}(?!\d)|(?:start\w*|begin\w*|从|下标)[^.。?？;；]{{0,14}}?"
    r"(?<!\d){start}(?!\d)(?:开始|\b)|{start}-(?:based|indexed)"
)
_ROOT_1, _ROOT_0 = _ROOT_AT.format(start=1), _ROOT_AT.format(start=0) + r"|zero-(?:based|indexed)"
_NODE = (
    r"\b(?:nodes?|key|element|item|index|position|slot|nr|number)\b\.?\s*(?:at\s*)?(?:index|position|number|slot|no\.?|#)?\s*"
    r"(?!(?:0|1)\b)(?:=\s*)?#|(?<!\d)#(?=\s*号)|(?:下标|编号|结点|节点|位置|第)(?:为|是)?\s*(?!(?:0|1)(?!\d))#"
)
_CHILDREN_FROM_0 = (
    r"\b(?:two|2) ?\*?i (?:plus|\+) (?:one|1) and (?:at )?(?:two|2) ?\*?i (?:plus|\+) (?:two|2)\b|2i加1[^。]{0,9}2i加2"
)
_CHILDREN_FROM_1 = r"\b(?:two|2) ?\*?[ik] and (?:at )?(?:two|2) ?\*?[ik] (?:plus|\+) (?:one|1)\b|左孩子就?是2i(?!加)"
"""How the material says where a heap's array begins, by where the children of a node stand."""
_ITEMS = (
    r"items?|elements?|objects?|sites?|keys?|entries|numbers?|records?|values?|nodes?|元素|个数|数据|结点|节点|对象|n"
)
_COUNTED = r"\b(?:how many|how often|number of|at most|most|max(?:imum)?)\b|多少|几|最多"
_MOST_NODES = r"(?=.*(?:\b(?:full|perfect|at most|most|maximum|max)\b|满二叉树|最多))"
_EDGES_OF_HEIGHT = r"\bone node has height zero\b|\btwo to the h plus one\b"
_ONE_BY_ONE = r"\b(?:selection|bubble) sort|选择排序|冒泡排序"
_GROWTH = r"(?:\b(?:longer|more (?:time|steps|work)|slower|times (?:as|more|longer)|factor|how much)\b|几倍|多少倍|倍)"
_FACTOR = {
    "factor": r"#\s*(?:times|x\b|-fold|倍)(?! (?:as long|longer|more|slower))|\b(?:by|times|factor of) #"
    r"|(?:变成|扩大|增[大加])[^\d]{0,6}#\s*倍"
}
_DOUBLES = r"\b(?:doubl\w+|twice)\b|翻一?倍|加倍"


def _for_double(power: int) -> Callable[[str], Worked]:
    return lambda _: (f"2{_RAISED[power]}", f"{2**power} times")


_DEGREES_LISTED = re.compile(
    r"(?:\bdegrees?\b|度)[^\d]{0,14}((?:\d{1,3}[、,， ]+(?:and )?){1,15}\d{1,3})", re.IGNORECASE
)


def _edges_of_degrees(question: str) -> Worked:
    """Half of the sum of the degrees that a question lists."""
    found = _DEGREES_LISTED.search(question)
    degrees = [int(one) for one in re.findall(r"\d+", found[1])] if found is not None else []
    if len(degrees) < 2 or sum(degrees) % 2:
        return None
    return f"({' + '.join(map(str, degrees))}) / 2", str(sum(degrees) // 2)


_KEYS = r"(?: ?(?:is|是|:|：|为))? ?((?:[A-Z][, 、，]?){3,26})(?![A-Za-z])"
_PREORDER = re.compile(rf"(?:[Pp]re-?order|先序|前序)(?:遍历|序列)?{_KEYS}")
_INORDER = re.compile(rf"(?:[Ii]n-?order|中序)(?:遍历|序列)?{_KEYS}")


def _postorder(question: str) -> Worked:
    """The postorder of a binary tree by its preorder and its inorder, each key once."""
    before, within = _PREORDER.search(question), _INORDER.search(question)
    if before is None or within is None:
        return None
    first, middle = (re.sub(r"\W", "", found[1]) for found in (before, within))
    if len(first) != len(set(first)) or sorted(first) != sorted(middle):
        return None
    found = _after(first, middle)
    return None if found is None else (f"{first} + {middle} → ", found)


def _after(first: str, middle: str) -> str | None:
    """The postorder of a tree by its preorder and inorder; `None` where no tree has them."""
    if not first:
        return ""
    at = middle.index(first[0])
    if set(first[1 : at + 1]) != set(middle[:at]):
        return None
    left, right = _after(first[1 : at + 1], middle[:at]), _after(first[at + 1 :], middle[at + 1 :])
    return None if left is None or right is None else f"{left}{right}{first[0]}"


def _lower_bound(values: Values) -> Worked:
    """The comparisons that sorting by comparing pairs takes in the worst case at least: log2 n! rounded up."""
    numbers = whole(values, most=1000)
    if numbers is None or numbers[0] < 2:
        return None
    return f"⌈log2 {numbers[0]}!⌉", str((math.factorial(numbers[0]) - 1).bit_length())


DATA_STRUCTURES: tuple[Formula, ...] = (
    formula(
        r"\bload factor\b|装填因子|负载因子|装载因子|\bchains?\b.*\b(?:on average|average|long)\b"
        r"|\baverage\b.*\bchains?\b",
        r"\bload factor\b|装填因子|负载因子|装载因子|\bhash table\b|哈希表|散列表",
        {
            "entries": r"\b(?:entries|keys?|items?|elements?|pairs|records?|values?)\b"
            r"|元素|关键字|记录|键值?对?|数据",
            "buckets": r"\b(?:buckets?|slots?|cells?|positions?|spaces?)\b"
            r"|\b(?:table|array)(?: size| length)?(?: of| is| with)?(?: size| length)?"
            r"|槽|桶|表的?长度?|地址|单元|位置",
        },
        _load,
    ),
    formula(
        r"^(?=.*(?:\bhash\w*|\bbuckets?\b|哈希|散列|除留余数))(?=.*(?:\b(?:where|which|what|go|goes|land|index|slot"
        r"|bucket)\b"
        r"|哪|几|位置|地址))(?=.*(?:\bmod\w*\b|%|取余|取模|余)).*",
        r"\bhash|哈希|散列",
        {
            "key": r"\bkey\b|关键字|键",
            "size": r"\b(?:table|array)\b(?: of)?(?: size| length)?|\bsize\b|\b(?:slots?|buckets?)\b"
            r"|\bmod(?:ulo)?\b|%|表的?长度?",
        },
        _slot,
    ),
    formula(rf"{_HEAP_ASKED}(?:{_ROOT_1})", _HEAP, {"node": _NODE}, _heap(1)),
    formula(rf"{_HEAP_ASKED}(?:{_ROOT_0})", _HEAP, {"node": _NODE}, _heap(0)),
    formula(_HEAP_ASKED, _CHILDREN_FROM_1, {"node": _NODE}, _heap(1)),
    formula(_HEAP_ASKED, _CHILDREN_FROM_0, {"node": _NODE}, _heap(0)),
    formula(
        r"^(?=.*(?:\b(?:full|perfect|complete) binary tree|满二叉树))(?=.*(?:\b(?:leaves|leaf)\b|叶子?))"
        r".*(?:\bhow many\b|\bnumber of\b|多少|几)",
        r"\bbinary tree|二叉树",
        {"levels": r"\blevels?\b|\bdepth\b|层|深度|高度?"},
        _leaves,
    ),
    formula(
        rf"^(?=.*\bbinary tree){_MOST_NODES}(?=.*\bnodes?\b)(?=.*\bheight\b).*",
        _EDGES_OF_HEIGHT,
        {"height": r"\bheight\b"},
        _full_by_height,
    ),
    formula(
        rf"^(?=.*(?:\bbinary tree|二叉树))(?!.*(?:(?<![A-Za-z])AVL|平衡|\bsearch\b|搜索|查找)){_MOST_NODES}"
        r".*(?:\bnodes?\b|结点|节点)",
        r"\bbinary tree|二叉树",
        {"levels": r"\blevels?\b|层|深度|高度?"},
        _full_by_levels,
    ),
    formula(
        rf"^(?=.*(?:\bbinary search(?! tree)|二分查找|折半查找|二分搜索))(?=.*(?:{_COUNTED})).*",
        r"\bbinary search\b|二分查找|折半查找|二分搜索",
        {"n": REST},
        _halvings,
    ),
    formula(
        r"^(?=.*\b(?:complete binary tree|heap)\b)(?=.*\b(?:height|high|tall|deep|depth)\b).*",
        r"\bheight\b[^.]{0,40}\bedges\b|\bone node has height zero\b"
        r"|\b(?:height|depth) of\b[^.]{0,60}\b(?:floor of|integer (?:less|smaller) than|at most) (?:log|lg)\b",
        {"n": _ITEMS},
        _depth,
    ),
    formula(
        r"^(?=.*完全二叉树)(?=.*(?:高度?|多高|几层|层数|深度)).*",
        r"根结点在第一层|从一开始(?:数|算)",
        {"n": _ITEMS},
        _halvings,
    ),
    formula(
        r"^(?=.*\bweighted (?:quick[- ]?)?union)(?=.*\b(?:depth|height|deep|tall)\b).*",
        r"\bweighted\b",
        {"n": _ITEMS},
        _depth,
    ),
    formula(
        rf"^(?=.*(?:{_ONE_BY_ONE}))(?=.*(?:\b(?:compar\w+)\b|比较)).*(?:\bhow many\b|\bnumber of\b|多少|几)",
        _ONE_BY_ONE,
        {"n": REST},
        _pairs,
    ),
    formula(
        r"^(?=.*(?:\binsertion sort|插入排序))(?=.*(?:\b(?:compar\w+|steps?|shifts?|moves?)\b|比较|移动))"
        r"(?=.*(?:\b(?:reverse\w*|worst|descending|backwards?|decreasing)\b|逆序|倒序|最坏)).*(?:\bhow many\b|多少|几)",
        r"(?s)\binsertion sort\b.*\bn squared over two\b",
        {"n": REST},
        _half_square,
    ),
    formula(
        r"^(?=.*(?:\binsertion sort|插入排序))(?=.*(?:\b(?:compar\w+|shifts?|moves?)\b|比较|移动))"
        r"(?=.*(?:\b(?:reverse\w*|worst|descending|backwards?|decreasing)\b|逆序|倒序|最坏)).*(?:\bhow many\b|多少|几)",
        r"\binsertion sort\b|插入排序",
        {"n": REST},
        _pairs,
    ),
    formula(
        r"^(?=.*(?:\binsertion sort|插入排序))(?=.*(?:\b(?:compar\w+|exchanges?|steps?|shifts?|moves?)\b|比较|移动))"
        r"(?=.*(?:\b(?:average|random\w*|typical\w*)\b|平均|随机)).*(?:\bhow many\b|多少|几)",
        r"\bn(?: squared|\^2|²) ?(?:over|/) ?(?:four|4)\b|\bquarter n squared\b|n²/4",
        {"n": REST},
        _quarter_square,
    ),
    formula(
        r"^(?=.*\bselection sort)(?=.*\b(?:exchanges?|swaps?)\b).*\bhow many\b",
        r"\bexactly n exchanges\b|\bn exchanges\b",
        {"n": REST},
        _itself,
    ),
    formula(
        r"^(?=.*\bselection sort)(?=.*\b(?:exchanges?|swaps?)\b).*\bhow many\b",
        r"\bn (?:minus|-|−) ?(?:one|1) (?:exchanges|swaps)\b",
        {"n": REST},
        _less_one,
    ),
    formula(
        r"^(?=.*\bunions?\b)(?=.*\bhow many\b)(?=.*\b(?:all connected|connected|one (?:set|component|tree))\b).*",
        r"\bunion\b",
        {"n": _ITEMS},
        _less_one,
    ),
    formula(
        r"^(?=.*\b(?:n log n|merge ?sort|quick ?sort|heap ?sort)\b)(?=.*\b(?:how long|how much time)\b).*",
        r"\bn (?:log|lg) n\b|\bn times log n\b",
        {
            "time": r"#\s*(?:s|sec(?:ond)?s?|ms|milliseconds?|min(?:ute)?s?|h|hours?)(?![a-z])",
            "before": r"\b(?:for|with|on|to sort)\s+#(?=.*\b(?:how long|how much time)\b)",
            "after": r"\b(?:how long|how much time)\b.*?(?<![\d.])#",
        },
        _n_log_n_longer,
    ),
    *(
        formula(
            rf"^(?=.*(?:{order}))(?=.*(?:\bhow long\b|\bhow much time\b|多久|多长时间|多少(?:时间|秒))).*",
            r"\bO\(|\bO of\b|\bbig O\b|\bcomplexity\b|复杂度|大O",
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
    *(
        one
        for power, order in (
            (2, r"\bO\(n ?(?:\^|\*\*)? ?[2²]\)|\bquadratic\b|\bn squared\b|n²|平方"),
            (3, r"\bO\(n ?(?:\^|\*\*)? ?[3³]\)|\bcubic\b|\bn cubed\b|n³|立方"),
        )
        for one in (
            Formula(
                re.compile(
                    rf"^(?=.*(?:{order}))(?=.*\bhow (?:long|much time|many (?:seconds|minutes))\b).*", re.IGNORECASE
                ),
                re.compile(rf"{order}", re.IGNORECASE),
                _grown_time(power),
            ),
            Formula(
                re.compile(rf"^(?=.*(?:{order}))(?=.*(?:{_DOUBLES}))(?=.*{_GROWTH}).*", re.IGNORECASE),
                re.compile(r"\bO\(|\bO of\b|\bbig O\b|\bcomplexity\b|复杂度|大O", re.IGNORECASE),
                _for_double(power),
            ),
            formula(
                rf"^(?=.*(?:{order}))(?=.*{_GROWTH}).*",
                r"\bO\(|\bO of\b|\bbig O\b|\bcomplexity\b|复杂度|大O",
                _FACTOR,
                _times_longer(power),
            ),
        )
    ),
    formula(
        r"^(?=.*(?:\bmerge ?sort|\brecursion tree|\bT\(n\) ?= ?2 ?T\(n ?/ ?2\)))(?=.*\blevels?\b)(?=.*\bhow many\b).*",
        r"\bmerge sort\b|\brecursion tree\b",
        {"n": rf"\bn ?(?:=|is|equals) ?#|#\s*(?:{_ITEMS})"},
        _merge_levels,
    ),
    formula(
        r"^(?=.*\b(?:merge ?sort|quick ?sort|heap ?sort|n log n)\b)(?=.*\b(?:how many|roughly|about|approximately)\b)"
        r"(?=.*\b(?:steps?|compar(?:isons?|es)|operations?)\b).*",
        r"\bn (?:log|lg) n\b|\bn times log n\b",
        {"n": REST},
        _n_log_n,
    ),
    formula(
        r"\bhanoi\b|汉诺塔", r"\bhanoi\b|汉诺塔", {"n": r"\b(?:discs?|disks?|rings?|plates?)\b|盘子?|圆盘"}, _hanoi
    ),
    formula(
        r"^(?=.*\baddress\b)(?=.*\b(?:array|element|index)\b).*|^(?=.*(?:地址|存储位置))(?=.*(?:数组|顺序表|元素)).*",
        r"\baddress\b[^.]{0,60}\b(?:array|element)|\barray\b[^.]{0,60}\baddress|地址",
        {
            "base": r"\b(?:begin\w*|start\w*|base|first)\b(?: \w+){0,4}? (?:is |= ?)?#|(?:起始|首|开始)[^\d]{0,8}#",
            "size": r"#\s*(?:bytes?|字节)|\bbytes?\b|字节",
            "index": (
                r"\bindex #",
                r"\b(?:index|position|element|number|i|nr)\b(?: (?:number|with index|at index|at|with|=|is))? ?#"
                r"|(?:下标|编号)(?:为|是)?\s*#",
            ),
        },
        _address,
    ),
    Formula(
        re.compile(r"^(?=.*\blinear prob\w+)(?=.*\bprobes?\b)(?=.*\b(?:average|expected|hits?|miss(?:es)?)\b).*", re.I),
        re.compile(r"\blinear probing\b", re.IGNORECASE),
        _probes,
    ),
    Formula(
        re.compile(r"\blinear prob\w+|线性探测|线性探查", re.IGNORECASE),
        re.compile(r"\blinear probing\b|线性探测|线性探查", re.IGNORECASE),
        _linear_probing,
    ),
    formula(
        r"^(?=.*\bdynamic array\b)(?=.*\bdoubl\w+)(?=.*\bcop(?:y|ied|ies)\b)(?=.*\bhow (?:many|often)\b).*",
        r"\bdynamic array\b",
        {
            "n": r"\b(?:append(?:ed|ing)?|insert(?:ed|ing)?|add(?:ed|ing)?|after)\b(?: \w+)?? #"
            r"|#\s*(?:elements?|appends?)"
        },
        _count_copies,
    ),
    formula(
        r"^(?=.*(?:\bcircular\b|\bring buffer\b|循环队列))(?=.*(?:\bhow many\b|\blength\b|多少|几|长度)).*",
        r"\bcircular\b|循环队列",
        {
            "size": r"\b(?:size|capacity|length|slots?)\b|长度|容量|大小|空间",
            "front": r"(?:队头|头指针)?(?<![a-z])(?:front|head)(?![a-z])|队头|头指针",
            "rear": r"(?:队尾|尾指针)?(?<![a-z])(?:rear|tail|back|end)(?![a-z])|队尾|尾指针",
        },
        _circular,
    ),
    formula(
        r"^(?=.*(?:\badjacency matrix\b|邻接矩阵))(?=.*(?:\b(?:how (?:many|big|large|much)|size|entries|cells|memory"
        r"|space)\b|多少|几|多大)).*",
        r"\badjacency matrix\b|邻接矩阵",
        {"n": r"\b(?:vertices|vertex|nodes?|points?)\b|顶点|结点|节点|点"},
        _squared,
    ),
    Formula(
        re.compile(r"^(?=.*(?:\bdegrees?\b|度))(?=.*(?:\bhow many edges\b|(?:几|多少)条?边)).*", re.IGNORECASE),
        re.compile(r"\b(?:twice|two times|double) the (?:number of )?edges|\bdegrees?\b|边数的(?:两|二|2)倍", re.I),
        _edges_of_degrees,
    ),
    Formula(
        re.compile(r"\bpost-?order\b|后序", re.IGNORECASE),
        re.compile(r"\bpost-?order\b|后序", re.IGNORECASE),
        _postorder,
    ),
    formula(
        r"^(?=.*(?:\blower bound\b|下界|至少))(?=.*(?:\bcompar\w+\b|比较?|比几))(?=.*(?:\bsort\w*\b|排序?)).*",
        r"\bfactorial\b|\blower bound\b|阶乘",
        {"n": REST},
        _lower_bound,
    ),
    formula(
        r"^(?=.*(?:\bdegrees?\b|度))(?=.*(?:\b(?:sum|total|add\w*|together)\b|总和|之和|加起来|总共|一共)).*",
        r"\b(?:twice|two times|double) the (?:number of )?edges|\bdegrees?\b|边数的(?:两|二|2)倍",
        {"edges": r"\bedges?\b|条?边"},
        _doubled,
    ),
    formula(
        r"^(?=.*(?:\bcomplete graph\b|\bundirected\b.*\b(?:at most|most|maximum|max)\b|\bmost\b.*\bundirected\b"
        r"|\bmax(?:imum)?\b.*\bundirected\b|无向图.*最多|最多.*无向图|\bevery (?:pair|two)\b"
        r"|\beach (?:is )?connected to (?:all|every)|完全图|两两))"
        r"(?=.*(?:\bedges?\b|边)).*",
        r"\bgraph\b|图",
        {"n": r"\b(?:vertices|vertex|nodes?|points?)\b|顶点|结点|节点|点"},
        _pairs,
    ),
    formula(
        r"^(?=.*(?:\btree\b|树))(?=.*(?:\bhow many edges\b|\bnumber of edges\b|(?:多少|几)条?边)).*",
        r"\btree\b|树",
        {"n": r"\b(?:vertices|vertex|nodes?)\b|顶点|结点|节点"},
        _less_one,
    ),
    formula(
        r"\b(?:lg|log2|log(?:arithm)? base (?:2|two)|binary log(?:arithm)?)\b ?(?:of )?\(? ?\d",
        r"\b(?:log\w*|lg)\b|对数",
        {"n": r"\b(?:lg|log2|log(?:arithm)? base (?:2|two)|binary log(?:arithm)?)\b ?(?:of )?\(? ?#"},
        _log2,
    ),
    formula(
        r"^(?=.*(?:\bhow many bits\b|(?:多少|几)个?(?:位|比特)))(?=.*(?:\b(?:need\w*|require\w*|enough|take"
        r"|to (?:number|store|represent|address|encode|count|tell))\b|需要|编码|区分)).*",
        r"\bbits?\b|二进制|比特",
        {"n": REST},
        _bits,
    ),
    formula(
        r"^(?=.*(?:\bhow many\b|多少|几))(?=.*(?:\bbits?\b|位))(?=.*(?:\b(?:values?|numbers?|address\w*"
        r"|states?|symbols?"
        r"|colou?rs?|characters?|combinations|locations?)\b|数(?!据)|地址|值|状态|字符|单元|情况))(?!.*(?:像素|字节)).*",
        r"\bbits?\b|二进制|位",
        {
            "bits": r"[- ]?bits?(?!.{0,60}\bhow many\b.{0,40}\d[- ]?bits?)"
            r"|\s?位(?!.{0,40}\d\s?位.{0,12}(?:多少|几))"
        },
        _power,
    ),
)
"""In this order the first that fits is applied."""
