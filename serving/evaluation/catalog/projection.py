"""A question and the pages found for it, in three dimensions (Tulane 5.I, the picture of "Computer Science Major").

The space is that of the catalogue expert: TF-IDF with cosine. scikit-learn's vectors are the same as
`serving.assistant.retrieval.tf_idf`'s (a test compares them); they are used here because its PCA takes them as they
are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import TfidfVectorizer

from serving.assistant.retrieval.catalog_expert import space_terms
from serving.evaluation.figures import COLOURS
from serving.index.schema import Entry

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DIMENSIONS = 3
FEWEST = DIMENSIONS + 2
"""Pages that three directions can be found among: ARPACK finds fewer than there are rows."""

_NAMED = 5
"""Pages whose title stands in the picture. A choice."""
_LONGEST_TITLE = 34
_FLAT = 1e-12
_PALE = "#b9bec6"


@dataclass(frozen=True)
class Projection:
    """`pages` is (n, 3), one row per page; `question` is (3,). `explained` are the shares of the variance of the pages
    in each direction, 0..1, largest first."""

    pages: NDArray[np.float64]
    question: NDArray[np.float64]
    explained: tuple[float, ...]


def project(entries: Sequence[Entry], question: str) -> Projection | None:
    """Pages and question by the first three principal components of the pages.

    The largest loading of each component is positive, so that the same pages never come out mirrored. `None` for fewer
    than `FEWEST` pages and for pages that are all the same.
    """
    if len(entries) < FEWEST:
        return None
    vectorizer = TfidfVectorizer(analyzer=space_terms)
    pages = vectorizer.fit_transform([page_text(entry) for entry in entries])
    if pages.shape[1] <= DIMENSIONS or _variance(pages) < _FLAT:
        return None
    fitted = PCA(n_components=DIMENSIONS, svd_solver="arpack", random_state=0).fit(pages)
    signs = _signs(fitted.components_)
    asked = fitted.transform(vectorizer.transform([question]))[0]
    explained = tuple(float(share) for share in fitted.explained_variance_ratio_)
    return Projection(fitted.transform(pages) * signs, asked * signs, explained)


def page_text(entry: Entry) -> str:
    """What of a page is in the space, as `catalog_expert.Spaces` has it."""
    return f"{entry.section or ''}\n{entry.title}\n{entry.text}"


def paint_projection(
    figure: "Figure", found: Projection, *, entries: Sequence[Entry], retrieved: Sequence[str], question: str
) -> None:
    """The question as a star, what was retrieved in colour and by rank with lines to it, all other pages pale.

    `retrieved` are ids of entries, best first. Thin lines fall to the floor: they say which point is in front.
    """
    axes: Any = figure.add_subplot(projection="3d")
    places = {entry.entry_id: place for place, entry in enumerate(entries)}
    kept = [places[key] for key in retrieved if key in places]
    others = [place for place in range(len(entries)) if place not in set(kept)]
    floor = float(min(found.pages[:, 2].min(), found.question[2]))
    for point in found.pages:
        _line(axes, point, np.array([*point[:2], floor]), _PALE)
    _line(axes, found.question, np.array([*found.question[:2], floor]), COLOURS[1])
    axes.scatter(*found.question, color=COLOURS[1], marker="*", s=190, depthshade=False, label=f"“{question}”")
    for rank, place in enumerate(kept, start=1):
        label = f"{rank}  {shorten_title(entries[place].title)}" if rank <= _NAMED else None
        axes.scatter(*found.pages[place], color=COLOURS[0], s=40, depthshade=False, label=label)
        _line(axes, found.question, found.pages[place], COLOURS[0])
        axes.text(*found.pages[place], f"  {rank}", fontsize=9, va="bottom")
    axes.scatter(*found.pages[others].T, color=_PALE, s=22, depthshade=False, label="pages not retrieved")
    for name, share in zip("xyz", found.explained, strict=True):
        getattr(axes, f"set_{name}label")(f"{share:.0%} of the variance", fontsize=8)
        getattr(axes, f"set_{name}ticklabels")([])
    axes.grid(visible=False)
    axes.legend(loc="upper left", fontsize=8, frameon=False)


def shorten_title(title: str, longest: int = _LONGEST_TITLE) -> str:
    """A title that fits into a picture."""
    return title if len(title) <= longest else title[: longest - 1].rstrip() + "…"


def _line(axes: Any, start: NDArray[np.float64], end: NDArray[np.float64], colour: str) -> None:
    axes.plot(*np.stack([start, end]).T, color=colour, linewidth=0.8, alpha=0.6)


def _variance(pages: Any) -> float:
    """Sum of the variances of the columns of a sparse matrix of rows of length 1."""
    mean = np.asarray(pages.mean(axis=0)).ravel()
    return float(1.0 - mean @ mean)


def _signs(components: NDArray[np.float64]) -> NDArray[np.float64]:
    largest = np.abs(components).argmax(axis=1)
    return np.where(components[np.arange(len(components)), largest] < 0, -1.0, 1.0)
