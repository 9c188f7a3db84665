"""The questions of an assessment or a bank in QTI 1.2, as Common Cartridges have it and Canvas writes it beside."""

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from knowledge_graph.sources.importing.problem_entries import ProblemText, letter_options, words_of

_CHOICES = frozenset({"multiple_choice", "true_false", "multiple_response", "multiple_answers"})
_WRITTEN = frozenset({"short_answer", "fib", "numerical"})


@dataclass(frozen=True)
class QtiQuestion:
    """A question by its identifier. `text` is `None` for a kind that is not read."""

    name: str
    kind: str
    text: ProblemText | None


@dataclass(frozen=True)
class _Condition:
    """A way to answer: the values it takes, whether it scores, and which feedback it shows."""

    values: tuple[str, ...]
    scores: bool
    is_other: bool
    feedback: tuple[str, ...]


def questions_of(assessment: Element) -> Iterator[QtiQuestion]:
    """The questions in order."""
    for item in assessment.iterfind(".//{*}item"):
        kind = _kind(item)
        yield QtiQuestion(item.get("ident", ""), kind, _text(item) if kind in _CHOICES | _WRITTEN else None)


def banks_of(assessment: Element) -> set[str]:
    """The identifiers of the banks that questions are drawn from."""
    return {one.text.strip() for one in assessment.iterfind(".//{*}sourcebank_ref") if one.text}


def _kind(item: Element) -> str:
    """As `multiple_choice`: Canvas writes `multiple_choice_question`, a cartridge `cc.multiple_choice.v0p1`."""
    for named in item.iterfind(".//{*}qtimetadatafield"):
        if named.findtext("{*}fieldlabel") in ("question_type", "cc_profile"):
            told = (named.findtext("{*}fieldentry") or "").strip()
            return told.removeprefix("cc.").split(".")[0].removesuffix("_question")
    return "unknown"


def _text(item: Element) -> ProblemText:
    asked = "\n".join(filter(None, (_material(one) for one in item.iterfind("{*}presentation/{*}material"))))
    asked = asked or "\n".join(
        filter(None, (_material(one) for one in item.iterfind("{*}presentation//{*}flow/{*}material")))
    )
    labels = [one for one in item.iterfind(".//{*}render_choice//{*}response_label")]
    shown = letter_options([_material(one) for one in labels])
    options = {label.get("ident", ""): option for label, option in zip(labels, shown, strict=True)}
    conditions = [_condition(one) for one in item.iterfind("{*}resprocessing/{*}respcondition")]
    right = [value for one in conditions if one.scores for value in one.values]
    is_several = _kind(item) not in ("multiple_choice", "true_false")
    correct = ("; " if options and is_several else " or ").join(
        dict.fromkeys(options.get(value, "") if options else value for value in right)
    )
    return ProblemText("\n".join([asked, *shown]).strip(), correct, _solution(item, conditions, options))


def _solution(item: Element, conditions: list[_Condition], options: dict[str, str]) -> str:
    """What everybody reads, then who is right, then who chose an option; not what all who are wrong read."""
    said = {one.get("ident", ""): _material(one) for one in item.iterfind("{*}itemfeedback")}
    general = [name for one in conditions if one.is_other for name in one.feedback if "incorrect" not in name]
    right = [name for one in conditions if one.scores for name in one.feedback]
    chosen = {value for one in conditions if one.scores for value in one.values}
    of_option = [
        said[name] if one.values[0] in chosen else f"{options[one.values[0]]}: {said[name]}"
        for one in conditions
        if not one.scores and len(one.values) == 1 and one.values[0] in options
        for name in one.feedback
        if said.get(name)
    ]
    return "\n".join([*(said[name] for name in dict.fromkeys((*general, *right)) if said.get(name)), *of_option])


def _condition(element: Element) -> _Condition:
    variables = element.find("{*}conditionvar")
    return _Condition(
        values=() if variables is None else tuple(_values(variables)),
        scores=any(_number(one.text) > 0 for one in element.iterfind("{*}setvar")),
        is_other=variables is not None and variables.find("{*}other") is not None,
        feedback=tuple(one.get("linkrefid", "") for one in element.iterfind("{*}displayfeedback")),
    )


def _values(element: Element) -> Iterator[str]:
    """The values that are right; of a range its two ends, and nothing of what must not be chosen."""
    low, high = (element.findtext(f"{{*}}{name}") for name in ("vargte", "varlte"))
    if low is not None and high is not None:
        yield f"between {low.strip()} and {high.strip()}"
    for child in element:
        name = str(child.tag).rpartition("}")[2]
        if name == "varequal" and child.text:
            yield child.text.strip()
        elif name in ("and", "or"):
            yield from _values(child)


def _material(element: Element) -> str:
    """The words in an element."""
    texts = [one for one in element.iter() if str(one.tag).rpartition("}")[2] == "mattext" and one.text]
    return "\n".join(
        words_of(one.text or "") if one.get("texttype") == "text/html" else (one.text or "").strip() for one in texts
    )


def _number(text: str | None) -> float:
    try:
        return float(text or "")
    except ValueError:
        return 0.0
