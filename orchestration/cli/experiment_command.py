"""What `coteach experiment` does and prints. It works on the store, with or without a gateway running."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from sqlalchemy.orm import Session

from orchestration.cli.keys_command import whoami
from serving.feedback.experiment_results import ExperimentOutcome, VariantRate, VariantResult
from serving.feedback.experiments import ExperimentRefused, Variant
from serving.settings import Settings
from serving.store.audit import record
from serving.store.database import open_store
from serving.store.experiments import (
    create_experiment,
    experiments,
    find_experiment,
    read_results,
    stop_experiment,
)
from serving.store.tables.experiment import Experiment


def create(console: Console, name: str, *, variants: Sequence[str], settings: Sequence[str], course: str | None) -> int:
    """Begin an experiment with variants as `name=weight` and their settings as `variant.field=value`."""
    read, used = read_variants(variants, settings), Settings()
    store = open_store(used)

    def work(db: Session) -> None:
        create_experiment(db, name, read, settings=used, course_id=course, by_hand=True)
        record(db, "experiment.create", name, by=whoami(), course=course)

    try:
        store.write(work)
    finally:
        store.close()
    console.print(f"The experiment {escape(name)} is running.", highlight=False)
    return 0


def list_experiments(console: Console, *, as_json: bool) -> int:
    store = open_store(Settings())
    try:
        rows = store.read(experiments)
    finally:
        store.close()
    if as_json:
        console.print_json(json.dumps([_as_dict(row) for row in rows], ensure_ascii=False))
        return 0
    table = Table("experiment", "course", "state", "variants", "since")
    for row in rows:
        shares = ", ".join(f"{one['name']} {one['weight']:g}" for one in row.variants)
        cells = (row.name, row.course_id or "all", row.state, shares, f"{row.created_at:%Y-%m-%d}")
        table.add_row(*map(escape, cells))
    console.print(table)
    return 0


def stop(console: Console, name: str) -> int:
    store = open_store(Settings())

    def work(db: Session) -> None:
        stop_experiment(db, name)
        record(db, "experiment.stop", name, by=whoami())

    try:
        store.write(work)
    finally:
        store.close()
    console.print(f"The experiment {escape(name)} is stopped.", highlight=False)
    return 0


def show(console: Console, name: str, *, as_json: bool) -> int:
    """Print what an experiment showed so far."""
    store = open_store(Settings())
    try:
        row, results = store.read(lambda db: (find_experiment(db, name), read_results(db, name)))
    finally:
        store.close()
    if as_json:
        console.print_json(json.dumps({**_as_dict(row), "results": asdict(results)}, ensure_ascii=False))
        return 0
    console.print(_table(results))
    p = results.sample_ratio
    console.print("Nobody took part yet." if p is None else f"Sample ratio check: p = {p:.3g}.", highlight=False)
    for warning in results.warnings:
        console.print(escape(warning), style="yellow", highlight=False)
    return 0


def read_variants(variants: Sequence[str], settings: Sequence[str]) -> list[Variant]:
    """Variants from the command line's words. Raises `ExperimentRefused` for what cannot be read."""
    changes: dict[str, dict[str, Any]] = {}
    weights: list[tuple[str, float]] = []
    for text in variants:
        name, _, weight = text.rpartition("=")
        weights.append((name, _number(weight, text)))
        changes.setdefault(name, {})
    for text in settings:
        where, equals, value = text.partition("=")
        name, dot, field = where.rpartition(".")
        if not (equals and dot) or name not in changes:
            named = ", ".join(changes) or "none"
            raise ExperimentRefused(f"Expected --set VARIANT.FIELD=VALUE with a variant of {named}; found '{text}'.")
        changes[name][field] = value
    return [Variant(name, weight, changes[name]) for name, weight in weights]


def _number(weight: str, text: str) -> float:
    try:
        return float(weight)
    except ValueError:
        raise ExperimentRefused(f"Expected --variant NAME=WEIGHT, such as control=1; found '{text}'.") from None


def _as_dict(row: Experiment) -> dict[str, Any]:
    return {
        "name": row.name,
        "course_id": row.course_id,
        "state": row.state,
        "variants": row.variants,
        "created_at": row.created_at.isoformat(),
        "stopped_at": row.stopped_at and row.stopped_at.isoformat(),
    }


def _table(results: ExperimentOutcome) -> Table:
    table = Table("variant", "people", "coverage", "lift", "thumbs up", "lift")
    for one in results.variants:
        table.add_row(*map(escape, _cells(one)))
    return table


def _cells(one: VariantResult) -> tuple[str, ...]:
    return one.name, str(one.people), *_figures(one.coverage), *_figures(one.thumbs_up)


def _figures(measured: VariantRate) -> tuple[str, str]:
    """The rate with its 95% interval and count, and the lift with its own."""
    rate, lift = measured.rate, measured.lift
    shown = "-" if rate.value is None else f"{rate.value:.1%} ({rate.low:.1%}-{rate.high:.1%}) of {measured.trials}"
    if lift is None or lift.value is None:
        return shown, "-"
    return shown, f"{lift.value:+.1%} ({lift.low:+.1%} to {lift.high:+.1%})"
