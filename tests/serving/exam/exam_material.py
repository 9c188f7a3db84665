"""A course of forty concepts, each defined by words of its own, and forty-eight rules: enough for a whole exam."""

from exam_rows import _concept, _sentence

from serving.exam.material import CourseMaterial, Rule

THINGS = (
    "array list stack queue heap trie graph forest bucket vector matrix tensor cursor buffer cache ledger table index "
    "record field packet socket thread mutex signal kernel module linker parser lexer token symbol closure monad "
    "iterator generator scheduler pager router proxy"
).split()
ROLES = (
    "stores numbers|links nodes|stacks plates|serves customers|orders tasks|spells words|joins cities|groups trees|"
    "collects drops|points north|holds rows|bends space|marks places|smooths flow|remembers pages|counts money|"
    "pairs keys|finds chapters|keeps music|names columns|wraps letters|opens doors|sews cloth|locks rooms|"
    "warns drivers|guards castles|divides houses|welds pipes|reads grammar|cuts sentences|buys rides|means ideas|"
    "captures birds|composes songs|visits stations|makes power|plans meetings|turns leaves|directs traffic|hides faces"
).split("|")


def big() -> CourseMaterial:
    pairs = list(zip(THINGS, ROLES, strict=True))
    defined = [
        _concept(name, f"{_article(name)} {name} is a device that {role} in workshop {_word(place)}.", "en", place)
        for place, (name, role) in enumerate(pairs, 1)
    ]
    said = [
        _sentence(f"The {name} came before the others because whoever {role} must wake early.", "en", place)
        for place, (name, role) in enumerate(pairs[:30])
    ]
    rules = [
        Rule(f"r{place}", "document", f"Rule on {name}", f"A {name} may not be carried {where} by anybody.")
        for where in ("into the exam", "out of the library")
        for place, (name, _) in enumerate(pairs[:24])
    ]
    return CourseMaterial("big", "en", tuple(defined), tuple(said), tuple(rules))


def _article(name: str) -> str:
    return "An" if name[0] in "aeiou" else "A"


def _word(place: int) -> str:
    """A street of letters that no two concepts share."""
    return f"{THINGS[place % 40]}ford"
