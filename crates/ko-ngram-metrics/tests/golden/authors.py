"""Writes authors.toml with the programs of the metrics' own authors.

    env/bin/pip install Levenshtein==0.27.5      # in the environment of make.py
    env/bin/python crates/ko-ngram-metrics/tests/golden/authors.py PROGRAMS

PROGRAMS is a folder with what their repositories hold; nothing of it is part of this project:

    RIBES.py                 github.com/nttcslab-nlp/RIBES, 7e76cf2 (version 1.03.1)
    CharacTER.py, libED.so   github.com/rwth-i6/CharacTER, c4b25cb (libED.so is its ed.cpp, compiled)
    EED.py, util.py          github.com/rwth-i6/ExtendedEditDistance, f944adc

The pairs are those of make.py and some more that repeat themselves, because that is where alignments and moves are hard.
`nan` stands where a program has no value.
"""

import argparse
import ctypes
import math
import pathlib
import random
import sys
import tempfile

from make import PAIRS, mean_of, write, write_pairs

SOURCE = "RIBES.py 1.03.1 (7e76cf2), CharacTER.py (c4b25cb), EED.py's eed_python (f944adc)"

WORDS = "나는 너는 밥을 책을 어제 오늘 또 안 먹었다 읽었다 . , ! 2,026년 가 나 가나".split()


def repetitive_pairs(number):
    """Pairs over so few words that most texts repeat some; every fourth is a rearrangement of its reference."""
    choice = random.Random(1)
    text = lambda: [choice.choice(WORDS[:choice.choice([2, 4, 17])]) for _ in range(choice.randrange(16))]
    for index in range(number):
        references = [text() for _ in range(choice.choice([1, 1, 2]))]
        hypothesis = choice.sample(references[0], len(references[0])) if index % 4 == 0 else text()
        yield " ".join(hypothesis), [" ".join(reference) for reference in references]


def ribes(program, alpha=0.25, beta=0.1):
    """Like `RIBES.py --case --emptyref -a ALPHA -b BETA`."""

    def score(pairs):
        most = max(len(refs) for _, refs in pairs)
        with tempfile.TemporaryDirectory() as folder:

            def corpus(name, texts):
                path = pathlib.Path(folder, name)
                path.write_text("".join(text + "\n" for text in texts), encoding="utf-8")
                return program.Corpus(str(path), case=True)

            # A reference that is not there is an empty line, which does not count.
            references = [
                corpus(f"ref{i}", [refs[i] if i < len(refs) else "" for _, refs in pairs]) for i in range(most)
            ]
            evaluator = program.RIBESevaluator(alpha=alpha, beta=beta)
            try:
                return evaluator.eval(corpus("hyp", [hyp for hyp, _ in pairs]), references, emptyref=True)
            except ZeroDivisionError:
                return math.nan

    def scores(cut, pairs):
        pairs = [(" ".join(cut(hyp)), [" ".join(cut(ref)) for ref in refs]) for hyp, refs in pairs]
        return score(pairs), [score([pair]) for pair in pairs]

    return scores


def character(program, folder):
    distance = ctypes.CDLL(str(folder / "libED.so"))
    distance.wrapper.restype = ctypes.c_float
    return mean_of(lambda cut, hyp, refs: min(program.cer(cut(hyp), cut(ref), distance) for ref in refs))


def eed(program):
    letters = lambda units: list(" ".join(units))
    # Its argument is changed by the call.
    return mean_of(lambda cut, hyp, refs: min(program.eed_python(letters(cut(hyp)), letters(cut(ref))) for ref in refs))


def main():
    parser = argparse.ArgumentParser(description="Writes authors.toml.")
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=60, help="how many repetitive pairs")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(__file__).parent / "authors.toml")
    arguments = parser.parse_args()
    folder = arguments.programs.resolve()
    sys.path.insert(0, str(folder))
    import CharacTER
    import EED
    import RIBES

    pairs = PAIRS + list(repetitive_pairs(arguments.pairs))
    metrics = {
        "ribes:rule=official": ribes(RIBES),
        "ribes:rule=official,alpha=0.5,beta=0.3": ribes(RIBES, 0.5, 0.3),
        "character": character(CharacTER, folder),
        "eed": eed(EED),
    }
    write(arguments.output, SOURCE, metrics, pairs)
    write_pairs(arguments.output, pairs, "a")


if __name__ == "__main__":
    main()
