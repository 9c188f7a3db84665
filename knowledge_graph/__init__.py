"""What a course teaches: readers of every source, text analysis, concepts, prerequisites, the graph.

No Dagster and no HTTP serving here.
"""

from knowledge_graph import telemetry  # noqa: F401  before any library is imported
