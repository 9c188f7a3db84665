"""How the intent model and the systems beside it are trained, calibrated, scored and exported."""
