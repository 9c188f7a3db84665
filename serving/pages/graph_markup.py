"""The lists of a course's graph as markup, a row for each concept and pair. Text is escaped here; nothing is decided.

A row is no element of the page's own: a list of seventy with their evidence and buttons was two thousand of them, and
delivering it held every other visitor up for half a second. What a button is for stands in its `data-`.
"""

from collections.abc import Iterable, Mapping
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments, Handler

from serving.pages.graph_reading import EvidenceLink, ShownConcept, ShownPair, evidence_of
from serving.pages.parts import link_markup
from serving.pages.words import PageTexts
from serving.store.tables.review import GraphEdit

BECAUSE = {
    "below threshold": "because_threshold",
    "not among the most probable of its concept": "because_weaker",
    "weakest edge of a cycle": "because_cycle",
    "rejected by a teacher": "because_teacher",
}
"""`rejected_because` of the lake -> its words."""

_PRESSED = '(event) => { const one = event.target.closest("button[data-act]"); if (one) emit({...one.dataset}); }'


def show_rows(rows: Iterable[str], on_press: Handler[GenericEventArguments]) -> None:
    """The rows of a list; `on_press` is given the `data-` of a button in them as `args`."""
    shown = ui.html("".join(rows), sanitize=False).classes("rows")
    shown.on("click", on_press, js_handler=_PRESSED)


def word_edit(edit: GraphEdit, say: PageTexts) -> str:
    return say(f"said_{edit.kind}", subject=edit.subject, object=edit.object or "")


def concept_row(one: ShownConcept, titles: Mapping[str, str], say: PageTexts) -> str:
    concept = one.concept
    also = say("also", names=", ".join(concept.aliases)) if concept.aliases else ""
    facts = [say("rank", rank=concept.rank), say("mentions", count=concept.mention_count)]
    if concept.definition:
        facts.append(say(f"from_{concept.definition_kind}"))
    corrected = "".join(
        f'<div class="line">{_chip(word_edit(edit, say), "waiting")}{_text(edit.by, "small muted", "span")}</div>'
        for edit in one.edits
    )
    evidence = evidence_of(concept.course_id, concept.evidence, titles)
    return (
        '<article class="record concept"><div class="grow">'
        f'<div class="line">{_text(concept.name, "name struck" if one.is_rejected else "name", "strong")}'
        f"{_text(also, 'muted small', 'span') if also else ''}</div>"
        f"{_text(concept.definition or say('no_definition'), '' if concept.definition else 'muted')}"
        f"{_text(' · '.join(facts), 'small muted')}{corrected}{_fold_evidence(evidence, say)}</div>"
        f'<div class="actions stack">{"".join(_concept_buttons(one, say))}</div></article>'
    )


def pair_row(one: ShownPair, titles: Mapping[str, str], say: PageTexts) -> str:
    pair = one.pair
    chips = ""
    if not one.is_accepted and one.edit is None and pair.rejected_because in BECAUSE:
        chips += _chip(say(BECAUSE[pair.rejected_because]))
    if one.edit is not None:
        chips += _chip(f"{say('accepted' if one.is_accepted else 'rejected')} · {one.edit.by}", "waiting")
    quotes = "".join(map(_quote, evidence_of(pair.course_id, pair.evidence[:2], titles)))
    act = "reject" if one.is_accepted else "accept"
    names = {"first": pair.prerequisite, "second": pair.concept}
    button = _button(say(act), say(f"{act}_pair", **names), act=act, **names)
    return (
        '<article class="record"><div class="grow">'
        f'<div class="line">{_text(pair.prerequisite, "name", "strong")}{_text("→", "arrow", "span")}'
        f"{_text(pair.concept, 'name', 'strong')}{chips}</div>{quotes}</div>"
        f'{_measure(one, say)}<div class="actions stack">{button}</div></article>'
    )


def _concept_buttons(one: ShownConcept, say: PageTexts) -> Iterable[str]:
    name = one.concept.name
    if one.is_rejected:
        yield _button(say("keep"), "", hint=say("keep_hint"), act="concept", name=name)
    else:
        yield _button(say("not_a_concept"), f"{say('not_a_concept')}: {name}", act="no_concept", name=name)
    for act, key in (("name", "rename"), ("alias", "add_alias"), ("define", "define")):
        yield _button(say(key), f"{say(key)}: {name}", look="quiet", act=act, name=name)


def _measure(one: ShownPair, say: PageTexts) -> str:
    """How sure the machine is; of a pair that a teacher added it says nothing."""
    if not one.pair.concept_id:
        return ""
    percent = round(one.pair.probability * 100)
    label = escape(say("probability", percent=percent))
    meter = f'<div class="meter" style="--share:{percent}%"></div>'
    return f'<div class="measure" role="img" aria-label="{label}">{_text(f"{percent}%", "small")}{meter}</div>'


def _fold_evidence(evidence: list[EvidenceLink], say: PageTexts) -> str:
    if not evidence:
        return ""
    summary = _text(f"{say('evidence')} ({len(evidence)})", "small", "summary")
    return f'<details class="evidence">{summary}{"".join(map(_quote, evidence))}</details>'


def _quote(place: EvidenceLink) -> str:
    where = f'<span class="small">{link_markup(place.label, place.url or "")}</span>'
    return f'<div class="quote">{where}{_text(place.text, "small")}</div>'


def _button(words: str, label: str, *, look: str = "plain", hint: str = "", **data: str) -> str:
    given = {"aria-label": label, "title": hint}
    marks = [f'{name}="{escape(value)}"' for name, value in given.items() if value]
    marks += [f'data-{name}="{escape(value)}"' for name, value in data.items()]
    return f'<button type="button" class="press {look}" {" ".join(marks)}>{escape(words)}</button>'


def _chip(words: str, look: str = "") -> str:
    return _text(words, f"chip {look}", "span")


def _text(words: str, classes: str, tag: str = "div") -> str:
    return f'<{tag} class="{classes}">{escape(words)}</{tag}>'
