"""What people write at the desk, made fit to be kept. HTML stays text: what shows it escapes it. Pure."""

import re

from serving.desk.refusals import NotFit

LONGEST_QUESTION = 4_000
LONGEST_ANSWER = 20_000
LONGEST_NOTE = 2_000
"""Characters. Choices."""

_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""Control characters but tab and line feed, and what no file or database can hold."""


def clean(text: str, what: str, *, most: int) -> str:
    """The text without what nobody can see, `what` naming it in the error. Raises `NotFit` when it is too long."""
    kept = _UNSEEN.sub("", text.replace("\r\n", "\n")).strip()
    if len(kept) > most:
        raise NotFit(f"The {what} has {len(kept)} characters; at most {most} are kept. Shorten it.")
    return kept


def require_text(text: str, what: str, *, most: int) -> str:
    """As `clean`; raises `NotFit` when nothing is left."""
    kept = clean(text, what, most=most)
    if not kept:
        raise NotFit(f"The {what} is empty. Write it, then send it again.")
    return kept
