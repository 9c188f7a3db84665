"""Greek letters that a question spells out, as the material writes them: "phi function" for "Φ function". Pure."""

import re
from collections.abc import Callable

_LETTERS = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "theta": "θ",
    "lambda": "λ",
    "mu": "μ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "φ",
    "psi": "ψ",
    "omega": "ω",
}
_SPELLED = re.compile(rf"\b({'|'.join(_LETTERS)})\b(?:([ -])([a-z]{{3,}}))?", re.IGNORECASE)


def write_greek_letters(question: str, says: Callable[[str], bool]) -> str:
    """The question with each letter that it spells put as the letter, where the material writes that, with the word
    behind it, and never spells it. `says` tells whether the material has a text in lower case."""

    def write(found: re.Match[str]) -> str:
        letter, spelled = _LETTERS[found[1].lower()], found[1].lower()
        behind = (found[3] or "").lower().removesuffix("s")
        for rest in dict.fromkeys((f" {behind}" if behind else "", "")):
            if says(f"{letter}{rest}"):
                return found.group() if says(f"{spelled}{rest}") else f"{letter}{found.group()[len(spelled) :]}"
        return found.group()

    return _SPELLED.sub(write, question)
