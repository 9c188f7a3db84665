"""The network: an encoder, ALBERT by default, with a linear head over the six categories (LittleMu eq. 3 and 4).

How it learns is not here.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase
from transformers.utils import logging as transformers_logging

from models.albert import Encoder
from models.intent.labels.categories import CATEGORIES, Floats
from models.intent.labels.examples import IntentExample
from models.intent.labels.pairs import PaddedBatch, PairEncoder
from models.intent.question_vectors import QuestionVectors
from models.intent.settings import IntentSettings
from models.intent.training.bag import NgramBag
from models.intent.training.vector_heads import VectorHeads
from models.versions import ModelBroken

_WITHOUT_POOLING = ("distilbert",)
"""Architectures that have no pooling layer to leave out."""

_NAMED = 5


class IntentNetwork(nn.Module):
    """d = encoder(previous, course, question); h = softmax(linear(d, n-grams)).

    d is the mean of the last layer over the question's tokens, not the first token's vector, beside the question's
    plain token embeddings. The part of the head over n-grams is fitted apart (bag.py) and takes `bag_share` of the
    logits: encoder and bag err on different questions. With `heads` h is the mean of that and of what they say of the
    question's sentence embedding (vector_heads.py).
    """

    def __init__(
        self, encoder: PreTrainedModel, *, dropout: float, bag_share: float, heads: VectorHeads | None = None
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        width = cast(nn.Embedding, encoder.get_input_embeddings()).embedding_dim
        self.head = nn.Linear(encoder.config.hidden_size + width, len(CATEGORIES))
        self.bag = NgramBag()
        self.heads = heads
        self._bag_share = bag_share

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        token_type_ids: Tensor,
        vectors: Tensor | None = None,
        vector_language: Tensor | None = None,
    ) -> Tensor:
        """Logits, one row per question, columns in the order of `CATEGORIES`; a network with heads needs vectors."""
        encoded = self.encode(input_ids, attention_mask, token_type_ids)
        counted: Tensor = self.bag(input_ids, attention_mask, token_type_ids)
        logits = (1 - self._bag_share) * encoded + self._bag_share * counted
        if self.heads is None:
            return logits
        found: Tensor = self.heads(logits, vectors, vector_language)
        return found

    def encode(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """The logits of the encoder alone: what fine-tuning changes."""
        segments = {"token_type_ids": token_type_ids} if _knows_segments(self.encoder) else {}
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask, **segments).last_hidden_state
        # The question is segment 1 and ends with [SEP], so it is never empty.
        of_question = (attention_mask * token_type_ids).unsqueeze(-1).to(hidden.dtype)
        length = of_question.sum(dim=1)
        pooled = (hidden * of_question).sum(dim=1) / length
        words = (self.encoder.get_input_embeddings()(input_ids) * of_question).sum(dim=1) / length.sqrt()
        logits: Tensor = self.head(self.dropout(torch.cat([pooled, words], dim=1)))
        return logits


def load_encoder(
    encoder: Encoder, settings: IntentSettings, vectors: QuestionVectors | None = None
) -> tuple[IntentNetwork, PairEncoder]:
    """The encoder with a fresh head, and its tokenizer. Raises `ModelBroken` when either cannot be read whole.

    With `vectors`, and a share for them, the network has heads over sentence embeddings, not fitted yet.
    """
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        tokenizer = AutoTokenizer.from_pretrained(encoder.location)
        config = AutoConfig.from_pretrained(encoder.location)
        pooling = {} if config.model_type in _WITHOUT_POOLING else {"add_pooling_layer": False}
        model, found = AutoModel.from_pretrained(
            encoder.location, attn_implementation="eager", output_loading_info=True, **pooling
        )
    except (OSError, ValueError, RuntimeError, TypeError, KeyError) as error:
        raise ModelBroken(
            f"No encoder could be read from {encoder.location} ({_first_line(error)}). COTEACH_ALBERT must be a "
            "Hugging Face model id that this machine can reach, or a folder of one: ALBERT, BERT, DistilBERT, MiniLM "
            "or XLM-R."
        ) from error
    _require_whole(encoder, found, tokenizer)
    pairs = PairEncoder.from_settings(
        tokenizer.backend_tokenizer,
        {
            "cls_id": tokenizer.cls_token_id,
            "sep_id": tokenizer.sep_token_id,
            "pad_id": tokenizer.pad_token_id,
            "max_length": min(settings.max_length, model.config.max_position_embeddings),
            "reads_course": settings.reads_course,
            "reads_previous": settings.reads_previous,
        },
    )
    heads = VectorHeads(vectors) if vectors is not None and settings.embedding_share else None
    return IntentNetwork(model, dropout=settings.dropout, bag_share=settings.bag_share, heads=heads), pairs


def _require_whole(encoder: Encoder, found: Mapping[str, Collection[str]], tokenizer: PreTrainedTokenizerBase) -> None:
    """Raises `ModelBroken` for an encoder some of whose layers would be random numbers, or that has no such tokens."""
    lacking = sorted(
        str(name) for name in [*found["missing_keys"], *found["mismatched_keys"]] if "pooler" not in str(name)
    )
    lacking += [
        f"the tokenizer's {name}" for name in ("cls_token", "sep_token", "pad_token") if not getattr(tokenizer, name)
    ]
    if lacking:
        more = f" and {len(lacking) - _NAMED} more" if len(lacking) > _NAMED else ""
        raise ModelBroken(
            f"The encoder in {encoder.location} lacks {', '.join(lacking[:_NAMED])}{more}: they would be random. Its "
            "config.json names another architecture than its weights have, or the weights are cut."
        )


def _knows_segments(encoder: PreTrainedModel) -> bool:
    """Whether it tells the context from the question by itself: DistilBERT and XLM-R do not."""
    return int(getattr(encoder.config, "type_vocab_size", 0)) > 1


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def tensors(batch: PaddedBatch) -> tuple[Tensor, Tensor, Tensor]:
    """The model's positional arguments."""
    arrays = (batch.input_ids, batch.attention_mask, batch.token_type_ids)
    ids, mask, segments = (torch.from_numpy(array) for array in arrays)
    return ids, mask, segments


def beside_tokens(model: IntentNetwork, questions: Sequence[str]) -> tuple[Tensor, ...]:
    """The model's positional arguments after those of `tensors`: none for a network without heads."""
    return () if model.heads is None else model.heads.inputs(questions)


def predict(model: IntentNetwork, pairs: PairEncoder, examples: Sequence[IntentExample], size: int = 64) -> Floats:
    """One row per example, one column per category in the order of `CATEGORIES`; rows sum to 1."""
    model.eval()
    rows = [pairs.encode(example.previous, example.course, example.question) for example in examples]
    order = sorted(range(len(rows)), key=lambda index: len(rows[index][0]))
    found = np.zeros((len(rows), len(CATEGORIES)))
    with torch.inference_mode():
        for start in range(0, len(order), size):
            chosen = order[start : start + size]
            beside = beside_tokens(model, [examples[index].question for index in chosen])
            logits = model(*tensors(pairs.pad([rows[index] for index in chosen])), *beside)
            found[chosen] = torch.softmax(logits.double(), dim=-1).numpy()
    return found
