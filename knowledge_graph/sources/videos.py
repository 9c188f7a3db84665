"""Videos by the names of their files: id, title and teaching order. Strings only."""

import re
from pathlib import PurePath

from knowledge_graph.sources.encodings import decode_name
from knowledge_graph.sources.folders import (
    LECTURE_FOLDERS,
    MANY_VIDEO_SUFFIXES,
    SUBTITLE_SUFFIXES,
    UNREAD_SUBTITLE_SUFFIXES,
    UNTIMED_SUFFIXES,
)
from knowledge_graph.sources.language import chinese_number

_CHINESE_NUMBER = re.compile(r"(?<=第)[零〇一二三四五六七八九十百]+(?=[章节讲课集部分单元周回])")
_NUMBERING = re.compile(
    r"^\s*(?:\d+(?:\s*[-–._、:]\s*|\s+(?=\d+\s*[-–._、:])))*(?:0\d+|\d+(?=\s*[-–._、:]))(?:\s*[-–._、:]\s*|\s+)(?=\S)"
)
_LENGTH = re.compile(r"(?<!\s)\s*+[(（]\s*+\d++\s*+(?:min(?:ute)?s?|分钟?)\s*+[)）]\s*+$", re.IGNORECASE)
_MEDIA = re.compile(r"\.(?:mp4|mkv|webm|mov|m4v|avi|flv)$", re.IGNORECASE)
_LANG_TAG = re.compile(r"[._](?:en|eng|zh|chs|cn)(?:[-_](?:us|gb|cn|hans))?$", re.IGNORECASE)
_QUESTION = re.compile(r"^(?:what|why|how|when|where|who|which|is|are|do|does|can|should)\b", re.IGNORECASE)


_EDX_NAME = re.compile(r"^((?:.*/)?)subs_(.+)\.srt\.sjson$", re.IGNORECASE | re.DOTALL)
"""Open edX stores the transcript of video `abc` as `subs_abc.srt.sjson`."""

_SUFFIXES = (*SUBTITLE_SUFFIXES, *MANY_VIDEO_SUFFIXES, *UNTIMED_SUFFIXES, *UNREAD_SUBTITLE_SUFFIXES)


def split_suffix(name: str) -> tuple[str, str]:
    """A name without its subtitle suffix, and the suffix; `""` when it has none."""
    for suffix in (".srt.sjson", *_SUFFIXES):
        if name.lower().endswith(suffix):
            return name[: -len(suffix)], name[-len(suffix) :]
    return name, ""


def video_id_of(inside: PurePath) -> str:
    """Path of a subtitle file in its course folder (or in its folder of lectures), in whole characters, without suffix.

    >>> video_id_of(PurePath("subtitles/week1/subs_OEoXaMPEzfM.srt.sjson"))
    'week1/OEoXaMPEzfM'
    """
    return split_suffix(_EDX_NAME.sub(r"\1\2", decode_name(in_lecture_folder(inside.as_posix()))))[0]


def in_lecture_folder(name: str) -> str:
    """A path in a course folder without the folder of lectures it begins with, if any."""
    first, _, rest = name.partition("/")
    return rest if rest and first in LECTURE_FOLDERS else name


def title_of(video_id: str) -> str:
    """The title in a file's name: numbering and running time taken off, signs that file systems forbid put back.

    >>> title_of("week1/1 - 2 - What is Machine Learning_ (7 min)")
    'What is Machine Learning?'
    """
    stem = video_id.rsplit("/", 1)[-1]
    title = _LENGTH.sub("", _MEDIA.sub("", _LANG_TAG.sub("", stem)))
    title = _NUMBERING.sub("", title).strip()
    if " " not in title:
        title = re.sub(r"[-_]+", " ", title)
    title = re.sub(r"_(?=['’])", "", title)
    title = re.sub(r"_(?=\s)", ":", title)
    title = re.sub(r"_$", "?" if _QUESTION.match(title) else "", title)
    return " ".join(title.replace("_", " ").split()) or stem


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key with 2 before 10 and 第二讲 before 第十讲."""
    digits = _CHINESE_NUMBER.sub(lambda match: str(chinese_number(match.group())), name)
    parts = re.split(r"(\d+)", digits.casefold())
    keys = [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]
    return (*keys, (1, 0, name))
