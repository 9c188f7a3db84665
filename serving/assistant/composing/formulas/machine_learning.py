"""Formulas of machine learning: what is measured of a classifier, costs, steps of gradient descent, sizes of networks.
Pure."""

import math
import operator
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate

from serving.assistant.composing.formulas.formula import (
    NUMBER,
    REST,
    Formula,
    Values,
    Worked,
    bracket,
    format_number,
    format_rounded,
    formula,
    points_of,
    read_number,
    whole,
)


def _f1(values: Values) -> Worked:
    p, r = values["precision"], values["recall"]
    if not (0 <= p <= 1 and 0 <= r <= 1 and p + r > 0):
        return None
    return (
        f"F1 = 2PR / (P + R) = 2 · {format_number(p)} · {format_number(r)} / ({format_number(p)} + {format_number(r)})",
        format_number(2 * p * r / (p + r)),
    )


def _share(name: str, first: str, other: str, of: str) -> Callable[[Values], Worked]:
    def solve(values: Values) -> Worked:
        a, b = values[first], values[other]
        if a < 0 or b < 0 or a + b == 0:
            return None
        return f"{name} = {of} = {format_number(a)} / ({format_number(a)} + {format_number(b)})", format_number(
            a / (a + b)
        )

    return solve


_PRECISION = _share("precision", "tp", "fp", "TP / (TP + FP)")
_RECALL = _share("recall", "tp", "fn", "TP / (TP + FN)")


def _both(values: Values) -> Worked:
    precision, recall = _PRECISION(values), _RECALL(values)
    if precision is None or recall is None:
        return None
    return f"{' = '.join(precision)}; {recall[0]}", recall[1]


def _f1_of_counts(values: Values) -> Worked:
    tp, fp, fn = values["tp"], values["fp"], values["fn"]
    if min(tp, fp, fn) < 0 or tp == 0:
        return None
    below = f"2 · {format_number(tp)} + {format_number(fp)} + {format_number(fn)}"
    return f"F1 = 2TP / (2TP + FP + FN) = 2 · {format_number(tp)} / ({below})", format_number(
        2 * tp / (2 * tp + fp + fn)
    )


def _accuracy_of_counts(values: Values) -> Worked:
    right = values["tp"] + values["tn"]
    total = right + values["fp"] + values["fn"]
    if min(values.values()) < 0 or total == 0:
        return None
    return f"accuracy = (TP + TN) / all = {format_number(right)} / {format_number(total)}", format_number(right / total)


_OF = re.compile(
    rf"(?<![\w.])({NUMBER})\s*(?:\w+ ){{0,2}}?(?:out of|of|from|/)\s*(?:the |my |all )?({NUMBER})(?!\.?\d)", re.I
)
_WRONG = re.compile(r"\b(?:wrong\w*|incorrect\w*|misclassif\w+|mistakes?|not (?:right|correct))\b", re.IGNORECASE)
_ERROR = re.compile(r"\berrors?\b", re.IGNORECASE)


def _share_of_all(question: str) -> Worked:
    """Accuracy, or the error where that is asked: so many right, or wrong, out of so many."""
    if (found := _OF.search(question)) is None or found[0].replace(" ", "") == "0/1":  # the name of an error
        return None
    part, total = read_number(found[1]), read_number(found[2])
    if not 0 <= part <= total or total == 0:
        return None
    is_wrong, wants_error = _WRONG.search(question) is not None, _ERROR.search(question) is not None
    name = "error = wrong / all" if wants_error else "accuracy = right / all"
    asked = part if is_wrong == wants_error else total - part
    inverted = (
        ""
        if is_wrong == wants_error
        else f"({format_number(total)} − {format_number(part)}) / {format_number(total)} = "
    )
    share = asked / total
    return (
        f"{name} = {inverted}{format_number(asked)} / {format_number(total)}",
        f"{format_number(share)} ({format_number(share * 100)} %)",
    )


def _of_positives(name: str) -> Callable[[Values], Worked]:
    def solve(values: Values) -> Worked:
        right, total = values["right"], values["total"]
        if not 0 <= right <= total or total == 0:
            return None
        return f"{name} = {format_number(right)} / {format_number(total)}", format_number(right / total)

    return solve


