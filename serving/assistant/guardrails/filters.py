"""Which filters stand between the model and the student for one plan, and what is done to stored texts.

Belongs here: what must hold of every text that is shown, whoever wrote it.
"""

from functools import cache

from knowledge_graph.lake.records import Lang
from knowledge_graph.text.invisible import without_invisible
from knowledge_graph.text.sentences import language_of
from serving.assistant.generation.choosing import ChoiceText
from serving.assistant.generation.phrases import phrases
from serving.assistant.generation.policy import find_protected
from serving.assistant.generation.prompts import TEMPLATES
from serving.assistant.generation.writer import FilterChain, TextFilter
from serving.assistant.grounding.marking import SupportMarker
from serving.assistant.grounding.quote_filter import QuoteFilter
from serving.assistant.guardrails.addresses import hosts_in, web_addresses
from serving.assistant.guardrails.escaping import without_marks
from serving.assistant.guardrails.markup import MarkupFilter, defang
from serving.assistant.guardrails.origin import OriginFilter, mark_unconfirmed
from serving.assistant.guardrails.prompt_leak import LeakGuard, find_fixed_parts, leaks
from serving.assistant.plan import Plan
from serving.assistant.references import CitationFilter, plain, without_citations

_OWN_SOURCES = frozenset({"faq", "document", "catalog", "concept"})
"""Sources that people of the course wrote: addresses in their texts may be opened. Others come from the web."""


def filters_for(plan: Plan, question: str, lang: Lang) -> FilterChain:
    """Nothing that nobody sees, no instructions and no policy, no claim of where the text is from, citations that
    resolve, quotes only of what is said, unsupported sentences marked as such, and no active markup: that last, for
    what the others take away may join what stood apart.
    """
    seen = plan.evidence if plan.citable is None else [one for one in plan.evidence if one.number in plan.citable]
    numbers = [one.number for one in seen if one.mark and plan.may_cite]
    addresses = [one.locator.url for one in plan.evidence if one.locator is not None and one.locator.url is not None]
    filters: list[TextFilter] = [
        VisibleText(),
        LeakGuard((*_instructions(), *find_protected(plan.messages))),
        OriginFilter(lang),
        CitationFilter(numbers),
    ]
    if plan.evidence:
        filters.append(QuoteFilter(plan.evidence, question))
    if plan.is_graded and plan.instead is None:
        filters.append(SupportMarker(plan.evidence, question, f" {phrases(lang).unsupported}"))
    return FilterChain([*filters, MarkupFilter(addresses, code=plan.choice is None)])


def sanitize_plan_text(plan: Plan) -> str:
    """A plan's own text without active markup; addresses stay where people of the course put them.

    A stored answer's own `[99]` names nothing of this turn and becomes `(99)`.
    """
    ours = all(one.source in _OWN_SOURCES for one in plan.evidence)
    is_theirs = plan.route == "direct" and plan.composed is None
    text = mark_unconfirmed(without_marks(plan.text), language_of(plan.text)) if is_theirs else plan.text
    text = defang(text, (*web_addresses(text), *hosts_in(text)) if ours else ())
    if plan.may_cite:
        return text
    return without_citations(text)


class VisibleText:
    """Lets through what can be seen, so that the filters behind it match what a reader reads."""

    def feed(self, text: str) -> str:
        return without_invisible(text)

    def flush(self) -> str:
        return ""


def sanitize_choice(part: ChoiceText, plan: Plan, question: str, lang: Lang) -> str:
    """A part of a multiple-choice answer: the model's words through the filters, the student's own without markup."""
    if part.written_by == "coteach":
        return defang(part.text, code=False)
    through = filters_for(plan, question, lang)
    return through.feed(part.text) + through.flush()


def sanitize_question(question: str) -> str:
    """A question that a student may be offered, on one line without marks and markup; empty for an instruction."""
    return "" if leaks(question, _instructions()) else plain(without_marks(question))


@cache
def _instructions() -> tuple[str, ...]:
    return tuple(part for template in TEMPLATES for part in find_fixed_parts(template.system))
