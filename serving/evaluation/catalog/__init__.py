"""The catalogue expert under the glass, as Tulane's paper shows its own."""
