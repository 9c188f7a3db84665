"""Where an answer ends, and what a model thought before it: never shown, in whatever pieces it comes."""

import asyncio
import json
from typing import Any

import course_rows as rows
import pytest
from stand_in import stand_in

from serving.assistant.guardrails.ending import Ending, Options
from serving.llm.client import OpenAiModel
from serving.llm.language_model import LlmFiltered, LlmUseless, Sampling
from serving.llm.messages import Message
from serving.llm.thinking import Thoughts, without_thoughts

DIFFERENCE = "What is the difference between a stack and a queue?"
THOUGHT = [
    "<think>I must not tell.</think>A stack.",
    "<thinking>secret\nthoughts</thinking>A stack.",
    "[THINK]secret[/THINK]A stack.",
    "◁think▷secret◁/think▷A stack.",
    "<|channel|>analysis<|message|>secret<|end|><|start|>assistant<|channel|>final<|message|>A stack.",
    "<Think>secret</think>A <thought>more</thought>stack.",
    "secret, begun in the prompt</think>A stack.",
]


@pytest.mark.parametrize("text", THOUGHT)
def test_thoughts_are_taken_out_of_a_whole_text(text: str) -> None:
    assert without_thoughts(text) == "A stack."


@pytest.mark.parametrize("text", THOUGHT[:-1])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_thoughts_are_taken_out_in_whatever_pieces_they_come(text: str, size: int) -> None:
    filtered = Thoughts()
    shown = [filtered.feed(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join(shown) + filtered.flush() == "A stack."


def test_thoughts_that_never_end_are_no_answer_and_a_mark_that_is_none_is_text() -> None:
    filtered = Thoughts()
    assert filtered.feed("A <b> is a < c. <think>and so on") + filtered.flush() == "A <b> is a < c. "
    assert without_thoughts("1 <th 2") == "1 <th 2"


def test_a_server_whose_template_opens_the_thoughts_is_known_after_the_first_time() -> None:
    async def run() -> list[str]:
        async with stand_in(words=["Let me ", "think.</think>", "A stack."]) as server:
            model = OpenAiModel(server.url)
            asked = [Message("user", "x")]
            with pytest.raises(LlmUseless):
                _ = [one async for one in model.stream(asked)]
            said = [one.text async for one in model.stream(asked)]
            await model.aclose()
            return said

    assert "".join(asyncio.run(run())) == "A stack."


@pytest.mark.parametrize("finish", ["content_filter", "refusal"])
def test_a_filtered_or_refused_answer_is_an_error_of_the_model(finish: Any) -> None:
    async def run() -> None:
        async with stand_in(finish=finish) as server:
            model = OpenAiModel(server.url)
            try:
                _ = [one async for one in model.stream([Message("user", "x")])]
            finally:
                await model.aclose()

    with pytest.raises(LlmFiltered):
        asyncio.run(run())


def asked_of(ask: Any, server: Any, **more: Any) -> Any:
    return ask(DIFFERENCE, settings={"llm_url": server.url, "model_admission": "always"}, **more)


def gateway_over(use: Any, finish: str, body: dict[str, Any]) -> tuple[Any, list[Any]]:
    async def run() -> tuple[Any, list[Any]]:
        from gateways import running

        from serving.settings import Settings

        async with (
            stand_in(finish=finish) as server,
            running(Settings(home=use, llm_url=server.url, model_admission="always")) as gateway,
        ):
            return await gateway.client.post("/v1/chat/completions", json=body), server.asked

    return asyncio.run(run())


@pytest.mark.parametrize("stream", [False, True])
def test_a_cut_off_answer_says_so(home: Any, stream: bool) -> None:
    asked = {"model": "coteach:ds", "messages": [{"role": "user", "content": DIFFERENCE}], "stream": stream}
    reply, _ = gateway_over(home, "length", asked)
    if stream:
        chunks = [json.loads(one[6:]) for one in reply.text.split("\n\n") if one.startswith("data: {")]
        finish, told = chunks[-1]["choices"][0]["finish_reason"], chunks[-1]["coteach"]
        text = "".join(one["choices"][0]["delta"].get("content") or "" for one in chunks)
    else:
        choice, told = reply.json()["choices"][0], reply.json()["coteach"]
        finish, text = choice["finish_reason"], choice["message"]["content"]
    assert finish == "length"
    assert "ends early" in told["notice"]
    assert "…" in text


def test_an_answer_that_the_servers_filter_ended_says_so_and_gives_the_material(home: Any) -> None:
    asked = {"model": "coteach:ds", "messages": [{"role": "user", "content": DIFFERENCE}]}
    reply, _ = gateway_over(home, "content_filter", asked)
    body = reply.json()
    assert body["choices"][0]["finish_reason"] == "content_filter"
    assert body["coteach"]["degraded"] is True
    assert body["coteach"]["references"]


def test_what_is_asked_of_the_sampling_reaches_the_model_within_bounds(home: Any) -> None:
    system = {"role": "system", "content": "Speak like a pirate."}
    asked = {
        "model": "coteach:ds",
        "messages": [system, {"role": "user", "content": DIFFERENCE}],
        "temperature": 1.9,
        "top_p": 0.5,
        "seed": 11,
        "max_tokens": 9999,
        "stop": "§",
    }
    reply, sent = gateway_over(home, "stop", asked)
    assert reply.json()["coteach"]["warnings"] == [{"param": "temperature", "message": "Taken as 1, the highest here."}]
    got = {name: sent[0][name] for name in ("temperature", "top_p", "seed", "max_tokens", "stop")}
    assert got == {"temperature": 1.0, "top_p": 0.5, "seed": 11, "max_tokens": 256, "stop": ["§"]}
    assert sent[0]["messages"][0]["content"].endswith("Speak like a pirate.")
    assert "it changes nothing of what is said above" in sent[0]["messages"][0]["content"]


def test_a_stop_sequence_is_found_over_the_joints_of_pieces() -> None:
    ending = Ending(Options(sampling=Sampling(stop=("END",))), len)
    shown = [ending.feed(one, is_composed=False) for one in ("one E", "ND two", " three")]
    assert ("".join(shown), ending.flush(is_composed=False), ending.reason) == ("one ", "", "stop")
    other = Ending(Options(sampling=Sampling(stop=("END",))), len)
    assert other.feed("one EN", is_composed=False) + other.flush(is_composed=False) == "one EN"


@pytest.mark.parametrize(
    ("instructions", "sentences"),
    [
        ("Answer in two sentences.", 2),
        ("at most 3 sentences", 3),
        ("Be brief.", 3),
        ("请用两句话回答", 2),
        ("Hi", None),
    ],
)
def test_the_length_that_instructions_ask_for_is_read(instructions: str, sentences: int | None) -> None:
    assert Options(instructions=instructions).max_sentences == sentences


def test_a_composed_text_is_cut_after_the_sentences_asked_for() -> None:
    ending = Ending(Options(instructions="In one sentence."), len)
    assert ending.feed("A stack is last in. [1] A queue is not. [2]", is_composed=True) == "A stack is last in. [1]"
    assert rows.STACK  # the rows of the shared course are there
