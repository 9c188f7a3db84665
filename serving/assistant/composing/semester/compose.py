"""A semester planned from the catalogue's records and schedule, or the list of what may be taken. Pure.

Nothing is guessed: without a schedule, a term, or word of what was passed it is said what is missing, and asked for.
"""

from collections.abc import Sequence
from dataclasses import replace

from serving.assistant.composing.composed import Composed, ComposedStatement, Coverage
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.calendar import AcademicTerm, is_over, next_term
from serving.assistant.composing.semester.names import find_program
from serving.assistant.composing.semester.offers import Catalogue, Class, ProgramClasses
from serving.assistant.composing.semester.search import MOST_CLASSES, ChosenClass, ClassOption, Weight, best
from serving.assistant.composing.semester.situation import Situation
from serving.assistant.composing.semester.wishes import Wishes, read_wishes
from serving.assistant.composing.semester.wording import PlanWording, plan_wording
from serving.assistant.composing.wording import wording

MOST_LEFT_OUT = 6
"""Classes that are said to be left out; the others are counted. A choice."""
MOST_LISTED = 5
"""Classes that are listed where it is asked what may be taken: with the schedule as many as can be cited."""
SURE = 1.0
"""How sure a plan is: it follows from records and schedule."""


def compose_plan(request: Request) -> Composed:
    """The plan, the list, or what is missing for one."""
    said = plan_wording(request.spoken)
    catalogue = request.catalogue
    if not catalogue.offerings:
        text = said.no_schedule if catalogue.classes else said.no_catalogue
        return Composed("plan", "none", (ComposedStatement(text),), after=wording(request.spoken).ask_ta)
    wishes = read_wishes(request.asked, {key: one.title for key, one in catalogue.classes.items()})
    term, told = _term(request, wishes, said)
    if term is None:
        return _asks(told, request, [_with(request, one.label) for one in catalogue.terms])
    if wishes.unclear:
        names = said.join(catalogue.classes[key].code for key in wishes.unclear)
        ways = [said.is_passed.format(names=names), said.is_wanted.format(names=names)]
        return _asks(said.ask_unclear.format(names=names), request, [_with(request, way) for way in ways])
    if not wishes.is_told:
        return _asks(said.ask_passed, request, [_with(request, said.nothing_passed)])
    situation = Situation(catalogue, term, wishes, _program(request.asked, catalogue))
    assumed = [*([told] if told else []), *_list_assumptions(situation, said)]
    if wishes.lists:
        return _compose_list(situation, assumed, said)
    return _compose_plan(situation, assumed, said)


def _asks(text: str, request: Request, choices: Sequence[str] = ()) -> Composed:
    """A question back: no answer yet, and nobody has to be asked instead."""
    return Composed("plan", "none", (ComposedStatement(text),), choices=tuple(choices), score=SURE)


def _with(request: Request, more: str) -> str:
    """The question with what it lacked, to be sent again."""
    asked = request.asked.strip().rstrip(".?!。？！ ")
    return f"{asked}。{more}" if request.spoken == "zh" else f"{asked}. {more}"


def _term(request: Request, wishes: Wishes, said: PlanWording) -> tuple[AcademicTerm | None, str]:
    """The term that is meant, with what was assumed; `None` and a question where that cannot be told."""
    terms = request.catalogue.terms
    named = [term for term in terms if term.label.casefold() in request.asked.casefold()]
    names = said.join(term.label for term in terms)
    if not named and wishes.term is not None:
        named = [term for term in terms if term.fits(wishes.term)]
        if not named:
            return None, said.no_such_term.format(names=names)
        ahead = [term for term in named if not is_over(term, request.today)]
        named = ahead[:1] or named[-1:]
    if named:
        return named[0], ""
    following = next_term(terms, request.today)
    if following is None:
        return None, said.ask_term.format(names=names)
    text = said.assumed_past if is_over(following, request.today) else said.assumed_term
    return following, text.format(term=following.label)


def _program(text: str, catalogue: Catalogue) -> ProgramClasses | None:
    """The program that the question names, with the classes of its pages; `None` where it names none, or its pages
    no class."""
    named = find_program(text, catalogue)
    found = [one for one in catalogue.programs if one.title == named]
    if not found:
        return None
    return replace(found[0], classes=frozenset(key for one in found for key in one.classes))


def _list_assumptions(situation: Situation, said: PlanWording) -> list[str]:
    wishes = situation.wishes
    found = []
    if wishes.most_credits is None and not wishes.lists and wishes.most_classes is None:
        found.append(said.assumed_credits.format(most=situation.most_credits))
    if wishes.taking:
        found.append(said.assumed_taking.format(names=said.join(situation.codes(wishes.taking))))
    if implied := sorted(situation.passed_classes - {*wishes.passed, *wishes.taking}):
        found.append(said.assumed_implied.format(names=said.join(situation.codes(implied))))
    return [*found, said.assumed_records]


def _compose_plan(situation: Situation, assumed: Sequence[str], said: PlanWording) -> Composed:
    wishes = situation.wishes
    chosen = best(
        situation.candidates(),
        passed=situation.passed_classes,
        most_credits=situation.most_credits,
        most_classes=wishes.most_classes or MOST_CLASSES,
    )
    total = sum(each.candidate.credits for each in chosen)
    lead = said.nothing_fits if not chosen else said.one_class if len(chosen) == 1 else said.plan
    text = lead.format(term=situation.term.label, count=len(chosen), credits=f"{total:g}")
    told = _short(situation, chosen, said)
    left = [key for key in wishes.wanted if key not in {each.candidate.one.key for each in chosen}]
    is_whole = bool(chosen) and not left and not told and not wishes.unknown
    coverage: Coverage = "full" if is_whole else "partial"
    items = [_item(situation, each.candidate, each, said) for each in chosen]
    return Composed(
        "plan",
        coverage,
        (
            ComposedStatement(text, situation.catalogue.schedule(situation.term)),
            *items,
            *_explain_left_out(situation, chosen, said),
            *_end(situation, told, assumed, said),
        ),
        after=said.check,
        score=SURE,
    )


