"""Measuring answers on questions whose right answers are known. Nothing here is part of answering a student.

Here are the table and the report that everything ends in, and the measuring of one model; `sets` is what is asked,
`systems` who answers, `ratings` what people said, `logs` what happened in use, `catalog` one strategy in detail,
`release` the gate.
"""
