"""A picture of a course's concepts as one HTML page. The one entrance is `drawing.draw_concept_map`;
`page.in_colours` shows the page as its reader has chosen."""
