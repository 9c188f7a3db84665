"""The labelling functions for questions: each says yes (1), no (-1) or nothing (0) to one binary question about a text.

Belongs here: one opinion per function, with its reason as the docstring. Three questions are asked: is it chit-chat; if
not, is it about the course and its platform; if neither, is it complex. How far each opinion is trusted to begin with
is in `BELIEFS`.
"""

from dataclasses import dataclass
from typing import Literal

from knowledge_graph.labelling.functions import ABSTAIN, NO, YES, LabellingFunction, labelling_functions
from models.intent.labels.wording import REASONING, Wording, wordings_of

_TERM_WORDS, _TERM_CHARACTERS = 3, 6
_CHAT_WORDS, _CHAT_CHARACTERS = 8, 16
"""Beyond so many, I and you say little."""
_LONG = 60
"""Characters: nobody chats at such length."""


@dataclass(frozen=True)
class QuestionContext:
    """A question and what is known of it besides its words."""

    question: str
    names_concept: bool
    """The course graph knows something that it names."""
    in_faq: bool
    """A course's FAQ asks the same."""
    says: frozenset[Wording]


def make_context(question: str, *, names_concept: bool = False, in_faq: bool = False) -> QuestionContext:
    """The question with the wordings it has."""
    return QuestionContext(question, names_concept, in_faq, wordings_of(question))


def greets(one: QuestionContext) -> int:
    """It consists of greetings, thanks and farewells."""
    return YES if "greeting" in one.says else ABSTAIN


def fills(one: QuestionContext) -> int:
    """It consists of words that only keep a talk going: "ok", "haha", 嗯嗯."""
    return YES if "filler" in one.says else ABSTAIN


def feels(one: QuestionContext) -> int:
    """It tells a feeling, praises or insults."""
    return YES if "emotion" in one.says else ABSTAIN


def speaks_to_the_assistant(one: QuestionContext) -> int:
    """It asks the assistant about itself."""
    return YES if "to_the_assistant" in one.says else ABSTAIN


def small_talk(one: QuestionContext) -> int:
    """It is about what people talk of in passing: weather, meals, films, jokes."""
    return YES if "small_talk" in one.says else ABSTAIN


def speaks_of_persons(one: QuestionContext) -> int:
    """It is short, says I or you, and names nothing that is taught and nothing of the course."""
    if one.names_concept or one.in_faq or "course_matters" in one.says:
        return ABSTAIN
    short = _within(one.question, words=_CHAT_WORDS, characters=_CHAT_CHARACTERS)
    return YES if short and _to_persons(one) and not _reasoning(one) else ABSTAIN


def names_a_concept(one: QuestionContext) -> int:
    """It names something that a course teaches."""
    return NO if one.names_concept else ABSTAIN


def is_in_the_faq(one: QuestionContext) -> int:
    """A course's FAQ asks the same, so people want to know it."""
    return NO if one.in_faq else ABSTAIN


def asks_for_a_definition(one: QuestionContext) -> int:
    """It asks what something is."""
    return NO if "definition" in one.says and not _to_persons(one) else ABSTAIN


def asks_for_reasoning(one: QuestionContext) -> int:
    """It asks why, how, for a comparison, an example or advice, without saying I or you."""
    return NO if _reasoning(one) and not _to_persons(one) else ABSTAIN


def speaks_of_the_course(one: QuestionContext) -> int:
    """It names homework, videos, certificates or other matters of a course."""
    return NO if _of_the_course(one) else ABSTAIN


def is_an_exercise(one: QuestionContext) -> int:
    """It has blanks to fill in, code or a formula, or the words of an exercise."""
    return NO if "exercise" in one.says else ABSTAIN


def is_long(one: QuestionContext) -> int:
    """Nobody chats at such length."""
    return NO if len(one.question) > _LONG else ABSTAIN


CHAT_FUNCTIONS = labelling_functions(
    greets, fills, feels, speaks_to_the_assistant, small_talk, speaks_of_persons, names_a_concept, is_in_the_faq,
    asks_for_a_definition, asks_for_reasoning, speaks_of_the_course, is_an_exercise, is_long,
)  # fmt: skip
"""Is it chit-chat?"""


def names_matters_of_the_course(one: QuestionContext) -> int:
    """It names homework, videos, certificates or other matters of a course."""
    return YES if _of_the_course(one) else ABSTAIN


