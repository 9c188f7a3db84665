"""Writes the sample course's regulations: `courses/data-structures/documents/regulations.pdf`.

Run it from anywhere with the development dependencies installed:

    python examples/make_regulations.py

The text is the data below; the layout is the code below it. The same text gives the same bytes, because the creation
date is fixed and only the PDF core fonts are used (so the text must be Latin-1).
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF
from fpdf.enums import XPos, YPos

TITLE = "Course Rules and Regulations"
COURSE = "Data Structures and Algorithms"
IN_FORCE = datetime(2026, 1, 12, tzinfo=UTC)
TARGET = Path(__file__).parent / "courses" / "data-structures" / "documents" / "regulations.pdf"


# A line that begins in the first column opens an article or a paragraph; indented lines continue it.
TEXT = """\
Article 1 Scope and definitions
1.1 These regulations apply to every run of the online course Data Structures and Algorithms and to everybody who is
  enrolled in it.
1.2 In these regulations the following words have a fixed meaning.
1.2.1 A run is one period of the course with a start date, an end date and deadlines.
1.2.2 Graded work means the quizzes, the programming assignments, the midterm and the final exam.
1.2.3 The course coordinator is the lecturer who is responsible for the run. The name is shown on the course page.
1.2.4 The Board of Examiners is the independent body of three members that supervises assessment and decides on
  appeals.
1.2.5 A working day is any day from Monday to Friday, except the public holidays listed in the course calendar.
1.3 All times are given in Coordinated Universal Time (UTC).
1.4 If the course page, the syllabus and these regulations contradict each other, these regulations apply.

Article 2 Admission and enrollment
2.1 The course is open to everybody who is at least sixteen years old. No diploma is required.
2.2 Participants are expected to be able to write small programs with variables, loops and functions. This is not
  examined before admission.
2.3 Enrollment opens six weeks before a run starts and closes at the end of its second week.
2.4 Participants who want a certificate must have their identity verified before the final exam.
2.5 A participant may leave a run at any time. Somebody who leaves before the end of week four is treated as if he or
  she had never been enrolled.
2.6 A finished run remains open as an archive. Videos and reading can be used there, but no work is graded and no
  certificate is issued.
2.7 Participants who need an adjustment because of a disability or illness ask the course coordinator for it, if
  possible in the first three weeks of the run.
2.7.1 An adjustment may be extra time of up to one third in quizzes and exams, another format of the material, or
  another date.
2.7.2 The coordinator decides within five working days. The reasons given by the participant are confidential.

Article 3 Assessment and grades
3.1 The final grade is the weighted mean of the four parts of the graded work, expressed in percent.
3.1.1 The quizzes count for 20%. There are ten quizzes; the eight with the highest scores are used.
3.1.2 The programming assignments count for 40%. There are five assignments of equal weight.
3.1.3 The midterm counts for 15%.
3.1.4 The final exam counts for 25%.
3.2 A participant passes with a final grade of at least 60% and a result of at least 50% in the final exam. A high
  score in the other parts cannot replace the minimum in the final exam.
3.3 Programming assignments are submitted in Python 3 and are tested automatically. They can be submitted again
  without limit before the deadline; the submission with the highest score counts.
3.4 A quiz can be taken twice. The higher score counts.
3.5 The midterm takes sixty minutes and the final exam one hundred and twenty minutes. Both are taken online with
  proctoring.
3.5.1 In both exams one handwritten sheet of A4 paper, written on both sides, may be used. All other material is
  forbidden.
3.5.2 If the connection fails during an exam, the participant reports this within twenty-four hours. The coordinator
  can then grant a second attempt at another time.
3.6 Results are published within ten working days after a deadline or an exam, together with the points for each task.
3.7 Within ten working days after publication every participant may see his or her own exam with the marking.

Article 4 Deadlines and late work
4.1 Quizzes and programming assignments are due on Sundays at 23:59 UTC. The weeks are given in the syllabus.
4.2 Every participant has five late days for the whole run. One late day moves the deadline of one programming
  assignment by twenty-four hours.
4.2.1 At most two late days can be used for the same assignment.
4.2.2 Late days are used automatically when an assignment is submitted after its deadline. Late days that are not used
  have no value.
