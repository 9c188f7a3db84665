"""No regular expression that reads what others wrote takes longer than its text: every one there is, on texts made to
slow it down.

A text of 20,000 characters takes 50 ms of processor time at most, and twice the text at most two and a half times as
long; also where no reader takes so long a text.
"""

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
MOST_S = 0.05
LITTLE_S = 0.4 * MOST_S
"""What no growth makes too slow."""
GROWTH = 2.5
"""Times as long that twice the text may take."""

PACKAGES = sorted(f"{root.__name__}.{one.name}" for root in ROOTS for one in pkgutil.iter_modules(root.__path__))


@pytest.fixture(scope="module")
def patterns() -> list[Reachable]:
    """Made here and not when tests are collected: it imports the whole product."""
    return reachable_patterns()


def asked(pattern: re.Pattern[str], way: str, text: str) -> float:
    began = time.process_time()
    if way in ("search", "match", "fullmatch"):
        getattr(pattern, way)(text)
    else:
        for _ in pattern.finditer(text):
            pass
    return time.process_time() - began


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

    Shorter texts come first, so that a bad pattern holds up nothing, and one that would take little for the whole text
    (`at_most`) is not asked any longer. What looks bad is measured seven times, the half and the whole in turn: other
    work on the machine only adds, so the least of each is what the pattern takes.
    """
    earlier = before = 0.0
    for part in (8, 4, 2):
        shorter = repeated(unit, whole // part)
        earlier, before = before, asked(pattern, way, shorter)
        if at_most(earlier, before, part) < LITTLE_S:
            return None
        if before > MOST_S and (before := min(asked(pattern, way, shorter) for _ in range(2))) > MOST_S:
            return f"{way} {unit!r}: {before * 1000:.0f} ms for {len(shorter)} characters"
    half, text = repeated(unit, whole // 2), repeated(unit, whole)
    took = asked(pattern, way, text)
    if is_slow(before, took):
        pairs = [(asked(pattern, way, half), asked(pattern, way, text)) for _ in range(7 if took < 1 else 1)]
        before, took = (min(times) for times in zip((before, took), *pairs, strict=True))
    if not is_slow(before, took):
        return None
    return f"{way} {unit!r}: {took * 1000:.0f} ms for {whole} characters, {before * 1000:.1f} for half of them"


def at_most(before: float, took: float, parts: int) -> float:
    """The seconds that a whole text takes, of which one of so many parts took `took` and half of that part `before`
    (0: not known).

    As the cube of its length. But where twice the text took two and a half times as long at most, no more than 0.4 of
    `took` grows as the square: with a·n + b·n² and a·n/2 + b·n²/4 ≥ took/2.5, b·n² ≤ 0.4·took.
    """
    if took > GROWTH * before:
        return took * parts**3
    return took * (0.6 * parts + 0.4 * parts**2)


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
    ("pattern", "whole"), [("a+a+b", 800), (r"a*\Z", 5_000), (r"\s*\[", 4_000), ("a*b*a*c", 800), ("[a ]+and", 2_500)]
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
    assert (at_most(*times, parts=8) >= LITTLE_S) is is_asked_on


def test_what_grows_as_the_square_is_never_said_to_take_less_than_it_does() -> None:
    assert at_most(1, 4, parts=2) >= 16
    assert at_most(1, GROWTH, parts=2) >= 0.6 * GROWTH * 2 + 0.4 * GROWTH * 4


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
