"""The pages of one's own data, of quizzes and of what the model cost, in a real browser, at both sizes and in both
colours. The gateway has a mail server, which no test needs."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from accessible import look_at
from playwright.sync_api import expect
from served import Served, serving
from sqlalchemy import select
from stand_in import StandIn
from visitors import Visitors

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.gateway.quiz.items import definition_id
from serving.store.quiz_cards import review
from serving.store.spending import TokensSpent, add_spent
from serving.store.tables.base import now
from serving.store.tables.conversation import TurnRow
from serving.store.tables.identity import AuditRow
from serving.store.tables.notification import Subscription
from serving.store.tables.study import QuizCard

pytestmark = pytest.mark.slow

CHOICES = [
    {"id": "1", "question": "What is last in, first out?", "options": {"A": "A stack", "B": "A map"}, "answer": "A"},
    {"id": "2", "question": "What is first in, first out?", "options": {"A": "A heap", "B": "A queue"}, "answer": "B"},
]


@pytest.fixture(scope="module")
def gateway(small: Path, shared_model: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The gateway with a mail server and a course that has questions of its own."""
    course = tmp_path_factory.mktemp("courses") / "ds"
    (course / "gold").mkdir(parents=True)
    (course / "course.yaml").write_text("title: Data structures\nlang: en\n")
    (course / "gold" / "choices.jsonl").write_text("\n".join(json.dumps(one) for one in CHOICES))
    settings = {"courses": str(course.parent), "smtp_host": "127.0.0.1", "smtp_port": "9"}
    with serving(small, shared_model.url, settings) as one:
        yield one


def ask(page: object, question: str) -> None:
    page.get_by_role("textbox").fill(question)  # type: ignore[attr-defined]
    page.keyboard.press("Enter")  # type: ignore[attr-defined]
    expect(page.locator(".turn .tools button").first).to_be_visible()  # type: ignore[attr-defined]


def test_a_student_sees_saves_and_deletes_what_is_kept_of_them(visitor: Visitors, gateway: Served) -> None:
    page = visitor.comes()
    page.goto("/?course=ds")
    ask(page, "What is a stack, said giraffe?")
    page.get_by_role("link", name="My data").click()
    expect(page.get_by_role("heading", name="My data")).to_be_visible()
    expect(page.get_by_text("Questions with their answers: 1")).to_be_visible()
    look_at(page, "own-data")
    with page.expect_download() as saving:
        page.get_by_role("link", name="Save everything as a file").click()
    assert saving.value.suggested_filename == "my-data.json"
    assert "giraffe" in saving.value.path().read_text()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("Questions with their answers: 1")).to_be_visible()  # the box was not ticked
    page.get_by_label("Yes, delete all of it").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Everything was deleted.")).to_be_visible()
    expect(page.get_by_text("Nothing yet.")).to_be_visible()
    left = gateway.store.read(lambda db: [row.question for row in db.scalars(select(TurnRow))])
    assert [one for one in left if "giraffe" in one] == []


def test_a_teacher_sees_what_the_model_cost_and_switches_a_course_off_for_students_to_read(
    visitor: Visitors, gateway: Served
) -> None:
    day = now().date()
    spent = [TokensSpent(day, "nobody", "ds", "", 9_120_000, 3_400, questions=500)]
    spent.append(TokensSpent(day, "nobody", "", "", 50, 60))
    gateway.store.write(lambda db: add_spent(db, spent))
    page = visitor.comes(key=gateway.key("teacher", "Ines"))
    page.goto("/insights")
    expect(page.get_by_role("link", name="Tokens and cost")).to_have_attribute("href", "/spending")
    page.goto("/spending")
    expect(page.get_by_text("9,12").first).to_be_visible()
    look_at(page, "spending")
    page.set_viewport_size({"width": 1280, "height": 860})
    card = page.locator(".record").filter(has_text="Data structures")
    card.get_by_text("Change", exact=True).click()
    look_at(page, "spending-form")
    card.get_by_label("How it is answered").select_option("assistant_off")
    card.get_by_label("What students read").fill("Exam week: ask in the <b>forum</b>.")
    card.get_by_label("Why").fill("The midterm.")
    card.get_by_role("button", name="Apply").click()
    expect(page.locator(".record").filter(has_text="Data structures")).to_contain_text("assistant off")
    student = visitor.comes()
    student.goto("/?course=ds")
    expect(student.locator(".talk .warn")).to_have_text("Exam week: ask in the <b>forum</b>.")
    look_at(student, "chat-off")
    student.get_by_role("textbox").fill("What is a stack?")
    student.keyboard.press("Enter")
    expect(student.get_by_role("alert").filter(has_text="Exam week: ask in the <b>forum</b>.")).to_be_visible()
    page.goto("/spending?course=ds")
    page.get_by_text("Change", exact=True).click()
    page.get_by_label("How it is answered").select_option("on")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".chip", has_text="on").first).to_be_visible()
    acts = gateway.store.read(lambda db: list(db.scalars(select(AuditRow).where(AuditRow.act == "course.switch"))))
    done = [(row.by, row.details["to"]) for row in sorted(acts, key=lambda row: row.at)]
    assert [to for _, to in done] == ["assistant_off", "on"]
    assert all(by.startswith("Ines (") for by, _ in done)
    page.get_by_text("Change", exact=True).click()
    page.get_by_label("Questions per day").fill("500")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("td", has_text="reached")).to_be_visible()
    look_at(page, "spending-cap")
    student.goto("/?course=ds")
    expect(student.locator(".talk .warn")).to_have_count(0)
    student.get_by_role("textbox").fill("What is a stack?")
    student.keyboard.press("Enter")
    told = (
        "No more questions can be asked of this course today. The next day begins at midnight UTC; your text is kept."
    )
    expect(student.get_by_role("alert").filter(has_text=told)).to_be_visible()
    expect(student.get_by_role("textbox")).to_have_value("What is a stack?")
    page.get_by_text("Change", exact=True).click()
    page.get_by_label("Questions per day").fill("0")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("td", has_text="reached")).to_have_count(0)


