"""Writes expected.json and optimizer.json: losses with their gradients, and an optimiser's steps, by PyTorch and the packages that define them.

Run in an environment with torch 2.13.0, sentence-transformers 6.2.0 and transformers 5.22.2: `python make.py`. Everything that is put in is sines of
multiples of a factor, in double precision, so that the tests can make it again.
"""

import json
import os

import sentence_transformers
import torch
import transformers
from sentence_transformers.sentence_transformer import losses
from transformers.loss.loss_utils import fixed_cross_entropy

HERE = os.path.dirname(os.path.abspath(__file__))
TORCH = f"torch {torch.__version__.split('+')[0]}"
SENTENCES = f"sentence-transformers {sentence_transformers.__version__}"
TRANSFORMERS = f"transformers {transformers.__version__}"


class Given(torch.nn.Module):
    """A model whose vectors are what it is given."""

    device = torch.device("cpu")

    def forward(self, features):
        return {"sentence_embedding": features["vectors"]}


MODEL = Given()


def sines(rows, width, factor):
    return torch.sin(torch.arange(rows * width, dtype=torch.float64) * factor).reshape(rows, width)


def case(name, source, loss, sides, scores=(), labels=(), margin=None):
    """A loss of tensors, each of (rows, width, factor), with its gradients."""
    tensors = [sines(*side).requires_grad_(True) for side in sides]
    value = loss(*tensors)
    value.backward()
    return {"loss": name, "source": source, "sides": sides, "scores": list(scores), "labels": list(labels), "margin": margin,
            "value": value.item(), "gradients": [tensor.grad.flatten().tolist() for tensor in tensors]}


def of_vectors(name, loss, sides, scores=()):
    labels = torch.tensor(scores, dtype=torch.float64)
    return case(name, SENTENCES, lambda *sides: loss.compute_loss_from_embeddings(list(sides), labels), sides, scores)


def softmax(rows, width, labels):
    """Sides, and the matrix of the head behind them."""

    def loss(u, v, matrix):
        softmax = losses.SoftmaxLoss(MODEL, width, 3).double()
        # In the place of the parameters, so that the gradient is the given tensor's.
        softmax.classifier._parameters.update(weight=matrix, bias=torch.zeros(3, dtype=torch.float64))
        return softmax([{"vectors": u}, {"vectors": v}], torch.tensor(labels))

    return case("softmax", SENTENCES, loss, [(rows, width, 1.0), (rows, width, 1.3), (3, 3 * width, 1.7)], labels=[labels])


def contrastive(similarities, other_tone, margin):
    """Its distance is our similarity, which is large for one tone and not for two, and ours is halved once more."""
    theirs = losses.ContrastiveLoss(MODEL, distance_metric=torch.nn.CosineSimilarity(dim=1, eps=1e-8), margin=margin)
    labels = torch.tensor([float(one) for one in other_tone])
    return case("contrastive", SENTENCES, lambda a, b: theirs.compute_loss_from_embeddings([a, b], labels) / 2, similarities,
                [1.0 - one for one in other_tone], margin=margin)


def labelled(rows, sets, labels):
    """The mean over sets of the loss of transformers' models for tokens, whose numbers it would make single ones before."""

    def loss(numbers):
        parts, first = [], 0
        for count, right in zip(sets, labels):
            parts.append(fixed_cross_entropy(numbers[:, first:first + count], torch.tensor(right)))
            first += count
        return torch.stack(parts).mean()

    return {**case("labels", TRANSFORMERS, loss, [(rows, sum(sets), 2.3)], labels=labels), "sets": sets}


