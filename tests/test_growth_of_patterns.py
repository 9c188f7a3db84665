"""No regular expression that reads what others wrote takes longer than its text: every one there is, on texts made to
slow it down.

A text of 20,000 characters takes 50 ms of processor time at most, and twice the text at most two and a half times as
long; also where no reader takes so long a text.
"""

import math
import pkgutil
import re
import time

import pytest
from reachable_patterns import ROOTS, WAYS, Reachable, all_modules, own_units, reachable_patterns

from knowledge_graph.text.sentences import split_sentences

pytestmark = pytest.mark.slow  # minutes of processor time

UNITS = (
    *(
        "[a](  ",
        "(",
        "[",
        "*",
        ".",
        "1",
        "0",
        "a",
        "栈",
        "`",
        "<",
        '"',
        "'",
        " ",
        "\n",
        " \n",
        "a ",
        "1 ",
        "-",
        "_",
        "=",
        ",",
    ),
    *(
        "a,",
        "a.",
        "1.",
        "的",
        "是",
        "和",
        "a b ",
        "\\",
        "|",
        "{",
        "<a ",
        "(a",
        "a(",
        "[1]",
        ":",
        "0:",
        "\t",
        "~",
        "#",
        "$",
        "“",
    ),
    *(
        "，",
        "。",
        "? ",
        "A. ",
        "the ",
        "is ",
        "and ",
        "of ",
        "or ",
        "not ",
        "to ",
        "a-",
        "1,",
        "1 1",
        "a\n",
        "&a",
        "a@",
        "a/",
        "…",
    ),
)

WHOLE = 20_000


def slowness() -> float:
    """How many times as long as `YARD_S` a pattern whose time grows as its text takes for a whole one, here and now; 1
    at least."""
    pattern, text = re.compile(r"\b(?:[a-z]{2,12}ing|[a-z]{2,12}ed)\b"), ("walked and talked " * WHOLE)[:WHOLE]
    return max(1.0, min(asked(pattern, "finditer", text) for _ in range(5)) / YARD_S)


def asked(pattern: re.Pattern[str], way: str, text: str) -> float:
    began = time.process_time()
    if way in ("search", "match", "fullmatch"):
        getattr(pattern, way)(text)
    else:
        for _ in pattern.finditer(text):
            pass
    return time.process_time() - began


MOST_S = 0.05
YARD_S = 0.0007
"""What the yardstick takes where a pattern may take `MOST_S`: where a machine is slower just now, every time is taken
for as much less. Choices."""
PARTS = (32, 16, 8, 4, 2)
"""Of the whole text, shortest first: most patterns take so little for the first two that nothing longer is asked."""
PART = 8
"""The first of any text. Shorter ones come before it where they have `LEAST` characters, and say their unit
`LEAST_TIMES`: a pattern may be slow only after some repetitions."""
LEAST, LEAST_TIMES = 600, 20
LITTLE_S = 0.4 * MOST_S
"""What no growth makes too slow."""
GROWTH = 2.5
"""Times as long that twice the text may take."""
CLOCK = 0.2
"""Share of a time by which a clock may be off."""
SQUARE_S = 0.1 * MOST_S / 0.375
"""A whole text takes `GROWTH` times its half and a tenth of `MOST_S` only where the square of its length takes longer
than this: a·n + b·n² - GROWTH·(a·n/2 + b·n²/4) is 0.375·b·n² at most."""

PACKAGES = sorted(f"{root.__name__}.{one.name}" for root in ROOTS for one in pkgutil.iter_modules(root.__path__))


@pytest.fixture(scope="module")
def patterns() -> list[Reachable]:
    """Made here and not when tests are collected: it imports the whole product."""
    return reachable_patterns()


def slowest(one: Reachable) -> list[str]:
    """What a pattern takes too long for."""
    units = [*UNITS, *sorted(own_units(one.pattern) - set(UNITS))]
    return [
        told for way in longest_ways(one.ways) for unit in units if (told := too_slow(one.pattern, way, unit, WHOLE))
    ]


def longest_ways(ways: frozenset[str]) -> list[str]:
    """Those that no other does, too: `finditer` begins as `search` does and goes on, and `search` as `match`. Of every
    match, `sub` and `split` ask as `finditer` does."""
    distinct = {"finditer" if way in ("findall", "sub", "subn", "split") else way for way in ways}
    if "finditer" in distinct:
        distinct -= {"search", "match"}
    if "search" in distinct:
        distinct -= {"match"}
    return sorted(distinct)


