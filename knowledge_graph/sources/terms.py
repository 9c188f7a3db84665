"""Names and definitions of concepts as people write them, alone and in lists: cleaned, or told what is wrong.

What is said of a concept is for `statements.py` and `edits.py`.
"""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from knowledge_graph.sources.fields import ProblemLog, is_nan, repair, whole_characters
from knowledge_graph.sources.files import read_text
from knowledge_graph.text.sentences import has_cjk, language_of, normal_form, split_sentences

LONGEST_NAME = 100
"""Characters of a concept's name. A longer one is a sentence."""
LONGEST_DEFINITION = 1_000
"""Characters of a definition: it goes into prompts whole, and several times over."""
LARGEST_LIST = 8 * 2**20
"""Bytes of a list of concepts."""
LONGEST_LINE = 1_000
"""Characters of one of its lines: a name with its aliases."""

_BREAK = re.compile(r"\r\n|\r|\n")
_SEPARATOR = re.compile(r"::;|\t")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_NO_TEXT = 0.01  # share of control characters; a picture has 5% and more, and would give hundreds of names


def list_lines(path: Path, log: ProblemLog) -> Iterator[tuple[int, str]]:
    """Number and text of the lines of a list; `#` begins a comment line. What is no text is reported and not read."""
    decoded = read_text(path, log, LARGEST_LIST)
    if decoded and len(_CONTROLS.findall(decoded.text)) > _NO_TEXT * len(decoded.text):
        remedy = "Write a plain text, one concept or pair a line."
        log.error(None, "Not read: it is no text, but perhaps a picture.", remedy)
        return
    for line, text in enumerate(_BREAK.split(decoded.text) if decoded else (), start=1):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        if len(text) > LONGEST_LINE:
            message = f"The line has {len(text):,} characters, the limit is {LONGEST_LINE:,}; it was left out."
            log.error(line, message, "Write one concept or pair a line.")
        else:
            yield line, text


def read_named_concepts(path: Path, log: ProblemLog) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Line and names of each concept of a list: one a line, aliases behind `::;` or tabs."""
    for line, text in list_lines(path, log):
        names = [name for part in _SEPARATOR.split(text) if part.strip() and (name := name_of(part, line, log))]
        if names:
            yield line, tuple(dict.fromkeys(names))


def fold_name(name: str) -> str:
    """What two names of one concept have in common, whatever the language of the concept: see `text.normal_form`."""
    return normal_form(name, "zh" if has_cjk(name) else "en")


def name_of(text: str, line: int | None, log: ProblemLog) -> str | None:
    """A concept's name, blanks and control characters folded; `None`, with a problem logged, when it is none."""
    text = repair("name", text, line, log)
    name = " ".join("".join(" " if unicodedata.category(sign)[0] == "C" else sign for sign in text).split())
    name = whole_characters(name) if name else ""
    if len(name) > LONGEST_NAME:
        message = f"'{name[:60]}…' was left out: it has {len(name):,} characters, the limit is {LONGEST_NAME}."
        log.error(line, message, "Write the term alone.")
        return None
    if not any(sign.isalpha() for sign in name):
        log.error(line, f"'{name}' was left out: it has no letter.", "Write a term.")
        return None
    return name


def definition_of(text: str | None, line: int | None, log: ProblemLog) -> str | None:
    """A definition on one line; of one that is too long the first sentences, told."""
    if text is None or not text.strip() or is_nan(text):
        return None
    shown = " ".join(repair("definition", text, line, log).split())
    if len(shown) <= LONGEST_DEFINITION:
        return shown
    message = f"The definition '{shown[:40]}…' has {len(shown):,} characters; its first sentences were kept."
    log.warning(line, message, f"Shorten it to {LONGEST_DEFINITION:,}.")
    return first_sentences(shown, LONGEST_DEFINITION)


def first_sentences(text: str, limit: int) -> str:
    """As many whole sentences as fit into `limit` characters; cut inside the first one only if that alone does not."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    lang = language_of(flat)
    kept = ""
    for sentence in split_sentences(flat[: 2 * limit], lang):
        longer = f"{kept}{'' if lang == 'zh' or not kept else ' '}{sentence}"
        if len(longer) > limit:
            break
        kept = longer
    return kept or flat[:limit]
