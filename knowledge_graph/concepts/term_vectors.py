"""Vectors of terms from the course's own text: which terms are talked of together.

Belongs here: co-occurrence in windows of sentences, weighted by positive pointwise mutual information and reduced by a
singular value decomposition (Levy, Goldberg and Dagan 2015). It needs no model and no network, in any language.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]

WINDOW = 3
"""Sentences that count as talking of the same thing."""
DIMENSIONS = 48
_CONTEXTS = 800  # terms that others are described by, the most frequent ones; the decomposition takes their cube
_NOTHING = 1e-9  # of the largest eigenvalue: below, an axis is rounding
_SMOOTHING = 0.75  # of the contexts' frequencies, so that rare contexts weigh less (Levy et al. 2015, section 3.2)


def term_vectors(places: Sequence[NDArray[np.int64]], dimensions: int = DIMENSIONS) -> Floats:
    """One unit vector per term (row), from the sentences each occurs in; all zeros for a term that never meets another.

    Deterministic. Time grows with the occurrences, beside a decomposition that takes the same time for any course.
    """
    where = _incidence(places)
    frequent = np.argsort(-np.diff(where.indptr), kind="stable")[:_CONTEXTS]
    weights = _ppmi(where, np.sort(frequent))
    rank = min(dimensions, weights.shape[1])
    if weights.nnz == 0:
        return np.zeros((len(places), 1))
    last = weights.shape[1] - 1
    values, axes = eigh((weights.T @ weights).toarray(), subset_by_index=(last + 1 - rank, last))
    kept = values > _NOTHING * values[-1]
    return unit(weights @ axes[:, kept] / values[kept] ** 0.25)


def unit(vectors: Floats) -> Floats:
    """The rows at length one; rows of zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 1e-9)
    return scaled


def _incidence(places: Sequence[NDArray[np.int64]]) -> csr_matrix:
    """Terms x windows: 1 where the term occurs."""
    rows = np.repeat(np.arange(len(places)), [len(each) for each in places])
    columns = np.concatenate([np.zeros(0, np.int64), *places]) // WINDOW
    shape = (len(places), int(columns.max()) + 1 if len(columns) else 1)
    counts = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
    counts.data[:] = 1.0
    return counts


def _ppmi(where: csr_matrix, contexts: NDArray[np.intp]) -> csr_matrix:
    """Positive pointwise mutual information of each term with each context, itself left out."""
    together = (where @ where[contexts].T).tocoo()
    other = together.row != contexts[together.col]
    rows, columns, counts = together.row[other], together.col[other], together.data[other]
    if not len(counts):
        return csr_matrix(together.shape)
    by_row = np.bincount(rows, counts, minlength=together.shape[0])
    by_column = np.bincount(columns, counts, minlength=together.shape[1]) ** _SMOOTHING
    values = np.log(counts * by_column.sum() / (by_row[rows] * by_column[columns]))
    kept = values > 0
    return csr_matrix((values[kept], (rows[kept], columns[kept])), shape=together.shape)
