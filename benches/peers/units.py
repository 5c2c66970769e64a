"""Times sacreBLEU's `13a` and SentencePiece against our units, and writes the table into benches/README.md.

    python benches/peers/units.py --data FILE [--env FOLDER | --python INTERPRETER]

FILE holds Korean lines, which should be many and different: sacreBLEU remembers lines it has seen. Makes a scratch environment (by default in
the folder `target/peers`), learns SentencePiece models from the same lines, checks that both sides cut every line alike, and
times both on one thread, the least of several rounds on each side.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from compare import ROOT, TARGET, environment, publish  # noqa: E402

BEGIN, END = "<!-- begin: units.py -->", "<!-- end: units.py -->"
ROUNDS = 3
MODELS = {"unigram": 8000, "bpe": 8000}


def peers(folder, data):
    """Runs inside the environment: learns the models, and prints seconds and what every line is cut into."""
    import sentencepiece
    from sacrebleu.metrics import BLEU

    lines = pathlib.Path(data).read_text(encoding="utf-8").splitlines()
    thirteen = BLEU(tokenize="13a").tokenizer
    # What it remembers must not be timed.
    fresh = lambda line: thirteen.__call__.__wrapped__(thirteen, line)
    thirteen._post_tokenizer.__class__.__call__ = thirteen._post_tokenizer.__class__.__call__.__wrapped__
    cutters = {"13a": ("sacreBLEU 2.6.0", fresh)}
    for kind, size in MODELS.items():
        prefix = f"{folder}/{kind}"
        sentencepiece.SentencePieceTrainer.train(
            input=data, model_prefix=prefix, model_type=kind, vocab_size=size, hard_vocab_limit=False, minloglevel=2)
        model = sentencepiece.SentencePieceProcessor(model_file=f"{prefix}.model")
        encode = lambda line, model=model: model.encode(line, out_type=str)
        cutters[f"subword:{prefix}.model"] = (f"sentencepiece {sentencepiece.__version__}, {kind}", encode)
    times = {}
    for unit, (source, cut) in cutters.items():
        best = float("inf")
        for _ in range(ROUNDS):
            start = time.perf_counter()
            for line in lines:
                cut(line)
            best = min(best, time.perf_counter() - start)
        times[unit] = {"source": source, "seconds": best}
    with open(f"{folder}/cases.jsonl", "w") as file:
        for line in lines:
            units = {unit: cut(line) for unit, (_, cut) in cutters.items()}
            units["13a"] = units["13a"].split()
            file.write(json.dumps({"text": line, "units": units}) + "\n")
    print(json.dumps(times))


def ours(example, *arguments, **options):
    cargo = ["cargo", "run", "--quiet", "--release", "-p", "ko-tokenize", "--features", "sentencepiece", "--example", example]
    return subprocess.run([*cargo, "--", *arguments], cwd=ROOT, check=True, capture_output=True, text=True, **options).stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--env", type=pathlib.Path, default=TARGET / "peers")
    parser.add_argument("--python", type=pathlib.Path)
    parser.add_argument("--peers", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peers:
        return peers(arguments.peers, arguments.data)
    data = os.path.abspath(arguments.data)
    python = arguments.python or environment(arguments.env, ["sacrebleu==2.6.0", "sentencepiece==0.2.2"])
    with tempfile.TemporaryDirectory() as folder:
        run = [python, __file__, "--peers", folder, "--data", data]
        timed = json.loads(subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
        with open(f"{folder}/cases.jsonl") as cases:
            alike = ours("compare_units", stdin=cases)
        own = [json.loads(line) for line in ours("time_units", data, *timed).splitlines()]
    lines = pathlib.Path(data).read_text(encoding="utf-8").splitlines()
    size = sum(len(line.encode()) for line in lines) / 1e6
    table = [f"{len(lines):,} Korean lines, {size:.1f} MB; seconds for all of them, on one thread.", ""]
    table += ["| unit | peer | peer's | ours, with places | | ours, without | |", "|---|---|---|---|---|---|---|"]
    for row in own:
        peer = timed[row["unit"]]
        name = row["unit"].split(":")[0]
        cells = [f"{row[way]:.4f} | **{peer['seconds'] / row[way]:.1f}×**" for way in ("tokenize", "cut")]
        table.append(f"| `{name}` | {peer['source']} | {peer['seconds']:.3f} | " + " | ".join(cells) + " |")
    equal = [line.split(": ", 1)[1] for line in alike.splitlines() if line.endswith("equal")]
    table += ["", "Lines that both sides cut alike: " + "; ".join(equal) + "."]
    table = "\n".join(table)
    publish(table, BEGIN, END)


if __name__ == "__main__":
    main()
