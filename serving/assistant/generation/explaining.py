"""Explanations of stored answers (Course Hero 2.4): prompts, and what is taken of the replies. Pure.

The stored answer is settled: an explanation that names another option, denies the answer, turns one of its sentences
round, brings numbers of its own or hardly speaks of it is rejected, with the reason. These rules find what contradicts
by its words; what is false in other ways they do not. Writing many explanations is `explanations`' matter.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import split_sentences
from serving.assistant.generation.multiple_choice import ChoiceQuestion, OptionExplained, explanation_line
from serving.assistant.generation.option_claims import contradiction, option_of
from serving.assistant.generation.prompts import EXPLAIN_FRQ, EXPLAIN_MCQ, MCQ_EXPLAIN_OPTION, answer_in
from serving.assistant.grounding.numbers import numbers
from serving.assistant.guardrails.written_text import whole_sentences, why_unusable
from serving.assistant.understanding.form import question_form
from serving.index.analysis import content_terms
from serving.llm.messages import Message

MOST_SENTENCES = 8
"""Most sentences of an explanation. A choice."""

SAME_MATTER = 0.6
"""Share of the terms of the shorter of two sentences in the other, from which both speak of the same. A choice."""

LEAST_SHARED = 2
"""Terms that they share at least."""

LEAST_OF_ANSWER = 0.3
"""Share of the terms of an answer's first sentence that its explanation has at least. A choice."""

COUNTED_BELOW = 10
"""Numbers written out, without a unit and smaller, count what the explanation itself lists: "for two reasons"."""

AI_MADE = "ai"
"""`explanation_kind` of every explanation made here."""

PROMPTS = "+".join(template.label for template in (EXPLAIN_FRQ, EXPLAIN_MCQ, MCQ_EXPLAIN_OPTION))
"""What an explanation is made with; with another version it is stale."""

_DENIES = re.compile(
    r"\b(?:(?:the|this|that|given|stored|provided) ){1,5}(?:answer|statement|option) (?:is|was|seems) "
    r"(?:not (?:quite |entirely )?(?:correct|right|true|accurate)|incorrect|wrong|false|inaccurate|misleading)\b"
    r"|(?:答案|说法|选项)(?:是|并)?(?:错误|错|不正确|不对|不准确)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|no|never|cannot|none|nor|neither)\b|n['’]t\b|(?<![并])不(?![同断仅但论过])|没有|未(?!来)|无法|无需|禁止",
    re.IGNORECASE,
)
_THE_ANSWER_IS = re.compile(
    r"\b(?:correct|right|actual|true) answer (?:is|was|would be)\b|正确的?答案(?:是|为)", re.IGNORECASE
)
_YES_NO = re.compile(r"^\W*(?:(yes|是的|可以|能)|(no|不是|不可以|不能|否))(?![a-z])", re.IGNORECASE)
_ORDER = re.compile(r"[OΘΩ]\s?\((?:[^()]|\([^()]*\))*\)")
_STEP = re.compile(r"\b(?:step|part|point)s? \d{1,2}\b|第[一二三四五六七八九十\d]{1,2}[步点]", re.IGNORECASE)


@dataclass(frozen=True)
class StoredPair:
    """A stored question with its answer. `content_hash` changes with either."""

    qa_id: str
    question: str
    answer: str
    lang: Lang
    content_hash: str = ""
    course_id: str | None = None
    source: str = "faq"

    @property
    def choice(self) -> tuple[ChoiceQuestion, int] | None:
        """The multiple-choice question it is, with the number of the option that the stored answer is, from 0.

        `None` for a free-response question, and when the answer is none of the options.
        """
        form = question_form(self.question)
        answer = option_of(self.answer, form.options) if form.form == "mcq" and form.is_whole else None
        if answer is None or len(form.options) < 2:
            return None
        return ChoiceQuestion(form.stem, form.options, self.lang), form.options.index(answer)


@dataclass(frozen=True)
class Explained:
    """What became of one pair: an explanation, or the reason why there is none."""

    status: Literal["made", "rejected"]
    text: str | None = None
    reason: str | None = None

    @classmethod
    def accept(cls, text: str) -> "Explained":
        return cls("made", text=text)

    @classmethod
    def reject(cls, reason: str) -> "Explained":
        return cls("rejected", reason=reason)


def pair_messages(pair: StoredPair) -> tuple[Message, ...]:
    """The prompt with the stored question and its answer appended, which asks only for the explanation."""
    shared = {"course": "", "answer": pair.answer, "language": answer_in(pair.lang)}
    if pair.choice is None:
        return EXPLAIN_FRQ.messages(question=pair.question, **shared)
    question, answer = pair.choice
    options = "\n".join(f"{one.label}. {one.text}" for one in question.options)
    named = f"{question.options[answer].label}. {question.options[answer].text}"
    return EXPLAIN_MCQ.messages(**{**shared, "question": question.stem, "options": options, "answer": named})


