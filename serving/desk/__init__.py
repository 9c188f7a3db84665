"""The TA's desk: the queue of questions, decisions on them, and approved answers that know what they rest on.

Work on the store is functions over a session; what can be decided without it is pure. Routers and pages are elsewhere.
"""
