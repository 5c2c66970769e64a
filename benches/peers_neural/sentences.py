"""2,000 different Korean sentences of mixed length, one per line: `sentences.py [DATA]`.

With a folder that holds KorSTS, XNLI's Korean half and KLUE-NLI, theirs: captions, news, forum posts, speech, reviews. Without, sentences
put together from the phrases below, one to eight clauses each. What a model writes sentences for is concept sets: those of Korean CommonGen, or
words of the phrases.
"""

import json
import pathlib
import random
import sys

COUNT = 2000
PROMPTS = 256

WHO = ["나는", "동생은", "할머니께서는", "우리 반 학생들이", "옆집 아저씨가", "그 회사의 대표는", "어제 만난 친구가", "연구원들은"]
WHEN = ["어제", "오늘 아침에", "지난주 토요일에", "비가 오는 날이면", "퇴근한 뒤에", "방학이 시작되자마자", "새벽 다섯 시에", "", "", "", ""]
WHERE = ["시장에서", "강가에서", "도서관 이 층에서", "오래된 골목 끝의 작은 식당에서", "회의실에서", "시골집 마당에서", "", "", ""]
WHAT = ["밥을", "따뜻한 국밥 한 그릇을", "새로 나온 번역 프로그램을", "두꺼운 보고서를", "김치찌개를", "잃어버린 자전거를", "낡은 사진첩을"]
THEN = ["먹고", "찾다가", "살펴보았지만", "나누어 주면서", "기다리느라", "고치려고 했으나", "이야기하면서"]
END = ["먹었다.", "찾았습니다.", "기다리고 있어요.", "보여 주었다.", "고쳐 달라고 부탁하셨습니다.", "샀어?", "다시는 잊지 않겠다고 말했다."]


def made_up():
    """Few clauses are common, many are rare, as in real text."""
    draw = random.Random(0)
    while True:
        clauses = min(1 + int(draw.expovariate(1.1)), 8)
        words = [draw.choice(WHO)]
        for left in reversed(range(clauses)):
            words += [draw.choice(WHEN), draw.choice(WHERE), draw.choice(WHAT), draw.choice(THEN if left else END)]
        yield " ".join(filter(None, words))


def real(data):
    """In turn from each corpus, until the shortest has no more."""

    def column(path, name):
        header, *lines = (data / path).read_text(encoding="utf-8").splitlines()
        place = header.split("\t").index(name)
        return [line.split("\t")[place] for line in lines]

    klue = json.loads((data / "klue/klue-nli-v1.1_dev.json").read_text(encoding="utf-8"))
    corpora = [
        column("korsts/sts-test.tsv", "sentence1"),
        column("korsts/sts-test.tsv", "sentence2"),
        column("kornli/xnli.dev.ko.tsv", "sentence1"),
        [pair["premise"] for pair in klue],
    ]
    return (sentence for sentences in zip(*corpora) for sentence in sentences)


def text(data=None):
    """A sentence per line."""
    known = {}
    for sentence in real(pathlib.Path(data)) if data else made_up():
        known[sentence] = None
        if len(known) == COUNT:
            break
    return "\n".join(known)


def prompts(data=None):
    """A concept set per line."""
    if data:
        lines = (pathlib.Path(data) / "commongen/dataset/test.jsonl").read_text(encoding="utf-8").splitlines()
        sets = [json.loads(line)["concept-set"].split("#") for line in lines]
    else:
        draw = random.Random(0)
        words = sorted({word for phrase in WHO + WHERE + WHAT for word in phrase.split()})
        sets = [draw.sample(words, draw.randint(3, 6)) for _ in range(2 * PROMPTS)]
    return "\n".join(list(dict.fromkeys(" # ".join(concepts) for concepts in sets))[:PROMPTS])


if __name__ == "__main__":
    print(text(*sys.argv[1:2]))
