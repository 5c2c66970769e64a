"""Times sentence-transformers, bert-score and transformers' beam search against ours, and writes the tables into benches/README.md.

    python benches/peers_neural/compare.py [--data FOLDER] [--generate MODEL] [--threads 2] [--rounds 2] [--env FOLDER | --python INTERPRETER]

The same weights (the Korean ALBERT that `cargo xtask setup` puts into ko-eval's home), the same 2,000 sentences, the same number of
threads. With `--generate`, instead: the model of that folder, 256 concept sets, ten beams. Makes a scratch environment (by default `target/peers-neural`, 5 GB: PyPI's torch brings CUDA along) and installs the
peers into it; `--python` takes an interpreter that has them. Both sides run in turn, each in a process of its own that loads the model,
warms up and measures one pass; the table has each side's best round and its peak memory. Where `perf` is installed, a last, untimed
round says which share of the processor's time went into matrix products.

libtorch must be found: set LIBTORCH and LD_LIBRARY_PATH as for every program that uses it. On a machine that is not quiet,
OMP_WAIT_POLICY=passive keeps the peers' threads from waiting in vain.
"""

import argparse
import collections
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv

import sentences

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
HOME = pathlib.Path(os.environ.get("KO_EVAL_HOME", pathlib.Path.home() / ".cache/ko-eval"))
PACKAGES = ["torch==2.13.0", "transformers==5.22.2", "sentence-transformers==6.2.0", "bert-score==0.3.13"]
READING = {"embed": ("sentence vectors", "sentence-transformers 6.2.0"), "bertscore": ("BERTScore", "bert-score 0.3.13")}
WRITING = {"generate": ("ten beams", "transformers 5.22.2, `generate`")}
# What `/proc/cpuinfo` says of a processor whose products of narrow numbers are fast: there, ours in them joins.
NARROW = ("avx512_bf16", "amx_bf16")
# MKL's and oneDNN's kernels; oneDNN writes its own at run time, so perf has no name for them.
PRODUCTS = re.compile(r"gemm|mkl_blas|dnnl|^0x[0-9a-f]+|\[unknown\]")

# `elapsed` is from the process's start to its answer, `seconds` only the pass that is measured.
Run = collections.namedtuple("Run", "seconds value megabytes elapsed")


def measure(command):
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    answer = process.stdout.readline().split()
    elapsed = time.perf_counter() - start
    _, status, usage = os.wait4(process.pid, 0)
    if status or len(answer) != 2:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return Run(float(answer[0]), float(answer[1]), usage.ru_maxrss / 1024, elapsed)


def processor():
    """What Linux says of the processor; nothing elsewhere."""
    path = pathlib.Path("/proc/cpuinfo")
    return path.read_text() if path.exists() else ""


def pearson(one, other):
    """How alike the scores in two files are."""
    one, other = ([float(line) for line in path.read_text().split()] for path in (one, other))
    return statistics.correlation(one, other)


