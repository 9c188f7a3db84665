"""Every parameter of a chat completion is honoured or refused by name, held against the official client's types."""

import json
from pathlib import Path
from typing import Any

import course_rows as rows
from gateways import Gateway
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

from orchestration.cli.reference_pages import endpoint_page
from serving.gateway.answer_object import AnswerObject
from serving.gateway.parameters import CHAT_PARAMETERS

OWN = {"session_id"}

VALID: dict[str, Any] = {
    "stream": False,
    "stream_options": {"include_usage": True},
    "max_tokens": 50,
    "max_completion_tokens": 50,
    "stop": ["\n\n"],
    "temperature": 0.5,
    "top_p": 0.9,
    "seed": 7,
    "n": 1,
    "response_format": {"type": "text"},
    "metadata": {"video": "02 stacks"},
    "store": False,
    "user": "u-1",
    "safety_identifier": "s-1",
    "session_id": None,
}
INVALID: dict[str, Any] = {
    "messages": "hi",
    "model": 3,
    "stream": "yes",
    "stream_options": {"include_usage": "yes"},
    "max_tokens": 0,
    "max_completion_tokens": "many",
    "stop": ["a", "b", "c", "d", "e"],
    "temperature": "hot",
    "top_p": 0,
    "seed": 1.5,
    "n": 2,
    "response_format": {"type": "json_object"},
    "metadata": {"course": 3},
    "store": "no",
    "user": 4,
    "safety_identifier": ["x"],
    "session_id": 5,
}
HONOURED = [one.name for one in CHAT_PARAMETERS if one.is_honoured]
REFUSED = [one for one in CHAT_PARAMETERS if not one.is_honoured]


def test_the_table_has_every_parameter_of_the_official_client() -> None:
    assert {one.name for one in CHAT_PARAMETERS} == set(CompletionCreateParamsStreaming.__annotations__) | OWN


def test_an_honoured_parameter_is_taken_with_a_valid_value_and_with_null(ask_all: Any) -> None:
    asked = [{name: value} for name, valid in VALID.items() for value in (valid, None)]
    for each, reply in zip(asked, ask_all(asked), strict=True):
        assert (each, reply.status_code) == (each, 200), reply.text
        assert reply.json()["coteach"]["warnings"] == []


def test_an_honoured_parameter_with_a_wrong_value_is_400_by_its_name(ask_all: Any) -> None:
    assert set(INVALID) == set(HONOURED)
    for name, reply in zip(INVALID, ask_all([{name: value} for name, value in INVALID.items()]), strict=True):
        assert (name, reply.status_code) == (name, 400)
        assert reply.json()["error"]["param"].startswith(name)


def test_what_is_not_supported_is_400_by_its_name(ask_all: Any) -> None:
    for one, reply in zip(REFUSED, ask_all([{one.name: "something"} for one in REFUSED]), strict=True):
        error = reply.json()["error"]
        assert (reply.status_code, error["code"], error["param"]) == (400, "unsupported_parameter", one.name)
        assert one.name in error["message"]


def test_null_and_what_asks_for_nothing_pass_of_parameters_that_are_not_supported(ask_all: Any) -> None:
    asked = [{one.name: value} for one in REFUSED for value in (None, *one.neutral)]
    assert [reply.status_code for reply in ask_all(asked)] == [200] * len(asked)


def test_true_is_not_taken_for_the_number_that_asks_for_nothing(ask_all: Any) -> None:
    asked: list[dict[str, Any]] = [{"logprobs": 0}, {"frequency_penalty": False}, {"frequency_penalty": 0.0}]
    assert [reply.status_code for reply in ask_all(asked)] == [400, 400, 200]


def test_an_unknown_parameter_is_refused_or_ignored_with_a_warning_by_setting_or_header(ask: Any) -> None:
    assert ask(top_k=3).json()["error"]["param"] == "top_k"
    for how in (
        {"settings": {"unknown_parameters": "ignore"}},
        {"headers": {"X-Coteach-Unknown-Parameters": "ignore"}},
    ):
        reply = ask(top_k=3, tools=[{"type": "function"}], **how).json()
        assert [one["param"] for one in reply["coteach"]["warnings"]] == ["top_k", "tools"]


def test_a_request_with_tools_is_told_where_the_endpoints_own_are(ask: Any) -> None:
    message = ask(tools=[{"type": "function", "function": {"name": "x"}}]).json()["error"]["message"]
    assert "calls no tools" in message


def test_a_course_of_the_metadata_may_not_be_another_than_the_models(ask: Any) -> None:
    reply = ask(metadata={"course": "sjjg"})
    assert (reply.status_code, reply.json()["error"]["param"]) == (400, "metadata.course")
    assert ask(metadata={"course": "ds"}).status_code == 200


def test_metadata_that_means_nothing_here_is_warned_of(ask: Any) -> None:
    reply = ask(metadata={"experiment": "a"}).json()
    assert reply["coteach"]["warnings"] == [{"param": "metadata.experiment", "message": "Not used here."}]


def test_fields_of_messages_that_mean_nothing_here_are_warned_of_once(ask: Any) -> None:
    said = [{"role": "user", "name": "ann", "cache_control": {"type": "ephemeral"}, "content": "Hello."}] * 2
    found = ask(messages=said).json()["coteach"]["warnings"]
    assert [one["param"] for one in found] == ["messages.0.name", "messages.0.cache_control"]


