"""2,000 Korean sentences of mixed length: captions and news of KorSTS, long premises of KorNLI, some of them twice."""

import sys


def column(path, name):
    with open(path, encoding="utf-8") as file:
        header = next(file).rstrip("\n").split("\t")
        place = header.index(name)
        return [line.rstrip("\n").split("\t")[place] for line in file]


data = sys.argv[1]
test = f"{data}/korsts/sts-test.tsv"
sentences = column(test, "sentence1")[:700] + column(test, "sentence2")[:700]
sentences += column(f"{data}/kornli/xnli.dev.ko.tsv", "sentence1")[:600]
print("\n".join(sentences))
