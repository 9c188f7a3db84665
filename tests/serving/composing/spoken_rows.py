"""A lecture by the sentences that are said in it."""

from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.lectures import SpokenLecture


def one_lecture(*said: str, title: str = "Lecture", index: int = 0) -> SpokenLecture:
    return SpokenLecture(
        tuple(
            LectureSentence(
                sentence_id=f"{title}:{place}",
                course_id="ml",
                video_id=f"{index} - {title}",
                video_title=title,
                video_index=index,
                position=place,
                start_ms=1000 * place,
                end_ms=1000 * place + 900,
                text=text,
                lang="zh" if any(char >= "\u4e00" for char in text) else "en",
                chapter=0,
                weight=1.0,
            )
            for place, text in enumerate(said)
        )
    )
