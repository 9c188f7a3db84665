"""A little arithmetic that is asked for by name, worked out exactly: remainders, means, what is asked of vectors and
of 2 by 2 matrices. Expressions that stand in a question are `expressions`'. Pure."""

import math
import operator
import re
from fractions import Fraction

from serving.assistant.composing.expressions import show, work_out_expression

_ALONE, _ENDS = r"(?<![A-Za-z0-9.])", r"(?![A-Za-z0-9.]*\d)(?![A-Za-z])"
_BINARY = r"(?:binary|base[- ]?2|二进制)(?! (?:search|tree|heap)s?)"
_FROM_BINARY = re.compile(
    rf"{_BINARY}[^\d]{{0,14}}{_ALONE}([01]{{2,40}}){_ENDS}|{_ALONE}([01]{{2,40}}){_ENDS}[^\d]{{0,14}}{_BINARY}",
    re.IGNORECASE,
)
_ONLY_BITS = re.compile(
    rf"{_ALONE}([01]{{4,40}}){_ENDS}[^\d]{{0,14}}(?:\b(?:to|into|in)|成|为|用|的)"
    r" ?(?:a )?(?:decimal|base[- ]?10|十进制)",
    re.IGNORECASE,
)
"""A number of ones and zeros that is to be put into base 10 is in base 2, said or not."""
_DECIMAL = re.compile(r"decimal|base[- ]?10|(?:normal|regular|ordinary|usual) numbers?\b|十进制", re.IGNORECASE)
_TO_BINARY = re.compile(
    rf"{_ALONE}(\d{{1,12}}){_ENDS}[^\d]{{0,14}}(?:\b(?:to|into|in|as)|成|为|用|的)\s*(?:a )?{_BINARY}", re.IGNORECASE
)
_IS_SUM = re.compile(r"\d ?[+*/×·-] ?\d")
"""What is to be worked out in base 2, and not put into it: 1 + 1."""
_LOG = re.compile(r"\blog(?: base)?[ _-]?2 ?(?:of|\()? ?(\d{1,12})\b|(?<!\d)(\d{1,12}) ?以2为底的对数", re.IGNORECASE)


def find_named_value(question: str) -> tuple[str, str] | None:
    """What is asked for by name, and its value; `None` where nothing is: a number in base 2, 10 or 16 in another of
    them, a whole logarithm to base 2, or a sum of `_by_name`."""
    found = _FROM_BINARY.search(question) or _ONLY_BITS.search(question)
    if found is not None and _DECIMAL.search(question):
        digits = next(group for group in found.groups() if group)
        return f"{digits} (base 2)", f"{int(digits, 2)} (base 10)"
    if (found := _TO_BINARY.search(question)) is not None and _IS_SUM.search(question) is None:
        return f"{int(found[1])} (base 10)", f"{int(found[1]):b} (base 2)"
    if (found := _LOG.search(question)) is not None:
        number = int(found[1] or found[2])
        return (f"log2({number})", str(number.bit_length() - 1)) if number.bit_count() == 1 else None
    if (found := _FROM_HEX.search(question)) is not None:
        digits = found[1] or found[2]
        return f"{digits} (base 16)", f"{int(digits, 16)} (base 10)"
    if (found := _TO_HEX.search(question)) is not None:
        return f"{int(found[1])} (base 10)", f"{int(found[1]):X} (base 16)"
    return _by_name(question)


_FROM_HEX = re.compile(
    r"(?<!\w)0x([0-9a-f]{1,10})(?![0-9a-zA-Z_])|(?:hex(?:adecimal)?|十六进制)[^\d]{0,14}?\b([0-9a-f]{2,10})\b",
    re.IGNORECASE,
)
_TO_HEX = re.compile(
    rf"{_ALONE}(\d{{1,12}}){_ENDS}[^\d]{{0,14}}(?:\b(?:to|into|in|as)|成|为|用|的)\s*(?:hex|base[- ]?16|十六进制)",
    re.IGNORECASE,
)

