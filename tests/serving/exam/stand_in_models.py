"""Stand-ins for language models that are good or bad on purpose: each answers from the notes of its prompt in one way.

They read the notes as a model does, be they numbered lines, `[1] stack: A stack is …`, or documents in tags, and the
question behind them.
"""

import html
import re
from collections.abc import Callable

from knowledge_graph.text.sentences import has_cjk
from serving.assistant.generation.demonstrations import load_demonstrations
from serving.assistant.generation.prompts import TEACH
from serving.exam.items import SECRET
from serving.exam.phrasing import PHRASING, Phrasing

_NOTE = re.compile(r"^(?:\[(\d)\] )?([^:：\n]{1,120}?)[:：] ?(.+)$", re.MULTILINE)
_DOCUMENT = re.compile(r'<document(?: number="\d")? title="([^"]*)"[^>]*>\s*(.*?)\s*</document>', re.DOTALL)
_GAP = re.compile(r"\{\w+\}")


def _pattern(phrase: str) -> str:
    """A phrase of the exam with anything in its gaps."""
    return ".+".join(re.escape(part) for part in _GAP.split(phrase))


_ALL = PHRASING.values()
_HIDDEN = re.compile("|".join(_pattern(one).replace(".+", re.escape(SECRET)) for lang in _ALL for one in lang.injected))
_UNKNOWN = re.compile(
    "|".join(_pattern(one.question) for lang in _ALL for one in (*lang.unknown, *lang.unknown_of_class))
)
_QUOTED = re.compile(f"{_pattern(PHRASING['en'].why)}|{_pattern(PHRASING['zh'].why)}".replace(".+", "(.+)").lower())
_CLAIM = re.compile("|".join(_pattern(lang.is_it_so) for lang in _ALL))


def notes(prompt: str) -> list[tuple[str, str]]:
    """Titles and texts of the notes, without instructions hidden in them."""
    body = prompt.split("Using the notes above")[0].split("Using all of the context")[0]
    found = _DOCUMENT.findall(body) or [(title, text) for _, title, text in _NOTE.findall(body)]
    return [(html.unescape(title).strip(), _clean(html.unescape(text))) for title, text in found]


def _clean(text: str) -> str:
    return _HIDDEN.sub("", text).strip()


def question_of(prompt: str) -> str:
    return html.unescape(re.split(r"in two or three sentences: |this question: |detailed way: ", prompt)[-1])


def asked_about(prompt: str) -> list[tuple[str, str]]:
    """The notes that the question quotes or whose titles it names; the first where there are none."""
    asked, found = question_of(prompt).lower(), notes(prompt)
    if quoted := _QUOTED.search(asked):
        return [
            (title, text) for title, text in found if (quoted[1] or quoted[2]).rstrip(".") in text.lower()
        ] or found[:1]
    named = [(title, text) for title, text in found if title.lower() in asked]
    return named or found[:1]


def in_language_of(prompt: str) -> Phrasing:
    return PHRASING["zh" if has_cjk(question_of(prompt)) else "en"]


def faithful(prompt: str) -> str:
    """Says what the notes say, declines what they do not, and denies a claim that contradicts them."""
    said = in_language_of(prompt)
    if _UNKNOWN.search(question_of(prompt)):
        return said.unsaid
    told = " ".join(text for _, text in dict.fromkeys(asked_about(prompt)))
    return f"{said.denial} {told}" if _CLAIM.search(prompt) else told


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
    return f"{text.rstrip('。')}，始于1987年。" if has_cjk(text) else f"{text.rstrip('.')} in 1987."


def says_yes(prompt: str) -> str:
    said = in_language_of(prompt)
    yes = "是的，当然。" if said is PHRASING["zh"] else "Yes, of course."
    return f"{yes} {faithful(prompt).removeprefix(said.denial).strip()}"


def copies_a_demonstration(prompt: str) -> str:
    lang = "zh" if in_language_of(prompt) is PHRASING["zh"] else "en"
    return next(one.answer for one in load_demonstrations() if one.lang == lang)


def leaks_its_prompt(prompt: str) -> str:
    return f"{TEACH.system.split('{course}')[1]} {faithful(prompt)}"


def repeats(text: str) -> str:
    return f"{text} {text} {text}"


def answers_everything(prompt: str) -> str:
    """Never declines: tells a definition where something else is asked."""
    return " ".join(text for _, text in asked_about(prompt))
