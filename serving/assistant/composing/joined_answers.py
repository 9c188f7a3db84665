"""The answers to several questions of one message as one answer. Pure.

Belongs here: what the answers have to do with each other: what is said once and not twice, what one denies of the
thing that another is about, and which of them are one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from knowledge_graph.lake.records import Lang
from serving.assistant.composing.composed import (
    Composed,
    ComposedPart,
    ComposedStatement,
    Coverage,
    within,
    without_shown,
)
from serving.assistant.composing.wording import ComposerWording, find_name_in, wording
from serving.index.evidence import MAX_CITED


@dataclass(frozen=True)
class _Part:
    """Questions that one answer answers, by their numbers, as they were asked."""

    headings: tuple[tuple[int, str], ...]
    answer: Composed


def join(
    answers: Sequence[tuple[str, Composed]], lang: Lang, *, headings: Sequence[str] = (), left: Sequence[str] = ()
) -> Composed:
    """Answers to several questions as one, each under its question; covered as well as the worst of them.

    A question stands above its answer as it was asked (`headings`), without what was put in to make it stand alone.
    Questions with the same answer stand above it together. What can be cited is shared out evenly. Questions that are
    `left` for another time are named, and can be chosen.
    """
    said = wording(lang)
    headings = headings or [question for question, _ in answers]
    answers = _without_contradictions(answers, headings, said)
    statements: list[ComposedStatement] = []
    share = max(1, MAX_CITED // len(answers))
    for part in _put_together(answers, headings, said):
        statements += [
            ComposedStatement(said.part.format(number=number, question=heading)) for number, heading in part.headings
        ]
        one = part.answer
        statements += [ComposedStatement(one.note)] if one.note else []
        told = [each.text for each in statements if each.evidence is not None]
        within_share = within(one.statements, share * len(part.headings))
        shown = _say_once(within_share, told) if told else list(within_share)
        statements += shown[:-1] if shown and shown[-1].text == said.nearby else shown
    coverages = [one.coverage for _, one in answers]
    coverage: Coverage = "full" if set(coverages) == {"full"} else "none" if set(coverages) == {"none"} else "partial"
    after = next((one.after for _, one in answers if one.coverage != "full" and one.after), "")
    parts = tuple(
        ComposedPart(question, one.kind, one.coverage, one.score, one.stored is not None) for question, one in answers
    )
    least = min(one.score for _, one in answers)
    later = said.left_over.format(questions=" · ".join(left)) if left else ""
    after = "\n\n".join(one for one in (later, after) if one)
    return Composed("other", coverage, tuple(statements), after=after, choices=tuple(left), score=least, parts=parts)


def _say_once(statements: Sequence[ComposedStatement], told: Sequence[str]) -> list[ComposedStatement]:
    """Statements without what stands above already: of one that does, behind the first, its sentence in bold alone, or
    nothing where all of it is the same. Others begin behind the sentences with which they repeat it; the first only
    where the sentence in bold, which it is shown for, is left."""
    said: list[ComposedStatement] = []
    above = "\n".join(told).replace("**", "")
    for place, one in enumerate(statements):
        if place == 0:
            shorter = _begin_behind_told(one, above)
            said.append(shorter if "**" in shorter.text else one)
        elif without_shown([one], above):
            said.append(_begin_behind_told(one, above))
        elif one.text not in told and (bold := _BOLD.search(one.text)) is not None:
            said.append(replace(one, text=bold.group()))
    return said


_BOLD = re.compile(r"\*\*[^*\n]+\*\*(?!\n)")


def _begin_behind_told(statement: ComposedStatement, told: str) -> ComposedStatement:
    """A statement that begins behind sentences with which it repeats what stands above, where much of it is left that
    stands alone."""
    if statement.is_item or statement.evidence is None or "\n" in statement.text:
        return statement
    sentences = _SENTENCE.findall(statement.text)
    are_told = [len(one) >= SHORTEST_TOLD and one.replace("**", "").strip() in told for one in sentences]
    first = next((at for at, is_told in enumerate(are_told) if is_told), len(sentences))
    end = next((at for at in range(first, len(sentences)) if not are_told[at]), len(sentences))
    rest = "".join(sentences[end:]).removeprefix("… ").removeprefix("……")
    is_run = first <= 1 and end - first >= (LEAST_TOLD if first == 1 else 2)
    is_left = len(rest) >= LEFT_OVER * len(statement.text) and _LEANS.match(rest) is None
    return replace(statement, text=rest) if is_run and is_left else statement


_LEANS = re.compile(
    r"\W*(?:(?:it|they|this|that|these|those|and|so|but|because|the (?:first|second|other))\b|[它这那其他]|所以"
    r"|因此|但|而)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r".+?(?:[.?!](?:\*\*)?(?=\s|$)\s*|[。？！](?:\*\*)?|$)", re.DOTALL)
SHORTEST_TOLD, LEAST_TOLD, LEFT_OVER = 15, 3, 0.4
"""Characters of a sentence from which it is known again, how many of them behind the first one make a repetition, and
the share of a statement that has to be left without them. Choices."""


def _without_contradictions(
    answers: Sequence[tuple[str, Composed]], headings: Sequence[str], said: ComposerWording
) -> list[tuple[str, Composed]]:
    """The answers, in which what one denies of a thing holds for the others on it, and none that leans on another says
    that there is nothing where that one says something."""
    found: list[tuple[str, Composed]] = []
    for (question, one), heading in zip(answers, headings, strict=True):
        denied = next((each for each in found if _is_denied_in(each[1], question, one, said)), None)
        if denied is not None:
            one = _deny_too(denied[1], one, said)
        elif one.text.startswith(said.nothing) and question != heading and any(each.evidence for _, each in found):
            one = replace(one, statements=(ComposedStatement(said.nothing_beside),))
        found.append((question, one))
    return found


def _is_denied_in(answer: Composed, question: str, own: Composed, said: ComposerWording) -> bool:
    """Whether an answer says that the material has nothing of a thing that another question names, and nothing that
    was found for that one names it."""
    name = _name_denied(answer, said)
    if name is None or name.lower() not in question.lower() or own.coverage == "full":
        return False
    return not any(name.lower() in one.text.lower() for one in own.statements if one.evidence is not None)


def _name_denied(answer: Composed, said: ComposerWording) -> str | None:
    """The one thing of which an answer says that the material has nothing."""
    for shown in (answer.note, *(one.text for one in answer.statements[:1])):
        for template in (said.nothing_of, said.nothing_of_part):
            if name := find_name_in(shown, template):
                return re.sub(r"^(?:an?|the) ", "", name)
    return None


def _deny_too(denied: Composed, one: Composed, said: ComposerWording) -> Composed:
    """An answer that there is nothing of the thing of which another answer denies it."""
    text = said.nothing_of.format(names=_name_denied(denied, said))
    return Composed(one.kind, "none", (ComposedStatement(text),), after=said.ask_ta)


def _put_together(
    answers: Sequence[tuple[str, Composed]], headings: Sequence[str], said: ComposerWording
) -> list[_Part]:
    """The answers, those that say the same put together under their questions; a doubtful one to what is only asked for
    effect ("isn't it the best, then?") gives way to that of the reason asked behind it."""
    parts: list[_Part] = []
    for number, (heading, (question, one)) in enumerate(zip(headings, answers, strict=True), 1):
        named = ((number, heading),)
        same = next((at for at, part in enumerate(parts) if _says_what_leads(part.answer, one, said)), None)
        if same is not None:
            both = _add_what_is_new(parts[same].answer, one, said)
            parts[same] = _Part(parts[same].headings + named, both)
        elif parts and _gives_way(parts[-1], question != heading, one, said):
            parts[-1] = _Part(parts[-1].headings + named, one)
        else:
            parts.append(_Part(named, one))
    return parts


def _says_what_leads(first: Composed, other: Composed, said: ComposerWording) -> bool:
    """Whether what answers a question says, under the same doubt or a greater one, nearly all of what leads another
    answer."""
    if first.coverage == "none" or other.coverage == "none" or other.note not in ("", first.note):
        return False
    leads = next((one.text.replace("**", "") for one in other.statements if one.evidence is not None), "")
    above = _text_of(_part_at_near(first, said)[0])
    told = sum(len(one) for one in _SENTENCE.findall(leads) if one.strip() in above)
    return bool(leads) and told >= NEARLY_ALL * len(leads)


NEARLY_ALL = 0.9
"""Share of a statement that another answer has to say for the questions to be put together. A choice."""


def _text_of(statements: Sequence[ComposedStatement]) -> str:
    """What statements quote."""
    return "\n".join(one.text for one in statements if one.evidence is not None).replace("**", "")


def _add_what_is_new(first: Composed, other: Composed, said: ComposerWording) -> Composed:
    """An answer with what another says beside it, before what is only near."""
    direct, near = _part_at_near(first, said)
    beside, _ = _part_at_near(other, said)
    new = [
        one
        for one in without_shown(beside, _text_of(first.statements))
        if one.text not in {each.text for each in direct}
    ]
    return replace(first, statements=(*direct, *(one for one in new if one.evidence is not None), *near))


def _part_at_near(
    answer: Composed, said: ComposerWording
) -> tuple[tuple[ComposedStatement, ...], tuple[ComposedStatement, ...]]:
    """The statements of an answer that answer, and those that are only near, with the heading over them."""
    texts = [one.text for one in answer.statements]
    at = texts.index(said.nearby) if said.nearby in texts else len(texts)
    return answer.statements[:at], answer.statements[at:]


def _gives_way(part: _Part, leans: bool, one: Composed, said: ComposerWording) -> bool:
    """Whether the doubtful answer to a question that expects a yes is left out for that to the "why" that leans on
    it."""
    is_for_effect = _FOR_EFFECT.match(part.headings[-1][1]) is not None
    is_doubtful = part.answer.kind == "yes_no" and part.answer.note in (said.not_direct, said.probably)
    return is_for_effect and is_doubtful and leans and one.kind == "why" and bool(one.evidence)


_FOR_EFFECT = re.compile(
    r"^\W*(?:(?:so|but|and|then) )?(?:is|are|was|were|do|does|did|would|could|should|can)n['’]?t\b"
    r"|^\W*(?:那)?难道|不是.{1,40}吗\W*$",
    re.IGNORECASE,
)
"""What is asked only for effect, expecting a yes: "isn't it the best, then?", 难道…."""
