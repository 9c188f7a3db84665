"""A multiple-choice question's prompts, what is kept of the replies, and the answer as a student reads it. Pure.

The answer always names exactly one option and says something of every option, whatever the model writes: the option is
a structured choice, and an explanation that is of no use gives way to the material or to a sentence that says so
(Course Hero 2.3). Asking the model is `choosing`'s.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import split_sentences
from serving.assistant.generation.option_claims import contradiction
from serving.assistant.generation.phrases import phrases
from serving.assistant.generation.prompts import MCQ_CHOOSE, MCQ_EXPLAIN_OPTION, answer_in, of_course
from serving.assistant.guardrails.escaping import without_marks
from serving.assistant.guardrails.markup import defang
from serving.assistant.guardrails.written_text import whole_sentences, why_unusable
from serving.assistant.understanding.options import Option
from serving.index.analysis import content_terms
from serving.index.evidence import Evidence
from serving.llm.messages import Message

MOST_SENTENCES = 3
"""Most sentences of the explanation of one option. A choice."""

QUOTED_SHARE = 0.75
"""A sentence of the material is quoted for an option when it has this share of the option's terms. A choice."""

QUOTED_TERMS = 2
"""And at least so many of them: one common word is no support."""

MOST_NOTES = 3
"""Pieces of evidence in a prompt, the first ones: those that can be cited. All of it may be quoted."""

LONGEST_EVIDENCE = 240
"""Characters of one piece of evidence in a prompt."""

_ASK_RIGHT = 'why "{option}" is the answer.'
_ASK_WRONG = 'what "{option}" means and why it is not the answer.'
"""Asked so, without labels and the list of options, SmolLM2-135M explained 25 of 40 options, and none of 40 with them:
then it says "The correct answer is C", whichever option it is asked about."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

WrittenBy = Literal["model", "coteach"]


@dataclass(frozen=True)
class ChoiceQuestion:
    """A multiple-choice question with its options, two to 26 of them, and what the material says about it."""

    stem: str
    options: tuple[Option, ...]
    lang: Lang
    evidence: tuple[Evidence, ...] = ()
    course_title: str | None = None

    def __post_init__(self) -> None:
        if not 2 <= len(self.options) <= len(_LETTERS):
            raise ValueError(f"A choice needs 2 to {len(_LETTERS)} options; this question has {len(self.options)}.")

    @property
    def options_for_model(self) -> tuple[Option, ...]:
        """The options as the model sees them: with the student's labels, or with letters where a label is unusual.

        "①" is three tokens to a model and "10" begins like "1", so a choice among them would say little.
        """
        labels = [option.label for option in self.options]
        usual = all(len(one) == 1 and one.isascii() and one.isalnum() for one in labels)
        if usual and len({one.casefold() for one in labels}) == len(labels):
            return self.options
        return tuple(Option(letter, option.text) for letter, option in zip(_LETTERS, self.options, strict=False))


@dataclass(frozen=True)
class OptionExplained:
    """Why one option is or is not the answer. `problem` says why the model's own words were not taken."""

    option: Option
    is_answer: bool
    text: str
    written_by: WrittenBy
    problem: str | None = None


@dataclass(frozen=True)
class ChoiceAnswer:
    """A whole answer. `probabilities` are the model's by the student's labels and sum to 1; empty when unknown.

    `chosen_by` is `coteach` when the model named no option; `error` says what kept the model from writing, if anything.
    The tokens are those of the explanations together; a reply whose server reports none, and the choice, count as 0.
    """

    answer: Option
    chosen_by: WrittenBy
    probabilities: Mapping[str, float] = field(default_factory=dict)
    explanations: tuple[OptionExplained, ...] = ()
    error: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def is_explained_by_model(self) -> bool:
        """Whether the model itself explained every option."""
        return all(one.written_by == "model" for one in self.explanations)


def choose_messages(question: ChoiceQuestion) -> tuple[Message, ...]:
    """The prompt whose reply is a label of `question.options_for_model`."""
    labels = [option.label for option in question.options_for_model]
    return MCQ_CHOOSE.messages(
        **_common_fields(question),
        letters=f"{', '.join(labels[:-1])} or {labels[-1]}",
        language=answer_in(question.lang),
    )


def explain_messages(question: ChoiceQuestion, about: int, answer: int) -> tuple[Message, ...]:
    """The prompt for why option number `about` is or is not the answer, number `answer`; both count from 0."""
    text = question.options_for_model[about].text
    return MCQ_EXPLAIN_OPTION.messages(
        **_common_fields(question),
        answer=question.options_for_model[answer].text,
        ask=_ASK_RIGHT.format(option=text) if about == answer else _ASK_WRONG.format(option=text),
        language=answer_in(question.lang),
    )


