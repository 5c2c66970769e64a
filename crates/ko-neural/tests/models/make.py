"""Makes the tiny random models of this folder and what the reference packages answer for them.

Run in an environment with torch, transformers 5.22.2, sentence-transformers 6.2.0, bert-score 0.3.13 and
sentencepiece: `python make.py`. The tests compare our numbers with the ones written here.
"""

import json
import os
import shutil

import numpy
import sentencepiece
import torch
from safetensors.torch import save_file
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    AlbertConfig, AlbertModel, BartConfig, BartModel, BertConfig, BertModel, DebertaV2Config, DebertaV2Model, ElectraConfig, ElectraModel,
    MBartConfig, MBartModel, ModernBertConfig, ModernBertModel, Qwen3Config, Qwen3Model, RobertaConfig, RobertaModel, XLMRobertaConfig, XLMRobertaModel, PreTrainedTokenizerFast,
)

HERE = os.path.dirname(os.path.abspath(__file__))
TEXTS = [
    "나는 밥을 먹었다.",
    "어제 저녁에 우리는 오래된 시장에서 국밥을 먹었어요!",
    "비가 온다",
    "ABC와 Café, 3월 1일",
    "",
]
PAIRS = [("나는 밥을 먹었다.", "저는 밥을 먹었어요."), ("비가 온다", "눈이 많이 내린다")]
WORDS = "나 는 ##는 저 밥 ##을 먹 ##었 ##다 ##어 ##요 어제 저녁 ##에 우리 ##는 오래 ##된 시장 ##에서 국 ##밥 비 ##가 온 ##다 눈 ##이 많이 내린 . ! , 3 1 ##월 ##일 a ##b ##c abc ##와 cafe café caf ##é ##e"


def vocabulary():
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    for word in WORDS.split():
        if word not in tokens:
            tokens.append(word)
    return tokens


def write_vocabulary(folder, **config):
    with open(f"{folder}/vocab.txt", "w", encoding="utf-8") as file:
        file.write("\n".join(vocabulary()) + "\n")
    with open(f"{folder}/tokenizer_config.json", "w") as file:
        json.dump(config, file)


def word_piece(lowercase=True):
    tokens = {token: i for i, token in enumerate(vocabulary())}
    tokenizer = Tokenizer(models.WordPiece(tokens, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase, strip_accents=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    return tokenizer


def roberta_tokenizer():
    tokenizer = word_piece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] [SEP] $B [SEP]",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return tokenizer


def randomize(model):
    """Weights as spread as a trained model's, biases and norms included."""
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            parameter.copy_(noise * 0.25 + (1.0 if "norm" in name.lower() and name.endswith("weight") else 0.0))
    return model.eval()


def states(encoder, ids, types=None):
    with torch.no_grad():
        arguments = {"input_ids": torch.tensor([ids]), "output_hidden_states": True}
        if types is not None:
            arguments["token_type_ids"] = torch.tensor([types])
        return [state[0].flatten().tolist() for state in encoder(**arguments).hidden_states]


def rounded(values):
    """Seven digits; `null` for what is not a number."""
    return [[float(f"{value:.7g}") if value == value else None for value in row] for row in values]


def expect(folder, encoder, encode, typed):
    cases = []
    for text in [*TEXTS, *PAIRS]:
        encoding = encode(text)
        ids, types = encoding.ids, encoding.type_ids
        cases.append({
            "text": text if isinstance(text, str) else list(text),
            "ids": ids,
            "states": rounded(states(encoder, ids, types if typed else None)),
        })
    with open(f"{folder}/expected.json", "w", encoding="utf-8") as file:
        json.dump({"source": "transformers 5.22.2", "cases": cases}, file, ensure_ascii=False)


def fresh(name):
    folder = f"{HERE}/{name}"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def encoder_of(tokenizer):
    return lambda text: tokenizer.encode(text) if isinstance(text, str) else tokenizer.encode(*text)


SIZES = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24,
             max_position_embeddings=40, vocab_size=len(vocabulary()), pad_token_id=0)


