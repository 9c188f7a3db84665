"""`MoodleQuestions`: the question bank of a Moodle backup, and which of its questions a quiz asks."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal
from xml.etree.ElementTree import Element

from knowledge_graph.sources.importing.problem_entries import ProblemText, letter_options, words_of

_NULL = "$@NULL@$"
_PLAIN = "2"
"""Moodle's number of the format "plain text"."""
Drawn = Literal["drawn"]


@dataclass(frozen=True)
class MoodleQuestion:
    """A question by its id. `text` is `None` for a kind that is not read."""

    question_id: str
    kind: str
    text: ProblemText | None


@dataclass
class MoodleQuestions:
    """The bank, by id; from Moodle 4 on also by the entry that holds the versions of a question, the newest last."""

    by_id: dict[str, MoodleQuestion] = field(default_factory=dict)
    of_entry: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    def questions_of(self, quiz: Element) -> Iterator[MoodleQuestion | Drawn | None]:
        """Slot by slot the question of a quiz, "drawn" for one that is drawn at random, `None` for one that the backup
        has not."""
        for slot in quiz.iterfind("quiz/question_instances/question_instance"):
            entry, version = (_text(slot, f"question_reference/{name}") for name in ("questionbankentryid", "version"))
            if slot.find("question_set_reference") is not None:
                yield "drawn"
                continue
            known = self.of_entry.get(entry, [])
            ids = [question_id for number, question_id in known if not version or str(number) == version]
            found = self.by_id.get(ids[-1] if ids else _text(slot, "questionid"))
            yield "drawn" if found is not None and found.kind == "random" else found


def questions_in(bank: Element) -> MoodleQuestions:
    """The questions of `questions.xml`."""
    found = MoodleQuestions()
    for entry in bank.iterfind(".//question_bank_entry"):
        for version in entry.iterfind(".//question_versions"):
            number = _text(version, "version")
            ids = [one.get("id", "") for one in version.iterfind(".//question")]
            held = found.of_entry.setdefault(entry.get("id", ""), [])
            held += [(int(number) if number.isdecimal() else 0, question_id) for question_id in ids]
            held.sort()
    for element in bank.iterfind(".//question"):
        kind = _text(element, "qtype")
        read = _READ.get(kind)
        text = None if read is None else read(element, f"plugin_qtype_{kind}_question")
        found.by_id[element.get("id", "")] = MoodleQuestion(element.get("id", ""), kind, text)
    return found


def is_for_practice(quiz: Element) -> bool:
    """Whether a quiz counts for no grade: its highest grade is nought."""
    try:
        return float(_text(quiz, "quiz/grade")) == 0
    except ValueError:
        return False


def _choice(question: Element, plugin: str) -> ProblemText:
    answers = list(question.iterfind(f"{plugin}/answers/answer"))
    shown = letter_options([_words(one, "answertext", "answerformat") for one in answers])
    correct = [option for option, one in zip(shown, answers, strict=True) if _fraction(one) > 0]
    is_single = _text(question, f"{plugin}/multichoice/single") != "0"
    if is_single and answers:
        best = max(map(_fraction, answers))
        correct = [option for option, one in zip(shown, answers, strict=True) if _fraction(one) == best > 0]
    told = [
        said if option in correct else f"{option}: {said}"
        for option, one in zip(shown, answers, strict=True)
        if (said := _words(one, "feedback"))
    ]
    return _problem(question, shown, (" or " if is_single else "; ").join(correct), told)


def _word_written_problem(question: Element, plugin: str) -> ProblemText:
    answers = list(question.iterfind(f"{plugin}/answers/answer"))
    tolerances = {
        _text(one, "answer"): _text(one, "tolerance")
        for one in question.iterfind(f"{plugin}/numerical_records/numerical_record")
    }
    right = [one for one in answers if _fraction(one) >= 1 and _text(one, "answertext") != "*"]
    correct = " or ".join(_text(one, "answertext") + _around(tolerances.get(one.get("id", ""), "")) for one in right)
    told = [f"{_text(one, 'answertext')}: {said}" for one in answers if (said := _words(one, "feedback"))]
    return _problem(question, [], correct, told)


def _problem(question: Element, options: list[str], correct: str, told: list[str]) -> ProblemText:
    """The solution is what everybody reads at the end, then what each answer is told."""
    asked = _words(question, "questiontext", "questiontextformat")
    solution = "\n".join(filter(None, (_words(question, "generalfeedback"), *told)))
    return ProblemText("\n".join([asked, *options]).strip(), correct, solution)


_READ = {
    "multichoice": _choice,
    "truefalse": _choice,
    "shortanswer": _word_written_problem,
    "numerical": _word_written_problem,
}


def _around(tolerance: str) -> str:
    try:
        return f" (tolerance {tolerance})" if float(tolerance) else ""
    except ValueError:
        return ""


def _fraction(answer: Element) -> float:
    try:
        return float(_text(answer, "fraction"))
    except ValueError:
        return 0.0


def _words(element: Element, name: str, of_format: str = "") -> str:
    text = _text(element, name)
    return text if of_format and _text(element, of_format) == _PLAIN else words_of(text)


def _text(element: Element, path: str) -> str:
    text = (element.findtext(path) or "").strip()
    return "" if text == _NULL else text
