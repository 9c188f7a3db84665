"""`python -m coteach` and the command `coteach`."""

import sys

from coteach._ours import Shadowed, require_ours


def main() -> None:
    """The command line, once it is sure that it is coteach's own."""
    try:
        require_ours()
    except Shadowed as error:
        sys.exit(f"coteach: {error}")
    from orchestration.cli.main import main as run  # noqa: PLC0415  only ours may be imported

    run()


if __name__ == "__main__":
    main()
