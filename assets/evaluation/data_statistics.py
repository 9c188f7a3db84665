"""Stage `evaluation`: how much was labelled for each task, beside LittleMu's Table 2."""

import dagster as dg

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from orchestration.building.courses import EVALUATION_FILES
from orchestration.reporting.publishing import Made, publish
from orchestration.resources import Inputs
from serving.evaluation.ratings.human_ratings import HumanRatings, read_human_ratings
from serving.evaluation.sets.data_statistics import ReferenceAnswers, courses_of, statistics_table
from serving.evaluation.sets.labelled_data import read_answers


@dg.asset(deps=[EVALUATION_FILES], group_name="evaluation", kinds={"mlflow"}, owners=["team:ml"], code_version="2")
def data_statistics(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Courses, participants and labels of both tasks as printed, and as the given files have them."""
    answers, ratings = inputs.evaluation.answers, inputs.evaluation.ratings
    made_of = {
        name: digest(path) for name, path in (("answers", answers), ("ratings", ratings)) if path and path.exists()
    }
    answered = ReferenceAnswers.of(read_answers(answers)) if answers is not None else None
    rated = read_human_ratings(ratings) if ratings is not None else HumanRatings(())
    table = statistics_table(answered, rated.systems, courses=courses_of(rated.systems))
    return publish(context, Made(table, made_of), data_dir=data_dir, inputs=inputs)
