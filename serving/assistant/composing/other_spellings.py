"""How texts may spell a word or a sign of a question otherwise. Pure."""

from serving.assistant.understanding.closed_words import NUMBER_WORDS


def spell_otherwise(word: str) -> tuple[str, ...]:
    """The plural of an English word that doubles its z, which no stem leads to: quizzes of quiz; and what a Chinese
    word says that something has, which texts may deny apart from it: 权 of 有权; and the other words for a size."""
    if (sized := next((names for names in _SIZES if word.lower() in names), None)) is not None:
        return sized
    if len(word) == len("有权") and word.startswith("有"):
        return (word[1],)
    return (f"{word}zes",) if word.endswith("z") and word.isascii() and not word.endswith("zz") else ()


_SIZES = (("big", "large"), ("bigger", "larger"), ("small", "tiny", "little"))
"""Words that say the same of a size."""


def spell_sign(name: str) -> tuple[str, ...]:
    """A name with a sign as texts write it in words: A star for the A* algorithm."""
    letter, sign, _ = name.partition("*")
    return (f"{letter} star",) if sign else ()


def spell_number(word: str) -> tuple[str, ...]:
    """The English word of a number of one digit: phase 3 is phase three."""
    return tuple(one for one, number in NUMBER_WORDS.items() if word == str(number) and number < TWO_DIGITS)


TWO_DIGITS = 10


def spell_decimal(number: str) -> tuple[str, ...]:
    """How a lecturer says a decimal number: "zero point three six", "nought point three six" or "point three six"."""
    whole, _, digits = number.partition(".")
    behind = f"point {' '.join(_DIGITS[int(digit)] for digit in digits)}"
    if int(whole) == 0:
        return (f"zero {behind}", f"nought {behind}", behind)
    return tuple(f"{before} {behind}" for before, number in NUMBER_WORDS.items() if whole == str(number))


_DIGITS = ("zero", *(word for word, number in NUMBER_WORDS.items() if number < TWO_DIGITS))


def spell_type(name: str) -> tuple[str, ...]:
    """A name that is a number of a type with its number in words, and in Roman ones: type two for "type 2"."""
    head, _, number = name.rpartition(" ")
    digit = _ROMAN.get(number.upper(), number)
    spelled = spell_number(digit)
    return tuple(f"{head} {one}" for one in (*spelled, digit, *(one for one, each in _ROMAN.items() if each == digit)))


_ROMAN = {"I": "1", "II": "2", "III": "3"}