def save(folder, model, config):
    config.save_pretrained(folder)
    save_file({name: tensor.contiguous() for name, tensor in model.state_dict().items()},
              f"{folder}/model.safetensors")


def bert():
    folder = fresh("bert")
    config = BertConfig(**SIZES, hidden_act="gelu")
    model = randomize(BertModel(config, add_pooling_layer=False))
    save(folder, model, config)
    write_vocabulary(folder, do_lower_case=True, strip_accents=False)
    expect(folder, model, encoder_of(word_piece()), True)


def electra():
    folder = fresh("electra")
    config = ElectraConfig(**SIZES, embedding_size=8, hidden_act="gelu")
    model = randomize(ElectraModel(config))
    config.save_pretrained(folder)
    # As an archive of a whole model: every name under `electra.`.
    torch.save({f"electra.{name}": tensor for name, tensor in model.state_dict().items()}, f"{folder}/pytorch_model.bin")
    write_vocabulary(folder, do_lower_case=True, strip_accents=False)
    expect(folder, model, encoder_of(word_piece()), True)


def albert():
    folder = fresh("albert")
    config = AlbertConfig(**{**SIZES, "num_hidden_layers": 4}, embedding_size=8, num_hidden_groups=2,
                          inner_group_num=2, hidden_act="gelu_new")
    model = randomize(AlbertModel(config, add_pooling_layer=False))
    config.save_pretrained(folder)
    # The layout before PyTorch 1.6.
    torch.save({f"albert.{name}": tensor for name, tensor in model.state_dict().items()},
               f"{folder}/pytorch_model.bin", _use_new_zipfile_serialization=False)
    write_vocabulary(folder, do_lower_case=True, strip_accents=False)
    expect(folder, model, encoder_of(word_piece()), True)


def roberta():
    folder = fresh("roberta")
    config = RobertaConfig(**SIZES, type_vocab_size=1, hidden_act="gelu")
    model = randomize(RobertaModel(config, add_pooling_layer=False))
    save(folder, model, config)
    tokenizer = roberta_tokenizer()
    tokenizer.save(f"{folder}/tokenizer.json")
    expect(folder, model, encoder_of(tokenizer), False)


def xlm_roberta():
    folder = fresh("xlm-roberta")
    with open(f"{folder}/corpus.txt", "w", encoding="utf-8") as file:
        for text in TEXTS * 4 + [side for pair in PAIRS for side in pair] * 4:
            file.write(text + "\n")
    with open(f"{folder}/rules.tsv", "w") as file:
        # ㈜ becomes (주): a small compiled character map.
        file.write("321C\t28 C8FC 29\n")
    sentencepiece.SentencePieceTrainer.train(
        input=f"{folder}/corpus.txt", model_prefix=f"{folder}/m", vocab_size=70, model_type="unigram",
        normalization_rule_tsv=f"{folder}/rules.tsv", hard_vocab_limit=False, minloglevel=2)
    os.rename(f"{folder}/m.model", f"{folder}/sentencepiece.bpe.model")
    for name in ["corpus.txt", "rules.tsv", "m.vocab"]:
        os.remove(f"{folder}/{name}")
    pieces = sentencepiece.SentencePieceProcessor(model_file=f"{folder}/sentencepiece.bpe.model")
    size = pieces.get_piece_size() + 2
    config = XLMRobertaConfig(**{**SIZES, "vocab_size": size, "pad_token_id": 1}, type_vocab_size=1, hidden_act="gelu")
    model = randomize(XLMRobertaModel(config, add_pooling_layer=False))
    save(folder, model, config)

    class Encoding:
        def __init__(self, ids):
            self.ids, self.type_ids = ids, [0] * len(ids)

    def one(text):
        # fairseq's numbers: <s> 0, <pad> 1, </s> 2, <unk> 3, then the file's pieces plus one.
        return [3 if i == pieces.unk_id() else i + 1 for i in pieces.encode(text)]

    def encode(text):
        if isinstance(text, str):
            return Encoding([0, *one(text), 2])
        return Encoding([0, *one(text[0]), 2, 2, *one(text[1]), 2])

    expect(folder, model, encode, False)


