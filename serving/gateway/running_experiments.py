"""`Trials`: the experiments that are running, at hand for every question. Follows the store."""

import asyncio

import structlog

from serving.feedback.experiments import ExperimentRefused, Trial, Variant, check_variants, trial_for, variant_of
from serving.gateway.conversations import AssignedVariant
from serving.settings import Settings
from serving.store.database import Store
from serving.store.experiments import running

log = structlog.get_logger(__name__)

LOOK_SECONDS = 1.0
"""How long an experiment that another process began or stopped goes unseen. One small read a second."""


class Trials:
    """Until it is refreshed for the first time no experiment is running."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._trials: tuple[Trial, ...] = ()
        self._unfit: frozenset[str] = frozenset()

    def variant_for(self, person_id: str, course_id: str | None) -> tuple[str, Variant] | None:
        """The experiment's name and the person's variant; `None` when none runs for a question of this course."""
        trial = trial_for(self._trials, course_id)
        return None if trial is None else (trial.name, variant_of(trial, person_id))

    def choose(self, person_id: str, course_id: str | None) -> AssignedVariant | None:
        """The same as `Conversations` takes it."""
        found = self.variant_for(person_id, course_id)
        return None if found is None else AssignedVariant(found[0], found[1].name, found[1].settings)

    async def refresh(self) -> None:
        """Read the experiments that run now. One that this program or its settings cannot run is logged and skipped."""
        found = await self._store.reading(running)
        wrong = {trial.experiment_id: reason for trial in found if (reason := self._wrong(trial)) is not None}
        for trial in found:
            if trial.experiment_id in wrong.keys() - self._unfit:
                log.error("experiment_not_run", experiment=trial.name, reason=wrong[trial.experiment_id])
        self._unfit = frozenset(wrong)
        self._trials = tuple(trial for trial in found if trial.experiment_id not in wrong)

    def _wrong(self, trial: Trial) -> str | None:
        try:
            check_variants(trial.variants, self._settings, by_hand=True)
        except ExperimentRefused as error:
            return str(error)
        return None

    async def follow(self) -> None:
        """Refresh until cancelled. While the store cannot be read, what ran before goes on."""
        while True:
            try:
                await self.refresh()
            except Exception:
                log.exception("experiments_unknown", retry_seconds=LOOK_SECONDS)
            await asyncio.sleep(LOOK_SECONDS)
