"""From an answer back to its sources, and from a source forward to the answers that rest on it."""