4.2.3 There are no late days for quizzes, the midterm and the final exam.
4.3 If an assignment is late and no late day can be used, ten points out of one hundred are taken off for each day
  that has begun. After three such days the assignment is graded with zero points.
4.4 In the case of illness or another serious reason the coordinator can extend a deadline. The request must be made
  before the deadline or, if that was impossible, within five working days after it.
4.5 If the platform was not available for more than two hours on the day of a deadline, the deadline moves by
  twenty-four hours for everybody.

Article 5 Resits and repeated attempts
5.1 A participant who has not passed may take one resit of the final exam in each run.
5.1.1 Registration for the resit must be made on the course page within ten days after the result of the final exam
  has been published.
5.1.2 The resit takes place within six weeks after the final exam.
5.1.3 The result of the resit replaces the result of the final exam, even if it is lower.
5.2 There is no resit of the midterm. A participant who missed it for a reason accepted under article 4.4 has the
  weight of the midterm added to that of the final exam.
5.3 Programming assignments and quizzes cannot be repeated after the run has ended.
5.4 A participant who has failed may enroll in a later run. Results of an earlier run are not carried over, except for
  programming assignments with at least 80 points out of one hundred in the run directly before.

Article 6 Academic integrity
6.1 Graded work must be the participant's own work. Ideas, text and code taken from others must be marked with their
  source.
6.2 Participants are encouraged to discuss the material and the general approach to an assignment. They may not share,
  publish or copy code or answers of graded work, even after the deadline.
6.3 The following are in particular violations of these regulations.
6.3.1 Handing in work that was written, completely or in part, by another person.
6.3.2 Giving one's own solution to another participant.
6.3.3 Enrolling with more than one account.
6.3.4 Using material or help in an exam that is not allowed.
6.4 Submissions are compared with each other by software. A high similarity alone is not proof; two members of the
  course team look at every case.
6.5 Before a decision is made, the participant is informed of the suspicion and has ten working days to respond.
6.6 The coordinator may give a warning or grade the piece of work with zero points. In a second or a serious case the
  coordinator refers the matter to the Board of Examiners, which may exclude the participant from the run.

Article 7 Use of AI assistants
7.1 In this article an AI assistant is any program that generates text or code in reply to a request, including the
  course's own virtual teaching assistant.
7.2 Participants may use AI assistants to have a concept explained, to translate, to understand an error message, and
  to practice with exercises that are not graded.
7.3 Participants may not let an AI assistant write code, answers or explanations that they submit as graded work.
7.4 If an AI assistant was used for an assignment in a way that article 7.2 allows, the submission says so in one or
  two sentences: which assistant, and for what.
7.5 In the quizzes, the midterm and the final exam no AI assistant may be used.
7.6 The course's virtual teaching assistant gives hints for graded work, not solutions. Its answers can be wrong. They
  do not change deadlines, grades or these regulations; only the course team can do so.
7.7 A violation of this article is treated as a violation of academic integrity under article 6.

Article 8 Complaints and appeals
8.1 A participant who disagrees with a grade or with another decision first writes to the course coordinator. An
  appeal to the Board of Examiners is possible only after the coordinator has decided.
8.1.1 The request must be sent within ten working days after the result or the decision was published.
8.1.2 It names the piece of work and says which points are disputed, and why.
8.1.3 The coordinator answers within ten working days, with reasons. After a review a grade can go up or down.
8.2 A participant who does not agree with the coordinator's decision may appeal to the Board of Examiners within
  twenty working days after receiving it.
8.2.1 If the coordinator has not answered in time, the participant may appeal without waiting any longer.
8.2.2 The Board hears the participant, if he or she wishes, and the coordinator. A member who was involved in the
  decision does not take part.
8.2.3 The Board decides within thirty working days. Its decision is final within the course.
8.3 An appeal does not move any deadline. The Board can allow the participant to take part in a resit provisionally.
8.4 Complaints about the behavior of other participants or of the course team go to the coordinator or, if they
  concern the coordinator, directly to the Board of Examiners.

Article 9 Certificates
9.1 A participant who has passed and whose identity has been verified receives a certificate in electronic form.
9.2 Certificates are issued within four weeks after the run has ended; after a resit, within four weeks after its
  result.
