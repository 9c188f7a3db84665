"""A page looked at as a person does who cannot see it well: axe-core's automatic checks, at both sizes and colours."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, ViewportSize

SIZES: dict[str, ViewportSize] = {"desk": {"width": 1280, "height": 860}, "phone": {"width": 390, "height": 844}}

PICTURES = os.environ.get("COTEACH_PICTURES")
"""Read here: a test sees no settings."""

GRAVE = frozenset({"serious", "critical"})


def serious_findings(page: Page) -> list[str]:
    """What axe-core finds serious or critical on the page as it stands, each with where."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: Any = page.evaluate("axe.run({resultTypes: ['violations']}).then(results => results.violations)")
    return [
        f"{one['id']}: {node['html'][:120]} {node.get('failureSummary', '')[:200]}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]


def looks(page: Page) -> Iterator[str]:
    """The page at desk and phone size, light and dark; each look by its name. It must not be wider than the window."""
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
            # A page without scripts follows by its styles alone, and always says `auto`.
            page.wait_for_selector(f":root:is([data-theme={theme}], [data-theme=auto])", state="attached")
            page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            page.wait_for_function("() => document.getAnimations().every(one => one.playState !== 'running')")
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{size}: the page is {wide} pixels wider than the window"
            yield f"{size}-{theme}"


def look_at(page: Page, name: str) -> None:
    """Fail on anything serious at any size and in any colours. With `COTEACH_PICTURES` each look is kept there."""
    for look in looks(page):
        if PICTURES:
            page.screenshot(path=Path(PICTURES) / f"{name}-{look}.png", full_page=True, animations="disabled")
        found = serious_findings(page)
        assert not found, f"{name}, {look}: {found}"