def test_a_route_that_there_is_not_says_which_there_are_and_a_base_address_without_its_end_is_told(use: Any) -> None:
    async def work(gateway: Gateway) -> list[Any]:
        asked = [("POST", "/v1/completions"), ("GET", "/v1/chat/completions"), ("POST", "/chat/completions")]
        return [await gateway.client.request(method, path, json={}) for method, path in asked]

    legacy, listed, base = use(work)
    assert [one.status_code for one in (legacy, listed, base)] == [404, 405, 404]
    assert "no POST /v1/completions here. There are /v1/chat/completions" in legacy.json()["error"]["message"]
    assert "ends with /v1" in base.json()["error"]["message"]


def test_messages_that_are_no_text_are_400_by_their_place(ask_all: Any) -> None:
    strange: list[dict[str, Any]] = [
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]},
        {"role": "user", "content": [{"type": "input_audio", "input_audio": {}}]},
        {"role": "tool", "content": "42", "tool_call_id": "x"},
        {"role": "assistant", "tool_calls": [{"id": "x"}]},
    ]
    question = {"role": "user", "content": "What is a stack?"}
    for reply in ask_all([{"messages": [one, question]} for one in strange]):
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "unsupported_parameter")
        assert reply.json()["error"]["param"].startswith("messages.0.")


def test_an_earlier_answer_is_taken_back_as_the_client_keeps_it(ask: Any) -> None:
    said = ask().json()["choices"][0]["message"]
    kept = said | {"audio": None, "function_call": None, "tool_calls": None}
    question = {"role": "user", "content": "What is a stack?"}
    reply = ask(messages=[question, kept, question])
    assert (reply.status_code, reply.json()["coteach"]["warnings"]) == (200, [])


def test_user_messages_in_a_row_are_one_question(ask: Any) -> None:
    said = ["I have a question.", "What is a stack?"]
    reply = ask(messages=[{"role": "user", "content": one} for one in said]).json()
    assert reply["coteach"]["resolved"].startswith("I have a question.\n\nWhat is a stack?")


def test_a_question_over_the_limit_names_the_setting_that_raises_it(ask: Any) -> None:
    long = "What is a stack? " + "x" * 5000
    error = ask(long).json()["error"]
    assert (error["code"], "COTEACH_MAX_QUESTION_CHARS" in error["message"]) == ("string_above_max_length", True)
    assert ask(long, settings={"max_question_chars": 6000}).status_code == 200


def test_an_answer_put_together_here_ends_with_a_whole_sentence_within_max_tokens(ask: Any) -> None:
    whole = ask(metadata={"footnotes": "never"}).json()["choices"][0]
    assert whole["finish_reason"] == "stop"
    short = ask(max_tokens=5, metadata={"footnotes": "never"}).json()
    assert short["choices"][0]["finish_reason"] == "length"
    assert len(short["choices"][0]["message"]["content"]) < len(whole["message"]["content"])
    assert "ends early" in short["coteach"]["notice"]


def test_an_answer_ends_before_a_stop_sequence_whole_and_streamed(ask: Any) -> None:
    word = rows.STACK.split()[3]
    whole = ask(stop=word, metadata={"footnotes": "never"}).json()["choices"][0]
    assert (whole["message"]["content"], whole["finish_reason"]) == (rows.STACK.partition(word)[0], "stop")
    text = ask(stop=[word], stream=True, metadata={"footnotes": "never"}).text
    chunks = [json.loads(one[6:]) for one in text.split("\n\n") if one.startswith("data: {")]
    said = "".join(one["choices"][0]["delta"].get("content") or "" for one in chunks if one["choices"])
    assert said == rows.STACK.partition(word)[0]


def test_a_system_message_shortens_an_answer_and_one_of_tone_is_warned_of_where_no_model_writes(ask: Any) -> None:
    def with_system(text: str) -> Any:
        said = [{"role": "system", "content": text}, {"role": "user", "content": "What is a stack?"}]
        return ask(messages=said, metadata={"footnotes": "never"}).json()

    assert with_system("Answer in one sentence.")["coteach"]["warnings"] == []
    assert with_system("Speak like a pirate.")["coteach"]["warnings"][0]["param"] == "messages"


def test_the_published_schema_is_filled_whole_and_streamed_and_others_are_400(ask: Any) -> None:
    from openai.lib._parsing._completions import type_to_response_format_param

    form = type_to_response_format_param(AnswerObject)
    reply = ask(response_format=form).json()["choices"][0]["message"]
    found = AnswerObject.model_validate_json(reply["content"])
    assert found.answer.startswith(rows.STACK)
    assert found.references[0].number == 1
    assert reply["annotations"]
    named = ask(response_format={"type": "json_schema", "json_schema": {"name": "coteach_answer"}}, stream=True).text
    chunks = [json.loads(one[6:]) for one in named.split("\n\n") if one.startswith("data: {")]
    said = "".join(one["choices"][0]["delta"].get("content") or "" for one in chunks if one["choices"])
    assert AnswerObject.model_validate_json(said) == found
    other = {"type": "json_schema", "json_schema": {"name": "coteach_answer", "schema": {"type": "object"}}}
    assert ask(response_format=other).json()["error"]["param"] == "response_format"


def test_smileys_and_formulas_are_not_taken_for_distress(ask_all: Any) -> None:
    said = ["😀😀😀", r"$\frac{a}{b}$", r"\int_0^1 x^2 dx = ?", "E = mc^2"]
    for reply in ask_all([{"messages": [{"role": "user", "content": one}]} for one in said]):
        text = reply.json()["choices"][0]["message"]["content"].lower()
        assert not {"sorry", "difficult", "hard time", "alone"} & set(text.split())
        assert reply.json()["coteach"]["kind"] != "comfort"


def test_the_page_of_the_endpoint_is_what_the_table_says() -> None:
    page = Path(__file__).parents[3] / "docs" / "endpoint.md"
    assert page.read_text(encoding="utf-8") == endpoint_page()
