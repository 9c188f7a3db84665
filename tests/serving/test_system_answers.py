"""Systems asked the evaluation questions through the real assistant, with a scripted model where one is needed."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from scripted_model import ScriptedModel
from system_rows import answer

from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.assistant.understanding.intent import WithoutContext
from serving.evaluation.sets.evaluation_sets import EvaluationQuestion
from serving.evaluation.systems.answered_systems import file_name
from serving.evaluation.systems.citations import count_citations
from serving.evaluation.systems.model_alone import ModelAlone, who_answers
from serving.evaluation.systems.system_answers import Asking, SystemAnswer, answer_all, version_of
from serving.evaluation.systems.systems import DEFAULT, SYSTEMS, questions_for, sample
from serving.evaluation.systems.unfinished_runs import UnfinishedRun, fingerprint
from serving.gateway.knowledge import Knowledge, load_knowledge
from serving.index.evidence import Evidence
from serving.llm.language_model import LanguageModel, LlmUnavailable
from serving.settings import Settings

GROUNDED = "A stack is a list where the last element added is the first removed [1]."


def question(text: str, *, gold: tuple[str, ...] = ("en:stack",), **more: object) -> EvaluationQuestion:
    asked = EvaluationQuestion(
        "ds", text, "ds", "en", text, "simple", gold, "The last one in is the first out.", "course"
    )
    return replace(asked, **more)


STACK = question("What is a stack?")
HOMEWORK = question("When is the deadline of homework 3?", gold=("faq#1",), reference="Sunday, one minute to midnight.")


def loaded(home: Path, name: str, llm: LanguageModel | None = None) -> Knowledge:
    settings = Settings.model_validate(Settings(home=home).model_dump() | SYSTEMS[name].overrides)
    return load_knowledge(settings, llm)


def ask(
    knowledge: Knowledge, asked: list[EvaluationQuestion], *, served: str | None = None, name: str = DEFAULT
) -> list[SystemAnswer]:
    found: list[SystemAnswer] = []
    work = answer_all(
        Asking(name, served, 4 if served else 1),
        asked,
        knowledge=knowledge,
        assistant=knowledge.assistant,
        done=found.append,
    )
    asyncio.run(work)
    return sorted(
        found, key=lambda one: asked.index(next(each for each in asked if each.question_id == one.question_id))
    )


@pytest.mark.parametrize("name", [one.name for one in SYSTEMS.values() if not one.needs_model])
def test_every_system_without_a_model_finds_what_the_course_says(home: Path, name: str) -> None:
    stack, homework = ask(loaded(home, name), [STACK, HOMEWORK], name=name)
    assert (stack.hit_rank, homework.hit_rank) == (1, 1)
    given = (
        "**FAQ: When is the deadline of homework 3?**\nSunday at 23:59." if name == "composed" else "Sunday at 23:59."
    )
    assert (homework.route, homework.source, homework.answer.removesuffix(" [1]")) == ("direct", "faq", given)
    assert not stack.degraded
    assert stack.model is None


def test_a_row_says_how_near_the_answer_is_to_its_reference(home: Path) -> None:
    (row,) = ask(loaded(home, DEFAULT), [HOMEWORK])
    # Sunday at 23:59 against Sunday, one minute to midnight: one of three tokens (23 and 59 are two) ...
    assert row.rouge1 == pytest.approx(2 * 1 / (4 + 5))
    assert row.rouge2 == 0


def test_a_question_without_gold_or_reference_has_no_such_figures(home: Path) -> None:
    (row,) = ask(loaded(home, DEFAULT), [question("What is a stack?", gold=(), reference="")])
    assert (row.hit_rank, row.recall5, row.gold_references, row.rouge1) == (None, None, None, None)


def test_asked_twice_it_answers_the_same(home: Path) -> None:
    knowledge = loaded(home, DEFAULT)
    asked = [STACK, HOMEWORK]
    assert version_of(ask(knowledge, asked)) == version_of(ask(knowledge, asked))


def test_one_question_that_fails_does_not_stop_the_rest(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    knowledge, real = loaded(home, DEFAULT), Assistant.answer

    async def breaking(self: Assistant, text: str, **more: object) -> Answer:
        if "stack" in text:
            raise RuntimeError("The index broke.")
        return await real(self, text, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Assistant, "answer", breaking)
    stack, homework = ask(knowledge, [STACK, HOMEWORK])
    assert (stack.route, stack.error, stack.rouge1) == ("failed", "RuntimeError: The index broke.", 0)
    assert homework.route == "direct"


def test_a_model_writes_and_its_citation_is_counted(home: Path) -> None:
    model = ScriptedModel(lambda _: GROUNDED)
    asked = [question("Why does a stack remove the last element first?", gold=("en:stack",))]
    (row,) = ask(loaded(home, "chain_of_teach", model), asked, served="scripted", name="chain_of_teach")
    assert (row.route, row.model, row.served) == ("teach", "scripted-not-a-model", "scripted")
    assert "[1]" not in row.answer
    assert row.citations >= row.supported_citations > 0


def test_without_a_server_the_question_is_asked_again(home: Path) -> None:
    model = ScriptedModel(lambda _: LlmUnavailable("It went away."))
    asked = [question("Why does a stack remove the last element first?")]
    (row,) = ask(loaded(home, "chain_of_teach", model), asked, served="scripted", name="chain_of_teach")
    assert row.degraded
    assert not row.was_asked


def test_plain_prompt_asks_without_the_chain(home: Path) -> None:
    seen = {}
    for name in ("chain_of_teach", "plain_prompt"):
        model = ScriptedModel(lambda _: GROUNDED)
        asked = [question("Why does a stack remove the last element first?", kind="complex")]
        ask(loaded(home, name, model), asked, served="scripted", name=name)
        seen[name] = [message.content for message in model.asked[0]]
    assert seen["chain_of_teach"] != seen["plain_prompt"]


def test_a_model_alone_is_shown_no_material_and_a_server_that_is_away_is_asked_again(home: Path) -> None:
    model = ScriptedModel(lambda _: "The last one in is the first out.")
    known = loaded(home, "model_alone", model)
    assert who_answers(SYSTEMS["plain_prompt"], known, model, Settings(home=home)) is known.assistant
    alone = who_answers(SYSTEMS["model_alone"], known, model, Settings(home=home))
    found: list[SystemAnswer] = []
    asking = Asking("model_alone", "scripted", 1)
    asyncio.run(answer_all(asking, [STACK], knowledge=known, assistant=alone, done=found.append))
    (row,) = found
    assert (row.route, row.answer, row.top, row.hit_rank) == ("teach", "The last one in is the first out.", (), None)
    assert row.rouge1 == pytest.approx(1.0)
    assert row.grounded is not True
    ((_, asked),) = model.asked
    assert "element added" not in asked.content
    gone = ModelAlone(
        ScriptedModel(lambda _: LlmUnavailable("gone")), known.graph, Settings(home=home), index_version="i"
    )
    asyncio.run(answer_all(asking, [STACK], knowledge=known, assistant=gone, done=found.append))
    assert not found[-1].was_asked


def test_without_safeguards_nothing_is_declined(home: Path) -> None:
    model = ScriptedModel(lambda _: GROUNDED)
    asked = [question("Which of the following is a stack?")]
    (guarded,) = ask(loaded(home, "chain_of_teach", model), asked, served="scripted")
    (unguarded,) = ask(loaded(home, "without_safeguards", model), asked, served="scripted")
    assert guarded.route == "clarify"
    assert unguarded.route not in ("clarify", "refuse")


class Intents:
    """An intent model that notes what it is given."""

    version = "noting"

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def alpha_for(self, question: str) -> float:
        return 0.5

    def classify(self, question: str, *, previous: str = "", course: str = "") -> "Intents":
        self.seen.append((previous, course))
        return self

    category, h, complex = "simple", 0.0, 0.0


def test_without_context_the_intent_model_reads_the_question_alone() -> None:
    noting = Intents()
    WithoutContext(noting).classify("And a queue?", previous="What is a stack?", course="Data structures")
    assert noting.seen == [("", "")]


def evidence(number: int, text: str) -> Evidence:
    return Evidence(number, f"e{number}", "faq", "ds", "", text)


def test_citations_are_counted_by_hand(home: Path) -> None:
    """Three statements: one with the right mark, one with the wrong mark, one with none."""
    said = (
        "Late homework costs ten percent for each day [1]. The final exam takes three hours in the great hall [1]. "
        "Every student may bring one page of notes."
    )
    pieces = (
        evidence(1, "Late homework costs ten percent for each day."),
        evidence(2, "The final exam takes three hours in the great hall. Every student may bring one page of notes."),
    )
    assert counted(home, said, pieces) == (3, 1, 2, 1)


def test_a_mark_before_a_line_cites_for_the_line_and_headings_and_hints_claim_nothing(home: Path) -> None:
    said = (
        "From the course material:\n- [1] Late homework costs ten percent for each day. Homework handed in after "
        "a week is not marked.\n\nFirst watch Stacks and queues from 03:12: stack [2]"
    )
    pieces = (
        evidence(1, "Late homework costs ten percent for each day. Homework handed in after a week is not marked."),
        evidence(2, "The final exam takes three hours in the great hall."),
    )
    assert counted(home, said, pieces) == (2, 2, 2, 2)


def test_assembled_material_is_supported_by_what_it_was_assembled_from(home: Path) -> None:
    (row,) = ask(loaded(home, DEFAULT), [question("stack or queue, which one for late submission?")])
    assert row.route == "teach"
    assert row.citations == row.supported_citations > 0
    assert row.grounded is None, "without a model there is nothing to measure"


@pytest.mark.parametrize(("written", "grounded"), [(GROUNDED, True), ("Stacks were invented by Ada in Paris.", False)])
def test_only_what_a_model_wrote_can_be_unsupported(home: Path, written: str, *, grounded: bool) -> None:
    asked = [question("Why does a stack remove the last element first?")]
    model = ScriptedModel(lambda _: written)
    (row,) = ask(loaded(home, "without_safeguards", model), asked, served="scripted", name="without_safeguards")
    assert (row.model, row.grounded) == ("scripted-not-a-model", grounded)


def counted(home: Path, said: str, pieces: tuple[Evidence, ...]) -> tuple[int, int, int, int]:
    knowledge = loaded(home, DEFAULT)
    given = asyncio.run(knowledge.assistant.answer("What are the rules?", course_id="ds"))
    found = count_citations(replace(given, text=said, route="teach", evidence=pieces, referred=(), references=()))
    assert found is not None
    return found.statements, found.supported_statements, found.citations, found.supported_citations


def test_routes_that_answer_nothing_cite_nothing(home: Path) -> None:
    knowledge = loaded(home, DEFAULT)
    given = asyncio.run(knowledge.assistant.answer("What is a stack?", course_id="ds"))
    assert count_citations(replace(given, route="refuse")) is None


def test_a_run_that_was_killed_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "begun.jsonl"
    begun = UnfinishedRun(path, "a")
    begun.keep(answer(1))
    begun.keep(answer(2))
    path.write_text(path.read_text() + '{"system": "retr')
    assert sorted(UnfinishedRun(path, "a").rows) == ["q001", "q002"]
    assert UnfinishedRun(path, "a").rows["q001"] == answer(1)


def test_a_line_separator_in_an_answer_loses_nothing(tmp_path: Path) -> None:
    said = answer(1, answer="one\u2028two\x85three")
    UnfinishedRun(tmp_path / "begun.jsonl", "a").keep(said)
    assert UnfinishedRun(tmp_path / "begun.jsonl", "a").rows == {"q001": said}


def test_answers_of_another_index_are_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "begun.jsonl"
    UnfinishedRun(path, fingerprint({"index": "1"})).keep(answer(1))
    assert UnfinishedRun(path, fingerprint({"index": "2"})).rows == {}


def test_a_row_of_a_server_that_was_away_is_not_kept(tmp_path: Path) -> None:
    begun = UnfinishedRun(tmp_path / "begun.jsonl", "a")
    begun.keep(answer(1, served="Small", error="LlmUnavailable: It went away."))
    assert begun.rows == {}


def test_the_version_of_answers_does_not_know_how_long_they_took() -> None:
    assert version_of([answer(1, total_ms=1.0)]) == version_of([answer(1, total_ms=99.0)])
    assert version_of([answer(1)]) != version_of([answer(1, answer="A queue.")])


def many(count: int, **more: object) -> list[EvaluationQuestion]:
    return [question(f"Question {number}?", **more) for number in range(count)]


def test_a_sample_is_half_complex_and_in_the_models_languages() -> None:
    hard = [replace(one, question_id=f"hard {one.question_id}", kind="complex") for one in many(30)]
    chinese = [replace(one, question_id=f"zh {one.question_id}", lang="zh") for one in many(30)]
    found = sample([*many(30), *hard, *chinese], languages=["en"], per_language=10)
    assert [one.kind for one in found] == ["simple"] * 5 + ["complex"] * 5
    assert {one.lang for one in found} == {"en"}


def test_a_sample_without_complex_questions_is_full_all_the_same() -> None:
    assert len(sample(many(30), languages=["en"], per_language=10)) == 10


def test_the_same_questions_are_drawn_when_others_are_added() -> None:
    first = sample(many(30), languages=["en"], per_language=10)
    second = sample(many(32), languages=["en"], per_language=10)
    assert len({one.question_id for one in first} & {one.question_id for one in second}) >= 8


def test_public_questions_are_for_systems_without_a_model() -> None:
    both = [STACK, question("试探", section="public", course_id=None, gold=())]
    chosen = {"languages": ["en", "zh"], "per_language": 5}
    assert questions_for(SYSTEMS[DEFAULT], both, **chosen) == tuple(both)
    assert questions_for(SYSTEMS["chain_of_teach"], both, **chosen) == (STACK,)


def test_every_systems_settings_are_settings() -> None:
    for one in SYSTEMS.values():
        assert set(one.overrides) <= set(Settings.model_fields), one.name
        Settings.model_validate(one.overrides)


def test_answers_of_two_models_have_two_files() -> None:
    assert file_name("chain_of_teach", "models/Small-1.5B") == "chain_of_teach@small_1_5b"


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_settings_of_every_system_are_ones_that_the_gateway_takes(name: str, tmp_path: Path) -> None:
    settings = Settings.model_validate({"home": tmp_path} | SYSTEMS[name].overrides)
    assert settings.languages == (("en",) if SYSTEMS[name].needs_model else ())
