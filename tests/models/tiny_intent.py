"""A model small enough to train in a test."""

from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake.home import DataDir
from models.albert import AlbertSettings, PretrainReport, pretrain_albert, resolve_encoder
from models.intent.labels.categories import Category
from models.intent.labels.examples import IntentExample, split
from models.intent.release.champion import put_in_use
from models.intent.release.release import IntentReport, train_intent
from models.intent.settings import IntentSettings
from models.masked_language import MaskedSettings
from models.tracking.runs import name_champion

ALBERT = AlbertSettings(
    vocabulary=300,
    embedding=16,
    hidden=32,
    layers=1,
    heads=2,
    intermediate=32,
    max_length=32,
    masked=MaskedSettings(steps=5, batch=8, block=16),
)
SEED = 108
"""Deals every category to every split."""

INTENT = IntentSettings(epochs=12, patience=12, batch=8, learning_rate=1e-2, head_learning_rate=1e-2)

TOPICS = ("a heap", "a stack", "a queue", "a tree", "hashing", "sorting", "a graph", "recursion", "链表", "二叉树")
PATTERNS: dict[Category, str] = {
    "simple": "what is {}?",
    "complex": "why is {} better than an array, explain the difference",
    "general_chat": "hello there, my friend {}",
    "platform_faq": "when is the exam about {}",
}


def labelled() -> tuple[IntentExample, ...]:
    found = [
        IntentExample(f"{category}-{topic}", pattern.format(topic), "", "Data Structures", "", category, "en")
        for category, pattern in PATTERNS.items()
        for topic in TOPICS
    ]
    return split(found, seed=SEED)


def train(home: Path) -> tuple[PretrainReport, IntentReport]:
    data_dir = DataDir(home)
    examples = labelled()
    pretrained = pretrain_albert([one.question for one in examples] * 3, data_dir=data_dir, settings=ALBERT)
    encoder = resolve_encoder(None, data_dir=data_dir)
    report = train_intent(examples, data_dir=data_dir, encoder=encoder, settings=INTENT)
    put_in_use(data_dir)
    name_champion(report.version, data_dir=data_dir)
    return pretrained, report


@dataclass(frozen=True)
class Trained:
    data_dir: DataDir
    pretrained: PretrainReport
    report: IntentReport