def _majority(values: Values) -> Worked:
    share = values["share"]
    return (f"accuracy = 1 − {format_number(share)}", format_number(1 - share)) if 0 <= share <= 1 else None


def _step(values: Values) -> Worked:
    rate, slope = values["rate"], values["gradient"]
    return f"change = −α · gradient = −{format_number(rate)} · {bracket(slope)}", format_number(-rate * slope)


def _after_step(values: Values) -> Worked:
    start, rate, slope = values["start"], values["rate"], values["gradient"]
    return f"θ − α · gradient = {format_number(start)} − {format_number(rate)} · {bracket(slope)}", format_number(
        start - rate * slope
    )


def _line(values: Values) -> Worked:
    at_zero, slope, x = values["intercept"], values["slope"], values["x"]
    return f"h(x) = θ0 + θ1 · x = {format_number(at_zero)} + {format_number(slope)} · {bracket(x)}", format_number(
        at_zero + slope * x
    )


_SINGULAR = re.compile(rf"({NUMBER}(?:(?:, ?| and |, and ){NUMBER}){{1,9}})")
_OF_SINGULAR = re.compile(r"\b(?:diagonal|singular|S)\b")
_KEPT = re.compile(r"\bk ?(?:=|is|of) ?(\d{1,2})\b|\b(\d{1,2}) (?:principal )?components?\b", re.IGNORECASE)
_WANTED = re.compile(r"\b(\d{1,2}(?:\.\d{1,2})?) ?(?:%|percent)", re.IGNORECASE)


def _variance(question: str) -> Worked:
    """The share of the variance that k principal components retain, of the singular values; without k the smallest
    that retains the share which is wanted."""
    found, kept = _SINGULAR.search(question), _KEPT.search(question)
    wanted = _WANTED.search(question)
    if found is None or (kept is None and wanted is None) or _OF_SINGULAR.search(question) is None:
        return None
    values = [read_number(one) for one in re.findall(NUMBER, found[1])]
    if sum(values) <= 0:
        return None
    shares = [one / sum(values, Fraction(0)) for one in accumulate(values)]
    if kept is not None:
        k = int(kept[1] or kept[2])
    else:
        k = 1 + next(place for place, one in enumerate(shares) if wanted is None or one >= Fraction(wanted[1]) / 100)
    if not 0 < k <= len(values):
        return None
    over, under = (" + ".join(map(format_number, some)) for some in (values[:k], values))
    least = "" if kept is not None else f"k = {k}: "
    text = f"{least}(S11 + … + Skk) / (S11 + … + Snn) = ({over}) / ({under})"
    return text, f"{format_number(shares[k - 1])} ({format_number(shares[k - 1] * 100)} %)"


_HYPOTHESIS = re.compile(
    rf"\bh(?:_?θ|_?theta)?(?: ?\(x\)| of x)? ?(?:=|is) ?(?:(?P<first>{NUMBER}) ?(?P<sign>[+−-]) ?)?(?P<slope>{NUMBER})?"
    rf" ?[*·]? ?x\b(?: ?(?P<behind>[+−-] ?\d{{1,6}}(?:\.\d{{1,4}})?))?",
    re.IGNORECASE,
)
_THETA = re.compile(rf"(?:theta|θ)[ _]?(?:(?P<zero>0|zero)|1|one) ?(?:=|is|equals) ?(?P<value>{NUMBER})", re.IGNORECASE)


def _hypothesis_in(question: str) -> tuple[Fraction, Fraction] | None:
    """Intercept and slope of the straight line that a question gives, as h(x) = … or as its parameters."""
    if (line := _HYPOTHESIS.search(question)) is not None:
        slope = read_number(line["slope"]) if line["slope"] else Fraction(1)
        slope = -slope if line["sign"] in ("-", "−") else slope
        return read_number((line["first"] or line["behind"] or "0").replace(" ", "")), slope
    given = {"0" if one["zero"] else "1": read_number(one["value"]) for one in _THETA.finditer(question)}
    return (given.get("0", Fraction(0)), given["1"]) if "1" in given else None


