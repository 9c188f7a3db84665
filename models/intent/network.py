"""The network: ALBERT with a linear head over the six categories (LittleMu eq. 3 and 4). How it learns is not here."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from transformers import AlbertModel, AutoTokenizer
from transformers.utils import logging as transformers_logging

from models.albert import Encoder
from models.intent.bag import NgramBag
from models.intent.categories import CATEGORIES, Floats
from models.intent.examples import IntentExample
from models.intent.pairs import Batch, PairEncoder
from models.versions import ModelBroken


class AlbertClassifier(nn.Module):
    """d = ALBERT(previous, course, question); h = softmax(linear(d, n-grams)).

    d is the mean of the last layer over the question's tokens, not the first token's vector, beside the question's
    plain token embeddings. The part of the head over n-grams is fitted apart (bag.py) and takes `bag_share` of the
    logits: encoder and bag err on different questions.
    """

    def __init__(self, albert: AlbertModel, *, dropout: float, bag_share: float) -> None:
        super().__init__()
        self.albert = albert
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(albert.config.hidden_size + albert.config.embedding_size, len(CATEGORIES))
        self.bag = NgramBag()
        self._bag_share = bag_share

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Logits, one row per question, columns in the order of `CATEGORIES`."""
        encoded = self.encoded(input_ids, attention_mask, token_type_ids)
        counted: Tensor = self.bag(input_ids, attention_mask, token_type_ids)
        return (1 - self._bag_share) * encoded + self._bag_share * counted

    def encoded(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """The logits of ALBERT alone: what fine-tuning changes."""
        hidden = self.albert(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        # The question is segment 1 and ends with [SEP], so it is never empty.
        of_question = (attention_mask * token_type_ids).unsqueeze(-1).to(hidden.dtype)
        length = of_question.sum(dim=1)
        pooled = (hidden * of_question).sum(dim=1) / length
        words = (self.albert.embeddings.word_embeddings(input_ids) * of_question).sum(dim=1) / length.sqrt()
        logits: Tensor = self.head(self.dropout(torch.cat([pooled, words], dim=1)))
        return logits


def load_encoder(
    encoder: Encoder, *, dropout: float, bag_share: float, max_length: int
) -> tuple[AlbertClassifier, PairEncoder]:
    """The encoder with a fresh head, and its tokenizer. Raises `ModelBroken` when either cannot be read."""
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        tokenizer = AutoTokenizer.from_pretrained(encoder.location)
        albert = AlbertModel.from_pretrained(encoder.location, add_pooling_layer=False, attn_implementation="eager")
    except (OSError, ValueError) as error:
        raise ModelBroken(
            f"No ALBERT could be read from {encoder.location} ({error}). "
            "COTEACH_ALBERT must be a Hugging Face model id that this machine can reach, or a folder of one."
        ) from error
    longest = min(max_length, albert.config.max_position_embeddings)
    ids = {"cls_id": tokenizer.cls_token_id, "sep_id": tokenizer.sep_token_id, "pad_id": tokenizer.pad_token_id}
    pairs = PairEncoder.from_settings(tokenizer.backend_tokenizer, {**ids, "max_length": longest})
    return AlbertClassifier(albert, dropout=dropout, bag_share=bag_share), pairs


def tensors(batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """The model's positional arguments."""
    arrays = (batch.input_ids, batch.attention_mask, batch.token_type_ids)
    ids, mask, segments = (torch.from_numpy(array) for array in arrays)
    return ids, mask, segments


def predict(model: AlbertClassifier, pairs: PairEncoder, examples: Sequence[IntentExample], size: int = 64) -> Floats:
    """One row per example, one column per category in the order of `CATEGORIES`; rows sum to 1."""
    model.eval()
    rows = [pairs.encode(example.previous, example.course, example.question) for example in examples]
    order = sorted(range(len(rows)), key=lambda index: len(rows[index][0]))
    found = np.zeros((len(rows), len(CATEGORIES)))
    with torch.inference_mode():
        for start in range(0, len(order), size):
            chosen = order[start : start + size]
            logits = model(*tensors(pairs.pad([rows[index] for index in chosen])))
            found[chosen] = torch.softmax(logits.double(), dim=-1).numpy()
    return found
