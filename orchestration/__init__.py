"""How and when things run: definitions, resources, partitions, automation, sensors, the command line.

No algorithms here.
"""
