"""The labelled questions of the intent model: files, categories, conflicts, and labels by rules where people gave
none."""
