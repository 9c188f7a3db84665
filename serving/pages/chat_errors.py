"""What went wrong, in words a student can do something with. Pure."""

from serving.desk.refusals import NotFit
from serving.feedback.reasons import FeedbackRefused
from serving.gateway.errors import GatewayError
from serving.gateway.spending import DayUsedUp, SwitchedOff
from serving.pages.words import PageTexts
from serving.store.turns import NotYours

_BY_STATUS = {401: "error_login", 403: "error_login", 404: "error_course", 429: "error_busy"}


def describe_error(error: Exception, say: PageTexts) -> str:
    """One sentence for an error; what only programs understand becomes a general one. Why an assistant is off is told
    in the words of whoever switched it off."""
    if isinstance(error, SwitchedOff):
        return error.told or say("error_assistant_off")
    if isinstance(error, DayUsedUp):
        return say(f"error_day_{error.why}")
    return say(error_key(error))


def error_key(error: Exception) -> str:
    if isinstance(error, NotYours):
        return "error_gone"
    if isinstance(error, NotFit | FeedbackRefused):
        return "error_note"
    if isinstance(error, GatewayError):
        return "error_not_built" if error.code == "not_built" else _BY_STATUS.get(error.status, "error_other")
    return "error_other"