def test_a_student_chooses_in_the_page_what_to_be_told_and_takes_it_back(visitor: Visitors, gateway: Served) -> None:
    page = visitor.comes()
    page.goto("/me")
    page.get_by_label("when a teaching assistant answered my question").check()
    expect(page.get_by_label("once a day, what waits in the queue")).to_have_count(0)  # that is for TAs
    page.get_by_label("E-mail address").fill("ming@example.edu")
    page.get_by_role("button", name="Keep this").click()
    expect(page.get_by_text("It is kept.")).to_be_visible()
    expect(page.get_by_text("Not confirmed yet.")).to_be_visible()
    look_at(page, "notices")
    (held,) = gateway.store.read(lambda db: list(db.scalars(select(Subscription))))
    assert (held.email, held.events, held.confirmed_at) == ("ming@example.edu", ["answered"], None)
    page.get_by_label("E-mail address").fill("")
    page.get_by_role("button", name="Keep this").click()
    expect(page.get_by_text("You get one mail to confirm it.")).to_be_visible()
    assert gateway.store.read(lambda db: list(db.scalars(select(Subscription)))) == []


def test_a_quiz_is_taken_beside_the_conversation_by_keyboard_and_remembered_by_wish(
    visitor: Visitors, gateway: Served
) -> None:
    page = visitor.comes()
    page.goto("/?course=ds")
    page.get_by_role("link", name="Quiz me").press("Enter")
    quiz = page.frame_locator("#panel-frame")
    expect(quiz.get_by_text("What is last in, first out?")).to_be_visible()
    quiz.get_by_label("A map").focus()
    page.keyboard.press("Space")
    quiz.get_by_role("button", name="Answer", exact=True).press("Enter")
    expect(quiz.get_by_role("status")).to_have_text("Not that one. Right is: A stack")
    quiz.get_by_role("link", name="Next question").press("Enter")
    expect(quiz.get_by_text("What is first in, first out?")).to_be_visible()
    assert gateway.store.read(lambda db: list(db.scalars(select(QuizCard)))) == []
    quiz.get_by_role("button", name="Remember my answers").click()
    expect(quiz.get_by_role("button", name="Forget them all")).to_be_visible()
    quiz.get_by_label("A stack").check()
    quiz.get_by_role("button", name="Answer", exact=True).click()
    expect(quiz.get_by_text("You are asked this again on")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/quiz/ds")
    look_at(page, "quiz")
    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="Answer", exact=True).click()
    expect(page.get_by_role("status")).to_be_visible()
    look_at(page, "quiz-told")
    item = definition_id("ds", ConceptGraph.load(gateway.data_dir).concept("en:list"))
    person_id = gateway.store.read(lambda db: db.scalars(select(QuizCard.person_id)).first()) or ""
    for _ in range(2):
        gateway.store.write(lambda db: review(db, person_id, "ds", item, is_right=True))
    page.goto("/me")
    expect(page.get_by_text("What is remembered of your quizzes")).to_be_visible()
    expect(page.get_by_role("heading", name="Concepts you know")).to_be_visible()
    look_at(page, "memory")
    page.get_by_role("button", name="Forget that I know “list”").press("Enter")
    expect(page.get_by_role("heading", name="Concepts you know")).to_have_count(0)
    page.get_by_role("button", name="Forget all of it").click()
    expect(page.get_by_text("What is remembered of your quizzes")).to_have_count(0)
    assert gateway.store.read(lambda db: list(db.scalars(select(QuizCard)))) == []


def test_the_pages_are_said_in_chinese(visitor: Visitors, gateway: Served) -> None:
    page = visitor.comes(key=gateway.key("ta", "Lin"), locale="zh-CN")
    page.goto("/me")
    expect(page.get_by_role("heading", name="我的数据")).to_be_visible()
    page.goto("/spending")
    expect(page.get_by_role("heading", name="用量与费用")).to_be_visible()
    expect(page.get_by_text("更改")).to_have_count(0)  # a TA looks, and changes nothing
    page.goto("/quiz/ds")
    expect(page.get_by_role("heading", name="测一测")).to_be_visible()
    expect(page.get_by_role("button", name="提交")).to_be_visible()
