"""What a request shows of itself: its key, its site, and the course, student and session it names. Nothing is believed
here, and nothing is looked up.
"""

import ipaddress
from collections.abc import Mapping
from itertools import takewhile
from typing import Any

import orjson
from starlette.requests import Request

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

USER_HEADERS = ("x-coteach-user", "x-openwebui-user-id")
"""By which a service names its student where a request has no field `user`. The second is Open WebUI's."""

SESSION_HEADER = "x-coteach-session"
LONGEST_USER = 512

LONGEST_MEASURED = 65_536
"""Bytes of a body in which a question is looked for to know its length; a longer one counts as long."""

STREAMED = "coteach.streamed"
"""In the scope of a request whose body is a file, read by its route alone, piece by piece."""


def is_loopback(host: str | None) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def is_same_site(method: str, headers: Mapping[str, str], trusted: tuple[str, ...] = ()) -> bool:
    """Whether a browser's request was made by a page of this gateway, as Go's `http.CrossOriginProtection` decides.

    `Sec-Fetch-Site` settles it; browsers without it send `Origin`, which must name this host; who sends neither is no
    browser. Requests that change nothing always pass.
    """
    if method in SAFE_METHODS:
        return True
    origin = headers.get("origin")
    if origin is not None and origin in trusted:
        return True
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    return origin is None or origin.partition("://")[2] == headers.get("host")


def bearer_of(authorization: str | None) -> str | None:
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def find_course(path: Mapping[str, Any], body: Mapping[str, Any]) -> str | None:
    """The course that a request names: in its path, as `metadata.course` or `course_id`, or behind the model's name."""
    metadata, model = body.get("metadata"), body.get("model")
    of_metadata = metadata.get("course") if isinstance(metadata, dict) else None
    of_model = model.partition(":")[2] if isinstance(model, str) else None
    for found in (path.get("course_id"), of_metadata, body.get("course_id"), of_model):
        if isinstance(found, str) and found:
            return found
    return None


def find_asked_course(body: Mapping[str, Any]) -> str | None:
    """The course that a question is of, as `read_request` reads it; what else a body may name counts for nothing."""
    return find_course({}, {name: body.get(name) for name in ("metadata", "model")})


def find_tool_arguments(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The arguments of a call of the tool `ask`, as the Model Context Protocol writes it; `None` for anything else."""
    params = body.get("params")
    if body.get("method") != "tools/call" or not isinstance(params, dict) or params.get("name") != "ask":
        return None
    arguments = params.get("arguments")
    return arguments if isinstance(arguments, dict) else {}


def question_length(body: bytes) -> int:
    """Characters of the question in the body of a request that asks: the user's last messages, without what was said
    before. The bytes of a body in which none is found, or that is too long to look."""
    if len(body) > LONGEST_MEASURED:
        return len(body)
    try:
        request = orjson.loads(body)
    except ValueError:
        return len(body)
    said = request.get("messages", request.get("input")) if isinstance(request, dict) else None
    if isinstance(said, str):
        return len(said)
    if not isinstance(said, list):
        return len(body)
    own = takewhile(lambda one: isinstance(one, dict) and one.get("role") == "user", reversed(said))
    return sum(_text_length(one.get("content")) for one in own)


def _text_length(content: object) -> int:
    if isinstance(content, str):
        return len(content)
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return sum(len(text) for text in texts if isinstance(text, str))


def user_of(headers: Mapping[str, str], body: Mapping[str, Any]) -> str | None:
    """What a service calls its student: OpenAI's `safety_identifier` or `user`, or a header."""
    named = [body.get("safety_identifier"), body.get("user"), *(headers.get(name) for name in USER_HEADERS)]
    return next((one[:LONGEST_USER] for one in named if isinstance(one, str) and one.strip()), None)


def session_of(path: Mapping[str, Any], headers: Mapping[str, str], body: Mapping[str, Any]) -> str | None:
    """The session id by which an unknown caller shows who they are."""
    metadata = body.get("metadata")
    of_metadata = metadata.get("session") if isinstance(metadata, dict) else None
    of_tool = (find_tool_arguments(body) or {}).get("session")
    named = (path.get("session_id"), headers.get(SESSION_HEADER), body.get("session_id"), of_metadata, of_tool)
    return next((one for one in named if isinstance(one, str) and 0 < len(one) <= 64), None)


def find_response_id(path: Mapping[str, Any], body: Mapping[str, Any]) -> str | None:
    """The answer of `/v1/responses` that a request reads or goes on from."""
    named = (path.get("response_id"), body.get("previous_response_id"))
    return next((one for one in named if isinstance(one, str) and 0 < len(one) <= LONGEST_USER), None)


async def body_of(request: Request) -> Mapping[str, Any]:
    """The JSON object of a request that FastAPI has read already; empty for anything else."""
    if (
        request.scope.get(STREAMED)
        or request.method in SAFE_METHODS
        or "json" not in request.headers.get("content-type", "")
    ):
        return {}
    try:
        body = await request.json()
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}
