"""Turns refusals of other layers into replies: their own message, with the fitting HTTP status."""

from collections.abc import Iterator
from contextlib import contextmanager

from knowledge_graph.lake.problems import CoteachError
from serving.desk.insights.scope import ScopeRefused
from serving.desk.refusals import AlreadyDecided, NotAtTheDesk, NotFit
from serving.feedback.experiments import ExperimentRefused
from serving.feedback.rating_forms import RatingRefused
from serving.feedback.reasons import FeedbackRefused
from serving.gateway.errors import GatewayError
from serving.store.batches import BatchRefused, BatchUnknown
from serving.store.experiments import ExperimentUnknown

_UNFIT = (BatchRefused, ExperimentRefused, FeedbackRefused, NotFit, RatingRefused, ScopeRefused)
_UNKNOWN = (BatchUnknown, ExperimentUnknown, NotAtTheDesk)


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what is raised inside into `GatewayError`: 400 for what does not fit, 404 for what is not there, 409 for
    what somebody else was first to decide.
    """
    try:
        yield
    except _UNFIT as error:
        raise _to_gateway_error(error, 400) from error
    except _UNKNOWN as error:
        raise _to_gateway_error(error, 404) from error
    except AlreadyDecided as error:
        raise GatewayError(str(error), status=409, code="conflict") from error


def _to_gateway_error(error: CoteachError, status: int) -> GatewayError:
    return GatewayError(str(error), status=status)
