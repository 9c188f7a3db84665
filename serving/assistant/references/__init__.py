"""References of an answer: at most three (six of a composed one), each to something this turn found and a place that
opens.

A reference can only be made from `Evidence`, never from what the model wrote. Course Hero, section 3.
"""

from serving.assistant.references.calibration import Calibration, read_calibration
from serving.assistant.references.chooser import ReferenceChooser, References
from serving.assistant.references.citation_filter import (
    CitationFilter,
    Verified,
    find_cited_evidence,
    verify_references,
    without_citations,
)
from serving.assistant.references.off_list import OffList
from serving.assistant.references.ranking import Response
from serving.assistant.references.reference import Reference, can_be_opened, label, plain
from serving.assistant.references.semantic import Semantics

__all__ = [
    "Calibration",
    "CitationFilter",
    "OffList",
    "Reference",
    "ReferenceChooser",
    "References",
    "Response",
    "Semantics",
    "Verified",
    "can_be_opened",
    "find_cited_evidence",
    "label",
    "plain",
    "read_calibration",
    "verify_references",
    "without_citations",
]
