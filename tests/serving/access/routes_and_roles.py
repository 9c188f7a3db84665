"""Who may do what: every route of the gateway, and what each kind of caller gets from it.

A route that is added to the gateway gets a row here, or `test_every_route_is_in_the_table` fails. `{session}`,
`{trace}` and `{question}` are the student's own; `nope` is nobody's. `limited` has a student's key for the course
`sjjg` alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

CALLERS = ("nobody", "anonymous", "revoked", "limited", "other student", "ta", "teacher", "admin", "student")
"""`nobody` has no key where keys are needed, `anonymous` none in an open gateway. The owner comes last."""


@dataclass(frozen=True)
class Row:
    """`template` is the route's, `path` what is asked. `statuses` by caller."""

    method: str
    template: str
    path: str
    statuses: Mapping[str, int]
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


def row(
    method: str, template: str, statuses: Mapping[str, int], body: Mapping[str, Any] | None = None, **path: str
) -> Row:
    """A row; the parts of the path are `nope` unless they are given."""
    wanted = template
    for part in [one.split("}")[0] for one in template.split("{")[1:]]:
        wanted = wanted.replace("{" + part + "}", path.get(part, "nope"))
    return Row(method, template, wanted, statuses, body)


def everybody(status: int = 200) -> dict[str, int]:
    return dict.fromkeys(CALLERS, status)


def who_may_ask(status: int = 200, **others: int) -> dict[str, int]:
    """401 without a key that is needed or with a revoked one. `others` by caller, with _ for a space."""
    own = {name.replace("_", " "): one for name, one in others.items()}
    return everybody(status) | {"nobody": 401, "revoked": 401} | own


def of_course_ds(status: int = 200) -> dict[str, int]:
    return who_may_ask(status, limited=404)


def owner_alone(status: int = 200) -> dict[str, int]:
    """Anybody else is told that there is no such thing, also a TA, a teacher and an admin."""
    return who_may_ask(404, student=status)


def tas(status: int = 200) -> dict[str, int]:
    """401 for who has no key, 403 for who has one of less."""
    return who_may_ask(status, anonymous=401, limited=403, other_student=403, student=403)


def teachers(status: int = 200) -> dict[str, int]:
    return tas(status) | {"ta": 403}


def admins(status: int = 200) -> dict[str, int]:
    return teachers(status) | {"teacher": 403}


def of_a_course_folder(status: int = 404) -> dict[str, int]:
    """Teachers of the course; whoever may not see it is told that there is none."""
    return teachers(status) | {"limited": 404}


ASK = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}
WORDED = {"question": "What is a stack?", "answer": "A list.", "rests": []}
NOBODY_NEEDS_A_KEY = everybody()

