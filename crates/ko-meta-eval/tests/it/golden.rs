//! Equal to the references on every committed case.

use ko_meta_eval::{
    Correlation,
    agreement::{Difference, KappaWeights, cohen_kappa, fleiss_kappa, krippendorff_alpha},
    classification::Confusion,
    williams,
};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Golden<C> {
    source: String,
    case: Vec<C>,
}

fn golden<C: serde::de::DeserializeOwned>(text: &str) -> Vec<C> {
    let golden: Golden<C> = toml::from_str(text).unwrap();
    assert!(!golden.source.is_empty() && !golden.case.is_empty());
    golden.case
}

fn close(what: &str, ours: f64, theirs: f64) {
    let tolerance = 1e-12 + 1e-9 * theirs.abs();
    assert!((ours - theirs).abs() <= tolerance, "{what}: {ours} is not {theirs}");
}

/// p-values span hundreds of orders of magnitude: relative, down to where the last bit of a perfect
/// correlation decides.
fn close_p(what: &str, ours: f64, theirs: f64) {
    let tolerance = 1e-200 + 1e-9 * theirs.abs();
    assert!((ours - theirs).abs() <= tolerance, "{what}: p {ours} is not {theirs}");
}

#[derive(Deserialize)]
struct Answer {
    value: f64,
    p: f64,
}

#[derive(Deserialize)]
struct Lists {
    #[serde(default)]
    x: Vec<f64>,
    #[serde(default)]
    y: Vec<f64>,
    #[serde(default)]
    n: u64,
    #[serde(default)]
    modulus: u64,
    #[serde(flatten)]
    answers: BTreeMap<String, Answer>,
}

impl Lists {
    /// The lists as written, or made by the congruence of the script.
    fn columns(self) -> (Vec<f64>, Vec<f64>) {
        if self.n == 0 {
            return (self.x, self.y);
        }
        let first = |i: u64| (i * 7919 + i * i % 31) % 1009;
        let second = |i: u64| match self.modulus {
            large @ 1001.. => (first(i) + i * 104_729 % 700) % large,
            small => (first(i) / 41 + i * 104_729 % 7) % small,
        };
        let column = |of: &dyn Fn(u64) -> u64| (0..self.n).map(|i| of(i) as f64).collect();
        (column(&first), column(&second))
    }
}

#[test]
fn correlations_are_scipys() {
    for (number, mut case) in
        golden::<Lists>(include_str!("../golden/correlation.toml")).into_iter().enumerate()
    {
        let answers = std::mem::take(&mut case.answers);
        let (x, y) = case.columns();
        assert_eq!(answers.len(), Correlation::ALL.len());
        for (name, answer) in answers {
            let estimate = name.parse::<Correlation>().unwrap().of(&x, &y).unwrap();
            let what = format!("case {number}, {name}");
            close(&what, estimate.value, answer.value);
            close_p(&what, estimate.p_value, answer.p);
        }
    }
}

#[derive(Deserialize)]
struct Three {
    human: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
    t: f64,
    p: f64,
}

#[test]
fn williams_is_the_formula() {
    for case in golden::<Three>(include_str!("../golden/williams.toml")) {
        let test = williams(&case.human, &case.first, &case.second).unwrap();
        close("t", test.t, case.t);
        close_p("t", test.p_value, case.p);
    }
}

#[derive(Deserialize)]
struct Rated {
    ratings: Vec<Vec<i64>>,
    missing: Vec<Vec<i64>>,
    fleiss: f64,
    cohen: BTreeMap<String, f64>,
    alpha: BTreeMap<String, f64>,
}

#[test]
fn agreement_is_the_references() {
    for case in golden::<Rated>(include_str!("../golden/agreement.toml")) {
        close("Fleiss", fleiss_kappa(&case.ratings).unwrap().value, case.fleiss);
        let rater =
            |number: usize| -> Vec<i64> { case.ratings.iter().map(|r| r[number]).collect() };
        for (name, weights) in [
            ("none", KappaWeights::None),
            ("linear", KappaWeights::Linear),
            ("quadratic", KappaWeights::Quadratic),
        ] {
            let kappa = cohen_kappa(&rater(0), &rater(1), weights).unwrap();
            close(name, kappa.value, case.cohen[name]);
        }
        let missing: Vec<Vec<Option<f64>>> = case
            .missing
            .iter()
            .map(|item| item.iter().map(|r| (*r >= 0).then_some(*r as f64)).collect())
            .collect();
        for (name, difference) in [
            ("nominal", Difference::Nominal),
            ("ordinal", Difference::Ordinal),
            ("interval", Difference::Interval),
        ] {
            close(name, krippendorff_alpha(&missing, difference).unwrap(), case.alpha[name]);
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Classified {
    classes: usize,
    truth: Vec<usize>,
    predicted: Vec<usize>,
    accuracy: f64,
    balanced_accuracy: f64,
    precision: Vec<f64>,
    recall: Vec<f64>,
    f1: Vec<f64>,
    confusion: Vec<Vec<u64>>,
}

#[test]
fn classification_is_scikit_learns() {
    for case in golden::<Classified>(include_str!("../golden/classification.toml")) {
        let counts = Confusion::of(&case.truth, &case.predicted, case.classes).unwrap();
        assert_eq!(counts.rows(), case.confusion);
        close("accuracy", counts.accuracy(), case.accuracy);
        close("balanced accuracy", counts.balanced_accuracy(), case.balanced_accuracy);
        for class in 0..case.classes {
            close("precision", counts.precision(class), case.precision[class]);
            close("recall", counts.recall(class), case.recall[class]);
            close("F1", counts.f1(class), case.f1[class]);
        }
    }
}

/// As scikit-learn's `f1_score(average="macro")` without `labels`: class 0 has 2·1/(2 + 1), class 1 has 1, class 3 was only predicted, and classes 2 and 4
/// are nowhere.
#[test]
fn macro_f1_is_of_the_classes_that_are_somewhere() {
    let counts = Confusion::of(&[0, 0, 1], &[0, 3, 1], 5).unwrap();
    close("macro F1", counts.macro_f1(), (2.0 / 3.0 + 1.0 + 0.0) / 3.0);
}