def share_of_products(command):
    """Of the samples that `perf` takes in the measured pass, how many lie in a matrix product; `None` without `perf`, or of a pass too short to be found among them."""
    if not shutil.which("perf"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        run = measure(["perf", "record", "-q", "-T", "-F", "199", "-o", f"{folder}/samples", "--", *command])
        if run.seconds < 2:
            return None
        # What came before the pass, loading and warming up, is left out.
        before = 100 * (1 - run.seconds / run.elapsed)
        report = ["perf", "report", "-i", f"{folder}/samples", "--stdio", "-q", "--sort", "symbol"]
        report += ["--time", f"{before:.0f}%-100%"]
        lines = subprocess.run(report, capture_output=True, text=True).stdout.splitlines()
    parts = [re.match(r"\s*([\d.]+)%\s+\[(.)\]\s+(.*)", line) for line in lines]
    return sum(float(part[1]) for part in parts if part and part[2] == "." and PRODUCTS.search(part[3]))


def table(tasks, runs, shares, alike, arguments, source):
    percent = lambda share: "" if share is None else f"{share:.0f} %"
    lines = [
        f"{len(source.splitlines())} different texts, {'real' if arguments.data else 'made up'}, {arguments.threads} threads, "
        f"{(arguments.generate or arguments.model).name}, Python {platform.python_version()}, {', '.join(PACKAGES)}; best of {arguments.rounds} round(s).",
        "",
        "| task | peer | ours | peer's | ratio | products, ours | products, peer's | memory, ours | memory, peer's |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for task, (name, peer) in tasks.items():
        for side, kind in (("ours", ""), ("narrow", ", products in bf16")):
            if not runs[side, task]:
                continue
            ours, theirs = min(runs[side, task]), min(runs["theirs", task])
            lines.append(
                f"| {name}{kind} | {peer} | {ours.seconds:.1f} s | {theirs.seconds:.1f} s | **{theirs.seconds / ours.seconds:.2f}×** | "
                f"{percent(shares.get((side, task)))} | {percent(shares['theirs', task])} | "
                f"{ours.megabytes:.0f} MB | {theirs.megabytes:.0f} MB |"
            )
    for task, coefficient in alike.items():
        lines += ["", f"Scores in `bf16` against those in `f32`, {tasks[task][0]}: Pearson {coefficient:.6f}."]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("KO_EVAL_DATA"))
    parser.add_argument("--model", type=pathlib.Path, default=HOME / "albert-kor-base")
    parser.add_argument("--generate", type=pathlib.Path, metavar="MODEL")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--env", type=pathlib.Path, default=TARGET / "peers-neural")
    parser.add_argument("--python", type=pathlib.Path)
    arguments = parser.parse_args()

    python = arguments.python
    if not python:
        venv.create(arguments.env, with_pip=True)
        python = arguments.env / "bin/python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    build = ["cargo", "build", "--release", "--package", "ko-neural", "--features", "torch", "--example", "throughput"]
    subprocess.run(build, cwd=ROOT, check=True)

    if arguments.generate:
        tasks, model, mark, source = WRITING, arguments.generate, "peers_generate", sentences.prompts(arguments.data)
    else:
        tasks, model, mark, source = READING, arguments.model, "peers_neural", sentences.text(arguments.data)
    # The peers bring their own libtorch.
    theirs = ["env", "-u", "LD_LIBRARY_PATH", python, HERE / "peer.py"]
    programs = {"ours": [TARGET / "release/examples/throughput"], "theirs": theirs}
    runs, shares, alike = collections.defaultdict(list), {}, {}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "sentences.txt"
        path.write_text(source, encoding="utf-8")
        few = pathlib.Path(folder) / "few.txt"
        few.write_text("\n".join(source.splitlines()[::8]), encoding="utf-8")
        command = lambda side, task, texts: [*programs[side], model, texts, str(arguments.threads), task]
        narrow = tasks is READING and any(name in processor() for name in NARROW)
        for _ in range(arguments.rounds):
            for task in tasks:
                for side in programs:
                    runs[side, task].append(measure(command(side, task, path)))
                    print(side, task, runs[side, task][-1], flush=True)
                if narrow:
                    runs["narrow", task].append(measure([*command("ours", task, path), "bf16"]))
                    print("ours in bf16", task, runs["narrow", task][-1], flush=True)
        for task in tasks:
            apart = abs(runs["ours", task][0].value - runs["theirs", task][0].value)
            if apart > 1e-4:
                sys.exit(f"{task}: the two sides differ by {apart}")
            if narrow:
                scores = [pathlib.Path(folder) / precision for precision in ("f32", "bf16")]
                for path_of_scores in scores:
                    measure([*command("ours", task, path), path_of_scores.name, path_of_scores])
                alike[task] = pearson(*scores)
            for side in programs:
                shares[side, task] = share_of_products(command(side, task, few))
    readme = ROOT / "benches/README.md"
    begin, end = f"<!-- begin: {mark} -->", f"<!-- end: {mark} -->"
    before, rest = readme.read_text(encoding="utf-8").split(begin)
    after = rest.split(end)[1]
    readme.write_text(f"{before}{begin}\n{table(tasks, runs, shares, alike, arguments, source)}\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
