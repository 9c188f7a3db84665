"""A picture of a course's concepts as one HTML page. The one entrance is `drawing.concept_map`."""
