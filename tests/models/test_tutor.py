"""A real, tiny language model learns answers, and is published as the server will read it."""

from dataclasses import replace
from pathlib import Path

import mlflow
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from knowledge_graph.lake.home import DataDir
from models.progress import TrainingProgress
from models.tracking.tutor import REGISTERED, TutorRecord, log_tutor
from models.tutor.fine_tuning import TutorReport, TutorSettings, encode, fine_tune
from models.tutor.lessons import CARD, TutorLesson, may_learn, read_card
from models.versions import current_folder

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning", "ignore::DeprecationWarning")

WORDS = (
    "a stack removes the item added last queue first what is ? . system user assistant notes do not say that".split()
)
TEMPLATE = (
    "{% for m in messages %}<s> {{ m['role'] }} {{ m['content'] }} </s> {% endfor %}"
    "{% if add_generation_prompt %}<s> assistant {% endif %}"
)
QUICK = TutorSettings(rank=4, alpha=8, dropout=0.0, learning_rate=0.03, epochs=8, batch=2, threads=1)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Llama of two layers over a vocabulary of words, untrained."""
    folder = tmp_path_factory.mktemp("base")
    vocabulary = {word: place for place, word in enumerate(["<s>", "</s>", "<pad>", "<unk>", *dict.fromkeys(WORDS)])}
    words = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>"
    )
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    torch.manual_seed(1)
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=64,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return str(folder)


def lesson(number: int, answer: str = "a stack removes the item added last .") -> TutorLesson:
    prompt = (("system", "notes"), ("user", "what is a stack ?"))
    return TutorLesson(f"l{number}", "definition", prompt, answer, (f"e{number}",))


LESSONS = [lesson(number) for number in range(24)]


@pytest.fixture(scope="module")
def taught(
    base: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[TutorReport, Path, Path, list[TrainingProgress]]:
    home, told = tmp_path_factory.mktemp("home"), list[TrainingProgress]()
    adapters = home / "adapters"
    report = fine_tune(
        LESSONS, base=base, folder=home / "tutor", settings=QUICK, adapters=adapters, on_progress=told.append
    )
    return report, home / "tutor", adapters, told


Taught = tuple[TutorReport, Path, Path, list[TrainingProgress]]


def test_only_the_answer_is_learnt(base: str) -> None:
    tokenizer = AutoTokenizer.from_pretrained(base)
    found = encode(tokenizer, lesson(1, "that is last ."))
    learnt = [token for token in found["labels"] if token != -100]
    assert tokenizer.decode(learnt) == "that is last . </s>"
    assert len(found["labels"]) == len(found["input_ids"]) == len(found["attention_mask"])


def test_what_was_held_out_is_told_better_than_before(taught: Taught) -> None:
    report = taught[0]
    assert report.held_out > 0
    assert report.loss_before is not None
    assert report.loss_after is not None
    assert report.loss_after < report.loss_before - 0.3
    assert report.steps == report.planned_steps
    assert not report.stopped_by_time


def test_few_of_the_weights_are_trained(taught: Taught) -> None:
    assert 0 < taught[0].trained_weights < taught[0].all_weights / 2


def test_a_server_reads_what_is_published_as_it_reads_the_model_it_was_made_from(taught: Taught, base: str) -> None:
    folder = current_folder(taught[1], what="tutor model", remedy="")
    assert {path.name for path in Path(base).iterdir()} <= {path.name for path in folder.iterdir()}
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    asked = tokenizer.apply_chat_template(
        [{"role": role, "content": text} for role, text in LESSONS[0].prompt],
        add_generation_prompt=True,
        return_tensors="pt",
        return_dict=True,
    )
    said = model.generate(**asked, max_new_tokens=9, do_sample=False, pad_token_id=2)
    assert tokenizer.decode(said[0, asked["input_ids"].shape[1] :]).startswith("a stack removes the item added last .")


def test_the_card_says_what_was_learnt_from(taught: Taught) -> None:
    report, folder, _, _ = taught
    card = read_card(folder / report.version)
    assert card is not None
    assert card.learnt == tuple(sorted(one.learnt[0] for one in LESSONS))
    assert read_card(folder) is None
    (folder / "broken").mkdir()
    (folder / "broken" / CARD).write_text("{", encoding="utf-8")
    assert read_card(folder / "broken") is None


def test_a_training_tells_how_it_goes(taught: Taught) -> None:
    report, _, _, told = taught
    assert [one.done for one in told] == [step for step, _ in report.curve]
    assert told[-1].total == report.planned_steps
    assert report.curve[-1][1] < report.curve[0][1]


def test_a_training_ends_in_time_and_says_so(base: str, tmp_path: Path) -> None:
    hurried = replace(QUICK, max_minutes=0.0)
    report = fine_tune(LESSONS, base=base, folder=tmp_path, settings=hurried)
    assert report.stopped_by_time
    assert report.steps == 1 < report.planned_steps


def test_lessons_that_are_too_long_are_left_out_and_nothing_at_all_is_an_error(base: str, tmp_path: Path) -> None:
    long = lesson(99, "last " * 60)
    report = fine_tune([*LESSONS, long], base=base, folder=tmp_path, settings=replace(QUICK, longest=40, epochs=1))
    assert report.left_out == 1
    with pytest.raises(ValueError, match="Nothing to learn"):
        fine_tune([long], base=base, folder=tmp_path, settings=replace(QUICK, longest=40))


def test_about_half_of_all_evidence_is_left_for_the_exam() -> None:
    assert 400 < sum(may_learn(f"evidence {number}") for number in range(1000)) < 600


def test_a_training_is_a_run_in_mlflow_with_its_adapters_registered(taught: Taught, tmp_path: Path) -> None:
    report, _, adapters, _ = taught
    record = TutorRecord(
        report.version, "base", {"rank": 4}, {"steps": report.steps}, report.curve, [{"lesson_id": "l1"}], adapters
    )
    data_dir = DataDir(tmp_path)
    first, second = log_tutor(record, data_dir=data_dir), log_tutor(record, data_dir=data_dir)
    assert (first.model_version, second.model_version) == (1, 2)
    client = mlflow.MlflowClient()
    assert int(client.get_model_version_by_alias(REGISTERED, "challenger").version) == 2
    assert len(client.get_metric_history(first.run_id, "training.lessons.loss")) == len(report.curve)
    names = {file.path for file in client.list_artifacts(first.run_id, "adapters")}
    assert "adapters/adapter_model.safetensors" in names
