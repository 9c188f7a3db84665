"""The tiny intent model with heads over the vectors of a tiny embedder, as a home has both."""

import tempfile
from pathlib import Path

from tiny_embedder import write_tiny_embedder
from tiny_intent import ALBERT, INTENT, Trained, labelled

from knowledge_graph.lake.home import DataDir
from models.albert import pretrain_albert, resolve_encoder
from models.embedding.exporting import export_by_language
from models.embedding.published import open_local
from models.intent.release.champion import put_in_use
from models.intent.release.release import train_intent
from models.tracking.runs import name_champion


def publish_tiny_embedders(data_dir: DataDir) -> None:
    """Two of them, one for each language, as one."""
    with tempfile.TemporaryDirectory() as folder:
        places = [write_tiny_embedder(Path(folder) / lang, seed=seed) for lang, seed in (("en", 3), ("zh", 4))]
        export_by_language([(str(places[0]), ("en",)), (str(places[1]), ("zh",))], data_dir.embedder)


def train_embedded(home: Path) -> Trained:
    """A released model in use, with heads for English and Chinese."""
    data_dir, examples = DataDir(home), labelled()
    publish_tiny_embedders(data_dir)
    pretrained = pretrain_albert([one.question for one in examples] * 3, data_dir=data_dir, settings=ALBERT)
    report = train_intent(
        examples,
        data_dir=data_dir,
        encoder=resolve_encoder(None, data_dir=data_dir),
        settings=INTENT,
        embedder=open_local(data_dir.embedder),
    )
    put_in_use(data_dir)
    name_champion(report.version, data_dir=data_dir)
    return Trained(data_dir, pretrained, report)
