"""Makes the tiny models of this folder and what transformers' `generate` writes with them.

Run in an environment with torch 2.13.0 and transformers 5.22.2: `python make.py`. The test `generation` compares tokens and scores with
the ones written here: 20 prompts of each of the 15 settings, all different. `drawn_from.json` has what transformers draws a token from. `python
make.py --many FOLDER` writes the models with answers to 240
prompts of each setting to another folder; the test reads that one when `KO_NEURAL_GENERATORS` names it. Prompts whose answer hangs on the last
digit of a sum are left out, by what transformers itself finds.
"""

import contextlib
import json
import os
import random
import shutil
import sys

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import (
    BartConfig, BartForConditionalGeneration, BertConfig, BertLMHeadModel, BertModel, EncoderDecoderConfig,
    EncoderDecoderModel, GPT2Config, GPT2LMHeadModel, MBartConfig, MBartForConditionalGeneration, MT5Config,
    MT5ForConditionalGeneration, T5Config, T5ForConditionalGeneration,
)
from transformers.generation import LogitsProcessorList, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = ("나 는 ##는 저 밥 ##을 먹 ##었 ##다 ##어 ##요 어제 저녁 ##에 우리 오래 ##된 시장 ##에서 국 ##밥 비 ##가 온 눈 ##이 많이 내린 . ! , "
         "3 1 ##월 ##일 공 쳤 선수 야구 친구 ##와 ##고 간 본 책 읽 물 마신 큰 작은 집 산 강 꽃 핀 해 뜬 달 진 말 한 ##를 ##도 ##만 새 옷 입 손 씻")
PAD, UNK, END, START = 0, 1, 2, 3


def vocabulary():
    tokens = ["[PAD]", "[UNK]", "[EOS]", "[BOS]"]
    return tokens + list(dict.fromkeys(WORDS.split()))


SIZE = len(vocabulary())


def tokenizer(ends):
    """Words and their rests; a mark behind what an encoder reads."""
    tokens = {token: i for i, token in enumerate(vocabulary())}
    made = Tokenizer(models.WordPiece(tokens, unk_token="[UNK]"))
    made.normalizer = normalizers.NFC()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    if ends:
        made.post_processor = processors.TemplateProcessing(
            single="$A [EOS]", pair="$A [EOS] $B [EOS]", special_tokens=[("[EOS]", END)])
    made.add_special_tokens(["[PAD]", "[UNK]", "[EOS]", "[BOS]"])
    return made


