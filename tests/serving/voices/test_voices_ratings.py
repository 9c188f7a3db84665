"""The forms, review batches, the daily sample, and what ratings come to."""

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session
from voices_rows import NOON, SECOND_TA, STUDENT, TA, add_people, add_reference, add_turn, shown_references, with_turns

from serving.desk.insights.ratings import aspects, measure_satisfaction, relevance
from serving.feedback.rating_forms import ASPECTS, FORMS, RELEVANCE, RatingRefused
from serving.store import batches
from serving.store.batch_sampling import Draw, drawn
from serving.store.batches import BatchRefused, BatchUnknown
from serving.store.caller import Caller
from serving.store.daily_sample import daily_batch
from serving.store.database import Store
from serving.store.ratings import Rated, answer_to_rate, rate, ratings_of_batch
from serving.store.tables.rating import BatchItem
from serving.store.turns import NotYours

GOOD = dict.fromkeys((item.name for item in ASPECTS.items), "2")


def a_batch(store: Store, form: Any = "satisfaction", **fields: Any) -> str:
    given: dict[str, Any] = {"draw": Draw(10), "raters": ["ta-1"], "each": 1}
    made = store.write(lambda db: batches.make_batch(db, name="b", form=form, by=TA, **(given | fields)))
    return made.batch_id


def test_the_forms_are_the_papers() -> None:
    names = "coherence informativeness hallucination humanness helpfulness instructiveness"
    assert [item.name for item in ASPECTS.items] == names.split()
    assert [choice.value for choice in ASPECTS.choices] == ["0", "1", "2"]
    assert len(RELEVANCE.choices) == 7
    assert all(choice.en and choice.zh for form in FORMS.values() for choice in form.choices)


def test_a_rating_of_three_is_refused_and_nothing_is_kept(store: Store) -> None:
    with_turns(store, "t1")
    with pytest.raises(RatingRefused, match=r"^humanness is 0, 1 or 2; found 3\.$"):
        store.write(lambda db: rate(db, TA, "t1", "aspects", GOOD | {"humanness": "3"}))
    assert store.read(lambda db: answer_to_rate(db, TA, "t1", "aspects")).mine == {}


def test_a_form_is_given_whole_and_over_the_values_before(store: Store) -> None:
    with_turns(store, "t1")
    with pytest.raises(RatingRefused, match=r"^Not rated yet: helpfulness, instructiveness\.$"):
        store.write(lambda db: rate(db, TA, "t1", "aspects", dict(list(GOOD.items())[:4])))
    store.write(lambda db: rate(db, TA, "t1", "aspects", GOOD))
    store.write(lambda db: rate(db, TA, "t1", "aspects", GOOD | {"humanness": "0"}))
    assert store.read(lambda db: answer_to_rate(db, TA, "t1", "aspects")).mine == GOOD | {"humanness": "0"}
    with pytest.raises(RatingRefused, match="Forms are aspects, relevance, satisfaction; found 'stars'"):
        store.write(lambda db: rate(db, TA, "t1", "stars", {}))


def test_the_first_three_references_are_rated(store: Store) -> None:
    with_turns(store, "t1", shown=shown_references(4))
    shown = store.read(lambda db: answer_to_rate(db, TA, "t1", "relevance"))
    assert (shown.items, len(shown.references)) == (("1", "2", "3"), 3)
    with pytest.raises(RatingRefused, match=r"reference 2 is incomprehensible, .* or dont_know; found great"):
        store.write(lambda db: rate(db, TA, "t1", "relevance", {"1": "exact", "2": "great"}))
    with pytest.raises(RatingRefused, match="rates reference 1, reference 2, reference 3 here; found 4"):
        store.write(lambda db: rate(db, TA, "t1", "relevance", {"4": "exact"}))
    store.write(lambda db: rate(db, TA, "t1", "relevance", {"1": "exact", "2": "dont_know", "3": "subject"}))


def test_answers_of_closed_courses_are_not_rated(store: Store) -> None:
    with_turns(store, "t1", course_id="law")
    limited = replace(TA, courses=frozenset({"ds"}))
    with pytest.raises(NotYours):
        store.write(lambda db: rate(db, limited, "t1", "satisfaction", {"": "1"}))
    with pytest.raises(NotYours):
        store.write(lambda db: rate(db, TA, "nothing", "satisfaction", {"": "1"}))


def test_a_draw_is_limited_by_everything_it_names_and_repeats(store: Store) -> None:
    def write(db: Session) -> None:
        for place in range(40):
            course = "ds" if place % 2 else "law"
            add_turn(db, f"t{place}", course_id=course, asked_at=NOON + timedelta(days=place))
        add_turn(db, "taught", route="teach")
        add_turn(db, "failed", outcome="failed")
        add_reference(db, "t1")
        add_reference(db, "t3", is_reference=False)

    store.write(write)
    of_ds = Draw(5, seed=1, courses=("ds",), routes=("direct",), since=NOON, until=NOON + timedelta(days=20))
    found = store.read(lambda db: drawn(db, of_ds))
    assert len(found) == 5
    assert set(found) <= {f"t{place}" for place in range(1, 20, 2)}
    assert found == store.read(lambda db: drawn(db, of_ds))
    assert found != store.read(lambda db: drawn(db, replace(of_ds, seed=2)))
    assert store.read(lambda db: drawn(db, Draw(99, with_references=True))) == ["t1"]
    assert len(store.read(lambda db: drawn(db, Draw(99, with_references=False)))) == 40
    assert store.read(lambda db: drawn(db, Draw(99, routes=("teach",)))) == ["taught"]


