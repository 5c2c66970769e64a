"""Writes what seqeval reads in random tag sequences.

Run in an environment with seqeval 1.2.2: `python make.py`. The test beside this folder compares our answers with the ones written here.
"""

import json
import os
import random

from seqeval.metrics import f1_score, precision_score, recall_score
from seqeval.metrics.sequence_labeling import get_entities
from seqeval.scheme import IOB2, Entities

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ["PS", "LC", "OG-X"]


def sequence(rng, marks):
    tags = []
    for _ in range(rng.randint(0, 12)):
        mark = rng.choice(marks)
        tags.append("O" if mark == "O" else f"{mark}-{rng.choice(KINDS)}")
    return tags


def strict(tags):
    return [[e.tag, e.start, e.end - 1] for sequence in Entities([tags], IOB2).entities for e in sequence]


def scores(true, found, **how):
    return [score(true, found, zero_division=0, **how) for score in (precision_score, recall_score, f1_score)]


def main():
    rng = random.Random(7)
    conll = [{"tags": tags, "entities": get_entities(tags)} for tags in (sequence(rng, "BIOOES") for _ in range(60))]
    iob2 = [{"tags": tags, "entities": strict(tags)} for tags in (sequence(rng, "BIIO") for _ in range(60))]
    true = [sequence(rng, "BIIO") for _ in range(40)]
    found = [[tag if rng.random() < 0.8 else "O" for tag in tags] for tags in true]
    corpus = {"true": true, "found": found, "conll": scores(true, found), "iob2": scores(true, found, mode="strict", scheme=IOB2)}
    with open(f"{HERE}/expected.json", "w", encoding="utf-8") as file:
        json.dump({"source": "seqeval 1.2.2", "conll": conll, "iob2": iob2, "corpus": corpus}, file)


if __name__ == "__main__":
    main()
