"""A store filled with a month of an invented class: conversations, thumbs, ratings, a queue, approved answers.

Used by the tests of the pages and for the pictures in the README. People and texts are invented; the same seed gives
the same month. What is said is in `seed_rows.py`.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from seed_rows import CONVERSATIONS, OPEN, Said
from sqlalchemy import select
from sqlalchemy.orm import Session

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Lang
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.text.time_code import time_code
from serving.desk.course_tables import CourseTables
from serving.desk.decisions import approve
from serving.desk.material_units import UnitChange, digest, find_units
from serving.desk.queue import ask, claim, put_in_queue
from serving.desk.revalidation import return_to_queue
from serving.store.caller import Caller, Role
from serving.store.database import Store
from serving.store.keys import make_key, read_key
from serving.store.people import add_person
from serving.store.tables.conversation import ChatSession, Feedback, RestsOn, TurnRow
from serving.store.tables.experiment import Experiment, Exposure
from serving.store.tables.identity import ApiKey, Person
from serving.store.tables.rating import Batch, BatchItem, Rating
from serving.store.tables.review import ReviewedAnswer, ReviewedSource

COURSES: dict[Lang, str] = {"en": "data-structures", "zh": "shujujiegou"}
DAYS = 30
RELEASED = 17
"""The day on which the index was built anew; answers are a little better from then on."""


@dataclass
class Seeded:
    """What a test or a photographer needs to know. `keys` by the name of who has them."""

    keys: dict[str, str] = field(default_factory=dict)
    callers: dict[str, Caller] = field(default_factory=dict)
    returned: str = ""
    """The id of the approved answer whose source changed."""


def seed(store: Store, data_dir: DataDir, *, courses: dict[Lang, str] | None = None, seed: int = 7) -> Seeded:
    """Fill an empty store. `courses` are the ids of an English and a Chinese course of the home."""
    return store.write(lambda db: _Seeding(db, data_dir, courses or COURSES, random.Random(seed)).all())


class _Seeding:
    def __init__(self, db: Session, data_dir: DataDir, courses: dict[Lang, str], chance: random.Random) -> None:
        self.db, self.data_dir, self.courses, self.chance = db, data_dir, courses, chance
        self.now = datetime.now(UTC).replace(microsecond=0)
        self.done = Seeded()
        self.turns: list[TurnRow] = []

    def all(self) -> Seeded:
        self.people()
        self.month()
        self.thumbs()
        self.ratings()
        self.queue()
        self.standing()
        self.experiment()
        return self.done

    def people(self) -> None:
        staff: tuple[tuple[str, Role], ...] = (
            ("Priya Lindgren", "ta"),
            ("周敏", "ta"),
            ("Ines Calloway", "teacher"),
        )
        for name, role in staff:
            key = make_key(self.db, role=role, name=name)
            shown = read_key(key)
            assert shown is not None
            row = self.db.get_one(ApiKey, shown.key_id)
            self.done.keys[name] = key
            self.done.callers[name] = Caller(row.person_id, role, row.key_id, name)
        self.students = [add_person(self.db, role="student").person_id for _ in range(60)]

    def month(self) -> None:
        """Every day some conversations, fewer at weekends and more before a deadline."""
        for day in range(DAYS):
            begun = self.now - timedelta(days=DAYS - 1 - day)
            busy = 5 if begun.weekday() > 4 else 9
            busy += 6 if day in (11, 12, 25, 26) else 0
            for _ in range(busy + self.chance.randint(-2, 3)):
                at = begun - timedelta(minutes=self.chance.randint(5, 700))
                self.conversation(self.chance.choice(CONVERSATIONS), at, day)

    def conversation(self, said: Sequence[Said], at: datetime, day: int) -> list[TurnRow]:
        course_id = self.courses[said[0].lang]
        person_id = self.chance.choice(self.students)
        session = ChatSession(
            person_id=person_id, course_id=course_id, title=said[0].question, created_at=at, updated_at=at
        )
        self.db.add(session)
        self.db.flush()
        turns = []
        for position, one in enumerate(said):
            turns.append(self.turn(one, session, position, at + timedelta(minutes=2 * position), day))
        self.db.flush()
        self.turns += turns
        return turns

    def turn(self, said: Said, session: ChatSession, position: int, at: datetime, day: int) -> TurnRow:
        placed = [self.reference(n + 1, place, said.lang) for n, place in enumerate(said.places)]
        references = [one for one in placed if one is not None]
        is_late = day >= RELEASED
        took = {"direct": 38, "chat": 900, "refuse": 12, "ask_ta": 60}.get(said.route, 5200)
        turn = TurnRow(
            session_id=session.session_id,
            person_id=session.person_id,
            position=position,
            asked_at=at,
            question=said.question,
            answer=said.answer,
            outcome="failed" if said.route == "none" else "answered",
            route=None if said.route == "none" else said.route,
            course_id=session.course_id,
            lang=said.lang,
            category=said.category,
            form="frq",
            source=said.source,
            confidence=said.confidence,
            model="SmolLM2-135M-Instruct" if said.route in ("teach", "explain", "chat") else None,
            strategy="hybrid",
            index_version="2026-06-02" if is_late else "2026-05-12",
            total_ms=took * self.chance.uniform(0.7, 1.6),
            shown={
                "route": said.route,
                "source": said.source,
                "notice": said.notice,
                "reasoning": said.reasoning,
                "concepts": list(said.concepts),
                "references": references,
            },
        )
        self.db.add(turn)
        self.db.flush()
        self.db.add_all(_rests(turn, references, self.courses[said.lang]))
        return turn

    def reference(self, number: int, concept: str, lang: Lang) -> dict[str, Any] | None:
        """A reference to where the course defines a concept."""
        course_id = self.courses[lang]
        row = self.defining(course_id, concept)
        if row is None:
            return None
        where = row["definition_locator"]
        url = f"/courses/{quote(course_id)}/videos/{quote(where['video_id'], safe='')}?t={where['start_ms'] // 1000}"
        label = f"{where['video_title']} @ {time_code(where['start_ms'])}"
        return {
            "number": number,
            "title": concept,
            "label": label,
            "source": "concept",
            "course_id": course_id,
            "evidence_id": row["concept_id"],
            "locator": where,
            "url": url,
        }

    def defining(self, course_id: str, concept: str) -> dict[str, Any] | None:
        """The row of a concept that a lecture defines; any other when the course has not this one."""
        path = self.data_dir.table("concepts", course_id)
        rows = read_rows(path) if path.is_file() else []
        defined = [row for row in rows if row["definition_locator"] and row["definition_locator"]["video_id"]]
        return next((row for row in defined if row["name"].casefold() == concept.casefold()), None)

    def thumbs(self) -> None:
        down = ("needs_more_explanation", "incorrect", "hard_to_follow", "off_topic", "bad_references")
        up = ("thorough_explanation", "easy_to_follow", "correct", "good_references", "fast")
        for turn in self.turns:
            if turn.route in ("refuse", "chat", None) or self.chance.random() > 0.24:
                continue
            likes = self.chance.random() < (0.78 if turn.index_version == "2026-06-02" else 0.66)
            codes = self.chance.choices(up if likes else down, weights=(20, 9, 8, 6, 3))
            self.db.add(
                Feedback(
                    trace_id=turn.trace_id,
                    person_id=turn.person_id,
                    thumb=1 if likes else -1,
                    reasons=codes if self.chance.random() < 0.7 else [],
                    created_at=turn.asked_at,
                    updated_at=turn.asked_at,
                )
            )

    def ratings(self) -> None:
        """A satisfaction sample of most days, and a batch on the six aspects and one on references, half done."""
        raters = [one.person_id for name, one in self.done.callers.items() if one.role == "ta"]
        answered = [turn for turn in self.turns if turn.route in ("direct", "teach", "explain")]
        for turn in self.chance.sample(answered, min(len(answered), 150)):
            likes = self.chance.random() < (0.86 if turn.index_version == "2026-06-02" else 0.72)
            self.db.add(
                Rating(
                    trace_id=turn.trace_id,
                    person_id=self.chance.choice(raters),
                    form="satisfaction",
                    value="1" if likes else "0",
                    at=turn.asked_at,
                )
            )
        cited = [turn for turn in answered if turn.shown["references"]]
        for name, form, of in (("Six aspects, June", "aspects", answered), ("References, June", "relevance", cited)):
            self.batch(name, form, self.chance.sample(of, min(24, len(of))), raters)

    def batch(self, name: str, form: str, turns: Sequence[TurnRow], raters: Sequence[str]) -> None:
        batch = Batch(name=name, form=form, drawn_from={"answers": len(turns), "found": len(turns)})
        self.db.add(batch)
        self.db.flush()
        for place, turn in enumerate(turns):
            rater = raters[place % len(raters)]
            is_done = place < len(turns) // 2
            self.db.add(
                BatchItem(
                    batch_id=batch.batch_id,
                    trace_id=turn.trace_id,
                    assigned_to=rater,
                    position=place,
                    finished_at=self.now if is_done else None,
                )
            )
            for item, value in _values(form, turn, self.chance) if is_done else ():
                self.db.add(
                    Rating(
                        trace_id=turn.trace_id,
                        person_id=rater,
                        form=form,
                        item=item,
                        value=value,
                        batch_id=batch.batch_id,
                        at=self.now,
                    )
                )

    def queue(self) -> None:
        """What waits now, newest last: each of the reasons but a changed source."""
        other = self.done.callers["周敏"]
        for minutes, said, reason, note, comment in OPEN:
            at = self.now - timedelta(minutes=minutes)
            turn = self.conversation(said, at - timedelta(minutes=2 * len(said)), DAYS)[-1]
            if comment or reason == "thumbs_down":
                codes = ["needs_more_explanation"] if said[-1].lang == "en" else ["incorrect"]
                self.db.add(
                    Feedback(
                        trace_id=turn.trace_id,
                        person_id=turn.person_id,
                        thumb=-1,
                        reasons=codes,
                        comment=comment,
                        created_at=at,
                        updated_at=at,
                    )
                )
            row = put_in_queue(self.db, turn, reason, note)
            row.created_at = at
            if minutes == 95:
                ask(self.db, self.students[0], turn.question, course_id=turn.course_id, lang=said[-1].lang)
            self.db.flush()
            if minutes == 190:
                claim(self.db, row.question_id, other)

    def standing(self) -> None:
        """Two approved answers; a source of the first was rewritten since."""
        ta, other = self.done.callers["Priya Lindgren"], self.done.callers["周敏"]
        first = self.approved(
            "en",
            "Why does a binary search tree get slow when I insert sorted keys?",
            "Sorted keys make every new node the right child of the last, so the tree becomes a list and its "
            "height grows to $n$. Searching then takes $O(n)$ steps instead of $O(\\log n)$. A balanced tree, such as "
            "an AVL tree, turns itself back into shape after each insertion.",
            "binary search tree",
            ta,
        )
        self.approved(
            "zh",
            "哈希表的装填因子多大合适？",
            "课程中建议把装填因子控制在 0.7 左右：再大冲突会明显变多，再小会浪费空间。",
            "哈希表",
            other,
        )
        self.done.returned = first.answer_id
        self.turned(first)

    def approved(self, lang: Lang, question: str, answer: str, concept: str, by: Caller) -> ReviewedAnswer:
        course_id = self.courses[lang]
        row = self.defining(course_id, concept)
        where = row["definition_locator"] if row else None
        named = [f"cues:{where['video_id']}:{where['start_ms']}-{where['end_ms']}"] if where else []
        units = find_units(named, course_id, CourseTables(self.data_dir))
        asked = ask(self.db, self.students[1], question, course_id=course_id, lang=lang)
        return approve(self.db, asked.question_id, question=question, answer=answer, rests=units, by=by)

    def turned(self, answer: ReviewedAnswer) -> None:
        """As if the lecture had said it a little otherwise when the answer was approved."""
        for source in self.db.scalars(select(ReviewedSource).where(ReviewedSource.answer_id == answer.answer_id)):
            now = source.text
            source.text = now.replace("smaller than the key", "less than or equal to the key").replace(
                "every key", "each key"
            )
            source.text_sha256 = digest(source.text)
            self.db.flush()
            return_to_queue(self.db, answer.answer_id, [UnitChange(answer.answer_id, source.unit, source.text, now)])

    def experiment(self) -> None:
        """One comparison that goes as it should, and one whose buckets do not have the sizes they should."""
        for name, weights in (("reranker", (228, 214)), ("shorter prompt", (290, 190))):
            experiment = Experiment(
                name=name,
                variants=[
                    {"name": "as it is", "weight": 1, "settings": {}},
                    {"name": name, "weight": 1, "settings": {"top_k": 8}},
                ],
                created_at=self.now - timedelta(days=20),
            )
            self.db.add(experiment)
            self.db.flush()
            people = [Person(created_at=self.now) for _ in range(sum(weights))]
            self.db.add_all(people)
            self.db.flush()
            for place, person in enumerate(people):
                variant = "as it is" if place < weights[0] else name
                self.db.add(
                    Exposure(experiment_id=experiment.experiment_id, person_id=person.person_id, variant=variant)
                )


def _values(form: str, turn: TurnRow, chance: random.Random) -> list[tuple[str, str]]:
    if form == "aspects":
        names = ("coherence", "informativeness", "hallucination", "humanness", "helpfulness", "instructiveness")
        return [(name, chance.choices("012", weights=(1, 4, 9))[0]) for name in names]
    ways = ("irrelevant", "subject", "concept", "similar", "exact", "dont_know")
    return [
        (str(one["number"]), chance.choices(ways, weights=(2, 3, 6, 8, 14, 2))[0]) for one in turn.shown["references"]
    ]


def _rests(turn: TurnRow, references: Sequence[dict[str, Any]], course_id: str) -> list[RestsOn]:
    return [
        RestsOn(
            trace_id=turn.trace_id,
            entry_id=str(one["evidence_id"]),
            source=str(one["source"]),
            text_sha256="0" * 64,
            is_reference=True,
            course_id=course_id,
            video_id=one["locator"]["video_id"],
            start_ms=one["locator"]["start_ms"],
            end_ms=one["locator"]["end_ms"],
        )
        for one in references
    ]
