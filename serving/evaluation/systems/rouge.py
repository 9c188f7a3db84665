"""ROUGE-1, ROUGE-2 and ROUGE-L (Lin 2004) of an answer against a reference, in English and Chinese.

Computed by the library `rouge-score`; what is added is what counts as a token. A Chinese character (Han) is one token,
as no two segmenters agree on Chinese words; every other run of a-z and 0-9 is one, in lower case, as in the library.
So on text without Chinese the figures are the library's own. Full-width letters and digits count as the plain ones.

Words are not stemmed: that is the library's default, Chinese has no endings, and LittleMu (Table 4) says nothing of
either. Its figures are of Chinese and do not say what a token was: by characters they are higher than by words.
"""

import re
import sys
from dataclasses import dataclass
from functools import cache

from absl import logging as absl_logging  # comes with rouge-score
from rouge_score.rouge_scorer import RougeScorer  # type: ignore[import-untyped]

# absl's handler closes, with the next change of logging, whatever was standard error when absl was imported: a log file
# of ours, or the file in which pytest keeps what is printed.
absl_logging.get_absl_handler().python_handler.setStream(sys.__stderr__)

_HAN = "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
_TOKEN = re.compile(f"[a-z0-9]+|[{_HAN}]")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code - 0xFEE0).isalnum()}


@dataclass(frozen=True)
class Rouge:
    """F1 of ROUGE-1, -2 and -L, each 0..1."""

    r1: float
    r2: float
    rl: float


class HanTokenizer:
    """Tokens as the module says, in the form of `rouge_score.tokenizers.Tokenizer`."""

    def tokenize(self, text: str) -> list[str]:
        return tokens(text)


def tokens(text: str) -> list[str]:
    """The tokens of a text, in order. Punctuation is none, and neither are letters of other scripts."""
    return _TOKEN.findall(text.translate(_FULL_WIDTH).lower())


def rouge(answer: str, reference: str) -> Rouge:
    """F1 of an answer; 0 where either text has no token. Which of the two is which does not change an F1."""
    found = _scorer().score(target=reference, prediction=answer)
    return Rouge(*(float(found[name].fmeasure) for name in ("rouge1", "rouge2", "rougeL")))


@cache
def _scorer() -> RougeScorer:
    return RougeScorer(["rouge1", "rouge2", "rougeL"], tokenizer=HanTokenizer())
