"""What a wording is: one way in which people say what a term is.

Belongs here: the type and how it is made. The wordings themselves are in `english.py` and
`chinese.py`; what makes a sentence a poor definition however it is worded is in `flaws.py`.
"""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["plain", "clause", "relative"]


@dataclass(frozen=True)
class Pattern:
    """One way of saying what a term is; `weight` grows with how often sentences worded so are real definitions.

    `before` must match at the end of what precedes the term (false starts removed), `after` at the start of what
    follows it. `clause`: the match of `before` begins a clause that stands on its own. `relative`: the term is
    explained in a relative clause, which becomes a main clause when its pronoun, the group `that`, is left out.
    """

    name: str
    weight: float
    before: re.Pattern[str]
    after: re.Pattern[str]
    kind: Kind = "plain"
    names: bool = False
    """Whether the term is the name given to what was described: `before` then holds a word such as "called"."""


def pattern(name: str, weight: float, before: str, after: str, kind: Kind = "plain", *, names: bool = False) -> Pattern:
    """A pattern from two regular expressions, for text in lower case: twice as fast as ignoring case."""
    return Pattern(name, weight, re.compile(before), re.compile(after), kind, names)
