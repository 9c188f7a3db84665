"""What exists: one module per stage. Each asset reads, calls the domain, writes, reports metadata.

No algorithms here.
"""
