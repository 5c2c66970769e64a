"""Times the reference implementations against ours, and writes the table into benches/README.md.

    python benches/peers/compare.py [--env FOLDER | --python INTERPRETER] [--no-bench]

Makes a scratch environment (by default in the folder `target/peers`), installs the references from PyPI into it, times
them on the same pairs and units as the benches, runs `cargo bench --bench ngram` (unless told not to) and reads
criterion's results. Both sides are given text: ours cuts it into units, the references split the same units at the spaces
that join them. Both run on one thread, one after the other, and the least of many repeated times counts on both sides:
what else the machine does only adds to a time. `--no-bench` takes the results of the last run, `--python` an interpreter
that has the references already.

CharacTER and EED are not on PyPI: their peers are the plain transcriptions of their rules that also make the golden
values (`crates/ko-ngram-metrics/tests/golden/make.py`), with the package Levenshtein, written in C++, for
CharacTER's distances, as its authors' script has it.
"""

import argparse
import json
import math
import os
import pathlib
import runpy
import subprocess
import sys
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
RULES = ROOT / "crates/ko-ngram-metrics/tests/golden/make.py"
PACKAGES = ["sacrebleu==2.6.0", "nltk==3.10.4", "rouge-score==0.1.2", "Levenshtein==0.27.1"]
UNITS = ["word", "char", "jamo"]
BEGIN, END = "<!-- begin: compare.py -->", "<!-- end: compare.py -->"


def references():
    """What to time: the metric's name, the reference's, and a function of a pair, its units joined by spaces."""
    import logging
    import warnings

    import Levenshtein
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
    from nltk.translate.gleu_score import sentence_gleu
    from nltk.translate.meteor_score import single_meteor_score
    from nltk.translate.nist_score import sentence_nist
    from nltk.translate.ribes_score import sentence_ribes
    from rouge_score import rouge_scorer
    from sacrebleu.metrics import BLEU, CHRF, TER

    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)

    class Split:
        tokenize = staticmethod(str.split)

    class NoStemmer:
        stem = staticmethod(lambda word: word)

    class NoWordNet:
        synsets = staticmethod(lambda word: [])

    def sacrebleu(metric):
        return "sacreBLEU", lambda hyp, ref: metric.sentence_score(hyp, [ref])

    def rouge(kind):
        scorer = rouge_scorer.RougeScorer([kind], tokenizer=Split())
        return "rouge-score", lambda hyp, ref: scorer.score(ref, hyp)

    def nltk(score):
        return "NLTK", lambda hyp, ref: score(hyp.split(), ref.split())

    rules = runpy.run_path(str(RULES))
    rules["character"].__globals__["distance"] = Levenshtein.distance
    eed_rule = rules["eed"]()

    def character(hyp, ref):
        rules["character"](str.split, hyp, [ref])

    def eed(hyp, ref):
        eed_rule(str.split, [(hyp, [ref])])

    smoothing = SmoothingFunction().method1
    return {
        "bleu": sacrebleu(BLEU(tokenize="none", effective_order=True)),
        "nltk-bleu": nltk(lambda own, their: sentence_bleu([their], own, smoothing_function=smoothing)),
        "gleu": nltk(lambda own, their: sentence_gleu([their], own)),
        "nist": nltk(lambda own, their: sentence_nist([their], own)),
        "chrf": sacrebleu(CHRF()),
        "chrf++": sacrebleu(CHRF(word_order=2)),
        "rouge-1": rouge("rouge1"),
        "rouge-2": rouge("rouge2"),
        "rouge-l": rouge("rougeL"),
        "rouge-lsum": rouge("rougeLsum"),
        "meteor": nltk(lambda own, their: single_meteor_score(their, own, str, NoStemmer(), NoWordNet())),
        "ribes": nltk(lambda own, their: sentence_ribes([their], own)),
        "ter": sacrebleu(TER(case_sensitive=True)),
        "character": ("its rule in Python, Levenshtein in C++", character),
        "eed": ("its recurrence in Python", eed),
    }


