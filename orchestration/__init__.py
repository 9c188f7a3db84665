"""How and when things run: definitions, resources, partitions, automation, sensors, the command line.

No algorithms here.
"""

from knowledge_graph import telemetry  # noqa: F401  before any library is imported
