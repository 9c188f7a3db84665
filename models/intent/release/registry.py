"""The published intent models of a home: listing, choosing one by hand, and which of them pruning leaves."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from models.intent.release.aliases import aliases_of
from models.intent.release.champion import read_challenger
from models.intent.release.uses import VersionUse, read_uses, record_use
from models.intent.thresholds import read_thresholds, thresholds_path
from models.versions import ModelBroken, ModelMissing, current_version

_CARD = "card.json"
_SHOWN = ("macro_f1", "chat_auc", "chat_f1")


@dataclass(frozen=True)
class PublishedVersion:
    """One published version."""

    version: str
    in_use: bool
    aliases: tuple[str, ...]
    figures: Mapping[str, float]
    """Of its judged network, on the questions that were held out when it was trained."""
    questions: int
    """Labelled questions it was trained with, those held out among them."""
    calibrated: bool
    used: VersionUse | None
    """When it was put in use last."""


def list_versions(data_dir: DataDir) -> tuple[PublishedVersion, ...]:
    """Every published version, in the order of their making."""
    current, aliases, uses = current_version(data_dir.intent), aliases_of(data_dir), read_uses(data_dir)
    return tuple(_read_version(card, current=current, aliases=aliases, uses=uses) for card in _cards(data_dir))


def version_names(data_dir: DataDir) -> tuple[str, ...]:
    """The published versions by name, in the order of their making; nothing of them is read."""
    return tuple(card.parent.name for card in _cards(data_dir))


def find_version(beginning: str, *, data_dir: DataDir) -> str:
    """The version whose name begins so. Raises `ModelMissing` when none does, or more than one."""
    names = sorted(card.parent.name for card in data_dir.intent.glob(f"*/{_CARD}"))
    found = [name for name in names if beginning and name.startswith(beginning)]
    if len(found) != 1:
        few = "no" if not found else "more than one"
        raise ModelMissing(
            f"{few.capitalize()} intent model in {data_dir.intent} begins with {beginning!r}; "
            f"there are: {', '.join(names) or 'none'}."
        )
    return found[0]


def put_version_in_use(beginning: str, *, who: str, why: str, data_dir: DataDir) -> VersionUse:
    """Make a version the one that answers students, because a person says so. MLflow's alias is not moved here.

    Raises `ModelMissing` when there is no such version, `ModelBroken` when its files are not those of its name.
    """
    version = find_version(beginning, data_dir=data_dir)
    folder = data_dir.intent / version
    if digest(folder)[:16] != version:
        raise ModelBroken(f"The files of {folder} are not those that were published. Choose another version.")
    return record_use(version, who=who, why=why, known_run=_newest_run(data_dir), data_dir=data_dir)


def find_versions_to_keep(data_dir: DataDir, *, keep: int) -> set[str]:
    """The versions that pruning leaves: those in use or with an alias, and the `keep` that were used or made last."""
    names = version_names(data_dir)
    by_use = [use.version for use in reversed(read_uses(data_dir))]
    recent = [name for name in dict.fromkeys([*by_use, *reversed(names)]) if name in names]
    named = {current_version(data_dir.intent), *aliases_of(data_dir).values()}
    return {*recent[:keep], *(name for name in names if name in named)}


def _cards(data_dir: DataDir) -> list[Path]:
    return sorted(data_dir.intent.glob(f"*/{_CARD}"), key=lambda path: (path.stat().st_mtime, path))


def _newest_run(data_dir: DataDir) -> str | None:
    try:
        return read_challenger(data_dir).run_id
    except ModelMissing:
        return None


def _read_version(
    card: Path, *, current: str | None, aliases: Mapping[str, str], uses: Sequence[VersionUse]
) -> PublishedVersion:
    version, content = card.parent.name, json.loads(card.read_text(encoding="utf-8"))
    used = [use for use in uses if use.version == version]
    figures = content.get("test", {}).get("albert", {})
    return PublishedVersion(
        version=version,
        in_use=version == current,
        aliases=tuple(sorted(alias for alias, exported in aliases.items() if exported == version)),
        figures={name: figures[name] for name in _SHOWN if name in figures},
        questions=sum(content.get("data", {}).get("questions", {}).values()),
        calibrated=read_thresholds(thresholds_path(card.parent)) is not None,
        used=used[-1] if used else None,
    )
