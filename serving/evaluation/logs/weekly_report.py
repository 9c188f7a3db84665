"""The weekly report as a page (LittleMu 4.2.3): what changed, what was asked in vain, what was liked least, drift.

What is counted is `serving.desk.insights`'; the gateway's `/v1/insights/weekly` tells the same of the courses of a key.
"""

import html
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy.orm import Session

from models.statistics.intervals import Interval
from serving.desk.insights.page import SHOWN, read_insights
from serving.desk.insights.queries import read_disliked
from serving.desk.insights.scope import InsightScope, week_before
from serving.desk.insights.weekly import Weekly, weekly

SHIFTED = 0.01
"""A p value of the drift test below this is called a shift. A choice: one quiet week in a hundred."""

_NAMES = {"coverage": "Answered of asked", "thumbs_up": "Thumbs up", "satisfaction": "Satisfying"}
_MARKS = re.compile(r"([\\`*_\[\]|~<>&])")
_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,'Noto Sans CJK SC',sans-serif;margin:2rem auto;"
    "max-width:60rem;padding:0 1rem}table{border-collapse:collapse}th,td{padding:.3rem .7rem;text-align:left;"
    "border-bottom:1px solid #8884;vertical-align:top}"
)


@dataclass(frozen=True)
class ReportSection:
    """A part of the report: a sentence, and rows below it; without rows there is the sentence alone."""

    title: str
    text: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class WeeklyReport:
    """Seven days, `first` to `last`, in UTC."""

    first: date
    last: date
    sections: tuple[ReportSection, ...]

    @property
    def title(self) -> str:
        return f"The week from {self.first} to {self.last}"


def last_full_week(today: date) -> date:
    """The Sunday that ended the last whole week, Monday to Sunday, before `today`."""
    return today - timedelta(days=today.isoweekday())


def read_week(db: Session, last: date) -> Weekly:
    """The seven days up to `last` beside the seven before, over all courses."""
    until = datetime.combine(last + timedelta(days=1), time(), tzinfo=UTC)
    scope = InsightScope(None, until - timedelta(days=7), until)
    now, before = (read_insights(db, week) for week in (scope, week_before(scope)))
    return weekly(now, before, read_disliked(db, scope, limit=SHOWN))


def report_of(found: Weekly | None, last: date) -> WeeklyReport:
    """The report; `found` is `None` when there is no store."""
    first = last - timedelta(days=6)
    if found is None:
        nothing = ReportSection("Nothing to report", "There is no store yet: nobody has asked anything.")
        return WeeklyReport(first, last, (nothing,))
    return WeeklyReport(
        first, last, (_changes(found), _drift(found), _make_unanswered_section(found), _make_disliked_section(found))
    )


def as_markdown(report: WeeklyReport) -> str:
    """Students' words are shown as they are: no mark of theirs is read as Markdown."""
    lines = [f"# {report.title}", ""]
    for section in report.sections:
        lines += [f"## {section.title}", "", section.text, ""]
        if section.rows:
            lines += [_line(section.columns), "|" + "---|" * len(section.columns)]
            lines += [*(_line(tuple(_escape_marks(cell) for cell in row)) for row in section.rows), ""]
    return "\n".join(lines)


def as_html(report: WeeklyReport) -> str:
    """The same as one file that loads nothing."""
    parts = [_html_section(section) for section in report.sections]
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{html.escape(report.title)}</title>\n'
        f"<style>{_STYLE}</style>\n<h1>{html.escape(report.title)}</h1>\n{''.join(parts)}</html>\n"
    )


def _changes(found: Weekly) -> ReportSection:
    rows = [
        (_NAMES.get(one.name, one.name), _share(one.now), _share(one.before), _points(one.difference))
        for one in found.changes
    ]
    now, before = found.mean_rounds
    apart = "–" if now is None or before is None else f"{now - before:+.2f}"
    rows.append(("Mean rounds of a session", _plain(now), _plain(before), apart))
    text = "Shares with their 95% intervals; a difference whose interval holds 0 may be chance."
    return ReportSection("What changed", text, ("", "This week", "The week before", "Difference"), tuple(rows))


def _drift(found: Weekly) -> ReportSection:
    if found.drift is None:
        return ReportSection(
            "Drift", "Too few questions in one of the weeks to say whether the mix of routes has shifted."
        )
    seen = "The mix of routes has shifted" if found.drift < SHIFTED else "No shift of the mix of routes is seen"
    return ReportSection("Drift", f"{seen} against the week before (chi-square, p = {found.drift:.3g}).")


def _make_unanswered_section(found: Weekly) -> ReportSection:
    if not found.unanswered:
        return ReportSection("Asked in vain", "Every question of the week was answered, or none was asked.")
    rows = tuple((str(one.asked), one.question, str(len(one.questions))) for one in found.unanswered)
    text = "Questions without an answer, those that ask the same together; most asked first."
    return ReportSection("Asked in vain", text, ("Asked", "Question", "Wordings"), rows)


def _make_disliked_section(found: Weekly) -> ReportSection:
    if not found.disliked:
        return ReportSection("Liked least", "No answer of the week was disliked.")
    rows = tuple(
        (str(one.down), str(one.unsatisfying), one.course_id or "–", one.question, one.trace_id)
        for one in found.disliked
    )
    text = "Answers with thumbs down, or that an expert found not to satisfy."
    return ReportSection("Liked least", text, ("Thumbs down", "Unsatisfying", "Course", "Question", "Trace"), rows)


def _share(found: Interval) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "–"
    return f"{found.value:.1%} ({found.low:.1%} to {found.high:.1%}), n = {found.n:g}"


def _points(found: Interval) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "–"
    return f"{found.value * 100:+.1f} points ({found.low * 100:+.1f} to {found.high * 100:+.1f})"


def _plain(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _line(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def _escape_marks(text: str) -> str:
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def _html_section(section: ReportSection) -> str:
    found = f"<h2>{html.escape(section.title)}</h2>\n<p>{html.escape(section.text)}</p>\n"
    if not section.rows:
        return found
    head = "".join(f"<th scope=col>{html.escape(one)}</th>" for one in section.columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(one)}</td>" for one in row) + "</tr>\n" for row in section.rows)
    return f"{found}<table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>\n"
