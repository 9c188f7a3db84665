"""The pages of TAs and teachers in a browser, as they use them; with a gateway of its own, and no model server."""

import asyncio
import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import course_rows as rows
import httpx
import pyarrow as pa
import pytest
import uvicorn
from accessible import look_at, serious_findings
from playwright.sync_api import Browser, Page, expect
from visitors import Visitors

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.gone_courses import keep_gone
from knowledge_graph.lake.home import DataDir
from serving.desk.course_tables import CourseTables
from serving.desk.decisions import approve
from serving.desk.material_units import UnitChange, find_units
from serving.desk.queue import ask, put_in_queue
from serving.desk.revalidation import return_to_queue
from serving.gateway.app import create_app
from serving.index.build import build_index
from serving.pages.console import MOST_GONE
from serving.pages.mount import PagesMount, mount_pages
from serving.settings import Settings
from serving.store.caller import Caller, Role
from serving.store.database import Store
from serving.store.graph_edits import live_edits
from serving.store.keys import make_key, read_key, revoke_key
from serving.store.tables.conversation import ChatSession, Feedback, TurnRow
from serving.store.tables.identity import ApiKey
from serving.store.tables.rating import Batch, BatchItem, Rating
from serving.store.tables.review import ReviewedAnswer, ReviewedSource, TaQuestion

pytestmark = pytest.mark.slow

SCRIPT = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
POLICY = "Ask the coordinator before the Board of Examiners."
COURSES = [{**rows.COURSES[0], "policy": POLICY}, *rows.COURSES[1:]]
QUESTION = "What is the amortised cost of push?"


@dataclass
class Site:
    """A running gateway. `keys` and `callers` are by name."""

    url: str
    store: Store
    data_dir: DataDir
    keys: dict[str, str]
    callers: dict[str, Caller]

    def waiting(self, question: str = QUESTION, note: str = "", by: str = "student") -> str:
        return self.store.write(
            lambda db: ask(db, self.callers[by].person_id, question, course_id="ds", lang="en", note=note).question_id
        )

    def answered(self, question: str, answer: str = "Constant [1].", comment: str = "", by: str = "student") -> TurnRow:
        """A turn of a student, with a thumb down when there is a comment."""
        person_id = self.callers[by].person_id

        def work(db: Any) -> TurnRow:
            session = ChatSession(person_id=person_id, course_id="ds", title=question)
            db.add(session)
            db.flush()
            reference = {"number": 1, "label": "Stacks @ 03:12", "url": "/courses/ds/videos/02%20stacks?t=192"}
            turn = TurnRow(
                session_id=session.session_id,
                person_id=person_id,
                position=0,
                question=question,
                answer=answer,
                outcome="answered",
                route="teach",
                course_id="ds",
                lang="en",
                shown={"references": [{**reference, "title": "stack", "evidence_id": "c1", "source": "concept"}]},
            )
            db.add(turn)
            db.flush()
            if comment:
                db.add(Feedback(trace_id=turn.trace_id, person_id=person_id, thumb=-1, reasons=[], comment=comment))
                put_in_queue(db, turn, "thumbs_down", comment)
            return turn

        return self.store.write(work)

    def post(self, path: str, body: Any, by: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.keys[by]}"}
        return httpx.post(f"{self.url}{path}", json=body, headers=headers, timeout=30)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    data_dir = DataDir(tmp_path_factory.mktemp("console") / "home")
    build(data_dir, tmp_path_factory.mktemp("tables"))
    app = create_app(Settings(home=data_dir.root, access="keys"))
    if not any(isinstance(route, PagesMount) for route in app.router.routes):
        mount_pages(app)
    store: Store = app.state.service.store
    keys, callers = people(store)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    until(lambda: server.started)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield Site(f"http://127.0.0.1:{port}", store, data_dir, keys, callers)
    server.should_exit = True
    thread.join(30)


@pytest.fixture(autouse=True)
def empty_desk(site: Site) -> None:
    """Nothing waits from the test before."""
    site.store.write(lambda db: [db.delete(row) for row in db.query(TaQuestion)])