def bart(name, config, model_class):
    folder = fresh(name)
    model = randomize(model_class(config))
    config.save_pretrained(folder)
    save_file({f"model.encoder.{name}": tensor.contiguous() for name, tensor in model.encoder.state_dict().items()},
              f"{folder}/model.safetensors")
    tokenizer = word_piece()
    tokenizer.save(f"{folder}/tokenizer.json")
    expect(folder, model.encoder, encoder_of(tokenizer), False)


def modernbert():
    folder = fresh("modernbert")
    # A window of two tokens to either side, so that short texts are longer; every third layer sees all.
    sizes = {**SIZES, "num_hidden_layers": 5}
    config = ModernBertConfig(**sizes, local_attention=4, attn_implementation="eager", cls_token_id=2, sep_token_id=3,
                              bos_token_id=2, eos_token_id=3)
    model = randomize(ModernBertModel(config))
    save(folder, model, config)
    tokenizer = word_piece()
    tokenizer.save(f"{folder}/tokenizer.json")
    expect(folder, model, encoder_of(tokenizer), False)


def modernbert_older():
    """As ModernBERT's public models are configured: bases and kinds of layer under their first keys; bases unlike the defaults, and every bias.
    Keys of BERT's that were left in the file say nothing."""
    folder = fresh("modernbert-older")
    sizes = {**SIZES, "num_hidden_layers": 5}
    config = ModernBertConfig(**sizes, local_attention=4, cls_token_id=2, sep_token_id=3, bos_token_id=2, eos_token_id=3, norm_eps=1e-3,
                              attention_bias=True, mlp_bias=True, norm_bias=True)
    config.save_pretrained(folder)
    with open(f"{folder}/config.json") as file:
        settings = json.load(file)
    del settings["rope_parameters"], settings["layer_types"]
    settings |= {"global_rope_theta": 5000.0, "local_rope_theta": 30.0, "global_attn_every_n_layers": 2, "layer_norm_eps": 0.5,
                 "hidden_dropout_prob": 0.5}
    with open(f"{folder}/config.json", "w") as file:
        json.dump(settings, file, indent=2)
        file.write("\n")
    config = ModernBertConfig.from_pretrained(folder, attn_implementation="eager")
    model = randomize(ModernBertModel(config))
    save_file(model.state_dict(), f"{folder}/model.safetensors")
    tokenizer = word_piece()
    tokenizer.save(f"{folder}/tokenizer.json")
    expect(folder, model, encoder_of(tokenizer), False)


def deberta_v3():
    """As v3 and mDeBERTa are: buckets that texts outgrow, shared projections, no table of positions and no types."""
    folder = fresh("deberta-v3")
    config = DebertaV2Config(**SIZES, type_vocab_size=0, relative_attention=True, position_buckets=8, max_relative_positions=-1,
                             pos_att_type="p2c|c2p", norm_rel_ebd="layer_norm", share_att_key=True, position_biased_input=False,
                             hidden_act="gelu", layer_norm_eps=1e-7)
    model = randomize(DebertaV2Model(config))
    config.save_pretrained(folder)
    # As an archive of a whole model: every name under `deberta.`.
    save_file({f"deberta.{name}": tensor.contiguous() for name, tensor in model.state_dict().items()}, f"{folder}/model.safetensors")
    tokenizer = word_piece()
    tokenizer.save(f"{folder}/tokenizer.json")
    expect(folder, model, encoder_of(tokenizer), True)


