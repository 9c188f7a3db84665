"""The chat page in a browser, as a student uses it."""

import re
import shutil
from pathlib import Path
from typing import Literal

import course_rows as rows
import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect
from served import Served, serving
from sqlalchemy import select
from stand_in import StandIn
from visitors import Visitors

from serving.desk.decisions import approve
from serving.pages import markdown
from serving.store.caller import Caller
from serving.store.tables.base import Base
from serving.store.tables.conversation import ChatSession, Feedback, TurnRow
from serving.store.tables.review import TaQuestion

pytestmark = pytest.mark.slow

STYLE = Path(markdown.__file__).with_name("static") / "style.css"
DIFFERENCE = "What is the difference between a stack and a queue?"
DEADLINE = "When is the deadline of homework 3?"
UNKNOWN = "Who won the football match yesterday?"


def ask(page: Page, question: str) -> Locator:
    """Ask as a person does; the turn, once its answer is there."""
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    turn = page.locator(".turn").filter(has_text=question).last
    expect(turn.locator(".tools")).to_be_visible()
    expect(page.locator("body:not(.is-writing)")).to_have_count(1)
    return turn


def open_course(page: Page, course: str = "ds") -> None:
    page.goto(f"/?course={course}")
    expect(page.locator("#ask")).to_be_visible()


def newest(gateway: Served, table: type[Base]) -> list[Base]:
    return gateway.store.read(lambda db: list(db.scalars(select(table))))


def turn_of(gateway: Served, question: str) -> TurnRow:
    found = select(TurnRow).where(TurnRow.question == question).order_by(TurnRow.asked_at.desc())
    return gateway.store.read(lambda db: db.scalars(found).first()) or pytest.fail(f"Not stored: {question}")


def test_an_answer_is_written_before_ones_eyes_and_cites_cards(page: Page, model: StandIn) -> None:
    open_course(page)
    turn = ask(page, DIFFERENCE)
    expect(turn.locator(".prose").first).to_contain_text("is last in, first out")
    expect(turn.locator(".label.ai")).to_have_text("Written by AI from the course material")
    mark = turn.locator("a.cite").first
    card = page.locator(f"[id='{(mark.get_attribute('href') or '')[1:]}']")
    expect(card).to_contain_text("Stacks and queues @ 03:12")
    mark.click()
    expect(card).to_be_focused()


def test_what_a_model_writes_is_labelled_from_its_first_word(page: Page, model: StandIn) -> None:
    model.words = tuple(f"A stack is last in, first out [1], said for the {number}th time. " for number in range(40))
    open_course(page)
    page.evaluate(
        """() => {
          window.states = [];
          new MutationObserver(() => {
            const turn = document.querySelector(".turn.writing");
            const said = turn?.querySelector(".prose")?.innerText;
            if (said) window.states.push([said.length, turn.querySelector(".label.ai")?.innerText ?? ""]);
          }).observe(document.body, { childList: true, subtree: true, characterData: true });
        }"""
    )
    whole = len(ask(page, DIFFERENCE).locator(".prose").first.inner_text())
    states = page.evaluate("window.states")
    assert any(length < whole / 2 for length, _ in states), "It came in one piece."
    assert {label.strip() for _, label in states} == {"Written by AI"}


def test_a_card_opens_the_lecture_at_its_second_beside_the_conversation(page: Page) -> None:
    open_course(page)
    ask(page, "What is a stack?").locator("a.ref").first.click()
    panel = page.locator("#panel")
    expect(panel).to_be_visible()
    expect(page.frame_locator("#panel-frame").locator("body")).to_contain_text("a stack is")
    assert "t=192" in (page.locator("#panel-frame").get_attribute("src") or "")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.locator(".turn a.ref").first).to_be_focused()


def test_a_long_answer_is_read_from_its_beginning_and_shifts_nothing(visitor: Visitors, model: StandIn) -> None:
    """Whatever comes below, the question stays in sight; what stood there moves nowhere by itself."""
    model.words = tuple(f"A stack is last in, first out [1], said for the {number}th time.\n\n" for number in range(40))
    page = visitor.comes(viewport={"width": 390, "height": 844})
    open_course(page)
    page.evaluate(
        """() => {
          window.shifts = [];
          new PerformanceObserver((list) => window.shifts.push(...list.getEntries()
            .filter((one) => !one.hadRecentInput).map((one) => one.value))).observe({ type: "layout-shift" });
        }"""
    )
    for _ in range(2):
        turn = ask(page, DIFFERENCE)
        assert turn.evaluate("turn => turn.offsetHeight > innerHeight")
        expect(turn.locator(".question")).to_be_in_viewport()
    assert page.evaluate("window.shifts.reduce((sum, one) => sum + one, 0)") < 0.1


