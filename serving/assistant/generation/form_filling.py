"""A client's own form, filled by a model with what an answer says; every value is looked at before anybody sees it.

The model copies out of the answer and its sources. A text that they do not bear, or a number that they do not name,
leaves the whole form unfilled: a form with one invented value is worse than none. Choices out of a list, and yes or no,
are not looked at: they say nothing that could be compared.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import jsonschema

from serving.assistant.answer import Answer
from serving.assistant.generation.prompts import FILL
from serving.assistant.grounding.facts import missing
from serving.assistant.grounding.grading import grade, stands_word_for_word
from serving.assistant.grounding.material import GroundingMaterial
from serving.assistant.turn import Usage
from serving.index.analysis import terms
from serving.index.confidence import Weigh
from serving.index.evidence import Evidence
from serving.llm.language_model import Completion, LlmError
from serving.llm.messages import Message

ANSWERING = frozenset({"direct", "teach", "explain"})
"""Routes whose answers say something of the course that a form can be filled with."""

MOST_SOURCES = 5
LONGEST_SOURCE = 500
"""Most characters of a source in the prompt. A choice: the answer itself comes first."""

LONGEST_PHRASE = 6
"""Terms that are taken for a name or a phrase and need but stand in a row; what is longer claims something and is
graded, for "is constant" may stand behind a "not". A choice."""

Path = tuple[str | int, ...]


class FormWriter(Protocol):
    """What is needed of a model."""

    async def write_json(
        self, messages: Sequence[Message], schema: Mapping[str, Any], *, name: str, max_tokens: int
    ) -> Completion: ...


NO_USAGE = Usage()


@dataclass(frozen=True)
class ClientForm:
    """A JSON schema of a client's, without references, and its name."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class FilledForm:
    """`text` is JSON that fits the form; `None`, with `refusal`, where it could not be filled."""

    text: str | None
    refusal: str | None = None
    usage: Usage = NO_USAGE
    model: str | None = None


class FormUnfilled(Exception):
    """Why a form stays unfilled, in words for whoever asked."""


async def fill_form(
    llm: FormWriter,
    form: ClientForm,
    question: str,
    answer: Answer,
    *,
    max_tokens: int,
    names: Collection[str] = (),
    weigh: Weigh = lambda _: 1.0,
) -> FilledForm:
    """The form filled with what the answer says. `names` are those of the course's concepts, `weigh` the weight of an
    index term. Never raises for what a model or its server does."""
    if answer.route not in ANSWERING or answer.trace.rule is not None:
        return FilledForm(None, answer.text)
    said: Completion | None = None
    try:
        said = await llm.write_json(_prompt(form, question, answer), form.schema, name=form.name, max_tokens=max_tokens)
        value = read_form(said.text, form)
        if unborne := unborne_values(value, form, question, answer, names=names, weigh=weigh):
            raise FormUnfilled(f"The answer and its sources do not bear {', '.join(map(format_path, unborne[:5]))}.")
    except LlmError as error:
        return FilledForm(None, f"The form was not filled: the model failed ({type(error).__name__}).", *_cost(said))
    except FormUnfilled as error:
        return FilledForm(None, f"The form was not filled: {error}", *_cost(said))
    return FilledForm(json.dumps(value, ensure_ascii=False), None, *_cost(said))


def read_form(text: str, form: ClientForm) -> Any:
    """The value that a model wrote. Raises `FormUnfilled` for what is no JSON or does not fit the form."""
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
        jsonschema.validate(value, form.schema, cls=jsonschema.Draft202012Validator)
    except (ValueError, RecursionError):
        raise FormUnfilled("what the model wrote is no whole JSON.") from None
    except jsonschema.ValidationError as error:
        raise FormUnfilled(f"what the model wrote does not fit at {format_path(tuple(error.absolute_path))}.") from None
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def unborne_values(
    value: Any,
    form: ClientForm,
    question: str,
    answer: Answer,
    *,
    names: Collection[str] = (),
    weigh: Weigh = lambda _: 1.0,
) -> list[Path]:
    """Where texts and numbers stand that neither the answer nor its sources bear. The question itself may be repeated
    whole, and what the form offers may be chosen; what is empty claims nothing."""
    material = GroundingMaterial.of(question, _material(answer))
    asked = tuple(terms(question))
    offers = {json.dumps(one) for one in _choices_of(form.schema)}
    found = [(path, leaf) for path, leaf in leaves(value) if json.dumps(leaf) not in offers]
    return [path for path, leaf in found if not _is_borne(leaf, material, asked, names=names, weigh=weigh)]


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, str | int | float]]:
    """Every text and every number in a value, and where it stands."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        yield path, value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from leaves(each, (*path, name))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from leaves(each, (*path, place))


def _choices_of(schema: Any) -> Iterator[Any]:
    """Every value that a schema offers to choose from."""
    if isinstance(schema, Mapping):
        yield from schema.get("enum", ()) if isinstance(schema.get("enum"), list) else ()
        yield from [schema["const"]] if "const" in schema else ()
    parts = schema.values() if isinstance(schema, Mapping) else schema if isinstance(schema, list) else ()
    for part in parts:
        yield from _choices_of(part)


def format_path(path: Path) -> str:
    """A place in a form as people write it: `steps[0].title`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return f"'{text.lstrip('.')[:80]}'" if path else "the whole"


def _is_borne(
    leaf: str | int | float,
    material: GroundingMaterial,
    asked: tuple[str, ...],
    *,
    names: Collection[str],
    weigh: Weigh,
) -> bool:
    if not isinstance(leaf, str):
        return not missing(f"{leaf:g}" if isinstance(leaf, float) else str(leaf), material)
    said = tuple(terms(leaf))
    if not said or said == asked or (len(said) <= LONGEST_PHRASE and stands_word_for_word(leaf, material)):
        return not missing(leaf, material)
    found = grade(leaf, material, concepts=names, weigh=weigh)
    return found.grounded and not found.missing and all(one.is_supported for one in found.sentences)


def _material(answer: Answer) -> list[Evidence]:
    """The answer itself, then what it could cite."""
    own = Evidence(0, "answer", "answer", answer.trace.course_id, "", answer.text)
    return [own, *answer.evidence]


def _prompt(form: ClientForm, question: str, answer: Answer) -> tuple[Message, ...]:
    sources = "\n".join(f"{one.title}: {one.text[:LONGEST_SOURCE]}" for one in answer.evidence[:MOST_SOURCES])
    schema = json.dumps(form.schema, ensure_ascii=False, separators=(",", ":"))
    return FILL.messages(question=question, answer=answer.text, facts=sources, form=schema)


def _cost(said: Completion | None) -> tuple[Usage, str | None]:
    return (
        (NO_USAGE, None) if said is None else (Usage(said.prompt_tokens or 0, said.completion_tokens or 0), said.model)
    )