def deberta_v2():
    """What the first v2 models have: a convolution, projections of the distances' own, a row per distance, positions, types, narrow embeddings;
    and a SentencePiece model."""
    folder = fresh("deberta-v2")
    with open(f"{folder}/corpus.txt", "w", encoding="utf-8") as file:
        for text in TEXTS * 4 + [side for pair in PAIRS for side in pair] * 4:
            file.write(text + "\n")
    with open(f"{folder}/rules.tsv", "w") as file:
        file.write("321C\t28 C8FC 29\n")
    sentencepiece.SentencePieceTrainer.train(
        input=f"{folder}/corpus.txt", model_prefix=f"{folder}/spm", vocab_size=70, model_type="unigram", hard_vocab_limit=False, minloglevel=2,
        normalization_rule_tsv=f"{folder}/rules.tsv", pad_id=0, bos_id=1, eos_id=2, unk_id=3, pad_piece="[PAD]", bos_piece="[CLS]", eos_piece="[SEP]", unk_piece="[UNK]")
    for name in ["corpus.txt", "rules.tsv", "spm.vocab"]:
        os.remove(f"{folder}/{name}")
    pieces = sentencepiece.SentencePieceProcessor(model_file=f"{folder}/spm.model")
    sizes = {**SIZES, "vocab_size": pieces.get_piece_size() + 1, "num_hidden_layers": 3}
    # Texts are longer than the five distances to either side.
    config = DebertaV2Config(**sizes, type_vocab_size=2, relative_attention=True, max_relative_positions=5, pos_att_type=["c2p", "p2c"],
                             embedding_size=8, conv_kernel_size=3, conv_act="gelu", hidden_act="gelu", layer_norm_eps=1e-7)
    model = randomize(DebertaV2Model(config))
    save(folder, model, config)

    class Encoding:
        def __init__(self, first, second=()):
            self.ids = [1, *first, 2, *second]
            self.type_ids = [0] * (len(first) + 2) + [1] * len(second)

    def encode(text):
        if isinstance(text, str):
            return Encoding(pieces.encode(text))
        return Encoding(pieces.encode(text[0]), [*pieces.encode(text[1]), 2])

    expect(folder, model, encode, True)


END = "<|endoftext|>"


