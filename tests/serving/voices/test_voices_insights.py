"""Figures of the insights page: pure ones over a few rows, and the same read from both databases."""

import asyncio
import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import structlog
from scipy import stats
from sqlalchemy.orm import Session
from voices_rows import NOON, STUDENT, TA, add_people, add_reference, add_turn

from serving.desk.insights.alert import CoverageAlert, CoverageWatch, Ratio, alerts, compute_ratios
from serving.desk.insights.citations import CitableMaterial, Cited, citing_of
from serving.desk.insights.counts import AnswerCounts, Cell, by_day, by_route, count_answers, releases
from serving.desk.insights.opinions import ThumbCell, reason_shares, thumbs, thumbs_by
from serving.desk.insights.page import as_json, read_insights
from serving.desk.insights.queries import read_disliked, read_latest
from serving.desk.insights.scope import InsightScope, ScopeRefused, scope_of, week_before
from serving.desk.insights.sessions import SessionCell, sessions_of
from serving.desk.insights.unanswered import Open, clusters
from serving.desk.insights.weekly import drift, weekly
from serving.settings import Settings
from serving.store.database import Store
from serving.store.feedback import thumb
from serving.store.ratings import rate
from serving.store.tables.base import now

MARCH = InsightScope(None, NOON - timedelta(days=1), NOON + timedelta(days=30))
CELL = Cell("2026-03-02", "answered", "direct", False, "m1", "v1", 1, NOON)


def test_coverage_is_answers_by_questions_and_small_talk_is_neither() -> None:
    cells = [
        replace(CELL, n=6),
        replace(CELL, route="teach", n=2, degraded=True),
        replace(CELL, route="ask_ta", n=1),
        replace(CELL, route="refuse", n=1),
        replace(CELL, route=None, outcome="failed", n=1),
        replace(CELL, route=None, outcome="stopped", n=1),
        replace(CELL, route="chat", n=50),
    ]
    found = count_answers(cells)
    assert found == AnswerCounts(asked=12, answered=8, degraded=2, small_talk=50, stopped=1, failed=1)
    assert found.coverage.value == pytest.approx(8 / 12)
    assert by_route(cells)[:2] == [("chat", 50), ("direct", 6)]
    assert count_answers([]).coverage.value is None


def test_days_are_in_order_and_models_and_indexes_are_told_when_they_first_answered() -> None:
    later = replace(CELL, day="2026-03-03", model="m2", index_version="v2", first=NOON + timedelta(days=1))
    assert [day for day, _ in by_day([later, CELL])] == ["2026-03-02", "2026-03-03"]
    told = [(one.kind, one.name, one.at) for one in releases([later, CELL, replace(CELL, model=None)])]
    assert told == [
        ("index", "v1", NOON),
        ("model", "m1", NOON),
        ("index", "v2", NOON + timedelta(days=1)),
        ("model", "m2", NOON + timedelta(days=1)),
    ]


def test_reason_shares_are_of_all_thumbs_of_their_kind() -> None:
    cell = ThumbCell("2026-03-02", "direct", "frq", 1, (), 80)
    cells = [
        cell,
        replace(cell, reasons=("thorough_explanation",), n=15),
        replace(cell, reasons=("correct", "thorough_explanation"), n=5),
        replace(cell, thumb=-1, reasons=("needs_more_explanation",), n=3, form="mcq"),
        replace(cell, thumb=-1, n=17, form="mcq"),
    ]
    up, down = reason_shares(cells, up=True), reason_shares(cells, up=False)
    assert (up[0].code, up[0].share.value) == ("thorough_explanation", 0.2)
    assert (down[0].code, down[0].share.value) == ("needs_more_explanation", 0.15)
    assert reason_shares([], up=True)[0].share.value is None
    assert (thumbs(cells).up, thumbs(cells).down) == (100, 20)
    assert [(name, one.rate.value) for name, one in thumbs_by(cells, "form")] == [("frq", 1.0), ("mcq", 0.0)]


