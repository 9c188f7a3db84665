"""The pages that references open, from rows of the lake to HTML. Pure; fetching the rows is `serving.gateway.sources`.

Whatever stands in a course is text: templates escape everything. The pages need no script and load nothing from
elsewhere but a course's own video.
"""
