"""A model for each language: each with servers, an exam and limits of its own, and none in the place of another."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import exam_rows
import pytest
from admissions import admitted
from gateways import Gateway, running
from pydantic import ValidationError
from stand_in import StandIn, stand_in

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import EXAM_QUESTIONS
from knowledge_graph.lake.tables import write_table
from serving.exam.items import exam_items
from serving.gateway.model_exam import ModelExam
from serving.gateway.spending import WITHOUT_MODEL
from serving.llm.model_client import open_models
from serving.llm.per_language import PerLanguage, settings_per_language
from serving.llm.replicas import Replicas
from serving.settings import Settings

ENGLISH = ("A stack ", "is last in, ", "first out [1]. ", "A queue is first in, first out [2].")
CHINESE = ("栈是只允许在一端插入", "和删除的线性表[1]。", "线性表是元素的有限序列[2]。")
IN_ENGLISH = {
    "model": "coteach:ds",
    "messages": [{"role": "user", "content": "What is the difference between a stack and a queue?"}],
}
IN_CHINESE = {"model": "coteach:sjjg", "messages": [{"role": "user", "content": "栈和线性表有什么区别？"}]}


async def never(*args: Any) -> None:
    """No exam is held."""


@pytest.fixture
def no_exam(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ModelExam, "follow", never)


@asynccontextmanager
async def two_models(home: Path, **settings: Any) -> AsyncIterator[tuple[Gateway, StandIn, StandIn]]:
    """A gateway with a model for Chinese beside the one for all else."""
    async with stand_in(words=ENGLISH) as english, stand_in(words=CHINESE) as chinese:
        english.name, chinese.name = "speaks-english", "speaks-chinese"
        named: dict[str, Any] = {"llm_url": english.url, "llm_url_zh": chinese.url, "requests_per_minute": 0}
        async with running(Settings(home=home, **(named | settings)), client=("127.0.0.1", 1)) as gateway:
            yield gateway, english, chinese


async def asked(gateway: Gateway, question: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The text of an answer, and its trace."""
    reply = (await gateway.client.post("/v1/chat/completions", json=question)).json()
    trace = await gateway.client.get(
        f"/v1/traces/{reply['coteach']['trace_id']}", headers={"Authorization": f"Bearer {gateway.key('ta')}"}
    )
    return reply["choices"][0]["message"]["content"], trace.json()["trace"]


def streamed(model: StandIn) -> int:
    """How many answers it was asked to write."""
    return sum(bool(one.get("stream")) for one in model.asked)


@pytest.mark.parametrize("mode", ["always", "exam"])
@pytest.mark.usefixtures("no_exam")
def test_each_language_is_written_by_its_own_model_and_the_trace_names_it(home: Path, mode: str) -> None:
    async def run() -> tuple[Any, ...]:
        async with two_models(home, model_admission=mode, graders=("none",)) as (gateway, english, chinese):
            exams = gateway.app.state.service.exams
            exams.others.current = admitted("comparison")
            exams.own["zh"].current = admitted("comparison", lang="zh")
            found = [await asked(gateway, one) for one in (IN_ENGLISH, IN_CHINESE)]
            return *found, streamed(english), streamed(chinese)

    (_, first), (second_text, second), english, chinese = asyncio.run(run())
    assert (first["model"], second["model"]) == ("speaks-english", "speaks-chinese")
    assert (english, chinese) == (1, 1)
    assert "只允许在一端" in second_text


@pytest.mark.usefixtures("no_exam")
def test_an_admission_in_a_language_is_that_of_the_model_that_writes_in_it(home: Path) -> None:
    """The model of all other languages was once admitted in Chinese, and so was the Chinese one in English."""

    async def run() -> list[Any]:
        async with two_models(home, model_admission="exam") as (gateway, english, chinese):
            exams = gateway.app.state.service.exams
            exams.others.current = admitted("comparison", lang="zh")
            exams.own["zh"].current = admitted("comparison")
            traces = [(await asked(gateway, one))[1] for one in (IN_ENGLISH, IN_CHINESE)]
            assert "coteach_model_admitted" in (await gateway.client.get("/metrics")).text
            return [*[one["model"] for one in traces], streamed(english), streamed(chinese)]

    assert asyncio.run(run()) == [None, None, 0, 0]


