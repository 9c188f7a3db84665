"""Whether "X complexity", "X advantages", "X worst case" or "who invented X" is ever answered by a bare definition.

    .venv/bin/python benchmarks/bare_definitions.py HOME [--concepts 30] [COURSE …]

Asks each of the four of the best concepts of each course, without a model. For each course it prints how many answers
are given as sure, and every sure answer that holds nothing but the concept's definition: there should be none.
"""

import argparse
import asyncio
import sys
from pathlib import Path

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import read_rows
from serving.assistant.assistant import Assistant
from serving.gateway.knowledge import load_knowledge
from serving.settings import Settings

ASKED = {
    "en": ("{name} complexity", "{name} advantages", "{name} worst case", "who invented {name}?"),
    "zh": ("{name}的复杂度", "{name}的优点", "{name}最坏情况", "{name}是谁发明的？"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("courses", nargs="*", help="all with concepts, unless named")
    parser.add_argument("--concepts", type=int, default=30)
    given = parser.parse_args()
    data_dir = DataDir(given.home)
    assistant = load_knowledge(Settings(home=given.home, model_admission="never"), None).assistant
    for path in data_dir.tables("concepts"):
        if not given.courses or path.stem in given.courses:
            rows = sorted(read_rows(path), key=lambda row: row["rank"])[: given.concepts]
            if rows:
                asyncio.run(_ask(assistant, path.stem, rows))


async def _ask(assistant: Assistant, course_id: str, rows: list[dict[str, str]]) -> None:
    asked = sure = 0
    bare: list[str] = []
    for row in rows:
        for shape in ASKED[row["lang"]]:
            question = shape.format(name=row["name"])
            answer = await assistant.answer(question, course_id=course_id)
            asked += 1
            if answer.coverage == "full":
                sure += 1
                is_bare = row["definition"] and row["definition"] in answer.text
                if is_bare and len(answer.text) < len(row["definition"]) + 80:
                    bare.append(question)
    sys.stdout.write(f"{course_id}: {asked} questions, {sure} given as sure, {len(bare)} of them a bare definition\n")
    sys.stdout.writelines(f"    {question}\n" for question in bare)


if __name__ == "__main__":
    main()
