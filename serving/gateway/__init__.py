"""The HTTP face of the assistant: an OpenAI-compatible endpoint and the places its references open.

One router per concern. No answer is decided here.
"""