def test_the_design_of_littlemu_twenty_of_each_course_for_all_and_thirty_more_for_one_each(store: Store) -> None:
    courses = [f"course-{number:02}" for number in range(20)]
    experts = [f"sme-{number}" for number in range(4)]

    def write(db: Session) -> tuple[list[BatchItem], list[BatchItem]]:
        for course in courses:
            for place in range(60 if course != "course-00" else 25):
                add_turn(db, f"{course}-{place}", session_id=course, position=place, course_id=course)
        for expert in experts:
            add_turn(db, f"made-{expert}", person_id=expert, outcome="stopped")
        db.flush()
        make_tas(db, experts)
        shared = Draw(400, per_course=20)
        by_all = batches.make_batch(db, name="all", form="aspects", draw=shared, raters=experts, each=4, by=TA)
        own = Draw(600, per_course=30, apart_from=by_all.batch_id)
        by_one = batches.make_batch(db, name="own", form="aspects", draw=own, raters=experts, each=1, by=TA)
        found = [
            list(db.scalars(select(BatchItem).where(BatchItem.batch_id == batch.batch_id)))
            for batch in (by_all, by_one)
        ]
        return found[0], found[1]

    by_all, by_one = store.write(write)
    assert Counter(one.trace_id.rpartition("-")[0] for one in by_all) == dict.fromkeys(courses, 20 * 4)
    expected = dict.fromkeys(courses, 30) | {"course-00": 5}
    assert Counter(one.trace_id.rpartition("-")[0] for one in by_one) == expected
    assert {one.trace_id for one in by_all}.isdisjoint(one.trace_id for one in by_one)
    assert max(Counter(one.assigned_to for one in by_one).values()) <= 575 // 4 + 1


def test_seven_hundred_answers_are_spread_evenly_over_forty_three_experts(store: Store) -> None:
    def write(db: Session) -> list[int]:
        for place in range(700):
            add_turn(db, f"t{place}", session_id="s", position=place)
        experts = [f"sme-{number}" for number in range(43)]
        for expert in experts:
            add_turn(db, f"made-{expert}", person_id=expert, outcome="stopped")
        db.flush()
        make_tas(db, experts)
        made = batches.make_batch(db, name="CH", form="relevance", draw=Draw(700), raters=experts, each=2, by=TA)
        return [one.total for one in batches.progress(db, made.batch_id)]

    totals = store.write(write)
    assert sum(totals) == 1400
    assert set(totals) == {32, 33}


def make_tas(db: Session, people: list[str]) -> None:
    from serving.store.tables.identity import Person

    for person_id in people:
        person = db.get(Person, person_id)
        assert person is not None
        person.role = "ta"
    db.flush()


def test_a_batch_is_worked_through_handed_over_and_finished(store: Store) -> None:
    with_turns(store, "t1", "t2", "t3")
    batch_id = a_batch(store)

    def rate_next(caller: Caller) -> str | None:
        def work(db: Session) -> str | None:
            item = batches.next_item(db, caller, batch_id)
            if item is not None:
                rate(db, caller, item.trace_id, "satisfaction", {"": "1"}, batch_id=batch_id)
            return item and item.trace_id

        return store.write(work)

    first = rate_next(TA)
    assert first is not None
    assert rate_next(SECOND_TA) is None
    assert store.write(lambda db: batches.hand_over(db, batch_id, giver="ta-1", taker="ta-2")) == 2
    second = rate_next(SECOND_TA)
    assert rate_next(TA) is None
    assert store.write(lambda db: batches.finish_batch(db, batch_id)) == 1
    told = store.read(lambda db: [(one.name, one.done, one.total) for one in batches.progress(db, batch_id)])
    assert told == [("Ada", 1, 1), ("Bo", 1, 1)]
    assert {row.trace_id for row in store.read(lambda db: ratings_of_batch(db, batch_id))} == {first, second}


def test_an_answer_that_is_not_the_experts_in_a_batch_is_not_rated_in_it(store: Store) -> None:
    with_turns(store, "t1")
    batch_id = a_batch(store)
    for caller, form in ((SECOND_TA, "satisfaction"), (TA, "aspects")):
        values = GOOD if form == "aspects" else {"": "1"}
        with pytest.raises(BatchUnknown):
            store.write(
                lambda db, caller=caller, form=form, values=values: rate(
                    db, caller, "t1", form, values, batch_id=batch_id
                )
            )


