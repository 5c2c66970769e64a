//! Every row of every registry builds, or says what it lacks.

use ko_eval::{Error, METRICS, Params, Segment, UNITS, setting::Argument};
use std::collections::BTreeSet;

/// A row may lack a feature or a set-up, or ask for its argument; anything else is a fault.
fn lacks_something(error: &Error, argument: Option<Argument>) -> bool {
    matches!(error, Error::Missing { .. })
        || argument.is_some_and(|argument| error.to_string().contains(argument.name))
}

#[test]
fn names_are_unique_and_described() {
    let metrics = METRICS.iter().map(|row| (row.name, row.summary, row.reference, row.params));
    let units = UNITS.iter().map(|row| (row.name, row.summary, "none", row.params));
    let mut names = BTreeSet::new();
    for (name, summary, reference, params) in metrics.chain(units) {
        assert!(names.insert(name), "{name} twice");
        assert!(!summary.is_empty() && !reference.is_empty(), "{name}");
        let distinct: BTreeSet<_> = params.iter().map(|param| param.name).collect();
        assert_eq!(distinct.len(), params.len(), "{name}");
        assert!(params.iter().all(|param| !param.help.is_empty()), "{name}");
    }
}

#[test]
fn every_metric_scores_on_every_unit_that_needs_nothing() {
    let segment = Segment::new("비가 와서 집에 있었다.", ["비가 와서 나가지 않았다."]).unwrap();
    for metric in METRICS.iter().filter(|row| row.is_over_units()) {
        for unit in ["word", "char", "jamo", "none"] {
            let scorer = ko_eval::metric(metric.name, unit).unwrap();
            let value = scorer.segment_score(&segment).unwrap().value;
            assert!(value.is_finite(), "{} on {unit}", metric.name);
            let signature = scorer.signature().to_string();
            assert_eq!(signature.parse::<ko_eval::Signature>().unwrap(), scorer.signature());
        }
    }
}

#[test]
fn every_unit_builds_or_says_what_it_lacks() {
    for row in UNITS {
        if let Err(error) = ko_eval::unit(row.name) {
            assert!(lacks_something(&error, row.argument), "{}: {error}", row.name);
        }
    }
    assert!(UNITS.iter().any(|row| row.is_analyzer()));
    for row in UNITS.iter().filter(|row| row.is_analyzer()) {
        if let Err(error) = ko_eval::tokenize::analyzer_by_name(row.name) {
            assert!(lacks_something(&error, row.argument), "{}: {error}", row.name);
        }
    }
}

/// Parameters whose default depends on another parameter: the table describes it, and it cannot be written.
const DESCRIBED: &[(&str, &str)] =
    &[("bleu", "smooth-value"), ("nltk-bleu", "order"), ("nltk-bleu", "smooth-value")];

#[test]
fn defaults_are_what_the_table_says() {
    let mut described = Vec::new();
    for row in METRICS.iter().filter(|row| row.is_over_units()) {
        let plain = ko_eval::metric(row.name, "word").unwrap().signature();
        for param in row.params {
            let spec = format!("{}:{}={}", row.name, param.name, param.default);
            match ko_eval::metric(&spec, "word") {
                Ok(scorer) => assert_eq!(scorer.signature(), plain, "{spec}"),
                Err(_) if DESCRIBED.contains(&(row.name, param.name)) => {
                    described.push((row.name, param.name));
                }
                Err(error) => panic!("{spec}: {error}"),
            }
        }
    }
    assert_eq!(described, DESCRIBED, "defaults that can be written are");
}

#[test]
fn metrics_without_units_score_or_say_what_they_lack() {
    let segment = Segment::new("비가 와서 집에 있었어요.", ["비가 와서 나가지 않았어요."]).unwrap();
    for row in METRICS.iter().filter(|row| !row.is_over_units()) {
        match ko_eval::metric(row.name, "none") {
            Ok(scorer) => {
                let value = scorer.segment_score(&segment).unwrap().value;
                assert!(
                    row.range_under(&Params::default()).contains(&value),
                    "{}: {value}",
                    row.name
                );
            }
            Err(error) => {
                let asks = error.to_string().contains("a model folder, as in");
                assert!(asks || matches!(error, Error::Missing { .. }), "{}: {error}", row.name);
            }
        }
        for param in row.params {
            assert!(!param.expected().is_empty() && !param.help.is_empty(), "{}", row.name);
        }
    }
}
