"""Chinese words: jieba's segmenter, read once per process.

Import jieba from here only. Left to itself it writes its dictionary to the system's temporary folder and reads
whatever lies there under that name, another user's file too.
"""

import importlib
import logging
import re
import warnings
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Protocol, cast


class Segmenter(Protocol):
    """The part of jieba's `Tokenizer` that is used."""

    def cut(self, sentence: str) -> Iterator[str]: ...
    def cut_for_search(self, sentence: str) -> Iterator[str]: ...


@cache
def chinese_segmenter() -> Segmenter:
    """jieba's segmenter with its own dictionary, silent and without its cache file.

    The first call takes about 0.6 s: homes in English alone never make it.
    """
    jieba = _jieba()
    jieba.setLogLevel(logging.WARNING)
    words = jieba.Tokenizer()
    words.FREQ, words.total = words.gen_pfdict(words.get_dict_file())
    words.initialized = True
    return cast(Segmenter, words)


@lru_cache(maxsize=1 << 12)
def stands_as_words(text: str, name: str) -> bool:
    """Whether a Chinese name stands in a text by itself: 快排 is not in 更快排序, where 排序 begins in it, nor 图 in
    地图. A longer name that the dictionary has does wherever it is written."""
    if len(name) > 1 and chinese_word_class(name):
        return name in text
    found = (match.start() for match in re.finditer(re.escape(name), text))
    return any(not _is_cut(text, at, at + len(name)) for at in found)


def _is_cut(text: str, start: int, stop: int) -> bool:
    """Whether a word of two characters lies across one of two places in a text."""
    return any(chinese_word_class(text[at - 1 : at + 1]) != "" for at in (start, stop) if 0 < at < len(text))


@lru_cache(maxsize=1 << 12)
def chinese_word_class(word: str) -> str:
    """The part of speech of a word in jieba's dictionary, "n", "nr", "v"; empty for a word that it does not have.

    The first call reads the dictionary (5 MB, 10 ms), which stays in memory.
    """
    entries = _dictionary()
    start = entries.find(f"\n{word} ".encode(errors="replace"))  # half a character of UTF-16 is no word
    return entries[start + 1 : entries.find(b"\n", start + 1)].split(b" ")[-1].strip().decode() if start >= 0 else ""


@cache
def _dictionary() -> bytes:
    return b"\n" + (Path(str(_jieba().__file__)).parent / "dict.txt").read_bytes()


def _jieba() -> ModuleType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba 0.42 has invalid escapes in its patterns and reads pkg_resources
        return importlib.import_module("jieba")