_NUMBER = r"[-−]?\d{1,9}(?:\.\d{1,6})?"
_MOD = re.compile(
    r"(?<![\w.])(\d{1,12}) ?(?:mod(?:ulo)?|%) ?(\d{1,12})(?![\w.])|(\d{1,12}) ?除以 ?(\d{1,12})[^。？！]{0,4}余",
    re.IGNORECASE,
)
_FACTORIAL = re.compile(
    r"(?<![\w.])(\d{1,2})!(?!=)|\bfactorial (?:of )?\(?(\d{1,2})\b|(?<!\d)(\d{1,2}) ?的阶乘", re.IGNORECASE
)
_ROOT = re.compile(
    r"\b(?:sqrt|square root)(?: of)? ?\(?(\d{1,12})\b|√ ?(\d{1,12})|(\d{1,12}) ?的?(?:算术)?平方根", re.IGNORECASE
)
_UP_TO = re.compile(
    r"\bsum (?:of )?(?:all )?(?:the )?(?:(?:natural )?(?:numbers|integers) )?(?:from )?1 (?:to|through|up to)"
    r" (\d{1,6})(?![\w.])"
    r"|(?<![\d.])1 ?加到 ?(\d{1,6})(?!\d)",
    re.IGNORECASE,
)
_CHOOSE = re.compile(r"(?<![\w.])(\d{1,2}) choose (\d{1,2})(?![\w.])", re.IGNORECASE)
_POSTFIX = re.compile(
    rf"(?<![\w.])(?:{_NUMBER}\s+){{2,12}}[-+*/](?:\s+(?:{_NUMBER}|[-+*/])){{0,12}}(?=\s|[.?？。!,]|$)"
)
_EXPONENTIAL = re.compile(rf"(?<!\w)e ?\^ ?\(?({_NUMBER})\)?(?![\w.])", re.IGNORECASE)
_MEAN = re.compile(
    rf"\b(?:average|mean) of (?:the numbers )?((?:{_NUMBER}(?:\s*,\s*(?:and )?|\s+and\s+"
    rf"|\s+))+{_NUMBER})(?![\w.])",
    re.IGNORECASE,
)
_CHINESE_LIST = re.compile(rf"{_NUMBER}(?:[、,，和 ]++{_NUMBER})++")
_OF_WHICH_THE_MEAN = re.compile(r" ?的平均")
_LIST = rf"[(\[<]\s*({_NUMBER}(?:[\s,;]+{_NUMBER}){{1,5}})\s*[)\]>]"
_ROWS = rf"\[\s*\[?\s*({_NUMBER})[\s,]+({_NUMBER})\s*\]?\s*[,;]\s*\[?\s*({_NUMBER})[\s,]+({_NUMBER})\s*\]?\s*\]"
_COLUMNS = re.compile(r"\bcolumns?\b|列", re.IGNORECASE)
_ROWS_SAID = (
    rf"\b(?:first |top |left )?(?:rows?|columns?) (?:of (?:the|my|a) matrix )?(?:is |are "
    rf"|of )?\[?\(?({_NUMBER})[\s,]+(?:and )?({_NUMBER})\)?\]?\W+(?:and )?(?:the )?(?:second |bottom |right )?"
    rf"(?:row |column )?(?:is )?\[?\(?({_NUMBER})[\s,]+(?:and )?({_NUMBER})"
    rf"|第?[一1][行列]\D{{0,4}}({_NUMBER})[\s,，]+({_NUMBER})\D{{1,4}}第?[二2][行列]\D{{0,4}}({_NUMBER})[\s,，]+({_NUMBER})"
)


