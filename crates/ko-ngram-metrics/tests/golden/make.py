"""Writes the golden files next to this script with the reference implementations.

    python -m venv env && env/bin/pip install sacrebleu==2.6.0 nltk==3.10.4 rouge-score==0.1.2
    env/bin/python crates/ko-ngram-metrics/tests/golden/make.py

The pairs are written for this project. Texts are cut into units first, and every reference gets the units joined by one
space, or as a list, so that a difference is the metric's and never the tokenizer's. `nan` stands where a
reference divides by zero or fails.
"""

import logging
import math
import pathlib
import sys
import warnings

from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu
from nltk.translate.gleu_score import corpus_gleu
from nltk.translate.meteor_score import single_meteor_score
from nltk.translate.nist_score import corpus_nist
from nltk.translate.ribes_score import corpus_ribes
from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU, CHRF, TER

PAIRS = [
    ("나는 어제 저녁에 밥을 먹었다.", ["나는 어제 저녁에 밥을 먹었다."]),
    ("나는 어제 저녁에 밥을 먹었다.", ["저는 어제 저녁에 밥을 먹었습니다."]),
    ("오늘은 날씨가 참 좋네요", ["날씨가 오늘은 참 좋네요", "오늘 날씨 참 좋다"]),
    ("비가 와서 우산을 들고 학교에 갔다.", ["비가 내려서 우산을 쓰고 학교에 갔다.", "비 때문에 우산을 들고 학교로 갔다."]),
    ("그는 책을 책상 위에 놓고 책을 읽지 않았다", ["그는 책상 위에 책을 놓고 읽지 않았다"]),
    ("한국어 문장을 평가하는 일은 생각보다 어렵다.", ["한국어 문장 평가는 생각보다 어려운 일이다."]),
    ("", ["참조만 있는 문장"]),
    ("가설만 있는 문장", [""]),
    ("", [""]),
    ("  \t ", ["빈칸"]),
    ("네", ["네"]),
    ("네", ["아니요"]),
    ("네 네", ["네"]),
    ("둘 다", ["둘 다"]),
    ("셋은 너무 많다", ["셋은 너무 많다", "둘이면 된다", "하나"]),
    ("아 아 아 아 아 아 아", ["아 아 아"]),
    ("아 아 아", ["아 아 아 아 아 아 아"]),
    ("가 나 다 라 마 바 사", ["사 바 마 라 다 나 가"]),
    ("가 나 가 나 가 나 가", ["나 가 나 가 나 가 나", "가 가 나 나 가 가 나"]),
    ("전혀 겹치지 않는 말", ["하나도 같은 게 없음"]),
    ("ABC 방송은 Seoul에서 KOREA팀을 만났다", ["abc 방송은 서울에서 Korea팀을 만났다"]),
    ("(괄호) '따옴표' 그리고... 끝!", ["괄호 따옴표 그리고 끝", "(괄호) 그리고 끝!"]),
    ("ㅋㅋㅋㅋ 진짜ㅠㅠ", ["ㅋㅋ 진짜 ㅠㅠㅠ"]),
    ("😀 웃는 얼굴 👨‍👩‍👧 가족", ["😀 웃는 가족 👨‍👩‍👧"]),
    ("漢字와 한글을 섞어 쓴 文章", ["한자와 한글을 섞어 쓴 문장"]),
    ("여덟 값 넓은 흙 없다", ["여덜 갑 널븐 흑 업다"]),
    ("긴 문장을 하나 적어 보면 어절이 열다섯 개쯤 되는 문장에서는 높은 차수의 엔그램도 여럿 맞는다고 한다",
     ["긴 문장을 하나 적어 보면 어절이 열다섯 개쯤 되는 글에서는 높은 차수의 엔그램도 꽤 맞는다고들 한다",
      "길게 한 문장을 적어 보면 어절 열다섯 개쯤 되는 문장에서 차수가 높은 엔그램도 여럿 맞는다"]),
    ("첫 문장이다.\n둘째 문장은 조금 길다.", ["둘째 문장은 길다.\n첫 문장이다.\n셋째도 있다."]),
    ("한 줄에 다 쓴 요약이다. 줄이 없다.", ["한 줄에 쓴 요약이다.\n\n줄이 있다."]),
    ("1월 2일 3시 45분에 1,234명이 모였다", ["1월 2일 3시 45분, 모두 1,234명이 모였다"]),
]

INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
MEDIALS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
FINALS = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"


