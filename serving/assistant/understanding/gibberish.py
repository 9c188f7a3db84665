"""Gibberish: text typed by hitting keys at random. Rules over letters, which spare the names of commands."""

import re
from itertools import pairwise

_MAY_FOLLOW = {
    "a": "abcdefghijklmnoprstuvwxyz", "b": "abeilorsuy", "c": "acehiklorstuy", "d": "adefghilmnorsuvwy",
    "e": "abcdefghiklmnopqrstuvwxyz", "f": "aefilorstuy", "g": "aeghilmnorstuy", "h": "aeilmnorstuy",
    "i": "abcdefgklmnopqrstuvxz", "j": "aeiou", "k": "aehilnorsuy", "l": "abcdefgiklmopstuvy", "m": "abceilmnopsuy",
    "n": "abcdefghijklmnoprstuvwyz", "o": "abcdefghiklmnoprstuvwxyz", "p": "aehiloprstuy", "q": "u",
    "r": "abcdefghiklmnoprstuvwy", "s": "abcdefhiklmnopqrstuwy", "t": "abcefhilmnorstuwyz", "u": "abcdefgiklmnoprst",
    "v": "aeio", "w": "aehilnors", "x": "aceipt", "y": "acdeilmnoprst", "z": "aeioz",
}  # fmt: skip
"""Letters that follow a letter in at least 60 of the 60,000 most frequent English words (wordfreq 3.1)."""

ODD_PAIRS = 0.4
ODD_PAIRS_OF_A_SHORT_WORD = 0.6
LONG_WORD = 8
"""A word is odd when this share of its pairs of letters is not in the table; a short one may be a command: `mkdir` has
0.5. With these, 0.2 % of rare English words are odd, and 59 % of words of random letters; choices."""

LONGEST_READ = 400
"""Characters looked at."""

_WORD = re.compile(r"[A-Za-z]+")
_CODE = re.compile(r"\w[_./\\:=()<>\[\]{}@#$%^&*+|~-]+\w|\d")
_OTHER_LETTER = re.compile(r"[^\W\d_a-zA-Z]")
_REPEATED = re.compile(r"(.{1,4}?)\1{2,}.{0,3}")
_ONE_CHARACTER = re.compile(r"(?:([^\W\d_])\1{3,}[\W_]*)+")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_WALK = 4
_LEAST_LETTERS = 4


def is_gibberish(text: str) -> bool:
    """Whether the whole text is gibberish; a single plausible word makes it none."""
    read = text[:LONGEST_READ]
    if _ONE_CHARACTER.fullmatch(read.strip()):
        return True
    if _OTHER_LETTER.search(read) or _CODE.search(read):
        return False
    words = [word for word in _WORD.findall(read) if len(word) > 1]
    if sum(map(len, words)) < _LEAST_LETTERS or any(word.isupper() and len(word) < LONG_WORD for word in words):
        return False
    several = len(words) > 1
    return all(_is_odd(word.lower(), several=several) for word in words)


def _is_odd(word: str, *, several: bool) -> bool:
    if len(word) < _LEAST_LETTERS:
        return several and _odd_pairs(word) > ODD_PAIRS
    if (len(word) > 5 and _REPEATED.fullmatch(word)) or _longest_walk(word) * 2 > len(word):
        return True
    limit = ODD_PAIRS if several or len(word) >= LONG_WORD else ODD_PAIRS_OF_A_SHORT_WORD
    return len(word) > _LEAST_LETTERS and _odd_pairs(word) >= limit


def _odd_pairs(word: str) -> float:
    """The share of neighbouring letters that are rare in English, 0..1."""
    pairs = list(pairwise(word))
    return sum(right not in _MAY_FOLLOW[left] for left, right in pairs) / len(pairs)


def _longest_walk(word: str) -> int:
    """How many of its letters were typed by walking along a row of the keyboard, in one direction, 4 keys or more."""
    covered: set[int] = set()
    for start in range(len(word) - _WALK + 1):
        part = word[start : start + _WALK]
        if any(part in row or part in row[::-1] for row in _ROWS):
            covered.update(range(start, start + _WALK))
    return len(covered)
