"""The forms that experts rate answers on, as data. Pure; what was rated is in `serving.store.ratings`.

`aspects`: the six of LittleMu 4.1, each 0, 1 or 2, higher better. `relevance`: the seven ways of Course Hero 3.1, for
each reference. `satisfaction`: whether the answer satisfies, yes or no (LittleMu 4.2.3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from knowledge_graph.lake.problems import CoteachError

FormName = Literal["aspects", "relevance", "satisfaction"]
FORM_NAMES: tuple[FormName, ...] = get_args(FormName)

MOST_REFERENCES = 3
"""References of one answer that are rated (Course Hero 3.1)."""


class RatingRefused(CoteachError):
    """A rating that the form has no place for, or that leaves a part of the form empty."""


@dataclass(frozen=True)
class RatingValue:
    """A value that may be given, with its words."""

    value: str
    en: str
    zh: str


@dataclass(frozen=True)
class Item:
    """One thing to rate. `asks_en` and `asks_zh` say what to judge."""

    name: str
    en: str
    zh: str
    asks_en: str
    asks_zh: str


@dataclass(frozen=True)
class Form:
    """What is rated and by which values. `relevance` has no items of its own: an answer's references are its items."""

    name: FormName
    en: str
    zh: str
    items: tuple[Item, ...]
    choices: tuple[RatingValue, ...]


ASPECTS = Form(
    "aspects",
    "Six aspects",
    "六个方面",
    (
        Item(
            "coherence",
            "Coherence",
            "连贯性",
            "Is the response consistent with the context and relevant to it?",
            "回答是否与上下文一致、相关？",
        ),
        Item("informativeness", "Informativeness", "信息量", "Is the response informative?", "回答是否有信息量？"),
        Item(
            "hallucination",
            "Hallucination",
            "事实正确性",
            "Are its facts correct? 2: all of them; higher means fewer invented facts.",
            "事实是否正确？2 表示全部正确；分数越高，编造越少。",
        ),
        Item("humanness", "Humanness", "拟人性", "How much does it seem written by a human being?", "有多像真人写的？"),
        Item("helpfulness", "Helpfulness", "有用性", "Does it answer the student's query?", "是否回答了学生的问题？"),
        Item(
            "instructiveness",
            "Instructiveness",
            "启发性",
            "Does it provide instructive information?",
            "是否提供了有教益的信息？",
        ),
    ),
    (RatingValue("0", "0: no", "0：否"), RatingValue("1", "1: partly", "1：部分"), RatingValue("2", "2: yes", "2：是")),
)

DONT_KNOW = "dont_know"
IRRELEVANT = ("incomprehensible", "irrelevant", "subject")
RELEVANT = ("concept", "similar", "exact")

RELEVANCE = Form(
    "relevance",
    "Relevance of references",
    "参考资料的相关性",
    (),
    (
        RatingValue("incomprehensible", "Incomprehensible passage", "看不懂的段落"),
        RatingValue("irrelevant", "Irrelevant passage", "不相关的段落"),
        RatingValue("subject", "Subject passage (matching subjects only)", "仅学科相符"),
        RatingValue("concept", "Conceptual passage (matching concepts only)", "仅概念相符"),
        RatingValue("similar", "Explains a similar answer", "解释了类似的答案"),
        RatingValue("exact", "Explains the exact answer", "解释了这一答案"),
        RatingValue(DONT_KNOW, "I don't know", "不知道"),
    ),
)

SATISFACTION = Form(
    "satisfaction",
    "Satisfaction",
    "满意度",
    (Item("", "Satisfying", "是否满意", "Does the answer satisfy the student?", "这个回答能让学生满意吗？"),),
    (RatingValue("0", "No", "否"), RatingValue("1", "Yes", "是")),
)

FORMS: dict[FormName, Form] = {form.name: form for form in (ASPECTS, RELEVANCE, SATISFACTION)}


def find_form(name: str) -> Form:
    """Raises `RatingRefused` when there is no such form."""
    for known, form in FORMS.items():
        if known == name:
            return form
    raise RatingRefused(f"Forms are {', '.join(FORM_NAMES)}; found '{name[:40]}'.")


def items_of(form: Form, references: Sequence[int]) -> tuple[str, ...]:
    """What is to be rated of one answer; `references` are the numbers of its references, in order."""
    if form.items:
        return tuple(item.name for item in form.items)
    return tuple(str(number) for number in references[:MOST_REFERENCES])


def check_values(form: Form, items: Sequence[str], values: Mapping[str, str]) -> dict[str, str]:
    """The values in the order of `items`. Raises `RatingRefused` for an unknown item or value, or a missing one."""
    allowed = [choice.value for choice in form.choices]
    if unknown := sorted(set(values) - set(items)):
        expected = ", ".join(_display(form, item) for item in items) or "no item"
        raise RatingRefused(f"The form {form.name} rates {expected} here; found {', '.join(unknown)[:100]}.")
    for item, value in values.items():
        if value not in allowed:
            raise RatingRefused(
                f"{_display(form, item)} is {', '.join(allowed[:-1])} or {allowed[-1]}; found {value[:40]}."
            )
    if missing := [_display(form, item) for item in items if item not in values]:
        raise RatingRefused(f"Not rated yet: {', '.join(missing)}.")
    return {item: values[item] for item in items}


def _display(form: Form, item: str) -> str:
    return f"reference {item}" if form.name == "relevance" else item or form.name