@pytest.mark.parametrize("mode", ["always", "exam"])
@pytest.mark.usefixtures("no_exam")
def test_where_a_languages_servers_are_away_the_material_answers_and_no_other_model(home: Path, mode: str) -> None:
    async def run() -> tuple[Any, ...]:
        async with two_models(home, model_admission=mode, llm_url_zh="http://127.0.0.1:1/v1", kept_answers=0) as (
            gateway,
            english,
            _,
        ):
            exams = gateway.app.state.service.exams
            exams.others.current = admitted("comparison")
            exams.own["zh"].current = admitted("comparison", lang="zh")
            text, trace = await asked(gateway, IN_CHINESE)
            before = streamed(english)
            _, other = await asked(gateway, IN_ENGLISH)
            health = (await gateway.client.get("/healthz")).json()
            ready = (await gateway.client.get("/readyz")).json()
            metrics = (await gateway.client.get("/metrics")).text
            return text, trace, before, other, health, ready, metrics

    text, trace, before, other, health, ready, metrics = asyncio.run(run())
    assert "线性表" in text
    assert (trace["model"], before, other["model"]) == (None, 0, "speaks-english")
    assert trace["error"] == ("LlmUnavailable" if mode == "always" else None), "as where the only model is away"
    assert (health["status"], health["model_server"]["alive"]) == ("degraded", True)
    assert health["own_model_servers"] == {"zh": {"url": None, "alive": False}}
    named = {one["name"]: one for one in ready["missing"]}
    assert (ready["status"], "COTEACH_LLM_URL_ZH" in named["model server of zh"]["remedy"]) == ("ready", True)
    assert "model server" not in named
    assert "coteach_model_server_up 0.0" in metrics
    assert "coteach_model_servers_working 1.0" in metrics


@pytest.mark.usefixtures("no_exam")
def test_a_model_for_chinese_alone_leaves_english_to_the_material(home: Path) -> None:
    async def run() -> tuple[Any, ...]:
        async with two_models(home, model_admission="always", graders=("none",), llm_url=None) as (gateway, _, chinese):
            traces = [(await asked(gateway, one))[1] for one in (IN_ENGLISH, IN_CHINESE)]
            return traces[0]["model"], traces[1]["model"], streamed(chinese)

    assert asyncio.run(run()) == (None, "speaks-chinese", 1)


def test_each_model_is_examined_in_its_own_languages_and_in_no_other(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serving.exam.tracking.log_exam", lambda found, data_dir: None)
    items = [replace(item, course_id="ds") for item in exam_items(exam_rows.material())]
    chinese = [replace(item, item_id=f"zh {item.item_id}", lang="zh", course_id="sjjg") for item in items]
    write_table(
        DataDir(home).table("exam_questions", "ds"), [asdict(item) for item in (*items, *chinese)], EXAM_QUESTIONS
    )

    async def run() -> tuple[Sequence[Any], Any]:
        async with two_models(home, model_admission="exam") as (gateway, *_):
            service = gateway.app.state.service
            while any(exam.current is None for exam in service.exams.all):
                await asyncio.sleep(0.05)
            return [exam.current for exam in service.exams.all], service.exams

    (usual, own), _ = asyncio.run(run())
    assert {one.lang for one in usual.standings} == {"en"}
    assert {one.lang for one in own.standings} == {"zh"}
    assert (usual.model.split()[0], own.model.split()[0]) == ("speaks-english", "speaks-chinese")
    assert usual.key != own.key


def test_settings_name_servers_names_and_keys_for_a_language() -> None:
    settings = Settings(
        llm_url="http://a/v1",
        llm_model="a",
        llm_api_key="key of a",
        llm_url_zh="http://b/v1,http://c/v1",
        most_writing=3,
    )
    assert settings.languages == ("en", "zh")
    models = settings_per_language(settings)
    assert (models.others.llm_urls, models.others.languages) == (("http://a/v1",), ("en",))
    chinese = models.of("zh")
    assert (chinese.llm_urls, chinese.languages) == (("http://b/v1", "http://c/v1"), ("zh",))
    assert (chinese.llm_model, chinese.llm_api_key) == (None, "none"), "a key is told to nobody but its own servers"
    opened = open_models(settings)
    assert isinstance(opened.of("zh"), Replicas)
    assert opened.of("zh") is not opened.of("en")
    assert settings_per_language(Settings(llm_url="http://a/v1")) == PerLanguage(Settings(llm_url="http://a/v1"))
    with pytest.raises(ValidationError, match="llm_url_zh"):
        Settings(llm_url_zh="b")


def test_named_languages_are_kept_as_they_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_LLM_URL_ZH", "http://b/v1")
    assert Settings().languages == ("en", "zh")
    monkeypatch.setenv("COTEACH_LANGUAGES", "en")
    assert Settings().languages == ("en",)
    assert settings_per_language(Settings()).of("zh").languages == ()


def test_no_model_is_asked_where_none_may_be() -> None:
    changed = Settings.model_validate(
        Settings(llm_url="http://a/v1", llm_url_zh="http://b/v1").model_dump() | WITHOUT_MODEL
    )
    assert open_models(changed).all == (None,)


def test_a_model_of_a_language_without_its_server_is_refused() -> None:
    with pytest.raises(ValidationError, match="COTEACH_LLM_URL_ZH no server"):
        Settings(llm_model_zh="qwen")
