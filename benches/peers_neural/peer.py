"""Seconds of sentence-transformers and bert-score: `peer.py MODEL SENTENCES THREADS`."""

import sys
import time

import torch
from bert_score.utils import bert_cos_score_idf
from collections import defaultdict
from sentence_transformers import SentenceTransformer
from transformers import AlbertModel, BertTokenizer

folder, path, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
torch.set_num_threads(threads)
with open(path, encoding="utf-8") as file:
    sentences = file.read().splitlines()

try:
    from sentence_transformers.sentence_transformer import modules
except ImportError:
    from sentence_transformers import models as modules


def best(work):
    work()
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


tokenizer = BertTokenizer.from_pretrained(folder, do_lower_case=True, strip_accents=False)
transformer = modules.Transformer(folder, max_seq_length=256)
transformer.tokenizer = tokenizer
embedder = SentenceTransformer(modules=[transformer, modules.Pooling(768, pooling_mode="mean")], device="cpu")
print(f"embed\t{best(lambda: embedder.encode(sentences)):.2f} s")

model = AlbertModel.from_pretrained(folder, add_pooling_layer=False).eval()
half = len(sentences) // 2
weights = defaultdict(lambda: 1.0, {tokenizer.cls_token_id: 0.0, tokenizer.sep_token_id: 0.0})
score = lambda: bert_cos_score_idf(model, sentences[:half], sentences[half:], tokenizer, weights, device="cpu")
print(f"bertscore\t{best(score):.2f} s")

with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
    embedder.encode(sentences[:200])
events = profile.key_averages()
total = sum(event.self_cpu_time_total for event in events)
products = ("aten::addmm", "aten::mm", "aten::bmm", "aten::baddbmm", "aten::_scaled_dot_product_flash_attention_for_cpu")
share = sum(event.self_cpu_time_total for event in events if event.key in products) / total
print(f"share of time in matrix products and attention\t{share:.2f}")