def byte_pairs():
    """Merges of bytes, and a mark behind every text, as Qwen3-Embedding has."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    words = Regex(r"\p{N}| ?\p{L}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(words, "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    corpus = TEXTS + [side for pair in PAIRS for side in pair]
    tokenizer.train_from_iterator(corpus, trainers.BpeTrainer(
        vocab_size=340, special_tokens=[END], initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), show_progress=False))
    mark = (END, tokenizer.token_to_id(END))
    tokenizer.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=False),
        processors.TemplateProcessing(single=f"$A {END}", pair=f"$A {END} $B {END}", special_tokens=[mark])])
    return tokenizer


QWEN3 = dict(hidden_size=16, num_hidden_layers=2, intermediate_size=24, head_dim=8, hidden_act="silu", max_position_embeddings=1024,
             bos_token_id=0, eos_token_id=0)


def qwen3():
    """As a file of a whole model: in bf16, every name under `model.`, with a head; two heads of queries for one of keys, wider than the layers."""
    folder = fresh("qwen3")
    tokenizer = byte_pairs()
    tokenizer.save(f"{folder}/tokenizer.json", pretty=False)
    config = Qwen3Config(**QWEN3, vocab_size=tokenizer.get_vocab_size(), num_attention_heads=4, num_key_value_heads=2, dtype="bfloat16",
                         rope_parameters={"rope_type": "default", "rope_theta": 1000000.0})
    model = randomize(Qwen3Model(config))
    config.save_pretrained(folder)
    tensors = {f"model.{name}": tensor.to(torch.bfloat16) for name, tensor in model.state_dict().items()}
    tensors["lm_head.weight"] = torch.zeros(1, 16, dtype=torch.bfloat16)
    save_file(tensors, f"{folder}/model.safetensors")
    # The weights alone are narrow; the frequencies of the rotations stay as they are, as where transformers reads such a file.
    model.load_state_dict({name: tensors[f"model.{name}"].float() for name in model.state_dict()})
    expect(folder, model, encoder_of(tokenizer), False)


def qwen3_embedding():
    """As the folders of Qwen3-Embedding are: the last token, normalisation, prompts; texts longer than 512 tokens. The configuration in its older
    form; biases, as many heads of keys as of queries, and a width that they do not share."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules
    folder = fresh("qwen3-embedding")
    os.makedirs(f"{folder}/in")
    tokenizer = byte_pairs()
    config = Qwen3Config(**QWEN3, vocab_size=tokenizer.get_vocab_size(), num_attention_heads=3, num_key_value_heads=3, attention_bias=True,
                         rope_parameters={"rope_type": "default", "rope_theta": 10000.0})
    save(f"{folder}/in", randomize(Qwen3Model(config)), config)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token=END, eos_token=END, padding_side="left", model_max_length=2048).save_pretrained(f"{folder}/in")
    texts = [*TEXTS, "나는 밥을 먹었다. " * 90]
    model = SentenceTransformer(
        modules=[modules.Transformer(f"{folder}/in"), modules.Pooling(16, pooling_mode="lasttoken", include_prompt=True), modules.Normalize()],
        device="cpu", prompts={"query": "Instruct: 같은 뜻의 글을 찾는다\nQuery:", "document": ""})
    for text in texts:
        assert model.tokenizer(text)["input_ids"] == tokenizer.encode(text).ids
    assert 512 < len(tokenizer.encode(texts[-1]).ids) < 1000
    # One by one, because padding costs the last digits.
    answers = {name: rounded(model.encode(texts, batch_size=1, **arguments).tolist())
               for name, arguments in {"default": {}, "query": {"prompt_name": "query"}}.items()}
    model.save(f"{folder}/out", create_model_card=False)
    shutil.rmtree(f"{folder}/in")
    for name in os.listdir(f"{folder}/out"):
        shutil.move(f"{folder}/out/{name}", f"{folder}/{name}")
    os.rmdir(f"{folder}/out")
    with open(f"{folder}/config.json") as file:
        config = json.load(file)
    config["rope_theta"], config["rope_scaling"] = config.pop("rope_parameters")["rope_theta"], None
    with open(f"{folder}/config.json", "w") as file:
        json.dump(config, file, indent=2)
        file.write("\n")
    with open(f"{folder}/expected.json", "w", encoding="utf-8") as file:
        json.dump({"source": "sentence-transformers 6.2.0", "texts": texts, "vectors": answers}, file, ensure_ascii=False)


BART = dict(d_model=16, encoder_layers=2, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2,
            encoder_ffn_dim=24, decoder_ffn_dim=24, max_position_embeddings=40, vocab_size=len(vocabulary()),
            pad_token_id=0)


def sentence():
    from sentence_transformers import SentenceTransformer
    try:
        from sentence_transformers.sentence_transformer import modules
    except ImportError:
        from sentence_transformers import models as modules
    folder = fresh("sentence")
    inner = f"{HERE}/bert"
    PreTrainedTokenizerFast(tokenizer_object=word_piece(), pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
                      sep_token="[SEP]", mask_token="[MASK]", model_max_length=40).save_pretrained(f"{folder}/in")
    for name in ["config.json", "model.safetensors"]:
        shutil.copy(f"{inner}/{name}", f"{folder}/in/{name}")
    transformer = modules.Transformer(f"{folder}/in", max_seq_length=12)
    dense = randomize(modules.Dense(16, 6))
    model = SentenceTransformer(modules=[transformer, modules.Pooling(16, pooling_mode="cls"), dense, modules.Normalize()], device="cpu")
    model.save(f"{folder}/out", create_model_card=False)
    shutil.rmtree(f"{folder}/in")
    for name in os.listdir(f"{folder}/out"):
        shutil.move(f"{folder}/out/{name}", f"{folder}/{name}")
    os.rmdir(f"{folder}/out")
    with open(f"{folder}/expected.json", "w", encoding="utf-8") as file:
        json.dump({"source": "sentence-transformers 6.2.0", "texts": TEXTS,
                   "vectors": rounded(model.encode(TEXTS).tolist())}, file, ensure_ascii=False)


