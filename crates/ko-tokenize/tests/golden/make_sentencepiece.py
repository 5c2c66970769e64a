"""Writes sentencepiece/*.model and sentencepiece.json.

Run it in a scratch environment that holds sentencepiece 0.2.2 and protobuf: `python make_sentencepiece.py`. The models are learned
from the sentences below, which were written for this project, and are small on purpose.
"""

import json
import pathlib
import tempfile

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

HERE = pathlib.Path(__file__).parent
SENTENCES = """
나는 어제 시장에서 따뜻한 국밥을 먹고 집으로 걸어갔다.
우리는 내일 시장에서 만나서 국밥을 먹기로 했습니다.
선생님께서는 학생들의 보고서를 읽으시고 칭찬하셨습니다.
비가 와서 사람들이 모두 카페로 뛰어 들어갔습니다 ㅋㅋㅋ
할머니가 주신 떡을 동생과 나누어 먹었다.
버스가 늦게 와서 30분이나 기다렸어요!
주말에는 친구들과 산에 올라가서 사진을 찍었습니다.
책상 위에 1,000원짜리가 3장 있었다.
내일은 눈이 온다고 하니 우산을 가져가세요.
강아지가 마당에서 뛰어놀고 고양이는 창가에서 잔다.
""".strip().splitlines()

# What becomes of what: a full-width letter, a circled number that becomes two characters, a composed syllable, a space that is no space.
RULES = {"Ａ": "A", "①": "(1)", "\u1112\u1161\u11ab": "한", "\u3000": " ", "\u200b": "", "ㅋㅋㅋ": "ㅋㅋ"}

MODELS = {
    "unigram": dict(model_type="unigram", vocab_size=150),
    "unigram-bytes": dict(model_type="unigram", vocab_size=400, byte_fallback=True, normalization_rule_tsv="rules"),
    "unigram-symbols": dict(model_type="unigram", vocab_size=150, user_defined_symbols=["국밥", "<br>", "ㅋㅋ"], add_dummy_prefix=False, remove_extra_whitespaces=False),
    "unigram-suffix": dict(model_type="unigram", vocab_size=150, treat_whitespace_as_suffix=True, normalization_rule_tsv="rules"),
    "bpe": dict(model_type="bpe", vocab_size=160, normalization_rule_tsv="rules"),
    "bpe-bytes": dict(model_type="bpe", vocab_size=420, byte_fallback=True, split_by_whitespace=False, user_defined_symbols=["▁▁", "했"], remove_extra_whitespaces=False),
    "char": dict(model_type="char", vocab_size=120, user_defined_symbols=["국밥"], control_symbols=["<sep>"]),
    "word": dict(model_type="word", vocab_size=40),
}

TEXTS = SENTENCES[:4] + [
    "",
    " ",
    " \u3000 ",
    "  앞뒤와  사이에   빈칸이  많다  ",
    "Ａ조는 ①번 \u1112\u1161\u11ab글 ㅋㅋㅋㅋㅋ",
    "국밥국밥<br>국밥 <s> </s> <unk> <sep>",
    "뷁뷁 쀍 😀👍 漢字 テスト",
    "▁밑줄▁▁같은▁글자▁",
    "가\u0000나\t다\n라",
    "30분 30분 300,000원 ......!!!!",
    "학생들이 시장에서 우산을 칭찬하셨습니다",
    "\u200b\u200b보이지 않는\u200b",
]


def without_paths(model):
    """The same model without the names of files on this machine."""
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(model)
    proto.trainer_spec.ClearField("model_prefix")
    proto.normalizer_spec.ClearField("normalization_rule_tsv")
    return proto.SerializeToString()


def unused(model, pieces):
    """The same model with some of its pieces marked as unused."""
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(model)
    for piece in proto.pieces:
        if piece.piece in pieces or (len(piece.piece) > 2 and len(piece.piece) % 2 and piece.type == 1):
            piece.type = 5
    return proto.SerializeToString()


def main():
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        rules = pathlib.Path(folder) / "rules.tsv"
        points = lambda text: " ".join(f"{ord(c):X}" for c in text)
        rules.write_text("".join(f"{points(old)}\t{points(new)}\n" for old, new in RULES.items()))
        models = {}
        for name, options in MODELS.items():
            if "normalization_rule_tsv" in options:
                options["normalization_rule_tsv"] = str(rules)
            else:
                options["normalization_rule_name"] = "identity"
            prefix = f"{folder}/{name}"
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(SENTENCES), model_prefix=prefix, hard_vocab_limit=False, minloglevel=2, **options
            )
            models[name] = without_paths(pathlib.Path(f"{prefix}.model").read_bytes())
    models["unigram-unused"] = unused(models["unigram"], {"▁시장에서"})
    models["bpe-unused"] = unused(models["bpe"], {"▁시장에서"})
    (HERE / "sentencepiece").mkdir(exist_ok=True)
    for name, model in models.items():
        (HERE / "sentencepiece" / f"{name}.model").write_bytes(model)
        processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        for text in TEXTS:
            ids = processor.encode(text)
            spans = [[p.begin, p.end] for p in processor.encode(text, return_type="proto").pieces]
            pieces = processor.encode(text, out_type=str)
            cases.append({"model": name, "text": text, "pieces": pieces, "ids": ids, "spans": spans, "decoded": processor.decode(ids)})
    source = f"sentencepiece {sentencepiece.__version__}; texts and models made for this project"
    rows = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in cases)
    (HERE / "sentencepiece.json").write_text(f'{{"source": "{source}", "cases": [\n{rows}\n]}}\n')


main()
