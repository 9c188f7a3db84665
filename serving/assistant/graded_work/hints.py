"""Answers under a rule about graded work: closed, the places to read, or a rung of the hint ladder. Pure.

The ladder has three rungs, one a message: where it is taught; a question back; a first step from the material. It never
ends in the solution, however often is asked: nothing here reads a stored answer or a passage's text.
"""

from knowledge_graph.lake.records import CourseCard, GradedItem, Lang
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.material import safe
from serving.assistant.graded_work.aids import Aids
from serving.assistant.graded_work.sessions import Ruling
from serving.assistant.graded_work.wording import RULE_WORDINGS, RuleWording, day_and_time
from serving.assistant.references import label
from serving.assistant.references.reference import NO_NAMES, LectureNames

RUNGS = 3
MOST_NAMED = 3
"""Concepts that a question back names."""
CONFIDENCE = 1.0
"""Confidence of an answer that a rule decides."""


def rung_of(ruling: Ruling) -> int:
    """The rung of the ladder, 1 to `RUNGS`, that a message gets."""
    return min(ruling.turn, RUNGS)


def rule_sentence(item: GradedItem, lang: Lang) -> str:
    """Under which rule it is answered."""
    said, name = RULE_WORDINGS[lang], safe(item.assessment)
    if item.allows == "closed":
        until = said.closed_always
        if item.closes is not None:
            until = said.closed_until.format(when=day_and_time(item.closes, lang))
        return said.closed.format(name=name, until=until)
    until = "" if item.closes is None else said.open_until.format(when=day_and_time(item.closes, lang))
    return (said.hints if item.allows == "hints" else said.references).format(name=name, until=until)


def explain_closed(item: GradedItem, card: CourseCard | None, lang: Lang) -> str:
    """That nothing is said of it, until when, and who can be asked."""
    said = RULE_WORDINGS[lang]
    names = tuple(map(safe, card.instructors)) if card is not None else ()
    ask = said.ask_teachers.format(names=("、" if lang == "zh" else ", ").join(names)) if names else said.ask_staff
    return f"{rule_sentence(item, lang)}{'' if lang == 'zh' else ' '}{ask}"


def compose_ruled(
    ruling: Ruling,
    aids: Aids,
    *,
    card: CourseCard | None,
    lang: Lang,
    is_plea: bool,
    names: LectureNames = NO_NAMES,
) -> Composed:
    """The answer to a message under a rule. `is_plea`: it pleads or claims authority, and is told that this changes
    nothing. `names` are those of the course's lectures."""
    said, item = RULE_WORDINGS[lang], ruling.item
    again = [ComposedStatement(said.no_claim)] if is_plea and ruling.by == "session" else []
    if item.allows == "closed":
        return _compose([ComposedStatement(explain_closed(item, card, lang)), *again])
    lead = [ComposedStatement(rule_sentence(item, lang)), *again]
    places = _places(aids, said, lang, names)
    rung = rung_of(ruling) if item.allows == "hints" else 1
    if item.allows == "hints" and rung == 2:
        asked_back = ComposedStatement(_question_back(aids, said, lang))
        return _compose([*lead, asked_back, *places], said.more_hints)
    if item.allows == "hints" and rung == RUNGS:
        return _compose([*lead, *_first_step(aids, said), *places], said.last_hint)
    after = said.more_hints if item.allows == "hints" else ""
    return _compose([*lead, *(places or [ComposedStatement(said.nothing_to_read)])], after)


def _compose(statements: list[ComposedStatement], after: str = "") -> Composed:
    return Composed("task", "full", tuple(statements), after=after, score=CONFIDENCE)


def _places(aids: Aids, said: RuleWording, lang: Lang, names: LectureNames) -> list[ComposedStatement]:
    """Where to read, without a word of what stands there."""
    places = [ComposedStatement(label(one, lang, names), one, is_item=True) for one in aids.places]
    return [ComposedStatement(said.read), *places] if places else []


def _question_back(aids: Aids, said: RuleWording, lang: Lang) -> str:
    names = [safe(one) for one in aids.concepts[:MOST_NAMED]]
    if not names:
        return said.think
    joined = said.and_.join(part for part in (("、" if lang == "zh" else ", ").join(names[:-1]), names[-1]) if part)
    return said.think_of.format(names=joined)


def _first_step(aids: Aids, said: RuleWording) -> list[ComposedStatement]:
    if aids.step is None:
        return [ComposedStatement(said.no_step)]
    lead = (said.step_before if aids.is_before else said.step).format(concept=safe(aids.step.title))
    return [ComposedStatement(lead), ComposedStatement(safe(aids.step.text), aids.step)]