def test_mean_rounds_are_over_sessions() -> None:
    found = sessions_of([SessionCell("2026-03-02", 1, 3), SessionCell("2026-03-03", 5, 1)])
    assert (found.n, found.mean_rounds, found.by_rounds) == (4, 2.0, ((1, 3), (5, 1)))
    assert found.by_day == (("2026-03-02", 1.0), ("2026-03-03", 5.0))
    assert sessions_of([]).mean_rounds is None


def test_material_that_no_answer_refers_to_is_named() -> None:
    material = [CitableMaterial("ds", "video", "v1", "Stacks"), CitableMaterial("ds", "faq", "f1", "When is the exam?")]
    found = citing_of([Cited("ds", "concept", "v1", 7), Cited("ds", "faq", "gone", 1)], material, shown=20)
    assert found.most[0] == (Cited("ds", "concept", "v1", 7), "Stacks")
    assert found.most[1][1] == "gone"
    assert ([one.name for one in found.never], found.never_n, found.material_n) == (["f1"], 1, 2)


def test_open_questions_that_ask_the_same_stand_together_in_both_languages() -> None:
    found = clusters(
        [
            Open("How do I install Graphviz?", 3),
            Open("graphviz install fails", 2),
            Open("期中考试什么时候？", 4),
            Open("期中考试在什么时候考", 1),
            Open("Who was Ada Lovelace?", 1),
        ]
    )
    assert [(one.question, one.asked, len(one.questions)) for one in found] == [
        ("How do I install Graphviz?", 5, 2),
        ("期中考试什么时候？", 5, 2),
        ("Who was Ada Lovelace?", 1, 1),
    ]


def test_open_questions_stand_together_by_meaning_when_there_is_an_embedder() -> None:
    vectors = {"dropping out": [1, 0], "leave the course": [0.9, 0.436], "what is a heap": [0, 1]}
    found = clusters(
        [Open(text, 1) for text in vectors],
        encode=lambda texts: np.array([vectors[one] for one in texts], dtype=np.float32),
    )
    assert sorted(len(one.questions) for one in found) == [1, 2]


def test_no_question_one_question_and_five_hundred_without_words_are_clustered_too() -> None:
    assert clusters([]) == []
    assert [one.asked for one in clusters([Open("?", 2)])] == [2]
    assert len(clusters([Open("?" * length, 1) for length in range(1, 501)])) >= 1


def test_an_alert_needs_a_low_ratio_and_enough_questions() -> None:
    ratios = compute_ratios([("ds", 330, 9), ("law", 30, 20), ("art", 5, 0), (None, 0, 0)])
    assert alerts(ratios, threshold=0.5, fewest=20) == [CoverageAlert("ds", 330, 9, 0.5)]
    assert alerts(ratios, threshold=0, fewest=1) == []
    assert Ratio(None, 0, 0).value == 1.0


def test_a_scope_is_whole_days_and_never_more_than_the_caller_may_see() -> None:
    today = date(2026, 3, 31)
    whole = scope_of(TA, course_id=None, first=None, last=None, today=today)
    assert (whole.courses, whole.since.date(), whole.until.date()) == (None, date(2026, 3, 2), date(2026, 4, 1))
    own = replace(TA, courses=frozenset({"ds", "art"}))
    assert scope_of(own, course_id=None, first=None, last=None, today=today).courses == ("art", "ds")
    with pytest.raises(ScopeRefused, match="law"):
        scope_of(own, course_id="law", first=None, last=None, today=today)
    with pytest.raises(ScopeRefused, match="ends before it begins"):
        scope_of(TA, course_id=None, first=today, last=date(2026, 3, 1), today=today)
    for first, last in ((None, date.min), (date.min, today), (None, date.max)):
        with pytest.raises(ScopeRefused, match="Days lie between 2000-01-01 and 2999-12-31"):
            scope_of(TA, course_id=None, first=first, last=last, today=today)