def _compute_squared_cost(question: str) -> Worked:
    """J = 1/(2m) Σ (h(x) − y)² of the points and the straight line of a question."""
    line, points = _hypothesis_in(question), points_of(question)
    if line is None or not points:
        return None
    at_zero, slope = line
    errors = [at_zero + slope * x - y for x, y in points]
    squares = " + ".join(f"{bracket(one)}²" for one in errors)
    total = sum((one * one for one in errors), Fraction(0)) / (2 * len(points))
    return f"J = 1/(2m) · Σ (h(x) − y)² = ({squares}) / (2 · {len(points)})", format_number(total)


def _log_cost(values: Values) -> Worked:
    h, y = values["h"], values["y"]
    if not 0 < h < 1 or y not in (0, 1):
        return None
    inside = h if y == 1 else 1 - h
    left = "−log(h(x))" if y == 1 else "−log(1 − h(x))"
    return f"{left} = −log({format_number(inside)}) (natural logarithm)", format_rounded(-math.log(inside))


def _network(values: Values) -> Worked:
    numbers = whole(values, most=10**5)
    if numbers is None:
        return None
    here, hidden, out = numbers
    total = (here + 1) * hidden + (hidden + 1) * out
    return f"({here} + 1) · {hidden} + ({hidden} + 1) · {out} (each layer with a bias unit)", str(total)


def _weights(values: Values) -> Worked:
    numbers = whole(values, most=10**5)
    if numbers is None:
        return None
    here, following = numbers
    return f"{following} × ({here} + 1) = {following} × {here + 1}", str(following * (here + 1))


def _scale_feature(values: Values) -> Worked:
    x, mean, spread = values["x"], values["mean"], values["spread"]
    if spread == 0:
        return None
    return f"(x − μ) / s = ({format_number(x)} − {bracket(mean)}) / {format_number(spread)}", format_number(
        (x - mean) / spread
    )


def _normalize_feature(values: Values) -> Worked:
    x, mean, low, high = values["x"], values["mean"], values["low"], values["high"]
    if low >= high:
        return None
    text = f"(x − μ) / (max − min) = ({format_number(x)} − {bracket(mean)}) / ({format_number(high)} − {bracket(low)})"
    return text, format_number((x - mean) / (high - low))


def _sigmoid(values: Values) -> Worked:
    z = values["z"]
    if abs(z) > 50:
        return None
    value = 1 / (1 + math.exp(-float(z)))
    return f"g({format_number(z)}) = 1 / (1 + e^(−({format_number(z)})))", "0.5" if z == 0 else format_rounded(value)


_THETA_VECTOR = re.compile(
    rf"(?:theta|θ) ?(?:=|is|of)? ?[(\[] ?({NUMBER}(?: ?[,;] ?{NUMBER}){{1,4}}) ?[)\]]", re.IGNORECASE
)
_FEATURE = re.compile(rf"\bx_?\d? ?(?:=|is|of) ?({NUMBER})", re.IGNORECASE)


def _logistic_output(question: str) -> Worked:
    """h(x) = g(θ0 + θ1 x1 + …) of a question's θ = (θ0, θ1, …) and x1, …"""
    theta, features = _THETA_VECTOR.search(question), _FEATURE.findall(question)
    if theta is None:
        return None
    at_zero, *slopes = (read_number(one) for one in re.findall(NUMBER, theta[1]))
    values = [read_number(one) for one in features]
    if len(values) != len(slopes):
        return None
    z = at_zero + sum(map(operator.mul, slopes, values))
    if abs(z) > 50:
        return None
    names = (
        "θ0 + θ1 · x" if len(values) == 1 else "θ0 + " + " + ".join(f"θ{n} · x{n}" for n in range(1, len(values) + 1))
    )
    said = " + ".join(f"{bracket(slope)} · {bracket(value)}" for slope, value in zip(slopes, values, strict=True))
    text = f"h(x) = g({names}) = g({format_number(at_zero)} + {said}) = g({format_number(z)})"
    return text, "0.5" if z == 0 else format_rounded(1 / (1 + math.exp(-float(z))))


