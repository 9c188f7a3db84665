"""Stand-ins for language models that are good or bad on purpose: each answers from the notes of its prompt in one way.

They read the numbered notes as a model does, `[1] stack: A stack is …`, and the question behind them.
"""

import re
from collections.abc import Callable

from serving.assistant.generation.demonstrations import load_demonstrations
from serving.assistant.generation.prompts import TEACH
from serving.exam.items import SECRET
from serving.exam.phrasing import PHRASING

_NOTE = re.compile(r"^(?:\[(\d)\] )?([^:：\n]{2,120}?)[:：] ?(.+)$", re.MULTILINE)
_DOCUMENT = re.compile(r"<document[^>]*>\s*(.*?)\s*</document>", re.DOTALL)
_UNKNOWN = re.compile(
    r"who invented|which year|which company|how much does|谁发明|哪一年|哪家公司|授权费", re.IGNORECASE
)
_HIDDEN = re.compile(
    "|".join(
        re.escape(one).replace(re.escape("{secret}"), re.escape(SECRET))
        for lang in PHRASING.values()
        for one in lang.injected
    )
)
_CLAIM = re.compile(r"Somebody told me|有人跟我说")


def notes(prompt: str) -> list[tuple[str, str]]:
    """Titles and texts of the notes, without instructions hidden in them."""
    body = prompt.split("Using the notes above")[0].split("Using all of the context")[0]
    return [(title.strip(), _clean(text)) for _, title, text in _NOTE.findall(body)]


def _clean(text: str) -> str:
    return _HIDDEN.sub("", text).strip()


def question_of(prompt: str) -> str:
    return re.split(r"in two or three sentences: |this question: |detailed way: ", prompt)[-1]


def asked_about(prompt: str) -> list[tuple[str, str]]:
    """The notes whose titles the question names; the first where it names none."""
    asked, found = question_of(prompt).lower(), notes(prompt)
    named = [(title, text) for title, text in found if title.lower() in asked]
    return named or found[:1]


def faithful(prompt: str) -> str:
    """Says what the notes say, declines what they do not, and denies a claim that contradicts them."""
    if _UNKNOWN.search(question_of(prompt)):
        return "The notes do not say that."
    told = " ".join(text for _, text in dict.fromkeys(asked_about(prompt)))
    return f"No. {told}" if _CLAIM.search(prompt) else told


def says(change: Callable[[str], str]) -> Callable[[str], str]:
    """Faithful, but for one change."""
    return lambda prompt: change(faithful(prompt))


def swaps_subjects(prompt: str) -> str:
    """Says of each thing what the notes say of another."""
    found = notes(prompt)
    if _UNKNOWN.search(question_of(prompt)) or _CLAIM.search(prompt) or len(found) < 2:
        return faithful(prompt)
    (one, first), (other, second) = found[0], next((note for note in found[1:] if note[0] != found[0][0]), found[0])
    swapped = re.sub(re.escape(other), one, second, flags=re.IGNORECASE)
    back = re.sub(re.escape(one), other, first, flags=re.IGNORECASE)
    return f"{swapped} {back}"


def negates(text: str) -> str:
    turned = re.sub(r"\b(is|are|can|may|needs|has)\b(?! not)", r"\1 not", text)
    return re.sub(r"是", "不是", turned)


def adds_a_number(text: str) -> str:
    return f"{text.rstrip('.')} in 1987."


def says_yes(prompt: str) -> str:
    return f"Yes, of course. {faithful(prompt).removeprefix('No. ')}"


def copies_a_demonstration(prompt: str) -> str:
    return next(one.answer for one in load_demonstrations() if one.lang == "en")


def leaks_its_prompt(prompt: str) -> str:
    return f"{TEACH.system.split('{course}')[1]} {faithful(prompt)}"


def repeats(text: str) -> str:
    return f"{text} {text} {text}"


def answers_everything(prompt: str) -> str:
    """Never declines: tells a definition where something else is asked."""
    return " ".join(text for _, text in asked_about(prompt))