def test_a_further_quote_shows_its_first_lines_until_one_reads_on(page: Page) -> None:
    first, further = (f"Passage {number} {'goes on ' * 200}[{number}]" for number in (1, 2))
    html = markdown.render_markdown(f"{first}\n\n{further}", cards={1: "a", 2: "b"}, read_on="Read on")
    page.set_content(f"<style>{STYLE.read_text(encoding='utf-8')}</style><div class='prose'>{html}</div>")
    said, mark = page.get_by_text("Passage 2"), page.get_by_role("link", name="2")
    short = said.bounding_box()
    expect(mark).to_have_count(1)
    page.get_by_label("Read on").check()
    whole = said.bounding_box()
    assert short is not None
    assert whole is not None
    assert whole["height"] > 1.5 * short["height"]
    expect(mark).to_have_count(1)


def test_a_reviewed_answer_names_its_reviewer(page: Page) -> None:
    open_course(page)
    turn = ask(page, DEADLINE)
    expect(turn.locator(".label")).to_have_text("From the FAQ, reviewed by Ada")
    expect(turn.locator(".prose").first).to_have_text("Sunday at 23:59.")


def test_a_thumb_with_its_reason_is_stored_and_may_be_changed(page: Page, gateway: Served) -> None:
    open_course(page)
    turn = ask(page, "What is a queue?")
    turn.get_by_role("button", name="Not helpful").click()
    turn.get_by_text("Needs more explanation").click()
    turn.get_by_role("textbox", name="Anything else").fill("An example, please.")
    turn.get_by_role("button", name="Send", exact=True).click()
    expect(turn.get_by_role("status")).to_contain_text("A teaching assistant will look")
    trace_id = turn_of(gateway, "What is a queue?").trace_id
    expected = (-1, ["needs_more_explanation"], "An example, please.")
    page.wait_for_timeout(300)
    found = {one.trace_id: (one.thumb, one.reasons, one.comment) for one in newest(gateway, Feedback)}  # type: ignore[attr-defined]
    assert found[trace_id] == expected
    turn.get_by_role("button", name="Helpful", exact=True).click()
    expect(turn.get_by_role("status")).to_contain_text("Thank you. It is noted.")
    page.reload()
    expect(page.get_by_role("button", name="Helpful", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Helpful", exact=True).click()
    expect(page.locator(".told")).to_have_text("Taken back.")
    assert trace_id not in {one.trace_id for one in newest(gateway, Feedback)}  # type: ignore[attr-defined]


def test_a_ta_is_asked_and_the_answer_appears_in_the_conversation(page: Page, gateway: Served) -> None:
    open_course(page)
    turn = ask(page, UNKNOWN)
    turn.get_by_role("button", name="Ask a TA").click()
    turn.get_by_label("What should they know?").fill("It was in the lecture.")
    turn.get_by_role("button", name="Send to the TAs").click()
    expect(turn.locator(".desk")).to_contain_text("Sent to the teaching assistants")
    queued = [one for one in newest(gateway, TaQuestion) if isinstance(one, TaQuestion) and one.question == UNKNOWN]
    assert [(one.reason, one.note) for one in queued] == [("asked", "It was in the lecture.")]
    ada = Caller(person_id="ada", role="ta", key_id="k", name="Ada")
    answer = "Nobody did: it was *cancelled*."
    gateway.store.write(
        lambda db: approve(db, queued[0].question_id, question=UNKNOWN, answer=answer, rests=(), by=ada)
    )
    page.goto("/")
    page.locator(".news a").click()
    expect(page.locator(".desk")).to_contain_text("Answered by Ada")
    expect(page.locator(".desk em")).to_have_text("cancelled")
    corrected, by = page.locator(".turn .answer").bounding_box(), page.locator(".turn .desk").bounding_box()
    assert corrected is not None
    assert by is not None
    assert by["y"] + by["height"] <= corrected["y"], "what a TA says stands above what it corrects"
    page.goto("/")
    expect(page.locator("#ask")).to_be_visible()
    expect(page.locator(".news")).to_have_count(0)


def test_a_choice_asks_the_question_on_it(page: Page) -> None:
    open_course(page)
    ask(page, DIFFERENCE)
    turn = ask(page, "When is it used?")
    expect(turn.get_by_text("Did you mean")).to_be_visible()
    choice = turn.locator(".choice").first
    meant = choice.inner_text()
    choice.click()
    expect(page.locator(".turn").last.locator(".question")).to_have_text(meant)
    expect(page.locator(".turn").last.locator(".tools")).to_be_visible()


def test_an_answer_can_be_stopped_and_asked_for_again(page: Page, model: StandIn, gateway: Served) -> None:
    model.behaviour = "stalls"
    open_course(page)
    page.get_by_label("Your question").fill(DIFFERENCE)
    page.keyboard.press("Enter")
    expect(page.locator(".turn.writing .prose")).to_contain_text("A stack")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn")).to_contain_text("You stopped this answer.")
    page.wait_for_timeout(500)
    assert turn_of(gateway, DIFFERENCE).outcome == "stopped"
    model.behaviour = "answers"
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.locator(".turn").last.locator(".prose").first).to_contain_text("first out")
    expect(page.locator("nav li")).to_have_count(1)  # both are in the session that the stopped one began


def test_what_is_asked_on_the_page_is_in_the_metrics(page: Page, gateway: Served) -> None:
    def asked() -> float:
        told = httpx.get(f"{gateway.url}/metrics", timeout=10).text
        return sum(float(one.split()[-1]) for one in told.splitlines() if one.startswith("coteach_questions_total{"))

    before = asked()
    open_course(page)
    ask(page, "What is a stack?")
    assert asked() == before + 1


def test_too_many_questions_are_refused_in_words_and_the_text_is_given_back(
    small: Path, tmp_path: Path, browser: Browser
) -> None:
    home = tmp_path / "home"
    shutil.copytree(small, home, ignore=shutil.ignore_patterns("store*"))
    with serving(home, settings={"requests_per_minute": "1"}) as one:
        visitors = Visitors(browser, one.url)
        page = visitors.comes()
        open_course(page)
        ask(page, "What is a stack?")
        page.get_by_label("Your question").fill("What is a queue?")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("too many questions at once")
        expect(page.get_by_label("Your question")).to_have_value("What is a queue?")
        visitors.leave()


def test_without_a_model_the_answer_says_that_it_was_put_together_from_the_material(page: Page, model: StandIn) -> None:
    model.behaviour = "breaks"
    open_course(page)
    turn = ask(page, DIFFERENCE)
    expect(turn.locator(".label.material")).to_have_text("Put together from the course material")
    expect(turn.locator(".prose")).to_contain_text("The model server did not answer")


def test_what_a_student_or_a_model_writes_does_nothing_but_stand_there(page: Page, model: StandIn) -> None:
    bad = "<img src=x onerror=\"document.title='owned'\"> <script>document.title='owned'</script> stack or queue?"
    model.words = ("A stack [1] ", "<img src=x onerror=document.title='owned'>", "[click](javascript:alert(1))")
    open_course(page)
    turn = ask(page, bad)
    expect(turn.locator(".question")).to_have_text(bad)
    ask(page, DIFFERENCE)
    page.reload()
    expect(page.locator(".question").first).to_have_text(bad)
    assert page.locator(".thread img, .thread script, .thread iframe, .thread a[href^=javascript]").count() == 0
    assert "owned" not in page.title()


def test_formulas_and_code_are_drawn(page: Page, model: StandIn) -> None:
    model.words = ("A stack pops in $O(1)$ [1].\n\n", "```python\nstack", ".pop()\n```\n")
    open_course(page)
    turn = ask(page, DIFFERENCE)
    expect(turn.locator("math").first).to_be_visible()
    expect(turn.locator("pre code").first).to_contain_text("stack.pop()")


def test_the_interface_is_chinese_for_who_wants_it(visitor: Visitors) -> None:
    page = visitor.comes(locale="zh-CN")
    page.goto("/?course=sjjg")
    expect(page.get_by_label("你的问题")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    page.get_by_label("你的问题").fill("栈是什么？")
    page.keyboard.press("Enter")
    expect(page.locator(".turn .label")).to_have_text("来自课程")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_label("Your question")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Your question")).to_be_visible()


def test_everything_can_be_done_with_the_keyboard(page: Page) -> None:
    open_course(page)
    page.locator("h1").click()
    page.keyboard.press("/")
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.type("What is")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("a stack?")
    assert page.get_by_label("Your question").input_value() == "What is\na stack?"
    page.keyboard.press("Enter")
    expect(page.locator(".turn .tools")).to_be_visible()
    page.get_by_role("button", name="Helpful", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".form[data-value='1'] input").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".form[data-value='1']")).to_be_hidden()
    expect(page.locator("#spoken")).to_contain_text(rows.STACK)