_POLYNOMIAL = re.compile(
    rf"\bJ ?\((?:theta|θ|x|w)\) ?= ?({NUMBER})? ?[*·]? ?(?:theta|θ|x|w) ?(?:\^|\*\*) ?(\d)\b", re.IGNORECASE
)
_AT_THETA = re.compile(rf"(?:\b(?:theta|x|w)|θ) ?(?:=|is) ?({NUMBER})(?!\d)", re.IGNORECASE)
_EPSILON = re.compile(rf"(?:\beps(?:ilon)?\b|ε) ?(?:=|is|of) ?({NUMBER})", re.IGNORECASE)


def _two_sided(question: str) -> Worked:
    """(J(θ + ε) − J(θ − ε)) / (2ε) of a question's J(θ) = a θⁿ, θ and ε."""
    found, at, step = _POLYNOMIAL.search(question), _AT_THETA.search(question), _EPSILON.search(question)
    if found is None or at is None or step is None:
        return None
    factor, power = Fraction(1) if found[1] is None else read_number(found[1]), int(found[2])
    theta, epsilon = read_number(at[1]), read_number(step[1])
    if epsilon <= 0:
        return None
    above, below = (factor * (theta + sign * epsilon) ** power for sign in (1, -1))
    text = (
        f"(J({format_number(theta + epsilon)}) − J({format_number(theta - epsilon)})) / (2 · {format_number(epsilon)})"
    )
    return f"{text} = ({format_number(above)} − {bracket(below)}) / {format_number(2 * epsilon)}", format_number(
        (above - below) / (2 * epsilon)
    )


_SIGMA = re.compile(
    rf"(?:\bsigma|σ)(?P<squared> ?(?:\^ ?2|²| squared))? ?(?:=|is|of) ?(?P<value>{NUMBER})", re.IGNORECASE
)
_VECTORS = re.compile(rf"[(\[] ?({NUMBER}(?: ?[,;] ?{NUMBER}){{1,5}}) ?[)\]]")


def _gaussian_kernel(question: str) -> Worked:
    """exp(−‖x − l‖² / (2σ²)) of a question's two vectors and σ."""
    sigma = _SIGMA.search(question)
    vectors = [[read_number(one) for one in re.findall(NUMBER, found)] for found in _VECTORS.findall(question)]
    if sigma is None or len(vectors) != 2 or len(vectors[0]) != len(vectors[1]):
        return None
    spread = read_number(sigma["value"]) if sigma["squared"] else read_number(sigma["value"]) ** 2
    if spread <= 0:
        return None
    apart = sum(((a - b) ** 2 for a, b in zip(*vectors, strict=True)), Fraction(0))
    return f"exp(−‖x − l‖² / (2σ²)) = exp(−{format_number(apart)} / (2 · {format_number(spread)}))", format_rounded(
        math.exp(-float(apart / (2 * spread)))
    )


def _density(values: Values) -> Worked:
    x, mean, spread = values["x"], values["mean"], values["spread"]
    if spread <= 0 or abs(x - mean) > 30 * spread:
        return None
    value = math.exp(-(float(x - mean) ** 2) / (2 * float(spread) ** 2)) / (math.sqrt(2 * math.pi) * float(spread))
    text = (
        f"p(x) = 1/(√(2π) σ) · e^(−(x − μ)² / (2σ²)) = 1/(√(2π) · {format_number(spread)}) · "
        f"e^(−({format_number(x)} − {bracket(mean)})² / (2 · {format_number(spread)}²))"
    )
    return text, format_rounded(value)


def _split(parts: tuple[int, ...]) -> Callable[[Values], Worked]:
    def solve(values: Values) -> Worked:
        n = values["n"]
        if n.denominator != 1 or n < len(parts):
            return None
        shares = ", ".join(f"{part} % = {format_number(n * part / 100)}" for part in parts)
        return f"{shares} of {format_number(n)}", ""

    return solve