def all_losses():
    ranking = losses.MultipleNegativesRankingLoss(MODEL)
    cosent = losses.CoSENTLoss(MODEL)
    cosine = losses.CosineSimilarityLoss(MODEL)
    shares = torch.tensor([0.9, 0.0, 0.35, 1.0], dtype=torch.float64)
    tones = torch.tensor([1.0, 0.0, 0.0, 1.0, 1.0], dtype=torch.float64)
    tokens = [3, 0, 5, 1, 1, 4]

    def triplet(margin):
        return torch.nn.TripletMarginLoss(margin=margin, eps=0.0)

    return [
        of_vectors("ranking", ranking, [(4, 3, 1.0), (4, 3, 1.3)]),
        of_vectors("ranking", ranking, [(5, 8, 1.0), (5, 8, 1.3), (5, 8, 1.7)]),
        of_vectors("ranking", ranking, [(1, 4, 0.7), (1, 4, 1.9), (1, 4, 0.4)]),
        of_vectors("cosent", cosent, [(5, 3, 1.0), (5, 3, 1.3)], [0.2, 1.0, 0.2, 0.4, 0.0]),
        of_vectors("cosent", cosent, [(3, 6, 0.5), (3, 6, 2.1)], [0.9, 0.1, 0.5]),
        of_vectors("cosine", cosine, [(4, 5, 1.0), (4, 5, 1.3)], [0.25, 1.0, 0.5, 0.0]),
        softmax(4, 3, [0, 2, 1, 2]),
        contrastive([(5, 4, 1.0), (5, 4, 1.3)], [0, 1, 1, 0, 1], 0.5),
        contrastive([(4, 3, 0.2), (4, 3, 0.21)], [0, 0, 1, 1], 0.9),
        case("triplet", TORCH, triplet(1.0), [(6, 4, 1.0), (6, 4, 1.3), (6, 4, 1.7)], margin=1.0),
        case("triplet", TORCH, triplet(0.1), [(6, 4, 1.0), (6, 4, 1.3), (6, 4, 1.7)], margin=0.1),
        case("shares", TORCH, lambda x: torch.nn.MSELoss()(torch.sigmoid(x.squeeze(-1)), shares), [(4, 1, 1.9)], shares.tolist()),
        case("binary", TORCH, lambda x: torch.nn.BCEWithLogitsLoss()(x.squeeze(-1), tones), [(5, 1, 1.9)], tones.tolist()),
        labelled(5, [3, 2], [[0, 2, -100, 1, 1], [1, -100, -100, 0, 1]]),
        labelled(3, [4], [[3, 0, 0]]),
        case("likelihood", TRANSFORMERS, lambda x: fixed_cross_entropy(x, torch.tensor(tokens), num_items_in_batch=6), [(6, 7, 3.1)],
             labels=[tokens]),
    ]


def optimizer():
    """AdamW behind clipped gradients, with a linear warm-up and a linear decay to 0; vectors do not decay."""
    steps, warm, rate, clip, decay = 8, 3, 0.1, 1.0, 0.05
    matrix = sines(3, 4, 1.0).requires_grad_(True)
    vector = sines(1, 3, 2.1).squeeze(0).requires_grad_(True)
    groups = [{"params": [matrix], "weight_decay": decay}, {"params": [vector], "weight_decay": 0.0}]
    adamw = torch.optim.AdamW(groups, lr=rate)
    linear = torch.optim.lr_scheduler.LinearLR
    rises = linear(adamw, start_factor=1 / warm, end_factor=1.0, total_iters=warm - 1)
    falls = linear(adamw, start_factor=1.0, end_factor=0.0, total_iters=steps - warm)
    schedule = torch.optim.lr_scheduler.SequentialLR(adamw, [rises, falls], milestones=[warm])
    taken = []
    for step in range(steps):
        # Every other step's gradients are long enough to be clipped.
        factor = 1.0 if step % 2 else 0.1
        matrix.grad = sines(3, 4, 0.3 * (step + 1)) * factor
        vector.grad = sines(1, 3, 0.7 * (step + 1)).squeeze(0) * factor
        norm = torch.nn.utils.clip_grad_norm_([matrix, vector], clip)
        used = schedule.get_last_lr()[0]
        adamw.step()
        schedule.step()
        taken.append({"factor": factor, "norm": norm.item(), "rate": used, "matrix": matrix.flatten().tolist(), "vector": vector.tolist()})
    return {"source": TORCH, "warm": warm, "rate": rate, "clip": clip, "decay": decay, "steps": taken}


def write(name, value):
    with open(f"{HERE}/{name}", "w") as file:
        json.dump(value, file)
        file.write("\n")


write("expected.json", {"cases": all_losses()})
write("optimizer.json", optimizer())
