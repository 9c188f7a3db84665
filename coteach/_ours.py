"""Whether the packages that coteach is made of are its own: their names are common, and others may hide them."""

from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("knowledge_graph", "models", "serving", "assets", "orchestration")


class Shadowed(ImportError):
    """A package of another distribution, or a folder beside the program, hides one of coteach's."""


def require_ours() -> None:
    """Raise `Shadowed`, naming the package and what hides it, before anything of it is imported."""
    home = Path(__file__).resolve().parents[1]
    for name in PACKAGES:
        spec = find_spec(name)
        places = [] if spec is None else [spec.origin] if spec.origin else list(spec.submodule_search_locations or ())
        if not places or not all(Path(place).resolve().is_relative_to(home / name) for place in places if place):
            found = f"{places[0]} is found instead" if places else "it is missing"
            raise Shadowed(
                f"coteach's package '{name}' is not the one that Python imports: {found}. Run from another folder, or "
                "install coteach in an environment of its own."
            )
