"""LTI 1.3 Advantage: this gateway as a tool of an LMS. Logs in whom a platform sends, lets teachers choose what a link
opens, and lets an LMS register itself.

The specifications: https://www.imsglobal.org/spec/lti/v1p3, https://www.imsglobal.org/spec/security/v1p0,
https://www.imsglobal.org/spec/lti-dl/v2p0, https://www.imsglobal.org/spec/lti-dr/v1p0. Everything answers 404 until a
platform is registered or invited.
"""