def e5():
    """As the folders of E5 and bge-m3 are: XLM-R, the mean, normalisation; and prompts, one the default, that pooling leaves out. Longer than 512
    tokens."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules
    folder = fresh("e5")
    config = XLMRobertaConfig(**{**SIZES, "max_position_embeddings": 1025}, type_vocab_size=1, hidden_act="gelu")
    os.makedirs(f"{folder}/in")
    save(f"{folder}/in", randomize(XLMRobertaModel(config, add_pooling_layer=False)), config)
    PreTrainedTokenizerFast(tokenizer_object=roberta_tokenizer(), pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
                            sep_token="[SEP]", mask_token="[MASK]", model_max_length=1024).save_pretrained(f"{folder}/in")
    prompts = {"query": "비가 많이: ", "passage": "눈이 내린 저녁 "}
    texts = [*TEXTS, "나는 밥을 먹었다. " * 90]
    answers = {}
    for include in [True, False]:
        model = SentenceTransformer(
            modules=[modules.Transformer(f"{folder}/in"), modules.Pooling(16, pooling_mode="mean", include_prompt=include), modules.Normalize()],
            device="cpu", prompts=prompts, default_prompt_name="query")
        for name, arguments in {"default": {}, "passage": {"prompt_name": "passage"}, "none": {"prompt": ""}, "text": {"prompt": "오래된 "}}.items():
            answers[f"{name}, {'with' if include else 'without'}"] = rounded(model.encode(texts, **arguments).tolist())
    model.save(f"{folder}/out", create_model_card=False)
    shutil.rmtree(f"{folder}/in")
    for name in os.listdir(f"{folder}/out"):
        shutil.move(f"{folder}/out/{name}", f"{folder}/{name}")
    os.rmdir(f"{folder}/out")
    with open(f"{folder}/expected.json", "w", encoding="utf-8") as file:
        json.dump({"source": "sentence-transformers 6.2.0", "texts": texts, "vectors": answers}, file, ensure_ascii=False)


def e5_otherwise():
    """The same weights with a first token that pooling takes after the prompt, and with a tokenizer that keeps capitals behind a transformer that
    does not."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules
    texts = ["나는 밥을 먹었다.", "비가 온다", "ABC와 CAFÉ, 3월 1일", "Café"]
    prompt = {"prompt": "CAFÉ: 비가 "}
    model = SentenceTransformer(f"{HERE}/e5", device="cpu")
    model[1] = modules.Pooling(16, pooling_mode="cls", include_prompt=False)
    answers = {"cls": rounded(model.encode(texts, **prompt).tolist())}
    folder = fresh("capitals")
    shutil.copytree(f"{HERE}/e5", folder, dirs_exist_ok=True)
    edits = {"tokenizer.json": ('"lowercase": true', '"lowercase": false'),
             "sentence_bert_config.json": ('{', '{"do_lower_case": true,')}
    for lower in [False, True]:
        name, (old, new) = list(edits.items())[lower]
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            text = file.read()
        assert old in text
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))
        model = SentenceTransformer(folder, device="cpu")
        answers["lower case" if lower else "capitals"] = rounded(model.encode(texts, **prompt).tolist())
    shutil.rmtree(folder)
    with open(f"{HERE}/e5/otherwise.json", "w", encoding="utf-8") as file:
        json.dump({"source": "sentence-transformers 6.2.0", "texts": texts, "vectors": answers}, file, ensure_ascii=False)


