"""Figures that a benchmark puts into a page by itself, between marks of its own, so that nobody copies them."""

from pathlib import Path


def put(page: Path, mark: str, text: str) -> None:
    """Put a text between the marks `<!-- MARK: begin -->` and `<!-- MARK: end -->` of a page, in place of what stands
    there. Exits with a message when the page has no such marks."""
    begin, end = f"<!-- {mark}: begin -->", f"<!-- {mark}: end -->"
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise SystemExit(f"{page} has no {begin} … {end} to put the tables between.")
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
