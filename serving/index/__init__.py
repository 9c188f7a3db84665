"""The search index: how text becomes terms, how the index is built, searched and followed.

Nothing here knows of questions' intents, prompts or HTTP. The pipeline may import this package and no other of serving.
"""
