"""Forms of clients' own (`response_format` with their schema): filled where a model is admitted, else 400.

Whether a model may write depends on the question's language and kind, which is known once it is answered; where none
may write at all is known before.
"""

from serving.assistant.answer import Answer
from serving.assistant.generation.form_filling import ClientForm, FilledForm, fill_form
from serving.assistant.guardrails.ending import Options
from serving.gateway.answer_object import SCHEMA_NAME
from serving.gateway.client_schemas import PARAM
from serving.gateway.errors import GatewayError
from serving.gateway.service import Service
from serving.gateway.spending import may_write

_ADMITTING = "`coteach model examine` says which model may write"


def require_form_writer(service: Service) -> None:
    """Raise `GatewayError` 400 where no model may fill a form, whatever is asked."""
    mode = service.settings.model_admission
    may_write = mode == "always" or (mode == "exam" and service.admissions.admits_any)
    if not may_write or all(model is None for model in service.models.all):
        message = (
            f"{PARAM} with a schema of your own needs a language model that is admitted here, and none is "
            f"({_ADMITTING}). The published schema '{SCHEMA_NAME}' is filled without one."
        )
        raise GatewayError(message, code="unsupported_parameter", param=PARAM)


async def fill_client_form(
    service: Service, question: str, form: ClientForm, options: Options, answer: Answer, *, withheld: str = ""
) -> FilledForm:
    """The form filled with an answer; refused where the model is not admitted for its language and kind, or is
    `withheld` for the reason given."""
    if withheld:
        return FilledForm(None, f"The form was not filled: {withheld}")
    llm = service.models.of(answer.lang)
    if llm is None or not may_write(service.settings, service.admissions, answer):
        kind = f"questions of the kind '{answer.kind}'" if answer.kind else "what was asked"
        return FilledForm(None, f"The form was not filled: no model is admitted for {kind} in '{answer.lang}'.")
    knowledge, longest = await service.knowledge(), service.settings.max_tokens
    return await fill_form(
        llm,
        form,
        answer.trace.resolved or question,
        answer,
        max_tokens=min(options.max_tokens or longest, longest),
        names=knowledge.assistant.names_of(answer.trace.course_id),
        weigh=knowledge.index.idf,
    )