def read_explanation(
    text: str, question: ChoiceQuestion, about: int, answer: int, *, finished: bool = True
) -> OptionExplained:
    """The model's words on an option where they are of use, else what coteach says in their place.

    `finished` says that the model ended by itself and not at the limit of tokens.
    """
    kept = whole_sentences(text, question.lang, most=MOST_SENTENCES, finished=finished)
    problem = _problem(kept, question, answer)
    if problem is not None:
        return without_model(question, about, answer, problem)
    return OptionExplained(question.options[about], about == answer, kept, "model")


def without_model(question: ChoiceQuestion, about: int, answer: int, problem: str) -> OptionExplained:
    """What is said of an option without the model: the material's own words on it, or that there is no explanation."""
    option, said = question.options[about], phrases(question.lang)
    found = find_quote(option, question)
    text = said.no_explanation if found is None else said.material_says.format(text=found[0], mark=found[1]).strip()
    return OptionExplained(option, about == answer, text, "coteach", problem)


def best_supported(question: ChoiceQuestion) -> int:
    """The option that the material speaks of the most, by share of its own terms; the first one of several."""
    terms = [content_terms(option.text) for option in question.options]
    shared = set.intersection(*map(set, terms)) | set(content_terms(question.stem))
    known = {term for one in question.evidence for term in content_terms(f"{one.title}\n{one.text}")}
    shares = [_share([one for one in each if one not in shared], known) for each in terms]
    return shares.index(max(shares))


def find_quote(option: Option, question: ChoiceQuestion) -> tuple[str, str] | None:
    """A sentence of the material that speaks of an option, and its mark; `None` when none does.

    It is shown as it stands, so a sentence with markup, an address or a mark of its own is not taken.
    """
    wanted = content_terms(option.text, strict=True)
    best: tuple[float, str, str] | None = None
    for evidence in question.evidence:
        for sentence in split_sentences(evidence.text, question.lang):
            if defang(without_marks(sentence), code=False) != sentence:
                continue
            found = set(content_terms(sentence))
            share, hits = _share(wanted, found), sum(term in found for term in wanted)
            if share >= QUOTED_SHARE and hits >= min(QUOTED_TERMS, len(wanted)) and (best is None or share > best[0]):
                best = (share, sentence, evidence.mark)
    return best[1:] if best else None


def opening(option: Option, chosen_by: WrittenBy, lang: Lang) -> str:
    """The first sentence of the answer, which names the option."""
    said = phrases(lang)
    return (said.option_chosen if chosen_by == "model" else said.option_guessed).format(option=_option_line(option))


def explanation_parts(explained: OptionExplained, lang: Lang) -> tuple[str, str]:
    """What is said of one option: coteach's words that name it, and the explanation that follows them."""
    said = phrases(lang)
    form = said.option_is_answer if explained.is_answer else said.option_is_not
    return form.format(option=_option_line(explained.option), text=""), explained.text


def explanation_line(explained: OptionExplained, lang: Lang) -> str:
    """Both parts as one text."""
    return "".join(explanation_parts(explained, lang))


def answer_text(answer: ChoiceAnswer, lang: Lang) -> str:
    """The whole answer, as it is streamed piece by piece."""
    lines = (explanation_line(one, lang) for one in answer.explanations)
    return "\n\n".join([opening(answer.answer, answer.chosen_by, lang), *lines])


def _problem(kept: str, question: ChoiceQuestion, answer: int) -> str | None:
    """Why an explanation is of no use; `None` when it is."""
    if not kept:
        return "it has no whole sentence"
    about = "\n".join([question.stem, *(option.text for option in question.options)])
    instructions = (MCQ_EXPLAIN_OPTION.system, MCQ_EXPLAIN_OPTION.text)
    chosen = question.options_for_model[answer].label
    against = contradiction(kept, question.options_for_model, chosen=chosen, stem=question.stem)
    return against or why_unusable(kept, question.lang, question=about, instructions=instructions)


def _common_fields(question: ChoiceQuestion) -> dict[str, str]:
    """What every prompt about a question begins with, so that the model server's prefix cache holds it."""
    notes = "\n".join(_note(one) for one in question.evidence[:MOST_NOTES])
    return {
        "course": of_course(question.course_title),
        "notes": f"{notes}\n\n" if notes else "",
        "question": question.stem,
        "options": "\n".join(map(_option_line, question.options_for_model)),
    }


def _note(evidence: Evidence) -> str:
    flat = " ".join(evidence.text.split())
    short = flat if len(flat) <= LONGEST_EVIDENCE else flat[: LONGEST_EVIDENCE - 1].rstrip() + "…"
    return f"{evidence.mark} {short}".lstrip()


def _option_line(option: Option) -> str:
    return f"{option.label}. {' '.join(option.text.split())}"


def _share(wanted: Sequence[str], found: set[str]) -> float:
    return sum(term in found for term in wanted) / len(wanted) if wanted else 0.0
