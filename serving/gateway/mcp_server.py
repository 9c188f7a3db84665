"""A course as tools of any assistant, by the Model Context Protocol: over HTTP at `/mcp`, and over standard streams.

The tools ask and look things up as the REST routes do; who calls them sees the courses that are theirs.
https://modelcontextprotocol.io
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import metadata
from typing import Annotated, Any, TypeVar, cast

from fastapi import APIRouter, Request
from fastapi.responses import Response
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field
from starlette.types import Receive, Scope, Send

from serving.gateway.access import Asking, links_for, require_scope
from serving.gateway.answers import await_answer, question_of, whole_answer
from serving.gateway.chat_schemas import ChatQuestion, ChatReply
from serving.gateway.conversations import ConversationAnswer, Question
from serving.gateway.errors import GatewayError
from serving.gateway.links import Links
from serving.gateway.lookups import ConceptReply, FoundReply, Lookups, PathReply, SearchKind, SourceReply
from serving.gateway.reply_models import Extension
from serving.gateway.security import replaying
from serving.gateway.service import Service, Shared
from serving.store.caller import Caller
from serving.store.turns import NotYours

router = APIRouter(tags=["material"])

INSTRUCTIONS = (
    "Tools over the material of courses: lectures, FAQ, documents and the graph of their concepts. `ask` answers by "
    "itself; the others find what you answer from. Cite what you use by its url. What no tool finds is not in the "
    "material: say so."
)

Course = Annotated[str, Field(max_length=200, description="Course id; empty: the only one, else all.")]
Name = Annotated[str, Field(min_length=1, max_length=200, description="A concept, by any of its names.")]
Query = Annotated[str, Field(min_length=1, max_length=4000)]
Hits = Annotated[int, Field(ge=1, le=50)]
Known = Annotated[list[str], Field(max_length=100, description="Concepts that are known already.")]
Address = Annotated[str, Field(min_length=1, max_length=2000, description="The url of something found.")]

Session = Annotated[str, Field(max_length=64, description="`coteach.session` of an earlier answer, to go on from it.")]

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
ASKS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)

Reply = TypeVar("Reply")
Tell = Callable[[Question], Awaitable[ConversationAnswer]]
"""Answers a question of the caller's."""


@dataclass(frozen=True)
class ToolCaller:
    """Who calls a tool: what they may look up, and what answers them."""

    lookups: Lookups
    tell: Tell


CallerOf = Callable[[Any], ToolCaller]
"""From what the transport says of a request to who calls."""


class AskReply(BaseModel):
    """An answer with its marks `[1]`, and what is known of it: coverage, references with their urls, the session."""

    answer: str
    coteach: Extension


def make_server(caller_of: CallerOf) -> MCPServer[Any]:
    """The server with its tools; `caller_of` is asked for each call."""
    server: MCPServer[Any] = MCPServer(
        "coteach",
        title="coteach",
        instructions=INSTRUCTIONS,
        version=metadata.version("coteach"),
        log_level="WARNING",
        subscriptions=False,
    )

    def looking(context: Context[Any, Any]) -> Lookups:
        return caller_of(context.request_context.request).lookups

    @server.tool(annotations=ASKS)
    async def ask(question: Query, context: Context[Any, Any], course: Course = "", session: Session = "") -> AskReply:
        """Ask a course's assistant. It answers from the material, with marks that lead to references, or says that the
        material has no answer; the rules of the course about graded work hold."""
        caller = caller_of(context.request_context.request)
        return await _await_reply(_answer(caller, ChatQuestion(question, (), course or None, session=session or None)))

    @server.tool(annotations=READS)
    async def search(
        query: Query, context: Context[Any, Any], course: Course = "", kind: SearchKind = "passage", k: Hits = 8
    ) -> FoundReply:
        """Search a course: `passage` finds what lectures and documents say, `qa` stored answers and the FAQ."""
        look = looking(context)
        return await _await_reply(look.search(query, course=course, kind=kind, sources=None, k=k))

    @server.tool(annotations=READS)
    async def explain_concept(concept: Name, context: Context[Any, Any], course: Course = "") -> ConceptReply:
        """What a concept is in a course, where it is taught, and what comes before, after and beside it."""
        return await _await_reply(looking(context).concept(concept, course=course))

    @server.tool(annotations=READS)
    async def study_path(
        concept: Name, context: Context[Any, Any], known: Known | None = None, course: Course = ""
    ) -> PathReply:
        """What to learn before a concept, in order, and where it is taught."""
        return await _await_reply(looking(context).path(concept, known=known or [], course=course))

    @server.tool(annotations=READS)
    async def open_source(url: Address, context: Context[Any, Any]) -> SourceReply:
        """Read what the url of something found leads to: the lecture around the second, the section, the FAQ entry."""
        return await _await_reply(looking(context).source(url))

    return server


async def _answer(by: ToolCaller, asked: ChatQuestion) -> AskReply:
    look = by.lookups
    require_scope(look.caller, "ask")
    question = await question_of(look.service, look.caller, asked, live=False)
    reply = ChatReply(await by.tell(question), look.links, asked, has_footnotes=False)
    return AskReply(answer=reply.body, coteach=Extension(**reply.extension))


async def _await_reply(work: Awaitable[Reply]) -> Reply:
    """What was looked up; an error in the call is explained in words, so that the assistant can correct it."""
    try:
        return await work
    except GatewayError as error:
        raise ToolError(error.message) from error
    except NotYours as error:
        raise ToolError(str(error)) from error


class _Handled(Response):
    """The reply of the SDK to one request, whose body has been read."""

    def __init__(self, manager: StreamableHTTPSessionManager, body: bytes) -> None:
        super().__init__()
        self._manager, self._body_read = manager, body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, replaying(self._body_read, receive), send)


@router.post("/mcp", response_model=None)
async def call_tools(request: Request, service: Shared, caller: Asking) -> Response:
    """The Model Context Protocol, streamable HTTP without sessions: tools to ask and search a course, explain its
    concepts, find a way to one, and open sources."""
    sent = request.headers.get("content-type", "")
    if sent.partition(";")[0].strip().lower() != "application/json":
        raise GatewayError(f"Expected the content type application/json, found {sent or 'none'!r}.")
    lookups = Lookups(service, caller, links_for(request, caller))
    request.state.tool_caller = ToolCaller(lookups, partial(await_answer, request, caller))
    return _Handled(request.app.state.mcp, await request.body())


def _of_request(request: Any) -> ToolCaller:
    return cast(ToolCaller, request.state.tool_caller)


@cache
def _make_server() -> MCPServer[Any]:
    """The server of this process's apps: it holds nothing but its tools, whose schemas take a tenth of a second."""
    return make_server(_of_request)


def manager() -> StreamableHTTPSessionManager:
    """What serves `/mcp` of one app, for as long as its `run()` is entered."""
    server = _make_server()
    guarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # hosts and origins are `security`'s
    server.streamable_http_app(json_response=True, stateless_http=True, transport_security=guarded)
    return server.session_manager


async def serve_standard_streams(service: Service, caller: Caller, links: Links) -> None:
    """Serve one assistant on standard input and output, until it ends."""
    await service.overlay.refresh(service.store)
    alone = ToolCaller(Lookups(service, caller, links), partial(whole_answer, service.conversations, caller))
    await make_server(lambda _: alone).run_stdio_async()
