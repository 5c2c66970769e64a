//! Equal to mt-metrics-eval on every committed case: values, and permutation tests with the same coins.

use crate::coins::Hash;
use ko_meta_eval::wmt::{
    Averages, Draws, Grouping, PermutationTest, ScoreTable, Standing, Statistic,
};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Golden {
    case: Vec<Case>,
    average: Vec<Average>,
}

#[derive(Deserialize)]
struct Case {
    systems: usize,
    gold: Vec<f64>,
    metrics: BTreeMap<String, Vec<f64>>,
    values: Vec<Value>,
    standings: Vec<Expected>,
}

#[derive(Deserialize)]
struct Value {
    statistic: String,
    grouping: String,
    metric: String,
    value: f64,
    epsilon: Option<f64>,
}

#[derive(Deserialize)]
struct Expected {
    statistic: String,
    grouping: String,
    draws: usize,
    block: usize,
    metrics: Vec<String>,
    values: Vec<f64>,
    ranks: Vec<usize>,
    p: Vec<Vec<f64>>,
    first: Vec<(f64, f64)>,
    taken: Vec<Vec<usize>>,
}

#[derive(Deserialize)]
struct Average {
    case: usize,
    tasks: Vec<Vec<String>>,
    weights: Vec<f64>,
    metrics: Vec<String>,
    values: Vec<f64>,
    ranks: Vec<usize>,
    mean_ranks: Vec<f64>,
    p: Vec<Vec<f64>>,
}

impl Case {
    fn table(&self) -> ScoreTable {
        let gold = self.gold.iter().map(|g| Some(*g).filter(|g| *g != -1000.0)).collect();
        let table = ScoreTable::new(self.systems, gold).unwrap();
        self.metrics
            .iter()
            .fold(table, |table, (name, scores)| table.metric(name, scores.clone()).unwrap())
    }
}

fn golden() -> Golden {
    toml::from_str(include_str!("../golden/wmt.toml")).unwrap()
}

fn close(what: &str, ours: f64, theirs: f64) {
    assert!((ours - theirs).abs() <= 1e-12 + 1e-9 * theirs.abs(), "{what}: {ours} is not {theirs}");
}

#[test]
fn values_are_the_references() {
    for (number, case) in golden().case.iter().enumerate() {
        let table = case.table();
        assert!(case.values.len() >= 6 * case.metrics.len());
        for want in &case.values {
            let what =
                format!("case {number}, {} by {}, {}", want.statistic, want.grouping, want.metric);
            let found = table
                .value(
                    &want.metric,
                    want.statistic.parse().unwrap(),
                    want.grouping.parse().unwrap(),
                )
                .unwrap();
            close(&what, found.value, want.value);
            assert_eq!(found.epsilon, want.epsilon, "{what}");
        }
    }
}

fn standing(
    table: &ScoreTable,
    statistic: &str,
    grouping: &str,
    draws: usize,
    block: usize,
) -> Standing {
    let (statistic, grouping): (Statistic, Grouping) =
        (statistic.parse().unwrap(), grouping.parse().unwrap());
    let test = PermutationTest { draws, block, ..PermutationTest::default() };
    table.standing_with("", statistic, grouping, Some((&test, &Hash)), &()).unwrap()
}