@pytest.fixture
def visit(site: Site, browser: Browser) -> Iterator[Callable[[str, str], Page]]:
    """Opens a page as somebody who has signed in."""
    visitors = Visitors(browser, site.url)

    def open_as(name: str, path: str) -> Page:
        page = visitors.comes(key=site.keys[name])
        page.goto(path)
        return page

    yield open_as
    visitors.leave()


def test_a_ta_answers_from_a_source_and_the_next_student_gets_it_with_the_name(site: Site, visit: Any) -> None:
    page = visit("Ada Berg", "/queue")
    expect(page.get_by_text("Nothing is waiting")).to_be_visible()
    site.waiting(note="The lecture says constant.")
    page.get_by_role("button", name=QUESTION).click(timeout=10_000)
    expect(page.get_by_text("The lecture says constant.")).to_be_visible()
    page.get_by_label("Answer", exact=True).fill("A push costs **constant** time on average.")
    expect(page.locator(".preview strong")).to_have_text("constant")
    expect(page.get_by_text("with you").first).to_be_visible()
    page.get_by_role("checkbox", name="My answer rests on this").first.click()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("Approved. The next student")).to_be_visible()

    kept = site.store.read(lambda db: db.query(ReviewedAnswer).filter_by(question=QUESTION).one())
    units = site.store.read(lambda db: db.query(ReviewedSource).filter_by(answer_id=kept.answer_id).all())
    assert (kept.reviewer, len(units)) == ("Ada Berg", 1)
    body = {"model": "coteach:ds", "messages": [{"role": "user", "content": QUESTION}]}

    def reply() -> str:
        return str(site.post("/v1/chat/completions", body, "other student").json()["choices"][0]["message"]["content"])

    assert "Ada Berg" in reply()
    assert "constant" in reply()


def test_a_ta_reads_the_policy_of_the_course_beside_a_question(site: Site, visit: Any) -> None:
    site.waiting()
    page = visit("Ada Berg", "/queue")
    page.get_by_role("button", name=QUESTION).click(timeout=10_000)
    version = hashlib.sha256(POLICY.encode()).hexdigest()[:12]
    page.get_by_text(f"Policy of the course, version {version}").click()
    expect(page.get_by_text(POLICY)).to_be_visible()


def test_courses_without_a_folder_are_told(site: Site, visit: Any) -> None:
    keep_gone(site.data_dir, {"ds": "structures", "heaps": None})
    try:
        page = visit("Ada Berg", "/queue")
        expect(page.get_by_text("The course ds is called structures now and is served twice.")).to_be_visible()
        expect(page.get_by_text("The folder of the course heaps is gone")).to_be_visible()
        assert serious_findings(page) == []
        expect(page.locator(".gone code")).to_have_text(["coteach forget ds", "coteach forget heaps"])
        keep_gone(site.data_dir, {f"course{number}": None for number in range(MOST_GONE + 3)})
        page.reload()
        expect(page.locator(".gone li")).to_have_count(MOST_GONE + 1)
        expect(page.get_by_text("3 more courses have no folder")).to_be_visible()
    finally:
        keep_gone(site.data_dir, {})


def test_the_asker_sees_the_reply_to_a_question_that_was_rejected(site: Site, visit: Any) -> None:
    question_id = site.waiting("Will you do my homework?")
    page = visit("Ada Berg", "/queue")
    page.get_by_role("button", name="Will you do my homework?").click()
    page.get_by_role("button", name="Reject …").click()
    page.get_by_label("What the student is told").fill("No, but come to office hours.")
    page.get_by_role("button", name="Reject", exact=True).click()
    expect(page.get_by_text("Nothing is waiting")).to_be_visible()
    row = site.store.read(lambda db: db.get_one(TaQuestion, question_id))
    assert (row.state, row.reply) == ("rejected", "No, but come to office hours.")


def test_a_changed_source_shows_the_words_that_differ_and_still_right_takes_it_again(site: Site, visit: Any) -> None:
    answer_id = returned(site)
    page = visit("Ada Berg", "/queue")
    page.get_by_role("button", name="Which end of a stack?").click()
    expect(page.locator(".text-was del").first).to_have_text("old")
    expect(page.locator(".text-now ins").first).to_be_visible()
    page.get_by_role("button", name="Still right").click()
    expect(page.get_by_text("Nothing is waiting")).to_be_visible()
    sources = site.store.read(lambda db: db.query(ReviewedSource).filter_by(answer_id=answer_id).all())
    assert [(source.changed_to, "old" in source.text) for source in sources] == [(None, False)]


