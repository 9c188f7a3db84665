"""How pictures of the evaluation look: one frame, one set of colours, fonts that have Chinese, the same bytes twice."""

import io
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#3b6fb6", "#d1742f", "#4b9b6e", "#a64d79", "#8a7a3d", "#6d6d6d")
"""Told apart in grey and by those who see red and green alike."""

FONTS = ("DejaVu Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "WenQuanYi Zen Hei")
"""The first is matplotlib's own; one of the others, where it is installed, has what the first has not."""

_LOOK: Any = {
    "font.size": 10,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def draw(paint: "Callable[[Figure], None]", *, width: float = 7.2, height: float = 4.2) -> bytes:
    """The picture that `paint` makes of an empty figure (inches), as PNG. The same painting gives the same bytes.

    A letter that no installed font has is drawn as a box.
    """
    from matplotlib import rc_context  # noqa: PLC0415  0.5 s in every build, that draws nothing
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415
    from matplotlib.font_manager import fontManager  # noqa: PLC0415

    stream = io.BytesIO()
    installed = {font.name for font in fontManager.ttflist}
    with rc_context(_LOOK | {"font.family": [name for name in FONTS if name in installed]}):
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        paint(figure)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
            figure.savefig(stream, format="png", dpi=120, facecolor="white", metadata={"Software": None})
    return stream.getvalue()
