"""Lectures as sentences to be shown: with times, in chapters, weighed by how much of the lecture they carry."""
