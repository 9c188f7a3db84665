"""Chinese words: jieba's segmenter, read once per process.

Import jieba from here only. Left to itself it writes its dictionary to the system's temporary folder and reads
whatever lies there under that name, another user's file too.
"""

import importlib
import logging
import warnings
from collections.abc import Iterator
from functools import cache
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
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba 0.42 has invalid escapes in its patterns and reads pkg_resources
        jieba = importlib.import_module("jieba")
    jieba.setLogLevel(logging.WARNING)
    words = jieba.Tokenizer()
    words.FREQ, words.total = words.gen_pfdict(words.get_dict_file())
    words.initialized = True
    return cast(Segmenter, words)
