"""The embedder in use: which one is made, from where, and how the published one is opened. Knows no torch by itself."""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from models.embedding.by_language import ByLanguage
from models.embedding.embedder import REMEDY, Embedder, EmbedderCard, read_card, write_card
from models.kept_trainings import KeptTrainings
from models.versions import ModelMissing, current_folder, publish, staging


@dataclass(frozen=True)
class EmbedderSource:
    """Where an embedder comes from: the model `location` (a folder, a hub's id), or of that name behind `url`."""

    location: str
    languages: tuple[str, ...]
    url: str | None = None
    api_key: str = field(default="none", repr=False)
    is_chosen: bool = False
    """Whether a person named it: then it must be there."""
    beside: tuple["EmbedderSource", ...] = ()
    """Others for texts of other languages, those that are there."""

    @property
    def is_there(self) -> bool:
        """False for a folder that does not exist; what a hub or a server has is not known before it is asked."""
        return self.url is not None or not _is_path(self.location) or Path(self.location).is_dir()

    @property
    def all_languages(self) -> tuple[str, ...]:
        """Its own and those of the others that are there."""
        return (*self.languages, *(lang for one in self.beside if one.is_there for lang in one.languages))

    @property
    def missing(self) -> str:
        """What to tell the person when it is not there."""
        return f"No embedding model in {self.location}. Run `make setup`, or set COTEACH_EMBEDDER."

    def version(self) -> str:
        """Another one whenever another embedder would be made, as far as names, sizes and times of files tell."""
        folder = Path(self.location)
        files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
        stats = [(str(path.relative_to(folder)), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
        told = json.dumps([self.url, self.location if self.url or not files else "", self.languages, stats])
        versions = [hashlib.sha256(told.encode()).hexdigest(), *(one.version() for one in self.beside if one.is_there)]
        return versions[0] if len(versions) == 1 else hashlib.sha256("".join(versions).encode()).hexdigest()

    @property
    def places(self) -> list[str]:
        """Where it and those beside it come from."""
        return [self.location, *(place for one in self.beside for place in one.places)]


def publish_embedder(source: EmbedderSource, folder: Path, *, kept: KeptTrainings | None = None) -> EmbedderCard:
    """Make the embedder that `source` names the current one of `folder`; returns its card.

    One that nobody chose, and is in a folder, is taken from what is `kept`, or kept.
    Raises `ModelMissing` when there is none, `ModelBroken` when it cannot be exported, `EmbeddingFailed` when a server
    does not answer.
    """
    if not source.is_there:
        raise ModelMissing(source.missing)
    if source.url is not None:
        return _publish_server(source, source.url, folder)
    if kept is None or source.is_chosen or not Path(source.location).is_dir():
        return _export(source, folder)

    def export() -> str:
        _export(source, folder)
        return current_folder(folder, what="embedder", remedy=REMEDY).name

    version, _ = kept.publish("embedder", {"source": source.version()}, folder, export)
    return read_card(folder / version)


def _export(source: EmbedderSource, folder: Path) -> EmbedderCard:
    from models.embedding.exporting import export_by_language, export_embedder  # noqa: PLC0415  torch: 4 s, 600 MB

    if beside := [one for one in source.beside if one.is_there]:
        return export_by_language([(one.location, one.languages) for one in (source, *beside)], folder)
    return export_embedder(source.location, folder, languages=source.languages).card


def open_embedder(folder: Path, *, api_key: str = "none", threads: int = 1, is_awaited: bool = False) -> Embedder:
    """The embedder that `<folder>/CURRENT` names. `is_awaited` when a student waits for it, and no build.

    Raises `ModelMissing` when nothing was published, `ModelBroken` when the files are damaged or do not fit.
    """
    version = current_folder(folder, what="embedder", remedy=REMEDY)
    card = read_card(version)
    if card.kind != "http" or card.url is None or card.model is None:
        return open_files(version, threads=threads)
    from models.embedding.http_embedder import HttpEmbedder  # noqa: PLC0415  openai takes 2 s

    return HttpEmbedder(
        card.url,
        card.model,
        dimension=card.dimension,
        languages=card.languages,
        api_key=api_key,
        is_awaited=is_awaited,
    )


def open_files(version: Path, *, threads: int = 1) -> Embedder:
    """The embedder of one published folder, which runs here.

    Raises `ModelMissing` when there is no such folder, `ModelBroken` when it cannot be read.
    """
    if not version.is_dir():
        raise ModelMissing(f"No embedder in {version}. {REMEDY}")
    from models.embedding.onnx_embedder import OnnxEmbedder  # noqa: PLC0415  0.2 s that most builds need not take

    card = read_card(version)
    if card.kind == "by_language":
        return ByLanguage([OnnxEmbedder(version / part, threads=threads) for part in card.parts])
    return OnnxEmbedder(version, threads=threads)


def open_local(folder: Path, *, threads: int = 1) -> tuple[str, Embedder] | None:
    """The version in use and its embedder, if that runs from files; None where there is none, or it is a server's.

    Raises `ModelBroken` when the files are damaged.
    """
    try:
        version = current_folder(folder, what="embedder", remedy=REMEDY)
    except ModelMissing:
        return None
    return None if read_card(version).kind == "http" else (version.name, open_files(version, threads=threads))


def _publish_server(source: EmbedderSource, url: str, folder: Path) -> EmbedderCard:
    from models.embedding.http_embedder import describe  # noqa: PLC0415  openai takes 2 s

    card = describe(url, source.location, languages=source.languages, api_key=source.api_key)
    with staging(folder) as staged:
        write_card(staged, card)
        publish(folder, staged)
    return card


def _is_path(location: str) -> bool:
    """Hub ids are `name` or `owner/name`; a path begins at the root, or here, or is a folder."""
    return location.startswith(("/", ".", "~")) or Path(location).is_dir() or location.count("/") > 1