def bertscore():
    from bert_score import BERTScorer
    folder = fresh("bertscore")
    inner = f"{HERE}/bert"
    PreTrainedTokenizerFast(tokenizer_object=word_piece(), pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
                      sep_token="[SEP]", mask_token="[MASK]", model_max_length=40).save_pretrained(f"{folder}/in")
    for name in ["config.json", "model.safetensors"]:
        shutil.copy(f"{inner}/{name}", f"{folder}/in/{name}")
    candidates = ["나는 밥을 먹었다.", "비가 온다", "우리는 어제 시장에서 국밥을 먹었어요!", "눈이 많이 내린다", "저는 밥"]
    references = [["나는 국밥을 먹었다.", "저는 밥을 먹었어요."], ["눈이 온다"], ["어제 저녁에 우리는 오래된 시장에서 국밥을 먹었어요!"],
                  ["비가 온다", "눈이 많이 내린다", "비가 많이 온다."], ["나는 나는 나는"]]
    with open(f"{folder}/baseline.csv", "w") as file:
        file.write("LAYER,P,R,F\n0,0.1,0.2,0.15\n1,0.21,0.22,0.23\n2,0.31,0.29,0.30\n")
    cases = []
    for layers in [1, 2]:
        for idf in [False, True]:
            for rescale in [False, True]:
                scorer = BERTScorer(
                    model_type=f"{folder}/in", num_layers=layers, all_layers=False, idf=idf, device="cpu", lang="ko",
                    idf_sents=[r for rs in references for r in rs] if idf else None,
                    rescale_with_baseline=rescale, baseline_path=f"{folder}/baseline.csv")
                p, r, f = scorer.score(candidates, references)
                single = scorer.score(candidates, [rs[0] for rs in references])
                cases.append({"layer": layers, "idf": idf, "rescale": rescale,
                              "multi": rounded([p.tolist(), r.tolist(), f.tolist()]),
                              "single": rounded([values.tolist() for values in single])})
    shutil.rmtree(f"{folder}/in")
    with open(f"{folder}/expected.json", "w", encoding="utf-8") as file:
        json.dump({"source": "bert-score 0.3.13", "candidates": candidates, "references": references,
                   "cases": cases}, file, ensure_ascii=False)


def real():
    """What transformers answers for the real Korean ALBERT, if `KO_EVAL_HOME` has it."""
    source = os.path.join(os.environ.get("KO_EVAL_HOME", ""), "albert-kor-base")
    if not os.path.isdir(source):
        return
    from transformers import BertTokenizer
    folder = f"{HERE}/../albert-kor-base"
    tokenizer = BertTokenizer.from_pretrained(source, do_lower_case=True, strip_accents=False)
    model = AlbertModel.from_pretrained(source, add_pooling_layer=False).eval()
    means, tokens = [], []
    with open(f"{folder}/sentences.txt", encoding="utf-8") as file:
        for line in file:
            inputs = tokenizer(line.strip(), return_tensors="pt")
            with torch.no_grad():
                states = model(**inputs).last_hidden_state[0]
            means.append(states.mean(dim=0))
            # Four numbers of every token: all of them would be megabytes.
            tokens.append(states[:, ::192].flatten())
    save_file({"means": torch.stack(means), "tokens": torch.cat(tokens)}, f"{folder}/expected.safetensors")


if __name__ == "__main__":
    torch.manual_seed(7)
    numpy.random.seed(7)
    bert()
    electra()
    albert()
    roberta()
    xlm_roberta()
    bart("bart", BartConfig(**BART, activation_function="gelu"), BartModel)
    bart("mbart", MBartConfig(**BART, activation_function="relu", scale_embedding=True), MBartModel)
    modernbert()
    modernbert_older()
    deberta_v3()
    deberta_v2()
    qwen3()
    sentence()
    e5()
    e5_otherwise()
    qwen3_embedding()
    bertscore()
    real()
