"""What `coteach data-docs` does: make the pages of Great Expectations, and show them on this machine."""

import functools
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from rich.console import Console
from rich.markup import escape

from knowledge_graph.lake.data_docs import build_data_docs
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from orchestration.resources import PipelineSettings, check_home


def data_docs(console: Console, *, port: int, serve: bool) -> int:
    """Make the pages; with `serve` show them until Ctrl-C, to this machine alone. Returns the exit code."""
    data_dir = DataDir(check_home(PipelineSettings()))
    if not data_dir.validations.is_dir():
        raise CoteachError(f"Nothing was validated in {data_dir.root} yet. Run `coteach build`.")
    count = build_data_docs(data_dir)
    console.print(f"{count} validations: {escape(str(data_dir.data_docs / 'index.html'))}", soft_wrap=True)
    if serve:
        show = functools.partial(_Quiet, directory=str(data_dir.data_docs))
        try:
            server = ThreadingHTTPServer(("127.0.0.1", port), show)
        except OSError as error:
            raise CoteachError(f"Port {port} cannot be used: {error}. Choose another with --port.") from error
        with server:
            console.print(f"At http://127.0.0.1:{server.server_port} until Ctrl-C.")
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                return 0
    return 0


class _Quiet(SimpleHTTPRequestHandler):
    """Files, without a line for each."""

    def log_message(self, *_: object) -> None:
        pass
