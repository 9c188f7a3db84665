"""wordfreq, loaded without a look at source code: import it from here first.

It learns where its own files are from the package `locate`, which asks `inspect.stack` for all callers, with the lines
of source around each call. Below the sixty frames of a step of Dagster that is a fifteenth of the processor time of a
build of one changed course. `locate` uses the caller's globals alone, so the lines are left out here.
"""

import inspect
from functools import partial

_stack = inspect.stack
inspect.stack = partial(_stack, 0)
try:
    import wordfreq
finally:
    inspect.stack = _stack

__all__ = ["wordfreq"]
