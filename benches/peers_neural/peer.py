"""The seconds of sentence-transformers, bert-score or transformers' `generate`: `peer.py MODEL SENTENCES THREADS embed|bertscore|generate`.

Prints what the crate's example `throughput` prints: seconds, and the mean of all numbers, of F1 or of the best answers' scores.
"""

import sys
import time
from collections import defaultdict

import torch
from transformers import AlbertModel, BertTokenizer


def albert_tokenizer(folder):
    return BertTokenizer.from_pretrained(folder, do_lower_case=True, strip_accents=False)


def embed(folder):
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    transformer = modules.Transformer(folder, max_seq_length=256)
    transformer.processor = albert_tokenizer(folder)
    pooling = modules.Pooling(768, pooling_mode="mean")
    model = SentenceTransformer(modules=[transformer, pooling], device="cpu")
    return lambda sentences: float(model.encode(sentences).mean(dtype="float64"))


def bertscore(folder):
    from bert_score.utils import bert_cos_score_idf

    tokenizer = albert_tokenizer(folder)
    model = AlbertModel.from_pretrained(folder, add_pooling_layer=False).eval()
    weights = defaultdict(lambda: 1.0, {tokenizer.cls_token_id: 0.0, tokenizer.sep_token_id: 0.0})

    def score(sentences):
        half = len(sentences) // 2
        all_scores = bert_cos_score_idf(model, sentences[:half], sentences[half:], tokenizer, weights, device="cpu")
        return float(all_scores[:, 2].double().mean())

    return score


# Prompts that are written to together: of 16, 32, 64 and 256 what takes least processor time.
BATCH = 32


def generate(folder):
    from transformers import AutoModelForSeq2SeqLM, PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)
    model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    search = dict(num_beams=10, min_new_tokens=10, max_new_tokens=30, no_repeat_ngram_size=3)

    def write(prompts):
        # Prompts of like length together, as ours does it.
        prompts = sorted(prompts, key=lambda prompt: len(tokenizer(prompt)["input_ids"]), reverse=True)
        scores = []
        for first in range(0, len(prompts), BATCH):
            read = tokenizer(prompts[first : first + BATCH], padding=True, return_tensors="pt", return_token_type_ids=False)
            written = model.generate(**read, **search, return_dict_in_generate=True, output_scores=True)
            scores += written.sequences_scores.tolist()
        return sum(scores) / len(scores)

    return write


def main():
    folder, path, threads, task = sys.argv[1:]
    torch.set_num_threads(int(threads))
    with open(path, encoding="utf-8") as file:
        sentences = file.read().splitlines()
    work = {"embed": embed, "bertscore": bertscore, "generate": generate}[task](folder)
    work(sentences[:64])
    start = time.perf_counter()
    value = work(sentences)
    print(f"{time.perf_counter() - start:.2f}\t{value:.6f}", flush=True)


if __name__ == "__main__":
    main()