def _by_name(question: str) -> tuple[str, str] | None:
    """A remainder, factorial, root or mean that is asked for, or something of vectors or of a 2 by 2 matrix."""
    if (found := _MOD.search(question)) is not None:
        left, right = (int(one) for one in found.groups() if one is not None)
        return (f"{left} mod {right}", str(left % right)) if right else None
    if (found := _FACTORIAL.search(question)) is not None:
        number = int(next(one for one in found.groups() if one is not None))
        return (f"{number}!", str(math.factorial(number))) if number <= _MOST_FACTORIAL else None
    if (found := _ROOT.search(question)) is not None:
        number = int(next(one for one in found.groups() if one is not None))
        return f"√{number}", _root(number)
    if (found := _UP_TO.search(question)) is not None:
        number = int(next(one for one in found.groups() if one is not None))
        return f"1 + 2 + … + {number} = {number} · {number + 1} / 2", str(number * (number + 1) // 2)
    if (found := _POSTFIX.search(question)) is not None and (value := _postfix(found.group().split())) is not None:
        return found.group().strip(), show(value)
    if (found := _EXPONENTIAL.search(question)) is not None and abs(power := Fraction(found[1].replace("−", "-"))) < 50:
        return f"e^{show(power)}", "1" if power == 0 else f"≈ {math.exp(power):.6g}"
    if (found := _CHOOSE.search(question)) is not None and int(found[2]) <= int(found[1]):
        return f"C({found[1]}, {found[2]})", str(math.comb(int(found[1]), int(found[2])))
    if numbers := _find_numbers_to_average(question):
        return f"({' + '.join(map(show, numbers))}) / {len(numbers)}", show(sum(numbers, Fraction(0)) / len(numbers))
    return _of_sizes(question) or _of_vectors(question)


_SIZE = re.compile(r"(?<![\w.])(\d{1,6}) ?(?:x|×|by|-by-|乘) ?(\d{1,6})(?![\w.])", re.IGNORECASE)
_HOW_BIG = re.compile(
    r"\b(?:how (?:big|large)|size|dimensions?|shape|what (?:do|does) .{0,20} get)\b|多大|几乘几|维度|大小",
    re.IGNORECASE,
)
_PRODUCT_OF = re.compile(
    r"\b(?:times|multipl\w+|product|matri\w+)\b|(?<!\d) ?[*×·] ?(?!\d)|\b([A-Z])x?([A-Z])\b|矩阵|相乘", re.IGNORECASE
)


def _of_sizes(question: str) -> tuple[str, str] | None:
    """The size of the product of two matrices whose sizes are given, both ways round where they differ."""
    sizes = [(int(one[1]), int(one[2])) for one in _SIZE.finditer(question)]
    if len(sizes) != 2 or not (_HOW_BIG.search(question) and _PRODUCT_OF.search(question)):
        return None
    (rows, inner), (other, columns) = sizes
    if inner != other:
        return f"{rows} × {inner} · {other} × {columns}", f"none: {inner} columns do not fit {other} rows"
    turned = "" if columns == rows else f"; the other way round {columns} columns do not fit {rows} rows"
    return f"{rows} × {inner} · {other} × {columns}", f"{rows} × {columns}{turned}"


def _postfix(tokens: list[str]) -> Fraction | None:
    """The value of an expression in postfix notation; `None` where the signs do not fit the numbers."""
    stack: list[Fraction] = []
    for token in tokens:
        if token not in _SIGNS:
            stack.append(Fraction(token.replace("−", "-")))
            continue
        if len(stack) < 2 or (token == "/" and stack[-1] == 0):
            return None
        right, left = stack.pop(), stack.pop()
        stack.append(_SIGNS[token](left, right))
    return stack[0] if len(stack) == 1 else None


_SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def _find_numbers_to_average(question: str) -> list[Fraction]:
    """The numbers whose mean is asked for; none where it is not."""
    if (found := _MEAN.search(question)) is not None:
        return _numbers(found[1])
    listed = _CHINESE_LIST.finditer(question)  # each list once, as long as it is: what follows is looked at after
    return next((_numbers(one.group()) for one in listed if _OF_WHICH_THE_MEAN.match(question, one.end())), [])


_MOST_FACTORIAL = 20
_DETERMINANT = re.compile(r"\bdet(?:erminant)?\b|行列式", re.IGNORECASE)
_DOT = re.compile(r"\b(?:dot|scalar|inner) product\b|\bdot\b|点[积乘]|内积", re.IGNORECASE)
_CROSS = re.compile(r"\b(?:cross|vector) product\b|\bcross\b(?! (?:entropy|validation))|叉[积乘]|外积", re.IGNORECASE)
_DISTANCE = re.compile(r"\bdistance\b|\bhow far\b|距离", re.IGNORECASE)
_CENTRE = re.compile(r"\b(?:centroid|cent(?:er|re)|mean|average)\b|质心|中心|平均", re.IGNORECASE)
_LENGTH = re.compile(r"\b(?:length|norm|magnitude) of\b|的?(?:长度|模长|范数)", re.IGNORECASE)
_VECTOR = re.compile(_LIST)
_MATRICES = re.compile(f"{_ROWS}|{_ROWS_SAID}", re.IGNORECASE)


_EIGENVALUES = re.compile(r"\beigen ?values?\b|特征值|本征值", re.IGNORECASE)
_INVERSE = re.compile(r"\binver(?:se|t)\b|逆矩阵|的逆", re.IGNORECASE)
_ADDED = re.compile(r"\b(?:plus|sum of|add)\b|\+|相加|之和|加", re.IGNORECASE)
_JOINED = re.compile(r"\b(?:plus|sum of|add)\b|[)\]] ?\+ ?[(\[]|相加|之和|加", re.IGNORECASE)
_TAKEN = re.compile(r"\bminus\b|[)\]] ?[-−] ?[(\[]|相减|减", re.IGNORECASE)


_TRACE = re.compile(r"\btrace of\b|的?迹(?![象近])", re.IGNORECASE)
_RANK = re.compile(r"\brank of\b|的?秩(?!序)", re.IGNORECASE)
_MULTIPLIED = re.compile(r"\btimes\b|\bmultipl\w+|\bproduct\b|\] ?[*·×x]? ?\[|相乘|乘", re.IGNORECASE)
_ANGLE = re.compile(r"\bangle between\b|夹角", re.IGNORECASE)
_DEPENDENT = re.compile(r"\blinear(?:ly)? (?:in)?dependen\w+|线性[无相]关", re.IGNORECASE)


def _entries(found: re.Match[str]) -> list[Fraction]:
    return [Fraction(one.replace("−", "-")) for one in found.groups() if one is not None]


def _rows_of(found: re.Match[str]) -> list[Fraction]:
    """The entries row by row, also where the columns are said."""
    a, b, c, d = _entries(found)
    return [a, c, b, d] if _COLUMNS.search(found.group()) else [a, b, c, d]


def _of_matrices(question: str, left: re.Match[str], right: re.Match[str]) -> tuple[str, str] | None:
    """The product, the sum or the difference of two 2 by 2 matrices."""
    (a, b, c, d), (e, f, g, h) = _entries(left), _entries(right)
    between = question[left.end() : right.start()]
    named = (
        f"[{_show_numbers([a, b])}, {_show_numbers([c, d])}] {{}} [{_show_numbers([e, f])}, {_show_numbers([g, h])}]"
    )
    for sign, asked, work in (("+", _ADDED, operator.add), ("−", _MINUS, operator.sub)):
        if asked.search(between) or (sign == "+" and _ADDED.search(question[: left.start()])):
            rows = [list(map(work, *pair)) for pair in (([a, b], [e, f]), ([c, d], [g, h]))]
            return named.format(sign), f"[{_show_numbers(rows[0])}, {_show_numbers(rows[1])}]"
    if not (_MULTIPLIED.search(question) or between.strip() in ("*", "·", "×", "x", "")):
        return None
    product = [[a * e + b * g, a * f + b * h], [c * e + d * g, c * f + d * h]]
    return named.format("·"), f"[{_show_numbers(product[0])}, {_show_numbers(product[1])}]"


_MINUS = re.compile(r"\bminus\b|^ ?[-−] ?$|减", re.IGNORECASE)


def _of_matrix(question: str) -> tuple[str, str] | None:
    """The determinant, eigenvalues, inverse, trace or rank of a 2 by 2 matrix, what it makes of a vector, or what two
    of them make."""
    matrices = list(_MATRICES.finditer(question))
    if not matrices or len(matrices) > 2:
        return None
    if len(matrices) == 2:
        return _of_matrices(question, *matrices)
    found = matrices[0]
    a, b, c, d = _rows_of(found)
    det, trace = a * d - b * c, a + d
    said = [_bracket(one) for one in (a, d, b, c)]
    product = f"{said[0]} · {said[1]} − {said[2]} · {said[3]}"
    if _EIGENVALUES.search(question):
        return _eigenvalues(trace, det)
    if _DETERMINANT.search(question):
        return product, show(det)
    if _TRACE.search(question):
        return f"{_bracket(a)} + {_bracket(d)}", show(trace)
    if _RANK.search(question):
        rank = 2 if det else 1 if any((a, b, c, d)) else 0
        return f"det = {product} = {show(det)}; rank", str(rank)
    if _INVERSE.search(question):
        if det == 0:
            return f"det = {product}", "0, so there is no inverse"
        listed = [show(one / det) for one in (d, -b, -c, a)]
        return f"1 / ({product}) · [[{show(d)}, {show(-b)}], [{show(-c)}, {show(a)}]]", (
            f"[[{listed[0]}, {listed[1]}], [{listed[2]}, {listed[3]}]]"
        )
    rest = question[: found.start()] + question[found.end() :]
    vectors = [_numbers(one) for one in _VECTOR.findall(rest)]
    if len(vectors) == 1 and len(vectors[0]) == 2:
        x, y = vectors[0]
        rows = [
            f"{_bracket(left)} · {_bracket(x)} + {_bracket(right)} · {_bracket(y)}" for left, right in ((a, b), (c, d))
        ]
        return f"({rows[0]}, {rows[1]})", _show_numbers([a * x + b * y, c * x + d * y])
    return None


def _eigenvalues(trace: Fraction, det: Fraction) -> tuple[str, str]:
    """The roots of λ² − trace · λ + det, exactly where they are rational."""
    expression = f"λ² − {_bracket(trace)} · λ + {_bracket(det)} = 0, λ"
    inside = trace * trace - 4 * det
    if inside < 0:
        return expression, "no real number"
    root = _root(inside)
    if root.startswith("≈"):
        low, high = ((float(trace) + sign * math.sqrt(inside)) / 2 for sign in (-1, 1))
        return expression, f"≈ {low:.6g} or {high:.6g}"
    exact = Fraction(math.isqrt(inside.numerator), math.isqrt(inside.denominator))
    roots = sorted({(trace - exact) / 2, (trace + exact) / 2})
    return expression, " or ".join(map(show, roots))


def _of_vectors(question: str) -> tuple[str, str] | None:
    if (worked := _of_matrix(question)) is not None:
        return worked
    vectors = [_numbers(one) for one in _VECTOR.findall(question)]
    if vectors and (worked := work_out_expression(question)) is not None:
        return worked
    if len(vectors) == 1 and _LENGTH.search(question):
        square = sum((one * one for one in vectors[0]), Fraction(0))
        return f"√({' + '.join(f'{_bracket(one)}²' for one in vectors[0])})", _root(square)
    if len(vectors) > 1 and len({len(one) for one in vectors}) == 1 and _CENTRE.search(question):
        sums = [sum(column, Fraction(0)) for column in zip(*vectors, strict=True)]
        added = " + ".join(map(_show_numbers, vectors))
        return f"({added}) / {len(vectors)}", _show_numbers([one / len(vectors) for one in sums])
    if len(vectors) != 2 or len(vectors[0]) != len(vectors[1]):
        return None
    return _of_two(question, *vectors)


def _of_two(question: str, left: list[Fraction], right: list[Fraction]) -> tuple[str, str] | None:
    """What is asked of two vectors of one length."""
    if _ANGLE.search(question):
        return _angle(left, right)
    if _DISTANCE.search(question):
        apart = [a - b for a, b in zip(left, right, strict=True)]
        return f"√({' + '.join(f'{_bracket(one)}²' for one in apart)})", _root(sum((d * d for d in apart), Fraction(0)))
    if _DEPENDENT.search(question) and len(left) == 2:
        det = left[0] * right[1] - left[1] * right[0]
        rows = [_bracket(one) for one in (left[0], right[1], left[1], right[0])]
        said = "0: linearly dependent" if det == 0 else f"{show(det)} ≠ 0: linearly independent"
        return f"{rows[0]} · {rows[1]} − {rows[2]} · {rows[3]}", said
    if _CROSS.search(question) and len(left) == 3:
        value = [left[i] * right[j] - left[j] * right[i] for i, j in ((1, 2), (2, 0), (0, 1))]
        return f"{_show_numbers(left)} × {_show_numbers(right)}", _show_numbers(value)
    if _CROSS.search(question) and len(left) == 2:
        a, d, b, c = (_bracket(one) for one in (left[0], right[1], left[1], right[0]))
        return f"{a} · {d} − {b} · {c}", show(left[0] * right[1] - left[1] * right[0])
    if _DOT.search(question):
        products = " + ".join(f"{_bracket(a)} · {_bracket(b)}" for a, b in zip(left, right, strict=True))
        return products, show(sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0)))
    for sign, asked, work in (("+", _JOINED, operator.add), ("−", _TAKEN, operator.sub)):
        if asked.search(question):
            return f"{_show_numbers(left)} {sign} {_show_numbers(right)}", _show_numbers(list(map(work, left, right)))
    return None


