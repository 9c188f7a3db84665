"""The ALBERT encoder: a compact one with a tokenizer of its own, pre-trained here, or one from a hub or a path.

What the encoder is used for is not decided here.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Literal

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers
from transformers import AlbertConfig, AlbertForMaskedLM, PreTrainedTokenizerFast
from transformers.utils import logging as transformers_logging

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from models.kept_trainings import KeptTrainings
from models.masked_language import (
    CLS,
    MASK,
    PAD,
    SEP,
    SPECIAL,
    UNK,
    MaskedSettings,
    initialise_from_counts,
    token_blocks,
    train_masked,
)
from models.progress import OnProgress, ignore_progress, seed_everything
from models.versions import current_folder, publish, staging


@dataclass(frozen=True)
class AlbertSettings:
    """Size of the encoder and its pre-training.

    As large as a few thousand labelled questions can use: on two splits of 2,100 Chinese ones four layers of 256 gave
    the chit-chat AUC .907 and macro-F1 .518, these two layers of 192 .906 and .530, in 40 % of the time.
    """

    vocabulary: int = 6000
    embedding: int = 128
    hidden: int = 192
    layers: int = 2
    heads: int = 4
    intermediate: int = 384
    max_length: int = 64
    """Tokens of the longest input."""
    masked: MaskedSettings = field(default_factory=MaskedSettings)
    threads: int = 1
    """Two are faster on an idle machine, but OpenMP threads that wait for a busy core spin: under load two were more
    than ten times slower than one, unless OMP_WAIT_POLICY=PASSIVE was set before Python started."""


@dataclass(frozen=True)
class Encoder:
    """Where an encoder is and where it came from."""

    location: str
    """A folder, or a hub's model id."""
    origin: Literal["trained here", "path", "hub"]
    name: str
    """The version, folder name and digest, or model id: the same on every machine."""


@dataclass(frozen=True)
class PretrainReport:
    """What a pre-training did; `curve` holds (step, masked-language-modelling loss)."""

    version: str
    parameters: int
    vocabulary: int
    tokens: int
    steps: int
    stopped_by_time: bool
    curve: tuple[tuple[int, float], ...]
    seconds: float
    was_kept: bool = False
    """Whether the same training was done before on this machine, and its result was taken."""


def pretrain_or_take(
    texts: Sequence[str],
    *,
    data_dir: DataDir,
    settings: AlbertSettings,
    kept: KeptTrainings,
    on_progress: OnProgress = ignore_progress,
) -> PretrainReport:
    """What `pretrain_albert` publishes, taken from a training on the same texts where one is kept."""

    def train() -> tuple[PretrainReport, dict[str, bytes]]:
        report = pretrain_albert(texts, data_dir=data_dir, settings=settings, on_progress=on_progress)
        folder = data_dir.albert / report.version
        return report, {path.name: path.read_bytes() for path in folder.iterdir()}

    inputs = {"texts": texts, "settings": asdict(settings)}
    (report, files), was_kept = kept.get("albert", inputs, train, is_whole=lambda made: not made[0].stopped_by_time)
    if was_kept:
        with staging(data_dir.albert) as staged:
            for name, content in files.items():
                (staged / name).write_bytes(content)
            publish(data_dir.albert, staged)
    return replace(report, was_kept=was_kept)


def pretrain_albert(
    texts: Sequence[str],
    *,
    data_dir: DataDir,
    settings: AlbertSettings,
    on_progress: OnProgress = ignore_progress,
) -> PretrainReport:
    """Train tokenizer and encoder on `texts` and publish them under the home in the Hugging Face layout.

    The same texts and settings give the same version, as long as the time budget does not bite. Raises `ValueError`
    when the texts hold less than one training sequence.
    """
    started = time.monotonic()
    seed_everything(settings.masked.seed, threads=settings.threads)
    tokenizer = train_tokenizer(texts, vocabulary=settings.vocabulary)
    blocks = token_blocks(tokenizer, texts, settings.masked.block)
    if not len(blocks):
        raise ValueError(
            f"Pre-training needs at least {settings.masked.block - 1} tokens; the {len(texts)} texts given hold fewer. "
            "Add a course with subtitles."
        )
    model = AlbertForMaskedLM(albert_config(tokenizer.get_vocab_size(), settings))
    initialise_from_counts(model, blocks, seed=settings.masked.seed)
    run = train_masked(model, blocks, settings.masked, on_progress)
    with staging(data_dir.albert) as staged:
        save_encoder(model, tokenizer, staged, max_length=settings.max_length)
        version = publish(data_dir.albert, staged)
    return PretrainReport(
        version=version,
        parameters=sum(weights.numel() for weights in model.parameters()),
        vocabulary=tokenizer.get_vocab_size(),
        tokens=int(blocks.size),
        steps=run.curve[-1][0],
        stopped_by_time=run.stopped_by_time,
        curve=run.curve,
        seconds=time.monotonic() - started,
    )


def resolve_encoder(setting: str | None, *, data_dir: DataDir) -> Encoder:
    """The encoder to fine-tune: what `COTEACH_ALBERT` says (a folder or a hub's id), else the one trained here.

    Raises `ModelMissing` when there is neither.
    """
    if setting and Path(setting).is_dir():
        folder = Path(setting).resolve()
        return Encoder(str(folder), "path", f"{folder.name}@{digest(folder)[:16]}")
    if setting:
        return Encoder(setting, "hub", setting)
    folder = current_folder(
        data_dir.albert, what="pre-trained ALBERT", remedy="Materialize `albert_pretrained`, or set COTEACH_ALBERT."
    )
    return Encoder(str(folder), "trained here", folder.name)


def train_tokenizer(texts: Sequence[str], *, vocabulary: int) -> Tokenizer:
    """Byte-pair encoding, lower-case, Chinese by character, trained on `texts`; same texts, same tokenizer.

    Not WordPiece: its trainer numbers tokens in the order of a randomly seeded hash map (tokenizers 0.23), so that two
    trainings on the same texts differ.
    """
    tokenizer = Tokenizer(models.BPE(unk_token=UNK))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary, min_frequency=2, special_tokens=list(SPECIAL), show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def albert_config(vocabulary: int, settings: AlbertSettings) -> AlbertConfig:
    return AlbertConfig(
        vocab_size=vocabulary,
        embedding_size=settings.embedding,
        hidden_size=settings.hidden,
        num_hidden_layers=settings.layers,
        num_attention_heads=settings.heads,
        intermediate_size=settings.intermediate,
        max_position_embeddings=settings.max_length,
        type_vocab_size=2,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        pad_token_id=SPECIAL.index(PAD),
        bos_token_id=SPECIAL.index(CLS),
        eos_token_id=SPECIAL.index(SEP),
    )


def save_encoder(model: AlbertForMaskedLM, tokenizer: Tokenizer, folder: Path, *, max_length: int) -> None:
    """Write encoder and tokenizer as `from_pretrained` reads them."""
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    model.albert.save_pretrained(folder)
    wrapped = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        model_max_length=max_length,
        pad_token=PAD,
        unk_token=UNK,
        cls_token=CLS,
        sep_token=SEP,
        mask_token=MASK,
    )
    wrapped.save_pretrained(folder)
