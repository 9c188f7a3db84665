"""The evaluation as assets: one module for each table of the papers, the sets they are measured on, and the gate."""
