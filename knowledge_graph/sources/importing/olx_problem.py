"""A problem of Open edX (capa XML) to a question with its options, the correct answer and the written solution."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

from knowledge_graph.sources.importing.problem_entries import ProblemText, letter

_SKIPPED = {
    "solution", "demandhint", "script", "style", "answer", "choicehint", "correcthint", "stringequalhint",
    "regexphint", "optionhint", "compoundhint", "hintgroup", "hintpart", "hint", "additional_answer", "responseparam",
    "correct_answer", "partial_credit",
}  # fmt: skip
_GROUPS = {
    "choicegroup",
    "checkboxgroup",
    "radiogroup",
    "optioninput",
    "radiotextgroup",
    "checkboxtextgroup",
    "options",
}
_BLOCKS = {
    "p", "div", "br", "li", "ul", "ol", "label", "description", "legend", "table", "tr", "pre", "center", "blockquote",
    "h1", "h2", "h3", "h4", "h5", "h6", "section", "text", "comment", "comment_prompt", "tag_prompt", "span12",
}  # fmt: skip
_MATH = ((re.compile(r"\[/?mathjaxinline\]"), (r"\(", r"\)")), (re.compile(r"\[/?mathjax\]"), (r"\[", r"\]")))
_QUOTED = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\"""")
_VARIABLE = re.compile(r"\$\{?[A-Za-z_]\w*")
_HEADINGS = {"explanation", "solution", "answer", "解释", "解析", "答案"}


def problem_text(problem: ET.Element) -> ProblemText:
    """The words of a problem; options are lettered A), B) ... anew in every part."""
    question = _plain("".join(_words(problem)))
    solution = "\n\n".join(
        filter(None, (_without_heading(_plain("".join(_inner(each)))) for each in problem.iter("solution")))
    )
    answers = [_correct(each) for each in problem.iter() if isinstance(each.tag, str) and each.tag.endswith("response")]
    numbered = len(answers) > 1
    correct = "\n".join(
        f"Part {part}: {answer}" if numbered else answer for part, answer in enumerate(answers, start=1) if answer
    )
    computed = any(True for _ in problem.iter("script")) and _VARIABLE.search(f"{question}{correct}{solution}")
    return ProblemText(question, correct, solution, is_computed=bool(computed))


def _words(element: ET.Element) -> Iterator[str]:
    """The words in and behind an element, solutions and hints left out."""
    if not isinstance(element.tag, str) or element.tag in _SKIPPED:
        pass
    elif element.tag in _GROUPS:
        yield "".join(f"\n{option}" for option, _ in _options(element)) + "\n"
    elif element.tag == "img":
        yield f" [{element.get('alt')}] " if element.get("alt") else " "
    else:
        border = "\n" if element.tag in _BLOCKS else ""
        yield border
        yield from _inner(element)
        yield border
    yield element.tail or ""


def _inner(element: ET.Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        yield from _words(child)


def _options(group: ET.Element) -> list[tuple[str, bool]]:
    """Each option as it is shown, with its letter, and whether it is correct."""
    found = [
        (
            _one_line(each),
            "true" in (each.get("correct", "").lower(), "true" if each.get("choice") == "correct" else ""),
        )
        for each in group
        if each.tag in ("choice", "option")
    ]
    if not found and group.get("options"):
        texts = [first or second for first, second in _QUOTED.findall(group.get("options", ""))]
        found = [(text, text == group.get("correct")) for text in texts]
    return [(f"{letter(place)}) {text}", correct) for place, (text, correct) in enumerate(found)]


def _one_line(element: ET.Element) -> str:
    return " ".join(_plain("".join(_inner(element))).split())


def _correct(response: ET.Element) -> str:
    groups = [each for each in response.iter() if each.tag in _GROUPS]
    if groups:
        return "; ".join(option for group in groups for option, correct in _options(group) if correct)
    others = [each.get("answer", "") for each in response.iter("additional_answer")]
    answers = [answer for answer in (response.get("answer", ""), *others) if answer]
    tolerance = next((each.get("default") for each in response.iter("responseparam")), None)
    return " or ".join(answers) + (f" (tolerance {tolerance})" if answers and tolerance else "")


def _plain(text: str) -> str:
    """Lines without blanks around them, at most one empty line between two, formulas in the usual brackets."""
    for pattern, (opening, closing) in _MATH:
        text = pattern.sub(lambda match: closing if "/" in match.group() else opening, text)  # noqa: B023 - used at once
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return re.sub(r"\n{2,}", "\n", "\n".join(lines)).strip()


def _without_heading(text: str) -> str:
    first, _, rest = text.partition("\n")
    return rest.strip() if first.strip(" :：").lower() in _HEADINGS else text
