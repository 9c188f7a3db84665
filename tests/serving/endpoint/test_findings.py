"""What a consumer once found wrong with the endpoint and no other test of this folder holds.

The rest: cut-off answers and thoughts in `test_ending`, parameters in `test_contract` and `test_every_value`, links in
`test_links`, readiness, ends, ids, repeats and metrics in `test_operations`, the package in `test_wheel`, upstream
faults and endless words in `test_misbehaving_server`, citations in `test_recipes`, OpenAPI in `test_material`.
"""

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from gateways import Gateway, bearer, running
from pydantic import ValidationError
from stand_in import stand_in

from knowledge_graph.lake.problems import CoteachError
from serving.gateway.app import create_app
from serving.settings import Settings

QUESTION = "What is a stack?"
COMPARISON = "What is the difference between a stack and a queue?"
OFF_SUBJECT = (
    "A linked list is a chain of nodes that Grace Hopper built in 1952. ",
    "Each node of a linked list costs 48 bytes, and a linked list sorts itself. ",
)


def asked(text: str, **more: Any) -> dict[str, Any]:
    return {"model": "coteach:ds", "messages": [{"role": "user", "content": text}], **more}


def test_an_answer_on_another_subject_is_not_given_as_one_from_the_material_and_says_how_sure_it_is(home: Path) -> None:
    async def run() -> Any:
        async with (
            stand_in(words=OFF_SUBJECT) as model,
            running(Settings(home=home, llm_url=model.url, model_admission="always")) as gateway,
        ):
            return (await gateway.client.post("/v1/chat/completions", json=asked(COMPARISON))).json()

    reply = asyncio.run(run())
    assert "Hopper" not in reply["choices"][0]["message"]["content"]
    assert not reply["coteach"]["notice"].startswith("Written by a language model")
    assert reply["coteach"]["confidence"] is None or 0 <= reply["coteach"]["confidence"] <= 1


def test_only_an_admin_is_told_where_the_model_server_is(home: Path) -> None:
    async def run() -> tuple[str, str]:
        async with stand_in() as model, running(Settings(home=home, llm_url=model.url)) as gateway:
            anybody = await gateway.client.get("/healthz")
            admin = await gateway.client.get("/healthz", headers=bearer(gateway.key("admin")))
            return anybody.text, admin.json()["model_server"]["url"] == model.url

    anybody, is_told_to_admin = asyncio.run(run())
    assert "127.0.0.1" not in anybody
    assert is_told_to_admin


def test_an_edited_history_begins_a_conversation_of_its_own_and_leaves_the_old_one_as_it_was(use: Any) -> None:
    async def work(gateway: Gateway) -> tuple[str, str, list[str]]:
        headers = bearer(gateway.key())

        async def said(*messages: tuple[str, str]) -> Any:
            body = {"model": "coteach:ds", "messages": [{"role": role, "content": text} for role, text in messages]}
            return (await gateway.client.post("/v1/chat/completions", json=body, headers=headers)).json()

        first = await said(("user", QUESTION))
        answer = first["choices"][0]["message"]["content"]
        await said(("user", QUESTION), ("assistant", answer), ("user", "Where is it taught?"))
        edited = await said(("user", "What is a queue?"), ("assistant", answer), ("user", "Where is it taught?"))
        session = first["coteach"]["session"]
        kept = (await gateway.client.get(f"/v1/sessions/{session}", headers=headers)).json()
        return session, edited["coteach"]["session"], [one["question"] for one in kept["turns"]]

    session, other, kept = use(work)
    assert session != other
    assert kept == [QUESTION, "Where is it taught?"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_tokens", "many"),
        ("llm_url", "model-server"),
        ("reranker", "cohere"),
        ("languages", "en,xx"),
        ("graders", "teacher"),
        ("cors_origins", "lms.example.edu"),
        ("cors_origins", "https://lms.example.edu/course"),
        ("tokenizer", "/nowhere"),
        ("public_url", "here"),
        ("strategy", "best"),
        ("link_hours", "0"),
        ("otlp_endpoint", "collector"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_by_its_name(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"COTEACH_{name.upper()}", value)
    with pytest.raises(ValidationError) as refused:
        Settings()
    assert [one["loc"] for one in refused.value.errors()] == [(name,)]


@pytest.mark.parametrize(("name", "value"), [("limits_url", "teapot://x"), ("store_url", "nonsense")])
def test_an_address_that_nothing_can_be_opened_by_ends_the_start_with_its_name(
    home: Path, name: str, value: str
) -> None:
    with pytest.raises(CoteachError, match=f"COTEACH_{name.upper()}"):
        create_app(Settings(home=home, **{name: value}))  # type: ignore[arg-type]


def test_settings_that_make_no_sense_end_the_start_with_the_name_of_each(tmp_path: Path) -> None:
    wrong = {"COTEACH_MAX_TOKENS": "many", "COTEACH_PUBLIC_URL": "here", "COTEACH_SOURCES": "all"}
    ran = subprocess.run(
        [sys.executable, "-m", "coteach", "serve", "--home", str(tmp_path)],
        env=os.environ | wrong,
        capture_output=True,
        text=True,
        timeout=120,
    )
    told = " ".join((ran.stdout + ran.stderr).split())
    assert ran.returncode == 1
    assert [name for name in wrong if f"{name}: " not in told] == []
    assert "Traceback" not in told