#[test]
fn permutations_are_the_references() {
    for (number, case) in golden().case.iter().enumerate() {
        let table = case.table();
        for want in &case.standings {
            let found = standing(&table, &want.statistic, &want.grouping, want.draws, want.block);
            let what = format!("case {number}, {} by {}", want.statistic, want.grouping);
            let names: Vec<&str> = found.metrics.iter().map(|m| m.metric.as_str()).collect();
            assert_eq!(names, want.metrics, "{what}");
            assert_eq!(found.p_values, want.p, "{what}");
            assert_eq!(
                found.metrics.iter().map(|m| m.rank).collect::<Vec<_>>(),
                want.ranks,
                "{what}"
            );
            for (metric, value) in found.metrics.iter().zip(&want.values) {
                close(&what, metric.value, *value);
            }
            let pair = [(names[0], names[1])];
            let test = PermutationTest {
                draws: want.draws,
                block: want.block,
                ..PermutationTest::default()
            };
            let (statistic, grouping) = (found.statistic, found.grouping);
            let tested = table.test_with(&pair, statistic, grouping, &test, &Hash, &()).unwrap();
            assert_eq!(tested[0].draws.len(), want.taken[0][0], "{what}");
            for (ours, theirs) in tested[0].draws.iter().zip(&want.first) {
                close(&what, ours.0, theirs.0);
                close(&what, ours.1, theirs.1);
            }
        }
    }
}

#[test]
fn averages_are_the_references() {
    let golden = golden();
    for want in &golden.average {
        let table = golden.case[want.case].table();
        let tasks: Vec<Standing> = want
            .tasks
            .iter()
            .map(|task| {
                let number = |at: usize| task[at].parse().unwrap();
                standing(&table, &task[0], &task[1], number(2), number(3))
            })
            .collect();
        let found = Averages::of(&tasks, Some(&want.weights)).unwrap();
        assert_eq!(
            found.metrics.iter().map(|m| m.metric.clone()).collect::<Vec<_>>(),
            want.metrics
        );
        assert_eq!(found.metrics.iter().map(|m| m.rank).collect::<Vec<_>>(), want.ranks);
        for (at, metric) in found.metrics.iter().enumerate() {
            close("mean", metric.value, want.values[at]);
            close("mean rank", metric.mean_rank, want.mean_ranks[at]);
            for (ours, theirs) in found.p_values[at].iter().zip(&want.p[at]) {
                close("p", *ours, *theirs);
            }
        }
    }
}

/// All coins of few places, each once.
#[derive(Debug)]
struct Every;

impl Draws for Every {
    fn fill(&self, draw: usize, bits: &mut [u64]) {
        bits[0] = draw as u64;
    }
}

#[test]
fn all_permutations_of_a_few_give_the_exact_p_value() {
    // Four systems, one score each: sixteen ways to swap, all of them tried by hand.
    let gold = [1.0, 2.0, 3.0, 4.0];
    let (good, poor) = ([1.0, 2.0, 3.5, 4.0], [2.0, 1.0, 4.0, 3.0]);
    let table = ScoreTable::new(4, gold.map(Some).to_vec())
        .and_then(|table| table.metric("good", good.to_vec()))
        .and_then(|table| table.metric("poor", poor.to_vec()))
        .unwrap();
    let z = |v: &[f64; 4]| {
        let mean = v.iter().sum::<f64>() / 4.0;
        let deviation = (v.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 4.0).sqrt();
        v.map(|x| (x - mean) / deviation)
    };
    let (good, poor) = (z(&good), z(&poor));
    let tau = |v: &[f64; 4]| {
        let mut sum = 0.0;
        for (i, j) in (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j))) {
            sum += f64::from(i8::from(v[j] > v[i]) - i8::from(v[j] < v[i]));
        }
        sum / 6.0
    };
    let delta = tau(&good) - tau(&poor);
    let beyond = (0..16u32).filter(|coins| {
        let mix = |own: [f64; 4], other: [f64; 4]| {
            std::array::from_fn(|i| if coins >> i & 1 == 1 { own[i] } else { other[i] })
        };
        tau(&mix(good, poor)) - tau(&mix(poor, good)) >= delta - 1e-12
    });
    let expected = beyond.count() as f64 / 16.0;
    let test = PermutationTest::all(16, 0);
    let (statistic, grouping) = (Statistic::KendallTauB, Grouping::Global);
    let found =
        table.test_with(&[("good", "poor")], statistic, grouping, &test, &Every, &()).unwrap();
    assert_eq!(found[0].p_value, expected);
}
