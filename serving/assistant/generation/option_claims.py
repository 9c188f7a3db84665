"""What a text claims of the options of a multiple-choice question: which it calls right, which wrong. Pure, by rules.

Belongs here: reading claims, in English and Chinese, so that an explanation cannot name another option than the answer
does. What is done about it is `multiple_choice`'s and `explaining`'s.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from serving.assistant.understanding.options import Option

_RIGHT_BEFORE = re.compile(
    r"\b(?:(?:correct|right|best|true) (?:answer|option|choice|one|statement)|the answer)"
    r"(?: here| therefore)?(?: is| was| would be| should be| must be|:){1,2}\s*[:\"'“(*]*\s*"
    r"(?:(?:the|therefore|indeed|actually|clearly|also|simply|option|choice|answer|statement)\s+){0,3}[\"'“(*]*"
    r"|(?:正确的?|对的?)(?:答案|选项)(?:应该|应当|应)?(?:就是|是|为|：|:)\s*(?:选项)?\s*"
    r"|(?:应该?|故|所以|因此)选择?\s*(?:选项)?\s*|答案(?:应该?|就)?(?:是|为|选|：|:)\s*(?:选项)?\s*",
    re.IGNORECASE,
)
_IS = r"\s*+[)\]\"'”*.:]*+\s*+(?:选项)?+\s*+"
_HEDGE = r"(?:\s(?:also|indeed|therefore|clearly|definitely|thus))?"
_RIGHT_AFTER = re.compile(
    rf"{_IS}(?:\b(?:is|are|was|would be){_HEDGE}\s(?:(?:the|a|an)\s)?(?:(?:only|most|best)\s)?(?:correct|right)\b"
    r"(?!\s(?:if|when|only|about|for)\b)|(?:才是|也是|就是|是)?\s*(?:正确|对的))",
    re.IGNORECASE,
)
_WRONG_AFTER = re.compile(
    rf"{_IS}(?:\b(?:(?:is|are|was|would be){_HEDGE}\s(?:not\s(?:(?:the|a)\s)?(?:correct|right)|incorrect|wrong)"
    r"|(?:isn't|aren't)\s(?:(?:the|a)\s)?(?:correct|right))\b|(?:也是|就是|是)?\s*(?:错误|错|不正确|不对)的?)",
    re.IGNORECASE,
)
_ASKS_FOR_WRONG = re.compile(
    r"\b(?:not|except|incorrect|wrong|false|untrue|least)\b|n't\b|错误|不正确|不对|不属于|不是|不能|不可|除了|有误",
    re.IGNORECASE,
)
_ENDS_A_LABEL = r"(?=\s*(?:[.,:;)\]\"'”*!。，；：、]|$|because\b|since\b|as\b|which\b|[-–—]|[\u4e00-\u9fff]))"

_LABELLED = re.compile(
    r"(?:option|answer|选项|答案)?[\s:：是为]{0,12}[(（\[]?([A-Za-z0-9]{1,2}|[①-⑳])[)）\].、:：]?"
    r"(?:\s+|$|(?<=[)）\].、:：]))(.*)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Claims:
    """Labels of the options that a text calls right, and of those that it calls wrong."""

    right: frozenset[str]
    wrong: frozenset[str]


def read_claims(text: str, options: Sequence[Option], *, stem: str = "") -> Claims:
    """What `text` claims of the options, by label or by their whole text.

    Where the question asks for what is wrong or not so, "B is incorrect" may well be why B is the answer: then only
    claims of what the answer is are read.
    """
    flat = " ".join(text.split())
    right = {label for tail in _tails(flat) if (label := _option_at_start(tail, options)) is not None}
    wrong: set[str] = set()
    if _ASKS_FOR_WRONG.search(stem) is None:
        right |= {label for label, after in _mentions(flat, options) if _RIGHT_AFTER.match(flat, after)}
        wrong |= {label for label, after in _mentions(flat, options) if _WRONG_AFTER.match(flat, after)}
    return Claims(frozenset(right), frozenset(wrong))


def contradiction(text: str, options: Sequence[Option], *, chosen: str, stem: str = "") -> str | None:
    """In which way a text speaks against the answer being `chosen`; `None` when it does not."""
    claims = read_claims(text, options, stem=stem)
    if others := sorted(claims.right - {chosen}):
        return f"it calls {', '.join(others)} right, and the answer is {chosen}"
    return f"it calls {chosen} wrong, which is the answer" if chosen in claims.wrong else None


def option_of(answer: str, options: Sequence[Option]) -> Option | None:
    """The option that a stored answer is: by its label ("b", "B.", "(b) amyloid deposits") or its text.

    `None` when it is none of them, or the label is one option's and the text another's.
    """
    flat = " ".join(answer.split())
    whole = [one for one in options if _plain(one.text) == _plain(flat) != ""]
    if len(whole) == 1:
        return whole[0]
    bare = _LABELLED.fullmatch(flat)
    if bare is None:
        return None
    label, rest = bare.groups()
    found = [one for one in options if one.label.casefold() == label.casefold()]
    return found[0] if found and _plain(rest) in ("", _plain(found[0].text)) else None


def _tails(text: str) -> Iterator[str]:
    """What follows each "the correct answer is"."""
    return (text[found.end() :] for found in _RIGHT_BEFORE.finditer(text))


def _option_at_start(tail: str, options: Sequence[Option]) -> str | None:
    """The option named where a text begins; of several the one with the longest name: "A list" is no option A."""
    found: list[tuple[int, str]] = []
    for option in options:
        patterns = [rf"{re.escape(option.label)}{_ENDS_A_LABEL}"]
        if option.text:
            patterns.append(rf"(?i:{_words(option.text)})(?![A-Za-z0-9_])")
        lengths = [match.end() for pattern in patterns if (match := re.match(pattern, tail))]
        found.extend((length, option.label) for length in lengths)
    return max(found)[1] if found else None


def _mentions(text: str, options: Sequence[Option]) -> Iterator[tuple[str, int]]:
    """Every place where an option is named as what the sentence speaks of, with where its name ends."""
    for option in options:
        names = [rf"(?<![A-Za-z0-9_.]){re.escape(option.label)}(?![A-Za-z0-9_])"]
        if len(_plain(option.text)) > 1:
            names.append(rf"(?<![A-Za-z0-9_.])(?i:{_words(option.text)})(?![A-Za-z0-9_])")
        for name in names:
            yield from ((option.label, found.end()) for found in re.finditer(name, text))


def _words(text: str) -> str:
    return r"\s+".join(re.escape(word) for word in text.rstrip(".。;； ").split())


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(".。,，;；:：!！\"'“”() ")
