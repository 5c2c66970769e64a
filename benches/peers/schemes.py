"""MeCab-ko through python-mecab-ko, on the sentences of benches/src/lib.rs.

In an environment with python-mecab-ko 1.3.7:  python benches/peers/schemes.py
"""

import pathlib
import re
import time

import mecab

source = pathlib.Path(__file__).parents[1] / "src" / "lib.rs"
table = source.read_text(encoding="utf-8").split("SENTENCES: &[&str] = &[")[1].split("];")[0]
sentences = re.findall(r'"([^"]+)"', table)
size = sum(len(s.encode()) for s in sentences)
tagger = mecab.MeCab()
for name, call in [("morphs", tagger.morphs), ("pos", tagger.pos)]:
    best = float("inf")
    for _ in range(200):
        start = time.perf_counter()
        for sentence in sentences:
            call(sentence)
        best = min(best, time.perf_counter() - start)
    print(f"{name}: {size / best / 1e6:.2f} MB/s")