def a_month(db: Session) -> None:
    add_people(db)
    for place in range(10):
        add_turn(db, f"d{place}", session_id="s1", position=place, total_ms=float(place + 1), form="frq", model="m1")
    add_turn(db, "late", asked_at=NOON + timedelta(hours=11, minutes=59), total_ms=500.0, route="teach")
    add_turn(db, "next", asked_at=NOON + timedelta(hours=12), course_id="law", route="teach", index_version="v2")
    add_turn(db, "open1", route="ask_ta", question="How do I enrol?", session_id="s2")
    add_turn(db, "open2", route="ask_ta", question="How do I enrol?", session_id="s2", position=1)
    add_turn(db, "broken", route=None, outcome="failed", question="<b>Prove Cauchy</b>")
    add_turn(db, "hello", route="chat", question="hi")
    add_turn(db, "before", asked_at=NOON - timedelta(days=40))
    add_reference(db, "d0", video_id="v1", start_ms=0)
    add_reference(db, "d1", video_id="v1", start_ms=5000)
    add_reference(db, "d1", "e2", document="rules.pdf", source="document")
    add_reference(db, "d2", "e3", document="unused.pdf", source="document", is_reference=False)
    add_reference(db, "before", video_id="v2")
    for place, value in enumerate([1, 1, 1, -1]):
        thumb(db, STUDENT, f"d{place}", value, ["correct"] if value > 0 else [])  # type: ignore[arg-type]
    for trace_id, value in (("d0", "1"), ("d1", "0"), ("late", "1")):
        rate(db, TA, trace_id, "satisfaction", {"": value})


def test_the_page_counts_the_same_in_both_databases(store: Store) -> None:
    store.write(a_month)
    material = [CitableMaterial("ds", "video", "v1", "Stacks"), CitableMaterial("ds", "video", "v2", "Queues")]
    found = store.read(lambda db: read_insights(db, MARCH, material=material))
    assert found.counts == AnswerCounts(asked=15, answered=12, degraded=0, small_talk=1, stopped=0, failed=1)
    assert [day for day, _ in found.days] == ["2026-03-02", "2026-03-03"]
    assert (found.thumbs.up, found.thumbs.down) == (3, 1)
    assert (found.up_reasons[0].code, found.up_reasons[0].n) == ("correct", 3)
    assert (found.satisfaction.value, found.satisfaction.n) == (pytest.approx(2 / 3), 3)
    assert (found.sessions.n, found.sessions.by_rounds) == (6, ((1, 4), (2, 1), (10, 1)))
    assert [(one.route, one.n, one.ms) for one in found.timing] == [
        ("direct", 10, ((50, 5.0), (95, 10.0), (99, 10.0))),
        ("teach", 1, ((50, 500.0), (95, 500.0), (99, 500.0))),
    ]
    assert [(one.name, one.n, title) for one, title in found.citing.most] == [
        ("v1", 2, "Stacks"),
        ("rules.pdf", 1, "rules.pdf"),
    ]
    assert [one.name for one in found.citing.never] == ["v2"]
    assert (found.unanswered[0].asked, sum(one.asked for one in found.unanswered)) == (2, 3)
    assert [one.name for one in found.releases] == ["m1", "v2"]


def test_a_course_sees_its_own_figures_alone(store: Store) -> None:
    store.write(a_month)
    found = store.read(lambda db: read_insights(db, replace(MARCH, courses=("law",))))
    assert found.counts == AnswerCounts(asked=1, answered=1)
    assert found.thumbs.rate.value is None
    nothing = store.read(lambda db: read_insights(db, replace(MARCH, courses=())))
    assert nothing.counts == AnswerCounts()


def test_an_empty_period_is_a_page_of_nothing(store: Store) -> None:
    told = as_json(store.read(lambda db: read_insights(db, MARCH)))
    assert told["coverage"] == {"value": None, "low": None, "high": None, "n": 0}
    assert told["relevance"]["rated"] == 0
    assert told["sessions"] == {"n": 0, "mean_rounds": None, "by_rounds": [], "by_day": []}
    assert told["days"] == told["timing"] == told["unanswered"] == []
    assert json.dumps(told, default=str)


