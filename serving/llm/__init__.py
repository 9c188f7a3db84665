"""The way to the model server: its client, its process, and what passes between a request and the model."""
