"""Which systems have answered, as tables show them: those of `SYSTEMS` in their order, each with each of its models."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from serving.evaluation.systems.system_answers import SystemAnswer, read_answers
from serving.evaluation.systems.systems import SYSTEMS
from serving.evaluation.tables import metric_name

_OTHER_MODEL = "@"


@dataclass(frozen=True)
class AnsweredSystem:
    """The answers of one system, in the order in which it was asked. `model` is `None` for a system without one."""

    name: str
    model: str | None
    rows: tuple[SystemAnswer, ...]

    @property
    def label(self) -> str:
        """For people: "plain_prompt (SmolLM2-135M-Instruct)"."""
        return f"{self.name} ({PurePath(self.model).name})" if self.model else self.name

    @property
    def slug(self) -> str:
        """For names of metrics."""
        return f"{self.name}.{metric_name(PurePath(self.model).name)}" if self.model else self.name


def file_name(system: str, model: str | None) -> str:
    """Under which `DataDir.system_answers` keeps the answers of a model that is no longer the one served."""
    return system if model is None else f"{system}{_OTHER_MODEL}{metric_name(PurePath(model).name)}"


def read_systems(paths: Iterable[Path]) -> tuple[AnsweredSystem, ...]:
    """What the files hold; files of systems that are no more, and files without an answer, are skipped."""
    found = [_read(path) for path in paths if path.stem.partition(_OTHER_MODEL)[0] in SYSTEMS]
    order = list(SYSTEMS)
    return tuple(sorted(filter(None, found), key=lambda one: (order.index(one.name), one.model or "")))


def of_name(systems: Sequence[AnsweredSystem], name: str, model: str | None = None) -> AnsweredSystem | None:
    """The first of a name, with this model where it has one."""
    return next((one for one in systems if one.name == name and one.model in (None, model or one.model)), None)


def _read(path: Path) -> AnsweredSystem | None:
    rows = read_answers(path)
    return AnsweredSystem(rows[0].system, rows[0].served, rows) if rows else None
