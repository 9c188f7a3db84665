"""Everything between a student's question and a cited answer: index, retrieval, answering, gateway, model server.

No Dagster here.
"""
