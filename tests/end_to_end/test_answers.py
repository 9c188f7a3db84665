"""Questions through the gateway with the `openai` client, answered from the sample courses with the real model."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from urllib.parse import parse_qs, urlparse

import openai
import pytest
from openai.types.chat import ChatCompletion
from running import COMPARISON, FAQ_QUESTION, GREETING, Gateway, Json, extension, text_of
from sqlalchemy import select

from knowledge_graph.lake.home import DataDir
from models.intent.classifier import IntentClassifier
from serving.assistant.generation.phrases import CHINESE
from serving.store.database import Store, sqlite_url
from serving.store.tables.conversation import TraceRow, TurnRow

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

AT_MOST_TOKENS = 64
"""Of what the model writes, which takes most of the time. What is put together is never cut."""


@dataclass(frozen=True)
class Asked:
    """A whole reply, and the trace that the store has of it."""

    reply: ChatCompletion
    trace: Json

    @property
    def said(self) -> Json:
        return extension(self.reply)

    @property
    def text(self) -> str:
        return self.reply.choices[0].message.content or ""


Ask = Callable[..., Asked]


@pytest.fixture(scope="module")
def ask(client: openai.OpenAI, home: DataDir) -> Ask:
    """Asks a question of a course, once for all tests here: nothing that they look at comes of asking again."""

    @cache
    def asked(question: str, course: str = "data-structures") -> Asked:
        reply = client.chat.completions.create(
            model=f"coteach:{course}",
            messages=[{"role": "user", "content": question}],
            max_tokens=AT_MOST_TOKENS if question in (COMPARISON, GREETING) else openai.omit,
        )
        return Asked(reply, last_trace(home))

    return asked


def annotated_urls(reply: ChatCompletion) -> list[str]:
    return [one.url_citation.url for one in reply.choices[0].message.annotations or []]


def cue_at(gateway: Gateway, url: str) -> Json:
    """The cue that a reference's address opens at: the last that has begun at its second."""
    second = int(parse_qs(urlparse(url).query)["t"][0])
    opened = gateway.get(url)
    assert opened.status_code == 200, url
    spoken = [cue for cue in opened.json()["rows"] if cue["start_ms"] // 1000 <= second <= cue["end_ms"] // 1000]
    assert spoken, f"{url} opens no cue at second {second}"
    return dict(spoken[-1])


def last_trace(home: DataDir) -> Json:
    """Of the newest answer in the store."""
    store = Store.open(sqlite_url(home.store))
    try:
        newest = select(TraceRow.record).join(TurnRow).order_by(TurnRow.asked_at.desc()).limit(1)
        return dict(store.read(lambda db: db.scalars(newest).one()))
    finally:
        store.close()


def test_a_question_of_the_faq_is_answered_word_for_word_with_its_reference(ask: Ask, gateway: Gateway) -> None:
    asked = ask(FAQ_QUESTION)
    assert asked.said["route"] == "direct"
    assert "Everything that is graded is due on a Sunday at 23:59 UTC." in asked.text
    faq = [one for one in asked.said["references"] if one["source"] == "faq"]
    assert faq[0]["origin_id"] == "deadlines"
    assert faq[0]["url"] in annotated_urls(asked.reply)
    assert gateway.get(faq[0]["url"]).json()["rows"][0]["question"] == FAQ_QUESTION


def test_a_comparison_is_taught_with_references_that_open_real_cues(ask: Ask, gateway: Gateway) -> None:
    asked = ask(COMPARISON)
    said = asked.said
    assert said["route"] == "teach"
    assert not said["degraded"] or re.search("of no use|not supported", asked.text)
    lectures = [one for one in said["references"] if one["locator"] and one["locator"]["video_id"]]
    assert lectures
    for reference in lectures:
        assert re.search(r"\d{2}:\d{2}", reference["label"])
        cue = cue_at(gateway, reference["url"])
        assert cue["video_id"] == reference["locator"]["video_id"]
        assert reference["url"] in annotated_urls(asked.reply)
    titles = " ".join(one["locator"]["video_title"] for one in lectures)
    assert "Balanced trees" in titles or "Hash tables" in titles


def test_a_greeting_is_chatted_with_without_references(ask: Ask) -> None:
    asked = ask(GREETING)
    assert asked.said["route"] == "chat"
    assert asked.text.strip()
    assert asked.said["references"] == []


def test_the_real_model_writes_the_chat_and_counts_its_tokens(ask: Ask) -> None:
    asked = ask(GREETING)
    assert not asked.said["degraded"]
    assert asked.reply.usage is not None
    assert asked.reply.usage.completion_tokens > 0
    assert asked.trace["model"] == "coteach-llm"


def test_a_stream_has_the_shape_of_a_whole_reply_and_ends_with_done(gateway: Gateway, ask: Ask) -> None:
    events = list(gateway.stream(FAQ_QUESTION, course="data-structures"))
    assert events.pop() == {"done": True}
    assert {event["object"] for event in events} == {"chat.completion.chunk"}
    assert len({event["id"] for event in events}) == 1
    assert events[0]["choices"][0]["delta"]["role"] == "assistant"
    assert [event["choices"][0]["finish_reason"] for event in events] == [None] * (len(events) - 1) + ["stop"]
    whole = ask(FAQ_QUESTION)
    assert "".join(map(text_of, events)) == whole.text
    assert events[-1]["coteach"]["references"] == whole.said["references"]
    assert set(events[-1]["coteach"]) == set(whole.said)


def test_a_generated_answer_comes_in_many_parts(client: openai.OpenAI) -> None:
    stream = client.chat.completions.create(
        model="coteach:data-structures",
        messages=[{"role": "user", "content": COMPARISON}],
        max_tokens=AT_MOST_TOKENS,
        stream=True,
    )
    parts = [chunk.choices[0].delta.content for chunk in stream if chunk.choices and chunk.choices[0].delta.content]
    assert len(parts) > 3


def test_every_course_is_a_model(client: openai.OpenAI) -> None:
    assert {one.id for one in client.models.list()} == {
        "coteach",
        "coteach:data-structures",
        "coteach:shujujiegou",
        "coteach:university-catalog",
    }


def test_a_question_about_a_class_is_answered_from_the_catalogue(ask: Ask, gateway: Gateway) -> None:
    said = ask("What is COMP 1100 about?", "university-catalog").said
    assert said["route"] == "direct"
    first = said["references"][0]
    assert (first["source"], first["label"]) == ("catalog", "Catalogue: COMP 1100 Foundations of Programming")
    rows = gateway.get(first["url"]).json()["rows"]
    assert any(row["code"] == "COMP 1100" and "tested in Python" in row["text"] for row in rows)


@pytest.mark.parametrize(
    ("question", "video"),
    [("栈和队列有什么区别？", "栈与队列"), ("什么是哈希表？", "哈希表")],
)
def test_a_chinese_question_is_answered_from_the_chinese_course(
    ask: Ask, gateway: Gateway, question: str, video: str
) -> None:
    asked = ask(question, "shujujiegou")
    references = asked.said["references"]
    assert {one["course_id"] for one in references} == {"shujujiegou"}
    lectures = [one for one in references if one["locator"] and one["locator"]["video_id"]]
    assert any(video in one["locator"]["video_title"] for one in lectures)
    assert all(cue_at(gateway, one["url"])["lang"] == "zh" for one in lectures)
    letters = [character for character in asked.text.split("http")[0] if character.isalpha()]
    assert sum("\u4e00" <= letter <= "\u9fff" for letter in letters) > 0.8 * len(letters)
    assert not re.search("[\ufffd\u0080-\u009f]|[ÃÂäåæçè]", asked.text)


def test_a_comparison_in_chinese_says_that_the_model_did_not_write_it(ask: Ask) -> None:
    said = ask("栈和队列有什么区别？", "shujujiegou").said
    assert said["route"] == "teach"
    assert said["notice"] == CHINESE.not_in_language


def test_the_gateway_asks_the_trained_albert(ask: Ask, gateway: Gateway, home: DataDir) -> None:
    assert gateway.health()["intent_model"] is True
    albert = IntentClassifier.open(home.intent)
    course = "Data Structures and Algorithms"
    for question, is_chat in ((GREETING, True), (COMPARISON, False), (FAQ_QUESTION, False)):
        traced = ask(question).trace
        assert traced["question"] == question
        assert traced["h"] == pytest.approx(albert.classify(question, course=course).h, abs=1e-6)
        assert traced["alpha"] == albert.alpha_for(traced["question"])
        assert (traced["h"] > traced["alpha"]) is is_chat


@pytest.mark.parametrize("question", ["你好，今天过得怎么样？", "Thank you so much, bye!"])
def test_albert_calls_small_talk_chat_in_both_languages(home: DataDir, question: str) -> None:
    albert = IntentClassifier.open(home.intent)
    assert albert.classify(question).h > albert.alpha_for(question)


@pytest.mark.parametrize("question", ["哈希表为什么查找这么快？", "What is the worst case of quicksort?"])
def test_albert_calls_a_question_a_question_in_both_languages(home: DataDir, question: str) -> None:
    albert = IntentClassifier.open(home.intent)
    assert albert.classify(question).h < albert.alpha_for(question)
