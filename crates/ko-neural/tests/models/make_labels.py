"""Makes tiny random models with labels in `labels/` and what transformers answers for them.

Run in an environment with torch and transformers 5.22.2: `python make_labels.py`. It uses the vocabulary, the texts and the sizes of `make.py`.
"""

import json

import torch
from safetensors.torch import save_file
from transformers import (
    AlbertConfig, AlbertForSequenceClassification, AlbertForTokenClassification, BertConfig, BertForSequenceClassification,
    BertForTokenClassification, DebertaV2Config, DebertaV2ForSequenceClassification, DebertaV2ForTokenClassification, ElectraConfig, ElectraForSequenceClassification, ElectraForTokenClassification, ModernBertConfig,
    ModernBertForSequenceClassification, ModernBertForTokenClassification, RobertaConfig, RobertaForSequenceClassification,
    RobertaForTokenClassification, XLMRobertaConfig, XLMRobertaForSequenceClassification, XLMRobertaForTokenClassification,
)

from make import SIZES, TEXTS, fresh, randomize, roberta_tokenizer, rounded, word_piece, write_vocabulary

TAGS = ["O", "B-PS", "I-PS", "B-LC", "I-LC"]
LABELS = ["bias=none", "bias=gender", "bias=others", "hate=none", "hate=hate"]
MODERN = dict(local_attention=4, attn_implementation="eager", cls_token_id=2, sep_token_id=3, bos_token_id=2, eos_token_id=3)
DISENTANGLED = dict(type_vocab_size=0, relative_attention=True, position_buckets=8, pos_att_type=["c2p", "p2c"], share_att_key=True,
                    position_biased_input=False, norm_rel_ebd="layer_norm", pooler_hidden_act="relu")
FAMILIES = {
    "bert": (BertConfig, {}, BertForTokenClassification, BertForSequenceClassification),
    "albert": (AlbertConfig, {"embedding_size": 8}, AlbertForTokenClassification, AlbertForSequenceClassification),
    "electra": (ElectraConfig, {"embedding_size": 8}, ElectraForTokenClassification, ElectraForSequenceClassification),
    "roberta": (RobertaConfig, {"type_vocab_size": 1}, RobertaForTokenClassification, RobertaForSequenceClassification),
    "xlm-roberta": (XLMRobertaConfig, {"type_vocab_size": 1}, XLMRobertaForTokenClassification, XLMRobertaForSequenceClassification),
    "modernbert": (ModernBertConfig, {**MODERN, "classifier_pooling": "mean", "classifier_bias": True}, ModernBertForTokenClassification,
                   ModernBertForSequenceClassification),
    "deberta-v2": (DebertaV2Config, DISENTANGLED, DebertaV2ForTokenClassification, DebertaV2ForSequenceClassification),
}


def make(family, level, labels):
    config_class, own, *classes = FAMILIES[family]
    folder = fresh(f"labels/{family}-{level}")
    config = config_class(**SIZES, **own, id2label=dict(enumerate(labels)), label2id={label: i for i, label in enumerate(labels)})
    model_class = classes[level == "text"]
    model = randomize(model_class(config))
    config.architectures = [model_class.__name__]
    config.save_pretrained(folder)
    save_file({name: tensor.contiguous() for name, tensor in model.state_dict().items()}, f"{folder}/model.safetensors")
    typed = family in ("bert", "albert", "electra")
    if typed:
        write_vocabulary(folder, do_lower_case=True, strip_accents=False)
        tokenizer = word_piece()
    else:
        tokenizer = word_piece() if family in ("modernbert", "deberta-v2") else roberta_tokenizer()
        tokenizer.save(f"{folder}/tokenizer.json")
    cases = []
    for text in TEXTS:
        encoding = tokenizer.encode(text)
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([encoding.ids])).logits[0]
        marks = [mark == 1 for mark in encoding.special_tokens_mask]
        if level == "token":
            logits = logits[[not mark for mark in marks]]
            places = [text[start:end] for (start, end), mark in zip(encoding.offsets, marks) if not mark]
        else:
            logits, places = logits[None], []
        cases.append({"text": text, "tokens": places, "logits": rounded(logits.tolist())})
    with open(f"{folder}/expected.json", "w", encoding="utf-8") as file:
        json.dump({"source": "transformers 5.22.2", "cases": cases}, file, ensure_ascii=False)


if __name__ == "__main__":
    for family in FAMILIES:
        make(family, "token", TAGS)
        make(family, "text", LABELS)
