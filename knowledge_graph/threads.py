"""How many threads linear algebra takes here: one.

Other numbers of threads add in another order and give other bytes. And on a busy machine threads that wait for each
other spin: measuring 2,300 candidates took 6 s instead of 0.2 s beside two other programs.
"""

from contextlib import AbstractContextManager

from threadpoolctl import threadpool_limits


def one_thread() -> AbstractContextManager[object]:
    """A context in which BLAS and OpenMP use one thread. Entering it looks through the
    loaded libraries, which takes milliseconds."""
    found: AbstractContextManager[object] = threadpool_limits(1)
    return found