def letters(character):
    index = ord(character) - ord("가")
    if not 0 <= index < 11172:
        return [character]
    first = [INITIALS[index // 588], MEDIALS[index // 28 % 21]]
    return first + ([FINALS[index % 28 - 1]] if index % 28 else [])


def characters(text):
    return [c for c in text if not c.isspace()]


UNITS = {
    "word": str.split,
    "char": characters,
    "jamo": lambda text: [letter for c in characters(text) for letter in letters(c)],
}


def sacrebleu(segment, corpus=None):
    """Scores of a sacreBLEU metric; segments may have settings of their own."""
    corpus = corpus or segment

    def scores(cut, pairs):
        join = lambda text: " ".join(cut(text))
        hyps = [join(hyp) for hyp, _ in pairs]
        refs = [[join(ref) for ref in refs] for _, refs in pairs]
        most = max(map(len, refs))
        columns = [[row[i] if i < len(row) else None for row in refs] for i in range(most)]
        whole = corpus.corpus_score(hyps, columns).score
        return whole, [segment.sentence_score(h, r).score for h, r in zip(hyps, refs)]

    return scores


def bleu(**settings):
    return sacrebleu(
        BLEU(tokenize="none", effective_order=True, **settings), BLEU(tokenize="none", **settings)
    )


def nltk(corpus_function, scale=1):
    """Scores of an NLTK metric whose segment score is the score of a corpus of one."""

    def scores(cut, pairs):
        def score(part):
            references = [[cut(ref) for ref in refs] for _, refs in part]
            try:
                return corpus_function(references, [cut(hyp) for hyp, _ in part]) * scale
            except (ZeroDivisionError, AssertionError):
                return math.nan

        return score(pairs), [score([pair]) for pair in pairs]

    return scores


def nltk_bleu(method, weights=(0.25,) * 4):
    smoothing = getattr(SmoothingFunction(), method)
    return nltk(lambda refs, hyps: corpus_bleu(refs, hyps, weights, smoothing), 100)


class NoStemmer:
    def stem(self, word):
        return word


class NoWordNet:
    def synsets(self, word):
        return []


def mean_of(score):
    """Scores of a metric whose corpus score is the mean of its segments."""

    def scores(cut, pairs):
        values = [score(cut, hyp, refs) for hyp, refs in pairs]
        return math.fsum(values) / len(values), values

    return scores


def meteor(preprocess=str, **settings):
    def score(cut, hyp, refs):
        return max(
            single_meteor_score(
                cut(ref), cut(hyp), preprocess, NoStemmer(), NoWordNet(), **settings
            )
            for ref in refs
        )

    return mean_of(score)


def rouge(kind, figure="fmeasure"):
    class Cut:
        def __init__(self, cut):
            self.tokenize = cut

    def score(cut, hyp, refs):
        scorer = rouge_scorer.RougeScorer([kind], tokenizer=Cut(cut))
        return getattr(scorer.score_multi(refs, hyp)[kind], figure)

    return mean_of(score)


def distance(a, b):
    row = list(range(len(b) + 1))
    for x in a:
        above, row = row, [row[0] + 1]
        for j, y in enumerate(b):
            row.append(min(above[j] + (x != y), above[j + 1] + 1, row[j] + 1))
    return row[-1]


def character(cut, hyp, refs):
    """CharacTER by its rule: (gain, resulting word list), greatest first."""

    def moves(words, ref):
        before = distance(words, ref)
        for start in range(len(words)):
            for place in range(len(ref)):
                length = 0
                while words[start + length:][:1] and words[start + length:][:1] == ref[place + length:][:1]:
                    length += 1
                if length and place != start:
                    rest = words[:start] + words[start + length:]
                    moved = rest[:place] + words[start:start + length] + rest[place:]
                    yield before - distance(moved, ref), moved

    def cost(words, moved):
        total, at = 0.0, 0
        while at < len(words):
            place = words[at] != moved[at] and words[at] in moved[at + 1:] and moved.index(words[at], at + 1)
            length = 1
            if place:
                while words[at + length:][:1] and words[at + length:][:1] == moved[place + length:][:1]:
                    length += 1
                total += sum(map(len, words[at:at + length])) / length
            at += length
        return total

    def rate(ref):
        moved = cut(hyp)
        if not moved or not ref:
            return 1.0
        gain = 1
        while gain > 0:
            gain, better = max(moves(moved, ref), default=(0, moved))
            moved = better if gain > 0 else moved
        text = " ".join(moved)
        return min(1.0, (distance(text, " ".join(ref)) + cost(cut(hyp), moved)) / len(text))

    return min(rate(cut(ref)) for ref in refs)


def eed(alpha=2.0, rho=0.3, deletion=0.2, insertion=1.0):
    """EED by its recurrence."""

    def rate(hyp, ref):
        row, visits = [0.0] + [1.0] * len(hyp), [0] * (len(hyp) + 1)
        for character in ref:
            above, row = row, [row[0] + 1.0]
            for i, other in enumerate(hyp):
                row.append(min(row[i] + deletion, above[i] + (character != other), above[i + 1] + insertion))
            least = min(row)
            visits[row.index(least)] += 1
            if character == " ":
                row = [min(cell, alpha + least) for cell in row]
        coverage = rho * sum(abs(count - 1) for count in visits)
        return min(1.0, (row[-1] + coverage) / (len(ref) + coverage))

    def score(cut, hyp, refs):
        pad = lambda text: " " + " ".join(cut(text)) + " "
        return min(rate(pad(hyp), pad(ref)) for ref in refs)

    return mean_of(score)


FILES = {
    "sacrebleu": ("sacrebleu 2.6.0", {
        **{f"bleu:order={n}": bleu(max_ngram_order=n) for n in (1, 2, 4, 6)},
        "bleu:case=lower": bleu(lowercase=True),
        "bleu:effective-order=always": sacrebleu(BLEU(tokenize="none", effective_order=True)),
        "bleu:smooth=floor,effective-order=never": sacrebleu(BLEU(tokenize="none", smooth_method="floor")),
        "bleu:smooth=add-k,smooth-value=2": bleu(smooth_method="add-k", smooth_value=2),
        "bleu:smooth=none": bleu(smooth_method="none"),
        "chrf": sacrebleu(CHRF()),
        "chrf:char-order=3,beta=1": sacrebleu(CHRF(char_order=3, beta=1)),
        "chrf:word-order=1,case=lower": sacrebleu(CHRF(word_order=1, lowercase=True)),
        "chrf:word-order=2": sacrebleu(CHRF(word_order=2)),
        "chrf:whitespace=yes": sacrebleu(CHRF(whitespace=True)),
        "chrf:word-order=2,eps-smoothing=yes": sacrebleu(CHRF(word_order=2, eps_smoothing=True)),
        "ter": sacrebleu(TER(case_sensitive=True)),
        "ter:case=lower,normalized=yes,asian-support=yes": sacrebleu(TER(normalized=True, asian_support=True)),
        "ter:no-punct=yes": sacrebleu(TER(case_sensitive=True, no_punct=True)),
    }),
    "nltk": ("nltk 3.10.4", {
        **{f"nltk-bleu:smooth=method{n}": nltk_bleu(f"method{n}") for n in range(8)},
        "nltk-bleu:weights=0.5/0.5": nltk_bleu("method0", (0.5, 0.5)),
        "nltk-bleu:weights=0.1/0.3/0.5/0.1,smooth=method2": nltk_bleu("method2", (0.1, 0.3, 0.5, 0.1)),
        "gleu": nltk(corpus_gleu),
        "gleu:min-order=2,order=3": nltk(lambda refs, hyps: corpus_gleu(refs, hyps, 2, 3)),
        "nist": nltk(corpus_nist),
        "nist:order=2": nltk(lambda refs, hyps: corpus_nist(refs, hyps, 2)),
        "ribes": nltk(corpus_ribes),
        "ribes:alpha=0.5,beta=0.3": nltk(lambda refs, hyps: corpus_ribes(refs, hyps, 0.5, 0.3)),
        "meteor": meteor(),
        "meteor:alpha=0.5,beta=1,gamma=0.3,case=lower": meteor(str.lower, alpha=0.5, beta=1.0, gamma=0.3),
    }),
    # The authors' own programs, whose values are in authors.toml, know no other costs than their own.
    "edit": ("CharacTER and EED (rwth-i6), their rules as written here", {
        "character": mean_of(character),
        "eed": eed(),
        "eed:alpha=1,rho=0.5,deletion=0.4,insertion=0.9": eed(1.0, 0.5, 0.4, 0.9),
    }),
    "rouge-score": ("rouge-score 0.1.2", {
        "rouge-1": rouge("rouge1"),
        "rouge-1:score=p": rouge("rouge1", "precision"),
        "rouge-2": rouge("rouge2"),
        "rouge-2:score=r": rouge("rouge2", "recall"),
        "rouge-l": rouge("rougeL"),
        "rouge-lsum": rouge("rougeLsum"),
    }),
}


def quoted(text):
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(escapes.get(c, c) for c in text) + '"'


def write(path, source, metrics, pairs=PAIRS):
    with path.open("w") as file:
        file.write(f"# Written by {pathlib.Path(sys.argv[0]).name}.\nsource = {quoted(source)}\n")
        for metric, scores in metrics.items():
            for unit, cut in UNITS.items():
                corpus, segments = scores(cut, pairs)
                values = ", ".join(repr(float(value)) for value in segments)
                file.write(f"\n[[expected]]\nmetric = {quoted(metric)}\nunit = {quoted(unit)}\n")
                file.write(f"corpus = {float(corpus)!r}\nsegments = [{values}]\n")


def write_pairs(path, pairs, mode):
    with path.open(mode) as file:
        if mode == "w":
            file.write("# Written by make.py: the pairs that the values in the other files belong to.\n")
        for hyp, refs in pairs:
            references = ", ".join(map(quoted, refs))
            file.write(f"\n[[pair]]\nhyp = {quoted(hyp)}\nrefs = [{references}]\n")


def main():
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    here = pathlib.Path(__file__).parent
    write_pairs(here / "pairs.toml", PAIRS, "w")
    for name, (source, metrics) in FILES.items():
        write(here / f"{name}.toml", source, metrics)


if __name__ == "__main__":
    main()
