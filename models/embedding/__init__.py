"""Sentence embeddings: the face of an embedder, those that run here or behind a server, and their export."""