def test_what_was_typed_outlives_a_reload_and_a_lost_connection(page: Page) -> None:
    open_course(page)
    page.get_by_label("Your question").fill("A long thought about stacks")
    page.reload()
    expect(page.get_by_label("Your question")).to_have_value("A long thought about stacks")
    page.context.set_offline(True)
    page.get_by_label("Your question").press("Enter")
    expect(page.locator("#told")).to_contain_text("no connection")
    expect(page.get_by_label("Your question")).to_have_value("A long thought about stacks")
    page.context.set_offline(False)


def test_a_question_sent_before_the_connection_stands_is_answered_once_it_does(page: Page) -> None:
    waiting: list[WebSocketRoute] = []
    page.route_web_socket("**/socket.io/**", lambda route: waiting.append(route))
    open_course(page)
    page.get_by_label("Your question").fill("What is a stack?")
    page.keyboard.press("Enter")
    expect(page.locator("body.is-writing")).to_have_count(1)
    expect(page.locator("#told")).to_be_empty()
    for one in waiting:
        one.connect_to_server()
    expect(page.locator(".turn .prose").first).to_contain_text(rows.STACK)


def test_a_lost_connection_is_said_and_the_question_kept(page: Page) -> None:
    open_sockets: list[WebSocketRoute] = []

    def pass_once(route: WebSocketRoute) -> None:
        route.connect_to_server()
        if open_sockets:
            route.close()
        open_sockets.append(route)

    page.route_web_socket("**/socket.io/**", pass_once)
    page.route("**/socket.io/**", lambda route: route.abort())
    open_course(page)
    ask(page, "What is a stack?")
    open_sockets[0].close()
    expect(page.locator("#popup")).to_have_attribute("aria-hidden", "false")
    page.get_by_label("Your question").fill("And what is a queue?")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("no connection")
    expect(page.get_by_label("Your question")).to_have_value("And what is a queue?")


