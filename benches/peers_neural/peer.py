"""sentence-transformers' or bert-score's seconds: `peer.py MODEL SENTENCES THREADS embed|bertscore`.

Prints what the crate's example `throughput` prints: seconds, and the mean of all numbers or of F1.
"""

import sys
import time
from collections import defaultdict

import torch
from transformers import AlbertModel, BertTokenizer


def embed(folder, tokenizer):
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    transformer = modules.Transformer(folder, max_seq_length=256)
    transformer.processor = tokenizer
    pooling = modules.Pooling(768, pooling_mode="mean")
    model = SentenceTransformer(modules=[transformer, pooling], device="cpu")
    return lambda sentences: float(model.encode(sentences).mean(dtype="float64"))


def bertscore(folder, tokenizer):
    from bert_score.utils import bert_cos_score_idf

    model = AlbertModel.from_pretrained(folder, add_pooling_layer=False).eval()
    weights = defaultdict(lambda: 1.0, {tokenizer.cls_token_id: 0.0, tokenizer.sep_token_id: 0.0})

    def score(sentences):
        half = len(sentences) // 2
        all_scores = bert_cos_score_idf(model, sentences[:half], sentences[half:], tokenizer, weights, device="cpu")
        return float(all_scores[:, 2].double().mean())

    return score


def main():
    folder, path, threads, task = sys.argv[1:]
    torch.set_num_threads(int(threads))
    with open(path, encoding="utf-8") as file:
        sentences = file.read().splitlines()
    tokenizer = BertTokenizer.from_pretrained(folder, do_lower_case=True, strip_accents=False)
    work = {"embed": embed, "bertscore": bertscore}[task](folder, tokenizer)
    work(sentences[:64])
    start = time.perf_counter()
    value = work(sentences)
    print(f"{time.perf_counter() - start:.2f}\t{value:.6f}", flush=True)


if __name__ == "__main__":
    main()