TABLE = (
    # Answers
    row("POST", "/v1/chat/completions", of_course_ds(), ASK),
    row(
        "POST",
        "/v1/chat/completions",
        who_may_ask(404),
        ASK | {"metadata": {"session": "nope"}, "model": "coteach:sjjg"},
    ),
    row("POST", "/v1/chat/completions", owner_alone() | {"limited": 404}, ASK | {"metadata": {"session": "{session}"}}),
    row("POST", "/v1/responses", of_course_ds(), {"model": "coteach:ds", "input": "What is a stack?"}),
    row(
        "POST",
        "/v1/responses",
        owner_alone() | {"limited": 404},
        {"model": "coteach:ds", "input": "What is a queue?", "previous_response_id": "{response}"},
    ),
    row("GET", "/v1/responses/{response_id}", owner_alone(), response_id="{response}"),
    row("DELETE", "/v1/responses/{response_id}", owner_alone(), response_id="{response}"),
    row("POST", "/v1/embeddings", who_may_ask(404), {"input": "a stack"}),
    row("GET", "/v1/models", who_may_ask()),
    row("GET", "/v1/models/{name}", of_course_ds(), name="coteach:ds"),
    row("GET", "/v1/schemas/coteach_answer", who_may_ask()),
    # The material as data
    row("POST", "/v1/search", of_course_ds(), {"query": "stack", "course": "ds"}),
    row("POST", "/v1/path", of_course_ds(), {"concept": "stack", "course": "ds"}),
    row("POST", "/v1/classify", of_course_ds(), {"question": "What is a stack?", "course": "ds"}),
    row("POST", "/v1/grade", who_may_ask(), {"question": "What?", "answer": "A list.", "knowledge": ["A list."]}),
    row("GET", "/v1/concept", who_may_ask(400)),
    row("GET", "/v1/courses", who_may_ask()),
    row("GET", "/v1/courses/{course_id}/concepts", of_course_ds(), course_id="ds"),
    row("GET", "/v1/courses/{course_id}/lectures", of_course_ds(), course_id="ds"),
    row("GET", "/v1/source", who_may_ask(400)),
    *(
        [row("POST", "/mcp", who_may_ask(), {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})]
        if find_spec("mcp")  # an extra
        else []
    ),
    # What references open
    row("GET", "/courses/{course_id}/videos/{video_id}", of_course_ds(), course_id="ds", video_id="02 stacks"),
    row("GET", "/courses/{course_id}/documents/{document}", of_course_ds(404), course_id="ds"),
    row("GET", "/courses/{course_id}/faq/{origin_id}", of_course_ds(404), course_id="ds"),
    row("GET", "/courses/{course_id}/catalog/{page}", of_course_ds(404), course_id="ds"),
    row("GET", "/courses/{course_id}/map", of_course_ds(404), course_id="ds"),
    # Files of a course, and builds: there is no course folder in this home
    row("POST", "/v1/courses", teachers(400), {}),
    row("GET", "/v1/courses/{course_id}/files", of_a_course_folder()),
    row("GET", "/v1/courses/{course_id}/files/{name}", of_a_course_folder()),
    row("PUT", "/v1/courses/{course_id}/files/{name}", of_a_course_folder()),
    row("DELETE", "/v1/courses/{course_id}/files/{name}", of_a_course_folder(400)),
    row("POST", "/v1/courses/{course_id}/package", of_a_course_folder()),
    row("GET", "/v1/courses/{course_id}/edits", of_a_course_folder()),
    row("POST", "/v1/courses/{course_id}/edits/{number}/undo", of_a_course_folder(), number="1"),
    row("POST", "/v1/builds", teachers(404), {"course": "nope"}),
    row("GET", "/v1/builds", teachers()),
    row("GET", "/v1/builds/{build_id}", teachers(404)),
    row("POST", "/v1/builds/{build_id}/cancel", teachers(404)),
    row("POST", "/files/new", teachers(400)),
    *(
        row("POST", f"/files/{{course_id}}/{act}", of_a_course_folder())
        for act in ("put", "package", "text", "remove", "undo", "build", "cancel")
    ),
    # Questions to a TA
    row("POST", "/v1/questions", owner_alone(201), {"trace_id": "{trace}"}),
    row("GET", "/v1/questions", who_may_ask()),
    row("GET", "/v1/questions/{question_id}", owner_alone(), question_id="{question}"),
    row("POST", "/v1/questions/{question_id}/seen", owner_alone(), question_id="{question}"),
    # Quiz me
    row("GET", "/v1/courses/{course_id}/quiz", of_course_ds(), course_id="ds"),
    row("POST", "/v1/courses/{course_id}/quiz", of_course_ds(404), {"item_id": "nope", "choice": "A"}, course_id="ds"),
    row("GET", "/quiz/{course_id}", of_course_ds(), course_id="ds"),
    row("POST", "/quiz/{course_id}", of_course_ds(404), course_id="ds"),
    row("POST", "/quiz/{course_id}/memory", of_course_ds(303), course_id="ds"),
    row("POST", "/me/forget", who_may_ask(303)),
    row("GET", "/v1/me/memory", who_may_ask()),
    row("PUT", "/v1/me/memory", who_may_ask(), {"is_wanted": False}),
    # One's own data
    row("GET", "/player.js", NOBODY_NEEDS_A_KEY),
    row("GET", "/v1/courses/{course_id}/position", of_course_ds(), course_id="ds"),
    row("PUT", "/v1/courses/{course_id}/position", of_course_ds(404), {"video": "nope", "at_ms": 1}, course_id="ds"),
    row("POST", "/me/forget-places", who_may_ask(303)),
    row("POST", "/me/forget-concept", who_may_ask(303)),
    row("GET", "/v1/me/data", who_may_ask()),
    row("DELETE", "/v1/me/data", who_may_ask(400)),
    row("POST", "/me/delete", who_may_ask(400)),
    row("GET", "/v1/me/notifications", who_may_ask()),
    row("PUT", "/v1/me/notifications", who_may_ask(), {"events": []}),
    row("POST", "/me/notifications", who_may_ask(303)),
    row("GET", "/v1/notices", admins()),
    *(row(method, "/confirm/{token}", everybody(404)) for method in ("GET", "POST")),
    *(row(method, "/unsubscribe/{token}", everybody(404)) for method in ("GET", "POST")),
    # A TA's desk
    row("GET", "/review/questions", tas()),
    row("GET", "/review/questions/{question_id}", tas(404)),
    row("POST", "/review/questions/{question_id}/claim", tas(404)),
    row("POST", "/review/questions/{question_id}/release", tas(404)),
    row("POST", "/review/questions/{question_id}/approve", tas(404), WORDED),
    row("POST", "/review/questions/{question_id}/reject", tas(404), {"reply": ""}),
    row("GET", "/review/answers", tas()),
    row("GET", "/review/answers/{answer_id}", tas(404)),
    row("PATCH", "/review/answers/{answer_id}", tas(404), WORDED),
    row("POST", "/review/answers/{answer_id}/withdraw", tas(404), {"note": ""}),
    row("POST", "/review/faq", tas(404) | {"limited": 404}, WORDED | {"course_id": "nope", "origin_id": "nope"}),
    row("GET", "/v1/faq/proposals", tas(400)),
    row("GET", "/v1/courses/{course_id}/assessments", tas() | {"limited": 404}, course_id="ds"),
    row("POST", "/v1/faq/proposals/publish", tas(404), WORDED | {"trace_ids": ["nope"]}),
    row("POST", "/v1/faq/proposals/dismiss", tas(404), {"trace_ids": ["nope"]}),
    # Feedback
    row("POST", "/v1/feedback", owner_alone(), {"trace_id": "{trace}", "thumb": "down"}),
    row("GET", "/v1/feedback/reasons", who_may_ask()),
    row("GET", "/v1/feedback/{trace_id}", owner_alone(), trace_id="{trace}"),
    # Ratings
    row("GET", "/review/forms", tas()),
    row("GET", "/review/raters", tas()),
    row("GET", "/review/batches", tas()),
    row("POST", "/review/batches", teachers(400), {}),
    row("POST", "/review/batches/daily", tas(404) | {"limited": 404}, {"course_id": "nope"}),
    row("GET", "/review/batches/{batch_id}", tas(404)),
    row("GET", "/review/batches/{batch_id}/results", tas(404)),
    row("GET", "/review/batches/{batch_id}/next", tas(404)),
    row("POST", "/review/batches/{batch_id}/hand-over", tas(404), {"giver": "nope", "taker": "nope"}),
    row("POST", "/review/batches/{batch_id}/finish", tas(404)),
    row("POST", "/review/ratings", tas(404), {"trace_id": "nope", "form": "satisfaction", "values": {"": "1"}}),
    # Figures and experiments
    row("GET", "/v1/insights", tas()),
    row("GET", "/v1/insights/weekly", tas()),
    row("GET", "/v1/spending", tas()),
    row("GET", "/v1/courses/{course_id}/control", tas(404) | {"limited": 404}),
    row("PUT", "/v1/courses/{course_id}/control", of_a_course_folder(), {"switch": "on"}),
    row("POST", "/spending/{course_id}/control", of_a_course_folder(400) | {"limited": 404}),
    row("GET", "/v1/experiments", teachers()),
    row("GET", "/v1/experiments/{name}", teachers(404)),
    row("POST", "/v1/experiments", admins(400), {}),
    row("POST", "/v1/experiments/{name}/stop", admins(404)),
    # Traces and sessions; a TA reviews the answers of their courses
    row("GET", "/v1/traces/{trace_id}", owner_alone() | {"ta": 200, "teacher": 200, "admin": 200}, trace_id="{trace}"),
    # Chain of Teach: prompts are for staff
    row("GET", "/v1/traces/{trace_id}/teaching", tas(), trace_id="{trace}"),
    row("POST", "/v1/teach", tas(), {"question": "Why is a stack a list?", "course": "ds"}),
    row("GET", "/v1/sessions", who_may_ask()),
    row("GET", "/v1/sessions/{session_id}", owner_alone(), session_id="{session}"),
    row("DELETE", "/v1/sessions/{session_id}", owner_alone(204), session_id="{session}"),
    # Logins
    row("POST", "/login", everybody(401), {"key": "ct-nope-nope"}),
    row("POST", "/logout", NOBODY_NEEDS_A_KEY),
    # What an LMS calls: nothing, while none is connected (what each gets otherwise: lti/test_lti_launches.py)
    row("GET", "/lti/jwks", everybody(404)),
    row("GET", "/lti/login", everybody(404)),
    row("POST", "/lti/login", everybody(404)),
    row("POST", "/lti/launch", everybody(404)),
    row("POST", "/lti/choose", everybody(404)),
    row("GET", "/lti/register/{token}", everybody(404)),
    row("POST", "/lti/register/{token}", everybody(404)),
    # Machines
    row("GET", "/livez", NOBODY_NEEDS_A_KEY),
    row("GET", "/llms.txt", NOBODY_NEEDS_A_KEY),
    row("GET", "/readyz", NOBODY_NEEDS_A_KEY),
    row("GET", "/healthz", NOBODY_NEEDS_A_KEY),
    row("GET", "/metrics", admins()),
)
"""`/metrics` is asked from another machine; from this one it is open."""