9.3 The certificate shows the name, the course, the run, the final grade, and a code with which anybody can check that
  it is genuine.
9.4 A certificate is issued with distinction if the final grade is at least 85% and no resit was taken.
9.5 A wrong name is corrected free of charge within one year after the certificate was issued.
9.6 A certificate can be withdrawn by the Board of Examiners if it becomes known later that it was obtained by a
  serious violation of article 6.

Article 10 Data protection and final provisions
10.1 Graded work and results are kept for two years after the end of the run and are then deleted. Recordings of
  proctored exams are deleted after ninety days, unless an appeal is pending.
10.2 Questions to the virtual teaching assistant are stored without the participant's name and are used to improve the
  course. A participant may ask for their deletion.
10.3 In cases that these regulations do not foresee, the coordinator decides in the interest of the participant.
10.4 Changes of these regulations are announced at least four weeks before the run for which they apply.
10.5 These regulations come into force on 12 January 2026 and replace all earlier versions.
"""


@dataclass(frozen=True)
class Article:
    """One article: its heading and its numbered paragraphs, as (number, text)."""

    heading: str
    paragraphs: tuple[tuple[str, str], ...]


def read_articles(text: str) -> tuple[Article, ...]:
    """The articles of `TEXT`, in order."""
    articles = []
    for block in text.strip().split("\n\n"):
        heading, *lines = block.replace("\n  ", " ").split("\n")
        paragraphs = tuple((number, words) for number, _, words in (line.partition(" ") for line in lines))
        articles.append(Article(heading, paragraphs))
    return tuple(articles)


class Pages(FPDF):
    """A4 pages with the document's name above and "Page 3 of 6" below."""

    def header(self) -> None:
        self.set_font("helvetica", "I", 9)
        self.cell(0, 6, f"{COURSE} - {TITLE}", align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.ln(4)

    def footer(self) -> None:
        self.set_y(-15)
        self.set_font("helvetica", "", 9)
        self.cell(0, 6, f"Page {self.page_no()} of {{nb}}", align="C")


def write_title(pdf: Pages) -> None:
    """The heading of the first page."""
    pdf.set_font("helvetica", "B", 20)
    pdf.multi_cell(0, 10, TITLE, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.set_font("helvetica", "", 12)
    pdf.multi_cell(0, 7, f"{COURSE}\nIn force from 12 January 2026", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.ln(6)


def write_article(pdf: Pages, article: Article) -> None:
    """An article's title, kept with its first lines, and its paragraphs with hanging numbers."""
    if pdf.will_page_break(40):
        pdf.add_page()
    pdf.set_font("helvetica", "B", 13)
    pdf.cell(0, 9, article.heading, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.ln(1)
    pdf.set_font("times", "", 12)
    for number, text in article.paragraphs:
        write_paragraph(pdf, number, text)
    pdf.ln(5)


def write_paragraph(pdf: Pages, number: str, text: str) -> None:
    """One numbered paragraph; a third level (5.1.1) is indented. It is never split over two pages."""
    indent = 8 if number.count(".") == 2 else 0
    width = pdf.epw - indent - 16
    lines = pdf.multi_cell(width, 6, text, dry_run=True, output="LINES")
    if isinstance(lines, list) and pdf.will_page_break(6 * len(lines)):
        pdf.add_page()
        pdf.set_font("times", "", 12)
    pdf.set_x(pdf.l_margin + indent)
    pdf.cell(16, 6, number)
    pdf.multi_cell(width, 6, text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.ln(1.5)


def make_pdf() -> Pages:
    """The whole document, ready to be written."""
    pdf = Pages(format="A4")
    pdf.set_creation_date(IN_FORCE)
    pdf.set_title(f"{TITLE}: {COURSE}")
    pdf.set_lang("en")
    pdf.set_margins(25, 20, 25)
    pdf.set_auto_page_break(True, margin=25)
    pdf.add_page()
    write_title(pdf)
    for article in read_articles(TEXT):
        write_article(pdf, article)
    return pdf


def main() -> None:
    """Write the PDF in its place."""
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    make_pdf().output(str(TARGET))


if __name__ == "__main__":
    main()
