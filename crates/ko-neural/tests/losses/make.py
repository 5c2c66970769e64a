"""Writes expected.json: what sentence-transformers' losses and their gradients are on fixed vectors.

Run in an environment with torch and sentence-transformers 6.2.0: `python make.py`. Vectors are sines of multiples of a factor, in double
precision, so that the test can make them again.
"""

import json
import os

import sentence_transformers
import torch
from sentence_transformers.sentence_transformer import losses

HERE = os.path.dirname(os.path.abspath(__file__))


class Model(torch.nn.Module):
    """What a loss asks of a model before it is given vectors: nothing."""


def side(rows, width, factor):
    numbers = torch.arange(rows * width, dtype=torch.float64) * factor
    return torch.sin(numbers).reshape(rows, width).requires_grad_(True)


def case(name, loss, rows, width, factors, scores=()):
    sides = [side(rows, width, factor) for factor in factors]
    labels = torch.tensor(scores, dtype=torch.float64)
    value = loss.compute_loss_from_embeddings(sides, labels)
    value.backward()
    return {"loss": name, "rows": rows, "width": width, "sides": factors, "scores": list(scores), "value": value.item(),
            "gradients": [side.grad.flatten().tolist() for side in sides]}


def main():
    model = Model()
    ranking = losses.MultipleNegativesRankingLoss(model)
    cosent = losses.CoSENTLoss(model)
    cosine = losses.CosineSimilarityLoss(model)
    cases = [
        case("ranking", ranking, 4, 3, [1.0, 1.3]),
        case("ranking", ranking, 5, 8, [1.0, 1.3, 1.7]),
        case("ranking", ranking, 1, 4, [0.7, 1.9, 0.4]),
        case("cosent", cosent, 5, 3, [1.0, 1.3], [0.2, 1.0, 0.2, 0.4, 0.0]),
        case("cosent", cosent, 3, 6, [0.5, 2.1], [0.9, 0.1, 0.5]),
        case("cosine", cosine, 4, 5, [1.0, 1.3], [0.25, 1.0, 0.5, 0.0]),
    ]
    with open(f"{HERE}/expected.json", "w") as file:
        json.dump({"source": f"sentence-transformers {sentence_transformers.__version__}", "cases": cases}, file)
        file.write("\n")


main()