def read_pair(text: str, pair: StoredPair, *, finished: bool) -> Explained:
    """What is taken of the model's reply to `pair_messages`: whole sentences that do not contradict the answer."""
    kept = whole_sentences(text, pair.lang, most=MOST_SENTENCES, finished=finished)
    if not kept:
        return Explained.reject("it has no whole sentence")
    template = EXPLAIN_FRQ if pair.choice is None else EXPLAIN_MCQ
    about, instructions = f"{pair.question}\n{pair.answer}", (template.system, template.text)
    reason = why_contradicted(kept, pair) or why_unusable(kept, pair.lang, question=about, instructions=instructions)
    return Explained.reject(reason) if reason else Explained.accept(kept)


def why_contradicted(explanation: str, pair: StoredPair) -> str | None:
    """In which way an explanation speaks against the stored answer; `None` when it does not."""
    if pair.choice is not None:
        question, answer = pair.choice
        chosen = question.options[answer].label
        return contradiction(explanation, question.options, chosen=chosen, stem=question.stem)
    checks = (_denial, _find_contradiction, _foreign_number, _foreign_order, _stray)
    return next((reason for check in checks if (reason := check(explanation, pair))), None)


def leaves_out(explanation: str, question: ChoiceQuestion) -> bool:
    """Whether some option is not spoken of, by its label or its text."""
    said = explanation.casefold()
    return any(
        re.search(rf"(?<![A-Za-z0-9]){re.escape(option.label)}(?![A-Za-z0-9])", explanation) is None
        and option.text.casefold() not in said
        for option in question.options
    )


def join_explanations(explained: Sequence[OptionExplained], lang: Lang) -> Explained:
    """An explanation made option by option; rejected when the model did not explain the answer itself."""
    answer = next(one for one in explained if one.is_answer)
    if answer.written_by != "model":
        return Explained.reject(answer.problem or "the model did not explain the answer")
    first = sorted(explained, key=lambda one: not one.is_answer)
    return Explained.accept("\n\n".join(explanation_line(one, lang) for one in first))


def _denial(explanation: str, pair: StoredPair) -> str | None:
    if found := _DENIES.search(explanation):
        return f"it denies the answer: {found.group()!r}"
    stored, said = _YES_NO.match(pair.answer), _YES_NO.match(explanation)
    if stored and said and bool(stored.group(1)) != bool(said.group(1)):
        return f"it says {said.group().strip()!r}, and the answer {stored.group().strip()!r}"
    known = set(content_terms(pair.answer))
    for sentence in split_sentences(explanation, pair.lang):
        if (named := _THE_ANSWER_IS.search(sentence)) and not known & set(content_terms(sentence[named.end() :])):
            return f"it gives another answer: {sentence!r}"
    return None


def _find_contradiction(explanation: str, pair: StoredPair) -> str | None:
    """A sentence that speaks of what a sentence of the answer speaks of, and says not where that does not."""
    for stored in split_sentences(pair.answer, pair.lang):
        for said in split_sentences(explanation, pair.lang):
            if _same_matter(stored, said) and bool(_NOT.search(stored)) != bool(_NOT.search(said)):
                return f"it turns {stored!r} round: {said!r}"
    return None


def _same_matter(stored: str, said: str) -> bool:
    """By the overlap coefficient of their terms, without the words that deny."""
    one, other = (set(content_terms(_NOT.sub(" ", _YES_NO.sub(" ", text)), strict=True)) for text in (stored, said))
    return len(one & other) >= max(LEAST_SHARED, SAME_MATTER * min(len(one), len(other)))


def _foreign_number(explanation: str, pair: StoredPair) -> str | None:
    known = numbers(f"{pair.question}\n{pair.answer}")
    for number in numbers(_STEP.sub(" ", explanation)):
        is_count = number.value < COUNTED_BELOW and not number.unit and not any(map(str.isdigit, number.text))
        if not is_count and not any(number.agrees(one) for one in known):
            return f"the number {number.text!r} is in neither the question nor the answer"
    return None


def _foreign_order(explanation: str, pair: StoredPair) -> str | None:
    """A growth such as O(n^2) of which neither the question nor the answer speaks."""
    known = {_squeeze(found) for found in _ORDER.findall(f"{pair.question}\n{pair.answer}")}
    foreign = (found for found in _ORDER.findall(explanation) if _squeeze(found) not in known)
    return next((f"{found!r} is in neither the question nor the answer" for found in foreign), None)


def _stray(explanation: str, pair: StoredPair) -> str | None:
    first = split_sentences(pair.answer, pair.lang)[:1] or [pair.answer]
    terms = set(content_terms(first[0]))
    share = len(terms & set(content_terms(explanation))) / len(terms) if terms else 1.0
    return "it hardly speaks of the answer" if share < LEAST_OF_ANSWER else None


def _squeeze(formula: str) -> str:
    return re.sub(r"[\s*·]", "", formula).replace("²", "^2").casefold()
