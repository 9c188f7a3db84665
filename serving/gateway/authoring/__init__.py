"""Teachers change the files of their courses and build them, without a shell: routes, forms, and builds as processes.

What an edit is stands in `knowledge_graph/sources/course_files`; here is who may make it, and that it is noted.
"""
