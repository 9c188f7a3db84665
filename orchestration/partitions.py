"""The one partition of the pipeline, a course, and the one pool. Registering courses is courses.py."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import dagster as dg

courses = dg.DynamicPartitionsDefinition(name="courses")

HOME_POOL = "home"
"""Concurrency pool of what builds a home: one run of it at a time, the others wait in the queue (dagster.yaml)."""


@contextmanager
def quiet_preview() -> Iterator[None]:
    """Partitioned checks are a preview in Dagster 1.13 and work; its warning for each is kept from people."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dg.PreviewWarning)
        yield


CheckFunction = Callable[..., dg.AssetCheckResult]


def course_check(
    asset: dg.AssetsDefinition, *, name: str | None = None, description: str | None = None
) -> Callable[[CheckFunction], dg.AssetChecksDefinition]:
    """A blocking check of one course: what depends on the asset does not run for that course when it fails."""

    def decorate(function: CheckFunction) -> dg.AssetChecksDefinition:
        with quiet_preview():
            return dg.asset_check(
                asset=asset, name=name, description=description, blocking=True, partitions_def=courses
            )(function)

    return decorate
