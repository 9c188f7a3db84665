"""`/llms.txt`: what this gateway is and which routes it has, as text for agents, in the form of llmstxt.org.

Written from the routes themselves, so that it says of each what its code says. It names no course and nothing of a
home: which courses there are is told by `/v1/models`, to who may see them.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import PlainTextResponse

from serving.gateway.access import own_address

router = APIRouter()

Section = Literal["answers", "material", "traces", "questions", "feedback", "authoring", "review"]

SECTIONS: Mapping[Section, str] = {
    "answers": "Ask",
    "material": "Look up",
    "traces": "What an answer rests on, and conversations",
    "questions": "People, quizzes and one's own data",
    "feedback": "Say what one thinks of an answer",
    "authoring": "Make and change a course (teachers)",
    "review": "The TAs' desk",
}
"""Tags of routes, and what they are called here. What agents do not need is left to the whole description."""

HEAD = """\
# coteach

> A virtual teaching assistant for online courses. It answers from a course's own lectures, documents and FAQ, with \
references that open where they lead, and says when the material has no answer.

Ask as you ask OpenAI: `model` is `coteach:<course id>`, the last message is the question, and a key is sent as \
`Authorization: Bearer …` where the gateway wants one. The reply's `coteach` says route, coverage, references, trace. \
Parameters that are not honoured are refused by name. 429 and 503 come with `Retry-After`. Questions about graded work \
are answered by the course's rules, at every route.
"""

TOOLS = "ask, search, explain_concept, study_path and open_source"
"""The tools of `mcp_server.py`, an extra that need not be installed."""


@cache
def operations(app: FastAPI) -> tuple[tuple[str, str, str, str], ...]:
    """Tag, method, path and first sentence of every route that is described; of one app they never change."""
    found = []
    for path, methods in app.openapi()["paths"].items():
        for method, said in methods.items():
            sentence = " ".join(said.get("description", "").split("\n\n")[0].split())
            found.append((next(iter(said.get("tags", [])), ""), method, path, sentence))
    return tuple(found)


def describe_api(app: FastAPI, root: str, *, has_mcp: bool) -> str:
    """The text. `root` is the address of the gateway without a slash at its end."""
    return "\n".join([HEAD, *_describe(app, root, has_mcp=has_mcp)])


def _describe(app: FastAPI, root: str, *, has_mcp: bool) -> Iterator[str]:
    whole = f"{root}/openapi.json"
    for section, title in SECTIONS.items():
        yield f"## {title}\n"
        for tag, method, path, sentence in operations(app):
            if tag == section and path.startswith(("/v1/", "/review/")):
                yield f"- [{method.upper()} {path}]({whole}{_pointer(path, method)}): {sentence}"
        yield ""
    yield "## Whole descriptions\n"
    yield f"- [OpenAPI]({whole}): every route with its parameters, replies and errors."
    if has_mcp:
        yield f"- [MCP]({root}/mcp): the tools {TOOLS} for agents, by streamable HTTP."
    yield ""


def _pointer(path: str, method: str) -> str:
    """Where in the OpenAPI description a route stands, as a JSON pointer (RFC 6901) in an address."""
    escaped = path.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")
    return f"#/paths/{escaped}/{method}"


class MarkdownReply(PlainTextResponse):
    """Text in Markdown."""

    media_type = "text/markdown"


@router.get("/llms.txt", response_class=MarkdownReply)
async def show_api(request: Request) -> MarkdownReply:
    """What this gateway is and which routes it has, as text for agents (llmstxt.org). The same for everybody."""
    text = describe_api(request.app, own_address(request).rstrip("/"), has_mcp=hasattr(request.app.state, "mcp"))
    return MarkdownReply(text)