def test_a_batch_that_cannot_be_is_refused_with_what_to_do(store: Store) -> None:
    with_turns(store, "t1")
    with pytest.raises(BatchRefused, match="needs 2 different raters; named: 1"):
        a_batch(store, each=2)
    with pytest.raises(BatchRefused, match="no TAs: student-1"):
        a_batch(store, raters=["student-1"])
    with pytest.raises(BatchRefused, match="No answer fits"):
        a_batch(store, draw=Draw(3, courses=("law",)))
    with pytest.raises(BatchRefused, match="1 to 10000 ratings"):
        a_batch(store, draw=Draw(10_001))


def test_who_sees_a_batch(store: Store) -> None:
    with_turns(store, "t1")
    batch_id = a_batch(store, draw=Draw(1, courses=("ds",)))
    of_ds, of_law = (replace(SECOND_TA, courses=frozenset({one})) for one in ("ds", "law"))
    assert store.read(lambda db: batches.batch_for(db, of_ds, batch_id)).batch_id == batch_id
    with pytest.raises(BatchUnknown):
        store.read(lambda db: batches.batch_for(db, of_law, batch_id))
    assert store.read(lambda db: batches.batches_for(db, of_law)) == []
    own = replace(TA, courses=frozenset({"law"}))
    assert [one.batch_id for one in store.read(lambda db: batches.batches_for(db, own))] == [batch_id]
    assert batches.may_manage(TA, store.read(lambda db: batches.batch_for(db, TA, batch_id)))
    assert not batches.may_manage(of_ds, store.read(lambda db: batches.batch_for(db, TA, batch_id)))


def test_the_daily_sample_is_the_same_for_everybody_and_each_answer_is_rated_once(store: Store) -> None:
    def write(db: Session) -> None:
        add_people(db)
        for place in range(30):
            add_turn(db, f"t{place}", asked_at=NOON + timedelta(minutes=place))
        add_turn(db, "late", asked_at=NOON + timedelta(hours=12))

    store.write(write)
    day, tomorrow = NOON.date(), NOON.date() + timedelta(days=1)
    ids = [store.write(lambda db: daily_batch(db, "ds", day, today=tomorrow)) for _ in range(2)]
    assert ids[0] is not None
    assert ids[1] is not None
    assert ids[0].batch_id == ids[1].batch_id
    batch_id = ids[0].batch_id
    assert sum(one.total for one in store.read(lambda db: batches.progress(db, batch_id))) == 20
    mine = store.write(lambda db: batches.next_item(db, TA, batch_id))
    theirs = store.write(lambda db: batches.next_item(db, SECOND_TA, batch_id))
    assert mine is not None
    assert theirs is not None
    assert mine.trace_id != theirs.trace_id
    assert store.write(lambda db: batches.next_item(db, TA, batch_id)).trace_id == mine.trace_id  # type: ignore[union-attr]
    assert store.write(lambda db: daily_batch(db, "law", day, today=tomorrow)) is None


def test_the_sample_of_a_day_that_goes_on_is_refused(store: Store) -> None:
    with pytest.raises(BatchRefused, match="drawn when that day is over"):
        store.write(lambda db: daily_batch(db, "ds", date(2026, 3, 2), today=date(2026, 3, 2)))


def test_means_are_over_answers_each_with_the_mean_of_its_experts() -> None:
    rows = [
        Rated("t1", "a", "coherence", "2"),
        Rated("t1", "b", "coherence", "1"),
        Rated("t2", "a", "coherence", "0"),
    ]
    found = {one.name: one for one in aspects(rows)}
    assert (found["coherence"].score.value, found["coherence"].score.n, found["coherence"].once) == (0.75, 2, 1)
    assert found["helpfulness"].score.value is None


def test_satisfaction_counts_answers_in_part_when_experts_differ() -> None:
    rows = [Rated("t1", "a", "", "1"), Rated("t1", "b", "", "0"), Rated("t2", "a", "", "1")]
    assert (measure_satisfaction(rows).value, measure_satisfaction(rows).n) == (0.75, 2)
    assert measure_satisfaction([]).value is None


def test_relevance_is_course_heros_table_4_with_both_denominators() -> None:
    values = ["exact"] * 1000 + ["similar"] * 300 + ["concept"] * 78 + ["subject"] * 33
    values += ["irrelevant"] * 390 + ["incomprehensible"] * 10 + ["dont_know"] * 149
    found = relevance(values)
    assert (found.rated, found.relevant, found.irrelevant, found.dont_know) == (1960, 1378, 433, 149)
    assert round(found.of_all.value or 0, 3) == 0.703
    assert round(found.irrelevant_of_all.value or 0, 3) == 0.221
    assert round(found.of_known.value or 0, 3) == 0.761
    assert relevance([]).of_known.value is None


def test_an_expert_sees_nothing_of_who_asked(store: Store) -> None:
    with_turns(store, "t1")
    shown = store.read(lambda db: answer_to_rate(db, TA, "t1", "satisfaction"))
    assert STUDENT.person_id not in repr(shown)
