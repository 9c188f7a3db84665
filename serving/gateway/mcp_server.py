"""A course as tools of any assistant, by the Model Context Protocol: over HTTP at `/mcp`, and over standard streams.

The tools look things up as the REST routes do; who calls them sees the courses that are theirs.
https://modelcontextprotocol.io
"""

from collections.abc import Awaitable, Callable
from functools import cache
from importlib import metadata
from typing import Annotated, Any, TypeVar, cast

from fastapi import APIRouter, Request
from fastapi.responses import Response
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import ToolAnnotations
from pydantic import Field
from starlette.types import Receive, Scope, Send

from serving.gateway.access import Asking, links_for
from serving.gateway.errors import GatewayError
from serving.gateway.links import Links
from serving.gateway.lookups import ConceptReply, FoundReply, Lookups, PathReply, SearchKind, SourceReply
from serving.gateway.security import replaying
from serving.gateway.service import Service, Shared
from serving.store.caller import Caller

router = APIRouter(tags=["material"])

INSTRUCTIONS = (
    "Tools over the material of courses: lectures, FAQ, documents and the graph of their concepts. Cite what you use "
    "by its url. What no tool finds is not in the material: say so."
)

Course = Annotated[str, Field(max_length=200, description="Course id; empty: the only one, else all.")]
Name = Annotated[str, Field(min_length=1, max_length=200, description="A concept, by any of its names.")]
Query = Annotated[str, Field(min_length=1, max_length=4000)]
Hits = Annotated[int, Field(ge=1, le=50)]
Known = Annotated[list[str], Field(max_length=100, description="Concepts that are known already.")]
Address = Annotated[str, Field(min_length=1, max_length=2000, description="The url of something found.")]

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

Reply = TypeVar("Reply")
LookFor = Callable[[Any], Lookups]
"""From what the transport says of a request to what its caller may look up."""


def make_server(look_for: LookFor) -> MCPServer[Any]:
    """The server with its tools; `look_for` is asked for each call."""
    server: MCPServer[Any] = MCPServer(
        "coteach",
        title="coteach",
        instructions=INSTRUCTIONS,
        version=metadata.version("coteach"),
        log_level="WARNING",
        subscriptions=False,
    )

    def looking(context: Context[Any, Any]) -> Lookups:
        return look_for(context.request_context.request)

    @server.tool(annotations=READS)
    async def search_course(
        query: Query, context: Context[Any, Any], course: Course = "", kind: SearchKind = "passage", k: Hits = 8
    ) -> FoundReply:
        """Search a course: `passage` finds what lectures and documents say, `qa` stored answers and the FAQ."""
        look = looking(context)
        return await _told(look.search(query, course=course, kind=kind, sources=None, k=k))

    @server.tool(annotations=READS)
    async def explain_concept(concept: Name, context: Context[Any, Any], course: Course = "") -> ConceptReply:
        """What a concept is in a course, where it is taught, and what comes before, after and beside it."""
        return await _told(looking(context).concept(concept, course=course))

    @server.tool(annotations=READS)
    async def study_path(
        concept: Name, context: Context[Any, Any], known: Known | None = None, course: Course = ""
    ) -> PathReply:
        """What to learn before a concept, in order, and where it is taught."""
        return await _told(looking(context).path(concept, known=known or [], course=course))

    @server.tool(annotations=READS)
    async def open_source(url: Address, context: Context[Any, Any]) -> SourceReply:
        """Read what the url of something found leads to: the lecture around the second, the section, the FAQ entry."""
        return await _told(looking(context).source(url))

    return server


async def _told(work: Awaitable[Reply]) -> Reply:
    """What was looked up; what was wrong with the call is told in words, for the assistant to do better."""
    try:
        return await work
    except GatewayError as error:
        raise ToolError(error.message) from error


class _Handled(Response):
    """The reply of the SDK to one request, whose body has been read."""

    def __init__(self, manager: StreamableHTTPSessionManager, body: bytes) -> None:
        super().__init__()
        self._manager, self._body_read = manager, body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, replaying(self._body_read, receive), send)


@router.post("/mcp", response_model=None)
async def call_tools(request: Request, service: Shared, caller: Asking) -> Response:
    """The Model Context Protocol, streamable HTTP without sessions: tools to search a course, explain its concepts,
    find a way to one, and open sources."""
    sent = request.headers.get("content-type", "")
    if sent.partition(";")[0].strip().lower() != "application/json":
        raise GatewayError(f"Expected the content type application/json, found {sent or 'none'!r}.")
    request.state.lookups = Lookups(service, caller, links_for(request, caller))
    return _Handled(request.app.state.mcp, await request.body())


def _of_request(request: Any) -> Lookups:
    return cast(Lookups, request.state.lookups)


@cache
def _served() -> MCPServer[Any]:
    """The server of this process's apps: it holds nothing but its tools, whose schemas take a tenth of a second."""
    return make_server(_of_request)


def manager() -> StreamableHTTPSessionManager:
    """What serves `/mcp` of one app, for as long as its `run()` is entered."""
    server = _served()
    guarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # hosts and origins are `security`'s
    server.streamable_http_app(json_response=True, stateless_http=True, transport_security=guarded)
    return server.session_manager


async def serve_standard_streams(service: Service, caller: Caller, links: Links) -> None:
    """Serve one assistant on standard input and output, until it ends."""
    await service.overlay.refresh(service.store)
    lookups = Lookups(service, caller, links)
    await make_server(lambda _: lookups).run_stdio_async()
