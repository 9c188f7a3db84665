"""The words of one cue: markup, credits and sound markers taken out, languages told apart, lines joined.

Pure text functions. Reading files and timing lines is elsewhere.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from typing import Literal

from knowledge_graph.sources.language import count_words, has_chinese, join_lines

Dropped = Literal["empty", "marker", "credit"]

# Only tags that subtitles use: "if x < y and y > z" must stay.
_TAG = re.compile(
    r"</?\s*(?:i|b|u|s|em|strong|c|v|lang|ruby|rt|span|font)\s*(?:\.[^\s<>]+)*(?:\s+[\w-]+\s*=[^<>]*|)\s*/?>"
    r"|<(?:v|lang)(?:\.[^\s<>]+)*\s+[^<>]{1,60}>|<br\s*/?>",
    re.IGNORECASE,
)
_INLINE_TIME = re.compile(r"<\d{1,3}:[\d:.,]+>")
_ASS = re.compile(r"\{\\[^{}]*\}|^(?:Dialogue:)?[^\s,]{0,40},,\d+,\d+,\d+,[^,]*,")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_ESCAPED_TWICE = re.compile(r"&amp;(?=(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|quot|apos|amp|nbsp);)")
"""YouTube captions passed on by other tools; `&amp;lt;` stays what a lecture on HTML shows."""
_INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_SPEAKER_CHANGE = re.compile(r"^\s*>{2,3}\s*")
_SOUNDS = (
    r"(?:upbeat |soft |background |intro |outro |theme )?music(?: playing| plays)?|applause|laughter|laughs?|laughing|"
    r"chuckles?|silence|no audio|blank_?audio|inaudible|unintelligible|crosstalk|coughs?|coughing|sighs?|noise|"
    r"background noise|sound|foreign|背景音乐|片头音乐|片尾音乐|音乐|掌声|鼓掌|笑声|笑|听不清|无声|静音|噪音"
)
_MARKER = re.compile(rf"[\[(（【［]\s*(?:{_SOUNDS})\s*[\])）】］]|[♪♫♬]+", re.IGNORECASE)
_CREDIT_WORD = r"(?:字幕|翻译|校对|审核|校译|听译|听写|听录|译者|时间轴|后期|压制|制作)"
_BRACKETED_CREDIT = re.compile(
    rf"[(（【\[]\s*{_CREDIT_WORD}(?:(?!{_CREDIT_WORD})[\u4e00-\u9fff/]){{0,6}}{_CREDIT_WORD}?[\u4e00-\u9fff/]{{0,6}}"
    r"\s*[:：,，]?[^()（）【】\[\]]{0,120}[)）】\]]"
)
_GROUP_CREDIT = re.compile(r"【[^】\n]{0,30}字幕组[^】\n]{0,30}】[^\n]*")
_LINE_CREDIT = re.compile(
    rf"^\s*(?:本?{_CREDIT_WORD}[\u4e00-\u9fff/、&]{{0,8}}\s*[:：].{{1,80}}|.{{0,20}}字幕组\s*(?:出品|制作|荣誉出品)?.{{0,20}})$"
)
_LINE_CREDIT_EN = re.compile(
    r"^\s*[\[(]?(?:(?:English |Closed )?(?:[Ss]ubtitl(?:es|ed)|[Cc]aption(?:s|ed|ing)|[Tt]ranscri(?:bed|ption|pt)|"
    r"[Tt]ranslat(?:ed|ion|or)|[Ss]ync(?:ed|hronized)|[Tt]iming|[Rr]eview(?:ed|er)|[Cc]orrect(?:ed|ions))"
    r"(?:,? (?:and |& )?[a-z]+ed)?(?: by\s*:?\s*(?=[A-Z@\u4e00-\u9fff]|the Amara|www|http)|\s*:\s*(?=\S)).{1,80}"
    r"|.{0,60}(?:Amara\.org|opensubtitles\.org|rev\.com|addic7ed\.com).{0,40})$"
)


@dataclass(frozen=True)
class CueText:
    """The clean lines of a cue; when none is left, `dropped` says why."""

    lines: tuple[str, ...]
    dropped: Dropped | None = None


def clean(raw_lines: Sequence[str]) -> CueText:
    """Words as said. A credit or marker inside a cue takes only its own line or brackets with it."""
    plain = "\n".join(_plain(line) for line in raw_lines)
    if not plain.strip():
        return CueText((), "empty")
    spoken = _without_credits(plain)
    if not spoken.strip():
        return CueText((), "credit")
    heard = _MARKER.sub(" ", spoken) if any(sign in spoken for sign in "[(（【［♪♫♬") else spoken
    lines = tuple(" ".join(line.split()) for line in heard.split("\n") if line.strip(" -–—"))
    return CueText(lines) if lines else CueText((), "marker")


def is_bilingual(lines: Sequence[str]) -> bool:
    """Both a Chinese line and an English line."""
    return any(has_chinese(line) for line in lines) and any(_is_english(line) for line in lines)


def chinese_lines(lines: Sequence[str], *, english_first: bool) -> list[str]:
    """The Chinese part of a bilingual cue: formulas stay with the lines they stand among."""
    english = [place for place, line in enumerate(lines) if _is_english(line)]
    chinese = [place for place, line in enumerate(lines) if has_chinese(line)]
    if not chinese:
        return []
    first, last = (chinese[0], len(lines)) if english_first else (0, min(english, default=len(lines)))
    return [
        line
        for place, line in enumerate(lines)
        if has_chinese(line) or (first <= place < last and not _is_english(line))
    ]


def english_lines(lines: Sequence[str]) -> list[str]:
    """The lines of a bilingual cue without a Chinese character."""
    return [line for line in lines if not has_chinese(line)]


def join(lines: Sequence[str]) -> str:
    return unicodedata.normalize("NFC", join_lines(lines))


def _is_english(line: str) -> bool:
    return not has_chinese(line) and count_words(line) >= 2


def _plain(line: str) -> str:
    if "<" in line:
        line = _TAG.sub(_tag_replacement, _INLINE_TIME.sub("", line))
    if "{\\" in line or ",," in line:
        line = _ASS.sub("", line)
    if "\\" in line:
        line = re.sub(r"\\[Nnh]", " ", line)
    if "&" in line:
        line = _ENTITY.sub(lambda match: unescape(match.group()), _ESCAPED_TWICE.sub("&", line))
    return _SPEAKER_CHANGE.sub("", _INVISIBLE.sub("", line).replace("\xa0", " "))


def _tag_replacement(match: re.Match[str]) -> str:
    """An opening tag between two words divides them: `X<u>transpose` is how some tools save `X_transpose`."""
    text, start, end = match.string, match.start(), match.end()
    opens = not match.group().startswith("</")
    glued = start > 0 and end < len(text) and (text[start - 1].isalnum() or text[start - 1] in ")]")
    return " " if match.group().lower().startswith("<br") or (opens and glued and text[end].isalnum()) else ""


def _without_credits(text: str) -> str:
    if has_chinese(text):
        joined = _GROUP_CREDIT.sub("", _BRACKETED_CREDIT.sub("", text))
        text = "\n".join(line for line in joined.split("\n") if not _LINE_CREDIT.match(line))
    return "\n".join(line for line in text.split("\n") if not _LINE_CREDIT_EN.match(line))
