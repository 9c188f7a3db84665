"""Planning a semester from a catalogue's records and its schedule."""
