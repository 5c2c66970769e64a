"""Writes kobert/: a SentencePiece model, a vocabulary that numbers its pieces in an order of its own, and the numbers of some texts.

Run it in a scratch environment that holds sentencepiece and protobuf: `python make_kobert.py`. The steps are those that KoBERT's tokenizer for
transformers takes: spaces, quotes and accents, the pieces, a number with a comma behind it once more, and the line of each piece in vocab.txt.
"""

import json
import pathlib
import random
import tempfile
import unicodedata

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

FOLDER = pathlib.Path(__file__).parent / "kobert"
SENTENCES = [
    "나는 어제 시장에서 국밥을 먹었다.", "우리는 내일 시장에서 만나기로 했습니다.", "가격은 1,000원이고 2,500원도 있다.",
    "10, 20, 30, 40, 50 까지 세었다.", "10, 20, 30, 40, 50 을 더했다.", "그는 \"좋다\"고 말했다.", "비가 와서 집에 있었다.",
    "따옴표 \" 하나와 둘 \"\" 사이", "café에서 커피를 마셨다.",
]
TEXTS = [
    "", "  나는   시장에서 ", "값은 10, 20, 30 이다", "1,000원 2,500원", "``좋다''고 했다", "café", "뷁뷁 국밥", "[MASK]을 먹었다 [SEP] 비가 왔다",
    "\u1112\u1161\u11ab국", "20,", "a10,b",
]


def train():
    with tempfile.TemporaryDirectory() as folder:
        rules = pathlib.Path(folder) / "rules.tsv"
        # The syllables of the texts, composed again after accents were taken off.
        syllables = sorted({c for text in SENTENCES + TEXTS + ["한"] for c in unicodedata.normalize("NFC", text) if "가" <= c <= "힣"})
        points = lambda text: " ".join(f"{ord(c):X}" for c in text)
        rules.write_text("".join(f"{points(unicodedata.normalize('NFD', c))}\t{points(c)}\n" for c in syllables))
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(SENTENCES * 4), model_prefix=f"{folder}/m", vocab_size=120, model_type="unigram",
            normalization_rule_tsv=str(rules), hard_vocab_limit=False, split_by_unicode_script=False, split_by_number=False, minloglevel=2)
        proto = sentencepiece_model_pb2.ModelProto()
        proto.ParseFromString(pathlib.Path(f"{folder}/m.model").read_bytes())
    proto.trainer_spec.ClearField("model_prefix")
    proto.normalizer_spec.ClearField("normalization_rule_tsv")
    return proto.SerializeToString()


def clean(text):
    text = " ".join(text.split()).replace("``", '"').replace("''", '"')
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def pieces_of(model, text):
    pieces = []
    for piece in model.encode(clean(text), out_type=str):
        if len(piece) > 1 and piece[-1] == "," and piece[-2].isdigit():
            again = model.encode(piece[:-1].replace("▁", ""), out_type=str)
            if piece[0] != "▁" and again[0][0] == "▁":
                again = again[1:] if again[0] == "▁" else [again[0][1:], *again[1:]]
            pieces += [*again, ","]
        else:
            pieces.append(piece)
    return pieces


def main():
    FOLDER.mkdir(exist_ok=True)
    bytes_ = train()
    (FOLDER / "tokenizer_78b3253a26.model").write_bytes(bytes_)
    model = sentencepiece.SentencePieceProcessor(model_proto=bytes_)
    words = [model.id_to_piece(i) for i in range(model.get_piece_size()) if not model.is_control(i) and not model.is_unknown(i)]
    random.Random(1).shuffle(words)
    vocabulary = ["[UNK]", "[PAD]", "[CLS]", "[SEP]", "[MASK]", *words]
    (FOLDER / "vocab.txt").write_text("\n".join(vocabulary) + "\n")
    number = {word: i for i, word in enumerate(vocabulary)}

    def ids(text):
        for special in ["[MASK]", "[SEP]"]:
            if special in text:
                before, after = text.split(special, 1)
                return ids(before) + [number[special]] + ids(after)
        return [number.get(piece, 0) for piece in pieces_of(model, text)]

    cases = [{"text": text, "ids": ids(text)} for text in TEXTS]
    assert any("10," in piece for text in TEXTS for piece in model.encode(clean(text), out_type=str)), "no number with a comma"
    rows = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in cases)
    (FOLDER / "expected.json").write_text('{"cases": [\n' + rows + "\n]}\n")


main()