def _batches(values: Values) -> Worked:
    numbers = whole(values)
    if numbers is None or numbers[1] == 0:
        return None
    examples, size = numbers
    return f"m / b = {examples} / {size}", str(-(-examples // size))


def _one_each(values: Values) -> Worked:
    numbers = whole(values)
    return None if numbers is None or numbers[0] < 3 else (f"one for each of {numbers[0]} classes: {numbers[0]}", "")


_PIXELS = re.compile(r"(?<![\w.])(\d{1,5}) ?(?:x|×|by|\*) ?(\d{1,5})(?![\w.])", re.IGNORECASE)
_COLOURED = re.compile(r"\b(?:rgb|colou?r(?:ed|s)?)\b|彩色", re.IGNORECASE)


def _pixels(question: str) -> Worked:
    """The features of an image, one for each pixel, three where it is in colour."""
    size = _PIXELS.search(question)
    if size is None:
        return None
    wide, high, each = int(size[1]), int(size[2]), 3 if _COLOURED.search(question) else 1
    text = f"{wide} · {high}" + (f" · {each} (red, green and blue)" if each > 1 else "")
    return text, str(wide * high * each)


_RATIO = re.compile(r"(?<![\w.])(\d{1,2}) ?[/:-] ?(\d{1,2})(?: ?[/:-] ?(\d{1,2}))?(?![\w.])")
_EXAMPLES = re.compile(r"(?<![\w./])(\d{2,9})(?![\w./])(?! ?[/:] ?\d)")


def _split_by_ratio(question: str) -> Worked:
    """The parts of so many examples by the ratio that the question gives: 70/30."""
    ratio, number = _RATIO.search(question), _EXAMPLES.search(question)
    if ratio is None or number is None:
        return None
    parts = tuple(int(one) for one in ratio.groups() if one)
    return _split(parts)({"n": Fraction(number[1])}) if sum(parts) == 100 else None


_CLUSTER_POINT = re.compile(r"\b(?:point|example|it)\b[^()]{0,24}\(|点[^（(]{0,8}\(", re.IGNORECASE)


def _nearest_centroid(question: str) -> Worked:
    """The squared distances of a point to centroids, the point being the one that is called so, else the first."""
    points = points_of(question)
    if not 3 <= len(points) <= 6:
        return None
    named = _CLUSTER_POINT.search(question)
    at = question[: named.end()].count("(") - 1 if named is not None else 0
    if at >= len(points):
        return None
    point, others = points[at], points[:at] + points[at + 1 :]
    apart = [(point[0] - x) ** 2 + (point[1] - y) ** 2 for x, y in others]
    nearest = min(range(len(others)), key=apart.__getitem__)
    if apart.count(apart[nearest]) > 1:
        return None
    listed = "; ".join(
        f"to ({format_number(x)}, {format_number(y)}): {format_number(square)}"
        for (x, y), square in zip(others, apart, strict=True)
    )
    x, y = others[nearest]
    return f"squared distances {listed}; the nearest", f"({format_number(x)}, {format_number(y)})"


_POSITIVES = (
    r"true positives?|TPs?|真(?:正|阳)(?:例|性)?",
    r"\b(?:caught|found|detected|flagged) #(?=[^,.;]*\bcorrectly\b)",
)
_FALSE = (
    r"false (?:positives?|alarms?)|FPs?|假(?:正|阳)(?:例|性)?",
    r"\b(?:flagged|marked|caught|blocked) #(?=[^,.;]*\b(?:by mistake|wrongly|falsely|mistakenly)\b)",
)
_MISSED = (
    r"false negatives?|FNs?|假(?:负|阴)(?:例|性)?",
    r"\b(?:missed|overlooked) #|\blet #(?=[^,.;]*\bthrough\b)",
)
_TRUE_NEGATIVES = r"true negatives?|TNs?|真(?:负|阴)(?:例|性)?"
MACHINE_LEARNING: tuple[Formula, ...] = (
    formula(
        r"^(?=.*\bone[- ]?(?:vs\.?|versus|against)[- ]?(?:all|(?:the )?rest)\b)(?=.*\bclassifiers?\b).*\bhow many\b",
        r"\bone[- ]?(?:vs\.?|versus|against)[- ]?(?:all|rest)\b",
        {"classes": r"\b(?:classes|categories|labels)\b|\bk\b"},
        _one_each,
    ),
    Formula(
        re.compile(r"^(?=.*\bpixels?\b)(?=.*\b(?:features?|inputs?|dimension\w*|input units)\b).*\bhow many\b", re.I),
        re.compile(r"\bpixels?\b", re.IGNORECASE),
        _pixels,
    ),
    formula(
        r"^(?=.*\b(?:h ?\(x\)|hypothesis|probability|output))(?=.*\btheta(?: transpose|['T])? x\b).*",
        r"\b(?:sigmoid|logistic)\b",
        {"z": r"\btheta(?: transpose|['T])? x (?:is |= ?|equals )#"},
        _sigmoid,
    ),
    formula(
        r"^(?=.*\bprecision\b)(?=.*\brecall\b).*",
        r"\bprecision\b",
        {"tp": _POSITIVES, "fp": _FALSE, "fn": _MISSED},
        _both,
    ),
    formula(
        r"\bf[- ]?(?:1|one)?[- ]?(?:score|measure|value)\b|\bf1\b",
        r"\bf[- ]?(?:1|one)?[- ]?(?:score|measure)\b|\bprecision\b|查准|精确率",
        {"precision": r"precision|\bP\b|查准率|精确率", "recall": r"recall|\bR\b|查全率|召回率"},
        _f1,
    ),
    formula(
        r"\bf[- ]?(?:1|one)?[- ]?(?:score|measure|value)\b|\bf1\b",
        r"\bf[- ]?(?:1|one)?[- ]?(?:score|measure)\b|\bprecision\b",
        {"tp": _POSITIVES, "fp": _FALSE, "fn": _MISSED},
        _f1_of_counts,
    ),
    formula(r"\bprecision\b|查准率|精确率", r"\bprecision\b|查准|精确率", {"tp": _POSITIVES, "fp": _FALSE}, _PRECISION),
    formula(r"\brecall\b|查全率|召回率", r"\brecall\b|查全|召回", {"tp": _POSITIVES, "fn": _MISSED}, _RECALL),
    formula(
        r"\bprecision\b",
        r"\bprecision\b",
        {
            "total": r"\b(?:said|predicted|flagged|called|marked|labell?ed)\b[^.?]{0,30}?#(?= |$)",
            "right": r"\b#\s*(?:of (?:these|those|them)\b[^.?]{0,30}?\b(?:are|were|really|actually|spam|positive)\b)"
            r"|\b(?:of (?:which|these|those|them)|and) (?:only )?#",
        },
        _of_positives("precision = really positive / said positive"),
    ),
    formula(
        r"\baccuracy\b|准确率|正确率",
        r"\bskewed\b|\baccuracy\b|准确率",
        {
            "share": r"\balways (?:predict|say|guess)\w*\b.*?(?<![\d.])#\s*(?:of\b|are\b|have\b)"
            r"|(?<![\d.])#\s*(?:of\b|are\b|have\b)(?=.*\balways (?:predict|say|guess)\w*\b)"
        },
        _majority,
    ),
    formula(
        r"\baccuracy\b|准确率|正确率",
        r"\baccuracy\b|准确率|\bclassification error\b",
        {"tp": _POSITIVES, "tn": _TRUE_NEGATIVES, "fp": _FALSE, "fn": _MISSED},
        _accuracy_of_counts,
    ),
    Formula(
        re.compile(
            r"\baccura\w+\b|\b(?:misclassification|classification|test|training|0/1) error\b|\berror rate\b", re.I
        ),
        re.compile(r"\baccuracy\b|\bmisclassif\w+|\bclassification error\b|\btest (?:set )?error\b", re.IGNORECASE),
        _share_of_all,
    ),
    Formula(
        re.compile(r"\bcost\b|\bJ\b|squared error", re.IGNORECASE),
        re.compile(r"\bcost function\b|\bsquared error\b", re.IGNORECASE),
        _compute_squared_cost,
    ),
    formula(
        r"^(?=.*\b(?:cost|loss)\b).*",
        r"\blogistic regression\b",
        {"h": r"\bh(?:ypothesis)?\b(?: ?\(x\)| of x)?|\b(?:predict|output)\w*\b", "y": r"\by\b|\blabel\b"},
        _log_cost,
    ),
    formula(
        r"\b(?:h|hypothesis|predict\w*|output|value|y)\b",
        r"\blinear regression\b|\bhypothesis\b|线性回归",
        {
            "intercept": r"\btheta[ _]?(?:0|zero)\b|θ_?0|\bintercept\b",
            "slope": r"\btheta[ _]?(?:1|one)\b|θ_?1|\bslope\b",
            "x": r"\bx\b|\bsize\b",
        },
        _line,
    ),
    formula(
        r"^(?=.*\bhow many\b)(?=.*\b(?:parameters?|weights?)\b).*",
        r"\bneural network",
        {
            "here": r"#\s*(?:inputs?|features?|input (?:units?|features?))\b",
            "hidden": r"#\s*hidden\b|\bhidden (?:layer|units?)(?: (?:of|with|has))? #",
            "out": r"#\s*(?:outputs?|class(?:es)?|output (?:units?|classes|nodes))\b",
        },
        _network,
    ),
    formula(
        r"^(?=.*(?:\b(?:step|update|iteration)\w*\b|\bnew (?:theta|weight|parameter|value)\b|更新)).*",
        r"\bgradient descent\b|\blearning rate\b|梯度下降|学习率",
        {
            "start": r"\btheta[ _]?\d?\b|θ_?\d?|\bw\b|\bparameter\b|\bweight\b|参数",
            "rate": r"\balpha\b|α|learning rate|学习率",
            "gradient": r"\bgradient\b(?! descent)|\bderivative(?: term)?\b|\bslope\b|梯度(?!下降)|导数|斜率",
        },
        _after_step,
    ),
    formula(
        r"^(?=.*(?:\b(?:step|change|update|move)\w*\b|更新|改变|变化)).*",
        r"\bgradient descent\b|\blearning rate\b|梯度下降|学习率",
        {
            "rate": r"\balpha\b|α|learning rate|学习率",
            "gradient": r"\bgradient\b|\bderivative(?: term)?\b|\bslope\b|梯度|导数|斜率",
        },
        _step,
    ),
    formula(
        r"\bmean normali[sz]\w*|\bfeature scal\w*|\bnormali[sz]e[ds]?\b|\bscaled\b|归一化",
        r"\bnormali[sz]|\bfeature scaling\b|归一化",
        {
            "mean": r"\b(?:mean|average)\b(?! normal)|均值|平均值?",
            "low": r"\b(?:from|between)\s+#(?= ?\w{0,12} ?(?:to|and|-)\b)|\bmin(?:imum)?\b|最小值?",
            "high": r"\b(?:from|between)\s+[\d.−-]+ ?\w{0,12} ?(?:to|and|-)\s*#|\bmax(?:imum)?\b|最大值?",
            "x": REST,
        },
        _normalize_feature,
    ),
    formula(
        r"\b(?:mean normali[sz]\w*|feature scal\w*|normali[sz]e[ds]?|scaled|standardi[sz]\w*|z[- ]score)\b"
        r"|归一化|标准化",
        r"\bnormali[sz]|\bfeature scaling\b|归一化|标准化",
        {
            "mean": r"\b(?:mean|average|mu)\b(?! normal)|均值|平均值?",
            "spread": r"\b(?:range|standard deviation|std|deviation|spread|sigma)\b|范围|标准差",
            "x": REST,
        },
        _scale_feature,
    ),
    formula(
        r"\b(?:gaussian|normal distribution|density|p ?\(x\)|probability)\b|高斯|正态",
        r"\bgaussian\b|\bnormal distribution\b|高斯|正态",
        {
            "mean": r"\b(?:mean|average|mu)\b|μ|均值",
            "spread": r"\b(?:standard deviation|std|sigma)\b(?! squared)|σ(?!²)|标准差",
            "x": r"\bx\b|\bat\b",
        },
        _density,
    ),
    Formula(
        re.compile(r"\b(?:gradient check\w*|numerical (?:gradient|approximation)|two[- ]sided)", re.IGNORECASE),
        re.compile(r"\bepsilon\b", re.IGNORECASE),
        _two_sided,
    ),
    Formula(
        re.compile(r"\bvariance\b", re.IGNORECASE),
        re.compile(r"\bvariance\b.*\bretain|\bprincipal components?\b", re.IGNORECASE),
        _variance,
    ),
    Formula(
        re.compile(r"^(?=.*\blogistic\b)(?=.*\btheta\b|.*θ).*", re.IGNORECASE),
        re.compile(r"\b(?:sigmoid|logistic)\b", re.IGNORECASE),
        _logistic_output,
    ),
    Formula(
        re.compile(r"^(?=.*\b(?:gaussian|rbf)\b)(?=.*\b(?:kernel|similarity)\b).*", re.IGNORECASE),
        re.compile(r"\bgaussian kernel\b|\bsimilarity\b", re.IGNORECASE),
        _gaussian_kernel,
    ),
    formula(
        r"\b(?:sigmoid|logistic)\b",
        r"\b(?:sigmoid|logistic)\b",
        {"z": r"\b(?:z|x|input|sigmoid(?: function)?(?: of| at)?|g)\b\s*\(?"},
        _sigmoid,
    ),
    formula(
        r"\b(?:theta\d?|weight matrix|weights?|parameters?|matrix)\b",
        r"\bneural network|神经网络",
        {
            "here": r"\blayers?\b[^.?]{0,24}?\b(?:has|have|with|of)\s*#\s*(?:units?|neurons?|nodes?)"
            r"|\blayers?\b[^.?]{0,24}?\b(?:has|have|with|of)\s*#\s*(?:inputs?|features?)|#\s*(?:units?|neurons?|nodes?)",
            "following": r"(?:next|second|following|layer (?:2|two|j ?\+ ?1))[^.?]{0,24}?#"
            r"\s*(?:units?|neurons?|nodes?)?",
        },
        _weights,
    ),
    Formula(
        re.compile(r"^(?=.*\bhow many\b)(?=.*\b(?:train|test)\w*\b)(?=.*\b(?:split|divide)\w*\b).*", re.IGNORECASE),
        re.compile(r"\btest set\b|\btraining set\b", re.IGNORECASE),
        _split_by_ratio,
    ),
    formula(
        r"^(?=.*\bhow many\b)(?=.*\btrain\w*\b)(?=.*\b(?:cv|cross[- ]?validation|validation|dev)\b)(?=.*\btest\w*\b)"
        r"(?=.*\b(?:split|divide|usual|typical|go)\w*\b).*",
        r"(?s)\A(?>.*?\b60 ?%)(?>.*?\b20 ?%).*\b20 ?%",
        {"n": REST},
        _split((60, 20, 20)),
    ),
    formula(
        r"^(?=.*\bhow many\b)(?=.*\btrain\w*\b)(?=.*\btest\w*\b)(?=.*\b(?:split|divide|usual|typical|go)\w*\b).*",
        r"(?s)\A(?>.*?\b70 ?%).*\b30 ?%",
        {"n": REST},
        _split((70, 30)),
    ),
    formula(
        r"^(?=.*\bmini[- ]?batch)(?=.*\b(?:how many|number of)\b)(?=.*\b(?:steps?|updates?|iterations?|batches)\b).*",
        r"\bmini[- ]?batch",
        {
            "examples": r"#\s*(?:training )?(?:examples?|samples?)",
            "size": r"\bmini[- ]?batch(?:es)?(?: size)?(?: of| is)?(?: size)? #|\b(?:b|batch size)\b ?(?:=|is|of) ?#",
        },
        _batches,
    ),
    Formula(
        re.compile(
            r"^(?=.*\b(?:centroid|cluster)\w*\b)(?=.*\b(?:which|what|assign\w*|belong\w*|closest|nearest)\b).*", re.I
        ),
        re.compile(r"\bcentroid", re.IGNORECASE),
        _nearest_centroid,
    ),
)
"""In this order the first that fits is applied."""
