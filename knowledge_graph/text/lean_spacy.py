"""spaCy, loaded without PyTorch: import it from here first.

thinc, below spaCy, imports PyTorch wherever that is installed, to share arrays with it. The taggers used here do not,
and it takes 1.2 s of processor in every build that parses a lecture. Where PyTorch is loaded already, spaCy finds it;
whoever needs it later loads it as usual.
"""

import sys

_IS_LOADED = "torch" in sys.modules
if not _IS_LOADED:
    # An import of it fails now, which thinc is made for.
    sys.modules["torch"] = None  # type: ignore[assignment]
try:
    import spacy
finally:
    if not _IS_LOADED:
        del sys.modules["torch"]

__all__ = ["spacy"]
