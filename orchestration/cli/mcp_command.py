"""What `coteach mcp` does: a home's courses as tools of one assistant, on standard input and output."""

import asyncio
from importlib.util import find_spec

from knowledge_graph.lake.problems import CoteachError
from serving.gateway.links import Links
from serving.gateway.service import Service
from serving.settings import Settings
from serving.store.caller import Caller
from serving.store.tables.base import new_id


def serve(course: str | None) -> int:
    """Serve until the assistant ends. Raises `CoteachError` for a home that is not built and an unknown course."""
    if find_spec("mcp") is None:
        raise CoteachError("The SDK of the Model Context Protocol is not installed. Run `pip install 'coteach[mcp]'`.")
    asyncio.run(_serve(Settings(), course))
    return 0


async def _serve(settings: Settings, course: str | None) -> None:
    from serving.gateway.mcp_server import serve_standard_streams  # noqa: PLC0415  an extra

    service = Service(settings)
    try:
        knowledge = await service.knowledge()
        if course is not None and course not in knowledge.course_ids:
            listed = ", ".join(knowledge.course_ids) or "none"
            raise CoteachError(f"The course '{course}' does not exist; there are: {listed}.")
        caller = Caller(new_id(), courses=None if course is None else frozenset({course}))
        await serve_standard_streams(service, caller, Links(settings.public_url or ""))
    finally:
        await service.aclose()
