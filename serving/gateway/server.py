"""The gateway's process: uvicorn, which shuts down without cutting a request off.

    python -m serving.gateway.server --port 8080

Asked to end, it says so at `/readyz` and closes each connection after its answer, and goes on answering for
`COTEACH_NOTICE_SECONDS`, in which a load balancer turns to other gateways. Then it accepts nobody, hears out who has
just come, and finishes what is being written.
"""

import argparse
import asyncio
import socket
import sys
import time
from math import ceil

import uvicorn
from fastapi import FastAPI

from knowledge_graph.lean_imports import collect_garbage_rarely
from serving.gateway.protocol import BoundedHttp
from serving.settings import Settings

HEARD_OUT_SECONDS = 0.5
"""For a request on a connection that was accepted at the last moment. A choice."""

_CLOSE = (b"connection", b"close")


class LeavingServer(uvicorn.Server):
    """One gateway's server."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, notice_s: float) -> None:
        super().__init__(config)
        self._state, self._notice_s = app.state, notice_s
        self._leaves_at: float | None = None

    async def on_tick(self, counter: int) -> bool:
        """Whether to stop now; ten times a second."""
        if not await super().on_tick(counter):
            return False
        if self._leaves_at is None:
            self._leaves_at = time.monotonic() + self._notice_s
            self._state.is_leaving = True
            self.config.encoded_headers = [*self.config.encoded_headers, _CLOSE]
            self.server_state.default_headers = [*self.server_state.default_headers, _CLOSE]
        return self.force_exit or time.monotonic() >= self._leaves_at

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        if not self.force_exit:
            await asyncio.sleep(HEARD_OUT_SECONDS)
        await super().shutdown(sockets)


SWITCH_SECONDS = 0.001
"""After which a thread at work hands on: the event loop waits for each of eight that read long questions. A choice."""


def serve(port: int) -> None:
    """Run one gateway over the home of the settings until it is asked to end."""
    sys.setswitchinterval(SWITCH_SECONDS)
    collect_garbage_rarely()
    from serving.gateway.app import create_app  # noqa: PLC0415  makes a million objects that stay: a quarter of its time

    app, settings = create_app(), Settings()
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=port,
        log_level="warning",
        http=BoundedHttp,
        timeout_graceful_shutdown=ceil(settings.drain_seconds),
        timeout_keep_alive=settings.idle_connection_seconds,
    )
    LeavingServer(config, app, settings.notice_seconds).run()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    serve(parser.parse_args().port)
