"""Where the checkout is, and what of it a command needs; an installed package has none."""

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
