"""The schema of the store. Rows only; what may be done with them is in the modules named after them.

A module a subject. All are imported here, so that whoever knows one table has all that its foreign keys name.
"""

from serving.store.tables import (
    base,
    budget,
    conversation,
    experiment,
    identity,
    lti,
    notification,
    rating,
    review,
    study,
)

__all__ = [
    "base",
    "budget",
    "conversation",
    "experiment",
    "identity",
    "lti",
    "notification",
    "rating",
    "review",
    "study",
]