def test_script_of_a_student_is_text_on_the_page_of_the_ta(site: Site, visit: Any) -> None:
    site.answered(f"Why? {SCRIPT}", answer=f"Because. {SCRIPT}", comment=f"wrong {SCRIPT}")
    page = visit("Ada Berg", "/queue")
    page.get_by_role("button", name="Why?").click()
    expect(page.locator("h1")).to_contain_text("<script>")
    page.get_by_role("button", name="Start from the assistant's answer").click()
    expect(page.locator(".preview")).to_contain_text("Because.")
    assert page.evaluate("document.querySelectorAll('main script, main img[src=\"x\"]').length") == 0
    assert "taken" not in page.title()


def test_an_item_that_another_ta_has_says_so(site: Site, visit: Any) -> None:
    site.waiting()
    first, second = visit("Ada Berg", "/queue"), visit("Bo Lind", "/queue")
    first.get_by_role("button", name=QUESTION).click()
    first.get_by_role("button", name="Take it").click()
    expect(second.get_by_text("Ada Berg has it")).to_be_visible(timeout=10_000)
    first.get_by_role("button", name="Give it back").click()
    expect(second.get_by_text("Ada Berg has it")).to_be_hidden(timeout=10_000)


@pytest.mark.parametrize(("question", "width"), [("Is heapsort stable?", 390), ("Where is the tutorial room?", 1280)])
def test_what_students_ask_is_made_faq_with_one_click(site: Site, visit: Any, question: str, width: int) -> None:
    for by in ("student", "other student"):
        site.answered(question, answer="It is not [1].", by=by)
    page = visit("Ada Berg", "/queue")
    page.set_viewport_size({"width": width, "height": 800})
    propose(page)
    page.get_by_role("button", name=question).click(timeout=10_000)
    expect(page.get_by_text("asked 2 times by 2 students").last).to_be_visible()
    expect(page.get_by_text("Only TAs see these words.")).to_be_visible()
    expect(page.get_by_label("Answer", exact=True)).to_have_value("It is not.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Make it FAQ").click()
    expect(page.get_by_text("It is in the FAQ.")).to_be_visible()
    expect(page.get_by_role("button", name=question)).to_have_count(0)
    kept = site.store.read(lambda db: db.query(ReviewedAnswer).filter_by(question=question).one())
    assert (kept.answer, kept.reviewer) == ("It is not.", "Ada Berg")


def test_a_question_that_no_two_students_worded_alike_is_worded_by_the_ta(site: Site, visit: Any) -> None:
    for question, by in (("May I write the exam in pencil?", "student"), ("write the exam in pencil", "other student")):
        site.answered(question, answer="You may [1].", by=by)
    page = visit("Ada Berg", "/queue")
    propose(page)
    page.get_by_role("button", name="in pencil").click(timeout=10_000)
    expect(page.get_by_text("word the question for everybody")).to_be_visible()
    expect(page.get_by_label("Question", exact=True)).to_have_value("")
    page.get_by_role("button", name="Make it FAQ").click()
    expect(page.get_by_text("Write the question first.")).to_be_visible()
    page.get_by_label("Question", exact=True).fill("Is a pencil allowed in the exam?")
    page.get_by_role("button", name="Make it FAQ").click()
    expect(page.get_by_text("It is in the FAQ.")).to_be_visible()


def test_a_dismissed_proposal_leaves_the_list(site: Site, visit: Any) -> None:
    question = "Which snack is best for revision?"
    for by in ("student", "other student"):
        site.answered(question, by=by)
    page = visit("Ada Berg", "/queue")
    propose(page)
    page.get_by_role("button", name=question).click(timeout=10_000)
    page.get_by_role("button", name="Dismiss").click()
    page.get_by_role("dialog").get_by_role("button", name="Dismiss").click()
    expect(page.get_by_text("Dismissed.")).to_be_visible()
    expect(page.get_by_role("button", name=question)).to_have_count(0)


