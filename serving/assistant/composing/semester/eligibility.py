"""Whether a class may be taken by who has passed others, by what its record asks for. Pure."""

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import LIKELY
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.offers import Catalogue, Class
from serving.assistant.composing.semester.sections import list_sections
from serving.assistant.composing.semester.wishes import MAY_TAKE, Wishes, read_wishes
from serving.assistant.composing.semester.wording import PlanWording, plan_wording


def compose_eligibility(request: Request) -> Composed | None:
    """Whether the one class that is asked about may be taken after those that the student names, with its record;
    `None` for another question, and where the record does not decide it."""
    catalogue = request.catalogue
    if request.kind == "plan" or not catalogue.classes or MAY_TAKE.search(request.asked) is None:
        return None
    wishes = read_wishes(request.asked, {key: one.title for key, one in catalogue.classes.items()})
    asked = [*wishes.wanted, *wishes.unclear]
    if len(asked) != 1 or wishes.taking or wishes.lists:
        return None
    goal = catalogue.classes[asked[0]]
    missing = find_missing(goal, wishes, catalogue)
    if missing is None or (missing and missing <= goal.needs.with_):
        return None
    said = plan_wording(request.spoken)
    terms = [term for term in catalogue.terms if wishes.term is not None and term.fits(wishes.term)]
    sections = [one for term in terms for one in list_sections(request, goal, term, said, is_sole=True)]
    told = ComposedStatement(_verdict(goal, missing, catalogue, said))
    record = ComposedStatement(f"**{safe(goal.name)}**\n{_body(goal)}", goal.evidence)
    return Composed(request.kind, "partial", (told, record, *sections), score=LIKELY)


def find_missing(goal: Class, wishes: Wishes, catalogue: Catalogue) -> frozenset[str] | None:
    """The classes that are still needed before one; none where what is passed is enough, `None` where that cannot be
    said: where nothing is told of what was passed, or the record asks for something else as well."""
    lacking = frozenset((*wishes.missing, *wishes.avoided))
    always = frozenset(key for key in lacking if all(key in way for way in goal.needs.before))
    if not wishes.is_told:
        return always or None
    passed = catalogue.add_implied(frozenset(wishes.passed)) - lacking
    missing = goal.needs.missing(passed)
    is_decided = any(goal.needs.before) and not goal.needs.condition and not goal.needs.excludes & passed
    return missing if missing or is_decided else None


def _verdict(goal: Class, missing: frozenset[str], catalogue: Catalogue, said: PlanWording) -> str:
    names = [catalogue.classes[key].name if key in catalogue.classes else key for key in sorted(missing)]
    if not names:
        return said.may_take.format(name=safe(goal.name))
    other_ways = f" ({said.or_})" if len(goal.needs.before) > 1 else ""
    return said.may_not_take_yet.format(name=safe(goal.name), names=safe(said.join(names)) + other_ways)


def _body(goal: Class) -> str:
    return goal.evidence.text.removeprefix(goal.name).strip()