def _angle(left: list[Fraction], right: list[Fraction]) -> tuple[str, str] | None:
    """The angle between two vectors in degrees; `None` beside a zero vector."""
    dot = sum(map(operator.mul, left, right), Fraction(0))
    squares = [sum((one * one for one in vector), Fraction(0)) for vector in (left, right)]
    if 0 in squares:
        return None
    cosine = float(dot) / math.sqrt(float(squares[0] * squares[1]))
    degrees = f"{math.degrees(math.acos(max(-1.0, min(1.0, cosine)))):.6g}"
    return f"arccos({show(dot)} / (√{show(squares[0])} · √{show(squares[1])}))", f"{degrees}°"


def _numbers(text: str) -> list[Fraction]:
    return [Fraction(one.replace("−", "-")) for one in re.findall(_NUMBER, text)]


def _show_numbers(numbers: list[Fraction]) -> str:
    return show(tuple(numbers))


def _bracket(number: Fraction) -> str:
    return f"({show(number)})" if number < 0 else show(number)


def _root(number: int | Fraction) -> str:
    """The square root, exactly where it is rational, else to six figures."""
    value = Fraction(number)
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if top * top == value.numerator and bottom * bottom == value.denominator:
        return show(Fraction(top, bottom))
    return f"≈ {math.sqrt(value):.6g}"


def work_out(question: str) -> tuple[str, str] | None:
    """What is asked for by name, or an expression that stands in a question, and its exact value; `None` without
    one."""
    return find_named_value(question) or work_out_expression(question)
