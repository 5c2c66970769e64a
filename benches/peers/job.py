"""A whole job: BLEU, chrF and TER of a million Korean pairs on morphemes, our command against sacreBLEU's, and the table of it in benches/README.md.

    python benches/peers/job.py --data FOLDER [--ko-eval PROGRAM] [--env FOLDER | --python INTERPRETER] [--pairs N] [--share N]

FOLDER holds FLORES from English to Korean as firefox-translations-models has it: `flores-*.ko`, the references, and
`flores-*.SYSTEM.ko`. Its pairs are repeated until there are enough; each time a word of the output is dropped and both sides get
a number, so that no line comes twice and nobody profits from remembering lines. Ours reads JSON lines, sacreBLEU, which
cannot, plain lines. sacreBLEU is given one pair in `--share`, from the beginning, because it would take too long; its time is linear in
the pairs. Both run alone, one after the other, on one core and on two (`taskset`). sacreBLEU's command has `ko-mecab` for BLEU only; its TER
and chrF look at words and characters, so it has less to do than ours, which cuts into morphemes for all three.

That both mean the same is checked first: BLEU by our unit `ko-mecab` is sacreBLEU's, to the digits that it prints.
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
from compare import TARGET, environment, publish  # noqa: E402

PACKAGES = ["sacrebleu[ko]==2.6.0"]
BEGIN, END = "<!-- begin: job.py -->", "<!-- end: job.py -->"
METRICS = ["bleu", "chrf", "ter"]


def flores(folder):
    """Pairs of output and reference, of every system and both sets."""
    pairs = []
    for reference in sorted(folder.glob("flores-*.ko")):
        if reference.name.count(".") != 1:
            continue
        references = reference.read_text(encoding="utf-8").splitlines()
        for output in sorted(folder.glob(f"{reference.stem}.*.ko")):
            pairs += zip(output.read_text(encoding="utf-8").splitlines(), references)
    if not pairs:
        sys.exit(f"{folder}: no flores-*.ko with outputs beside it")
    return pairs


def varied(pairs, count):
    """As many pairs as are wanted, no two alike."""
    for number in range(count):
        turn, at = divmod(number, len(pairs))
        output, reference = pairs[at]
        words = output.split()
        if turn and len(words) > 1:
            del words[(7 * turn + at) % len(words)]
        yield f"{' '.join(words)} {number}", f"{' '.join(reference.split())} {number}"


def run(command, cores):
    """Seconds of the clock, seconds of processors, megabytes at most, and what it printed."""
    start = time.perf_counter()
    child = subprocess.Popen(["taskset", "-c", cores, *map(str, command)], stdout=subprocess.PIPE, text=True)
    printed = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{command[0]} failed")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000, printed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--ko-eval", type=pathlib.Path, default=TARGET / "release" / "ko-eval")
    parser.add_argument("--env", type=pathlib.Path, default=TARGET / "peers-job")
    parser.add_argument("--python", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--share", type=int, default=10)
    arguments = parser.parse_args()
    python = arguments.python or environment(arguments.env, PACKAGES)
    few = arguments.pairs // arguments.share

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        lines, some = folder / "pairs.jsonl", folder / "some.jsonl"
        outputs, references = folder / "outputs.txt", folder / "references.txt"
        with lines.open("w") as all_pairs, some.open("w") as first, outputs.open("w") as hyp, references.open("w") as ref:
            for number, (output, reference) in enumerate(varied(flores(arguments.data), arguments.pairs)):
                row = json.dumps({"hyp": output, "ref": reference}, ensure_ascii=False) + "\n"
                all_pairs.write(row)
                if number < few:
                    first.write(row)
                    hyp.write(output + "\n")
                    ref.write(reference + "\n")
        size = lines.stat().st_size / 1e6

        def ours(file, unit, metrics=METRICS):
            flags = [flag for metric in metrics for flag in ("-m", metric)]
            return [arguments.ko_eval, "score", file, "-u", unit, *flags, "--bare"]

        theirs = [python, "-m", "sacrebleu", references, "-i", outputs, "-m", *METRICS, "--tokenize", "ko-mecab", "-w", "6"]
        rows = []
        for cores, name in [("0", "one"), ("0,1", "two")]:
            rows.append(("`ko-eval score`", name, arguments.pairs, run(ours(lines, "mecab"), cores)))
            rows.append(("`sacrebleu`", name, few, run(theirs, cores)))
        own, their = float(run(ours(some, "ko-mecab", ["bleu"]), "0,1")[3]), json.loads(rows[-1][3][3])[0]["score"]
    if abs(own - their) > 1e-6:
        sys.exit(f"BLEU is {own} here and {their} there")

    table = [
        f"{arguments.pairs:,} pairs, {size:.0f} MB of JSON lines; sacreBLEU on the first {few:,} of them.",
        "",
        "| command | cores | pairs | by the clock | processor time | µs of processors a pair | memory |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, cores, pairs, (seconds, processor, memory, _) in rows:
        each = processor / pairs * 1e6
        table.append(f"| {name} | {cores} | {pairs:,} | {seconds:.1f} s | {processor:.1f} s | {each:.0f} | {memory:.0f} MB |")
    each = [row[3][1] / row[2] for row in rows]
    clock = [row[3][0] / row[2] for row in rows]
    table += ["", f"A pair takes sacreBLEU **{each[1] / each[0]:.0f}×** the processor time on one core; with two cores it waits **{clock[3] / clock[2]:.0f}×** as long by the clock."]
    table = "\n".join(table)
    publish(table, BEGIN, END)


if __name__ == "__main__":
    main()
