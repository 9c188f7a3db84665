"""dbt with what every run of it makes first, loaded once: imported by the process that `loaded_dbt` forks.

Nothing here opens a database, starts a thread or reads a setting.
"""

import atexit
import gc
import os
from importlib import import_module
from pathlib import Path

from orchestration.building.carried_parse import CARRIED, PLACEHOLDERS, place_manifest

_CHECKED = (
    "dbt.adapters.duckdb.credentials.DuckDBCredentials",
    "dbt.contracts.project.ProfileConfig",
    "dbt.contracts.project.Project",
)
"""What dbt checks its files against, of which it makes a JSON schema each time."""


def load() -> None:
    for name in ("dbt.cli.main", "dbt.adapters.duckdb", "dbt.task.build", "dbt.task.docs.generate"):
        import_module(name)
    for module, _, name in (each.rpartition(".") for each in _CHECKED):
        getattr(import_module(module), name).json_schema()
    carried = Path(__file__).parents[2] / "dbt" / "target" / CARRIED
    if carried.exists():  # dbt makes the code that reads such a file when it reads the first
        place_manifest(carried, PLACEHOLDERS)
    gc.collect()
    gc.freeze()  # forks neither look through it nor, by that, copy it
    atexit.register(os._exit, 0)  # nothing is taken apart at the end, of which DuckDB's binding tells at length


load()
