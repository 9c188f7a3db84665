"""Measuring answers on questions whose right answers are known. Nothing here is part of answering a student."""
