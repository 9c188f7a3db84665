"""`Situation`: one student before one term: what is passed, what may be taken, and why anything else may not. Pure."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from knowledge_graph.lake.records import Offering
from serving.assistant.composing.semester.calendar import AcademicTerm
from serving.assistant.composing.semester.names import is_short_for
from serving.assistant.composing.semester.offers import Catalogue, Class, ProgramClasses
from serving.assistant.composing.semester.search import (
    MOST_CANDIDATES,
    ChosenClass,
    ClassOption,
    Weight,
    clash,
    exclude,
)
from serving.assistant.composing.semester.wishes import Wishes
from serving.assistant.composing.semester.wording import PlanWording

USUAL_CREDITS = 15.0
"""Credits of a semester where none are named, which is said. A choice: the usual full load at many universities."""


@dataclass(frozen=True)
class Situation:
    """`passed_classes` has what the student named and takes now, with what that must have needed."""

    catalogue: Catalogue
    term: AcademicTerm
    wishes: Wishes
    program: ProgramClasses | None = None

    @cached_property
    def passed_classes(self) -> frozenset[str]:
        return self.catalogue.add_implied(frozenset((*self.wishes.passed, *self.wishes.taking)))

    @cached_property
    def offerings(self) -> Mapping[str, tuple[Offering, ...]]:
        return self.catalogue.offerings_in(self.term)

    @property
    def most_credits(self) -> float:
        return self.wishes.most_credits or max(USUAL_CREDITS, self.wishes.least_credits or 0)

    @cached_property
    def _levels(self) -> Mapping[str, int]:
        """By subject, the highest level that was passed."""
        found: dict[str, int] = {}
        for key in self.passed_classes & self.catalogue.classes.keys():
            one = self.catalogue.classes[key]
            found[one.subject] = max(found.get(one.subject, 0), one.level)
        return found

    def credits_of(self, one: Class) -> float | None:
        """Of the record, else of the schedule."""
        listed = [section.credits for section in self.offerings.get(one.key, ()) if section.credits is not None]
        return one.credits if one.credits is not None else next(iter(listed), None)

    def skips(self, one: Class) -> int:
        """How many levels a class without a prerequisite lies above the next one of its subject: two at the start."""
        if any(one.needs.before) and any(way for way in one.needs.before):
            return 0
        return max(0, one.level - max(2, self._levels.get(one.subject, 0) + 1))

    def is_of_another_kind(self, one: Class) -> bool:
        """Whether a class is of another subject than is wanted, or not of the program where only its classes are."""
        subject = self.wishes.subject
        if subject and any(is_short_for(each.subject, subject) for each in self.catalogue.classes.values()):
            return not is_short_for(one.subject, subject)
        is_bound = self.wishes.only_required and self.program is not None
        return is_bound and self.program is not None and one.key not in self.program.classes

    def candidates(self) -> list[ClassOption]:
        """The classes that may be taken, those that come nearest to what was passed and is wanted."""
        found = [one for one in self._possible() if one is not None]
        return sorted(found, key=self._nearness)[:MOST_CANDIDATES]

    def _possible(self) -> Iterator[ClassOption | None]:
        together = frozenset(self.offerings)
        for key, sections in self.offerings.items():
            one = self.catalogue.classes[key]
            credits = self.credits_of(one)
            open_ = tuple(section for section in sections if section.seats != 0 and not self._is_outside(section))
            is_wanted = key in self.wishes.wanted
            if key in self.passed_classes or key in self.wishes.avoided or not open_ or credits is None:
                continue
            if (
                not one.needs.met_by(self.passed_classes, together)
                or one.needs.condition
                or one.needs.excludes & self.passed_classes
            ):
                continue
            if (self.skips(one) or self.is_of_another_kind(one)) and not is_wanted:
                continue
            yield ClassOption(one, credits, open_, self._weight(one, credits))

    def _weight(self, one: Class, credits: float) -> Weight:
        return Weight(
            wanted=float(one.key in self.wishes.wanted),
            required=float(self.program is not None and one.key in self.program.classes),
            ahead=-float(self.skips(one)),
            builds=float(bool(self.built_on(one))),
            asked=credits if self.wishes.least_credits is not None else 0.0,
            opens=float(len(self.find_opened_by(one))),
            credits=credits,
            level=-float(one.level),
        )

    def _nearness(self, one: ClassOption) -> tuple[object, ...]:
        weight = one.weight
        is_own = one.one.subject in {*self._levels, *self._subjects_wanted}
        return (-weight.wanted, -weight.required, -weight.builds, not is_own, -weight.opens, -weight.level, one.one.key)

    @cached_property
    def _subjects_wanted(self) -> frozenset[str]:
        named = {*self.wishes.wanted, *(self.program.classes if self.program else ())}
        return frozenset(self.catalogue.classes[key].subject for key in named if key in self.catalogue.classes)

    def built_on(self, one: Class) -> list[str]:
        """The passed classes that it needs."""
        return sorted({key for way in one.needs.before for key in way & self.passed_classes})

    def find_opened_by(self, one: Class) -> list[str]:
        """The classes that need it and are not passed."""
        return sorted(self.catalogue.opens.get(one.key, frozenset()) - self.passed_classes)

    def _is_outside(self, section: Offering) -> bool:
        wishes = self.wishes
        return any(
            one.day in wishes.free_days
            or (wishes.not_before is not None and one.start < wishes.not_before)
            or (wishes.not_after is not None and one.end > wishes.not_after)
            for one in section.meetings
        )

    def why(self, one: Class, said: PlanWording) -> str:
        """Why a class was chosen."""
        reasons = [said.wanted] if one.key in self.wishes.wanted else []
        if self.program is not None and one.key in self.program.classes:
            reasons.append(said.required.format(program=self.program.title))
        if built := self.built_on(one):
            reasons.append(said.builds.format(names=said.join(self.codes(built))))
        if opened := self.find_opened_by(one):
            reasons.append(said.opens.format(names=said.join(self.codes(opened))))
        return said.because.format(reasons=said.semicolon.join(reasons or [said.needs_nothing]))

    def why_not(self, one: Class, chosen: Collection[ChosenClass], said: PlanWording) -> str:
        """Why a class was left out."""
        return self._why_closed(one, said) or self._why_crowded(one, chosen, said)

    def _why_closed(self, one: Class, said: PlanWording) -> str:
        """What keeps the student from a class whatever else is taken; empty where nothing does."""
        sections = self.offerings.get(one.key, ())
        if one.key in self.wishes.avoided:
            return said.avoided
        if not sections:
            others = [t.label for t in self.catalogue.terms if one.key in self.catalogue.offerings_in(t)]
            text = said.not_offered_but if others else said.not_offered
            return text.format(term=self.term.label, others=said.join(others))
        if not one.needs.met_by(self.passed_classes, frozenset(self.offerings)):
            return said.needs.format(names=said.join(self.codes(sorted(one.needs.missing(self.passed_classes)))))
        if one.needs.condition:
            return said.condition.format(text=one.needs.condition)
        if both := one.needs.excludes & self.passed_classes:
            return said.excluded.format(names=said.join(self.codes(sorted(both))))
        if all(section.seats == 0 for section in sections):
            return said.full
        if all(section.seats == 0 or self._is_outside(section) for section in sections):
            return said.outside.format(time=said.meets(sections[0]))
        if self.credits_of(one) is None:
            return said.no_credits
        return said.skips if self.skips(one) and one.key not in self.wishes.wanted else ""

    def _why_crowded(self, one: Class, chosen: Collection[ChosenClass], said: PlanWording) -> str:
        """What of the chosen classes leaves no place for another."""
        beside = frozenset(each.candidate.one.key for each in chosen)
        if not one.needs.met_by(self.passed_classes, beside):
            return said.needs.format(
                names=said.join(self.codes(sorted(one.needs.missing(self.passed_classes | beside))))
            )
        if both := [each.candidate.one.code for each in chosen if exclude(one, each.candidate.one)]:
            return said.excluded.format(names=said.join(both))
        sections = [each for each in self.offerings[one.key] if each.seats != 0 and not self._is_outside(each)]
        met = [[each for each in chosen if clash(section, each.section)] for section in sections]
        if all(met):
            names = dict.fromkeys(each.candidate.one.code for clashing in met for each in clashing)
            return said.clash.format(names=said.join(names), time=said.meets(sections[0]))
        credits = self.credits_of(one) or 0.0
        if sum(each.candidate.credits for each in chosen) + credits > self.most_credits:
            return said.over.format(credits=f"{credits:g}", most=self.most_credits)
        if self.wishes.most_classes is not None and len(chosen) >= self.wishes.most_classes:
            return said.too_many.format(count=self.wishes.most_classes)
        return said.further

    def codes(self, keys: Collection[str]) -> list[str]:
        """Codes as people write them; of a class without a record the key."""
        return [self.catalogue.classes[key].code if key in self.catalogue.classes else format_code(key) for key in keys]


def format_code(key: str) -> str:
    """A key as a code: "MATH 2300"."""
    head = key.rstrip("0123456789") if key[-1:].isdigit() else key
    return f"{head} {key[len(head) :]}" if head and head != key else key
