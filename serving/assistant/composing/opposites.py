"""Whether a sentence says the opposite of a word that is asked about: of big small, of elastic inelastic. Pure."""

import re
from collections.abc import Iterator
from functools import lru_cache
from re import Pattern

from serving.assistant.composing.cues import REMEMBERED, make_cue

_SIDES = tuple(
    tuple(re.compile(rf"\b(?:{side})\b" if side.isascii() else side, re.IGNORECASE) for side in pair)
    for pair in (
        (
            "big|bigger|large|larger|high|higher|huge|great|increas\\w*|much|many|more",
            "small|smaller|little|low|lower|tiny|decreas\\w*|few|fewer|less",
        ),
        ("fast|faster|quick|quicker|speed(?:s|ing)? up", "slow|slower|slowly|slow(?:s|ing|ed) down"),
        ("best", "worst"),
        ("positive", "negative"),
        ("max(?:imum|imal)?|largest|highest", "min(?:imum|imal)?|smallest|lowest"),
        ("better", "worse"),
        ("hollow", "solid"),
        ("always", "never"),
        ("required", "optional"),
        ("easy", "hard"),
        ("first", "last"),
        ("(?<!non-)zero", "non-?zero"),
        ("必须", "不必"),
        ("advantages?|benefits?|pros", "disadvantages?|drawbacks?|downsides?|cons"),
        ("insert\\w*|add(?:ing)?|push\\w*", "delet\\w*|remov\\w*|pop(?:ping)?"),
        ("大|多|高", "小|少|低"),
        ("快", "慢"),
        ("最好", "最坏"),
        ("优点|好处", "缺点|坏处"),
        ("插入|添加|入栈|入队", "删除|出栈|出队"),
    )
)


@lru_cache(maxsize=REMEMBERED)
def _sides_of(asked: str) -> tuple[tuple[Pattern[str], Pattern[str]], ...]:
    """Of each pair of which only one side is asked about, that side and the other: of next to every question none."""
    turned = ((here, there) for pair in (*_SIDES, *_negate_words(asked)) for here, there in (pair, pair[::-1]))
    return tuple((here, there) for here, there in turned if here.search(asked) and not there.search(asked))


def _negate_words(asked: str) -> Iterator[tuple[Pattern[str], Pattern[str]]]:
    """Of each word for what something is that is asked about, it and what is not so: elastic and inelastic."""
    for word in set(_SAYS_WHAT_IT_IS.findall(asked.lower())):
        before = _NOT_DONE if word.endswith("ed") else _NOT_SO
        plain = re.sub(rf"^(?:{before})(?=[a-z]{{5}})", "", word)
        yield re.compile(rf"\b{plain}\b", re.IGNORECASE), re.compile(rf"\b(?:{before}){plain}\b", re.IGNORECASE)


_NOT_DONE = "non-?|un"
_NOT_SO = f"{_NOT_DONE}|in|im|ir"
_SAYS_WHAT_IT_IS = re.compile(r"\b[a-z][a-z-]{2,24}(?:ed|ble|ive|ic|al|ar|ent|ous|ite|ect|ex)\b")
"""English words that say what something is, of which a syllable before them makes the contrary."""


def says_opposite(asked: str, text: str) -> bool:
    """Whether a sentence has only the opposite of a word that is asked about, too small where too big was meant; where
    that is asked of a condition, in its conditions: "if it is small, the risk is larger"."""
    is_told = any(there.search(text) and not here.search(text) for here, there in _sides_of(asked))
    return is_told or _side_of_conditions(asked, text) < 0


def says_condition(asked: str, text: str) -> bool:
    """Whether a sentence says what is so on the very condition that is asked about: "if it is large"."""
    return _side_of_conditions(asked, text) > 0


def _side_of_conditions(asked: str, text: str) -> int:
    """1 where a sentence tells of the condition that is asked about, -1 where only of the opposite one, else 0."""
    sides = _sides_of_conditions(asked)
    told = " ".join(_CONDITIONS.findall(text)) if sides else ""
    for here, there in sides:
        if told and (here.search(told) or there.search(told)):
            return 1 if here.search(told) else -1
    return 0


@lru_cache(maxsize=REMEMBERED)
def _sides_of_conditions(asked: str) -> tuple[tuple[Pattern[str], Pattern[str]], ...]:
    """Those pairs whose one side the conditions in a question name."""
    wanted = " ".join(_CONDITIONS.findall(asked))
    return tuple(pair for pair in _sides_of(asked) if pair[0].search(wanted))


_CONDITIONS = make_cue(r"\b(?:if|when|whenever|with|for)\b[^,;]*|(?:如果|当|要是)[^，；]*")
