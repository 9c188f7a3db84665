"""An embedding model of the usual layout, small enough to make in a test; random weights, always the same."""

import json
from pathlib import Path

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

WORDS = "[PAD] [UNK] [CLS] [SEP] how do i install ? installation steps the exam date is on monday a heap tree".split()


def write_tiny_embedder(folder: Path, *, pooling: str = "mean_tokens", seed: int = 3, dimension: int = 16) -> Path:
    """Write the model to `folder` as sentence-transformers lays it out, and return the folder."""
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=dimension,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        initializer_range=0.5,
    )
    BertModel(config).save_pretrained(folder)
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )
    wrapped.save_pretrained(folder)
    steps = ("Transformer", "Pooling", "Normalize")
    write_json(folder / "modules.json", [{"type": f"sentence_transformers.models.{step}"} for step in steps])
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 32})
    write_json(folder / "1_Pooling" / "config.json", {f"pooling_mode_{pooling}": True, "word_embedding_dimension": 16})
    return folder


def write_json(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