def test_the_queue_is_walked_by_j_and_k(site: Site, visit: Any) -> None:
    first, second = "Is the midterm open book?", "Does quicksort need extra memory?"
    site.waiting(first)
    site.waiting(second)
    page = visit("Ada Berg", "/queue")
    expect(page.get_by_role("button", name=second)).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator("h1")).to_have_text(first)
    page.keyboard.press("j")
    expect(page.locator("h1")).to_have_text(second)
    page.keyboard.press("k")
    expect(page.locator("h1")).to_have_text(first)


def test_what_appears_while_an_answer_is_written_moves_no_button(site: Site, visit: Any) -> None:
    question = "May I bring a dictionary to the exam?"
    site.waiting(question)
    page = visit("Ada Berg", "/queue")
    page.get_by_role("button", name=question).click()
    approve = page.get_by_role("button", name="Approve", exact=True)
    expect(approve).to_be_visible()
    at_first = approve.bounding_box()
    page.get_by_label("Answer", exact=True).fill("Yes.\n\nA printed one.\n\nIn one language.")
    expect(page.locator(".preview")).to_contain_text("A printed one.")
    expect(page.locator(".suggestion").first).to_be_visible()
    assert approve.bounding_box() == at_first
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert approve.bounding_box() == at_first, "and none at the end of the page, where a click was lost"


def test_what_went_wrong_and_nobody_foresaw_is_told(site: Site, visit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    question = "May I bring an abacus to the exam?"
    site.waiting(question)
    page = visit("Ada Berg", "/queue")
    page.get_by_role("button", name=question).click()
    page.get_by_label("Answer", exact=True).fill("Yes.")
    monkeypatch.setattr("serving.pages.console_item.approve", lambda *_, **__: 1 / 0)
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.get_by_text("That went wrong, and it may not have been done.")).to_be_visible()
    expect(page.get_by_role("button", name=question)).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_what_is_asked_in_other_words_is_one_entry_and_answered_together_as_far_as_it_stays_ticked(
    site: Site, visit: Any, width: int
) -> None:
    wordings = [f"May I bring a calculator to the exam{end}" for end in ("?", " please?", " or a watch?")]
    ids = [
        site.waiting(wording, by=by)
        for wording, by in zip(wordings, ("student", "other student", "student"), strict=True)
    ]
    page = visit("Ada Berg", "/queue")
    page.set_viewport_size({"width": width, "height": 800})
    entry = page.get_by_role("button", name=wordings[0])
    expect(entry).to_contain_text("2 waiting")
    expect(entry).to_contain_text("3 wordings")
    expect(page.locator(".desk-list .entry")).to_have_count(1)
    entry.click()
    expect(page.get_by_role("heading", name="Asked in other words")).to_be_visible()
    expect(page.get_by_role("checkbox", name=wordings[1])).to_be_checked()
    look_at(page, f"queue-wordings-{width}")
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_role("checkbox", name=wordings[2]).click()
    page.get_by_label("Answer", exact=True).fill("Yes, one without a network.")
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("Approved. The next student")).to_be_visible()
    expect(page.get_by_role("button", name=wordings[2])).to_be_visible()
    states = [site.store.read(lambda db, at=at: db.get_one(TaQuestion, at).state) for at in ids]
    assert states == ["answered", "answered", "open"]


@pytest.mark.parametrize("path", ["/queue", "/rate", "/graph", "/insights"])
def test_a_student_gets_no_page_of_the_staff(site: Site, visit: Any, path: str) -> None:
    page = visit("student", path)
    assert "/login" in page.url
    assert page.locator(".desk, .rows, .tiles").count() == 0


def test_a_ta_does_not_correct_the_graph(site: Site, visit: Any) -> None:
    assert "/login" in visit("Ada Berg", "/graph").url


def test_a_page_whose_key_is_revoked_shows_nothing_more_and_approves_nothing(site: Site, visit: Any) -> None:
    question_id = site.waiting("May I still answer?")
    page = visit("Leaver", "/queue")
    page.get_by_role("button", name="May I still answer?").click()
    page.get_by_label("Answer", exact=True).fill("Yes.")
    expect(page.get_by_text("with you").first).to_be_visible()
    shown = read_key(site.keys["Leaver"])
    assert shown is not None
    site.store.write(lambda db: revoke_key(db, shown.key_id))
    page.wait_for_url("**/login**", timeout=10_000)  # by itself, as soon as the page looks for new questions
    expect(page.get_by_text("May I still answer?")).to_have_count(0)
    assert site.store.read(lambda db: db.get_one(TaQuestion, question_id)).state == "open"


