"""What bounds a training, and what is recorded of it."""

from dataclasses import replace

from tiny_intent import INTENT, Trained, labelled

from models.albert import resolve_encoder
from models.intent.training.fine_tuning import finetune


def test_the_time_limit_ends_a_training_after_its_epoch_and_is_recorded(trained: Trained) -> None:
    encoder = resolve_encoder(None, data_dir=trained.data_dir)
    found = finetune(labelled(), encoder=encoder, settings=replace(INTENT, max_minutes=0.0))
    assert (len(found.history), found.stopped_by_time) == (1, True)


def test_time_and_memory_of_a_training_are_known(trained: Trained) -> None:
    encoder = resolve_encoder(None, data_dir=trained.data_dir)
    found = finetune(labelled(), encoder=encoder, settings=replace(INTENT, epochs=1))
    assert not found.stopped_by_time
    assert found.seconds > 0
    assert found.peak_memory_mb > 100
