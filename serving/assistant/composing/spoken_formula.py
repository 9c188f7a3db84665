"""How lecturers say formulas aloud, and where a course does: what stands below a sum that was worked out. Pure.

A question for a sum is mostly numbers, so the passages found for it are seldom those from which a student can check the
formula. Here every sentence of the lectures is looked at.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from re import Pattern

from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.lectures import SpokenLecture
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import coverage, known, terms_of
from serving.assistant.composing.where import homes_of
from serving.assistant.composing.windows import LENGTH


@dataclass(frozen=True)
class SpokenFormula:
    """`worked` finds the question, or the sum as it is shown, that applies a formula; `said` how it is said aloud, the
    wording that leaves least doubt first."""

    worked: Pattern[str]
    said: tuple[Pattern[str], ...]


def _spoken(worked: str, *said: str) -> SpokenFormula:
    return SpokenFormula(re.compile(worked, re.IGNORECASE), tuple(re.compile(one, re.IGNORECASE) for one in said))


_SPOKEN = (
    _spoken(
        r"\bF1\b|\bf[- ]?(?:1|one)?[- ]?(?:score|measure)\b",
        r"\bf[- ]?(?:one|1)? ?(?:score|measure)\b[^.]*\b(?:uses (?:that|this) formula|is (?:usually )?written"
        r"|is defined|product|over)\b|\b(?:two|2) (?:times )?(?:precision|p)\b.*\bover\b|调和平均",
    ),
    _spoken(
        r"\bprecision\b|\brecall\b|查准率|查全率|精确率|召回率",
        r"\b(?:precision|recall)\b.*\b(?:true positives?\b.*\bdivided by|what fraction)\b"
        r"|(?:查准率|查全率|精确率|召回率).*(?:除以|比例|分之)",
    ),
    _spoken(
        r"\baccura\w+\b|\berror rate\b|\bclassification error\b|准确率|正确率",
        r"\d(?:\.\d)? ?(?:%|percent) (?:of the time|error|accura\w+)|\bmisclassification error\b"
        r"|(?:准确率|正确率).*(?:除以|比例|分之)",
    ),
    _spoken(
        r"= 1 / \(1 \+ e|= g\(",
        r"\b(?:equals?|is|equal to) (?:one|1) over (?:one|1) plus e\b",
        r"\b(?:one|1) over (?:one|1) plus e\b",
    ),
    _spoken(
        r"\bJ = 1/\(2m\)",
        r"\b(?:1|one) over (?:2|two) ?m\b.*\bsum\b|\bsum\b.*\b(?:1|one) over (?:2|two) ?m\b",
        r"\bsum (?:of|over)\b.*\bsquared? (?:error|difference)",
    ),
    _spoken(
        r"θ − α|α ·",
        r"\bsubtract\w* (?:from it )?(?:alpha|the learning rate)\b|\bminus (?:alpha|the learning rate)\b"
        r"|减去?(?:学习率|α)",
    ),
    _spoken(
        r"\bmean normali[sz]|\bfeature scal|归一化",
        r"\b(?:subtract\w*|minus) (?:the )?(?:mean|average|mu)\b.*\b(?:divid\w+|over|range|standard deviation)\b",
        r"\bmean normali[sz]ation\b.*\b(?:replace|minus|subtract|divid)",
    ),
    _spoken(
        r"exp\(−‖|\bgaussian kernel\b",
        r"\b(?:e to the|exp\w*)\b.*\b(?:distance|sigma|squared)\b",
    ),
    _spoken(
        r"\btheta ?\d?\b.*\bunits?\b|\bunits?\b.*\btheta|\(\d+ \+ 1\) · \d|× \(\d+ \+ 1\)",
        r"\btheta\b.*\b\d+ by (?:a )?\d+ dimensional\b",
        r"\bdimensions?\b.*\btheta\b.*\bplus (?:1|one)\b",
    ),
    _spoken(r"\bmini-?batch", r"\bneed \d+ steps\b|\bsteps of (?:size )?(?:\d+|ten|b)\b"),
    _spoken(
        r"\d ?(?:[x×]|by) ?\d.*(?:[x×]|by).*\b(?:how big|size|dimensions?)\b|\d × \d+ · \d+ × \d",
        r"\bfirst matrix\b.*\brows\b.*\bsecond\b|\bdimensions (?:must )?match\b",
        r"\bnumber of columns\b.*\b(?:must|has to|equal|match)\w*\b.*\brows\b",
    ),
    _spoken(
        r"\b(?:centroid|cluster)s?\b",
        r"\b(?:average|mean) of\b[^.]*\b(?:points|examples)\b",
        r"\bmove\w*\b.*\bcentroids?\b.*\b(?:mean|average)\b",
    ),
    _spoken(
        r"\bsplit\b|\bcross[- ]?validation\b.*\btest|\b(?:60|70) ?%",
        r"\b(?:60|70|80) ?(?:%|percent)\b.*\b(?:20|30) ?(?:%|percent)\b",
    ),
    _spoken(
        r"\bgaussian\b|\bnormal distribution\b|正态|高斯",
        r"\b(?:e to the|exp\w*|root (?:two|2) pi|2 pi)\b.*\b(?:sigma|mu|squared)\b|概率密度",
    ),
    _spoken(
        r"\bcramer|克拉默|克莱姆",
        r"\bdivided by the determinant\b",
        r"\bcramer'?s rule\b.*\b(?:formula|determinant)",
    ),
    _spoken(
        r"\bdet(?:erminant)?\b|\bareas?\b.*\bfactor|\bfactor\b.*\bareas?\b|行列式",
        r"\ba times d minus b times c\b|\ba ?d minus b ?c\b",
        r"\bdeterminant (?:is|of)\b.*\btimes\b.*\bminus\b|行列式.*减",
    ),
    _spoken(
        r"\bdot product\b|点积|内积",
        r"\b(?:pair\w*|multiply\w*|corresponding)\b.*\b(?:coordinates?|pairs|components?|entries)\b.*\badd"
        r"|对应.*乘.*加",
    ),
    _spoken(r"\b2-?d cross product\b|\bcross product\b.*\b2-?d\b", r"\b2d cross product\b.*\bcolumn\b"),
    _spoken(
        r"\bcross product\b|\bv cross w\b|叉积|\) × \(",
        r"\bformula\b.*\b(?:3d|three[- ]dimensional) determinant\b|\bthree-dimensional cross product\b"
        r"|\bcross product\b.*\bformula\b",
        r"\bcross product\b.*\bdeterminant\b",
    ),
    _spoken(
        r"\beigenvalues?\b|特征值",
        r"\b(?:lambda|eigenvalue)s?\b.*\bdeterminant\b.*\b(?:zero|0)\b|\bdeterminant\b.*\bminus lambda\b",
        r"\bdeterminant\b.*\blambda\b",
    ),
    _spoken(r"\binverse\b|逆矩阵", r"\binverse\b.*\b(?:identity|back|undo|does nothing)\b|逆.*(?:单位|还原)"),
    _spoken(
        r"\b90\b.*\bclockwise|\b90\b.*\bcounter|↦",
        r"\brotat\w+\b.*\b90\b.*\bi-?hat lands\b",
        r"\b90[- ]degree rotation\b",
    ),
    _spoken(
        r"\bi[- ]?hat\b.*\bj[- ]?hat\b",
        r"\btimes\b[^.]*\bi-?hat landed\b|\btimes\b[^.]*\b(?:transformed|landed)\b[^.]*\bi-?hat\b",
    ),
    _spoken(r"\bbasis\b", r"\btimes\b[^.]*\bb1\b[^.]*\btimes\b[^.]*\bb2\b", r"\btimes b1\b"),
    _spoken(
        r"\)\] · \[\(|\bmultipl\w+\b.*\bmatri|\bmatri\w+\b.*\bmultipl",
        r"\bfirst column\b.*\bmultiply\b.*\bby that vector\b|\bmultiply\b.*\bby the (?:first|second) column\b",
        r"\bfirst column of the (?:composition|product|new) matrix\b",
    ),
    _spoken(
        r"\b(?:children|child|kids|parent)\b.*\bind(?:ex|ices)\b|\bind(?:ex|ices)\b.*\b(?:children|child|kids|parent)\b"
        r"|孩子.*(?:下标|编号)|(?:下标|编号).*(?:孩子|父)",
        r"\bchildren\b.*\b(?:two|2) ?(?:times )?[ik]\b|孩子.*(?:2|两|二)倍?.*(?:加|乘|i)",
        r"\bparent\b.*\b(?:divided by (?:two|2)|over (?:two|2)|[ik] ?/ ?2)\b",
    ),
    _spoken(
        r"\bload factor\b|\bchain(?:s|ing)?\b.*\b(?:average|long)\b|(?:装填|负载)因子",
        r"\bload factor\b.*\bdivided by\b|(?:装填|负载)因子.*(?:除以|比)",
    ),
    _spoken(r"mod size", r"第一个位置.*取余|取余.*第一个位置|\bmodulo\b.*\b(?:array|queue|wraps?)\b"),
    _spoken(
        r"\bmod \d+ = |除留余数|线性探[测查]|\blinear probing\b",
        r"哈希函数就?是.*(?:余数|取余)|\b(?:modulo|remainder)\b.*\b(?:table|buckets?|size)\b",
    ),
    _spoken(
        r"\bbinary search\b|二分查找|折半",
        r"\bhalves\b.*\blog\b|\blog n steps\b|(?:一半|减半).*(?:log|对数|次)",
        r"\bbinary search\b.*\b(?:log|lg)\b|(?:二分|折半).*(?:log|对数|次)",
    ),
    _spoken(
        r"⌊log2 N⌋|\bcomplete\b.*\bheight\b",
        r"\bheight of a complete binary tree\b.*\blog n\b|完全二叉树.*(?:log|对数)",
    ),
    _spoken(
        r"\bheight\b.*\bnodes?\b|\bnodes?\b.*\bheight\b|[结节]点.*(?:高度|深度|几层)|(?:高度|深度|层).*[结节]点",
        r"\bheight h\b.*\b(?:two|2) to the\b|(?:高度|层|深度).*(?:2的|二的|log|次方)",
    ),
    _spoken(r"\baddress\b|地址", r"\baddress of\b.*\bplus\b.*\btimes\b|地址.*加.*乘"),
    _spoken(r"\badjacency matrix\b|邻接矩阵", r"\b(?:v|n) squared (?:memory|entries|space)\b|邻接矩阵.*(?:平方|n乘)"),
    _spoken(r"\binsertion sort\b|插入排序", r"\binsertion sort\b.*\bn squared\b|插入排序.*(?:n的?平方|n²)"),
    _spoken(r"2T\(n/2\)|\brecursion tree\b", r"\blevels\b.*\blog n\b|\blog n\b.*\blevels\b"),
    _spoken(
        r"\brelax|\btentative\b|松弛",
        r"\brelaxation\b.*\b(?:shorter|edge)\b|松弛.*(?:短|边)",
    ),
    _spoken(r"\bhanoi\b|汉诺塔", r"\b(?:two|2) to the (?:n|power)\b.*\bminus (?:one|1)\b|2的n次方减"),
    _spoken(
        r"\(base 2\)",
        r"(?:2|两|二)倍.*(?:4|四).*(?:2|二).*(?:1|一)|\bpowers? of (?:two|2)\b|二进制.*十进制",
        r"\bbinary\b.*\b(?:two|2|digits?)\b|二进制",
    ),
)

Sentences = tuple[LectureSentence, ...]


def find_spoken_formula(request: Request, shown: str) -> Sentences:
    """The sentences in which the lectures say the formula of a sum, as it is `shown`; none where none does.

    Of several places the first of those about whose lectures what is asked about is taught nearly as much as anywhere.
    """
    formula = next((one for one in _SPOKEN if one.worked.search(f"{shown} {request.question}")), None)
    lectures = request.material.lectures.lectures
    if formula is None or not lectures:
        return ()
    units = known(request.units)
    homes = homes_of(units, request.material.lectures)
    taught = {one.video_id: homes.get(one.video_id, 0.0) + coverage(units, terms_of(one.title)) for one in lectures}
    return next((_within(found) for said in formula.said if (found := _first_said(said, taught, lectures))), ())


def _first_said(said: Pattern[str], taught: Mapping[str, float], lectures: Sequence[SpokenLecture]) -> Sentences:
    """The sentences of a lecture from where it says something: of the first lecture that does and teaches nearly as
    much as any other that does."""
    ordered = sorted(lectures, key=lambda one: (-taught[one.video_id], one.index))
    most = next(((one, found) for one in ordered if (found := _from_where(said, one))), None)
    if most is None:
        return ()
    least = taught[most[0].video_id] - NEARLY
    before = [one for one in lectures if one.index < most[0].index and taught[one.video_id] >= least]
    return next((found for one in before if (found := _from_where(said, one))), most[1])


def _from_where(said: Pattern[str], lecture: SpokenLecture) -> Sentences:
    """The sentences of a lecture from the first that says something, alone or with the next; none where none does."""
    pairs = zip(lecture.sentences, (*lecture.sentences[1:], None), strict=True)
    texts = (one.text if after is None else f"{one.text} {after.text}" for one, after in pairs)
    return next((lecture.sentences[start:] for start, text in enumerate(texts) if said.search(text)), ())


NEARLY = 0.3
"""How much less of what is asked about may be taught where a formula is said first. A choice."""


def _within(sentences: Sentences) -> Sentences:
    """The first sentences that are as long together as a window, at least one."""
    kept: list[LectureSentence] = []
    size = 0
    for one in sentences:
        size += len(one.text)
        if kept and size > LENGTH[one.lang]:
            break
        kept.append(one)
    return tuple(kept)