def test_a_teacher_rejects_and_adds_prerequisites_but_closes_no_circle(site: Site, visit: Any) -> None:
    page = visit("Ines Calloway", "/graph?course=ds")
    page.get_by_role("tab", name="Prerequisites").click()
    add(page, "stack", "list")
    expect(page.get_by_text("would close a circle, stack → list → stack")).to_be_visible()
    page.get_by_role("button", name="Reject: list before stack").click()
    expect(page.get_by_role("tab", name="Corrections (1)")).to_be_visible()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("tab", name="Corrections (2)")).to_be_visible()
    edits = site.store.read(lambda db: live_edits(db, "ds"))
    said = [(edit.kind, edit.subject, edit.object) for edit in edits]
    assert said == [("no_prerequisite", "list", "stack"), ("prerequisite", "stack", "list")]
    page.get_by_role("tab", name="Corrections").click()
    expect(page.get_by_text("takes effect at the next build").first).to_be_visible()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("tab", name="Corrections (1)")).to_be_visible()


def test_the_focus_keeps_its_place_in_a_list_that_is_drawn_anew(visit: Any) -> None:
    page = visit("Ines Calloway", "/graph?course=ds")
    page.get_by_role("button", name="Not a concept: queue").press("Enter")
    expect(page.get_by_role("button", name="Keep")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Keep")).to_have_count(0)
    expect(page.get_by_role("button", name="Not a concept: queue")).to_be_focused()


def test_a_teacher_sees_how_good_the_graph_is(visit: Any) -> None:
    page = visit("Ines Calloway", "/graph?course=ds")
    page.get_by_role("tab", name="Quality").click()
    shown = page.get_by_role("row")
    expect(shown.filter(has_text="Concepts: 3 found, 4 labelled")).to_contain_text("67%")
    expect(shown.filter(has_text="Prerequisites: accepted")).to_contain_text("80%")
    expect(page.get_by_text("Of 6 labelled pairs the lectures mention both concepts of 5")).to_be_visible()


def test_an_expert_rates_by_keys_alone(site: Site, visit: Any) -> None:
    traces = [site.answered(f"Rated question {n}?").trace_id for n in (1, 2)]
    batch_id = site.store.write(lambda db: batch(db, traces, site.callers["Ada Berg"]))
    page = visit("Ada Berg", f"/rate?batch={batch_id}")
    expect(page.get_by_text("Rated question 1?")).to_be_visible()
    for key in "210212":
        page.keyboard.press(key)
    expect(page.locator("[aria-pressed=true]")).to_have_count(6)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Rated question 2?")).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_text("1 that you skipped are left.")).to_be_visible()
    values = site.store.read(lambda db: [row.value for row in db.query(Rating).order_by(Rating.at, Rating.item)])
    assert sorted(values) == sorted("210212")


def test_the_insights_say_what_was_asked_and_offer_it_as_a_table(site: Site, visit: Any) -> None:
    site.answered("Counted?")
    page = visit("Ines Calloway", "/insights?course=ds")
    expect(page.get_by_role("heading", name="Questions over time")).to_be_visible()
    page.get_by_text("The figures as a table").first.click()
    expect(page.locator("table.figures").first).to_contain_text("taught")


def returned(site: Site) -> str:
    """An approved answer whose source read otherwise when it was approved."""
    caller, tables = site.callers["Ada Berg"], CourseTables(site.data_dir)
    question_id = site.waiting("Which end of a stack?")

    def work(db: Any) -> str:
        [unit] = find_units(["cues:02 stacks:190000-194000"], "ds", tables)
        made = approve(db, question_id, question="Which end of a stack?", answer="The top.", rests=[unit], by=caller)
        [source] = db.query(ReviewedSource).filter_by(answer_id=made.answer_id)
        source.text = "a stack is old"
        db.flush()
        return_to_queue(db, made.answer_id, [UnitChange(made.answer_id, unit.unit, source.text, unit.text)])
        return made.answer_id

    return site.store.write(work)


def propose(page: Page) -> None:
    """Look at what is proposed for one course."""
    page.get_by_role("tab", name="Proposed").click()
    expect(page.get_by_text("Choose a course to see what its FAQ lacks.")).to_be_visible()
    page.get_by_label("Course", exact=True).click()
    page.get_by_role("option", name="Data structures").click()


def add(page: Page, first: str, second: str) -> None:
    for label, name in (("To be known first", first), ("Needed for", second)):
        field = page.get_by_label(label)
        field.click()
        field.fill(name)
        page.get_by_role("option", name=name, exact=True).click()
    page.get_by_role("button", name="Add", exact=True).click()


def batch(db: Any, traces: list[str], rater: Caller) -> str:
    made = Batch(name="Six aspects", form="aspects")
    db.add(made)
    db.flush()
    for place, trace_id in enumerate(traces):
        db.add(BatchItem(batch_id=made.batch_id, trace_id=trace_id, assigned_to=rater.person_id, position=place))
    return made.batch_id


def people(store: Store) -> tuple[dict[str, str], dict[str, Caller]]:
    staff: list[tuple[str, Role]] = [
        ("Ada Berg", "ta"),
        ("Bo Lind", "ta"),
        ("Leaver", "ta"),
        ("Ines Calloway", "teacher"),
        ("student", "student"),
        ("other student", "student"),
    ]
    keys, callers = {}, {}
    for name, role in staff:
        key = store.write(lambda db, name=name, role=role: make_key(db, role=role, name=name))  # type: ignore[misc]
        shown = read_key(key)
        assert shown is not None
        person_id = store.read(lambda db, shown=shown: db.get_one(ApiKey, shown.key_id).person_id)  # type: ignore[misc]
        keys[name], callers[name] = key, Caller(person_id, role, shown.key_id, name)
    return keys, callers


def build(data_dir: DataDir, folder: Path) -> None:
    """The small home of `course_rows`, with the tables of the graph by course."""
    nothing = {"course_id": "ds", "lang": "en", "aliases": [], "domains": [], "evidence": [], "votes": {}}
    concepts = [
        {
            **nothing,
            "concept_id": f"en:{name}",
            "name": name,
            "rank": rank,
            "score": 0.9,
            "definition": told,
            "definition_kind": "subtitle",
            "definition_locator": None,
            "definition_confidence": None,
            "mention_count": 3,
        }
        for rank, (name, told) in enumerate((("stack", rows.STACK), ("queue", rows.QUEUE), ("list", rows.LIST)), 1)
    ]
    pairs = [
        {
            "course_id": "ds",
            "prerequisite_id": "en:list",
            "concept_id": "en:stack",
            "prerequisite": "list",
            "concept": "stack",
            "probability": 0.9,
            "accepted": True,
            "rejected_because": None,
            "confidence": None,
            "votes": {},
            "evidence": [],
        }
    ]
    measured = {
        ("concepts", "coteach"): {"concepts": 3, "gold_concepts": 4, "precision": 2 / 3, "recall": 0.5},
        ("prerequisites", "coteach"): {"precision": 1.0, "recall": 2 / 3, "f1": 0.8, "labelled": 6, "covered": 5},
    }
    scores = [
        {"course_id": "ds", "of": of, "system": system, "measure": name, "value": float(value), "gold_digest": "0"}
        for (of, system), figures in measured.items()
        for name, value in figures.items()
    ]
    listed: list[tuple[Path, list[rows.Row], pa.Schema]] = [
        (data_dir.table("graph_scores", "ds"), scores, schemas.GRAPH_SCORES),
        (data_dir.graph_concepts, rows.CONCEPTS, schemas.GRAPH_CONCEPTS),
        (data_dir.graph_prerequisites, rows.PREREQUISITES, schemas.GRAPH_PREREQUISITES),
        (data_dir.graph_courses, COURSES, schemas.GRAPH_COURSES),
        (data_dir.table("cues", "ds"), rows.CUES, schemas.CUES),
        (data_dir.table("concepts", "ds"), concepts, schemas.CONCEPTS),
        (data_dir.table("prerequisites", "ds"), pairs, schemas.PREREQUISITES),
    ]
    for path, made, schema in listed:
        tables.write_table(path, made, schema)
    build_index(rows.tables(folder), data_dir.index)


def until(holds: Callable[[], bool], *, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError("It did not come about.")
        time.sleep(0.05)