LEAD_AWAY = 303
"""To the login: a page is not built for who may not see it."""


def page(template: str, least: str) -> Row:
    """A page for those of a role and above; for whoever may ask, `student`."""
    below = {"student": (), "ta": ("anonymous", "limited", "other student", "student")}
    below["teacher"] = (*below["ta"], "ta")
    away = ("nobody", "revoked", *below[least])
    statuses = {caller: LEAD_AWAY if caller in away else 200 for caller in CALLERS}
    return Row("GET", template, template, statuses, headers={"Accept": "text/html"})


PAGES = (
    page("/", "student"),
    page("/me", "student"),
    page("/queue", "ta"),
    page("/rate", "ta"),
    page("/graph", "teacher"),
    page("/files", "teacher"),
    page("/insights", "ta"),
    page("/spending", "ta"),
    page("/models", "ta"),
    Row("GET", "/login", "/login", everybody(), headers={"Accept": "text/html"}),
    Row(
        "GET",
        "/why/{trace_id}",
        "/why/{trace}",
        owner_alone() | {"nobody": LEAD_AWAY, "revoked": LEAD_AWAY},
        headers={"Accept": "text/html"},
    ),
)
"""What a browser shows."""

FILES = frozenset({"/favicon.ico", "/pages/static/{path:path}"})
"""Scripts, styles and pictures of the pages: the same for everybody."""