def test_ones_conversations_are_listed_opened_and_deleted(page: Page, gateway: Served) -> None:
    open_course(page)
    ask(page, "What is a stack?")
    expect(page).to_have_url(re.compile(r"session=[0-9a-f]{32}$"))
    address = page.url
    page.locator(".side [data-new]").click()
    expect(page.locator(".empty")).to_be_visible()
    page.locator(".side li a").first.click()
    expect(page.locator(".turn .question")).to_have_text("What is a stack?")
    page.locator(".side li").first.hover()
    page.get_by_role("button", name="Delete “What is a stack?”").click()
    page.locator("#forget [data-forget-now]").click()
    expect(page.locator(".empty")).to_be_visible()
    session_id = address.partition("session=")[2]
    assert session_id not in {one.session_id for one in newest(gateway, ChatSession)}  # type: ignore[attr-defined]


def test_another_students_conversation_and_reasons_are_not_there(visitor: Visitors, gateway: Served) -> None:
    mine, other = visitor.comes(), visitor.comes()
    open_course(mine)
    turn = ask(mine, "What is a list?")
    why = turn.get_by_role("link", name="Why this answer").get_attribute("href") or ""
    assert (mine.request.get(f"{gateway.url}{why}").status, other.request.get(f"{gateway.url}{why}").status) == (
        200,
        404,
    )
    other.goto(mine.url)
    expect(other.get_by_role("alert").first).to_contain_text("not there any more")
    expect(other.locator(".turn")).to_have_count(0)


def test_why_shows_how_an_answer_came_about(page: Page) -> None:
    open_course(page)
    turn = ask(page, DIFFERENCE)
    turn.get_by_role("link", name="Why this answer").click()
    body = page.frame_locator("#panel-frame").locator("main")
    expect(body).to_contain_text("Chain of Teach")
    expect(body.locator(".names")).to_contain_text("stack")
    expect(body).to_contain_text("What was found")


def test_examples_are_questions_of_the_faq_and_ask_themselves(page: Page) -> None:
    open_course(page)
    page.get_by_role("button", name=DEADLINE).click()
    expect(page.locator(".turn .question")).to_have_text(DEADLINE)


@pytest.mark.parametrize(("theme", "widths"), [("light", (360, 1280)), ("dark", (1280, 360))])
def test_nothing_is_wider_than_the_window(
    visitor: Visitors, theme: Literal["light", "dark"], widths: tuple[int, int]
) -> None:
    """Opened at one width, and then looked at at the other."""
    page = visitor.comes(color_scheme=theme, viewport={"width": widths[0], "height": 780})
    open_course(page)
    ask(page, DIFFERENCE)
    for width in widths:
        page.set_viewport_size({"width": width, "height": 780})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("html").get_attribute("data-theme") == theme


def test_a_page_for_tas_sends_a_student_to_the_login_and_a_key_opens_it(visitor: Visitors, gateway: Served) -> None:
    page = visitor.comes()
    page.goto("/queue")
    expect(page).to_have_url(re.compile(r"/login\?next=%2Fqueue"))
    page.get_by_label("Key", exact=True).fill("ct-wrong-key")
    page.locator("form[action='/login'] button.primary").click()
    expect(page.get_by_role("alert")).to_contain_text("not known here")
    page.get_by_label("Key", exact=True).fill(gateway.key("ta", "Ada"))
    page.locator("form[action='/login'] button.primary").click()
    expect(page).to_have_url(f"{gateway.url}/queue")
    expect(page.get_by_role("link", name="Questions").first).to_have_attribute("aria-current", "page")


def test_nothing_is_written_outside_the_home(page: Page, gateway: Served) -> None:
    open_course(page)
    assert not Path(".nicegui").exists()