def too_slow(pattern: re.Pattern[str], way: str, unit: str, whole: int) -> str | None:
    """What a pattern takes for a unit said again and again, in milliseconds; `None` where that is little and grows as
    the text does.

    Shorter texts come first, so that a bad pattern holds up nothing, and one that cannot be slow for the whole text
    (`is_surely_fast`) is not asked any longer. What looks bad is measured seven times, the half and the whole in turn:
    other work on the machine only adds, so the least of each is what the pattern takes. The
    shortest texts are asked twice where once does not do: of these a time is no longer than what the first call of all
    adds.
    """
    earlier = before = 0.0
    for part in parts_of(unit, whole):
        shorter = repeated(unit, whole // part)
        earlier, before = before, math.inf
        for _ in range(1 if part <= PART else 2):
            before = min(before, asked(pattern, way, shorter))
            if is_surely_fast(earlier, before, part):
                return None
        if before > MOST_S and (before := min(asked(pattern, way, shorter) for _ in range(2))) > MOST_S:
            return f"{way} {unit!r}: {before * 1000:.0f} ms for {len(shorter)} characters"
    half, text = repeated(unit, whole // 2), repeated(unit, whole)
    took = asked(pattern, way, text)
    if is_slow(before, took):
        pairs = [(asked(pattern, way, half), asked(pattern, way, text)) for _ in range(7 if took < 1 else 1)]
        slower = slowness()
        before, took = (min(times) / slower for times in zip((before, took), *pairs, strict=True))
    if not is_slow(before, took):
        return None
    return f"{way} {unit!r}: {took * 1000:.0f} ms for {whole} characters, {before * 1000:.1f} for half of them"


def parts_of(unit: str, whole: int) -> list[int]:
    least = max(LEAST, LEAST_TIMES * len(unit))
    return [part for part in PARTS if part <= PART or whole // part >= least]


def is_surely_fast(before: float, took: float, parts: int) -> bool:
    """Whether a whole text cannot be slow, of which one of so many parts took `took` seconds and half of that part
    `before` (0: not known).

    Where a part takes a·n + b·n², b·n² is 2·(took - 2·before), here with `CLOCK` more; what grew more than `GROWTH` may
    grow as the cube. A whole text then is slow (`is_slow`) after `MOST_S`, or where what grows as the square takes more
    than `SQUARE_S` of it.
    """
    if took > GROWTH * before:
        return took * parts**3 < LITTLE_S
    square = (max(0.0, 2 * (took - 2 * before)) + CLOCK * took) * parts**2
    return took * parts + square < MOST_S and square < SQUARE_S


def repeated(unit: str, length: int) -> str:
    return unit * (length // len(unit)) + "\x00"


def is_slow(before: float, took: float) -> bool:
    """What grows as the square takes four times as long as its half, and is found from `LITTLE_S` on; a clock that
    is a tenth of it off makes nothing slow that grows as its text."""
    return took > MOST_S or (took > LITTLE_S and took > GROWTH * before + 0.1 * MOST_S)


def test_none_is_overlooked_that_a_module_names(patterns: list[Reachable]) -> None:
    found = {(one.pattern.pattern, one.pattern.flags) for one in patterns}
    named = {value for module in all_modules() for value in vars(module).values() if isinstance(value, re.Pattern)}
    assert len(named) > 400
    assert {(one.pattern, one.flags) for one in named if isinstance(one.pattern, str)} <= found


@pytest.mark.parametrize(
    ("pattern", "whole"),
    [("a+a+b", 1_600), (r"a*\Z", 10_000), (r"\s*\[", 10_000), ("a*b*a*c", 1_600), ("[a ]+and", 6_000)],
)
def test_a_pattern_that_is_too_slow_is_found(pattern: str, whole: int) -> None:
    slow = {unit for unit in ("a", " ", "a ") if too_slow(re.compile(pattern), "search", unit, whole)}
    assert slow


@pytest.mark.parametrize(
    ("times", "is_asked_on"), [((0.0, 1e-5), False), ((0.0, 1e-4), True), ((1e-4, 4e-4), True), ((2e-4, 4e-4), False)]
)
def test_what_takes_little_for_a_part_is_asked_on_unless_it_grew_as_its_text(
    times: tuple[float, float], is_asked_on: bool
) -> None:
    assert is_surely_fast(*times, parts=8) is not is_asked_on


@pytest.mark.parametrize("parts", PARTS)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.6, 1.0])
@pytest.mark.parametrize("times_most", [0.404, 0.7, 1.01, 10])
def test_no_part_of_a_slow_text_looks_fast_on_a_clock_that_is_a_twentieth_off(
    times_most: float, share: float, parts: int
) -> None:
    """`share` of the whole text's time grows as the square of its length."""

    def takes(part: float) -> float:
        return times_most * MOST_S * ((1 - share) / part + share / part**2)

    off = (1.05 * takes(2 * parts), 0.95 * takes(parts))
    if is_slow(takes(2), takes(1)) and off[1] <= GROWTH * off[0]:
        assert not is_surely_fast(*off, parts=parts)
    assert not is_surely_fast(0.0, takes(parts), parts=parts) or not is_slow(takes(2), takes(1))


def test_one_way_is_asked_where_it_does_what_another_does() -> None:
    assert longest_ways(frozenset(WAYS)) == ["finditer", "fullmatch"]
    assert longest_ways(frozenset(["match", "search"])) == ["search"]
    assert longest_ways(frozenset(["match", "fullmatch"])) == ["fullmatch", "match"]


def test_a_pattern_that_grows_as_its_text_passes() -> None:
    assert (
        slowest(Reachable("knowledge_graph.text.sentences", re.compile(r"(?<!a)a++\Z|\bthe\b"), frozenset(["search"])))
        == []
    )


@pytest.mark.parametrize("package", PACKAGES)
def test_every_pattern_takes_time_as_its_text_grows(patterns: list[Reachable], package: str) -> None:
    here = [one for one in patterns if f"{one.where}.".startswith(f"{package}.")]
    assert {one.where: bad for one in here if (bad := slowest(one))} == {}


def test_every_pattern_is_in_a_package_that_is_looked_at(patterns: list[Reachable]) -> None:
    assert {".".join(one.where.split(".")[:2]) for one in patterns} <= set(PACKAGES)


@pytest.mark.parametrize("unit", ["a", "a ", "栈", "(", "the and "])
def test_no_sentence_is_longer_than_the_patterns_that_read_it_expect(unit: str) -> None:
    for lang in ("en", "zh"):
        pieces = split_sentences(unit * 5_000, lang)  # type: ignore[arg-type]
        assert max(map(len, pieces)) <= 601
