"""`Follower`: keeps this gateway's copy of a published home the newest, in a thread of its own.

No request ever waits for the store: the thread fetches beside them, and the gateway takes up what is there as it takes
up a build (`Service`). While the store is away, or what it holds cannot be taken, the copy stays as it is.
"""

import threading
import time

import structlog

from knowledge_graph.lake.local_copy import LocalCopy
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.remote_folder import RemoteFolder
from serving.settings import Settings

log = structlog.get_logger(__name__)

TOLD_AGAIN_S = 60.0
"""After which the same trouble is told again. A choice."""
_PATIENCE_S = 15.0
"""A thread that waits for a store which does not answer gives up sooner than this."""


class Follower:
    """Follows one published home into one copy, from `start` to `stop`."""

    def __init__(self, copy: LocalCopy, folder: RemoteFolder, *, look_s: float) -> None:
        self._copy, self._folder, self._look_s = copy, folder, look_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="follower", daemon=True)
        self._told_at = float("-inf")
        self.trouble: str | None = None
        """Why the last look brought nothing, if it should have; in a sentence that may be shown to an admin."""

    @classmethod
    def of(cls, settings: Settings) -> "Follower | None":
        """The follower of a gateway; `None` where it has a home of its own. Raises `HomeBuiltHere`, `PlaceUnusable`."""
        if settings.follow_url is None:
            return None
        return cls(LocalCopy(settings.data_dir), RemoteFolder(settings.follow_url), look_s=settings.follow_seconds)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread, after what it does at the moment."""
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join(_PATIENCE_S)

    def look(self, *, verify: bool = False) -> None:
        """Fetch what is new, unless another gateway over the same home does so; with `verify` compare first what is
        here with its digests. Trouble is kept and told in the log."""
        try:
            with self._copy.hold() as is_alone:
                if not is_alone:
                    return
                if verify and (damaged := self._copy.verify()):
                    log.warning("copy_damaged", files=len(damaged), first=damaged[0])
                started = time.monotonic()
                version = self._copy.follow(self._folder)
        except CoteachError as error:
            self._keep(str(error))
        except Exception as error:
            log.exception("copy_not_followed")
            self._keep(f"The copy of {self._folder.url} could not be followed: {error!r}.")
        else:
            if self.trouble is not None:
                log.info("copy_follows_again", url=self._folder.url)
            self.trouble = None
            if version is not None:
                log.info("copy_taken", version=version[:16], seconds=round(time.monotonic() - started, 2))

    def _run(self) -> None:
        verify = True
        while not self._ended.is_set():
            self.look(verify=verify)
            verify = False
            self._ended.wait(self._look_s)

    def _keep(self, trouble: str) -> None:
        if self.trouble is None or time.monotonic() - self._told_at > TOLD_AGAIN_S:
            log.warning("copy_not_followed", reason=trouble, serves=(self._copy.version or "nothing")[:16])
            self._told_at = time.monotonic()
        self.trouble = trouble
