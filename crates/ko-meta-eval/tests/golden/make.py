"""Writes the numbers that the tests compare with: python make.py (needs scipy, scikit-learn, statsmodels, krippendorff, tomli_w).

The inputs are made up here, from a fixed seed; only the answers come from the references.
"""

import random
import warnings
from pathlib import Path

import krippendorff
import numpy
import scipy
import scipy.stats
import sklearn
import sklearn.metrics
import statsmodels
import tomli_w
from statsmodels.stats.inter_rater import fleiss_kappa

warnings.simplefilter("ignore")
HERE = Path(__file__).parent
chance = random.Random(20260)


def write(name, source, cases):
    HERE.joinpath(name).write_text(tomli_w.dumps({"source": source, "case": cases}), "utf-8")


def columns(n, noise, digits, levels=None):
    """Two lists that go together more or less; few digits or levels make ties."""
    x = [round(chance.gauss(0, 1), digits) for _ in range(n)]
    y = [round(a + noise * chance.gauss(0, 1), digits) for a in x]
    return x, [round((b + 4) / 8 * levels) / 3 for b in y] if levels else y


def correlation():
    shapes = [(2, 1, 6, None), (3, 1, 6, None), (4, 0.5, 6, None), (5, 0, 6, None), (6, 1, 0, None), (9, 1, 1, None),
              (12, 2, 6, None), (20, 1, 6, None), (33, 1, 6, None), (34, 1, 6, None), (33, 1, 1, None),
              (60, 0.3, 6, 24), (60, 4, 1, 6), (200, 1, 2, 24), (35, 0, 6, None)]
    lists = [columns(*shape) for shape in shapes]
    lists += [([1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]), ([1e200, 2e200, 4e200, 3e200], [1e-200, 2e-200, 2e-200, 9e-200]),
              ([1e9 + i for i in range(8)], [0.0, 1.0, 1.0, 3.0, 2.0, 5.0, 4.0, 4.0]),
              ([float(i) for i in range(40)], [float(i ^ 1 if i < 2 else i) for i in range(40)]),
              ([0.0, -0.0, 1.0, 2.0], [1.0, 2.0, 2.0, 3.0])]
    cases = []
    for x, y in lists:
        case = {"x": x, "y": y}
        answers = {"pearson": scipy.stats.pearsonr(x, y), "spearman": scipy.stats.spearmanr(x, y),
                   "kendall-tau-b": scipy.stats.kendalltau(x, y, variant="b"),
                   "kendall-tau-c": scipy.stats.kendalltau(x, y, variant="c")}
        for name, answer in answers.items():
            p = float(answer.pvalue)
            case[name] = {"value": float(answer.statistic), "p": 1.0 if numpy.isnan(p) else p}  # NaN of two values: see the docs
        cases.append(case)
    # Too long to write down: the same little congruence makes the lists there and here.
    for n, modulus in [(8160, 25), (20000, 9973)]:
        a = [(i * 7919 + i * i % 31) % 1009 for i in range(n)]
        b = [(v + i * 104729 % 700) % modulus if modulus > 1000 else (v // 41 + i * 104729 % 7) % modulus for i, v in enumerate(a)]
        case = {"n": n, "modulus": modulus}
        answers = {"pearson": scipy.stats.pearsonr(a, b), "spearman": scipy.stats.spearmanr(a, b),
                   "kendall-tau-b": scipy.stats.kendalltau(a, b, variant="b"),
                   "kendall-tau-c": scipy.stats.kendalltau(a, b, variant="c")}
        for name, answer in answers.items():
            case[name] = {"value": float(answer.statistic), "p": float(answer.pvalue)}
        cases.append(case)
    write("correlation.toml", f"scipy {scipy.__version__}", cases)


def williams():
    cases = []
    for n in (4, 7, 30, 200):
        h = [chance.gauss(0, 1) for _ in range(n)]
        a = [v + chance.gauss(0, 0.6) for v in h]
        b = [v + chance.gauss(0, 1.1) for v in h]
        r12, r13, r23 = numpy.corrcoef([h, a, b])[numpy.triu_indices(3, 1)]
        det = numpy.linalg.det(numpy.corrcoef([h, a, b]))  # K is the determinant of the three correlations
        top = (r12 - r13) * numpy.sqrt((n - 1) * (1 + r23))
        t = top / numpy.sqrt(2 * (n - 1) / (n - 3) * det + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3)
        cases.append({"human": h, "first": a, "second": b, "t": float(t), "p": float(2 * scipy.stats.t.sf(abs(t), n - 3))})
    write("williams.toml", f"numpy {numpy.__version__} and scipy {scipy.__version__}", cases)


def agreement():
    cases = []
    for items, raters, categories in [(4, 3, 3), (12, 2, 2), (30, 5, 4), (50, 3, 3)]:
        truth = [chance.randrange(categories) for _ in range(items)]
        rows = [[t if chance.random() < 0.6 else chance.randrange(categories) for _ in range(raters)] for t in truth]
        first, second = [r[0] for r in rows], [r[1] for r in rows]
        missing = [[-1 if chance.random() < 0.2 else v for v in r] for r in rows]
        data = [[numpy.nan if r[j] < 0 else float(r[j]) for r in missing] for j in range(raters)]
        counts = [[r.count(c) for c in range(categories)] for r in rows]
        cases.append({
            "ratings": rows, "missing": missing, "fleiss": float(fleiss_kappa(numpy.array(counts))),
            "cohen": {name: float(sklearn.metrics.cohen_kappa_score(first, second, weights=w))
                      for name, w in [("none", None), ("linear", "linear"), ("quadratic", "quadratic")]},
            "alpha": {level: float(krippendorff.alpha(reliability_data=data, level_of_measurement=level))
                      for level in ("nominal", "ordinal", "interval")},
        })
    source = f"statsmodels {statsmodels.__version__}, scikit-learn {sklearn.__version__}, krippendorff 0.9.0"
    write("agreement.toml", source, cases)


def classification():
    cases = []
    for n, classes in [(1, 2), (10, 2), (12, 2), (40, 3), (60, 5)]:
        truth = [chance.randrange(classes) for _ in range(n)]
        said = [t if chance.random() < 0.6 else chance.randrange(classes) for t in truth]
        if n == 12:
            said = [0] * n  # one class is never predicted
        m = sklearn.metrics
        every = {"labels": list(range(classes)), "average": None, "zero_division": 0}
        cases.append({
            "classes": classes, "truth": truth, "predicted": said,
            "accuracy": float(m.accuracy_score(truth, said)),
            "balanced-accuracy": float(m.balanced_accuracy_score(truth, said)),
            "precision": m.precision_score(truth, said, **every).tolist(),
            "recall": m.recall_score(truth, said, **every).tolist(),
            "f1": m.f1_score(truth, said, **every).tolist(),
            "confusion": m.confusion_matrix(truth, said, labels=list(range(classes))).tolist(),
        })
    write("classification.toml", f"scikit-learn {sklearn.__version__}", cases)


correlation()
williams()
agreement()
classification()
