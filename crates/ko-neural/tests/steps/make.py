"""Writes expected.json: the losses of the first steps of whole trainings of the tiny models, by transformers, sentence-transformers and PyTorch.

Run in an environment with torch 2.13.0, sentence-transformers 6.2.0 and transformers 5.22.2: `python make.py`. Nothing is dropped, every step sees all
examples, and the rate falls to 0 from the first step on. A loss tells whether the gradients and the step before it were right.
"""

import json
import os

import sentence_transformers
import torch
import transformers
from sentence_transformers.sentence_transformer import losses
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, BertModel, BertTokenizer, PreTrainedTokenizerFast

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "..", "models")
STEPS, RATE, CLIP, DECAY = 5, 5e-3, 1.0, 0.01

TRIPLES = [
    ["나는 밥을 먹었다.", "저는 밥을 먹었어요.", "비가 온다"],
    ["눈이 많이 내린다", "눈이 온다", "어제 저녁에 국밥을 먹었다."],
    ["우리는 시장에서 국밥을 먹었어요!", "우리는 국밥을 먹었다.", "비가 많이 온다"],
]
PAIRS = [
    ["나는 밥을 먹었다.", "저는 밥을 먹었어요."],
    ["비가 온다", "눈이 많이 내린다"],
    ["어제 저녁에 국밥을 먹었다.", "비가 온다"],
    ["우리는 시장에서 국밥을 먹었어요!", "우리는 국밥을 먹었다."],
]
SCORES = [5.0, 2.0, 0.0, 4.0]
SAME = [0.0, 1.0, 0.0, 1.0]
SUMMARIES = [
    ["나는 먹었다.", "나는 밥을 먹었다.", "어제 저녁에 나는 시장에서 밥을 먹었다."],
    ["비가 온다", "비가 많이 온다", "어제 비가 많이 내린다"],
]
TARGETS = [["야구 선수 공", "선수와 공 친구"], ["국밥 어제", "우리 는 국밥을 먹었다."], ["비", "비가 온다"]]


def trained(model, loss):
    """The loss of every step."""
    model.eval()
    parameters = list(model.parameters())
    groups = [
        {"params": [p for p in parameters if p.dim() > 1], "weight_decay": DECAY},
        {"params": [p for p in parameters if p.dim() <= 1], "weight_decay": 0.0},
    ]
    adamw = torch.optim.AdamW(groups, lr=RATE)
    schedule = transformers.get_linear_schedule_with_warmup(adamw, 0, STEPS)
    found = []
    for _ in range(STEPS):
        adamw.zero_grad()
        value = loss(model)
        found.append(value.item())
        value.backward()
        torch.nn.utils.clip_grad_norm_(parameters, CLIP)
        adamw.step()
        schedule.step()
    return found


def of_embedder(kind, examples, loss, **more):
    """A loss over the means of the tokens' vectors of each column."""
    tokenizer = BertTokenizer(f"{MODELS}/bert/vocab.txt", do_lower_case=True, strip_accents=False)

    def columns(model):
        for texts in zip(*examples):
            batch = tokenizer(list(texts), padding=True, return_tensors="pt")
            mask = batch["attention_mask"].unsqueeze(-1).float()
            yield (model(**batch).last_hidden_state * mask).sum(1) / mask.sum(1)

    model = BertModel.from_pretrained(f"{MODELS}/bert", add_pooling_layer=False)
    found = trained(model, lambda model: loss(list(columns(model))))
    return {"kind": kind, "model": "bert", "examples": examples, **more, "losses": found}


def of_generator(family):
    """The loss that transformers' own models answer."""
    folder = f"{MODELS}/generators/{family}"
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=f"{folder}/tokenizer.json", pad_token="[PAD]")
    bare = lambda text: tokenizer(text, add_special_tokens=False)["input_ids"]
    decoder_alone = family == "gpt2"
    model = (AutoModelForCausalLM if decoder_alone else AutoModelForSeq2SeqLM).from_pretrained(folder)
    end = model.config.eos_token_id
    rows = []
    for source, target in TARGETS:
        asked = bare(target) + [end]
        if decoder_alone:
            rows.append((bare(source) + asked, [-100] * len(bare(source)) + asked))
        else:
            rows.append((tokenizer(source)["input_ids"], asked))
    padded = lambda lists, value: torch.tensor([one + [value] * (max(map(len, lists)) - len(one)) for one in lists])
    ids, labels = padded([row[0] for row in rows], 0), padded([row[1] for row in rows], -100)
    mask = padded([[1] * len(row[0]) for row in rows], 0)
    found = trained(model, lambda model: model(input_ids=ids, attention_mask=mask, labels=labels).loss)
    return {"kind": "generator", "model": f"generators/{family}", "examples": TARGETS, "losses": found}


def main():
    model = torch.nn.Identity()
    shares = torch.tensor(SCORES) / 5
    same = torch.tensor(SAME)
    cosine = torch.nn.CosineSimilarity(dim=1, eps=1e-8)
    contrastive = losses.ContrastiveLoss(model, distance_metric=cosine, margin=0.9)
    triplet = torch.nn.TripletMarginLoss(margin=3.0, eps=0.0)
    own = lambda loss, labels: lambda columns: loss.compute_loss_from_embeddings(columns, labels)

    def rdass(columns):
        summary, reference, document = columns
        return (triplet(summary, reference, reference.flip(0)) + triplet(summary, document, document.flip(0))) / 2

    cases = [
        of_embedder("ranking", TRIPLES, own(losses.MultipleNegativesRankingLoss(model), None)),
        of_embedder("cosine", PAIRS, own(losses.CosineSimilarityLoss(model), shares), scores=SCORES),
        of_embedder("cosent", PAIRS, own(losses.CoSENTLoss(model), shares), scores=SCORES),
        # Its distance is our similarity, which is large for one tone and not for two, and ours is halved once more.
        of_embedder("csl", PAIRS, lambda columns: own(contrastive, 1 - same)(columns) / 2, scores=SAME, margin=0.9),
        of_embedder("rdass", SUMMARIES, rdass, margin=3.0),
        *map(of_generator, ["bart", "gpt2", "t5"]),
    ]
    versions = f"torch {torch.__version__.split('+')[0]}, sentence-transformers {sentence_transformers.__version__}, transformers {transformers.__version__}"
    with open(f"{HERE}/expected.json", "w") as file:
        json.dump({"source": versions, "rate": RATE, "clip": CLIP, "decay": DECAY, "cases": cases}, file, ensure_ascii=False)
        file.write("\n")


main()
