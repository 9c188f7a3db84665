"""Making a batch, and what the ratings of one come to."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import cast

from nicegui import ui
from sqlalchemy.orm import Session

from models.statistics.intervals import Interval
from serving.desk.insights.ratings import aspects, measure_satisfaction, relevance
from serving.feedback.rating_forms import ASPECTS, FORMS, RELEVANCE, FormName
from serving.pages.parts import block, heading, press, text
from serving.pages.rating_reading import ShownBatch
from serving.pages.tables import show_table
from serving.pages.visits import Visit
from serving.pages.words import PageTexts, words
from serving.pages.working import caller_still, carry_out, look_up
from serving.store.batch_sampling import Draw
from serving.store.batches import make_batch, raters
from serving.store.caller import Caller
from serving.store.ratings import Rated, ratings_of_batch
from serving.store.tables.rating import Batch


async def ask_for_batch(visit: Visit, courses: Mapping[str, str], on_made: Callable[[], Awaitable[object]]) -> None:
    """The form of a new batch."""
    if await caller_still(visit, "teacher") is None:
        return
    say = words("rating", visit.lang)
    people = await look_up(visit, raters)
    named = {one.person_id: one.name or one.role for one in people}
    with ui.dialog(value=True) as dialog, block("card form").props("role=dialog"):
        heading(say("new_batch"), 2)
        name = ui.input(say("name")).props("outlined dense autofocus").classes("wide-field")
        forms = {key: form.zh if say.lang == "zh" else form.en for key, form in FORMS.items()}
        form = ui.select(forms, value="aspects", label=say("form")).props("outlined dense").classes("wide-field")
        course = ui.select({"": say("all_courses"), **courses}, value="", label=say("course"))
        course.props("outlined dense").classes("wide-field")
        rated_by = ui.select(named, value=[], label=say("raters"), multiple=True)
        rated_by.props("outlined dense use-chips").classes("wide-field")
        with block("bar"):
            answers = ui.number(say("answers"), value=50, min=1, max=1000, precision=0).props("outlined dense")
            each = ui.number(say("each"), value=1, min=1, max=20, precision=0).props("outlined dense")
            seed = ui.number(say("seed"), value=1, min=0, precision=0).props("outlined dense")
        text(say("seed_hint"), "small muted")

        async def make() -> None:
            if not (name.value or "").strip() or not rated_by.value:
                ui.notify(say("name_needed"), type="warning", position="bottom")
                return
            work = partial(
                _make,
                name=name.value.strip()[:200],
                form=cast(FormName, form.value),
                course_id=course.value or None,
                answers=int(answers.value or 0),
                each=int(each.value or 1),
                seed=int(seed.value or 0),
                rated_by=list(rated_by.value),
            )
            if await carry_out(visit, "teacher", work, done=say("made")) is not None:
                dialog.close()
                await on_made()

        with block("actions"):
            press(say("make"), make, look="primary")
            press(say("cancel"), dialog.close)


async def show_results(visit: Visit, shown: ShownBatch) -> None:
    """What the ratings so far come to, in a dialog."""
    if await caller_still(visit, "ta") is None:
        return
    say = words("rating", visit.lang)
    rows = await look_up(visit, lambda db: ratings_of_batch(db, shown.batch.batch_id))
    with ui.dialog(value=True) as dialog, block("card form").props("role=dialog"):
        heading(f"{shown.batch.name}: {say('results')}", 2)
        if rows:
            _results(shown.form, rows, say)
        else:
            text(say("nothing_rated"), "empty")
        with block("actions"):
            press(words("working", visit.lang)("close"), dialog.close)


def _results(form: FormName, rows: list[Rated], say: PageTexts) -> None:
    is_zh = say.lang == "zh"
    if form == "aspects":
        named = {item.name: item.zh if is_zh else item.en for item in ASPECTS.items}
        cells = [
            [named[one.name], _number(one.score.value), _interval(one.score), f"{one.score.n:.0f}", str(one.once)]
            for one in aspects(rows)
        ]
        head = [say("item"), say("mean"), say("interval"), say("rated"), say("once")]
        show_table(head, cells, numbers={1, 2, 3, 4})
    elif form == "relevance":
        found = relevance(row.value for row in rows)
        worded = {one.value: one.zh if is_zh else one.en for one in RELEVANCE.choices}
        show_table([say("item"), say("rated")], [[worded[k], str(n)] for k, n in found.counts.items()], numbers={1})
        shares = [[say("relevant"), found.of_all], [f"{say('relevant')} ({say('of_known')})", found.of_known]]
        text("  ·  ".join(f"{told}: {_percent(cast(Interval, share))}" for told, share in shares))
    else:
        text(f"{say('satisfied')}: {_percent(measure_satisfaction(rows))}", "figure")


def _make(
    db: Session,
    caller: Caller,
    *,
    name: str,
    form: FormName,
    course_id: str | None,
    answers: int,
    each: int,
    seed: int,
    rated_by: list[str],
) -> Batch:
    open_to = None if caller.courses is None else tuple(sorted(caller.courses))
    draw = Draw(
        answers,
        seed,
        (course_id,) if course_id else open_to,
        with_references=True if form == "relevance" else None,
    )
    return make_batch(db, name=name, form=form, draw=draw, raters=rated_by, each=each, by=caller)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _interval(one: Interval) -> str:
    return "–" if one.low is None or one.high is None else f"{one.low:.2f}–{one.high:.2f}"


def _percent(one: Interval) -> str:
    if one.value is None or one.low is None or one.high is None:
        return "–"
    return f"{one.value:.0%} ({one.low:.0%}–{one.high:.0%}, n = {one.n:.0f})"
