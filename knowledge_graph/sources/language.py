"""Chinese or English: the one rule that decides it, and how lines of either are joined. No segmentation here."""

import re
from collections.abc import Iterable

from knowledge_graph.lake.records import Lang

_CHINESE = re.compile(r"[㐀-䶿一-鿿]")
_DIGITS = "零〇一二三四五六七八九"
_WORD = re.compile(r"[A-Za-z]+")
_NO_SPACE = r"[㐀-䶿一-鿿\u3000-\u303f\uff00-\uffef“”‘’…—]"
_GAP = re.compile(rf"(?<={_NO_SPACE})\n(?={_NO_SPACE})")


def has_chinese(text: str) -> bool:
    return _CHINESE.search(text) is not None


def count_words(text: str) -> int:
    """Words written in Latin letters."""
    return len(_WORD.findall(text))


def share_of_chinese(text: str) -> float:
    """Chinese characters over Chinese characters plus Latin words, 0..1; 0 for text with neither."""
    chinese, words = len(_CHINESE.findall(text)), count_words(text)
    return chinese / (chinese + words) if chinese else 0.0


def lang_of(text: str, default: Lang = "en") -> Lang:
    """`zh` when at least a fifth is Chinese: bilingual subtitles lie near 0.56, English lectures at 0."""
    share = share_of_chinese(text)
    if share >= 0.2:
        return "zh"
    return "en" if _WORD.search(text) else default


def join_lines(lines: Iterable[str]) -> str:
    """One line of text: a space between lines, none where both sides are Chinese."""
    text = "\n".join(line for line in (line.strip() for line in lines) if line)
    return " ".join(_GAP.sub("", text).split())


def chinese_number(text: str) -> int:
    """The value of 一 to 九百九十九, as lectures and articles are numbered."""
    hundreds, _, rest = text.rpartition("百")
    tens, ten, ones = rest.rpartition("十")
    total = _digit(hundreds) * 100
    total += (_digit(tens) or 1) * 10 if ten else 0
    return total + _digit(ones)


def _digit(text: str) -> int:
    return max(0, _DIGITS.find(text[-1]) - 1) if text else 0
