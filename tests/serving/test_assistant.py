"""One question in, one cited answer out, whatever the model server does."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import course_rows as rows
import pytest
from stand_in import NAME, Behaviour, StandIn, stand_in

from knowledge_graph.graph.concept_graph import ConceptGraph
from models.embedding.embedder import EmbeddingFailed
from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.assistant.generation.phrases import CHINESE, ENGLISH
from serving.assistant.references import ReferenceChooser, Semantics
from serving.assistant.turn import Delta
from serving.assistant.understanding.understand import understand
from serving.evaluation.answer_audit import audit
from serving.index.build import build_index
from serving.index.search import SearchIndex
from serving.llm.client import OpenAiModel
from serving.llm.messages import Message
from serving.settings import Settings

DIFFERENCE = "What is the difference between a stack and a queue?"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name in ("COTEACH_HOME", "COTEACH_LLM_URL", "COTEACH_ALPHA", "COTEACH_BETA", "COTEACH_LANGUAGES"):
        monkeypatch.delenv(name, raising=False)
    return Settings(home=tmp_path, model_admission="always")  # what is asked of a model here, and becomes of its words


class Classroom:
    """Asks one question of an assistant over a stand-in server (or none) and remembers what was streamed."""

    def __init__(self, graph: ConceptGraph, index: SearchIndex, settings: Settings) -> None:
        self.graph, self.index, self.settings = graph, index, settings
        self.deltas: list[str] = []
        self.server: StandIn | None = None

    def ask(
        self,
        question: str,
        behaviour: Behaviour | None = "answers",
        course_id: str | None = "ds",
        words: Sequence[str] | None = None,
        **session: Any,
    ) -> Answer:
        return asyncio.run(self._ask(question, behaviour, course_id, words, session))

    async def _ask(
        self,
        question: str,
        behaviour: Behaviour | None,
        course_id: str | None,
        words: Sequence[str] | None,
        session: dict[str, Any],
    ) -> Answer:
        async with stand_in(behaviour or "answers", words) as self.server:
            llm = OpenAiModel(self.server.url) if behaviour else None
            assistant = Assistant(graph=self.graph, index=self.index, intent=None, llm=llm, settings=self.settings)
            parts = [part async for part in assistant.stream(question, course_id=course_id, **session)]
            if llm is not None:
                await llm.aclose()
        self.deltas = [part.text for part in parts if isinstance(part, Delta)]
        last = parts[-1]
        assert isinstance(last, Answer)
        assert "".join(self.deltas) == last.text
        return last


@pytest.fixture
def room(graph: ConceptGraph, index: SearchIndex, settings: Settings) -> Classroom:
    return Classroom(graph, index, settings)


def test_a_definition_question_is_answered_directly_without_the_model(room: Classroom) -> None:
    answer = room.ask("What is a stack?")
    assert (answer.route, answer.text) == (
        "direct",
        "A stack is a list where the last element added is the first removed.",
    )
    assert answer.references[0].label == "Stacks and queues @ 03:12"
    assert room.server is not None
    assert room.server.asked == []


def test_a_stored_faq_is_answered_with_its_reviewer(room: Classroom) -> None:
    answer = room.ask("When is the deadline of homework 3?")
    assert (answer.route, answer.text) == ("direct", "Sunday at 23:59.")
    assert answer.notice == "From the FAQ, reviewed by Ada."
    assert answer.references[0].source == "faq"


def test_the_same_faq_does_not_answer_in_another_course(room: Classroom) -> None:
    answer = room.ask("When is the deadline of homework 3?", course_id="sjjg")
    assert answer.route == "ask_ta"


def test_a_complex_question_is_taught_by_the_model_with_its_evidence(room: Classroom) -> None:
    answer = room.ask(DIFFERENCE)
    assert (answer.route, answer.degraded) == ("teach", False)
    assert answer.text == "A stack is last in, first out [1]."
    assert [one.label for one in answer.references] == ["Stacks and queues @ 03:12", "Stacks and queues @ 06:40"]
    assert "stack belongs to the domain computer science." in answer.reasoning
    assert answer.usage.prompt_tokens == 7


def test_an_invented_citation_never_reaches_the_student(room: Classroom) -> None:
    answer = room.ask(DIFFERENCE, words=("Stacks [", "9] and queues [2", "]."))
    assert answer.text == "Stacks  and queues [2]."
    assert {one.number for one in answer.references} >= {2}


def test_a_greeting_is_chat_without_references(room: Classroom) -> None:
    answer = room.ask("hello", words=("Hi ", "there!"))
    assert (answer.route, answer.text, answer.references) == ("chat", "Hi there!", ())


def test_a_troubled_student_gets_the_way_to_a_person_after_the_models_words(room: Classroom) -> None:
    answer = room.ask("I feel so stressed today", words=("You can do it.",))
    assert answer.text == f"{ENGLISH.comfort}\n\nYou can do it.\n\n{ENGLISH.hand_off}"


def test_chat_in_a_language_the_model_does_not_speak_is_a_ready_sentence(room: Classroom) -> None:
    assert room.ask("你好", course_id="sjjg").text == CHINESE.greeting
    assert room.server is not None
    assert room.server.asked == []


def test_in_a_language_the_model_does_not_speak_the_teaching_itself_is_the_answer(room: Classroom) -> None:
    answer = room.ask("为什么用栈？", course_id="sjjg")
    assert answer.route == "teach"
    assert answer.text.startswith("[1] 栈：栈是只允许在一端插入和删除的线性表。")
    assert answer.notice == CHINESE.not_in_language
    assert not answer.degraded


def test_a_follow_up_is_answered_as_the_question_it_stands_for(room: Classroom) -> None:
    answer = room.ask("and a queue?", history=[Message("user", "What is a stack?"), Message("assistant", rows.STACK)])
    assert (answer.route, answer.text) == ("direct", rows.QUEUE)
    assert (answer.trace.question, answer.trace.resolved) == ("and a queue?", "What is a queue?")
    assert answer.trace.follow_up == "same_question"
    assert answer.trace.added


def test_a_follow_up_that_could_mean_two_things_is_a_choice_of_questions(room: Classroom) -> None:
    answer = room.ask("When is it used?", history=[Message("user", DIFFERENCE)])
    assert (answer.route, answer.text) == ("clarify", "Which of these do you mean: stack or queue?")
    assert answer.trace.choices == ("When is stack used?", "When is queue used?")
    assert room.server is not None
    assert room.server.asked == []


def test_options_alone_are_no_follow_up(room: Classroom) -> None:
    answer = room.ask("A. it B. that C. this", history=[Message("user", "What is a stack?")])
    assert answer.trace.resolved == "A. it B. that C. this"


def test_without_any_evidence_a_real_ta_is_offered(room: Classroom) -> None:
    answer = room.ask("Who won the football match yesterday?")
    assert (answer.route, answer.text, answer.references) == ("ask_ta", ENGLISH.unknown, ())


@pytest.mark.parametrize("behaviour", ["dies midway", "ends early", "hangs", "refuses", "breaks", "garbles", None])
def test_whatever_the_server_does_the_student_gets_the_cited_material_in_time(
    room: Classroom, behaviour: Behaviour | None
) -> None:
    started = time.monotonic()
    answer = room.ask(DIFFERENCE, behaviour)
    assert time.monotonic() - started < 5.0
    assert answer.degraded
    assert ENGLISH.server_down in answer.text
    assert "[1] stack: A stack is a list where the last element added is the first removed." in answer.text
    assert answer.references
    assert answer.trace.error is not None


@pytest.mark.parametrize("words", [(), ("The answer is: ", "[2]")])
def test_a_model_that_writes_next_to_nothing_is_followed_by_the_material(
    room: Classroom, words: tuple[str, ...]
) -> None:
    answer = room.ask(DIFFERENCE, words=words)
    assert answer.degraded
    assert ENGLISH.of_no_use in answer.text
    assert "[1] stack: A stack is a list where" in answer.text


def test_a_model_that_repeats_the_example_of_its_prompt_is_followed_by_the_material(room: Classroom) -> None:
    echo = "Both hold a sequence. An array gives fast access by position but slow insertion in the middle."
    answer = room.ask(DIFFERENCE, words=(echo,))
    assert answer.trace.error == "LlmUseless: The model repeated the example of its prompt."
    assert answer.text.startswith(f"{echo}\n\n{ENGLISH.of_no_use}")


def test_an_unfinished_answer_is_followed_by_a_clear_note(room: Classroom) -> None:
    answer = room.ask(DIFFERENCE, "dies midway")
    assert answer.text.startswith(f"A stack is last in, \n\n{ENGLISH.cut_off}\n\n{ENGLISH.server_down}")


def test_chat_without_a_server_says_so(room: Classroom) -> None:
    assert room.ask("hello", None).text == ENGLISH.chat_down


def test_each_answer_has_a_trace_of_its_own_with_what_led_to_it(room: Classroom) -> None:
    first, second = room.ask(DIFFERENCE).trace, room.ask("hello").trace
    assert (first.route, first.model, first.template) == ("teach", NAME, "teach@2")
    assert (first.kind, first.concepts) == ("comparison", ("en:stack", "en:queue"))
    assert first.index_version == room.index.version
    assert first.prompt_sha256 is not None
    assert len(first.prompt_sha256) == 64
    assert {"understood_ms", "planned_ms", "first_token_ms", "total_ms"} <= first.timings.keys()
    assert second.trace_id != first.trace_id


def test_a_beta_from_the_settings_replaces_the_calibrated_one(
    graph: ConceptGraph, index: SearchIndex, settings: Settings
) -> None:
    exact = Classroom(graph, index, settings.model_copy(update={"beta": 1.0}))
    assert exact.ask("What is a stack?").route == "teach"


@pytest.mark.parametrize(
    ("question", "course", "route", "reason"),
    [
        ("Which of the following is a stack?", "ds", "clarify", "missing_options"),
        ("下列哪个是栈？", "sjjg", "clarify", "missing_options"),
        ("What is the", "ds", "clarify", "incomplete"),
        ("sdkfjh skdjfh sdkjf", "ds", "refuse", "nonsense"),
        ("What is the weather in Paris tomorrow?", "ds", "refuse", "not_academic"),
        ("今天天气怎么样？", "sjjg", "refuse", "not_academic"),
    ],
)
def test_what_cannot_be_answered_is_declined_in_its_language_without_the_model(
    room: Classroom, question: str, course: str, route: str, reason: str
) -> None:
    answer = room.ask(question, course_id=course)
    said = CHINESE if course == "sjjg" else ENGLISH
    assert (answer.route, answer.text, answer.references) == (route, said.refusals[reason], ())
    assert (answer.trace.refusal, answer.degraded) == (reason, False)
    assert room.server is not None
    assert room.server.asked == []


@pytest.mark.parametrize(
    ("question", "reason"),
    [("Will it be sunny?", "not_academic"), ("Which of the following rooms is ours?", "missing_options")],
)
def test_a_stored_faq_is_given_whatever_the_wording_looks_like(
    graph: ConceptGraph, settings: Settings, tmp_path: Path, question: str, reason: str
) -> None:
    table = rows.tables(tmp_path / "tables", qa=[*rows.QA, rows.pair("f9", "faq", question, "In room 4.")])
    build_index(table, tmp_path / "index")
    answer = Classroom(graph, SearchIndex.open(tmp_path / "index"), settings).ask(question)
    assert understand(question, graph=graph, intent=None).refusal == reason
    assert (answer.route, answer.text, answer.trace.refusal) == ("direct", "In room 4.", None)


def test_a_stored_faq_goes_before_a_choice_of_what_is_meant(
    graph: ConceptGraph, settings: Settings, tmp_path: Path
) -> None:
    table = rows.tables(tmp_path / "tables", qa=[*rows.QA, rows.pair("f9", "faq", "When is it used?", "On Mondays.")])
    build_index(table, tmp_path / "index")
    room = Classroom(graph, SearchIndex.open(tmp_path / "index"), settings)
    answer = room.ask("When is it used?", history=[Message("user", DIFFERENCE)])
    assert (answer.route, answer.text) == ("direct", "On Mondays.")


def test_a_question_with_options_is_found_by_its_stem_and_their_words(room: Classroom) -> None:
    answer = room.ask("When is the deadline of homework 3?\nA. never\nB. Sunday\nC. Monday")
    assert (answer.trace.form, answer.trace.refusal) == ("mcq", None)
    assert "f1" in {one.entry_id for one in answer.trace.candidates}


class BrokenEmbedder:
    """Fails as an embedding server that is gone does."""

    name, dimension, languages = "broken", 3, ("en",)

    def encode(self, texts: Sequence[str]) -> Any:
        raise EmbeddingFailed(f"No vectors for {len(texts)} texts.")


def test_an_embedder_that_fails_costs_an_answer_neither_its_words_nor_its_references(
    graph: ConceptGraph, index: SearchIndex, settings: Settings
) -> None:
    async def run() -> Answer:
        async with stand_in(words=(rows.STACK,)) as server:
            llm, broken = OpenAiModel(server.url), BrokenEmbedder()
            chooser = ReferenceChooser(index, semantics=Semantics(broken))
            assistant = Assistant(
                graph=graph, index=index, intent=None, llm=llm, settings=settings, chooser=chooser, embedder=broken
            )
            answer = await assistant.answer(DIFFERENCE, course_id="ds")
            await llm.aclose()
            return answer

    answer = asyncio.run(run())
    assert (answer.route, answer.text) == ("teach", rows.STACK)
    assert answer.references
    assert [verdict.looked for verdict in answer.trace.verdicts] == ["grounded", "answers"]


def test_all_that_a_model_does_for_an_answer_has_one_deadline(
    graph: ConceptGraph, index: SearchIndex, settings: Settings
) -> None:
    hurried = settings.model_copy(update={"deadline_seconds": 0.5, "stream": "checked"})
    started = time.monotonic()
    answer = Classroom(graph, index, hurried).ask(DIFFERENCE, "stalls")
    assert time.monotonic() - started < 3.0
    assert answer.trace.error is not None
    assert "[1] stack: A stack is a list where" in answer.text


def test_marks_of_the_material_lead_where_they_say_whatever_the_prompt_had_room_for(
    graph: ConceptGraph, index: SearchIndex, settings: Settings
) -> None:
    tight = settings.model_copy(update={"context_tokens": 200})
    answer = Classroom(graph, index, tight).ask("What does a stack do for a queue?", None)
    named = {one.number: one.evidence_id for one in answer.references}
    for one in answer.evidence:
        if one.mark and one.mark in answer.text:
            assert named[one.number] == one.evidence_id
    assert audit(answer).holds


def test_where_nothing_is_found_the_question_is_asked_in_other_words_that_keep_its_subject(room: Classroom) -> None:
    answer = room.ask("Who won the football match yesterday?")
    assert answer.route == "ask_ta"
    assert answer.trace.path == ("retrieve: nothing", "rewrite: unchanged", "clarify: nothing", "ask_ta: written")
