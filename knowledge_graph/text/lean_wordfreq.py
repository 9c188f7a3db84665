"""wordfreq, loaded without a look at source code: import it from here first.

It learns where its own files are from the package `locate`, which asks `inspect.stack` for all callers: which modules
they are of, with the lines of source around each call. Below the sixty frames of a step of Dagster, in a process that
has loaded two thousand modules, that is a fifteenth of the processor time of a build of one changed course. `locate`
reads the caller's globals alone, so it is given frames and nothing else.
"""

import inspect
import sys
from types import FrameType

_stack = inspect.stack


def _frames(context: int = 1) -> list[inspect.FrameInfo]:
    """The callers' frames, as `inspect.stack` has them, without module, source and line."""
    found: list[inspect.FrameInfo] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        found.append(inspect.FrameInfo(frame, code.co_filename, frame.f_lineno, code.co_name, None, None))
        frame = frame.f_back
    return found


inspect.stack = _frames
try:
    import wordfreq
finally:
    inspect.stack = _stack

__all__ = ["wordfreq"]