def asked_often(one: QuestionContext) -> int:
    """A course's FAQ asks the same, and what is taught is mostly not in it."""
    return YES if one.in_faq else ABSTAIN


def names_no_matter_of_the_course(one: QuestionContext) -> int:
    """It names no matter of a course: a question about the platform mostly does."""
    return ABSTAIN if _of_the_course(one) else NO


def names_what_is_taught(one: QuestionContext) -> int:
    """It names something that a course teaches."""
    return NO if one.names_concept else ABSTAIN


def asks_what_something_is(one: QuestionContext) -> int:
    """It asks what something is; about a platform people ask where, when and how."""
    return NO if "definition" in one.says else ABSTAIN


PLATFORM_FUNCTIONS = labelling_functions(
    names_matters_of_the_course, asked_often, names_no_matter_of_the_course, names_what_is_taught,
    asks_what_something_is,
)  # fmt: skip
"""Is it about the course and its platform, given that it is no chit-chat?"""


def asks_why(one: QuestionContext) -> int:
    """It asks for a reason."""
    return YES if "reason" in one.says else ABSTAIN


def asks_how(one: QuestionContext) -> int:
    """It asks for a method."""
    return YES if "method" in one.says else ABSTAIN


def compares(one: QuestionContext) -> int:
    """It asks for a comparison."""
    return YES if "comparison" in one.says else ABSTAIN


def wants_an_example(one: QuestionContext) -> int:
    """It asks for an example or an application."""
    return YES if "example" in one.says else ABSTAIN


def wants_advice(one: QuestionContext) -> int:
    """It asks for a recommendation."""
    return YES if "advice" in one.says else ABSTAIN


def wants_a_definition(one: QuestionContext) -> int:
    """It asks what something is and nothing more."""
    return NO if "definition" in one.says and not _reasoning(one) else ABSTAIN


def is_a_term(one: QuestionContext) -> int:
    """It is a few words that ask for nothing in particular."""
    few = _within(one.question, words=_TERM_WORDS, characters=_TERM_CHARACTERS)
    return NO if few and not _reasoning(one) else ABSTAIN


COMPLEX_FUNCTIONS = labelling_functions(
    asks_why, asks_how, compares, wants_an_example, wants_advice, wants_a_definition, is_a_term
)
"""Is it complex, given that it is about what is taught?"""

Asks = Literal["chat", "platform", "complex"]

FUNCTIONS: dict[Asks, tuple[LabellingFunction[QuestionContext], ...]] = {
    "chat": CHAT_FUNCTIONS,
    "platform": PLATFORM_FUNCTIONS,
    "complex": COMPLEX_FUNCTIONS,
}

BELIEFS = {
    "greets": 0.95, "fills": 0.9, "feels": 0.8, "speaks_to_the_assistant": 0.85, "small_talk": 0.8,
    "speaks_of_persons": 0.75, "names_a_concept": 0.9, "is_in_the_faq": 0.95, "asks_for_a_definition": 0.9,
    "asks_for_reasoning": 0.75, "speaks_of_the_course": 0.8, "is_an_exercise": 0.8, "is_long": 0.8,
    "names_matters_of_the_course": 0.85, "asked_often": 0.75, "names_no_matter_of_the_course": 0.8,
    "names_what_is_taught": 0.75, "asks_what_something_is": 0.75,
    "asks_why": 0.96, "asks_how": 0.92, "compares": 0.96, "wants_an_example": 0.93, "wants_advice": 0.93,
    "wants_a_definition": 0.9, "is_a_term": 0.8,
}  # fmt: skip
"""How often each is right when it votes, 0.5 to 1, before anything was seen: choices."""


def _within(question: str, *, words: int, characters: int) -> bool:
    """Whether it is no longer than `words`, or, where there is more than ASCII, than `characters`."""
    return len(question.split()) <= words if question.isascii() else len(question) <= characters


def _of_the_course(one: QuestionContext) -> bool:
    """Whether it names a matter of the course; 谢谢老师 only thanks."""
    return "course_matters" in one.says and "greeting" not in one.says


def _to_persons(one: QuestionContext) -> bool:
    return "person" in one.says


def _reasoning(one: QuestionContext) -> bool:
    return not REASONING.isdisjoint(one.says)
