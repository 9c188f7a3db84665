"""How lecturers say formulas aloud, and where a course does: what stands below a sum that was worked out. Pure.

A question for a sum is mostly numbers, so the passages found for it are seldom those from which a student can check the
formula. Here every sentence of the lectures is looked at.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from re import Pattern

from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.lecture_places import homes_of
from serving.assistant.composing.lectures import CourseLectures, SpokenLecture, first_within
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import coverage, known, terms_of
from serving.assistant.composing.window import LENGTH

Way = tuple[Pattern[str], ...]
"""What a text says all of, in whatever order."""


@dataclass(frozen=True)
class SpokenFormula:
    """`worked` are the ways in which a question, with the sum as it is shown, applies a formula; `said` those in which
    it is said aloud, the one that leaves least doubt first."""

    worked: tuple[Way, ...]
    said: tuple[Way, ...]


def _make_spoken(
    worked: str | Sequence[str | Sequence[str]], said: str | Sequence[str | Sequence[str]]
) -> SpokenFormula:
    """Each as one pattern, or several ways; a way as one pattern, or several that must all be found."""
    return SpokenFormula(_ways(worked), _ways(said))


def _ways(given: str | Sequence[str | Sequence[str]]) -> tuple[Way, ...]:
    each = ((one,) if isinstance(one, str) else one for one in ((given,) if isinstance(given, str) else given))
    return tuple(tuple(re.compile(one, re.IGNORECASE) for one in way) for way in each)


def _says_all(way: Way, text: str) -> bool:
    return all(one.search(text) for one in way)


_SPOKEN = (
    _make_spoken(
        r"exp\(−‖|\bgaussian kernel\b",
        ((r"\b(?:e to the|exp(?:onent\w*)?)\b", r"\b(?:distance|sigma|squared)\b"),),
    ),
    _make_spoken(
        r"\bF1\b|\bf[- ]?(?:1|one)?[- ]?(?:score|measure)\b",
        (
            (
                r"\bf[- ]?(?:one|1)? ?(?:score|measure)\b",
                r"\b(?:uses (?:that|this) formula|is (?:usually )?written|is defined|product|over)\b",
            ),
            (r"\b(?:two|2) (?:times )?(?:precision|p)\b", r"\bover\b"),
            r"调和平均",
        ),
    ),
    _make_spoken(
        r"\bprecision\b|\brecall\b|查准率|查全率|精确率|召回率",
        (
            (r"\b(?:precision|recall)\b", r"\btrue positives?\b", r"\bdivided by\b"),
            (r"\b(?:precision|recall)\b", r"\bwhat fraction\b"),
            (r"(?:查准率|查全率|精确率|召回率)", r"(?:除以|比例|分之)"),
        ),
    ),
    _make_spoken(
        r"\baccura\w+\b|\berror rate\b|\bclassification error\b|准确率|正确率",
        (
            (r"(?:准确率|正确率)", r"(?:除以|比例|分之)"),
            r"\d(?:\.\d)? ?(?:%|percent) (?:of the time|error|accura\w+)|\bmisclassification error\b",
        ),
    ),
    _make_spoken(
        r"= 1 / \(1 \+ e|= g\(",
        (r"\b(?:equals?|is|equal to) (?:one|1) over (?:one|1) plus e\b", r"\b(?:one|1) over (?:one|1) plus e\b"),
    ),
    _make_spoken(
        r"\bJ = 1/\(2m\)",
        (
            (r"\b(?:1|one) over (?:2|two) ?m\b", r"\bsum\b"),
            (r"\bsum (?:of|over)\b", r"\bsquared? (?:error|difference)"),
        ),
    ),
    _make_spoken(
        r"θ − α|α ·",
        r"\bsubtract\w* (?:from it )?(?:alpha|the learning rate)\b|\bminus (?:alpha|the learning rate)\b"
        r"|减去?(?:学习率|α)",
    ),
    _make_spoken(
        r"\bmean normali[sz]|\bfeature scal|归一化",
        (
            (
                r"\b(?:subtract\w*|minus) (?:the )?(?:mean|average|mu)\b",
                r"\b(?:divid\w+|over|range|standard deviation)\b",
            ),
            (r"\bmean normali[sz]ation\b", r"\b(?:replace|minus|subtract|divid)"),
        ),
    ),
    _make_spoken(
        ((r"\btheta ?\d?\b", r"\bunits?\b"), (r"\bunits?\b", r"\btheta"), r"\(\d+ \+ 1\) · \d|× \(\d+ \+ 1\)"),
        (
            (r"\btheta\b", r"\b\d+ by (?:a )?\d+ dimensional\b"),
            (r"\bdimensions?\b", r"\btheta\b", r"\bplus (?:1|one)\b"),
        ),
    ),
    _make_spoken(
        r"\bmini-?batch",
        r"\bneed \d+ steps\b|\bsteps of (?:size )?(?:\d+|ten|b)\b",
    ),
    _make_spoken(
        ((r"\d ?(?:[x×]|by) ?\d", r"(?:[x×]|by)", r"\b(?:how big|size|dimensions?)\b"), r"\d × \d+ · \d+ × \d"),
        (
            (r"\bfirst matrix\b", r"\brows\b", r"\bsecond\b"),
            r"\bdimensions (?:must )?match\b",
            (r"\bnumber of columns\b", r"\b(?:must|has to|equal|match)\w*\b", r"\brows\b"),
        ),
    ),
    _make_spoken(
        r"\b(?:centroid|cluster)s?\b",
        (
            (r"\b(?:average|mean) of\b", r"\b(?:points|examples)\b"),
            (r"\bmove\w*\b", r"\bcentroids?\b", r"\b(?:mean|average)\b"),
        ),
    ),
    _make_spoken(
        ((r"\bcross[- ]?validation\b", r"\btest"), r"\bsplit\b|\b(?:60|70) ?%"),
        ((r"\b(?:60|70|80) ?(?:%|percent)\b", r"\b(?:20|30) ?(?:%|percent)\b"),),
    ),
    _make_spoken(
        r"\bgaussian\b|\bnormal distribution\b|正态|高斯",
        ((r"\b(?:e to the|exp(?:onent\w*)?|root (?:two|2) pi|2 pi)\b", r"\b(?:sigma|mu|squared)\b"), r"概率密度"),
    ),
    _make_spoken(
        r"\bcramer|克拉默|克莱姆",
        (r"\bdivided by the determinant\b", (r"\bcramer'?s rule\b", r"\b(?:formula|determinant)")),
    ),
    _make_spoken(
        ((r"\bareas?\b", r"\bfactor"), (r"\bfactor\b", r"\bareas?\b"), r"\bdet(?:erminant)?\b|行列式"),
        (
            r"\ba times d minus b times c\b|\ba ?d minus b ?c\b",
            (r"\bdeterminant (?:is|of)\b", r"\btimes\b", r"\bminus\b"),
            (r"行列式", r"减"),
        ),
    ),
    _make_spoken(
        r"\bdot product\b|点积|内积",
        (
            (r"\b(?:pair\w*|multiply\w*|corresponding)\b", r"\b(?:coordinates?|pairs|components?|entries)\b", r"\badd"),
            (r"对应", r"乘", r"加"),
        ),
    ),
    _make_spoken(
        ((r"\bcross product\b", r"\b2-?d\b"), r"\b2-?d cross product\b"),
        ((r"\b2d cross product\b", r"\bcolumn\b"),),
    ),
    _make_spoken(
        r"\bcross product\b|\bv cross w\b|叉积|\) × \(",
        (
            (r"\bformula\b", r"\b(?:3d|three[- ]dimensional) determinant\b"),
            (r"\bcross product\b", r"\bformula\b"),
            r"\bthree-dimensional cross product\b",
            (r"\bcross product\b", r"\bdeterminant\b"),
        ),
    ),
    _make_spoken(
        r"\beigenvalues?\b|特征值",
        (
            (r"\b(?:lambda|eigenvalue)s?\b", r"\bdeterminant\b", r"\b(?:zero|0)\b"),
            (r"\bdeterminant\b", r"\bminus lambda\b"),
            (r"\bdeterminant\b", r"\blambda\b"),
        ),
    ),
    _make_spoken(
        r"\binverse\b|逆矩阵",
        ((r"\binverse\b", r"\b(?:identity|back|undo|does nothing)\b"), (r"逆", r"(?:单位|还原)")),
    ),
    _make_spoken(
        ((r"\b90\b", r"\bclockwise"), (r"\b90\b", r"\bcounter"), r"↦"),
        ((r"\brotat\w+\b", r"\b90\b", r"\bi-?hat lands\b"), r"\b90[- ]degree rotation\b"),
    ),
    _make_spoken(
        ((r"\bi[- ]?hat\b", r"\bj[- ]?hat\b"),),
        ((r"\btimes\b", r"\bi-?hat landed\b"), (r"\btimes\b", r"\b(?:transformed|landed)\b", r"\bi-?hat\b")),
    ),
    _make_spoken(
        r"\bbasis\b",
        ((r"\btimes\b", r"\bb1\b", r"\btimes\b", r"\bb2\b"), r"\btimes b1\b"),
    ),
    _make_spoken(
        ((r"\bmultipl\w+\b", r"\bmatri"), (r"\bmatri\w+\b", r"\bmultipl"), r"\)\] · \[\("),
        (
            (r"\bfirst column\b", r"\bmultiply\b", r"\bby that vector\b"),
            (r"\bmultiply\b", r"\bby the (?:first|second) column\b"),
            r"\bfirst column of the (?:composition|product|new) matrix\b",
        ),
    ),
    _make_spoken(
        (
            (r"\b(?:children|child|kids|parent)\b", r"\bind(?:ex|ices)\b"),
            (r"孩子", r"(?:下标|编号)"),
            (r"(?:下标|编号)", r"(?:孩子|父)"),
        ),
        (
            (r"\bchildren\b", r"\b(?:two|2) ?(?:times )?[ik]\b"),
            (r"孩子", r"(?:2|两|二)倍?", r"(?:加|乘|i)"),
            (r"\bparent\b", r"\b(?:divided by (?:two|2)|over (?:two|2)|[ik] ?/ ?2)\b"),
        ),
    ),
    _make_spoken(
        ((r"\bchain(?:s|ing)?\b", r"\b(?:average|long)\b"), r"\bload factor\b|(?:装填|负载)因子"),
        ((r"\bload factor\b", r"\bdivided by\b"), (r"(?:装填|负载)因子", r"(?:除以|比)")),
    ),
    _make_spoken(
        r"mod size",
        ((r"第一个位置", r"取余"), (r"\bmodulo\b", r"\b(?:array|queue|wraps?)\b")),
    ),
    _make_spoken(
        r"\bmod \d+ = |除留余数|线性探[测查]|\blinear probing\b",
        ((r"哈希函数就?是", r"(?:余数|取余)"), (r"\b(?:modulo|remainder)\b", r"\b(?:table|buckets?|size)\b")),
    ),
    _make_spoken(
        r"\bbinary search\b|二分查找|折半",
        (
            (r"\bhalves\b", r"\blog\b"),
            (r"(?:一半|减半)", r"(?:log|对数|次)"),
            r"\blog n steps\b",
            (r"\bbinary search\b", r"\b(?:log|lg)\b"),
            (r"(?:二分|折半)", r"(?:log|对数|次)"),
        ),
    ),
    _make_spoken(
        ((r"\bcomplete\b", r"\bheight\b"), r"⌊log2 N⌋"),
        ((r"\bheight of a complete binary tree\b", r"\blog n\b"), (r"完全二叉树", r"(?:log|对数)")),
    ),
    _make_spoken(
        ((r"\bheight\b", r"\bnodes?\b"), (r"[结节]点", r"(?:高度|深度|几层)"), (r"(?:高度|深度|层)", r"[结节]点")),
        ((r"\bheight h\b", r"\b(?:two|2) to the\b"), (r"(?:高度|层|深度)", r"(?:2的|二的|log|次方)")),
    ),
    _make_spoken(
        r"\baddress\b|地址",
        ((r"\baddress of\b", r"\bplus\b", r"\btimes\b"), (r"地址", r"加", r"乘")),
    ),
    _make_spoken(
        r"\badjacency matrix\b|邻接矩阵",
        ((r"邻接矩阵", r"(?:平方|n乘)"), r"\b(?:v|n) squared (?:memory|entries|space)\b"),
    ),
    _make_spoken(
        r"\binsertion sort\b|插入排序",
        ((r"\binsertion sort\b", r"\bn squared\b"), (r"插入排序", r"(?:n的?平方|n²)")),
    ),
    _make_spoken(
        r"2T\(n/2\)|\brecursion tree\b",
        ((r"\blevels\b", r"\blog n\b"),),
    ),
    _make_spoken(
        r"\brelax|\btentative\b|松弛",
        ((r"\brelaxation\b", r"\b(?:shorter|edge)\b"), (r"松弛", r"(?:短|边)")),
    ),
    _make_spoken(
        r"\bhanoi\b|汉诺塔",
        ((r"\b(?:two|2) to the (?:n|power)\b", r"\bminus (?:one|1)\b"), r"2的n次方减"),
    ),
    _make_spoken(
        r"\(base 2\)",
        (
            (r"(?:2|两|二)倍", r"(?:4|四)", r"(?:2|二)", r"(?:1|一)"),
            (r"二进制", r"十进制"),
            r"\bpowers? of (?:two|2)\b",
            (r"\bbinary\b", r"\b(?:two|2|digits?)\b"),
            r"二进制",
        ),
    ),
)

Sentences = tuple[LectureSentence, ...]


def find_spoken_formula(request: Request, shown: str) -> Sentences:
    """The sentences in which the lectures say the formula of a sum, as it is `shown`; none where none does.

    Of several places the first of those about whose lectures what is asked about is taught nearly as much as anywhere.
    """
    asked = f"{shown} {request.question}"
    formula = next((one for one in _SPOKEN if any(_says_all(way, asked) for way in one.worked)), None)
    lectures = request.material.lectures
    if formula is None or not lectures.lectures:
        return ()
    units = known(request.units)
    homes = homes_of(units, lectures)
    taught = {
        one.video_id: homes.get(one.video_id, 0.0) + coverage(units, terms_of(one.title)) for one in lectures.lectures
    }
    found = next((found for said in formula.said if (found := _first_said(said, taught, lectures))), ())
    return first_within(found, LENGTH[found[0].lang]) if found else ()


def _first_said(said: Way, taught: Mapping[str, float], lectures: CourseLectures) -> Sentences:
    """The sentences of a lecture from where it says something: of the first lecture that does and teaches nearly as
    much as any other that does."""
    ordered = sorted(lectures.lectures, key=lambda one: (-taught[one.video_id], one.index))
    most = next(((one, found) for one in ordered if (found := _from_where(said, one, lectures))), None)
    if most is None:
        return ()
    least = taught[most[0].video_id] - NEARLY
    before = [one for one in lectures.lectures if one.index < most[0].index and taught[one.video_id] >= least]
    return next((found for one in before if (found := _from_where(said, one, lectures))), most[1])


def _from_where(said: Way, lecture: SpokenLecture, lectures: CourseLectures) -> Sentences:
    """The sentences of a lecture from the first that says something, alone or with the next; none where none does."""
    return lectures.keep(("formula", said, lecture.video_id), partial(_find_first, said, lecture))


def _find_first(said: Way, lecture: SpokenLecture) -> Sentences:
    if not _says_all(said, lecture.text):
        return ()
    pairs = zip(lecture.sentences, (*lecture.sentences[1:], None), strict=True)
    texts = (one.text if after is None else f"{one.text} {after.text}" for one, after in pairs)
    return next((lecture.sentences[start:] for start, text in enumerate(texts) if _says_all(said, text)), ())


NEARLY = 0.3
"""How much less of what is asked about may be taught where a formula is said first. A choice."""