def _short(situation: Situation, chosen: Sequence[ChosenClass], said: PlanWording) -> list[str]:
    """That there are fewer credits than were wanted, and whether other classes would come nearer."""
    least, total = situation.wishes.least_credits, sum(each.candidate.credits for each in chosen)
    if least is None or not chosen or total >= least:
        return []
    most = best(
        [replace(one, weight=Weight(credits=one.credits)) for one in situation.candidates()],
        passed=situation.passed_classes,
        most_credits=situation.most_credits,
        most_classes=situation.wishes.most_classes or MOST_CLASSES,
    )
    is_traded = sum(each.candidate.credits for each in most) > total
    return [(said.traded if is_traded else said.too_few).format(least=least, credits=f"{total:g}")]


def _compose_list(situation: Situation, assumed: Sequence[str], said: PlanWording) -> Composed:
    found = situation.candidates()
    together = frozenset(one.one.key for one in found)
    open_ = [one for one in found if one.one.needs.met_by(situation.passed_classes, together)]
    text = said.lists if open_ else said.nothing_fits
    items = [_item(situation, one, None, said) for one in open_[:MOST_LISTED]]
    if more := len(open_) - len(items):
        items.append(ComposedStatement(said.more_open.format(count=more), is_item=True))
    near = [one for one in _unmet(situation) if one.key not in together][:MOST_LEFT_OUT]
    left = [_make_left_item(one, situation.why_not(one, (), said), said) for one in near]
    return Composed(
        "plan",
        "full" if open_ and not situation.wishes.unknown else "partial",
        (
            ComposedStatement(text.format(term=situation.term.label), situation.catalogue.schedule(situation.term)),
            *items,
            *([ComposedStatement(said.not_yet), *left] if left else []),
            *_end(situation, [], assumed, said),
        ),
        after=said.check,
        score=SURE,
    )


def _unmet(situation: Situation) -> list[Class]:
    """Offered classes that build on what was passed and need more."""
    offered = (situation.catalogue.classes[key] for key in situation.offerings if key not in situation.passed_classes)
    return [one for one in offered if situation.built_on(one) and one.needs.missing(situation.passed_classes)]


def _item(
    situation: Situation, candidate: ClassOption, chosen: ChosenClass | None, said: PlanWording
) -> ComposedStatement:
    """A class with its time; where none is chosen, the times of all its sections."""
    one = candidate.one
    sections = (chosen.section,) if chosen is not None else candidate.sections
    labels = said.join(section.section for section in sections if section.section)
    text = said.item.format(
        name=f"**{safe(one.name)}**",
        section=safe(said.section.format(section=labels)) if labels else "",
        time=said.semicolon.join(said.meets(section) for section in sections),
        credits=said.credits.format(credits=f"{candidate.credits:g}"),
        why=situation.why(one, said) if chosen is not None else _of_list(situation, one, said),
    )
    return ComposedStatement(text.strip(), one.evidence, is_item=True)


def _of_list(situation: Situation, one: Class, said: PlanWording) -> str:
    built = said.join(situation.codes(situation.built_on(one)))
    text = said.builds.format(names=built) if built else ""
    return f"{text[:1].upper()}{text[1:]}{said.stop}" if text else ""


def _end(
    situation: Situation, told: Sequence[str], assumed: Sequence[str], said: PlanWording
) -> list[ComposedStatement]:
    """What is short or unknown, and what was assumed."""
    unknown = situation.wishes.unknown
    found = [ComposedStatement(said.unknown.format(names=safe(said.join(unknown))))] if unknown else []
    found += [ComposedStatement(text) for text in told]
    return [*found, ComposedStatement(said.assumed.format(text=said.semicolon.join(assumed)) + said.stop)]


def _explain_left_out(
    situation: Situation, chosen: Sequence[ChosenClass], said: PlanWording
) -> list[ComposedStatement]:
    """Every wanted class that was left out, then those that come nearest, each with its reason."""
    taken = {each.candidate.one.key for each in chosen} | situation.passed_classes
    wanted = [key for key in situation.wishes.wanted if key not in taken]
    program = situation.program.classes if situation.program is not None else frozenset()
    others = sorted(
        (
            key
            for key in situation.offerings
            if key not in taken and key not in wanted
            if not situation.is_of_another_kind(situation.catalogue.classes[key])
        ),
        key=lambda key: (key not in program, not situation.built_on(situation.catalogue.classes[key]), key),
    )
    classes = [situation.catalogue.classes[key] for key in (*wanted, *others)]
    shown = classes[: max(MOST_LEFT_OUT, len(wanted))]
    if not shown:
        return []
    items = [_make_left_item(one, situation.why_not(one, chosen, said), said) for one in shown]
    more = len(classes) - len(shown)
    end = [ComposedStatement(said.more.format(count=more, term=situation.term.label), is_item=True)] if more else []
    return [ComposedStatement(said.left_out), *items, *end]


def _make_left_item(one: Class, reason: str, said: PlanWording) -> ComposedStatement:
    return ComposedStatement(
        said.left_item.format(name=safe(one.name), reason=safe(reason)), one.evidence, is_item=True
    )
