"""What the answers came to, by course and period: asked, answered, liked, cited, left open.

`reading` counts in the database; every other module is pure. What is counted, and never who: no figure names a person.
"""
