"""One answer after the other with the form it is rated on; by mouse, or by keys without looking away."""

from functools import partial

from nicegui import ui
from nicegui.events import KeyEventArguments
from sqlalchemy.orm import Session

from serving.feedback.rating_forms import FORMS, Form, RatingValue
from serving.pages.markdown import render_markdown
from serving.pages.parts import block, chip, heading, link, press, text
from serving.pages.rating_reading import Next, ShownBatch, next_answer, reference_text
from serving.pages.visits import Visit
from serving.pages.words import words
from serving.pages.working import carry_out
from serving.store.caller import Caller
from serving.store.ratings import AnswerToRate, rate


class RatingForm:
    """Rates a batch to its end. `values` are those of the answer on the page, by item; `at` is the item in hand."""

    def __init__(self, visit: Visit, shown: ShownBatch) -> None:
        self.visit, self.shown = visit, shown
        self.say = words("rating", visit.lang)
        self.form: Form = FORMS[shown.form]
        self.next = Next(None, 0)
        self.texts: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self.at = 0
        self.skipped: set[str] = set()

    async def build(self) -> None:
        with block("line"):
            press(self.say("back"), lambda: ui.navigate.to("/rate"), look="quiet")
            text(self.shown.batch.name, "name", tag="h1")
        await self._advance()
        self.page()
        ui.keyboard(self._key, repeating=False, ignore=["input", "select", "textarea"])
        ui.keyboard(self._enter, repeating=False)

    @property
    def keys(self) -> dict[str, str]:
        """Which key gives which value: the value itself where it is a digit, else its place from 1 on."""
        choices = self.form.choices
        if all(one.value.isdigit() for one in choices):
            return {one.value: one.value for one in choices}
        return {str(place): one.value for place, one in enumerate(choices, start=1)}

    @ui.refreshable_method
    def page(self) -> None:
        answer, say = self.next.answer, self.say
        if answer is None:
            text(say("skipped_left", n=self.next.left) if self.next.left else say("all_done"), "empty")
            if self.next.left:
                press(say("again"), self._again, look="primary")
            return
        with block("rated"):
            with block("pane"):
                self._answer(answer)
            with block("form-side card"):
                with block("line"):
                    chip(say("left", n=self.next.left))
                self.items()
                with block("actions"):
                    press(say("finish"), self.finish, look="primary")
                    press(say("skip"), self.skip)
                span = f"{min(self.keys)}–{max(self.keys)}"
                text(say("keys", values=span), "small muted")

    @ui.refreshable_method
    def items(self) -> None:
        assert self.next.answer is not None
        for place, item in enumerate(self.next.answer.items):
            with block("rating-item current" if place == self.at else "rating-item").props("role=group"):
                name, asks = self._word_item(item)
                text(name, "name")
                if asks:
                    text(asks, "small muted")
                with block("values" if self.form.items else "values tall"):
                    for number, one in enumerate(self.form.choices):
                        self._value(place, item, number, one)

    def _answer(self, answer: AnswerToRate) -> None:
        say = self.say
        text(say("question"), "small muted")
        text(answer.question, "question-asked", tag="h2")
        with block("card answer"):
            text(say("answer"), "small muted")
            if answer.answer.strip():
                ui.html(render_markdown(answer.answer), sanitize=False).classes("prose")
            else:
                text(say("no_answer"), "muted")
            if answer.notice:
                text(answer.notice, "small muted")
        if answer.references:
            heading(say("references"), 2, "small-heading")
        for one in answer.references:
            number = str(one["number"])
            with block("reference-text"):
                link(f"[{number}] {one.get('label') or one.get('title') or ''}", str(one.get("url") or ""), "name")
                told = self.texts.get(number, "")
                text(told or say("no_reference_text"), "prose small" if told else "small muted")

    def _value(self, place: int, item: str, number: int, one: RatingValue) -> None:
        told = one.zh if self.say.lang == "zh" else one.en
        if not one.value.isdigit():
            told = f"{number + 1}: {told}"
        button = press(told, lambda: self._give(place, one.value))
        button.props(f"aria-pressed={'true' if self.values.get(item) == one.value else 'false'}")
        button.on("click", js_handler="(event) => event.currentTarget.blur()")

    def _word_item(self, item: str) -> tuple[str, str]:
        """What an item is called and what it asks."""
        for one in self.form.items:
            if one.name == item:
                return (one.zh, one.asks_zh) if self.say.lang == "zh" else (one.en, one.asks_en)
        return self.say("reference", number=item), ""

    def _give(self, place: int, value: str) -> None:
        """Rate an item; the next that has no value is in hand then."""
        assert self.next.answer is not None
        items = self.next.answer.items
        self.values[items[place]] = value
        left = [n for n, item in enumerate(items) if item not in self.values]
        self.at = next((n for n in left if n > place), left[0] if left else place)
        self.items.refresh()

    async def finish(self) -> None:
        """Keep the values and go on."""
        answer = self.next.answer
        if answer is None:
            return
        if any(item not in self.values for item in answer.items):
            ui.notify(self.say("incomplete"), type="warning", position="bottom")
            return
        work = partial(_rate, trace_id=answer.trace_id, shown=self.shown, values=dict(self.values))
        done = await carry_out(self.visit, "ta", work)
        if done is not None:
            await self._advance()
            self.page.refresh()

    async def skip(self) -> None:
        if self.next.answer is not None:
            self.skipped.add(self.next.answer.trace_id)
            await self._advance()
            self.page.refresh()

    async def _again(self) -> None:
        self.skipped.clear()
        await self._advance()
        self.page.refresh()

    async def _advance(self) -> None:
        batch_id = self.shown.batch.batch_id
        found = await carry_out(self.visit, "ta", lambda db, caller: next_answer(db, caller, batch_id, self.skipped))
        self.next, self.at, self.texts = found or Next(None, 0), 0, {}
        answer = self.next.answer
        self.values = dict(answer.mine) if answer is not None else {}
        if answer is not None and answer.references:
            known = await self.visit.service.knowledge()
            self.texts = {
                str(one["number"]): reference_text(known.index, known.graph, one) for one in answer.references
            }

    async def _key(self, event: KeyEventArguments) -> None:
        key, answer = str(event.key), self.next.answer
        if not event.action.keydown or answer is None or event.modifiers.ctrl or event.modifiers.meta:
            return
        if key in self.keys:
            self._give(self.at, self.keys[key])
        elif key == "s":
            await self.skip()
        elif key in ("ArrowDown", "ArrowUp"):
            self.at = (self.at + (1 if key == "ArrowDown" else -1)) % len(answer.items)
            self.items.refresh()

    async def _enter(self, event: KeyEventArguments) -> None:
        if event.action.keydown and event.key.enter:
            await self.finish()


def _rate(db: Session, caller: Caller, *, trace_id: str, shown: ShownBatch, values: dict[str, str]) -> bool:
    """Whether it was kept; it raises when not."""
    rate(db, caller, trace_id, shown.form, values, batch_id=shown.batch.batch_id)
    return True
