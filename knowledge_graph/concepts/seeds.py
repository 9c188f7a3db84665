"""Chinese terms that the course itself points out, before any word segmentation.

Belongs here: reading terms off video titles, "什么是 X" questions and the wording "X是一种…", "…叫做X". jieba's
dictionary lacks most technical terms and cuts them up ("红|黑树", "哈希|表是"); these are kept whole. English
needs none of it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from knowledge_graph.concepts.candidates import DETERMINED_ZH
from knowledge_graph.concepts.stopwords import NOISE_ZH, NOT_ALONE_ZH
from knowledge_graph.text.sentences import LectureSpan

_NAME = r"[\u3400-\u9fff]{1,8}"
_CLAUSE_START = r"(?:^|[，。；：、,;:！？ ])(?:所谓的?|那么|那|所以|而|但是|其实|第[一二三四五]种(?:是|叫)?|什么是)*"
_KIND = r"一[种个类棵张组条项门]|指|用|由|把|将|给|根据|按|先|从|每|最|对|通过|两"
_DEFINED = re.compile(rf"{_CLAUSE_START}([A-Z]{{0,4}}{_NAME}?)(?:就|也)?是(?:{_KIND})")
_NO_TERM_AFTER = "不很非说什为因这那我你他大小要可会有没"
_SAID_TO_BE = re.compile(rf"{_CLAUSE_START}([\u3400-\u9fff]{{3,8}}?)是(?![{_NO_TERM_AFTER}])[^，。]{{4}}")
_CALLED = re.compile(r"(?:叫做?|称为|称作|称之为)(?:一[个种])?([A-Z]{0,4}[\u3400-\u9fff]{2,8})(?=[，。；、：,;！ ]|$)")
_WORDINGS = (_DEFINED, _SAID_TO_BE, _CALLED)
_ASKED = re.compile(rf"什么是({_NAME})[?？]?$|^({_NAME})是什么|什么叫做?({_NAME})[?？]?$")
_TITLE_PARTS = re.compile(
    r"第?(?<![一二三四五六七八九十百\d])[一二三四五六七八九十百\d]++[讲章节课周]|[^\u3400-\u9fff]+|[与和及的之]|"
    r"基本|概念|概述|简介|应用|绪论"
)
_NOT_IN_NAME = re.compile(r"[的了是在这那我你他它们吗呢么怎哪谁很都也就还不没只要会能让说看被其]|[到成为]$")
_WITH_LETTERS = re.compile(r"(?<![A-Za-z])[A-Z][A-Za-z]{0,9}[+*]?[树图网表机法]")
"""A letter, or a name in letters, with the noun it is joined to: B+树, AOE网."""
_LEAST = 2  # times the course must say it


def seed_terms(text: Sequence[LectureSpan], questions: Iterable[str]) -> list[str]:
    """Terms the course points out and says at least twice, sorted; of one character only from titles and questions."""
    chinese = [sentence for sentence in text if sentence.lang == "zh"]
    named = {part for title in {s.video_title for s in chinese} for part in _TITLE_PARTS.split(title) if part}
    named |= {name for question in questions for match in _ASKED.finditer(question.strip()) for name in _groups(match)}
    worded = {match.group(1) for s in chinese for found in _WORDINGS for match in found.finditer(s.text)}
    wanted = {name for name in named if len(name) <= 8} | {name for name in worded if len(name) > 1}
    lettered = {match.group() for s in chinese for match in _WITH_LETTERS.finditer(s.text)}
    kept = {name for name in wanted if _is_name(name)} | lettered
    said = _count_names(kept, chinese)
    return sorted(name for name in kept if said[name] >= _LEAST)


def _count_names(names: Iterable[str], sentences: Iterable[LectureSpan]) -> Counter[str]:
    """How often each name is said: one look at every character, however many names there are."""
    beginning: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        beginning[name[:2]].append(name)
    counts: Counter[str] = Counter()
    for sentence in sentences:
        text = sentence.text
        for at in range(len(text)):
            for key in {text[at], text[at : at + 2]}:
                if key in beginning:
                    counts.update(name for name in beginning[key] if text.startswith(name, at))
    return counts


def _groups(match: re.Match[str]) -> list[str]:
    return [group for group in match.groups() if group]


def _is_name(name: str) -> bool:
    common = len(name) > 1 and (name in NOISE_ZH or name in NOT_ALONE_ZH)
    return not common and not _NOT_IN_NAME.search(name) and not DETERMINED_ZH.match(name)
