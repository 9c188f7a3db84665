"""`fine_tune`: a small language model learns to answer from its notes, by low-rank adapters (Hu et al. 2021, LoRA).

Only the answer is learnt, never the prompt. The adapters are merged into the weights, so that any server serves the
result as it serves the model that it was made from. transformers' trainer takes a GPU where there is one.
"""

import math
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    DataCollatorForSeq2Seq,
    PreTrainedTokenizerBase,
    PrinterCallback,
    Trainer,
    TrainerCallback,
    TrainerControl,
    TrainerState,
    TrainingArguments,
)
from transformers.utils import logging as transformers_logging

from models.progress import OnProgress, TrainingProgress, ignore_progress, seed_everything
from models.tutor.lessons import TutorCard, TutorLesson, lessons_digest
from models.versions import publish, staging

_IGNORED = -100
"""The label of tokens that are not learnt, as torch's cross-entropy has it."""


@dataclass(frozen=True)
class TutorSettings:
    """How it is learnt. Choices; `threads` is one for the reason that `AlbertSettings` gives."""

    rank: int = 16
    alpha: int = 32
    dropout: float = 0.05
    learning_rate: float = 1e-3
    epochs: int = 1
    batch: int = 4
    longest: int = 768
    """Tokens of a prompt with its answer; longer lessons are left out."""
    max_minutes: float = 10.0
    """After which the learning rate would still be high: what was learnt by then is kept, and it is said."""
    seed: int = 13
    threads: int = 1


@dataclass(frozen=True)
class TutorReport:
    """What a fine-tuning did. Losses are means per token of the lessons that were held out, before and after; `None`
    where none was."""

    version: str
    lessons: int
    held_out: int
    left_out: int
    steps: int
    planned_steps: int
    stopped_by_time: bool
    loss_before: float | None
    loss_after: float | None
    curve: tuple[tuple[int, float], ...]
    trained_weights: int
    all_weights: int
    seconds: float
    device: str


def fine_tune(
    lessons: Sequence[TutorLesson],
    *,
    base: str,
    folder: Path,
    settings: TutorSettings,
    adapters: Path | None = None,
    on_progress: OnProgress = ignore_progress,
) -> TutorReport:
    """Fine-tune `base`, a folder or a hub's id, and publish it below `folder` in the Hugging Face layout.

    `adapters`, if given, gets the low-rank weights alone. Raises `ValueError` where there is nothing to learn.
    """
    started = time.monotonic()
    seed_everything(settings.seed, threads=settings.threads)
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    tokenizer = AutoTokenizer.from_pretrained(base)
    encoded = {one.lesson_id: encode(tokenizer, one) for one in lessons}
    usable = [one for one in lessons if len(encoded[one.lesson_id]["input_ids"]) <= settings.longest]
    learnt = [encoded[one.lesson_id] for one in usable if not one.is_held_out]
    held_out = [encoded[one.lesson_id] for one in usable if one.is_held_out]
    if not learnt:
        raise ValueError(f"Nothing to learn: none of {len(lessons)} lessons has at most {settings.longest} tokens.")
    model = _with_adapters(base, settings)
    clock = _Clock(settings.max_minutes * 60, on_progress)
    with TemporaryDirectory() as scratch:
        trainer = Trainer(
            model=model,
            args=_arguments(settings, scratch, steps=_steps(len(learnt), settings)),
            train_dataset=learnt,
            eval_dataset=held_out or None,
            data_collator=DataCollatorForSeq2Seq(tokenizer, label_pad_token_id=_IGNORED),
            callbacks=[clock],
        )
        trainer.remove_callback(PrinterCallback)
        before = _loss(trainer) if held_out else None
        clock.start()
        trainer.train()
        after = _loss(trainer) if held_out else None
    device = str(trainer.args.device)
    trained, everything = model.get_nb_trainable_parameters()
    if adapters is not None:
        model.save_pretrained(str(adapters))
    card = TutorCard(
        Path(base).name,
        len(learnt),
        lessons_digest(lessons),
        tuple(sorted({one_id for one in usable for one_id in one.learnt})),
    )
    version = _publish(model, base, folder, card)
    return TutorReport(
        version=version,
        lessons=len(learnt),
        held_out=len(held_out),
        left_out=len(lessons) - len(usable),
        steps=trainer.state.global_step,
        planned_steps=_steps(len(learnt), settings),
        stopped_by_time=clock.is_over,
        loss_before=before,
        loss_after=after,
        curve=tuple(clock.curve),
        trained_weights=trained,
        all_weights=everything,
        seconds=time.monotonic() - started,
        device=device,
    )


