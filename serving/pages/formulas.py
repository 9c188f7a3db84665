"""Formulas from LaTeX to MathML, which browsers draw without a script. Only elements and attributes named here pass.

latex2mathml copies text and attributes as they are written, tags and addresses too: so what it makes is read as XML and
built anew from what is known to draw and nothing else.
"""

from functools import lru_cache
from html import escape
from xml.etree import ElementTree

from latex2mathml.converter import convert

LONGEST = 2000
"""Characters of one formula; a longer one is shown as it is written. A choice."""

_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"

_ELEMENTS = frozenset(
    "math mrow mi mn mo mtext mspace mfrac msqrt mroot msup msub msubsup munder mover munderover mtable mtr mtd "
    "mfenced menclose mstyle mpadded mphantom".split()
)
_ATTRIBUTES = frozenset(
    "display displaystyle mathvariant stretchy fence separator lspace rspace width height depth minsize maxsize "
    "columnalign rowspacing columnspacing columnlines rowlines linethickness accent accentunder notation form".split()
)


@lru_cache(maxsize=512)
def formula(latex: str, *, block: bool = False) -> str:
    """MathML of a formula; what cannot be read is shown as it is written, as code."""
    if len(latex) > LONGEST:
        return f"<code>{escape(latex)}</code>"
    try:
        made = ElementTree.fromstring(convert(latex, display="block" if block else "inline"))
        return _safe(made)
    except Exception:  # noqa: BLE001  latex2mathml raises whatever it stumbles over; the text itself is always right
        return f"<code>{escape(latex)}</code>"


def _safe(element: ElementTree.Element) -> str:
    """The element with all that is in it. Raises `ValueError` for an element that does no more than draw."""
    name = element.tag.removeprefix(_NAMESPACE)
    if name not in _ELEMENTS:
        raise ValueError(f"<{name}> is not drawn.")
    kept = "".join(f' {key}="{escape(value)}"' for key, value in sorted(element.items()) if key in _ATTRIBUTES)
    inner = escape(element.text or "") + "".join(_safe(child) + escape(child.tail or "") for child in element)
    return f"<{name}{kept}>{inner}</{name}>"
