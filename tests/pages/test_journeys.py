"""Whole journeys through one term of one small course, each as the people in it go: students, a TA, a teacher.

The gateway is a process of its own over a home that the real pipeline built, and builds again; only the model is a
stand-in. The journeys follow each other in one home, as they would in a course.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from served import Served, serving
from small_courses import FAQ, STACKS, TREES, Place, srt, write_course
from sqlalchemy import select
from sqlalchemy.orm import Session
from stand_in_thread import standing_in
from visitors import Visitors

from serving.desk.course_tables import CourseTables
from serving.desk.decisions import approve
from serving.desk.material_units import find_units
from serving.desk.queue import ask as ask_desk
from serving.store.caller import Caller
from serving.store.graph_edits import live_edits
from serving.store.people import add_person
from serving.store.tables.rating import Rating
from serving.store.tables.review import ReviewedAnswer, ReviewedSource

pytestmark = pytest.mark.slow

COURSE = "structures"
TA, TEACHER = "Ada Quill", "Ines Calloway"
QUESTION = "Why does my call stack overflow when recursion never ends?"
ASKED_OTHERWISE = "why does my CALL STACK overflow, when recursion never ends"
WRITTEN = "The call stack is a stack that holds one frame for every running function [1]."
ANSWER = "Every call adds a frame, and the call stack has room for only so many. Ask in the forum if it happens to you."
FRAMES, EDITED = STACKS[6], "The call stack is a stack that forgets one frame for every running function."
UNANSWERED = "Who marks our midterm?"
OLDER = "This answer is from older material"
LECTURE = "subtitles/01 - Stacks.srt"


@dataclass(frozen=True)
class Term:
    """The course as it is built and served, and the keys of those who teach in it."""

    place: Place
    gateway: Served
    keys: dict[str, str]

    def rows(self, table: type) -> list:  # type: ignore[type-arg]
        return self.gateway.store.read(lambda db: list(db.scalars(select(table))))

    def stale(self) -> set[str]:
        """The questions of the approved answers that are with the TAs again."""
        return {one.question for one in self.rows(ReviewedAnswer) if one.is_stale}


@pytest.fixture(scope="module")
def term(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Term]:
    place = Place(tmp_path_factory.mktemp("term"))
    card = "title: Data Structures\nlang: en\ndomains: [computer science]\n"
    lectures = {LECTURE: srt(STACKS), "subtitles/02 - Trees.srt": srt(TREES)}
    write_course(place.courses / COURSE, {"course.yaml": card, "faq.csv": FAQ, **lectures})
    code, printed = place.build()
    assert code == 0, printed
    with standing_in(words=tuple(WRITTEN)) as model, serving(place.data_dir.root, model.url) as gateway:
        keys = {TA: gateway.key("ta", TA), TEACHER: gateway.key("teacher", TEACHER)}
        yield Term(place, gateway, keys)


@pytest.fixture
def people(browser: Browser, term: Term) -> Iterator[Visitors]:
    visitors = Visitors(browser, term.gateway.url)
    yield visitors
    visitors.leave()


@pytest.fixture(scope="module")
def asker(browser: Browser, term: Term) -> Iterator[Page]:
    """The browser of the student who asks first, open through the whole term."""
    visitors = Visitors(browser, term.gateway.url)
    yield visitors.comes()
    visitors.leave()


@pytest.fixture(scope="module")
def asked(asker: Page, term: Term) -> Page:
    """The first question: streamed, followed to its lecture, disliked with a reason, and brought before a TA."""
    record_what_is_written(asker, f"/?course={COURSE}")
    turn = ask(asker, QUESTION)
    expect(turn.locator(".prose")).to_contain_text("holds one frame for every running function")
    written = asker.evaluate("window.written")
    assert any(len(one) < len(WRITTEN) / 2 for one in written), "It came in one piece."
    turn.locator("a.ref").filter(has_text="@ 00:12").first.click()
    cue = asker.frame_locator("#panel-frame").locator("#now")
    expect(cue).to_contain_text(FRAMES)
    expect_uncovered(cue)
    asker.keyboard.press("Escape")
    turn.get_by_role("button", name="Not helpful").click()
    turn.get_by_text("Needs more explanation").click()
    turn.get_by_role("button", name="Send", exact=True).click()
    expect(turn.get_by_role("status")).to_contain_text("A teaching assistant will look")
    turn.get_by_role("button", name="Ask a TA").click()
    turn.get_by_label("What should they know?").fill("It happens in exercise 2.")
    turn.get_by_role("button", name="Send to the TAs").click()
    expect(turn.locator(".desk")).to_contain_text("Sent to the teaching assistants")
    return asker


@pytest.fixture(scope="module")
def answered(asked: Page, browser: Browser, term: Term) -> Iterator[Page]:
    """A TA logs in, answers the one item there is from a stretch of the lecture and an entry of the FAQ."""
    visitors = Visitors(browser, term.gateway.url)
    page = visitors.comes()
    page.goto("/queue")
    page.get_by_label("Key", exact=True).fill(term.keys[TA])
    page.locator("form[action='/login'] button.primary").click()
    page.wait_for_url("**/queue")
    expect(page.locator(".entry .entry-text")).to_have_text([QUESTION])
    page.locator(".entry").click()
    expect(page.get_by_text("It happens in exercise 2.")).to_be_visible()
    page.get_by_label("Answer", exact=True).fill(ANSWER)
    expect(page.locator(".preview .label")).to_be_visible()  # what is below it has moved down by then
    tick(page, "one frame for every running function")
    page.get_by_label("Search the material in other words").fill("Where do I get help?")
    page.keyboard.press("Enter")
    tick(page, "In the forum.")
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.get_by_text("Nothing is waiting")).to_be_visible()
    yield page
    visitors.leave()


def test_the_next_student_gets_the_reviewed_answer_at_once_however_it_is_typed(
    answered: Page, people: Visitors
) -> None:
    turn = ask_in_course(people.comes(), ASKED_OTHERWISE)
    expect(turn.locator(".label")).to_have_text(f"From the FAQ, reviewed by {TA}")
    expect(turn.locator(".prose").first).to_have_text(ANSWER)


def test_the_asker_finds_the_answer_in_their_conversation(answered: Page, asked: Page) -> None:
    asked.reload()
    expect(asked.locator(".turn .desk")).to_contain_text(f"Answered by {TA}")
    expect(asked.locator(".turn .desk .prose")).to_have_text(ANSWER)


def test_the_answer_rests_on_what_the_ta_ticked(answered: Page, term: Term) -> None:
    kinds = sorted(one.unit.partition(":")[0] for one in term.rows(ReviewedSource))
    assert kinds == ["cues", "faq"]


@pytest.fixture(scope="module")
def edited(answered: Page, term: Term) -> Page:
    """Two more answers are approved; then the cue that the first rests on is edited, and the course is built anew."""
    approved(term, "How high is a heap?", "cues:02 - Trees:10000-12000")
    approved(term, "How late may I be?", "faq:late")
    lecture = srt(STACKS)
    write_course(term.place.courses / COURSE, {LECTURE: lecture.replace(FRAMES, EDITED, 1)})
    code, printed = term.place.build()
    assert code == 0, printed
    return answered


def test_exactly_the_answer_that_rests_on_an_edited_cue_is_with_the_tas_again_until_one_says_it_is_right(
    edited: Page, people: Visitors, term: Term
) -> None:
    entry = edited.locator(".entry .entry-text")
    expect(entry).to_have_text([QUESTION])
    expect(edited.locator(".entry .chip")).to_have_text(["a source changed"])
    assert term.stale() == {QUESTION}
    student = people.comes()
    turn = ask_in_course(student, ASKED_OTHERWISE)
    expect(turn.locator(".answer")).to_contain_text(OLDER)
    expect(turn.locator(".answer")).to_contain_text(ANSWER)
    expect(ask(student, "How late may I be?").locator(".answer")).not_to_contain_text(OLDER)

    entry.click()
    expect(edited.locator(".text-was del").first).to_be_visible()
    expect(edited.locator(".text-now ins")).to_contain_text(["forgets"])
    edited.get_by_role("button", name="Still right").click()
    expect(edited.get_by_text("Nothing is waiting")).to_be_visible()
    assert term.stale() == set()
    edited.wait_for_timeout(2500)  # what is approved is believed for a second or two
    expect(ask(student, QUESTION).locator(".answer")).not_to_contain_text(OLDER)


def test_a_teacher_hands_out_a_batch_a_ta_rates_it_by_keys_and_the_teacher_sees_how_far_it_is(
    answered: Page, people: Visitors, term: Term
) -> None:
    teacher, ta = people.comes(key=term.keys[TEACHER]), people.comes(key=term.keys[TA])
    teacher.goto("/rate")
    teacher.get_by_role("button", name="New batch").click()
    teacher.get_by_label("Name", exact=True).fill("Week five")
    teacher.get_by_label("Answers", exact=True).fill("2")
    teacher.get_by_label("Raters", exact=True).click()
    teacher.get_by_role("option", name=TA).click()
    teacher.keyboard.press("Escape")
    teacher.get_by_role("button", name="Draw and assign").click()
    batch = teacher.locator("article").filter(has_text="Week five")
    expect(batch).to_contain_text("0 of 2 rated")

    ta.goto("/rate")
    ta.locator("article").filter(has_text="Week five").get_by_role("button", name="Rate (2)").click()
    expect(ta.get_by_text("2 left")).to_be_visible()
    for key in "212121":
        ta.keyboard.press(key)
    expect(ta.locator("[aria-pressed=true]")).to_have_count(6)
    ta.keyboard.press("Enter")
    expect(ta.get_by_text("1 left")).to_be_visible()

    teacher.reload()
    expect(batch).to_contain_text(f"{TA} 1 of 2")
    assert sorted(one.value for one in term.rows(Rating)) == list("111222")


def test_a_teacher_corrects_an_edge_and_it_waits_for_the_next_build(
    answered: Page, people: Visitors, term: Term
) -> None:
    page = people.comes(key=term.keys[TEACHER])
    page.goto(f"/graph?course={COURSE}")
    page.get_by_role("tab", name="Prerequisites").click()
    reject = page.get_by_role("button", name="Reject: ").first
    before, after = (reject.get_attribute("aria-label") or "").removeprefix("Reject: ").split(" before ")
    reject.click()
    page.get_by_role("tab", name="Corrections (1)").click()
    expect(page.get_by_text(f"“{before}” need not come before “{after}”")).to_be_visible()
    expect(page.get_by_text("takes effect at the next build").last).to_be_visible()
    edits = term.gateway.store.read(lambda db: live_edits(db, COURSE))
    assert [(edit.kind, edit.subject, edit.object, edit.by) for edit in edits] == [
        ("no_prerequisite", before, after, TEACHER)
    ]


def test_a_rejection_reaches_the_asker_and_a_teacher_may_put_the_question_before_the_tas_again(
    answered: Page, people: Visitors, term: Term
) -> None:
    student, teacher = people.comes(), people.comes(key=term.keys[TEACHER])
    turn = ask_in_course(student, UNANSWERED)
    turn.get_by_role("button", name="Ask a TA").click()
    turn.get_by_role("button", name="Send to the TAs").click()
    answered.get_by_role("button", name=UNANSWERED).click()
    answered.get_by_role("button", name="Reject …").click()
    answered.get_by_label("What the student is told").fill("It will be said in the last lecture.")
    answered.get_by_role("button", name="Reject", exact=True).click()
    expect(answered.get_by_text("Nothing is waiting")).to_be_visible()
    student.reload()
    expect(student.locator(".turn .desk")).to_contain_text("A teaching assistant replied")
    expect(student.locator(".turn .desk .prose")).to_have_text("It will be said in the last lecture.")

    teacher.goto(f"/insights?course={COURSE}")
    teacher.get_by_role("button", name=f"Put in the queue: {UNANSWERED}").click()
    expect(teacher.get_by_text("It is in the queue of the TAs now.")).to_be_visible()
    expect(answered.locator(".entry .entry-text")).to_have_text([UNANSWERED])


def record_what_is_written(page: Page, address: str) -> None:
    """Open a page that keeps every state of an answer on it in `window.written`."""
    page.goto(address)
    page.evaluate(
        """() => {
          window.written = [];
          new MutationObserver(() => {
            const prose = document.querySelector(".turn.writing .prose");
            if (prose) window.written.push(prose.innerText);
          }).observe(document.body, { childList: true, subtree: true, characterData: true });
        }"""
    )


def ask_in_course(page: Page, question: str) -> Locator:
    page.goto(f"/?course={COURSE}")
    return ask(page, question)


def ask(page: Page, question: str) -> Locator:
    """Ask as a person does; the turn, once its answer is there."""
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    turn = page.locator(".turn").last
    expect(turn.locator(".question")).to_have_text(question)
    expect(turn.locator(".tools")).to_be_visible()
    expect(page.locator("body:not(.is-writing)")).to_have_count(1)
    return turn


def tick(page: Page, words: str) -> None:
    """Rest the answer on the first suggestion that says `words`, once the item is the TA's: that draws them again."""
    expect(page.get_by_text("with you").first).to_be_visible()
    suggestion = page.locator(".suggestion").filter(has_text=words).first
    box = suggestion.get_by_role("checkbox", name="My answer rests on this")
    box.click()
    expect(box).to_be_checked()


def expect_uncovered(element: Locator) -> None:
    """In sight, and nothing lies over its middle."""
    expect(element).to_be_in_viewport(ratio=0.9)
    assert element.evaluate(
        """one => {
          const { left, top, width, height } = one.getBoundingClientRect();
          return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }"""
    )


def approved(term: Term, question: str, unit: str) -> None:
    """An answer of a TA that rests on one unit."""
    rests = find_units([unit], COURSE, CourseTables(term.place.data_dir))
    assert len(rests) == 1

    def work(db: Session) -> None:
        asked = ask_desk(db, add_person(db, role="student").person_id, question, course_id=COURSE, lang="en")
        by = Caller("ta", "ta", name="Bo Lind")
        approve(db, asked.question_id, question=question, answer=f"As the course says: {question}", rests=rests, by=by)

    term.gateway.store.write(work)
