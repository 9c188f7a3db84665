"""spaCy, loaded without PyTorch: import it from here first.

thinc, below spaCy, imports PyTorch wherever that is installed, to share arrays with it. The taggers used here do not,
and it takes 1.2 s of processor in every build that parses a lecture. Where PyTorch is loaded already, spaCy finds it;
whoever needs it later loads it as usual.
"""

from knowledge_graph.lean_imports import without

with without("torch"):
    import spacy

__all__ = ["spacy"]
