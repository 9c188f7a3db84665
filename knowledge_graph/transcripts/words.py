"""The words of a sentence that carry a topic: what sentences are compared by, in English and Chinese. Pure."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.concepts.stopwords import NOISE_EN
from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import singular

_WORD = re.compile(r"[a-z][a-z'-]*[a-z]|[a-z]")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_FUNCTION_WORDS = frozenset(
    """a an and are as at be been being but by can could did do does doing done for from get gets getting go goes going
    got had has have having he her here him his how i i'd i'll i'm i've if in into is isn't it it's its just know let's
    like look make makes me might more my no not of off on or our out over put say says see she should so some such take
    than that that's the their them then there there's these they they're think this those to too up us use uses using
    was wasn't we we'd we'll we're we've well were what what's when where which while who why will with would you you'd
    you'll you're you've your also about after again all any because before between both down during each even ever
    every much must never only other own same still through under until upon very whether without yet""".split()
)
_STOP = NOISE_EN | _FUNCTION_WORDS
_EMPTY_HAN = frozenset("的了是在有和与及或我你您他她它们这那个一不会能可以就都也要把被对从到给让下呢吗吧啊呀么")


def topic_words(text: str, lang: Lang) -> list[str]:
    """Singular English words without function words; of Chinese the bigrams of characters that carry meaning."""
    if lang == "zh":
        runs = _HAN.findall(text)
        pairs = [run[at : at + 2] for run in runs for at in range(len(run) - 1)]
        latin = [word for word in _WORD.findall(text.lower()) if len(word) > 1]
        return [*(pair for pair in pairs if not _EMPTY_HAN.intersection(pair)), *latin]
    return [singular(word) for word in _WORD.findall(text.lower()) if word not in _STOP and len(word) > 1]


def tf_idf(texts: Sequence[str], lang: Lang) -> NDArray[np.float32]:
    """One row a text, of length 1 (of 0 for a text without topic words); the columns are the words of all of them."""
    listed = [topic_words(text, lang) for text in texts]
    columns = {word: number for number, word in enumerate(sorted({word for words in listed for word in words}))}
    matrix = np.zeros((len(texts), len(columns)), dtype=np.float32)
    for row, words in enumerate(listed):
        for word in words:
            matrix[row, columns[word]] += 1.0
    frequency = (matrix > 0).sum(axis=0)
    matrix = np.log1p(matrix) * np.log((1 + len(texts)) / (1 + frequency) + 1).astype(np.float32)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    found: NDArray[np.float32] = np.divide(matrix, lengths, out=np.zeros_like(matrix), where=lengths > 0)
    return found