def time_references():
    """Prints microseconds per pair as JSON; runs inside the environment."""
    pairs = {unit: [] for unit in UNITS}
    for line in sys.stdin:
        unit, hyp, ref = line.rstrip("\n").split("\t")
        pairs[unit].append((hyp, ref))
    times = {}
    for metric, (source, score) in references().items():
        times[metric] = {"source": source}
        for unit in UNITS:
            # Of each pair its own best: a pair is short enough to be undisturbed now and then.
            best = [math.inf] * len(pairs[unit])
            begin = time.perf_counter()
            rounds = 0
            # At least a second, and three rounds unless one takes long.
            while time.perf_counter() - begin < (1 if rounds >= 3 else 10):
                for number, pair in enumerate(pairs[unit]):
                    start = time.perf_counter()
                    score(*pair)
                    best[number] = min(best[number], time.perf_counter() - start)
                rounds += 1
            times[metric][unit] = sum(best) / len(best) * 1e6
    json.dump(times, sys.stdout)


def criterion(group, name):
    """The best of criterion's samples in nanoseconds, if there is one."""
    path = TARGET / "criterion" / group / name / "new" / "sample.json"
    if not path.exists():
        return None
    sample = json.loads(path.read_text())
    return min(time / iterations for time, iterations in zip(sample["times"], sample["iters"]))


def exponent(group):
    """The slope of log time over log size, by least squares."""
    folder = TARGET / "criterion" / group
    sizes = sorted(int(p.name) for p in folder.iterdir() if p.name.isdigit()) if folder.exists() else []
    points = [(math.log(size), math.log(criterion(group, str(size)))) for size in sizes]
    if len(points) < 2:
        return None
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


def tables(times, count):
    ours = lambda unit, metric: criterion(f"segment-{unit}", metric)
    shown = lambda value, form: "–" if value is None else format(value, form)
    lines = ["Microseconds per pair: ours, the reference's, and how many times faster ours is.", ""]
    lines += ["| metric | reference | " + " | ".join(UNITS) + " |", "|---|---|" + "---|" * len(UNITS)]
    for metric, row in times.items():
        cells = []
        for unit in UNITS:
            own = ours(unit, metric)
            if own is None:
                cells.append("–")
                continue
            own = own / count / 1000
            cells.append(f"{own:.2f} : {row[unit]:.0f} = **{row[unit] / own:.0f}×**")
        lines.append(f"| {metric} | {row['source']} | " + " | ".join(cells) + " |")
    lines += ["", "Against the crate sacrebleu-rs 0.1.0, times faster:", ""]
    lines += ["| metric | " + " | ".join(UNITS) + " |", "|---|" + "---|" * len(UNITS)]
    for metric in ["bleu", "chrf", "ter"]:
        cells = []
        for unit in UNITS:
            own, peer = ours(unit, metric), criterion(f"sacrebleu-rs-{unit}", metric)
            cells.append(f"{peer / own:.1f}×" if own and peer else "–")
        lines.append(f"| {metric} | " + " | ".join(cells) + " |")
    lines += ["", "How cost grows: the fitted exponent when a segment's length (characters), or a corpus's"]
    lines += ["number of segments (words, all cores), doubles three times.", ""]
    lines += ["| metric | length | corpus |", "|---|---|---|"]
    for metric in times:
        length, corpus = exponent(f"length-{metric}"), exponent(f"corpus-{metric}")
        if length is not None:
            lines.append(f"| {metric} | {shown(length, '.2f')} | {shown(corpus, '.2f')} |")
    return "\n".join(lines)


def environment(folder, packages=PACKAGES):
    """The interpreter of a scratch environment, made if need be, that has the references."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
    # Quick if nothing is missing, and what an earlier run left unfinished is done now.
    subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return python


def publish(table, begin, end):
    """Prints a table, and writes it between its two marks into benches/README.md."""
    readme = ROOT / "benches" / "README.md"
    before, rest = readme.read_text().split(begin)
    readme.write_text(f"{before}{begin}\n{table}\n{end}{rest.split(end)[1]}")
    print(table)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--env", type=pathlib.Path, default=TARGET / "peers")
    parser.add_argument("--python", type=pathlib.Path)
    parser.add_argument("--no-bench", action="store_true")
    parser.add_argument("--time", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.time:
        return time_references()
    python = arguments.python or environment(arguments.env)
    cargo = ["cargo", "run", "--quiet", "--release", "-p", "ko-eval-benches", "--bin", "units"]
    units = subprocess.run(cargo, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    if not arguments.no_bench:
        subprocess.run(["cargo", "bench", "-p", "ko-eval-benches", "--bench", "ngram"], cwd=ROOT, check=True)
    timed = subprocess.run([python, __file__, "--time"], input=units, check=True, capture_output=True, text=True)
    table = tables(json.loads(timed.stdout), len(units.splitlines()) // len(UNITS))
    publish(table, BEGIN, END)


if __name__ == "__main__":
    main()
