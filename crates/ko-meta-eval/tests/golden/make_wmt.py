"""Writes the numbers that the tests of WMT's methods compare with: python make_wmt.py CLONE [statistics] [folder] [mqm]

CLONE is a clone of google-research/mt-metrics-eval; needs numpy, scipy, dacite, absl-py, tomli_w. (The package of that name on PyPI is another one.)
All scores are made up here, from a fixed seed; only the answers come from mt-metrics-eval. Its permutation tests flip NumPy's coins; here
they flip those of a little hash of draw and place, which the Rust tests know as well, so that the very same permutations are compared.
"""

import functools
import itertools
import random
import subprocess
import sys
import types
import warnings
from pathlib import Path

CLONE = Path(sys.argv[1])
sys.path.insert(0, str(CLONE))
sys.modules["apache_beam"] = types.ModuleType("apache_beam")  # only for running in parallel

import numpy
import scipy
import tomli_w
from mt_metrics_eval import data, meta_info, stats, tasks

warnings.simplefilter("ignore")
HERE = Path(__file__).parent
COMMIT = subprocess.run(["git", "-C", CLONE, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip() or "68a481a"
SOURCE = f"mt-metrics-eval {COMMIT}, numpy {numpy.__version__}, scipy {scipy.__version__}"
chance = random.Random()
MASK = (1 << 64) - 1


def coin(draw, place):
    """The last bit of SplitMix64's finaliser."""
    z = ((draw << 32) + place + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return (z ^ (z >> 31)) & 1


class Coins:
    """Stands in for numpy.random.binomial: lists are draws; square matrices are groups of one draw, of which only the upper half counts."""

    def __init__(self):
        self.restart([])

    def restart(self, sizes):
        self.draw, self.place, self.group, self.sizes = 0, 0, 0, sizes

    def __call__(self, n, p, size):
        if isinstance(size, tuple):
            out = numpy.zeros(size, dtype=int)
            for i, j in itertools.combinations(range(size[0]), 2):
                out[i, j] = coin(self.draw, self.place)
                self.place += 1
            self.group += 1
            if self.group == len(self.sizes):
                self.draw, self.place, self.group = self.draw + 1, 0, 0
            return out
        out = numpy.array([coin(self.draw, i) for i in range(size)])
        self.draw += 1
        return out


COINS = Coins()
numpy.random.binomial = COINS
scores_test, pairs_test = stats.PermutationSigDiff, stats.PairwisePermutationSigDiff


def fresh_scores(corr1, corr2, *args, **kw):
    COINS.restart([])
    return scores_test(corr1, corr2, *args, **kw)


def fresh_pairs(corr1, corr2, variant="acc23", average_by="none", *args, **kw):
    COINS.restart(stats._ReshapeAndFilter(corr1, corr2, average_by)[0])
    return pairs_test(corr1, corr2, variant, average_by, *args, **kw)


stats.PermutationSigDiff, stats.PairwisePermutationSigDiff = fresh_scores, fresh_pairs

STATISTICS = {"pearson": (scipy.stats.pearsonr, {}), "spearman": (scipy.stats.spearmanr, {}),
              "kendall-tau-b": (scipy.stats.kendalltau, {}), "kendall-tau-c": (scipy.stats.kendalltau, {"variant": "c"}),
              "pairwise-accuracy": (stats.KendallVariants, {"variant": "acc23"}),
              "calibrated-accuracy": (stats.KendallWithTiesOpt, {"variant": "acc23", "sample_rate": 1.0})}
GROUPINGS = {"global": "none", "item": "item", "system": "sys"}


def made_up(systems, items, missing):
    """People's scores as MQM has them, and metrics that know more or less of them. Halves and sixteenths add up without rounding."""
    level = [chance.uniform(0, 6) for _ in range(systems)]
    gold = [-float(min(25, round(abs(chance.gauss(level[s], 2))))) for s in range(systems) for _ in range(items)]
    metrics = {}
    for name, noise, step in [("가까움", 1.5, 16), ("보통", 4, 16), ("거친", 4, 0.5), ("먼", 9, 16)]:
        metrics[name] = [round((g + noise * chance.gauss(0, 1)) * step) / step for g in gold]
    if missing == "some":
        gold = [None if chance.random() < 0.15 else g for g in gold]
    if missing == "rows":
        gone = set(chance.sample(range(items), 3))
        gold = [None if i % items in gone else g for i, g in enumerate(gold)]
    return gold, metrics


def task(name):
    """A task of which only the name is looked at."""
    result = tasks.TaskResults()
    fcn, args = ("pce", {}) if name == "soft-pairwise-accuracy" else ("KendallWithTiesOpt", {}) if name.endswith("accuracy") else ("pearson", {})
    result.name = f"corr_fcn={fcn} corr_fcn_args={args}"
    return result


def compare(corrs, name, grouping, k, block):
    psd = stats.PermutationSigDiffParams(block_size=block)
    if name == "soft-pairwise-accuracy":
        return data.CompareMetricsWithPairwiseConfidenceError(corrs, k, psd)
    fcn, args = STATISTICS[name]
    test = "pairs" if name == "calibrated-accuracy" else "scores"
    return data.CompareMetrics(corrs, fcn, GROUPINGS[grouping], k, psd, perm_test=test, **args)


def standing(answer, name, grouping, k, block):
    ranks, matrix, index, draws = answer
    n = len(ranks)
    out = {"statistic": name, "grouping": grouping, "draws": k, "block": block,
           "metrics": list(ranks), "values": [float(v) for v, _ in ranks.values()], "ranks": [int(r) for _, r in ranks.values()],
           "p": [[float(matrix[i, j]) for j in range(i + 1, n)] for i in range(n)],
           # The first mixtures of the first pair, and how many draws every pair took.
           "first": [[float(a), float(b)] for a, b in draws[index[0, 1]:index[1, 0]][:5]],
           "taken": [[int(index[j, i] - index[i, j]) for j in range(i + 1, n)] for i in range(n)]}
    return out


def wmt():
    cases = []
    for systems, items, missing in [(4, 12, None), (6, 30, "some"), (5, 40, "rows"), (9, 1, None)]:
        gold, metrics = made_up(systems, items, missing)
        corrs = {m: stats.Correlation(systems, gold, s) for m, s in metrics.items()}
        case = {"systems": systems, "gold": [-1000.0 if g is None else g for g in gold], "metrics": metrics, "values": [], "standings": []}
        groupings = ["global"] if items == 1 else list(GROUPINGS)
        for (name, (fcn, args)), grouping in itertools.product(STATISTICS.items(), groupings):
            for metric, corr in corrs.items():
                value = corr.AverageCorrelation(fcn, GROUPINGS[grouping], **args)(corr.gold_scores, corr.metric_scores)
                answer = {"statistic": name, "grouping": grouping, "metric": metric, "value": float(value[0])}
                if name == "calibrated-accuracy":
                    answer["epsilon"] = float(stats.KendallWithTiesOpt(gold, corr.metric_scores, num_sys=systems, average_by=GROUPINGS[grouping], sample_rate=1.0)[1])
                case["values"].append(answer)
            k, block = (60, 60) if grouping == "global" else (40, 10)
            case["standings"].append(standing(compare(corrs, name, grouping, k, block), name, grouping, k, block))
        if items > 1 and missing != "some":
            name = "soft-pairwise-accuracy"
            for metric, corr in corrs.items():
                case["values"].append({"statistic": name, "grouping": "global", "metric": metric, "value": float(corr.PairwiseConfidenceError()[0])})
            if items > 20:
                case["standings"].append(standing(compare(corrs, name, "global", 30, 30), name, "global", 30, 30))
        cases.append(case)

    # Averages over tasks, with the draws of each.
    averages = []
    for number, specs in [(2, [("soft-pairwise-accuracy", "global", 30, 30), ("calibrated-accuracy", "item", 40, 10)]),
                          (0, [("pearson", "global", 60, 60), ("kendall-tau-b", "item", 40, 10)])]:
        gold = [None if g == -1000.0 else g for g in cases[number]["gold"]]
        corrs = {m: stats.Correlation(cases[number]["systems"], gold, s) for m, s in cases[number]["metrics"].items()}
        results = []
        for spec in specs:
            result = task(spec[0])
            result.corr_ranks, result.matrix, result.draws_index, result.draws_list = compare(corrs, *spec)
            results.append(result)
        for weights in ([0.5, 0.5], [0.25, 0.75]):
            ranks, matrix = tasks.TaskSetResults(results).AverageCorrMatrix(weights)
            mean_ranks = tasks.TaskSetResults(results).AverageRanks(weights)
            n = len(ranks)
            averages.append({"case": number, "tasks": [list(map(str, s)) for s in specs], "weights": weights, "metrics": list(ranks),
                             "values": [float(v) for v, _ in ranks.values()], "ranks": [int(r) for _, r in ranks.values()],
                             "mean_ranks": [float(mean_ranks[m]) for m in ranks],
                             "p": [[float(matrix[i, j]) for j in range(i + 1, n)] for i in range(n)]})
    HERE.joinpath("wmt.toml").write_text(tomli_w.dumps({"source": SOURCE, "case": cases, "average": averages}), "utf-8")


SENTENCES = ["비가 온다.", "나는 밥을 먹었다.", "그는 어제 서울에 갔다.", "이 책은 아주 재미있다.", "내일은 회의가 없다.", "문을 닫아 주세요.",
             "고양이가 창가에서 잔다.", "우리는 내년에 이사한다."]


def spoiled(sentence, errors):
    """The sentence with some characters gone."""
    letters = list(sentence)
    for _ in range(errors):
        if len(letters) > 2:
            letters.pop(chance.randrange(len(letters) - 1))
    return "".join(letters)


def folder():
    """A test set of two language pairs in the layout of mt-metrics-eval, and what the package makes of it."""
    top = HERE / "wmt-set"

    def write(path, lines):
        path = top / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(line + "\n" for line in lines), "utf-8")

    infos = {}
    for pair, names in [("en-ko_KR", ["갑", "을", "병", "정"]), ("en-ja_JP", ["갑", "을", "병"])]:
        n = len(SENTENCES)
        write(f"sources/{pair}.txt", [f"Sentence {i + 1}." for i in range(n)])
        write(f"documents/{pair}.docs", [f"{'news' if i < 5 else 'social'} doc{i // 3 if i < 5 else 9}" for i in range(n)])
        write(f"references/{pair}.refA.txt", SENTENCES)
        write(f"references/{pair}.refB.txt", [s.replace("다.", "어요.") for s in SENTENCES])
        errors = {s: [max(0, round(chance.gauss(k, 1))) for _ in range(n)] for k, s in enumerate(names)}
        for s in names:
            write(f"system-outputs/{pair}/{s}.txt", [spoiled(t, e) for t, e in zip(SENTENCES, errors[s])])
        for ref in ("refA", "refB"):
            write(f"system-outputs/{pair}/{ref}.txt", (top / f"references/{pair}.{ref}.txt").read_text("utf-8").splitlines())
        gold = {s: [None if i == 7 and s in ("병", "정") else -float(e + (5 if e > 2 else 0)) for i, e in enumerate(errors[s])] for s in names}
        gold["refB"] = [-float(chance.randrange(2)) for _ in range(n)]
        write(f"human-scores/{pair}.mqm.seg.score", [f"{s}\t{g}" for s in gold for g in gold[s]])
        write(f"human-scores/{pair}.mqm.sys.score", [f"{s}\t{sum(x for x in gold[s] if x is not None) / n}" for s in gold])
        for metric, noise in [("가까움-refA", 0.5), ("먼-refA", 2.0), ("무참조-src", 1.0), ("다른-refB", 1.0)]:
            systems = names + ([] if metric.endswith("refB") else ["refB"]) + ([] if metric.endswith("refA") else ["refA"])
            scores = {s: [round(-(errors[s][i] if s in errors else 0) + noise * chance.gauss(0, 1), 3) for i in range(n)] for s in systems}
            write(f"metric-scores/{pair}/{metric}.seg.score", [f"{s}\t{x}" for s in scores for x in scores[s]])
            write(f"metric-scores/{pair}/{metric}.sys.score", [f"{s}\t{sum(scores[s]) / n}" for s in scores])
        infos[pair] = meta_info.MetaInfo("refA", {"sys": "mqm", "seg": "mqm"}, set(), set())
    sets = {p: data.EvalSet("wmt-set", p, read_stored_metric_scores=True, info=i, path=str(HERE)) for p, i in infos.items()}
    # data.Correlation takes systems in the order of a Python set; ours are in the order of their names.
    data.EvalSet.Correlation = functools.partialmethod(in_order)
    cases = []
    for pair, level, human, domain, name, grouping in [
            ("en-ko_KR", "seg", False, None, "calibrated-accuracy", "item"), ("en-ko_KR", "seg", True, None, "kendall-tau-b", "global"),
            ("en-ko_KR", "sys", True, None, "pearson", "global"), ("en-ko_KR", "seg", True, "news", "pearson", "system"),
            ("en-ja_JP", "seg", False, None, "pairwise-accuracy", "item")]:
        corrs = data.GetCorrelations(sets[pair], level, {"refA"}, set(), human, False, "mqm", False, domain, metric_format="spreadsheet")
        answer = standing(compare(corrs, name, grouping, 50, 50), name, grouping, 50, 50)
        cases.append({"pair": pair, "level": level, "human": human, "domain": domain or "", **answer})
    answer = data.CompareMetricsWithGlobalAccuracy(
        [sets["en-ko_KR"], sets["en-ja_JP"]], [{"refA"}] * 2, [set()] * 2, True, False, "mqm", False, None, 50, stats.PermutationSigDiffParams(block_size=50))
    cases.append({"pair": "en-ko_KR,en-ja_JP", "level": "sys", "human": True, "domain": "",
                  **standing(answer, "pairwise-accuracy", "global", 50, 50)})
    for case in cases:  # Metrics that are no primary ones are starred by the package.
        case["metrics"] = [m.lstrip("*") for m in case["metrics"]]
    HERE.joinpath("wmt_folder.toml").write_text(tomli_w.dumps({"source": SOURCE, "case": cases}), "utf-8")


def in_order(self, gold_scores, metric_scores, sys_names=None, indexes=None):
    names = sorted(gold_scores if sys_names is None else sys_names)
    gold, metric = [g for s in names for g in gold_scores[s]], [m for s in names for m in metric_scores[s]]
    return stats.Correlation(len(names), gold, metric)


def mqm():
    """Annotations as WMT publishes them, and the scores that the package's converter gives."""
    columns = ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
    kinds = [("Accuracy/Mistranslation", "Major"), ("Fluency/Punctuation", "Minor"), ("Non-translation!", "Major"), ("No-error", "No-error"),
             ("Style/Awkward", "minor"), ("Accuracy/Omission", "Neutral"), ("Fluency/Punctuation", "Major"), ("Fluency/Grammar", "Minor")]
    rows = []
    for system in ("갑", "을"):
        for i in range(6):
            for rater in chance.sample(["평가자1", "평가자2", "평가자3"], 2):
                for category, severity in chance.sample(kinds, chance.randrange(1, 4)):
                    target = SENTENCES[i] if category == "No-error" else f'<v>{SENTENCES[i][:2]}</v>{SENTENCES[i][2:]} "'
                    rows.append([system, f"doc{i // 3}", i % 3 + 1, i + 1, rater, f"Sentence {i + 1}.", target, category, severity])
    HERE.joinpath("mqm.tsv").write_text("".join("\t".join(map(str, row)) + "\n" for row in [columns] + rows), "utf-8")
    answer = HERE / "mqm_scores.tsv"
    subprocess.run([sys.executable, CLONE / "mt_metrics_eval/converters/score_mqm.py", f"--input={HERE / 'mqm.tsv'}", f"--output={answer}"],
                   check=True, env={"PYTHONPATH": str(CLONE)})


ALL = {"statistics": wmt, "folder": folder, "mqm": mqm}
for wanted in sys.argv[2:] or ALL:
    chance.seed(wanted)
    ALL[wanted]()
