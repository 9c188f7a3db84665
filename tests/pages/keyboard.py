"""A page as somebody walks it who uses keys alone: where Tab goes, what is seen there, and what it never reaches."""

from dataclasses import dataclass

from playwright.sync_api import Page

MOST_STOPS = 120

_MARK = """() => {
  const own = "a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, summary, "
    + "[role=button], [role=tab], [role=checkbox], [role=radio], [role=option], [role=menuitem], [tabindex='0']";
  document.activeElement?.blur();
  for (const one of document.querySelectorAll("[data-walked]")) delete one.dataset.walked;
  let number = 0;
  for (const one of document.querySelectorAll("#main *, header *")) {
    const { width, height } = one.getBoundingClientRect();
    if (!width || !height || !one.checkVisibility({ visibilityProperty: true })) continue;
    const alone = getComputedStyle(one).cursor === "pointer" && !one.closest("label, a, button, summary, [role]")
      && !one.querySelector(own) && getComputedStyle(one.parentElement).cursor !== "pointer";
    if (one.matches(own) || alone) one.dataset.walked = number++;
  }
  const start = document.createElement("span");
  start.tabIndex = -1;
  document.body.prepend(start);
  start.focus();
  start.remove();
}"""
"""Number what can be pressed (also what only looks like it), and begin at the top."""

_STOP = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  await Promise.allSettled(one.getAnimations().map((moving) => moving.finished));
  const { left, top, width, height } = one.getBoundingClientRect();
  const inside = (at, most) => Math.min(Math.max(at, 1), most - 1);
  const [x, y] = [inside(left + width / 2, innerWidth), inside(top + Math.min(height / 2, 12), innerHeight)];
  const there = document.elementFromPoint(x, y);
  const isOver = [one, ...(one.labels ?? [])].some((mine) => mine.contains(there) || there?.contains(mine));
  const style = getComputedStyle(one);
  const hasOutline = (ring) => ring.outlineStyle !== "none" && parseFloat(ring.outlineWidth) > 0;
  const label = one.labels?.[0]?.querySelector("span");
  const box = one.closest(".composer") ?? one;
  const rings = [style, label && getComputedStyle(label), getComputedStyle(box)];
  const isLit = one.closest(".q-field--focused .q-field__control") !== null;
  return {
    name: (one.getAttribute("aria-label") || one.innerText || one.name || one.id || one.tagName).trim().slice(0, 40),
    number: one.dataset.walked ?? "",
    isSeen: top < innerHeight && top + height > 0 && isOver,
    hasRing: isLit || rings.some((ring) => ring && (hasOutline(ring) || ring.boxShadow !== "none")),
  };
}"""
"""Where the focus is, once it has stopped moving: a page with less motion still takes a frame to show the skip link."""

_MISSED = """numbers => [...document.querySelectorAll("[data-walked]")]
  .filter((one) => !numbers.includes(one.dataset.walked) && one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => !(one.getAttribute("role") === "tab" && one.getAttribute("aria-selected") === "false"))
  .filter((one) => !(one.type === "radio" && document.querySelector(`[name="${one.name}"]:checked`) !== one))
  .map((one) => (one.getAttribute("aria-label") || one.innerText || one.tagName).trim().slice(0, 40))"""
"""Of tabs and radio buttons Tab reaches the one that is chosen, arrow keys the others."""


@dataclass(frozen=True)
class Walk:
    """Names of the stops in order, of those that are covered or show no focus, and of what was never reached."""

    stops: list[str]
    covered: list[str]
    ringless: list[str]
    missed: list[str]


def walk(page: Page, key: str = "Tab") -> Walk:
    """From the top, or with `Shift+Tab` from the end. Of a page with more than `MOST_STOPS` stops `missed` is empty."""
    page.evaluate(_MARK)
    met: list[dict[str, object]] = []
    for _ in range(MOST_STOPS):
        page.keyboard.press(key)
        stop = page.evaluate(_STOP)
        if stop in met or (stop is None and met):
            break
        met += [stop] if stop is not None else []
    is_whole = len(met) < MOST_STOPS
    return Walk(
        [str(one["name"]) for one in met],
        [str(one["name"]) for one in met if not one["isSeen"]],
        [str(one["name"]) for one in met if not one["hasRing"]],
        page.evaluate(_MISSED, [one["number"] for one in met]) if is_whole else [],
    )