def encode(tokenizer: PreTrainedTokenizerBase, lesson: TutorLesson) -> dict[str, list[int]]:
    """A lesson as tokens of the model's own chat template; the labels are its answer and the end of the turn.

    Raises `ValueError` for a template whose prompt is not the beginning of the dialogue.
    """
    asked = [{"role": role, "content": text} for role, text in lesson.prompt]
    prompt = _tokens(tokenizer, asked, is_asked=True)
    whole = _tokens(tokenizer, [*asked, {"role": "assistant", "content": lesson.answer}], is_asked=False)
    if whole[: len(prompt)] != prompt:
        raise ValueError("The chat template of the model does not begin a dialogue with its prompt; it cannot learn.")
    labels = [*[_IGNORED] * len(prompt), *whole[len(prompt) :]]
    return {"input_ids": whole, "attention_mask": [1] * len(whole), "labels": labels}


def settings_as_params(settings: TutorSettings) -> Mapping[str, str | int | float]:
    """For MLflow."""
    return asdict(settings)


def _tokens(tokenizer: PreTrainedTokenizerBase, turns: list[dict[str, str]], *, is_asked: bool) -> list[int]:
    found = tokenizer.apply_chat_template(turns, add_generation_prompt=is_asked, tokenize=False)
    return [int(token) for token in tokenizer(str(found), add_special_tokens=False)["input_ids"]]


def _with_adapters(base: str, settings: TutorSettings) -> PeftModel:
    """The model with low-rank adapters on every linear layer; the rest of its weights stay as they are."""
    model = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    model.config.use_cache = False
    adapters = LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )
    adapted = get_peft_model(model, adapters)
    if not isinstance(adapted, PeftModel):
        raise TypeError(f"Expected a model with adapters of one kind; found {type(adapted).__name__}.")
    return adapted


def _steps(lessons: int, settings: TutorSettings) -> int:
    return settings.epochs * math.ceil(lessons / settings.batch)


def _arguments(settings: TutorSettings, scratch: str, *, steps: int) -> TrainingArguments:
    """On a processor lessons go one at a time, for padding costs time there; the gradient is that of a batch."""
    on_gpu = torch.cuda.is_available()
    together = settings.batch if on_gpu else 1
    return TrainingArguments(
        output_dir=scratch,
        per_device_train_batch_size=together,
        per_device_eval_batch_size=together,
        gradient_accumulation_steps=settings.batch // together,
        max_steps=steps,
        learning_rate=settings.learning_rate,
        lr_scheduler_type="cosine",
        warmup_steps=max(1, steps // 20),
        bf16=on_gpu and torch.cuda.is_bf16_supported(),
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        dataloader_pin_memory=on_gpu,
        seed=settings.seed,
    )


def _loss(trainer: Trainer) -> float:
    return float(trainer.evaluate()["eval_loss"])


def _publish(model: PeftModel, base: str, folder: Path, card: TutorCard) -> str:
    """Merge the adapters and publish the whole model, with the tokenizer and template that it was made from."""
    merged = model.merge_and_unload().to(torch.bfloat16)
    merged.config.use_cache = True
    with staging(folder) as staged:
        merged.save_pretrained(staged)
        if Path(base).is_dir():
            for file in Path(base).iterdir():  # as other versions of the library wrote them: servers read those
                if file.is_file() and file.suffix != ".safetensors" and not file.name.startswith("."):
                    shutil.copy(file, staged / file.name)
        else:
            AutoTokenizer.from_pretrained(base).save_pretrained(staged)
        card.write(staged)
        return publish(folder, staged)


class _Clock(TrainerCallback):
    """Tells how the training goes, and ends it when its time is up."""

    def __init__(self, seconds: float, on_progress: OnProgress) -> None:
        self._seconds, self._on_progress = seconds, on_progress
        self._deadline = math.inf
        self.is_over = False
        self.curve: list[tuple[int, float]] = []

    def start(self) -> None:
        self._deadline = time.monotonic() + self._seconds

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> TrainerControl:
        if time.monotonic() > self._deadline and state.global_step < state.max_steps:
            self.is_over = control.should_training_stop = True
        return control

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: Mapping[str, float] | None = None,
        **kwargs: Any,
    ) -> None:
        if logs is not None and "loss" in logs:
            self.curve.append((state.global_step, float(logs["loss"])))
            self._on_progress(
                TrainingProgress("lessons", state.global_step, state.max_steps, {"loss": float(logs["loss"])})
            )
