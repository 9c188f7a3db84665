"""What came of an exam that a model passed, for tests of what it may write then."""

from serving.exam.admission import Admission, KindResult


def admitted(*kinds: str, lang: str = "en") -> Admission:
    """Of a model that may write these kinds of answers in one language."""
    found = tuple(
        KindResult(lang, kind, 40, 40, 30, 60, 60, 0.96, (), (), {})  # type: ignore[arg-type]
        for kind in kinds
    )
    return Admission("key", "scripted", found, 60, 60, 40, 40, 1.0, None, None)