def randomize(model, seed):
    """No bias is 0, and no norm 1."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in [*model.named_parameters(), *model.named_buffers()]:
            if parameter.is_floating_point():
                noise = torch.randn(parameter.shape, generator=generator)
                is_norm = ("norm" in name.lower() or ".ln_" in name) and name.endswith("weight")
                parameter.copy_(noise * 0.15 + (1.0 if is_norm else 0.0))
    return model.eval()


def lesson(chooser):
    """A prompt and an answer: words follow from the one before or from any of the prompt, and after one in seven words it mostly ends."""
    def following(word):
        return 4 + (word * 29 + 11) % (SIZE - 4)

    prompt = [chooser.randrange(4, SIZE) for _ in range(chooser.randrange(3, 17))]
    answer = [following(chooser.choice(prompt))]
    while len(answer) < 20 and not (answer[-1] % 7 == 0 and chooser.random() < 0.8):
        answer.append(following(answer[-1] if chooser.random() < 0.45 else chooser.choice(prompt)))
    return prompt, answer + [END]


def taught(model, seed, steps=1500, batch=16):
    """Learns some lessons: random weights alone repeat a word or two, whatever they read, and hardly ever end."""
    chooser, reads = random.Random(seed), model.config.is_encoder_decoder
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = 5e-3 * (1 - step / steps)
        lessons = [lesson(chooser) for _ in range(batch)]
        shortest = min(len(prompt) for prompt, _ in lessons)
        prompts = torch.tensor([prompt[-shortest:] + [END] * int(reads) for prompt, _ in lessons])
        longest = max(len(answer) for _, answer in lessons)
        answers = torch.tensor([answer + [PAD] * (longest - len(answer)) for _, answer in lessons])
        if reads:
            before = torch.full((batch, 1), model.generation_config.decoder_start_token_id)
            logits = model(input_ids=prompts, decoder_input_ids=torch.cat([before, answers[:, :-1]], 1)).logits
        else:
            logits = model(input_ids=torch.cat([prompts, answers[:, :-1]], 1)).logits[:, shortest - 1:]
        loss = torch.nn.functional.cross_entropy(logits.transpose(1, 2), answers, ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.2f}", flush=True)
    return model


MARKS = dict(pad_token_id=PAD, eos_token_id=END, bos_token_id=START)
BART = dict(vocab_size=SIZE, d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=4,
            encoder_ffn_dim=24, decoder_ffn_dim=20, max_position_embeddings=64, decoder_start_token_id=END, forced_eos_token_id=END,
            **MARKS)
T5 = dict(vocab_size=SIZE, d_model=16, d_kv=6, d_ff=24, num_layers=2, num_heads=3,
          relative_attention_num_buckets=8, relative_attention_max_distance=20, decoder_start_token_id=PAD, **MARKS)
BERT = dict(vocab_size=SIZE, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24,
            max_position_embeddings=64, **MARKS)


def bert_below_decoder():
    encoder = BertConfig(**{**BERT, "hidden_size": 12})
    decoder = BertConfig(**BERT, is_decoder=True, add_cross_attention=True)
    config = EncoderDecoderConfig.from_encoder_decoder_configs(encoder, decoder)
    for key, value in {**MARKS, "decoder_start_token_id": START}.items():
        setattr(config, key, value)
    model = EncoderDecoderModel(config=config, encoder=BertModel(encoder, add_pooling_layer=False), decoder=BertLMHeadModel(decoder))
    for key, value in {**MARKS, "decoder_start_token_id": START}.items():
        setattr(model.generation_config, key, value)
    return model


FAMILIES = {
    "gpt2": lambda: GPT2LMHeadModel(GPT2Config(vocab_size=SIZE, n_embd=16, n_layer=2, n_head=2, n_positions=64, **MARKS)),
    "bart": lambda: BartForConditionalGeneration(BartConfig(**BART)),
    "mbart": lambda: MBartForConditionalGeneration(MBartConfig(**{**BART, "scale_embedding": True, "decoder_start_token_id": START})),
    "t5": lambda: T5ForConditionalGeneration(T5Config(**T5)),
    "mt5": lambda: MT5ForConditionalGeneration(MT5Config(**T5, feed_forward_proj="gated-gelu")),
    "encoder-decoder": bert_below_decoder,
}

# Ours, and theirs.
BEAM = dict(length_penalty=1.0, early_stopping="heuristic")
STOP = {"heuristic": False, "full": True, "never": "never"}
SETTINGS = [
    dict(search="greedy", max=12),
    dict(search="greedy", max=16, min=6, no_repeat=2),
    dict(search="greedy", max=12, penalty=1.3),
    dict(search="sample", max=12),
    dict(search=dict(BEAM, beams=2), max=12),
    dict(search=dict(BEAM, beams=4, length_penalty=2.0), max=14, candidates=3),
    dict(search=dict(BEAM, beams=4, length_penalty=0.0), max=14, candidates=2),
    dict(search=dict(BEAM, beams=4, length_penalty=-1.0), max=12, candidates=4),
    dict(search=dict(BEAM, beams=4, early_stopping="full"), max=14, candidates=4),
    dict(search=dict(BEAM, beams=4, early_stopping="never"), max=14, candidates=4),
    dict(search=dict(BEAM, beams=3, early_stopping="never", length_penalty=1.5), max=16, min=4, candidates=3),
    dict(search=dict(BEAM, beams=3), max=16, min=6, no_repeat=3, candidates=3),
    dict(search=dict(BEAM, beams=10), max=30, min=10, no_repeat=3, candidates=5),
    dict(search=dict(BEAM, beams=5, early_stopping="full"), max=12, first=vocabulary()[9], candidates=2),
    dict(search=dict(BEAM, beams=4), max=12, penalty=1.5, candidates=2),
]


def theirs(setting):
    search = setting["search"]
    arguments = dict(max_new_tokens=setting["max"], min_new_tokens=setting.get("min"), no_repeat_ngram_size=setting.get("no_repeat", 0),
                     repetition_penalty=setting.get("penalty", 1.0), num_return_sequences=setting.get("candidates", 1))
    if "first" in setting:
        arguments["forced_bos_token_id"] = vocabulary().index(setting["first"])
    if isinstance(search, dict):
        return dict(arguments, num_beams=search["beams"], length_penalty=search["length_penalty"],
                    early_stopping=STOP[search["early_stopping"]])
    # Of one token there is one draw.
    return dict(arguments, do_sample=search == "sample", top_k=1)


def trimmed(ids):
    return ids[:ids.index(END) + 1] if END in ids else ids


# Sums that are nearer than this share of them: four times what a float can tell apart.
CLOSE = 4 * torch.finfo(torch.float32).eps


def near(values, following):
    """Whether values are hardly greater than those that follow them; what is ruled out stands far below."""
    return (values - following <= CLOSE * values.abs()) & (following > -1e8)


@contextlib.contextmanager
def watched_edges(rows, beams, candidates):
    """Which prompts had to choose between sums that are hardly apart: what a search goes on with, or which answer comes first."""
    close, order, topk = torch.zeros(rows, dtype=torch.bool), [], torch.topk

    def watched(scores, k, *rest, **named):
        if beams > 1 and k == beams and scores.dim() == 2 and scores.shape[0] == rows and scores.shape[1] > k:
            best = topk(scores, k + 1).values
            close.logical_or_(near(best[:, k - 1], best[:, k]))
            # The finished ones, beside those that finish now.
            if scores.shape[1] == 3 * beams:
                order[:] = [best]
        return topk(scores, k, *rest, **named)

    torch.topk = watched
    try:
        yield close
    finally:
        torch.topk = topk
    for best in order:
        close.logical_or_(near(best[:, :candidates], best[:, 1:candidates + 1]).any(1))


def answers(model, prompts, setting):
    """For prompts of one length, so that nothing is padded; `None` for those whose answer hangs on a last digit."""
    ids = torch.tensor(prompts)
    search, count = setting["search"], setting.get("candidates", 1)
    beams = search["beams"] if isinstance(search, dict) else 1
    with torch.no_grad(), watched_edges(len(prompts), beams, count) as close:
        out = model.generate(input_ids=ids, attention_mask=torch.ones_like(ids), return_dict_in_generate=True, output_scores=True,
                             **theirs(setting))
    skip = 1 if model.config.is_encoder_decoder else ids.shape[1]
    rows = [trimmed(row[skip:].tolist()) for row in out.sequences]
    scores = getattr(out, "sequences_scores", None)
    scores = [None] * len(rows) if scores is None else scores.tolist()
    if beams == 1:
        for step in out.scores:
            best = step.topk(2).values
            close |= near(best[:, 0], best[:, 1])
    found = [{"ids": row, "score": score} for row, score in zip(rows, scores)]
    return [None if skip else found[i * count:(i + 1) * count] for i, skip in enumerate(close.tolist())]


def prompts_of(chooser, seen, lengths, count, ends):
    """Prompts of some lengths, the mark at the end included; none was seen before."""
    prompts = {length: [] for length in lengths}
    for length, some in prompts.items():
        while len(some) < count:
            prompt = [chooser.randrange(4, SIZE) for _ in range(length - ends)] + [END] * ends
            if tuple(prompt) not in seen:
                seen.add(tuple(prompt))
                some.append(prompt)
    return prompts


def of_this_model(setting, reads):
    """Without an encoder no first token is forced: transformers forces one after a lone token alone."""
    return {key: value for key, value in setting.items() if reads or key != "first"}


def shares(cases):
    """Of all answers, how many end before they must; of all prompts under a setting, how many have a best answer of their own."""
    answers = [len(answer["ids"]) < case["setting"]["max"] for case in cases for prompt in case["prompts"] for answer in prompt["answers"]]
    best = [[tuple(prompt["answers"][0]["ids"]) for prompt in case["prompts"]] for case in cases]
    return sum(answers) / len(answers), sum(len(set(case)) for case in best) / sum(map(len, best))


# Temperature, top-k (0: all), top-p: alone, together, where they do nothing, and more tokens than there are.
DRAWS = [(1.0, 0, 1.0), (0.7, 0, 1.0), (1.5, 0, 0.9), (1.0, 5, 1.0), (1.0, 0, 0.5), (0.8, 10, 0.8), (1.3, 1000, 0.95), (2.0, 40, 0.3)]


def warped(logits, temperature, top_k, top_p):
    """What `generate` draws from, which leaves out a warper that does nothing.

    Which of equal numbers stay at the edge of top-p hangs on a sort that is not stable, so on the processor; here it is stable.
    """
    warpers = [TemperatureLogitsWarper(temperature)] if temperature != 1.0 else []
    warpers += [TopKLogitsWarper(top_k)] if top_k else []
    warpers += [TopPLogitsWarper(top_p)] if top_p < 1.0 else []
    sort = torch.sort
    torch.sort = lambda *values, **named: sort(*values, stable=True, **named)
    try:
        return LogitsProcessorList(warpers)(None, logits)
    finally:
        torch.sort = sort


def by_hand():
    """Rows with equal numbers, with a token that has nearly all, with forbidden ones, and a long one of few different numbers."""
    never = -float("inf")
    yield [2.0, 2.0, 2.0, 1.0, 1.0, 0.0, 0.0, -1.0]
    yield [0.5] * 8
    yield [100.0, 0.0, 0.0, -50.0]
    yield [1.0, never, 0.5, never, 0.5, -3.0]
    yield [never, never, 1.5, never]
    yield torch.randint(0, 8, (200,), generator=torch.Generator().manual_seed(3)).float().tolist()


def drawn_from(models):
    """The numbers of first tokens, and what is left of them to draw from: `[token, score]`."""
    def case(model, logits):
        left = []
        for temperature, top_k, top_p in DRAWS:
            scores = warped(logits, temperature, top_k, top_p)
            if model is not None:
                assert torch.equal(scores, by_generate(*model, temperature, top_k, top_p).scores[0])
            kept = [[token, score] for token, score in enumerate(short(scores)) if score is not None]
            left.append({"temperature": temperature, "top_k": top_k, "top_p": top_p, "scores": kept})
        name = None if model is None else [model[0], model[1][0].tolist()]
        return {"model": name, "logits": short(logits), "left": left}

    def by_generate(name, ids, temperature, top_k, top_p):
        return models[name].generate(input_ids=ids, attention_mask=torch.ones_like(ids), do_sample=True, temperature=temperature, top_k=top_k,
                                     top_p=top_p, max_new_tokens=2, return_dict_in_generate=True, output_scores=True, output_logits=True)

    def short(row):
        # Nine digits tell any number of single precision.
        return [None if value == -float("inf") else float(f"{value:.9g}") for value in row[0].tolist()]

    cases = []
    for name, model in models.items():
        ids = torch.tensor([[7, 30, 12, 45] + [END] * int(model.config.is_encoder_decoder)])
        cases.append(case((name, ids), by_generate(name, ids, 1.0, 0, 1.0).logits[0]))
    return cases + [case(None, torch.tensor([row])) for row in by_hand()]


def dump(value, path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"source": "transformers 5.22.2", "cases": value}, file, ensure_ascii=False, separators=(",", ":"))


def write(folder, lengths, count):
    models = {}
    for seed, (name, build) in enumerate(FAMILIES.items()):
        place = f"{folder}/{name}"
        shutil.rmtree(place, ignore_errors=True)
        model = models[name] = taught(randomize(build(), seed + 1), seed)
        model.save_pretrained(place)
        reads = model.config.is_encoder_decoder
        tokenizer(reads).save(f"{place}/tokenizer.json")
        cases, chooser, seen = [], random.Random(11), set()
        for setting in [of_this_model(setting, reads) for setting in SETTINGS]:
            case = []
            for length, prompts in prompts_of(chooser, seen, lengths, count, int(reads)).items():
                found = zip(prompts, answers(model, prompts, setting))
                case += [{"prompt": prompt, "answers": some} for prompt, some in found if some]
            cases.append({"setting": setting, "prompts": case})
        dump(cases, f"{place}/expected.json")
        early, different = shares(cases)
        print(f"{name}: {sum(len(case['prompts']) for case in cases)} prompts, {early:.2f} end early, {different:.2f} are different", flush=True)
    dump(drawn_from(models), f"{folder}/drawn_from.json")


if __name__ == "__main__":
    torch.set_num_threads(1)
    if sys.argv[1:2] == ["--many"]:
        write(sys.argv[2], [3, 4, 5, 8, 13, 17, 21, 26], 30)
    else:
        write(HERE, [3, 5, 9, 16], 5)