def test_the_page_names_no_person(store: Store) -> None:
    store.write(a_month)
    told = json.dumps(as_json(store.read(lambda db: read_insights(db, MARCH))), default=str)
    assert not any(name in told for name in ("student-1", "ta-1", "Ada", "session-"))


def test_the_last_questions_of_each_course_are_looked_at(store: Store) -> None:
    def write(db: Session) -> None:
        for place in range(6):
            at = NOON + timedelta(minutes=place)
            add_turn(db, f"t{place}", asked_at=at, outcome="failed" if place > 3 else "answered", route="teach")
        add_turn(db, "slow", asked_at=NOON + timedelta(hours=1), degraded=True)
        add_turn(db, "hi", asked_at=NOON + timedelta(hours=2), route="chat")
        add_turn(db, "nobody", course_id=None, outcome="failed", route=None)

    store.write(write)
    assert sorted(store.read(lambda db: read_latest(db, MARCH, last=4)), key=str) == [("ds", 4, 1), (None, 1, 0)]


def test_a_low_ratio_is_told_once_and_so_is_its_end(store: Store, tmp_path: Path) -> None:
    def failures(db: Session, n: int, **fields: Any) -> None:
        for place in range(n):
            add_turn(db, f"{fields['outcome']}{place}", asked_at=now(), **fields)

    watch = CoverageWatch(store, Settings(home=tmp_path, answered_ratio_questions=5))
    store.write(lambda db: failures(db, 6, outcome="failed", route=None))
    store.write(lambda db: add_turn(db, "alone", asked_at=now(), course_id="law", outcome="failed", route=None))
    structlog.reset_defaults()  # a command that ran before in this process shows warnings alone
    with structlog.testing.capture_logs() as told:
        asyncio.run(watch.look())
        asyncio.run(watch.look())
        assert watch.alerts == [CoverageAlert("ds", 6, 0, 0.5)]
        assert watch.ratios() == {"ds": 0.0}
        store.write(lambda db: failures(db, 30, outcome="answered"))
        asyncio.run(watch.look())
    assert [line["event"] for line in told] == ["answered_ratio_low", "answered_ratio_back"]
    assert (told[0]["course"], told[0]["asked"], told[0]["answered"]) == ("ds", 6, 0)
    assert watch.alerts == []


def test_the_weekly_report_sets_a_week_beside_the_one_before(store: Store) -> None:
    store.write(a_month)
    this = InsightScope(None, NOON - timedelta(days=5), NOON + timedelta(days=2))
    now_, before = (store.read(lambda db, week=week: read_insights(db, week)) for week in (this, week_before(this)))
    disliked = store.read(lambda db: read_disliked(db, this, limit=5))
    assert [(one.trace_id, one.down, one.unsatisfying) for one in disliked] == [("d1", 0, 1), ("d3", 1, 0)]
    report = weekly(now_, before, disliked)
    first = report.changes[0]
    assert (first.name, first.now.value, first.before.value) == ("coverage", 0.8, None)
    assert report.changes[0].difference.value is None
    assert (report.mean_rounds, report.drift) == ((16 / 6, None), None)
    same = weekly(now_, now_, [])
    assert same.changes[0].difference.value == 0
    assert same.changes[0].difference.low == pytest.approx(-(same.changes[0].difference.high or 0))


def test_drift_is_scipys_test_of_a_table_of_two_weeks() -> None:
    now_, before = {"direct": 60, "teach": 30, "ask_ta": 10}, {"direct": 200, "teach": 50, "ask_ta": 50}
    theirs = stats.chi2_contingency([[60, 30, 10], [200, 50, 50]]).pvalue
    assert drift(now_, before) == pytest.approx(theirs)
    assert drift({}, before) is None
    assert drift({"direct": 3}, {"direct": 2, "teach": 1}) is None
