"""Everything between a student's question and a cited answer: index, retrieval, answering, gateway, model server.

No Dagster here.
"""

from knowledge_graph import telemetry  # noqa: F401  before any library is imported
