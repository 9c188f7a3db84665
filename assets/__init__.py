"""What exists: one module per stage. Each asset reads, calls the domain, writes, reports metadata.

No algorithms here.
"""

from knowledge_graph import telemetry  # noqa: F401  before any library is imported
