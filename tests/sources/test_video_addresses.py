"""Where a course's videos can be watched: what course.yaml may say, and the address at a second."""

import pytest
from course_files import WriteCourse

from knowledge_graph.sources.course import read_course_card
from knowledge_graph.sources.video_addresses import VideoAddress, address_at, why_unusable

CUE = "1\n00:00:01,000 --> 00:00:02,000\nA tree has nodes.\n\n"


def test_addresses_and_a_template_are_read_from_the_card(write_course: WriteCourse) -> None:
    card, problems = read_course_card(
        write_course(
            {
                "01.srt": CUE,
                "course.yaml": "videos:\n  01.srt: https://media.example.org/1.mp4\n"
                "video_url: 'https://tube.example.org/{video}?t={seconds}'\n",
            }
        )
    )
    assert problems == ()
    assert card.videos == {"01.srt": "https://media.example.org/1.mp4"}
    assert card.video_url == "https://tube.example.org/{video}?t={seconds}"


def test_an_address_that_is_none_is_left_out_and_told_with_its_line(write_course: WriteCourse) -> None:
    text = (
        'videos:\n  "01": javascript:alert(1)\n  "02": https://ok.example.org/2.mp4\nvideo_url: ftp://x.example.org/v\n'
    )
    card, problems = read_course_card(write_course({"01.srt": CUE, "course.yaml": text}))
    assert (card.videos, card.video_url) == ({"02": "https://ok.example.org/2.mp4"}, None)
    assert [(one.line, "does not begin with http" in str(one)) for one in problems] == [(2, True), (4, True)]


@pytest.mark.parametrize("text", ["videos: https://x.example.org/{video}", "videos: [a, b]"])
def test_videos_that_are_no_mapping_are_told(write_course: WriteCourse, text: str) -> None:
    card, (problem,) = read_course_card(write_course({"01.srt": CUE, "course.yaml": text}))
    assert card.videos == {}
    assert "'videos' must be a mapping" in str(problem)


def test_a_media_file_begins_at_the_second_by_a_media_fragment() -> None:
    found = address_at("01", 192, videos={"01.srt": "https://m.example.org:8443/a/1.MP4?k=v"}, video_url=None)
    assert found == VideoAddress("https://m.example.org:8443/a/1.MP4?k=v#t=192", "video", "https://m.example.org:8443")


def test_a_page_opens_at_the_second_where_its_address_has_a_place_for_it() -> None:
    found = address_at("01", 192, videos={}, video_url="https://tube.example.org/watch?v={video}&t={seconds}s")
    assert found == VideoAddress("https://tube.example.org/watch?v=01&t=192s", "page", "https://tube.example.org")


def test_the_id_of_a_video_is_quoted_into_the_template() -> None:
    found = address_at("week 1/第1讲?.x", 0, videos={}, video_url="https://m.example.org/{video}.mp3")
    assert found is not None
    assert (found.url, found.kind) == ("https://m.example.org/week%201/%E7%AC%AC1%E8%AE%B2%3F.x.mp3", "audio")


def test_a_course_without_addresses_has_none() -> None:
    assert address_at("01", 5, videos={"02": "https://m.example.org/2.mp4"}, video_url=None) is None


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "//m.example.org/1.mp4",
        "https://",
        "https:///1.mp4",
        "https://user:secret@m.example.org/1.mp4",
        "https://m.example.org/1.mp4; script-src *",
        "https://m.example.org/1.mp4' 'unsafe-inline",
        "https://*.example.org/1.mp4",
        "https://m.example.org:port/1.mp4",
        "https://[::1/1.mp4",
        "https://{video}.example.org/1.mp4",
        "https://m.example.org/a b.mp4",
    ],
)
def test_what_is_no_plain_web_address_is_never_used(address: str) -> None:
    assert why_unusable(address) is not None
    assert address_at("01", 5, videos={"01": address}, video_url=None) is None


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9000/v.mp4", "https://m.example.org/{video}", "https://[::1]:80/v"]
)
def test_plain_web_addresses_are_used(address: str) -> None:
    assert why_unusable(address) is None
