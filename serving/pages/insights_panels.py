"""The parts of the insights page: alerts, tiles, charts with their tables, lists."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from nicegui import ui

from serving.feedback.rating_forms import ASPECTS
from serving.feedback.reasons import DOWN_REASONS, UP_REASONS
from serving.pages.insights_charts import LIKED, RATED, Series, draw_stacked, lines, periods_of, shares
from serving.pages.insights_figures import bounds, format_interval, percent, period_label, range_of, show_tile, time_of
from serving.pages.insights_reading import queue_unanswered
from serving.pages.parts import block, heading, press, text
from serving.pages.tables import show_table
from serving.pages.visits import Visit
from serving.pages.words import PageTexts
from serving.pages.working import carry_out

Json = Mapping[str, Any]

SHORT = 10
"""Characters of an index's version in a chart: enough to tell two apart. A choice."""


class Panels:
    """`found` is what `insights_for` gives; `routes` how many turns took each route on each of `days`."""

    def __init__(
        self,
        visit: Visit,
        say: PageTexts,
        courses: Mapping[str, str],
        found: Json,
        scope: Sequence[str] | None,
        days: Sequence[date],
        routes: Mapping[str, Sequence[int]],
    ) -> None:
        self.visit, self.say, self.courses, self.found = visit, say, courses, found
        self.scope, self.days, self.routes = scope, days, routes

    def build(self) -> None:
        self.tiles()
        with block("two"):
            self.over_time()
            self.satisfaction_over_time()
            self.show_unanswered()
            self.ways()
            self.reasons("down", DOWN_REASONS)
            self.reasons("up", UP_REASONS)
            self.most_cited()
            self.never_cited()
            self.show_ratings()

    def alerts(self) -> None:
        with block("alerts").props("role=alert"):
            for one in self.found["alerts"]:
                named = self.courses.get(one["course_id"] or "", one["course_id"] or self.say("no_one_course"))
                told = self.say(
                    "alert",
                    course=named,
                    answered=one["answered"],
                    asked=one["asked"],
                    percent=round(100 * one["threshold"]),
                )
                text(told, "error")

    def tiles(self) -> None:
        say, found = self.say, self.found
        counts, sessions, thumbs = found["counts"], found["sessions"], found["thumbs"]
        with block("tiles"):
            show_tile(say("questions"), f"{counts['asked']:,}", say("questions_more", n=counts["small_talk"]))
            show_tile(say("coverage"), percent(found["coverage"]), self._interval(found["coverage"]))
            rated = found["satisfaction"]
            more = f"{self._interval(rated)} · {say('satisfaction_more', n=round(rated['n']))}"
            show_tile(say("satisfaction"), percent(rated), more if rated["n"] else "")
            more = say("thumbs_more", up=thumbs["up"], down=thumbs["down"])
            show_tile(say("thumbs"), percent(thumbs["rate"]), f"{self._interval(thumbs['rate'])} · {more}")
            mean = sessions["mean_rounds"]
            show_tile(say("rounds"), "–" if mean is None else f"{mean:.1f}", say("rounds_more", n=sessions["n"]))
            self._time_tile()

    def over_time(self) -> None:
        say = self.say
        names = {route: say(f"route_{route}") for route in self.routes}
        with self._panel(say("over_time")):
            ui.echart(draw_stacked(self.days, self.routes, names), renderer="svg").classes("chart")
            head = [say("day"), *names.values()]
            rows = [
                [day.isoformat(), *(str(numbers[place]) for numbers in self.routes.values())]
                for place, day in enumerate(self.days)
                if any(numbers[place] for numbers in self.routes.values())
            ]
            self._as_table(head, rows)

    def satisfaction_over_time(self) -> None:
        say, found = self.say, self.found
        periods = periods_of(self.days)
        liked = {one["day"]: one["up"] for one in found["thumbs_by_day"]}
        given = {one["day"]: one["up"] + one["down"] for one in found["thumbs_by_day"]}
        rated = {one["day"]: one["n"] for one in found["satisfaction_by_day"]}
        happy = {one["day"]: one["n"] * (one["value"] or 0) for one in found["satisfaction_by_day"]}
        series = [
            Series(say("liked_share"), shares(periods, liked, given)),
            Series(say("expert_share"), shares(periods, happy, rated)),
        ]
        labels, begins = [period_label(period) for period in periods], [f"{period[0]:%m-%d}" for period in periods]
        with self._panel(say("satisfaction_over_time")):
            chart = lines(begins, series, (LIKED, RATED), self._marks(periods, begins))
            ui.echart(chart, renderer="svg").classes("chart")
            head = [say("day"), series[0].name, say("interval_of"), series[1].name, say("interval_of")]
            rows = [
                [label, *(told for one in series for told in format_interval(one.intervals[place]))]
                for place, label in enumerate(labels)
            ]
            self._as_table(head, rows)

    def show_unanswered(self) -> None:
        say = self.say
        with self._panel(say("unanswered")):
            if not self.found["unanswered"]:
                text(say("unanswered_none"), "muted")
            for one in self.found["unanswered"][:8]:
                self._cluster(one)

    def ways(self) -> None:
        say, timing = self.say, {one["route"]: one for one in self.found["timing"]}
        rows = [
            [
                say(f"route_{one['route']}"),
                str(one["n"]),
                time_of(timing.get(one["route"], {}).get("p50")),
                time_of(timing.get(one["route"], {}).get("p95")),
            ]
            for one in self.found["routes"]
        ]
        with self._panel(say("routes")):
            show_table([say("route"), say("count"), say("median_ms"), say("p95")], rows, numbers={1, 2, 3})

    def reasons(self, which: str, reasons: Sequence[Any]) -> None:
        say = self.say
        worded = {one.code: one.zh if say.lang == "zh" else one.en for one in reasons}
        given = [one for one in self.found[f"{which}_reasons"] if one["n"]]
        with self._panel(say(f"reasons_{which}")):
            if not given:
                text(say("none"), "muted")
                return
            text(say("reasons_of", n=self.found["thumbs"][which]), "small muted")
            rows = [[worded.get(one["code"], one["code"]), percent(one["share"]), str(one["n"])] for one in given]
            show_table([say("reason"), say("share"), say("count")], rows, numbers={1, 2})

    def most_cited(self) -> None:
        say, most = self.say, self.found["citing"]["most"]
        with self._panel(say("most_cited")):
            if not most:
                text(say("nothing_cited"), "muted")
                return
            rows = [[one["title"], self._source(one), str(one["n"])] for one in most[:10]]
            show_table([say("material"), "", say("count")], rows, numbers={2})

    def never_cited(self) -> None:
        say, citing = self.say, self.found["citing"]
        with self._panel(say("never_cited")):
            if not citing["never"]:
                text(say("all_cited"), "muted")
                return
            text(say("never_of", n=citing["never_n"], all=citing["material_n"]), "small muted")
            show_table([say("material"), ""], [[one["title"], self._source(one)] for one in citing["never"][:10]])

    def show_ratings(self) -> None:
        say, relevance = self.say, self.found["relevance"]
        rows = [one for one in self.found["aspects"] if one["score"]["n"]]
        if not rows and not relevance["rated"]:
            return
        worded = {one.name: one.zh if say.lang == "zh" else one.en for one in ASPECTS.items}
        with self._panel(f"{say('aspects')} ({say('aspects_hint')})"):
            cells = [
                [
                    worded[one["name"]],
                    f"{one['score']['value']:.2f}",
                    range_of(one["score"]),
                    f"{one['score']['n']:.0f}",
                ]
                for one in rows
            ]
            show_table([say("aspect"), say("mean"), say("interval_of"), say("answers")], cells, numbers={1, 2, 3})
            if relevance["rated"]:
                told = f"{say('relevance')}: {percent(relevance['of_all'])} ({self._interval(relevance['of_all'])})"
                text(told, "small")

    def _cluster(self, one: Json) -> None:
        say, questions = self.say, [each["question"] for each in one["questions"]]
        asked = say("asked_once") if one["asked"] == 1 else say("asked_times", n=one["asked"])
        with block("record"):
            with block("grow"):
                text(one["question"], "name")
                others = [each for each in questions if each != one["question"]]
                if others:
                    text(" · ".join(others[:4]), "small muted")
                text(asked, "small muted")

            async def queue() -> None:
                done = await carry_out(
                    self.visit,
                    "ta",
                    lambda db, caller: queue_unanswered(db, questions, caller, self.scope),
                    done=say("in_queue"),
                )
                if done is not None:
                    button.props("disabled")

            button = press(say("put_in_queue"), queue, label=f"{say('put_in_queue')}: {one['question']}")

    def _time_tile(self) -> None:
        """The median over all routes that answer is that of the most frequent one; the direct one is told apart."""
        say = self.say
        timing = {one["route"]: one for one in self.found["timing"]}
        asked = [one["route"] for one in self.found["routes"] if one["route"] in ("teach", "explain", "direct")]
        if not asked:
            return
        direct = timing.get("direct", {}).get("p50")
        slow = next((timing[route]["p50"] for route in asked if route != "direct" and route in timing), None)
        more = say("time_more", direct=time_of(direct)) if slow is not None and direct is not None else say("time_only")
        show_tile(say("time"), time_of(slow if slow is not None else direct), more)

    def _marks(self, periods: Sequence[Sequence[date]], labels: Sequence[str]) -> list[tuple[str, str]]:
        """The labels of the periods in which a model or an index answered first, without those of the start."""
        marks: dict[str, list[str]] = {}
        for one in self.found["releases"]:
            day = one["at"].date()
            place = next((n for n, period in enumerate(periods) if day in period), None)
            if place:
                name = one["name"][:SHORT] if one["kind"] == "index" else one["name"]
                marks.setdefault(labels[place], []).append(f"{self.say('release_' + one['kind'])} {name}")
        return [(label, "\n".join(told)) for label, told in marks.items()]

    def _source(self, one: Json) -> str:
        key = f"source_{one['source']}"
        return self.say(key) if key in self.say else str(one["source"])

    def _interval(self, one: Json) -> str:
        return self.say("interval", **bounds(one)) if one["low"] is not None else ""

    def _panel(self, title: str) -> ui.element:
        panel = block("panel", tag="section")
        with panel:
            heading(title, 2)
        return panel

    def _as_table(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        with block("folded", tag="details"):
            text(self.say("as_table"), "small", tag="summary")
            show_table(head, rows, numbers=set(range(1, len(head))))
