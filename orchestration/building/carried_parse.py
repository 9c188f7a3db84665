"""dbt as builds run it: with its project as it was parsed before, for whatever home.

dbt keeps what it parsed, but parses all of it again where a variable or the database's path is another one: in every
new home, nearly half of the processor time that dbt takes there. So the project is parsed once for the places
`PLACEHOLDERS`, and of what was parsed they are replaced by those of the home. This is a program, for
`knowledge_graph.lean_imports`: it takes `--carried <file>` beside what dbt takes, and parses as dbt does where that is
not given or cannot be used.
"""

import json
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

PLACEHOLDERS = {"home": "/home of coteach's parse", "lake": "/lake of coteach's parse"}
"""By dbt's variable. No project has such words, and no home: its path may have no quotation mark."""

CARRIED = "carried_parse.msgpack"
"""What was parsed so, as dbt keeps it: under this name, as dbt by hand writes over the one that it knows."""

OPTION = "--carried"


def run() -> None:
    """dbt's command line. Of dbt, 1.5 s to load, whoever imports this module loads nothing."""
    carried = _take_option(sys.argv)
    manifest = place_manifest(Path(carried), _variables(sys.argv)) if carried else None
    if manifest is not None:
        _take_for_checked()
    import_module("dbt.cli.main").cli(obj={"manifest": manifest})


def place_manifest(carried: Path, places: Mapping[str, object]) -> Any:
    """dbt's manifest for the places of a home, by variable.

    `None` where it was not parsed by this dbt and for just those, or with variables of the environment: a model of
    one's own may read some, and they may have changed.
    """
    if places.keys() != PLACEHOLDERS.keys():
        return None
    manifests, parser = import_module("dbt.contracts.graph.manifest"), import_module("dbt.parser.manifest")
    replaced = {PLACEHOLDERS[name]: str(place) for name, place in places.items()}
    try:
        found = manifests.Manifest.from_msgpack(
            carried.read_bytes(), decoder=lambda packed: _replace(parser.extended_mashumuro_decoder(packed), replaced)
        )
    except Exception:  # noqa: BLE001  as dbt does with its own: whatever such a file is, everything can be parsed
        return None
    if found.env_vars or found.metadata.dbt_version != import_module("dbt.version").__version__:
        return None
    found.build_flat_graph()
    return found


def _take_for_checked() -> None:
    """Let dbt take its project and profile as they are: they were checked when they were parsed, and did not change.

    It makes a JSON schema of each kind of file to check a few lines against: a seventh of its processor time.
    """
    import_module("dbt_common.dataclass_schema").dbtClassMixin.validate = classmethod(lambda kind, data: None)


def _replace(value: Any, replaced: Mapping[str, str]) -> Any:
    """A value of JSON's kinds with all texts in it replaced, also within longer ones."""
    if isinstance(value, str):
        for old, new in replaced.items():
            value = value.replace(old, new)
        return value
    if isinstance(value, dict):
        return {_replace(key, replaced): _replace(each, replaced) for key, each in value.items()}
    return [_replace(each, replaced) for each in value] if isinstance(value, list) else value


def _take_option(arguments: list[str]) -> str | None:
    """The value of `OPTION`, which is taken out with it."""
    if OPTION not in arguments:
        return None
    at = arguments.index(OPTION)
    value = arguments[at + 1]
    del arguments[at : at + 2]
    return value


def _variables(arguments: list[str]) -> dict[str, object]:
    given: dict[str, object] = json.loads(arguments[arguments.index("--vars") + 1]) if "--vars" in arguments else {}
    return given
