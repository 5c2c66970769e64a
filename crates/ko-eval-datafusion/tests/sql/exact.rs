//! Every aggregate is `Scorer::corpus_score`, to the bit, in any number of partitions and any order of rows.

use crate::table::{Row, ask, expected, number, numbers, pairs, shuffled, with_pairs};
use datafusion::arrow::array::AsArray;
use ko_eval::{Error, METRICS};

/// Every specification of the registry that can be built here, with its unit. Models that are not installed are left out.
fn specs() -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for row in METRICS {
        let units: &[&str] = if row.is_over_units() { &["word", "jamo"] } else { &["none"] };
        for spec in row.specs() {
            for unit in units {
                // Every setting over one unit, every row over both.
                let wanted = *unit != "jamo" || spec == row.name;
                match ko_eval::metric(&spec, unit) {
                    Ok(scorer) if wanted && scorer.totals(None).is_ok() => {
                        found.push((spec.clone(), *unit));
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

fn of<'r>(rows: &'r [Row], system: &str) -> Vec<Row> {
    rows.iter().filter(|row: &&'r Row| row.system == system).cloned().collect()
}

#[test]
fn every_metric_is_exact_in_any_partitioning() {
    let rows = pairs(80);
    let specs = specs();
    assert!(specs.len() > 60, "{}", specs.len());
    let named = |name: &str| specs.iter().filter(|(spec, _)| spec == name).count();
    for row in METRICS.iter().filter(|row| row.is_over_units()) {
        assert_eq!(named(row.name), 2, "{}", row.name);
    }
    let columns: Vec<String> = specs
        .iter()
        .enumerate()
        .map(|(number, (spec, unit))| {
            format!("ko_corpus('{spec}', '{unit}', hyp, refs, src) AS c{number}")
        })
        .collect();
    let systems = ["가", "나", "다"];
    let wanted: Vec<(f64, [f64; 3])> = specs
        .iter()
        .map(|(spec, unit)| {
            let whole = expected(spec, unit, &rows);
            (whole, systems.map(|system| expected(spec, unit, &of(&rows, system))))
        })
        .collect();
    for (partitions, seed) in [(1, 0), (2, 5), (7, 11)] {
        let context = with_pairs(&shuffled(&rows, seed), partitions);
        let whole = ask(&context, &format!("SELECT {} FROM pairs", columns.join(", "))).unwrap();
        let grouped = format!(
            "SELECT system, {} FROM pairs GROUP BY system ORDER BY system",
            columns.join(", ")
        );
        let grouped = ask(&context, &grouped).unwrap();
        assert_eq!(grouped.num_rows(), 3);
        for (number, ((spec, unit), (all, each))) in specs.iter().zip(&wanted).enumerate() {
            let column = format!("c{number}");
            let same = |found: Option<f64>, wanted: f64| {
                let found = found.unwrap_or_else(|| panic!("{spec} {unit}: NULL"));
                assert_eq!(
                    found.to_bits(),
                    wanted.to_bits(),
                    "{spec} {unit} in {partitions}: {found} {wanted}"
                );
            };
            same(numbers(&whole, &column)[0], *all);
            for (found, wanted) in numbers(&grouped, &column).into_iter().zip(each) {
                same(found, *wanted);
            }
        }
    }
}

#[test]
fn short_forms_are_the_same_functions() {
    let rows = pairs(40);
    let context = with_pairs(&rows, 2);
    let one: Vec<Row> = rows
        .iter()
        .map(|row| Row { references: vec![row.references[0].clone()], ..row.clone() })
        .collect();
    for (sql, metric, unit) in [
        ("ko_bleu(hyp, ref, 'jamo')", "bleu", "jamo"),
        ("ko_bleu(hyp, ref, 'word', 'order=2')", "bleu:order=2", "word"),
        ("ko_chrf(hyp, ref, 'char')", "chrf", "char"),
        ("ko_ter(hyp, ref, 'word')", "ter", "word"),
        ("ko_rougel(hyp, ref, 'word', 'score=r')", "rouge-l:score=r", "word"),
        ("ko_rouge_l(hyp, ref, 'word', NULL, src)", "rouge-l", "word"),
        ("ko_honorifics(hyp, ref)", "honorifics", ""),
        ("ko_register_corpus(hyp, NULL, 'target=polite')", "register:target=polite", ""),
    ] {
        let found = number(&context, &format!("SELECT {sql} FROM pairs")).unwrap();
        assert_eq!(found.to_bits(), expected(metric, unit, &one).to_bits(), "{sql}");
    }
}

#[test]
fn real_texts_over_morphemes_are_exact() {
    let rows = pairs(60);
    let context = with_pairs(&rows, 7);
    match ko_eval::metric("bleu", "mecab") {
        Ok(_) => {
            let found = number(&context, "SELECT ko_bleu(hyp, refs, 'mecab') FROM pairs").unwrap();
            assert_eq!(found.to_bits(), expected("bleu", "mecab", &rows).to_bits());
        }
        // What is missing is told in the same words.
        Err(error) => {
            assert!(matches!(error, Error::Missing { .. }), "{error}");
            let told = ask(&context, "SELECT ko_bleu(hyp, refs, 'mecab') FROM pairs").unwrap_err();
            assert!(told.to_string().contains(&error.to_string()), "{told}");
        }
    }
}

#[test]
fn a_score_says_what_it_is() {
    let context = with_pairs(&pairs(5), 1);
    let told = ask(&context, "SELECT ko_signature('bleu', 'jamo') AS s").unwrap();
    let told = told.column(0).as_string::<i32>().value(0).to_owned();
    assert_eq!(told, ko_eval::metric("bleu", "jamo").unwrap().signature().to_string());
}

#[test]
fn metrics_that_look_at_the_order_are_refused() {
    let in_order = "nltk-bleu:smooth=method5";
    let error = ko_eval::metric(in_order, "word").unwrap().totals(None).unwrap_err();
    assert!(matches!(error, Error::InOrder { .. }));
    let context = with_pairs(&pairs(5), 1);
    let told =
        ask(&context, &format!("SELECT ko_corpus('{in_order}', 'word', hyp, ref) FROM pairs"));
    assert!(told.unwrap_err().to_string().contains("depends on the order"));
}

#[test]
fn windows_and_filters_work() {
    let rows = pairs(30);
    let context = with_pairs(&rows, 2);
    let sql = "SELECT DISTINCT ko_chrf(hyp, ref, 'char') OVER (PARTITION BY system) AS c FROM pairs WHERE system = '가'";
    let one: Vec<Row> = of(&rows, "가")
        .into_iter()
        .map(|row| Row { references: vec![row.references[0].clone()], ..row })
        .collect();
    assert_eq!(number(&context, sql), Some(expected("chrf", "char", &one)));
    let filtered = "SELECT ko_chrf(hyp, ref, 'char') FILTER (WHERE system = '가') FROM pairs";
    assert_eq!(number(&context, filtered), Some(expected("chrf", "char", &one)));
    let grouped = "SELECT ko_chrf(hyp, ref, 'char') FILTER (WHERE system = '가') AS c FROM pairs GROUP BY 1 = 1";
    assert_eq!(number(&context, grouped), Some(expected("chrf", "char", &one)));
}
